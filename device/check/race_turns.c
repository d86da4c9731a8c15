#include "race_turns.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    AHEAD = 4096,         /* groups that may have ended before the one whose turn it is */
    MOST_STEPS = 1 << 16, /* that such groups have together; a group more waits for its turn */
    OWN_STEPS = 1 << 14,  /* of a group that goes on */
    WAIT_NS = 2000000
};

struct race_step {
    uint32_t warp;
    struct race_record record;
};

struct race_turns {
    struct race_launch *launch;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t turn;                  /* group that is looked at next */
    bool busy;                      /* a thread looks at those that have ended */
    uint64_t steps;                 /* of those that wait */
    struct race_done *ended[AHEAD]; /* by index modulo that */
};

struct race_turns *race_turns_new(struct race_launch *launch) {
    struct race_turns *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->launch = launch;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->moved, NULL);
    return t;
}

void race_turns_drop(struct race_done *group) {
    if (!group) return;
    free(group->steps);
    free(group);
}

void race_turns_free(struct race_turns *t) {
    if (!t) return;
    for (unsigned n = 0; n < AHEAD; n++) race_turns_drop(t->ended[n]);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->moved);
    free(t);
}

struct race_done *race_turns_begin(struct race_turns *t, uint64_t index, const uint32_t id[3]) {
    struct race_done *g = calloc(1, sizeof *g);
    if (!g) {
        atomic_store(&t->launch->full, true);
        return NULL;
    }
    g->index = index;
    memcpy(g->id, id, sizeof g->id);
    return g;
}

/* By the one thread whose turn it is. */
static void look(struct race_turns *t, struct race_done *g) {
    struct race_side *all = &t->launch->all;
    if (!g->begun) race_side_begin(all, g->id);
    g->begun = true;
    for (uint64_t n = 0; n < g->count; n++) race_look(all, g->steps[n].warp, &g->steps[n].record);
    g->count = 0;
}

/* Groups that nobody waits for end no more: the launch is stopped, or nothing is looked at. */
static bool is_over(const struct race_turns *t) {
    const atomic_bool *stopped = t->launch->grid->stopped;
    return atomic_load(&t->launch->full) || (stopped && atomic_load(stopped));
}

/* With the lock, which others get meanwhile. A launch that is stopped tells nobody: so it is looked
 * now and then. */
static void wait(struct race_turns *t) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&t->moved, &t->lock, &until);
}

static void look_in_turn(struct race_turns *t, struct race_done *g) {
    pthread_mutex_lock(&t->lock);
    while (t->turn != g->index && !is_over(t)) wait(t);
    bool own = t->turn == g->index;
    pthread_mutex_unlock(&t->lock);
    if (own) /* nobody else looks at anything now: this group has not ended */
        look(t, g);
    else
        g->count = 0;
}

void race_turns_add(struct race_turns *t, struct race_done *g, uint32_t warp,
                    const struct race_record *r) {
    if (!g) return;
    if (g->count >= OWN_STEPS) look_in_turn(t, g);
    if (g->count == g->room) {
        uint64_t room = g->room ? 2 * g->room : 64;
        struct race_step *more = realloc(g->steps, room * sizeof *more);
        if (!more) {
            atomic_store(&t->launch->full, true);
            return;
        }
        g->steps = more;
        g->room = room;
    }
    g->steps[g->count++] = (struct race_step){warp, *r};
}

/* With the lock: looks at all whose turn it is, without it. */
static void look_at_ended(struct race_turns *t) {
    struct race_done *g;
    t->busy = true;
    while ((g = t->ended[t->turn % AHEAD])) {
        t->ended[t->turn % AHEAD] = NULL;
        t->steps -= g->count;
        pthread_mutex_unlock(&t->lock);
        look(t, g);
        race_turns_drop(g);
        pthread_mutex_lock(&t->lock);
        t->turn++;
        pthread_cond_broadcast(&t->moved);
    }
    t->busy = false;
}

void race_turns_end(struct race_turns *t, struct race_done *g) {
    if (!g) return;
    uint64_t index = g->index;
    pthread_mutex_lock(&t->lock);
    while (index - t->turn >= AHEAD && !is_over(t)) wait(t);
    if (index - t->turn < AHEAD) {
        t->ended[index % AHEAD] = g;
        t->steps += g->count;
    } else {
        race_turns_drop(g);
    }
    if (!t->busy) look_at_ended(t);
    /* The thread that runs the group whose turn it is does not wait: all before it have ended. */
    while (t->steps > MOST_STEPS && t->turn <= index && !is_over(t)) wait(t);
    pthread_mutex_unlock(&t->lock);
}
