/* Atomic operations, as if done lane by lane from the lowest on. Where all lanes act on one address
 * the host's memory is touched once for the warp; local memory belongs to the thread and needs no
 * atomic instruction of the host. */
#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { FEW = 8 };

struct atom {
    enum isa_op op;
    LLVMTypeRef scalar, vector;
    unsigned bits;
    bool local, used; /* used: somebody reads the old values */
};

static bool is_read(const struct isa_kernel *k, isa_operand reg) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (isa_reads(k, &k->insts[n], reg)) return true;
    return false;
}

static struct atom atom_of(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    return (struct atom){.op = (enum isa_op)i->op,
                         .scalar = e->c->scalar[i->type],
                         .vector = e->c->vector[i->type],
                         .bits = 8u * isa_type_size[i->type],
                         .local = i->space == ISA_LOCAL,
                         .used = is_read(e->k, isa_dsts(e->k, i)[0])};
}

/* ---- one address ---- */

static LLVMValueRef limit(struct emitter *e, const char *name, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef type = LLVMTypeOf(x);
    return emit_intrinsic(e, name, &type, 1, (LLVMValueRef[]){x, y}, 2);
}

/* What is in memory after `y` came to `x`. */
static LLVMValueRef joined(struct emitter *e, const struct atom *a, LLVMValueRef x,
                           LLVMValueRef y) {
    switch (a->op) {
    case ISA_atom_add: return LLVMBuildAdd(e->b, x, y, "");
    case ISA_atom_sub: return LLVMBuildSub(e->b, x, y, "");
    case ISA_atom_and: return LLVMBuildAnd(e->b, x, y, "");
    case ISA_atom_or: return LLVMBuildOr(e->b, x, y, "");
    case ISA_atom_xor: return LLVMBuildXor(e->b, x, y, "");
    case ISA_atom_min_s: return limit(e, "llvm.smin", x, y);
    case ISA_atom_min_u: return limit(e, "llvm.umin", x, y);
    case ISA_atom_max_s: return limit(e, "llvm.smax", x, y);
    case ISA_atom_max_u: return limit(e, "llvm.umax", x, y);
    default: return y; /* xchg */
    }
}

static LLVMAtomicRMWBinOp host_operation(enum isa_op op) {
    switch (op) {
    case ISA_atom_add: return LLVMAtomicRMWBinOpAdd;
    case ISA_atom_sub: return LLVMAtomicRMWBinOpSub;
    case ISA_atom_and: return LLVMAtomicRMWBinOpAnd;
    case ISA_atom_or: return LLVMAtomicRMWBinOpOr;
    case ISA_atom_xor: return LLVMAtomicRMWBinOpXor;
    case ISA_atom_min_s: return LLVMAtomicRMWBinOpMin;
    case ISA_atom_min_u: return LLVMAtomicRMWBinOpUMin;
    case ISA_atom_max_s: return LLVMAtomicRMWBinOpMax;
    case ISA_atom_max_u: return LLVMAtomicRMWBinOpUMax;
    default: return LLVMAtomicRMWBinOpXchg;
    }
}

static LLVMValueRef exchange_if(struct emitter *e, const struct atom *a, LLVMValueRef at,
                                LLVMValueRef expected, LLVMValueRef y) {
    const LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    if (!a->local)
        return LLVMBuildExtractValue(
            e->b, LLVMBuildAtomicCmpXchg(e->b, at, expected, y, order, order, false), 0, "");
    LLVMValueRef old = LLVMBuildLoad2(e->b, a->scalar, at, "");
    LLVMValueRef equal = LLVMBuildICmp(e->b, LLVMIntEQ, old, expected, "");
    LLVMBuildStore(e->b, LLVMBuildSelect(e->b, equal, y, old, ""), at);
    return old;
}

/* Does the operation on host memory; gives the old value. */
static LLVMValueRef change(struct emitter *e, const struct atom *a, LLVMValueRef at,
                           LLVMValueRef y) {
    if (!a->local)
        return LLVMBuildAtomicRMW(e->b, host_operation(a->op), at, y,
                                  LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMValueRef old = LLVMBuildLoad2(e->b, a->scalar, at, "");
    LLVMBuildStore(e->b, joined(e, a, old, y), at);
    return old;
}

/* ---- all lanes at one address ---- */

/* What changes nothing. */
static LLVMValueRef neutral(const struct atom *a) {
    uint64_t top = (uint64_t)1 << (a->bits - 1), bits = 0;
    if (a->op == ISA_atom_and || a->op == ISA_atom_min_u) bits = ~(uint64_t)0;
    if (a->op == ISA_atom_min_s) bits = top - 1;
    if (a->op == ISA_atom_max_s) bits = top;
    return LLVMConstInt(a->scalar, bits, false);
}

/* Each lane's value joined with those of all lanes below it. */
static LLVMValueRef scan(struct emitter *e, const struct atom *a, LLVMValueRef x) {
    LLVMValueRef none = emit_splat(e, neutral(a)), pick[ISA_WARP];
    for (unsigned d = 1; d < ISA_WARP; d *= 2) {
        for (unsigned n = 0; n < ISA_WARP; n++)
            pick[n] = emit_word(e, n < d ? ISA_WARP + n : n - d);
        x = joined(e, a, value_shuffled(e, x, none, pick, ISA_WARP), x);
    }
    return x;
}

/* The same without the lane's own. */
static LLVMValueRef scan_below(struct emitter *e, const struct atom *a, LLVMValueRef sum) {
    LLVMValueRef pick[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP; n++) pick[n] = emit_word(e, n ? n - 1 : ISA_WARP);
    return value_shuffled(e, sum, emit_splat(e, neutral(a)), pick, ISA_WARP);
}

static LLVMValueRef reduced(struct emitter *e, const struct atom *a, LLVMValueRef x) {
    static const char *const names[] = {[ISA_atom_add - ISA_atom_add] = "llvm.vector.reduce.add",
                                        [ISA_atom_and - ISA_atom_add] = "llvm.vector.reduce.and",
                                        [ISA_atom_or - ISA_atom_add] = "llvm.vector.reduce.or",
                                        [ISA_atom_xor - ISA_atom_add] = "llvm.vector.reduce.xor",
                                        [ISA_atom_min_s - ISA_atom_add] = "llvm.vector.reduce.smin",
                                        [ISA_atom_min_u - ISA_atom_add] = "llvm.vector.reduce.umin",
                                        [ISA_atom_max_s - ISA_atom_add] = "llvm.vector.reduce.smax",
                                        [ISA_atom_max_u - ISA_atom_add] =
                                            "llvm.vector.reduce.umax"};
    LLVMTypeRef type = a->vector;
    return emit_intrinsic(e, names[a->op - ISA_atom_add], &type, 1, &x, 1);
}

static LLVMValueRef number_of_lanes(struct emitter *e, const struct atom *a, unsigned w) {
    LLVMValueRef bits = emit_mask_bits(e, w);
    LLVMValueRef count = emit_intrinsic(e, "llvm.ctpop", &e->c->word, 1, &bits, 1);
    return a->bits == 64 ? LLVMBuildZExt(e->b, count, e->c->wide, "") : count;
}

/* The values of all active lanes joined. One value for all of them needs no vector. */
static LLVMValueRef total(struct emitter *e, const struct atom *a, unsigned w,
                          const struct warp_value *v) {
    if (v->kind == KIND_UNIFORM && a->op == ISA_atom_add)
        return LLVMBuildMul(e->b, v->v[0], number_of_lanes(e, a, w), "");
    if (v->kind == KIND_UNIFORM && a->op != ISA_atom_xor) return v->v[0];
    LLVMValueRef x = value_vector(e, v);
    if (!emit_full(e)) x = LLVMBuildSelect(e->b, emit_mask(e, w), x, emit_splat(e, neutral(a)), "");
    return reduced(e, a, x);
}

static void combined(struct emitter *e, const struct atom *a, unsigned w, LLVMValueRef at,
                     const struct warp_value *v) {
    struct atom sum = *a;
    struct warp_value by = *v;
    if (a->op == ISA_atom_sub) { /* what is taken away adds up */
        sum.op = ISA_atom_add;
        if (v->kind == KIND_UNIFORM)
            by.v[0] = LLVMBuildNeg(e->b, v->v[0], "");
        else
            by = value_of(KIND_VARYING, v->type, LLVMBuildNeg(e->b, value_vector(e, v), ""));
    }
    if (!a->used) {
        /* An exchange leaves what the highest lane has brought. */
        change(e, &sum, at,
               a->op == ISA_atom_xchg ? scattered_highest(e, v, w) : total(e, &sum, w, &by));
        return;
    }
    LLVMValueRef x = value_vector(e, &by);
    if (!emit_full(e))
        x = LLVMBuildSelect(e->b, emit_mask(e, w), x, emit_splat(e, neutral(&sum)), "");
    x = scan(e, &sum, x);
    LLVMValueRef all = LLVMBuildExtractElement(e->b, x, emit_word(e, ISA_WARP - 1), "");
    LLVMValueRef old = emit_splat(e, change(e, &sum, at, all));
    value_write(e, isa_dsts(e->k, e->inst)[0], w,
                value_of(KIND_VARYING, v->type, joined(e, &sum, old, scan_below(e, &sum, x))));
}

/* ---- lane by lane ---- */

static void lane_by_lane(struct emitter *e, const struct atom *a, unsigned w) {
    const struct isa_inst *i = e->inst;
    struct lane_table t[3];
    for (unsigned n = 0; n < i->nsrc; n++) {
        struct warp_value v = value_stored(e, isa_srcs(e->k, i)[n], w);
        t[n] = scattered_table(e, n, &v);
    }
    LLVMValueRef old = assisted_buffer(e, 3);
    struct lane_loop l;
    scattered_begin(e, &l, emit_mask_bits(e, w));
    LLVMValueRef at = access_host(e, scattered_entry(e, &t[0], l.lane), i->imm),
                 y = scattered_entry(e, &t[1], l.lane);
    LLVMValueRef was = a->op == ISA_atom_cas
                           ? exchange_if(e, a, at, y, scattered_entry(e, &t[2], l.lane))
                           : change(e, a, at, y);
    if (a->used) LLVMBuildStore(e->b, was, emit_element(e, a->scalar, old, l.lane));
    scattered_end(e, &l);
    if (!a->used) return;
    value_write(
        e, isa_dsts(e->k, i)[0], w,
        value_of(KIND_VARYING, (enum isa_type)i->type, LLVMBuildLoad2(e->b, a->vector, old, "")));
}

/* All 32 lanes in a row, from registers: behind an atomic instruction of the host no load begins
 * before it has ended. */
static void straight(struct emitter *e, const struct atom *a, unsigned w) {
    const struct isa_inst *i = e->inst;
    LLVMValueRef s[3], lanes[3], old = LLVMGetPoison(a->vector);
    for (unsigned n = 0; n < i->nsrc; n++) {
        struct warp_value v = value_stored(e, isa_srcs(e->k, i)[n], w);
        s[n] = value_vector(e, &v);
    }
    for (unsigned lane = 0; lane < ISA_WARP; lane++) {
        LLVMValueRef number = emit_word(e, lane);
        for (unsigned n = 0; n < i->nsrc; n++)
            lanes[n] = LLVMBuildExtractElement(e->b, s[n], number, "");
        LLVMValueRef at = access_host(e, lanes[0], i->imm);
        LLVMValueRef was = a->op == ISA_atom_cas ? exchange_if(e, a, at, lanes[1], lanes[2])
                                                 : change(e, a, at, lanes[1]);
        if (a->used) old = LLVMBuildInsertElement(e->b, old, was, number, "");
    }
    if (a->used)
        value_write(e, isa_dsts(e->k, i)[0], w,
                    value_of(KIND_VARYING, (enum isa_type)i->type, old));
}

/* ---- instructions ---- */

/* An address that is no multiple of the size ends the launch. NULL: it is known not to happen. */
static LLVMValueRef misaligned(struct emitter *e, const struct atom *a, unsigned w,
                               const struct warp_value *at) {
    unsigned size = a->bits / 8;
    struct shape_value known = shape_operand(plan_shape(e->plan), e->k, isa_srcs(e->k, e->inst)[0]);
    bool scalar = at->kind == KIND_UNIFORM;
    if (scalar && (1u << (known.align > 3 ? 3 : known.align)) % size == 0 &&
        (uint32_t)e->inst->imm % size == 0)
        return NULL;
    LLVMValueRef by = emit_word(e, (uint32_t)e->inst->imm), low = emit_word(e, size - 1);
    LLVMValueRef bits = scalar ? at->v[0] : value_vector(e, at);
    bits = LLVMBuildAdd(e->b, bits, scalar ? by : emit_splat(e, by), "");
    bits = LLVMBuildAnd(e->b, bits, scalar ? low : emit_splat(e, low), "");
    bits = LLVMBuildICmp(e->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    if (scalar) return bits;
    bits = LLVMBuildAnd(e->b, bits, emit_mask(e, w), "");
    return LLVMBuildICmp(e->b, LLVMIntNE, emit_bits(e, bits), emit_word(e, 0), "");
}

/* Addresses that could differ: they may be one now; and all lanes may be on, for which kernels with
 * few atomic instructions have code of its own, as it takes LLVM 10 ms each time. */
static void emit_anywhere(struct emitter *e, struct ways *y, const struct atom *a, unsigned w,
                          const struct warp_value *at, const struct warp_value *v, bool combines) {
    if (combines) {
        LLVMValueRef one, same = scattered_same(e, value_vector(e, at), w, &one);
        ways_if(e, y, same, "one_address");
        combined(e, a, w, access_host(e, one, e->inst->imm), v);
        ways_else(e, y, NULL, 0);
    }
    if (plan_get(e->plan, privatised)->of[e->i]) privatise_emit(e, y, w, at, v);
    if (!a->local && plan_get(e->plan, effort)->atomics <= FEW) {
        ways_if(e, y, masks_all(e, w), "all");
        straight(e, a, w);
        ways_else(e, y, NULL, 0);
    }
    lane_by_lane(e, a, w);
}

void atomic_emit(struct emitter *e, unsigned w) {
    struct atom a = atom_of(e);
    struct warp_value at = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1], w);
    LLVMValueRef bad = misaligned(e, &a, w, &at);
    struct ways y = {0};
    if (bad) assisted_if(e, &y, w, bad);
    bool combines = !plan_off(e->plan, PLAN_one_address) && a.op != ISA_atom_cas &&
                    !(a.op == ISA_atom_xchg && a.used);
    if (combines) emit_tell(e, PLAN_one_address, "one access where all lanes meet");
    if (at.kind != KIND_UNIFORM)
        emit_anywhere(e, &y, &a, w, &at, &v, combines);
    else if (combines)
        combined(e, &a, w, access_host(e, at.v[0], e->inst->imm), &v);
    else
        lane_by_lane(e, &a, w);
    if (y.count) ways_end(e, &y, NULL, 0);
}
