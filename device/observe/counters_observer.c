#include "counters_observer.h"

#include <string.h>

#include "counters_access.h"
#include "counters_constant.h"
#include "counters_report.h"
#include "counters_steps.h"
#include "counters_texture.h"

/* An accumulator: what is known of groups, then what accesses of each site came to; behind that
 * what each site reads of constants, and what is noted of groups' reads of them and of textures,
 * where the kernel has such. */
struct counters_sums {
    struct gpu_counters groups;
    struct gpu_counters sites[];
};

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return OBSERVE_COUNTS | (site->kind < ISA_SITE_image_write ? OBSERVE_ADDRESS : 0u);
}

static size_t constant_at(const struct isa_kernel *k) {
    return sizeof(struct counters_sums) + k->nsites * sizeof(struct gpu_counters);
}

static size_t constant_group_at(const struct isa_kernel *k) {
    return constant_at(k) + k->nsites * sizeof(struct counters_constant);
}

static size_t texture_at(const struct isa_kernel *k) {
    return counters_constant_any(k) ? constant_group_at(k) + sizeof(struct counters_constant_group)
                                    : constant_at(k);
}

static size_t bytes(const struct isa_kernel *k) {
    return texture_at(k) + (counters_texture_any(k) ? sizeof(struct counters_texture) : 0);
}

static struct counters_constant *constants(const struct isa_kernel *k, const void *accumulator) {
    return (void *)((char *)(uintptr_t)accumulator + constant_at(k));
}

static struct counters_constant_group *constant_group(const struct isa_kernel *k,
                                                      void *accumulator) {
    return (void *)((char *)accumulator + constant_group_at(k));
}

static struct counters_texture *texture(const struct isa_kernel *k, void *accumulator) {
    return (void *)((char *)accumulator + texture_at(k));
}

static bool period(const struct model *model, const struct isa_kernel *k,
                   const struct isa_site *site, int32_t stride, struct observe_period *p) {
    return counters_access_period(model_or_default(model), k, site, stride, p);
}

static bool reads_constants(const struct isa_site *s) {
    return s->kind == ISA_SITE_load && s->space == ISA_CONSTANT;
}

static void accesses(void *accumulator, const struct observe_accesses *a) {
    struct counters_sums *c = accumulator;
    counters_access_add(model_or_default(a->grid->model), a, &c->sites[a->site]);
    if (reads_constants(&a->kernel->sites[a->site])) {
        struct counted_lanes lanes = {a->count, a->masks, a->addresses, a->by};
        counters_constant_read(&constants(a->kernel, accumulator)[a->site], &lanes, a->bytes);
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    struct counters_sums *c = accumulator;
    const struct model *model = model_or_default(e->grid->model);
    const struct isa_site *s = &e->kernel->sites[e->site];
    if (e->addresses) {
        struct observe_accesses one = observe_one(e);
        accesses(accumulator, &one);
        if (reads_constants(s) && counters_constant_in_order(e->grid->addresses))
            counters_constant_note(constant_group(e->kernel, accumulator),
                                   constants(e->kernel, accumulator), e);
    }
    if (s->kind == ISA_SITE_image_read)
        counters_texture_read(texture(e->kernel, accumulator), model, e, c->sites);
}

static void reads(void *accumulator, const struct observe_reads *r) {
    struct counters_sums *c = accumulator;
    counters_texture_reads(texture(r->kernel, accumulator), model_or_default(r->grid->model), r,
                           c->sites);
}

static void group_end(void *accumulator, const struct observe_group *g) {
    struct counters_sums *c = accumulator;
    if (counters_constant_any(g->kernel) && counters_constant_in_order(g->grid->addresses))
        counters_constant_group_end(constant_group(g->kernel, accumulator),
                                    constants(g->kernel, accumulator));
    if (counters_texture_any(g->kernel))
        counters_texture_end(texture(g->kernel, accumulator), model_or_default(g->grid->model),
                             c->sites);
}

static void finish(const struct isa_kernel *k, const struct observe_grid *grid, void *accumulator) {
    struct counters_sums *c = accumulator;
    if (counters_constant_any(k))
        counters_constant_end(constants(k, accumulator), k->nsites, model_or_default(grid->model),
                              grid, c->sites);
}

/* Work-groups are dealt out to the multiprocessors in turn, in the order of their numbers. */
static void group_begin(void *accumulator, const struct observe_group *g) {
    struct counters_sums *c = accumulator;
    const struct observe_grid *grid = g->grid;
    c->groups.value[GPU_COUNTER_cta_launched]++;
    c->groups.value[GPU_COUNTER_sm_cta_launched] +=
        g->index % model_or_default(grid->model)->multiprocessors == 0;
    c->groups.value[GPU_COUNTER_warps_launched] += grid->warps;
    c->groups.value[GPU_COUNTER_items_launched] += grid->items;
}

static void merge(const struct isa_kernel *k, void *into, const void *from) {
    struct counters_sums *all = into;
    const struct counters_sums *more = from;
    gpu_counters_add(&all->groups, &more->groups);
    for (uint32_t n = 0; n < k->nsites; n++) gpu_counters_add(&all->sites[n], &more->sites[n]);
    for (uint32_t n = 0; counters_constant_any(k) && n < k->nsites; n++)
        counters_constant_merge(&constants(k, into)[n], &constants(k, from)[n]);
}

/* ---- what came of it ---- */

void counters_of_site(const struct observe_result *r, uint32_t site, struct gpu_counters *c) {
    const struct counters_sums *counted = r->accumulator;
    struct counters_choice which = {.site = site + 1};
    *c = counted->sites[site];
    counters_steps_add(r->kernel, r->steps, &which, c);
}

void counters_of_kernel(const struct observe_result *r, struct gpu_counters *c) {
    const struct counters_sums *counted = r->accumulator;
    struct counters_choice all = {0};
    *c = counted->groups;
    for (uint32_t n = 0; n < r->kernel->nsites; n++) gpu_counters_add(c, &counted->sites[n]);
    counters_steps_add(r->kernel, r->steps, &all, c);
}

const struct gpu_counters *counters_of_accesses(const void *accumulator) {
    const struct counters_sums *counted = accumulator;
    return counted->sites;
}

void counters_of_line(const struct observe_result *r, uint16_t file, uint32_t line,
                      struct gpu_counters *c) {
    const struct counters_sums *counted = r->accumulator;
    struct counters_choice which = {.file = file, .line = line};
    *c = (struct gpu_counters){{0}};
    for (uint32_t n = 0; n < r->kernel->nsites; n++) {
        const struct isa_site *s = &r->kernel->sites[n];
        if (s->file == file && s->line == line) gpu_counters_add(c, &counted->sites[n]);
    }
    counters_steps_add(r->kernel, r->steps, &which, c);
}

const struct observer counters_observer = {.name = "counters",
                                           .wants = wants,
                                           .steps = true,
                                           .bytes = bytes,
                                           .accesses = accesses,
                                           .reads = reads,
                                           .period = period,
                                           .in_order = counters_constant_in_order,
                                           .event = event,
                                           .group_begin = group_begin,
                                           .group_end = group_end,
                                           .finish = finish,
                                           .merge = merge,
                                           .report = counters_report};
