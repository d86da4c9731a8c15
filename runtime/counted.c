#include "counted.h"

#include <pthread.h>
#include <stdlib.h>

#include "device/observe/counters_observer.h"
#include "devices.h"
#include "event.h"
#include "info.h"
#include "kernel.h"
#include "platform.h"
#include "scheduler.h"

struct counted_launches {
    _Atomic uint32_t refs;
    pthread_mutex_t lock; /* of what follows, while launches are added */
    uint64_t launches;
    struct gpu_occupancy occupancy; /* of one launch */
    uint32_t shared_bytes;
    uint32_t nsites;
    struct gpu_counters of[]; /* all of the kernel, then each site */
};

/* ---- what was counted ---- */

struct counted_launches *counted_new(uint32_t nsites) {
    struct counted_launches *c = calloc(1, sizeof *c + (nsites + (size_t)1) * sizeof *c->of);
    if (!c) return NULL;
    atomic_init(&c->refs, 1);
    pthread_mutex_init(&c->lock, NULL);
    c->nsites = nsites;
    return c;
}

struct counted_launches *counted_of(const struct observe_result *r, bool sites) {
    struct counted_launches *c = counted_new(sites ? r->kernel->nsites : 0);
    if (!c) return NULL;
    c->launches = r->launches;
    counters_of_kernel(r, c->of);
    for (uint32_t n = 0; n < c->nsites; n++) counters_of_site(r, n, &c->of[n + 1]);
    return c;
}

struct counted_launches *counted_retain(struct counted_launches *c) {
    if (c) atomic_fetch_add(&c->refs, 1);
    return c;
}

void counted_release(struct counted_launches *c) {
    if (!c || atomic_fetch_sub(&c->refs, 1) != 1) return;
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void counted_set_launch(struct counted_launches *c, const struct gpu_occupancy *o,
                        uint32_t shared_bytes) {
    c->occupancy = *o;
    c->shared_bytes = shared_bytes;
}

const struct gpu_counters *counted_all(const struct counted_launches *c) { return c->of; }

void counted_add(struct counted_launches *into, const struct counted_launches *launch) {
    pthread_mutex_lock(&into->lock);
    into->launches += launch->launches;
    for (uint32_t n = 0; n <= into->nsites && n <= launch->nsites; n++)
        gpu_counters_add(&into->of[n], &launch->of[n]);
    pthread_mutex_unlock(&into->lock);
}

/* ---- counters ---- */

struct error counted_names(cl_platform_id platform, cl_uint entries, const char **names,
                           cl_uint *counters) {
    TRY(platform_check(platform));
    if (!names && !counters) return fail(CL_INVALID_VALUE, "names and counters are both NULL");
    if (!entries && names) return fail(CL_INVALID_VALUE, "entries is 0 but names is not NULL");
    for (cl_uint n = 0; names && n < entries && n < GPU_COUNTERS; n++)
        names[n] = gpu_counter_info[n].name;
    if (counters) *counters = GPU_COUNTERS;
    return OK;
}

static struct error find_counter(const char *name, enum gpu_counter *counter) {
    if (!name) return fail(CL_INVALID_VALUE, "the counter's name is NULL");
    *counter = gpu_counter_find(name);
    if (*counter == GPU_COUNTERS) return fail(CL_INVALID_VALUE, "no counter is named %s", name);
    return OK;
}

struct error counted_counter_info(cl_platform_id platform, const char *name,
                                  cl_counter_info_simtcl query, size_t size, void *value,
                                  size_t *size_ret) {
    enum gpu_counter counter;
    TRY(platform_check(platform));
    TRY(find_counter(name, &counter));
    const struct gpu_counter_info *i = &gpu_counter_info[counter];
    struct info out = {size, value, size_ret, query};
    switch (query) {
    case CL_COUNTER_UNIT_SIMTCL: return info_text(out, i->unit);
    case CL_COUNTER_MEANING_SIMTCL: return info_text(out, i->what);
    case CL_COUNTER_SECTION_SIMTCL: return info_text(out, i->section);
    case CL_COUNTER_FIRST_CC_SIMTCL: return info_of(out, cl_uint, i->first);
    case CL_COUNTER_LAST_CC_SIMTCL: return info_of(out, cl_uint, i->last);
    case CL_COUNTER_FLAGS_SIMTCL: return info_of(out, cl_bitfield, i->flags);
    }
    return info_unknown("counter", query);
}
_Static_assert((int)GPU_COUNTER_PROFILER == CL_COUNTER_PROFILER_SIMTCL &&
                   (int)GPU_COUNTER_SITES == CL_COUNTER_SITES_SIMTCL &&
                   (int)GPU_COUNTER_MAXIMUM == CL_COUNTER_MAXIMUM_SIMTCL,
               "flags are those of the extension");

/* ---- of events and kernels ---- */

static struct error counted_of_event(cl_event e, struct counted_launches **counted) {
    TRY(object_check(e, OBJECT_event, "event"));
    cl_int status = scheduler_status(e);
    *counted = NULL;
    if (e->type != CL_COMMAND_NDRANGE_KERNEL && e->type != CL_COMMAND_TASK)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the event is of no kernel");
    if (status < 0)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the kernel failed with %s (%d)",
                    fail_name(status), status);
    if (status != CL_COMPLETE)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the kernel has not completed");
    *counted = e->counted;
    if (!*counted)
        return fail(CL_PROFILING_INFO_NOT_AVAILABLE,
                    "the kernel was not counted: clBeginProfileSIMTCL, or SIMTCL_PROFILE=counters");
    return OK;
}

static struct error check_site(const struct isa_kernel *k, cl_uint site) {
    if (site > k->nsites)
        return fail(CL_INVALID_VALUE, "site %u, kernel %s has %u", site, k->name,
                    (unsigned)k->nsites);
    return OK;
}

struct error counted_event(cl_event e, cl_uint site, const char *name, cl_ulong *value) {
    struct counted_launches *c;
    enum gpu_counter counter;
    TRY(counted_of_event(e, &c));
    TRY(find_counter(name, &counter));
    if (!value) return fail(CL_INVALID_VALUE, "value is NULL");
    if (site > c->nsites)
        return fail(CL_INVALID_VALUE, "site %u, the kernel has %u", site, (unsigned)c->nsites);
    *value = c->of[site].value[counter];
    return OK;
}

struct error counted_launch_info(cl_event e, cl_launch_info_simtcl query, size_t size, void *value,
                                 size_t *size_ret) {
    struct counted_launches *c;
    TRY(counted_of_event(e, &c));
    struct info out = {size, value, size_ret, query};
    switch (query) {
    case CL_LAUNCH_OCCUPANCY_SIMTCL: return info_of(out, cl_double, c->occupancy.occupancy);
    case CL_LAUNCH_ACTIVE_GROUPS_SIMTCL: return info_of(out, cl_uint, c->occupancy.groups);
    case CL_LAUNCH_ACTIVE_WARPS_SIMTCL: return info_of(out, cl_uint, c->occupancy.active_warps);
    case CL_LAUNCH_LIMITER_SIMTCL: return info_text(out, gpu_limiter_name[c->occupancy.limiter]);
    case CL_LAUNCH_SHARED_BYTES_SIMTCL: return info_of(out, cl_uint, c->shared_bytes);
    }
    return info_unknown("launch", query);
}

/* The kernel's place among the devices of its program. */
static struct error find_device(cl_kernel k, cl_device_id device, int *at) {
    *at = 0;
    TRY(kernel_check(k));
    if (!device && k->program->ndevices != 1)
        return fail(CL_INVALID_DEVICE, "device is NULL and the program has several");
    *at = kernel_device(k, device ? device : k->program->devices[0]);
    if (*at < 0) return fail(CL_INVALID_DEVICE, "the kernel was not built for this device");
    return OK;
}

struct error counted_kernel(cl_kernel k, cl_device_id device, cl_uint site, const char *name,
                            cl_ulong *value) {
    enum gpu_counter counter;
    int at;
    TRY(find_device(k, device, &at));
    TRY(find_counter(name, &counter));
    TRY(check_site(k->code[at], site));
    if (!value) return fail(CL_INVALID_VALUE, "value is NULL");
    struct counted_launches *c = atomic_load(&k->counted[at]);
    *value = 0;
    if (!c) return OK;
    pthread_mutex_lock(&c->lock);
    *value = c->of[site].value[counter];
    pthread_mutex_unlock(&c->lock);
    return OK;
}

static uint64_t launches_of(struct counted_launches *c) {
    if (!c) return 0;
    pthread_mutex_lock(&c->lock);
    uint64_t launches = c->launches;
    pthread_mutex_unlock(&c->lock);
    return launches;
}

struct error counted_kernel_info(cl_kernel k, cl_device_id device,
                                 cl_kernel_profile_info_simtcl query, size_t size, void *value,
                                 size_t *size_ret) {
    int at;
    TRY(find_device(k, device, &at));
    const struct gpu_resources *r = &k->resources[at];
    struct info out = {size, value, size_ret, query};
    switch (query) {
    case CL_KERNEL_SITES_SIMTCL: return info_of(out, cl_uint, k->code[at]->nsites);
    case CL_KERNEL_LAUNCHES_SIMTCL:
        return info_of(out, cl_ulong, launches_of(atomic_load(&k->counted[at])));
    case CL_KERNEL_REGISTERS_SIMTCL: return info_of(out, cl_uint, r->registers);
    case CL_KERNEL_SHARED_BYTES_SIMTCL: return info_of(out, cl_uint, r->shared_bytes);
    case CL_KERNEL_LOCAL_BYTES_SIMTCL: return info_of(out, cl_uint, r->local_bytes);
    case CL_KERNEL_SPILL_BYTES_SIMTCL: return info_of(out, cl_uint, r->spill_bytes);
    }
    return info_unknown("kernel", query);
}

struct error counted_site_info(cl_kernel k, cl_device_id device, cl_uint site,
                               cl_site_info_simtcl query, size_t size, void *value,
                               size_t *size_ret) {
    int at;
    TRY(find_device(k, device, &at));
    TRY(check_site(k->code[at], site));
    if (!site) return fail(CL_INVALID_VALUE, "sites are numbered from 1");
    const struct isa_site *s = &k->code[at]->sites[site - 1];
    struct info out = {size, value, size_ret, query};
    switch (query) {
    case CL_SITE_KIND_SIMTCL: return info_text(out, isa_site_kind_name[s->kind]);
    case CL_SITE_FILE_SIMTCL:
        return info_text(out, s->file ? k->builds[at]->module->files[s->file] : "");
    case CL_SITE_LINE_SIMTCL: return info_of(out, cl_uint, s->line);
    case CL_SITE_COLUMN_SIMTCL: return info_of(out, cl_uint, s->column);
    case CL_SITE_TEXT_SIMTCL: return info_text(out, s->text);
    }
    return info_unknown("site", query);
}
