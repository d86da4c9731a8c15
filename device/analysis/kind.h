/* How an engine keeps what the lanes of a warp have, by what shape knows of it. */
#ifndef SIMTCL_KIND_H
#define SIMTCL_KIND_H

#include "shape.h"

enum kind {
    KIND_VARYING, /* a vector of 32 lanes */
    KIND_HALVES,  /* a scalar for each half-warp, to which stride * lane is added */
    KIND_LINEAR,  /* one scalar for the warp, likewise */
    KIND_UNIFORM  /* one scalar */
};

static inline enum kind kind_of(const struct shape *s, const struct isa_kernel *k, isa_operand o) {
    struct shape_value v = shape_operand(s, k, o);
    if (v.span >= SHAPE_WARP) return v.stride ? KIND_LINEAR : KIND_UNIFORM;
    return v.span == SHAPE_HALF_WARP ? KIND_HALVES : KIND_VARYING;
}

/* Do the lanes of a load or store access what lies side by side, upwards? */
static inline bool kind_is_row(const struct shape *s, const struct isa_kernel *k,
                               const struct isa_inst *i) {
    isa_operand at = isa_srcs(k, i)[0];
    enum kind kind = kind_of(s, k, at);
    return (kind == KIND_LINEAR || kind == KIND_HALVES) &&
           s->regs[at].stride == (int32_t)isa_bytes(i);
}

#endif
