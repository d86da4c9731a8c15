/* The code of a loop for its lanes, one by one or two at a time: what serialise.c and lanecode.c
 * share.
 */
#ifndef SIMTCL_NATIVE_LANECODE_H
#define SIMTCL_NATIVE_LANECODE_H

#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

enum { LANECODE_INSTS = 64, LANECODE_VALUES = 32 }; /* of a loop; that a lane brings */

struct lane_register { /* a register of the loop */
    isa_operand reg;
    bool result;
    struct warp_value v; /* as it comes; VARYING: it lies in memory */
    LLVMValueRef lanes;
};

/* A loop while its lanes are run. */
struct lanecode {
    uint32_t begin, test, end; /* instructions: its first, the first that leaves it, its last */
    struct lane_register m[LANECODE_VALUES];
    unsigned count;
    unsigned side;                      /* of two lanes at a time, that which is emitted now */
    LLVMValueRef at[2][LANECODE_INSTS]; /* variables: host addresses of loads that go in steps, */
    int32_t step[LANECODE_INSTS];       /* and these; 0: it does not */
    LLVMValueRef iteration;             /* an i64: iterations that those are behind; NULL: none */
};

/* Computed alike for one lane and for all, without help from C; a load that lanes may do so. */
bool lanecode_plain(const struct plan *plan, const struct isa_inst *i);
bool lanecode_is_load(const struct isa_inst *i);
/* By how much an operand grows from iteration to iteration, modulo 2^32, as instructions before
 * `until` see it. A counter is stepped behind them all. false: it is not known. */
bool lanecode_grows(const struct isa_kernel *k, const struct lanecode *p, isa_operand o,
                    uint32_t until, uint32_t *by);
/* Does the loop for the lanes of `on`, of which one at least is set; p->m and count are filled.
 * iterations: how many each makes, where that is known and nothing else ends them, or NULL. */
void lanecode_emit(struct emitter *e, struct lanecode *p, LLVMValueRef on, LLVMValueRef iterations);

#endif
