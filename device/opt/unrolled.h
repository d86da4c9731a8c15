/* Small loops that make several iterations in one: which they are, and a copy of the kernel with
 * them. Private to passes. */
#ifndef SIMTCL_UNROLLED_H
#define SIMTCL_UNROLLED_H

#include "device/isa/kernelcopy.h"
#include "device/isa/trace.h"

struct unrolled;

/* Which loops. */
enum unrolled_rows {
    UNROLLED_OTHERS, /* all but */
    UNROLLED_JOINED  /* rows of the work-item's own that are joined into registers, in any order */
};

/* Finds those; NULL: there is none. provenance: of k's registers (device/analysis/provenance.h).
 * All is in the arena. */
struct unrolled *unrolled_find(const struct isa_kernel *k, struct arena *arena,
                               const uint64_t *provenance, enum unrolled_rows rows);
/* Has it found any? t: may be NULL. */
bool unrolled_any(const struct unrolled *t);
/* How lanes go through the loop that begins there. t: may be NULL. */
enum unrolled_way {
    UNROLLED_UNEVEN, /* some are through it sooner than others, as far as is known; */
    UNROLLED_EVEN,   /* as many times each, mostly, */
    UNROLLED_ROWS    /* and it is one of them, along a row without gaps, which is loaded as such */
};
enum unrolled_way unrolled_way(const struct unrolled *t, uint32_t begin);
/* Writes all of the kernel, from the copy's begin on; its code is that in which they were found. */
void unrolled_write(struct unrolled *t, struct kernelcopy *c, const struct trace_pass *p);

#endif
