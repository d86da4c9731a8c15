#include "alone.h"

#include <stdlib.h>
#include <string.h>

#include "device/analysis/provenance.h"
#include "device/analysis/warpregions.h"
#include "device/isa/rewrite.h"

enum { MOST_KERNEL = 1000 /* instructions of a kernel that gets versions */ };

bool alone_may(const struct isa_kernel *k) {
    return k->nparams <= PROVENANCE_PARAMS && k->ninsts <= MOST_KERNEL &&
           rewrite_nesting(k) < ISA_MAX_NESTING;
}

void alone_if(struct kernelcopy *c, uint32_t params, uint32_t site) {
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand alone = kernelcopy_alone(c, params);
    kernelcopy_add(c, ISA_if, ISA_NONE_T, none, alone, none)->site = site;
}

/* Where the innermost loop around an instruction begins, + 1; 0: there is none. */
static uint32_t loop_around(const struct isa_kernel *k, uint32_t n) {
    uint32_t in = n;
    while (in && (k->insts[in - 1].op != ISA_loop || k->insts[in - 1].match < n)) in--;
    return in;
}

void alone_rename(struct kernelcopy *c, uint32_t from, uint32_t to, bool again,
                  struct arena *arena) {
    enum { READ = 1, WRITTEN = 2, OUTSIDE = 4, ANEW = 8 };
    const struct isa_kernel *k = c->k;
    uint8_t *is = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    uint32_t loop = loop_around(k, from);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool inside = n >= from && n <= to;
        bool anew = loop && n < from && n >= loop && warpregions_passed(k, n, from);
        for (unsigned s = 0; s < i->nsrc && !inside; s++)
            if (isa_is_reg(isa_srcs(k, i)[s])) is[isa_srcs(k, i)[s]] |= READ;
        for (unsigned d = 0; d < i->ndst; d++)
            is[isa_dsts(k, i)[d]] |= inside ? WRITTEN : anew ? OUTSIDE | ANEW : OUTSIDE;
    }
    for (uint32_t r = 0; r < k->nregs; r++) {
        if (is[r] & READ || !(is[r] & WRITTEN) || (again && !(is[r] & OUTSIDE))) continue;
        /* it may be from the last time that a loop around them came here */
        if (loop && is[r] & OUTSIDE && !(is[r] & ANEW)) continue;
        kernelcopy_rename(c, r);
        if (is[r] & OUTSIDE) kernelcopy_move(c, c->names[r], r);
    }
}

static const uint64_t *in_arena(const struct isa_kernel *k, struct arena *arena,
                                uint64_t *find(const struct isa_kernel *k)) {
    uint64_t *all = ARENA_ARRAY(arena, uint64_t, k->nregs + 1u), *of = find(k);
    if (of) memcpy(all, of, k->nregs * sizeof *of);
    bool good = of;
    free(of);
    return good ? all : NULL;
}

const uint64_t *alone_provenance(const struct isa_kernel *k, struct arena *arena) {
    return in_arena(k, arena, provenance_new);
}

const uint64_t *alone_arrays(const struct isa_kernel *k, struct arena *arena) {
    return in_arena(k, arena, provenance_new_local);
}

/* The parameters that an `if` asks of. */
static uint32_t asked(const struct isa_kernel *k, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    static const enum isa_op made_by[] = {ISA_eq, ISA_and, ISA_special};
    isa_operand o = isa_srcs(k, i)[0];
    uint32_t params = 0;
    for (unsigned step = 0; step < 3; step++) {
        while (n-- && !isa_writes(k, &k->insts[n], o))
            if (isa_op_info[k->insts[n].op].flags & ISA_OP_REGION) return 0;
        if (n == UINT32_MAX || k->insts[n].op != made_by[step]) return 0;
        i = &k->insts[n];
        if (step == 2) break;
        uint32_t all;
        if (!isa_constant(k, isa_srcs(k, i)[1], &all) || (step && all != params)) return 0;
        params = all;
        o = isa_srcs(k, i)[0];
        if (!isa_is_reg(o)) return 0;
    }
    return i->imm == ISA_SPECIAL_alone ? params : 0;
}

uint32_t alone_known(const struct isa_kernel *k, uint32_t n) {
    uint32_t known = 0;
    bool other;
    while ((n = warpregions_around(k, n, &other)) != UINT32_MAX)
        if (k->insts[n].op == ISA_if && !other) known |= asked(k, n);
    return known;
}
