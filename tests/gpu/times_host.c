#include "times_host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "gpu_times: %s gives %d\n", what, (int)code);
    exit(1);
}

void times_open(struct times_host *h, const char *folder) {
    cl_platform_id platform;
    cl_int code;
    *h = (struct times_host){.folder = folder};
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL), "clGetDeviceIDs");
    h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &code);
    check(code, "clCreateContext");
    h->queue = clCreateCommandQueue(h->context, h->device, 0, &code);
    check(code, "clCreateCommandQueue");
}

static char *text_of(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t length = 0, room = 0;
    while (f && !feof(f)) {
        text = realloc(text, room += 1 << 16);
        if (!text) break;
        length += fread(text + length, 1, room - length - 1, f);
    }
    if (!text) {
        fprintf(stderr, "gpu_times: %s cannot be read\n", path);
        exit(1);
    }
    text[length] = 0;
    fclose(f);
    return text;
}

void times_build(struct times_host *h, const char *name, const char *options) {
    char *text = text_of(h->folder, name);
    cl_int code;
    h->program = clCreateProgramWithSource(h->context, 1, (const char **)&text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    free(text);
    code = clBuildProgram(h->program, 1, &h->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(h->program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s", log);
    }
    check(code, name);
}

cl_mem times_buffer(struct times_host *h, size_t bytes, const void *from) {
    cl_int code;
    cl_mem m = clCreateBuffer(h->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    const cl_int zero = 0;
    if (from)
        check(clEnqueueWriteBuffer(h->queue, m, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "write");
    else
        check(clEnqueueFillBuffer(h->queue, m, &zero, sizeof zero, 0, bytes, 0, NULL, NULL),
              "fill");
    return m;
}

cl_mem times_image(struct times_host *h, unsigned channels, size_t width, size_t height) {
    cl_image_format format = {channels == 1 ? CL_R : CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    cl_int code;
    cl_mem m = clCreateImage(h->context, CL_MEM_READ_ONLY, &format, &desc, NULL, &code);
    check(code, "clCreateImage");
    const cl_float zero[4] = {0};
    const size_t origin[3] = {0}, region[3] = {width, height, 1};
    check(clEnqueueFillImage(h->queue, m, zero, origin, region, 0, NULL, NULL), "fill");
    return m;
}

void times_run(struct times_host *h, const char *kernel, unsigned dim, const size_t *global,
               const size_t *local, const char *types, ...) {
    cl_int code;
    cl_kernel k = clCreateKernel(h->program, kernel, &code);
    check(code, kernel);
    va_list list;
    va_start(list, types);
    for (cl_uint n = 0; types[n]; n++) {
        cl_mem m;
        cl_int i;
        cl_float f;
        cl_double d;
        switch (types[n]) {
        case 'm': m = va_arg(list, cl_mem), code = clSetKernelArg(k, n, sizeof m, &m); break;
        case 'i': i = va_arg(list, int), code = clSetKernelArg(k, n, sizeof i, &i); break;
        case 'f': f = (float)va_arg(list, double), code = clSetKernelArg(k, n, sizeof f, &f); break;
        case 'd': d = va_arg(list, double), code = clSetKernelArg(k, n, sizeof d, &d); break;
        default: code = clSetKernelArg(k, n, (size_t)va_arg(list, int), NULL);
        }
        check(code, "clSetKernelArg");
    }
    va_end(list);
    check(clEnqueueNDRangeKernel(h->queue, k, dim, NULL, global, local, 0, NULL, NULL), kernel);
    check(clFinish(h->queue), "clFinish");
    clReleaseKernel(k);
}

void times_close(struct times_host *h) {
    check(clFinish(h->queue), "clFinish");
    clReleaseProgram(h->program);
    clReleaseCommandQueue(h->queue);
    clReleaseContext(h->context);
}
