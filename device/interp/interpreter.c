/* The interpreter: decoded kernels, and the warps of a group one after the other. */
#include "device/engine.h"
#include "level.h"
#include "warps.h"

static void *prepare(const struct isa_module *module, const struct isa_kernel *kernel) {
    (void)module;
    const struct level *level = level_get();
    return decode_kernel(kernel, level->lanes, level->math, DECODE_PLAIN);
}

static void *prepare_debug(const struct isa_module *module, const struct isa_kernel *kernel) {
    (void)module;
    const struct level *level = level_get();
    return decode_kernel(kernel, level->lanes, level->math, DECODE_STOPS);
}

static void discard(void *code) { decode_free(code); }

static void run(struct group *g) {
    const struct decoded *code = g->code;
    struct warps *r = warps_room(g, code, g->warps);
    char *frames = (char *)(r + 1);
    warps_start(g, code, frames);
    do {
        bool paused;
        do {
            paused = false;
            for (uint32_t n = 0; n < g->warps; n++) {
                struct warp *w = warps_at(frames, code, n);
                if (w->state != WARP_RUNS && w->state != WARP_PAUSED) continue;
                warps_run(r, g, w);
                if (w->state != WARP_PAUSED) continue;
                if (group_overdue(g)) warps_stop(g, w);
                paused = true;
            }
        } while (paused);
    } while (warps_pass_barrier(g, code, frames));
}

const struct engine interpreter = {.name = "interpreter",
                                   .prepare = prepare,
                                   .discard = discard,
                                   .run = run,
                                   .blame = warps_blame};
const struct engine interpreter_debug = {.name = "interpreter, debugged",
                                         .prepare = prepare_debug,
                                         .discard = discard,
                                         .run = run,
                                         .blame = warps_blame};
