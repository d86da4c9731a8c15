/* A host program that does wrong what SIMTCL_CHECK=api, and the flags of buffers for memory, know.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "kernel void copy(global int *to, global const int *from) {\n"
                             "    int i = get_global_id(0);\n"
                             "    to[i] = from[i];\n"
                             "}\n";

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;

static void need(cl_int code, const char *what) {
    if (code == CL_SUCCESS) return;
    printf("%s: %d\n", what, code);
    exit(1);
}

static cl_mem buffer(cl_mem_flags flags) {
    cl_int code;
    cl_mem m = clCreateBuffer(context, flags, 64, NULL, &code);
    need(code, "clCreateBuffer");
    return m;
}

static void launch(cl_mem to, cl_mem from) {
    size_t items = 16;
    need(clSetKernelArg(kernel, 0, sizeof to, to ? &to : NULL), "clSetKernelArg");
    need(clSetKernelArg(kernel, 1, sizeof from, from ? &from : NULL), "clSetKernelArg");
    need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    clFinish(queue);
}

static void CL_CALLBACK ended(cl_event event, cl_int status, void *user) {
    (void)event, (void)status;
    clFinish(queue);
    *(volatile int *)user = 1;
}

static void wait_in_callback(cl_mem m) {
    static volatile int called;
    cl_event written;
    int zero = 0;
    need(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, &written),
         "clEnqueueWriteBuffer");
    need(clSetEventCallback(written, CL_COMPLETE, ended, (void *)&called), "clSetEventCallback");
    while (!called) clFlush(queue);
    clReleaseEvent(written);
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    const char *text = source;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    need(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    need(code, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    need(code, "clCreateProgramWithSource");
    need(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    kernel = clCreateKernel(program, "copy", &code);
    need(code, "clCreateKernel");
    cl_mem both = buffer(CL_MEM_READ_WRITE), in = buffer(CL_MEM_READ_ONLY),
           out = buffer(CL_MEM_WRITE_ONLY), left = buffer(CL_MEM_READ_WRITE);
    launch(both, in);
    launch(out, in);
    launch(in, both);
    launch(both, out);
    void *mapped =
        clEnqueueMapBuffer(queue, both, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &code);
    need(code, "clEnqueueMapBuffer");
    launch(both, in);
    need(clEnqueueUnmapMemObject(queue, both, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    launch(both, in);
    wait_in_callback(left);
    launch(NULL, in); /* ends with a fault */
    clReleaseMemObject(both);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clRetainKernel(kernel); /* and is not given back: nor are two events */
    for (int n = 0; n < 2; n++) clCreateUserEvent(context, NULL);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
