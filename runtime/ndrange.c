/* Kernels as commands: the ND-range's rules and the device's launch (specification 5.8). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checking.h"
#include "clock.h"
#include "context.h"
#include "counted.h"
#include "debugging.h"
#include "device/observe/counters_observer.h"
#include "device/observe/time_observer.h"
#include "devices.h"
#include "duration.h"
#include "kernel.h"
#include "log.h"
#include "mem.h"
#include "modeswitch.h"
#include "ordering.h"
#include "platform.h"
#include "profiling.h"
#include "profiler.h"
#include "reporting.h"
#include "schedule.h"
#include "scheduler.h"
#include "timeline.h"

/* Work-items a group gets when the caller leaves the size open: enough warps to hide latencies by
 * the guide's rules (3.1.2, 192 or more), and a power of two. */
enum { USUAL_GROUP = 256 };

struct launch_command {
    struct command command;
    struct launch launch;
    struct build *build; /* held: the module and the executable */
    bool kept;           /* what is counted is for the event and the kernel to keep */
    struct counted_launches *counted, *all; /* held: of this launch; of the kernel's */
    struct schedule_trials *trials;         /* NULL: it runs once */
    uint32_t nheld;
    struct object **held; /* memory objects and samplers */
    struct texture *textures;
    uint32_t *images; /* the textures' addresses on the device */
    struct gpu_addresses addresses;
    uint32_t *local_args;
    char *params;
    struct checked *checked; /* owned: what checks are told; NULL: there are none */
};

/* ---- the ND-range ---- */

struct ndrange {
    uint32_t global[3], local[3], offset[3];
};

/* The code for a size that is not in the range of the device. 1.0 has none of its own: by the text
 * about global_work_size (5.8), "values outside this range", 1 to 2^32 - 1, end so. */
static cl_int bad_size(void) {
    return platform_version() < 110 ? CL_OUT_OF_RESOURCES : CL_INVALID_GLOBAL_WORK_SIZE;
}

static struct error read_global(cl_uint work_dim, const size_t *global, struct ndrange *r) {
    if (!global)
        return fail(platform_version() < 110 ? CL_INVALID_VALUE : CL_INVALID_GLOBAL_WORK_SIZE,
                    "global_work_size is NULL");
    for (cl_uint d = 0; d < work_dim; d++) {
        if (!global[d] || global[d] > UINT32_MAX)
            return fail(bad_size(), "global_work_size[%u] is %zu", d, global[d]);
        r->global[d] = (uint32_t)global[d];
    }
    return OK;
}

static struct error read_offset(cl_uint work_dim, const size_t *offset, struct ndrange *r) {
    if (!offset) return OK;
    if (platform_version() < 110)
        return fail(CL_INVALID_GLOBAL_OFFSET, "OpenCL 1.0 takes no global_work_offset");
    for (cl_uint d = 0; d < work_dim; d++) {
        if (offset[d] > UINT32_MAX || offset[d] + r->global[d] - 1 > UINT32_MAX)
            return fail(CL_INVALID_GLOBAL_OFFSET,
                        "global_work_offset[%u] %zu and size %u pass 32 bits", d, offset[d],
                        r->global[d]);
        r->offset[d] = (uint32_t)offset[d];
    }
    return OK;
}

static const char *beyond(const struct model *m) { return m->unlimited ? "" : "; " MODEL_BEYOND; }

static struct error read_local(const struct model *m, const struct isa_kernel *code,
                               cl_uint work_dim, const size_t *local, struct ndrange *r) {
    uint64_t items = 1;
    for (cl_uint d = 0; d < work_dim; d++) {
        if (!local[d]) return fail(CL_INVALID_WORK_GROUP_SIZE, "local_work_size[%u] is 0", d);
        if (local[d] > m->max_item[d])
            return fail(CL_INVALID_WORK_ITEM_SIZE, "local_work_size[%u] is %zu, %s takes %u%s", d,
                        local[d], m->name, m->max_item[d], beyond(m));
        items *= local[d];
        r->local[d] = (uint32_t)local[d];
    }
    if (items > m->max_group)
        return fail(CL_INVALID_WORK_GROUP_SIZE, "%" PRIu64 " work-items in a group, %s takes %u%s",
                    items, m->name, m->max_group, beyond(m));
    const uint32_t *required = code->required_size;
    for (int d = 0; d < 3; d++) {
        if (r->global[d] % r->local[d])
            return fail(CL_INVALID_WORK_GROUP_SIZE,
                        "%u work-items in dimension %d are no multiple of "
                        "the group's %u",
                        r->global[d], d, r->local[d]);
        if (required[0] && r->local[d] != required[d])
            return fail(CL_INVALID_WORK_GROUP_SIZE,
                        "kernel %s requires groups of %u x %u x %u (reqd_work_group_size)",
                        code->name, required[0], required[1], required[2]);
    }
    return OK;
}

/* The largest divisor of n up to `most`, a multiple of `step` if there is one. */
static uint32_t divisor(uint32_t n, uint32_t most, uint32_t step) {
    for (uint32_t d = most / step * step; d; d -= step)
        if (n % d == 0) return d;
    return step > 1 ? divisor(n, most, 1) : 1;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* A size of our own: whole warps along x, then what of y and z still fits. */
static void choose_local(const struct model *m, const struct gpu_resources *need,
                         struct ndrange *r) {
    uint32_t room = least(USUAL_GROUP, gpu_largest_group(m, need));
    for (int d = 0; d < 3; d++) {
        uint32_t most = least(room, least(r->global[d], m->max_item[d]));
        r->local[d] = divisor(r->global[d], most, d ? 1 : ISA_WARP);
        room /= r->local[d];
    }
}

static struct error read_range(const struct model *m, const struct isa_kernel *code,
                               const struct gpu_resources *need, cl_uint work_dim,
                               const size_t *offset, const size_t *global, const size_t *local,
                               struct ndrange *r) {
    *r = (struct ndrange){{1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
    TRY(read_global(work_dim, global, r));
    TRY(read_offset(work_dim, offset, r));
    if (local) return read_local(m, code, work_dim, local, r);
    if (code->required_size[0]) {
        /* An error in the letter of 1.0 to 1.2, as with NVIDIA's driver; the specification as it is
         * kept today lets it mean the required size, as PoCL does. The strict faces keep to the
         * letter. */
        if (platform_version() < 120)
            return fail(CL_INVALID_WORK_GROUP_SIZE,
                        "local_work_size is NULL, but kernel %s has reqd_work_group_size",
                        code->name);
        const size_t required[3] = {code->required_size[0], code->required_size[1],
                                    code->required_size[2]};
        for (cl_uint d = work_dim; d < 3; d++)
            if (required[d] != 1)
                return fail(CL_INVALID_WORK_GROUP_SIZE,
                            "kernel %s requires groups of more than %u dimensions", code->name,
                            work_dim);
        return read_local(m, code, work_dim, required, r);
    }
    choose_local(m, need, r);
    return OK;
}

/* ---- arguments ---- */

/* Are all set? */
static struct error check_args(cl_kernel k) {
    for (uint32_t i = 0; i < k->first->nparams; i++) {
        const struct kernel_arg *a = &k->args[i];
        const char *name = k->first->params[i].name ? k->first->params[i].name : "?";
        if (!a->set)
            return fail(CL_INVALID_KERNEL_ARGS, "argument %u (%s) of kernel %s is not set", i, name,
                        k->first->name);
    }
    return OK;
}

/* The object that was set for an argument, held; NULL when it has been released since. A kernel
 * does not keep its arguments' objects (clSetKernelArg, 5.7.2). */
static struct object *hold_arg(const struct kernel_arg *a) {
    struct object *o =
        object_retain_live(a->object, a->kind == ISA_PARAM_SAMPLER ? OBJECT_sampler : OBJECT_mem);
    if (!o || o->serial == a->serial) return o;
    object_release(o);
    return NULL;
}

/* ---- the command ---- */

/* Faults end the command with CL_OUT_OF_RESOURCES, the code NVIDIA's driver gives them. */
static cl_int report_fault(struct launch_command *c) {
    char text[512];
    fault_describe(&c->launch.fault, text, sizeof text);
    log_line(LOG_FAULT, "%s", text);
    context_report(c->command.event->context, text);
    return CL_OUT_OF_RESOURCES;
}

static void launch_observed(struct launch *l, const struct observer *who,
                            const struct observe_result *result) {
    struct launch_command *c = l->user;
    if (reporting_on()) reporting_launch(l, c->build, who, result);
    if (who == &counters_observer) c->counted = counted_of(result, c->kept);
    if (who == &time_observer && clock_on())
        c->command.took = duration_of_launch(result, c->command.event->queue->device->units);
}

static uint32_t items_of(const struct launch *l) {
    return l->local_size[0] * l->local_size[1] * l->local_size[2];
}

/* Without memory what was counted is lost. */
static void keep_counted(const struct launch_command *c, const struct gpu_occupancy *o) {
    counted_set_launch(c->counted, o, c->launch.resources.shared_bytes);
    c->command.event->counted = counted_retain(c->counted);
    if (c->all) counted_add(c->all, c->counted);
}

/* The profiler's log is told. */
static void log_launch(const struct launch_command *c, const struct gpu_occupancy *o) {
    const struct launch *l = &c->launch;
    cl_event e = c->command.event;
    struct profiler_launch row = {.kernel = l->kernel->name,
                                  .chosen = c->launch.chosen,
                                  .dynamic_bytes = l->local_bytes - l->kernel->local_bytes,
                                  .registers = l->resources.registers,
                                  .occupancy = o->occupancy,
                                  .counters = c->counted ? counted_all(c->counted) : NULL,
                                  .start = l->started_ns,
                                  .end = l->ended_ns};
    for (int d = 0; d < 3; d++) {
        row.local_size[d] = l->local_size[d];
        row.groups[d] = l->global_size[d] / l->local_size[d];
    }
    row.shared_bytes = l->resources.shared_bytes - row.dynamic_bytes;
    profiler_log_launch(e->context->log, e, &row);
}

/* The timeline is told. */
static void record_launch(const struct launch_command *c, const struct gpu_occupancy *o) {
    const struct launch *l = &c->launch;
    struct timeline_shape shape = {.kernel = l->kernel->name,
                                   .registers = l->resources.registers,
                                   .shared_bytes = l->resources.shared_bytes,
                                   .occupancy = o->occupancy,
                                   .limiter = gpu_limiter_name[o->limiter]};
    for (int d = 0; d < 3; d++) {
        shape.local_size[d] = l->local_size[d];
        shape.groups[d] = l->global_size[d] / l->local_size[d];
    }
    timeline_set_shape(c->command.record, &shape);
}

/* Who wants to know of a launch that ended well. */
static void tell_launch(const struct launch_command *c) {
    cl_event e = c->command.event;
    struct gpu_occupancy o;
    bool keeps = c->kept && c->counted;
    if (!keeps && !e->context->log && !c->command.record) return;
    gpu_occupancy_find(e->queue->device->model, &c->launch.resources, items_of(&c->launch), &o);
    if (keeps) keep_counted(c, &o);
    if (e->context->log) log_launch(c, &o);
    if (c->command.record) record_launch(c, &o);
}

static void launch_complete(void *user) {
    struct launch_command *c = user;
    scheduler_end(&c->command, CL_COMPLETE);
}

static void launch_finished(struct launch *l) {
    struct launch_command *c = l->user;
    scheduler_set_times(&c->command, l->started_ns, l->ended_ns);
    if (l->fault.kind != FAULT_NONE) {
        schedule_give_up(c->trials);
        scheduler_end(&c->command, report_fault(c));
        return;
    }
    tell_launch(c);
    checking_ended(c->checked, c->command.event);
    if (c->trials)
        schedule_try(c->trials, launch_complete, c);
    else
        launch_complete(c);
}

static void launch_print(struct launch *l, const char *text, size_t length) {
    (void)l;
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

static void launch_command_start(struct command *command) {
    struct launch_command *c = (struct launch_command *)command;
    bool stays = scheduler_stays(command);
    ordering_names(command->event, c->launch.kernel->name);
    command_offer(command, &c->launch.job);
    c->launch.awaited = command->brief_ns && scheduler_enqueues(command);
    c->launch.untimed = !command->event->timed;
    schedule_apply(&c->launch);
    c->trials = schedule_begin(&c->launch, c->held, c->nheld);
    if (stays ? launch_run(&c->launch) : launch_start(&c->launch)) return;
    schedule_give_up(c->trials);
    scheduler_end(command, CL_OUT_OF_HOST_MEMORY);
}

static void launch_command_release(struct command *command, cl_int status) {
    (void)status;
    struct launch_command *c = (struct launch_command *)command;
    for (uint32_t i = 0; i < c->nheld; i++) object_release(c->held[i]);
    checking_free(c->checked);
    build_release(c->build);
    counted_release(c->counted);
    counted_release(c->all);
}

static const struct command_kind launch_kind = {launch_command_start, launch_command_release, true};

/* The command and all it needs in one block of memory. */
static struct launch_command *new_command(cl_command_queue q, cl_kernel k,
                                          const struct isa_kernel *code) {
    size_t textures = sizeof(struct launch_command), held, ranges, images, locals, params, bytes;
    size_t most = k->nobjects + (size_t)1; /* ranges of a map: the module's data is one */
    textures = (textures + 15) & ~(size_t)15;
    held = textures + k->nimages * sizeof(struct texture);
    held = (held + 15) & ~(size_t)15;
    ranges = held + k->nobjects * sizeof(struct object *);
    images = ranges + 2 * most * sizeof(struct gpu_address_range);
    locals = images + k->nimages * sizeof(uint32_t);
    params = (locals + k->nlocals * sizeof(uint32_t) + 15) & ~(size_t)15;
    bytes = params + code->param_bytes;
    struct launch_command *c = command_new_of(q, &launch_kind, bytes);
    if (!c) return NULL;
    c->textures = (struct texture *)((char *)c + textures);
    c->held = (struct object **)((char *)c + held);
    c->addresses.global.ranges = (struct gpu_address_range *)((char *)c + ranges);
    c->addresses.constant.ranges = c->addresses.global.ranges + most;
    c->images = (uint32_t *)((char *)c + images);
    c->local_args = (uint32_t *)((char *)c + locals);
    c->params = (char *)c + params;
    return c;
}

/* Notes where the device has the object of an argument. */
static void place_arg(struct launch_command *c, const struct kernel_arg *a, cl_mem mem) {
    cl_mem root = mem_root(mem);
    if (a->kind == ISA_PARAM_CONSTANT) {
        gpu_address_add_constant(&c->addresses, mem->address, (uint32_t)mem->size);
        return;
    }
    gpu_address_add(&c->addresses.global, root->address, (uint32_t)root->size,
                    root->device_address);
    if (a->kind == ISA_PARAM_IMAGE)
        c->images[a->texture] = root->device_address + (mem->address - root->address);
}

/* Copies the arguments as they are now (5.8: later changes do not matter) and holds the objects. */
static struct error take_args(struct launch_command *c, cl_kernel k,
                              const struct isa_kernel *code) {
    const struct isa_module *module = executable_module(c->build->executable);
    if (module->data_bytes)
        gpu_address_add_constant(&c->addresses, executable_constants(c->build->executable),
                                 module->data_bytes);
    c->addresses.local_first = gpu_address_local_first(code->param_bytes);
    c->addresses.images = c->images;
    c->addresses.nimages = k->nimages;
    memcpy(c->params, k->block, code->param_bytes);
    uint32_t *local = c->local_args;
    uint32_t *offsets =
        c->local_args; /* first the offsets' values, then replaced by their places */
    c->launch.local_bytes = (uint32_t)kernel_local_bytes(k, code, offsets);
    for (uint32_t i = 0; i < code->nparams; i++) {
        const struct kernel_arg *a = &k->args[i];
        if (a->kind == ISA_PARAM_LOCAL) {
            memcpy(c->params + code->params[i].offset, local, sizeof *local);
            *local++ = code->params[i].offset;
        }
        if (!a->object) continue;
        struct object *o = hold_arg(a);
        if (!o)
            return fail(CL_INVALID_KERNEL_ARGS,
                        "the object set for argument %u (%s) of kernel %s has been released", i,
                        code->params[i].name ? code->params[i].name : "?", code->name);
        c->held[c->nheld++] = o;
        if (a->kind == ISA_PARAM_IMAGE) c->textures[a->texture] = ((cl_mem)o)->texture;
        if (a->kind != ISA_PARAM_SAMPLER) place_arg(c, a, (cl_mem)o);
    }
    return OK;
}

/* Has the launch observed as is wished. Without memory the kernel's sum is left out. */
static void take_wish(struct launch_command *c, cl_kernel k, int at, struct profiling_wish wish) {
    c->launch.observers = wish.observers;
    c->launch.observed = launch_observed;
    c->kept = wish.kept;
    if (!wish.kept) return;
    struct counted_launches *all = atomic_load(&k->counted[at]), *none = NULL;
    if (!all && (all = counted_new(k->code[at]->nsites)) &&
        !atomic_compare_exchange_strong(&k->counted[at], &none, all)) {
        counted_release(all);
        all = none;
    }
    c->all = counted_retain(all);
}

/* A group has to find place on one multiprocessor (guide 2.1.2, 3.2). */
static struct error check_resources(const struct model *m, cl_kernel k, unsigned device,
                                    const struct ndrange *r) {
    const char *name = k->code[device]->name;
    const struct gpu_resources *need = &k->resources[device];
    uint32_t items = r->local[0] * r->local[1] * r->local[2];
    uint64_t shared = kernel_shared_bytes(k, device, m);
    uint64_t local = kernel_local_bytes(k, k->code[device], NULL);
    if (shared > m->shared_bytes && m->unlimited)
        return fail(CL_OUT_OF_RESOURCES,
                    "kernel %s needs %" PRIu64 " bytes of local memory, %s has %u", name, shared,
                    m->name, m->shared_bytes);
    if (shared > m->shared_bytes)
        return fail(CL_OUT_OF_RESOURCES,
                    "kernel %s needs %" PRIu64 " bytes of shared memory a group (%" PRIu64
                    " of local memory, %u of arguments and system words), a multiprocessor of %s "
                    "has %u; " MODEL_BEYOND,
                    name, shared, local, need->argument_bytes, m->name, m->shared_bytes);
    uint32_t registers = gpu_group_registers(m, need, items);
    if (registers > m->registers && !m->unlimited)
        return fail(CL_OUT_OF_RESOURCES,
                    "kernel %s needs %u registers a work-item, a group of %u takes %u, a "
                    "multiprocessor of %s has %u: groups may be of up to %u "
                    "(CL_KERNEL_WORK_GROUP_SIZE); " MODEL_BEYOND,
                    name, need->registers, items, registers, m->name, m->registers,
                    gpu_largest_group(m, need));
    return OK;
}

static struct error enqueue(cl_command_queue q, cl_kernel k, cl_command_type type, cl_uint work_dim,
                            const size_t *offset, const size_t *global, const size_t *local,
                            struct waits waits, cl_event *event) {
    TRY(queue_check(q));
    TRY(kernel_check(k));
    if (k->program->context != q->context)
        return fail(CL_INVALID_CONTEXT, "the queue and the kernel are of different contexts");
    int at = kernel_device(k, q->device);
    if (at < 0)
        return fail(CL_INVALID_PROGRAM_EXECUTABLE,
                    "the program was not built for the queue's device");
    TRY(event_check_waits(q->context, waits));
    TRY(check_args(k));
    const struct isa_kernel *code = k->code[at];
    const struct model *m = q->device->model;
    if (work_dim < 1 || work_dim > 3)
        return fail(CL_INVALID_WORK_DIMENSION, "work_dim is %u", work_dim);
    struct ndrange r;
    TRY(read_range(m, code, &k->resources[at], work_dim, offset, global, local, &r));
    TRY(check_resources(m, k, (unsigned)at, &r));
    struct launch_command *c = new_command(q, k, code);
    if (!c) return fail_memory();
    c->build = build_retain(k->builds[at]);
    struct error error = take_args(c, k, code);
    if (error.code) {
        command_free(&c->command);
        return error;
    }
    struct launch *l = &c->launch;
    l->executable = c->build->executable;
    l->kernel = code;
    l->asked = fault_asked();
    l->work_dim = work_dim;
    memcpy(l->global_size, r.global, sizeof r.global);
    memcpy(l->local_size, r.local, sizeof r.local);
    memcpy(l->offset, r.offset, sizeof r.offset);
    l->chosen = !local && !code->required_size[0];
    l->params = c->params;
    l->local_args = c->local_args;
    l->nlocal_args = k->nlocals;
    l->resources = k->resources[at];
    l->resources.shared_bytes += l->local_bytes - code->local_bytes;
    l->textures = c->textures;
    l->ntextures = k->nimages;
    take_wish(c, k, at, profiling_wish(q));
    l->addresses = &c->addresses;
    c->checked = checking_new(q, k, c->build, l);
    debugging_launch(l, &c->build->texts);
    l->finished = launch_finished;
    l->print = launch_print;
    l->user = c;
    c->command.brief_ns = launch_brief_ns(l);
    TRY(scheduler_enqueue(&c->command, q, type, ORDER_QUEUE, waits, CL_FALSE, event));
    modeswitch_launched();
    return OK;
}

struct error ndrange_enqueue(cl_command_queue q, cl_kernel k, cl_uint work_dim,
                             const size_t *offset, const size_t *global, const size_t *local,
                             cl_uint nwaits, const cl_event *events, cl_event *event) {
    return enqueue(q, k, CL_COMMAND_NDRANGE_KERNEL, work_dim, offset, global, local,
                   (struct waits){nwaits, events}, event);
}

struct error ndrange_task(cl_command_queue q, cl_kernel k, cl_uint nwaits, const cl_event *events,
                          cl_event *event) {
    const size_t one[] = {1};
    return enqueue(q, k, CL_COMMAND_TASK, 1, NULL, one, one, (struct waits){nwaits, events}, event);
}
