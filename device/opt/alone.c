#include "alone.h"

#include "device/analysis/provenance.h"
#include "device/isa/rewrite.h"

enum {
    MOST_PARAMS = 32,  /* bits of the special register `alone` */
    MOST_KERNEL = 1000 /* instructions of a kernel that gets versions */
};

bool alone_may(const struct isa_kernel *k) {
    return k->nparams <= MOST_PARAMS && k->ninsts <= MOST_KERNEL &&
           rewrite_nesting(k) < ISA_MAX_NESTING;
}

uint32_t alone_param(const struct isa_kernel *k, const uint64_t *provenance,
                     const struct isa_inst *s) {
    uint64_t from = provenance_of(k, provenance, s);
    if (!from || from & (from - 1) || from >> MOST_PARAMS) return 0;
    bool is_volatile = k->params[__builtin_ctzll(from)].qualifiers & ISA_QUAL_VOLATILE;
    return is_volatile ? 0 : (uint32_t)from;
}

void alone_if(struct kernelcopy *c, uint32_t params, uint32_t site) {
    const isa_operand none = ISA_NO_OPERAND;
    isa_operand alone = kernelcopy_alone(c, params);
    kernelcopy_add(c, ISA_if, ISA_NONE_T, none, alone, none)->site = site;
}
