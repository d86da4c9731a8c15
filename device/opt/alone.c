#include "alone.h"

#include "device/analysis/provenance.h"
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
