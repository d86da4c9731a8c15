#include "probecalls.h"

#include "device/gpu/address.h"
#include "notes.h"
#include "refine.h"

bool probecalls_hears(const struct observe_thread *t, unsigned n) {
    return t->accumulators[n] || !t->plan->set.list[n]->launch_enter;
}

/* 32 lanes of an i32 operand. */
static const uint32_t *lanes_of(const struct observe_operand *o, uint32_t *room) {
    if (!o->uniform) return o->at;
    for (unsigned l = 0; l < ISA_WARP; l++) room[l] = *(const uint32_t *)o->at;
    return room;
}

/* Addresses in the sandbox become those on the device. */
static void translate(const struct gpu_addresses *device, unsigned space, uint32_t local_base,
                      uint32_t mask, uint32_t *at) {
    if (space == ISA_GLOBAL) gpu_address_lanes(&device->global, mask, at, at);
    if (space == ISA_CONSTANT) gpu_address_lanes(&device->constant, mask, at, at);
    for (unsigned l = 0; space == ISA_LOCAL && l < ISA_WARP; l++)
        at[l] = gpu_address_local(device, local_base, at[l]);
}

/* Every member is said: to zero all of it first costs more than the rest. */
struct observe_event probecalls_event(const struct observe_thread *t, const struct probe_call *c,
                                      uint32_t warp, uint32_t mask) {
    const struct observe_group *g = &t->group;
    return (struct observe_event){.kernel = t->plan->kernel,
                                  .grid = g->grid,
                                  .group_id = {g->group_id[0], g->group_id[1], g->group_id[2]},
                                  .local_base = g->local_base,
                                  .site = c->site,
                                  .inst = &t->plan->kernel->insts[c->inst],
                                  .warp = warp,
                                  .mask = mask,
                                  .again = t->again,
                                  .times = 1,
                                  .taken = 0,
                                  .addresses = NULL,
                                  .bytes = c->bytes,
                                  .operands = {NULL, NULL, NULL, NULL, NULL},
                                  .strided = c->strided,
                                  .stride = c->stride,
                                  .object = c->object};
}

void probecalls_tell(const struct observe_thread *t, const struct probe_call *c,
                     const struct observe_event *e) {
    const struct observe_set *set = &t->plan->set;
    for (unsigned n = 0; n < set->count; n++)
        if (c->observers >> n & 1 && set->list[n]->event && probecalls_hears(t, n))
            set->list[n]->event(t->accumulators[n], e);
}

/* A call that its observer has put there. */
static void tell_own(const struct observe_thread *t, const struct probe_call *c, uint32_t warp,
                     uint32_t mask, const struct observe_operand *operands) {
    uint32_t room[OBSERVE_OPERANDS][ISA_WARP];
    unsigned who = (unsigned)__builtin_ctz(c->observers);
    struct observe_event e = probecalls_event(t, c, warp, mask);
    if (!mask) return;
    e.own = c->own;
    e.what = c->own_what;
    e.data = t->plan->added[who].data;
    for (unsigned n = 0; n < OBSERVE_OPERANDS && operands[n].at; n++)
        e.operands[n] = lanes_of(&operands[n], room[n]);
    probecalls_tell(t, c, &e);
}

/* values: OBSERVE_VALUES_MOST of them; NULL: they are not told. */
static void access_memory(struct observe_thread *t, uint32_t call, uint32_t warp, uint32_t mask,
                          const uint32_t addresses[ISA_WARP],
                          const struct observe_operand *values) {
    const struct probe_call *c = &t->plan->calls[call];
    const struct observe_move *move = &t->moves[call];
    const struct gpu_addresses *device = t->group.grid->addresses;
    uint32_t at[ISA_WARP], sandbox[ISA_WARP], displacement = (uint32_t)c->displacement;
    if (!mask) return;
    struct observe_event e = probecalls_event(t, c, warp, mask);
    e.addresses = e.sandbox = addresses;
    if (displacement) {
        for (unsigned l = 0; l < ISA_WARP; l++) sandbox[l] = addresses[l] + displacement;
        e.addresses = e.sandbox = sandbox;
    }
    if (!c->sandbox) {
        uint32_t by = (uint32_t)move->by;
        for (unsigned l = 0; l < ISA_WARP; l++) at[l] = e.sandbox[l] + by;
        if (device && !move->known)
            translate(device, t->plan->kernel->sites[c->site].space, t->group.local_base, mask, at);
        e.addresses = at;
    }
    for (unsigned n = 0; values && n < OBSERVE_VALUES_MOST; n++)
        e.values[n] = (struct observe_value){values[n].at, values[n].uniform};
    if (t->guards) e.guard = &t->guards[call];
    probecalls_tell(t, c, &e);
}

void observe_access(struct observe_thread *t, uint32_t call, uint32_t warp, uint32_t mask,
                    const uint32_t addresses[ISA_WARP]) {
    const struct observe_operand only[OBSERVE_OPERANDS] = {{addresses, false}};
    if (t->plan->calls[call].own)
        tell_own(t, &t->plan->calls[call], warp, mask, only);
    else
        access_memory(t, call, warp, mask, addresses, NULL);
}

void observe_call(struct observe_thread *t, uint32_t call, uint32_t warp, uint32_t mask,
                  const struct observe_operand *operands) {
    static const uint32_t none[ISA_WARP];
    const struct probe_call *c = &t->plan->calls[call];
    if (c->own) {
        tell_own(t, c, warp, mask, operands);
        return;
    }
    const struct isa_site *site = &t->plan->kernel->sites[c->site];
    uint32_t room[OBSERVE_OPERANDS][ISA_WARP] __attribute__((aligned(64)));
    if (!mask) return;
    if (site->kind <= ISA_SITE_atomic) {
        const uint32_t *base = operands[0].at ? lanes_of(operands, room[0]) : none;
        access_memory(t, call, warp, mask, base, c->what & OBSERVE_VALUES ? operands + 1 : NULL);
        return;
    }
    struct observe_event e = probecalls_event(t, c, warp, mask);
    if (site->kind <= ISA_SITE_image_write) {
        for (unsigned n = 0; n < OBSERVE_OPERANDS && operands[n].at; n++)
            e.operands[n] = lanes_of(&operands[n], room[n]);
    } else if (operands[0].at) {
        e.taken = *(const uint32_t *)operands[0].at & mask;
    }
    probecalls_tell(t, c, &e);
}

/* ---- notes ---- */

void observe_noted(struct observe_thread *t, uint32_t place) {
    struct isa_notes *notes = &t->notes[place];
    const struct refine_place *which = &t->refined->notes[place];
    uint32_t call = which->call;
    const struct probe_call *c = &t->plan->calls[call];
    const struct observe_move *move = &t->moves[call];
    const struct gpu_addresses *device = t->group.grid->addresses;
    unsigned space = t->plan->kernel->sites[c->site].space;
    if (which->bins)
        notes_keep_rows(notes, &t->refined->bins[which->bins - 1], (uint32_t)c->displacement);
    if (!notes->count) return;
    struct observe_accesses a = {.kernel = t->plan->kernel,
                                 .grid = t->group.grid,
                                 .site = c->site,
                                 .count = notes->count,
                                 .bytes = c->bytes,
                                 .times = 1,
                                 .masks = notes->masks,
                                 .addresses = notes->addresses,
                                 .by = (uint32_t)c->displacement + (uint32_t)move->by};
    if (device && !move->known && space == ISA_LOCAL)
        a.by += gpu_address_local(device, t->group.local_base, 0);
    if (device && !move->known && space != ISA_LOCAL) {
        for (uint32_t n = 0; n < a.count; n++) {
            uint32_t *at = notes->addresses[n];
            for (unsigned l = 0; l < ISA_WARP; l++) at[l] += a.by;
            translate(device, space, t->group.local_base, notes->masks[n], at);
        }
        a.by = 0;
    }
    for (unsigned n = 0; n < t->plan->set.count; n++)
        if (c->observers >> n & 1) t->plan->set.list[n]->accesses(t->accumulators[n], &a);
    notes->count = 0;
}
_Static_assert(ISA_SITE_load < ISA_SITE_atomic && ISA_SITE_store < ISA_SITE_atomic,
               "memory comes before images");

void observe_read(struct observe_thread *t) {
    const struct observe_plan *p = t->plan;
    struct isa_reads *reads = t->reads;
    uint32_t sites[ISA_READS];
    const struct isa_inst *insts[ISA_READS];
    for (uint32_t n = 0; n < reads->count; n++) {
        const struct probe_call *c = &p->calls[reads->of[n].call];
        sites[n] = c->site;
        insts[n] = &p->kernel->insts[c->inst];
    }
    const struct observe_reads r = {p->kernel, t->group.grid, reads->count,
                                    reads->of, sites,         insts};
    for (unsigned n = 0; reads->count && n < p->set.count; n++)
        if (t->refined->reads >> n & 1) p->set.list[n]->reads(t->accumulators[n], &r);
    reads->count = 0;
}
