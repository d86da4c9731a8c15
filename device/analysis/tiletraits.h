/* What a kernel says of itself, by which tiles are chosen for it (tiles.h). */
#ifndef SIMTCL_TILETRAITS_H
#define SIMTCL_TILETRAITS_H

#include "flat.h"

/* What a kernel accesses, where rows of work-items go along one dimension. */
struct tiles_rows {
    bool columns;    /* at a distance that the index is multiplied with: they are columns there, */
    bool down;       /* loaded more than rows, and not stored: memory's rows go down them */
    uint32_t stored; /* bytes in rows by a work-item; 0 where loops load by the index */
};

/* What a kernel says of itself. */
struct tiles_traits {
    bool may;                  /* it can run in tiles; */
    bool turns;                /* or in its groups, with rows of work-items along any dimension */
    uint32_t together;         /* or so many of its groups at once, at most; 0: one by one, */
    bool boxes;                /* those along x with longer rows where `turns` says that work-items
                                  may be dealt out to warps in another order */
    bool asks;                 /* it reads which group it is in, its size, or where in it */
    bool free;                 /* in a launch whose groups are of no size that was asked for */
    bool apart;                /* no work-item accesses what another one has stored, if */
    bool depends;              /* or that hangs on the launch (isolation_holds), and on it that */
    uint32_t alone;            /* these parameters, as bits, share their memory with no other */
    bool shares;               /* rows of work-items: it loops, other than through the work of
                                  several ones, or loads much by x alone */
    bool uneven;               /* how long its loops are hangs on the row, not on where in it */
    unsigned along;            /* the dimension along which memory's rows go; 0 in doubt */
    struct tiles_rows rows[2]; /* along x, and along that */
    bool narrow;               /* vectors are short: registers hold few warps' of several groups */
    uint32_t local_bytes;      /* local memory of a group, as a launch says */
    struct flat_row row;       /* by which it takes its index apart */
};
struct tiles_traits tiletraits_find(const struct isa_kernel *k);
/* Of each instruction whether it is such an access to columns, 0 or 1; malloc'ed. groups: or one
 * whose rows in a group are columns over the groups, as they go out. NULL: no memory. */
uint8_t *tiletraits_columns(const struct isa_kernel *k, bool groups);

#endif
