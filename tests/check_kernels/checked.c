#include "checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_device_id checked_device;
cl_context checked_context;
cl_command_queue checked_queue;
cl_program checked_program;

void checked_need(cl_int code, const char *what) {
    if (code == CL_SUCCESS) return;
    printf("%s: %d\n", what, code);
    exit(1);
}

cl_command_queue checked_more(cl_command_queue_properties properties) {
    cl_int code;
    cl_command_queue q = clCreateCommandQueue(checked_context, checked_device, properties, &code);
    checked_need(code, "clCreateCommandQueue");
    return q;
}

void checked_open(const char *source) {
    cl_platform_id platform;
    cl_int code;
    checked_need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    checked_need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &checked_device, NULL),
                 "clGetDeviceIDs");
    checked_context = clCreateContext(NULL, 1, &checked_device, NULL, NULL, &code);
    checked_need(code, "clCreateContext");
    checked_queue = checked_more(0);
    checked_program = clCreateProgramWithSource(checked_context, 1, &source, NULL, &code);
    checked_need(code, "clCreateProgramWithSource");
    checked_need(clBuildProgram(checked_program, 1, &checked_device, NULL, NULL, NULL),
                 "clBuildProgram");
}

void checked_close(void) {
    checked_need(clReleaseContext(checked_context), "clReleaseContext"); /* its objects have it */
    checked_need(clReleaseProgram(checked_program), "clReleaseProgram");
    checked_need(clReleaseCommandQueue(checked_queue), "clReleaseCommandQueue");
}

cl_mem checked_buffer(cl_mem_flags flags, size_t bytes, void *from) {
    cl_int code;
    cl_mem m = clCreateBuffer(checked_context, flags, bytes, from, &code);
    checked_need(code, "clCreateBuffer");
    return m;
}

cl_mem checked_image(size_t width, size_t height) {
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    cl_int code;
    cl_mem m = clCreateImage(checked_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    checked_need(code, "clCreateImage");
    return m;
}

void checked_launch(cl_command_queue queue, const char *name, cl_mem on, size_t items,
                    cl_uint nwaits, const cl_event *waits, cl_event *event) {
    cl_int code;
    cl_kernel kernel = clCreateKernel(checked_program, name, &code);
    checked_need(code, "clCreateKernel");
    checked_need(clSetKernelArg(kernel, 0, sizeof on, &on), "clSetKernelArg");
    checked_need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, nwaits, waits, event),
                 "clEnqueueNDRangeKernel");
    checked_need(clReleaseKernel(kernel), "clReleaseKernel");
}

int checked_main(int argc, char **argv, const char *source, cl_command_queue *queues[3],
                 void (*wrong)(void), void (*right)(void)) {
    if (argc != 2) return 2;
    checked_open(source);
    *queues[0] = checked_queue;
    *queues[1] = checked_more(0);
    *queues[2] = checked_more(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    strcmp(argv[1], "wrong") ? right() : wrong();
    for (int n = 1; n < 3; n++)
        checked_need(clReleaseCommandQueue(*queues[n]), "clReleaseCommandQueue");
    checked_close();
    return 0;
}
