/* Banks of shared memory: the guide's figures, its text once more, and the closed form. */
#include "device/gpu/banks.h"

#include <string.h>

#include "../device/test.h"

enum { WARP = 32, HALF = 16 };

struct shared_figure {
    const char *name;
    bool write;
    uint32_t mask;
    unsigned bytes, requests, steps, degree;
    uint32_t addresses[HALF];
};
#define LANES(...)                                                                                 \
    { __VA_ARGS__ }
static const struct shared_figure figures[] = {
#define FIGURE(...) {__VA_ARGS__},
#include "shared_figures.def"
};

static void figures_hold(void) {
    for (unsigned i = 0; i < sizeof figures / sizeof *figures; i++) {
        const struct shared_figure *f = &figures[i];
        for (unsigned h = 0; h < 2; h++) {
            uint32_t addresses[WARP] = {0};
            struct banks_result r;
            memcpy(addresses + h * HALF, f->addresses, sizeof f->addresses);
            banks_warp(f->mask << h * HALF, addresses, f->bytes, f->write, &r);
            if (r.requests == f->requests && r.steps == f->steps && r.degree == f->degree &&
                r.replays == f->steps - f->requests)
                continue;
            fprintf(stderr, "%s: %u requests, %u steps, %u ways\n", f->name, r.requests, r.steps,
                    r.degree);
            exit(1);
        }
    }
}

/* Halves of a warp do not conflict with each other; both count. */
static void halves(void) {
    uint32_t addresses[WARP];
    struct banks_result r;
    for (unsigned l = 0; l < WARP; l++) addresses[l] = l < HALF ? 4 * l : 1024 + 64 * l;
    banks_warp(~0u, addresses, 4, false, &r);
    CHECK(r.requests == 2 && r.steps == 17 && r.replays == 15 && r.degree == 16);
    banks_warp(0, addresses, 4, false, &r);
    CHECK(!r.requests && !r.steps && !r.replays && !r.degree && !r.broadcasts);
}

/* ---- the guide's text: the least and the most steps over all choices of broadcast words ---- */

struct steps_range {
    unsigned least, most;
};

static struct steps_range choices(uint32_t left, const uint32_t *words) {
    struct steps_range r = {HALF + 1, 0};
    if (!left) return (struct steps_range){0, 0};
    for (unsigned chosen = 0; chosen < HALF; chosen++) {
        if (!(left >> chosen & 1)) continue;
        uint32_t rest = 0;
        bool taken[BANKS] = {false};
        taken[words[chosen] % BANKS] = true;
        for (unsigned l = 0; l < HALF; l++) {
            if (!(left >> l & 1) || words[l] == words[chosen]) continue;
            if (taken[words[l] % BANKS])
                rest |= 1u << l;
            else
                taken[words[l] % BANKS] = true;
        }
        struct steps_range after = choices(rest, words);
        if (after.least + 1 < r.least) r.least = after.least + 1;
        if (after.most + 1 > r.most) r.most = after.most + 1;
    }
    return r;
}

/* "either no bank conflicts if the word from bank 5 is chosen, or 2-way conflicts otherwise" */
static void broadcast_choice(void) {
    uint32_t words[HALF] = {0, 1, 2, 5, 4, 3, 6, 7, 8, 5, 10, 11, 12, 13, 14, 15};
    struct steps_range r = choices(0xffff, words);
    CHECK(r.least == 1 && r.most == 2);
}

static uint32_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Steps serve each lane once, and no bank twice but for what is broadcast or the same place. */
static void check_steps(uint32_t mask, const uint32_t *at, bool write, unsigned expected) {
    struct banks_step steps[BANKS];
    uint32_t served = 0;
    unsigned n = banks_steps(mask, at, write, steps);
    CHECK(n == expected);
    for (unsigned i = 0; i < n; i++) {
        uint32_t word[BANKS];
        bool taken[BANKS] = {false};
        CHECK(steps[i].lanes && !(served & steps[i].lanes));
        CHECK(!(steps[i].broadcast & ~steps[i].lanes) && (!steps[i].broadcast || !write));
        served |= steps[i].lanes;
        for (unsigned l = 0; l < HALF; l++) {
            unsigned bank = at[l] / 4 % BANKS;
            uint32_t place = write ? at[l] : at[l] / 4;
            if (!(steps[i].lanes >> l & 1)) continue;
            CHECK(!taken[bank] || word[bank] == place);
            taken[bank] = true;
            word[bank] = place;
        }
    }
    CHECK(served == mask);
}

/* What is told lies within what the guide leaves open, and a write takes as many steps as the bank
 * that most places are in. */
static void text(void) {
    uint64_t seed = 7;
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t at[WARP] = {0}, words[HALF], mask = next(&seed) & next(&seed) & 0xffff;
        unsigned reach = 1u << (3 + next(&seed) % 7);
        while (__builtin_popcount(mask) > 7) mask &= mask - 1;
        if (!mask) continue;
        for (unsigned l = 0; l < HALF; l++) {
            at[l] = next(&seed) % reach;
            words[l] = at[l] / 4;
        }
        struct banks_result r;
        banks_warp(mask, at, 1, false, &r);
        struct steps_range range = choices(mask, words);
        CHECK(r.requests == 1 && r.steps >= range.least && r.steps <= range.most);
        check_steps(mask, at, false, r.steps);
        unsigned most = 0;
        for (unsigned bank = 0; bank < BANKS; bank++) {
            unsigned places = 0;
            for (unsigned l = 0; l < HALF; l++) {
                bool first = mask >> l & 1 && words[l] % BANKS == bank;
                for (unsigned k = 0; k < l && first; k++)
                    first = !(mask >> k & 1 && at[k] == at[l]);
                places += first;
            }
            if (places > most) most = places;
        }
        banks_warp(mask, at, 1, true, &r);
        CHECK(r.steps == most && r.degree == most);
        check_steps(mask, at, true, r.steps);
    }
}

static void strided(void) {
    for (uint32_t base = 0; base < 64; base++)
        for (int32_t stride = -300; stride <= 300; stride++)
            for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
                for (unsigned write = 0; write < 2; write++) {
                    uint32_t at[WARP];
                    struct banks_result general, closed;
                    for (unsigned l = 0; l < WARP; l++) at[l] = 65536 + base + l * (uint32_t)stride;
                    banks_warp(~0u, at, bytes, write, &general);
                    banks_strided(65536 + base, stride, bytes, write, &closed);
                    CHECK(!memcmp(&general, &closed, sizeof closed));
                }
    /* s odd: no conflict; else the greatest common divisor of s and 16. */
    for (int32_t s = 1; s <= 64; s++) {
        struct banks_result r;
        unsigned d = 1;
        while (d < BANKS && s % (int32_t)(2 * d) == 0) d *= 2;
        banks_strided(0, 4 * s, 4, false, &r);
        CHECK(r.degree == d && r.steps == 2 * d && (d == 1) == (s % 2 == 1));
    }
}

TEST_MAIN(TEST(figures_hold), TEST(halves), TEST(broadcast_choice), TEST(text), TEST(strided))
