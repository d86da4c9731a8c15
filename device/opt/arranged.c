#include "arranged.h"

#include "device/analysis/repeats.h"
#include "device/analysis/warpregions.h"
#include "device/isa/loops.h"

static bool touches(const struct isa_kernel *k, uint32_t from, uint32_t to, isa_operand reg) {
    return isa_reads_between(k, reg, from, to) || isa_writes_between(k, reg, from, to);
}

/* Where a register is first wanted that instruction n sets, in the region that it is in; else n.
 * *far: behind another region, or a store. */
static uint32_t first_use(const struct isa_kernel *k, const struct loops *l, uint32_t n,
                          bool *far) {
    const struct isa_inst *i = &k->insts[n];
    isa_operand src = i->op == ISA_mov ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
    if (src == ISA_NO_OPERAND || (isa_is_reg(src) && l->defs[src] != 1)) return n;
    isa_operand reg = isa_dsts(k, i)[0];
    bool passes = false;
    for (uint32_t at = n + 1; at < k->ninsts; at++) {
        uint32_t flags = isa_op_info[k->insts[at].op].flags;
        bool begins = flags & ISA_OP_REGION_BEGIN;
        uint32_t end = begins ? warpregions_end(k, at) + 1 : at + 1;
        if (touches(k, at, end, reg)) {
            *far |= passes;
            return at;
        }
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END | ISA_OP_JUMP)) return n;
        if (!warpregions_closed(k, at, end)) return n;
        passes |= begins || flags & ISA_OP_WRITES;
        at = end - 1;
    }
    return n;
}

bool arranged_late(struct kernelcopy *c, const struct isa_kernel *k, uint32_t most,
                   struct arena *arena) {
    uint32_t *late = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u); /* from where on, + 1 */
    struct loops l;
    bool any = false;
    *c = (struct kernelcopy){0};
    loops_find(&l, k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t at = k->insts[n].ndst == 1 ? first_use(k, &l, n, &any) : n;
        if (at != n) late[n] = at + 1;
    }
    if (!any || !kernelcopy_begin(c, k, most)) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        for (uint32_t m = 0; m < n; m++)
            if (late[m] == n + 1) kernelcopy_put(c, m);
        if (!late[n]) kernelcopy_put(c, n);
    }
    return !c->failed && kernelcopy_finish(c->out);
}

/* The first instruction of the outermost `if`, in no loop that is in it, before which instruction n
 * may be done; `at`: where all others are. n: it stays. */
static uint32_t earliest(const struct isa_kernel *k, const struct loops *l, const uint32_t *at,
                         const uint32_t *ifs, uint32_t depth, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    uint32_t place = n;
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->ndst != 1) return n;
    if (!isa_is_integer((enum isa_type)i->type) || l->defs[isa_dsts(k, i)[0]] != 1) return n;
    while (depth && ifs[depth - 1] != UINT32_MAX) {
        uint32_t before = ifs[--depth], end = warpregions_end(k, before);
        isa_operand reg = isa_dsts(k, i)[0]; /* lanes that are off there have none of it behind */
        if (repeats_read_outside(k, reg, before, end)) return place;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (!isa_is_reg(o)) continue;
            if (l->defs[o] != 1 || at[l->writers[o]] > before) return place;
        }
        place = before;
    }
    return place;
}

bool arranged_early(struct kernelcopy *c, const struct isa_kernel *k, uint32_t most,
                    struct arena *arena) {
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    uint32_t ifs[ISA_MAX_NESTING + 1], depth = 0;
    struct loops l;
    bool any = false;
    *c = (struct kernelcopy){0};
    loops_find(&l, k, arena);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_END) depth--;
        at[n] = earliest(k, &l, at, ifs, depth, n);
        any |= at[n] != n;
        if (flags & ISA_OP_REGION_BEGIN) ifs[depth++] = k->insts[n].op == ISA_if ? n : UINT32_MAX;
    }
    if (!any || !kernelcopy_begin(c, k, most)) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        for (uint32_t m = n + 1; m < k->ninsts; m++)
            if (at[m] == n) kernelcopy_put(c, m);
        if (at[n] == n) kernelcopy_put(c, n);
    }
    return !c->failed && kernelcopy_finish(c->out);
}
