#include "executable.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/engine.h"
#include "tier.h"

struct executable_kernel {
    const struct isa_kernel *kernel;
    const struct code *_Atomic code; /* NULL: not prepared yet */
    unsigned traits;                 /* KERNEL_* */
    struct tier tier;                /* native code */
};

struct executable {
    atomic_uint refs;
    struct memory *memory;
    const struct isa_module *module;
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

struct executable *executable_new(struct memory *memory, const struct isa_module *module) {
    struct executable *x = calloc(1, sizeof *x + module->nkernels * sizeof *x->kernels);
    if (!x) return NULL;
    atomic_init(&x->refs, 1);
    x->memory = memory;
    x->module = module;
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

static void code_free(const struct code *code) {
    if (!code) return;
    code->engine->discard(code->data);
    free((void *)code);
}

void executable_release(struct executable *x) {
    if (!x || atomic_fetch_sub(&x->refs, 1) != 1) return;
    for (uint32_t i = 0; i < x->module->nkernels; i++) {
        tier_free(&x->kernels[i].tier);
        code_free(atomic_load(&x->kernels[i].code));
    }
    memory_release(x->memory, x->constants);
    free(x);
}

const struct isa_module *executable_module(const struct executable *x) { return x->module; }
struct memory *executable_memory(const struct executable *x) {
    return x->memory;
}
uint32_t executable_constants(const struct executable *x) { return x->constants; }

static const struct code *code_new(const struct executable *x, const struct isa_kernel *kernel) {
    struct code *code = malloc(sizeof *code);
    if (!code) return NULL;
    code->engine = &interpreter;
    code->data = code->engine->prepare(x->module, kernel);
    if (code->data) return code;
    free(code);
    return NULL;
}

struct executable_kernel *executable_kernel(struct executable *x, const struct isa_kernel *kernel) {
    struct executable_kernel *k = x->kernels;
    for (uint32_t n = x->module->nkernels; n && k->kernel != kernel; n--) k++;
    if (k == x->kernels + x->module->nkernels) return NULL;
    if (atomic_load_explicit(&k->code, memory_order_acquire)) return k;
    /* Two threads may prepare the same kernel at once; the second to finish throws its code away. A
     * lock would have to be held while an engine works, across a fork too. */
    const struct code *made = code_new(x, kernel), *there = NULL;
    if (!made) return NULL;
    if (!atomic_compare_exchange_strong(&k->code, &there, made)) code_free(made);
    return k;
}

void executable_launch(struct executable_kernel *k, const struct launch *l) {
    tier_launch(&k->tier, l, k->traits, atomic_load_explicit(&k->code, memory_order_acquire));
}

void executable_spent(struct executable_kernel *k, uint64_t ns) { tier_spent(&k->tier, ns); }

const struct code *executable_code(const struct executable_kernel *k, const struct launch *l) {
    const struct code *native = tier_code(&k->tier, l->local_size);
    return native ? native : atomic_load_explicit(&k->code, memory_order_acquire);
}

unsigned executable_traits(const struct executable_kernel *k) { return k->traits; }
