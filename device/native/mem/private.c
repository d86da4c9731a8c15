/* Private memory. A warp's frames are interleaved by words (engine.h): an offset that is the same
 * for all lanes is a row of 32 words, any other one a word of each lane's own. Lanes never meet,
 * and those that are off may have their words read and written back as they were. */
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum {
    WORD = 4,
    LANE_BYTES = WORD * ISA_WARP /* a row */
};

struct private_frames {
    bool row;            /* all lanes at one offset, or */
    bool single;         /* one lane by itself: the cursor's, or the group's only one */
    unsigned size;       /* of a component */
    LLVMValueRef offset; /* in the work-item's frame: a scalar for a row, else of each lane */
    LLVMValueRef base;   /* host address of the warp's frames */
    LLVMValueRef mask;   /* NULL: all lanes are on */
};

static LLVMValueRef number(struct emitter *e, const struct private_frames *f, uint32_t n) {
    return f->row ? emit_word(e, n) : emit_words(e, n);
}

/* Of that lane, if it is one. */
static LLVMValueRef one_of(struct emitter *e, const struct private_frames *f, LLVMValueRef v) {
    if (!f->single || !emit_is_vector(v)) return v;
    return LLVMBuildExtractElement(e->b, v, emit_word(e, 0), "");
}

static struct private_frames frames_of(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    struct warp_value at = value_read(e, isa_srcs(e->k, i)[0], w);
    struct private_frames f = {.row = at.kind == KIND_UNIFORM, .size = isa_type_size[i->type]};
    LLVMValueRef offset = f.row ? at.v[0] : value_vector(e, &at);
    f.single = e->lane || (f.row && e->plan->items == 1);
    f.offset = LLVMBuildAdd(e->b, offset, number(e, &f, (uint32_t)i->imm), "");
    LLVMValueRef own = emit_of_run(e, own, e->c->pointer);
    LLVMValueRef warp = LLVMBuildZExt(e->b, e->c->warp[w], e->c->wide, "");
    LLVMValueRef bytes =
        LLVMConstInt(e->c->wide, (uint64_t)isa_frame_bytes(e->k) * ISA_WARP, false);
    f.base = emit_beyond(e, own, LLVMBuildMul(e->b, warp, bytes, ""));
    if (e->lane) f.base = emit_element(e, e->c->word, f.base, e->lane);
    if (!emit_full(e)) f.mask = one_of(e, &f, emit_mask(e, w));
    return f;
}

/* Whether an access goes astray (an i1): outside the frame, or not at a multiple of its size or a
 * word, which is left to C. Rotated right by the bits that must be 0, a bad offset is large. */
static LLVMValueRef stray(struct emitter *e, const struct private_frames *f) {
    unsigned bytes = f->size * e->inst->count, bits = f->size == 1 ? 0 : f->size == 2 ? 1 : 2;
    LLVMValueRef rotated = f->offset;
    if (numbers_in_frame(&plan_get(e->plan, bounds)->of, e->k, e->inst, bits))
        return LLVMConstNull(e->c->scalar[ISA_PRED]);
    if (bits) rotated = emit_intrinsic(e, "llvm.fshr", rotated, rotated, number(e, f, bits));
    LLVMValueRef most = number(e, f, (isa_frame_bytes(e->k) - bytes) >> bits);
    LLVMValueRef bad = LLVMBuildICmp(e->b, LLVMIntUGT, rotated, most, "");
    if (f->row) return bad;
    if (f->mask) bad = LLVMBuildAnd(e->b, bad, f->mask, "");
    return emit_compare(e, LLVMIntNE, emit_bits(e, bad), 0);
}

/* ---- words ---- */

/* Where the words of bytes `offset` + `more` lie: one address, or one for each lane. Off the
 * baseline there are masks for lanes that are off; there, those take the first word of their own
 * frame. */
static LLVMValueRef word_at(struct emitter *e, const struct private_frames *f, LLVMValueRef offset,
                            uint32_t more) {
    LLVMValueRef at = LLVMBuildShl(e->b, offset, number(e, f, 5), "");
    if (more) at = LLVMBuildAdd(e->b, at, number(e, f, more * ISA_WARP), "");
    if (!f->row) {
        if (f->mask && e->request->level != NATIVE_AVX512)
            at = LLVMBuildSelect(e->b, f->mask, at, LLVMConstNull(LLVMTypeOf(at)), "");
        at = LLVMBuildAdd(e->b, at, value_lanes(e, e->c->word, WORD), "");
    }
    at = LLVMBuildSExt(e->b, at, f->row ? e->c->wide : e->c->vector[ISA_I64], "");
    return emit_beyond(e, f->base, at);
}

static LLVMValueRef on_lanes(struct emitter *e, const struct private_frames *f) {
    bool masked = f->mask && e->request->level == NATIVE_AVX512;
    return masked ? f->mask : LLVMConstAllOnes(e->c->vector[ISA_PRED]);
}

static LLVMValueRef word_load(struct emitter *e, const struct private_frames *f, LLVMValueRef at) {
    if (f->single) return value_get(e, e->c->word, at, WORD);
    if (!f->row) return access_gather(e, e->c->vector[ISA_I32], at, WORD, on_lanes(e, f));
    return value_get(e, e->c->vector[ISA_I32], at, LANE_BYTES);
}

static void word_store(struct emitter *e, const struct private_frames *f, LLVMValueRef at,
                       LLVMValueRef v) {
    if (f->mask && (f->row || e->request->level != NATIVE_AVX512))
        v = LLVMBuildSelect(e->b, f->mask, v, word_load(e, f, at), "");
    if (f->row)
        value_put(e, v, at, f->single ? WORD : LANE_BYTES);
    else
        access_scatter(e, v, at, WORD, on_lanes(e, f));
}

/* ---- elements of 1, 2, 4 and 8 bytes ---- */

static LLVMTypeRef lanes_of_bytes(struct emitter *e, const struct private_frames *f) {
    static const uint8_t types[] = {[1] = ISA_I8, [2] = ISA_I16, [4] = ISA_I32, [8] = ISA_I64};
    return (f->single ? e->c->scalar : e->c->vector)[types[f->size]];
}

/* A part of a word: where the word is, and how far up in it the part lies, in each lane. */
struct subword {
    LLVMValueRef at, shift;
};

static struct subword subword_of(struct emitter *e, const struct private_frames *f, uint32_t more) {
    LLVMValueRef offset = LLVMBuildAdd(e->b, f->offset, number(e, f, more), "");
    LLVMValueRef low = LLVMBuildAnd(e->b, offset, number(e, f, WORD - 1), "");
    LLVMValueRef shift = LLVMBuildShl(e->b, low, number(e, f, 3), "");
    struct subword p = {.at = word_at(e, f, LLVMBuildSub(e->b, offset, low, ""), 0),
                        .shift = f->row && !f->single ? emit_splat(e, shift) : shift};
    return p;
}

/* Low words of i64 lanes, or their high words; or of one lane. */
static LLVMValueRef words_of(struct emitter *e, LLVMValueRef v, unsigned high) {
    unsigned lanes = emit_is_vector(v) ? ISA_WARP : 1;
    v = LLVMBuildBitCast(e->b, v, LLVMVectorType(e->c->word, 2 * lanes), "");
    if (lanes == 1) return LLVMBuildExtractElement(e->b, v, emit_word(e, high), "");
    return value_picked(e->b, v, NULL, (int)high, 2, lanes);
}

static LLVMValueRef long_of(struct emitter *e, LLVMValueRef low, LLVMValueRef high) {
    uint32_t from[2 * ISA_WARP], lanes = emit_is_vector(low) ? ISA_WARP : 1;
    LLVMTypeRef words = LLVMVectorType(e->c->word, lanes);
    for (unsigned n = 0; n < 2 * lanes; n++) from[n] = n / 2 + n % 2 * lanes;
    low = LLVMBuildBitCast(e->b, low, words, ""), high = LLVMBuildBitCast(e->b, high, words, "");
    LLVMValueRef v = value_shuffled(e->b, low, high, from, 2 * lanes);
    return LLVMBuildBitCast(e->b, v, (lanes == 1 ? e->c->scalar : e->c->vector)[ISA_I64], "");
}

static LLVMValueRef load_element(struct emitter *e, const struct private_frames *f, uint32_t more) {
    if (f->size >= WORD) {
        LLVMValueRef low = word_load(e, f, word_at(e, f, f->offset, more));
        if (f->size == WORD) return low;
        return long_of(e, low, word_load(e, f, word_at(e, f, f->offset, more + WORD)));
    }
    struct subword p = subword_of(e, f, more);
    LLVMValueRef v = LLVMBuildLShr(e->b, word_load(e, f, p.at), p.shift, "");
    return LLVMBuildTrunc(e->b, v, lanes_of_bytes(e, f), "");
}

static void store_element(struct emitter *e, const struct private_frames *f, uint32_t more,
                          LLVMValueRef v) {
    if (f->size == 2 * WORD) {
        word_store(e, f, word_at(e, f, f->offset, more), words_of(e, v, 0));
        word_store(e, f, word_at(e, f, f->offset, more + WORD), words_of(e, v, 1));
        return;
    }
    if (f->size == WORD) {
        word_store(e, f, word_at(e, f, f->offset, more), v);
        return;
    }
    struct subword p = subword_of(e, f, more);
    LLVMValueRef there = emit_like(e, p.shift, emit_word(e, f->size == 1 ? 0xff : 0xffff));
    there = LLVMBuildNot(e->b, LLVMBuildShl(e->b, there, p.shift, ""), "");
    there = LLVMBuildAnd(e->b, word_load(e, f, p.at), there, "");
    v = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, v, LLVMTypeOf(p.shift), ""), p.shift, "");
    word_store(e, f, p.at, LLVMBuildOr(e->b, there, v, ""));
}

/* ---- instructions ---- */

static void emit(struct emitter *e, const struct private_frames *f, unsigned w) {
    const struct isa_inst *i = e->inst;
    bool load = i->op == ISA_ld;
    const LLVMTypeRef *types = f->single ? e->c->scalar : e->c->vector;
    LLVMTypeRef type = load ? types[i->type] : lanes_of_bytes(e, f);
    LLVMValueRef v[16];
    if (!load) access_read_sources(e, w, v);
    for (unsigned c = 0; c < i->count; c++)
        if (load)
            v[c] = LLVMBuildBitCast(e->b, load_element(e, f, c * f->size), type, "");
        else
            store_element(e, f, c * f->size, LLVMBuildBitCast(e->b, one_of(e, f, v[c]), type, ""));
    if (load) access_write_results(e, w, v);
}

void private_emit(struct emitter *e, unsigned w) {
    struct private_frames f = frames_of(e, w);
    struct ways y = {0};
    if (isa_bytes(e->inst) > isa_frame_bytes(e->k)) {
        assisted_emit(e, w); /* where it ends */
        return;
    }
    LLVMValueRef bad = stray(e, &f);
    if (!LLVMIsConstant(bad) || !LLVMIsNull(bad)) assisted_if(e, &y, w, bad);
    emit(e, &f, w);
    ways_end(e, &y, NULL, 0);
}
