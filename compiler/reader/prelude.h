/* The text every program is parsed behind: the types OpenCL C has built in (1.2, 6.1) that clang
 * takes from a header otherwise. Builtin functions come from clang's own table. */
#ifndef SIMTCL_PRELUDE_H
#define SIMTCL_PRELUDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/isa/arena.h"

/* Ends in a line marker, so that the program's text goes right behind it. macros: directives to put
 * in, may be "". reinterpretations: as_type() as macros, for text that reader_text has not
 * rewritten. own: names that are the program's (reader_names.c), which are left out. */
const char *prelude_text(struct arena *arena, bool doubles, bool reinterpretations, uint32_t own,
                         const char *macros, size_t *length);
/* Is it the name of a type that as_<name>() may give (6.2.4.2)? */
bool prelude_reinterprets(const char *name, size_t length);

#endif
