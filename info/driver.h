/* The driver, as programs get it. */
#ifndef SIMTCL_DRIVER_H
#define SIMTCL_DRIVER_H

#include <CL/cl.h>
#include <stdbool.h>

/* OpenCL's functions that are used: CALL(name). */
#define DRIVER_CALLS                                                                               \
    CALL(clGetPlatformIDs)                                                                         \
    CALL(clGetPlatformInfo)                                                                        \
    CALL(clGetDeviceIDs)                                                                           \
    CALL(clGetDeviceInfo)                                                                          \
    CALL(clCreateContext)                                                                          \
    CALL(clReleaseContext)                                                                         \
    CALL(clCreateCommandQueue)                                                                     \
    CALL(clReleaseCommandQueue)                                                                    \
    CALL(clCreateProgramWithSource)                                                                \
    CALL(clBuildProgram)                                                                           \
    CALL(clGetProgramBuildInfo)                                                                    \
    CALL(clReleaseProgram)                                                                         \
    CALL(clCreateKernel)                                                                           \
    CALL(clSetKernelArg)                                                                           \
    CALL(clReleaseKernel)                                                                          \
    CALL(clCreateBuffer)                                                                           \
    CALL(clReleaseMemObject)                                                                       \
    CALL(clEnqueueNDRangeKernel)                                                                   \
    CALL(clEnqueueReadBuffer)

struct driver {
#define CALL(name) __typeof__(&name) name;
    DRIVER_CALLS
#undef CALL
    cl_platform_id platform; /* simtcl's */
    cl_device_id device;     /* its first */
    bool listed;             /* the loader has it */
    char loader[256];        /* what is wrong with the loader, or "" */
};

/* Finds it through the ICD loader, or beside this program where the loader has none. False: there
 * is no driver; `loader` says what the loader said. */
bool driver_find(struct driver *d);

#endif
