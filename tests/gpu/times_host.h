/* A device for the programs whose times are known: one program of kernels, buffers, launches. Ends
 * the process with a message when a call fails. */
#ifndef TIMES_HOST_H
#define TIMES_HOST_H

#include <CL/cl.h>
#include <stdbool.h>

struct times_host {
    const char *folder; /* of the kernels */
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_program program;
};

void times_open(struct times_host *h, const char *folder);
/* Builds FOLDER/NAME. */
void times_build(struct times_host *h, const char *name, const char *options);
/* A buffer; from: what it holds, or NULL: zeros. */
cl_mem times_buffer(struct times_host *h, size_t bytes, const void *from);
/* An image of floats, 1 or 4 channels, all zeros. */
cl_mem times_image(struct times_host *h, unsigned channels, size_t width, size_t height);
/* What follows the name and the sizes: arguments, a letter of `types` each: m cl_mem, i int, f
 * float, d double, l local memory of so many bytes. */
void times_run(struct times_host *h, const char *kernel, unsigned dim, const size_t *global,
               const size_t *local, const char *types, ...);
/* The same in one dimension. */
#define TIMES_RUN(h, kernel, global, local, ...)                                                   \
    times_run(h, kernel, 1, (const size_t[]){global}, (const size_t[]){local}, __VA_ARGS__)
/* Waits for all. */
void times_close(struct times_host *h);

/* A job: runs what the row says of it and returns how much work that was: bytes, operations; for
 * rows whose figure is a time, how many times as long the row's own problem is (1: this was it). */
typedef double times_job(struct times_host *h, const long size[3]);
#define JOB(name) times_job times_##name;
#include "times_jobs.def"
#undef JOB

#endif
