/* Lanes whose addresses lie anywhere. Lanes that are off touch nothing: hosts without masks for an
 * access let them read where a lane that is on does, or go through the lanes one by one. */
#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

static bool has_gather(const struct emitter *e) { return e->request->level >= NATIVE_AVX2; }
static bool has_scatter(const struct emitter *e, unsigned size) {
    return e->request->level == NATIVE_AVX512 && size >= 4;
}

static LLVMValueRef words(struct emitter *e, uint32_t v) { return emit_splat(e, emit_word(e, v)); }

/* ---- lane by lane ---- */

/* From here on for each lane of `bits`, of which one at least is set: t->lane, an i64. */
void scattered_begin(struct emitter *e, struct lane_loop *t, LLVMValueRef bits) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    t->head = emit_block(e, "lane");
    LLVMBuildBr(e->b, t->head);
    LLVMPositionBuilderAtEnd(e->b, t->head);
    t->left = LLVMBuildPhi(e->b, e->c->word, "");
    LLVMAddIncoming(t->left, &bits, &before, 1);
    LLVMValueRef some = LLVMConstInt(e->c->scalar[ISA_PRED], 1, false);
    LLVMValueRef args[] = {t->left, some};
    t->lane = emit_intrinsic(e, "llvm.cttz", &e->c->word, 1, args, 2);
    t->lane = LLVMBuildZExt(e->b, t->lane, e->c->wide, "");
}

void scattered_end(struct emitter *e, const struct lane_loop *t) {
    LLVMBasicBlockRef after = emit_block(e, ""), here = LLVMGetInsertBlock(e->b);
    LLVMValueRef less = LLVMBuildSub(e->b, t->left, emit_word(e, 1), "");
    LLVMValueRef next = LLVMBuildAnd(e->b, t->left, less, "");
    LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntNE, next, emit_word(e, 0), "");
    LLVMBuildCondBr(e->b, more, t->head, after);
    LLVMAddIncoming(t->left, &next, &here, 1);
    LLVMPositionBuilderAtEnd(e->b, after);
}

/* What the lowest lane has that is on. */
static LLVMValueRef lowest(struct emitter *e, LLVMValueRef v, unsigned w) {
    if (emit_full(e)) return LLVMBuildExtractElement(e->b, v, emit_word(e, 0), "");
    LLVMValueRef some = LLVMConstInt(e->c->scalar[ISA_PRED], 1, false);
    LLVMValueRef args[] = {emit_mask_bits(e, w), some};
    LLVMValueRef lane = emit_intrinsic(e, "llvm.cttz", &e->c->word, 1, args, 2);
    lane = LLVMBuildAnd(e->b, lane, emit_word(e, ISA_WARP - 1), "");
    return LLVMBuildExtractElement(e->b, v, lane, "");
}

/* Whether all lanes that are on have the same of `v`, as an i1, and what that is. */
LLVMValueRef scattered_same(struct emitter *e, LLVMValueRef v, unsigned w, LLVMValueRef *one) {
    *one = lowest(e, v, w);
    LLVMValueRef other = LLVMBuildICmp(e->b, LLVMIntNE, v, emit_splat(e, *one), "");
    if (!emit_full(e)) other = LLVMBuildAnd(e->b, other, emit_mask(e, w), "");
    return LLVMBuildICmp(e->b, LLVMIntEQ, emit_bits(e, other), emit_word(e, 0), "");
}

/* ---- loads ---- */

/* The addresses; of lanes that are off, that of one which is on. */
static LLVMValueRef safe(struct emitter *e, LLVMValueRef address, unsigned w) {
    if (emit_full(e)) return address;
    LLVMValueRef one = emit_splat(e, lowest(e, address, w));
    return LLVMBuildSelect(e->b, emit_mask(e, w), address, one, "");
}

/* Bytes and halves of words: hosts gather words, and an aligned word never lies on two pages, so
 * one of which a byte may be touched may be read. A half may lie in two words. */
static LLVMValueRef load_narrow(struct emitter *e, enum isa_type type, LLVMValueRef address,
                                unsigned w) {
    LLVMTypeRef t = e->c->vector[ISA_I32];
    LLVMValueRef mask = emit_mask(e, w), low = LLVMBuildAnd(e->b, address, words(e, 3), "");
    LLVMValueRef word = LLVMBuildAnd(e->b, address, words(e, ~3u), "");
    LLVMValueRef shift = LLVMBuildShl(e->b, low, words(e, 3), "");
    LLVMValueRef v = access_gather(e, t, access_host(e, word, 0), 4, mask);
    if (type == ISA_I8) {
        v = LLVMBuildLShr(e->b, v, shift, "");
        return LLVMBuildTrunc(e->b, v, e->c->vector[type], "");
    }
    LLVMValueRef over = LLVMBuildICmp(e->b, LLVMIntEQ, low, words(e, 3), "");
    over = LLVMBuildAnd(e->b, over, mask, "");
    LLVMValueRef any = LLVMBuildICmp(e->b, LLVMIntNE, emit_bits(e, over), emit_word(e, 0), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b), odd = emit_block(e, "odd"),
                      after = emit_block(e, "");
    LLVMBuildCondBr(e->b, any, odd, after);
    LLVMPositionBuilderAtEnd(e->b, odd);
    LLVMValueRef none = LLVMConstNull(t), next = LLVMBuildAdd(e->b, word, words(e, 4), "");
    next = access_gather(e, t, access_host(e, next, 0), 4, over);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
    LLVMValueRef high = LLVMBuildPhi(e->b, t, "");
    LLVMAddIncoming(high, (LLVMValueRef[]){none, next}, (LLVMBasicBlockRef[]){here, odd}, 2);
    v = emit_intrinsic(e, "llvm.fshr", &t, 1, (LLVMValueRef[]){high, v, shift}, 3);
    return LLVMBuildTrunc(e->b, v, e->c->vector[type], "");
}

LLVMValueRef scattered_load(struct emitter *e, LLVMValueRef address, int64_t displacement,
                            unsigned w) {
    enum isa_type type = (enum isa_type)e->inst->type;
    if (!has_gather(e))
        return access_gather(e, e->c->vector[type],
                             access_host(e, safe(e, address, w), displacement), 1,
                             LLVMConstAllOnes(e->c->vector[ISA_PRED]));
    if (isa_type_size[type] < 4) {
        address = LLVMBuildAdd(e->b, address, words(e, (uint32_t)displacement), "");
        return load_narrow(e, type, address, w);
    }
    LLVMValueRef at = access_host(e, address, displacement);
    return access_gather(e, e->c->vector[type], at, 1, emit_mask(e, w));
}

/* ---- stores ---- */

void scattered_store(struct emitter *e, LLVMValueRef value, LLVMValueRef address,
                     int64_t displacement, unsigned w) {
    enum isa_type type = (enum isa_type)e->inst->type;
    if (emit_full(e) || has_scatter(e, isa_type_size[type])) {
        access_scatter(e, value, access_host(e, address, displacement), 1, emit_mask(e, w));
        return;
    }
    struct lane_loop t;
    LLVMValueRef values = assisted_buffer(e, 0), addresses = assisted_buffer(e, 1);
    LLVMBuildStore(e->b, value, values);
    LLVMBuildStore(e->b, address, addresses);
    scattered_begin(e, &t, emit_mask_bits(e, w));
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->c->word, addresses, &t.lane, 1, "");
    LLVMValueRef from = LLVMBuildGEP2(e->b, e->c->scalar[type], values, &t.lane, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(e->b, e->c->scalar[type], from, "");
    at = access_host(e, LLVMBuildLoad2(e->b, e->c->word, at, ""), displacement);
    access_mark(e, LLVMBuildStore(e->b, v, at));
    scattered_end(e, &t);
}

/* ---- all components ---- */

/* Lanes whose components the host cannot gather or scatter go through one loop, in which each moves
 * all of its components: straight code for the lanes of every component, or a loop for each, would
 * take LLVM a second. */
static bool in_one_loop(const struct emitter *e, bool store) {
    unsigned size = isa_type_size[e->inst->type];
    if (e->inst->count == 1) return false;
    return store ? !has_scatter(e, size) : !has_gather(e) || size < 4;
}

/* Begins that loop. Returns the lane's address. */
static LLVMValueRef begin_all(struct emitter *e, struct lane_loop *t, LLVMValueRef address,
                              unsigned w) {
    LLVMValueRef addresses = assisted_buffer(e, 0);
    LLVMBuildStore(e->b, address, addresses);
    scattered_begin(e, t, emit_mask_bits(e, w));
    LLVMValueRef at = LLVMBuildGEP2(e->b, e->c->word, addresses, &t->lane, 1, "");
    return LLVMBuildLoad2(e->b, e->c->word, at, "");
}

/* Where component c of the loop's lane is kept. */
static LLVMValueRef kept(struct emitter *e, struct lane_loop *t, unsigned c) {
    LLVMTypeRef type = e->c->scalar[e->inst->type];
    return LLVMBuildGEP2(e->b, type, assisted_buffer(e, 1 + c), &t->lane, 1, "");
}

static int64_t displacement_of(const struct emitter *e, unsigned c) {
    return (int64_t)e->inst->imm + c * isa_type_size[e->inst->type];
}

void scattered_load_all(struct emitter *e, LLVMValueRef address, unsigned w, LLVMValueRef *v) {
    const struct isa_inst *i = e->inst;
    LLVMTypeRef type = e->c->scalar[i->type], many = e->c->vector[i->type];
    if (!in_one_loop(e, false)) {
        for (unsigned c = 0; c < i->count; c++)
            v[c] = scattered_load(e, address, displacement_of(e, c), w);
        return;
    }
    struct lane_loop t;
    for (unsigned c = 0; c < i->count; c++)
        LLVMBuildStore(e->b, LLVMConstNull(many), assisted_buffer(e, 1 + c));
    LLVMValueRef at = begin_all(e, &t, address, w);
    for (unsigned c = 0; c < i->count; c++) {
        LLVMValueRef one = access_plain(e, type, access_host(e, at, displacement_of(e, c)));
        LLVMBuildStore(e->b, one, kept(e, &t, c));
    }
    scattered_end(e, &t);
    for (unsigned c = 0; c < i->count; c++)
        v[c] = LLVMBuildLoad2(e->b, many, assisted_buffer(e, 1 + c), "");
}

void scattered_store_all(struct emitter *e, const LLVMValueRef *v, LLVMValueRef address,
                         unsigned w) {
    const struct isa_inst *i = e->inst;
    LLVMTypeRef type = e->c->scalar[i->type];
    if (!in_one_loop(e, true)) {
        for (unsigned c = 0; c < i->count; c++)
            scattered_store(e, v[c], address, displacement_of(e, c), w);
        return;
    }
    struct lane_loop t;
    for (unsigned c = 0; c < i->count; c++) LLVMBuildStore(e->b, v[c], assisted_buffer(e, 1 + c));
    LLVMValueRef at = begin_all(e, &t, address, w);
    for (unsigned c = 0; c < i->count; c++) {
        LLVMValueRef one = LLVMBuildLoad2(e->b, type, kept(e, &t, c), "");
        access_mark(e, LLVMBuildStore(e->b, one, access_host(e, at, displacement_of(e, c))));
    }
    scattered_end(e, &t);
}
