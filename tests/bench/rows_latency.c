/* Rows of waiting: for a launch and for a build. latency.c measures what a fresh process waits for.
 */
#include "rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void rows_launch_latency(struct bench_job *job) {
    enum { ITEMS = 64 };
    bool each = !strcmp(job_name(job), "launch_latency");
    size_t launches = job_size(job, 1000, 20), items = ITEMS;
    cl_command_queue queue = job_session(job)->queue;
    cl_mem out = job_buffer(job, ITEMS * 4, NULL);
    cl_kernel kernel = job_kernel(job, "launch");
    job_check(job, clSetKernelArg(kernel, 0, sizeof(out), &out), "clSetKernelArg");
    while (job_more(job)) {
        double begin = now();
        for (size_t i = 0; i < launches; i++) {
            job_check(job,
                      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
                      "clEnqueueNDRangeKernel");
            if (each) job_check(job, clFinish(queue), "clFinish");
        }
        job_check(job, clFinish(queue), "clFinish");
        job_time(job, (double)launches, now() - begin);
    }
    uint32_t *got = job_read(job, out, ITEMS * 4);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (got[i] != i) job_fail(job, "[%u] is %u", i, got[i]);
}

/* Each program has a constant of its own, so that no cache of an earlier process has it; each is
 * asked for its kernel. */
void rows_build_latency(struct bench_job *job) {
    const struct session *session = job_session(job);
    const char *text = job_text(job);
    size_t room = strlen(text) + 64;
    char *own = job_host(job, room);
    static unsigned number;
    while (job_more(job)) {
        cl_int error;
        const char *source = own;
        snprintf(own, room, "%s\n__constant int number_%d_%u = %.0f;\n", text, (int)getpid(),
                 number++, now());
        double begin = now();
        cl_program program = clCreateProgramWithSource(session->context, 1, &source, NULL, &error);
        job_check(job, error, "clCreateProgramWithSource");
        error = clBuildProgram(program, 1, &session->device, "", NULL, NULL);
        double seconds = now() - begin;
        cl_kernel kernel =
            error == CL_SUCCESS ? clCreateKernel(program, "matmul_tiled", &error) : NULL;
        if (kernel) clReleaseKernel(kernel);
        clReleaseProgram(program);
        job_check(job, error, "clBuildProgram");
        job_time(job, 1, seconds);
    }
}
