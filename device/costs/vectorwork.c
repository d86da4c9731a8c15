#include "vectorwork.h"

#include <string.h>

#include "device/analysis/spills.h"

static bool is_vector(const struct vectorwork *x, isa_operand o) {
    return isa_is_reg(o) && x->kinds[o] == KIND_VARYING;
}

static bool makes_vector(const struct vectorwork *x, const struct isa_inst *i) {
    return vectorwork_makes(x->k, x->kinds, i);
}

/* Vectors that a warp has before instruction n, and keeps for it or what follows. */
static uint32_t across(const struct vectorwork *x, uint32_t n) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < x->k->nregs; r++)
        count += is_vector(x, r) && x->live->first[r] < n && x->live->last[r] >= n;
    return count;
}

/* ---- waiting ---- */

struct vector_wait {
    const struct vectorwork *x;
    uint32_t integer; /* clocks of an operation on integers */
};

static uint32_t clocks_of(const void *wait, const struct isa_inst *i) {
    const struct vector_wait *w = wait;
    uint32_t clocks = opcosts_operation(i).clocks;
    if (i->op != ISA_ld || i->space == ISA_PARAM) return clocks == 1 ? w->integer : clocks;
    return is_vector(w->x, isa_srcs(w->x->k, i)[0]) ? LIMIT_GATHER : LIMIT_LOAD;
}

/* How long vectors are waited for, in clocks. */
static struct latencies latencies(const struct vectorwork *x, uint32_t begin, uint32_t end,
                                  uint32_t integer) {
    for (uint32_t r = 0; r < x->k->nregs; r++) x->registers[r] = is_vector(x, r) ? 0 : UINT32_MAX;
    return latencies_of(x->k, begin, end, clocks_of, &(struct vector_wait){x, integer},
                        x->registers);
}

/* Functions that are sequences of operations are most of what the loop computes, and its iterations
 * do not wait for them: a warp by itself keeps the CPU busy, in fewer registers than several. */
static bool is_busy(const struct vectorwork *x, uint32_t begin, uint32_t end) {
    const struct opcosts *c = opcosts_of(x->level);
    uint32_t sequences = 0, all = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (i->op == ISA_loop) return false;
        if (!makes_vector(x, i)) continue;
        uint32_t operations = opcosts_operation(i).operations;
        sequences += isa_op_info[i->op].flags & ISA_OP_MATH ? operations : 0;
        all += operations;
    }
    return 2 * sequences > all &&
           latencies(x, begin, end, 1).chain <= all * ISA_WARP / c->lanes / c->vectors;
}

bool vectorwork_busy(struct vectorwork x, const uint8_t *seldom) {
    for (uint32_t n = 0; n < x.k->ninsts; n++)
        if (x.k->insts[n].op == ISA_loop && !seldom[n] && is_busy(&x, n, x.k->insts[n].match))
            return true;
    return false;
}

uint64_t vectorwork_clocks(struct vectorwork x, const struct shape *shape,
                           struct opcosts_iteration t, uint32_t begin, uint32_t lanes,
                           uint32_t warps) {
    const struct opcosts *c = opcosts_of(x.level);
    struct spills_registers r = {c->registers > 2 * t.splats ? c->registers - t.splats
                                                             : c->registers / 2u,
                                 lanes / c->lanes};
    t.spilled = spills_of(x.k, shape, x.live, r, begin, x.k->insts[begin].match);
    return opcosts_clocks(x.level, &t, lanes, warps);
}

bool vectorwork_hidden(struct vectorwork x) {
    const struct opcosts *c = opcosts_of(x.level);
    uint64_t all = 0;
    for (uint32_t n = 0; n < x.k->ninsts; n++) {
        const struct isa_inst *i = &x.k->insts[n];
        all += makes_vector(&x, i) ? opcosts_operation(i).operations : 0;
    }
    all = all * ISA_WARP / c->lanes;
    uint64_t path = latencies(&x, 0, x.k->ninsts, 1).path;
    return path * (all < c->window ? all : c->window) / c->window <= all / c->vectors;
}

/* ---- operations ---- */

/* What an operation on lanes takes besides vectors: scalars of before the loop are vectors that
 * stay, constants come from memory each time. */
static void count_sources(const struct vectorwork *x, const struct isa_inst *i, uint32_t begin,
                          struct opcosts_iteration *t) {
    if (isa_op_info[i->op].flags & ISA_OP_MEMORY) return;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(x->k, i)[s];
        if (isa_is_const(o)) t->others++;
        if (!isa_is_reg(o) || x->registers[o] || is_vector(x, o)) continue;
        x->registers[o] = 1; /* counted */
        t->splats += x->live->first[o] <= begin;
    }
}

struct opcosts_iteration vectorwork_iteration(struct vectorwork x, uint32_t begin, uint32_t end,
                                              uint32_t alive) {
    struct latencies l = latencies(&x, begin, end, opcosts_of(x.level)->integer);
    struct opcosts_iteration t = {.alive = alive,
                                  .spilled = UINT64_MAX,
                                  .moved = across(&x, begin + 1) + across(&x, end + 1),
                                  .path = l.path,
                                  .chain = l.chain};
    memset(x.registers, 0, x.k->nregs * sizeof *x.registers);
    for (uint32_t n = begin; n <= end; n++) {
        const struct isa_inst *i = &x.k->insts[n];
        struct opcosts_operation o = opcosts_operation(i);
        if (makes_vector(&x, i)) {
            uint32_t each = isa_type_size[i->type] == 8 ? 2 : 1;
            t.vectors += each * o.operations;
            t.results += each * (o.operations ? o.operations : 1);
            t.others += o.constants;
            count_sources(&x, i, begin, &t);
        } else {
            t.others += o.operations;
        }
    }
    return t;
}
