/* Questions about the device that is compiled for. */
#ifndef SIMTCL_TARGET_H
#define SIMTCL_TARGET_H

#include <string.h>

#include "compiler/compiler.h"

/* Is the extension, a name of `n` characters, in a list separated by blanks? NULL: an empty list.
 */
static inline bool target_lists(const char *list, const char *name, size_t n) {
    for (const char *p = list ? list : ""; *p; p += strspn(p, " ")) {
        size_t word = strcspn(p, " ");
        if (word == n && memcmp(p, name, n) == 0) return true;
        p += word;
    }
    return false;
}

/* Has the device that extension? */
static inline bool target_extends(const struct compiler_target *t, const char *name) {
    return target_lists(t->extensions, name, strlen(name));
}

#endif
