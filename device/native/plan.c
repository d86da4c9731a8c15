/* What is decided of a kernel before its code is emitted: which kernel, how each register is kept,
 * how many warps go in lockstep. */
#include <stdlib.h>

#include "emit.h"

enum {
    LOCKSTEP_COST = 1600, /* instructions times warps worth emitting in lockstep */
    LOCKSTEP_VECTORS = 22 /* vectors alive that still fit the registers, about */
};

static bool has_barriers(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_bar) return true;
    return false;
}

/* Size of the code for one instruction and one warp, in operations that hosts with wide vectors,
 * masks and fused multiply-add have. Where LLVM has to take vectors of 32 apart its time grows
 * faster than the code. */
static uint64_t weight(const struct emitter *e, const struct isa_inst *i) {
    enum { FUSED = 40, SEQUENCE = 5 * FUSED, LANES = 24 }; /* by way of doubles; sfu; one by one */
    uint32_t flags = isa_op_info[i->op].flags;
    if (e->request->level != NATIVE_BASELINE) return 1;
    if (i->ndst && e->kinds[isa_dsts(e->k, i)[0]] != KIND_VARYING) return 1;
    if (i->op == ISA_mad || i->op == ISA_fma) return FUSED;
    if (i->op >= ISA_native_sin && i->op <= ISA_native_divide) return SEQUENCE;
    bool scattered = (flags & ISA_OP_MEMORY) && i->space != ISA_PARAM && i->nsrc &&
                     value_kind(e->shape, e->k, isa_srcs(e->k, i)[0]) == KIND_VARYING;
    return scattered ? (uint64_t)LANES * i->count : 1;
}

/* LLVM's time for it, in that of an addition: it is long where lanes are moved one by one, where
 * components are shuffled into lanes, and for atomic operations, of which there is code for each
 * way their lanes may lie. */
static uint64_t effort(const struct emitter *e, const struct isa_inst *i) {
    enum { LANES = 24, ATOMIC = 12, OWN = 6 };
    uint32_t flags = isa_op_info[i->op].flags;
    if (!(flags & ISA_OP_MEMORY) || i->space == ISA_PARAM) return weight(e, i);
    bool wide = e->request->level == NATIVE_AVX512, narrow = isa_type_size[i->type] < 4;
    enum kind kind = value_kind(e->shape, e->k, isa_srcs(e->k, i)[0]);
    if (kind == KIND_UNIFORM) return 1;
    if (flags & ISA_OP_ATOMIC) return ATOMIC;
    if (i->space == ISA_PRIVATE) return (uint64_t)OWN * i->count;
    if (kind == KIND_VARYING && e->request->level == NATIVE_BASELINE) return LANES;
    if (kind == KIND_VARYING) return narrow || !wide ? 3 + i->count / 4 : i->count;
    if (i->count == 1) return 1;
    if (wide) return narrow ? i->count / 2 : 1 + i->count / 4;
    return (uint64_t)(narrow ? 8 : 4) * i->count;
}

/* false: out of memory, or the kernel is too large. */
static bool choose_bundle(struct emitter *e) {
    const struct isa_kernel *k = e->k;
    for (uint32_t r = 0; r < k->nregs; r++) e->kinds[r] = (uint8_t)value_kind(e->shape, k, r);
    dense_plan(e);
    switchconv_plan(e);
    if (!liveranges_find(e) || !bounds_find(e)) return false;
    bool lockstep = control_plan(e), barriers = has_barriers(k);
    uint64_t cost = 0, time = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        cost += weight(e, &k->insts[n]);
        time += effort(e, &k->insts[n]);
        e->atomics += (isa_op_info[k->insts[n].op].flags & ISA_OP_ATOMIC) != 0;
    }
    e->too_large = time > EMIT_COST;
    if (e->too_large) return false;
    if (cost < time * LOCKSTEP_COST / EMIT_COST) cost = time * LOCKSTEP_COST / EMIT_COST;
    e->bundle = 1;
    if (lockstep && barriers && e->warps <= EMIT_WARPS && cost * e->warps <= 2 * LOCKSTEP_COST) {
        e->bundle = e->warps;
    } else if (lockstep && !barriers) {
        uint32_t alive = pressure_most(e, 0, k->ninsts);
        for (unsigned w = 2; w <= 4; w *= 2)
            if (e->warps % w == 0 && cost * w <= LOCKSTEP_COST &&
                (uint64_t)alive * w <= LOCKSTEP_VECTORS * 2)
                e->bundle = w;
        bool wide =
            transposed_plan(e) || (alive * EMIT_WARPS <= LOCKSTEP_VECTORS * 2 && fullmask_plan(e));
        for (unsigned w = EMIT_WARPS; w > e->bundle && wide; w /= 2)
            if (e->warps % w == 0 && cost * w <= LOCKSTEP_COST) e->bundle = w;
    }
    e->resumable = barriers && e->bundle < e->warps;
    if (e->resumable) e->bundle = 1;
    if (barriers && e->bundle > 1) pressure_split(e);
    return true;
}

/* A register is one for the bundle when it is uniform over the group and no warp writes it on its
 * own.
 */
static void find_shared(struct emitter *e) {
    const struct isa_kernel *k = e->k;
    if (e->bundle == 1) return;
    for (uint32_t r = 0; r < k->nregs; r++) {
        const struct shape_value *v = &e->shape->regs[r];
        e->shared[r] = e->kinds[r] == KIND_UNIFORM && v->span == SHAPE_GROUP;
    }
    uint32_t per_warp_until = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (n >= per_warp_until && e->per_warp[n]) {
            uint32_t end = n;
            while (!(isa_op_info[k->insts[end].op].flags & ISA_OP_REGION_END))
                end = k->insts[end].match;
            per_warp_until = end;
        }
        bool pure = (isa_op_info[i->op].flags & ISA_OP_PURE) || i->space == ISA_PARAM;
        if (n < per_warp_until || !pure)
            for (unsigned d = 0; d < i->ndst; d++) e->shared[isa_dsts(k, i)[d]] = 0;
    }
    /* an instruction of a shared register must not read one that is each warp's own */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool own = false;
            for (unsigned s = 0; s < i->nsrc; s++) {
                isa_operand o = isa_srcs(k, i)[s];
                own |= isa_is_reg(o) && !e->shared[o];
            }
            for (unsigned d = 0; d < i->ndst; d++) own |= !e->shared[isa_dsts(k, i)[d]];
            for (unsigned d = 0; own && d < i->ndst; d++) {
                uint8_t *shared = &e->shared[isa_dsts(k, i)[d]];
                changed |= *shared;
                *shared = 0;
            }
        }
    }
}

static void lay_out_state(struct emitter *e) {
    uint32_t at = 8 * (ISA_MAX_NESTING + 1);
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        e->state_at[r] = at;
        bool crosses = false;
        for (uint32_t n = 0; n < e->k->ninsts && !crosses; n++)
            crosses = e->k->insts[n].op == ISA_bar && e->first[r] <= n && n <= e->last[r];
        if (!crosses) continue;
        uint32_t size = e->k->reg_types[r] == ISA_PRED
                            ? 4
                            : isa_type_size[e->k->reg_types[r]] * (uint32_t)ISA_WARP;
        at += e->kinds[r] == KIND_VARYING ? size < 64 ? 64 : size : 16;
    }
    e->state_bytes = (at + 63) & ~63u;
}

/* ---- the whole ---- */

static bool allocate(struct emitter *e) {
    size_t regs = e->k->nregs + 1ull, insts = e->k->ninsts + 1ull;
    e->shape = shape_new(e->k, e->request->local_size);
    e->kinds = calloc(regs, 1);
    e->shared = calloc(regs, 1);
    e->scattered = calloc(regs, 1);
    e->read = calloc(regs, 1);
    e->streams = calloc(insts, 1);
    e->privatised = calloc(insts, 1);
    e->per_warp = calloc(insts, 1);
    e->lockstep = calloc(insts, 1);
    e->divergent = calloc(insts, 1);
    e->switches = calloc(insts, 1);
    e->serialised = calloc(insts, 1);
    e->state_at = calloc(regs, sizeof *e->state_at);
    e->first = calloc(regs, sizeof *e->first);
    e->last = calloc(regs, sizeof *e->last);
    return e->shape && e->kinds && e->shared && e->scattered && e->read && e->streams &&
           e->privatised && e->per_warp && e->lockstep && e->divergent && e->switches &&
           e->serialised && e->state_at && e->first && e->last;
}

static void *dropped(void *p) {
    free(p);
    return NULL;
}

static void release(struct emitter *e) {
    addresses_free(e);
    serialise_free(e);
    shape_free(e->shape);
    e->shape = NULL;
    e->kinds = dropped(e->kinds);
    e->shared = dropped(e->shared);
    e->scattered = dropped(e->scattered);
    e->read = dropped(e->read);
    e->bounds = dropped(e->bounds);
    e->provenance = dropped(e->provenance);
    e->streams = dropped(e->streams);
    e->privatised = dropped(e->privatised);
    e->per_warp = dropped(e->per_warp);
    e->lockstep = dropped(e->lockstep);
    e->divergent = dropped(e->divergent);
    e->switches = dropped(e->switches);
    e->serialised = dropped(e->serialised);
    e->state_at = dropped(e->state_at);
    e->first = dropped(e->first);
    e->last = dropped(e->last);
    e->slots = dropped(e->slots);
}

static bool analyse(struct emitter *e) {
    e->atomics = 0;
    e->too_large = e->reinterprets = false;
    return allocate(e) && choose_bundle(e);
}

static void unspecialise(struct emitter *e) {
    specialise_free(e->specialised);
    e->specialised = NULL;
    e->origins = dropped(e->origins);
    e->k = e->request->kernel;
}

/* What is written out must not cost the group its lockstep, nor the kernel its code. */
static bool analyse_best(struct emitter *e) {
    enum { MOST = 600 };
    uint32_t most = e->warps <= EMIT_WARPS ? 2 * LOCKSTEP_COST / e->warps : MOST;
    bool versions = e->warps <= EMIT_WARPS && e->request->level != NATIVE_BASELINE;
    if (most > MOST) most = MOST;
    e->k = e->request->kernel;
    e->specialised = specialise_new(e->k, e->request->local_size, most, versions, &e->origins);
    if (e->specialised) {
        e->k = e->specialised;
        bool good = analyse(e), stops = e->resumable && e->warps <= EMIT_WARPS;
        if (good && !stops) return true;
        release(e);
        unspecialise(e);
    }
    return analyse(e);
}

bool plan_make(struct emitter *e) {
    const uint32_t *size = e->request->local_size;
    e->items = size[0] * size[1] * size[2];
    e->warps = (e->items + ISA_WARP - 1) / ISA_WARP;
    e->partial = e->items % ISA_WARP != 0;
    if (!analyse_best(e) || !provenance_find(e) || !serialise_plan(e) || !addresses_find(e))
        return false;
    stream_plan(e);
    privatise_plan(e);
    value_plan(e);
    find_shared(e);
    if (e->resumable) lay_out_state(e);
    e->slots = calloc((e->k->nregs + 1ull) * e->bundle * 2, sizeof *e->slots);
    return e->slots;
}

void plan_free(struct emitter *e) {
    release(e);
    unspecialise(e);
}
