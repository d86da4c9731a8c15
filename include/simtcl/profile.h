/* What the GPU would have counted: the extension cl_simtcl_profile of the OpenCL driver simtcl.
 *
 * The counters are those of device/gpu/counters.def, among them all of NVIDIA's profiler for
 * compute capability 1.x. They follow from the rules of NVIDIA's guide and are the same in every
 * run, on every host: they can stand in a test. Each is known by its name, for all of a kernel and
 * for each of its sites: the memory accesses, branches and barriers of its source, numbered from 1.
 *
 * A program links nothing for it. It asks the driver for the functions, and learns so whether it
 * runs on simtcl:
 *
 *     struct simtcl_profile profile;
 *     if (simtcl_profile_load(platform, &profile) == CL_SUCCESS) profile.begin(context, NULL);
 *
 * Kernels that are enqueued between begin and end are counted, and run some two to three times as
 * long; with SIMTCL_PROFILE=counters in the environment all are. Other kernels run as ever.
 *
 * Functions return CL_SUCCESS or an error of OpenCL, whose reason SIMTCL_LOG=api shows. They may be
 * called by any number of threads. Nothing here changes its meaning in later versions; what they
 * add has new names, and SIMTCL_PROFILE_VERSION grows. */
#ifndef SIMTCL_PROFILE_EXTENSION_H
#define SIMTCL_PROFILE_EXTENSION_H

#include <stddef.h>
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SIMTCL_PROFILE_VERSION   1
#define SIMTCL_PROFILE_EXTENSION "cl_simtcl_profile" /* in CL_PLATFORM_EXTENSIONS */

/* In place of a site: all of the kernel. */
#define CL_ALL_SITES_SIMTCL 0u

/* What can be asked of a counter. */
typedef cl_uint cl_counter_info_simtcl;
#define CL_COUNTER_UNIT_SIMTCL     0x5100 /* char[]: of which it is a number, as "bytes" */
#define CL_COUNTER_MEANING_SIMTCL  0x5101 /* char[]: one event of what is counted */
#define CL_COUNTER_SECTION_SIMTCL  0x5102 /* char[]: of NVIDIA's OpenCL guide 2.3 */
#define CL_COUNTER_FIRST_CC_SIMTCL 0x5103 /* cl_uint: devices from compute capability 1.x on, */
#define CL_COUNTER_LAST_CC_SIMTCL  0x5104 /* cl_uint: up to 1.x have it; all models count it */
#define CL_COUNTER_FLAGS_SIMTCL    0x5105 /* cl_bitfield: */
#define CL_COUNTER_PROFILER_SIMTCL 1      /* NVIDIA's profiler has it by that name */
#define CL_COUNTER_SITES_SIMTCL    2      /* it is known for each site */
#define CL_COUNTER_MAXIMUM_SIMTCL  4      /* of several launches the largest counts, not the sum */

/* What can be asked of a launch that was counted. */
typedef cl_uint cl_launch_info_simtcl;
#define CL_LAUNCH_OCCUPANCY_SIMTCL     0x5120 /* cl_double: active warps over the most possible */
#define CL_LAUNCH_ACTIVE_GROUPS_SIMTCL 0x5121 /* cl_uint: groups on a multiprocessor at a time */
#define CL_LAUNCH_ACTIVE_WARPS_SIMTCL  0x5122 /* cl_uint: warps, likewise */
#define CL_LAUNCH_LIMITER_SIMTCL       0x5123 /* char[]: what keeps more away */
#define CL_LAUNCH_SHARED_BYTES_SIMTCL  0x5124 /* cl_uint: of a group, arguments included */

/* What can be asked of a kernel on a device. */
typedef cl_uint cl_kernel_profile_info_simtcl;
#define CL_KERNEL_SITES_SIMTCL        0x5140 /* cl_uint: how many it has */
#define CL_KERNEL_LAUNCHES_SIMTCL     0x5141 /* cl_ulong: launches that were counted */
#define CL_KERNEL_REGISTERS_SIMTCL    0x5142 /* cl_uint: 32-bit registers of a work-item */
#define CL_KERNEL_SHARED_BYTES_SIMTCL 0x5143 /* cl_uint: of a group, __local arguments left out */
#define CL_KERNEL_LOCAL_BYTES_SIMTCL  0x5144 /* cl_uint: private memory that no register holds */
#define CL_KERNEL_SPILL_BYTES_SIMTCL  0x5145 /* cl_uint: of these, for want of registers */

/* What can be asked of a site. */
typedef cl_uint cl_site_info_simtcl;
#define CL_SITE_KIND_SIMTCL   0x5160 /* char[]: "load", "store", "branch", "barrier" and others */
#define CL_SITE_FILE_SIMTCL   0x5161 /* char[]: "" is the program's source */
#define CL_SITE_LINE_SIMTCL   0x5162 /* cl_uint: 0: not known */
#define CL_SITE_COLUMN_SIMTCL 0x5163 /* cl_uint: 0: not known */
#define CL_SITE_TEXT_SIMTCL   0x5164 /* char[]: the expression, as far as it is known */

/* The names of all counters, `entries` at most, in memory that lasts as long as the process;
 * *counters (may be NULL): how many there are. CL_INVALID_VALUE: both are NULL. */
typedef cl_int(CL_API_CALL *clGetCountersSIMTCL_fn)(cl_platform_id platform, cl_uint entries,
                                                    const char **names, cl_uint *counters);
/* As clGet*Info. CL_INVALID_VALUE: no such counter or query, or the size is too small. */
typedef cl_int(CL_API_CALL *clGetCounterInfoSIMTCL_fn)(cl_platform_id platform, const char *counter,
                                                       cl_counter_info_simtcl query, size_t size,
                                                       void *value, size_t *size_ret);
/* Kernels that are enqueued from now on are counted: those of a queue, or (queue NULL) of all
 * queues of the context. Each begin has its end; they may be nested. CL_INVALID_CONTEXT: the queue
 * is of another. CL_INVALID_OPERATION: an end without a begin. */
typedef cl_int(CL_API_CALL *clBeginProfileSIMTCL_fn)(cl_context context, cl_command_queue queue);
typedef cl_int(CL_API_CALL *clEndProfileSIMTCL_fn)(cl_context context, cl_command_queue queue);
/* What was counted of the launch of an event that has completed, at a site or CL_ALL_SITES_SIMTCL.
 * CL_PROFILING_INFO_NOT_AVAILABLE: it was not counted, failed, or has not completed.
 * CL_INVALID_VALUE: no such counter or site, or value is NULL. */
typedef cl_int(CL_API_CALL *clGetEventCounterSIMTCL_fn)(cl_event event, cl_uint site,
                                                        const char *counter, cl_ulong *value);
typedef cl_int(CL_API_CALL *clGetEventLaunchInfoSIMTCL_fn)(cl_event event,
                                                           cl_launch_info_simtcl query, size_t size,
                                                           void *value, size_t *size_ret);
/* The same of all launches of the kernel object on the device that were counted and have completed:
 * 0 when there is none. device NULL: the only one that the kernel is for. */
typedef cl_int(CL_API_CALL *clGetKernelCounterSIMTCL_fn)(cl_kernel kernel, cl_device_id device,
                                                         cl_uint site, const char *counter,
                                                         cl_ulong *value);
typedef cl_int(CL_API_CALL *clGetKernelProfileInfoSIMTCL_fn)(cl_kernel kernel, cl_device_id device,
                                                             cl_kernel_profile_info_simtcl query,
                                                             size_t size, void *value,
                                                             size_t *size_ret);
/* CL_INVALID_VALUE: no such site or query, or the size is too small. */
typedef cl_int(CL_API_CALL *clGetKernelSiteInfoSIMTCL_fn)(cl_kernel kernel, cl_device_id device,
                                                          cl_uint site, cl_site_info_simtcl query,
                                                          size_t size, void *value,
                                                          size_t *size_ret);

/* All of them. */
struct simtcl_profile {
    clGetCountersSIMTCL_fn counters;
    clGetCounterInfoSIMTCL_fn counter_info;
    clBeginProfileSIMTCL_fn begin;
    clEndProfileSIMTCL_fn end;
    clGetEventCounterSIMTCL_fn event_counter;
    clGetEventLaunchInfoSIMTCL_fn launch_info;
    clGetKernelCounterSIMTCL_fn kernel_counter;
    clGetKernelProfileInfoSIMTCL_fn kernel_info;
    clGetKernelSiteInfoSIMTCL_fn site_info;
};

/* Asks the platform for the functions. CL_INVALID_OPERATION: it does not have them, as it is not
 * simtcl. With the loader of OpenCL 1.1 or older, which cannot ask a platform, it asks them all. */
static inline cl_int simtcl_profile_load(cl_platform_id platform, struct simtcl_profile *p) {
#ifdef CL_VERSION_1_2
#define SIMTCL_PROFILE_FIND(name) clGetExtensionFunctionAddressForPlatform(platform, name)
#else
#define SIMTCL_PROFILE_FIND(name) ((void)platform, clGetExtensionFunctionAddress(name))
#endif
#define SIMTCL_PROFILE_GET(member, name)                                                           \
    p->member = (name##_fn)SIMTCL_PROFILE_FIND(#name);                                             \
    if (!p->member) return CL_INVALID_OPERATION
    SIMTCL_PROFILE_GET(counters, clGetCountersSIMTCL);
    SIMTCL_PROFILE_GET(counter_info, clGetCounterInfoSIMTCL);
    SIMTCL_PROFILE_GET(begin, clBeginProfileSIMTCL);
    SIMTCL_PROFILE_GET(end, clEndProfileSIMTCL);
    SIMTCL_PROFILE_GET(event_counter, clGetEventCounterSIMTCL);
    SIMTCL_PROFILE_GET(launch_info, clGetEventLaunchInfoSIMTCL);
    SIMTCL_PROFILE_GET(kernel_counter, clGetKernelCounterSIMTCL);
    SIMTCL_PROFILE_GET(kernel_info, clGetKernelProfileInfoSIMTCL);
    SIMTCL_PROFILE_GET(site_info, clGetKernelSiteInfoSIMTCL);
#undef SIMTCL_PROFILE_GET
#undef SIMTCL_PROFILE_FIND
    return CL_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
