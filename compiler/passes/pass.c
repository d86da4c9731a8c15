/* The order of the passes, and what they share. */
#include "pass.h"

#include <string.h>

struct pass_code pass_take(struct isa_kernel *k, struct arena *arena) {
    struct pass_code old = {.ninsts = k->ninsts, .nregs = k->nregs};
    old.insts = ARENA_ARRAY(arena, struct isa_inst, k->ninsts + 1u);
    old.operands = ARENA_ARRAY(arena, isa_operand, k->noperands + 1u);
    if (k->ninsts) memcpy(old.insts, k->insts, k->ninsts * sizeof *old.insts);
    if (k->noperands) memcpy(old.operands, k->operands, k->noperands * sizeof *old.operands);
    k->ninsts = k->noperands = 0;
    return old;
}

struct isa_inst *pass_put(struct isa_kernel *k, const struct isa_inst *i, const isa_operand *dst,
                          const isa_operand *src) {
    struct isa_inst *out =
        isa_emit(k, (enum isa_op)i->op, i->type, i->type2, i->ndst, dst, i->nsrc, src);
    uint32_t operands = out->operands;
    *out = *i;
    out->operands = operands;
    return out;
}

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
        pass_counter(k, arena);
        arena_release(arena, before);
        pass_dead(k, arena);
        arena_release(arena, before);
        pass_turns(k, arena);
        arena_release(arena, before);
    }
    pass_compact(k, arena);
    arena_release(arena, before);
}
