/* Loops that lanes leave one by one and that do little but read memory at addresses far apart, none
 * of which waits for what an iteration before has read: their lanes may as well go through them one
 * after the other, each on its own. Which those are, what lanes bring to them and leave, how many
 * iterations they make, and what probes in them tell of. */
#ifndef SIMTCL_GATHERLOOPS_H
#define SIMTCL_GATHERLOOPS_H

#include "device/isa/loops.h"
#include "liveranges.h"

enum {
    GATHERLOOPS_INSTS = 64,  /* of a loop, */
    GATHERLOOPS_PROBES = 64, /* besides the probes in it, so many at most */
    GATHERLOOPS_VALUES = 32  /* that a lane brings */
};

struct gatherloop {
    const struct loops *loops;
    uint32_t loop;             /* of those */
    uint32_t begin, test, end; /* instructions: its first, the first that leaves it, its last */
};
struct gatherloop gatherloops_at(const struct isa_kernel *k, const struct loops *loops,
                                 uint32_t begin);

/* An operation that is computed alike for one lane and for all, without help from C. fused: the
 * host has fused multiply-add. */
bool gatherloops_plain(const struct isa_inst *i, bool fused);
/* Does an instruction of the loop that ends there give a result behind it that is one for the warp,
 * or grows evenly over its lanes? */
bool gatherloops_whole(const struct isa_kernel *k, const struct shape *shape,
                       const struct liveranges *live, const struct isa_inst *i, uint32_t end);
/* Is the loop that begins there one? */
bool gatherloops_fit(const struct isa_kernel *k, const struct loops *loops,
                     const struct shape *shape, const struct liveranges *live, uint32_t begin,
                     bool fused);

/* Does what an iteration has read tell which lanes leave the loop in it? */
bool gatherloops_tests(const struct isa_kernel *k, uint32_t begin);

/* What the loop reads of the code before it, or writes for the code after it. Returns how many, or
 * more than GATHERLOOPS_VALUES. */
struct gatherloop_register {
    isa_operand reg;
    bool result, written; /* what follows reads it; iterations write it */
};
unsigned gatherloops_moved(const struct isa_kernel *k, const struct liveranges *live,
                           uint32_t begin, struct gatherloop_register *m);

/* By how much an operand grows from iteration to iteration, modulo 2^32, as instructions before
 * `until` see it. A counter is stepped behind them all. false: it is not known. */
bool gatherloops_grows(const struct isa_kernel *k, const struct gatherloop *l, isa_operand o,
                       uint32_t until, uint32_t *by);
/* Instruction n is a load from memory whose address grows so, by no more than addresses of a host
 * may be displaced by. */
bool gatherloops_steps(const struct isa_kernel *k, const struct gatherloop *l, uint32_t n,
                       uint32_t *by);
/* The comparison that ends the loop, where nothing else does and the counter comes to its limit in
 * steps of one; or NULL. As many iterations are to come as its operand *most, which is the first
 * one where it asks for an order, is more than the other one, and one more where it asks for less:
 * none where it is less. */
const struct isa_inst *gatherloops_exact(const struct isa_kernel *k, const struct gatherloop *l,
                                         unsigned *most);

/* Instruction n does so, and what it writes grows: it may be made ahead of the iterations. */
bool gatherloops_ahead(const struct isa_kernel *k, const struct gatherloop *l, uint32_t n,
                       bool fused);

/* What a probe, instruction n, reads; and what that is in each iteration. */
isa_operand gatherloops_probed(const struct isa_kernel *k, const struct isa_inst *i);
enum gatherloops_note {
    GATHERLOOPS_NONE,     /* it is a constant */
    GATHERLOOPS_STEPPED,  /* so much more than in the one before */
    GATHERLOOPS_RECORDED, /* lanes leave it in a row, as it depends on what they have read */
    GATHERLOOPS_TEST,     /* whether the lane leaves the loop */
    GATHERLOOPS_UNKNOWN   /* it is not known */
};
enum gatherloops_note gatherloops_told(const struct isa_kernel *k, const struct gatherloop *l,
                                       uint32_t n, uint32_t *by);

/* Probes of the loop of which lanes leave what they read in rows. */
unsigned gatherloops_recorded(const struct isa_kernel *k, const struct gatherloop *l);

#endif
