/* A debugger at the warp: it stops launches at lines of the source, at faults and at findings of
 * checks, and answers commands (commands.def) from a terminal or a file. The launches it follows
 * run in the interpreter, on one thread, group by group; all others run as ever. One session for
 * the process. */
#ifndef SIMTCL_DEBUG_H
#define SIMTCL_DEBUG_H

#include "device/engine.h"

struct memory;

/* What is asked for. stops: words separated by commas, each kernel:line, kernel:line:work-item (a
 * global id: x, x.y or x.y.z), kernel alone (its first line), `fault` or `finding`. commands: a
 * file to read commands from, whose answers go to stderr; "": they come from the terminal. Before
 * the first launch. False: `why` says what is wrong; what is right of it holds. */
bool debug_configure(const char *stops, const char *commands, char why[200]);
/* Is the debugger to be had in this process: has debug_configure been given something? */
bool debug_on(void);
/* Is it to follow launches of that kernel? No more so once it was told to quit. */
bool debug_wanted(const char *kernel);

/* The session's side of a launch that it follows; k: the kernel as it is run, which lives as long.
 * NULL: no memory, and the launch runs without. */
struct debug_launch *debug_launch_new(const struct launch *l, const struct isa_kernel *k,
                                      struct memory *memory);
void debug_launch_free(struct debug_launch *d); /* NULL is fine */

/* For launch.c, on the thread that runs the groups: the next group begins; it has ended in a fault,
 * but all of it is still there; none follows. */
void debug_group_begin(struct group *g);
void debug_fault(struct group *g, const struct fault *f);
void debug_group_leave(void); /* the thread runs no group of the session any more */
extern const struct group_hooks debug_hooks;

/* A check has found something in the group that the calling thread runs: stops there, where that is
 * asked for, and tells `text`. Nothing happens on threads that run no group of the session's. */
void debug_finding(const char *text);

#endif
