/* Accesses to local memory in rows of 32 words: which byte each work-item of a group of one size
 * accesses, where ids and constants alone tell (itemvalues.h). Where local memory that is an
 * argument lies, and how much it is, only a launch knows. */
#ifndef SIMTCL_LOCALWORDS_H
#define SIMTCL_LOCALWORDS_H

#include "shape.h"

struct localwords {
    int32_t **of;     /* instructions: accesses to local memory: the byte each work-item accesses,
                         -1: it is off; NULL: not known, or not in rows */
    uint32_t *param;  /* and the parameter from where on that byte is counted, + 1; 0: it is counted
                         from where the kernel's own local memory begins */
    uint8_t *columns; /* instructions: what lanes of half-warps access lies in columns, a word of
                         each from one half-warp, the next one from that so many half-warps further;
                         0: it does not */
    uint8_t *halves;  /* instructions: the lanes of each half-warp lie side by side, or are off */
    uint32_t *ends;   /* parameters: how many bytes from there on such rows take */
    bool arguments;   /* there are such accesses */
    uint32_t found, other; /* accesses to local memory that are known; that are not */
    bool mixed;            /* the lanes of one are shuffled */
    uint32_t ninsts;
};

/* Nothing is known. False: no memory; localwords_end is to be called in any case. */
bool localwords_begin(struct localwords *x, const struct isa_kernel *k);
/* In groups of that size; arguments: of local memory that is one, too. False: no memory. */
bool localwords_find(struct localwords *x, const struct isa_kernel *k, const struct shape *shape,
                     const uint32_t size[3], bool arguments);
/* Nothing is known any more. */
void localwords_forget(struct localwords *x);
void localwords_end(struct localwords *x);

#endif
