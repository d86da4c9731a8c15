/* Devices: those of the emulated board, and sub-devices of them. */
#ifndef SIMTCL_RUNTIME_DEVICE_H
#define SIMTCL_RUNTIME_DEVICE_H

#include "device/device.h"
#include "object.h"

struct _cl_device_id {
    struct object object;
    const struct model *model;
    uint32_t index;                          /* on the board */
    uint32_t units;                          /* compute units */
    cl_device_id parent;                     /* held; NULL: a root device */
    cl_device_partition_property *partition; /* how it was made, 0 at the end, or NULL */
    size_t npartition;                       /* entries of partition, the 0 among them */
};

/* Limits that others check against too. */
enum {
    DEVICE_BASE_ALIGN = 256, /* bytes: CL_DEVICE_MEM_BASE_ADDR_ALIGN, what NVIDIA's driver says */
    DEVICE_IMAGE_2D = 8192,
    DEVICE_IMAGE_3D = 2048,
    DEVICE_IMAGE_LAYERS = 2048,
    DEVICE_IMAGE_BUFFER = 1 << 27, /* texels */
    DEVICE_READ_IMAGES = 128,
    DEVICE_WRITE_IMAGES = 8,
    DEVICE_SAMPLERS = 16,
    DEVICE_PARAMETER_BYTES = 4352, /* guide A.1.1's devices, NVIDIA's driver */
};
uint64_t device_memory_bytes(const struct model *m); /* CL_DEVICE_GLOBAL_MEM_SIZE */
uint64_t device_alloc_bytes(const struct model *m);  /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */

cl_device_id device_new_root(const struct model *m, unsigned index); /* NULL: out of memory */
void device_extensions(const struct model *m, char *text, size_t size);
struct error device_check(cl_device_id device);
void device_free(void *object);

/* Entry points (specification 4.2, 4.3). */
struct error device_ids(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                        cl_device_id *devices, cl_uint *num_devices);
struct error device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                         size_t *size_ret);
struct error device_partition(cl_device_id device, const cl_device_partition_property *properties,
                              cl_uint num_entries, cl_device_id *out, cl_uint *num_devices);
struct error device_retain(cl_device_id device);
struct error device_release(cl_device_id device);

#endif
