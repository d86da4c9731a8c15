/* What depends on the group: its id, what is read from memory; or on when other groups run: what is
 * read where they may store; and all that follows from these, be it a value or whether work-items
 * come to a place. */
#include "race_steady.h"

#include <stdlib.h>

struct race_flow {
    const struct isa_kernel *k;
    const bool *others; /* sites where other groups may access the same: on these it has to depend;
                           NULL: on the group */
    bool images;        /* some are written */
    bool *regs;         /* may be another in other groups */
    bool *parts;        /* of each region, by its first instruction: so may who is in it */
    bool frame, tile;   /* so may what private memory holds, and local memory */
    bool rest;          /* and who is left at all */
    bool changed;
    uint32_t open[ISA_MAX_NESTING + 1], depth;
};

static void mark(struct race_flow *f, bool *it, bool varies) {
    f->changed |= varies && !*it;
    *it |= varies;
}

static bool reads(const struct race_flow *f, const struct isa_inst *i) {
    bool varies = false;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(f->k, i)[s];
        varies |= isa_is_reg(o) && f->regs[o];
    }
    return varies;
}

/* May others be here in other groups? */
static bool is_apart(const struct race_flow *f) {
    bool varies = f->rest;
    for (uint32_t d = 0; d < f->depth; d++) varies |= f->parts[f->open[d]];
    return varies;
}

/* Is what it reads, or gives back of an atomic operation, for other groups to say? */
static bool gives_of_others(const struct race_flow *f, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_IMAGE) return f->images && flags & ISA_OP_READS;
    if (!(flags & ISA_OP_MEMORY)) return flags & ISA_OP_READS;
    if (i->space == ISA_PRIVATE) return f->frame;
    if (i->space == ISA_LOCAL) return f->tile;
    if (flags & ISA_OP_ATOMIC) return true;
    return i->space == ISA_GLOBAL && (!i->site || f->others[i->site - 1]);
}

static bool gives(const struct race_flow *f, const struct isa_inst *i) {
    if (reads(f, i)) return true;
    if (f->others) return gives_of_others(f, i);
    if (i->op == ISA_special)
        return (i->imm >= ISA_SPECIAL_global_id_x && i->imm <= ISA_SPECIAL_group_id_z);
    if (i->op == ISA_ld)
        return i->space == ISA_GLOBAL || i->space == ISA_LOCAL ||
               (i->space == ISA_PRIVATE && f->frame);
    return isa_op_info[i->op].flags & (ISA_OP_ATOMIC | ISA_OP_READS) && i->op != ISA_ld;
}
_Static_assert(ISA_SPECIAL_global_id_x < ISA_SPECIAL_group_id_x &&
                   ISA_SPECIAL_group_id_z - ISA_SPECIAL_global_id_x == 5,
               "in a row");

/* Who leaves a region, or comes to its next iteration, says who stays in it. */
static void jump(struct race_flow *f, const struct isa_inst *i) {
    bool varies = is_apart(f) || reads(f, i);
    if (i->op == ISA_ret) {
        mark(f, &f->rest, varies);
        return;
    }
    for (uint32_t d = 0; d <= (uint32_t)i->imm; d++)
        mark(f, &f->parts[f->open[f->depth - 1 - d]], varies);
}

static void step(struct race_flow *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_REGION_END) {
        f->depth--;
        return;
    }
    bool apart = is_apart(f);
    if (flags & ISA_OP_REGION_BEGIN) {
        mark(f, &f->parts[n], i->op == ISA_if && reads(f, i));
        f->open[f->depth++] = n;
    }
    if (flags & ISA_OP_JUMP) jump(f, i);
    bool memory = flags & ISA_OP_MEMORY && i->op != ISA_ld;
    if (memory && i->space == ISA_PRIVATE) mark(f, &f->frame, apart || reads(f, i));
    if (memory && i->space == ISA_LOCAL) mark(f, &f->tile, apart || reads(f, i));
    bool varies = i->ndst && (apart || gives(f, i));
    for (unsigned d = 0; d < i->ndst; d++) mark(f, &f->regs[isa_dsts(f->k, i)[d]], varies);
}

/* Does what is looked at depend on the group? */
static bool matters(const struct race_flow *f, const struct isa_inst *i, const bool *sites) {
    if (i->op == ISA_bar) return is_apart(f);
    if (!(isa_op_info[i->op].flags & ISA_OP_MEMORY) || !i->site || !sites[i->site - 1])
        return false;
    if (f->others) return is_apart(f) || reads(f, i);
    isa_operand at = isa_srcs(f->k, i)[0];
    bool own = i->space == ISA_LOCAL || i->space == ISA_PRIVATE;
    return !own || is_apart(f) || (isa_is_reg(at) && f->regs[at]);
}

static bool depends(struct race_flow *f, const bool *sites) {
    const struct isa_kernel *k = f->k;
    f->regs = calloc(k->nregs + (size_t)1, sizeof *f->regs);
    f->parts = calloc(k->ninsts + (size_t)1, sizeof *f->parts);
    f->changed = true;
    bool good = f->regs && f->parts;
    for (uint32_t n = 0; n < k->ninsts; n++) f->images |= k->insts[n].op == ISA_img_write;
    while (good && f->changed) {
        f->changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) step(f, n);
    }
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        step(f, n);
        good = !matters(f, &k->insts[n], sites);
    }
    free(f->regs);
    free(f->parts);
    return !good;
}

bool race_steady(const struct isa_kernel *k, const bool *sites) {
    return !depends(&(struct race_flow){.k = k}, sites);
}

bool race_alone(const struct isa_kernel *k, const bool *sites) {
    return !depends(&(struct race_flow){.k = k, .others = sites}, sites);
}
