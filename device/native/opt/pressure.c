/* How many vectors are alive at once, and what follows for warps in lockstep. */
#include <stdlib.h>

#include "device/native/emit.h"

/* Where a register is first and last seen tells. */
uint32_t pressure_most(const struct emitter *e, uint32_t from, uint32_t to) {
    int32_t *change = calloc(e->k->ninsts + 2ull, sizeof *change), alive = 0, most = 0;
    if (!change) return UINT32_MAX;
    for (uint32_t r = 0; r < e->k->nregs; r++) {
        if (e->kinds[r] != KIND_VARYING || e->k->reg_types[r] == ISA_PRED ||
            e->first[r] > e->last[r])
            continue;
        int32_t vectors = isa_type_size[e->k->reg_types[r]] == 8 ? 4 : 2;
        change[e->first[r]] += vectors;
        change[e->last[r] + 1] -= vectors;
    }
    for (uint32_t n = 0; n < to; n++) {
        alive += change[n];
        if (n >= from && alive > most) most = alive;
    }
    free(change);
    return (uint32_t)most;
}

/* Nothing waits for other warps in the loop, and every jump in it stays in it. */
static bool self_contained(const struct isa_kernel *k, uint32_t loop) {
    uint32_t depth = 0;
    for (uint32_t n = loop; n <= k->insts[loop].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        if (i->op == ISA_bar || i->op == ISA_ret) return false;
        if (flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) return false;
        depth -= (flags & ISA_OP_REGION_END) != 0;
    }
    return true;
}

/* Loops between barriers whose vectors, of all warps, are far more than the registers hold: each
 * warp goes through them on its own. */
void pressure_split(struct emitter *e) {
    enum { FAR_MORE = 72 };
    const struct isa_kernel *k = e->k;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (k->insts[n].op != ISA_loop || !self_contained(k, n)) continue;
        uint32_t end = k->insts[n].match;
        if ((uint64_t)pressure_most(e, n, end) * e->bundle > FAR_MORE) e->per_warp[n] = 1;
        n = end;
    }
}
