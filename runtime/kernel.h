/* Kernels: a function of a built program and the arguments set for its next launch. */
#ifndef SIMTCL_KERNEL_H
#define SIMTCL_KERNEL_H

#include "program.h"

/* An argument. The specification (5.7.2) forbids a kernel to hold a reference to what it is given,
 * as the caller could not tell when that goes away. So memory objects and samplers are remembered
 * by handle and serial, held by each launch, and found out when they were released before one. */
struct kernel_arg {
    bool set;
    uint8_t kind;     /* enum isa_param_kind */
    uint32_t size;    /* local: bytes asked for */
    void *object;     /* mem or sampler; NULL is a null pointer */
    uint64_t serial;  /* of the object */
    uint32_t texture; /* images: index in the launch's table */
};

struct _cl_kernel {
    struct object object;
    cl_program program;    /* held */
    struct build **builds; /* held, one for each device of the program; NULL: not built for it */
    const struct isa_kernel **code;  /* in each build's module */
    struct gpu_resources *resources; /* of each build's code */
    const struct isa_kernel *first;  /* of the first build: names, kinds, sizes */
    struct counted_launches *_Atomic
        *counted; /* held: of its launches on each device; NULL: nothing */
    struct kernel_arg *args;
    char *block; /* the argument block so far */
    uint32_t nobjects, nimages, nlocals;
};

void kernel_free(void *object);
struct error kernel_check(cl_kernel kernel);
/* The kernel's place among the devices of its program, or -1. */
int kernel_device(cl_kernel kernel, cl_device_id device);
/* Local memory of a group, and (offsets may be NULL) where each local argument begins. */
uint64_t kernel_local_bytes(cl_kernel kernel, const struct isa_kernel *code, uint32_t *offsets);
/* What a group takes of a multiprocessor's shared memory: with the arguments and system words that
 * lie there on a GPU; the model `host` has none there. */
uint64_t kernel_shared_bytes(cl_kernel kernel, unsigned device, const struct model *m);

/* Entry points (specification 5.7). */
struct error kernel_create(cl_program program, const char *name, cl_kernel *result);
struct error kernel_create_all(cl_program program, cl_uint nkernels, cl_kernel *kernels,
                               cl_uint *nkernels_ret);
struct error kernel_retain(cl_kernel kernel);
struct error kernel_release(cl_kernel kernel);
struct error kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
struct error kernel_info(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                         size_t *size_ret);
struct error kernel_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                             void *value, size_t *size_ret);
struct error kernel_group_info(cl_kernel kernel, cl_device_id device,
                               cl_kernel_work_group_info name, size_t size, void *value,
                               size_t *size_ret);

/* ndrange.c (specification 5.8) */
struct error ndrange_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                             const size_t *offset, const size_t *global, const size_t *local,
                             cl_uint nwaits, const cl_event *waits, cl_event *event);
struct error ndrange_task(cl_command_queue queue, cl_kernel kernel, cl_uint nwaits,
                          const cl_event *waits, cl_event *event);

/* native.c (specification 5.8) */
struct error native_enqueue(cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *args,
                            size_t args_bytes, cl_uint nmems, const cl_mem *mems,
                            const void **mem_places, cl_uint nwaits, const cl_event *waits,
                            cl_event *event);

#endif
