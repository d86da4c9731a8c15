#include "coalesce.h"

#include <assert.h>
#include <stdbool.h>

#include "halfwarp.h"

enum { SECTOR = 32, SEGMENT = 128 };

enum coalesce_rule coalesce_rule_of(unsigned cc_minor) {
    return cc_minor < 2 ? COALESCE_IN_ORDER : COALESCE_BY_SEGMENT;
}

static void transact(struct coalesce_result *r, uint32_t address, unsigned size) {
    r->address[r->count] = address;
    r->size[r->count++] = (uint8_t)size;
    r->transactions[size]++;
}

static void begin(struct coalesce_result *r, uint32_t requested) {
    r->halfwarps = r->coalesced = r->count = 0;
    r->requested = requested;
    r->transactions[COALESCE_32] = r->transactions[COALESCE_64] = r->transactions[COALESCE_128] = 0;
}

static void end(struct coalesce_result *r) {
    r->moved = 0;
    for (unsigned s = 0; s < COALESCE_SIZES; s++)
        r->moved += ((uint32_t)SECTOR << s) * r->transactions[s];
}

/* ---- compute capability 1.0 and 1.1 ---- */

/* The one transaction of 16 words in order, or two where the words have 16 bytes. */
static void transact_row(struct coalesce_result *r, uint32_t address, unsigned bytes) {
    r->coalesced++;
    if (bytes == 4) {
        transact(r, address, COALESCE_64);
        return;
    }
    transact(r, address, COALESCE_128);
    if (bytes == 16) transact(r, address + SEGMENT, COALESCE_128);
}

static void in_order(struct coalesce_result *r, uint32_t mask, const uint32_t *at, unsigned bytes) {
    unsigned first = halfwarp_lowest(mask);
    uint32_t base = at[first] - first * bytes;
    uint32_t row[HALFWARP];
    for (unsigned l = 0; l < HALFWARP; l++) row[l] = at[l] - l * bytes;
    bool coalesced =
        bytes >= 4 && base % (HALFWARP * bytes) == 0 && (halfwarp_equal(row, base) & mask) == mask;
    if (coalesced) {
        transact_row(r, base, bytes);
        return;
    }
    for (; mask; mask &= mask - 1)
        transact(r, at[halfwarp_lowest(mask)] & ~(uint32_t)(SECTOR - 1), COALESCE_32);
}

/* ---- compute capability 1.2 and 1.3 ---- */

static unsigned segment_bytes(unsigned word) {
    return word == 1 ? SECTOR : word == 2 ? 2 * SECTOR : SEGMENT;
}

/* The smallest transaction for the sectors of a segment that are used, a bit each: halved as long
 * as one half has none. A segment of 64 bytes has two sectors, one of 32 a single one. */
static const struct {
    uint8_t offset, size;
} shrunk[16] = {
    [1] = {0, COALESCE_32},   [2] = {32, COALESCE_32},  [3] = {0, COALESCE_64},
    [4] = {64, COALESCE_32},  [5] = {0, COALESCE_128},  [6] = {0, COALESCE_128},
    [7] = {0, COALESCE_128},  [8] = {96, COALESCE_32},  [9] = {0, COALESCE_128},
    [10] = {0, COALESCE_128}, [11] = {0, COALESCE_128}, [12] = {64, COALESCE_64},
    [13] = {0, COALESCE_128}, [14] = {0, COALESCE_128}, [15] = {0, COALESCE_128},
};

static void transact_used(struct coalesce_result *r, uint32_t segment, unsigned used) {
    transact(r, segment + shrunk[used].offset, shrunk[used].size);
}

/* Many segments: each lane finds its segment's group by hashing. */
enum { SLOT_BITS = 6, SLOTS = 1 << SLOT_BITS };

static void by_group(struct coalesce_result *r, uint32_t mask, const uint32_t *segment,
                     const uint32_t *sector) {
    uint8_t slots[SLOTS] = {0}; /* 1 + group; 0: free */
    uint32_t of[HALFWARP];
    uint8_t used[HALFWARP];
    unsigned groups = 0;
    for (; mask; mask &= mask - 1) {
        unsigned lane = halfwarp_lowest(mask);
        uint32_t s = segment[lane], slot = s * UINT32_C(0x9e3779b1) >> (32 - SLOT_BITS);
        while (slots[slot] && of[slots[slot] - 1] != s) slot = (slot + 1) % SLOTS;
        if (!slots[slot]) {
            of[groups] = s;
            used[groups] = 0;
            slots[slot] = (uint8_t)++groups;
        }
        used[slots[slot] - 1] |= (uint8_t)(1u << sector[lane]);
    }
    for (unsigned g = 0; g < groups; g++) transact_used(r, of[g], used[g]);
}

static void by_segment(struct coalesce_result *r, uint32_t mask, const uint32_t *at,
                       unsigned bytes) {
    enum { ROUNDS = 3 };
    uint32_t segment[HALFWARP], sector[HALFWARP], in_sector[SEGMENT / SECTOR];
    unsigned size = segment_bytes(bytes), before = r->count;
    for (unsigned l = 0; l < HALFWARP; l++) {
        segment[l] = at[l] & ~(size - 1);
        sector[l] = at[l] / SECTOR & (size / SECTOR - 1);
    }
    for (unsigned s = 0; s < SEGMENT / SECTOR; s++) in_sector[s] = halfwarp_equal(sector, s);
    for (unsigned round = 0; mask && round < ROUNDS; round++) {
        uint32_t address = segment[halfwarp_lowest(mask)];
        uint32_t served = halfwarp_equal(segment, address) & mask;
        unsigned used = 0;
        for (unsigned s = 0; s < SEGMENT / SECTOR; s++)
            used |= (unsigned)((served & in_sector[s]) != 0) << s;
        transact_used(r, address, used);
        mask &= ~served;
    }
    if (mask) by_group(r, mask, segment, sector);
    r->coalesced += r->count - before <= (bytes == 16 ? 2u : 1u);
}

void coalesce_warp(enum coalesce_rule rule, uint32_t mask, const uint32_t addresses[32],
                   unsigned bytes, struct coalesce_result *r) {
    assert(bytes >= 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0);
    begin(r, halfwarp_count(mask) * bytes);
    for (unsigned h = 0; h < HALFWARPS; h++, mask >>= HALFWARP) {
        uint32_t half = mask & 0xffff, at[HALFWARP];
        if (!half) continue;
        r->halfwarps++;
        for (unsigned l = 0; l < HALFWARP; l++) at[l] = addresses[h * HALFWARP + l] & ~(bytes - 1);
        if (rule == COALESCE_IN_ORDER)
            in_order(r, half, at, bytes);
        else
            by_segment(r, half, at, bytes);
    }
    end(r);
}

/* ---- evenly spaced ---- */

static void in_order_strided(struct coalesce_result *r, uint32_t base, int32_t stride,
                             unsigned bytes) {
    /* A stride that differs from the word's size a little may still reach each lane's own word, as
     * the low bits of addresses do not count. */
    int64_t drift = (int64_t)stride - bytes, low = base & (bytes - 1);
    int64_t last = low + (HALFWARP - 1) * drift;
    if (bytes >= 4 && last >= 0 && last < bytes && (base - low) % (HALFWARP * bytes) == 0) {
        transact_row(r, (uint32_t)(base - low), bytes);
        return;
    }
    for (unsigned l = 0; l < HALFWARP; l++)
        transact(r, (base + l * (uint32_t)stride) & ~(uint32_t)(SECTOR - 1), COALESCE_32);
}

/* Lanes go through segments one after the other, each of which serves a run of lanes: no segment
 * is come to twice, as 16 lanes do not go round 2^32 with strides up to a segment's size, and with
 * larger ones each lane has its own unless they meet again, which the general rule sees to. */
static bool by_segment_strided(struct coalesce_result *r, uint32_t base, int32_t stride,
                               unsigned bytes) {
    unsigned size = segment_bytes(bytes), before = r->count;
    uint32_t step = stride < 0 ? -(uint32_t)stride : (uint32_t)stride;
    if (step >= UINT32_C(1) << 27) return false;
    for (unsigned l = 0; l < HALFWARP;) {
        uint32_t at = (base + l * (uint32_t)stride) & ~(bytes - 1), segment = at & ~(size - 1);
        unsigned run = HALFWARP - l, used = 0;
        if (step) {
            uint32_t low = (base + l * (uint32_t)stride) & (size - 1);
            uint32_t room = stride < 0 ? low : size - 1 - low;
            if (room / step + 1 < run) run = room / step + 1;
        }
        if (step <= SECTOR) {
            uint32_t last = (base + (l + run - 1) * (uint32_t)stride) & (size - 1);
            unsigned a = (at & (size - 1)) / SECTOR, b = last / SECTOR;
            unsigned low = a < b ? a : b, high = a < b ? b : a;
            used = (2u << high) - (1u << low);
        } else {
            for (unsigned i = 0; i < run; i++)
                used |= 1u << ((base + (l + i) * (uint32_t)stride) & (size - 1)) / SECTOR;
        }
        transact_used(r, segment, used);
        l += run;
    }
    r->coalesced += r->count - before <= (bytes == 16 ? 2u : 1u);
    return true;
}

void coalesce_strided(enum coalesce_rule rule, uint32_t base, int32_t stride, unsigned bytes,
                      struct coalesce_result *r) {
    assert(bytes >= 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0);
    begin(r, HALFWARPS * HALFWARP * bytes);
    r->halfwarps = HALFWARPS;
    for (unsigned h = 0; h < HALFWARPS; h++, base += HALFWARP * (uint32_t)stride) {
        if (rule == COALESCE_IN_ORDER) {
            in_order_strided(r, base, stride, bytes);
        } else if (!by_segment_strided(r, base, stride, bytes)) {
            uint32_t at[HALFWARP];
            for (unsigned l = 0; l < HALFWARP; l++)
                at[l] = (base + l * (uint32_t)stride) & ~(bytes - 1);
            by_segment(r, 0xffff, at, bytes);
        }
    }
    end(r);
}
