/* Kernels of tests' tables. */
#ifndef SIMTCL_CASES_H
#define SIMTCL_CASES_H

#include <stdio.h>
#include <string.h>

#include "device/isa/isa.h"

/* A module's text; the caller frees the module. NULL: it is none, which has been told by the case's
 * name. */
static inline struct isa_module *cases_parse(const char *name, const char *text) {
    struct isa_error error;
    struct isa_module *m = isa_parse(text, strlen(text), &error);
    if (!m) fprintf(stderr, "%s: line %u: %s\n", name, error.line, error.text);
    return m;
}

#endif
