/* Probes, which observers put into a kernel (device/observe), in native code. */
#ifndef SIMTCL_NATIVE_PROBES_H
#define SIMTCL_NATIVE_PROBES_H

#include "device/native/emit.h"

/* At the function's beginning, once the cursor's entry block is there: its counters are 0. */
void probes_begin(struct emitter *e);
/* Where the function returns: what it has counted goes to the thread's counters. */
void probes_end(struct emitter *e);
/* The cursor's instruction is a probe, for warp w. */
void probes_emit(struct emitter *e, unsigned w);
/* The probes among instructions [from, to), which the cursor has passed over: `probes_later`. */
void probes_emit_later(struct emitter *e, uint32_t from, uint32_t to);

/* Warp w's call with an address, which is what most calls are. */
void probes_tell(struct emitter *e, unsigned w);

static inline bool probes_is(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_PROBE;
}

#endif
