/* A row of the benchmark at work: its program, its buffers, the launches that are timed and the
 * checks of what they computed. Whatever a row allocates belongs to its job and goes with it. A row
 * is a plain function; the first thing that fails leaves it (job_fail does not return) and is
 * printed as the row's result, and the next row runs. */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_job;

struct row {
    const char *name, *text; /* of the row; of the .cl file it is built from */
    void (*run)(struct bench_job *job);
    const char *unit;
    double scale; /* units of work in one of `unit`: 1e9 for GFLOPS */
    const char *about;
    const char *options; /* of the build */
};

struct session {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, profiling */
    bool warps;             /* work-items run in warps of 32, as on the guide's GPUs */
    bool tiny;              /* smallest sizes, one run: only the results matter */
    int runs;
};

enum outcome { RIGHT, WRONG, SKIPPED };

struct result {
    enum outcome outcome;
    char why[512]; /* when not RIGHT */
    double work;   /* of one run */
    /* Least of all runs: on the device, by profiling events; from the first enqueue to the end; of
     * the process on all CPUs, which other processes disturb least. */
    double seconds, wall, cpu;
};

/* Runs `row` and everything it needs, from the build of its program to its checks. */
struct result job_do(const struct session *session, const struct row *row);

_Noreturn void job_fail(struct bench_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* This device cannot be compared here. */
_Noreturn void job_skip(struct bench_job *job, const char *why);
/* Skips the row where the device lacks the extension. */
void job_require(struct bench_job *job, const char *extension);
void job_check(struct bench_job *job, cl_int error, const char *what);

const struct session *job_session(const struct bench_job *job);
const char *job_name(
    const struct bench_job *job); /* the row's, which is the name of its main kernel */
const char *job_text(const struct bench_job *job); /* of its .cl file */
size_t job_size(const struct bench_job *job, size_t full, size_t tiny);
void *job_host(struct bench_job *job, size_t bytes); /* zeros */
cl_mem job_buffer(struct bench_job *job, size_t bytes,
                  const void *content); /* content may be NULL */
cl_mem job_image(struct bench_job *job, cl_mem_flags flags, cl_channel_type type, size_t width,
                 size_t height, const void *content); /* RGBA */
cl_sampler job_sampler(struct bench_job *job, cl_addressing_mode addressing, cl_filter_mode filter);
cl_kernel job_kernel(struct bench_job *job, const char *name);

struct job_range {
    cl_uint dims;
    size_t global[3], local[3]; /* local: zeros: the driver chooses */
};
#define LINE(g, l)                  ((struct job_range){1, {g}, {l}})
#define GRID(gx, gy, lx, ly)        ((struct job_range){2, {gx, gy}, {lx, ly}})
#define BOX(gx, gy, gz, lx, ly, lz) ((struct job_range){3, {gx, gy, gz}, {lx, ly, lz}})

struct job_argument {
    size_t size; /* at most 16 bytes unless value is NULL: local memory */
    const void *value;
};
#define MEM(m)                                                                                     \
    {                                                                                              \
        sizeof(cl_mem), &(cl_mem) { m }                                                            \
    }
#define SAMPLER(s)                                                                                 \
    {                                                                                              \
        sizeof(cl_sampler), &(cl_sampler) { s }                                                    \
    }
#define INT(i)                                                                                     \
    {                                                                                              \
        sizeof(cl_int), &(cl_int) { (cl_int)(i) }                                                  \
    }
#define FLOAT(f)                                                                                   \
    {                                                                                              \
        sizeof(cl_float), &(cl_float) { f }                                                        \
    }
#define DOUBLE(f)                                                                                  \
    {                                                                                              \
        sizeof(cl_double), &(cl_double) { f }                                                      \
    }
#define LOCAL(bytes)                                                                               \
    { bytes, NULL }

/* Adds a launch to the run; the arguments are copied. */
#define job_launch(job, kernel, range, ...)                                                        \
    job_launch_with(job, kernel, range, (const struct job_argument[]){__VA_ARGS__},                \
                    sizeof((const struct job_argument[]){__VA_ARGS__}) /                           \
                        sizeof(struct job_argument))
void job_launch_with(struct bench_job *job, cl_kernel kernel, struct job_range range,
                     const struct job_argument *arguments, size_t count);
/* Adds, at this place of the run, a write of `content` (kept by the caller) that is not timed. */
void job_reset(struct bench_job *job, cl_mem buffer, size_t bytes, const void *content);
/* Runs what was added, once to warm up and then until the least times are known. */
void job_run(struct bench_job *job, double work);
/* For rows that measure something else themselves: one measurement. */
void job_time(struct bench_job *job, double work, double seconds);
bool job_more(struct bench_job *job); /* whether another measurement is wanted */

void *job_read(struct bench_job *job, cl_mem buffer, size_t bytes);
void *job_read_image(struct bench_job *job, cl_mem image, size_t width, size_t height,
                     size_t bytes);

/* Checks: the row is wrong unless all of `count` are the same; within absolute + relative * |want|;
 * or unless at most a fraction `part` of them differs. */
void job_same(struct bench_job *job, const uint32_t *got, const uint32_t *want, size_t count);
void job_near(struct bench_job *job, const float *got, const double *want, size_t count,
              double relative, double absolute);
void job_mostly(struct bench_job *job, const uint32_t *got, const uint32_t *want, size_t count,
                double part);

/* Numbers that are the same everywhere. */
uint32_t job_random(uint32_t *state);
float job_unit(uint32_t *state); /* in [0, 1) */
#endif
