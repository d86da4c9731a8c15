/* Runs of elements, as where each work-item goes through several that lie side by side, dealt out
 * anew: lanes take elements in turn, so that in each iteration neighbours have neighbours, as if
 * each element had a work-item of its own. That is done where an iteration depends on its counters
 * and on what all lanes have the same of, and leaves nothing in registers; where what it stores to
 * is reached by one parameter alone, and no counter wraps around, which is known when the kernel is
 * launched. Else the loop is as it was. */
#include <stdlib.h>
#include <string.h>

#include "device/isa/rewrite.h"
#include "runs.h"

enum { MOST_INSTS = 800 /* of the kernel that is made */ };

struct dealer {
    const struct sized *sized;
    const struct isa_kernel *k; /* as it was */
    struct runs_finder runs;
    struct runs found;
    isa_operand *names; /* of k's registers in the version that is written */
    struct isa_kernel *out;
    uint32_t *origins; /* of its instructions */
    bool failed;
};

/* ---- writing ---- */

/* A new instruction in the place of instruction n. */
static struct isa_inst *make(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type type,
                             isa_operand to, isa_operand a, isa_operand b) {
    if (d->out->ninsts >= MOST_INSTS) d->failed = true;
    if (d->failed) return &d->out->lost;
    struct isa_inst *i = kernelcopy_make(d->out, &d->k->insts[n], op, type, to, a, b);
    d->failed = isa_kernel_failed(d->out);
    if (!d->failed) d->origins[d->out->ninsts - 1] = n;
    return i;
}

static isa_operand made(struct dealer *d, uint32_t n, enum isa_op op, enum isa_type type,
                        isa_operand a, isa_operand b) {
    bool compares = isa_op_info[op].operands[0] == 'p';
    isa_operand to = isa_reg_new(d->out, compares ? ISA_PRED : type);
    make(d, n, op, type, to, a, b);
    return to;
}

static isa_operand word(struct dealer *d, uint32_t value) {
    return isa_const_new(d->out, ISA_I32, value);
}

static isa_operand special(struct dealer *d, uint32_t n, enum isa_special which) {
    isa_operand to = isa_reg_new(d->out, ISA_I32);
    make(d, n, ISA_special, ISA_I32, to, ISA_NO_OPERAND, ISA_NO_OPERAND)->imm = which;
    return to;
}

static void put(struct dealer *d, uint32_t n) {
    const struct isa_inst *i = &d->k->insts[n];
    isa_operand operands[2 * UINT8_MAX];
    if (d->out->ninsts >= MOST_INSTS) d->failed = true;
    if (d->failed) return;
    for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
        isa_operand from = isa_dsts(d->k, i)[o];
        operands[o] = isa_is_reg(from) ? d->names[from] : from;
    }
    rewrite_put(d->out, i, operands, operands + i->ndst);
    d->failed = isa_kernel_failed(d->out);
    if (!d->failed) d->origins[d->out->ninsts - 1] = n;
}

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
        if (which <= ISA_SPECIAL_local_id_z) return word(d, d->sized->groups.size[which] - 1);
        if (which == ISA_SPECIAL_thread_id) return word(d, d->sized->items - 1);
        if (which < ISA_SPECIAL_global_id_x || which > ISA_SPECIAL_global_id_z)
            return ISA_NO_OPERAND;
        which -= ISA_SPECIAL_global_id_x;
        isa_operand items = special(d, n, ISA_SPECIAL_global_size_x + which);
        items = made(d, n, ISA_add, ISA_I32, items, word(d, UINT32_MAX));
        isa_operand offset = special(d, n, ISA_SPECIAL_global_offset_x + which);
        return made(d, n, ISA_addsat_u, ISA_I32, items, offset);
    }
    bool knows = i->op == ISA_mov || i->op == ISA_add || i->op == ISA_mul || i->op == ISA_shl;
    if (!knows) return ISA_NO_OPERAND;
    isa_operand a = most_of(d, n, src[0], at, left - 1), b = ISA_NO_OPERAND;
    if (i->op == ISA_mov || a == ISA_NO_OPERAND) return a;
    if (i->op == ISA_shl && runs_constant(d->k, src[1], &c))
        b = word(d, 1u << (c & 31));
    else if (i->op != ISA_shl)
        b = most_of(d, n, src[1], at, left - 1);
    if (b == ISA_NO_OPERAND) return b;
    if (i->op == ISA_add) return made(d, n, ISA_addsat_u, ISA_I32, a, b);
    isa_operand high = made(d, n, ISA_mulhi_u, ISA_I32, a, b);
    isa_operand low = made(d, n, ISA_mul, ISA_I32, a, b);
    isa_operand beyond = made(d, n, ISA_min_u, ISA_I32, high, word(d, 1));
    beyond = made(d, n, ISA_sub, ISA_I32, word(d, 0), beyond); /* all ones */
    return made(d, n, ISA_or, ISA_I32, low, beyond);
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
    isa_operand fits = made(d, n, ISA_le_u, ISA_I32, most, word(d, limit));
    isa_operand alone = special(d, n, ISA_SPECIAL_alone);
    alone = made(d, n, ISA_and, ISA_I32, alone, word(d, l->alone));
    alone = made(d, n, ISA_eq, ISA_I32, alone, word(d, l->alone));
    return made(d, n, ISA_and, ISA_PRED, fits, alone);
}

/* Names of its own for all that the loop writes: what is known of them is what is known here. */
static void rename_registers(struct dealer *d, struct run_loop *l) {
    const struct isa_kernel *k = d->k;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        for (unsigned w = 0; w < k->insts[n].ndst; w++) {
            isa_operand r = isa_dsts(k, &k->insts[n])[w];
            if (d->names[r] == r) d->names[r] = isa_reg_new(d->out, (enum isa_type)k->reg_types[r]);
        }
    for (unsigned n = 0; n < l->ncounters; n++) l->counters[n].dealt = d->names[l->counters[n].reg];
    for (unsigned n = 0; n < l->nplaces; n++) l->places[n].dealt = d->names[l->places[n].reg];
}

static void keep_names(struct dealer *d) {
    for (uint32_t r = 0; r < d->k->nregs; r++) d->names[r] = r;
}

/* Anywhere but in the loop, and before it without another one around. */
static bool is_read_later(const struct dealer *d, const struct run_loop *l, isa_operand reg) {
    uint32_t loops = 0;
    for (uint32_t n = 0; n < d->k->ninsts; n++) {
        const struct isa_inst *i = &d->k->insts[n];
        if (i->op == ISA_loop && n < l->begin && i->match > l->begin) loops++;
        if (n > l->begin && n < d->k->insts[l->begin].match) continue;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_srcs(d->k, i)[s] == reg && (n > l->begin || loops)) return true;
    }
    return false;
}

static isa_operand times(struct dealer *d, uint32_t n, isa_operand o, uint32_t by) {
    uint32_t c;
    if (runs_constant(d->k, o, &c)) return word(d, c * by);
    return made(d, n, ISA_mul, ISA_I32, o, word(d, by));
}

static void write_dealt(struct dealer *d, struct run_loop *l) {
    const isa_operand none = ISA_NO_OPERAND;
    uint32_t begin = l->begin, end = d->k->insts[begin].match;
    isa_operand lane = special(d, begin, ISA_SPECIAL_thread_id);
    lane = made(d, begin, ISA_and, ISA_I32, lane, word(d, l->lanes - 1));
    rename_registers(d, l);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand back = times(d, begin, l->counters[n].step, l->run - 1);
        isa_operand by = made(d, begin, ISA_mul, ISA_I32, lane, back);
        make(d, begin, ISA_sub, ISA_I32, l->counters[n].dealt, l->counters[n].reg, by);
    }
    isa_operand on[RUNS_COUNTERS];
    for (unsigned n = 0; n < l->ncounters; n++)
        on[n] = times(d, begin, l->counters[n].step, l->lanes - 1);
    isa_operand turn = made(d, begin, ISA_mov, ISA_I32, word(d, 0), none);
    make(d, begin, ISA_loop, ISA_NONE_T, none, none, none);
    isa_operand over = made(d, begin, ISA_le_u, ISA_I32, word(d, l->run), turn);
    make(d, begin, ISA_breakif, ISA_NONE_T, none, over, none)->site = d->k->insts[l->test].site;
    for (uint32_t n = begin + 1; n < end; n++)
        if (n != l->test && n != l->compare) put(d, n);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].dealt;
        make(d, begin, ISA_add, ISA_I32, reg, reg, on[n]);
    }
    make(d, begin, ISA_add, ISA_I32, turn, turn, word(d, 1));
    make(d, begin, ISA_endloop, ISA_NONE_T, none, none, none);
    keep_names(d);
    for (unsigned n = 0; n < l->ncounters; n++) {
        isa_operand reg = l->counters[n].reg;
        if (!is_read_later(d, l, reg)) continue;
        make(d, begin, ISA_add, ISA_I32, reg, reg, times(d, begin, l->counters[n].step, l->run));
    }
}

static void write_versions(struct dealer *d, struct run_loop *l) {
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand right = is_right(d, l);
    make(d, l->begin, ISA_if, ISA_NONE_T, none, right, none);
    write_dealt(d, l);
    make(d, l->begin, ISA_else, ISA_NONE_T, none, none, none);
    for (uint32_t n = l->begin; n <= d->k->insts[l->begin].match; n++) put(d, n);
    make(d, l->begin, ISA_endif, ISA_NONE_T, none, none, none);
}

/* Writes d->out, with those that are not refused; false: there are none, or no room. */
static bool write(struct dealer *d) {
    unsigned next = 0, written = 0;
    keep_names(d);
    for (uint32_t n = 0; !d->failed && n < d->k->ninsts; n++) {
        struct run_loop *l = next < d->found.count ? &d->found.of[next] : NULL;
        next += l && l->begin == n;
        if (!l || l->begin != n || l->refused) {
            put(d, n);
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
        if (!l->refused)
            trace_tell(p, &d->k->insts[l->begin], "runs of %u elements, by %u lanes in turn",
                       l->run, l->lanes);
    }
}

bool dealt_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    const struct isa_kernel *k = s->k;
    if (k->probed || k->ninsts >= MOST_INSTS / 2 || k->nparams > 64 || !has_candidate(k) ||
        rewrite_nesting(k) + 1 > ISA_MAX_NESTING)
        return true;
    struct dealer *d = calloc(1, sizeof *d);
    bool good = d && runs_find(&d->runs, s, &d->found);
    if (good && d->found.count) {
        d->sized = s;
        d->k = k;
        d->names = sized_of_registers(s, sizeof *d->names);
        d->origins = malloc(MOST_INSTS * sizeof *d->origins);
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
