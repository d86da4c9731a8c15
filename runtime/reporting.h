/* The report (device/report): what the environment asks of it, and what it is told of launches and
 * commands. */
#ifndef SIMTCL_REPORTING_H
#define SIMTCL_REPORTING_H

#include <stdio.h>

#include "device/device.h"
#include "program.h"

struct observer;
struct observe_result;

/* There is to be one. Before the first command. */
void reporting_begin(void);
bool reporting_on(void);
bool reporting_any(void); /* a kernel has run */
/* Adds its observers to the set. */
struct observe_set;
void reporting_watch(struct observe_set *set);
/* What one of its observers says of a launch of the build's kernel. */
void reporting_launch(const struct launch *l, const struct build *b, const struct observer *who,
                      const struct observe_result *result);
/* For the process's end: the page, with a few lines on stderr; all of it as JSON. */
void reporting_write_page(FILE *to);
void reporting_write_data(FILE *to);

#endif
