/* What the OpenCL driver simtcl says of itself. */
#ifndef SIMTCL_SELF_H
#define SIMTCL_SELF_H

/* For clGetPlatformInfo, char[]: lines `name: value`, for people to read: the version, where the
 * library and its helper lie, threads, SIMD level, caches, and every variable with its value and
 * where that is from. simtcl-info prints them. Names and values may change with the version. */
#define CL_PLATFORM_ABOUT_SIMTCL 0x5150

#endif
