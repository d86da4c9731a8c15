/* What is kept in private memory when registers do not suffice. */
#include "liveness.h"
#include "registers.h"

/* A register costs what its loads and stores would: those in loops count more. It is better to move
 * one that lives for long. */
struct spill {
    const struct isa_kernel *k;
    const struct machine_code *m;
    uint32_t among, nchosen;
    uint32_t *cost; /* of each register */
    uint8_t *chosen;
};

enum { MOST_DEPTH = 4, LOOP_FACTOR = 8 };

static void find_costs(struct spill *s) {
    const struct isa_kernel *k = s->k;
    uint32_t depth = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        depth += i->op == ISA_loop;
        depth -= i->op == ISA_endloop && depth;
        uint32_t weight = 1;
        for (uint32_t d = 0; d < depth && d < MOST_DEPTH; d++) weight *= LOOP_FACTOR;
        for (unsigned o = 0; o < (unsigned)i->ndst + i->nsrc; o++)
            if (isa_is_reg(isa_dsts(k, i)[o])) s->cost[isa_dsts(k, i)[o]] += weight;
    }
}

static void relieve(void *context, const struct machine_op *op, uint32_t excess,
                    const uint32_t *alive, uint32_t n) {
    (void)op;
    struct spill *s = context;
    uint32_t halves = 2 * excess, freed = 0;
    for (uint32_t i = 0; i < n; i++)
        if (alive[i] < s->among && s->chosen[alive[i]]) freed += s->m->regs[alive[i]].width;
    while (freed < halves) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t r = alive[i];
            if (r >= s->among || s->chosen[r] || s->m->regs[r].class != MACHINE_GENERAL) continue;
            if (best == UINT32_MAX || s->cost[r] < s->cost[best] ||
                (s->cost[r] == s->cost[best] && r < best))
                best = r;
        }
        if (best == UINT32_MAX) return;
        s->chosen[best] = 1;
        s->nchosen++;
        freed += s->m->regs[best].width;
    }
}

uint32_t gpu_spill_choose(const struct isa_kernel *k, struct arena *arena, uint32_t registers,
                          uint32_t among, uint8_t *chosen) {
    struct machine_code m;
    machine_select(&m, k, arena);
    struct spill s = {.k = k, .m = &m, .among = among, .chosen = chosen};
    s.cost = ARENA_ARRAY(arena, uint32_t, k->nregs + 1);
    find_costs(&s);
    liveness_crowds(&m, arena,
                    &(struct liveness_crowd){.limit = registers, .tell = relieve, .context = &s});
    return s.nchosen;
}
