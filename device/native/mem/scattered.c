/* Lanes whose addresses lie anywhere. Lanes that are off touch nothing: hosts without masks for an
 * access let them read where a lane that is on does, or go through the lanes one by one. */
#include "device/costs/opcosts.h"
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

static bool has_gather(const struct emitter *e) { return e->request->level >= NATIVE_AVX2; }
static bool has_scatter(const struct emitter *e, unsigned size) {
    return e->request->level == NATIVE_AVX512 && size >= 4;
}

/* ---- lane by lane ---- */

void scattered_begin(struct emitter *e, struct lane_loop *t, LLVMValueRef bits) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    t->head = emit_block(e, "lane");
    emit_goto(e, t->head, t->head);
    t->left = LLVMBuildPhi(e->b, e->c->word, "");
    LLVMAddIncoming(t->left, &bits, &before, 1);
    t->lane = LLVMBuildZExt(e->b, emit_lowest_bit(e, t->left), e->c->wide, "");
}

void scattered_end(struct emitter *e, const struct lane_loop *t) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMValueRef less = LLVMBuildSub(e->b, t->left, emit_word(e, 1), "");
    LLVMValueRef next = LLVMBuildAnd(e->b, t->left, less, "");
    LLVMValueRef more = emit_compare(e, LLVMIntNE, next, 0);
    emit_branch(e, more, t->head, NULL);
    LLVMAddIncoming(t->left, &next, &here, 1);
}

struct lane_table scattered_table(struct emitter *e, unsigned n, const struct warp_value *v) {
    struct lane_table t = {.type = e->c->scalar[v->type]};
    if (v->kind == KIND_UNIFORM) {
        t.one = v->v[0];
        return t;
    }
    t.rows = assisted_buffer(e, n);
    LLVMBuildStore(e->b, value_vector(e, v), t.rows);
    return t;
}

LLVMValueRef scattered_entry(struct emitter *e, const struct lane_table *t, LLVMValueRef lane) {
    if (t->one) return t->one;
    return LLVMBuildLoad2(e->b, t->type, emit_element(e, t->type, t->rows, lane), "");
}

LLVMValueRef scattered_lowest(struct emitter *e, LLVMValueRef v, unsigned w) {
    if (emit_full(e)) return LLVMBuildExtractElement(e->b, v, emit_word(e, 0), "");
    LLVMValueRef lane = emit_lowest_bit(e, emit_mask_bits(e, w));
    lane = LLVMBuildAnd(e->b, lane, emit_word(e, ISA_WARP - 1), "");
    return LLVMBuildExtractElement(e->b, v, lane, "");
}

LLVMValueRef scattered_highest(struct emitter *e, const struct warp_value *v, unsigned w) {
    if (v->kind == KIND_UNIFORM) return v->v[0];
    LLVMValueRef last = emit_word(e, ISA_WARP - 1), lane = last;
    if (!emit_full(e)) {
        LLVMValueRef no = LLVMConstInt(e->c->scalar[ISA_PRED], 0, false);
        lane = emit_intrinsic(e, "llvm.ctlz", emit_mask_bits(e, w), no);
        lane = LLVMBuildAnd(e->b, LLVMBuildSub(e->b, last, lane, ""), last, "");
    }
    return LLVMBuildExtractElement(e->b, value_vector(e, v), lane, "");
}

LLVMValueRef scattered_same(struct emitter *e, LLVMValueRef v, unsigned w, LLVMValueRef *one) {
    *one = scattered_lowest(e, v, w);
    LLVMValueRef other = LLVMBuildICmp(e->b, LLVMIntNE, v, emit_splat(e, *one), "");
    if (!emit_full(e)) other = LLVMBuildAnd(e->b, other, emit_mask(e, w), "");
    return masks_none(e, other);
}

/* ---- loads ---- */

/* The addresses; of lanes that are off, that of one which is on. */
static LLVMValueRef safe(struct emitter *e, LLVMValueRef address, unsigned w) {
    if (emit_full(e)) return address;
    return value_active(e, w, address, emit_splat(e, scattered_lowest(e, address, w)));
}

/* Bytes and halves of words: hosts gather words, and an aligned word never lies on two pages, so
 * one of which a byte may be touched may be read. A half may lie in two words. */
static LLVMValueRef load_narrow(struct emitter *e, enum isa_type type, LLVMValueRef address,
                                unsigned w) {
    LLVMTypeRef t = e->c->vector[ISA_I32];
    LLVMValueRef mask = emit_mask(e, w), low = LLVMBuildAnd(e->b, address, emit_words(e, 3), "");
    LLVMValueRef word = LLVMBuildAnd(e->b, address, emit_words(e, ~3u), "");
    LLVMValueRef shift = LLVMBuildShl(e->b, low, emit_words(e, 3), "");
    LLVMValueRef v = access_gather(e, t, access_host(e, word, 0), 4, mask);
    if (type == ISA_I8) {
        v = LLVMBuildLShr(e->b, v, shift, "");
        return LLVMBuildTrunc(e->b, v, e->c->vector[type], "");
    }
    LLVMValueRef over = LLVMBuildICmp(e->b, LLVMIntEQ, low, emit_words(e, 3), "");
    over = LLVMBuildAnd(e->b, over, mask, "");
    struct ways y = {0};
    ways_if(e, &y, masks_any(e, over), "odd");
    LLVMValueRef high = LLVMBuildAdd(e->b, word, emit_words(e, 4), "");
    high = access_gather(e, t, access_host(e, high, 0), 4, over);
    ways_else(e, &y, &high, 1);
    high = LLVMConstNull(t);
    ways_end(e, &y, &high, 1);
    v = emit_intrinsic(e, "llvm.fshr", high, v, shift);
    return LLVMBuildTrunc(e->b, v, e->c->vector[type], "");
}

/* One access for each lane, all of which are on: a load, or a store of `v`. */
static LLVMValueRef move_each(struct emitter *e, enum isa_type type, LLVMValueRef address,
                              int64_t displacement, LLVMValueRef v) {
    LLVMValueRef to = v ? v : LLVMGetPoison(e->c->vector[type]);
    for (unsigned n = 0; n < ISA_WARP; n++) {
        LLVMValueRef lane = emit_word(e, n), at = LLVMBuildExtractElement(e->b, address, lane, "");
        at = access_host(e, at, displacement);
        if (v) {
            access_mark(e, LLVMBuildStore(e->b, LLVMBuildExtractElement(e->b, v, lane, ""), at));
            continue;
        }
        at = access_plain(e, e->c->scalar[type], at);
        to = LLVMBuildInsertElement(e->b, to, at, lane, "");
    }
    return to;
}

/* Is the address, or one that it was made of, what lanes have read each for itself? Or may they be
 * near each other mostly, and this is code for the rest. */
static bool is_told(const struct emitter *e) {
    isa_operand at = isa_srcs(e->k, e->inst)[0];
    enum neighbours_kind kind = isa_is_reg(at) ? plan_likely_kind(e->plan, at) : NEIGHBOURS_EVEN;
    return kind == NEIGHBOURS_READ || (kind && e->k->ninsts >= LIMIT_EACH);
}

static bool is_moved_each(const struct emitter *e) {
    return opcosts_each(e->request->level, (enum isa_space)e->inst->space, is_told(e));
}

/* A gather, or a scatter of `v`; each lane by itself where that is quicker and all are on. */
static LLVMValueRef move_words(struct emitter *e, enum isa_type type, LLVMValueRef address,
                               int64_t displacement, unsigned w, LLVMValueRef v) {
    bool each = is_moved_each(e) && (emit_full(e) || (e->k->ninsts < LIMIT_EACH && !is_told(e)));
    if (each && emit_full(e)) return move_each(e, type, address, displacement, v);
    struct ways y = {0};
    LLVMValueRef moved;
    if (each) {
        ways_if(e, &y, masks_all(e, w), "all");
        moved = move_each(e, type, address, displacement, v);
        ways_else(e, &y, &moved, 1);
    }
    LLVMValueRef at = access_host(e, address, displacement);
    moved = v ? v : access_gather(e, e->c->vector[type], at, 1, emit_mask(e, w));
    if (v) access_scatter(e, v, at, 1, emit_mask(e, w));
    ways_end(e, &y, &moved, 1);
    return moved;
}

LLVMValueRef scattered_load(struct emitter *e, enum isa_type type, LLVMValueRef address,
                            int64_t displacement, unsigned w) {
    if (!has_gather(e))
        return access_gather(e, e->c->vector[type],
                             access_host(e, safe(e, address, w), displacement), 1,
                             LLVMConstAllOnes(e->c->vector[ISA_PRED]));
    if (isa_type_size[type] >= 4 || (emit_full(e) && is_moved_each(e)))
        return move_words(e, type, address, displacement, w, NULL);
    address = LLVMBuildAdd(e->b, address, emit_words(e, (uint32_t)displacement), "");
    return load_narrow(e, type, address, w);
}

/* ---- both ---- */

/* Several components that are words together. */
static bool are_words(const struct emitter *e) {
    unsigned size = isa_type_size[e->inst->type];
    return e->inst->op == ISA_ld && size < 4 && size * e->inst->count % 4 == 0 && has_gather(e);
}

/* They are gathered as such: a lane touches all of its words, on whatever pages they lie. */
static void load_words(struct emitter *e, LLVMValueRef address, unsigned w, LLVMValueRef *v) {
    LLVMTypeRef type = e->c->vector[e->inst->type];
    unsigned size = isa_type_size[e->inst->type];
    LLVMValueRef word = NULL;
    for (unsigned c = 0; c < e->inst->count; c++) {
        unsigned by = c * size % 4 * 8;
        if (!by) word = scattered_load(e, ISA_I32, address, (int64_t)e->inst->imm + c * size, w);
        v[c] = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, word, emit_words(e, by), ""), type, "");
    }
}

/* Lanes that the host cannot gather or scatter go through one loop, if any is on: warps may pass
 * guards together, also those without lanes. In the loop each moves all of its components: straight
 * code for the lanes of every component, or a loop for each, would take LLVM a second. */
static bool in_one_loop(const struct emitter *e) {
    unsigned size = isa_type_size[e->inst->type];
    if (e->inst->op == ISA_st)
        return !has_scatter(e, size) && (e->inst->count > 1 || !emit_full(e));
    return e->inst->count > 1 && (!has_gather(e) || size < 4);
}

static void move_lanes(struct emitter *e, LLVMValueRef address, unsigned w, LLVMValueRef *v) {
    const struct isa_inst *i = e->inst;
    LLVMTypeRef type = e->c->scalar[i->type], many = e->c->vector[i->type];
    struct warp_value all = value_of(KIND_VARYING, ISA_I32, address);
    struct lane_table addresses = scattered_table(e, 0, &all);
    bool loads = i->op == ISA_ld;
    struct lane_loop t;
    for (unsigned c = 0; c < i->count; c++)
        LLVMBuildStore(e->b, loads ? LLVMConstNull(many) : v[c], assisted_buffer(e, 1 + c));
    LLVMValueRef bits = emit_mask_bits(e, w);
    struct ways y = {0};
    if (!emit_full(e)) ways_if(e, &y, emit_compare(e, LLVMIntNE, bits, 0), "some");
    scattered_begin(e, &t, bits);
    LLVMValueRef at = scattered_entry(e, &addresses, t.lane);
    for (unsigned c = 0; c < i->count; c++) {
        LLVMValueRef kept = emit_element(e, type, assisted_buffer(e, 1 + c), t.lane);
        LLVMValueRef host = access_host(e, at, (int64_t)i->imm + c * isa_type_size[i->type]);
        if (loads)
            LLVMBuildStore(e->b, access_plain(e, type, host), kept);
        else
            access_mark(e, LLVMBuildStore(e->b, LLVMBuildLoad2(e->b, type, kept, ""), host));
    }
    scattered_end(e, &t);
    if (!emit_full(e)) {
        ways_else(e, &y, NULL, 0);
        ways_end(e, &y, NULL, 0);
    }
    for (unsigned c = 0; loads && c < i->count; c++)
        v[c] = LLVMBuildLoad2(e->b, many, assisted_buffer(e, 1 + c), "");
}

void scattered_move(struct emitter *e, LLVMValueRef address, unsigned w, LLVMValueRef *v) {
    const struct isa_inst *i = e->inst;
    if (are_words(e)) {
        load_words(e, address, w, v);
        return;
    }
    if (in_one_loop(e)) {
        move_lanes(e, address, w, v);
        return;
    }
    for (unsigned c = 0; c < i->count; c++) {
        int64_t by = (int64_t)i->imm + c * isa_type_size[i->type];
        if (i->op == ISA_ld)
            v[c] = scattered_load(e, (enum isa_type)i->type, address, by, w);
        else
            move_words(e, (enum isa_type)i->type, address, by, w, v[c]);
    }
}
