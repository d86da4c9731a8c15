/* Images of which each half-warp touches texels side by side in one row, as where pixel (x, y) is
 * that of work-item (x, y), or is sampled around it: texels of four bytes, by far the most images,
 * are moved, filtered and converted here, when the launch's image is of that format and all its
 * lanes are on and inside. All is computed as lanes/sampling.c and lanes/texels.c do. */
#include <stddef.h>

#include "device/native/mem/accesses.h"
#include "device/native/value.h"
#include "device/texture/texel.h"

enum { HALF = ISA_WARP / 2, CHANNELS = 4 };
enum { MOST = 128 }; /* accesses of a kernel, times warps: more would take LLVM long */

/* A warp's access while it is made. */
struct texel_rows {
    struct warp_value x, y;
    bool back;                   /* lanes go from right to left */
    LLVMValueRef texture, at[2]; /* of each half-warp: the host address of the leftmost texel */
};

bool texelrows_fits(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    unsigned at = isa_first_coordinate(i);
    if (plan_off(e->plan, PLAN_texel_rows) || e->c->texelrows >= MOST || i->mod != ISA_DIM_2D)
        return false;
    if (i->op == ISA_img_read && i->type2 != ISA_I32) return false;
    isa_operand x = isa_srcs(e->k, i)[at], y = isa_srcs(e->k, i)[at + 1];
    if (!isa_is_reg(x) || plan_operand_kind(e->plan, y) == KIND_VARYING) return false;
    enum kind kind = emit_kind(e, x);
    int32_t stride = plan_stride(e->plan, x);
    return (kind == KIND_LINEAR || kind == KIND_HALVES) && (stride == 1 || stride == -1) &&
           (!isa_is_reg(y) || plan_stride(e->plan, y) == 0);
}

bool texelrows_samples(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    return !plan_off(e->plan, PLAN_texel_rows) && e->c->texelrows < MOST && i->op == ISA_img_read &&
           i->mod == ISA_DIM_2D && i->type2 == ISA_F32;
}

/* ---- when ---- */

/* A field of the texture, which no kernel changes. */
static LLVMValueRef field(struct emitter *e, LLVMValueRef texture, size_t at, LLVMTypeRef type) {
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, emit_inside(e, texture, (int64_t)at), "");
    access_invariant(e, v);
    return LLVMBuildZExt(e->b, v, e->c->word, "");
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

/* Whether the image is of the format and all lanes are on, as an i1. */
static LLVMValueRef is_ready(struct emitter *e, const struct texel_rows *r, unsigned w) {
    LLVMTypeRef small = e->c->scalar[ISA_I16];
    LLVMValueRef good = emit_compare(e, LLVMIntEQ, FIELD(order, small), TEXEL_RGBA);
    good = both(e, good, emit_compare(e, LLVMIntEQ, FIELD(type, small), type_of(e->inst)));
    good = both(e, good, emit_compare(e, LLVMIntEQ, FIELD(dim, e->c->scalar[ISA_I8]), ISA_DIM_2D));
    return both(e, good, masks_all(e, w));
}

/* Whether all lanes are inside, as an i1; fills in where the rows lie. */
static LLVMValueRef find_rows(struct emitter *e, struct texel_rows *r) {
    LLVMValueRef width = FIELD(width, e->c->word), height = FIELD(height, e->c->word);
    LLVMValueRef first = FIELD(address, e->c->word), pitch = FIELD(row_pitch, e->c->word);
    LLVMValueRef good = LLVMConstInt(e->c->scalar[ISA_PRED], 1, false);
    r->back = r->x.stride < 0;
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef x = value_piece(e, &r->x, h), y = value_piece(e, &r->y, h);
        LLVMValueRef by = emit_word(e, (uint32_t)(r->x.stride * (HALF - 1)));
        LLVMValueRef last = LLVMBuildAdd(e->b, x, by, "");
        good = both(e, good, both(e, below(e, x, width), below(e, last, width)));
        good = both(e, good, below(e, y, height));
        LLVMValueRef at = LLVMBuildMul(e->b, r->back ? last : x, emit_word(e, CHANNELS), "");
        at = LLVMBuildAdd(e->b, at, LLVMBuildMul(e->b, y, pitch, ""), "");
        r->at[h] = access_host(e, LLVMBuildAdd(e->b, at, first, ""), 0);
    }
    return good;
}

/* Lanes of a half-warp in the order of their texels. */
static LLVMValueRef in_texel_order(struct emitter *e, const struct texel_rows *r, LLVMValueRef v) {
    return r->back ? value_picked(e->b, v, NULL, HALF - 1, -1, HALF) : v;
}

static LLVMValueRef reals(struct emitter *e, double v) {
    return emit_splat(e, LLVMConstReal(e->c->scalar[ISA_F32], v));
}

/* ---- reading ---- */

static LLVMValueRef channel(struct emitter *e, LLVMValueRef texels, unsigned c) {
    LLVMValueRef v = LLVMBuildShl(e->b, texels, emit_words(e, 24 - 8 * c), "");
    return type_of(e->inst) == TEXEL_SIGNED_INT8 ? LLVMBuildAShr(e->b, v, emit_words(e, 24), "")
                                                 : LLVMBuildLShr(e->b, v, emit_words(e, 24), "");
}

static LLVMValueRef real_channel(struct emitter *e, LLVMValueRef texels, unsigned c) {
    return LLVMBuildUIToFP(e->b, channel(e, texels, c), e->c->vector[ISA_F32], "");
}

static LLVMValueRef finished(struct emitter *e, LLVMValueRef v) {
    LLVMValueRef near = LLVMBuildFMul(e->b, v, reals(e, TEXEL_NEAR(8)), "");
    return LLVMBuildFAdd(e->b, near, LLVMBuildFMul(e->b, v, reals(e, TEXEL_FAR(8)), ""), "");
}

/* The texels of both rows, or those that lie `by` bytes (an i64) behind them. */
static LLVMValueRef texels_at(struct emitter *e, const struct texel_rows *r, LLVMValueRef by) {
    LLVMTypeRef part = LLVMVectorType(e->c->word, HALF);
    LLVMValueRef half[2];
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef at = by ? emit_beyond(e, r->at[h], by) : r->at[h];
        half[h] = in_texel_order(e, r, access_plain(e, part, at));
    }
    return value_joined(e, half[0], half[1]);
}

static void get(struct emitter *e, const struct texel_rows *r, LLVMValueRef v[CHANNELS]) {
    LLVMValueRef texels = texels_at(e, r, NULL);
    for (unsigned c = 0; c < CHANNELS; c++)
        v[c] = e->inst->type == ISA_F32 ? finished(e, real_channel(e, texels, c))
                                        : channel(e, texels, c);
}

/* ---- reading by float coordinates ---- */

/* One dimension: the first texel of each lane, and the weights of it and the next. */
struct texel_axis {
    LLVMValueRef first, weight[2];
};

/* Returns which lanes are inside with all their texels. */
static LLVMValueRef find_axis(struct emitter *e, struct texel_axis *a, const struct warp_value *at,
                              LLVMValueRef size, LLVMValueRef normalised, bool linear) {
    LLVMTypeRef real = e->c->scalar[ISA_F32];
    LLVMValueRef scale = LLVMBuildSIToFP(e->b, size, real, "");
    scale = LLVMBuildSelect(e->b, normalised, scale, LLVMConstReal(real, 1), "");
    LLVMValueRef u = LLVMBuildFMul(e->b, value_vector(e, at), emit_splat(e, scale), "");
    if (linear) u = LLVMBuildFSub(e->b, u, reals(e, 0.5), "");
    LLVMValueRef lower = emit_intrinsic(e, "llvm.floor", u);
    LLVMValueRef last = LLVMBuildSub(e->b, size, emit_word(e, linear ? 2 : 1), "");
    last = emit_splat(e, LLVMBuildSIToFP(e->b, last, real, ""));
    a->first = LLVMBuildFPToSI(e->b, lower, e->c->vector[ISA_I32], "");
    a->first = LLVMBuildFreeze(e->b, a->first, ""); /* of lanes outside it is wanted by nobody */
    a->weight[1] = LLVMBuildFSub(e->b, u, lower, "");
    a->weight[0] = LLVMBuildFSub(e->b, reals(e, 1), a->weight[1], "");
    return both(e, LLVMBuildFCmp(e->b, LLVMRealOGE, lower, reals(e, 0), ""),
                LLVMBuildFCmp(e->b, LLVMRealOLE, lower, last, ""));
}

/* Whether lanes are inside and half-warps in rows, as an i1; likewise. */
static LLVMValueRef find_reals(struct emitter *e, struct texel_rows *r, struct texel_axis axes[2],
                               LLVMValueRef normalised, bool linear) {
    LLVMValueRef misfits, base;
    LLVMValueRef inside =
        both(e, find_axis(e, &axes[0], &r->x, FIELD(width, e->c->word), normalised, linear),
             find_axis(e, &axes[1], &r->y, FIELD(height, e->c->word), normalised, linear));
    LLVMValueRef address = LLVMBuildMul(e->b, axes[0].first, emit_words(e, CHANNELS), "");
    LLVMValueRef rows =
        LLVMBuildMul(e->b, axes[1].first, emit_splat(e, FIELD(row_pitch, e->c->word)), "");
    address = LLVMBuildAdd(e->b, address, rows, "");
    address = LLVMBuildAdd(e->b, address, emit_splat(e, FIELD(address, e->c->word)), "");
    misfits = dense_misfits(e, address, HALF, CHANNELS, &base);
    inside = masks_without(e, inside, misfits);
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef at = LLVMBuildExtractElement(e->b, base, emit_word(e, h * HALF), "");
        r->at[h] = access_host(e, at, 0);
    }
    return emit_compare(e, LLVMIntEQ, emit_bits(e, inside), ~0u);
}

static void filter(struct emitter *e, const struct texel_rows *r, const struct texel_axis axes[2],
                   LLVMValueRef sum[CHANNELS]) {
    LLVMValueRef pitch = LLVMBuildZExt(e->b, FIELD(row_pitch, e->c->word), e->c->wide, "");
    for (unsigned corner = 0; corner < 4; corner++) {
        LLVMValueRef by = LLVMConstInt(e->c->wide, corner & 1 ? CHANNELS : 0, false);
        if (corner & 2) by = LLVMBuildAdd(e->b, pitch, by, "");
        LLVMValueRef texels = texels_at(e, r, by);
        LLVMValueRef weight =
            LLVMBuildFMul(e->b, axes[0].weight[corner & 1], axes[1].weight[corner >> 1], "");
        for (unsigned c = 0; c < CHANNELS; c++) {
            LLVMValueRef v = LLVMBuildFMul(e->b, weight, real_channel(e, texels, c), "");
            sum[c] = corner ? LLVMBuildFAdd(e->b, sum[c], v, "") : v;
        }
    }
    for (unsigned c = 0; c < CHANNELS; c++) sum[c] = finished(e, sum[c]);
}

static LLVMValueRef has_bit(struct emitter *e, LLVMValueRef v, uint32_t bit) {
    return emit_compare(e, LLVMIntNE, LLVMBuildAnd(e->b, v, emit_word(e, bit), ""), 0);
}

/* Rows of a warp's lanes: coordinates, then components. */
static LLVMValueRef row_of(struct emitter *e, LLVMValueRef rows, unsigned n) {
    return emit_element(e, e->c->vector[ISA_I32], rows, emit_word(e, n));
}

static void return_flag(struct emitter *e, bool flag) {
    LLVMBuildRet(e->b, LLVMConstInt(e->c->scalar[ISA_PRED], flag, false));
}

/* The way of one filter, in a function of sample_function. */
static void sample(struct emitter *e, struct texel_rows *r, LLVMValueRef normalised, bool linear,
                   LLVMValueRef rows, LLVMBasicBlockRef slow) {
    struct texel_axis axes[2];
    LLVMValueRef v[CHANNELS];
    LLVMBasicBlockRef inside = emit_block(e, "texels");
    emit_branch(e, find_reals(e, r, axes, normalised, linear), inside, slow);
    if (linear)
        filter(e, r, axes, v);
    else
        get(e, r, v);
    for (unsigned c = 0; c < CHANNELS; c++)
        LLVMBuildStore(e->b, v[c], row_of(e, rows, NATIVE_COMPONENTS + c));
    return_flag(e, true);
}

/* Coordinates that wrap around are left to the texture unit, and weights that the GPU rounds. */
static void sample_any(struct emitter *e, struct texel_rows *r, LLVMValueRef sampler,
                       LLVMValueRef rows) {
    LLVMBasicBlockRef slow = emit_block(e, "unit"), plain = emit_block(e, "addressed"),
                      nearest = emit_block(e, "nearest"), linear = emit_block(e, "linear"),
                      unfixed = emit_block(e, "");
    LLVMValueRef normalised = has_bit(e, sampler, ISA_SAMPLER_NORMALIZED);
    LLVMValueRef mode = LLVMBuildLShr(e->b, sampler, emit_word(e, ISA_SAMPLER_ADDRESS_SHIFT), "");
    mode = LLVMBuildAnd(e->b, mode, emit_word(e, ISA_SAMPLER_ADDRESS_MASK), "");
    LLVMValueRef good = below(e, mode, emit_word(e, ISA_ADDRESS_REPEAT));
    good = LLVMBuildOr(e->b, good, LLVMBuildNot(e->b, normalised, ""), "");
    LLVMBuildCondBr(e->b, good, plain, slow);
    LLVMPositionBuilderAtEnd(e->b, slow);
    return_flag(e, false);
    LLVMPositionBuilderAtEnd(e->b, plain);
    bool real = e->inst->type == ISA_F32;
    LLVMBuildCondBr(e->b, real ? has_bit(e, sampler, ISA_SAMPLER_LINEAR) : good,
                    real ? linear : nearest, nearest);
    LLVMPositionBuilderAtEnd(e->b, nearest);
    sample(e, r, normalised, false, rows, slow);
    LLVMPositionBuilderAtEnd(e->b, linear);
    LLVMValueRef fixed = FIELD(fixed_weights, e->c->scalar[ISA_I8]);
    emit_branch(e, emit_compare(e, LLVMIntEQ, fixed, 0), unfixed, slow);
    sample(e, r, normalised, real, rows, slow);
}

static LLVMTypeRef sample_type(struct emitter *e) {
    LLVMTypeRef types[] = {e->c->pointer, e->c->pointer, e->c->word, e->c->pointer};
    return LLVMFunctionType(e->c->scalar[ISA_PRED], types, 4, false);
}

/* A function for all reads of one kind: texels by float coordinates are too much code for each. It
 * takes the sandbox, the texture, the sampler and rows, and returns whether it could. */
static LLVMValueRef sample_function(const struct emitter *here) {
    LLVMValueRef *made = &here->c->samples[type_of(here->inst) == TEXEL_UNORM_INT8      ? 0
                                           : type_of(here->inst) == TEXEL_UNSIGNED_INT8 ? 1
                                                                                        : 2];
    if (*made) return *made;
    struct emitter copy = *here, *e = &copy;
    *made = e->function = LLVMAddFunction(e->c->module, "sample", sample_type(e));
    e->b = LLVMCreateBuilderInContext(e->c->context);
    LLVMSetLinkage(*made, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(e->b, emit_block(e, "entry"));
    e->base = LLVMGetParam(*made, 0);
    LLVMValueRef rows = LLVMGetParam(*made, 3), at[2];
    for (unsigned d = 0; d < 2; d++)
        at[d] = LLVMBuildLoad2(e->b, e->c->vector[ISA_F32], row_of(e, rows, d), "");
    struct texel_rows r = {.x = value_of(KIND_VARYING, ISA_F32, at[0]),
                           .y = value_of(KIND_VARYING, ISA_F32, at[1]),
                           .texture = LLVMGetParam(*made, 1)};
    sample_any(e, &r, LLVMGetParam(*made, 2), rows);
    LLVMDisposeBuilder(e->b);
    return *made;
}

/* ---- writing ---- */

static LLVMValueRef choice(struct emitter *e, LLVMIntPredicate is, LLVMValueRef v, uint32_t limit) {
    LLVMValueRef to = emit_words(e, limit);
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
        return LLVMBuildAnd(e->b, v, emit_words(e, 255), "");
    }
    v = LLVMBuildFMul(e->b, v, reals(e, 255), "");
    v = bound(e, LLVMRealUNO, v, 0);
    v = bound(e, LLVMRealOGT, bound(e, LLVMRealOLT, v, 0), 255);
    v = LLVMBuildFAdd(e->b, v, reals(e, 0x1.8p23), "");
    v = LLVMBuildBitCast(e->b, v, e->c->vector[ISA_I32], "");
    return LLVMBuildSub(e->b, v, emit_words(e, 0x4b400000), "");
}

static void set(struct emitter *e, const struct texel_rows *r,
                const struct warp_value v[CHANNELS]) {
    LLVMValueRef texels = NULL;
    for (unsigned c = 0; c < CHANNELS; c++) {
        LLVMValueRef byte = stored(e, value_vector(e, &v[c]));
        byte = LLVMBuildShl(e->b, byte, emit_words(e, 8 * c), "");
        texels = texels ? LLVMBuildOr(e->b, texels, byte, "") : byte;
    }
    for (unsigned h = 0; h < 2; h++)
        access_mark(e,
                    LLVMBuildStore(e->b, in_texel_order(e, r, value_half(e, texels, h)), r->at[h]));
}

/* ---- both ---- */

/* A way where image number `image` is in the launch's table. */
static LLVMValueRef find_texture(struct emitter *e, struct ways *y, LLVMValueRef image) {
    LLVMValueRef count = emit_of_run(e, ntextures, e->c->word);
    ways_if(e, y, below(e, image, count), "known");
    return images_texture(e, image);
}

static void count_access(struct emitter *e) {
    e->c->texelrows++;
    emit_tell(e, PLAN_texel_rows, "a row where the half-warp's texels lie in one");
}

void texelrows_emit(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef image,
                    LLVMValueRef v[CHANNELS]) {
    const isa_operand *src = isa_srcs(e->k, e->inst);
    bool read = e->inst->op == ISA_img_read;
    unsigned at = read ? 2 : 1;
    count_access(e);
    struct texel_rows r = {.x = value_read(e, src[at], w), .y = value_read(e, src[at + 1], w)};
    r.texture = find_texture(e, y, image);
    ways_and(e, y, both(e, is_ready(e, &r, w), find_rows(e, &r)), "texels");
    if (read) {
        get(e, &r, v);
    } else {
        struct warp_value in[CHANNELS];
        for (unsigned c = 0; c < CHANNELS; c++) in[c] = value_read(e, src[at + 2 + c], w);
        set(e, &r, in);
    }
    ways_else(e, y, v, read ? CHANNELS : 0);
}

void texelrows_sample(struct emitter *e, struct ways *y, unsigned w, LLVMValueRef image,
                      LLVMValueRef sampler, LLVMValueRef rows) {
    count_access(e);
    struct texel_rows r = {.texture = find_texture(e, y, image)};
    ways_and(e, y, is_ready(e, &r, w), "ready");
    LLVMValueRef args[] = {e->base, r.texture, sampler, rows};
    ways_and(e, y, LLVMBuildCall2(e->b, sample_type(e), sample_function(e), args, 4, ""),
             "sampled");
    ways_else(e, y, NULL, 0);
}
