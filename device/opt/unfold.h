/* Unfolding: a kernel whose work-items go on in strides of the ND-range,
 *
 *     for (x = get_global_id(d); x < n; x += get_global_size(d)) ...
 *
 * by whatever is as much in a launch,
 * or, where each group has a row, of the group,
 *
 *     for (x = get_local_id(0); x < n; x += get_local_size(0)) ...
 *
 * or where each work-item has a line of its own, of which elements lie next to each other,
 *
 *     for (x = 0; x < n; x++) ...
 *
 * or where each work-item does several elements one behind the other,
 *
 *     x = get_global_id(d) * 2;  element(x);  element(x + 1);
 *     for (j = 0; j < n; j++) element(get_global_id(d) * n + j);
 *
 * becomes one whose work-items do one iteration each, for an ND-range as long as the loop's. That
 * is the same where no iteration accesses what another one stores, which is to be seen of each
 * launch (device/run/unfolded.h). Tiles, guards and all else then see a kernel as others are. */
#ifndef SIMTCL_UNFOLD_H
#define SIMTCL_UNFOLD_H

#include "device/analysis/linegrowth.h"

struct unfold {
    struct isa_kernel *kernel; /* the other one, owned; NULL: there is none */
    bool rows;  /* it is for a range of two dimensions, of which each group, of one, is a row; */
    bool lines; /* or of one dimension more, of which each work-item is a line: */
    struct linegrowth along, across; /* so far what is stored in it, or in each, lies apart */
    unsigned times; /* 0, or it is for a range so many times as long in the one dimension, */
    bool run;       /* or as many times as the bound there says */
    struct unfold_range {
        bool is;           /* in this dimension */
        isa_operand bound; /* of that kernel: one for the launch, i32 or i64; */
        isa_operand step;  /* which is to be the ND-range's size; ISA_NO_OPERAND: it is that */
        bool inclusive;    /* which is reached, too */
        bool inner;        /* only where the ND-range has no offset */
        bool grouped;      /* who is in which group plays a part */
    } ranges[3];
};

/* Of a kernel as compilers make it. False: no memory. */
bool unfold_make(struct unfold *u, const struct isa_kernel *k);
/* The value that a bound has in a launch with these arguments, as a signed number. False: it is not
 * known. */
bool unfold_bound(const struct isa_kernel *k, isa_operand bound, const void *params,
                  int64_t *value);
/* Do lines lie in memory so that it is worth it? */
bool unfold_near(const struct unfold *u, const void *params);

#endif
