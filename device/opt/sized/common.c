/* What both parts of an `if` do alike is done once: what they compute alike and load from one
 * address, before it; their last stores, where those are to one address, behind it, of what each
 * part would have stored. What is left of it often becomes selects then. No lane does more than
 * before, so the only thing that changes is which line a fault is at: where native code has one the
 * interpreter is asked, which runs the kernel as it was. */
#include <stdlib.h>
#include <string.h>

#include "device/analysis/shape.h"
#include "device/isa/arena.h"
#include "device/isa/ifconvert.h"
#include "device/isa/rewrite.h"
#include "sized_pass.h"

enum {
    MOST_KERNEL = 6000, /* instructions, */
    MOST_PART = 64,     /* of a part, */
    MOST_WORDS = 4,     /* components of an access */
    MOST_ROUNDS = 8     /* ifs in ifs */
};

/* A part of an if: instructions [from, to). */
struct common_part {
    uint32_t from, to;
    isa_operand before[MOST_PART][MOST_WORDS]; /* instructions: registers with their results; */
    uint32_t stored[MOST_PART];                /* the store that it is one with, + 1 */
};

struct common {
    struct isa_kernel *k;
    struct rewrite_code old;
    struct common_part parts[2];
    isa_operand values[MOST_PART][MOST_WORDS]; /* what the first part's stores store */
    const uint8_t *uniform;                    /* of the first nregs registers */
    uint32_t nregs;
    uint32_t *reads; /* of each register, in old */
    const struct trace_pass *pass;
    bool changed;
};

/* While code is rewritten `match` has where instructions come from, and whether they are ifs of
 * which something was taken. */
static uint32_t tag(uint32_t origin, bool taken) { return (origin + 1) << 1 | taken; }

static const isa_operand *dsts(const struct common *c, uint32_t n) {
    return c->old.operands + c->old.insts[n].operands;
}

static const isa_operand *srcs(const struct common *c, uint32_t n) {
    return dsts(c, n) + c->old.insts[n].ndst;
}

/* ---- what is alike ---- */

static bool writes(const struct common *c, uint32_t n, isa_operand reg) {
    for (unsigned d = 0; d < c->old.insts[n].ndst; d++)
        if (dsts(c, n)[d] == reg) return true;
    return false;
}

/* What register has before the if what instruction n of the part reads as `o`? */
static isa_operand value_before(const struct common *c, const struct common_part *p, isa_operand o,
                                uint32_t n) {
    while (isa_is_reg(o) && n-- > p->from)
        for (unsigned d = 0; d < c->old.insts[n].ndst; d++)
            if (dsts(c, n)[d] == o)
                return d < MOST_WORDS ? p->before[n - p->from][d] : ISA_NO_OPERAND;
    return o;
}

/* Do they do the same with their operands? */
static bool alike(const struct isa_inst *i, const struct isa_inst *j) {
    return rewrite_alike(i, j) && i->imm == j->imm;
}

/* The sources of instruction n, from `first` to before `end`, as they are before the if; false:
 * they are not. */
static bool sources_before(const struct common *c, const struct common_part *p, uint32_t n,
                           unsigned end, isa_operand *out) {
    for (unsigned s = 0; s < end; s++) {
        isa_operand o = srcs(c, n)[s];
        out[s] = value_before(c, p, o, n);
        if (out[s] == ISA_NO_OPERAND && o != ISA_NO_OPERAND) return false;
    }
    return true;
}

static bool same_sources(const struct common *c, uint32_t n, uint32_t m, unsigned end,
                         isa_operand *out) {
    isa_operand other[UINT8_MAX];
    if (!sources_before(c, &c->parts[0], n, end, out)) return false;
    if (!sources_before(c, &c->parts[1], m, end, other)) return false;
    while (end && out[end - 1] == other[end - 1]) end--;
    return !end;
}

static bool may_be_before(const struct isa_inst *i, bool stored) {
    if (!i->ndst || i->ndst > MOST_WORDS || i->op == ISA_mov) return false;
    if (i->op == ISA_ld) return !stored && !(i->flags & ISA_VOLATILE);
    return isa_op_info[i->op].flags & ISA_OP_PURE && !i->site;
}

/* Writes what both compute before the if. Returns how many instructions. */
static uint32_t put_before(struct common *c) {
    struct common_part *a = &c->parts[0], *b = &c->parts[1];
    uint32_t count = 0;
    bool stored = false;
    for (uint32_t n = a->from; n < a->to; n++) {
        const struct isa_inst *i = &c->old.insts[n];
        stored |= i->op != ISA_ld && !(isa_op_info[i->op].flags & ISA_OP_PURE);
        if (!may_be_before(i, stored)) continue;
        bool other_stored = false;
        for (uint32_t m = b->from; m < b->to; m++) {
            const struct isa_inst *j = &c->old.insts[m];
            isa_operand src[UINT8_MAX], *to = a->before[n - a->from];
            other_stored |= j->op != ISA_ld && !(isa_op_info[j->op].flags & ISA_OP_PURE);
            if (b->before[m - b->from][0] != ISA_NO_OPERAND || !alike(i, j)) continue;
            if (!may_be_before(j, other_stored) || !same_sources(c, n, m, i->nsrc, src)) continue;
            for (unsigned d = 0; d < i->ndst; d++)
                to[d] = isa_reg_new(c->k, (enum isa_type)c->k->reg_types[dsts(c, n)[d]]);
            memcpy(b->before[m - b->from], to, sizeof *b->before);
            rewrite_put(c->k, i, to, src);
            isa_site_merge(c->k, i->site, j->site);
            count++;
            break;
        }
    }
    return count;
}

static bool written(const struct common *c, isa_operand reg) {
    for (unsigned p = 0; p < 2; p++)
        for (uint32_t n = c->parts[p].from; n < c->parts[p].to; n++)
            if (writes(c, n, reg)) return true;
    return false;
}

/* The last store before instruction n of the part with nothing but computing behind; or n. */
static uint32_t last_store(const struct common *c, const struct common_part *p, uint32_t n) {
    for (uint32_t m = n; m-- > p->from;) {
        const struct isa_inst *i = &c->old.insts[m];
        if (i->op == ISA_st) return m;
        if (!(isa_op_info[i->op].flags & ISA_OP_PURE)) break;
    }
    return n;
}

/* Finds the stores that can be behind the if. Returns how many. */
static uint32_t find_stores(struct common *c) {
    struct common_part *a = &c->parts[0], *b = &c->parts[1];
    uint32_t n = a->to, m = b->to, count = 0;
    for (;; count++) {
        uint32_t s = last_store(c, a, n), t = last_store(c, b, m);
        isa_operand at;
        if (s == n || t == m || !alike(&c->old.insts[s], &c->old.insts[t])) break;
        if (c->old.insts[s].flags & ISA_VOLATILE || c->old.insts[s].count > MOST_WORDS) break;
        if (!same_sources(c, s, t, 1, &at) || (isa_is_reg(at) && written(c, at))) break;
        a->stored[s - a->from] = t + 1;
        b->stored[t - b->from] = s + 1;
        n = s;
        m = t;
    }
    return count;
}

/* ---- writing ---- */

static void move(struct common *c, uint32_t place, isa_operand to, isa_operand from) {
    enum isa_type type = (enum isa_type)c->k->reg_types[to];
    c->k->cur_file = c->old.insts[place].file;
    c->k->cur_line = c->old.insts[place].line;
    isa_emit(c->k, ISA_mov, type, ISA_NONE_T, 1, &to, 1, &from)->match =
        c->old.insts[place].match & ~1u;
}

static void put(struct common *c, uint32_t n) {
    rewrite_put(c->k, &c->old.insts[n], dsts(c, n), srcs(c, n));
}

/* What instruction n of the part reads as `o`: as it is before the if, where that is known. */
static isa_operand source(const struct common *c, const struct common_part *p, isa_operand o,
                          uint32_t n) {
    isa_operand is = value_before(c, p, o, n);
    return is == ISA_NO_OPERAND ? o : is;
}

/* Is a result that is there before wanted by its own name, by others than those in the part? */
static bool is_wanted(const struct common *c, const struct common_part *p, uint32_t n, unsigned d) {
    isa_operand reg = dsts(c, n)[d];
    uint32_t reads = c->reads[reg];
    for (uint32_t m = n + 1; m < p->to; m++)
        for (unsigned s = 0; s < c->old.insts[m].nsrc; s++)
            reads -=
                srcs(c, m)[s] == reg && value_before(c, p, reg, m) == p->before[n - p->from][d];
    return reads;
}

static void put_part(struct common *c, const struct common_part *p) {
    for (uint32_t n = p->from; n < p->to; n++) {
        const struct isa_inst *i = &c->old.insts[n];
        uint32_t other = p->stored[n - p->from], at = n - p->from;
        isa_operand src[UINT8_MAX];
        for (unsigned s = 0; s < i->nsrc; s++) src[s] = source(c, p, srcs(c, n)[s], n);
        if (other) {
            if (p != &c->parts[0]) at = other - 1 - c->parts[0].from;
            for (unsigned s = 0; s < i->count; s++)
                if (c->values[at][s] != src[1 + s]) move(c, n, c->values[at][s], src[1 + s]);
        } else if (p->before[at][0] == ISA_NO_OPERAND) {
            rewrite_put(c->k, i, dsts(c, n), src);
        } else {
            for (unsigned d = 0; d < i->ndst; d++)
                if (is_wanted(c, p, n, d)) move(c, n, dsts(c, n)[d], p->before[at][d]);
        }
    }
}

static void put_stores(struct common *c) {
    const struct common_part *p = &c->parts[0];
    for (uint32_t n = p->from; n < p->to; n++) {
        const struct isa_inst *i = &c->old.insts[n];
        isa_operand src[1 + MOST_WORDS];
        if (!p->stored[n - p->from]) continue;
        src[0] = value_before(c, p, srcs(c, n)[0], n);
        for (unsigned s = 0; s < i->count; s++) src[1 + s] = c->values[n - p->from][s];
        rewrite_put(c->k, i, NULL, src);
        isa_site_merge(c->k, i->site, c->old.insts[p->stored[n - p->from] - 1].site);
    }
}

/* What the first part's store n stores by its source s: what both store, or a new register. */
static isa_operand value_of(struct common *c, uint32_t n, unsigned s) {
    const struct common_part *a = &c->parts[0], *b = &c->parts[1];
    uint32_t m = a->stored[n - a->from] - 1;
    isa_operand value = value_before(c, a, srcs(c, n)[s], n);
    bool both = value != ISA_NO_OPERAND && value == value_before(c, b, srcs(c, m)[s], m) &&
                !(isa_is_reg(value) && written(c, value));
    return both ? value : isa_reg_new(c->k, (enum isa_type)c->old.insts[n].type);
}

/* The if that begins at `begin`, with its parts known. False: they have nothing of the kind, and
 * nothing was written. */
static bool put_if(struct common *c, uint32_t begin) {
    struct common_part *a = &c->parts[0], *b = &c->parts[1];
    if (a->to - a->from > MOST_PART || b->to - b->from > MOST_PART) return false;
    memset(a->before, 0xff, sizeof a->before); /* ISA_NO_OPERAND */
    memset(b->before, 0xff, sizeof b->before);
    memset(a->stored, 0, sizeof a->stored);
    memset(b->stored, 0, sizeof b->stored);
    uint32_t before = put_before(c), stores = find_stores(c);
    if (!before && !stores) return false;
    for (uint32_t n = a->from; n < a->to; n++)
        for (unsigned s = 0; a->stored[n - a->from] && s < c->old.insts[n].count; s++)
            c->values[n - a->from][s] = value_of(c, n, 1 + s);
    trace_tell(c->pass, &c->old.insts[begin],
               "what both parts compute is computed once: %u; what both store: %u", before, stores);
    c->changed = true;
    put(c, begin);
    c->k->insts[c->k->ninsts - 1].match |= 1;
    put_part(c, a);
    put(c, a->to);
    put_part(c, b);
    put(c, b->to);
    put_stores(c);
    return true;
}

/* Do lanes of a warp take different parts? Where they do not, one part alone costs anything. */
static bool diverges(const struct common *c, uint32_t begin) {
    isa_operand p = srcs(c, begin)[0];
    return isa_is_reg(p) && (p >= c->nregs || !c->uniform[p]);
}

/* All ifs with two parts and no region in them. */
static void put_all(struct common *c) {
    for (uint32_t n = 0; n < c->old.ninsts && !isa_kernel_failed(c->k); n++) {
        uint32_t other = 0, end = n + 1;
        bool is_if = c->old.insts[n].op == ISA_if && diverges(c, n);
        for (; is_if && end < c->old.ninsts; end++) {
            uint32_t flags = isa_op_info[c->old.insts[end].op].flags;
            if (flags & ISA_OP_REGION_ELSE) other = end;
            if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_END)) break;
        }
        c->parts[0].from = n + 1;
        c->parts[0].to = other;
        c->parts[1].from = other + 1;
        c->parts[1].to = end;
        if (other && c->old.insts[end].op == ISA_endif && put_if(c, n))
            n = end;
        else
            put(c, n);
    }
}

/* ---- selects ---- */

static enum ifconvert_verdict decide(void *context, const struct ifconvert_case *i) {
    (void)context;
    bool taken = i->k->insts[i->begin].match & 1;
    return taken && ifconvert_pays(i, true, true) ? IFCONVERT_SELECT : IFCONVERT_LEAVE;
}

/* ---- the kernel ---- */

static bool find(struct isa_kernel *k, struct arena *arena, const uint8_t *uniform,
                 const struct trace_pass *p) {
    bool any = false;
    struct common *c = ARENA_NEW(arena, struct common);
    *c = (struct common){.k = k, .uniform = uniform, .nregs = k->nregs, .pass = p, .changed = true};
    for (unsigned round = 0; c->changed && round < MOST_ROUNDS; round++) {
        c->changed = false;
        c->reads = rewrite_reads(k, arena);
        c->old = rewrite_take(k, arena);
        put_all(c);
        any |= c->changed;
        if (c->changed) ifconvert_run(k, arena, decide, c);
    }
    return any;
}

/* Takes the origins out of the code. What selects were made of is not known: of what is before. */
static uint32_t *origins_of(struct isa_kernel *k) {
    uint32_t *origins = malloc((k->ninsts + 1ull) * sizeof *origins), last = 0;
    for (uint32_t n = 0; origins && n < k->ninsts; n++) {
        uint32_t is = k->insts[n].match >> 1;
        origins[n] = last = is ? is - 1 : last;
    }
    return origins;
}

static bool has_other_part(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_else) return true;
    return false;
}

static bool make(const struct sized *s, const struct trace_pass *p, struct arena *arena,
                 struct sized_kernel *made) {
    uint8_t *uniform = ARENA_ARRAY(arena, uint8_t, s->k->nregs + 1u);
    struct shape *shape = shape_new_lockstep(s->k, s->groups.size);
    if (!shape) return false;
    for (uint32_t r = 0; r < s->k->nregs; r++) uniform[r] = shape_is_uniform(shape, r);
    shape_free(shape);
    for (uint32_t n = 0; n < made->kernel->ninsts; n++)
        made->kernel->insts[n].match = tag(n, false);
    if (find(made->kernel, arena, uniform, p)) {
        made->origins = origins_of(made->kernel);
        return made->origins && !isa_kernel_failed(made->kernel) && kernelcopy_finish(made->kernel);
    }
    isa_kernel_free(made->kernel);
    made->kernel = NULL;
    return true;
}

bool common_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    if (s->k->probed || s->k->ninsts > MOST_KERNEL || !has_other_part(s->k)) return true;
    made->kernel = isa_kernel_copy(s->k);
    if (!made->kernel || ARENA_FAILS(&t)) return false;
    bool good = make(s, p, t.arena, made);
    arena_free(t.arena);
    return good;
}
