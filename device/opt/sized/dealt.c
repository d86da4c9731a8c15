/* Runs of elements, as where each work-item goes through several that lie side by side, dealt out
 * anew: lanes take elements in turn, so that in each iteration neighbours have neighbours, as if
 * each element had a work-item of its own. That is done where an iteration depends on its counters
 * and on what all lanes have the same of, and leaves nothing in registers; where what it stores to
 * is reached by one parameter alone, and no counter wraps around, which is known when the kernel is
 * launched. Else the loop is as it was. */
#include <stdlib.h>
#include <string.h>

#include "dealer.h"
#include "device/isa/rewrite.h"

/* ---- what numbers are at most ---- */

static isa_operand most_of(struct dealer *d, uint32_t n, isa_operand o, uint32_t before,
                           unsigned left);

/* Of what instruction `at` writes, as an unsigned number that is one for the group and does not
 * wrap around; ISA_NO_OPERAND: that is not known. n: where it is wanted. */
static isa_operand most_written(struct dealer *d, uint32_t n, uint32_t at, unsigned left) {
    const struct isa_inst *i = &d->k->insts[at];
    const isa_operand *src = isa_srcs(d->k, i);
    uint32_t c;
    if (i->type != ISA_I32 || !left) return ISA_NO_OPERAND;
    if (i->op == ISA_special) {
        unsigned which = (unsigned)i->imm;
        if (which <= ISA_SPECIAL_local_id_z)
            return dealer_word(d, d->sized->groups.size[which] - 1);
        if (which == ISA_SPECIAL_thread_id) return dealer_word(d, d->sized->items - 1);
        if (which < ISA_SPECIAL_global_id_x || which > ISA_SPECIAL_global_id_z)
            return ISA_NO_OPERAND;
        which -= ISA_SPECIAL_global_id_x;
        isa_operand items = dealer_special(d, n, ISA_SPECIAL_global_size_x + which);
        items = dealer_made(d, n, ISA_add, ISA_I32, items, dealer_word(d, UINT32_MAX));
        isa_operand offset = dealer_special(d, n, ISA_SPECIAL_global_offset_x + which);
        return dealer_made(d, n, ISA_addsat_u, ISA_I32, items, offset);
    }
    bool knows = i->op == ISA_mov || i->op == ISA_add || i->op == ISA_mul || i->op == ISA_shl;
    if (!knows) return ISA_NO_OPERAND;
    isa_operand a = most_of(d, n, src[0], at, left - 1), b = ISA_NO_OPERAND;
    if (i->op == ISA_mov || a == ISA_NO_OPERAND) return a;
    if (i->op == ISA_shl && runs_constant(d->k, src[1], &c))
        b = dealer_word(d, 1u << (c & 31));
    else if (i->op != ISA_shl)
        b = most_of(d, n, src[1], at, left - 1);
    if (b == ISA_NO_OPERAND) return b;
    if (i->op == ISA_add) return dealer_made(d, n, ISA_addsat_u, ISA_I32, a, b);
    isa_operand high = dealer_made(d, n, ISA_mulhi_u, ISA_I32, a, b);
    isa_operand low = dealer_made(d, n, ISA_mul, ISA_I32, a, b);
    isa_operand beyond = dealer_made(d, n, ISA_min_u, ISA_I32, high, dealer_word(d, 1));
    beyond = dealer_made(d, n, ISA_sub, ISA_I32, dealer_word(d, 0), beyond); /* all ones */
    return dealer_made(d, n, ISA_or, ISA_I32, low, beyond);
}

static isa_operand most_of(struct dealer *d, uint32_t n, isa_operand o, uint32_t before,
                           unsigned left) {
    if (isa_is_const(o)) return o;
    if (!runs_known(&d->runs, o, before)) return ISA_NO_OPERAND;
    if (runs_one(&d->runs, o, SHAPE_GROUP)) return o;
    return most_written(d, n, d->runs.writer[o], left);
}

/* ---- the version ---- */

/* Whether it is right, as a predicate that is one for the group. */
static isa_operand is_right(struct dealer *d, const struct run_loop *l) {
    uint32_t n = l->begin, limit = (l->is_signed ? (uint32_t)INT32_MAX : UINT32_MAX) - l->total;
    isa_operand most = most_written(d, n, l->start, RUNS_CHAIN);
    if (most == ISA_NO_OPERAND) {
        d->failed = true;
        return most;
    }
    isa_operand fits = dealer_made(d, n, ISA_le_u, ISA_I32, most, dealer_word(d, limit));
    return dealer_made(d, n, ISA_and, ISA_PRED, fits, dealer_alone(d, l));
}

static isa_operand times(struct dealer *d, uint32_t n, isa_operand o, uint32_t by) {
    uint32_t c;
    if (runs_constant(d->k, o, &c)) return dealer_word(d, c * by);
    return dealer_made(d, n, ISA_mul, ISA_I32, o, dealer_word(d, by));
}

static void write_dealt(struct dealer *d, struct run_loop *l) {
    const isa_operand none = ISA_NO_OPERAND;
    uint32_t begin = l->begin, end = d->k->insts[begin].match;
    isa_operand lane = dealer_special(d, begin, ISA_SPECIAL_thread_id);
    lane = dealer_made(d, begin, ISA_and, ISA_I32, lane, dealer_word(d, l->lanes - 1));
    dealer_rename(d, l);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand back = times(d, begin, l->counters[n].step, l->run - 1);
        isa_operand by = dealer_made(d, begin, ISA_mul, ISA_I32, lane, back);
        dealer_make(d, begin, ISA_sub, ISA_I32, l->counters[n].dealt, l->counters[n].reg, by);
    }
    isa_operand on[RUNS_COUNTERS];
    for (unsigned n = 0; n < l->ncounters; n++)
        on[n] = times(d, begin, l->counters[n].step, l->lanes - 1);
    isa_operand turn = dealer_made(d, begin, ISA_mov, ISA_I32, dealer_word(d, 0), none);
    dealer_make(d, begin, ISA_loop, ISA_NONE_T, none, none, none);
    isa_operand over = dealer_made(d, begin, ISA_le_u, ISA_I32, dealer_word(d, l->run), turn);
    dealer_make(d, begin, ISA_breakif, ISA_NONE_T, none, over, none)->site =
        d->k->insts[l->test].site;
    for (uint32_t n = begin + 1; n < end; n++)
        if (n != l->test && n != l->compare) dealer_put(d, n);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].dealt;
        dealer_make(d, begin, ISA_add, ISA_I32, reg, reg, on[n]);
    }
    dealer_make(d, begin, ISA_add, ISA_I32, turn, turn, dealer_word(d, 1));
    dealer_make(d, begin, ISA_endloop, ISA_NONE_T, none, none, none);
    dealer_keep(d);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].reg;
        if (!dealer_reads_later(d, l, reg)) continue;
        dealer_make(d, begin, ISA_add, ISA_I32, reg, reg,
                    times(d, begin, l->counters[n].step, l->run));
    }
}

static void write_versions(struct dealer *d, struct run_loop *l) {
    const isa_operand none = ISA_NO_OPERAND;
    struct spread spread;
    if (l->spread)
        spread_test(d, l, &spread);
    else
        spread.right = is_right(d, l);
    dealer_make(d, l->begin, ISA_if, ISA_NONE_T, none, spread.right, none);
    if (l->spread)
        spread_write(d, l, &spread);
    else
        write_dealt(d, l);
    dealer_make(d, l->begin, ISA_else, ISA_NONE_T, none, none, none);
    for (uint32_t n = l->begin; n <= d->k->insts[l->begin].match; n++) dealer_put(d, n);
    dealer_make(d, l->begin, ISA_endif, ISA_NONE_T, none, none, none);
}

/* Writes d->out, with those that are not refused; false: there are none, or no room. */
static bool write(struct dealer *d) {
    unsigned next = 0, written = 0;
    dealer_keep(d);
    for (uint32_t n = 0; !d->failed && n < d->k->ninsts; n++) {
        struct run_loop *l = next < d->found.count ? &d->found.of[next] : NULL;
        next += l && l->begin == n;
        if (!l || l->begin != n || l->refused) {
            dealer_put(d, n);
            continue;
        }
        write_versions(d, l);
        written++;
        n = d->k->insts[n].match;
    }
    return written && !d->failed && kernelcopy_finish(d->out);
}

/* Elements of one turn do not lie in each other where it accesses what it stores more than once;
 * the order of turns is that of each work-item. Those that are not known so are refused. */
static bool check(struct dealer *d) {
    struct shape *shape = shape_new(d->out, d->sized->groups.size);
    bool good = shape;
    for (unsigned n = 0; shape && n < d->found.count; n++)
        for (unsigned p = 0; p < d->found.of[n].nplaces && !d->found.of[n].refused; p++) {
            const struct run_place *place = &d->found.of[n].places[p];
            struct shape_value v = shape->regs[place->dealt];
            if (!runs_checked(place)) continue;
            int64_t far = v.stride < 0 ? -(int64_t)v.stride : v.stride;
            bool known = shape_span_lanes(v.span) >= d->found.of[n].lanes;
            if (known && far >= place->end - place->first) continue;
            d->found.of[n].refused = true;
            good = false;
        }
    shape_free(shape);
    return good;
}

/* ---- the kernel ---- */

static bool make_kernel(struct dealer *d) {
    for (unsigned tries = 0; tries <= RUNS_LOOPS; tries++) {
        d->out = kernelcopy_empty(d->k);
        d->failed = !d->out;
        if (!d->failed && write(d) && check(d)) return true;
        isa_kernel_free(d->out);
        if (d->failed) return false;
        d->out = NULL;
    }
    return false;
}

static bool has_candidate(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].op == ISA_loop) return true;
    return false;
}

static void tell(const struct trace_pass *p, const struct dealer *d) {
    for (unsigned n = 0; n < d->found.count; n++) {
        const struct run_loop *l = &d->found.of[n];
        if (l->refused) continue;
        if (l->spread)
            trace_tell(p, &d->k->insts[l->begin], "runs by all lanes side by side, one %s",
                       l->nown ? "after the other" : "for all where they adjoin");
        else
            trace_tell(p, &d->k->insts[l->begin], "runs of %u elements, by %u lanes in turn",
                       l->run, l->lanes);
    }
}

bool dealt_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    const struct isa_kernel *k = s->k;
    if (k->probed || k->ninsts >= DEALER_MOST / 3 || k->nparams > 64 || !has_candidate(k) ||
        rewrite_nesting(k) + 3 > ISA_MAX_NESTING)
        return true;
    struct dealer *d = calloc(1, sizeof *d);
    bool good = d && runs_find(&d->runs, s, &d->found);
    if (good && d->found.count) {
        d->sized = s;
        d->k = k;
        d->names = sized_of_registers(s, sizeof *d->names);
        d->origins = malloc(DEALER_MOST * sizeof *d->origins);
        if (d->names && d->origins && make_kernel(d)) {
            tell(p, d);
            *made = (struct sized_kernel){d->out, d->origins, NULL};
        } else {
            free(d->origins);
        }
    }
    if (d) {
        runs_end(&d->runs);
        free(d->names);
    }
    free(d);
    return good;
}
