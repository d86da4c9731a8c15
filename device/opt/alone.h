/* Versions of a piece of code, for launches in which arguments are alone in their buffers: nothing
 * else that the kernel accesses can then be what is stored by them. Private to device/opt. */
#ifndef SIMTCL_ALONE_H
#define SIMTCL_ALONE_H

#include "device/isa/arena.h"
#include "device/isa/rewrite.h"

enum {
    ALONE_PARAMS = 32,  /* bits of the special register `alone` */
    ALONE_KERNEL = 1000 /* instructions of a kernel that gets versions */
};

/* A kernel that is written anew, and the names that its registers have meanwhile. */
struct alone_code {
    struct isa_kernel *k;
    struct arena *arena;
    struct rewrite_code old;
    isa_operand *names;
};

/* May the kernel get versions, with an `if` that is no deeper than regions may be? */
bool alone_may(const struct isa_kernel *k);
/* The parameter in whose memory a store is, as a bit; 0: it is not known to be one, or volatile. */
uint32_t alone_param(const struct isa_kernel *k, const uint64_t *provenance,
                     const struct isa_inst *s);
/* Takes the code out of the kernel. */
void alone_begin(struct alone_code *x, struct isa_kernel *k, struct arena *arena);
isa_operand alone_name(const struct alone_code *x, isa_operand o);
/* Instruction n of the old code with names of its operands. */
void alone_put(struct alone_code *x, uint32_t n);
/* Registers that only instructions [from, to] read get names of their own, so that what is known of
 * them is what is known in this version. What has been written before it they have, too. again:
 * those alone for which that is so. */
void alone_rename(struct alone_code *x, uint32_t from, uint32_t to, bool again);
void alone_keep_names(struct alone_code *x);
/* Begins the version for where all these parameters are alone, in place of instruction n; site: of
 * the branch. */
void alone_if(struct alone_code *x, uint32_t params, uint32_t n, uint32_t site);
/* An instruction that ends a version: ISA_else, ISA_endif. */
void alone_control(struct alone_code *x, enum isa_op op);
void alone_move(struct isa_kernel *k, isa_operand to, isa_operand from);

#endif
