/* Copies of one piece of code, which the source, or the compiler, has written out, become a loop
 * again where that is a run of elements: its iterations can then be dealt out to lanes. */
#include <stdlib.h>
#include <string.h>

#include "device/analysis/warpregions.h"
#include "device/isa/constant.h"
#include "device/isa/rewrite.h"
#include "device/opt/arranged.h"
#include "device/opt/rolled.h"
#include "runs.h"

enum {
    MOST_KERNEL = 2000, /* instructions */
    MOST_ROUNDS = 4     /* loops that are made */
};

struct reroll {
    const struct sized *sized;
    const struct trace_pass *pass;
    struct repeats found;
    struct rolled rolled;
    struct sized_kernel plain; /* without versions */
    bool late;                 /* registers are set where they are first wanted */
};

/* Copies with loops of their own, that are seen to be some by what their addresses are: where few
 * lanes go side by side, or other code is there for those that are off, they are as good. */
static bool stay_copies(const struct reroll *x, const struct run_loop *l) {
    const struct isa_kernel *k = x->rolled.copy.out;
    unsigned loops = 0;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        loops += k->insts[n].op == ISA_loop;
    if (!loops || l->spread || !(x->found.sums || x->late)) return false;
    return l->lanes < (l->partial ? ISA_WARP : ISA_WARP / 2);
}

/* Copies that read values of each lane's own: a warp would go along one run after the other, where
 * most lanes have no element, and hand these values on in each. Where copies are many, and some of
 * them are off, that is less than all of them under masks. */
static bool stay_own(const struct reroll *x, const struct run_loop *l) {
    const struct isa_kernel *k = x->rolled.copy.out;
    bool regions = false;
    for (uint32_t n = l->begin + 1; n < k->insts[l->begin].match; n++)
        regions |= isa_op_info[k->insts[n].op].flags & ISA_OP_REGION_BEGIN;
    return l->spread && l->nown && x->found.copies < (regions ? ISA_WARP / 2 : ISA_WARP);
}

/* Does each lane's run begin where the one before ends? Several stores of one element gain more by
 * what else is done with them, where that is not known. */
static bool adjoins(void *context, const struct runs_finder *f, const struct run_loop *l) {
    const struct reroll *x = context;
    unsigned stores = 0;
    if (stay_copies(x, l)) return false;
    for (unsigned p = 0; p < x->found.pieces; p++)
        stores += x->found.k->insts[x->found.of[p].from].op == ISA_st;
    if (stores > 1 && l->spread) return false;
    if (stay_own(x, l)) return false;
    for (unsigned n = 0; n < l->ncounters && l->spread; n++) {
        const struct run_counter *c = &l->counters[n];
        struct shape_value v = f->shape->regs[c->reg];
        int64_t step;
        if (c->derived || !c->wanted || !constant_signed(f->k, c->step, &step)) continue;
        bool known = v.span >= SHAPE_HALF_WARP;
        if (!known || (v.stride && v.stride != step * (int64_t)x->found.copies)) return false;
    }
    return true;
}

/* ---- the kernel ---- */

/* Makes a loop of copies in a kernel, if there are some. */
static bool roll(struct reroll *x, const struct isa_kernel *k, struct arena *arena,
                 struct sized_kernel *made) {
    repeats_begin(&x->found, k, arena);
    while (repeats_next(&x->found)) {
        if (rolled_write(&x->rolled, &x->found, MOST_KERNEL) &&
            runs_takes(x->sized, x->rolled.copy.out, x->rolled.loop, adjoins, x)) {
            trace_tell(x->pass, &k->insts[x->found.of[0].from],
                       "%u copies of a run's element are a loop", x->found.copies);
            sized_kernel_take(made, &x->rolled.copy);
            return true;
        }
        kernelcopy_drop(&x->rolled.copy);
    }
    return false;
}

/* The `else` of a version by opt_late, for where parameters are alone, or 0. */
static uint32_t version_else(const struct isa_kernel *k, uint32_t n, const uint8_t *alone) {
    const struct isa_inst *i = &k->insts[n];
    if (i->op != ISA_if || !isa_is_reg(isa_srcs(k, i)[0]) || !alone[isa_srcs(k, i)[0]]) return 0;
    for (uint32_t at = n; at < i->match; at++)
        if (k->insts[at].op == ISA_loop) return 0;
    return k->insts[i->match].op == ISA_else ? i->match : 0;
}

/* The kernel with the other parts alone of such versions; false: there are none, or no memory. */
static bool write_without_versions(struct reroll *x, const struct isa_kernel *k,
                                   struct arena *arena) {
    uint8_t *alone = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    uint32_t ends[ISA_MAX_NESTING + 1], depth = 0;
    bool any = false;
    if (!kernelcopy_begin(&x->rolled.copy, k, MOST_KERNEL)) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool is = i->op == ISA_special && i->imm == ISA_SPECIAL_alone;
        for (unsigned s = 0; s < i->nsrc; s++)
            is |= isa_is_reg(isa_srcs(k, i)[s]) && alone[isa_srcs(k, i)[s]] &&
                  (i->op == ISA_and || i->op == ISA_eq);
        for (unsigned d = 0; d < i->ndst; d++) alone[isa_dsts(k, i)[d]] = is;
        uint32_t other = version_else(k, n, alone);
        any |= other != 0;
        if (other) {
            ends[depth++] = k->insts[other].match;
            n = other;
        } else if (depth && ends[depth - 1] == n) {
            depth--;
        } else {
            kernelcopy_put(&x->rolled.copy, n);
        }
    }
    return any && !x->rolled.copy.failed && kernelcopy_finish(x->rolled.copy.out);
}

/* ---- the kernel ---- */

/* Makes a loop of copies in the kernel that is written so; false: there are none. */
static bool roll_written(struct reroll *x, bool written, struct arena *arena,
                         struct sized_kernel *made) {
    bool good = written;
    if (good) {
        sized_kernel_take(made, &x->rolled.copy);
        good = roll(x, made->kernel, arena, made);
    } else {
        kernelcopy_drop(&x->rolled.copy);
    }
    if (!good) sized_kernel_drop(made);
    return good;
}

static bool roll_early(struct reroll *x, const struct isa_kernel *k, struct arena *arena,
                       struct sized_kernel *made) {
    return roll_written(x, arranged_early(&x->rolled.copy, k, MOST_KERNEL, arena), arena, made);
}

/* Makes a loop of copies that begin so; false: there are none. */
static bool roll_late(struct reroll *x, const struct isa_kernel *k, struct arena *arena,
                      struct sized_kernel *made) {
    x->late = true;
    return roll_written(x, arranged_late(&x->rolled.copy, k, MOST_KERNEL, arena), arena, made);
}

/* First where the other parts of versions for launches are there alone, as they hold all copies in
 * their order. */
static void make(struct reroll *x, struct arena *arena, struct sized_kernel *made) {
    const struct isa_kernel *k = x->sized->k;
    bool again = write_without_versions(x, k, arena);
    if (again) {
        sized_kernel_take(&x->plain, &x->rolled.copy);
        again = roll(x, x->plain.kernel, arena, &x->plain);
    } else {
        kernelcopy_drop(&x->rolled.copy);
    }
    if (again) {
        *made = x->plain;
        x->plain = (struct sized_kernel){0};
    }
    if (!again)
        again = roll(x, k, arena, made) || roll_early(x, k, arena, made) ||
                roll_late(x, k, arena, made);
    for (unsigned n = 1; n < MOST_ROUNDS && again; n++)
        if (!roll(x, made->kernel ? made->kernel : k, arena, made)) break;
}

bool reroll_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    if (s->k->probed || s->k->ninsts > MOST_KERNEL || rewrite_nesting(s->k) + 4 > ISA_MAX_NESTING)
        return true;
    struct reroll *x = calloc(1, sizeof *x);
    bool good = false;
    if (x && !ARENA_FAILS(&t)) {
        x->sized = s;
        x->pass = p;
        make(x, t.arena, made);
        arena_free(t.arena);
        good = true;
    }
    if (x) kernelcopy_drop(&x->rolled.copy);
    if (x) sized_kernel_drop(&x->plain);
    free(x);
    return good;
}
