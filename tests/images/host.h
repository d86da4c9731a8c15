/* What the image tests share: a device, a program, and images of every kind. */
#ifndef TESTS_IMAGES_HOST_H
#define TESTS_IMAGES_HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* Images by how kernels name them; coordinates: how many a read takes. */
struct kind {
    cl_mem_object_type type;
    const char *name, *image, *coordinates;
    int dimensions; /* filtered */
    bool layers, samplerless;
    size_t size[3];
};
extern const struct kind host_kinds[];
extern const size_t host_nkinds;

enum { HOST_FORMATS = 256 };

/* Ends the program when a call failed. */
void host_must(cl_int error, const char *call);
#define MUST(call) host_must(call, #call)

struct host host_open(void);
cl_program host_build(const struct host *h, const char *source);
cl_kernel host_kernel(cl_program program, const char *name);
/* Formats the driver offers for a kind; at most HOST_FORMATS. */
cl_uint host_formats(const struct host *h, const struct kind *kind, cl_mem_flags flags,
                     cl_image_format *formats);
/* An image with `bytes` (NULL: none yet); *buffer: what it lies in, or NULL. */
cl_mem host_image(const struct host *h, const struct kind *kind, cl_mem_flags flags,
                  const cl_image_format *format, void *bytes, size_t nbytes, cl_mem *buffer);
/* Runs a kernel (image, sampler, places, results) for n places, and reads the results. */
void host_read(const struct host *h, cl_kernel kernel, cl_mem image, cl_sampler sampler,
               float (*at)[4], int n, float (*out)[4]);
/* Of such a kernel, "sample", of a 2D image. */
extern const char host_sample_source[];
unsigned host_random(void);

#endif
