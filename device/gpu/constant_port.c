#include "constant_port.h"

#include "halfwarp.h"

static void end_half(struct constant_port_result *r, unsigned half, uint32_t before) {
    r->distinct[half] = (uint8_t)(r->reads - before);
    r->serialized += r->reads - before - 1;
    r->halfwarps++;
}

void constant_port_warp(uint32_t mask, const uint32_t addresses[32],
                        struct constant_port_result *r) {
    r->halfwarps = r->reads = r->serialized = 0;
    r->distinct[0] = r->distinct[1] = 0;
    for (unsigned h = 0; h < HALFWARPS; h++, mask >>= HALFWARP) {
        const uint32_t *at = addresses + h * HALFWARP;
        uint32_t left = mask & 0xffff, before = r->reads;
        if (!left) continue;
        while (left) {
            uint32_t address = at[halfwarp_lowest(left)];
            r->address[r->reads++] = address;
            left &= ~halfwarp_equal(at, address);
        }
        end_half(r, h, before);
    }
}

void constant_port_strided(uint32_t base, int32_t stride, struct constant_port_result *r) {
    *r = (struct constant_port_result){0};
    /* Lanes meet again where the stride goes round 2^32: after 2^32 / its greatest power of two. */
    uint32_t low = (uint32_t)stride & -(uint32_t)stride;
    uint64_t around = low ? (UINT64_C(1) << 32) / low : 1;
    unsigned each = around < HALFWARP ? (unsigned)around : HALFWARP;
    for (unsigned h = 0; h < HALFWARPS; h++, base += HALFWARP * (uint32_t)stride) {
        uint32_t before = r->reads;
        for (unsigned l = 0; l < each; l++) r->address[r->reads++] = base + l * (uint32_t)stride;
        end_half(r, h, before);
    }
}
