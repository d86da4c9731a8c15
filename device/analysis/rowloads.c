#include "rowloads.h"

#include <stdlib.h>
#include <string.h>

#include "kind.h"
#include "paths.h"

enum { LITTLE = 4 /* a byte is written for so many that are read */ };

static bool is_row(const struct isa_kernel *k, const struct shape *s, const struct isa_inst *i) {
    isa_operand at = isa_srcs(k, i)[0];
    enum kind kind = kind_of(s, k, at);
    return (kind == KIND_LINEAR || kind == KIND_HALVES) && !(i->flags & ISA_VOLATILE) &&
           s->regs[at].stride == (int32_t)isa_bytes(i);
}

uint8_t *rowloads_new(const struct isa_kernel *k, const struct shape *shape,
                      const struct loops *loops, const uint32_t size[3]) {
    struct paths_sum read = {0}, written = {0};
    uint8_t *of = calloc(k->ninsts + 1u, 1);
    bool good = size[1] * size[2] == 1;
    for (uint32_t n = 0; of && good && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool load = i->op == ISA_ld, moves = (load || i->op == ISA_st) && i->space == ISA_GLOBAL;
        moves = moves && kind_of(shape, k, isa_srcs(k, i)[0]) != KIND_UNIFORM;
        of[n] = moves && load && is_row(k, shape, i);
        good = !moves || (!loops->loop_of[n] && (of[n] || !load));
        paths_add(&read, i, of[n] ? isa_bytes(i) : 0);
        paths_add(&written, i, moves && !load ? isa_bytes(i) : 0);
    }
    if (of && (!good || read.sum[0] < LITTLE * written.sum[0])) memset(of, 0, k->ninsts);
    return of;
}
