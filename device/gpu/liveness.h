/* How many registers are in use at a time. Values that are alive together need registers of their
 * own; the device passes leave no copies that would not share one, and a structured kernel's values
 * can always be coloured with as many registers as are in use at the fullest place, where values
 * may move. Private to device/gpu. */
#ifndef SIMTCL_LIVENESS_H
#define SIMTCL_LIVENESS_H

#include "machine.h"

/* The registers in use at the fullest place. at: NULL, or for each of the kernel's instructions
 * (ninsts) how many are in use while what stands for it runs; 0 where nothing does. */
uint32_t liveness_find(const struct machine_code *m, struct arena *arena, uint32_t ninsts,
                       uint32_t *at);

/* Where more than `limit` registers are in use. */
struct liveness_crowd {
    uint32_t limit;
    /* At an instruction: by how many, and the registers that live on through it. Once for each set
     * of registers that are looked at together; in no order. */
    void (*tell)(void *context, const struct machine_op *op, uint32_t excess, const uint32_t *alive,
                 uint32_t n);
    void *context;
};
void liveness_crowds(const struct machine_code *m, struct arena *arena,
                     const struct liveness_crowd *crowd);

#endif
