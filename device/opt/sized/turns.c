/* Loops that count turns from a constant on, as `for (q = 0; q < 4; q++)` does, and of which each
 * work-item makes its own element, as in `first + q`: that sum is stepped itself, so that runs of
 * elements are seen. */
#include <stdlib.h>

#include "runs.h"

enum {
    MOST_KERNEL = 1000, /* instructions */
    MOST_SUMS = 8,      /* of a loop */
    MOST_LOOPS = 4
};

struct turns {
    const struct isa_kernel *k;
    struct loops loops;
    struct kernelcopy copy;
    uint32_t begin; /* of a loop; */
    struct loop_counter counter;
    uint32_t sums[MOST_SUMS]; /* what adds the counter to what does not change, */
    isa_operand own[MOST_SUMS], stepped[MOST_SUMS];
    unsigned count;
    uint32_t loop; /* where it begins in the copy */
};

/* Is what it writes read in the iteration alone, before the counter is stepped, or behind? */
static bool is_passing(const struct turns *x, uint32_t n) {
    isa_operand reg = isa_dsts(x->k, &x->k->insts[n])[0];
    bool behind = n > x->counter.at;
    uint32_t end = behind ? x->k->insts[x->begin].match : x->counter.sum;
    return x->loops.defs[reg] == 1 && n <= end && !isa_reads_between(x->k, reg, 0, n) &&
           !isa_reads_between(x->k, reg, end + 1, x->k->ninsts);
}

static bool compares(const struct isa_inst *i) { return isa_op_info[i->op].operands[0] == 'p'; }

/* Is it a copy that is compared alone? */
static bool is_compared(const struct turns *x, const struct isa_inst *i) {
    for (uint32_t at = 0; i->op == ISA_mov && at < x->k->ninsts; at++)
        if (isa_reads(x->k, &x->k->insts[at], isa_dsts(x->k, i)[0]) && !compares(&x->k->insts[at]))
            return false;
    return i->op == ISA_mov && x->loops.defs[isa_dsts(x->k, i)[0]] == 1;
}

/* Is all that reads the counter in the loop such a sum, its step, or a comparison? */
static bool find_sums(struct turns *x, uint32_t loop) {
    const struct isa_kernel *k = x->k;
    x->count = 0;
    for (uint32_t n = x->begin + 1; n < k->insts[x->begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!isa_reads(k, i, x->counter.reg) || n == x->counter.at || n == x->counter.sum ||
            compares(i) || is_compared(x, i))
            continue;
        const isa_operand *src = isa_srcs(k, i);
        isa_operand own = src[src[0] == x->counter.reg];
        bool adds = i->op == ISA_add && i->type == ISA_I32 && src[0] != src[1];
        if (!adds || loops_varies(&x->loops, own, loop) || !is_passing(x, n)) return false;
        if (x->count == MOST_SUMS) return false;
        x->sums[x->count] = n;
        x->own[x->count++] = own;
    }
    return x->count;
}

/* Does the loop count turns? */
static bool find(struct turns *x, uint32_t begin) {
    const struct isa_kernel *k = x->k;
    uint32_t loop = loops_at(&x->loops, begin), value;
    x->begin = begin;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        struct loop_counter *c = &x->counter;
        if (!loops_step(&x->loops, k, n, c) || c->loop != loop || c->down) continue;
        if (k->reg_types[c->reg] != ISA_I32 || !isa_is_const(c->step)) continue;
        uint32_t start = loops_start(k, begin, c->reg);
        if (!start || k->insts[start - 1].op != ISA_mov) continue;
        if (!isa_constant(k, isa_srcs(k, &k->insts[start - 1])[0], &value)) continue;
        if (find_sums(x, loop)) return true;
    }
    return false;
}

static bool write(struct turns *x) {
    struct kernelcopy *c = &x->copy;
    if (!kernelcopy_begin(c, x->k, MOST_KERNEL + 4 * MOST_SUMS)) return false;
    kernelcopy_keep_names(c);
    for (uint32_t n = 0; n < x->k->ninsts && !c->failed; n++) {
        bool is_sum = false;
        c->at = n;
        if (n == x->begin) {
            for (unsigned s = 0; s < x->count; s++)
                x->stepped[s] = kernelcopy_result(c, ISA_add, ISA_I32, x->own[s], x->counter.reg);
            x->loop = c->out->ninsts;
        }
        for (unsigned s = 0; s < x->count; s++)
            if (x->sums[s] == n) {
                c->names[isa_dsts(x->k, &x->k->insts[n])[0]] = x->stepped[s];
                is_sum = true;
            }
        if (is_sum) continue;
        kernelcopy_put(c, n);
        for (unsigned s = 0; s < x->count && n == x->counter.at; s++)
            kernelcopy_add(c, ISA_add, ISA_I32, x->stepped[s], x->stepped[s], x->counter.step);
    }
    return !c->failed && kernelcopy_finish(c->out);
}

static bool has_length(void *context, const struct runs_finder *f, const struct run_loop *l) {
    (void)context;
    (void)f;
    return !l->spread;
}

/* Of one loop. False: there is none, or no memory. */
static bool make_one(struct turns *x, const struct sized *s, const struct trace_pass *p,
                     struct sized_kernel *made) {
    bool any = false;
    x->k = made->kernel ? made->kernel : s->k;
    struct arena *arena = loops_new(&x->loops, x->k);
    for (uint32_t n = 0; arena && n < x->k->ninsts && !any; n++) {
        if (x->k->insts[n].op != ISA_loop || !find(x, n)) continue;
        any = write(x) && runs_takes(s, x->copy.out, x->loop, has_length, NULL);
        if (any) {
            trace_tell(p, &x->k->insts[n], "%u sums of turns are stepped", x->count);
            sized_kernel_take(made, &x->copy);
        }
        kernelcopy_drop(&x->copy);
    }
    arena_free(arena);
    return any;
}

bool turns_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct turns *x = calloc(1, sizeof *x);
    bool fits = x && !s->k->probed && s->k->ninsts <= MOST_KERNEL, good = x;
    for (unsigned n = 0; fits && n < MOST_LOOPS && make_one(x, s, p, made); n++) continue;
    free(x);
    return good;
}
