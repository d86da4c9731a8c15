#include "counters_turns.h"

#include <string.h>

enum { COUNT_BITS = 8 /* of a head; the site is above them */ };
_Static_assert(COUNTERS_TURNS_MOST < 1 << COUNT_BITS, "numbers have room");

/* Returns how many words the read takes. */
static uint32_t tell(const struct counters_turns_reader *to, unsigned cache,
                     const uint32_t *words) {
    unsigned count = *words & ((1u << COUNT_BITS) - 1);
    to->read(to->user, cache, *words >> COUNT_BITS, words + 1, count);
    return 1 + count;
}

static void tell_alone(struct counters_turns *t, const struct counters_turns_reader *to,
                       uint32_t warp) {
    for (uint32_t n = 0; n < t->used[warp];) n += tell(to, warp, &t->words[warp][n]);
    t->used[warp] = 0;
}

void counters_turns_note(struct counters_turns *t, const struct counters_turns_reader *to,
                         uint32_t warp, uint32_t site, const uint32_t *places, unsigned count) {
    if (!count) return;
    if (t->used[warp] + count + 1 > COUNTERS_TURNS_WORDS) {
        if (!t->alone[warp]) to->empty(to->user, warp);
        t->alone[warp] = true;
        tell_alone(t, to, warp);
    }
    uint32_t *words = &t->words[warp][t->used[warp]];
    words[0] = site << COUNT_BITS | count;
    memcpy(words + 1, places, count * sizeof *places);
    t->used[warp] += count + 1;
}

void counters_turns_end(struct counters_turns *t, const struct counters_turns_reader *to) {
    uint32_t next[COUNTERS_TURNS_WARPS] = {0}, turn[COUNTERS_TURNS_WARPS];
    unsigned count = 0;
    for (unsigned w = 0; w < COUNTERS_TURNS_WARPS; w++) {
        if (t->alone[w]) tell_alone(t, to, w);
        if (t->used[w]) turn[count++] = w;
    }
    if (count) to->empty(to->user, COUNTERS_TURNS_SHARED);
    while (count) {
        unsigned left = 0;
        for (unsigned n = 0; n < count; n++) {
            uint32_t w = turn[n];
            next[w] += tell(to, COUNTERS_TURNS_SHARED, &t->words[w][next[w]]);
            if (next[w] < t->used[w]) turn[left++] = w;
        }
        count = left;
    }
    memset(t->used, 0, sizeof t->used);
    memset(t->alone, 0, sizeof t->alone);
}
