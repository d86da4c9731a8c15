/* Counting is done where the code is: each counter is a variable of the function, which LLVM keeps
 * in a register or makes a product of the iterations, and is added to memory when the function
 * returns. Addresses are counted by where lanes begin, or noted; all else is a call. */
#include "device/native/instructions.h"

#include "device/native/mem/accesses.h"
#include "device/native/value.h"

/* Of the cursor's probe. */
static uint32_t constant(const struct emitter *e, unsigned source) {
    return isa_probe_constant(e->k, e->inst, source);
}

static LLVMValueRef in_memory(struct emitter *e, uint32_t counter) {
    LLVMValueRef all = emit_of_run(e, counters, e->c->pointer);
    return emit_element(e, e->c->wide, all, emit_word(e, counter));
}

static void add_to(struct emitter *e, LLVMValueRef at, LLVMValueRef value) {
    LLVMValueRef sum = LLVMBuildAdd(e->b, LLVMBuildLoad2(e->b, e->c->wide, at, ""), value, "");
    LLVMBuildStore(e->b, sum, at);
}

void probes_begin(struct emitter *e) {
    uint32_t count = isa_probe_counters(e->k);
    if (count > EMIT_COUNTERS) return;
    for (uint32_t n = 0; n < count; n++) {
        e->c->counters[n] = emit_alloca(e, e->c->wide, "counter");
        LLVMBuildStore(e->c->entry_end, LLVMConstNull(e->c->wide), e->c->counters[n]);
        e->c->ncounters++;
    }
}

void probes_end(struct emitter *e) {
    for (uint32_t n = 0; n < e->c->ncounters; n++)
        add_to(e, in_memory(e, n), LLVMBuildLoad2(e->b, e->c->wide, e->c->counters[n], ""));
}

static void count(struct emitter *e, uint32_t counter, LLVMValueRef value) {
    add_to(e, e->c->ncounters ? e->c->counters[counter] : in_memory(e, counter),
           LLVMBuildZExt(e->b, value, e->c->wide, ""));
}

/* A warp without lanes does not get here, but with others at its side it may, or where all of a
 * switch is done at once. */
static LLVMValueRef one_warp(struct emitter *e, unsigned w) {
    if (emit_full(e) || !emit_many(e)) return emit_word(e, 1);
    return masks_any(e, emit_mask(e, w));
}

/* Whether lanes go both ways; NULL: they do not. */
static LLVMValueRef splits(struct emitter *e, unsigned w) {
    struct warp_value p = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    if (p.kind == KIND_UNIFORM) return NULL;
    LLVMValueRef mask = emit_mask(e, w), holds = value_vector(e, &p);
    LLVMValueRef on = masks_any(e, masks_and(e, mask, holds)),
                 off = masks_any(e, masks_without(e, mask, holds));
    return LLVMBuildAnd(e->b, on, off, "");
}

/* ---- addresses ---- */

/* A call with an address, which is what most are. */
static void tell_call(struct emitter *e, unsigned w) {
    LLVMValueRef at = assisted_buffer(e, 0);
    LLVMBuildStore(e->b, value_read_vector(e, isa_srcs(e->k, e->inst)[0], w), at);
    LLVMValueRef args[] = {e->c->run, emit_number(e), e->c->warp[w], emit_mask_bits(e, w), at};
    emit_call(e, emit_of_run(e, tell, e->c->pointer), args, 5);
}

static LLVMValueRef word_at(struct emitter *e, LLVMValueRef own, size_t offset) {
    return LLVMBuildLoad2(e->b, e->c->word, emit_inside(e, own, (int64_t)offset), "");
}

/* So far into the notes at `place`. */
static LLVMValueRef in_notes(struct emitter *e, uint32_t place, size_t offset) {
    LLVMValueRef all = emit_of_run(e, notes, e->c->pointer);
    return emit_inside(e, all, (int64_t)(place * sizeof(struct isa_notes) + offset));
}

/* Element n of those that begin at an offset. */
static LLVMValueRef element(struct emitter *e, LLVMValueRef own, size_t offset, LLVMTypeRef type,
                            LLVMValueRef n) {
    return emit_element(e, type, emit_inside(e, own, offset), n);
}

/* One more where the warp has a lane: where they are `most` `full` is called. */
static void one_more(struct emitter *e, unsigned w, LLVMValueRef count, LLVMValueRef n,
                     uint32_t most, LLVMValueRef full, LLVMValueRef *args, unsigned nargs) {
    struct ways y = {0};
    LLVMValueRef one = emit_full(e) ? emit_word(e, 1) : masks_any(e, emit_mask(e, w));
    n = LLVMBuildAdd(e->b, n, LLVMBuildZExt(e->b, one, e->c->word, ""), "");
    LLVMBuildStore(e->b, n, count);
    ways_rarely(e, &y, emit_compare(e, LLVMIntEQ, n, most), "noted");
    emit_call(e, full, args, nargs);
    ways_else(e, &y, NULL, 0);
    ways_end(e, &y, NULL, 0);
}

/* Address and mask are kept at `place`; of a warp without lanes the next one takes the room. */
static void note(struct emitter *e, unsigned w, uint32_t place) {
    LLVMTypeRef type = e->c->vector[ISA_I32];
    LLVMValueRef lanes = value_read_vector(e, isa_srcs(e->k, e->inst)[0], w);
    LLVMValueRef own = in_notes(e, place, 0);
    LLVMValueRef count = emit_inside(e, own, offsetof(struct isa_notes, count));
    LLVMValueRef n = LLVMBuildLoad2(e->b, e->c->word, count, "");
    LLVMValueRef index = LLVMBuildZExt(e->b, n, e->c->wide, "");
    LLVMValueRef at = element(e, own, offsetof(struct isa_notes, addresses), type, index);
    value_put(e, lanes, at, sizeof(uint32_t) * ISA_WARP);
    at = element(e, own, offsetof(struct isa_notes, masks), e->c->word, index);
    LLVMBuildStore(e->b, emit_mask_bits(e, w), at);
    LLVMValueRef args[] = {e->c->run, emit_word(e, place)};
    one_more(e, w, count, n, ISA_NOTES, emit_of_run(e, noted, e->c->pointer), args, 2);
}

/* What is one for all lanes that are on. */
static LLVMValueRef one_for_all(struct emitter *e, isa_operand o, unsigned w) {
    struct warp_value v = value_read(e, o, w);
    LLVMValueRef one;
    if (v.kind == KIND_UNIFORM) return v.v[0];
    scattered_same(e, value_vector(e, &v), w, &one);
    return one;
}

/* An image read, likewise, behind all others. */
static void note_read(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    const isa_operand *src = isa_srcs(e->k, i);
    LLVMValueRef all = emit_of_run(e, reads, e->c->pointer);
    LLVMValueRef count = emit_inside(e, all, offsetof(struct isa_reads, count));
    LLVMValueRef n = LLVMBuildLoad2(e->b, e->c->word, count, "");
    LLVMTypeRef type = LLVMArrayType2(e->c->scalar[ISA_I8], sizeof(struct isa_read));
    LLVMValueRef own = element(e, all, offsetof(struct isa_reads, of), type,
                               LLVMBuildZExt(e->b, n, e->c->wide, ""));
    const struct {
        size_t at;
        LLVMValueRef value;
    } words[] = {{offsetof(struct isa_read, call), emit_word(e, (uint32_t)i->imm)},
                 {offsetof(struct isa_read, warp), e->c->warp[w]},
                 {offsetof(struct isa_read, mask), emit_mask_bits(e, w)},
                 {offsetof(struct isa_read, image), one_for_all(e, src[0], w)},
                 {offsetof(struct isa_read, sampler), one_for_all(e, src[1], w)}};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        LLVMBuildStore(e->b, words[k].value, emit_inside(e, own, words[k].at));
    for (unsigned d = 2; d < i->nsrc; d++) {
        LLVMValueRef to = emit_inside(e, own, (d - 2) * sizeof(uint32_t) * ISA_WARP);
        value_put(e, value_read_vector(e, src[d], w), to, sizeof(uint32_t) * ISA_WARP);
    }
    one_more(e, w, count, n, ISA_READS, emit_of_run(e, read, e->c->pointer), &e->c->run, 1);
}
_Static_assert(offsetof(struct isa_read, at) == 0, "coordinates come first");

static bool tells_address(const struct emitter *e) {
    const struct isa_inst *i = e->inst;
    return i->nsrc == 1 && isa_operand_type(e->k, isa_srcs(e->k, i)[0]) == ISA_I32;
}

/* In which bin an address is. */
static LLVMValueRef bin_of(struct emitter *e, LLVMValueRef address) {
    uint32_t bins = constant(e, ISA_BINS_COUNT), granule = constant(e, ISA_BINS_GRANULE);
    if (bins == 1) return emit_word(e, 0);
    LLVMValueRef by = emit_word(e, constant(e, ISA_BINS_DISPLACEMENT));
    LLVMValueRef n = LLVMBuildAdd(e->b, address, by, "");
    n = LLVMBuildLShr(e->b, n, emit_word(e, (uint32_t)__builtin_ctz(granule)), "");
    return LLVMBuildURem(e->b, n, emit_word(e, bins), "");
}

static void count_bin(struct emitter *e, LLVMValueRef bin) {
    LLVMValueRef n = LLVMBuildZExt(e->b, bin, e->c->wide, "");
    LLVMValueRef first = in_memory(e, (uint32_t)e->inst->imm);
    add_to(e, emit_element(e, e->c->wide, first, n), LLVMConstInt(e->c->wide, 1, false));
}

static struct warp_value address_of(struct emitter *e, unsigned w) {
    return value_read(e, isa_srcs(e->k, e->inst)[ISA_BINS_ADDRESS], w);
}

/* What lanes do that are all on. */
static void count_all(struct emitter *e, unsigned w) {
    struct warp_value v = address_of(e, w);
    for (unsigned half = 0; half < (constant(e, ISA_BINS_HALVES) ? 2u : 1u); half++) {
        if (constant(e, ISA_BINS_COUNT) == 1)
            count(e, (uint32_t)e->inst->imm, emit_word(e, 1));
        else
            count_bin(e, bin_of(e, value_piece(e, &v, half)));
    }
}

/* Which of each `lanes` lanes have one that is on: a bit for each of these. */
static LLVMValueRef combination(struct emitter *e, LLVMValueRef mask, uint32_t lanes) {
    const uint32_t spread = lanes == ISA_WARP / 4 ? 0x01010101 : 0x00010001;
    for (uint32_t by = lanes / 2; by; by /= 2)
        mask = LLVMBuildOr(e->b, mask, LLVMBuildLShr(e->b, mask, emit_word(e, by), ""), "");
    mask = LLVMBuildAnd(e->b, mask, emit_word(e, spread), "");
    /* Bit n * lanes is moved to bit 24 + n, others to lower ones or out. */
    uint32_t factor = 0;
    for (uint32_t n = 0; n < ISA_WARP / lanes; n++) factor |= 1u << (24 + n - n * lanes);
    mask = LLVMBuildMul(e->b, mask, emit_word(e, factor), "");
    return LLVMBuildLShr(e->b, mask, emit_word(e, 24), "");
}

/* ---- lanes of which some are off ---- */

/* Of each half-warp which lanes are on, the first of them, and where it begins; one for the warp
 * where that is evenly spaced. */
struct lane_part {
    LLVMValueRef on, first, begin;
};

static unsigned parts_of(struct emitter *e, unsigned w, struct lane_part parts[2]) {
    bool guess = constant(e, ISA_BINS_GUESS), halves = constant(e, ISA_BINS_HALVES);
    struct warp_value v = address_of(e, w);
    LLVMValueRef mask = emit_mask_bits(e, w), lanes = NULL;
    if (guess) {
        lanes = assisted_buffer(e, 0);
        LLVMBuildStore(e->b, value_vector(e, &v), lanes);
    }
    for (unsigned h = 0; h < (halves ? 2u : 1u); h++) {
        struct lane_part *p = &parts[h];
        p->on = mask;
        if (h) p->on = LLVMBuildLShr(e->b, mask, emit_word(e, ISA_WARP / 2), "");
        if (halves && !h) p->on = LLVMBuildAnd(e->b, mask, emit_word(e, 0xffff), "");
        /* Of none some lane. */
        LLVMValueRef any = LLVMBuildOr(e->b, p->on, emit_word(e, halves ? 1u << 15 : 1u << 31), "");
        p->first = emit_lowest_bit(e, any);
        if (guess) {
            LLVMValueRef n = LLVMBuildAdd(e->b, p->first, emit_word(e, h * ISA_WARP / 2), "");
            n = emit_element(e, e->c->word, lanes, n);
            p->begin = LLVMBuildLoad2(e->b, e->c->word, n, "");
        } else {
            LLVMValueRef stride = emit_word(e, constant(e, ISA_BINS_STRIDE));
            p->begin = LLVMBuildMul(e->b, p->first, stride, "");
            p->begin = LLVMBuildAdd(e->b, p->begin, value_piece(e, &v, h), "");
        }
    }
    return halves ? 2 : 1;
}

/* Whether the lanes that are on are as evenly spaced as was guessed. */
static LLVMValueRef evenly(struct emitter *e, unsigned w, const struct lane_part parts[2]) {
    struct warp_value v = address_of(e, w);
    uint32_t stride = constant(e, ISA_BINS_STRIDE);
    LLVMValueRef starts[2], base;
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef back = LLVMBuildMul(e->b, parts[h].first, emit_word(e, stride), "");
        back = LLVMBuildSub(e->b, parts[h].begin, back, "");
        starts[h] = value_half(e, emit_splat(e, back), h);
    }
    dense_misfits(e, value_vector(e, &v), ISA_WARP / 2, stride, &base);
    LLVMValueRef even = value_joined(e, starts[0], starts[1]);
    LLVMValueRef odd = LLVMBuildICmp(e->b, LLVMIntNE, base, even, "");
    return LLVMBuildNot(e->b, masks_any(e, masks_and(e, odd, emit_mask(e, w))), "");
}

/* The row of what a part does, and whether it is there; a part without lanes has it. */
static LLVMValueRef row_of(struct emitter *e, const struct lane_part *p, LLVMValueRef *there) {
    size_t rows = offsetof(struct isa_notes, rows);
    LLVMValueRef bin = bin_of(e, p->begin);
    LLVMValueRef n = LLVMBuildMul(e->b, p->on, emit_word(e, ISA_ROW_MASK), "");
    n = LLVMBuildXor(e->b, n, LLVMBuildMul(e->b, bin, emit_word(e, ISA_ROW_BIN), ""), "");
    n = LLVMBuildLShr(e->b, n, emit_word(e, ISA_ROW_SHIFT), "");
    n = LLVMBuildMul(e->b, n, emit_word(e, sizeof(struct isa_row)), "");
    n = LLVMBuildZExt(e->b, n, e->c->wide, "");
    LLVMValueRef row = emit_beyond(e, in_notes(e, constant(e, ISA_BINS_NOTES), rows), n);
    LLVMValueRef other =
        LLVMBuildXor(e->b, word_at(e, row, offsetof(struct isa_row, mask)), p->on, "");
    n = LLVMBuildXor(e->b, word_at(e, row, offsetof(struct isa_row, bin)), bin, "");
    other = LLVMBuildOr(e->b, n, other, "");
    *there = emit_compare(e, LLVMIntEQ, other, 0);
    LLVMValueRef none = emit_compare(e, LLVMIntEQ, p->on, 0);
    *there = LLVMBuildOr(e->b, *there, none, "");
    return emit_inside(e, row, offsetof(struct isa_row, times));
}

/* What some lanes do is counted in a row, or noted. */
static void count_some(struct emitter *e, unsigned w, LLVMBasicBlockRef other) {
    struct lane_part parts[2];
    LLVMValueRef rows[2], there[2];
    unsigned count = parts_of(e, w, parts);
    LLVMValueRef all = constant(e, ISA_BINS_GUESS) ? evenly(e, w, parts) : NULL;
    for (unsigned h = 0; h < count; h++) {
        rows[h] = row_of(e, &parts[h], &there[h]);
        all = all ? LLVMBuildAnd(e->b, all, there[h], "") : there[h];
    }
    emit_branch(e, all, NULL, other);
    for (unsigned h = 0; h < count; h++) {
        LLVMValueRef some = emit_compare(e, LLVMIntNE, parts[h].on, 0);
        add_to(e, rows[h], LLVMBuildZExt(e->b, some, e->c->wide, ""));
    }
}

/* Whether each half-warp is as evenly spaced as was guessed, where all lanes are on. */
static LLVMValueRef guessed_right(struct emitter *e, unsigned w) {
    struct warp_value v = address_of(e, w);
    uint32_t stride = constant(e, ISA_BINS_STRIDE);
    LLVMValueRef base;
    return masks_none(e, dense_misfits(e, value_vector(e, &v), ISA_WARP / 2, stride, &base));
}

/* Counters for combinations of lanes. */
static void count_lanes(struct emitter *e, unsigned w, LLVMBasicBlockRef other) {
    struct lane_part parts[2];
    if (constant(e, ISA_BINS_GUESS)) {
        parts_of(e, w, parts);
        emit_branch(e, evenly(e, w, parts), NULL, other);
    }
    count_bin(e, combination(e, emit_mask_bits(e, w), constant(e, ISA_BINS_LANES)));
}

/* What lanes do that are all on is counted; rows: what some do, too. */
static void count_starts(struct emitter *e, unsigned w, bool rows, LLVMBasicBlockRef other,
                         LLVMBasicBlockRef after) {
    bool partial = !emit_full(e);
    LLVMBasicBlockRef some = partial && rows ? emit_block(e, "some") : other;
    if (partial) emit_branch(e, masks_all(e, w), NULL, some);
    if (constant(e, ISA_BINS_GUESS)) emit_branch(e, guessed_right(e, w), NULL, other);
    count_all(e, w);
    if (some == other) return;
    emit_goto(e, after, some);
    count_some(e, w, other);
}

/* Whether a guess is worth its while. */
static LLVMValueRef may_be_even(struct emitter *e) {
    LLVMValueRef own = in_notes(e, constant(e, ISA_BINS_NOTES), 0);
    own = word_at(e, own, offsetof(struct isa_notes, scattered));
    return emit_compare(e, LLVMIntEQ, own, 0);
}

static void emit_bins(struct emitter *e, unsigned w) {
    uint32_t lanes = constant(e, ISA_BINS_LANES);
    bool guess = constant(e, ISA_BINS_GUESS);
    bool all = !guess && (lanes > 1 || emit_full(e));
    LLVMBasicBlockRef other = all ? NULL : emit_block(e, "note");
    LLVMBasicBlockRef after = all ? NULL : emit_block(e, "");
    if (guess) emit_branch(e, may_be_even(e), NULL, other);
    if (lanes > 1)
        count_lanes(e, w, other);
    else
        count_starts(e, w, lanes, other, after);
    if (all) return;
    emit_goto(e, after, other);
    note(e, w, constant(e, ISA_BINS_NOTES));
    emit_goto(e, after, after);
}

/* ---- guarded calls: an access is told of where a lane lies outside of bounds ---- */

/* Evenly spaced lanes are compared at their ends, which are fewer than 2^31 bytes apart, as bounds
 * are: what lies between both lies between these. */
enum { FURTHEST = 1 << 26 };

/* The second operand of a probe_guard. */
enum { GUARD_MOVES = 1 };

/* Bounds that move are looked up anew each time; of others what was read once will do. */
static LLVMValueRef bound(struct emitter *e, size_t field) {
    LLVMValueRef all = emit_of_run(e, guards, e->c->pointer);
    size_t place = (size_t)(uint32_t)e->inst->imm * sizeof(struct isa_guard) + field;
    LLVMValueRef bound = word_at(e, all, place);
    if (!(constant(e, 1) & GUARD_MOVES)) access_invariant(e, bound);
    return bound;
}

/* Whether one that begins there lies outside. */
static LLVMValueRef outside(struct emitter *e, LLVMValueRef begin, LLVMValueRef extent,
                            LLVMValueRef at) {
    LLVMValueRef from = LLVMBuildSub(e->b, at, begin, "");
    return LLVMBuildICmp(e->b, LLVMIntUGE, from, extent, "");
}

/* Both ends of lanes that are evenly spaced: of the warp, or of each half. */
static LLVMValueRef ends_outside(struct emitter *e, const struct warp_value *v, LLVMValueRef begin,
                                 LLVMValueRef extent) {
    bool halves = v->kind == KIND_HALVES;
    uint32_t steps = v->kind == KIND_UNIFORM ? 0 : (halves ? ISA_WARP / 2 : ISA_WARP) - 1;
    LLVMValueRef any = NULL;
    for (unsigned h = 0; h < (halves ? 2u : 1u); h++) {
        LLVMValueRef first = value_piece(e, v, h);
        LLVMValueRef one = outside(e, begin, extent, first);
        any = any ? LLVMBuildOr(e->b, any, one, "") : one;
        if (!steps || !v->stride) continue;
        LLVMValueRef last =
            LLVMBuildAdd(e->b, first, emit_word(e, steps * (uint32_t)v->stride), "");
        any = LLVMBuildOr(e->b, any, outside(e, begin, extent, last), "");
    }
    return any;
}

static bool is_even(const struct warp_value *v) {
    return v->kind != KIND_VARYING && v->stride < FURTHEST && v->stride > -FURTHEST;
}

/* Lane by lane: whether an active one lies outside. */
static LLVMValueRef lanes_outside(struct emitter *e, unsigned w, const struct warp_value *v,
                                  LLVMValueRef begin, LLVMValueRef extent) {
    LLVMValueRef lanes =
        outside(e, emit_splat(e, begin), emit_splat(e, extent), value_vector(e, v));
    return masks_any(e, emit_full(e) ? lanes : masks_and(e, emit_mask(e, w), lanes));
}

static void emit_guard(struct emitter *e, unsigned w) {
    struct warp_value v = value_read(e, isa_srcs(e->k, e->inst)[0], w);
    LLVMValueRef begin = bound(e, offsetof(struct isa_guard, begin)),
                 extent = bound(e, offsetof(struct isa_guard, extent));
    bool even = is_even(&v);
    LLVMValueRef any =
        even ? ends_outside(e, &v, begin, extent) : lanes_outside(e, w, &v, begin, extent);
    struct ways y = {0};
    ways_rarely(e, &y, any, "outside");
    if (even && !emit_full(e)) /* lanes that are off may lie anywhere */
        ways_and(e, &y, lanes_outside(e, w, &v, begin, extent), "beyond");
    tell_call(e, w);
    ways_else(e, &y, NULL, 0);
    ways_end(e, &y, NULL, 0);
}

static void emit_counts(struct emitter *e, unsigned w) {
    uint32_t counter = (uint32_t)e->inst->imm, which = e->inst->mod;
    if (which & ISA_COUNT_WARPS) count(e, counter++, one_warp(e, w));
    if (which & ISA_COUNT_LANES) count(e, counter++, masks_count(e, w));
    LLVMValueRef both = which & ISA_COUNT_SPLITS ? splits(e, w) : NULL;
    if (both) count(e, counter, both);
}

void probes_emit(struct emitter *e, unsigned w) {
    if (e->probes_later) return;
    switch (e->inst->op) {
    case ISA_probe_call: (tells_address(e) ? tell_call : assisted_emit)(e, w); break;
    case ISA_probe_guard: emit_guard(e, w); break;
    case ISA_probe_bins: emit_bins(e, w); break;
    case ISA_probe_read: note_read(e, w); break;
    case ISA_probe_note: note(e, w, (uint32_t)e->inst->imm); break;
    default: emit_counts(e, w);
    }
}

void probes_emit_later(struct emitter *e, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        struct emitter at = emit_at(e, n);
        at.probes_later = false;
        for (unsigned w = e->from; probes_is(at.inst) && w < e->to; w++) probes_emit(&at, w);
    }
}
