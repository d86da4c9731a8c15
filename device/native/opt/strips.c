/* Strips: a loop that holds more vectors than there are registers goes, all iterations of it, first
 * through some lanes of a warp, then through the next ones. What a warp keeps in vectors lies in
 * memory before and behind it.
 *
 * That is so for loops of which the strips' order cannot be told (device/analysis/striploops.h). A
 * strip's cursor has vectors of its own length (codegen.lanes) and registers of its own; registers
 * that are scalars begin each strip as they were before the loop. */
#include <string.h>

#include "device/analysis/striploops.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

bool strips_plan(struct plan *p) {
    enum native_level level = p->request->level;
    uint32_t fewest = opcosts_of(level)->lanes > 8 ? opcosts_of(level)->lanes : 8;
    const struct isa_kernel *k = p->k;
    struct vectorwork work = plan_work(p);
    uint8_t *of = p->strips.of = plan_of_instructions(p, 1), *taken = plan_of_instructions(p, 1);
    struct striploops_finder f = {.k = k,
                                  .shape = plan_shape(p),
                                  .live = &plan_get(p, liveness)->of,
                                  .taken = taken,
                                  .fused = level != NATIVE_BASELINE};
    if (plan_off(p, PLAN_strips)) return true;
    for (uint32_t n = 0; n < k->ninsts; n++)
        taken[n] = plan_get(p, guards)->of[n] || plan_get(p, serialised)->of[n].most ||
                   plan_get(p, row_loops)->of.test[n] || plan_get(p, addresses)->known.of[n] ||
                   plan_get(p, moved)->of[n];
    for (uint32_t n = 0; n < k->ninsts; n++) {
        /* Where lanes leave one by one masks hold up the vectors: more of them hide that. */
        if (k->insts[n].op != ISA_loop || plan_get(p, regions)->of.divergent[n]) continue;
        if (!striploops_fit(&f, n, k->insts[n].match)) continue;
        struct opcosts_iteration t = pressure_iteration(p, n, k->insts[n].match);
        uint32_t warps = plan_get(p, regions)->of.per_warp[n] ? 1 : plan_bundle(p);
        uint64_t whole = vectorwork_clocks(work, f.shape, t, n, ISA_WARP * warps, warps);
        uint64_t least = whole;
        for (uint32_t lanes = ISA_WARP / 2; lanes >= fewest; lanes /= 2) {
            uint64_t cost = vectorwork_clocks(work, f.shape, t, n, lanes, warps);
            if (cost >= least) continue;
            least = cost;
            of[n] = (uint8_t)lanes;
        }
        if (least > whole - whole / LIMIT_WORTH && !opcosts_fits(level, &t, of[n])) of[n] = 0;
        plan_tell(p, PLAN_strips, n, "%s%u lanes at once: %u clocks an iteration, else %u",
                  of[n] ? "" : "no: ", of[n] ? of[n] : ISA_WARP * warps,
                  (unsigned)(least / OPCOSTS_CLOCK), (unsigned)(whole / OPCOSTS_CLOCK));
        n = k->insts[n].match;
    }
    return true;
}

/* ---- code ---- */

/* A loop by strips, for one warp: the strips' cursor, and what lies in memory meanwhile. */
struct strips {
    struct emitter *e, s;
    struct codegen narrow;
    uint32_t begin, end;
    unsigned w;
    bool full;
    LLVMValueRef mask; /* the warp's, in memory */
};

/* Where the strip's lanes lie. */
static LLVMValueRef part(struct strips *l, LLVMValueRef memory, enum isa_type type) {
    return emit_element(&l->s, value_word_type(l->e->c, type, false), memory, l->s.strip);
}

static bool is_vector(const struct strips *l, isa_operand r) {
    return emit_kind(l->e, r) == KIND_VARYING;
}

static bool touched(const struct strips *l, isa_operand r) { return l->e->c->strips.of[r]; }

static bool goes_out(const struct strips *l, isa_operand r) {
    return l->e->c->strips.of[r] > 1 && plan_get(l->e->plan, liveness)->of.last[r] > l->end;
}

/* What is written in the loop may leave it unwritten: with what it had, or as zero. */
static bool comes_in(const struct strips *l, isa_operand r) {
    const struct liveranges *live = &plan_get(l->e->plan, liveness)->of;
    return live->first[r] <= l->begin || (goes_out(l, r) && (live->zero[r] || !l->full));
}

/* Which registers the loop reads, 1, and writes, 2. */
static void find_registers(struct strips *l) {
    const struct isa_kernel *k = l->e->k;
    uint8_t *of = l->e->c->strips.of;
    memset(of, 0, k->nregs);
    for (uint32_t n = l->begin; n <= l->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s])) of[isa_srcs(k, i)[s]] |= 1;
        for (unsigned d = 0; d < i->ndst; d++) of[isa_dsts(k, i)[d]] |= 2;
    }
}

/* Registers of the strips' own: vectors, and scalars that the loop writes. */
static void make_registers(struct strips *l) {
    struct emitter *e = l->e;
    size_t count = (size_t)e->k->nregs * plan_bundle(e->plan) * 2;
    memcpy(e->c->strips.slots, e->regs.slots, count * sizeof *e->regs.slots);
    l->s.regs.slots = e->c->strips.slots;
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        enum isa_type type = (enum isa_type)e->k->reg_types[r];
        LLVMValueRef *slot = value_slot(&l->s, r, l->w);
        LLVMValueRef *memory = &e->c->strips.memory[r];
        if (!touched(l, r) || (!is_vector(l, r) && e->c->strips.of[r] == 1)) continue;
        slot[0] = slot[1] = NULL;
        value_make(&l->s, r, slot);
        if (is_vector(l, r) && !*memory)
            *memory = emit_alloca(e, value_word_type(e->c, type, true), "");
    }
}

/* Scalars, between the strips' and those of the warp. */
static void move_scalars(struct strips *l, bool out, bool shared) {
    struct emitter *e = l->e;
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        if (is_vector(l, r) || e->c->strips.of[r] < 2) continue;
        if (out && (!goes_out(l, r) || (bool)e->regs.shared[r] != shared)) continue;
        LLVMValueRef *own = value_slot(&l->s, r, l->w), *warp = value_slot(e, r, l->w);
        value_copy(e, r, out ? own : warp, out ? warp : own);
    }
}

/* Vectors, between memory and the registers of the strip, or of the warp. */
static void move_vectors(struct strips *l, struct emitter *e, bool out) {
    bool strip = e == &l->s;
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        enum isa_type type = (enum isa_type)e->k->reg_types[r];
        if (!is_vector(l, r) || !touched(l, r) || !(out ? goes_out(l, r) : comes_in(l, r)))
            continue;
        LLVMValueRef at = e->c->strips.memory[r], slot = *value_slot(e, r, l->w);
        if (strip) at = part(l, at, type);
        if (strip == out)
            value_put_words(e, type, LLVMBuildLoad2(e->b, e->c->vector[type], slot, ""), at, 4);
        else
            LLVMBuildStore(e->b, value_get_words(e, type, true, at, 4), slot);
    }
}

static void emit_warp(struct strips *l) {
    struct emitter *e = l->e, *s = &l->s;
    LLVMBasicBlockRef before, head = emit_block(e, "strip"), next = emit_block(e, "strip.next"),
                              after = emit_block(e, "");
    move_vectors(l, e, false);
    if (!l->full) value_put_words(e, ISA_PRED, emit_mask(e, l->w), l->mask, 4);
    before = LLVMGetInsertBlock(e->b);
    emit_goto(e, head, head);
    s->strip = LLVMBuildPhi(e->b, e->c->word, "strip");
    LLVMValueRef on = LLVMConstAllOnes(s->c->vector[ISA_PRED]), zero = emit_word(e, 0);
    if (!l->full) {
        LLVMBasicBlockRef some = emit_block(e, "");
        on = value_get_words(s, ISA_PRED, true, part(l, l->mask, ISA_PRED), 4);
        emit_branch(e, masks_any(s, on), some, next);
    }
    masks_put(s, on, s->mask[l->w]);
    move_scalars(l, false, false);
    move_vectors(l, s, false);
    emit_range(s, l->begin, l->end + 1);
    move_vectors(l, s, true);
    emit_goto(e, next, next);
    LLVMValueRef more = LLVMBuildAdd(e->b, s->strip, emit_word(e, s->c->lanes), "");
    LLVMAddIncoming(s->strip, (LLVMValueRef[]){zero, more}, (LLVMBasicBlockRef[]){before, next}, 2);
    more = emit_compare(e, LLVMIntULT, more, ISA_WARP);
    LLVMBuildCondBr(e->b, more, head, after);
    LLVMPositionBuilderAtEnd(e->b, after);
    move_vectors(l, e, true);
    move_scalars(l, true, false);
}

bool strips_emit(struct emitter *e) {
    unsigned lanes = plan_get(e->plan, strips)->of[e->i];
    if (!lanes || e->strip || e->one_lane) return false;
    struct strips l = {.e = e, .begin = e->i, .end = e->inst->match};
    l.narrow = emit_narrow(e->c, lanes);
    l.full = emit_full(e);
    find_registers(&l);
    for (l.w = e->from; l.w < e->to; l.w++) {
        l.s = emit_at(e, l.begin);
        l.s.c = &l.narrow;
        l.s.from = l.w;
        l.s.to = l.w + 1;
        l.s.mask[l.w] = masks_slot(&l.s, "mask");
        if (!l.full) l.mask = emit_alloca(e, value_word_type(e->c, ISA_PRED, true), "");
        make_registers(&l);
        emit_warp(&l);
    }
    l.w = e->to - 1;
    move_scalars(&l, true, true);
    e->i = l.end;
    return true;
}
