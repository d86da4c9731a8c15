/* What has happened since the last barrier, on any way to an instruction: found over and over, as a
 * loop's iterations follow one another, until nothing is new. */
#include "localorder.h"

#include <stdlib.h>

#include "provenance.h"

struct local_accesses { /* arrays, as bits */
    uint64_t stored, loaded;
};

struct localorder {
    const struct isa_kernel *k;
    uint64_t *arrays;                  /* registers: provenance_new_local's */
    struct local_accesses now, *begin; /* instructions: before a loop's iterations */
    struct local_accesses
        before[ISA_MAX_NESTING + 1], /* regions: an `if`, until it has an else part; */
        left[ISA_MAX_NESTING + 1];   /* where it is left, other than at its end */
    bool changed, apart;
};

static bool add(struct local_accesses *a, struct local_accesses b) {
    struct local_accesses was = *a;
    a->stored |= b.stored;
    a->loaded |= b.loaded;
    return a->stored != was.stored || a->loaded != was.loaded;
}

static void access(struct localorder *o, const struct isa_inst *i) {
    uint64_t where = provenance_of(o->k, o->arrays, i);
    if (i->op == ISA_ld) {
        o->apart &= !(o->now.stored & where);
        o->now.loaded |= where;
    } else {
        o->apart &= i->op == ISA_st && !(o->now.loaded & where);
        o->now.stored |= where;
    }
}

static void step(struct localorder *o, uint32_t n, uint32_t *depth, uint32_t *loop) {
    const struct isa_inst *i = &o->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    if (flags & ISA_OP_REGION_BEGIN) {
        o->before[++*depth] = o->now;
        o->left[*depth] = (struct local_accesses){0};
        loop[*depth] = n;
        if (i->op == ISA_loop) add(&o->now, o->begin[n]);
        if (i->op != ISA_if) o->before[*depth] = (struct local_accesses){0};
    } else if (flags & ISA_OP_REGION_ELSE) {
        add(&o->left[*depth], o->now);
        o->now = o->before[*depth];
        o->before[*depth] = (struct local_accesses){0};
    } else if (flags & ISA_OP_REGION_END) {
        if (i->op == ISA_endloop) o->changed |= add(&o->begin[loop[*depth]], o->now);
        add(&o->now, o->before[*depth]);
        add(&o->now, o->left[(*depth)--]);
    } else if (i->op == ISA_continue) {
        o->changed |= add(&o->begin[loop[*depth - (uint32_t)i->imm]], o->now);
    } else if (flags & ISA_OP_JUMP && i->op != ISA_ret) {
        add(&o->left[*depth - (uint32_t)i->imm], o->now);
    } else if (i->op == ISA_bar) {
        o->now = (struct local_accesses){0};
    } else if (flags & ISA_OP_MEMORY && i->space == ISA_LOCAL) {
        access(o, i);
    }
}

bool localorder_apart(const struct isa_kernel *k) {
    struct localorder o = {.k = k,
                           .arrays = provenance_new_local(k),
                           .begin = calloc(k->ninsts + 1ull, sizeof *o.begin),
                           .apart = true};
    bool good = o.arrays && o.begin;
    do {
        uint32_t depth = 0, loop[ISA_MAX_NESTING + 1];
        o.changed = false;
        o.now = (struct local_accesses){0};
        for (uint32_t n = 0; good && o.apart && n < k->ninsts; n++) step(&o, n, &depth, loop);
    } while (o.changed && o.apart);
    free(o.arrays);
    free(o.begin);
    return good && o.apart;
}
