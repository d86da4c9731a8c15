#include "shuffle.h"

#include <string.h>

#include "level.h"
#include "warps.h"

static void *prepare(const struct isa_module *module, const struct isa_kernel *kernel) {
    (void)module;
    const struct level *level = level_get();
    return decode_kernel(kernel, level->lanes, level->math, DECODE_YIELDS);
}

static void discard(void *code) { decode_free(code); }

/* ---- chance ---- */

/* splitmix64 */
static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t draw(uint64_t *state) { return mixed(*state += 0x9e3779b97f4a7c15u); }

static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)((draw(state) >> 32) * n >> 32);
}

/* Where a permutation of the numbers below `count` puts n: a Feistel network over the next power of
 * four, walked until it comes back among them. */
static uint64_t permuted(uint64_t seed, uint64_t count, uint64_t n) {
    enum { ROUNDS = 6 };
    unsigned half = 1;
    while (half < 32 && count > (uint64_t)1 << 2 * half) half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = n >> half, right = n & mask;
        for (unsigned r = 0; r < ROUNDS; r++) {
            uint64_t next = left ^ (mixed(seed + right * ROUNDS + r) & mask);
            left = right;
            right = next;
        }
        n = left << half | right;
    } while (n >= count);
    return n;
}

/* ---- groups at once ---- */

struct shuffle {
    struct group *g;
    const struct decoded *code;
    struct warps *room;
    char *frames;
    uint64_t state, seed;
    uint64_t next, count;         /* groups begun, and all */
    uint32_t most;                /* accesses of a turn */
    uint32_t current;             /* place of the group that g is now */
    uint64_t index[SHUFFLE_MOST]; /* of the group in each place */
};

static char *frames_of(const struct shuffle *s, uint32_t place) {
    return s->frames + (size_t)place * s->g->warps * s->code->frame_bytes;
}

static void turn_to(struct shuffle *s, uint32_t place) {
    if (s->current == place) return;
    group_place(s->g, place);
    group_seek(s->g, s->index[place]);
    s->current = place;
}

/* What a group finds in local memory is not defined, and no work-item may rely on what another
 * group has left there: each begins with bytes of its own. */
static void fill_local(const struct shuffle *s) {
    const struct launch *l = s->g->launch;
    uint32_t bytes =
        l->local_bytes > l->kernel->local_bytes ? l->local_bytes : l->kernel->local_bytes;
    memset(s->g->base + (int32_t)s->g->local_base, (int)(mixed(s->seed + s->g->group_index) & 255),
           bytes);
}

/* The next group takes the place. False: there is none. */
static bool begin(struct shuffle *s, uint32_t place) {
    if (s->next >= s->count || !group_goes_on(s->g)) return false;
    s->index[place] = permuted(s->seed, s->count, s->next++);
    s->current = SHUFFLE_MOST;
    turn_to(s, place);
    group_begin(s->g);
    fill_local(s);
    warps_start(s->g, s->code, frames_of(s, place));
    return true;
}

/* How many warps of the group in that place can run; the nth of them, counted from 0, in *found. */
static uint32_t runnable(const struct shuffle *s, uint32_t place, uint32_t nth,
                         struct warp **found) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < s->g->warps; n++) {
        struct warp *w = warps_at(frames_of(s, place), s->code, n);
        if (w->state == WARP_AT_BARRIER || w->state == WARP_DONE) continue;
        if (count++ == nth) *found = w;
    }
    return count;
}

/* A turn of some warp of the group in that place. False: the group has come to its end. */
static bool turn(struct shuffle *s, uint32_t place) {
    struct warp *w = NULL;
    uint32_t count = runnable(s, place, UINT32_MAX, &w);
    turn_to(s, place);
    if (!count) return warps_pass_barrier(s->g, s->code, frames_of(s, place));
    runnable(s, place, below(&s->state, count), &w);
    w->turn = 1 + below(&s->state, s->most);
    warps_run(s->room, s->g, w);
    if (w->state == WARP_PAUSED && group_overdue(s->g)) warps_stop(s->g, w);
    return true;
}

static void run_until(struct group *g, uint64_t end) {
    struct shuffle s = {.g = g,
                        .code = g->code,
                        .seed = mixed(g->launch->seed + 1),
                        .count = end,
                        .current = SHUFFLE_MOST};
    s.state = mixed(s.seed);
    /* Some seeds have warps take short turns, others long ones. */
    s.most = 1u << 2 * below(&s.state, 5);
    s.room = warps_room(g, s.code, (uint64_t)g->warps * g->places);
    s.frames = (char *)(s.room + 1);
    uint32_t busy[SHUFFLE_MOST], nbusy = 0;
    for (uint32_t n = 0; n < g->places && begin(&s, n); n++) busy[nbusy++] = n;
    while (nbusy) {
        uint32_t n = below(&s.state, nbusy);
        if (turn(&s, busy[n])) continue;
        group_end(g);
        if (!begin(&s, busy[n])) busy[n] = busy[--nbusy];
    }
}

const struct engine shuffle_engine = {.name = "shuffled interpreter",
                                      .prepare = prepare,
                                      .discard = discard,
                                      .blame = warps_blame,
                                      .run_until = run_until};
