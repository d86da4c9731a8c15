/* The log: one line on stderr for each thing worth saying, by classes that SIMTCL_LOG turns on. */
#ifndef SIMTCL_LOG_H
#define SIMTCL_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_class { LOG_API = 1, LOG_BUILD = 2, LOG_FAULT = 4, LOG_PASSES = 8, LOG_PROGRESS = 16 };

bool log_on(enum log_class which);
/* Writes "simtcl: ..." and a newline with one write, so that lines of several threads do not mix.
 */
void log_line(enum log_class which, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes a text of several lines, each with the prefix; nothing when it is empty. */
void log_text(enum log_class which, const char *title, const char *text);

#endif
