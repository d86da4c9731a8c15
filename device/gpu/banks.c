#include "banks.h"

#include <assert.h>

#include "halfwarp.h"

enum { WORD = 4 };

static void add(struct banks_result *r, unsigned steps, bool broadcast) {
    r->requests++;
    r->steps += steps;
    r->replays += steps - 1;
    if (steps > r->degree) r->degree = steps;
    r->broadcasts += broadcast;
}

/* One lane of each bank that is not in `taken`, the lowest. */
static uint32_t one_each(uint32_t left, const uint32_t *words, unsigned taken) {
    uint32_t served = 0;
    for (; left; left &= left - 1) {
        unsigned lane = halfwarp_lowest(left), bank = 1u << words[lane] % BANKS;
        if (taken & bank) continue;
        taken |= bank;
        served |= 1u << lane;
    }
    return served;
}

/* out: NULL, or what each step does. */
static unsigned read_steps(uint32_t left, const uint32_t *words, bool *broadcast,
                           struct banks_step *out) {
    uint32_t same[HALFWARP]; /* lanes with the word of each */
    for (unsigned l = 0; l < HALFWARP; l++) same[l] = halfwarp_equal(words, words[l]);
    unsigned steps = 0;
    for (; left; steps++) {
        uint32_t best = 0;
        for (uint32_t m = left; m;) {
            uint32_t lanes = same[halfwarp_lowest(m)] & left;
            if (halfwarp_count(lanes) > halfwarp_count(best)) best = lanes;
            m &= ~lanes;
        }
        *broadcast = *broadcast || (best & (best - 1));
        left &= ~best;
        uint32_t others = one_each(left, words, 1u << words[halfwarp_lowest(best)] % BANKS);
        left &= ~others;
        if (out)
            out[steps] = (struct banks_step){(uint16_t)(best | others),
                                             (uint16_t)(best & (best - 1) ? best : 0)};
    }
    return steps;
}

/* Different places in each bank, of which it takes one a step. */
static unsigned write_steps(uint32_t left, const uint32_t *words, const uint32_t *places,
                            struct banks_step *out) {
    uint8_t in_bank[BANKS] = {0};
    unsigned steps = 0;
    while (left) {
        unsigned lane = halfwarp_lowest(left), n = ++in_bank[words[lane] % BANKS];
        uint32_t same = halfwarp_equal(places, places[lane]) & left;
        if (n > steps) {
            steps = n;
            if (out) out[n - 1] = (struct banks_step){0};
        }
        if (out) out[n - 1].lanes |= (uint16_t)same;
        left &= ~same;
    }
    return steps;
}

/* The most lanes of one bank, if each wants a word of its own: then a step serves one lane of each
 * bank, whatever is broadcast. 0: some want the same. */
static unsigned most_in_bank(uint32_t mask, const uint32_t *words) {
    uint32_t of[BANKS][HALFWARP];
    uint8_t in_bank[BANKS] = {0};
    unsigned most = 0;
    for (; mask; mask &= mask - 1) {
        uint32_t word = words[halfwarp_lowest(mask)];
        unsigned bank = word % BANKS, n = in_bank[bank]++;
        for (unsigned i = 0; i < n; i++)
            if (of[bank][i] == word) return 0;
        of[bank][n] = word;
        if (n >= most) most = n + 1;
    }
    return most;
}

/* One request for 32 bits or less at places[lane]. */
static void serve(struct banks_result *r, uint32_t mask, const uint32_t *places, bool write) {
    uint32_t words[HALFWARP];
    unsigned lowest = halfwarp_lowest(mask), most;
    for (unsigned l = 0; l < HALFWARP; l++) words[l] = places[l] / WORD;
    if (!write && (halfwarp_equal(words, words[lowest]) & mask) == mask) {
        add(r, 1, mask & (mask - 1));
    } else if ((most = most_in_bank(mask, words))) {
        add(r, most, false);
    } else if (write) {
        add(r, write_steps(mask, words, places, NULL), false);
    } else {
        bool broadcast = false;
        unsigned steps = read_steps(mask, words, &broadcast, NULL);
        add(r, steps, broadcast);
    }
}

void banks_warp(uint32_t mask, const uint32_t addresses[32], unsigned bytes, bool write,
                struct banks_result *r) {
    assert(bytes >= 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0);
    *r = (struct banks_result){0};
    for (unsigned h = 0; h < HALFWARPS; h++, mask >>= HALFWARP) {
        if (!(mask & 0xffff)) continue;
        for (unsigned piece = 0; piece < bytes; piece += WORD) {
            uint32_t places[HALFWARP];
            for (unsigned l = 0; l < HALFWARP; l++)
                places[l] = (addresses[h * HALFWARP + l] & ~(bytes - 1)) + piece;
            serve(r, mask & 0xffff, places, write);
        }
    }
}

unsigned banks_steps(uint32_t mask, const uint32_t places[BANKS], bool write,
                     struct banks_step steps[BANKS]) {
    uint32_t words[HALFWARP];
    bool broadcast = false;
    for (unsigned l = 0; l < HALFWARP; l++) words[l] = places[l] / WORD;
    mask &= 0xffff;
    return write ? write_steps(mask, words, places, steps)
                 : read_steps(mask, words, &broadcast, steps);
}

void banks_strided(uint32_t base, int32_t stride, unsigned bytes, bool write,
                   struct banks_result *r) {
    assert(bytes >= 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0);
    *r = (struct banks_result){0};
    if (stride % (int32_t)(bytes > WORD ? bytes : WORD) == 0) {
        /* Lanes n apart meet in a bank when n times the stride is a multiple of 16 words. */
        uint32_t apart = (uint32_t)(stride / WORD) | BANKS;
        unsigned degree = stride ? apart & -apart : 1;
        unsigned requests = bytes <= WORD ? 1 : bytes / WORD;
        for (unsigned n = 0; n < requests * HALFWARPS; n++) add(r, degree, !stride && !write);
        return;
    }
    uint32_t addresses[HALFWARP * HALFWARPS];
    for (unsigned l = 0; l < HALFWARP * HALFWARPS; l++) addresses[l] = base + l * (uint32_t)stride;
    banks_warp(~0u, addresses, bytes, write, r);
}
