/* A kernel as the device of compute capability 1.x would run it, as far as registers are concerned:
 * which values need one, and while what is computed. What the instruction set spares is not there:
 * constants are immediates or c[] operands, arguments and the group's place are s[] operands,
 * addresses of shared, constant and private memory are in address registers, and a global access
 * has no displacement. Private to device/gpu. */
#ifndef SIMTCL_MACHINE_H
#define SIMTCL_MACHINE_H

#include "device/isa/arena.h"
#include "device/isa/isa.h"

enum machine_class {
    MACHINE_GENERAL,
    MACHINE_ADDRESS,   /* $a1 to $a4 */
    MACHINE_PREDICATE, /* $p0 to $p3 */
    MACHINE_CLASSES
};
enum { MACHINE_ADDRESS_REGISTERS = 4, MACHINE_PREDICATE_REGISTERS = 4 };

struct machine_reg {
    uint8_t class, width; /* width: in halves of 32-bit registers */
};

/* An instruction: the registers it writes, then those it reads. */
struct machine_op {
    uint32_t inst; /* of the kernel */
    uint32_t operands;
    uint16_t ndefs, nuses;
    uint8_t extra;   /* registers that it needs besides, while all that it reads is there */
    uint8_t routine; /* registers of a subroutine: NEED's ROUTINE; 0: none */
};

/* Instructions that run one after the other. */
struct machine_block {
    uint32_t first, end; /* ops */
    uint32_t next[2];    /* blocks that may come behind; UINT32_MAX: none */
};

struct machine_code {
    struct machine_reg *regs; /* the first are the kernel's, by number; then those of addresses and
                                 operands, which live in one block */
    uint32_t nregs, cap_regs;
    struct machine_op *ops;
    uint32_t nops, cap_ops;
    uint32_t *operands;
    uint32_t noperands, cap_operands;
    struct machine_block *blocks;
    uint32_t nblocks;
};

/* From a verified kernel; all of it is allocated in the arena. */
void machine_select(struct machine_code *m, const struct isa_kernel *k, struct arena *arena);

#endif
