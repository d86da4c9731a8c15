#include "rowloads.h"

#include <stdlib.h>
#include <string.h>

#include "kind.h"
#include "paths.h"

enum { LITTLE = 4 /* a byte is written for so many that are read */, NEAR = 64 /* bytes */ };

/* Is one of them in the lines of a load before it? */
static bool is_near(const struct isa_kernel *k, const uint8_t *of, uint32_t n) {
    for (uint32_t m = 0; m < n; m++) {
        int64_t apart = (int64_t)k->insts[n].imm - (int64_t)k->insts[m].imm;
        bool same = of[m] && isa_srcs(k, &k->insts[m])[0] == isa_srcs(k, &k->insts[n])[0];
        if (same && apart > -NEAR && apart < NEAR) return true;
    }
    return false;
}

uint8_t *rowloads_new(const struct isa_kernel *k, const struct shape *shape,
                      const struct loops *loops) {
    struct paths_sum read = {0}, written = {0};
    uint8_t *of = calloc(k->ninsts + 1u, 1);
    bool good = true;
    for (uint32_t n = 0; of && good && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool load = i->op == ISA_ld, moves = (load || i->op == ISA_st) && i->space == ISA_GLOBAL;
        moves = moves && kind_of(shape, k, isa_srcs(k, i)[0]) != KIND_UNIFORM;
        bool row = moves && load && !(i->flags & ISA_VOLATILE) && kind_is_row(shape, k, i);
        of[n] = row && !is_near(k, of, n);
        good = !moves || (!loops->loop_of[n] && (row || !load));
        paths_add(&read, i, row ? isa_bytes(i) : 0);
        paths_add(&written, i, moves && !load ? isa_bytes(i) : 0);
    }
    if (of && (!good || read.sum[0] < LITTLE * written.sum[0])) memset(of, 0, k->ninsts);
    return of;
}
