/* Bytes and halves that straight code stores side by side, as a pixel's three components, or two
 * words, where those of the next lane follow: they are one store, so that what lanes have is put
 * together in vectors, without gaps. Where they are more words, others do that faster. */
#include "device/analysis/shape.h"
#include "device/isa/rewrite.h"
#include "sized_pass.h"

#include <stdlib.h>

enum { WORD = 4, MOST = 3, FAR = 24 /* elements; instructions from the first to the last store */ };

/* Such stores, in their order in memory. */
struct beside {
    uint32_t at[MOST], last;
    unsigned count;
};

static bool is_plain(const struct isa_inst *i) {
    return i->op == ISA_st && i->space == ISA_GLOBAL && i->count == 1 && !isa_is_watched(i) &&
           isa_type_size[i->type] <= WORD;
}

/* One more, in its place; false: there are too many, or two are one. */
static bool add(const struct isa_kernel *k, struct beside *b, uint32_t n) {
    unsigned to = b->count;
    if (b->count == MOST) return false;
    while (to && k->insts[b->at[to - 1]].imm > k->insts[n].imm) to--;
    if (to && k->insts[b->at[to - 1]].imm == k->insts[n].imm) return false;
    for (unsigned m = b->count; m > to; m--) b->at[m] = b->at[m - 1];
    b->at[to] = b->last = n;
    b->count++;
    return true;
}

/* Does it write what a store that is made later has to find? */
static bool changes(const struct isa_kernel *k, const struct beside *b, const struct isa_inst *i) {
    bool does = false;
    for (unsigned n = 0; n < b->count; n++)
        for (unsigned s = 0; s < 2; s++)
            does |= isa_writes(k, i, isa_srcs(k, &k->insts[b->at[n]])[s]);
    return does;
}

/* Those that begin with store n. False: they are not side by side, or words. */
static bool find(const struct isa_kernel *k, const struct shape *shape, uint32_t n,
                 struct beside *b) {
    const struct isa_inst *first = &k->insts[n];
    unsigned size = isa_type_size[first->type];
    isa_operand to = is_plain(first) ? isa_srcs(k, first)[0] : ISA_NO_OPERAND;
    if (!isa_is_reg(to)) return false;
    *b = (struct beside){.at = {n}, .last = n, .count = 1};
    for (uint32_t m = n + 1; m < k->ninsts && m - n < FAR; m++) {
        const struct isa_inst *i = &k->insts[m];
        bool stores = is_plain(i) && i->type == first->type && isa_srcs(k, i)[0] == to;
        bool loads = i->op == ISA_ld && i->space != ISA_GLOBAL;
        if (stores ? !add(k, b, m) : !loads && !(isa_op_info[i->op].flags & ISA_OP_PURE)) break;
        if (changes(k, b, i)) break;
    }
    int64_t bytes = (int64_t)b->count * size;
    int64_t end = (int64_t)k->insts[b->at[b->count - 1]].imm + size;
    struct shape_value v = shape->regs[to];
    return b->count > 1 && (bytes % WORD || bytes == 2 * WORD) &&
           end - k->insts[b->at[0]].imm == bytes && v.span >= SHAPE_WARP &&
           llabs(v.stride) == bytes;
}

static void put(struct isa_kernel *k, const struct rewrite_code *old, const struct beside *b) {
    isa_operand src[1 + MOST];
    const struct isa_inst *last = &old->insts[b->last], *low = &old->insts[b->at[0]];
    for (unsigned n = 0; n < b->count; n++) {
        const struct isa_inst *i = &old->insts[b->at[n]];
        src[0] = old->operands[i->operands];
        src[1 + n] = old->operands[i->operands + 1];
        isa_site_remove(k, i->site, ISA_REMOVED_dead); /* sites have one width */
    }
    k->cur_file = last->file;
    k->cur_line = last->line;
    struct isa_inst *is =
        isa_emit(k, ISA_st, (enum isa_type)last->type, ISA_NONE_T, 0, NULL, 1 + b->count, src);
    is->space = last->space;
    is->flags = last->flags;
    is->imm = low->imm;
}

/* The kernel with those of `of`, by their last stores; drop: stores that are part of one. */
static bool write(struct sized_kernel *made, const struct beside *of, const uint32_t *ends,
                  const uint8_t *drop, struct arena *arena) {
    struct isa_kernel *k = made->kernel;
    struct rewrite_code old = rewrite_take(k, arena);
    made->origins = malloc((old.ninsts + 1ull) * sizeof *made->origins);
    for (uint32_t n = 0; made->origins && n < old.ninsts && !isa_kernel_failed(k); n++) {
        if (drop[n] && !ends[n]) continue;
        made->origins[k->ninsts] = n;
        if (ends[n])
            put(k, &old, &of[ends[n] - 1]);
        else
            rewrite_keep(k, &old, n);
    }
    return made->origins && kernelcopy_finish(k);
}

static bool make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made,
                 struct arena *arena) {
    const struct isa_kernel *k = s->k;
    struct beside *of = ARENA_ARRAY(arena, struct beside, k->ninsts + 1u);
    uint32_t *ends = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u), found = 0;
    uint8_t *drop = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    struct shape *shape = shape_new_lockstep(k, s->groups.size);
    for (uint32_t n = 0; shape && n < k->ninsts; n++) {
        if (drop[n] || !find(k, shape, n, &of[found])) continue;
        for (unsigned m = 0; m < of[found].count; m++) drop[of[found].at[m]] = 1;
        trace_tell(p, &k->insts[n], "%u stores are one", of[found].count);
        ends[of[found].last] = found + 1;
        found++;
    }
    shape_free(shape);
    if (!shape || !found) return shape;
    made->kernel = isa_kernel_copy(k);
    return made->kernel && write(made, of, ends, drop, arena);
}

bool beside_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    bool any = false;
    for (uint32_t n = 0; n < s->k->ninsts && !any; n++) any = is_plain(&s->k->insts[n]);
    if (!any || s->k->probed) return true;
    if (ARENA_FAILS(&t)) return false;
    bool good = make(s, p, made, t.arena);
    arena_free(t.arena);
    return good;
}
