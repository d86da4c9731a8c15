/* What instructions have a warp work with in vectors, as numbers of which clocks are counted. */
#ifndef SIMTCL_COSTS_VECTORWORK_H
#define SIMTCL_COSTS_VECTORWORK_H

#include "device/analysis/kind.h"
#include "device/analysis/latencies.h"
#include "device/analysis/liveranges.h"
#include "device/analysis/shape.h"
#include "opcosts.h"

struct vectorwork {
    const struct isa_kernel *k;
    const struct liveranges *live;
    const uint8_t *kinds; /* of registers: enum kind */
    enum native_level level;
    uint32_t *registers; /* room for a word for each: it is written */
};

/* What the instruction writes is a vector. */
static inline bool vectorwork_makes(const struct isa_kernel *k, const uint8_t *kinds,
                                    const struct isa_inst *i) {
    return i->ndst && kinds[isa_dsts(k, i)[0]] == KIND_VARYING;
}

/* What the instructions [begin, end] are, to be counted in clocks: all but what is spilled. alive:
 * vectors that there are at once. */
struct opcosts_iteration vectorwork_iteration(struct vectorwork x, uint32_t begin, uint32_t end,
                                              uint32_t alive);
/* What all lanes of `warps` warps cost in an iteration of the loop that begins there, if it is made
 * for so many at once: t, and what is spilled then. */
uint64_t vectorwork_clocks(struct vectorwork x, const struct shape *shape,
                           struct opcosts_iteration t, uint32_t begin, uint32_t lanes,
                           uint32_t warps);
/* Of a kernel without loops a warp does not wait for its operands longer than its operations take,
 * those of the next warp that the CPU looks ahead to among them. */
bool vectorwork_hidden(struct vectorwork x);
/* In some loop, none of those that are `seldom` passed, a warp by itself keeps the CPU busy with
 * sequences of operations. */
bool vectorwork_busy(struct vectorwork x, const uint8_t *seldom);

#endif
