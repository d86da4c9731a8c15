/* Accesses whose addresses shape analysis cannot place, although they come from thread ids alone
 * (by way of a minimum, a remainder, a choice at the edge of a grid): more often than not each
 * half-warp's, or each row's of a narrower group, lie in a row all the same, or as far apart as
 * they would without the minimum. That is tested at run time, and then vectors are moved. */
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { HALF = ISA_WARP / 2, LEAST = 4 /* lanes of a piece */ };

/* Lanes of a piece: those of which shape knows, or as the group's rows begin. */
static unsigned lanes_of(const struct emitter *e, const struct access_plan *p) {
    uint32_t width = e->request->local_size[0];
    if (p->lanes) return p->lanes;
    for (unsigned lanes = HALF; lanes >= LEAST; lanes /= 2)
        if (width % lanes == 0) return lanes;
    return HALF;
}

/* The address as pieces at the distance that its lanes are likely to be, where that is one of more
 * than an element, and vectors are moved then. */
static bool strides(const struct emitter *e, const struct access_plan *p, isa_operand core,
                    unsigned shift, struct access_plan *even) {
    int64_t step = plan_likely_step(e->plan, core);
    *even = *p;
    even->lanes = lanes_of(e, p);
    even->stride = (int32_t)(step * (1 << shift));
    return e->inst->op == ISA_ld && p->full && !p->lanes && even->stride != (int32_t)p->size &&
           pieces_strided_fits(e, even);
}

/* Without masks for the access a row that is stored is no better than lanes one by one. Several
 * components are those of lanes at an even distance. */
bool dense_fits(const struct emitter *e, const struct access_plan *p) {
    const struct isa_inst *i = e->inst;
    isa_operand at = isa_srcs(e->k, i)[0];
    struct access_plan even;
    if (plan_off(e->plan, PLAN_dense) || isa_is_watched(i) || !isa_is_reg(at)) return false;
    if (!p->full && !pieces_masked(e) && i->op == ISA_st) return false;
    if (p->lanes) return i->count == 1 && p->stride == (int32_t)p->size;
    return (!plan_likely_kind(e->plan, at) && (i->count == 1 || strides(e, p, at, 0, &even))) ||
           smalltables_near_fits(e, p, i->count);
}

/* ---- what of an address varies: often common to several accesses, as to those of one column of a
 * grid; then it is tested once ---- */

LLVMValueRef dense_uniform(struct emitter *e, const struct splitaddress *s, unsigned w) {
    LLVMValueRef sum = NULL;
    for (unsigned n = 0; n < s->count; n++) {
        LLVMValueRef v = value_read(e, s->uniform[n], w).v[0];
        v = LLVMBuildShl(e->b, v, emit_word(e, s->by[n]), "");
        sum = sum ? LLVMBuildAdd(e->b, sum, v, "") : v;
    }
    return sum;
}

/* ---- accesses ---- */

/* A warp's access while it is made. */
struct dense_attempt {
    struct access_rows rows;
    unsigned shift;       /* of the address taken apart; */
    LLVMValueRef uniform; /* what is one for the warp in it; NULL: nothing is; */
    LLVMValueRef core;    /* and what is not: a vector */
};

LLVMValueRef dense_misfits(struct emitter *e, LLVMValueRef v, unsigned lanes, uint32_t step,
                           LLVMValueRef *base) {
    LLVMValueRef steps[ISA_WARP];
    uint32_t firsts[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) {
        steps[i] = emit_word(e, i % lanes * step);
        firsts[i] = i / lanes * lanes;
    }
    *base = LLVMBuildSub(e->b, v, LLVMConstVector(steps, ISA_WARP), "");
    LLVMValueRef first = value_shuffled(e->b, *base, NULL, firsts, ISA_WARP);
    return LLVMBuildICmp(e->b, LLVMIntNE, *base, first, "");
}

/* Without masks for the access a row is loaded as a whole, if it lies on one page, as lanes do that
 * are on; where none is, from anywhere. Gives whether it may be, as an i1. */
static LLVMValueRef as_whole(struct emitter *e, struct access_rows *r, unsigned n,
                             LLVMValueRef at) {
    LLVMValueRef off = masks_none(e, r->on[n]);
    r->at[n] = LLVMBuildSelect(e->b, off, e->c->run, r->at[n], "");
    r->on[n] = NULL;
    at = access_on_page(e, at, r->lanes * isa_type_size[e->inst->type]);
    return LLVMBuildOr(e->b, off, at, "");
}

/* A way where the active lanes of each piece are `step` apart; makes their first addresses, or the
 * lowest ones, of rows that go down. */
static void attempt(struct emitter *e, struct ways *y, struct dense_attempt *a, uint32_t step,
                    unsigned w, const char *name) {
    LLVMValueRef base, misfits = dense_misfits(e, a->core, a->rows.lanes, step, &base);
    unsigned lanes = a->rows.lanes;
    if (!emit_full(e)) misfits = LLVMBuildAnd(e->b, misfits, emit_mask(e, w), "");
    LLVMValueRef fits = masks_none(e, misfits);
    for (unsigned n = 0; n < ISA_WARP / lanes; n++) {
        LLVMValueRef at = LLVMBuildExtractElement(e->b, base, emit_word(e, n * lanes), "");
        at = LLVMBuildShl(e->b, at, emit_word(e, a->shift), "");
        if (a->uniform) at = LLVMBuildAdd(e->b, at, a->uniform, "");
        int64_t lowest = a->rows.down ? (int64_t)(int32_t)step * (lanes - 1) * (1 << a->shift) : 0;
        a->rows.at[n] = access_host(e, at, e->inst->imm + lowest);
        if (emit_full(e)) continue;
        a->rows.on[n] = value_part(e->b, emit_mask(e, w), lanes, n);
        if (pieces_masked(e)) continue;
        at = LLVMBuildAdd(e->b, at, emit_word(e, (uint32_t)(e->inst->imm + lowest)), "");
        fits = LLVMBuildAnd(e->b, fits, as_whole(e, &a->rows, n, at), "");
    }
    ways_if(e, y, fits, name);
}

/* Bytes and halves of words meet as words, if they are to be such: they are gathered so. */
static void widen(struct emitter *e, LLVMValueRef *v) {
    bool words = isa_type_size[e->inst->type] < 4 && isa_is_widened(e->k, e->inst);
    for (unsigned c = 0; words && c < e->inst->count; c++)
        v[c] = LLVMBuildZExt(e->b, v[c], e->c->vector[ISA_I32], "");
}

/* Ends a way that has loaded `v`, or stored. */
static void otherwise(struct emitter *e, struct ways *y, LLVMValueRef *v) {
    bool load = e->inst->op == ISA_ld;
    if (load) widen(e, v);
    ways_else(e, y, v, load ? e->inst->count : 0);
}

void dense_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    bool load = e->inst->op == ISA_ld;
    unsigned count = e->inst->count;
    struct dense_attempt a = {.rows.lanes = lanes_of(e, p), .shift = p->split.shift};
    struct access_plan even;
    struct ways y = {0};
    emit_tell(e, PLAN_dense, "rows where the addresses lie so");
    a.uniform = dense_uniform(e, &p->split, w);
    a.core = value_read_vector(e, p->split.core, w);
    LLVMValueRef address = value_vector(e, &p->at);
    uint32_t step = p->size >> p->split.shift; /* of the core */
    bool in_order = !plan_likely_kind(e->plan, isa_srcs(e->k, e->inst)[0]);
    if (in_order && strides(e, p, p->split.core, p->split.shift, &even)) {
        attempt(e, &y, &a, (uint32_t)even.stride >> p->split.shift, w, "strides");
        pieces_strided(e, &even, w, v);
        otherwise(e, &y, v);
    } else if (in_order && count == 1 && step) {
        a.rows.down = plan_likely_step(e->plan, p->split.core) == -(int32_t)step;
        attempt(e, &y, &a, a.rows.down ? -step : step, w, "rows");
        pieces_rows(e, &a.rows, v);
        a.rows.down = false;
        otherwise(e, &y, v);
    }
    if (in_order && load && p->full && !p->lanes && count == 1) {
        attempt(e, &y, &a, 0, w, "points");
        *v = pieces_points(e, &a.rows);
        otherwise(e, &y, v);
    }
    if (smalltables_near_fits(e, p, count)) {
        smalltables_near(e, &y, p, w, e->inst->imm, count, v);
        otherwise(e, &y, v);
    }
    scattered_move(e, address, w, v);
    if (load) widen(e, v);
    ways_end(e, &y, v, load ? count : 0);
    LLVMTypeRef type = e->c->vector[e->inst->type];
    for (unsigned c = 0; load && c < count; c++)
        if (LLVMTypeOf(v[c]) != type) v[c] = LLVMBuildTrunc(e->b, v[c], type, "");
}
