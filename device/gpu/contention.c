#include "contention.h"

#include "halfwarp.h"

void contention_warp(uint32_t mask, const uint32_t addresses[32], struct contention_result *r) {
    *r = (struct contention_result){.operations = halfwarp_count(mask)};
    while (mask) {
        uint32_t address = addresses[halfwarp_lowest(mask)];
        uint32_t same = (halfwarp_equal(addresses, address) |
                         halfwarp_equal(addresses + HALFWARP, address) << HALFWARP) &
                        mask;
        unsigned lanes = halfwarp_count(same);
        if (lanes > r->most) r->most = lanes;
        r->places++;
        mask &= ~same;
    }
    r->conflicts = r->operations - r->places;
}

void contention_strided(int32_t stride, struct contention_result *r) {
    enum { WARP = HALFWARP * HALFWARPS };
    /* Lanes meet again where the stride goes round 2^32. */
    uint32_t low = (uint32_t)stride & -(uint32_t)stride;
    uint64_t around = low ? (UINT64_C(1) << 32) / low : 1;
    unsigned places = around < WARP ? (unsigned)around : WARP;
    *r = (struct contention_result){WARP, places, WARP - places, WARP / places};
}
