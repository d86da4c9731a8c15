#include "refine.h"

#include <stdlib.h>
#include <string.h>

#include "device/gpu/model.h"

enum {
    MOST_SIZES = 8,
    MOST_COUNTERS = 1 << 20,
    MOST_GUESSED = 1 << 15, /* counters, where guesses may add more */
    MOST_NOTES = 1 << 12
};

/* ---- one call ---- */

struct refiner {
    const struct observe_plan *plan;
    struct isa_kernel *k; /* the copy */
    struct refined *r;
    struct shape *shape;
    bool single; /* calls that come to one counter; they are first, as native code may keep them in
                    registers; then all others */
    bool failed;
};

/* May all observers that the call tells be told later? */
static bool may_wait(const struct observe_plan *p, const struct probe_call *c) {
    if (p->set.in_order && p->kernel->sites[c->site].space == ISA_CONSTANT) return false;
    for (unsigned n = 0; n < p->set.count; n++)
        if (c->observers >> n & 1 && !p->set.list[n]->accesses) return false;
    return c->observers;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* A period with which both are content. */
static bool join(struct observe_period *all, const struct observe_period *more) {
    uint32_t bytes = larger(all->bytes, more->bytes);
    if (bytes % smaller(all->bytes, more->bytes)) return false;
    uint32_t granule = smaller(all->granule, more->granule);
    uint32_t lanes = smaller(all->lanes, more->lanes);
    *all = (struct observe_period){.bytes = bytes,
                                   .granule = granule,
                                   .lanes = lanes > 1 && bytes > granule ? 1 : lanes,
                                   .placed = all->placed || more->placed,
                                   .warps = all->warps || more->warps};
    return true;
}

/* One with which all observers that the call tells are content. */
static bool find_period(const struct observe_plan *p, const struct probe_call *c, int32_t stride,
                        struct observe_period *period) {
    const struct isa_site *site = &p->kernel->sites[c->site];
    bool some = false;
    for (unsigned n = 0; n < p->set.count; n++) {
        const struct observer *o = p->set.list[n];
        struct observe_period own = {0};
        if (!(c->observers >> n & 1)) continue;
        if (!o->period || !o->period(p->set.model, p->kernel, site, stride, &own)) return false;
        if (!some) *period = own;
        if (some && !join(period, &own)) return false;
        some = true;
    }
    return some;
}

/* Where the call's notes are; bins: + 1, or 0. False: there are too many. */
static bool find_place(struct refiner *f, uint32_t call, uint32_t bins, uint32_t *place) {
    struct refined *r = f->r;
    for (*place = 0; *place < r->nnotes; ++*place)
        if (r->notes[*place].call == call && r->notes[*place].bins == bins) return true;
    if (r->nnotes == MOST_NOTES) return false;
    struct refine_place *more = realloc(r->notes, (r->nnotes + (size_t)1) * sizeof *more);
    if (!more) {
        f->failed = true;
        return false;
    }
    r->notes = more;
    more[r->nnotes++] = (struct refine_place){call, bins};
    return true;
}

static const struct refine_bins *bins_of(struct refiner *f, const struct refine_bins *like) {
    struct refined *r = f->r;
    for (uint32_t n = 0; n < r->nbins; n++)
        if (r->bins[n].call == like->call && r->bins[n].stride == like->stride &&
            r->bins[n].halves == like->halves && r->bins[n].guess == like->guess &&
            r->bins[n].param == like->param)
            return &r->bins[n];
    if (r->ncounters + refine_counters(like) > MOST_COUNTERS) return NULL;
    struct refine_bins *more = realloc(r->bins, (r->nbins + (size_t)1) * sizeof *more);
    if (!more) {
        f->failed = true;
        return NULL;
    }
    r->bins = more;
    more[r->nbins] = *like;
    more[r->nbins].first = r->ncounters;
    r->ncounters += refine_counters(like);
    return &more[r->nbins++];
}

/* Other operands for an instruction. */
static void set_sources(struct refiner *f, struct isa_inst *i, const isa_operand *src,
                        unsigned count) {
    struct isa_kernel *k = f->k;
    uint32_t room = k->noperands + count;
    if (room > k->cap_operands) {
        isa_operand *more = realloc(k->operands, room * sizeof *more * 2);
        if (!more) {
            f->failed = true;
            return;
        }
        k->operands = more;
        k->cap_operands = room * 2;
    }
    memcpy(k->operands + k->noperands, src, count * sizeof *src);
    i->nsrc = (uint8_t)count;
    i->operands = k->noperands;
    k->noperands = room;
}

/* Of addresses of which nothing is known: many are those of a row after all, where a kernel sees to
 * the edges of what it works on; of private memory, where lanes are at one element of an array. */
static bool guess(const struct refiner *f, const struct probe_call *c, struct shape_value *at) {
    const struct isa_site *site = &f->plan->kernel->sites[c->site];
    bool one = site->space == ISA_PRIVATE;
    if (f->r->ncounters > MOST_GUESSED) return false;
    *at = (struct shape_value){.span = SHAPE_HALF_WARP, .stride = one ? 0 : (int32_t)c->bytes};
    return true;
}

/* Counters in place of a call where lanes are evenly spaced. */
static bool make_bins(struct refiner *f, struct isa_inst *i, isa_operand address) {
    const struct observe_plan *p = f->plan;
    const struct probe_call *c = &p->calls[i->imm];
    struct shape_value at = shape_operand(f->shape, f->k, address);
    struct observe_period period = {0};
    bool guessed = at.span < SHAPE_HALF_WARP;
    if (guessed && !guess(f, c, &at)) return false;
    bool halves = at.span == SHAPE_HALF_WARP;
    if (!find_period(p, c, at.stride, &period)) return false;
    if (halves && period.warps) return false;
    struct refine_bins b = {.call = (uint32_t)i->imm,
                            .stride = at.stride,
                            .halves = halves,
                            .guess = guessed,
                            .lanes = period.lanes,
                            .granule = period.granule,
                            .count = period.bytes / period.granule};
    if (period.placed) b.param = c->param;
    if (period.placed && !b.param) return false;
    if ((refine_counters(&b) == 1) != f->single) return false;
    const struct refine_bins *bins = bins_of(f, &b);
    uint32_t place;
    if (!bins || !find_place(f, b.call, (uint32_t)(bins - f->r->bins) + 1, &place)) return false;
    uint32_t values[ISA_BINS_SOURCES] = {[ISA_BINS_DISPLACEMENT] = (uint32_t)c->displacement,
                                         [ISA_BINS_GRANULE] = b.granule,
                                         [ISA_BINS_COUNT] = b.count,
                                         [ISA_BINS_HALVES] = halves,
                                         [ISA_BINS_NOTES] = place,
                                         [ISA_BINS_STRIDE] = (uint32_t)at.stride,
                                         [ISA_BINS_GUESS] = guessed,
                                         [ISA_BINS_LANES] = b.lanes};
    isa_operand src[ISA_BINS_SOURCES] = {[ISA_BINS_ADDRESS] = address};
    for (unsigned n = ISA_BINS_ADDRESS + 1; n < ISA_BINS_SOURCES; n++)
        src[n] = isa_const_new(f->k, ISA_I32, values[n]);
    i->op = ISA_probe_bins;
    i->imm = (int32_t)bins->first;
    set_sources(f, i, src, ISA_BINS_SOURCES);
    return true;
}

static void refine_call(struct refiner *f, struct isa_inst *i) {
    const struct probe_call *c = &f->plan->calls[i->imm];
    uint32_t place;
    if (c->own || f->plan->kernel->sites[c->site].kind > ISA_SITE_atomic) return;
    if (c->guarded) {
        const struct isa_site *site = &f->plan->kernel->sites[c->site];
        bool moves = !c->object && !site->variable; /* whoever is told may move the bounds */
        isa_operand src[2] = {i->nsrc ? isa_srcs(f->k, i)[0] : isa_const_new(f->k, ISA_I32, 0),
                              isa_const_new(f->k, ISA_I32, moves)};
        i->op = ISA_probe_guard;
        set_sources(f, i, src, 2);
        return;
    }
    if (!may_wait(f->plan, c)) return;
    isa_operand address = i->nsrc ? isa_srcs(f->k, i)[0] : isa_const_new(f->k, ISA_I32, 0);
    if (make_bins(f, i, address) || f->single) return;
    if (!find_place(f, (uint32_t)i->imm, 0, &place)) return;
    i->op = ISA_probe_note;
    i->imm = (int32_t)place;
    set_sources(f, i, &address, 1);
}

/* ---- reads of images ---- */

static bool is_one(const struct refiner *f, isa_operand o) {
    struct shape_value v = shape_operand(f->shape, f->k, o);
    return v.span >= SHAPE_WARP && !v.stride;
}

static bool reads_image(const struct refiner *f, const struct isa_inst *i) {
    const struct observe_plan *p = f->plan;
    return i->op == ISA_probe_call &&
           p->kernel->sites[p->calls[i->imm].site].kind == ISA_SITE_image_read;
}

/* Whether all reads can be told later, as their order matters. observers: whom all are told. */
static bool may_note_reads(const struct refiner *f, uint8_t *observers) {
    const struct observe_plan *p = f->plan;
    *observers = 0;
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        const struct isa_inst *i = &f->k->insts[n];
        if (!reads_image(f, i)) continue;
        const struct probe_call *c = &p->calls[i->imm];
        if (*observers && *observers != c->observers) return false;
        *observers = c->observers;
        if (i->nsrc < 3 || !is_one(f, isa_srcs(f->k, i)[0]) || !is_one(f, isa_srcs(f->k, i)[1]))
            return false;
    }
    for (unsigned n = 0; n < p->set.count; n++)
        if (*observers >> n & 1 && !p->set.list[n]->reads) return false;
    return *observers;
}

static void refine_reads(struct refiner *f) {
    uint8_t observers;
    if (!may_note_reads(f, &observers)) return;
    f->r->reads = observers;
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        struct isa_inst *i = &f->k->insts[n];
        if (reads_image(f, i)) i->op = ISA_probe_read;
    }
}

/* ---- kernels ---- */

static void refined_free(struct refined *r) {
    isa_kernel_free(r->kernel);
    free(r->bins);
    free(r->notes);
    free(r);
}

void refine_free(struct refined *list) {
    for (struct refined *next; list; list = next) {
        next = list->next;
        refined_free(list);
    }
}

static struct refined *refined_new(const struct observe_plan *p, const struct isa_kernel *probed,
                                   const uint32_t local_size[3]) {
    struct refined *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    memcpy(r->local_size, local_size, sizeof r->local_size);
    r->ncounters = p->flow.ncounters;
    struct refiner f = {.plan = p, .r = r, .k = isa_kernel_copy(probed)};
    f.shape = f.k ? shape_new(f.k, local_size) : NULL;
    r->kernel = f.k;
    f.failed = !f.k || !f.shape;
    for (int pass = 0; pass < 2; pass++) {
        f.single = !pass;
        for (uint32_t n = 0; !f.failed && n < f.k->ninsts; n++)
            if (f.k->insts[n].op == ISA_probe_call) refine_call(&f, &f.k->insts[n]);
    }
    if (!f.failed) refine_reads(&f);
    f.failed |= f.k && isa_kernel_failed(f.k);
    shape_free(f.shape);
    if (!f.failed) return r;
    refined_free(r);
    return NULL;
}

const struct refined *refine_find(const struct observe_plan *p, const uint32_t local_size[3]) {
    const struct refined *r = atomic_load_explicit(&p->refined, memory_order_acquire);
    while (r && memcmp(r->local_size, local_size, sizeof r->local_size) != 0) r = r->next;
    return r;
}

const struct isa_kernel *observe_refine(struct observe_plan *p, const struct isa_kernel *probed,
                                        const uint32_t local_size[3]) {
    const struct refined *known = refine_find(p, local_size);
    if (known) return known->kernel;
    struct refined *first = atomic_load_explicit(&p->refined, memory_order_acquire);
    unsigned sizes = 0;
    for (const struct refined *r = first; r; r = r->next) sizes++;
    bool wanted = false;
    for (unsigned n = 0; n < p->set.count; n++)
        wanted |= p->set.list[n]->accesses || p->set.list[n]->reads || p->set.list[n]->guard;
    struct refined *made = wanted && sizes < MOST_SIZES ? refined_new(p, probed, local_size) : NULL;
    if (!made) return probed;
    do {
        if ((known = refine_find(p, local_size))) {
            refined_free(made);
            return known->kernel;
        }
        made->next = first;
    } while (!atomic_compare_exchange_weak(&p->refined, &first, made));
    return made->kernel;
}
