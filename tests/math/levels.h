/* One operation of the ISA on a warp of 32 lanes, at each level of instructions that this processor
 * has, for the tests of the device's arithmetic. */
#ifndef SIMTCL_TESTS_LEVELS_H
#define SIMTCL_TESTS_LEVELS_H

#include <stdbool.h>

#include "device/isa/isa.h"

enum { LEVELS_MOST = 3 };

/* Finds the levels; returns how many there are. The last is the widest. */
unsigned levels_find(void);

const char *levels_name(unsigned level);

/* Does a level compute `op` in that precision? All levels do, or none. */
bool levels_have(enum isa_op op, bool is_double);

/* d = op(a) or op(a, b): 32 floats, doubles or 32-bit integers each, aligned to 128 bytes. `second`
 * takes the other result of math operations with two. Denormals are flushed in single precision. */
void levels_call(unsigned level, enum isa_op op, bool is_double, const void *a, const void *b,
                 void *d, void *second);

#endif
