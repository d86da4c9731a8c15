/* SIMTCL_SCHEDULE: in which order the work-groups and warps of launches run (docs/schedule.md). */
#ifndef SIMTCL_SCHEDULE_H
#define SIMTCL_SCHEDULE_H

#include "mem.h"

/* Reads what the variable says, once: a seed, or all:N. Complains of what is neither. */
void schedule_configure(const char *text);

/* Sets a launch's order, before its start. */
void schedule_apply(struct launch *l);

/* A launch that is run again in other orders, on the same contents of its memory. */
struct schedule_trials;

/* Before the first launch, when the variable says all:N. objects: what its arguments are, those
 * that are not memory are left out; borrowed until the end. NULL: it does not, or there is no
 * memory for the copies, of which it complains. */
struct schedule_trials *schedule_begin(struct launch *first, struct object *const objects[],
                                       uint32_t count);
/* The first launch has ended well. The others run; then the memory gets what the first one left
 * there, the differences are told, done is called, and t is freed. */
void schedule_try(struct schedule_trials *t, void (*done)(void *user), void *user);
/* It has not: t is freed. NULL is fine. */
void schedule_give_up(struct schedule_trials *t);

#endif
