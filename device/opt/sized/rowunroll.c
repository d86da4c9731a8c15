/* Rows of the work-item's own that it joins into a register: through those that lanes do not go
 * side by side (reductions.c), as they are short, they go by several elements in one iteration. */
#include <stdlib.h>

#include "device/analysis/provenance.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "device/opt/unrolled.h"
#include "sized_pass.h"

/* Instructions of the copy: a loop is there 8, 4 and 1 times at most, and what leaves each. */
static uint32_t most_of(const struct isa_kernel *k) { return 16 * k->ninsts + 256; }

static void make(const struct sized *s, const uint64_t *provenance, const struct trace_pass *p,
                 struct sized_kernel *made, struct arena *arena) {
    struct kernelcopy c;
    struct unrolled *u = unrolled_find(s->k, arena, provenance, UNROLLED_JOINED);
    if (!unrolled_any(u)) return;
    if (kernelcopy_begin(&c, s->k, most_of(s->k))) {
        unrolled_write(u, &c, p);
        if (!c.failed && kernelcopy_finish(c.out)) sized_kernel_take(made, &c);
    }
    kernelcopy_drop(&c);
    if (made->kernel) rewrite_rename(made->kernel, arena);
}

bool rowunroll_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    if (s->k->probed || !loops_between(s->k, 0, s->k->ninsts)) return true;
    uint64_t *provenance = provenance_new(s->k);
    if (!provenance) return false;
    if (ARENA_FAILS(&t)) {
        free(provenance);
        return false;
    }
    make(s, provenance, p, made, t.arena);
    arena_free(t.arena);
    free(provenance);
    return true;
}
