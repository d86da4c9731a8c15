/* Loops written out: a walk through a kernel that knows which registers are the same number for all
 * work-items, and writes loops of which it knows every iteration as code. Which loops those are,
 * and what else may take their place, whoever walks says. Private to passes. */
#ifndef SIMTCL_EXPAND_H
#define SIMTCL_EXPAND_H

#include "device/analysis/itemvalues.h"
#include "device/isa/unroll.h"

struct expander {
    const struct isa_kernel *k; /* as it was */
    struct kernelcopy copy;
    struct itemvalues values; /* of k's registers: what all lanes that are on have */
    /* Writes the loop that begins there, by expand_try; false: it stays one. */
    bool (*write_out)(struct expander *x, uint32_t begin);
    uint32_t tried;
    bool full;          /* there was no room for a loop within */
    const uint8_t *own; /* of the loop that is written out: registers that iterations have each */
    uint32_t begin;     /* for themselves; where it begins; */
    uint32_t most_ifs, ifs; /* round what follows where only some lanes leave it: how many may be,
                               and are */
};

/* size: of groups; NULL: any. The copy has room for `most` instructions. False: no memory;
 * expand_end is to be called in any case, after the copy was taken or dropped. */
bool expand_begin(struct expander *x, const struct isa_kernel *k, const uint32_t size[3],
                  uint32_t most);
void expand_end(struct expander *x);
/* The whole kernel. False: there is no room, or nothing is another way than before. */
bool expand_write(struct expander *x);
/* Instruction n; instructions [from, to), whole regions, of an expander. False: there is no room.
 */
bool expand_put(struct expander *x, uint32_t n);
bool expand_walk(void *expander, uint32_t from, uint32_t to);

/* The loop [begin, end] by iterations, of so many at most, in so many instructions. */
enum unroll_exit expand_unroll(struct expander *x, uint32_t begin, uint32_t end, uint32_t count,
                               uint32_t most);
/* Writes the loop that begins there in one way, if that fits, and all loops in it did, too; nothing
 * is changed if not. */
bool expand_try(struct expander *x, uint32_t begin,
                bool (*way)(struct expander *x, uint32_t begin, uint32_t end));

/* The same of a loop that some lanes leave before others, but none after so many iterations. What
 * follows is in ifs, of which there may be so many. */
bool expand_unroll_left(struct expander *x, uint32_t begin, uint32_t end, uint32_t count,
                        uint32_t most, uint32_t ifs);

/* Is the loop left by its own conditions alone? */
bool expand_is_simple(const struct isa_kernel *k, uint32_t begin, uint32_t end);
/* And does it count, by a constant, and has nothing beside which that costs little, so that it may
 * be written out if its iterations are known and few; such a one written out. */
bool expand_may_count(const struct isa_kernel *k, uint32_t begin, uint32_t end);
bool expand_counted(struct expander *x, uint32_t begin);

#endif
