/* Ranges: shares out a line of addresses, counted in units of the owner's choice. Every range, used
 * or free, is a node of one tree ordered by address (a treap in which each node knows the largest
 * free range below it), so that all calls take O(log n). Not thread safe. */
#ifndef SIMTCL_RANGE_H
#define SIMTCL_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct range {
    uint32_t start, size;
    uint32_t largest;  /* of the free ranges in this subtree */
    uint32_t priority; /* a parent's is at least its children's */
    bool used;
    bool first; /* begins a stretch given to range_add: never merged with the range before */
    struct range *left, *right;
    uint64_t bytes;  /* the owner's */
    uint32_t offset; /* the owner's */
    void *owner;     /* the owner's */
};

struct ranges {
    struct range *root;
    uint32_t random;
};

bool range_add(struct ranges *r, uint32_t start,
               uint32_t size); /* a free stretch; false: out of memory */
/* Takes `size` units that start at a multiple of `align` (a power of two): the lowest
 * that fit, or the highest. NULL: no room, or out of memory. */
struct range *range_take(struct ranges *r, uint32_t size, uint32_t align, bool highest);
struct range *range_find(const struct ranges *r,
                         uint32_t at);                 /* the used range that holds `at`, or NULL */
void range_give(struct ranges *r, struct range *used); /* frees it; the node may be gone then */
bool range_empty(const struct ranges *r);              /* nothing is used (of a single stretch) */
void range_clear(struct ranges *r);                    /* frees all nodes */

#endif
