/* The device's instructions that stand for each of a kernel's (machine.h), and what each costs.
 * Private to device/gpu. */
#ifndef SIMTCL_STEPS_H
#define SIMTCL_STEPS_H

#include "machine.h"
#include "model.h"

/* Where its result comes from, and so what one who needs it waits for. */
enum step_kind {
    STEP_ARITHMETIC,
    STEP_SHARED,
    STEP_CONSTANT,
    STEP_GLOBAL, /* and private memory */
    STEP_TEXTURE,
    STEP_BARRIER,
    STEP_STORE /* nobody waits */
};

struct device_step {
    uint8_t kind;       /* enum step_kind */
    double sp, sfu, dp; /* clocks of a warp */
    double issues;      /* instructions */
    double multiply;    /* of sp: what the special function units could take */
    uint32_t shared;    /* site + 1 of an operand in shared memory; 0: none */
    uint32_t constant;  /* the same of one in constant memory */
};

struct steps {
    struct machine_code code;
    uint32_t *first;          /* of each instruction, and one behind the last: its ops in `order` */
    uint32_t *order;          /* ops, by instruction */
    struct device_step *list; /* of each op */
};

/* Of a verified kernel, for a board; allocated in the arena. */
void steps_find(struct steps *s, const struct isa_kernel *k, const struct model *m,
                struct arena *arena);

#endif
