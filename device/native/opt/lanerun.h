/* The code of a loop for its lanes, one by one or two at a time: what onelane.c and lanerun.c
 * share.
 */
#ifndef SIMTCL_NATIVE_LANERUN_H
#define SIMTCL_NATIVE_LANERUN_H

#include "device/native/emit.h"

enum { LANERUN_INSTS = 64, LANERUN_VALUES = 32 }; /* of a loop; that a lane brings */

struct moved { /* a register of the loop */
    isa_operand reg;
    bool result;
    struct value v; /* as it comes; VARYING: it lies in memory */
    LLVMValueRef lanes;
};

/* A loop while its lanes are run. */
struct lane_run {
    uint32_t begin, test, end; /* instructions: its first, the first that leaves it, its last */
    struct moved m[LANERUN_VALUES];
    unsigned count;
    unsigned side;                     /* of two lanes at a time, that which is emitted now */
    LLVMValueRef at[2][LANERUN_INSTS]; /* variables: host addresses of loads that go in steps, */
    int32_t step[LANERUN_INSTS];       /* and these; 0: it does not */
    LLVMValueRef turn;                 /* an i64: turns that those are behind; NULL: none */
};

/* Computed alike for one lane and for all, without help from C; a load that lanes may do so. */
bool lanerun_plain(const struct emitter *e, const struct isa_inst *i);
bool lanerun_is_load(const struct isa_inst *i);
/* By how much an operand grows from turn to turn, modulo 2^32, as instructions before `until` see
 * it. A counter is stepped behind them all. false: it is not known. */
bool lanerun_grows(const struct emitter *e, const struct lane_run *p, isa_operand o, uint32_t until,
                   uint32_t *by);
/* Does the loop for the lanes of `on`, of which one at least is set; p->m and count are filled.
 * turns: how many each makes, where that is known and nothing else ends them, or NULL. */
void lanerun_emit(struct emitter *e, struct lane_run *p, LLVMValueRef on, LLVMValueRef turns);

#endif
