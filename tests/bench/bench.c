/* The benchmark: an ordinary OpenCL 1.x program, linked with -lOpenCL alone. Every kernel's results
 * are checked against the host's.
 *
 *   bench [--platform NAME] [--only ROW,...] [--runs N] [--list] [--csv] [--tiny] [--twins]
 *
 * --tiny runs every row once with its smallest sizes: only results matter then. --csv prints
 * name,outcome,rate,unit,milliseconds,wall,cpu. --twins compares with kernels written by hand for
 * AVX-512 (twins.c). Exit status: 0 all right, 1 a row is wrong, 2 anything else. */
#include "rows.h"
#include "chosen.h"
#include "twins.h"
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row rows[] = {
#define ROW(name, file, function, unit, scale, about)                                              \
    {#name, file##_cl, rows_##function, unit, scale, about, ""},
#include "bench.def"
#undef ROW
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* A GPU whose kernels like multiples of 32 has warps of 32; no CPU device promises lanes in step.
 */
static bool has_warps(const struct session *session) {
    static const char *text = "__kernel void k(__global int *p) { p[0] = 1; }";
    cl_device_type type = 0;
    size_t multiple = 0;
    clGetDeviceInfo(session->device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    cl_program program = clCreateProgramWithSource(session->context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &session->device, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    clGetKernelWorkGroupInfo(kernel, session->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                             sizeof(multiple), &multiple, NULL);
    if (kernel) clReleaseKernel(kernel);
    if (program) clReleaseProgram(program);
    return (type & CL_DEVICE_TYPE_GPU) && multiple == 32;
}

static void check_list(const char *list) {
    char name[64];
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t i = 0;
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        while (i < ROWS && strcmp(name, rows[i].name)) i++;
        if (i == ROWS) chosen_fail("no row is named", name);
    }
}

static void print(const struct row *row, const struct result *r, bool csv) {
    static const char *const outcomes[] = {
        [RIGHT] = "right", [WRONG] = "WRONG", [SKIPPED] = "skipped"};
    double rate = r->seconds > 0 ? r->work / r->seconds / row->scale : 0;
    if (csv)
        printf("%s,%s,%.6g,%s,%.6g,%.6g,%.6g\n", row->name, outcomes[r->outcome], rate, row->unit,
               r->seconds * 1e3, r->wall * 1e3, r->cpu * 1e3);
    else if (r->outcome == RIGHT)
        printf("%-16s %10.4g %-10s %9.3f ms  wall %9.3f  cpu %9.3f  %s\n", row->name, rate,
               row->unit, r->seconds * 1e3, r->wall * 1e3, r->cpu * 1e3, row->about);
    if (r->outcome != RIGHT)
        fprintf(csv ? stderr : stdout, "%-16s %s: %s\n", row->name, outcomes[r->outcome], r->why);
    fflush(stdout);
}

int main(int argc, char **argv) {
    struct session session = {.runs = 5};
    const char *platform = "simtcl", *only = NULL;
    bool csv = false, twins = false;
    int wrong = 0;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(option, "--list")) {
            for (size_t r = 0; r < ROWS; r++)
                printf("%-16s %-10s %s\n", rows[r].name, rows[r].unit, rows[r].about);
            return 0;
        } else if (!strcmp(option, "--csv")) {
            csv = true;
        } else if (!strcmp(option, "--tiny")) {
            session.tiny = true;
        } else if (!strcmp(option, "--twins")) {
            twins = true;
        } else if (!value) {
            chosen_fail("what is", option);
        } else if (!strcmp(option, "--platform")) {
            platform = argv[++i];
        } else if (!strcmp(option, "--only")) {
            only = argv[++i];
        } else if (!strcmp(option, "--runs") && atoi(value) > 0) {
            session.runs = atoi(argv[++i]);
        } else {
            chosen_fail("what is", option);
        }
    }
    check_list(only);
    chosen_open(&session, platform);
    session.warps = has_warps(&session);
    for (size_t r = 0; r < ROWS; r++) {
        if (!chosen_listed(only, rows[r].name)) continue;
        const struct twin *twin = twins ? twins_find(rows[r].name) : NULL;
        if (twins && !twin) continue;
        struct result result = job_do(&session, &rows[r]);
        print(&rows[r], &result, csv);
        wrong |= result.outcome == WRONG;
        if (twin && result.outcome == RIGHT)
            wrong |= !twins_compare(twin, &rows[r], &result, &session);
    }
    clReleaseCommandQueue(session.queue);
    clReleaseContext(session.context);
    return wrong ? 1 : 0;
}
