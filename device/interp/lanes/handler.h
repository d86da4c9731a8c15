/* What the handlers' sources share: how a handler is written. */
#ifndef SIMTCL_LANES_LEVEL_H
#define SIMTCL_LANES_LEVEL_H

#include "device/simd/simd.h"
#include "lanes.h"

/* A handler's file offers its part of the level's table. */
#define PART(name) void LANES_NAME(lanes_##name)(struct lanes_table * t)

#if defined(SIMTCL_SANITIZED) || !defined(__OPTIMIZE__)
#define LANES_CHAIN 0
#else
#define LANES_CHAIN 1
#endif

/* Ends a handler. GO calls the next one as a tail call, which the compiler turns into a jump: only
 * for handlers without locals in memory. GO_BACK leaves that to the loop in interpreter.c. */
#if LANES_CHAIN && defined(__clang__)
#define GO(next)                                                                                   \
    do {                                                                                           \
        const struct lanes_op *next_ = (next);                                                     \
        __attribute__((musttail)) return next_->run(next_, w);                                     \
    } while (0)
#elif LANES_CHAIN
#define GO(next)                                                                                   \
    do {                                                                                           \
        const struct lanes_op *next_ = (next);                                                     \
        return next_->run(next_, w);                                                               \
    } while (0)
#else
#define GO(next) return (void)w, (next)
#endif
#define GO_BACK(next) return (next)

#define HANDLER(name) static const struct lanes_op *name(const struct lanes_op *op, struct warp *w)

#define AT(T, offset)       ((T *)__builtin_assume_aligned((char *)w + (offset), sizeof(T)))
#define LANE_ALIGN(T)       (sizeof(T) * ISA_WARP < 128 ? sizeof(T) * ISA_WARP : 128)
#define LANES_AT(T, offset) ((T *)__builtin_assume_aligned((char *)w + (offset), LANE_ALIGN(T)))

/* The parts of the table, one for each file. */
PART(moves);
PART(integers);
PART(divisions);
PART(floats);
PART(comparisons);
PART(conversions);
PART(memory);
PART(own);
PART(atomics);
PART(calls);
PART(control);

#endif
