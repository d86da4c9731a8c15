/* Planning: the steps of plan.def in their order, and those of them that say how registers are kept
 * and how many warps go in lockstep. */
#include "plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/columns.h"
#include "device/analysis/known.h"
#include "device/analysis/overwritten.h"
#include "device/analysis/provenance.h"
#include "device/analysis/warpwork.h"
#include "device/costs/efforts.h"
#include "device/costs/opcosts.h"
#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/native/math/operations.h"
#include "device/native/opt/rewrites.h"
#include "device/native/value.h"

void *plan_of_registers(const struct plan *p, size_t size) {
    return arena_alloc(p->memory.arena, (p->k->nregs + 1ull) * size);
}

void *plan_of_instructions(const struct plan *p, size_t size) {
    return arena_alloc(p->memory.arena, (p->k->ninsts + 1ull) * size);
}

/* ---- the kernel ---- */

static bool make_kernel(struct plan *p) {
    const struct native_request *r = p->request;
    const struct opcosts *c = opcosts_of(r->level);
    struct sized_groups groups = {.low_ids = r->low_ids,
                                  .cut = r->cut,
                                  .flat = r->flat,
                                  .along = r->along,
                                  .packed = r->packed,
                                  .local_step = r->local_step,
                                  .lockstep = PLAN_WARPS,
                                  .vectors = (uint32_t)c->registers * c->lanes * 4,
                                  .versions = r->level != NATIVE_BASELINE,
                                  .masked = r->level == NATIVE_AVX512,
                                  .leave = !r->general};
    memcpy(groups.size, r->local_size, sizeof groups.size);
    memcpy(groups.asked, r->group_size, sizeof groups.asked);
    bool good = sized_make(&p->sized.made, r->module, r->kernel, &groups, r->trace);
    p->unsound = p->sized.made.unsound;
    p->k = p->sized.made.k;
    return good;
}

/* ---- registers and accesses ---- */

/* Stores that nothing reads are left out where a launch has the parameter alone in its memory. */
static bool find_overwritten(struct plan *p) {
    bool off = plan_off(p, PLAN_overwritten);
    uint8_t *of = p->overwritten.of = overwritten_find(p->k, plan_get(p, provenance)->of);
    for (uint32_t n = 0; of && n < p->k->ninsts; n++) {
        if (off || plan_get(p, seldom)->of[n]) of[n] = 0;
        if (!of[n]) continue;
        p->overwritten.params |= 1u << (of[n] - 1);
        plan_tell(p, PLAN_overwritten, n, "left out where parameter %s is alone in its memory",
                  p->k->params[of[n] - 1].name);
    }
    return of;
}

static bool find_kinds(struct plan *p) {
    p->kinds.of = plan_of_registers(p, 1);
    for (uint32_t r = 0; r < p->k->nregs; r++) p->kinds.of[r] = (uint8_t)plan_operand_kind(p, r);
    return true;
}

static bool find_columns(struct plan *p) {
    uint8_t *of = p->columns.of =
        columns_find(p->k, plan_shape(p), &plan_get(p, neighbours)->of, p->request->local_size);
    if (of && plan_off(p, PLAN_transposed)) memset(of, 0, p->k->ninsts);
    return of;
}

/* ---- how many warps ---- */

struct vectorwork plan_work(const struct plan *p) {
    return (struct vectorwork){p->k, &plan_get(p, liveness)->of, plan_get(p, kinds)->of,
                               p->request->level, plan_of_registers(p, sizeof(uint32_t))};
}

/* A group's warps wait for one another, or access local memory, of which it is known where each is
 * if all are there (localwords.h). */
static bool goes_together(const struct plan *p) { return p->barriers || p->local; }

static struct efforts_form form(const struct plan *p, const struct isa_inst *i) {
    enum kind at = i->nsrc ? plan_operand_kind(p, isa_srcs(p->k, i)[0]) : KIND_UNIFORM;
    return (struct efforts_form){plan_makes_vector(p, i), sfu_has(i->op, i->type),
                                 at == KIND_UNIFORM, at == KIND_VARYING};
}

static bool find_effort(struct plan *p) {
    struct plan_effort *f = &p->effort;
    uint64_t twice_time = 0, large = 0; /* of what is guarded; of all */
    uint32_t leaf = 0;                  /* the end of a loop that guarded_plan_loops looks at */
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        struct efforts_form made = form(p, i);
        uint64_t time = efforts_time(p->request->level, i, made);
        f->cost += efforts_weight(p->request->level, i, made);
        f->time += time;
        large += efforts_large(p->request->level, i, made);
        f->atomics += (isa_op_info[i->op].flags & ISA_OP_ATOMIC) != 0;
        f->functions += (isa_op_info[i->op].flags & ISA_OP_MATH) != 0;
        if (i->op == ISA_loop && plan_get(p, row_loops)->of.leaf[n]) leaf = i->match;
        if (plan_get(p, guards)->full[n] && n > leaf) twice_time += time;
    }
    if (f->time <= 2 * LIMIT_ENLARGED || p->request->level == NATIVE_BASELINE) large = f->time;
    p->too_large =
        p->plain ? large > opcosts_of(p->request->level)->kernel : f->time > LIMIT_ENLARGED;
    if (p->tail && 2 * f->time + twice_time > LIMIT_ENLARGED) p->tail = false;
    f->time += p->tail ? f->time : 0;
    if (f->time + twice_time > LIMIT_ENLARGED)
        guarded_drop(p);
    else
        f->time += twice_time;
    return !p->too_large;
}

/* A store that may lie in columns is there, where all lanes are on. */
static bool has_columns(const struct plan *p) {
    bool any = false;
    for (uint32_t n = 0; n < p->k->ninsts; n++)
        any |= plan_get(p, columns)->of[n] && !plan_get(p, seldom)->of[n] &&
               (shape_full(plan_shape(p), n) >= SHAPE_WARP || plan_get(p, guards)->full[n]);
    return any && (!p->partial || p->tail);
}

/* Are vectors alive in loops at once as few as there may be? What the registers do not hold there
 * is moved in each iteration. Iterations side by side wait for nothing, as warps in lockstep: of
 * those there need not be more than registers hold. What ifs leave for sums behind them LLVM's
 * sinking keeps until the last one, so that it has to fit, too. */
static bool fits_loops(const struct plan *p, const struct opcosts *c, uint32_t warps) {
    uint32_t held = (uint32_t)c->registers * c->lanes / (ISA_WARP / 2);
    bool jammed = p->sized.made.made[SIZED_JAM].kernel, fits = true;
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        if (p->k->insts[n].op != ISA_loop || plan_get(p, seldom)->of[n]) continue;
        uint32_t end = p->k->insts[n].match, alive = pressure_most(p, n, end, warps);
        uint32_t left =
            warps * warpregions_left(p->k, plan_shape(p), &plan_get(p, liveness)->of, n, end);
        fits &= alive <= (jammed && held < c->looped ? held : c->looped);
        fits &= !left || alive + left <= held;
        n = end;
    }
    return fits;
}

/* Warps of a kernel without barriers. */
static unsigned free_bundle(const struct plan *p, uint64_t cost) {
    uint32_t alive = pressure_most(p, 0, p->k->ninsts, 1), warps = p->warps - p->tail;
    const struct opcosts *c = opcosts_of(p->request->level);
    unsigned bundle = 1, most = vectorwork_busy(plan_work(p), plan_get(p, seldom)->of) ? 1 : 4;
    for (unsigned w = 2; w <= most; w++)
        if (warps % w == 0 && cost * w <= LIMIT_LOCKSTEP &&
            pressure_most(p, 0, p->k->ninsts, w) <= c->held && fits_loops(p, c, w))
            bundle = w;
    bool wide = has_columns(p) ||
                (alive * LIMIT_FREE_WARPS <= c->held &&
                 evenloops_any(&plan_get(p, row_loops)->of, p->k, plan_get(p, seldom)->of));
    for (unsigned w = LIMIT_FREE_WARPS; w > bundle && wide; w /= 2)
        if (warps % w == 0 && cost * w <= LIMIT_LOCKSTEP) bundle = w;
    return bundle;
}

/* The code with which a warp stops at barriers and goes on. */
static uint64_t stops(const struct plan *p) {
    const struct liveranges *live = &plan_get(p, liveness)->of;
    uint64_t cost = 0;
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        if (p->k->insts[n].op != ISA_bar) continue;
        cost += LIMIT_WEIGHT_STOP;
        for (uint32_t r = 0; r < p->k->nregs; r++)
            cost += live->first[r] <= n && n <= live->last[r] ? LIMIT_WEIGHT_KEPT : 0;
    }
    return cost;
}

/* Warps of a kernel with barriers: all of the group, or, which then stop, as many as are not too
 * much code. */
static unsigned barrier_bundle(const struct plan *p, uint64_t cost) {
    unsigned bundle = p->warps;
    if (bundle <= PLAN_WARPS &&
        (cost * bundle <= 4 * LIMIT_LOCKSTEP ||
         warpwork_part(p->k, p->request->local_size) * (double)cost * bundle <= 4 * LIMIT_LOCKSTEP))
        return bundle;
    cost += stops(p);
    if (bundle > PLAN_WARPS) bundle = PLAN_WARPS;
    while (bundle > 1 && (p->warps % bundle || cost * bundle > 4 * LIMIT_LOCKSTEP)) bundle--;
    return bundle;
}

/* Of short kernels without loops one call goes through all of a group's warps: the CPU has the next
 * one under way while one ends, so that lockstep gains nothing. */
static bool makes_rounds(const struct plan *p, uint64_t cost) {
    if (p->k->probed || p->plain || goes_together(p)) return false;
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        const struct isa_inst *i = &p->k->insts[n];
        if (i->op == ISA_loop && !plan_get(p, seldom)->of[n]) return false;
        /* what is the same for all warps leaves the loop through them */
        cost -= i->ndst && plan_shape(p)->regs[isa_dsts(p->k, i)[0]].span == SHAPE_GROUP;
    }
    return cost <= LIMIT_ROUND && vectorwork_hidden(plan_work(p));
}

/* Registers that warps in lockstep share. */
static uint8_t *shared_registers(const struct plan *p) {
    uint8_t *shared = plan_of_registers(p, 1);
    warpregions_shared(&plan_get(p, regions)->of, p->k, plan_shape(p), &plan_get(p, liveness)->of,
                       p->request->local_size, !p->partial, shared);
    return shared;
}

bool plan_goes_apart(const struct plan *p, uint32_t from, uint32_t to) {
    const struct neighbours *near = &plan_get(p, neighbours)->of;
    return neighbours_words(near, p->k, plan_shape(p), NULL, from, to) > LIMIT_OWN_ROWS &&
           neighbours_words(near, p->k, plan_shape(p), shared_registers(p), from, to) >
               LIMIT_OWN_ROWS;
}

static bool choose_bundle(struct plan *p) {
    const struct plan_effort *f = plan_get(p, effort);
    bool lockstep = plan_get(p, regions)->of.all_lockstep;
    uint64_t cost = f->cost;
    unsigned bundle = 1;
    const char *why = "warps may part where others wait";
    if (cost < f->time * LIMIT_LOCKSTEP / LIMIT_ENLARGED)
        cost = f->time * LIMIT_LOCKSTEP / LIMIT_ENLARGED;
    if (plan_off(p, PLAN_bundle)) {
        why = p->plain ? "the kernel is large" : "it is switched off";
    } else if (lockstep && !p->barriers && plan_goes_apart(p, 0, p->k->ninsts)) {
        why = "lanes go along rows of their own";
    } else if (lockstep) {
        why = goes_together(p) ? "more of them are too much code" : "it would gain nothing";
        bundle = goes_together(p) ? barrier_bundle(p, cost) : free_bundle(p, cost);
    }
    bool rounds = makes_rounds(p, cost);
    if (rounds && !has_columns(p)) {
        bundle = 1;
        why = "one after the other in one call";
    }
    p->bundle.resumable = p->barriers && bundle < p->warps;
    p->bundle.warps = bundle;
    p->bundle.rounds = rounds && bundle < p->warps;
    if (p->bundle.warps > 1)
        plan_tell(p, PLAN_bundle, UINT32_MAX, "%u of %u warps", p->bundle.warps, p->warps);
    else if (p->warps > 1)
        plan_tell(p, PLAN_bundle, UINT32_MAX, "each warp by itself: %s", why);
    /* What is expanded must not cost the group its lockstep. */
    return !(sized_grown(&plan_get(p, sized)->made) && p->bundle.resumable &&
             p->warps <= PLAN_WARPS);
}

static bool find_moved(struct plan *p) {
    p->moved.of = plan_of_instructions(p, 1);
    for (uint32_t n = 0; n < p->k->ninsts; n++)
        p->moved.of[n] = plan_get(p, transposed)->of[n] || plan_get(p, overwritten)->of[n] ||
                         plan_get(p, lanerows)->of.of[n];
    return true;
}

static bool find_shared(struct plan *p) {
    p->shared.of = plan_bundle(p) == 1 ? plan_of_registers(p, 1) : shared_registers(p);
    return true;
}

/* ---- barriers ---- */

static bool find_state(struct plan *p) {
    const struct liveranges *live = &plan_get(p, liveness)->of;
    uint32_t at = 8 * (ISA_MAX_NESTING + 1);
    p->state.at = plan_of_registers(p, sizeof *p->state.at);
    if (!plan_get(p, bundle)->resumable) return true;
    for (uint32_t r = 0; r < p->k->nregs; r++) {
        p->state.at[r] = at;
        if (!isa_waits_between(p->k, live->first[r], live->last[r] + 1)) continue;
        uint32_t size = p->k->reg_types[r] == ISA_PRED
                            ? 4
                            : isa_type_size[p->k->reg_types[r]] * (uint32_t)ISA_WARP;
        at += plan_kind(p, r) == KIND_VARYING ? size < 64 ? 64 : size : 16;
    }
    p->state.bytes = (at + 63) & ~63u;
    return true;
}

/* ---- the steps ---- */

#define ANALYSIS(name, make, reads, what)                                                          \
    static bool make_##name(struct plan *p) { return (make); }
#include "device/native/plan.def"

static const struct {
    const char *name, *label; /* label NULL: an analysis */
    bool (*make)(struct plan *p);
    uint64_t reads;
} steps[] = {
#define ANALYSIS(name, make, reads, what)           {#name, NULL, make_##name, reads},
#define REWRITE(name, label, function, reads, what) {#name, label, function, reads},
#define EMISSION(name, label, what)                 {#name, label, NULL, 0},
#include "device/native/plan.def"
};

void plan_tell(const struct plan *p, enum plan_step step, uint32_t n, const char *format, ...) {
    struct trace_pass pass = {.trace = p->request->trace,
                              .module = p->request->module,
                              .kernel = p->request->kernel->name,
                              .name = steps[step].label};
    char text[256];
    va_list args;
    if (!trace_tells(&pass)) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    trace_tell(&pass, n < p->k->ninsts ? &p->k->insts[n] : NULL, "%s", text);
}

/* All results but those that are kernels. What is not in the plan's memory analyses have made. */
static void drop(struct plan *p) {
    localwords_end(&p->addresses.known);
    arena_free(p->loops.arena);
    arena_free(p->bounds.arena);
    shape_free(p->shape.of);
    void *all[] = {p->neighbours.of.kinds, p->neighbours.of.steps,  p->liveness.of.first,
                   p->liveness.of.last,    p->liveness.of.zero,     p->seldom.of,
                   p->rowloads.of,         p->regions.of.divergent, p->regions.of.per_warp,
                   p->regions.of.lockstep, p->row_loops.of.test,    p->row_loops.of.last,
                   p->row_loops.of.leaf,   p->columns.of,           p->provenance.of,
                   p->overwritten.of,      p->lanerows.of.of,       p->lanerows.of.list,
                   p->denormals.of};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) free(all[n]);
    p->too_large = false;
    memset(&p->loops, 0, sizeof *p - offsetof(struct plan, loops));
}
_Static_assert(PLAN_loops == PLAN_sized + 1, "results lie in the order of plan.def");

static bool make_steps(struct plan *p, unsigned from) {
    uint64_t made = (UINT64_C(1) << from) - 1;
    for (unsigned s = from; s < PLAN_STEPS && steps[s].make; s++) {
        p->readable = steps[s].reads | UINT64_C(1) << s;
        assert((steps[s].reads & ~made) == 0);
        if (!steps[s].make(p)) return false;
        made |= UINT64_C(1) << s;
    }
    p->readable = made;
    return true;
}

/* What is expanded must not cost the kernel its code: one such pass the less. */
static bool take_back(struct plan *p) {
    if (!sized_take_back(&p->sized.made)) return false;
    p->k = p->sized.made.k;
    drop(p);
    return true;
}

/* What makes code larger, or gives it more blocks, and LLVM's time longer. */
#define GROWS(step) (UINT64_C(1) << PLAN_##step)
static const uint64_t growing = GROWS(guards) | GROWS(bundle) | GROWS(pressure) |
                                GROWS(serialised) | GROWS(full_mask) | GROWS(transposed) |
                                GROWS(streams) | GROWS(privatised) | GROWS(dense) |
                                GROWS(one_address) | GROWS(texel_rows) | GROWS(squareroot);
#undef GROWS

/* Of a kernel that is too large, the kernel as it is; without probes, as they are of one run. */
static bool make_plain(struct plan *p) {
    if (p->plain || !p->too_large || p->k->probed) return false;
    drop(p);
    p->plain = true;
    p->off |= growing;
    return true;
}

bool plan_make(struct plan *p, const struct native_request *request) {
    const uint32_t *size = request->local_size;
    *p = (struct plan){.request = request, .k = request->kernel};
    if (ARENA_FAILS(&p->memory)) {
        p->memory.arena = NULL;
        return false;
    }
    p->items = size[0] * size[1] * size[2];
    p->warps = (p->items + ISA_WARP - 1) / ISA_WARP;
    p->partial = p->items % ISA_WARP != 0;
    for (uint32_t n = 0; n < p->k->ninsts; n++) {
        p->barriers |= p->k->insts[n].op == ISA_bar;
        p->local |= p->k->insts[n].space == ISA_LOCAL;
    }
    p->tail = p->partial && p->warps > 1 && !goes_together(p);
    for (unsigned s = 0; s < PLAN_STEPS; s++)
        if (steps[s].label && trace_off(request->trace, steps[s].label)) p->off |= UINT64_C(1) << s;
    for (unsigned from = 0; !make_steps(p, from); from = PLAN_sized + 1)
        if (p->unsound || (!take_back(p) && !make_plain(p))) return false;
    return true;
}

void plan_free(struct plan *p) {
    drop(p);
    arena_free(p->memory.arena);
    sized_free(&p->sized.made);
}
