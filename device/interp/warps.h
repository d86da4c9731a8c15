/* The warps of groups that are interpreted: their frames in a thread's scratch memory. */
#ifndef SIMTCL_WARPS_H
#define SIMTCL_WARPS_H

#include "decode.h"
#include "device/engine.h"

/* What lies at the beginning of a thread's scratch memory while groups run; frames follow. */
struct warps {
    struct warp *current;
} __attribute__((aligned(128)));

/* Room for `count` warps in the group's scratch memory; ends the launch where there is none. Frames
 * begin behind the structure. */
struct warps *warps_room(struct group *g, const struct decoded *code, uint64_t count);
/* The warp's frame, of a group whose frames begin there. */
static inline struct warp *warps_at(char *frames, const struct decoded *code, uint32_t n) {
    return (struct warp *)(frames + (size_t)n * code->frame_bytes);
}
/* Puts all warps of the group at the kernel's beginning. */
void warps_start(struct group *g, const struct decoded *code, char *frames);
/* Runs the warp until it stops: warp.state says why. */
void warps_run(struct warps *r, struct group *g, struct warp *w);
/* The launch has run for too long, and the warp is at the end of a loop's iteration. */
_Noreturn void warps_stop(struct group *g, const struct warp *w);
/* All warps that have not finished wait: lets them go on, from one and the same barrier. False: all
 * finished. */
bool warps_pass_barrier(struct group *g, const struct decoded *code, char *frames);
/* struct engine's blame, for what warps_run ran. */
int warps_blame(struct group *g, uint32_t address);

#endif
