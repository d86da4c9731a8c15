/* Who leaves a loop leaves it first. What lanes do before they break out of a loop, and where they
 * go from there, as by a return or out of several loops, is done behind the loop: until then they
 * wait. The loop has one more exit that can be looked at, and nothing in it is for those that
 * leave. */
#include "device/isa/compare.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "regions.h"

enum {
    MOST_ROUNDS = 8, /* loops in loops */
    MOST_COPIES = 8  /* of registers, for what one exit does */
};

/* Where lanes leave a loop: an `if` with a jump at the end of one of its parts, or a breakif. */
struct way_out {
    uint32_t at, loop, nested; /* the instruction; the regions between it and the loop */
    uint32_t from, jump;       /* what they do is [from, jump), and then that; or the breakif */
    bool other;                /* it is behind `else` */
    bool goes_on;              /* from behind the loop they go further: */
    uint32_t out;              /* out of so many regions, and one more */
    isa_operand left;          /* a predicate: which lanes have left there; or ISA_NO_OPERAND */
    isa_operand copied[MOST_COPIES], copies[MOST_COPIES]; /* registers as they leave them */
    unsigned ncopies;
    struct way_out *next; /* of the loop */
};

/* Lanes that leave a loop where it has come to its end, as a counter tells, need not be told from
 * others in it: they are known by the counter. */
struct loop_end {
    uint32_t compare;        /* the comparison by which they leave; 0: there is no such end */
    isa_operand value, copy; /* what is compared with a bound, as they leave it */
    struct way_out *other;   /* those that have left there are none of these; NULL: nobody asks */
};

/* What a loop holds. */
enum loop_order {
    LOOP_FREE,    /* nobody can tell in which order lanes do what it does; */
    LOOP_ORDERED, /* somebody may; */
    LOOP_BARRIERS /* lanes wait for one another */
};

struct leaver {
    struct isa_kernel *k;
    const struct loops *l;
    struct way_out **at;  /* instructions: that begin one; */
    struct way_out **of;  /* loops: the first one of each; */
    struct loop_end *end; /* how else they are left */
    uint32_t *depth;      /* instructions: regions around each */
    struct rewrite_readers readers;
    uint8_t *order; /* loops: enum loop_order */
    uint8_t *gone;  /* instructions */
};

/* ---- which ---- */

/* Is nothing done from instruction n on, which is in as many regions as end there? */
static bool is_over(const struct isa_kernel *k, uint32_t n) {
    for (; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_else) n = i->match; /* for other lanes */
        if (i->op != ISA_else && i->op != ISA_endif && i->op != ISA_endblock) return false;
    }
    return true;
}

static bool is_free(const struct isa_inst *i) {
    if (i->op == ISA_ld || i->op == ISA_st) return !(i->flags & ISA_VOLATILE);
    return isa_op_info[i->op].flags & (ISA_OP_PURE | ISA_OP_CONTROL) || i->op == ISA_img_read ||
           i->op == ISA_img_write;
}

static void look_at(struct leaver *x, struct arena *arena) {
    const struct isa_kernel *k = x->k;
    uint32_t depth = 0;
    x->at = ARENA_ARRAY(arena, struct way_out *, k->ninsts + 1u);
    x->of = ARENA_ARRAY(arena, struct way_out *, x->l->nloops + 1u);
    x->end = ARENA_ARRAY(arena, struct loop_end, x->l->nloops + 1u);
    x->order = ARENA_ARRAY(arena, uint8_t, x->l->nloops + 1u);
    x->depth = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    x->readers = rewrite_readers(k, arena);
    x->gone = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        enum loop_order order = isa_op_info[i->op].flags & ISA_OP_BARRIER ? LOOP_BARRIERS
                                : is_free(i)                              ? LOOP_FREE
                                                                          : LOOP_ORDERED;
        for (uint32_t loop = x->l->loop_of[n]; loop; loop = x->l->loops[loop].parent)
            if (x->order[loop] < order) x->order[loop] = (uint8_t)order;
        x->depth[n] = depth;
        depth += isa_deeper(i);
    }
}

/* May lanes do that when others have left the loop, too? They do not leave it otherwise. */
static bool may_wait(const struct leaver *x, const struct way_out *e) {
    bool pure = true;
    uint32_t depth = 0;
    for (uint32_t n = e->from; n < e->jump; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth += isa_deeper(i);
        if (flags & ISA_OP_JUMP && (i->op == ISA_ret || (uint32_t)i->imm >= depth)) return false;
        pure &= (flags & (ISA_OP_PURE | ISA_OP_REGION)) != 0;
    }
    return x->order[e->loop] == LOOP_FREE || (pure && x->order[e->loop] == LOOP_ORDERED);
}

/* Does anything but the loop itself read a register that it has assigned? */
static bool is_wanted(const struct leaver *x, isa_operand reg, const struct loop *l) {
    return x->readers.last[reg] > l->end || (l->parent && x->readers.first[reg] < l->begin);
}

/* Registers that are what lanes leave in them have that in copies, so that the loop's own ones are
 * not for some lanes only. */
static bool find_copies(const struct leaver *x, struct way_out *e) {
    const struct isa_kernel *k = x->k;
    for (uint32_t n = e->from; n < e->jump; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++) {
            isa_operand o = isa_srcs(k, &k->insts[n])[s];
            unsigned c = 0;
            while (c < e->ncopies && e->copied[c] != o) c++;
            if (c < e->ncopies || !loops_varies(x->l, o, e->loop) ||
                is_wanted(x, o, &x->l->loops[e->loop]) ||
                isa_writes_between(k, o, e->from, e->jump))
                continue;
            if (c == MOST_COPIES) return false;
            e->copied[e->ncopies++] = o;
        }
    return true;
}

/* Does the part of an `if` that ends before instruction `end`, or the breakif at end - 1, leave the
 * loop that instruction `at` is in? */
static bool leaves(const struct leaver *x, uint32_t at, uint32_t from, uint32_t end,
                   struct way_out *e) {
    const struct isa_inst *i = &x->k->insts[end - 1];
    uint32_t loop = x->l->loop_of[at], inside = x->depth[x->l->loops[loop].begin] + 1;
    if (end == from || !(isa_op_info[i->op].flags & ISA_OP_JUMP)) return false;
    *e = (struct way_out){.at = at, .loop = loop, .from = from, .jump = end - 1};
    e->nested = x->depth[at] - inside;
    e->left = ISA_NO_OPERAND;
    e->goes_on = !is_over(x->k, x->l->loops[loop].end + 1);
    if (i->op == ISA_ret) return true;
    uint32_t label = x->depth[end - 1] - inside; /* of the loop */
    if ((uint32_t)i->imm < label || (i->op == ISA_continue && (uint32_t)i->imm == label))
        return false;
    e->goes_on = (uint32_t)i->imm > label;
    if (e->goes_on) e->out = (uint32_t)i->imm - label - 1;
    return true;
}

static bool find(const struct leaver *x, uint32_t n, struct way_out *e) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    uint32_t m = i->match;
    if (!x->l->loop_of[n]) return false;
    if (i->op == ISA_breakif) return leaves(x, n, n, n + 1, e) && e->goes_on && may_wait(x, e);
    if (i->op != ISA_if) return false;
    bool found = leaves(x, n, n + 1, m, e);
    if (k->insts[m].op == ISA_else) {
        struct way_out other;
        if (leaves(x, n, m + 1, k->insts[m].match, &other)) {
            if (found) return false;
            found = true;
            *e = other;
            e->other = true;
        }
    }
    return found && k->insts[e->jump].op != ISA_breakif && may_wait(x, e) && find_copies(x, e);
}

/* Is the loop left otherwise than where it has come to its end? Finds the one that does that. */
static bool is_left_else(const struct leaver *x, uint32_t loop, uint32_t *leaves) {
    const struct isa_kernel *k = x->k;
    const struct loop *l = &x->l->loops[loop];
    *leaves = 0;
    for (uint32_t n = l->begin + 1; n < l->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!(isa_op_info[i->op].flags & ISA_OP_JUMP)) continue;
        bool stays = i->op != ISA_ret && (uint32_t)i->imm + x->depth[l->begin] + 1 < x->depth[n];
        stays |= i->op == ISA_continue && (uint32_t)i->imm + x->depth[l->begin] + 1 == x->depth[n];
        if (stays || (x->gone[n] && x->l->loop_of[n] == loop)) continue;
        if (*leaves || x->l->loop_of[n] != loop || x->l->nested[n] || i->op != ISA_breakif)
            return true;
        *leaves = n;
    }
    return false;
}

/* Where lanes leave the loop at two places, and by a counter at one of them, the other ones are
 * known by that, too. */
static void find_end(struct leaver *x, uint32_t loop) {
    struct loop_exit exit;
    struct loop_end *end = &x->end[loop];
    struct way_out *e = x->of[loop];
    uint32_t n;
    for (const struct way_out *other = e; other; other = other->next)
        if (other->left == ISA_NO_OPERAND) return;
    if (!e || is_left_else(x, loop, &n) || !n || n > e->at || !loops_exit(x->l, x->k, n, &exit))
        return;
    end->compare = exit.compare;
    end->value = isa_srcs(x->k, &x->k->insts[exit.compare])[!exit.side];
    end->copy = isa_reg_new(x->k, (enum isa_type)x->k->reg_types[end->value]);
    end->other = e;
    for (e = x->of[loop]; e; e = e->next)
        for (unsigned c = 0; c < e->ncopies; c++)
            if (e->copied[c] == end->value &&
                !isa_writes_between(x->k, end->value, end->compare, e->at))
                e->copies[c] = end->copy;
}

static bool find_all(struct leaver *x, struct arena *arena, const struct trace_pass *p) {
    struct isa_kernel *k = x->k;
    bool any = false;
    for (uint32_t n = k->ninsts; n--;) {
        struct way_out e, *mine;
        if (!find(x, n, &e)) continue;
        mine = ARENA_NEW(arena, struct way_out);
        *mine = e;
        if (mine->goes_on || mine->from < mine->jump) mine->left = isa_reg_new(k, ISA_PRED);
        x->at[n] = mine;
        any = true;
    }
    /* Not those in what others do. */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct way_out *e = x->at[n];
        if (!e) continue;
        for (uint32_t m = e->from; m <= e->jump; m++) {
            x->gone[m] = 1;
            if (m > n) x->at[m] = NULL;
        }
        if (k->insts[n].op != ISA_if) continue;
        uint32_t end = k->insts[n].match;
        x->gone[n] = x->gone[end] = 1;
        x->gone[k->insts[end].op == ISA_else ? k->insts[end].match : end] = 1;
    }
    for (uint32_t n = k->ninsts; n--;) {
        struct way_out *e = x->at[n];
        if (!e) continue;
        for (unsigned c = 0; c < e->ncopies; c++)
            e->copies[c] = isa_reg_new(k, (enum isa_type)k->reg_types[e->copied[c]]);
        e->next = x->of[e->loop];
        x->of[e->loop] = e;
        trace_tell(p, &k->insts[n],
                   e->left == ISA_NO_OPERAND ? "who returns leaves the loop"
                                             : "what who leaves the loop does is done behind it");
    }
    for (uint32_t loop = 1; any && loop <= x->l->nloops; loop++) find_end(x, loop);
    return any;
}

/* ---- rewriting ---- */

static uint32_t label_of(const struct regions *r, uint32_t out) {
    return r->now - r->level[r->depth - out];
}

static void put_exit(struct kernelcopy *c, const struct regions *r, const struct way_out *e,
                     const struct loop_end *end) {
    const struct isa_inst *i = &c->k->insts[e->at];
    isa_operand p = isa_srcs(c->k, i)[0];
    c->at = e->at;
    if (e->other) p = kernelcopy_result(c, ISA_not, ISA_PRED, p, ISA_NO_OPERAND);
    if (e->left != ISA_NO_OPERAND && e != end->other) kernelcopy_move(c, e->left, p);
    for (unsigned n = 0; n < e->ncopies; n++)
        if (!end->other || e->copies[n] != end->copy)
            kernelcopy_move(c, e->copies[n], e->copied[n]);
    struct isa_inst *leaves =
        kernelcopy_add(c, ISA_breakif, ISA_NONE_T, ISA_NO_OPERAND, p, ISA_NO_OPERAND);
    leaves->imm = (int32_t)label_of(r, e->nested);
    leaves->site = i->site;
}

/* What those do behind the loop that have left it there. */
static void put_behind(struct kernelcopy *c, struct regions *r, const struct way_out *e) {
    const struct isa_inst *jump = &c->k->insts[e->jump];
    bool conditional = jump->op == ISA_break || jump->op == ISA_breakif;
    if (e->left == ISA_NO_OPERAND) return;
    c->at = e->jump;
    if (e->from == e->jump && conditional) {
        struct isa_inst *further =
            kernelcopy_add(c, ISA_breakif, ISA_NONE_T, ISA_NO_OPERAND, e->left, ISA_NO_OPERAND);
        further->imm = (int32_t)label_of(r, e->out);
        further->site = c->k->insts[e->at].site;
        return;
    }
    kernelcopy_add(c, ISA_if, ISA_NONE_T, ISA_NO_OPERAND, e->left, ISA_NO_OPERAND)->site =
        c->k->insts[e->at].site;
    r->now++;
    for (unsigned n = 0; n < e->ncopies; n++) c->names[e->copied[n]] = e->copies[n];
    kernelcopy_put_range(c, e->from, e->jump);
    for (unsigned n = 0; n < e->ncopies; n++) c->names[e->copied[n]] = e->copied[n];
    if (e->goes_on) {
        struct isa_inst *i = kernelcopy_put(c, e->jump);
        if (i->op != ISA_ret) i->imm = (int32_t)label_of(r, e->out);
    }
    r->now--;
    c->at = e->jump;
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

/* Those that have left a loop neither at its end nor at one of the other places. */
static void put_others(struct kernelcopy *c, const struct way_out *all,
                       const struct loop_end *end) {
    const struct isa_inst *i = &c->k->insts[end->compare];
    const isa_operand *src = isa_srcs(c->k, i);
    isa_operand a = src[0] == end->value ? end->copy : src[0],
                b = src[1] == end->value ? end->copy : src[1];
    bool turned;
    enum isa_op op = compare_opposite(i->op, &turned);
    c->at = end->compare;
    isa_operand p =
        kernelcopy_result(c, op, (enum isa_type)i->type2, turned ? b : a, turned ? a : b);
    for (; all; all = all->next) {
        if (all == end->other || all->left == ISA_NO_OPERAND) continue;
        isa_operand not = kernelcopy_result(c, ISA_not, ISA_PRED, all->left, ISA_NO_OPERAND);
        p = kernelcopy_result(c, ISA_and, ISA_PRED, p, not );
    }
    kernelcopy_move(c, end->other->left, p);
}

static void rewrite(struct leaver *x, struct arena *arena) {
    struct kernelcopy c;
    struct regions r = {.depth = 0};
    kernelcopy_take(&c, x->k, arena);
    for (uint32_t n = 0; n < c.k->ninsts && !isa_kernel_failed(x->k); n++) {
        const struct isa_inst *i = &c.k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags, loop = x->l->loop_of[n];
        if (i->op == ISA_loop) {
            c.at = n;
            for (const struct way_out *e = x->of[loops_at(x->l, n)]; e; e = e->next)
                if (e->left != ISA_NO_OPERAND && x->end[e->loop].other != e)
                    kernelcopy_move(&c, e->left, isa_const_new(c.out, ISA_PRED, 0));
        }
        if (loop && n == x->end[loop].compare) {
            c.at = n;
            kernelcopy_move(&c, x->end[loop].copy, x->end[loop].value);
        }
        if (x->at[n]) put_exit(&c, &r, x->at[n], &x->end[loop]);
        if (!x->gone[n]) regions_put(&r, &c, n);
        if (flags & ISA_OP_REGION_BEGIN) regions_begin(&r, !x->gone[n]);
        if (flags & ISA_OP_REGION_END) regions_end(&r, !x->gone[n]);
        if (i->op != ISA_endloop || x->gone[n]) continue;
        if (x->end[loop].other) put_others(&c, x->of[loop], &x->end[loop]);
        for (const struct way_out *e = x->of[loop]; e; e = e->next) put_behind(&c, &r, e);
    }
}

void opt_leave(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        struct loops l = {0};
        struct leaver x = {.k = k, .l = &l};
        if (!loops_find(&l, k, arena)) return;
        look_at(&x, arena);
        if (!find_all(&x, arena, p)) return;
        rewrite(&x, arena);
        if (isa_kernel_failed(k)) return;
        rewrite_match(k);
    }
}
