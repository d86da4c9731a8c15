/* Findings as they are kept: all that is borrowed has become text. Private to device/check. */
#ifndef SIMTCL_FINDING_KEPT_H
#define SIMTCL_FINDING_KEPT_H

#include "finding.h"

/* A place in the source. */
struct kept_place {
    char *file; /* NULL: not known */
    uint32_t line, column;
    uint32_t width; /* of what stands there; 0: not known */
    char *source;   /* the line; NULL: not at hand */
    char *text;     /* the expression; NULL likewise */
    struct kept_call {
        char *name, *file; /* the function, and where it was called */
        uint32_t line, column;
    } * calls; /* from the innermost on */
    uint32_t ncalls;
};

struct kept_finding {
    struct check_finding f; /* without launch and kernel */
    uint64_t launch;
    char *kernel; /* NULL: of none */
    struct kept_place at, other;
    bool suppressed;
    bool held; /* not told yet: check_hold */
    uint64_t hash;
    struct kept_finding *next;
};

/* Calls `each` with every finding that is not suppressed, in order, under the lock. */
void check_each(void (*each)(void *user, const struct kept_finding *f), void *user);

/* "store of 4 bytes outside its object" */
void check_title(const struct kept_finding *f, char *text, size_t size);

#endif
