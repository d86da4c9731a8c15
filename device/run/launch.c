#include "device/launch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/tiles.h"
#include "device/debug/debug.h"
#include "device/engine.h"
#include "device/host/anywhere.h"
#include "device/host/moment.h"
#include "device/interp/level.h"
#include "device/interp/shuffle.h"
#include "device/observe/observe.h"
#include "device/sandbox/fault.h"
#include "device/printf.h"
#include "digital.h"
#include "floatmode.h"
#include "groups.h"
#include "privatised.h"
#include "launchlike.h"
#include "launchsay.h"
#include "launchtiles.h"
#include "tier.h"

enum {
    CHUNKS_A_THREAD = 8,   /* so that threads end at about one time */
    WARP_INST_NS = 16,     /* a guess at the cost of one warp instruction */
    SELDOM = 8,            /* of launches that are alike one is timed, where nobody asks for that */
    LEAST_CHUNK_NS = 4000, /* what handing over a chunk is worth, where its time is a guess, */
    KNOWN_CHUNK_NS = 2000, /* or where that is what launches before it took */
    BRIEF_NS = 10000,      /* a launch that takes less may wait for a thread that is awake */
    LASTING_NS = 1000000,  /* a group that may take longer is looked after while it runs */
    MANY_NS = 100000000,   /* groups that may take longer together, too */
    PLACES_BYTES = 16 << 20 /* of local memory and private frames, most, where groups run at once */
};

/* ---- running ---- */

/* True for the first fault of the launch, which is the one to be told. */
static bool stop(struct launch_state *s) { return !atomic_exchange(&s->stopped, true); }

ANYWHERE bool launch_overdue(const struct launch *l) {
    const struct launch_state *s = l->state;
    return atomic_load_explicit(&s->watch.overdue, memory_order_relaxed);
}

/* What the group that begins now is run by: tiles are whole blocks. */
static const struct code *code_of(const struct group *g, const struct launch_state *s) {
    if (s->like.code) return s->like.code;
    if (!g->tiling) return executable_code(s->kernel, s->launch, NULL);
    if (g->group_index % tiles_groups(g->tiling)) return executable_plain(s->kernel);
    return executable_code(s->kernel, s->launch, g->tiling);
}

static void run_groups(struct group *g, struct launch *l, uint64_t begin, uint64_t end) {
    struct launch_state *s = l->state;
    const struct engine *volatile engine = NULL;
    bool shuffled = l->order == LAUNCH_SHUFFLED;
    if (!shuffled) { /* else the engine says which group begins */
        group_seek(g, begin);
        group_begin(g);
    }
    if (sigsetjmp(g->escape, 0) == 0) {
        do {
            const struct code *code = shuffled ? executable_shuffled(s->kernel) : code_of(g, s);
            engine = code->engine;
            g->code = code->data;
            g->inst = NULL;
            if (!code->engine->run_until) {
                code->engine->run(g);
                continue;
            }
            code->engine->run_until(g, end);
            break;
        } while (group_next(g, end));
    } else if (stop(s)) {
        fault_fill(&l->fault, g, engine);
        if (g->debug) debug_fault(g, &l->fault);
    }
}

/* alone: there is no other piece, nor another thread that begins one. */
static void piece_begins(struct launch_state *s, uint64_t now, bool alone) {
    uint64_t unset = 0;
    bool first = alone;
    if (alone)
        atomic_store_explicit(&s->watched, true, memory_order_relaxed);
    else if (!atomic_load_explicit(&s->watched, memory_order_relaxed))
        first = !atomic_exchange(&s->watched, true);
    if (!atomic_load_explicit(&s->started_ns, memory_order_relaxed)) {
        if (alone)
            atomic_store_explicit(&s->started_ns, now, memory_order_relaxed);
        else
            atomic_compare_exchange_strong(&s->started_ns, &unset, now);
    }
    if (first && !s->debug) watchdog_begin(&s->watch, s->lasting);
}

static void job_run(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    struct launch *l = (struct launch *)((char *)job - offsetof(struct launch, job));
    struct launch_state *s = l->state;
    if (atomic_load_explicit(&s->stopped, memory_order_relaxed)) return;
    uint64_t now = moment_ns();
    piece_begins(s, now, end - begin == job->count);
    struct group g;
    if (!fault_arm_for(l->asked, now)) {
        if (stop(s)) l->fault = (struct fault){.kind = FAULT_UNGUARDED, .kernel = l->kernel->name};
        return;
    }
    if (!groups_prepare(&g, l, slot)) {
        if (stop(s)) l->fault = (struct fault){.kind = FAULT_RESOURCES, .kernel = l->kernel->name};
        return;
    }
    floatmode mode = floatmode_enter(!(s->traits & KERNEL_USES_F64));
    struct fault_scope scope;
    fault_enter(&scope, &g);
    watchdog_runs(slot, &s->watch);
    run_groups(&g, l, s->first + begin, s->first + end);
    if (g.debug) debug_group_leave();
    watchdog_runs(slot, NULL);
    fault_leave(&scope);
    floatmode_leave(mode);
}

static void write_text(void *user, const char *text, size_t length) {
    struct launch *l = user;
    if (l->print) l->print(l, text, length);
}

/* ---- starting ---- */

/* A guess at the time that a group takes whose kernel has no loop. */
static uint64_t group_ns(const struct launch_state *s, const struct isa_kernel *k) {
    return ((uint64_t)s->warps * k->ninsts + 1) * WARP_INST_NS;
}

/* Groups of a kernel that cannot run long that are worth a hand-over. */
static uint64_t least_chunk(const struct launch_state *s, const struct isa_kernel *k) {
    uint64_t ns = group_ns(s, k), guessed = (LEAST_CHUNK_NS + ns - 1) / ns;
    double group = executable_pace(s->kernel) * s->items;
    if (group <= 0) return guessed;
    double known = KNOWN_CHUNK_NS / group;
    return known < 1 ? 1 : known < UINT32_MAX ? (uint64_t)known : UINT32_MAX;
}

/* Is the launch over before anybody asks how far it is? */
static bool is_short(const struct launch_state *s, uint64_t count) {
    double ns = executable_pace(s->kernel) * s->items * (double)count;
    return !s->lasting || (ns > 0 && ns < LASTING_NS);
}

/* Groups handed out at a time: enough pieces for the threads to end at about one time, but of a
 * kernel that cannot run long not less than is worth a hand-over. One thread has nobody to hand
 * over to. */
static uint64_t chunk_of(const struct launch_state *s, const struct isa_kernel *k, uint64_t count) {
    if (count == 1 || (pool_threads() == 1 && is_short(s, count))) return count;
    uint64_t chunk = count / ((uint64_t)pool_threads() * CHUNKS_A_THREAD);
    if (!(s->traits & KERNEL_LOOPS)) {
        uint64_t least = least_chunk(s, k);
        if (chunk < least) chunk = least;
    }
    if (!chunk) chunk = 1;
    if (!s->tiling.size[0]) return chunk;
    uint64_t block = tiles_groups(&s->tiling);
    return (chunk + block - 1) / block * block;
}

/* The same where somebody may look on. */
static uint64_t observed_chunk(const struct launch_state *s, uint64_t count) {
    uint64_t chunk = chunk_of(s, s->launch->kernel, count), most = observe_at_once(s->observed);
    return !most ? count : most < chunk ? most : chunk;
}

static void tell(void *launch, const struct observer *who, const struct observe_result *result) {
    struct launch *l = launch;
    l->observed(l, who, result);
}

/* The launch as observers see it; false: it has no groups of a size that there may be. */
static bool find_grid(const struct launch *l, struct observe_grid *grid) {
    uint64_t items = 1, count = 1;
    *grid = (struct observe_grid){.addresses = l->addresses,
                                  .resources = l->resources,
                                  .textures = l->textures,
                                  .ntextures = l->ntextures,
                                  .level = (uint8_t)level_get()->number,
                                  .check = l->check,
                                  .params = l->params,
                                  .facts = executable_facts(l->executable, l->kernel)};
    for (int d = 0; d < 3; d++) {
        if (!l->local_size[d]) return false;
        grid->local_size[d] = l->local_size[d];
        grid->groups[d] = l->global_size[d] / l->local_size[d];
        items *= l->local_size[d];
        if (items > UINT32_MAX - ISA_WARP || __builtin_mul_overflow(count, grid->groups[d], &count))
            return false;
    }
    grid->items = (uint32_t)items;
    grid->warps = (grid->items + ISA_WARP - 1) / ISA_WARP;
    return true;
}

static bool observe(struct launch_state *s, struct launch *l, struct observe_grid *grid) {
    grid->stopped = &s->stopped;
    struct observe_plan *plan = executable_plan(s->kernel);
    if (!plan) return true;
    observe_refine(plan, executable_run_kernel(s->kernel), l->local_size);
    s->observed = observe_launch_begin(plan, grid, l->params, l->observed ? tell : NULL, l);
    return s->observed != NULL;
}
_Static_assert((int)NATIVE_AVX2 == OBSERVE_AVX2 && (int)NATIVE_AVX512 == OBSERVE_AVX512,
               "the same levels");

static uint32_t frame_bytes(const struct executable_kernel *k) {
    return isa_frame_bytes(executable_run_kernel(k));
}

/* ---- groups behind the first ---- */

/* Those who look on and have seen enough go, and with them their probes. False: without memory they
 * stay. */
static bool leave_settled(struct launch_state *s) {
    struct launch *l = s->launch;
    struct observe_grid grid;
    if (!find_grid(l, &grid)) return false;
    struct observe_set left = observe_set_for(l->observers, l->kernel, &grid);
    observe_unsettled(s->observed, &left);
    struct executable_kernel *kernel =
        executable_kernel(l->executable, l->kernel, &left, false, tier_low_ids(l));
    struct observe_launch *before = s->observed;
    struct executable_kernel *kernel_before = s->kernel;
    if (!kernel) return false;
    s->kernel = kernel;
    s->observed = NULL;
    if (!observe(s, l, &grid)) {
        s->kernel = kernel_before;
        s->observed = before;
        return false;
    }
    observe_launch_end(before, OBSERVE_COMPLETE);
    s->frame_bytes = frame_bytes(kernel);
    executable_launch(kernel, l, NULL);
    return true;
}

/* The groups that are left run as the first one did, or on all threads when nobody needs to look on
 * any more who wants them in turn. */
static void go_on(struct launch_state *s) {
    struct launch *l = s->launch;
    if (observe_settled(s->observed, NULL)) leave_settled(s);
    s->first = l->job.count;
    l->job.count = s->left;
    s->left = 0;
    l->job.chunk = observed_chunk(s, l->job.count);
    atomic_store(&s->watched, false);
    pool_submit(&l->job);
}

static double all_items(const struct launch *l) {
    double items = 1;
    for (unsigned d = 0; d < 3; d++) items *= l->global_size[d];
    return items;
}

/* 0: of one group, which says little of what a work-item takes. */
static double items_of(const struct launch *l) { return l->job.count > 1 ? all_items(l) : 0; }

static bool prepare(struct launch *l);

/* What others like it have told before is asked for now and then. */
static void note_times(struct launch_state *s, struct launch *l) {
    bool told = l->untimed && s->like.is && s->like.launches++ % SELDOM;
    l->started_ns = atomic_load_explicit(&s->started_ns, memory_order_relaxed);
    l->ended_ns = told ? l->started_ns : moment_ns();
    if (!l->started_ns) l->started_ns = l->ended_ns;
    if (told) return;
    executable_spent(s->kernel, l->ended_ns - l->started_ns, items_of(l));
    executable_took(l->executable, s->was.kernel ? l->kernel : s->own,
                    (double)(l->ended_ns - l->started_ns) / all_items(l));
}

static void job_done(struct job *job) {
    struct launch *l = (struct launch *)((char *)job - offsetof(struct launch, job));
    struct launch_state *s = l->state;
    watchdog_end(&s->watch);
    bool stopped = atomic_load_explicit(&s->stopped, memory_order_relaxed);
    if (s->left && !stopped) {
        go_on(s);
        return;
    }
    note_times(s, l);
    observe_launch_end(s->observed, !stopped                         ? OBSERVE_COMPLETE
                                    : l->fault.kind == FAULT_BARRIER ? OBSERVE_AT_BARRIER
                                                                     : OBSERVE_STOPPED);
    if (s->log)
        print_log_deliver(s->log, executable_module(l->executable),
                          executable_run_kernel(s->kernel), executable_constants(l->executable),
                          write_text, l);
    debug_launch_free(s->debug);
    struct unfolded was = s->was;
    const struct isa_kernel *own = s->own;
    launchlike_keep(s, l);
    l->state = NULL;
    if (unfolded_end(&was, l) && prepare(l)) {
        ((struct launch_state *)l->state)->own = own;
        pool_submit(&l->job);
        return;
    }
    digital_end(l, own);
    l->finished(l);
}

/* Groups that a shuffled launch has under way at once. */
static uint32_t places(const struct launch_state *s, const struct launch *l, uint64_t count) {
    if (l->observers && l->observers->count) return 1;
    uint64_t bytes = (uint64_t)s->warps * ISA_WARP * s->frame_bytes + s->local_step + 1;
    uint64_t most = PLACES_BYTES / bytes < SHUFFLE_MOST ? PLACES_BYTES / bytes : SHUFFLE_MOST;
    if (most > count) most = count;
    return most ? (uint32_t)most : 1;
}

/* Groups that nobody can tell from one another may run in tiles: fills s->tiling, and returns how
 * many numbers their groups have. */
static uint64_t tile(struct launch_state *s, const struct launch *l, uint64_t count) {
    bool any = l->order == LAUNCH_ANY && !s->observed && !s->debug && !s->log;
    if (!any) return count;
    launchtiles_choose(&s->tiling, l, s->kernel);
    if (!s->tiling.size[0]) return count;
    const uint32_t *blocks = s->tiling.blocks;
    return (uint64_t)blocks[0] * blocks[1] * blocks[2] * tiles_groups(&s->tiling);
}

static void begin(struct launch_state *s, struct launch *l, uint64_t count) {
    s->launch = l;
    s->own = l->kernel;
    s->watch = (struct watch){.say = launchsay};
    l->state = s;
    l->fault = (struct fault){.kind = FAULT_NONE};
    l->started_ns = l->ended_ns = 0;
    l->job.run = job_run;
    l->job.done = job_done;
    l->job.count = count;
}

/* The same for one that is like an earlier one, whose state it has. */
static void begin_again(struct launch_state *s, struct launch *l) {
    begin(s, l, s->like.count);
    s->first = s->left = 0;
    atomic_store_explicit(&s->watched, false, memory_order_relaxed);
    atomic_store_explicit(&s->stopped, false, memory_order_relaxed);
    atomic_store_explicit(&s->started_ns, 0, memory_order_relaxed);
    s->was.kernel = NULL;
    l->job.chunk = chunk_of(s, l->kernel, s->like.count);
}

static bool prepare(struct launch *l) {
    struct observe_grid grid;
    if (!find_grid(l, &grid)) return false;
    struct observe_set observers = observe_set_for(l->observers, l->kernel, &grid);
    bool debug = l->order != LAUNCH_SHUFFLED && debug_wanted(l->kernel->name);
    struct executable_kernel *kernel =
        executable_kernel(l->executable, l->kernel, &observers, debug, tier_low_ids(l));
    uint64_t count = (uint64_t)grid.groups[0] * grid.groups[1] * grid.groups[2];
    struct launch_state *s = kernel ? calloc(1, sizeof *s) : NULL;
    if (!s) return false;
    memcpy(s->groups, grid.groups, sizeof s->groups);
    s->kernel = kernel;
    s->launch = l;
    s->memory = executable_memory(l->executable);
    s->items = grid.items;
    s->warps = grid.warps;
    s->frame_bytes = frame_bytes(kernel);
    s->traits = executable_traits(kernel);
    s->local_step = groups_local_step(l);
    s->places = l->order == LAUNCH_SHUFFLED ? places(s, l, count) : 1;
    s->lasting = (s->traits & KERNEL_LOOPS) || group_ns(s, l->kernel) > LASTING_NS ||
                 (double)group_ns(s, l->kernel) * (double)count > MANY_NS;
    if ((s->traits & KERNEL_PRINTS) && !(s->log = print_log_new())) return free(s), false;
    grid.in_turn = l->order != LAUNCH_ANY || debug;
    if (!observe(s, l, &grid)) return free(s->log), free(s), false;
    if (debug && !(s->debug = debug_launch_new(l, executable_run_kernel(kernel), s->memory)))
        return observe_launch_end(s->observed, OBSERVE_STOPPED), free(s->log), free(s), false;
    count = tile(s, l, count);
    if (l->order != LAUNCH_SHUFFLED)
        executable_launch(kernel, l, s->tiling.size[0] ? &s->tiling : NULL);
    else if (!executable_shuffled(kernel))
        return observe_launch_end(s->observed, OBSERVE_STOPPED), free(s->log), free(s), false;
    begin(s, l, count);
    launchlike_note(s, l, count);
    if (l->order == LAUNCH_ANY && !debug && count > 1 && observe_may_settle(s->observed)) {
        s->left = count - 1;
        l->job.count = 1;
    }
    l->job.chunk = grid.in_turn ? l->job.count : observed_chunk(s, count);
    return true;
}

/* The same of one that may be run as another one. */
static bool prepare_unfolded(struct launch *l) {
    struct unfolded was;
    struct launch_state *like = launchlike_find(l);
    if (like) return begin_again(like, l), true;
    const struct isa_kernel *own = digital_begin(l);
    unfolded_begin(&was, l);
    bool good = prepare(l);
    if (!good) {
        unfolded_end(&was, l);
        good = was.kernel && prepare(l);
        was.kernel = NULL;
    }
    if (good) {
        ((struct launch_state *)l->state)->was = was;
        ((struct launch_state *)l->state)->own = own;
    } else {
        digital_end(l, own);
    }
    return good;
}

uint32_t launch_brief_ns(const struct launch *l) {
    double ns = executable_item_ns(l->executable, l->kernel) * all_items(l);
    return ns > 0 && ns < BRIEF_NS ? (uint32_t)ns + 1 : 0;
}

bool launch_start(struct launch *l) {
    if (!prepare_unfolded(l)) return false;
    l->job.brief = l->awaited;
    pool_submit(&l->job);
    return true;
}

bool launch_run(struct launch *l) {
    if (!prepare_unfolded(l)) return false;
    pool_run(&l->job);
    return true;
}
