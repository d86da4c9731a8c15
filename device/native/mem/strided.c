/* Lanes that follow one another at an even distance, each with one or more components: what lies
 * between the first and the last byte is loaded at once and sorted by shuffles, and stored at once,
 * under a mask where it leaves gaps. A gap is smaller than a page, so that no page is touched that
 * the lanes do not touch; that takes all lanes to be on, which is looked at when it is not known.
 */
#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

enum { MOST_BYTES = 128, MOST_UNUSED = 4 }; /* stride; elements passed over for one that is used */
enum { MOST_STEP = 16 };                    /* elements from lane to lane, of a store with gaps */

/* The host has masked loads and stores of such elements. */
static bool has_masks(const struct emitter *e, unsigned size) {
    return e->request->level == NATIVE_AVX512 || (e->request->level == NATIVE_AVX2 && size >= 4);
}

bool strided_fits(const struct emitter *e, const struct warp_address *p, bool store) {
    const struct isa_inst *i = e->inst;
    if (!p->lanes) return false;
    if (plan_off(e->plan, PLAN_strided) || i->flags & ISA_VOLATILE || p->stride <= 0 ||
        p->stride > MOST_BYTES || (uint32_t)p->stride % p->size)
        return false;
    unsigned step = (unsigned)p->stride / p->size;
    if (step == 1) return i->count == 1 && !p->full && !has_masks(e, p->size);
    if (store && (!has_masks(e, p->size) || step > MOST_STEP)) return step == i->count;
    return step >= i->count && step <= MOST_UNUSED * i->count;
}

static LLVMTypeRef elements(struct emitter *e, unsigned n) {
    return LLVMVectorType(e->c->scalar[e->inst->type], n);
}

/* Components of `lanes` lanes from an address on: two loads, of which the second ends with the last
 * byte that is used. */
static void load_piece(struct emitter *e, const struct warp_address *p, unsigned w, LLVMValueRef at,
                       unsigned lanes, LLVMValueRef *v) {
    unsigned count = e->inst->count, step = (unsigned)p->stride / p->size, n = lanes / 2 * step;
    unsigned unused = step - count;
    int64_t first = e->inst->imm, second = first + (int64_t)(n - unused) * p->size;
    LLVMTypeRef type = elements(e, n);
    LLVMValueRef low = access_plain(e, type, access_host(e, at, first));
    LLVMValueRef high = access_plain(e, type, access_host(e, at, second));
    if (lanes == ISA_WARP && !unused) {
        e->whole[w].inst = e->i + 1;
        e->whole[w].half[0] = low;
        e->whole[w].half[1] = high;
    }
    for (unsigned c = 0; c < count; c++) {
        LLVMValueRef pick[ISA_WARP];
        for (unsigned lane = 0; lane < lanes; lane++)
            pick[lane] = emit_word(e, lane * step + c + (lane < lanes / 2 ? 0 : unused));
        v[c] = LLVMBuildShuffleVector(e->b, low, high, LLVMConstVector(pick, lanes), "");
    }
}

static void load_wide(struct emitter *e, const struct warp_address *p, unsigned w,
                      LLVMValueRef *v) {
    unsigned pieces = ISA_WARP / p->lanes;
    LLVMValueRef part[ISA_WARP][16], parts[ISA_WARP];
    for (unsigned n = 0; n < pieces; n++)
        load_piece(e, p, w, access_piece(e, p, n), p->lanes, part[n]);
    for (unsigned c = 0; c < e->inst->count; c++) {
        for (unsigned n = 0; n < pieces; n++) parts[n] = part[n][c];
        v[c] = value_whole(e, parts, p->lanes);
    }
}

/* Vectors one behind the other, with undefined ones up to a power of two. */
static LLVMValueRef chain(struct emitter *e, LLVMValueRef *v, unsigned count, unsigned lanes) {
    LLVMValueRef pick[16 * ISA_WARP];
    for (unsigned n = 0; n < 16 * ISA_WARP; n++) pick[n] = emit_word(e, n);
    for (; count > 1; count = (count + 1) / 2, lanes *= 2)
        for (unsigned c = 0; c < count; c += 2) {
            LLVMValueRef next = c + 1 < count ? v[c + 1] : LLVMGetPoison(LLVMTypeOf(v[c]));
            v[c / 2] =
                LLVMBuildShuffleVector(e->b, v[c], next, LLVMConstVector(pick, 2 * lanes), "");
        }
    return v[0];
}

/* The components that are stored are those that a load has found side by side just before, as where
 * elements are copied: returns them so, or NULL. */
static LLVMValueRef found(struct emitter *e, unsigned w) {
    const struct isa_kernel *k = e->k;
    const struct isa_inst *i = e->inst;
    uint32_t n = e->whole[w].inst;
    if (!n || n > e->i || k->insts[n - 1].count != i->count || k->insts[n - 1].type != i->type)
        return NULL;
    for (unsigned c = 0; c < i->count; c++)
        if (isa_srcs(k, i)[1 + c] != isa_dsts(k, &k->insts[n - 1])[c]) return NULL;
    for (; n < e->i; n++) {
        const struct isa_inst *between = &k->insts[n];
        const uint32_t control =
            ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE | ISA_OP_REGION_END | ISA_OP_JUMP;
        if (isa_op_info[between->op].flags & control || between->op == ISA_bar) return NULL;
        for (unsigned d = 0; d < between->ndst; d++)
            for (unsigned c = 0; c < i->count; c++)
                if (isa_dsts(k, between)[d] == isa_srcs(k, i)[1 + c]) return NULL;
    }
    LLVMValueRef pick[16 * ISA_WARP];
    unsigned size = i->count * ISA_WARP;
    for (unsigned at = 0; at < size; at++) pick[at] = emit_word(e, at);
    return LLVMBuildShuffleVector(e->b, e->whole[w].half[0], e->whole[w].half[1],
                                  LLVMConstVector(pick, size), "");
}

/* Component by component in, lane by lane out. */
static void store_piece(struct emitter *e, const struct warp_address *p, LLVMValueRef at,
                        unsigned lanes, LLVMValueRef *v) {
    unsigned count = e->inst->count, step = (unsigned)p->stride / p->size, size = step * lanes;
    LLVMValueRef pick[16 * ISA_WARP], used[16 * ISA_WARP], all = chain(e, v, count, lanes);
    for (unsigned n = 0; n < size; n++) {
        bool use = n % step < count;
        pick[n] = use ? emit_word(e, n % step * lanes + n / step) : LLVMGetUndef(e->c->word);
        used[n] = LLVMConstInt(e->c->scalar[ISA_PRED], use, false);
    }
    all = LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                 LLVMConstVector(pick, size), "");
    access_put_row(e, all, access_host(e, at, e->inst->imm),
                   step == count ? NULL : LLVMConstVector(used, size));
}

static void store_wide(struct emitter *e, const struct warp_address *p, const LLVMValueRef *v) {
    LLVMValueRef part[16];
    for (unsigned n = 0; n < ISA_WARP / p->lanes; n++) {
        for (unsigned c = 0; c < e->inst->count; c++)
            part[c] = p->lanes == ISA_WARP ? v[c] : value_part(e, v[c], p->lanes, n);
        store_piece(e, p, access_piece(e, p, n), p->lanes, part);
    }
}

/* ---- where lanes may be off ---- */

struct strided_fork {
    LLVMBasicBlockRef some, after;
};

static struct strided_fork fork_of(struct emitter *e, unsigned w) {
    struct strided_fork f = {.some = emit_block(e, "some"), .after = emit_block(e, "")};
    LLVMBasicBlockRef all = emit_block(e, "all");
    LLVMValueRef on = LLVMBuildICmp(e->b, LLVMIntEQ, emit_mask_bits(e, w), emit_word(e, ~0u), "");
    LLVMBuildCondBr(e->b, on, all, f.some);
    LLVMPositionBuilderAtEnd(e->b, all);
    return f;
}

void strided_load(struct emitter *e, const struct warp_address *p, unsigned w, LLVMValueRef *v) {
    unsigned count = e->inst->count;
    emit_tell(e, PLAN_strided, "vectors, from which lanes are picked");
    e->whole[w].inst = 0;
    if (p->full) {
        load_wide(e, p, w, v);
        return;
    }
    LLVMValueRef all[16], some[16], address = value_vector(e, &p->at);
    struct strided_fork f = fork_of(e, w);
    load_wide(e, p, w, all);
    LLVMBasicBlockRef ends[2] = {LLVMGetInsertBlock(e->b), NULL};
    LLVMBuildBr(e->b, f.after);
    LLVMPositionBuilderAtEnd(e->b, f.some);
    scattered_load_all(e, address, w, some);
    ends[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, f.after);
    LLVMPositionBuilderAtEnd(e->b, f.after);
    for (unsigned c = 0; c < count; c++) {
        v[c] = LLVMBuildPhi(e->b, LLVMTypeOf(all[c]), "");
        LLVMAddIncoming(v[c], (LLVMValueRef[]){all[c], some[c]}, ends, 2);
    }
}

void strided_store(struct emitter *e, const struct warp_address *p, unsigned w,
                   const LLVMValueRef *v) {
    emit_tell(e, PLAN_strided, "vectors, into which lanes are put");
    if (p->full) {
        bool dense = p->at.kind == KIND_LINEAR && p->stride == (int32_t)(e->inst->count * p->size);
        LLVMValueRef all = dense ? found(e, w) : NULL;
        if (all)
            access_put_row(e, all, access_host(e, p->at.v[0], e->inst->imm), NULL);
        else
            store_wide(e, p, v);
        return;
    }
    LLVMValueRef address = value_vector(e, &p->at);
    struct strided_fork f = fork_of(e, w);
    store_wide(e, p, v);
    LLVMBuildBr(e->b, f.after);
    LLVMPositionBuilderAtEnd(e->b, f.some);
    scattered_store_all(e, v, address, w);
    LLVMBuildBr(e->b, f.after);
    LLVMPositionBuilderAtEnd(e->b, f.after);
}
