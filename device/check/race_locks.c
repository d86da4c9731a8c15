#include "race_locks.h"

#include <stdlib.h>

#define ANY_WARP UINT32_MAX

void race_locks_begin(struct race_locks *l, const struct isa_kernel *k) {
    bool atomics = false;
    *l = (struct race_locks){0};
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_fence)
            l->fences |= (unsigned)i->imm & (ISA_FENCE_LOCAL | ISA_FENCE_GLOBAL);
        atomics |= (isa_op_info[i->op].flags & ISA_OP_ATOMIC) != 0;
    }
    if (!atomics) l->fences = 0;
}

void race_locks_end(struct race_locks *l) { free(l->touches); }

void race_locks_group(struct race_locks *l, uint64_t index) { l->group = index + 1; }

static uint64_t slot_of(const struct race_locks *l, const struct race_touch *t) {
    uint64_t h = (t->group * 31 + t->warp) * 0x9e3779b97f4a7c15u ^ t->word * 0xbf58476d1ce4e5b9u;
    uint64_t n = (h ^ h >> 29) & (l->room - 1);
    while (l->touches[n].group && (l->touches[n].group != t->group ||
                                   l->touches[n].word != t->word || l->touches[n].warp != t->warp))
        n = (n + 1) & (l->room - 1);
    return n;
}

static bool grow(struct race_locks *l) {
    struct race_locks more = *l;
    more.room = l->room ? 2 * l->room : 1024;
    if (!(more.touches = calloc(more.room, sizeof *more.touches))) return false;
    for (uint64_t n = 0; n < l->room; n++)
        if (l->touches[n].group) more.touches[slot_of(&more, &l->touches[n])] = l->touches[n];
    free(l->touches);
    *l = more;
    return true;
}

/* False: no memory. */
static bool put(struct race_locks *l, struct race_touch t) {
    if (2 * l->count >= l->room && !grow(l)) return false;
    uint64_t n = slot_of(l, &t);
    l->count += !l->touches[n].group;
    l->touches[n] = t;
    return true;
}

void race_locks_touch(struct race_locks *l, uint32_t warp, uint32_t mask,
                      const uint32_t *addresses) {
    for (uint32_t left = l->fences ? mask : 0; left; left &= left - 1) {
        uint32_t word = addresses[__builtin_ctz(left)];
        if (!put(l, (struct race_touch){l->group, word, warp}) ||
            !put(l, (struct race_touch){l->group, word, ANY_WARP}))
            return;
    }
}

bool race_locks_order(const struct race_locks *l, bool local, uint64_t group, uint32_t warp,
                      uint32_t own) {
    if (!(l->fences & (local ? ISA_FENCE_LOCAL : ISA_FENCE_GLOBAL)) || !l->room) return false;
    if (group + 1 != l->group) warp = own = ANY_WARP; /* barriers hand on what a warp knows */
    for (uint64_t n = 0; n < l->room; n++) {
        const struct race_touch *t = &l->touches[n];
        if (t->group != l->group || t->warp != own) continue;
        struct race_touch theirs = {group + 1, t->word, warp};
        if (l->touches[slot_of(l, &theirs)].group) return true;
    }
    return false;
}
