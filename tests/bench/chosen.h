/* What the programs here share: the device that they measure, and what their options name. */
#ifndef BENCH_CHOSEN_H
#define BENCH_CHOSEN_H
#include "job.h"

/* Tells what failed and ends the program with status 2. */
_Noreturn void chosen_fail(const char *what, const char *about);
/* Opens the first device of the first platform whose name contains `name`. */
void chosen_open(struct session *session, const char *name);
/* Whether the list, separated by commas, names it; NULL names all. */
bool chosen_listed(const char *list, const char *name);

#endif
