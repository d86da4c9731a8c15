/* What code for an instruction takes: its size, and LLVM's time for it. */
#ifndef SIMTCL_COSTS_EFFORTS_H
#define SIMTCL_COSTS_EFFORTS_H

#include "device/native/native.h"

/* How the engine makes it. */
struct efforts_form {
    bool vector;             /* it makes a vector of 32 lanes */
    bool sequence;           /* it is a function that is a sequence of operations */
    bool uniform, scattered; /* it accesses one address; or lanes lie anywhere */
};

/* Size of the code for one instruction and one warp, in operations that hosts with wide vectors,
 * masks and fused multiply-add have. Where LLVM has to take vectors of 32 apart its time grows
 * faster than the code. */
uint64_t efforts_weight(enum native_level level, const struct isa_inst *i, struct efforts_form f);
/* LLVM's time for it, in that of an addition: it is long where lanes are moved one by one, where
 * components are shuffled into lanes, and for atomic operations, of which there is code for each
 * way their lanes may lie. */
uint64_t efforts_time(enum native_level level, const struct isa_inst *i, struct efforts_form f);
/* The same where there is so much of it that LLVM's time grows faster than the code. */
uint64_t efforts_large(enum native_level level, const struct isa_inst *i, struct efforts_form f);

#endif
