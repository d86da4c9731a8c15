/* Random kernels of warp IR: k0 .. (global char *table, global char *results, global char
 * *counters), and images.
 *
 * A kernel works on registers of all types, some uniform, some not, under nested control flow; each
 * work-item loads from a table anybody may read, stores to a row of its own, and trades values with
 * its group over barriers. A value that could be a NaN is not looked at bit by bit: which payload
 * survives is open. */
#ifndef SIMTCL_TESTS_MAKER_H
#define SIMTCL_TESTS_MAKER_H

#include <stdint.h>

#include "device/isa/isa.h"
#include "device/texture/texture.h"

enum { MAKER_KERNELS = 16, MAKER_ITEMS = 256 /* at most */, MAKER_TABLE = MAKER_ITEMS * 64 + 512 };
/* Bytes of a kernel's results: a row for each item; from MAKER_COUNTERS on, which is the third
 * argument, counters for all; for each element's size and number of components a place for every
 * item; texels; what the registers hold in the end. */
enum {
    MAKER_ROW = 64,
    MAKER_REGS = 6, /* of a type */
    MAKER_COUNTERS = MAKER_ITEMS * MAKER_ROW,
    MAKER_PLACES = MAKER_COUNTERS + 256,
    MAKER_SUM = 1 + 2 + 3 + 4 + 8 + 16, /* of the numbers of components */
    MAKER_TEXELS = MAKER_PLACES + 15 * MAKER_SUM * MAKER_ITEMS,
    MAKER_FINALS = MAKER_TEXELS + MAKER_ITEMS * (16 + 4),
    MAKER_RESULTS = MAKER_FINALS + (ISA_F64 + 1) * MAKER_REGS * 8 * MAKER_ITEMS
};

/* The same for the same seed, not verified yet; the caller frees it. */
struct isa_module *maker_module(uint64_t seed);
/* The launch's images over the table and the results, given their addresses; how many there are. A
 * kernel that finds none ends in a fault. */
unsigned maker_images(struct texture *t, uint32_t table, uint32_t results);

#endif
