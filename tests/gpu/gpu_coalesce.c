/* Coalescing: the guide's figures, its text once more without cleverness, and the closed forms. */
#include "device/gpu/coalesce.h"

#include <stdbool.h>
#include <string.h>

#include "../device/test.h"
#include "device/gpu/request.h"

enum { WARP = 32, HALF = 16 };

/* ---- figures ---- */

struct global_figure {
    const char *name;
    uint32_t mask;
    unsigned bytes, row, small, expected[COALESCE_SIZES];
    uint32_t addresses[HALF];
};
#define LANES(...)                                                                                 \
    { __VA_ARGS__ }
static const struct global_figure figures[] = {
#define FIGURE(name, mask, bytes, row, small, s, m, l, ...)                                        \
    {name, mask, bytes, row, small, {s, m, l}, __VA_ARGS__},
#define OFFSET(...)
#define STRIDE(...)
#include "global_figures.def"
#undef FIGURE
#undef OFFSET
#undef STRIDE
};
enum { FIGURES = sizeof figures / sizeof *figures };

struct copy_figure {
    unsigned n, expected[COALESCE_RULES][COALESCE_SIZES];
};
#define FIGURE(...)
#define ROW(n, s0, m0, l0, s2, m2, l2) {n, {{s0, m0, l0}, {s2, m2, l2}}},
#define NONE(...)
#define OFFSET ROW
#define STRIDE NONE
static const struct copy_figure offsets[] = {
#include "global_figures.def"
};
#undef OFFSET
#undef STRIDE
#define OFFSET NONE
#define STRIDE ROW
static const struct copy_figure strides[] = {
#include "global_figures.def"
};

static void check_sizes(const char *name, const struct coalesce_result *r,
                        const unsigned expected[COALESCE_SIZES]) {
    for (unsigned s = 0; s < COALESCE_SIZES; s++) {
        if (r->transactions[s] == expected[s]) continue;
        fprintf(stderr, "%s: %u transactions of %u bytes, not %u\n", name, r->transactions[s],
                32u << s, expected[s]);
        exit(1);
    }
}

/* In either half of a warp; the other one has no active lane. */
static void figures_hold(void) {
    for (unsigned i = 0; i < FIGURES; i++) {
        const struct global_figure *f = &figures[i];
        for (unsigned h = 0; h < 2; h++) {
            uint32_t addresses[WARP] = {0};
            struct coalesce_result r;
            memcpy(addresses + h * HALF, f->addresses, sizeof f->addresses);
            coalesce_warp(COALESCE_IN_ORDER, f->mask << h * HALF, addresses, f->bytes, &r);
            CHECK(r.count == f->row && r.halfwarps == 1 && r.coalesced == !f->small);
            CHECK(r.transactions[COALESCE_32] == (f->small ? f->row : 0));
            CHECK(r.requested == (unsigned)__builtin_popcount(f->mask) * f->bytes);
            coalesce_warp(COALESCE_BY_SEGMENT, f->mask << h * HALF, addresses, f->bytes, &r);
            check_sizes(f->name, &r, f->expected);
        }
    }
}

static void copies(void) {
    CHECK(sizeof offsets / sizeof *offsets == 33 && sizeof strides / sizeof *strides == 32);
    for (unsigned rule = 0; rule < COALESCE_RULES; rule++) {
        struct coalesce_result r;
        for (unsigned i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            coalesce_strided(rule, 4096 + 4 * offsets[i].n, 4, 4, &r);
            check_sizes("offset", &r, offsets[i].expected[rule]);
        }
        for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++) {
            coalesce_strided(rule, 4096, 4 * (int32_t)strides[i].n, 4, &r);
            check_sizes("stride", &r, strides[i].expected[rule]);
        }
    }
}

static void rules(void) {
    CHECK(coalesce_rule_of(0) == COALESCE_IN_ORDER && coalesce_rule_of(1) == COALESCE_IN_ORDER);
    CHECK(coalesce_rule_of(2) == COALESCE_BY_SEGMENT && coalesce_rule_of(3) == COALESCE_BY_SEGMENT);
    struct coalesce_result r;
    uint32_t none[WARP] = {0};
    coalesce_warp(COALESCE_BY_SEGMENT, 0, none, 4, &r);
    CHECK(!r.count && !r.halfwarps && !r.moved && !r.requested && !r.coalesced);
    /* The second float3 of figure 3-3 at 140: the last word lies over the middle of its segment. */
    coalesce_strided(COALESCE_BY_SEGMENT, 128, 12, 4, &r);
    CHECK(r.requested == 128 &&
          r.moved == 32u * r.transactions[0] + 64u * r.transactions[1] + 128u * r.transactions[2]);
}

/* ---- the guide's text ---- */

struct plain {
    unsigned count;
    uint32_t address[WARP], size[WARP];
};

static void plain_add(struct plain *p, uint32_t address, uint32_t size) {
    p->address[p->count] = address;
    p->size[p->count++] = size;
}

static void plain_in_order(struct plain *p, uint32_t mask, const uint32_t *at, unsigned bytes) {
    bool coalesced = false;
    uint32_t all = bytes * HALF; /* the words of a half-warp, in segments of this size */
    for (uint32_t s = 0; s < 8192 && bytes >= 4; s += all) {
        bool in = true;
        for (unsigned l = 0; l < HALF; l++)
            if (mask >> l & 1 && at[l] / bytes * bytes != s + l * bytes) in = false;
        if (!in) continue;
        coalesced = true;
        uint32_t one = all > 128 ? 128 : all;
        for (uint32_t a = s; a < s + all; a += one) plain_add(p, a, one);
    }
    for (unsigned l = 0; l < HALF && !coalesced; l++)
        if (mask >> l & 1) plain_add(p, at[l] / 32 * 32, 32);
}

static void plain_by_segment(struct plain *p, uint32_t mask, const uint32_t *at, unsigned bytes) {
    bool active[HALF];
    for (unsigned l = 0; l < HALF; l++) active[l] = mask >> l & 1;
    for (unsigned l = 0; l < HALF; l++) {
        if (!active[l]) continue;
        uint32_t size = bytes == 1 ? 32 : bytes == 2 ? 64 : 128, low = at[l] / size * size;
        uint32_t first = UINT32_MAX, last = 0;
        for (unsigned other = l; other < HALF; other++) {
            uint32_t word = at[other] / bytes * bytes;
            if (!active[other] || at[other] / size * size != low) continue;
            active[other] = false;
            if (word < first) first = word;
            if (word + bytes - 1 > last) last = word + bytes - 1;
        }
        while (size > 32 && (last < low + size / 2 || first >= low + size / 2)) {
            size /= 2;
            if (first >= low + size) low += size;
        }
        plain_add(p, low, size);
    }
}

static void check_same(const struct plain *p, const struct coalesce_result *r) {
    unsigned moved = 0;
    CHECK(p->count == r->count);
    for (unsigned i = 0; i < p->count; i++) {
        CHECK(r->address[i] == p->address[i] && 32u << r->size[i] == p->size[i]);
        moved += p->size[i];
    }
    CHECK(r->transactions[0] + r->transactions[1] + r->transactions[2] == r->count);
    CHECK(r->moved == moved);
}

static uint32_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Random addresses, some near each other, some in order, some lanes off. */
static void text(void) {
    uint64_t seed = 1;
    for (unsigned round = 0; round < 200000; round++) {
        uint32_t at[WARP], mask = next(&seed) ^ next(&seed) << 16, reach = 16u << next(&seed) % 9;
        unsigned bytes = 1u << next(&seed) % 5, step = next(&seed) % 3 ? bytes : next(&seed) % 40;
        uint32_t base = next(&seed) % 1024, stray = next(&seed) % 3;
        if (next(&seed) % 4 == 0) base = base / 256 * 256;
        if (next(&seed) % 4 == 0) mask = ~0u;
        for (unsigned l = 0; l < WARP; l++) {
            at[l] = base + l * step;
            if (stray == 1 || (stray == 2 && next(&seed) % 16 == 0)) at[l] = next(&seed) % reach;
        }
        for (unsigned rule = 0; rule < COALESCE_RULES; rule++) {
            struct coalesce_result r;
            struct plain p = {0};
            coalesce_warp(rule, mask, at, bytes, &r);
            for (unsigned h = 0; h < 2; h++) {
                uint32_t half = mask >> h * HALF & 0xffff;
                if (!half) continue;
                if (rule == COALESCE_IN_ORDER)
                    plain_in_order(&p, half, at + h * HALF, bytes);
                else
                    plain_by_segment(&p, half, at + h * HALF, bytes);
            }
            check_same(&p, &r);
        }
    }
}

/* ---- closed forms ---- */

static void check_equal(const struct coalesce_result *a, const struct coalesce_result *b) {
    CHECK(a->halfwarps == b->halfwarps && a->coalesced == b->coalesced && a->count == b->count);
    CHECK(a->requested == b->requested && a->moved == b->moved);
    CHECK(!memcmp(a->transactions, b->transactions, sizeof a->transactions));
    CHECK(!memcmp(a->address, b->address, a->count * sizeof *a->address));
    CHECK(!memcmp(a->size, b->size, a->count));
}

static void check_strided(uint32_t base, int32_t stride) {
    uint32_t at[WARP];
    for (unsigned l = 0; l < WARP; l++) at[l] = base + l * (uint32_t)stride;
    for (unsigned rule = 0; rule < COALESCE_RULES; rule++) {
        for (unsigned bytes = 1; bytes <= 16; bytes *= 2) {
            struct coalesce_result general, closed;
            coalesce_warp(rule, ~0u, at, bytes, &general);
            coalesce_strided(rule, base, stride, bytes, &closed);
            check_equal(&general, &closed);
        }
    }
}

/* Every base of a period and every stride up to a little more than a segment; far bases, and
 * strides that go round. */
static void strided(void) {
    for (uint32_t base = 0; base < COALESCE_PERIOD; base++)
        for (int32_t stride = -140; stride <= 140; stride++) check_strided(base + 65536, stride);
    for (unsigned bit = 0; bit < 32; bit++)
        for (int32_t d = -1; d <= 1; d++) {
            uint32_t far = (UINT32_C(1) << bit) + (uint32_t)d;
            check_strided(4000, (int32_t)far);
            check_strided(far - 64, 4);
            check_strided(4000, (int32_t)-far);
        }
}

static void period(void) {
    for (unsigned rule = 0; rule < COALESCE_RULES; rule++)
        for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
            for (int32_t stride = 0; stride < 300; stride++)
                for (uint32_t base = 0; base < COALESCE_PERIOD; base += 8) {
                    struct coalesce_result near, far;
                    coalesce_strided(rule, base, stride, bytes, &near);
                    coalesce_strided(rule, base + 77 * COALESCE_PERIOD, stride, bytes, &far);
                    CHECK(!memcmp(near.transactions, far.transactions, sizeof near.transactions));
                    CHECK(near.coalesced == far.coalesced);
                }
}

/* ---- objects that take several instructions ---- */

static void check_split(unsigned bytes, unsigned alignment, const char *expected) {
    struct request_word out[REQUEST_MOST];
    char got[REQUEST_MOST * 8] = "";
    unsigned n = request_split(bytes, alignment, out), at = 0, length = 0;
    for (unsigned i = 0; i < n; i++) {
        CHECK(out[i].offset == at);
        at += out[i].bytes;
        length +=
            (unsigned)snprintf(got + length, sizeof got - length, i ? " %u" : "%u", out[i].bytes);
    }
    CHECK(at == bytes);
    if (expected && strcmp(got, expected) != 0) {
        fprintf(stderr, "%u bytes aligned to %u: %s\n", bytes, alignment, got);
        exit(1);
    }
}

static void check_load(unsigned bytes, unsigned alignment, unsigned count, unsigned first) {
    struct request_word out[REQUEST_MOST];
    CHECK(request_split_load(bytes, alignment, out) == count && out[0].bytes == first);
}

static void loads(void) {
    check_load(12, 16, 1, 16); /* three floats, aligned to 16 */
    check_load(12, 4, 3, 4);
    check_load(3, 4, 1, 4);
    check_load(3, 16, 1, 4);
    check_load(3, 1, 3, 1);
    check_load(16, 16, 1, 16);
    check_load(24, 8, 3, 8);
    check_load(48, 16, 3, 16);
    for (unsigned bytes = 1; bytes <= 128; bytes *= 2)
        for (unsigned alignment = 1; alignment <= 128; alignment *= 2) {
            struct request_word load[REQUEST_MOST], store[REQUEST_MOST];
            unsigned n = request_split(bytes, alignment, store);
            CHECK(n == request_split_load(bytes, alignment, load));
            CHECK(!memcmp(load, store, n * sizeof *load));
        }
}

static void requests(void) {
    check_split(4, 4, "4");
    check_split(16, 16, "16");
    check_split(8, 8, "8");
    check_split(12, 4, "4 4 4");     /* struct of three floats */
    check_split(12, 16, "8 4");      /* the same, aligned to 16 */
    check_split(20, 4, "4 4 4 4 4"); /* five floats */
    check_split(32, 16, "16 16");    /* five floats, padded to 32 */
    check_split(16, 4, "4 4 4 4");   /* vload4 */
    check_split(7, 1, "1 1 1 1 1 1 1");
    check_split(6, 2, "2 2 2");
    check_split(128, 128, "16 16 16 16 16 16 16 16");
    for (unsigned bytes = 1; bytes <= 128; bytes++)
        for (unsigned alignment = 1; alignment <= 128; alignment *= 2)
            check_split(bytes, alignment, NULL);
}

TEST_MAIN(TEST(figures_hold), TEST(copies), TEST(rules), TEST(text), TEST(strided), TEST(period),
          TEST(requests), TEST(loads))
