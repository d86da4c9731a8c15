/* Tiling: in groups of which size a kernel is best run, where nothing tells groups from one another
 * (no barrier, no local memory, nobody who looks on). A tile is such a group: a box of work-items
 * of the ND-range that may hold several of the launch's groups, and parts of them. Where work-items
 * wait for one another, or have local memory, a tile is a group of the launch, whose warps may go
 * along another dimension, or several small ones that come to barriers alike. */
#ifndef SIMTCL_TILES_H
#define SIMTCL_TILES_H

#include "tiletraits.h"

/* How a launch is tiled. */
struct tiles {
    uint32_t size[3];  /* of a tile, in work-items; 0: the groups are run as they are */
    unsigned along;    /* the dimension along which rows of a tile go: it is x of the groups that
                          are run, and x is its */
    uint32_t row;      /* work-items of a row, where what is tiled is a range of one dimension in
                          rows of that length; 0: it is the range as it is */
    bool down;         /* those of a block go out along its second dimension, not its first one */
    uint32_t cut;      /* dimensions, as bits, in which the last tile may reach beyond the range */
    uint32_t block[3]; /* groups that are whole tiles together, in each dimension */
    uint32_t packed;   /* groups of a tile that lie along x, whose work-items follow one another in
                          their own order, group after group; 0: it is a box of work-items */
    uint32_t local_step; /* bytes from the local memory of one group of a tile to that of the next
                            one; 0: it has none, or is not of several groups */
    uint32_t blocks[3];  /* of them there are, the last ones of which may not be whole */
};
/* Which of its own dimensions is dimension d of the ND-range; and the other way round. */
static inline unsigned tiles_turned(unsigned along, unsigned d) {
    return d == along ? 0 : d == 0 ? along : d;
}
/* The same of something of three dimensions. */
static inline void tiles_turn(uint32_t at[3], unsigned along) {
    uint32_t first = at[0];
    at[0] = at[along];
    at[along] = first;
}
/* Bytes of local memory that a tile of several groups takes; 0: what a group does. */
uint64_t tiles_local_bytes(const struct tiles *t, const uint32_t local_size[3]);
/* Groups of a block, places that the last ones do not have among them. */
static inline uint64_t tiles_groups(const struct tiles *t) {
    return (uint64_t)t->block[0] * t->block[1] * t->block[2];
}
/* Blocks are numbered as groups are, and groups of a block one after the other: the group with that
 * number. False: the launch of `groups` does not have it. */
bool tiles_group(const struct tiles *t, const uint32_t groups[3], uint64_t number, uint32_t id[3]);

/* The tiles of the block that begins with group id: in each dimension the first one, and the one
 * behind the last. */
void tiles_of_block(const struct tiles *t, const uint32_t global_size[3],
                    const uint32_t local_size[3], const uint32_t id[3], uint32_t first[3],
                    uint32_t end[3]);

/* Chooses for a launch of global_size in groups of local_size on so many threads; t->size[0] is 0
 * where they are best run as they are. row: what flat_length says, 0 with an offset. Where
 * work-items are not `apart`, those of a warp stay in one: its instructions are done one after the
 * other, and a lane may count on what another one has stored (device/isa/SPEC.md), unless they are
 * in some warp by chance, as groups are `free` to be others. */
void tiles_choose(struct tiles *t, const struct tiles_traits *k, const uint32_t global_size[3],
                  const uint32_t local_size[3], uint32_t row, unsigned threads);

#endif
