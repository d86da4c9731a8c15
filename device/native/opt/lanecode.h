/* The code of a loop for its lanes, one by one or two at a time: what serialise.c and lanecode.c
 * share.
 */
#ifndef SIMTCL_NATIVE_LANECODE_H
#define SIMTCL_NATIVE_LANECODE_H

#include "device/native/instructions.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

enum {
    LANECODE_INSTS = 64,   /* of a loop, */
    LANECODE_PROBES = 64,  /* besides the probes in it, so many at most */
    LANECODE_VALUES = 32,  /* that a lane brings */
    LANECODE_BUFFERS = 16, /* assisted buffers below are left to probes */
    LANECODE_MOST = LANECODE_INSTS + LANECODE_PROBES + 1
};

struct lane_register { /* a register of the loop */
    isa_operand reg;
    bool result, written;
    struct warp_value v; /* as it comes; VARYING: it lies in memory */
    LLVMValueRef lanes;
};

/* A loop while its lanes are run. */
struct lanecode {
    const struct loops *loops;
    uint32_t loop;             /* of those */
    uint32_t begin, test, end; /* instructions: its first, the first that leaves it, its last */
    struct lane_register m[LANECODE_VALUES];
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

/* What the operand of a probe, instruction n, is in each iteration. */
enum lanenotes_kind {
    LANENOTES_NONE,     /* it is a constant */
    LANENOTES_STEPPED,  /* so much more than in the one before */
    LANENOTES_RECORDED, /* lanes leave it in a row, as it depends on what they have read */
    LANENOTES_TEST,     /* whether the lane leaves the loop */
    LANENOTES_UNKNOWN   /* it is not known */
};
enum lanenotes_kind lanenotes_find(const struct isa_kernel *k, const struct lanecode *p, uint32_t n,
                                   uint32_t *by);

/* Computed alike for one lane and for all, without help from C; a load that lanes may do so. */
bool lanecode_plain(const struct plan *plan, const struct isa_inst *i);
/* By how much an operand grows from iteration to iteration, modulo 2^32, as instructions before
 * `until` see it. A counter is stepped behind them all. false: it is not known. */
bool lanecode_grows(const struct isa_kernel *k, const struct lanecode *p, isa_operand o,
                    uint32_t until, uint32_t *by);
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

/* Does the loop for the lanes of `on`, of which one at least is set; p->m and count are filled.
 * iterations: how many each makes, where that is known and nothing else ends them, or NULL. */
void lanecode_emit(struct emitter *e, struct lanecode *p, LLVMValueRef on, LLVMValueRef iterations);

#endif
