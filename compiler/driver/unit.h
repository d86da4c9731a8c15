/* Compiled units and libraries as text: what clCompileProgram and clLinkProgram -create-library
 * give.
 *
 * A unit is kept as its expanded source, so that an object is readable, needs no headers, and
 * outlives changes of the AST and the IR. The first line holds version, kind, counts and a checksum
 * of all that follows. */
#ifndef SIMTCL_UNIT_H
#define SIMTCL_UNIT_H

#include "device/isa/arena.h"
#include "compiler/compiler.h"
#include "compiler/preprocess/preprocess.h"

struct unit {
    const char *options; /* what compiled it, as options_text writes it */
    bool fixed; /* of a library made without -enable-link-options: link options do not reach it */
    const char **files; /* 0: the program's source */
    unsigned nfiles;
    const char *text; /* expanded; NUL-terminated */
    size_t length;
    const struct preprocess_place *places; /* of the text, as the preprocessor noted them */
    uint32_t nplaces;
    bool columns_known; /* false: of an object that did not keep them */
};
struct unit_list {
    struct unit *units;
    unsigned nunits;
};

/* malloc'ed text; false: out of memory. */
bool unit_write(const struct unit_list *o, struct compiler_object *text);
/* False: not an object, or damaged. Strings lie in the arena. */
bool unit_read(struct arena *arena, const char *text, size_t length, struct unit_list *o);

#endif
