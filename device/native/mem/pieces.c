/* Lanes that follow one another at an even distance, up or down, by pieces: in rows, at one point,
 * or further apart, each with one or more components. Of those what lies between the first and the
 * last byte is loaded at once and sorted by shuffles, and stored at once, under a mask where it
 * leaves gaps. A gap is smaller than a page, so that no page is touched that the lanes do not
 * touch; that takes all lanes to be on, which is looked at when it is not known: where some are
 * off, words are moved under masks. Where stores under masks are slow, what leaves gaps is stored
 * word by word. */
#include "device/native/mem/accesses.h"
#include "device/costs/opcosts.h"
#include "device/native/value.h"

enum { MOST_BYTES = 128, MOST_UNUSED = 4 }; /* stride; elements passed over for one that is used */
/* Elements from lane to lane, of a store with gaps and of what is narrower than a word: shuffles of
 * vectors of 880 bytes took the code generator a minute and a half. */
enum { MOST_STEP = 16 };
enum { MOST_MASKED = 4 /* words from lane to lane, under masks */ };

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
    return value_picked(e->b, v, NULL, (int)lanes - 1, -1, lanes);
}

/* ---- rows and points ---- */

void pieces_rows(struct emitter *e, const struct access_rows *r, LLVMValueRef *v) {
    LLVMTypeRef type = elements(e, r->lanes);
    LLVMValueRef parts[ACCESS_PIECES];
    bool load = e->inst->op == ISA_ld;
    for (unsigned n = 0; n < ISA_WARP / r->lanes; n++) {
        parts[n] = LLVMConstNull(type);
        if (!r->at[n]) continue;
        LLVMValueRef on = r->on[n] && r->down ? turned(e, r->on[n], r->lanes) : r->on[n];
        LLVMValueRef part =
            load ? access_row(e, type, r->at[n], on) : value_part(e->b, *v, r->lanes, n);
        parts[n] = r->down ? turned(e, part, r->lanes) : part;
        if (!load) access_put_row(e, parts[n], r->at[n], on);
    }
    if (load) *v = value_whole(e, parts, r->lanes);
}

LLVMValueRef pieces_points(struct emitter *e, const struct access_rows *r) {
    LLVMTypeRef type = e->c->scalar[e->inst->type];
    LLVMValueRef all = LLVMGetPoison(e->c->vector[e->inst->type]);
    uint32_t from[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP / r->lanes; n++) {
        LLVMValueRef one = access_plain(e, type, r->at[n]);
        all = LLVMBuildInsertElement(e->b, all, one, emit_word(e, n), "");
    }
    for (unsigned i = 0; i < ISA_WARP; i++) from[i] = i / r->lanes;
    return value_shuffled(e->b, all, NULL, from, ISA_WARP);
}

void pieces_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    LLVMValueRef on = p->full ? NULL : emit_mask(e, w);
    for (unsigned c = 0; c < e->inst->count; c++) {
        struct access_rows r = {.lanes = p->lanes, .down = p->stride < 0};
        for (unsigned n = 0; n < ISA_WARP / p->lanes; n++) {
            int64_t by = (int64_t)e->inst->imm + c * p->size + lowest(p);
            r.at[n] = access_host(e, access_piece(e, p, n), by);
            if (!p->full) r.on[n] = value_part(e->b, on, p->lanes, n);
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
    value_result(e, 0, w, access_row(e, e->c->vector[i->type], host, mask));
}

/* ---- further apart ---- */

bool pieces_strided_fits(const struct emitter *e, const struct access_plan *p) {
    const struct isa_inst *i = e->inst;
    bool store = i->op == ISA_st;
    if (!p->lanes) return false;
    if (plan_off(e->plan, PLAN_strided) || !p->stride || p->stride > MOST_BYTES ||
        p->stride < -MOST_BYTES || p->stride % (int32_t)p->size)
        return false;
    unsigned step = step_of(p);
    /* What is watched is accessed once, and nothing between: that is stored under a mask. */
    bool dense = step == i->count && p->full;
    if (isa_is_watched(i) && !dense && !(pieces_masked(e) && (store || step == i->count)))
        return false;
    if (step == 1) return i->count == 1 && !p->full && !pieces_masked(e);
    if (store && (!pieces_masked(e) || step > MOST_STEP)) return step == i->count;
    if (p->size < 4 && step > MOST_STEP) return false;
    return step >= i->count && step <= MOST_UNUSED * i->count;
}

/* Of the elements from the lowest lane to the highest, those that are accessed; on: lanes that are,
 * NULL: all. NULL: all elements. */
static LLVMValueRef used_elements(struct emitter *e, const struct access_plan *p, LLVMValueRef on) {
    LLVMValueRef used[16 * ISA_WARP];
    uint32_t from[16 * ISA_WARP];
    unsigned step = step_of(p), size = step * p->lanes;
    for (unsigned n = 0; n < size; n++) {
        bool uses = n % step < e->inst->count;
        from[n] = uses ? lane_at(p, n / step) : p->lanes; /* none beyond the last */
        used[n] = LLVMConstInt(e->c->scalar[ISA_PRED], uses, false);
    }
    if (on) return value_shuffled(e->b, on, LLVMConstNull(LLVMTypeOf(on)), from, size);
    return step == e->inst->count ? NULL : LLVMConstVector(used, size);
}

/* Components of a piece's lanes, under a mask or by two loads, of which the second ends with the
 * last byte that is used. */
static void load_piece(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef at,
                       LLVMValueRef on, LLVMValueRef *v) {
    unsigned count = e->inst->count, step = step_of(p), lanes = p->lanes, n = lanes / 2 * step;
    unsigned unused = on ? 0 : step - count;
    int64_t first = e->inst->imm + lowest(p), second = first + (int64_t)(n - unused) * p->size;
    LLVMTypeRef type = elements(e, on ? 2 * n : n);
    LLVMValueRef mask = on ? used_elements(e, p, on) : NULL;
    LLVMValueRef low = access_row(e, type, access_host(e, at, first), mask);
    LLVMValueRef high = on ? NULL : access_plain(e, type, access_host(e, at, second));
    if (p->full && lanes == ISA_WARP && !unused && p->stride > 0) {
        e->whole[w].inst = e->i + 1;
        e->whole[w].half[0] = low;
        e->whole[w].half[1] = high;
    }
    for (unsigned c = 0; c < count; c++) {
        uint32_t from[ISA_WARP];
        for (unsigned at = 0; at < lanes; at++)
            from[lane_at(p, at)] = at * step + c + (at < lanes / 2 ? 0 : unused);
        v[c] = value_shuffled(e->b, low, high, from, lanes);
    }
}

/* The components that are stored are those that a load has found side by side just before, as where
 * elements are copied: returns them so, or NULL. */
static LLVMValueRef found(struct emitter *e, unsigned w) {
    const struct isa_kernel *k = e->k;
    const struct isa_inst *i = e->inst;
    uint32_t n = e->whole[w].inst;
    if (!n || n > e->i || k->insts[n - 1].count != i->count || k->insts[n - 1].type != i->type)
        return NULL;
    for (unsigned c = 0; c < i->count; c++) {
        isa_operand o = isa_srcs(k, i)[1 + c];
        if (o != isa_dsts(k, &k->insts[n - 1])[c] || isa_writes_between(k, o, n, e->i)) return NULL;
    }
    for (; n < e->i; n++)
        if (isa_op_info[k->insts[n].op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)) return NULL;
    return value_picked(e->b, e->whole[w].half[0], e->whole[w].half[1], 0, 1, i->count * ISA_WARP);
}

/* Words are stored one by one where the CPU does that faster than vectors under masks. */
static bool one_by_one(const struct emitter *e, const struct access_plan *p) {
    const struct opcosts *costs = opcosts_of(e->request->level);
    unsigned words = p->lanes * e->inst->count, bytes = p->lanes * step_of(p) * p->size;
    return step_of(p) > e->inst->count && words < bytes / (4 * costs->lanes) * costs->masked;
}

static void store_words(struct emitter *e, const struct access_plan *p, LLVMValueRef at,
                        LLVMValueRef *v) {
    for (unsigned n = 0; n < p->lanes; n++)
        for (unsigned c = 0; c < e->inst->count; c++) {
            LLVMValueRef word = LLVMBuildExtractElement(e->b, v[c], emit_word(e, n), "");
            int64_t by = (int64_t)e->inst->imm + (int64_t)n * p->stride + (int64_t)c * p->size;
            access_mark(e, LLVMBuildStore(e->b, word, access_host(e, at, by)));
        }
}

/* Component by component in, lane by lane out. */
static void store_piece(struct emitter *e, const struct access_plan *p, LLVMValueRef at,
                        LLVMValueRef on, LLVMValueRef *v) {
    unsigned count = e->inst->count, step = step_of(p), lanes = p->lanes, size = step * lanes;
    if (!on && one_by_one(e, p)) {
        store_words(e, p, at, v);
        return;
    }
    LLVMValueRef all = value_chain(e->b, v, count, lanes);
    uint32_t from[16 * ISA_WARP];
    for (unsigned n = 0; n < size; n++)
        from[n] = n % step < count ? n % step * lanes + lane_at(p, n / step) : UINT32_MAX;
    access_put_row(e, value_shuffled(e->b, all, NULL, from, size),
                   access_host(e, at, e->inst->imm + lowest(p)), used_elements(e, p, on));
}

/* on: lanes that are, NULL: all. */
static void move_wide(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef on,
                      LLVMValueRef *v) {
    unsigned pieces = ISA_WARP / p->lanes, count = e->inst->count;
    LLVMValueRef part[ACCESS_PIECES][16], parts[ACCESS_PIECES];
    bool load = e->inst->op == ISA_ld;
    for (unsigned n = 0; n < pieces; n++) {
        LLVMValueRef at = access_piece(e, p, n),
                     own = on ? value_part(e->b, on, p->lanes, n) : NULL;
        for (unsigned c = 0; !load && c < count; c++)
            part[n][c] = pieces == 1 ? v[c] : value_part(e->b, v[c], p->lanes, n);
        if (load)
            load_piece(e, p, w, at, own, part[n]);
        else
            store_piece(e, p, at, own, part[n]);
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

/* By half-warps: masks of more elements LLVM takes apart. */
static void move_masked(struct emitter *e, const struct access_plan *p, unsigned w,
                        LLVMValueRef *v) {
    struct access_plan halves = *p;
    halves.lanes = ISA_WARP / 2;
    halves.at.kind = KIND_HALVES;
    for (unsigned h = 0; h < 2; h++) halves.at.v[h] = value_piece(e, &p->at, h);
    move_wide(e, &halves, w, emit_mask(e, w), v);
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
    if (all)
        access_put_row(e, all, access_host(e, p->at.v[0], i->imm), NULL);
    else if (p->full)
        move_wide(e, p, w, NULL, v);
    if (p->full) return;
    LLVMValueRef address = value_vector(e, &p->at);
    ways_if(e, &y, masks_all(e, w), "all");
    move_wide(e, p, w, NULL, v);
    ways_else(e, &y, v, load ? i->count : 0);
    if (fits_masked(e, p))
        move_masked(e, p, w, v);
    else
        scattered_move(e, address, w, v);
    ways_end(e, &y, v, load ? i->count : 0);
}
