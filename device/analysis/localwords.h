/* Accesses to local memory in rows of 32 words: which byte each work-item of a group of one size
 * accesses, where ids and constants alone tell (itemvalues.h). Where local memory that is an
 * argument lies, and how much it is, only a launch knows. */
#ifndef SIMTCL_LOCALWORDS_H
#define SIMTCL_LOCALWORDS_H

#include "shape.h"

enum { LOCALWORDS_WORD = 4, LOCALWORDS_ROW = ISA_WARP * LOCALWORDS_WORD }; /* bytes */

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
    uint32_t *used; /* of the kernel's own local memory, and of parameters, + 1: how many bytes all
                       accesses whose bytes are known reach, in whole rows */
    bool arguments; /* there are accesses in rows to arguments */
    uint32_t found, other; /* accesses to local memory that are known; that are not */
    bool mixed;            /* the lanes of one are shuffled */
    uint32_t ninsts;
};

/* Nothing is known. False: no memory; localwords_end is to be called in any case. */
bool localwords_begin(struct localwords *x, const struct isa_kernel *k);
/* In groups of that size; arguments: of local memory that is one, too. False: no memory. */
bool localwords_find(struct localwords *x, const struct isa_kernel *k, const struct shape *shape,
                     const uint32_t size[3], bool arguments);
/* The bytes that the lanes of a warp access, of one component of an access that is known; -1: off.
 */
struct localwords_lanes {
    int32_t at[ISA_WARP];
};
struct localwords_lanes localwords_lanes(const struct localwords *x, uint32_t inst, unsigned warp,
                                         unsigned component);
/* The next row that such lanes lie in, after `row`; -1: there is none. */
int32_t localwords_next_row(const struct localwords_lanes *l, int32_t row);
/* A shuffle of what lanes have, if they have something, and `row`, which is from ISA_WARP on: what
 * each of them has then; of nothing and the row it is the row's. */
void localwords_read(const struct localwords_lanes *l, int32_t row, bool have,
                     uint32_t from[ISA_WARP]);
/* A shuffle of `row` and what lanes write, from ISA_WARP on: what each word of the row becomes.
 * True: all are written. */
bool localwords_written(const struct localwords_lanes *l, int32_t row, uint32_t from[ISA_WARP]);
/* Nothing is known any more. */
void localwords_forget(struct localwords *x);
void localwords_end(struct localwords *x);

#endif
