/* Instructions that are best executed as a part of the one that uses their result: address
 * arithmetic of a load or store, a product that is added to, a value that is only copied, a
 * comparison that only branches. */
#ifndef SIMTCL_FUSE_H
#define SIMTCL_FUSE_H

#include "device/isa/isa.h"
#include "device/analysis/shape.h"

enum { FUSE_NONE = UINT32_MAX };

struct fuse {
    uint32_t *into;  /* of each instruction: the later one it is a part of, or FUSE_NONE */
    uint32_t *maker; /* of each register: the instruction that makes it as a part of its only user,
                        or FUSE_NONE */
};

/* Looks for them in a verified kernel. A fused instruction reads its operands when its user is
 * executed: they are still the same there, and so is the mask. s NULL: nothing is to be found.
 * False: out of memory; nothing needs to be freed then. */
bool fuse_find(struct fuse *f, const struct isa_kernel *k, const struct shape *s);
void fuse_free(struct fuse *f);

/* The instruction that makes operand `o` as a part of its user, or NULL. */
static inline const struct isa_inst *fuse_maker(const struct fuse *f, const struct isa_kernel *k,
                                                isa_operand o) {
    return isa_is_reg(o) && f->maker[o] != FUSE_NONE ? &k->insts[f->maker[o]] : NULL;
}

#endif
