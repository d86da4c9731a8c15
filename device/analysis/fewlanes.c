#include "fewlanes.h"

#include <stdlib.h>

#include "chases.h"
#include "warpregions.h"

/* In parts of a clock. */
enum { CLOCK = 16 };

enum {
    MOST = 160,          /* instructions */
    LEAST = 6,           /* lanes, for which there is to be code of their own */
    SPREAD = 2,          /* times as many iterations as a lane on average makes the last one */
    REGION = 4 * CLOCK,  /* masks of a branch that lanes may take or not */
    GUESSED = 4 * CLOCK, /* that a lane waits where the host has guessed wrong, now and then */
    BEGUN = 24 * CLOCK,  /* and to be begun, with each register that it brings; */
    COUNTED = 4 * CLOCK, /* in the order of how often they iterate, so that it guesses right */
    PAIR = 2,            /* lanes that go through it at a time then */
    WORD = 4,
    TRIPS = 4, /* iterations of a loop of which lanes make very different numbers */
    SLOW = 6,  /* operations that a quotient is, or a root, or a warp's fused multiply-add where
                  the host has none, for which a lane calls a function */
    CALL = 40 * CLOCK,
    WAITS = 5 * CLOCK, /* that a lane waits for what it has read, to read where that says */
    MOST_NESTED = 3    /* loops in loops, of which it is counted what they do */
};

struct costs {
    uint64_t warp, lane; /* of an iteration */
};

/* ---- what may be in them ---- */

/* Is it there for one lane without help from C? Arithmetic is by gatherloops_plain. */
static bool allowed(const struct isa_inst *i, bool fused, uint32_t depth) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_ret) return false;
    if (flags & ISA_OP_JUMP) return (uint32_t)i->imm < depth;
    if (flags & ISA_OP_REGION) return true;
    if (i->op != ISA_ld && i->op != ISA_st) return gatherloops_plain(i, fused);
    if (i->flags & ISA_VOLATILE) return false;
    if (i->space == ISA_PRIVATE) return isa_type_size[i->type] <= WORD;
    /* What lanes of a warp leave one another in local memory they may read in step; in global
     * memory, if it is not volatile, no order among them is promised. */
    return i->op == ISA_ld || i->space == ISA_GLOBAL;
}

/* Does what is compared differ evenly from lane to lane? Then lanes leave after about as many
 * iterations. */
static bool leaves_evenly(const struct isa_kernel *k, const struct loops *loops,
                          const struct shape *shape, uint32_t n) {
    uint32_t compare = k->insts[n].op == ISA_breakif ? loops_compare(loops, k, n) : LOOPS_NONE;
    if (compare == LOOPS_NONE) return false;
    for (unsigned s = 0; s < k->insts[compare].nsrc; s++)
        if (shape_operand(shape, k, isa_srcs(k, &k->insts[compare])[s]).span < SHAPE_HALF_WARP)
            return false;
    return true;
}

/* ---- what waits ---- */

enum { OF_MEMORY = 1, OF_PRIVATE = 2 };

/* Adds to what registers are made of what instructions of the loop make of them, and to what words
 * of private memory are. True: there was something to add. */
static bool spread(const struct isa_kernel *k, uint32_t begin, uint8_t *made, uint8_t *words) {
    bool more = false;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint8_t of = i->op == ISA_ld && i->space != ISA_PARAM && i->space != ISA_PRIVATE;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s])) of |= made[isa_srcs(k, i)[s]];
        if (i->op == ISA_ld && i->space == ISA_PRIVATE && *words) of |= *words | OF_PRIVATE;
        if (i->op == ISA_st && i->space == ISA_PRIVATE) {
            more |= of & ~*words;
            *words |= of;
        }
        for (unsigned d = 0; d < i->ndst; d++) {
            more |= of & ~made[isa_dsts(k, i)[d]];
            made[isa_dsts(k, i)[d]] |= of;
        }
    }
    return more;
}

/* Does where an iteration reads depend on what one before has read, by private memory, too? A warp
 * has all its lanes wait for that at one time. */
static bool waits(const struct isa_kernel *k, uint32_t begin) {
    uint8_t *made = calloc(k->nregs + 1ull, 1), words = 0;
    bool is = !made || chases_loads(k, begin);
    while (made && spread(k, begin, made, &words)) continue;
    for (uint32_t n = begin + 1; n < k->insts[begin].match && !is; n++) {
        const struct isa_inst *i = &k->insts[n];
        isa_operand at = chases_load(i) && i->nsrc ? isa_srcs(k, i)[0] : ISA_NO_OPERAND;
        is = isa_is_reg(at) && made[at] & OF_PRIVATE;
    }
    free(made);
    return is;
}

static const char *refused(const struct isa_kernel *k, const struct loops *loops,
                           const struct shape *shape, const struct liveranges *live, uint32_t begin,
                           bool fused) {
    struct gatherloop_register m[GATHERLOOPS_VALUES];
    uint32_t end = k->insts[begin].match, depth = 1;
    bool even = true;
    if (end - begin > MOST) return "it is too long";
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!allowed(i, fused, depth)) return "it does more than compute, branch and move";
        bool leaves = isa_op_info[i->op].flags & ISA_OP_JUMP && i->op != ISA_continue;
        if (leaves && (uint32_t)i->imm + 1 == depth) even &= leaves_evenly(k, loops, shape, n);
        depth += isa_deeper(i);
        if (gatherloops_whole(k, shape, live, i, end))
            return "the warp as a whole has a result of it";
    }
    if (gatherloops_moved(k, live, begin, m) > GATHERLOOPS_VALUES)
        return "lanes bring too many values";
    return even ? "lanes leave it at about the same time" : NULL;
}

/* ---- what they cost ---- */

static bool is_one(const struct isa_kernel *k, const struct shape *shape, isa_operand o) {
    return !isa_is_reg(o) || shape_operand(shape, k, o).span >= SHAPE_WARP;
}

/* An access: rows and single elements cost a warp little more than a lane. */
static struct costs access_costs(const struct isa_kernel *k, const struct shape *shape,
                                 const struct isa_inst *i, const struct fewlanes_host *c) {
    struct costs costs = {CLOCK, CLOCK / 2};
    isa_operand at = isa_srcs(k, i)[0];
    unsigned size = isa_type_size[i->type];
    bool whole = i->space == ISA_PRIVATE
                     ? is_one(k, shape, at)
                     : !isa_is_reg(at) || (shape->regs[at].span >= SHAPE_HALF_WARP &&
                                           abs(shape->regs[at].stride) <= (int)(4 * size));
    if (i->space == ISA_PARAM) return costs;
    if (i->space == ISA_PRIVATE) costs.lane += CLOCK;
    costs.lane *= i->count;
    costs.warp *= i->count * 2u;
    if (whole) return costs;
    costs.warp = (uint64_t)(i->op == ISA_ld ? c->gathered : c->scattered) * i->count * CLOCK;
    if (i->op == ISA_st && i->space == ISA_PRIVATE && size < WORD)
        costs.warp += (uint64_t)c->gathered * i->count * CLOCK;
    return costs;
}

static bool is_slow(enum isa_op op) {
    return op == ISA_fdiv || op == ISA_sqrt || op == ISA_div_s || op == ISA_div_u ||
           op == ISA_rem_s || op == ISA_rem_u;
}

static struct costs costs_of(const struct isa_kernel *k, const struct shape *shape,
                             const struct isa_inst *i, const struct fewlanes_host *c) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_CONTROL) {
        bool asks = i->op == ISA_if || i->op == ISA_breakif;
        bool one = asks && is_one(k, shape, isa_srcs(k, i)[0]);
        return (struct costs){one ? CLOCK : REGION, asks && !one ? GUESSED : CLOCK / 2};
    }
    if (i->op == ISA_ld || i->op == ISA_st) return access_costs(k, shape, i, c);
    bool call = (i->op == ISA_fma || i->op == ISA_mad) && !c->fused;
    uint64_t operations = is_slow((enum isa_op)i->op) || call ? SLOW : 1;
    struct costs costs = {0, call ? CALL : operations * CLOCK / 3};
    unsigned wide = isa_type_size[i->type] == 8 ? 2 : 1;
    bool one = i->ndst && is_one(k, shape, isa_dsts(k, i)[0]);
    costs.warp = one ? costs.lane : operations * wide * ISA_WARP * CLOCK / c->words;
    return costs;
}

/* Of an iteration. */
static struct costs costs_of_loop(const struct isa_kernel *k, const struct shape *shape,
                                  uint32_t begin, const struct fewlanes_host *c) {
    struct costs sum = {0};
    uint64_t times = 1;
    uint32_t loops = 0;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        struct costs costs = costs_of(k, shape, i, c);
        if (i->op == ISA_loop && loops++ < MOST_NESTED) times *= TRIPS;
        sum.warp += costs.warp * times;
        sum.lane += costs.lane * times;
        if (i->op == ISA_endloop && --loops < MOST_NESTED) times /= TRIPS;
    }
    return sum;
}

/* The same for a loop that is none of gathers alone. */
static unsigned most_of(const struct isa_kernel *k, const struct shape *shape,
                        const struct liveranges *live, uint32_t begin,
                        const struct fewlanes_host *c) {
    struct gatherloop_register m[GATHERLOOPS_VALUES];
    struct costs sum = costs_of_loop(k, shape, begin, c);
    if (waits(k, begin)) sum.lane += WAITS;
    sum.lane += (BEGUN + gatherloops_moved(k, live, begin, m) * (uint64_t)CLOCK) / TRIPS;
    uint64_t most = sum.warp * SPREAD / sum.lane;
    return most < ISA_WARP ? (unsigned)most : ISA_WARP;
}

/* Of a loop of gathers whose lanes count their iterations, so that the host does not guess, and go
 * through it two at a time: the other one's latencies are not waited for. */
static void find_counted(struct fewlanes *f, const struct isa_kernel *k, const struct shape *shape,
                         uint32_t begin, const struct fewlanes_host *c) {
    struct costs sum = costs_of_loop(k, shape, begin, c);
    f->warp = (uint32_t)sum.warp;
    f->lane = (uint32_t)(sum.lane - GUESSED) / PAIR;
    f->begun = ISA_WARP * COUNTED;
}

struct fewlanes fewlanes_of(const struct isa_kernel *k, const struct loops *loops,
                            const struct shape *shape, const struct liveranges *live,
                            const struct evenloops *even, uint32_t begin,
                            const struct fewlanes_host *host) {
    struct fewlanes f = {.most = FEWLANES_ANY, .why = "after enough iterations"};
    if (gatherloops_fit(k, loops, shape, live, begin, host->fused)) {
        find_counted(&f, k, shape, begin, host);
        return f;
    }
    f.why = even->test[begin] ? "lanes leave it at about the same time"
                              : refused(k, loops, shape, live, begin, host->fused);
    f.most = f.why ? 0 : most_of(k, shape, live, begin, host);
    if (f.why) return f;
    f.why =
        f.most < LEAST ? "its warp is through it as soon as few lanes" : "when few lanes are left";
    if (f.most < LEAST) f.most = 0;
    return f;
}
