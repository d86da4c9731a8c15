/* Alignment: how many of the lowest bits of a kernel's integers are 0, in each launch and for each
 * work-item. */
#ifndef SIMTCL_ALIGNMENT_H
#define SIMTCL_ALIGNMENT_H

#include "device/isa/isa.h"

enum {
    ALIGNMENT_ZERO = 64,  /* of 0 */
    ALIGNMENT_OBJECTS = 7 /* of where buffers, the module's constant data and a group's local
                             memory begin: they are multiples of 128 */
};

/* Of each register, whatever was written to it last. The caller frees; NULL: no memory. */
uint8_t *alignment_find(const struct isa_kernel *k);
/* Of a source; ISA_NO_OPERAND is 0. */
unsigned alignment_of(const struct isa_kernel *k, const uint8_t *found, isa_operand o);
/* Does every address of the instruction, which accesses memory, have so many? */
bool alignment_suffices(const struct isa_kernel *k, const uint8_t *found, const struct isa_inst *i,
                        unsigned bits);

#endif
