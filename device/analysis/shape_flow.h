/* The control flow of a kernel as shape analysis sees it: where lanes wait while others run.
 *
 * A lane that is off waits at a known place: the other part or the end of an `if`, behind the loop
 * or block it broke out of, or the next iteration of the loop it continued. What made it wait is
 * the `if` or the jump; its span says which pieces of the group always go one way there together. A
 * write harms a waiting lane when the register is live at that lane's place. Private to shape*.c.
 */
#ifndef SIMTCL_SHAPE_FLOW_H
#define SIMTCL_SHAPE_FLOW_H

#include "shape.h"

#define FLOW_NONE UINT32_MAX

/* One control instruction. Indices are of flow.ops unless said otherwise. */
struct flow_op {
    uint32_t inst;  /* index of the instruction */
    uint32_t match; /* as isa_inst.match; of a jump: the region it leaves, FLOW_NONE for ret */
    uint32_t target_depth; /* jumps: where that region lies in flow_stack.open */
    uint32_t active_from;  /* jumps: the op from which on lanes may wait because of it */
    uint32_t first_active, next_active; /* loops: list of jumps with this active_from; its links */
    uint32_t chain;  /* jumps: the one active before it of the same region and kind */
    uint8_t span;    /* enum shape_span: pieces that go the same way here */
    uint8_t chained; /* the least span along the chain from here; of an if: span */
};

/* The regions open at a place. open[0] is the kernel itself. */
struct flow_open {
    uint32_t op; /* FLOW_NONE: the kernel */
    uint32_t exit,
        next; /* the newest jumps that have lanes wait behind it, for its next iteration */
    bool in_else;
};
struct flow_stack {
    struct flow_open open[ISA_MAX_NESTING + 1];
    uint32_t depth;
};

/* A write that a lane must not see that waits because of `op` and reads `reg` afterwards. */
struct flow_harm {
    uint32_t op, inst, reg;
};

struct flow {
    const struct isa_kernel *k;
    struct flow_op *ops;
    uint32_t nops;
    /* Accesses of each register, in order: accesses[first_access[r]] ..; inst * 2, + 1 for a write.
     */
    uint32_t *accesses, *first_access;
    struct flow_harm *harms;
    uint32_t nharms, cap_harms;
    uint8_t *reg_flags; /* FLOW_* of each register */
};
enum {
    FLOW_CROSSES = 1, /* lives beyond one straight run of instructions, or is read before a write */
    FLOW_FROM_ENTRY = 2, /* its first value, 0, may be read */
    FLOW_GIVEN_UP = 4    /* too costly to know: any write may harm */
};

bool flow_init(struct flow *f,
               const struct isa_kernel *k); /* false: out of memory; free either way */
void flow_free(struct flow *f);

void flow_start(struct flow_stack *s);
void flow_step(struct flow *f, struct flow_stack *s, uint32_t op); /* from before op to behind it */
/* The least span of what keeps lanes waiting within open[from] and the regions in it. */
uint8_t flow_waiting(const struct flow *f, const struct flow_stack *s, uint32_t from);

static inline const struct isa_inst *flow_inst(const struct flow *f, uint32_t op) {
    return &f->k->insts[f->ops[op].inst];
}

#endif
