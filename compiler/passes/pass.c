/* The order of the passes. */
#include "pass.h"

void pass_run(const struct isa_module *m, struct isa_kernel *k, struct arena *arena,
              const struct pass_options *options) {
    bool on = !options->off, again = false;
    struct arena_mark before = arena_mark(arena); /* each pass gives back what it took */
    if (on && options->frame.nobjects) {
        pass_value(m, k, arena); /* pointers become plain addresses */
        arena_release(arena, before);
        pass_dead(k, arena); /* what made them is no use of the object any more */
        arena_release(arena, before);
    }
    pass_frame(k, arena, &options->frame, on);
    arena_release(arena, before);
    if (on) {
        pass_value(m, k, arena);
        arena_release(arena, before);
        pass_dead(k, arena); /* so that what follows sees the uses that count */
        arena_release(arena, before);
        again = pass_hoist(k, arena);
        arena_release(arena, before);
        again |= pass_strength(k, arena);
        arena_release(arena, before);
        again |= pass_predicate(k, arena);
        arena_release(arena, before);
        if (again) pass_value(m, k, arena);
        arena_release(arena, before);
        pass_dead(k, arena);
        arena_release(arena, before);
    }
    pass_compact(k, arena);
    arena_release(arena, before);
}
