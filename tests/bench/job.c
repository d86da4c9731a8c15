#include "job.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_STEPS = 1024, MOST_ARGUMENTS = 16, MOST_OBJECTS = 64, LEAST_RUNS = 3 };
/* A row is measured for this long at least, so that a driver that compiles beside the first runs
 * has its time. */
#define LEAST_SECONDS 0.3
#define MOST_SECONDS  3.0

struct step {
    cl_kernel kernel; /* NULL for a reset */
    struct job_range range;
    struct {
        size_t size;
        bool local;
        unsigned char value[16];
    } arguments[MOST_ARGUMENTS];
    size_t count;
    cl_mem buffer;
    const void *content;
    size_t bytes;
};

struct bench_job {
    const struct session *session;
    const struct row *row;
    struct result result;
    jmp_buf leave;
    cl_program program;
    struct step *steps;
    size_t step_count;
    cl_kernel kernels[MOST_OBJECTS];
    cl_mem memories[MOST_OBJECTS];
    cl_sampler samplers[MOST_OBJECTS];
    void *blocks[MOST_OBJECTS];
    size_t kernel_count, memory_count, sampler_count, block_count;
    int runs;
    double begun, cpu_begun; /* all measurements; this one */
};

static double clock_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void) { return clock_seconds(CLOCK_MONOTONIC); }

static double cpu_now(void) { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID); }

/* The times of one run. */
struct job_times {
    double device, wall, cpu;
};

void job_fail(struct bench_job *job, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(job->result.why, sizeof(job->result.why), format, list);
    va_end(list);
    job->result.outcome = WRONG;
    longjmp(job->leave, 1);
}

void job_skip(struct bench_job *job, const char *why) {
    snprintf(job->result.why, sizeof(job->result.why), "%s", why);
    job->result.outcome = SKIPPED;
    longjmp(job->leave, 1);
}

void job_require(struct bench_job *job, const char *extension) {
    char list[4096] = "", why[64];
    clGetDeviceInfo(job->session->device, CL_DEVICE_EXTENSIONS, sizeof(list), list, NULL);
    snprintf(why, sizeof(why), "no %s", extension);
    if (!strstr(list, extension)) job_skip(job, why);
}

void job_check(struct bench_job *job, cl_int error, const char *what) {
    if (error != CL_SUCCESS) job_fail(job, "%s: error %d", what, (int)error);
}

const struct session *job_session(const struct bench_job *job) { return job->session; }

const char *job_name(const struct bench_job *job) { return job->row->name; }

const char *job_text(const struct bench_job *job) { return job->row->text; }

size_t job_size(const struct bench_job *job, size_t full, size_t tiny) {
    return job->session->tiny ? tiny : full;
}

static void room(struct bench_job *job, size_t count) {
    if (count == MOST_OBJECTS) job_fail(job, "more objects than a row may have");
}

void *job_host(struct bench_job *job, size_t bytes) {
    room(job, job->block_count);
    void *block = calloc(1, bytes);
    if (!block) job_fail(job, "out of memory");
    return job->blocks[job->block_count++] = block;
}

cl_mem job_buffer(struct bench_job *job, size_t bytes, const void *content) {
    cl_int error;
    room(job, job->memory_count);
    cl_mem buffer = clCreateBuffer(job->session->context,
                                   CL_MEM_READ_WRITE | (content ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                                   (void *)(uintptr_t)content, &error);
    job_check(job, error, "clCreateBuffer");
    return job->memories[job->memory_count++] = buffer;
}

cl_mem job_image(struct bench_job *job, cl_mem_flags flags, cl_channel_type type, size_t width,
                 size_t height, const void *content) {
    cl_image_format format = {CL_RGBA, type};
    cl_int error;
    cl_bool images = CL_FALSE;
    clGetDeviceInfo(job->session->device, CL_DEVICE_IMAGE_SUPPORT, sizeof(images), &images, NULL);
    if (!images) job_skip(job, "no images");
    room(job, job->memory_count);
    cl_mem image =
        clCreateImage2D(job->session->context, flags | (content ? CL_MEM_COPY_HOST_PTR : 0),
                        &format, width, height, 0, (void *)(uintptr_t)content, &error);
    job_check(job, error, "clCreateImage2D");
    return job->memories[job->memory_count++] = image;
}

cl_sampler job_sampler(struct bench_job *job, cl_addressing_mode addressing,
                       cl_filter_mode filter) {
    cl_int error;
    room(job, job->sampler_count);
    cl_sampler sampler =
        clCreateSampler(job->session->context, CL_FALSE, addressing, filter, &error);
    job_check(job, error, "clCreateSampler");
    return job->samplers[job->sampler_count++] = sampler;
}

static void build(struct bench_job *job) {
    cl_int error;
    const char *text = job->row->text;
    cl_device_id device = job->session->device;
    job->program = clCreateProgramWithSource(job->session->context, 1, &text, NULL, &error);
    job_check(job, error, "clCreateProgramWithSource");
    error = clBuildProgram(job->program, 1, &device, job->row->options, NULL, NULL);
    if (error == CL_SUCCESS) return;
    char log[4096] = "";
    clGetProgramBuildInfo(job->program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    job_fail(job, "clBuildProgram: error %d: %.440s", (int)error, log);
}

cl_kernel job_kernel(struct bench_job *job, const char *name) {
    cl_int error;
    if (!job->program) build(job);
    room(job, job->kernel_count);
    cl_kernel kernel = clCreateKernel(job->program, name, &error);
    job_check(job, error, name);
    return job->kernels[job->kernel_count++] = kernel;
}

static struct step *new_step(struct bench_job *job) {
    if (job->step_count == MOST_STEPS) job_fail(job, "more steps than a run may have");
    return &job->steps[job->step_count++];
}

void job_launch_with(struct bench_job *job, cl_kernel kernel, struct job_range range,
                     const struct job_argument *arguments, size_t count) {
    struct step *step = new_step(job);
    if (count > MOST_ARGUMENTS) job_fail(job, "more arguments than a launch may have");
    step->kernel = kernel;
    step->range = range;
    step->count = count;
    for (size_t i = 0; i < count; i++) {
        step->arguments[i].size = arguments[i].size;
        step->arguments[i].local = !arguments[i].value;
        if (arguments[i].value)
            memcpy(step->arguments[i].value, arguments[i].value, arguments[i].size);
    }
}

void job_reset(struct bench_job *job, cl_mem buffer, size_t bytes, const void *content) {
    struct step *step = new_step(job);
    step->buffer = buffer;
    step->bytes = bytes;
    step->content = content;
}

static void finish(struct bench_job *job) {
    cl_int error = clFinish(job->session->queue);
    job_check(job, error, "clFinish");
}

static double device_seconds(struct bench_job *job, cl_event event) {
    cl_ulong begin, end;
    cl_int state = CL_COMPLETE;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL);
    if (state < 0) job_fail(job, "a launch ended with error %d", (int)state);
    job_check(
        job,
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(begin), &begin, NULL),
        "CL_PROFILING_COMMAND_START");
    job_check(job,
              clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
              "CL_PROFILING_COMMAND_END");
    return (double)(end - begin) * 1e-9;
}

/* One run. The clocks stop for resets, which wait for what was enqueued. */
static struct job_times run(struct bench_job *job) {
    static cl_event events[MOST_STEPS];
    cl_command_queue queue = job->session->queue;
    struct job_times times = {0};
    double begin = now(), cpu_begin = cpu_now();
    for (size_t i = 0; i < job->step_count; i++) {
        struct step *step = &job->steps[i];
        events[i] = NULL;
        if (!step->kernel) {
            finish(job);
            times.wall += now() - begin;
            times.cpu += cpu_now() - cpu_begin;
            job_check(job,
                      clEnqueueWriteBuffer(queue, step->buffer, CL_TRUE, 0, step->bytes,
                                           step->content, 0, NULL, NULL),
                      "clEnqueueWriteBuffer");
            begin = now();
            cpu_begin = cpu_now();
            continue;
        }
        for (size_t a = 0; a < step->count; a++)
            job_check(job,
                      clSetKernelArg(step->kernel, (cl_uint)a, step->arguments[a].size,
                                     step->arguments[a].local ? NULL : step->arguments[a].value),
                      "clSetKernelArg");
        job_check(job,
                  clEnqueueNDRangeKernel(
                      queue, step->kernel, step->range.dims, NULL, step->range.global,
                      step->range.local[0] ? step->range.local : NULL, 0, NULL, &events[i]),
                  "clEnqueueNDRangeKernel");
    }
    finish(job);
    times.wall += now() - begin;
    times.cpu += cpu_now() - cpu_begin;
    for (size_t i = 0; i < job->step_count; i++) {
        if (!events[i]) continue;
        times.device += device_seconds(job, events[i]);
        clReleaseEvent(events[i]);
    }
    return times;
}

static void keep(struct bench_job *job, struct job_times times) {
    struct result *r = &job->result;
    if (job->runs == 0 || times.device < r->seconds) r->seconds = times.device;
    if (job->runs == 0 || times.wall < r->wall) r->wall = times.wall;
    if (job->runs == 0 || times.cpu < r->cpu) r->cpu = times.cpu;
    job->runs++;
}

bool job_more(struct bench_job *job) {
    const struct session *session = job->session;
    double spent = now() - job->begun;
    if (job->runs == 0) {
        job->begun = now();
    } else {
        if (session->tiny) return false;
        if (spent > MOST_SECONDS && job->runs >= LEAST_RUNS) return false;
        if (job->runs >= session->runs && spent >= LEAST_SECONDS) return false;
    }
    job->cpu_begun = cpu_now();
    return true;
}

void job_time(struct bench_job *job, double work, double seconds) {
    keep(job, (struct job_times){seconds, seconds, cpu_now() - job->cpu_begun});
    job->result.work = work;
}

void job_run(struct bench_job *job, double work) {
    if (!job->session->tiny) run(job);
    while (job_more(job)) keep(job, run(job));
    job->result.work = work;
}

void *job_read(struct bench_job *job, cl_mem buffer, size_t bytes) {
    void *host = job_host(job, bytes);
    job_check(
        job,
        clEnqueueReadBuffer(job->session->queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    return host;
}

void *job_read_image(struct bench_job *job, cl_mem image, size_t width, size_t height,
                     size_t bytes) {
    void *host = job_host(job, width * height * bytes);
    size_t origin[3] = {0}, region[3] = {width, height, 1};
    job_check(job,
              clEnqueueReadImage(job->session->queue, image, CL_TRUE, origin, region, 0, 0, host, 0,
                                 NULL, NULL),
              "clEnqueueReadImage");
    return host;
}

void job_same(struct bench_job *job, const uint32_t *got, const uint32_t *want, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (got[i] != want[i])
            job_fail(job, "[%zu] of %zu is 0x%x instead of 0x%x", i, count, got[i], want[i]);
}

void job_near(struct bench_job *job, const float *got, const double *want, size_t count,
              double relative, double absolute) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(got[i] - want[i]) <= absolute + relative * fabs(want[i])))
            job_fail(job, "[%zu] of %zu is %.9g instead of %.9g", i, count, got[i], want[i]);
}

void job_mostly(struct bench_job *job, const uint32_t *got, const uint32_t *want, size_t count,
                double part) {
    size_t different = 0;
    for (size_t i = 0; i < count; i++) different += got[i] != want[i];
    if ((double)different > part * (double)count)
        job_fail(job, "%zu of %zu differ", different, count);
}

uint32_t job_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    uint32_t x = *state;
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    return x ^ (x >> 13);
}

float job_unit(uint32_t *state) { return (float)(job_random(state) >> 8) * 0x1p-24f; }

struct result job_do(const struct session *session, const struct row *row) {
    struct result result = {WRONG, "out of memory", 0, 0, 0, 0};
    struct bench_job *job = calloc(1, sizeof(*job));
    if (!job) return result;
    job->session = session;
    job->row = row;
    job->steps = calloc(MOST_STEPS, sizeof(*job->steps));
    if (job->steps && setjmp(job->leave) == 0) {
        job->result.outcome = RIGHT;
        row->run(job);
    } else if (!job->steps) {
        job->result = result;
    }
    clFinish(session->queue);
    for (size_t i = 0; i < job->memory_count; i++) clReleaseMemObject(job->memories[i]);
    for (size_t i = 0; i < job->sampler_count; i++) clReleaseSampler(job->samplers[i]);
    for (size_t i = 0; i < job->kernel_count; i++) clReleaseKernel(job->kernels[i]);
    for (size_t i = 0; i < job->block_count; i++) free(job->blocks[i]);
    if (job->program) clReleaseProgram(job->program);
    result = job->result;
    free(job->steps);
    free(job);
    return result;
}
