/* Atomic operations, as if done lane by lane from the lowest on. Where all lanes act on one address
 * the host's memory is touched once for the warp; local memory belongs to the thread and needs no
 * atomic instruction of the host.
 *
 * Of memory that a kernel does nothing with but add to, without looking at what was there, no
 * work-item can tell when that is done: where it is an object of its own and small
 * (device/run/privatised.h), each thread adds up in a table that is its own, and adds that to
 * memory later. */
#include "device/analysis/provenance.h"
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { FEW = 8 };

struct atom {
    enum isa_op op;
    LLVMTypeRef scalar, vector;
    unsigned bits;
    bool local, used; /* used: somebody reads the old values */
};

static struct atom atom_of(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    return (struct atom){.op = (enum isa_op)i->op,
                         .scalar = e->c->scalar[i->type],
                         .vector = e->c->vector[i->type],
                         .bits = 8u * isa_type_size[i->type],
                         .local = i->space == ISA_LOCAL,
                         .used = isa_reads_between(e->k, isa_dsts(e->k, i)[0], 0, e->k->ninsts)};
}

/* ---- one address ---- */

/* What operations are: on one lane's value as the host's atomic instruction, and otherwise by an
 * operator or an intrinsic; on all lanes'. */
static const struct atom_operation {
    LLVMAtomicRMWBinOp host;
    LLVMOpcode operator;            /* 0: there is none */
    const char *intrinsic, *of_all; /* NULL, likewise */
} operations[] = {
#define AT(op) [ISA_atom_##op - ISA_atom_add]
    AT(add) = {LLVMAtomicRMWBinOpAdd, LLVMAdd, NULL, "llvm.vector.reduce.add"},
    AT(sub) = {LLVMAtomicRMWBinOpSub, LLVMSub, NULL, NULL},
    AT(xchg) = {LLVMAtomicRMWBinOpXchg, 0, NULL, NULL},
    AT(and) = {LLVMAtomicRMWBinOpAnd, LLVMAnd, NULL, "llvm.vector.reduce.and"},
    AT(or) = {LLVMAtomicRMWBinOpOr, LLVMOr, NULL, "llvm.vector.reduce.or"},
    AT(xor) = {LLVMAtomicRMWBinOpXor, LLVMXor, NULL, "llvm.vector.reduce.xor"},
    AT(min_s) = {LLVMAtomicRMWBinOpMin, 0, "llvm.smin", "llvm.vector.reduce.smin"},
    AT(min_u) = {LLVMAtomicRMWBinOpUMin, 0, "llvm.umin", "llvm.vector.reduce.umin"},
    AT(max_s) = {LLVMAtomicRMWBinOpMax, 0, "llvm.smax", "llvm.vector.reduce.smax"},
    AT(max_u) = {LLVMAtomicRMWBinOpUMax, 0, "llvm.umax", "llvm.vector.reduce.umax"},
#undef AT
};

static const struct atom_operation *operation_of(const struct atom *a) {
    return &operations[a->op - ISA_atom_add];
}

/* What is in memory after `y` came to `x`. */
static LLVMValueRef joined(struct emitter *e, const struct atom *a, LLVMValueRef x,
                           LLVMValueRef y) {
    const struct atom_operation *o = operation_of(a);
    if (o->operator) return LLVMBuildBinOp(e->b, o->operator, x, y, "");
    return o->intrinsic ? emit_intrinsic(e, o->intrinsic, x, y) : y;
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
        return LLVMBuildAtomicRMW(e->b, operation_of(a)->host, at, y,
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

/* The values of the lanes that are on; the others have what changes nothing. */
static LLVMValueRef active_lanes(struct emitter *e, const struct atom *a, unsigned w,
                                 const struct warp_value *v) {
    return value_active(e, w, value_vector(e, v), emit_splat(e, neutral(a)));
}

/* Each lane's value joined with those of all lanes below it. */
static LLVMValueRef scan(struct emitter *e, const struct atom *a, LLVMValueRef x) {
    LLVMValueRef none = emit_splat(e, neutral(a));
    for (unsigned d = 1; d < ISA_WARP; d *= 2) x = joined(e, a, value_raised(e, x, none, d), x);
    return x;
}

/* The values of all active lanes joined. One value for all of them needs no vector. */
static LLVMValueRef total(struct emitter *e, const struct atom *a, unsigned w,
                          const struct warp_value *v) {
    if (v->kind == KIND_UNIFORM && a->op == ISA_atom_add)
        return LLVMBuildMul(e->b, v->v[0],
                            LLVMBuildIntCast2(e->b, masks_count(e, w), a->scalar, false, ""), "");
    if (v->kind == KIND_UNIFORM && a->op != ISA_atom_xor) return v->v[0];
    return emit_intrinsic(e, operation_of(a)->of_all, active_lanes(e, a, w, v));
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
    LLVMValueRef x = scan(e, &sum, active_lanes(e, &sum, w, &by));
    LLVMValueRef all = LLVMBuildExtractElement(e->b, x, emit_word(e, ISA_WARP - 1), "");
    LLVMValueRef old = emit_splat(e, change(e, &sum, at, all));
    LLVMValueRef below = value_raised(e, x, emit_splat(e, neutral(&sum)), 1);
    value_result(e, 0, w, joined(e, &sum, old, below));
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
    if (a->used) value_result(e, 0, w, LLVMBuildLoad2(e->b, a->vector, old, ""));
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
    if (a->used) value_result(e, 0, w, old);
}

/* ---- tables of the thread's own ---- */

bool atomic_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct plan_privatised *p = &plan->privatised;
    p->of = plan_of_instructions(plan, 1);
    if (plan_off(plan, PLAN_privatised)) return true;
    p->param = provenance_added(k, plan_get(plan, provenance)->of);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!provenance_sums(i)) continue;
        const char *why_not = provenance_not_added(k, plan_get(plan, provenance)->of, i, p->param);
        p->of[n] = !why_not;
        if (p->of[n])
            plan_tell(plan, PLAN_privatised, n, "to parameter %s", k->params[p->param - 1].name);
        else
            plan_tell(plan, PLAN_privatised, n, "no: %s", why_not);
    }
    return true;
}

static LLVMValueRef field(struct emitter *e, size_t at, LLVMTypeRef type) {
    return emit_field(e, offsetof(struct native_run, privatised) + at, type, "privatised");
}

/* Adds each active lane's value in the thread's table, where all their addresses are in it: a way
 * of y. In a loop: the host finds out for each instruction of its own whether what that loads was
 * stored shortly before. */
static void privatised(struct emitter *e, struct ways *y, const struct atom *a, unsigned w,
                       const struct warp_value *at, const struct warp_value *by) {
    LLVMValueRef first = field(e, offsetof(struct native_privatised, first), e->c->word);
    LLVMValueRef bytes = field(e, offsetof(struct native_privatised, bytes), e->c->word);
    LLVMValueRef next = field(e, offsetof(struct native_privatised, next), e->c->word);
    LLVMValueRef table = field(e, offsetof(struct native_privatised, table), e->c->pointer);
    first = LLVMBuildSub(e->b, first, emit_word(e, (uint32_t)e->inst->imm), "");
    LLVMValueRef offset = LLVMBuildSub(e->b, value_vector(e, at), emit_splat(e, first), "");
    LLVMValueRef beyond = LLVMBuildICmp(e->b, LLVMIntUGE, offset, emit_splat(e, bytes), "");
    beyond = LLVMBuildAnd(e->b, beyond, emit_mask(e, w), "");
    ways_if(e, y, masks_none(e, beyond), "privatised");
    LLVMValueRef tables = value_lanes(e, e->c->word, 1);
    tables = LLVMBuildURem(e->b, tables, emit_words(e, NATIVE_TABLES), "");
    tables = LLVMBuildMul(e->b, emit_splat(e, next), tables, "");
    offset = LLVMBuildAdd(e->b, offset, tables, "");
    struct warp_value to_add = value_of(KIND_VARYING, ISA_I32, offset);
    struct lane_table offsets = scattered_table(e, 0, &to_add), values = scattered_table(e, 1, by);
    struct lane_loop l;
    scattered_begin(e, &l, emit_mask_bits(e, w));
    LLVMValueRef to = LLVMBuildZExt(e->b, scattered_entry(e, &offsets, l.lane), e->c->wide, "");
    to = emit_beyond(e, table, to);
    LLVMValueRef v = scattered_entry(e, &values, l.lane);
    LLVMValueRef sum = LLVMBuildLoad2(e->b, e->c->word, to, "");
    LLVMBuildStore(e->b, joined(e, a, sum, v), to);
    scattered_end(e, &l);
    ways_else(e, y, NULL, 0);
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
    LLVMValueRef bits = scalar ? at->v[0] : value_vector(e, at);
    bits = LLVMBuildAdd(e->b, bits, emit_like(e, bits, emit_word(e, (uint32_t)e->inst->imm)), "");
    bits = LLVMBuildAnd(e->b, bits, emit_like(e, bits, emit_word(e, size - 1)), "");
    bits = LLVMBuildICmp(e->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    if (scalar) return bits;
    return masks_any(e, masks_and(e, bits, emit_mask(e, w)));
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
    if (plan_get(e->plan, privatised)->of[e->i]) privatised(e, y, a, w, at, v);
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
    ways_end(e, &y, NULL, 0);
}
