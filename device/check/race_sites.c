#include "race_sites.h"

#include <stdlib.h>

#include "device/observe/pointers.h"

/* ---- phases: code that no local barrier parts ---- */

struct phase_region {
    uint32_t entry, exit, part; /* part: of an if, how its first part ended */
    bool has_else;
};

struct phases {
    uint32_t *into; /* of each phase: one that it is the same as */
    uint32_t count;
    uint32_t *of; /* of each instruction */
};

static uint32_t same_as(struct phases *p, uint32_t n) {
    while (p->into[n] != n) n = p->into[n] = p->into[p->into[n]];
    return n;
}

static void join(struct phases *p, uint32_t a, uint32_t b) {
    p->into[same_as(p, a)] = same_as(p, b);
}

static uint32_t fresh(struct phases *p) {
    p->into[p->count] = p->count;
    return p->count++;
}

/* The phase behind the end of a region. */
static uint32_t leave(struct phases *p, const struct phase_region *r, enum isa_op begin,
                      uint32_t now) {
    if (begin == ISA_loop) {
        join(p, now, r->entry);
        return r->exit;
    }
    if (begin == ISA_block) join(p, now, r->exit);
    if (begin == ISA_if) join(p, now, r->has_else ? r->part : r->entry);
    return now;
}

static void walk(struct phases *p, const struct isa_kernel *k, struct phase_region *open) {
    uint32_t depth = 0, now = fresh(p);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_ELSE) {
            open[depth].part = now;
            open[depth].has_else = true;
            now = open[depth].entry;
        } else if (flags & ISA_OP_REGION_END) {
            enum isa_op begin = i->op == ISA_endloop    ? ISA_loop
                                : i->op == ISA_endblock ? ISA_block
                                                        : ISA_if;
            now = leave(p, &open[depth--], begin, now);
        } else if (flags & ISA_OP_REGION_BEGIN) {
            open[++depth] = (struct phase_region){.entry = now, .exit = fresh(p)};
        } else if (i->op == ISA_break || i->op == ISA_breakif) {
            join(p, now, open[depth - (uint32_t)i->imm].exit);
        } else if (i->op == ISA_continue) {
            join(p, now, open[depth - (uint32_t)i->imm].entry);
        } else if (i->op == ISA_bar && i->imm & ISA_FENCE_LOCAL) {
            now = fresh(p);
        }
        p->of[n] = now;
    }
}

static bool phases_find(struct phases *p, const struct isa_kernel *k) {
    struct phase_region *open = calloc(ISA_MAX_NESTING + 2, sizeof *open);
    *p = (struct phases){.into = calloc(k->ninsts + (size_t)2, sizeof *p->into),
                         .of = calloc(k->ninsts + (size_t)1, sizeof *p->of)};
    bool good = open && p->into && p->of;
    if (good) walk(p, k, open);
    free(open);
    return good;
}

/* ---- what may conflict ---- */

enum { LOADS = 1, STORES = 2, ATOMICS = 4 };

static unsigned use_of(const struct isa_inst *i) {
    if (isa_op_info[i->op].flags & ISA_OP_ATOMIC) return ATOMICS;
    return i->op == ISA_ld ? LOADS : i->op == ISA_st ? STORES : 0;
}

static uint32_t param_of(const struct isa_kernel *k, const uint32_t *params,
                         const struct isa_inst *i) {
    isa_operand o = isa_srcs(k, i)[0];
    uint32_t param = isa_is_reg(o) ? params[o] : POINTERS_ANYWHERE;
    return param == POINTERS_NOWHERE ? POINTERS_ANYWHERE : param;
}

/* How the memory that the instruction accesses is used, as far as that may conflict with it. */
static unsigned uses(const struct isa_kernel *k, struct phases *p, const uint32_t *params,
                     uint32_t of) {
    const struct isa_inst *i = &k->insts[of];
    uint32_t param = param_of(k, params, i);
    unsigned found = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *other = &k->insts[n];
        unsigned use = use_of(other);
        if (!use || other->space != i->space) continue;
        if (i->space == ISA_LOCAL && same_as(p, p->of[n]) != same_as(p, p->of[of])) continue;
        uint32_t theirs = i->space == ISA_GLOBAL ? param_of(k, params, other) : param;
        if (theirs == param || theirs == POINTERS_ANYWHERE || param == POINTERS_ANYWHERE)
            found |= use;
    }
    return found;
}

bool *race_sites_find(const struct isa_kernel *k) {
    bool *found = calloc(k->nsites + (size_t)1, sizeof *found);
    uint32_t *params = pointers_find(k);
    bool fences = false; /* then all atomic operations: race_locks.h */
    for (uint32_t n = 0; n < k->ninsts; n++) fences |= k->insts[n].op == ISA_fence;
    struct phases p;
    bool good = phases_find(&p, k) && found && params;
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        unsigned use = use_of(i);
        if (!use || !i->site || (i->space != ISA_GLOBAL && i->space != ISA_LOCAL)) continue;
        unsigned all = use == STORES ? STORES : uses(k, &p, params, n);
        found[i->site - 1] |= use == STORES || (use == LOADS && all & (STORES | ATOMICS)) ||
                              (use == ATOMICS && (fences || all & (STORES | LOADS)));
    }
    free(p.into);
    free(p.of);
    free(params);
    if (good) return found;
    free(found);
    return NULL;
}
