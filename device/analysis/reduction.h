/* What a loop joins element by element into a register of the lane's own, by an operation of
 * integers whose order does not show. */
#ifndef SIMTCL_REDUCTION_H
#define SIMTCL_REDUCTION_H

#include "device/isa/isa.h"

/* The operation by which iterations of the loop that begins there join something to what the
 * register was, and which nothing else in the loop hangs on: add, and, or, xor, or a minimum or
 * maximum of integers. Otherwise ISA_OP_COUNT. uses: of registers by an iteration
 * (device/isa/iteration.h). is: room for one of each register. */
enum isa_op reduction_of(const struct isa_kernel *k, uint32_t begin, isa_operand reg,
                         const uint8_t *uses, uint8_t *is);

#endif
