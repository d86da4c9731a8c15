/* Reads what the GPU would have counted of a copy: first of items that lie side by side, then of
 * every second one. An example of include/simtcl/profile.h, complete, good C and good C++.
 *
 *   cc strides.c -lOpenCL && ./a.out */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include <simtcl/profile.h>

static const char *source = "__kernel void copy(__global float *to, __global const float *from,\n"
                            "                   int stride) {\n"
                            "    int i = get_global_id(0) * stride;\n"
                            "    to[i] = from[i];\n"
                            "}\n";

static void check(cl_int error, const char *what) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", what, (int)error);
    exit(1);
}

/* The first platform that has the extension. */
static cl_platform_id find_platform(struct simtcl_profile *profile) {
    cl_platform_id platforms[16];
    cl_uint n = 0;
    check(clGetPlatformIDs(16, platforms, &n), "clGetPlatformIDs");
    for (cl_uint i = 0; i < n && i < 16; i++)
        if (simtcl_profile_load(platforms[i], profile) == CL_SUCCESS) return platforms[i];
    fprintf(stderr, "no platform has " SIMTCL_PROFILE_EXTENSION "\n");
    exit(1);
}

int main(void) {
    struct simtcl_profile profile;
    cl_platform_id platform = find_platform(&profile);
    cl_device_id device;
    cl_int error;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "copy", &error);
    check(error, "clCreateKernel");

    const size_t items = 1024, group = 128;
    cl_mem buffers[2];
    for (cl_uint n = 0; n < 2; n++) {
        buffers[n] =
            clCreateBuffer(context, CL_MEM_READ_WRITE, 2 * items * sizeof(cl_float), NULL, &error);
        check(error, "clCreateBuffer");
        check(clSetKernelArg(kernel, n, sizeof buffers[n], &buffers[n]), "clSetKernelArg");
    }

    check(profile.begin(context, NULL), "clBeginProfileSIMTCL");
    for (cl_int stride = 1; stride <= 2; stride++) {
        const char *counters[] = {"gld_request", "gld_64b", "gld_128b", "gld_bytes", "gld_moved"};
        cl_event event;
        check(clSetKernelArg(kernel, 2, sizeof stride, &stride), "clSetKernelArg");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, &event),
              "clEnqueueNDRangeKernel");
        check(clWaitForEvents(1, &event), "clWaitForEvents");
        cl_double occupancy;
        check(profile.launch_info(event, CL_LAUNCH_OCCUPANCY_SIMTCL, sizeof occupancy, &occupancy,
                                  NULL),
              "clGetEventLaunchInfoSIMTCL");
        printf("stride %d: occupancy %.2f", (int)stride, occupancy);
        for (size_t n = 0; n < sizeof counters / sizeof *counters; n++) {
            cl_ulong value;
            check(profile.event_counter(event, CL_ALL_SITES_SIMTCL, counters[n], &value),
                  counters[n]);
            printf(", %s %lu", counters[n], (unsigned long)value);
        }
        putchar('\n');
        check(clReleaseEvent(event), "clReleaseEvent");
    }
    check(profile.end(context, NULL), "clEndProfileSIMTCL");

    /* Where in the source: what both launches came to. */
    cl_uint sites;
    check(profile.kernel_info(kernel, device, CL_KERNEL_SITES_SIMTCL, sizeof sites, &sites, NULL),
          "clGetKernelProfileInfoSIMTCL");
    for (cl_uint site = 1; site <= sites; site++) {
        char kind[32], text[256];
        cl_uint line;
        cl_ulong loads, stores;
        check(profile.site_info(kernel, device, site, CL_SITE_KIND_SIMTCL, sizeof kind, kind, NULL),
              "clGetKernelSiteInfoSIMTCL");
        check(profile.site_info(kernel, device, site, CL_SITE_TEXT_SIMTCL, sizeof text, text, NULL),
              "clGetKernelSiteInfoSIMTCL");
        check(
            profile.site_info(kernel, device, site, CL_SITE_LINE_SIMTCL, sizeof line, &line, NULL),
            "clGetKernelSiteInfoSIMTCL");
        check(profile.kernel_counter(kernel, device, site, "gld_total", &loads), "gld_total");
        check(profile.kernel_counter(kernel, device, site, "gst_total", &stores), "gst_total");
        printf("line %u, %s %s: %lu transactions\n", (unsigned)line, kind, text,
               (unsigned long)(loads + stores));
    }

    for (int n = 0; n < 2; n++) clReleaseMemObject(buffers[n]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
