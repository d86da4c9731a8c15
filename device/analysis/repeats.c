/* Pieces are compared instruction by instruction. What they read is compared by what computes it,
 * wherever that is, as passes have moved and merged it. */
#include "repeats.h"

#include <string.h>

#include "device/analysis/warpregions.h"
#include "repeats_value.h"

enum { MOST_TRIES = 200 };

static const struct isa_inst *inst(const struct repeats *x, uint32_t n) { return &x->k->insts[n]; }
static bool has(const struct isa_inst *i, uint32_t flags) {
    return isa_op_info[i->op].flags & flags;
}

/* ---- pieces ---- */

bool repeats_walk(const struct repeats *x, struct repeats_walk *w) {
    for (unsigned c = 0; c < x->copies; c++) {
        const struct repeats_piece *p = &x->of[c * x->pieces + w->piece];
        w->at[c] = w->began ? w->at[c] + 1 : p->from;
        while (w->at[c] < p->to && x->free[w->at[c]]) w->at[c]++;
        if (w->at[c] == p->to) return false;
    }
    return w->began = true;
}

struct repeats_value *repeats_source(struct repeats *x, const uint32_t *at, unsigned s) {
    isa_operand t[REPEATS_COPIES];
    for (unsigned c = 0; c < x->copies; c++) t[c] = repeats_operand(x, at[c], s);
    return repeats_find_value(x, t);
}

struct repeats_value *repeats_result(struct repeats *x, const uint32_t *at) {
    isa_operand t[REPEATS_COPIES];
    for (unsigned c = 0; c < x->copies; c++) t[c] = isa_dsts(x->k, inst(x, at[c]))[0];
    return repeats_find_value(x, t);
}

/* What a piece writes goes by one name each, and by no other one's. */
static bool note_results(struct repeats *x, const uint32_t *at) {
    isa_operand t[REPEATS_COPIES];
    for (unsigned d = 0; d < inst(x, at[0])->ndst; d++) {
        for (unsigned c = 0; c < x->copies; c++) t[c] = isa_dsts(x->k, inst(x, at[c]))[d];
        struct repeats_value *is = NULL;
        for (unsigned v = 0; v < x->nvalues; v++) {
            struct repeats_value *other = &x->values[v];
            bool same = !memcmp(other->of, t, x->copies * sizeof *t), meets = false;
            for (unsigned c = 0; c < x->copies; c++) meets |= other->of[c] == t[c];
            if (same && other->kind == REPEATS_INNER)
                is = other;
            else if (meets)
                return false;
        }
        if (!is) is = repeats_add_value(x, REPEATS_INNER, t);
        if (!is) return false;
        is->writes++;
    }
    return true;
}

static bool compare_piece(struct repeats *x, unsigned piece) {
    struct repeats_walk w = {.piece = piece}, again = w;
    while (repeats_walk(x, &w))
        if (!repeats_alike(x, w.at, &x->further[w.at[0]]) || !note_results(x, w.at)) return false;
    while (repeats_walk(x, &again))
        if (!repeats_find_sources(x, again.at)) return false;
    return true;
}

/* ---- what the copies alone need ---- */

/* What is written by pieces, of that, and what is loaded behind the first one. */
static void find_moved(struct repeats *x) {
    memset(x->moved, 0, x->k->nregs);
    for (uint32_t n = x->begin; n < x->end; n++) {
        const struct isa_inst *i = inst(x, n);
        bool moved = repeats_in_pieces(x, n) || (has(i, ISA_OP_READS) && n > x->of[0].from);
        for (unsigned s = 0; s < i->nsrc && !moved; s++) {
            isa_operand o = isa_srcs(x->k, i)[s];
            moved = isa_is_reg(o) && x->moved[o];
        }
        for (unsigned d = 0; d < i->ndst && moved; d++) x->moved[isa_dsts(x->k, i)[d]] = 1;
    }
}

static void take_reads(const struct repeats *x, uint32_t n, uint32_t *reads) {
    const isa_operand *src = isa_srcs(x->k, inst(x, n));
    for (unsigned s = 0; s < inst(x, n)->nsrc; s++)
        if (isa_is_reg(src[s])) reads[src[s]]--;
}

/* Of pure operations and loads whose results nobody else reads, and not the one copy that stays. */
static void find_dead(struct repeats *x, uint32_t *reads) {
    memset(x->dead, 0, x->k->ninsts);
    for (uint32_t n = x->begin; n < x->end; n++)
        if (repeats_in_pieces(x, n)) {
            x->dead[n] = 1;
            take_reads(x, n, reads);
        }
    for (uint32_t n = x->of[x->copies * x->pieces - 1].to; n < x->end; n++) x->dead[n] = 1;
    for (unsigned v = 0; v < x->nvalues; v++) {
        const struct repeats_value *is = &x->values[v];
        bool read = is->kind == REPEATS_SAME || is->kind == REPEATS_STEPS;
        if (read && isa_is_reg(is->of[0])) reads[is->of[0]]++;
        if (is->stride != ISA_NO_OPERAND) reads[is->stride]++;
    }
    if (x->nested && x->outer != ISA_NO_OPERAND) reads[x->outer]++;
    for (uint32_t n = x->end; n--;) {
        const struct isa_inst *i = inst(x, n);
        bool loads = (i->op == ISA_ld && !(i->flags & ISA_VOLATILE)) || i->op == ISA_img_read;
        bool dead = (has(i, ISA_OP_PURE) || loads) && !x->dead[n], read = false;
        for (unsigned d = 0; d < i->ndst && dead; d++) {
            isa_operand o = isa_dsts(x->k, i)[d];
            dead = x->loops.defs[o] == 1 && !reads[o];
            read |= x->loops.reads[o];
        }
        if (!dead || !read) continue;
        x->dead[n] = 1;
        take_reads(x, n, reads);
    }
}

/* Does nobody else read what would not be there any more? */
static bool is_contained(struct repeats *x) {
    uint32_t *reads = ARENA_ARRAY(x->arena, uint32_t, x->k->nregs + 1u);
    memcpy(reads, x->loops.reads, x->k->nregs * sizeof *reads);
    find_dead(x, reads);
    for (unsigned v = 0; v < x->nvalues; v++) {
        const struct repeats_value *is = &x->values[v];
        bool renamed = is->kind == REPEATS_INNER && !repeats_all_same(x, is->of);
        for (unsigned c = 0; c < x->copies && renamed; c++)
            if (reads[is->of[c]] || x->loops.defs[is->of[c]] != is->writes) return false;
        if (is->kind == REPEATS_INNER && !renamed) reads[is->of[0]] = 0;
    }
    for (uint32_t r = 0; r < x->k->nregs; r++)
        if (x->moved[r] && reads[r]) return false;
    return true;
}

bool repeats_read_outside(const struct isa_kernel *k, isa_operand reg, uint32_t from, uint32_t to) {
    return isa_reads_between(k, reg, 0, from) || isa_reads_between(k, reg, to, k->ninsts);
}

/* What stays of copies in `if`s is done for all lanes: it has no effect, and nobody reads it but
 * them. */
static bool is_lifted(const struct repeats *x) {
    for (uint32_t n = x->begin; n < x->end; n++) {
        const struct isa_inst *i = inst(x, n);
        if (x->dead[n]) continue;
        if (!has(i, ISA_OP_PURE)) return false;
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand o = isa_dsts(x->k, i)[d];
            if (x->loops.defs[o] != 1 || repeats_read_outside(x->k, o, x->begin, x->end))
                return false;
        }
    }
    return true;
}

/* ---- addresses that begin elsewhere ---- */

static bool in_first_copy(const struct repeats *x, uint32_t n) {
    for (unsigned p = 0; p < x->pieces; p++)
        if (n >= x->of[p].from && n < x->of[p].to) return !x->free[n];
    return false;
}

/* Is the register an address that a copy begins with what all have the same of, and steps?
 * *further: by how much the displacements of its accesses, which have nothing else in common, grow.
 */
static bool is_address(const struct repeats *x, isa_operand reg, int32_t *further) {
    bool begins = false;
    *further = 0;
    for (uint32_t n = 0; n < x->k->ninsts; n++) {
        const struct isa_inst *i = inst(x, n);
        const isa_operand *src = isa_srcs(x->k, i);
        bool writes = isa_writes(x->k, i, reg), steps = writes && i->op == ISA_add;
        if (writes && (!in_first_copy(x, n) || (i->op != ISA_mov && !steps))) return false;
        begins |= writes && !steps;
        unsigned reads = 0;
        for (unsigned s = 0; s < i->nsrc; s++) reads += src[s] == reg;
        if (steps ? reads != 1 : writes && reads) return false;
        if (!reads || steps) continue;
        bool moves = has(i, ISA_OP_MEMORY) && src[0] == reg && reads == 1 && in_first_copy(x, n);
        if (!moves || !x->further[n] || (*further && x->further[n] != *further)) return false;
        *further = x->further[n];
    }
    return begins && *further;
}

/* Lets such registers begin further on in each copy: that can be counted. */
static void shift_addresses(struct repeats *x) {
    for (unsigned v = 0; v < x->nvalues; v++) {
        struct repeats_value *is = &x->values[v];
        int32_t further;
        bool own = is->kind == REPEATS_INNER && !repeats_all_same(x, is->of) &&
                   isa_operand_type(x->k, is->of[0]) == ISA_I32;
        if (!own || !is_address(x, is->of[0], &further)) continue;
        bool counts = true;
        for (unsigned p = 0; p < x->pieces; p++) {
            struct repeats_walk w = {.piece = p};
            while (repeats_walk(x, &w)) {
                const struct isa_inst *i = inst(x, w.at[0]);
                if (i->op != ISA_mov || isa_dsts(x->k, i)[0] != is->of[0]) continue;
                const struct repeats_value *from = repeats_source(x, w.at, 0);
                counts &= from->kind == REPEATS_SAME ||
                          (from->kind == REPEATS_STEPS && from->stride == ISA_NO_OPERAND);
            }
        }
        if (!counts) continue;
        is->step = further;
        x->sums = true;
        for (uint32_t n = 0; n < x->k->ninsts; n++) {
            const struct isa_inst *i = inst(x, n);
            if (in_first_copy(x, n) && has(i, ISA_OP_MEMORY) && isa_srcs(x->k, i)[0] == is->of[0])
                x->further[n] = 0;
        }
    }
}

static bool compare(struct repeats *x) {
    x->nvalues = 0;
    x->sums = false;
    find_moved(x);
    for (unsigned p = 0; p < x->pieces; p++)
        if (!compare_piece(x, p)) return false;
    if (!is_contained(x) || (x->nested && !is_lifted(x))) return false;
    shift_addresses(x);
    return true;
}

/* ---- where they may be ---- */

/* Does nothing in [from, to), whole regions, wait for others, leave it, or do what loops of copies
 * may not? */
static bool is_closed(const struct repeats *x, uint32_t from, uint32_t to) {
    const uint32_t no = ISA_OP_BARRIER | ISA_OP_PROBE | ISA_OP_HOST | ISA_OP_EFFECT | ISA_OP_NOTE;
    for (uint32_t n = from; n < to; n++)
        if (has(inst(x, n), no)) return false;
    return warpregions_closed(x->k, from, to);
}

static uint32_t kind_of(const struct repeats *x, const struct repeats_piece *p) {
    const struct isa_inst *i = inst(x, p->from);
    uint32_t ordered = 0;
    for (uint32_t n = p->from; n < p->to; n++) ordered += !x->free[n];
    return ordered << 16 | (uint32_t)i->op << 4 | i->type;
}

/* How many copies of `per` pieces may there be from the first one on? */
static unsigned count_copies(const struct repeats *x, const struct repeats_piece *of,
                             unsigned count, unsigned per) {
    unsigned same = per;
    while (same < count && same < per * REPEATS_COPIES &&
           kind_of(x, &of[same]) == kind_of(x, &of[same - per]))
        same++;
    return same / per;
}

/* All ways of `count` pieces to be copies: from the first one on, of few pieces at first, and as
 * many copies as there may be. */
static bool try_pieces(struct repeats *x, const struct repeats_piece *of, unsigned count,
                       uint32_t begin) {
    for (unsigned first = 0; first + 2 <= count; first++)
        for (unsigned per = 1; per <= REPEATS_PIECES && first + 2 * per <= count; per++) {
            unsigned most = count_copies(x, of + first, count - first, per);
            for (x->copies = most; x->copies > 1; x->copies--) {
                x->nested = false;
                x->pieces = per;
                x->of = of + first;
                x->begin = first ? of[first - 1].to : begin;
                x->end = x->of[x->copies * per - 1].to;
                if (++x->tries > MOST_TRIES) return false;
                if (x->tries > x->skip && compare(x)) return true;
            }
        }
    return false;
}

/* Is the instruction, in no region of the block, kept in order? */
static bool is_ordered(const struct repeats *x, const struct isa_inst *i) {
    bool again = false;
    for (unsigned d = 0; d < i->ndst; d++) again |= x->loops.defs[isa_dsts(x->k, i)[d]] != 1;
    return again || has(i, ISA_OP_WRITES | ISA_OP_ATOMIC);
}

/* The one part of an `if` that does anything; false: there is no such. */
static bool only_part(const struct repeats *x, uint32_t n, uint32_t *from, uint32_t *to) {
    uint32_t next = inst(x, n)->match, end = warpregions_end(x->k, n);
    bool second = next != end && next == n + 1;
    *from = second ? next + 1 : n + 1;
    *to = second ? end : next;
    return inst(x, n)->op == ISA_if && (second || next == end || next + 1 == end);
}

/* The pieces of at most `copies` copies of which each is in an `if` at the end of the one before,
 * of `per` pieces each. Returns how many copies there are, which may be of other numbers: 0. */
static unsigned nest(const struct repeats *x, uint32_t n, unsigned copies, unsigned *per,
                     struct repeats_piece *of) {
    unsigned count = 0, links = 0;
    uint32_t from, to, next = n;
    while (next && links < copies && only_part(x, next, &from, &to)) {
        unsigned first = count;
        if (count == REPEATS_BLOCK) return 0;
        of[count++] = (struct repeats_piece){next, from};
        next = 0;
        for (uint32_t m = from, end; m < to; m = end) {
            bool begins = has(inst(x, m), ISA_OP_REGION_BEGIN);
            end = begins ? warpregions_end(x->k, m) + 1 : m + 1;
            if (!is_closed(x, m, end) || count == REPEATS_BLOCK) return 0;
            if (begins && end == to && links + 1 < copies)
                next = m;
            else if (begins || is_ordered(x, inst(x, m)))
                of[count++] = (struct repeats_piece){m, end};
        }
        if (!links) *per = count;
        if (count - first != *per) return 0;
        for (unsigned p = first; p < count && links; p++)
            if (kind_of(x, &of[p]) != kind_of(x, &of[p - *per])) return 0;
        links++;
    }
    return links;
}

/* The n-th way to read the condition of the first one's `if`: as it is, or as that of other copies
 * and another one, which those are not asked again. False: there is none. */
static bool read_condition(struct repeats *x, uint32_t n, unsigned way) {
    isa_operand p = isa_srcs(x->k, inst(x, n))[0];
    x->inner = x->outer = ISA_NO_OPERAND;
    if (!way) return true;
    if (!isa_is_reg(p) || x->loops.defs[p] != 1) return false;
    const struct isa_inst *i = inst(x, x->loops.writers[p]);
    if (i->op != (x->of[0].to == x->of[0].from + 1 ? ISA_and : ISA_or)) return false;
    x->inner = isa_srcs(x->k, i)[way - 1];
    x->outer = isa_srcs(x->k, i)[2 - way];
    return isa_is_reg(x->outer) && x->loops.defs[x->outer] == 1;
}

/* As many copies of an iteration that is left where one is the last as there may be. */
static bool try_nest(struct repeats *x, uint32_t n) {
    struct repeats_piece *of = ARENA_ARRAY(x->arena, struct repeats_piece, REPEATS_BLOCK);
    unsigned per = 0;
    for (unsigned copies = REPEATS_COPIES; copies > 1; copies--) {
        unsigned found = nest(x, n, copies, &per, of);
        if (found < 2) continue;
        x->copies = copies = found;
        x->nested = true;
        x->pieces = per;
        x->of = of;
        x->begin = n;
        x->end = warpregions_end(x->k, n) + 1;
        for (unsigned way = 0; way < 3 && read_condition(x, n, way); way++) {
            if (++x->tries > MOST_TRIES) return false;
            if (x->tries > x->skip && compare(x)) return true;
        }
    }
    return false;
}

static bool scan(struct repeats *x, uint32_t from, uint32_t to);

/* The parts of a region. */
static bool scan_region(struct repeats *x, uint32_t n) {
    uint32_t next = inst(x, n)->match;
    if (has(inst(x, next), ISA_OP_REGION_ELSE))
        return scan(x, n + 1, next) || scan(x, next + 1, inst(x, next)->match);
    return scan(x, n + 1, next);
}

static bool scan(struct repeats *x, uint32_t from, uint32_t to) {
    struct repeats_piece *of = ARENA_ARRAY(x->arena, struct repeats_piece, REPEATS_BLOCK);
    unsigned count = 0;
    uint32_t begin = from;
    for (uint32_t n = from; n < to; n++) {
        const struct isa_inst *i = inst(x, n);
        bool begins = has(i, ISA_OP_REGION_BEGIN);
        uint32_t end = begins ? warpregions_end(x->k, n) + 1 : n + 1;
        bool closed = is_closed(x, n, end);
        if (closed && count < REPEATS_BLOCK && (begins || is_ordered(x, i)))
            of[count++] = (struct repeats_piece){n, end};
        if (!closed || count == REPEATS_BLOCK) {
            if (try_pieces(x, of, count, begin)) return true;
            count = 0;
            begin = end;
        }
        n = end - 1;
    }
    if (try_pieces(x, of, count, begin)) return true;
    for (uint32_t n = from; n < to && x->tries <= MOST_TRIES; n++) {
        if (!has(inst(x, n), ISA_OP_REGION_BEGIN)) continue;
        if (try_nest(x, n) || scan_region(x, n)) return true;
        n = warpregions_end(x->k, n);
    }
    return false;
}

static bool is_free(const struct repeats *x, const struct isa_inst *i) {
    bool is = has(i, ISA_OP_PURE) && i->ndst == 1;
    for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc && is; o++) {
        isa_operand of = x->k->operands[i->operands + o];
        is = !isa_is_reg(of) || x->loops.defs[of] == 1;
    }
    return is;
}

void repeats_begin(struct repeats *x, const struct isa_kernel *k, struct arena *arena) {
    *x = (struct repeats){.k = k, .arena = arena};
    loops_find(&x->loops, k, arena);
    x->values = ARENA_ARRAY(arena, struct repeats_value, REPEATS_VALUES);
    x->further = ARENA_ARRAY(arena, int32_t, k->ninsts + 1u);
    x->free = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->moved = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    x->dead = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) x->free[n] = is_free(x, inst(x, n));
}

bool repeats_next(struct repeats *x) {
    x->skip = x->tries;
    x->tries = 0;
    return scan(x, 0, x->k->ninsts);
}
