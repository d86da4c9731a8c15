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

/* Finds those of all registers of `k`. */
void known_find(const struct isa_kernel *k, struct known_span *of);

/* May a compiler compute `i` with what it knows, and leave a denormal where the CPU has zero? */
bool known_loses_flush(const struct known_span *of, const struct isa_kernel *k,
                       const struct isa_inst *i);

/* All of that. */
struct known {
    const struct known_span *spans;
    const uint8_t *read;    /* registers: loads alone write them, of which nothing is known */
    const uint8_t *flushed; /* registers of f32: never a denormal, or a NaN that signals, as
                               arithmetic alone writes them */
    bool reinterprets;      /* integers that were stored may be read as f32, or made it otherwise */
};
/* For whoever calls to free, in one piece. NULL: no memory. */
struct known *known_new(const struct isa_kernel *k);
/* Is the operand such a register, or a constant that is as they? */
bool known_is_flushed(const struct known *known, const struct isa_kernel *k, isa_operand o);

#endif
