#include "capability.h"

#include <stdio.h>

static bool has_doubles(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nregs; n++)
        if (k->reg_types[n] == ISA_F64) return true;
    return false;
}

/* The first atomic operation that the model has not, or NULL. */
static const struct isa_inst *foreign_atomic(const struct model *m, const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!(isa_op_info[i->op].flags & ISA_OP_ATOMIC)) continue;
        bool wide = isa_type_size[i->type] > 4;
        bool has = i->space == ISA_LOCAL || wide ? m->shared_atomics : m->global_atomics;
        if (!has) return i;
    }
    return NULL;
}

/* NULL: the kernel needs nothing that the model has not. */
static const char *find_lack(const struct model *m, const struct isa_kernel *k, char *room,
                             size_t size) {
    const struct isa_inst *atomic = foreign_atomic(m, k);
    if (!m->doubles && has_doubles(k)) return "double precision";
    if (atomic) {
        snprintf(room, size, "atomic operations of %u bits in %s memory",
                 isa_type_size[atomic->type] * 8u, atomic->space == ISA_LOCAL ? "local" : "global");
        return room;
    }
    if (k->local_bytes > m->shared_bytes) {
        snprintf(room, size, "%u bytes of local memory, not %u", (unsigned)k->local_bytes,
                 (unsigned)m->shared_bytes);
        return room;
    }
    if (k->private_bytes - k->spill_bytes > m->private_bytes) {
        snprintf(room, size, "%u bytes of private memory, not %u",
                 (unsigned)(k->private_bytes - k->spill_bytes), (unsigned)m->private_bytes);
        return room;
    }
    return NULL;
}

bool gpu_can_run(const struct model *m, const struct isa_module *module, char *why, size_t size) {
    char room[96];
    if (module->data_bytes > m->constant_bytes) {
        snprintf(why, size, "the program needs %u bytes of constant memory, %s has %u",
                 (unsigned)module->data_bytes, m->name, (unsigned)m->constant_bytes);
        return false;
    }
    for (uint32_t n = 0; n < module->nkernels; n++) {
        const char *what = find_lack(m, module->kernels[n], room, sizeof room);
        if (!what) continue;
        snprintf(why, size, "kernel %s needs %s, which %s does not have", module->kernels[n]->name,
                 what, m->name);
        return false;
    }
    return true;
}
