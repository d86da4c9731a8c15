/* Handles are held during a call: each entry function takes a reference to every object that its
 * caller gives it, alone or in a list, and lets go of them when it returns. So no object goes away
 * under a call when another thread releases it, and no handle changes from live to dead inside: a
 * single one that is not live ends the call at once, one of a list is NULL for the functions of the
 * runtime, who answer what the specification says of that list.
 *
 * icd/ makes these calls for all entry functions, by the types of their parameters. */
#ifndef SIMTCL_HOLDS_H
#define SIMTCL_HOLDS_H

#include "object.h"

enum { HOLDS_SINGLE = 3, HOLDS_LISTS = 2, HOLDS_ROOM = 16 };

/* Begins with the three counts 0; what lies behind them is not read before it is written. */
struct holds {
    uint32_t singles, lists;
    uint32_t used; /* of room */
    void *single[HOLDS_SINGLE];
    struct {
        void **handles; /* live and held, or NULL */
        cl_uint n;
    } list[HOLDS_LISTS];
    void *room[HOLDS_ROOM]; /* short lists */
};

/* Holds `*parameter`, a handle of that kind; NULL is fine. The kind's invalid code when it is not
 * live. `what` names the parameter in the reason; `before` is not used. */
struct error holds_single(struct holds *h, enum object_kind kind, void *parameter, uintptr_t before,
                          const char *what);
/* Replaces `*parameter`, a list of as many handles as `before` says (the parameter before it), by a
 * copy in which those that are live are held and the others NULL. */
struct error holds_list(struct holds *h, enum object_kind kind, void *parameter, uintptr_t before,
                        const char *what);
static inline struct error holds_nothing(struct holds *h, enum object_kind kind, void *parameter,
                                         uintptr_t before, const char *what) {
    (void)h, (void)kind, (void)parameter, (void)before, (void)what;
    return OK;
}
/* Ends all of them. Objects may be destroyed here, which may call the host. */
void holds_end(struct holds *h);

#endif
