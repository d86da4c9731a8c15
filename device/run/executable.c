#include "executable.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/analysis/isolation.h"
#include "device/engine.h"
#include "device/host/pool.h"
#include "device/host/stack.h"
#include "device/interp/shuffle.h"
#include "device/isa/vars.h"
#include "device/observe/facts.h"
#include "device/opt/digits.h"
#include "device/opt/opt.h"
#include "device/opt/regrid.h"
#include "device/opt/unfold.h"
#include "lastlaunches.h"
#include "tier.h"

/* A kernel as the engines run it for one set of observers: a copy that may hold probes and that
 * host passes have been over, and the code of that. Immutable, but for the tier. */
struct executable_kernel {
    struct observe_set observers;
    bool debug;                /* as it was built, for a debugger */
    bool low_ids;              /* isa_kernel.low_ids */
    struct observe_plan *plan; /* NULL: nobody looks on */
    struct isa_kernel *kernel;
    struct code code; /* the interpreter's */
    unsigned traits;  /* KERNEL_* */
    struct tiles_traits tiling;
    _Atomic uint32_t refusals;     /* launches in a row that did not become tiles */
    struct last_launches last;     /* executable_last */
    _Atomic double pace;           /* executable_pace */
    struct tier tier;              /* native code */
    struct code *_Atomic shuffled; /* for launches in a random order; NULL: not asked for yet */
    struct executable_kernel *next;
};

enum {
    MOST_DIGITAL = 4,
    MOST_GRIDS = 4,
    PATIENCE = 16 /* launches looked at in vain */
};

/* A kernel of the module, and what has been made of it: one for each set that was asked for. */
struct entrance {
    const struct isa_kernel *kernel;
    struct facts *facts; /* what observers have found out; NULL: there was no memory */
    struct executable_kernel *_Atomic first;
    struct unfolded_kernel *_Atomic unfolded; /* NULL: not asked for yet */
    struct unfolded_kernel *_Atomic grids;    /* for other ND-ranges, one for each size */
    _Atomic bool stays;                       /* there are none */
    struct digital_kernels *_Atomic digital;  /* the same */
    _Atomic double item_ns;                   /* executable_item_ns */
    struct launch_state *_Atomic kept;        /* executable_keep */
};

/* The same for work-items that do an iteration each; or for another ND-range, in launches of one
 * size. */
struct unfolded_kernel {
    struct unfold made;
    struct regrid grid;                     /* its kernel is made.kernel, */
    uint32_t global_size[3], local_size[3]; /* in place of these */
    struct unfolded_kernel *next;
    enum isolation isolation; /* of those; */
    uint32_t alone;           /* its parameters */
    struct entrance entrance;
    struct last_launches last;
};

/* The same as it is in launches of which sizes and arguments are known, one for each way. */
struct digital_kernels {
    bool may;
    atomic_flag busy; /* what follows is read and written */
    struct last_launch last;
    const struct isa_kernel *found; /* for that one; */
    unsigned vain;                  /* before it, that were looked at and stay what they are */
    bool asked;                     /* there was a launch */
    bool waits;                     /* the last one would have one that is not written */
    struct digital_kernel *_Atomic first;
};
struct digital_kernel {
    struct digits made;
    struct entrance entrance;
    struct digital_kernel *next;
};

struct executable {
    atomic_uint refs;
    uint64_t serial;
    struct memory *memory;
    const struct isa_module *module;
    uint32_t constants; /* address of the constant data, 0: there is none */
    struct entrance entrances[];
};

static unsigned traits(const struct isa_kernel *k) {
    unsigned found = 0;
    for (uint32_t i = 0; i < k->nregs; i++)
        if (k->reg_types[i] == ISA_F64) found |= KERNEL_USES_F64;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        if (k->insts[i].op == ISA_loop) found |= KERNEL_LOOPS;
        if (k->insts[i].op == ISA_printf) found |= KERNEL_PRINTS;
    }
    return found;
}

/* Copies the constant data to the sandbox, its addresses made absolute, where no store may change
 * it. */
static bool place_constants(struct executable *x) {
    const struct isa_module *m = x->module;
    if (!m->data_bytes) return true;
    x->constants = memory_reserve(x->memory, m->data_bytes, m->data_align ? m->data_align : 1);
    if (!x->constants) return false;
    char *data = memory_at(memory_base(x->memory), x->constants);
    memcpy(data, m->data, m->data_bytes);
    for (uint32_t i = 0; i < m->nrelocs; i++) {
        uint32_t address, offset = m->relocs[i];
        if (m->data_bytes < sizeof address || offset > m->data_bytes - sizeof address) continue;
        memcpy(&address, data + offset, sizeof address);
        address += x->constants;
        memcpy(data + offset, &address, sizeof address);
    }
    return memory_protect(x->memory, x->constants);
}

struct executable *executable_new(struct memory *memory, const struct isa_module *module) {
    struct executable *x = calloc(1, sizeof *x + module->nkernels * sizeof *x->entrances);
    if (!x) return NULL;
    static _Atomic uint64_t serials;
    atomic_init(&x->refs, 1);
    x->serial = atomic_fetch_add(&serials, 1) + 1;
    x->memory = memory;
    x->module = module;
    for (uint32_t i = 0; i < module->nkernels; i++) {
        x->entrances[i].kernel = module->kernels[i];
        x->entrances[i].facts = facts_new();
    }
    if (!place_constants(x)) {
        executable_release(x);
        return NULL;
    }
    return x;
}

struct executable *executable_retain(struct executable *x) {
    atomic_fetch_add(&x->refs, 1);
    return x;
}

static void shuffled_free(struct code *c) {
    if (!c) return;
    c->engine->discard(c->data);
    free(c);
}

static void executable_kernel_free(struct executable_kernel *k) {
    if (!k) return;
    tier_free(&k->tier);
    shuffled_free(atomic_load(&k->shuffled));
    if (k->code.data) k->code.engine->discard(k->code.data);
    isa_kernel_free(k->kernel);
    observe_plan_free(k->plan);
    free(k);
}

static void unfolded_free(struct unfolded_kernel *u);
static void digital_free(struct digital_kernels *all);

static void entrance_free(struct entrance *e) {
    struct executable_kernel *k = atomic_load(&e->first), *next;
    for (; k; k = next) {
        next = k->next;
        executable_kernel_free(k);
    }
    facts_free(e->facts);
    unfolded_free(atomic_load(&e->unfolded));
    unfolded_free(atomic_load(&e->grids));
    digital_free(atomic_load(&e->digital));
    free(atomic_load(&e->kept));
}

static void unfolded_free(struct unfolded_kernel *u) {
    for (struct unfolded_kernel *next; u; u = next) {
        next = u->next;
        entrance_free(&u->entrance);
        isa_kernel_free(u->made.kernel);
        free(u);
    }
}

static void digital_kernel_free(struct digital_kernel *d) {
    entrance_free(&d->entrance);
    digits_free(&d->made);
    free(d);
}

static void digital_free(struct digital_kernels *all) {
    if (!all) return;
    struct digital_kernel *d = atomic_load(&all->first), *next;
    for (; d; d = next) {
        next = d->next;
        digital_kernel_free(d);
    }
    free(all);
}

void executable_release(struct executable *x) {
    if (!x || atomic_fetch_sub(&x->refs, 1) != 1) return;
    for (uint32_t i = 0; i < x->module->nkernels; i++) entrance_free(&x->entrances[i]);
    memory_release(x->memory, x->constants);
    free(x);
}

const struct isa_module *executable_module(const struct executable *x) { return x->module; }
uint64_t executable_serial(const struct executable *x) { return x->serial; }
struct memory *executable_memory(const struct executable *x) {
    return x->memory;
}
uint32_t executable_constants(const struct executable *x) { return x->constants; }

/* Puts probes into the copy. False: no memory. */
static bool observe(const struct isa_module *m, struct executable_kernel *k,
                    const struct isa_kernel *kernel) {
    if (!k->observers.count) return true;
    k->plan = observe_plan_new(m, kernel, &k->observers);
    struct isa_error error;
    if (!k->plan || !observe_plan_apply(k->plan, k->kernel)) return false;
    if (!isa_verify_one(m, k->kernel, &error)) return false;
    trace_dump(tier_trace(), "probes", k->kernel);
    return true;
}

struct preparation {
    const struct isa_module *module;
    const struct isa_kernel *kernel;
    struct executable_kernel *k;
};

static void prepare(void *argument) {
    const struct preparation *q = argument;
    struct executable_kernel *k = q->k;
    k->kernel = isa_kernel_copy(q->kernel);
    k->code.engine = k->debug ? &interpreter_debug : &interpreter;
    if (!k->kernel || !observe(q->module, k, q->kernel)) return;
    struct isa_error error;
    if ((k->debug || isa_vars_strip(k->kernel)) && !isa_verify_one(q->module, k->kernel, &error))
        return;
    k->kernel->low_ids = k->low_ids;
    if (k->debug || opt_run(q->module, k->kernel, tier_trace()))
        k->code.data = k->code.engine->prepare(q->module, k->kernel);
    if (!k->debug && !k->plan && !trace_off(tier_trace(), "regroup"))
        k->tiling = tiletraits_find(k->kernel);
}

static struct executable_kernel *executable_kernel_new(const struct executable *x,
                                                       const struct isa_kernel *kernel,
                                                       const struct observe_set *observers,
                                                       bool debug, bool low_ids) {
    struct executable_kernel *k = calloc(1, sizeof *k);
    struct preparation q = {x->module, kernel, k};
    if (!k) return NULL;
    atomic_flag_clear(&k->last.busy);
    if (observers) k->observers = *observers;
    k->debug = debug;
    k->low_ids = low_ids;
    k->traits = traits(kernel);
    if (stack_call(prepare, &q) && k->code.data) return k;
    executable_kernel_free(k);
    return NULL;
}

static struct executable_kernel *find(struct executable_kernel *k,
                                      const struct observe_set *observers, bool debug,
                                      bool low_ids) {
    while (k && (k->debug != debug || k->low_ids != low_ids ||
                 !observe_set_equal(&k->observers, observers)))
        k = k->next;
    return k;
}

/* The entrance itself, or one of those that have been made of it; NULL: it is none of these. */
static struct entrance *entrance_at(struct entrance *e, const struct isa_kernel *kernel) {
    if (e->kernel == kernel) return e;
    struct unfolded_kernel *u = atomic_load_explicit(&e->unfolded, memory_order_acquire);
    if (u && u->made.kernel == kernel) return &u->entrance;
    for (u = atomic_load_explicit(&e->grids, memory_order_acquire); u; u = u->next)
        if (u->made.kernel == kernel) return &u->entrance;
    struct digital_kernels *all = atomic_load_explicit(&e->digital, memory_order_acquire);
    struct digital_kernel *d = all ? atomic_load_explicit(&all->first, memory_order_acquire) : NULL;
    struct entrance *found = NULL;
    for (; d && !found; d = d->next) found = entrance_at(&d->entrance, kernel);
    return found;
}

static struct entrance *entrance_of(struct executable *x, const struct isa_kernel *kernel) {
    struct entrance *found = NULL;
    for (uint32_t n = 0; n < x->module->nkernels && !found; n++)
        found = entrance_at(&x->entrances[n], kernel);
    return found;
}

static void unfold(void *argument) {
    struct unfolded_kernel *u = argument;
    unfold_make(&u->made, u->entrance.kernel);
    u->entrance.kernel = u->made.kernel;
    if (u->made.kernel) u->isolation = isolation_find(u->made.kernel, &u->alone);
}

struct unfolded_kernel *executable_unfolded(struct executable *x, const struct isa_kernel *kernel) {
    struct entrance *e = entrance_of(x, kernel);
    if (!e) return NULL;
    struct unfolded_kernel *known = atomic_load_explicit(&e->unfolded, memory_order_acquire), *made;
    if (known || !(made = calloc(1, sizeof *made))) return known;
    made->entrance.kernel = kernel;
    atomic_flag_clear(&made->last.busy);
    struct isa_error error;
    bool good = stack_call(unfold, made);
    if (good && made->made.kernel && !isa_verify_one(x->module, made->made.kernel, &error)) {
        assert(false); /* it would not be what was run */
        isa_kernel_free(made->made.kernel);
        made->made.kernel = NULL;
    }
    if (good && made->made.kernel) trace_dump(tier_trace(), "unfold", made->made.kernel);
    if (good && atomic_compare_exchange_strong(&e->unfolded, &known, made)) return made;
    unfolded_free(made);
    return known;
}

/* ---- kernels for another ND-range ---- */

static bool is_size(const struct unfolded_kernel *u, const struct launch *l) {
    return !memcmp(u->global_size, l->global_size, sizeof u->global_size) &&
           !memcmp(u->local_size, l->local_size, sizeof u->local_size);
}

static void regrid(void *argument) {
    struct unfolded_kernel *u = argument;
    regrid_make(&u->grid, u->entrance.kernel, u->global_size, u->local_size);
    u->entrance.kernel = u->made.kernel = u->grid.kernel;
    if (u->made.kernel) u->isolation = isolation_find(u->made.kernel, &u->alone);
}

static struct unfolded_kernel *regridded_new(const struct executable *x, const struct launch *l) {
    struct unfolded_kernel *u = calloc(1, sizeof *u);
    struct isa_error error;
    if (!u) return NULL;
    u->entrance.kernel = l->kernel;
    atomic_flag_clear(&u->last.busy);
    memcpy(u->global_size, l->global_size, sizeof u->global_size);
    memcpy(u->local_size, l->local_size, sizeof u->local_size);
    bool good = stack_call(regrid, u);
    if (good && u->made.kernel && !isa_verify_one(x->module, u->made.kernel, &error)) {
        assert(false); /* it would not be what was run */
        good = false;
    }
    if (good && u->made.kernel) {
        struct trace_pass pass = {tier_trace(), x->module, u->made.kernel->name, "regrid"};
        const uint32_t *size = u->grid.global_size;
        trace_tell(&pass, NULL, "as a range of %u x %u x %u work-items", size[0], size[1], size[2]);
        trace_dump(tier_trace(), "regrid", u->made.kernel);
    }
    if (good) return u;
    unfolded_free(u);
    return NULL;
}

/* The one of that size that is known; NULL: none is, and how many others there are. */
static struct unfolded_kernel *known_grid(struct unfolded_kernel *u, const struct launch *l,
                                          unsigned *count) {
    for (*count = 0; u && !is_size(u, l); u = u->next) ++*count;
    return u;
}

struct unfolded_kernel *executable_regridded(struct executable *x, const struct launch *l) {
    struct entrance *e = entrance_of(x, l->kernel);
    if (!e || atomic_load_explicit(&e->stays, memory_order_relaxed)) return NULL;
    struct unfolded_kernel *first = atomic_load_explicit(&e->grids, memory_order_acquire), *made;
    unsigned count;
    struct unfolded_kernel *known = known_grid(first, l, &count);
    if (known || count == MOST_GRIDS) return known;
    if (!first && !regrid_may(l->kernel)) {
        atomic_store_explicit(&e->stays, true, memory_order_relaxed);
        return NULL;
    }
    if (!(made = regridded_new(x, l))) return NULL;
    do made->next = first;
    while (!atomic_compare_exchange_weak(&e->grids, &first, made));
    return made;
}

const struct regrid *executable_regrid(const struct unfolded_kernel *u) { return &u->grid; }

const struct unfold *executable_unfold(const struct unfolded_kernel *u) { return &u->made; }

uint32_t executable_unfold_alone(const struct unfolded_kernel *u) { return u->alone; }

/* May what is known of the last launch be read and written? It is given back then. */
static bool take_last(struct digital_kernels *all, uint32_t bytes) {
    return bytes <= LASTLAUNCHES_PARAMS &&
           !atomic_flag_test_and_set_explicit(&all->busy, memory_order_acquire);
}

static void give_last(struct digital_kernels *all) {
    atomic_flag_clear_explicit(&all->busy, memory_order_release);
}

bool executable_unfold_apart(struct unfolded_kernel *u, const struct affine_launch *l) {
    double insts = (double)u->made.kernel->ninsts / ISA_WARP;
    for (unsigned d = 0; d < 3; d++) insts *= (double)l->groups[d] * l->local_size[d];
    return u->isolation != ISOLATION_NONE && lastlaunches_apart(&u->last, u->made.kernel, l, insts);
}

/* ---- kernels as they are in a launch ---- */

struct digits_look {
    const struct isa_kernel *kernel;
    const struct affine_launch *launch;
    struct digits *made; /* NULL: is there anything to be made? */
    bool good;
};

static void digits_ask(void *argument) {
    struct digits_look *q = argument;
    q->good = q->made ? digits_find(q->made, q->kernel, q->launch) : digits_may(q->kernel);
}

static struct digital_kernels *digital_of(struct entrance *e) {
    struct digital_kernels *known = atomic_load_explicit(&e->digital, memory_order_acquire), *made;
    if (known || !(made = calloc(1, sizeof *made))) return known;
    struct digits_look q = {.kernel = e->kernel};
    atomic_flag_clear(&made->busy);
    made->may = stack_call(digits_ask, &q) && q.good;
    if (atomic_compare_exchange_strong(&e->digital, &known, made)) return made;
    free(made);
    return known;
}

bool executable_has_digits(struct executable *x, const struct isa_kernel *kernel) {
    struct entrance *e = entrance_of(x, kernel);
    const struct digital_kernels *all = e ? digital_of(e) : NULL;
    return all && all->may;
}

/* The kernel that is known for such launches; or NULL, and how many others there are. */
static struct digital_kernel *known_digital(struct digital_kernel *d, const struct digits *made,
                                            const struct isa_kernel *kernel, unsigned *count) {
    for (*count = 0; d && !digits_same(&d->made, made, kernel); d = d->next) ++*count;
    return d;
}

/* Writes it. False: no memory, or it would not be what was run. */
static bool write_digital(const struct executable *x, struct digital_kernel *d,
                          const struct isa_kernel *kernel) {
    struct isa_error error;
    if (!digits_write(&d->made, kernel)) return false;
    bool sound = isa_verify_one(x->module, d->made.kernel, &error);
    assert(sound);
    if (sound) trace_dump(tier_trace(), "digits", d->made.kernel);
    d->entrance.kernel = d->made.kernel;
    return sound;
}

/* The kernel that it is in the launch; NULL: as it was. Arguments that are numbers in it change
 * from launch to launch: *waits says that such a one is not to be written yet, and whether there is
 * one then. */
static const struct isa_kernel *find_digital(const struct executable *x,
                                             struct digital_kernels *all,
                                             const struct isa_kernel *kernel,
                                             const struct affine_launch *l, bool *waits) {
    struct digital_kernel *made = calloc(1, sizeof *made), *known = NULL,
                          *first = atomic_load_explicit(&all->first, memory_order_acquire);
    if (!made) return NULL;
    struct digits_look q = {.kernel = kernel, .launch = l, .made = &made->made};
    bool good = stack_call(digits_ask, &q) && q.good && made->made.steps;
    unsigned count = 0;
    if (good) known = known_digital(first, &made->made, kernel, &count);
    good = good && !known && count < MOST_DIGITAL;
    *waits &= good && made->made.numbers;
    good = good && !*waits && write_digital(x, made, kernel);
    while (good) {
        made->next = first;
        if (atomic_compare_exchange_weak(&all->first, &first, made)) return made->made.kernel;
    }
    digital_kernel_free(made);
    return known ? known->made.kernel : NULL;
}

const struct isa_kernel *executable_digital(struct executable *x, const struct isa_kernel *kernel,
                                            const struct affine_launch *l) {
    struct entrance *e = entrance_of(x, kernel);
    struct digital_kernels *all = e ? digital_of(e) : NULL;
    uint32_t bytes = kernel->param_bytes;
    if (!all || !all->may) return NULL;
    bool waits = true;
    if (!take_last(all, bytes)) return find_digital(x, all, kernel, l, &waits);
    if (!lastlaunches_is(&all->last, l, bytes) || all->waits) {
        bool looks = all->vain < PATIENCE;
        waits = looks && all->asked && !all->waits;
        all->found = looks ? find_digital(x, all, kernel, l, &waits) : NULL;
        all->vain = all->found ? 0 : all->vain + 1;
        all->asked = true;
        all->waits = waits;
        lastlaunches_note(&all->last, l, bytes);
    }
    const struct isa_kernel *found = all->found;
    give_last(all);
    return found;
}

struct facts *executable_facts(struct executable *x, const struct isa_kernel *kernel) {
    const struct entrance *e = entrance_of(x, kernel);
    return e ? e->facts : NULL;
}

struct executable_kernel *executable_kernel(struct executable *x, const struct isa_kernel *kernel,
                                            const struct observe_set *observers, bool debug,
                                            bool low_ids) {
    struct entrance *e = entrance_of(x, kernel);
    if (!e) return NULL;
    struct executable_kernel *first = atomic_load_explicit(&e->first, memory_order_acquire);
    low_ids &= !debug && !(observers && observers->count);
    struct executable_kernel *k = find(first, observers, debug, low_ids), *made;
    if (k) return k;
    /* Two threads may prepare the same kernel at once; the second to finish throws its code away. A
     * lock would have to be held while an engine works, across a fork too. */
    if (!(made = executable_kernel_new(x, kernel, observers, debug, low_ids))) return NULL;
    do {
        made->next = first;
        if (atomic_compare_exchange_weak(&e->first, &first, made)) return made;
    } while (!(k = find(first, observers, debug, low_ids)));
    executable_kernel_free(made);
    return k;
}

void executable_launch(struct executable_kernel *k, const struct launch *l, const struct tiles *t) {
    const struct isa_kernel *native = k->kernel;
    if (k->debug) return;
    if (k->plan) native = observe_refine(k->plan, k->kernel, l->local_size);
    struct tier_size size = tier_size(l, t, &k->tiling);
    tier_launch(&k->tier, l, &size, native, k->traits, &k->code);
}

const struct tiles_traits *executable_tiling(const struct executable_kernel *k) {
    return &k->tiling;
}

_Atomic uint32_t *executable_refusals(struct executable_kernel *k) { return &k->refusals; }

struct last_launches *executable_last(struct executable_kernel *k) {
    return &k->last;
}

struct shuffling {
    const struct isa_kernel *kernel;
    void *data;
};

static void shuffled_prepare(void *argument) {
    struct shuffling *q = argument;
    q->data = shuffle_engine.prepare(NULL, q->kernel);
}

const struct code *executable_shuffled(struct executable_kernel *k) {
    struct code *known = atomic_load_explicit(&k->shuffled, memory_order_acquire), *none = NULL;
    if (known) return known;
    struct shuffling q = {k->kernel, NULL};
    struct code *made = stack_call(shuffled_prepare, &q) && q.data ? malloc(sizeof *made) : NULL;
    if (!made) {
        if (q.data) shuffle_engine.discard(q.data);
        return NULL;
    }
    *made = (struct code){&shuffle_engine, q.data};
    if (atomic_compare_exchange_strong(&k->shuffled, &none, made)) return made;
    shuffled_free(made);
    return none;
}

void executable_spent(struct executable_kernel *k, uint64_t ns, double items) {
    if (k->debug) return;
    tier_spent(&k->tier, ns);
    if (items > 0)
        atomic_store_explicit(&k->pace, (double)ns * pool_threads() / items, memory_order_relaxed);
}

double executable_pace(const struct executable_kernel *k) {
    return atomic_load_explicit(&k->pace, memory_order_relaxed);
}

struct launch_state *executable_keep(struct executable *x, const struct isa_kernel *kernel,
                                     struct launch_state *s) {
    struct entrance *e = entrance_of(x, kernel);
    return e ? atomic_exchange_explicit(&e->kept, s, memory_order_acq_rel) : s;
}

bool executable_settled(const struct executable_kernel *k, const struct launch *l) {
    struct tier_size size = tier_size(l, NULL, &k->tiling);
    return !k->debug && !k->plan && tier_settled(&k->tier, &size);
}

void executable_took(struct executable *x, const struct isa_kernel *kernel, double item_ns) {
    struct entrance *e = entrance_of(x, kernel);
    if (e) atomic_store_explicit(&e->item_ns, item_ns, memory_order_relaxed);
}

double executable_item_ns(struct executable *x, const struct isa_kernel *kernel) {
    struct entrance *e = entrance_of(x, kernel);
    return e ? atomic_load_explicit(&e->item_ns, memory_order_relaxed) : 0;
}

const struct code *executable_code(const struct executable_kernel *k, const struct launch *l,
                                   const struct tiles *t) {
    struct tier_size size = tier_size(l, t, &k->tiling);
    const struct code *native = tier_code(&k->tier, &size);
    return native ? native : &k->code;
}

const struct code *executable_plain(const struct executable_kernel *k) { return &k->code; }

const struct isa_kernel *executable_run_kernel(const struct executable_kernel *k) {
    return k->kernel;
}

struct observe_plan *executable_plan(const struct executable_kernel *k) {
    return k->plan;
}

unsigned executable_traits(const struct executable_kernel *k) { return k->traits; }
