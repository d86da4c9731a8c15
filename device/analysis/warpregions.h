/* Regions as several warps pass them that run in lockstep. */
#ifndef SIMTCL_WARPREGIONS_H
#define SIMTCL_WARPREGIONS_H

#include "liveranges.h"
#include "shape.h"

struct warpregions {    /* instructions: */
    uint8_t *divergent; /* begin of a region that lanes leave one by one */
    uint8_t *per_warp;  /* begin of a region that warps pass one by one */
    uint8_t *lockstep;  /* of which they may pass it together all the same, some without lanes */
    bool all_lockstep;  /* the kernel can run in lockstep: what happens in such a region stays in it
                         */
};

/* masked: loads of lanes that are off touch nothing. The caller frees the arrays, in any case.
 * False: no memory. */
bool warpregions_find(struct warpregions *r, const struct isa_kernel *k, const struct shape *shape,
                      bool masked);
/* Warps pass the regions around instruction n one by one, in any case. */
void warpregions_leave_lockstep(struct warpregions *r, const struct isa_kernel *k, uint32_t n);
/* Marks the registers that are one for all warps in lockstep: they are uniform over the group, or
 * each lane has what the same lane of another warp has, as where rows of the group are warps, or
 * parts of one; and no warp changes them on its own, where in a region that it passes by itself it
 * may write what had no value before. size: of the group; whole: its warps have all lanes. */
void warpregions_shared(const struct warpregions *r, const struct isa_kernel *k,
                        const struct shape *shape, const struct liveranges *live,
                        const uint32_t size[3], bool whole, uint8_t *shared);
/* Registers' vectors of 16 lanes of 32 bits that are alive at once, at most, at the instructions
 * [from, to), of so many warps in lockstep. together: instructions that warps pass together though
 * each may pass them on its own; NULL: there are none. UINT32_MAX: no memory to tell. */
uint32_t warpregions_alive(const struct warpregions *r, const struct isa_kernel *k,
                           const struct shape *shape, const struct liveranges *live,
                           const uint8_t *together, uint32_t from, uint32_t to, uint32_t warps);

/* Vectors of 16 lanes of 32 bits that ifs in [from, to) which lanes do not pass alike, but for the
 * last one, leave of each warp for what follows them; not those that were there before `from`. */
uint32_t warpregions_left(const struct isa_kernel *k, const struct shape *shape,
                          const struct liveranges *live, uint32_t from, uint32_t to);

/* Marks the instructions that are for launches in which a buffer is another argument's, too: the
 * other part of a test that host passes and rewrites make of `special alone`. They seldom run, so
 * that no decision hangs on them, and what would be left out where a buffer is alone is not.
 * malloc'ed; NULL: no memory. */
uint8_t *warpregions_seldom(const struct isa_kernel *k);

/* Parameters, as bits, that the kernel asks of so whether they are alone in their memory. */
uint32_t warpregions_asked(const struct isa_kernel *k);

/* Where straight code that begins at n ends which some warps may pass before others: within its
 * part of a region, before a barrier, a jump, a store, an instruction marked in `taken`, or one
 * that changes what has been used of the registers that are one for all warps. used: of each
 * register. */
uint32_t warpregions_straight_end(const struct isa_kernel *k, uint32_t n, const uint8_t *shared,
                                  const uint8_t *taken, uint8_t *used);

/* The end of the region that begins at the instruction; of the part of one that it is in. */
uint32_t warpregions_end(const struct isa_kernel *k, uint32_t begin);
uint32_t warpregions_part_end(const struct isa_kernel *k, uint32_t n);
/* Where the innermost region begins that instruction n is in; UINT32_MAX: in none. *other: it is in
 * the other part of that. */
uint32_t warpregions_around(const struct isa_kernel *k, uint32_t n, bool *other);
/* Has whoever comes to instruction `to` passed n, which stands before it? */
bool warpregions_passed(const struct isa_kernel *k, uint32_t n, uint32_t to);
/* Where the loop that begins there is left by the first thing that it does but to compute, and
 * nothing behind that jumps out of it, or waits; 0: it is not so. */
uint32_t warpregions_exit(const struct isa_kernel *k, uint32_t begin);
/* What the jumps in the region that begins there do: lanes may leave it for somewhere else than its
 * end, or continue with the next iteration. */
void warpregions_jumps(const struct isa_kernel *k, uint32_t begin, bool *far, bool *continues);
/* Nothing in [from, to), whole regions, waits for other warps or jumps out of it. */
bool warpregions_closed(const struct isa_kernel *k, uint32_t from, uint32_t to);

/* Does an instruction in [from, to) load from there? */
bool warpregions_reads(const struct isa_kernel *k, uint32_t from, uint32_t to,
                       enum isa_space space);

#endif
