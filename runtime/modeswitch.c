#include "modeswitch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "log.h"

static unsigned long at;              /* the launch after which it happens; 0: never */
static atomic_ulong launches;         /* so far */
static _Atomic uint64_t lost_serials; /* objects up to this one are lost; 0: none is */

void modeswitch_configure(const char *text) {
    unsigned long n = 0;
    char more;
    if (!*text) return;
    if (sscanf(text, "modeswitch@%lu%c", &n, &more) == 1 && n)
        at = n;
    else
        log_line(LOG_FAULT, "SIMTCL_FAULT is \"%s\", known is modeswitch@N: it is left out", text);
}

void modeswitch_launched(void) {
    if (at && atomic_fetch_add(&launches, 1) + 1 == at)
        atomic_store(&lost_serials, object_serial());
}

static bool is_lost(const struct object *o, uint64_t serials) {
    return o && o->serial <= serials && object_kind_of(o) != OBJECT_device;
}

struct error modeswitch_check(const struct holds *h, const char *name) {
    static const char release[] = "clRelease";
    uint64_t serials = atomic_load_explicit(&lost_serials, memory_order_relaxed);
    if (!serials || !strncmp(name, release, sizeof release - 1)) return OK;
    bool lost = false;
    for (uint32_t i = 0; i < h->singles; i++) lost |= is_lost(h->single[i], serials);
    for (uint32_t l = 0; l < h->lists; l++)
        for (cl_uint i = 0; i < h->list[l].n; i++) lost |= is_lost(h->list[l].handles[i], serials);
    if (!lost) return OK;
    return fail(
        CL_INVALID_CONTEXT,
        "the display's mode was switched after launch %lu, as SIMTCL_FAULT asks (guide 2.4)", at);
}
