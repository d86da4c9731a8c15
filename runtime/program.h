/* Programs: their source or binaries, and for each device what came of building them. */
#ifndef SIMTCL_PROGRAM_H
#define SIMTCL_PROGRAM_H

#include <pthread.h>

#include "device/device.h"
#include "object.h"
#include "texts.h"

typedef void(CL_CALLBACK *program_notify)(cl_program program, void *user);

/* What one build, compile, link or binary gave; shared by the devices it was made for, by the
 * kernels created from it and by the launches of those. Does not change once it is in a program,
 * except that a program from a binary gets its executable when it is built. */
struct build {
    _Atomic uint32_t refs;
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log;           /* NULL counts as "" */
    struct isa_module *module;     /* type executable */
    struct executable *executable; /* of a module that was built */
    char *object;                  /* type compiled object or library: the compiler's text */
    size_t object_bytes;
    struct texts texts; /* of what it was made of, where a report wants them */
    char *binary;       /* CL_PROGRAM_BINARIES, made when first asked for */
    size_t binary_bytes;
};

struct _cl_program {
    struct object object;
    cl_context context; /* held */
    cl_device_id *devices;
    cl_uint ndevices;
    char *source; /* NULL: made from binaries or by linking */
    size_t source_bytes;
    bool linked;              /* made by clLinkProgram */
    _Atomic uint32_t kernels; /* kernel objects there are */
    pthread_mutex_t lock;     /* of what follows */
    bool building;
    struct build **builds; /* one for each device; NULL: nothing built */
};

void program_free(void *object);
struct error program_check(cl_program program);
struct build *build_new(void);
struct build *build_retain(struct build *build); /* NULL stays NULL */
void build_release(struct build *build);
/* The build for a device, held, or NULL. CL_INVALID_DEVICE is the caller's to say. */
struct build *program_build_for(cl_program program, cl_device_id device);
/* Is there something to run? */
static inline bool build_runs(const struct build *b) {
    return b && b->status == CL_BUILD_SUCCESS && b->executable;
}
/* An empty program for some of a context's devices. */
struct error program_new(cl_context context, cl_uint ndevices, const cl_device_id *devices,
                         cl_program *result);

/* Entry points (specification 5.6). */
struct error program_create_source(cl_context context, cl_uint count, const char **strings,
                                   const size_t *lengths, cl_program *result);
struct error program_create_binary(cl_context context, cl_uint ndevices,
                                   const cl_device_id *devices, const size_t *lengths,
                                   const unsigned char **binaries, cl_int *binary_status,
                                   cl_program *result);
struct error program_create_built_in(cl_context context, cl_uint ndevices,
                                     const cl_device_id *devices, const char *names,
                                     cl_program *result);
struct error program_retain(cl_program program);
struct error program_release(cl_program program);
struct error program_info(cl_program program, cl_program_info name, size_t size, void *value,
                          size_t *size_ret);
struct error program_build_info(cl_program program, cl_device_id device, cl_program_build_info name,
                                size_t size, void *value, size_t *size_ret);

/* build.c */
struct error build_program(cl_program program, cl_uint ndevices, const cl_device_id *devices,
                           const char *options, program_notify notify, void *user_data);
struct error build_compile(cl_program program, cl_uint ndevices, const cl_device_id *devices,
                           const char *options, cl_uint nheaders, const cl_program *headers,
                           const char **names, program_notify notify, void *user_data);
struct error build_link(cl_context context, cl_uint ndevices, const cl_device_id *devices,
                        const char *options, cl_uint nprograms, const cl_program *programs,
                        program_notify notify, void *user_data, cl_program *result);
struct error build_unload(void);
struct error build_unload_platform(cl_platform_id platform);

#endif
