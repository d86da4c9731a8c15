/* What is found out and decided of a kernel before its code is emitted: plan.def lists the analyses
 * and rewrites in their order, here are their results. While code is emitted a plan is const. */
#ifndef SIMTCL_NATIVE_PLAN_H
#define SIMTCL_NATIVE_PLAN_H

#include <assert.h>

#include "device/analysis/elementrows.h"
#include "device/analysis/fewlanes.h"
#include "device/analysis/evenguards.h"
#include "device/analysis/kind.h"
#include "device/analysis/localwords.h"
#include "device/analysis/neighbours.h"
#include "device/analysis/numbers.h"
#include "device/analysis/rowloads.h"
#include "device/analysis/rowstores.h"
#include "device/analysis/shape.h"
#include "device/analysis/warpregions.h"
#include "device/costs/vectorwork.h"
#include "device/isa/arena.h"
#include "device/isa/loops.h"
#include "device/native/native.h"
#include "device/opt/sized/sized.h"

enum { PLAN_WARPS = 16 }; /* most warps of a bundle */

enum plan_step {
#define ANALYSIS(name, make, reads, what)           PLAN_##name,
#define REWRITE(name, label, function, reads, what) PLAN_##name,
#define EMISSION(name, label, what)                 PLAN_##name,
#include "device/native/plan.def"
    PLAN_STEPS
};
_Static_assert(PLAN_STEPS <= 64, "bits of a word");

/* The arrays `of` are of registers or of instructions of plan.k; of many results that is all. */
#define PLAN_OF(name, type)                                                                        \
    struct plan_##name {                                                                           \
        type of;                                                                                   \
    }
PLAN_OF(shape, struct shape *);
PLAN_OF(kinds, uint8_t *); /* registers: enum kind */
PLAN_OF(neighbours, struct neighbours);
PLAN_OF(liveness, struct liveranges);
PLAN_OF(seldom, uint8_t *); /* instructions */
PLAN_OF(regions, struct warpregions);
PLAN_OF(row_loops, struct evenloops);
PLAN_OF(columns, uint8_t *);     /* loads and stores */
PLAN_OF(pressure, uint8_t *);    /* NULL: it changes regions, */
PLAN_OF(full_mask, uint8_t *);   /* and this guards */
PLAN_OF(provenance, uint64_t *); /* registers: parameters whose addresses they hold, as bits */
PLAN_OF(serialised, struct fewlanes *); /* begin of a loop */
PLAN_OF(transposed, uint8_t *);         /* loads and stores */
PLAN_OF(lanerows, struct elementrows);
PLAN_OF(rowloads, uint8_t *); /* loads */
PLAN_OF(moved, uint8_t *);    /* loads and stores */
PLAN_OF(strips, uint8_t *);   /* begin of a loop: how many lanes go at once; 0: all */
PLAN_OF(shared, uint8_t *);   /* registers: one for the whole bundle */
PLAN_OF(together, uint8_t *); /* begin of an `if`: warps pass it in lockstep */
#undef PLAN_OF
struct plan_sized {
    struct sized made;
};
struct plan_loops {
    struct loops of;
    struct arena *arena;
};
struct plan_bounds {
    struct numbers of;
    struct arena *arena;
};
/* Regions that are emitted warp by warp: as warps may go other ways, or hold too many vectors. */
enum plan_region { REGION_ALL, REGION_ONE, REGION_OWN };
struct plan_guards {
    uint8_t *of;   /* instructions: begin of a region that is one: enum guard */
    uint8_t *full; /* where all lanes are on if all pass the guards round it */
};
struct plan_effort {
    uint64_t cost, time; /* of the code, if guards are passed; of LLVM */
    uint32_t atomics;    /* atomic instructions, */
    uint32_t functions;  /* and functions of math */
};
struct plan_bundle {
    unsigned warps; /* in lockstep; a group's are a multiple */
    bool rounds;    /* a call goes through all of a group, bundle after bundle */
    bool resumable; /* it stops at barriers */
};
struct plan_addresses {
    struct localwords known; /* arguments: they are rows if they are large enough: localrows_fit */
};
struct plan_streams {
    uint8_t *of;    /* instructions: stores that may go past the caches: enum rowstore */
    uint32_t bytes; /* that a work-item stores so outside loops */
};
struct plan_overwritten {
    uint8_t *of;     /* instructions: stores, that nothing reads before something else is there */
    uint32_t params; /* whose memory has to be no other's, as bits */
};
struct plan_privatised {
    uint8_t *of;    /* instructions: atomics that may go to a table */
    uint32_t param; /* the parameter that they add to, + 1; 0: none */
};
struct plan_denormals {
    struct known *of;
};
struct plan_segments {
    uint32_t *end;  /* instructions: where a segment that begins there ends; 0: none does */
    uint8_t *warps; /* that pass it at once */
};
struct plan_state {
    uint32_t *at; /* registers */
    uint32_t bytes;
};

struct plan {
    const struct native_request *request;
    struct arena_try memory;    /* of arrays that are made here */
    const struct isa_kernel *k; /* that is compiled: the request's, or made of it */
    uint32_t items, warps;      /* of a group */
    bool barriers, local;       /* the request's has barriers, accesses local memory */
    bool partial;               /* the last warp of a group has lanes off; */
    bool tail;                  /* there is code of its own for it, one call */
    bool plain;                 /* so large that nothing is done that makes its code larger */
    bool too_large;             /* to be compiled in reasonable time */
    bool unsound;               /* a rewrite has made what the verifier refuses */
    uint64_t off;               /* rewrites that are switched off, as bits */
    uint64_t readable;          /* results that may be used now, as bits */
#define ANALYSIS(name, make, reads, what)           struct plan_##name name;
#define REWRITE(name, label, function, reads, what) struct plan_##name name;
#include "device/native/plan.def"
};

/* The result of an analysis or rewrite, which must have been made, and which the one at work must
 * have named as what it reads. */
#define plan_get(p, name) (assert((p)->readable >> PLAN_##name & 1), &(p)->name)

/* Plans for request->kernel. false: too_large, or out of memory. plan_free may be called, or has to
 * be, in either case. */
bool plan_make(struct plan *p, const struct native_request *request);
void plan_free(struct plan *p);

/* What is made is looked at by the verifiers, the warp IR's and LLVM's. */
static inline bool plan_checks(const struct native_request *r) {
#ifdef NDEBUG
    return r->check;
#else
    (void)r;
    return true;
#endif
}
/* Has the rewrite been switched off (SIMTCL_OFF)? */
static inline bool plan_off(const struct plan *p, enum plan_step step) {
    return p->off >> step & 1;
}
/* Tells under SIMTCL_LOG=passes what a rewrite did at instruction n, or why it did nothing. n:
 * UINT32_MAX: the kernel as a whole. */
void plan_tell(const struct plan *p, enum plan_step step, uint32_t n, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline const struct shape *plan_shape(const struct plan *p) {
    return plan_get(p, shape)->of;
}
static inline const struct loops *plan_loops(const struct plan *p) {
    return &plan_get(p, loops)->of;
}
static inline enum kind plan_kind(const struct plan *p, isa_operand reg) {
    return (enum kind)plan_get(p, kinds)->of[reg];
}
static inline int32_t plan_stride(const struct plan *p, isa_operand reg) {
    return plan_shape(p)->regs[reg].stride;
}
/* How its lanes are likely to lie; what they are, or are likely to be, apart. */
static inline enum neighbours_kind plan_likely_kind(const struct plan *p, isa_operand reg) {
    return (enum neighbours_kind)plan_get(p, neighbours)->of.kinds[reg];
}
static inline int32_t plan_likely_step(const struct plan *p, isa_operand reg) {
    return neighbours_step(&plan_get(p, neighbours)->of, plan_shape(p), reg);
}
static inline bool plan_masked(const struct plan *p, uint32_t n) {
    return plan_shape(p)->inst_flags[n] & SHAPE_MASKED;
}
static inline unsigned plan_bundle(const struct plan *p) { return plan_get(p, bundle)->warps; }
/* What the instruction writes is a vector. */
static inline bool plan_makes_vector(const struct plan *p, const struct isa_inst *i) {
    return vectorwork_makes(p->k, plan_get(p, kinds)->of, i);
}
/* How an operand is kept, by shape alone. */
static inline enum kind plan_operand_kind(const struct plan *p, isa_operand o) {
    return kind_of(plan_shape(p), p->k, o);
}
/* Room for something of each register, or each instruction, zeros, which is there as long as the
 * plan is. Only while that is made. */
void *plan_of_registers(const struct plan *p, size_t size);
void *plan_of_instructions(const struct plan *p, size_t size);
/* The kernel's, to be counted in clocks. Only while the plan is made. */
struct vectorwork plan_work(const struct plan *p);
/* In loops of instructions [from, to) lanes go along rows of their own, warps along others. */
bool plan_goes_apart(const struct plan *p, uint32_t from, uint32_t to);

#endif
