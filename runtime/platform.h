/* The one platform: the model chosen by SIMTCL_MODEL, the version chosen by SIMTCL_CL_VERSION, and
 * the root devices of the emulated board. Made when first asked for, never freed. */
#ifndef SIMTCL_PLATFORM_H
#define SIMTCL_PLATFORM_H

#include "fail.h"
#include "device/device.h"

enum { PLATFORM_MAX_DEVICES = 8 };

struct _cl_platform_id {
    const void *dispatch; /* first: cl_khr_icd */
    const struct model *model;
    unsigned version; /* 100, 110 or 120 */
    bool exact;       /* SIMTCL_EXACT=gpu */
    unsigned ndevices;
    cl_device_id devices[PLATFORM_MAX_DEVICES];
    char extensions[512]; /* of the platform's devices, all of one model */
};

cl_platform_id platform_get(void);
/* The version of OpenCL that is reported and kept to: 100, 110 or 120. */
unsigned platform_version(void);
/* Whether results shall have the bits of the GPU where the specification leaves room. */
bool platform_exact(void);
/* CL_INVALID_PLATFORM unless it is the platform; NULL is, as specification 4.1 leaves open. */
struct error platform_check(cl_platform_id platform);

/* Entry points (specification 4.1, cl_khr_icd). */
struct error platform_ids(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms);
struct error platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                           size_t *size_ret);

#endif
