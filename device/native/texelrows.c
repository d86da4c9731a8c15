/* Images of which each half-warp touches texels side by side in one row, as where pixel (x, y) is
 * that of work-item (x, y): texels of four bytes, by far the most images, are moved and converted
 * here, when the launch's image is of that format and all its lanes are on and inside. */
#include <stddef.h>

#include "emit.h"
#include "texel.h"

enum { HALF = ISA_WARP / 2, CHANNELS = 4 };
enum { MOST = 64 }; /* accesses of a kernel, times warps: more would take LLVM long */

/* A warp's access while it is made. */
struct texel_rows {
    struct value x, y;
    LLVMValueRef texture, at[2]; /* of each half-warp: the host address of the leftmost texel */
};

bool texelrows_fits(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    unsigned at = i->op == ISA_img_read ? 2 : 1;
    if (e->texelrows >= MOST || i->mod != ISA_DIM_2D ||
        (i->op == ISA_img_read && i->type2 != ISA_I32))
        return false;
    isa_operand x = isa_srcs(e->k, i)[at], y = isa_srcs(e->k, i)[at + 1];
    if (!isa_is_reg(x) || value_kind(e->shape, e->k, y) == KIND_VARYING) return false;
    enum kind kind = (enum kind)e->kinds[x];
    int32_t stride = e->shape->regs[x].stride;
    return (kind == KIND_LINEAR || kind == KIND_HALVES) && (stride == 1 || stride == -1) &&
           (!isa_is_reg(y) || e->shape->regs[y].stride == 0);
}

/* ---- when ---- */

/* A field of the texture, which no kernel changes. */
static LLVMValueRef field(struct emitter *e, LLVMValueRef texture, size_t at, LLVMTypeRef type) {
    LLVMValueRef by = LLVMConstInt(e->wide, at, false);
    LLVMValueRef from = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->context), texture, &by, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, from, "");
    access_invariant(e, v);
    return LLVMBuildZExt(e->b, v, e->word, "");
}
#define FIELD(name, type) field(e, r->texture, offsetof(struct texture, name), type)

/* The channel type that goes with the instruction's components. */
static unsigned type_of(const struct isa_inst *i) {
    if (i->type == ISA_F32) return TEXEL_UNORM_INT8;
    return i->flags & ISA_UNSIGNED ? TEXEL_UNSIGNED_INT8 : TEXEL_SIGNED_INT8;
}

static LLVMValueRef both(struct emitter *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(e->b, a, b, "");
}

static LLVMValueRef below(struct emitter *e, LLVMValueRef v, LLVMValueRef limit) {
    return LLVMBuildICmp(e->b, LLVMIntULT, v, limit, "");
}

static LLVMValueRef equals(struct emitter *e, LLVMValueRef v, uint32_t to) {
    return LLVMBuildICmp(e->b, LLVMIntEQ, v, emit_word(e, to), "");
}

/* Whether all is as it must be, as an i1; fills in where the rows lie. */
static LLVMValueRef find_rows(struct emitter *e, struct texel_rows *r, unsigned w) {
    LLVMTypeRef small = LLVMInt16TypeInContext(e->context);
    LLVMValueRef width = FIELD(width, e->word), height = FIELD(height, e->word);
    LLVMValueRef first = FIELD(address, e->word), pitch = FIELD(row_pitch, e->word);
    LLVMValueRef good = equals(e, FIELD(order, small), TEXEL_RGBA);
    good = both(e, good, equals(e, FIELD(type, small), type_of(e->inst)));
    good = both(e, good, equals(e, FIELD(dim, LLVMInt8TypeInContext(e->context)), ISA_DIM_2D));
    good = both(e, good, equals(e, emit_mask_bits(e, w), ~0u));
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef x = value_piece(e, &r->x, h), y = value_piece(e, &r->y, h);
        LLVMValueRef by = emit_word(e, (uint32_t)(r->x.stride * (HALF - 1)));
        LLVMValueRef last = LLVMBuildAdd(e->b, x, by, "");
        good = both(e, good, both(e, below(e, x, width), below(e, last, width)));
        good = both(e, good, below(e, y, height));
        LLVMValueRef at =
            LLVMBuildMul(e->b, r->x.stride > 0 ? x : last, emit_word(e, CHANNELS), "");
        at = LLVMBuildAdd(e->b, at, LLVMBuildMul(e->b, y, pitch, ""), "");
        r->at[h] = access_host(e, LLVMBuildAdd(e->b, at, first, ""), 0);
    }
    return good;
}

/* Lanes of a half-warp in the order of their texels. */
static LLVMValueRef turned(struct emitter *e, const struct texel_rows *r, LLVMValueRef v) {
    LLVMValueRef pick[HALF];
    if (r->x.stride > 0) return v;
    for (unsigned i = 0; i < HALF; i++) pick[i] = emit_word(e, HALF - 1 - i);
    return LLVMBuildShuffleVector(e->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(pick, HALF), "");
}

static LLVMValueRef words(struct emitter *e, uint32_t v) { return emit_splat(e, emit_word(e, v)); }
static LLVMValueRef reals(struct emitter *e, double v) {
    return emit_splat(e, LLVMConstReal(e->scalar[ISA_F32], v));
}

/* ---- reading ---- */

/* Component c of the texels' words, as lanes/texels.c has it. */
static LLVMValueRef component(struct emitter *e, LLVMValueRef texels, unsigned c) {
    unsigned type = type_of(e->inst);
    LLVMValueRef v = LLVMBuildShl(e->b, texels, words(e, 24 - 8 * c), "");
    if (type == TEXEL_SIGNED_INT8) return LLVMBuildAShr(e->b, v, words(e, 24), "");
    v = LLVMBuildLShr(e->b, v, words(e, 24), "");
    if (type == TEXEL_UNSIGNED_INT8) return v;
    v = LLVMBuildUIToFP(e->b, v, e->vector[ISA_F32], "");
    LLVMValueRef near = LLVMBuildFMul(e->b, v, reals(e, TEXEL_NEAR(8)), "");
    return LLVMBuildFAdd(e->b, near, LLVMBuildFMul(e->b, v, reals(e, TEXEL_FAR(8)), ""), "");
}

static void get(struct emitter *e, const struct texel_rows *r, LLVMValueRef v[CHANNELS]) {
    LLVMTypeRef part = LLVMVectorType(e->word, HALF);
    LLVMValueRef half[2];
    for (unsigned h = 0; h < 2; h++) half[h] = turned(e, r, access_plain(e, part, r->at[h]));
    LLVMValueRef texels = access_joined(e, half[0], half[1]);
    for (unsigned c = 0; c < CHANNELS; c++) v[c] = component(e, texels, c);
}

/* ---- writing ---- */

static LLVMValueRef choice(struct emitter *e, LLVMIntPredicate is, LLVMValueRef v, uint32_t limit) {
    LLVMValueRef to = words(e, limit);
    return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, is, v, to, ""), to, v, "");
}

static LLVMValueRef bound(struct emitter *e, LLVMRealPredicate is, LLVMValueRef v, double limit) {
    LLVMValueRef to = reals(e, limit);
    return LLVMBuildSelect(e->b, LLVMBuildFCmp(e->b, is, v, to, ""), to, v, "");
}

/* A component as the byte that is stored, likewise. */
static LLVMValueRef stored(struct emitter *e, LLVMValueRef v) {
    unsigned type = type_of(e->inst);
    if (type == TEXEL_UNSIGNED_INT8) return choice(e, LLVMIntUGT, v, 255);
    if (type == TEXEL_SIGNED_INT8) {
        v = choice(e, LLVMIntSLT, v, (uint32_t)INT8_MIN);
        v = choice(e, LLVMIntSGT, v, INT8_MAX);
        return LLVMBuildAnd(e->b, v, words(e, 255), "");
    }
    v = LLVMBuildFMul(e->b, v, reals(e, 255), "");
    v = bound(e, LLVMRealUNO, v, 0);
    v = bound(e, LLVMRealOGT, bound(e, LLVMRealOLT, v, 0), 255);
    v = LLVMBuildFAdd(e->b, v, reals(e, 0x1.8p23), "");
    v = LLVMBuildBitCast(e->b, v, e->vector[ISA_I32], "");
    return LLVMBuildSub(e->b, v, words(e, 0x4b400000), "");
}

static void set(struct emitter *e, const struct texel_rows *r, const struct value v[CHANNELS]) {
    LLVMValueRef texels = NULL;
    for (unsigned c = 0; c < CHANNELS; c++) {
        LLVMValueRef byte = stored(e, value_vector(e, &v[c]));
        byte = LLVMBuildShl(e->b, byte, words(e, 8 * c), "");
        texels = texels ? LLVMBuildOr(e->b, texels, byte, "") : byte;
    }
    for (unsigned h = 0; h < 2; h++)
        access_mark(e, LLVMBuildStore(e->b, turned(e, r, access_half(e, texels, h)), r->at[h]));
}

/* ---- both ---- */

LLVMBasicBlockRef texelrows_emit(struct emitter *e, unsigned w, LLVMValueRef image,
                                 LLVMValueRef v[CHANNELS], LLVMBasicBlockRef *from) {
    const isa_operand *src = isa_srcs(e->k, e->inst);
    bool read = e->inst->op == ISA_img_read;
    unsigned at = read ? 2 : 1;
    e->texelrows++;
    struct texel_rows r = {.x = value_read(e, src[at], w), .y = value_read(e, src[at + 1], w)};
    LLVMValueRef count = emit_field(e, offsetof(struct native_run, ntextures), e->word, "count");
    LLVMValueRef table =
        emit_field(e, offsetof(struct native_run, textures), e->pointer, "textures");
    LLVMBasicBlockRef known = emit_block(e, "known"), rows = emit_block(e, "texels"),
                      slow = emit_block(e, "unit"), after = emit_block(e, "");
    LLVMBuildCondBr(e->b, below(e, image, count), known, slow);
    LLVMPositionBuilderAtEnd(e->b, known);
    LLVMValueRef offset = LLVMBuildMul(e->b, LLVMBuildZExt(e->b, image, e->wide, ""),
                                       LLVMConstInt(e->wide, sizeof(struct texture), false), "");
    r.texture = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->context), table, &offset, 1, "");
    LLVMBuildCondBr(e->b, find_rows(e, &r, w), rows, slow);
    LLVMPositionBuilderAtEnd(e->b, rows);
    if (read) {
        get(e, &r, v);
    } else {
        struct value in[CHANNELS];
        for (unsigned c = 0; c < CHANNELS; c++) in[c] = value_read(e, src[at + 2 + c], w);
        set(e, &r, in);
    }
    *from = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, slow);
    return after;
}
