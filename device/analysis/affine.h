/* Affine values: what a launch's registers are as sums over work-items' ids and iterations.
 *
 * Sizes, arguments and offsets of a launch are numbers, so that a value is often
 *
 *     base + by * atom[low, width] + by * atom[low, width] + ...     modulo 2^32 (2^64)
 *
 * where an atom is a local id, a group's id, or how many iterations of a loop a work-item has
 * behind it, of which `width` bits from bit `low` on count, and base is any number from `low` to
 * `high`, which may be another one for each work-item and each time. More may be known of the base:
 * it is a sum of auxiliary variables then, which are what operations give that are not linear. What
 * else is known where an access stands are facts: such a sum is at most some number.
 *
 * Like all of device/analysis it knows verified kernels only. It is a cautious one: a value of
 * which nothing is known says so, no other promises more than holds. */
#ifndef SIMTCL_AFFINE_H
#define SIMTCL_AFFINE_H

#include "device/isa/isa.h"

enum {
    AFFINE_LOCAL = 0,  /* atoms 0..2: local ids */
    AFFINE_GROUP = 3,  /* 3..5: groups' ids */
    AFFINE_LOOPS = 6,  /* from here on: iterations of loops */
    AFFINE_ATOMS = 64, /* loops beyond have none */
    AFFINE_TERMS = 12,
    AFFINE_FACTS = 24, /* of an access that are looked at */
    AFFINE_PARTS = 4,  /* auxiliary variables of a sum */
    AFFINE_SIDE = 8,   /* facts that a condition brings */
    AFFINE_WHOLE = 32  /* width of an atom's field that is all that lies above `low` */
};

/* No end, of what lies between two numbers. */
#define AFFINE_LEAST (-(INT64_C(1) << 42))
#define AFFINE_MOST  (INT64_C(1) << 42)

/* by * (atom >> low & (2^width - 1)) */
struct affine_term {
    uint8_t atom, low, width;
    int64_t by;
};

struct affine_sum {
    bool known;
    uint8_t count;
    struct affine_term terms[AFFINE_TERMS]; /* by atom, then by low; no two overlap; none by 0 */
    int64_t low, high;
    uint8_t nparts; /* not 0: the base is just by * auxiliary + ..., and from `from` to `to` */
    struct affine_part {
        uint16_t auxiliary;
        int64_t by;
    } parts[AFFINE_PARTS]; /* by auxiliary; none by 0 */
    int64_t from, to;
};

/* A variable that is what an operation gives, as long as the work-item's ids and iterations are
 * what they are. */
struct affine_auxiliary {
    enum { AFFINE_ANY, AFFINE_REMAINDER, AFFINE_QUOTIENT, AFFINE_CHOICE } kind;
    int64_t low, high;
    /* Of a remainder, and of the quotient, which is the next one: of[0] = by * quotient +
     * remainder, of[1] is between what it lies. Of a choice: it is of[1] where a condition holds,
     * with its facts, or of[0]. */
    struct affine_sum of[2];
    int64_t by;
    uint8_t count[2];
    uint32_t facts[2][AFFINE_SIDE];
};

/* The terms of `sum`, without its base, come to `most` at the most and `least` at least; all of
 * them have by > 0. exact: they come to just the most. */
struct affine_fact {
    struct affine_sum sum;
    int64_t least, most;
    bool exact;
    struct affine_sum whole; /* the same with all that is known of it: it lies between these; */
    int64_t from, to;        /* where its terms do not tell, the sum has none */
};

/* A load, store or atomic operation of global or local memory that is not known to be out of
 * reach. */
struct affine_access {
    uint32_t inst;
    struct affine_sum
        at; /* the sandbox's address; of local memory: from where the group's begins */
    uint32_t facts, nfacts; /* those that hold here: in fact_lists */
};

/* What a launch is. */
struct affine_launch {
    uint32_t groups[3], local_size[3], offset[3];
    const void *params; /* its argument block; local arguments from where the group's memory begins
                         */
    uint32_t local_bytes; /* of that memory, with what arguments have of it; 0: not known */
};

struct affine_accesses {
    struct affine_access *list;
    uint32_t count;
    struct affine_fact *facts;
    uint32_t nfacts;
    struct affine_auxiliary *auxiliaries;
    uint32_t nauxiliaries;
    uint32_t most[AFFINE_LOOPS]; /* the largest value of each id */
    uint32_t *fact_lists;        /* numbers of facts */
    bool brief;                  /* what takes long to find out of them is not looked for */
};

/* Of a verified kernel. NULL: no memory, or it has more than `most` accesses. */
struct affine_accesses *affine_find(const struct isa_kernel *k, const struct affine_launch *l,
                                    uint32_t most);
void affine_free(struct affine_accesses *a); /* NULL is fine */

/* The largest value of a term's field; -1: it has no end that is known. */
int64_t affine_most(const struct affine_accesses *a, const struct affine_term *t);

#endif
