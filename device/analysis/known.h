/* What a compiler that folds constants may know: registers that are computed from constants, local
 * ids and stored constants alone, on some way through the kernel. Where f32 denormals are flushed,
 * as the CPU does it and a compiler's folding does not, an operation that works with nothing else
 * must be hidden from the compiler, unless no denormal can come from it. */
#ifndef SIMTCL_ANALYSIS_KNOWN_H
#define SIMTCL_ANALYSIS_KNOWN_H

#include "device/isa/isa.h"

/* A register's known values. Of f32: those that are not zero have exponents from `low` to `high`,
 * as frexp's less one. */
struct known_span {
    bool known, zero;
    int16_t low, high;
};

/* One for each register of `k`, that whoever calls frees. NULL: no memory. */
struct known_span *known_find(const struct isa_kernel *k);

/* May a compiler compute `i` with what it knows, and leave a denormal where the CPU has zero? */
bool known_loses_flush(const struct known_span *of, const struct isa_kernel *k,
                       const struct isa_inst *i);

/* Registers that loads alone write, of which nothing is known: 1 of each, malloc'ed. NULL: no
 * memory. */
uint8_t *known_read(const struct isa_kernel *k);
/* May integers that were stored be read as f32, or made it otherwise? */
bool known_reinterprets(const struct isa_kernel *k);

#endif
