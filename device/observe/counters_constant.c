#include "counters_constant.h"

#include <string.h>

#include "counters_lanes.h"
#include "device/gpu/address.h"
#include "device/gpu/constant_port.h"

enum { WORD = 4, HALF = ISA_WARP / 2, BITS = 64 };

_Static_assert((int)COUNTERS_CONSTANT_SETS == BITS, "a line's bit of its word is its set");

bool counters_constant_any(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nsites; n++)
        if (k->sites[n].kind == ISA_SITE_load && k->sites[n].space == ISA_CONSTANT) return true;
    return false;
}

bool counters_constant_in_order(const struct gpu_addresses *a) {
    const uint32_t bytes =
        SETCACHE_CONSTANT_L1_LINE * SETCACHE_CONSTANT_L1_SETS * SETCACHE_CONSTANT_L1_WAYS;
    return a && a->constant_bytes > bytes;
}

/* ---- lines ---- */

static uint32_t line_of(uint32_t address) {
    return address % COUNTERS_CONSTANT_BYTES / COUNTERS_CONSTANT_LINE;
}

static void add_lines(uint64_t *lines, uint32_t mask, const uint32_t *addresses, uint32_t by) {
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t line = line_of(addresses[__builtin_ctz(left)] + by);
        lines[line / BITS] |= UINT64_C(1) << line % BITS;
    }
}

#if defined __x86_64__
#include <immintrin.h>

/* Whether all lines are there, as nearly always. The bits are two vectors. */
COUNTERS_LANES_VECTORS static inline bool has_lines(const uint64_t *lines, uint32_t mask,
                                                    const uint32_t *addresses, uint32_t by) {
    __m512i low = _mm512_loadu_si512(lines), high = _mm512_loadu_si512(lines + 8);
    uint32_t missing = 0;
    for (unsigned h = 0; h < 2; h++) {
        __m512i at =
            _mm512_add_epi32(_mm512_loadu_si512(addresses + h * HALF), _mm512_set1_epi32((int)by));
        __m512i line = _mm512_srli_epi32(at, __builtin_ctz(COUNTERS_CONSTANT_LINE));
        __m512i words = _mm512_permutex2var_epi32(low, _mm512_srli_epi32(line, 5), high);
        __m512i bit =
            _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_epi32(line, _mm512_set1_epi32(31)));
        missing |= (uint32_t)_mm512_testn_epi32_mask(words, bit) << h * HALF;
    }
    return !(missing & mask);
}
_Static_assert(COUNTERS_CONSTANT_LINES == 1024,
               "the index of a word is all that is used of 5 bits");

COUNTERS_LANES_VECTORS static void by_vectors(uint64_t *lines, const struct counted_lanes *lanes) {
    for (uint32_t n = 0; n < lanes->count; n++)
        if (!has_lines(lines, lanes->masks[n], lanes->addresses[n], lanes->by))
            add_lines(lines, lanes->masks[n], lanes->addresses[n], lanes->by);
}
#else
#define by_vectors(lines, lanes) ((void)0)
#endif

static void read_lines(uint64_t *lines, const struct counted_lanes *lanes) {
    if (counters_lanes_vectors()) {
        by_vectors(lines, lanes);
        return;
    }
    for (uint32_t n = 0; n < lanes->count; n++)
        add_lines(lines, lanes->masks[n], lanes->addresses[n], lanes->by);
}

void counters_constant_read(struct counters_constant *site, const struct counted_lanes *lanes,
                            uint32_t bytes) {
    struct counted_lanes last = *lanes;
    read_lines(site->lines, lanes);
    if (bytes <= WORD) return;
    last.by += bytes - 1;
    read_lines(site->lines, &last);
}

void counters_constant_merge(struct counters_constant *into, const struct counters_constant *from) {
    for (unsigned n = 0; n < COUNTERS_CONSTANT_WORDS; n++) into->lines[n] |= from->lines[n];
    for (unsigned level = 0; level < COUNTERS_CONSTANT_LEVELS; level++)
        for (unsigned s = 0; s < COUNTERS_CONSTANT_SETS; s++)
            into->missed[level][s] += from->missed[level][s];
}

/* ---- a group alone ---- */

#define GEOMETRY(level)                                                                            \
    _Static_assert(SETCACHE_CONSTANT_##level##_WAYS <= 8 &&                                        \
                       COUNTERS_CONSTANT_BYTES / SETCACHE_CONSTANT_##level##_LINE /                \
                               SETCACHE_CONSTANT_##level##_SETS <                                  \
                           255,                                                                    \
                   "a set's lines are bytes of a word");
GEOMETRY(L1)
GEOMETRY(L2)
GEOMETRY(L3)
#undef GEOMETRY

/* Is the tag (1 to 255) among the bytes of the set? It is the lowest then. */
static inline bool is_there(uint64_t *set, unsigned ways, uint64_t tag) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t other = *set ^ ones * tag, same = (other - ones) & ~other & ones << 7;
    unsigned before = same ? (unsigned)__builtin_ctzll(same) & ~7u : 8 * (ways - 1);
    uint64_t newer = (UINT64_C(1) << before) - 1, moved = newer << 8 | 255;
    *set = (*set & ~moved) | (*set & newer) << 8 | tag;
    return same;
}

#define LOOK_UP(sets, level, address)                                                              \
    is_there(                                                                                      \
        &(sets)[(address) / SETCACHE_CONSTANT_##level##_LINE % SETCACHE_CONSTANT_##level##_SETS],  \
        SETCACHE_CONSTANT_##level##_WAYS,                                                          \
        (address) / SETCACHE_CONSTANT_##level##_LINE / SETCACHE_CONSTANT_##level##_SETS + 1)

struct constant_reader {
    struct counters_constant_caches *caches;
    struct counters_constant *list;
};

static void empty(void *user, unsigned cache) {
    const struct constant_reader *r = user;
    memset(&r->caches[cache], 0, sizeof r->caches[cache]);
}

/* Places are addresses. */
static void look_up(void *user, unsigned cache, uint32_t site, const uint32_t *places,
                    unsigned count) {
    const struct constant_reader *r = user;
    struct counters_constant_caches *c = &r->caches[cache];
    struct counters_constant *s = &r->list[site];
    for (unsigned n = 0; n < count; n++) {
        uint32_t at = places[n] % COUNTERS_CONSTANT_BYTES;
        uint32_t set = at / SETCACHE_CONSTANT_L1_LINE % SETCACHE_CONSTANT_L1_SETS;
        if (LOOK_UP(c->l1, L1, at)) continue;
        s->missed[0][set]++;
        if (LOOK_UP(c->l2, L2, at)) continue;
        s->missed[1][set]++;
        s->missed[2][set] += !LOOK_UP(c->l3, L3, at);
    }
}

void counters_constant_note(struct counters_constant_group *g, struct counters_constant *list,
                            const struct observe_event *e) {
    struct constant_reader r = {g->caches, list};
    const struct counters_turns_reader to = {empty, look_up, &r};
    const struct isa_site *site = &e->kernel->sites[e->site];
    unsigned size = site->width < WORD ? site->width : WORD;
    for (unsigned piece = 0; piece < e->bytes; piece += size) {
        struct constant_port_result port;
        uint32_t at[ISA_WARP];
        for (unsigned l = 0; l < ISA_WARP; l++) at[l] = e->addresses[l] + piece;
        constant_port_warp(e->mask, at, &port);
        counters_turns_note(&g->turns, &to, e->warp, e->site, port.address, port.distinct[0]);
        counters_turns_note(&g->turns, &to, e->warp, e->site, port.address + port.distinct[0],
                            port.distinct[1]);
    }
}

void counters_constant_group_end(struct counters_constant_group *g,
                                 struct counters_constant *list) {
    struct constant_reader r = {g->caches, list};
    counters_turns_end(&g->turns, &(struct counters_turns_reader){empty, look_up, &r});
}

/* ---- launches ---- */

/* The sets of a cache of `bytes` a line in which the lines have no room, as bits of the lines of a
 * word: a set of the first level is in one of each other. */
static uint64_t crowded(const uint64_t *lines, uint32_t bytes, uint32_t sets, uint32_t ways) {
    uint64_t all = 0;
    uint8_t count[COUNTERS_CONSTANT_SETS] = {0};
    uint32_t last = UINT32_MAX;
    for (uint32_t n = 0; n < COUNTERS_CONSTANT_LINES; n++) {
        uint32_t line = n * COUNTERS_CONSTANT_LINE / bytes;
        if (!(lines[n / BITS] >> n % BITS & 1) || line == last) continue;
        last = line;
        count[line % sets]++;
    }
    for (uint32_t n = 0; n < BITS; n++)
        all |= (uint64_t)(count[n * COUNTERS_CONSTANT_LINE / bytes % sets] > ways) << n;
    return all;
}
#define CROWDED(lines, level)                                                                      \
    crowded(lines, SETCACHE_CONSTANT_##level##_LINE, SETCACHE_CONSTANT_##level##_SETS,             \
            SETCACHE_CONSTANT_##level##_WAYS)
#define NESTS(level)                                                                               \
    _Static_assert((int)SETCACHE_CONSTANT_##level##_LINE >= COUNTERS_CONSTANT_LINE,                \
                   "lines of the first level are in one");                                         \
    _Static_assert(                                                                                \
        (int)COUNTERS_CONSTANT_SETS * COUNTERS_CONSTANT_LINE %                                     \
                ((int)SETCACHE_CONSTANT_##level##_SETS * SETCACHE_CONSTANT_##level##_LINE) ==      \
            0,                                                                                     \
        "so are sets");
NESTS(L1)
NESTS(L2)
NESTS(L3)
#undef NESTS

/* Of each four bits the lowest, where any is set. */
static uint64_t widened(uint64_t lines) {
    lines |= lines >> 1;
    lines |= lines >> 2;
    return lines & UINT64_C(0x1111111111111111);
}
_Static_assert(SETCACHE_CONSTANT_L2_LINE == 4 * COUNTERS_CONSTANT_LINE &&
                   SETCACHE_CONSTANT_L3_LINE == SETCACHE_CONSTANT_L2_LINE,
               "four lines are one");

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Of a site in a launch. */
struct constant_counts {
    const struct counters_constant *site;
    const uint64_t *seen; /* lines that sites before it have read */
    uint64_t sms;         /* that run groups */
};

/* Lines that no site before has read, in those of `sets`. */
static uint64_t fetched(const struct constant_counts *c, uint64_t sets, bool wide) {
    uint64_t count = 0;
    for (unsigned w = 0; w < COUNTERS_CONSTANT_WORDS; w++) {
        uint64_t lines = c->site->lines[w] & ~c->seen[w] & sets, before = c->seen[w] & sets;
        if (wide) lines = widened(lines) & ~widened(before);
        count += (uint64_t)__builtin_popcountll(lines);
    }
    return count;
}

/* Misses of the multiprocessors' caches in one set. */
static uint64_t missed_first(const struct constant_counts *c, unsigned set, uint64_t full) {
    uint64_t bit = UINT64_C(1) << set;
    return full & bit ? c->site->missed[0][set] : fetched(c, bit, false) * c->sms;
}

/* Misses in sets of a further level that have no room: a multiprocessor whose own set has room asks
 * for each line once only. */
static uint64_t missed_further(const struct constant_counts *c, unsigned level,
                               const uint64_t *full) {
    uint64_t count = 0;
    for (uint64_t left = full[level]; left; left &= left - 1) {
        unsigned set = (unsigned)__builtin_ctzll(left);
        count += least(c->site->missed[level][set], missed_first(c, set, full[0]));
    }
    return count;
}

void counters_constant_end(struct counters_constant *list, uint32_t nsites,
                           const struct model *model, const struct observe_grid *grid,
                           struct gpu_counters *sites) {
    uint64_t all[COUNTERS_CONSTANT_WORDS] = {0}, seen[COUNTERS_CONSTANT_WORDS] = {0};
    uint64_t full[COUNTERS_CONSTANT_LEVELS] = {0};
    uint64_t groups = (uint64_t)grid->groups[0] * grid->groups[1] * grid->groups[2];
    uint64_t share = model->cc_minor >= 2 ? 3 : 2; /* multiprocessors of a cluster */
    uint64_t sms = least(groups, model->multiprocessors);
    uint64_t clusters = least(groups, (model->multiprocessors + share - 1) / share);
    for (uint32_t n = 0; n < nsites; n++)
        for (unsigned w = 0; w < COUNTERS_CONSTANT_WORDS; w++) all[w] |= list[n].lines[w];
    if (counters_constant_in_order(grid->addresses)) {
        full[0] = CROWDED(all, L1);
        full[1] = CROWDED(all, L2);
        full[2] = CROWDED(all, L3);
    }
    for (uint32_t n = 0; n < nsites; n++) {
        const struct constant_counts c = {&list[n], seen, sms};
        uint64_t *v = sites[n].value, reads = v[GPU_COUNTER_const_addresses], misses[3] = {0};
        if (!reads) continue;
        misses[0] = fetched(&c, ~full[0], false) * sms;
        for (uint64_t left = full[0]; left; left &= left - 1)
            misses[0] += list[n].missed[0][__builtin_ctzll(left)];
        misses[1] = fetched(&c, ~full[1], true) * clusters + missed_further(&c, 1, full);
        misses[2] = fetched(&c, ~full[2], true) + missed_further(&c, 2, full);
        misses[0] = least(misses[0], reads);
        misses[1] = least(misses[1], misses[0]);
        misses[2] = least(misses[2], misses[1]);
        for (unsigned w = 0; w < COUNTERS_CONSTANT_WORDS; w++) seen[w] |= list[n].lines[w];
        v[GPU_COUNTER_const_l1_miss] += misses[0];
        v[GPU_COUNTER_const_l1_hit] += reads - misses[0];
        v[GPU_COUNTER_const_l2_miss] += misses[1];
        v[GPU_COUNTER_const_l3_miss] += misses[2];
    }
    memset(list, 0, nsites * sizeof *list);
}
