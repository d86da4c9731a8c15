#include "race_sites.h"

#include <stdlib.h>
#include <string.h>

#include "device/analysis/affine_apart.h"
#include "device/observe/pointers.h"
#include "finding.h"

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
    struct phase_region *open = malloc((ISA_MAX_NESTING + 2) * sizeof *open);
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

/* What is looked for: of a launch, or of all that there may be. */
struct race_search {
    const struct isa_kernel *k;
    struct phases phases;
    uint32_t *params;
    bool shared;                      /* several arguments may lie in one object */
    struct affine_accesses *accesses; /* of the launch; NULL: any access may be made, anywhere */
    const struct affine_access **at;  /* with it, of each instruction; NULL: it is not reached */
    uint32_t tests;                   /* so many more pairs are looked at */
};

enum { MOST_ACCESSES = 1024, MOST_TESTS = 8192 };

static bool may_meet(struct race_search *s, uint32_t a, uint32_t b) {
    if (!s->accesses) return true;
    if (!s->at[a] || !s->at[b]) return false;
    return !s->tests || (s->tests--, !affine_apart(s->k, s->accesses, s->at[a], s->at[b]));
}

static bool is_same_memory(struct race_search *s, uint32_t a, uint32_t b) {
    const struct isa_inst *i = &s->k->insts[a], *other = &s->k->insts[b];
    if (other->space != i->space) return false;
    if (i->space == ISA_LOCAL)
        return same_as(&s->phases, s->phases.of[a]) == same_as(&s->phases, s->phases.of[b]);
    if (s->shared) return true;
    uint32_t own = param_of(s->k, s->params, i), theirs = param_of(s->k, s->params, other);
    return theirs == own || theirs == POINTERS_ANYWHERE || own == POINTERS_ANYWHERE;
}

/* Does another access of that memory, of such a use, conflict with it? */
static bool has_conflict(struct race_search *s, uint32_t of, unsigned uses) {
    for (uint32_t n = 0; n < s->k->ninsts; n++)
        if (use_of(&s->k->insts[n]) & uses && is_same_memory(s, of, n) && may_meet(s, of, n))
            return true;
    return false;
}

static const unsigned conflicts[] = {
    [LOADS] = STORES | ATOMICS, [STORES] = LOADS | STORES | ATOMICS, [ATOMICS] = LOADS | STORES};

static bool is_watched(struct race_search *s, uint32_t n) {
    const struct isa_inst *i = &s->k->insts[n];
    unsigned use = use_of(i);
    if (!use || !i->site || (i->space != ISA_GLOBAL && i->space != ISA_LOCAL)) return false;
    if (use == STORES && !s->accesses) return true; /* its own lanes may conflict */
    return has_conflict(s, n, conflicts[use]);
}

static bool search_begin(struct race_search *s, const struct observe_grid *grid) {
    s->params = pointers_find(s->k);
    s->tests = MOST_TESTS;
    bool good = phases_find(&s->phases, s->k) && s->params;
    if (!good || !grid || !grid->params) return good;
    struct affine_launch l = {.params = grid->params};
    memcpy(l.groups, grid->groups, sizeof l.groups);
    memcpy(l.local_size, grid->local_size, sizeof l.local_size);
    if (grid->check) memcpy(l.offset, grid->check->offset, sizeof l.offset);
    s->accesses = grid->check ? affine_find(s->k, &l, MOST_ACCESSES) : NULL;
    s->at = s->accesses ? calloc(s->k->ninsts + (size_t)1, sizeof *s->at) : NULL;
    for (uint32_t n = 0; s->at && n < s->accesses->count; n++)
        s->at[s->accesses->list[n].inst] = &s->accesses->list[n];
    return !s->accesses || s->at;
}

static void search_end(struct race_search *s) {
    free(s->phases.into);
    free(s->phases.of);
    free(s->params);
    free(s->at);
    affine_free(s->accesses);
}

bool *race_sites_find(const struct isa_kernel *k, const struct observe_grid *grid, bool shared) {
    bool *found = calloc(k->nsites + (size_t)2, sizeof *found);
    struct race_search s = {.k = k, .shared = shared};
    bool good = search_begin(&s, grid) && found, fences = false, any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) fences |= k->insts[n].op == ISA_fence;
    for (uint32_t n = 0; good && n < k->ninsts; n++)
        if (is_watched(&s, n)) any = found[k->insts[n].site - 1] = true;
    /* Locks and signals, where there is something that they may order: race_locks.h. */
    for (uint32_t n = 0; good && any && fences && n < k->ninsts; n++)
        if (use_of(&k->insts[n]) == ATOMICS && k->insts[n].site) found[k->insts[n].site - 1] = true;
    search_end(&s);
    if (good) return found;
    free(found);
    return NULL;
}
