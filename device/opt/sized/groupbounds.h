/* What values lie between among a group's work-items, as code that is written at a kernel's
 * beginning: of what is made of ids, and of what the group has one value of. All values are of 64
 * bits. */
#ifndef SIMTCL_GROUPBOUNDS_H
#define SIMTCL_GROUPBOUNDS_H

#include "device/isa/loops.h"
#include "sized_pass.h"

/* The least and the largest value, as the register's would be if it did not wrap around; at most so
 * many bits and the sign. bits 0: nobody knows. */
struct group_bounds {
    isa_operand low, high;
    unsigned bits;
};

enum { GROUPBOUNDS_DEMANDS = 32 };
struct groupbounds {
    const struct isa_kernel *k; /* of which they are */
    struct kernelcopy *copy; /* where they are written: registers have names there that are here */
    const uint32_t *size;    /* of a group */
    uint32_t items;
    uint32_t reader; /* the instruction for which they are: what it reads was computed before */
    const struct loops *loops; /* of k: what writes registers */
    /* Of registers: that the group has one value of it, which is here already. Its bounds, if they
     * are. */
    uint8_t *one;
    struct group_bounds *bounds;
    /* What has to hold besides, as no bound may be beyond its type; ISA_NO_OPERAND: nothing. */
    isa_operand holds;
    struct {
        isa_operand low, high;
        int64_t least, most;
    } demanded[GROUPBOUNDS_DEMANDS];
    unsigned demands, depth;
};

/* For groups of s, of s->k, in an arena; what is written goes to c. */
void groupbounds_begin(struct groupbounds *g, const struct sized *s, const struct loops *loops,
                       struct kernelcopy *c, struct arena *arena);

/* Has the group one value of it, where instruction `user` reads it? It is computed here then. */
bool groupbounds_one(struct groupbounds *g, isa_operand o, uint32_t user);
/* The bounds of that; of what an instruction gives; of a sum, or a difference. */
struct group_bounds groupbounds_of_one(struct groupbounds *g, isa_operand o);
struct group_bounds groupbounds_result(struct groupbounds *g, const struct isa_inst *i);
struct group_bounds groupbounds_sum(struct groupbounds *g, struct group_bounds a,
                                    struct group_bounds b, bool minus);
/* Has it hold that they are between these; false: nobody knows. */
bool groupbounds_within(struct groupbounds *g, struct group_bounds a, int64_t least, int64_t most);
/* That the predicate is that for all work-items, or that it is not sure that it is, where
 * instruction `user` reads it; ISA_NO_OPERAND: nobody knows. */
isa_operand groupbounds_all(struct groupbounds *g, isa_operand p, uint32_t user, bool truth);

/* Constants and operations of 64 bits; of predicates, ISA_NO_OPERAND where one of them is. */
isa_operand groupbounds_wide(struct groupbounds *g, int64_t value);
isa_operand groupbounds_add(struct groupbounds *g, enum isa_op op, isa_operand a, isa_operand b);
isa_operand groupbounds_compare(struct groupbounds *g, enum isa_op op, isa_operand a,
                                isa_operand b);
isa_operand groupbounds_both(struct groupbounds *g, enum isa_op op, isa_operand a, isa_operand b);

#endif
