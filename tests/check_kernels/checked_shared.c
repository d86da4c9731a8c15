/* What SIMTCL_CHECK=race tells of arguments that lie in one object.
 *
 *   checked_shared wrong | right
 */
#include "checked.h"

#include <string.h>

enum { ITEMS = 256, GROUP = 64, BYTES = 2 * ITEMS * sizeof(int) };

static const char source[] = "kernel void smooth(global const int *in, global int *out) {\n"
                             "    int i = get_global_id(0);\n"
                             "    out[i] = in[i] + in[i + 1];\n"
                             "}\n"
                             "kernel void sums(global const int *in, global int *out) {\n"
                             "    local int t[64];\n"
                             "    int l = get_local_id(0), g = get_group_id(0);\n"
                             "    t[l] = in[get_global_id(0)];\n"
                             "    for (int n = 32; n; n /= 2) {\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "        if (l < n) t[l] += t[l + n];\n"
                             "    }\n"
                             "    if (!l) out[g] = t[0];\n"
                             "}\n"
                             "kernel void spread(global const int *at, global int *out) {\n"
                             "    int i = get_global_id(0);\n"
                             "    out[at[i] % 64 + 64 * (i / 64)] = i;\n"
                             "}\n"
                             "kernel void add(global const int *in, global int *out) {\n"
                             "    int i = get_global_id(0);\n"
                             "    out[i] += in[i];\n"
                             "}\n";

static void launch(const char *name, cl_mem in, cl_mem out) {
    size_t items = ITEMS, group = GROUP;
    cl_int code;
    cl_kernel k = clCreateKernel(checked_program, name, &code);
    checked_need(code, "clCreateKernel");
    checked_need(clSetKernelArg(k, 0, sizeof in, &in), "clSetKernelArg");
    checked_need(clSetKernelArg(k, 1, sizeof out, &out), "clSetKernelArg");
    checked_need(clEnqueueNDRangeKernel(checked_queue, k, 1, NULL, &items, &group, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel");
    checked_need(clFinish(checked_queue), "clFinish");
    checked_need(clReleaseKernel(k), "clReleaseKernel");
}

static cl_mem part(cl_mem of, size_t from, size_t bytes) {
    cl_buffer_region region = {from, bytes};
    cl_int code;
    cl_mem m = clCreateSubBuffer(of, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    checked_need(code, "clCreateSubBuffer");
    return m;
}

int main(int argc, char **argv) {
    static int numbers[2 * ITEMS];
    if (argc != 2) return 2;
    for (int n = 0; n < 2 * ITEMS; n++) numbers[n] = n * 5;
    checked_open(source);
    cl_mem all = checked_buffer(CL_MEM_COPY_HOST_PTR, BYTES, numbers),
           other = checked_buffer(CL_MEM_COPY_HOST_PTR, BYTES, numbers),
           first = part(all, 0, BYTES / 2), second = part(all, BYTES / 2, BYTES / 2),
           later = part(all, BYTES / 4, BYTES / 2), lower = part(other, 0, BYTES / 2),
           upper = part(other, BYTES / 2, BYTES / 2);
    if (!strcmp(argv[1], "wrong")) {
        launch("smooth", all, all);
        launch("sums", all, all);
        launch("add", later, first);
    } else {
        launch("add", all, all); /* each its own */
        launch("add", second, first);
        launch("smooth", other, all);
        launch("sums", second, first);
        launch("add", later, later);
        launch("spread", upper, lower); /* each its own, as the data say */
    }
    cl_mem made[] = {first, second, later, lower, upper, all, other};
    for (unsigned n = 0; n < 7; n++) checked_need(clReleaseMemObject(made[n]), "release");
    checked_close();
    return 0;
}
