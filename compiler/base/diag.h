/* The build log: file:line:column, severity, message, the source line and a caret under the place.
 */
#ifndef SIMTCL_DIAG_H
#define SIMTCL_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
#define DIAG_MAIN_FILE "<program source>"
enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag *diag_new(void);
void diag_free(struct diag *d);
/* Registers the text of a file so that its lines can be shown; borrowed. Name 0 is "<program
 * source>". */
void diag_source(struct diag *d, const char *name, const char *text, size_t length);
/* The same for a stretch of text whose first line bears another number than 1 (#line). */
void diag_source_from(struct diag *d, const char *name, const char *text, size_t length,
                      uint32_t first_line);
void diag_options(struct diag *d, bool no_warnings, bool warnings_are_errors); /* -w, -Werror */
/* file NULL: DIAG_MAIN_FILE. line 0: no place. column (in bytes, from 1) 0: no caret. After 100
 * errors the rest is only counted. */
void diag_report(struct diag *d, enum diag_severity s, const char *file, uint32_t line,
                 uint32_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* A line of its own in the log, neither error nor warning. */
void diag_text(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
unsigned diag_errors(const struct diag *d);
char *diag_take(struct diag *d); /* the log, malloc'ed; never NULL unless out of memory */

#endif
