/* Native kernels: a function of the host as a command. Only the model without a GPU's limits takes
 * them (CL_EXEC_NATIVE_KERNEL). */
#include <string.h>

#include "checking_values.h"
#include "context.h"
#include "device/host/stay.h"
#include "devices.h"
#include "kernel.h"
#include "mem.h"
#include "scheduler.h"

struct native_command {
    struct command command;
    struct job job; /* the function may take its time: a worker runs it */
    void(CL_CALLBACK *function)(void *);
    uint32_t nmems;
    cl_mem *mems; /* held */
    _Alignas(16) char args[];
};

static struct native_command *of_job(struct job *job) {
    return (struct native_command *)((char *)job - offsetof(struct native_command, job));
}

static void job_run(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    (void)begin, (void)end, (void)slot;
    unsigned stay = stay_leave();
    of_job(job)->function(of_job(job)->args);
    stay_return(stay);
}

static void job_done(struct job *job) { scheduler_end(&of_job(job)->command, CL_COMPLETE); }

static void native_start(struct command *command) {
    struct native_command *c = (struct native_command *)command;
    c->job.run = job_run;
    c->job.done = job_done;
    c->job.count = c->job.chunk = 1;
    command_offer(command, &c->job);
    pool_submit(&c->job);
}

static void native_release(struct command *command, cl_int status) {
    (void)status;
    struct native_command *c = (struct native_command *)command;
    for (uint32_t i = 0; i < c->nmems; i++) object_release(c->mems[i]);
}

static const struct command_kind native_kind = {native_start, native_release};

struct error native_enqueue(cl_command_queue q, void(CL_CALLBACK *function)(void *), void *args,
                            size_t args_bytes, cl_uint nmems, const cl_mem *mems,
                            const void **places, cl_uint nwaits, const cl_event *events,
                            cl_event *event) {
    TRY(queue_check(q));
    if (!function) return fail(CL_INVALID_VALUE, "user_func is NULL");
    if (!args && (args_bytes || nmems)) return fail(CL_INVALID_VALUE, "args is NULL");
    if (args && !args_bytes) return fail(CL_INVALID_VALUE, "cb_args is 0 but args is not NULL");
    if (nmems ? !mems || !places : mems || places)
        return fail(CL_INVALID_VALUE,
                    "num_mem_objects, mem_list and args_mem_loc contradict each other");
    if (!q->device->model->unlimited)
        return fail(CL_INVALID_OPERATION, "%s runs no native kernels", q->device->model->name);
    for (cl_uint i = 0; i < nmems; i++) {
        TRY(mem_check_enqueue(q, mems[i]));
        size_t at = (size_t)((const char *)places[i] - (const char *)args);
        if (at > args_bytes || args_bytes - at < sizeof(void *))
            return fail(CL_INVALID_VALUE, "args_mem_loc[%u] is outside of args", i);
    }
    struct waits waits = {nwaits, events};
    TRY(event_check_waits(q->context, waits));
    size_t mems_at = (args_bytes + 15) & ~(size_t)15;
    struct native_command *c =
        command_new(&native_kind, sizeof *c + mems_at + nmems * sizeof *mems);
    if (!c) return fail_memory();
    c->function = function;
    if (args_bytes) memcpy(c->args, args, args_bytes);
    c->mems = (cl_mem *)(c->args + mems_at);
    for (; c->nmems < nmems; c->nmems++) {
        c->mems[c->nmems] = object_retain(mems[c->nmems]);
        checking_given(mems[c->nmems]);
        const void *bytes = mem_bytes(mems[c->nmems]);
        memcpy(c->args + ((const char *)places[c->nmems] - (const char *)args), &bytes,
               sizeof bytes);
    }
    return scheduler_enqueue(&c->command, q, CL_COMMAND_NATIVE_KERNEL, ORDER_QUEUE, waits, CL_FALSE,
                             event);
}
