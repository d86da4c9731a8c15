/* Own words: bytes of local memory that one work-item of a group alone accesses, as those of an
 * array that has an element, or a few, for each of them. They may as well be private. */
#ifndef SIMTCL_OWNWORDS_H
#define SIMTCL_OWNWORDS_H

#include "affine.h"
#include "device/isa/arena.h"

enum { OWNWORDS_ARRAYS = 8 };

/* What an access to local memory is of its work-item's own memory. */
struct ownwords_place {
    bool is;       /* one of it */
    bool moves;    /* it is not always the same */
    uint8_t array; /* that is of this array */
    uint32_t at; /* bytes from where that memory begins; of one that moves: where the array does */
};

/* An access that moves is at (address - where the group's local memory begins - what is for each
 * local id - least) >> shift in its array. */
struct ownwords_array {
    int32_t by[3]; /* bytes for each local id */
    int32_t least;
    uint32_t shift;
};

struct ownwords {
    struct ownwords_place *of; /* instructions; in the arena */
    uint32_t bytes;            /* of each work-item's own memory, a multiple of 16; 0: none */
    uint32_t arrays;
    struct ownwords_array array[OWNWORDS_ARRAYS];
};

/* Is there local memory of which each access may be to something of its own? */
bool ownwords_may(const struct isa_kernel *k);
/* In a launch; nothing, where there is no memory to find it. */
void ownwords_find(struct ownwords *o, const struct isa_kernel *k, const struct affine_launch *l,
                   struct arena *arena);

#endif
