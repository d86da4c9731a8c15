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
#include "device/opt/opt.h"
#include "device/opt/unfold.h"
#include "tier.h"

/* A kernel as the engines run it for one set of observers: a copy that may hold probes and that
 * host passes have been over, and the code of that. Immutable, but for the tier. */
struct executable_kernel {
    struct observe_set observers;
    bool debug;                /* as it was built, for a debugger */
    struct observe_plan *plan; /* NULL: nobody looks on */
    struct isa_kernel *kernel;
    struct code code; /* the interpreter's */
    unsigned traits;  /* KERNEL_* */
    struct tiles_traits tiling;
    _Atomic uint32_t refusals;     /* launches in a row that did not become tiles */
    _Atomic double pace;           /* executable_pace */
    struct tier tier;              /* native code */
    struct code *_Atomic shuffled; /* for launches in a random order; NULL: not asked for yet */
    struct executable_kernel *next;
};

enum { LAST_PARAMS = 256 };

/* A kernel of the module, and what has been made of it: one for each set that was asked for. */
struct entrance {
    const struct isa_kernel *kernel;
    struct facts *facts; /* what observers have found out; NULL: there was no memory */
    struct executable_kernel *_Atomic first;
    struct unfolded_kernel *_Atomic unfolded; /* NULL: not asked for yet */
    _Atomic double item_ns;                   /* executable_item_ns */
    struct launch_state *_Atomic kept;        /* executable_keep */
};

/* The same for work-items that do an iteration each. */
struct unfolded_kernel {
    struct unfold made;
    enum isolation isolation; /* of those; */
    uint32_t alone;           /* its parameters */
    struct entrance entrance;
    /* The last launch that was asked about: launches are often alike. */
    atomic_flag busy;
    bool known, apart;
    struct affine_launch last;
    char params[LAST_PARAMS];
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

static void entrance_free(struct entrance *e) {
    struct executable_kernel *k = atomic_load(&e->first), *next;
    for (; k; k = next) {
        next = k->next;
        executable_kernel_free(k);
    }
    facts_free(e->facts);
    unfolded_free(atomic_load(&e->unfolded));
    free(atomic_load(&e->kept));
}

static void unfolded_free(struct unfolded_kernel *u) {
    if (!u) return;
    entrance_free(&u->entrance);
    isa_kernel_free(u->made.kernel);
    free(u);
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
    if (k->debug || opt_run(q->module, k->kernel, tier_trace()))
        k->code.data = k->code.engine->prepare(q->module, k->kernel);
    if (!k->debug && !k->plan && !trace_off(tier_trace(), "regroup"))
        k->tiling = tiletraits_find(k->kernel);
}

static struct executable_kernel *executable_kernel_new(const struct executable *x,
                                                       const struct isa_kernel *kernel,
                                                       const struct observe_set *observers,
                                                       bool debug) {
    struct executable_kernel *k = calloc(1, sizeof *k);
    struct preparation q = {x->module, kernel, k};
    if (!k) return NULL;
    if (observers) k->observers = *observers;
    k->debug = debug;
    k->traits = traits(kernel);
    if (stack_call(prepare, &q) && k->code.data) return k;
    executable_kernel_free(k);
    return NULL;
}

static struct executable_kernel *find(struct executable_kernel *k,
                                      const struct observe_set *observers, bool debug) {
    while (k && (k->debug != debug || !observe_set_equal(&k->observers, observers))) k = k->next;
    return k;
}

static struct entrance *entrance_of(struct executable *x, const struct isa_kernel *kernel) {
    for (uint32_t n = 0; n < x->module->nkernels; n++) {
        struct entrance *e = &x->entrances[n];
        struct unfolded_kernel *u = atomic_load_explicit(&e->unfolded, memory_order_acquire);
        if (e->kernel == kernel) return e;
        if (u && u->made.kernel == kernel) return &u->entrance;
    }
    return NULL;
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
    atomic_flag_clear(&made->busy);
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

const struct unfold *executable_unfold(const struct unfolded_kernel *u) { return &u->made; }

uint32_t executable_unfold_alone(const struct unfolded_kernel *u) { return u->alone; }

static bool is_last(const struct unfolded_kernel *u, const struct affine_launch *l,
                    uint32_t bytes) {
    return u->known && !memcmp(u->last.groups, l->groups, sizeof l->groups) &&
           !memcmp(u->last.local_size, l->local_size, sizeof l->local_size) &&
           !memcmp(u->last.offset, l->offset, sizeof l->offset) &&
           !memcmp(u->params, l->params, bytes);
}

bool executable_unfold_apart(struct unfolded_kernel *u, const struct affine_launch *l) {
    uint32_t bytes = u->made.kernel->param_bytes;
    if (u->isolation == ISOLATION_NONE) return false;
    if (bytes > LAST_PARAMS || atomic_flag_test_and_set_explicit(&u->busy, memory_order_acquire))
        return isolation_holds(u->made.kernel, l);
    if (!is_last(u, l, bytes)) {
        u->apart = isolation_holds(u->made.kernel, l);
        u->known = true;
        u->last = *l;
        memcpy(u->params, l->params, bytes);
    }
    bool apart = u->apart;
    atomic_flag_clear_explicit(&u->busy, memory_order_release);
    return apart;
}

struct facts *executable_facts(struct executable *x, const struct isa_kernel *kernel) {
    const struct entrance *e = entrance_of(x, kernel);
    return e ? e->facts : NULL;
}

struct executable_kernel *executable_kernel(struct executable *x, const struct isa_kernel *kernel,
                                            const struct observe_set *observers, bool debug) {
    struct entrance *e = entrance_of(x, kernel);
    if (!e) return NULL;
    struct executable_kernel *first = atomic_load_explicit(&e->first, memory_order_acquire);
    struct executable_kernel *k = find(first, observers, debug), *made;
    if (k) return k;
    /* Two threads may prepare the same kernel at once; the second to finish throws its code away. A
     * lock would have to be held while an engine works, across a fork too. */
    if (!(made = executable_kernel_new(x, kernel, observers, debug))) return NULL;
    do {
        made->next = first;
        if (atomic_compare_exchange_weak(&e->first, &first, made)) return made;
    } while (!(k = find(first, observers, debug)));
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
