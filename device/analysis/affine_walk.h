/* The walk over a kernel that finds affine values. Private to affine*.c. */
#ifndef SIMTCL_AFFINE_WALK_H
#define SIMTCL_AFFINE_WALK_H

#include "affine_value.h"
#include "device/isa/loops.h"

enum { AFFINE_NO_LOOP = 0 };

/* What a predicate says. Facts by index; loop: its atom, of a test that counts iterations: facts
 * hold where it is that loop's own exit alone. */
struct affine_condition {
    bool constant, value;
    uint8_t loop;
    uint8_t count[2]; /* facts where it does not hold, and where it does */
    uint32_t facts[2][AFFINE_SIDE];
};

/* A register was written: what it was before. */
struct affine_entry {
    uint32_t reg, before;
};

struct affine_region {
    enum isa_op begin;
    uint32_t inst, condition;
    uint32_t entries, facts; /* how many there were */
    bool alive, part_alive;  /* at its beginning; at the first part's end */
    bool broken;             /* somebody breaks out of it */
    bool continued, has_else;
    uint32_t part, nparts; /* what the first part left: in `parts` */
    uint8_t atom;          /* of a loop; AFFINE_NO_LOOP: none */
};

/* Grows by need. */
#define AFFINE_LIST(type)                                                                          \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t count, room;                                                                      \
    }

struct affine_walk {
    const struct isa_kernel *k;
    const struct affine_launch *l;
    struct affine_limits limits;
    AFFINE_LIST(struct affine_sum) values;           /* 0: unknown */
    AFFINE_LIST(struct affine_condition) conditions; /* likewise */
    uint32_t *now;                                   /* of each register: which of these it is */
    AFFINE_LIST(struct affine_entry) entries, parts;
    AFFINE_LIST(struct affine_fact) facts;
    AFFINE_LIST(uint32_t) holding; /* facts that hold here */
    AFFINE_LIST(struct affine_auxiliary) auxiliaries;
    AFFINE_LIST(struct affine_access) accesses;
    AFFINE_LIST(uint32_t) lists;
    struct affine_region *open;
    uint32_t depth, most;
    struct loops loops;
    struct arena *arena; /* that they are in */
    uint8_t *seen;       /* of each register: scratch */
    uint8_t atoms;       /* given out */
    bool alive, failed;
};

/* A new element's index; 0 without memory, and then `failed`. */
uint32_t affine_grow(struct affine_walk *w, void **at, uint32_t *count, uint32_t *room,
                     size_t size);

#define AFFINE_ADD(w, list, ...)                                                                   \
    do {                                                                                           \
        uint32_t n_ = affine_grow(w, (void **)&(w)->list.at, &(w)->list.count, &(w)->list.room,    \
                                  sizeof *(w)->list.at);                                           \
        if (!(w)->failed) (w)->list.at[n_] = (__VA_ARGS__);                                        \
    } while (0)

/* Their number among the walk's; 0: nothing is known. */
uint32_t affine_value_new(struct affine_walk *w, const struct affine_sum *a);
uint32_t affine_condition_new(struct affine_walk *w, const struct affine_condition *c);
/* What a source is: a number, or a predicate. */
struct affine_sum affine_read_value(const struct affine_walk *w, isa_operand o);
struct affine_condition affine_read_condition(const struct affine_walk *w, isa_operand o);
/* What instruction i makes of its n-th destination: a value, or a condition, by number. */
uint32_t affine_result(struct affine_walk *w, const struct isa_inst *i, unsigned n);

/* The same with what is known by auxiliary variables: of an instruction's result, */
struct affine_sum affine_refined(struct affine_walk *w, const struct isa_inst *i,
                                 const struct affine_sum *src, const struct affine_sum *result);
/* and of one of two values, the second one where the condition does not hold. */
struct affine_sum affine_chosen(struct affine_walk *w, const struct affine_condition *c,
                                const struct affine_sum *a, const struct affine_sum *b);

/* Is a, of a type that has a sign or not, the very number that it says, and so the same and `more`?
 */
bool affine_exact(const struct affine_walk *w, const struct affine_sum *a, bool has_sign,
                  int64_t more);
/* What atoms come to at the most where the walk is. */
void affine_find_limits(struct affine_walk *w);
/* The facts of a condition that holds (side 1), or does not, hold from here on. own_exit: it leaves
 * the loop whose iterations it counts. */
void affine_hold(struct affine_walk *w, const struct affine_condition *c, unsigned side,
                 bool own_exit);
/* Only the first `upto` hold from here on. */
void affine_release(struct affine_walk *w, uint32_t upto);

#endif
