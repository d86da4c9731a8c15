/* What the programs here share: the device that they measure, and what their options name. */
#ifndef BENCH_TARGET_H
#define BENCH_TARGET_H
#include "job.h"

/* Tells what failed and ends the program with status 2. */
_Noreturn void target_fail(const char *what, const char *about);
/* Opens the first device of the first platform whose name contains `name`. */
void target_open(struct session *session, const char *name);
/* Whether the list, separated by commas, names it; NULL names all. */
bool target_listed(const char *list, const char *name);

#endif
