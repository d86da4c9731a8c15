/* Flat ranges: a kernel that is launched in one dimension and takes its index apart by / and % does
 * what one of two dimensions does. Found here are the length of such rows, and which instructions
 * ask for the row and for the column. */
#ifndef SIMTCL_FLAT_H
#define SIMTCL_FLAT_H

#include "device/isa/loops.h"

struct flat_row {
    bool is;
    uint32_t length; /* 0: it is an argument, */
    uint32_t offset; /* an i32 there in the argument block; */
    bool power;      /* of two: that is its exponent */
    uint32_t group;  /* the size that groups must have for it; 0: whatever it is */
};
/* A kernel, and what writes its registers. */
struct flat_code {
    const struct isa_kernel *k;
    struct loops loops;
    struct arena *arena;
};
/* False: no memory; flat_end may be called or not. */
bool flat_begin(struct flat_code *f, const struct isa_kernel *k);
void flat_end(struct flat_code *f);

/* The length by which the kernel takes its index in dimension 0 apart, if it does. */
struct flat_row flat_row(const struct flat_code *f);
/* What it is in a launch of groups of that size, with those arguments; 0: there is none, or it is
 * none of a row. */
uint32_t flat_length(const struct flat_row *row, uint32_t group, const char *params);

/* What an instruction makes of the index, where rows have that length. */
enum flat_part { FLAT_NEITHER, FLAT_COLUMN, FLAT_ROW };
enum flat_part flat_part(const struct flat_code *f, const struct flat_row *row,
                         const struct isa_inst *i);

#endif
