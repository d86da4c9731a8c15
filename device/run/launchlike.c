#include "launchlike.h"

#include <stdlib.h>
#include <string.h>

#include "device/debug/debug.h"
#include "device/launch.h"
#include "device/observe/observe.h"
#include "digital.h"
#include "launchtiles.h"

/* Nobody wants anything of the launch but that it runs. */
static bool is_plain(const struct launch *l) {
    return l->order == LAUNCH_ANY && !(l->observers && l->observers->count) &&
           !debug_wanted(l->kernel->name);
}

static bool is_alike(const struct launch_like *k, const struct launch *l) {
    return k->is && k->local_bytes == l->local_bytes &&
           !memcmp(k->global_size, l->global_size, sizeof k->global_size) &&
           !memcmp(k->local_size, l->local_size, sizeof k->local_size) &&
           !memcmp(k->offset, l->offset, sizeof k->offset);
}

struct launch_state *launchlike_find(const struct launch *l) {
    if (!is_plain(l)) return NULL;
    struct launch_state *s = executable_keep(l->executable, l->kernel, NULL);
    if (!s || is_alike(&s->like, l)) return s;
    free(s);
    return NULL;
}

void launchlike_note(struct launch_state *s, const struct launch *l, uint64_t count) {
    if (!is_plain(l) || s->log || !executable_settled(s->kernel, l)) return;
    if (s->tiling.size[0] || !launchtiles_never(l, s->kernel) || !unfolded_never(l) ||
        !digital_never(l))
        return;
    struct launch_like *k = &s->like;
    k->is = true;
    k->local_bytes = l->local_bytes;
    k->count = count;
    k->code = executable_code(s->kernel, l, NULL);
    memcpy(k->global_size, l->global_size, sizeof k->global_size);
    memcpy(k->local_size, l->local_size, sizeof k->local_size);
    memcpy(k->offset, l->offset, sizeof k->offset);
}

void launchlike_keep(struct launch_state *s, const struct launch *l) {
    free(s->like.is ? executable_keep(l->executable, l->kernel, s) : s);
}
