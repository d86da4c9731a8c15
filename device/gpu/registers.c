#include "registers.h"

#include <stdlib.h>

/* A register's life, from the first instruction that mentions it to the last; a loop that it enters
 * alive, or in which it is read before it is written, belongs to it as a whole. */
struct life {
    uint32_t first, last;
};

static unsigned width(enum isa_type t) {
    return t == ISA_PRED || t == ISA_NONE_T ? 0 : t == ISA_I64 || t == ISA_F64 ? 2 : 1;
}

static void mention(struct life *l, uint32_t at) {
    if (l->first > at) l->first = at;
    if (l->last < at) l->last = at;
}

/* The loop from `begin` to `end`: whoever is used inside and outside of it, or read at its top,
 * lives through it. */
static void stretch(const struct isa_kernel *k, struct life *lives, uint32_t *written,
                    uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i <= end; i++) {
        const struct isa_inst *inst = &k->insts[i];
        for (unsigned s = 0; s < inst->nsrc; s++) {
            isa_operand o = isa_srcs(k, inst)[s];
            if (!isa_is_reg(o)) continue;
            if (lives[o].first < begin) mention(&lives[o], end);
            if (written[o] != end) mention(&lives[o], begin);
            if (written[o] != end) mention(&lives[o], end);
        }
        for (unsigned d = 0; d < inst->ndst; d++) written[isa_dsts(k, inst)[d]] = end;
    }
}

static unsigned count_registers(const struct isa_kernel *k) {
    if (k->nregs == 0) return 0;
    struct life *lives = malloc(k->nregs * sizeof *lives);
    uint32_t *written =
        calloc(k->nregs, sizeof *written); /* the last loop, by its end, to write it */
    int32_t *change = calloc((size_t)k->ninsts + 2, sizeof *change);
    unsigned most = 0;
    if (lives && written && change) {
        for (uint32_t r = 0; r < k->nregs; r++) lives[r] = (struct life){UINT32_MAX, 0};
        for (uint32_t i = 0; i < k->ninsts; i++) {
            const struct isa_inst *inst = &k->insts[i];
            for (unsigned o = 0; o < (unsigned)inst->ndst + inst->nsrc; o++)
                if (isa_is_reg(isa_dsts(k, inst)[o])) mention(&lives[isa_dsts(k, inst)[o]], i);
        }
        /* inner loops end first, so what they stretch is seen by the outer ones */
        for (uint32_t i = 0; i < k->ninsts; i++)
            if (k->insts[i].op == ISA_endloop) stretch(k, lives, written, k->insts[i].match, i);
        for (uint32_t r = 0; r < k->nregs; r++) {
            if (lives[r].first == UINT32_MAX) continue;
            change[lives[r].first] += (int32_t)width(k->reg_types[r]);
            change[lives[r].last + 1] -= (int32_t)width(k->reg_types[r]);
        }
        int32_t live = 0;
        for (uint32_t i = 0; i < k->ninsts; i++) {
            live += change[i];
            if (live > (int32_t)most) most = (unsigned)live;
        }
    }
    free(lives);
    free(written);
    free(change);
    return most;
}

bool gpu_resources_find(const struct isa_kernel *k, struct gpu_resources *r) {
    uint32_t arguments = GPU_SHARED_SYSTEM_BYTES + k->param_bytes;
    unsigned registers = count_registers(k);
    if (registers < 2) registers = 2;
    *r = (struct gpu_resources){
        .argument_bytes = arguments,
        .shared_bytes = arguments + k->local_bytes,
        .local_bytes = k->private_bytes,
        .registers = registers < GPU_MAX_REGISTERS ? registers : GPU_MAX_REGISTERS,
    };
    return true;
}
