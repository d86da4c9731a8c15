/* What the tests of the helper process share: cases that are processes of their own, the helpers of
 * such a process found from outside, programs that take long to compile. */
#ifndef TESTS_HELPER_WATCH_H
#define TESTS_HELPER_WATCH_H

#include "tests/api/api.h"

#include <sys/types.h>

/* One case: run in a process of its own, with these variables ("NAME=value") in its environment.
 * WATCH_TARGET names the helper's executable, simtcl-compile otherwise. */
struct watch_case {
    const char *name;
    void (*run)(void);
    const char *settings[3];
};
/* What main returns: runs all cases, or the one that argv names in this process. */
int watch_main(int argc, char **argv, const struct watch_case *cases, int n);

/* The helpers of this process and of its children. At most `most`; returns how many there are. */
int watch_find(pid_t *pids, int most);
/* Waits until there are so many; false: there are not, after ten seconds. */
bool watch_until(int helpers);
pid_t watch_one(void);             /* the only one; 0, and a failed check, where there is not one */
bool watch_compiles(pid_t helper); /* does it, now? */
/* Waits until it is compiling. */
bool watch_busy(pid_t helper);
/* Ends a helper and waits until it is gone. */
void watch_kill(pid_t helper);
/* Children of this process that have ended and were not waited for. */
int watch_zombies(void);
double watch_seconds(void); /* of a clock */

/* A program with kernel k(global int *out), which writes `value` to each item's element, and that
 * many functions to compile: WATCH_LONG of them take some hundred milliseconds. The caller
 * releases. */
enum { WATCH_LONG = 500, WATCH_ENDLESS = 20000 };
cl_program watch_program(struct api *a, int value, int functions);
cl_int watch_build(cl_program p);
/* Builds and runs a short program: does it give what it should? */
bool watch_works(struct api *a, int value);
/* Is the text in the build log? */
bool watch_log_has(struct api *a, cl_program p, const char *text);

#endif
