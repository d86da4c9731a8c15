#include "uninit_flow.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 64 }; /* of a call */

static bool brings(const struct isa_inst *i, bool frames) {
    if (i->op == ISA_ld) return i->space == ISA_PRIVATE ? frames : i->space != ISA_PARAM;
    return uninit_gives(i) || isa_op_info[i->op].flags & ISA_OP_ATOMIC;
}

/* Does what it gives depend on its sources? What memory, images and the like give does not. */
static bool hands_on(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return (flags & ISA_OP_PURE) && !(flags & ISA_OP_IMAGE);
}

/* A list for each register, of instructions. */
struct lists {
    uint32_t *first, *next, *inst;
    uint32_t count;
};

static void put(struct lists *l, isa_operand reg, uint32_t inst) {
    l->inst[l->count] = inst;
    l->next[l->count] = l->first[reg];
    l->first[reg] = ++l->count;
}

static struct lists lists_new(const struct rewrite_code *code, struct arena *arena, bool uses) {
    uint32_t entries = 0;
    for (uint32_t n = 0; n < code->ninsts; n++)
        entries += uses ? code->insts[n].nsrc : code->insts[n].ndst;
    struct lists l = {ARENA_ARRAY(arena, uint32_t, code->nregs + 1u),
                      ARENA_ARRAY(arena, uint32_t, entries + 1u),
                      ARENA_ARRAY(arena, uint32_t, entries + 1u), 0};
    for (uint32_t n = 0; n < code->ninsts; n++) {
        const struct isa_inst *i = &code->insts[n];
        const isa_operand *dst = code->operands + i->operands, *src = dst + i->ndst;
        for (unsigned d = 0; !uses && d < i->ndst; d++) put(&l, dst[d], n);
        for (unsigned s = 0; uses && hands_on(i) && s < i->nsrc; s++)
            if (isa_is_reg(src[s])) put(&l, src[s], n);
    }
    return l;
}

const uint8_t *uninit_flow(const struct rewrite_code *code, bool frames, struct arena *arena) {
    uint8_t *may = ARENA_ARRAY(arena, uint8_t, code->nregs + 1u);
    uint8_t *read = ARENA_ARRAY(arena, uint8_t, code->nregs + 1u);
    uint32_t *work = ARENA_ARRAY(arena, uint32_t, code->nregs + 1u), waiting = 0;
    struct lists uses = lists_new(code, arena, true);
    for (uint32_t n = 0; n < code->ninsts; n++) {
        const struct isa_inst *i = &code->insts[n];
        const isa_operand *src = code->operands + i->operands + i->ndst;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s])) read[src[s]] = 1;
    }
    for (uint32_t n = 0; n < code->ninsts; n++) {
        const struct isa_inst *i = &code->insts[n];
        const isa_operand *dst = code->operands + i->operands;
        bool wanted = !(isa_op_info[i->op].flags & ISA_OP_ATOMIC) || read[dst[0]];
        for (unsigned d = 0; brings(i, frames) && wanted && d < i->ndst; d++) {
            if (!may[dst[d]]) work[waiting++] = dst[d];
            may[dst[d]] = 1;
        }
    }
    while (waiting) {
        uint32_t reg = work[--waiting];
        for (uint32_t e = uses.first[reg]; e; e = uses.next[e - 1]) {
            const struct isa_inst *i = &code->insts[uses.inst[e - 1]];
            const isa_operand *dst = code->operands + i->operands;
            for (unsigned d = 0; d < i->ndst; d++) {
                if (!may[dst[d]]) work[waiting++] = dst[d];
                may[dst[d]] = 1;
            }
        }
    }
    return may;
}

/* ---- sources ---- */

struct uninit_search {
    const struct rewrite_code *code;
    const uint32_t *loads;
    struct lists defs;
    uint32_t *seen, *work, waiting, round; /* of registers */
    struct uninit_source *found;
    uint32_t nfound;
};

static void want(struct uninit_search *s, isa_operand reg) {
    if (!isa_is_reg(reg) || s->seen[reg] == s->round) return;
    s->seen[reg] = s->round;
    s->work[s->waiting++] = reg;
}

/* Operands that the call is about. */
static void begin(struct uninit_search *s, const struct tells_call *at) {
    const struct isa_inst *i = at->of;
    const isa_operand *src = s->code->operands + i->operands + i->ndst;
    unsigned from = 0, to = i->nsrc;
    s->round++;
    enum uninit_use use = (enum uninit_use)at->told.what;
    if (use == UNINIT_LOADED) to = 0;
    if (use == UNINIT_STORED) from = 1;
    if (use == UNINIT_DIVISOR) from = 1;
    if (use == UNINIT_WRITTEN) from = i->nsrc - 4u;
    if (use == UNINIT_ADDRESS && !(isa_op_info[i->op].flags & ISA_OP_IMAGE)) to = 1;
    if (use == UNINIT_ADDRESS && i->op == ISA_img_write) to = i->nsrc - 4u;
    for (unsigned n = from; n < to; n++) want(s, src[n]);
}

/* Loads of one site, of loops that are unrolled, are one source. */
static void find(struct uninit_search *s, struct uninit_source one) {
    for (uint32_t n = 0; n < s->nfound; n++)
        if (one.loaded && s->found[n].loaded && one.site && s->found[n].site == one.site) return;
    if (s->nfound < MOST_SOURCES) s->found[s->nfound++] = one;
}

static void look(struct uninit_search *s, uint32_t n) {
    const struct isa_inst *i = &s->code->insts[n];
    const isa_operand *src = s->code->operands + i->operands + i->ndst;
    if (s->loads[n] || uninit_gives(i)) {
        find(s, (struct uninit_source){s->loads[n], i->site, i->file, i->line});
        return;
    }
    for (unsigned e = 0; hands_on(i) && e < i->nsrc; e++) want(s, src[e]);
}

static bool keep(struct uninit_search *s, struct uninit_code *into, uint32_t call) {
    uint32_t all = into->nsources + s->nfound;
    struct uninit_source *more = realloc(into->sources, (all + (size_t)1) * sizeof *more);
    if (!more) return false;
    into->sources = more;
    memcpy(more + into->nsources, s->found, s->nfound * sizeof *more);
    into->calls[call] = (struct uninit_call){into->nsources, s->nfound};
    into->nsources = all;
    return true;
}

bool uninit_sources(const struct rewrite_code *code, const struct tells *tells,
                    const uint32_t *loads, struct uninit_code *into) {
    struct arena *arena = tells->arena;
    struct uninit_search s = {.code = code,
                              .loads = loads,
                              .defs = lists_new(code, arena, false),
                              .seen = ARENA_ARRAY(arena, uint32_t, code->nregs + 1u),
                              .work = ARENA_ARRAY(arena, uint32_t, code->nregs + 1u),
                              .found = ARENA_ARRAY(arena, struct uninit_source, MOST_SOURCES)};
    into->calls = calloc(tells->count + (size_t)1, sizeof *into->calls);
    if (!into->calls) return false;
    for (uint32_t c = 0; c < tells->count; c++) {
        s.nfound = s.waiting = 0;
        begin(&s, &tells->calls[c]);
        while (s.waiting) {
            uint32_t reg = s.work[--s.waiting];
            for (uint32_t e = s.defs.first[reg]; e; e = s.defs.next[e - 1])
                look(&s, s.defs.inst[e - 1]);
        }
        if (!keep(&s, into, c)) return false;
    }
    return true;
}
