/* How long iterations of a loop, and kernels without any, wait for their operands, and where that
 * is no reason for lockstep. */
#include <stdlib.h>

#include "device/native/opcosts.h"
#include "device/native/opt/rewrites.h"

static uint32_t clocks_of(const struct plan *p, const struct isa_inst *i) {
    if (i->op != ISA_ld || i->space == ISA_PARAM) return opcosts_operation(i).clocks;
    return plan_operand_kind(p, isa_srcs(p->k, i)[0]) == KIND_VARYING ? LIMIT_GATHER : LIMIT_LOAD;
}

/* How much later an iteration's results come than those of the one before is the same once that has
 * gone on for some. */
struct chains chains_of(const struct plan *p, uint32_t begin, uint32_t end) {
    enum { TURNS = 4 };
    struct chains found = {0};
    uint32_t *ready = plan_of_registers(p, sizeof *ready), last = 0, most = 0;
    for (unsigned turn = 0; ready && turn < TURNS; turn++) {
        last = most;
        for (uint32_t n = begin; n < end; n++) {
            const struct isa_inst *i = &p->k->insts[n];
            uint32_t at = 0;
            for (unsigned s = 0; s < i->nsrc; s++) {
                isa_operand o = isa_srcs(p->k, i)[s];
                if (isa_is_reg(o) && plan_kind(p, o) == KIND_VARYING && ready[o] > at)
                    at = ready[o];
            }
            at += clocks_of(p, i);
            for (unsigned d = 0; d < i->ndst; d++) ready[isa_dsts(p->k, i)[d]] = at;
            if (at > most) most = at;
        }
        if (!turn) found.path = most;
    }
    free(ready);
    found.chain = most - last;
    return found;
}

/* Functions that are sequences of operations are most of what the loop computes, and its iterations
 * do not wait for them: a warp by itself keeps the CPU busy, in fewer registers than several. */
static bool is_busy(const struct plan *p, uint32_t begin, uint32_t end) {
    const struct opcosts *c = opcosts_of(p->request->level);
    uint32_t sequences = 0, all = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        if (i->op == ISA_loop) return false;
        if (!i->ndst || plan_kind(p, isa_dsts(p->k, i)[0]) != KIND_VARYING) continue;
        uint32_t operations = opcosts_operation(i).operations;
        sequences += isa_op_info[i->op].flags & ISA_OP_MATH ? operations : 0;
        all += operations;
    }
    return 2 * sequences > all &&
           chains_of(p, begin, end).chain <= all * ISA_WARP / c->lanes / c->vectors;
}

bool chains_busy(const struct plan *p) {
    for (uint32_t n = 0; n < p->k->ninsts; n++)
        if (p->k->insts[n].op == ISA_loop && !plan_get(p, seldom)->of[n] &&
            is_busy(p, n, p->k->insts[n].match))
            return true;
    return false;
}

bool chains_hidden(const struct plan *p) {
    const struct opcosts *c = opcosts_of(p->request->level);
    uint64_t all = 0;
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        if (i->ndst && plan_kind(p, isa_dsts(p->k, i)[0]) == KIND_VARYING)
            all += opcosts_operation(i).operations;
    }
    all = all * ISA_WARP / c->lanes;
    uint64_t path = chains_of(p, 0, p->k->ninsts).path;
    return path * (all < c->window ? all : c->window) / c->window <= all / c->vectors;
}
