/* Bounds: between which numbers the offsets of accesses to private memory lie, and how many of
 * their low bits are 0, so that they need no test. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/alignment.h"
#include "device/analysis/intervals.h"
#include "device/native/opt/rewrites.h"

bool bounds_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    const size_t bytes = (k->nregs + 1ull) * sizeof(struct interval);
    if (!k->private_bytes) return true;
    plan->bounds.zeros = alignment_find(k);
    struct interval *of = plan->bounds.of = malloc(bytes);
    if (!of || !plan->bounds.zeros) return false;
    jmp_buf no_memory;
    struct arena *arena = arena_new(&no_memory);
    if (!arena) return false;
    if (setjmp(no_memory)) {
        arena_free(arena);
        return false;
    }
    struct intervals found;
    intervals_find(&found, k, arena);
    memcpy(of, found.as_unsigned, bytes);
    arena_free(arena);
    return true;
}
