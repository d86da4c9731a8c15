/* Lanes that follow one another at an even distance, up or down, by pieces: in rows, at one point,
 * or further apart, each with one or more components. Of those what lies between the first and the
 * last byte is loaded at once and sorted by shuffles, and stored at once, under a mask where it
 * leaves gaps. A gap is smaller than a page, so that no page is touched that the lanes do not
 * touch; that takes all lanes to be on, which is looked at when it is not known: where some are
 * off, words are moved under masks. Where stores under masks are slow, what leaves gaps is stored
 * word by word. */
#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/opcosts.h"
#include "device/native/value.h"

enum { MOST_BYTES = 128, MOST_UNUSED = 4 }; /* stride; elements passed over for one that is used */
/* Elements from lane to lane, of a store with gaps and of what is narrower than a word: shuffles of
 * vectors of 880 bytes took the code generator a minute and a half. */
enum { MOST_STEP = 16 };
enum { MOST_MASKED = 4 /* words from lane to lane, under masks */, HALF = ISA_WARP / 2 };

bool pieces_masked(const struct emitter *e) {
    enum native_level least = isa_type_size[e->inst->type] < 4 ? NATIVE_AVX512 : NATIVE_AVX2;
    return e->request->level >= least;
}

static LLVMTypeRef elements(struct emitter *e, unsigned n) {
    return LLVMVectorType(e->c->scalar[e->inst->type], n);
}

/* ---- either way ---- */

/* Elements from lane to lane, up or down. */
static unsigned step_of(const struct access_plan *p) {
    return (unsigned)(p->stride < 0 ? -p->stride : p->stride) / p->size;
}

/* The lane of a piece that is `n`th in memory. */
static unsigned lane_at(const struct access_plan *p, unsigned n) {
    return p->stride < 0 ? p->lanes - 1 - n : n;
}

/* From a piece's first lane to the lowest, in bytes. */
static int64_t lowest(const struct access_plan *p) {
    return p->stride < 0 ? (int64_t)(p->lanes - 1) * p->stride : 0;
}

/* A piece of lanes that go down, in the order of memory, or back. */
static LLVMValueRef turned(struct emitter *e, LLVMValueRef v, unsigned lanes) {
    return value_picked(e, v, NULL, (int)lanes - 1, -1, lanes);
}

/* ---- rows and points ---- */

void pieces_rows(struct emitter *e, const struct access_rows *r, LLVMValueRef *v) {
    LLVMTypeRef type = elements(e, r->lanes);
    LLVMValueRef parts[ACCESS_PIECES];
    bool load = e->inst->op == ISA_ld;
    for (unsigned n = 0; n < ISA_WARP / r->lanes; n++) {
        LLVMValueRef on = r->on[n] && r->down ? turned(e, r->on[n], r->lanes) : r->on[n];
        LLVMValueRef part =
            load ? access_row(e, type, r->at[n], on) : value_part(e, *v, r->lanes, n);
        parts[n] = r->down ? turned(e, part, r->lanes) : part;
        if (!load) access_put_row(e, parts[n], r->at[n], on);
    }
    if (load) *v = value_whole(e, parts, r->lanes);
}

LLVMValueRef pieces_points(struct emitter *e, const struct access_rows *r) {
    LLVMTypeRef type = e->c->scalar[e->inst->type];
    LLVMValueRef all = LLVMGetPoison(e->c->vector[e->inst->type]), pick[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP / r->lanes; n++) {
        LLVMValueRef one = access_plain(e, type, r->at[n]);
        all = LLVMBuildInsertElement(e->b, all, one, emit_word(e, n), "");
    }
    for (unsigned i = 0; i < ISA_WARP; i++) pick[i] = emit_word(e, i / r->lanes);
    return value_shuffled(e, all, NULL, pick, ISA_WARP);
}

void pieces_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    LLVMValueRef on = p->full ? NULL : emit_mask(e, w);
    for (unsigned c = 0; c < e->inst->count; c++) {
        struct access_rows r = {.lanes = p->lanes, .down = p->stride < 0};
        for (unsigned n = 0; n < ISA_WARP / p->lanes; n++) {
            int64_t by = (int64_t)e->inst->imm + c * p->size + lowest(p);
            r.at[n] = access_host(e, access_piece(e, p, n), by);
            if (!p->full) r.on[n] = value_part(e, on, p->lanes, n);
        }
        if (p->class == ACCESS_POINTS)
            v[c] = pieces_points(e, &r);
        else
            pieces_rows(e, &r, &v[c]);
    }
}

/* Lanes of a row, from the strip's first. */
void pieces_strip(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    struct warp_value at = value_read(e, isa_srcs(e->k, i)[0], w);
    LLVMValueRef mask = emit_full(e) ? NULL : emit_mask(e, w);
    LLVMValueRef host = access_host(e, value_first(e, &at), i->imm);
    LLVMValueRef v = access_row(e, e->c->vector[i->type], host, mask);
    value_write(e, isa_dsts(e->k, i)[0], w, value_of(KIND_VARYING, (enum isa_type)i->type, v));
}

/* ---- further apart ---- */

bool pieces_strided_fits(const struct emitter *e, const struct access_plan *p) {
    const struct isa_inst *i = e->inst;
    bool store = i->op == ISA_st;
    if (!p->lanes) return false;
    if (plan_off(e->plan, PLAN_strided) || i->flags & ISA_VOLATILE || !p->stride ||
        p->stride > MOST_BYTES || p->stride < -MOST_BYTES || p->stride % (int32_t)p->size)
        return false;
    unsigned step = step_of(p);
    if (step == 1) return i->count == 1 && !p->full && !pieces_masked(e);
    if (store && (!pieces_masked(e) || step > MOST_STEP)) return step == i->count;
    if (p->size < 4 && step > MOST_STEP) return false;
    return step >= i->count && step <= MOST_UNUSED * i->count;
}

/* Components of `lanes` lanes from an address on: two loads, of which the second ends with the last
 * byte that is used. */
static void load_piece(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef at,
                       unsigned lanes, LLVMValueRef *v) {
    unsigned count = e->inst->count, step = step_of(p), n = lanes / 2 * step;
    unsigned unused = step - count;
    int64_t first = e->inst->imm + lowest(p), second = first + (int64_t)(n - unused) * p->size;
    LLVMTypeRef type = elements(e, n);
    LLVMValueRef low = access_plain(e, type, access_host(e, at, first));
    LLVMValueRef high = access_plain(e, type, access_host(e, at, second));
    if (p->full && lanes == ISA_WARP && !unused && p->stride > 0) {
        e->whole[w].inst = e->i + 1;
        e->whole[w].half[0] = low;
        e->whole[w].half[1] = high;
    }
    for (unsigned c = 0; c < count; c++) {
        LLVMValueRef pick[ISA_WARP];
        for (unsigned at = 0; at < lanes; at++)
            pick[lane_at(p, at)] = emit_word(e, at * step + c + (at < lanes / 2 ? 0 : unused));
        v[c] = value_shuffled(e, low, high, pick, lanes);
    }
}

/* Vectors one behind the other, with undefined ones up to a power of two. */
static LLVMValueRef chain(struct emitter *e, LLVMValueRef *v, unsigned count, unsigned lanes) {
    for (; count > 1; count = (count + 1) / 2, lanes *= 2)
        for (unsigned c = 0; c < count; c += 2) {
            LLVMValueRef next = c + 1 < count ? v[c + 1] : LLVMGetPoison(LLVMTypeOf(v[c]));
            v[c / 2] = value_picked(e, v[c], next, 0, 1, 2 * lanes);
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
        for (unsigned c = 0; c < i->count; c++)
            if (isa_writes(k, between, isa_srcs(k, i)[1 + c])) return NULL;
    }
    return value_picked(e, e->whole[w].half[0], e->whole[w].half[1], 0, 1, i->count * ISA_WARP);
}

/* Words are stored one by one where the CPU does that faster than vectors under masks. */
static bool one_by_one(const struct emitter *e, const struct access_plan *p, unsigned lanes) {
    const struct opcosts *costs = opcosts_of(e->request->level);
    unsigned words = lanes * e->inst->count, bytes = lanes * step_of(p) * p->size;
    return step_of(p) > e->inst->count && words < bytes / (4 * costs->lanes) * costs->masked;
}

static void store_words(struct emitter *e, const struct access_plan *p, LLVMValueRef at,
                        unsigned lanes, LLVMValueRef *v) {
    for (unsigned n = 0; n < lanes; n++)
        for (unsigned c = 0; c < e->inst->count; c++) {
            LLVMValueRef word = LLVMBuildExtractElement(e->b, v[c], emit_word(e, n), "");
            int64_t by = (int64_t)e->inst->imm + (int64_t)n * p->stride + (int64_t)c * p->size;
            access_mark(e, LLVMBuildStore(e->b, word, access_host(e, at, by)));
        }
}

/* Component by component in, lane by lane out. */
static void store_piece(struct emitter *e, const struct access_plan *p, LLVMValueRef at,
                        unsigned lanes, LLVMValueRef *v) {
    unsigned count = e->inst->count, step = step_of(p), size = step * lanes;
    if (one_by_one(e, p, lanes)) {
        store_words(e, p, at, lanes, v);
        return;
    }
    LLVMValueRef pick[16 * ISA_WARP], used[16 * ISA_WARP], all = chain(e, v, count, lanes);
    for (unsigned n = 0; n < size; n++) {
        bool use = n % step < count;
        pick[n] =
            use ? emit_word(e, n % step * lanes + lane_at(p, n / step)) : LLVMGetUndef(e->c->word);
        used[n] = LLVMConstInt(e->c->scalar[ISA_PRED], use, false);
    }
    all = value_shuffled(e, all, NULL, pick, size);
    access_put_row(e, all, access_host(e, at, e->inst->imm + lowest(p)),
                   step == count ? NULL : LLVMConstVector(used, size));
}

static void move_wide(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    unsigned pieces = ISA_WARP / p->lanes, count = e->inst->count;
    LLVMValueRef part[ACCESS_PIECES][16], parts[ACCESS_PIECES];
    bool load = e->inst->op == ISA_ld;
    for (unsigned n = 0; n < pieces; n++) {
        LLVMValueRef at = access_piece(e, p, n);
        for (unsigned c = 0; !load && c < count; c++)
            part[n][c] = pieces == 1 ? v[c] : value_part(e, v[c], p->lanes, n);
        if (load)
            load_piece(e, p, w, at, p->lanes, part[n]);
        else
            store_piece(e, p, at, p->lanes, part[n]);
    }
    for (unsigned c = 0; load && c < count; c++) {
        for (unsigned n = 0; n < pieces; n++) parts[n] = part[n][c];
        v[c] = value_whole(e, parts, p->lanes);
    }
}

/* ---- further apart, some lanes off ---- */

/* Words under a mask, each by its lane's bit, where each piece's first address is known whichever
 * lanes are on. The CPU passes over vectors under masks faster than over lanes one by one. */
static bool fits_masked(const struct emitter *e, const struct access_plan *p) {
    unsigned step = step_of(p), lanes = opcosts_of(e->request->level)->lanes;
    unsigned vectors = ISA_WARP * step / lanes, each = 2 * ISA_WARP * e->inst->count;
    if (p->size != 4 || p->at.kind == KIND_VARYING || step > MOST_MASKED || !pieces_masked(e))
        return false;
    return e->inst->op == ISA_ld || vectors * opcosts_of(e->request->level)->masked < each;
}

/* Of the words from a half-warp's lowest to its highest, those that are accessed. */
static LLVMValueRef used_words(struct emitter *e, const struct access_plan *p, unsigned half,
                               LLVMValueRef on) {
    LLVMValueRef pick[HALF * MOST_MASKED], used[HALF * MOST_MASKED];
    unsigned step = step_of(p), size = HALF * step;
    for (unsigned n = 0; n < size; n++) {
        pick[n] = emit_word(e, half * HALF + (p->stride < 0 ? HALF - 1 - n / step : n / step));
        used[n] = LLVMConstInt(e->c->scalar[ISA_PRED], n % step < e->inst->count, false);
    }
    on = value_shuffled(e, on, NULL, pick, size);
    return step == e->inst->count ? on : LLVMBuildAnd(e->b, on, LLVMConstVector(used, size), "");
}

/* Where they begin. */
static LLVMValueRef half_at(struct emitter *e, const struct access_plan *p, unsigned half) {
    unsigned first = half * HALF;
    int64_t by = (int64_t)(first % p->lanes) * p->stride;
    if (p->stride < 0) by += (int64_t)(HALF - 1) * p->stride;
    return access_host(e, access_piece(e, p, first / p->lanes), by + e->inst->imm);
}

static void load_masked(struct emitter *e, const struct access_plan *p, unsigned w,
                        LLVMValueRef *v) {
    LLVMValueRef part[2], on = emit_mask(e, w), pick[HALF], parts[16][2];
    unsigned step = step_of(p);
    for (unsigned h = 0; h < 2; h++) {
        part[h] =
            access_row(e, elements(e, HALF * step), half_at(e, p, h), used_words(e, p, h, on));
        for (unsigned c = 0; c < e->inst->count; c++) {
            for (unsigned n = 0; n < HALF; n++)
                pick[p->stride < 0 ? HALF - 1 - n : n] = emit_word(e, n * step + c);
            parts[c][h] = value_shuffled(e, part[h], NULL, pick, HALF);
        }
    }
    for (unsigned c = 0; c < e->inst->count; c++) v[c] = value_joined(e, parts[c][0], parts[c][1]);
}

static void store_masked(struct emitter *e, const struct access_plan *p, unsigned w,
                         const LLVMValueRef *v) {
    LLVMValueRef on = emit_mask(e, w), pick[HALF * MOST_MASKED], part[16];
    unsigned step = step_of(p), size = HALF * step;
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned c = 0; c < e->inst->count; c++) part[c] = value_half(e, v[c], h);
        LLVMValueRef all = chain(e, part, e->inst->count, HALF);
        for (unsigned n = 0; n < size; n++) {
            unsigned lane = p->stride < 0 ? HALF - 1 - n / step : n / step;
            pick[n] = n % step < e->inst->count ? emit_word(e, n % step * HALF + lane)
                                                : LLVMGetUndef(e->c->word);
        }
        access_put_row(e, value_shuffled(e, all, NULL, pick, size), half_at(e, p, h),
                       used_words(e, p, h, on));
    }
}

void pieces_strided(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    const struct isa_inst *i = e->inst;
    bool load = i->op == ISA_ld;
    bool dense = p->at.kind == KIND_LINEAR && p->stride == (int32_t)(i->count * p->size);
    LLVMValueRef all = !load && p->full && dense ? found(e, w) : NULL;
    struct ways y = {0};
    emit_tell(e, PLAN_strided,
              load ? "vectors, from which lanes are picked" : "vectors, into which lanes are put");
    if (load) e->whole[w].inst = 0;
    if (all) {
        access_put_row(e, all, access_host(e, p->at.v[0], i->imm), NULL);
        return;
    }
    if (p->full) {
        move_wide(e, p, w, v);
        return;
    }
    LLVMValueRef address = value_vector(e, &p->at);
    ways_if(e, &y, masks_all(e, w), "all");
    move_wide(e, p, w, v);
    ways_else(e, &y, v, load ? i->count : 0);
    if (!fits_masked(e, p))
        scattered_move(e, address, w, v);
    else if (load)
        load_masked(e, p, w, v);
    else
        store_masked(e, p, w, v);
    ways_end(e, &y, v, load ? i->count : 0);
}
