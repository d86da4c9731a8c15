/* The session's heart: what launches tell it, and whether it stops there. */
#include "debug.h"

#include <fenv.h>
#include <pthread.h>
#include <string.h>

#include "device/host/forks.h"
#include "session.h"

struct debug_session session;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct group *running; /* of the session's, on this thread */

/* ---- over a fork: the child has no debugger, which stays with its parent's terminal ---- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }
static void in_child(void) {
    session.on = false;
    pthread_mutex_unlock(&lock);
}
static struct forks_watch watch = {before_fork, in_parent, in_child, NULL};

/* ---- what is asked for ---- */

bool debug_configure(const char *stops, const char *commands, char why[200]) {
    bool good = true;
    *why = '\0';
    dialog_configure(commands);
    for (const char *at = stops; *at;) {
        char word[256];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 255 ? length : 255), at);
        at += length + (at[length] == ',');
        if (strcmp(word, "fault") == 0)
            session.every_fault = true;
        else if (strcmp(word, "finding") == 0)
            session.every_finding = true;
        else if (*word && !breakpoint_new(word, "", "", why))
            good = false;
    }
    session.on = session.every_fault || session.every_finding || session.breakpoints;
    if (session.on) forks_watch(&watch);
    return good;
}

bool debug_on(void) { return session.on; }

bool debug_wanted(const char *kernel) {
    if (!session.on) return false;
    pthread_mutex_lock(&lock);
    bool wanted = session.on && (session.every_fault || session.every_finding);
    for (const struct breakpoint *b = session.breakpoints; b && session.on; b = b->next)
        wanted |= !*b->kernel || strcmp(b->kernel, kernel) == 0;
    pthread_mutex_unlock(&lock);
    return wanted;
}

struct debug_launch *debug_launch_new(const struct launch *l, const struct isa_kernel *k,
                                      struct memory *memory) {
    return scene_new(l, k, memory);
}

void debug_launch_free(struct debug_launch *d) {
    if (!d) return;
    pthread_mutex_lock(&lock);
    if (session.d == d) session.d = NULL;
    if (session.way != WAY_ON && session.on) {
        dialog_say("the launch of %s has ended\n", d->k->name);
        session.way = WAY_ON;
    }
    pthread_mutex_unlock(&lock);
    scene_free(d);
}

/* ---- where it looks ---- */

uint32_t session_frames(uint32_t *call) {
    *call = scene_call(session.d, session.d->warps[session.warp].at);
    return scene_depth(session.d, *call) + 1;
}

void session_frame(uint32_t n, struct lanevalue_view *view) {
    const struct debug_launch *d = session.d;
    const struct isa_inst *i = session.d->warps[session.warp].at;
    view->call = scene_call(d, i);
    view->file = i->file;
    view->line = i->line;
    for (; n && view->call; n--) {
        const struct isa_call *c = &d->k->calls[view->call - 1];
        view->file = c->file;
        view->line = c->line;
        view->call = c->around;
    }
}

bool session_view(struct lanevalue_view *view) {
    const struct scene_warp *w = &session.d->warps[session.warp];
    *view = (struct lanevalue_view){.d = session.d, .warp = session.warp};
    if (!w->at) return false;
    uint32_t lanes = session.lanes ? session.lanes : w->mask;
    view->lane = lanes ? (uint32_t)__builtin_ctz(lanes) : 0;
    session_frame(session.frame, view);
    return true;
}

/* ---- stopping ---- */

/* Prompts until a command lets the launch go on. */
static void stop(struct debug_launch *d, uint32_t warp, uint32_t lanes, const char *why) {
    fenv_t outer; /* denormals are shown as they are */
    fegetenv(&outer);
    fesetenv(FE_DFL_ENV);
    session.d = d;
    session.warp = warp;
    session.lanes = lanes ? lanes & (0u - lanes) : 0;
    session.lanes_chosen = false;
    session.frame = session.listed = 0;
    session.way = WAY_ON;
    session.times = 0;
    information_where(why, lanes);
    for (const char *line; session.on;) {
        if (!(line = dialog_read("(simtcl) "))) {
            dialog_say("no more commands: the launch goes on without the debugger\n");
            session.on = false;
        } else if (commands_run(line)) {
            break;
        }
    }
    fesetenv(&outer);
}

static bool arrived(struct debug_launch *d, uint32_t warp) {
    const struct scene_warp *w = &d->warps[warp];
    const struct session_origin *o = &session.origin;
    bool fresh = false, statement = scene_statement(d, w, &fresh);
    if (session.way == WAY_ON || session.way == WAY_GROUP) return false;
    if (o->anywhere) return statement || (session.way == WAY_STEPI && !d->noted);
    if (warp != o->warp) return false;
    uint32_t call = scene_call(d, w->at), depth = scene_depth(d, call);
    if (session.way == WAY_STEPI)
        return !(isa_op_info[w->at->op].flags & ISA_OP_NOTE) && scene_index(d, w->at) != o->index;
    if (!statement) return false;
    if (session.way == WAY_FINISH) return depth < o->depth;
    bool elsewhere = w->at->line != o->line || w->at->file != o->file || call != o->call ||
                     scene_index(d, w->at) <= o->index;
    return elsewhere && fresh && (session.way == WAY_STEP || depth <= o->depth);
}

static void before(struct group *g, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                   uint32_t live) {
    struct debug_launch *d = g->debug;
    if (!session.on) return;
    pthread_mutex_lock(&lock);
    scene_before(d, i, warp, mask, live);
    const struct scene_warp *w = &d->warps[warp];
    bool fresh = false;
    uint32_t lanes = mask;
    struct breakpoint *b = NULL;
    if (session.on && scene_statement(d, w, &fresh) && fresh) b = breakpoint_hit(d, warp, &lanes);
    bool steps = session.on && arrived(d, warp);
    if (steps && session.times && !b) { /* once more from here */
        session.times--;
        session.origin = (struct session_origin){
            warp, i->line, scene_call(d, i), 0, scene_index(d, i), i->file, false};
        session.origin.depth = scene_depth(d, session.origin.call);
        steps = false;
    }
    if (b) {
        char what[40];
        snprintf(what, sizeof what, "breakpoint %u", (unsigned)b->number);
        stop(d, warp, lanes, what);
    } else if (steps) {
        stop(d, warp, mask, NULL);
    }
    pthread_mutex_unlock(&lock);
}

static void noted(struct group *g, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                  const struct group_operand *operands) {
    if (!session.on) return;
    pthread_mutex_lock(&lock);
    scene_noted(g->debug, i, warp, mask, operands);
    pthread_mutex_unlock(&lock);
}

const struct group_hooks debug_hooks = {before, noted};

void debug_group_begin(struct group *g) {
    if (!session.on) return;
    pthread_mutex_lock(&lock);
    running = g;
    scene_begin(g->debug, g);
    if (session.way == WAY_GROUP && memcmp(session.group, g->group_id, sizeof session.group) == 0) {
        session.way = WAY_STEP;
        session.origin.anywhere = true;
    } else if (session.way != WAY_ON && session.way != WAY_GROUP) {
        session.origin.anywhere = true; /* the group it stepped in has ended */
    }
    pthread_mutex_unlock(&lock);
}

void debug_group_leave(void) { running = NULL; }

void debug_fault(struct group *g, const struct fault *f) {
    if (!session.on || !session.every_fault) return;
    char text[512];
    fault_describe(f, text, sizeof text);
    pthread_mutex_lock(&lock);
    struct debug_launch *d = g->debug;
    uint32_t warp = g->warp < d->nwarps ? g->warp : 0, lane = ISA_WARP;
    const uint32_t *size = g->launch->local_size;
    if (f->item_known) {
        uint32_t index = f->local_id[0] + size[0] * (f->local_id[1] + size[1] * f->local_id[2]);
        warp = index / ISA_WARP;
        lane = index % ISA_WARP;
    }
    if (session.on && d->warps[warp].at) {
        session.over = true;
        stop(d, warp, lane < ISA_WARP ? 1u << lane : d->warps[warp].mask, text);
        session.over = false;
    }
    session.way = WAY_ON;
    pthread_mutex_unlock(&lock);
}

void debug_finding(const char *text) {
    struct group *g = running;
    if (!session.on || !session.every_finding || !g || !g->debug) return;
    pthread_mutex_lock(&lock);
    struct debug_launch *d = g->debug;
    uint32_t warp = g->warp < d->nwarps ? g->warp : 0;
    if (session.on && d->warps[warp].at) stop(d, warp, d->warps[warp].mask, text);
    pthread_mutex_unlock(&lock);
}
