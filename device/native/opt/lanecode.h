/* The code of a loop for its lanes, by one or two: what lanecode.c and lanenotes.c share. */
#ifndef SIMTCL_NATIVE_LANECODE_H
#define SIMTCL_NATIVE_LANECODE_H

#include "device/analysis/gatherloops.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

enum {
    LANECODE_BUFFERS = 16, /* assisted buffers below are left to probes */
    LANECODE_MOST = GATHERLOOPS_INSTS + GATHERLOOPS_PROBES + 1
};

struct lane_register {
    struct gatherloop_register of;
    struct warp_value v; /* as it comes; VARYING: it lies in memory */
    LLVMValueRef lanes;
};

/* A loop while its lanes are run. */
struct lanecode {
    struct gatherloop of;
    struct lane_register m[GATHERLOOPS_VALUES];
    unsigned count;
    unsigned side;                        /* of two lanes at a time, that which is emitted now */
    LLVMValueRef at[2][LANECODE_MOST];    /* variables: host addresses of loads that go in steps, */
    int32_t step[LANECODE_MOST];          /* and these; 0: it does not; of probes where in rows */
    LLVMValueRef iteration;               /* an i64: iterations that those are behind; NULL: none */
    bool noted;                           /* there are probes in it: */
    LLVMValueRef rows[LANECODE_MOST];     /* what lanes leave for them, iteration by iteration, */
    LLVMValueRef start[LANECODE_MOST][2]; /* or variables: what goes in steps */
    uint32_t room;                        /* for so many iterations */
};

/* Makes the registers of the loop, as a cursor has them. */
void lanecode_make(struct emitter *at, const struct lanecode *p);
/* Instruction n, if what it writes can be had ahead of the iterations. */
void lanecode_ahead(struct emitter *e, const struct lanecode *p, uint32_t n);
/* Where load or probe n moves so many iterations (an i64) later than at `at`. */
LLVMValueRef lanecode_stepped(struct emitter *e, const struct lanecode *p, uint32_t n,
                              LLVMValueRef at, LLVMValueRef iterations);
/* Of a loop with probes, before its lanes run: where what goes in steps begins, and room for the
 * rest: p->room. */
void lanenotes_begin(struct emitter *e, struct lanecode *p);
/* A lane, `one`, comes to the probe: what it has for it goes to its row. */
void lanenotes_put(struct emitter *one, const struct lanecode *p, uint32_t n);
/* When lanes have run: the loop's probes, iteration by iteration, as the warp would have come to
 * them. bits: lanes that have; iterations, a vector: of each of them; one that has made p->room
 * has not come to the next one. */
void lanenotes_emit(struct emitter *e, const struct lanecode *p, LLVMValueRef bits,
                    LLVMValueRef iterations);

#endif
