#include "executable.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/engine.h"
#include "device/host/stack.h"
#include "device/opt/opt.h"
#include "tier.h"

/* A kernel as the engines run it: a copy that may hold probes and that host passes have been over,
 * and the interpreter's code of that. Immutable. */
struct prepared {
    struct observe_plan *plan; /* NULL: nobody looks on */
    struct isa_kernel *kernel;
    struct code code;
};

struct executable_kernel {
    const struct isa_kernel *kernel;         /* the module's */
    const struct prepared *_Atomic prepared; /* NULL: not yet */
    unsigned traits;                         /* KERNEL_* */
    struct tier tier;                        /* native code */
};

struct executable {
    atomic_uint refs;
    uint64_t serial;
    struct memory *memory;
    const struct isa_module *module;
    struct observe_set observers;
    uint32_t constants; /* address of the constant data, 0: there is none */
    struct executable_kernel kernels[];
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

struct executable *executable_new(struct memory *memory, const struct isa_module *module,
                                  const struct observe_set *observers) {
    struct executable *x = calloc(1, sizeof *x + module->nkernels * sizeof *x->kernels);
    if (!x) return NULL;
    static _Atomic uint64_t serials;
    atomic_init(&x->refs, 1);
    x->serial = atomic_fetch_add(&serials, 1) + 1;
    x->memory = memory;
    x->module = module;
    if (observers) x->observers = *observers;
    for (uint32_t i = 0; i < module->nkernels; i++) {
        x->kernels[i].kernel = module->kernels[i];
        x->kernels[i].traits = traits(module->kernels[i]);
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

static void prepared_free(const struct prepared *p) {
    if (!p) return;
    if (p->code.data) p->code.engine->discard(p->code.data);
    isa_kernel_free(p->kernel);
    observe_plan_free(p->plan);
    free((void *)p);
}

void executable_release(struct executable *x) {
    if (!x || atomic_fetch_sub(&x->refs, 1) != 1) return;
    for (uint32_t i = 0; i < x->module->nkernels; i++) {
        tier_free(&x->kernels[i].tier);
        prepared_free(atomic_load(&x->kernels[i].prepared));
    }
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
static bool observe(const struct executable *x, struct prepared *p,
                    const struct isa_kernel *kernel) {
    if (!x->observers.count) return true;
    p->plan = observe_plan_new(x->module, kernel, &x->observers);
    if (!p->plan || !observe_plan_apply(p->plan, p->kernel)) return false;
    trace_dump(tier_trace(), "probes", p->kernel);
    return true;
}

struct preparation {
    const struct executable *x;
    const struct isa_kernel *kernel;
    struct prepared *p;
};

static void prepare(void *argument) {
    const struct preparation *q = argument;
    const struct isa_module *m = q->x->module;
    struct prepared *p = q->p;
    p->kernel = isa_kernel_copy(q->kernel);
    p->code.engine = &interpreter;
    if (p->kernel && observe(q->x, p, q->kernel) && opt_run(m, p->kernel, tier_trace()))
        p->code.data = p->code.engine->prepare(m, p->kernel);
}

static const struct prepared *prepared_new(const struct executable *x,
                                           const struct isa_kernel *kernel) {
    struct prepared *p = calloc(1, sizeof *p);
    struct preparation q = {x, kernel, p};
    if (!p) return NULL;
    if (stack_call(prepare, &q) && p->code.data) return p;
    prepared_free(p);
    return NULL;
}

struct executable_kernel *executable_kernel(struct executable *x, const struct isa_kernel *kernel) {
    struct executable_kernel *k = x->kernels;
    for (uint32_t n = x->module->nkernels; n && k->kernel != kernel; n--) k++;
    if (k == x->kernels + x->module->nkernels) return NULL;
    if (atomic_load_explicit(&k->prepared, memory_order_acquire)) return k;
    /* Two threads may prepare the same kernel at once; the second to finish throws its code away. A
     * lock would have to be held while an engine works, across a fork too. */
    const struct prepared *made = prepared_new(x, kernel), *there = NULL;
    if (!made) return NULL;
    if (!atomic_compare_exchange_strong(&k->prepared, &there, made)) prepared_free(made);
    return k;
}

void executable_launch(struct executable_kernel *k, const struct launch *l) {
    const struct prepared *p = atomic_load_explicit(&k->prepared, memory_order_acquire);
    tier_launch(&k->tier, l, p->kernel, k->traits, &p->code);
}

void executable_spent(struct executable_kernel *k, uint64_t ns) { tier_spent(&k->tier, ns); }

const struct code *executable_code(const struct executable_kernel *k, const struct launch *l) {
    const struct code *native = tier_code(&k->tier, l->local_size);
    return native ? native : &atomic_load_explicit(&k->prepared, memory_order_acquire)->code;
}

const struct isa_kernel *executable_run_kernel(const struct executable_kernel *k) {
    return atomic_load_explicit(&k->prepared, memory_order_acquire)->kernel;
}

struct observe_plan *executable_plan(const struct executable_kernel *k) {
    return atomic_load_explicit(&k->prepared, memory_order_acquire)->plan;
}

unsigned executable_traits(const struct executable_kernel *k) { return k->traits; }
