#include "ownsearches.h"

#include <stdlib.h>

#include "provenance.h"

enum {
    MOST_INSTS = 24, /* of an iteration, */
    MOST_STEP = 64,  /* bytes from one to the next, */
    LEAST_OWN = 16,  /* and from one lane to the next, where rows are their own */
    WORD = 4
};

/* Is the loop code that computes, loads, and is left, with ifs, but none in another one? */
static bool is_plain(const struct isa_kernel *k, uint32_t begin, uint32_t end) {
    for (uint32_t n = begin + 1, depth = 0; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool computes = flags & ISA_OP_PURE && !(flags & ISA_OP_MATH) && i->ndst == 1,
             loads = i->op == ISA_ld && i->count == 1 && !(i->flags & ISA_VOLATILE),
             leaves = i->op == ISA_breakif && !i->imm && !depth,
             region = i->op == ISA_if || i->op == ISA_else || i->op == ISA_endif;
        depth += isa_deeper(i);
        if ((!computes && !loads && !leaves && !region) || depth > 1) return false;
    }
    return end - begin - 1 <= MOST_INSTS;
}

/* All that follows where the loop is left are steps of counters. */
static bool leaves_last(const struct ownsearch *s, const struct isa_kernel *k,
                        const struct loop_counters *counters, uint32_t loop) {
    bool last = true;
    for (uint32_t n = s->leaves + 1; n < s->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        const struct loop_counter *c =
            i->ndst ? loops_counter(counters, isa_dsts(k, i)[0], loop) : NULL;
        last &= c && c->at == n;
    }
    return last;
}

static bool find_exits(struct ownsearch *s, const struct isa_kernel *k, const struct loops *l) {
    for (uint32_t n = s->begin + 1; n < s->end; n++) {
        if (k->insts[n].op != ISA_breakif) continue;
        struct loop_exit exit;
        if (!s->leaves && loops_exit(l, k, n, &exit) && exit.step <= MOST_STEP) {
            s->leaves = n;
            s->exit = exit;
        } else if (!s->decides) {
            s->decides = n;
        }
    }
    return s->leaves;
}

/* How the load steps; *own: through a row that each lane has for itself. */
static bool find_load(struct ownsearch_load *ld, const struct isa_kernel *k,
                      const struct loop_counters *counters, const struct shape *shape,
                      const uint64_t *provenance, uint32_t loop, bool *own) {
    const struct isa_inst *i = &k->insts[ld->at];
    isa_operand at = isa_srcs(k, i)[0];
    const struct loop_counter *c = isa_is_reg(at) ? loops_counter(counters, at, loop) : NULL;
    uint32_t param = provenance_param(k, provenance, i);
    if (!c || (i->space != ISA_GLOBAL && i->space != ISA_CONSTANT) || !param) return false;
    *ld = (struct ownsearch_load){ld->at, (uint32_t)(c - counters->list), loops_constant_step(k, c),
                                  ld->at > c->at, (uint32_t)__builtin_ctz(param)};
    struct shape_value v = shape->regs[at];
    int32_t size = (int32_t)isa_bytes(i);
    *own |= size <= WORD && abs(ld->step) == size &&
            (v.span == SHAPE_VARYING || abs(v.stride) >= LEAST_OWN);
    return ld->param < ISA_SPECIAL_OBJECTS && abs(ld->step) >= size && abs(ld->step) <= MOST_STEP &&
           abs(i->imm) < ISA_MAX_DISPLACEMENT - MOST_STEP * (OWNSEARCHES_TIMES + 1);
}

bool ownsearches_find(struct ownsearch *s, const struct isa_kernel *k, const struct loops *l,
                      const struct loop_counters *counters, const struct shape *shape,
                      const uint64_t *provenance, uint32_t begin) {
    uint32_t loop = loops_at(l, begin);
    bool own = false, asked = false;
    *s = (struct ownsearch){.begin = begin, .end = l->loops[loop].end};
    if (!is_plain(k, begin, s->end) || !find_exits(s, k, l)) return false;
    for (uint32_t n = begin + 1; n < s->end; n++) {
        if (k->insts[n].op != ISA_ld) continue;
        if (s->count == OWNSEARCHES_LOADS) return false;
        struct ownsearch_load *ld = &s->loads[s->count++];
        ld->at = n;
        asked |= l->nested[n];
        if (!find_load(ld, k, counters, shape, provenance, loop, &own)) return false;
        if (abs(ld->step) % (int32_t)s->exit.step) return false;
    }
    s->last = s->decides && leaves_last(s, k, counters, loop);
    return own && (s->decides || asked) && loops_counter(counters, s->exit.counter.reg, loop) &&
           shape_is_uniform(shape, s->exit.counter.reg) &&
           (isa_is_const(s->exit.bound) || shape_is_uniform(shape, s->exit.bound));
}
