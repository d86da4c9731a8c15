/* Branch predication (guide 3.1.1.2): where the branch would control few instructions, all lanes
 * are given them under a predicate, and no warp diverges. "If the compiler determines that the
 * condition is likely to produce many divergent warps, this threshold is 7, otherwise it is 4."
 *
 * Pure operations are computed and selected from where that is not much more; other ifs are marked:
 * their instructions count as issued whether a lane wants them or not, and no branch does. */
#include "device/isa/ifconvert.h"
#include "pass.h"

enum { THRESHOLD = 4, THRESHOLD_DIVERGENT = 7 };
enum { MAX_SELECT_WORK = 5 };   /* operations and selects, in place of predicates, */
enum { MAX_SELECT_CLOCKS = 4 }; /* of each of them */
enum { MAX_LENGTH = 16 };       /* instructions, copies too */
enum { ROUNDS = 4 };            /* over the kernel, to see what loops carry round */

struct predicate {
    const struct pass *p;
    const uint8_t *varies; /* of each register */
    uint32_t nregs;
};

/* ---- what differs from work-item to work-item ---- */

static bool sources_vary(const struct isa_kernel *k, const struct isa_inst *i,
                         const uint8_t *varies) {
    const isa_operand *src = isa_srcs(k, i);
    for (unsigned n = 0; n < i->nsrc; n++)
        if (isa_is_reg(src[n]) && varies[src[n]]) return true;
    return false;
}

static bool result_varies(const struct isa_kernel *k, const struct isa_inst *i,
                          const uint8_t *varies) {
    if (i->op == ISA_special) return !isa_special_uniform[i->imm];
    if (isa_op_info[i->op].flags & ISA_OP_ATOMIC) return true;
    if (i->op == ISA_ld && i->space == ISA_PRIVATE) return true;
    return sources_vary(k, i, varies);
}

/* Marks the registers that hold different values in different work-items, by all that is easy to
 * see; loops are gone through a few times. */
static uint8_t *find_varying(const struct isa_kernel *k, struct arena *arena) {
    uint8_t *varies = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    bool divergent[ISA_MAX_NESTING + 1], changed = true; /* the region at each depth */
    divergent[0] = false;
    for (unsigned round = 0; changed && round < ROUNDS; round++) {
        unsigned depth = 0;
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint32_t flags = isa_op_info[i->op].flags;
            if (flags & ISA_OP_REGION_END) depth--;
            if (flags & ISA_OP_REGION_BEGIN) {
                divergent[depth + 1] = divergent[depth] || sources_vary(k, i, varies);
                depth++;
            }
            bool varying = i->ndst && (divergent[depth] || result_varies(k, i, varies));
            for (unsigned d = 0; varying && d < i->ndst; d++) {
                uint8_t *v = &varies[isa_dsts(k, i)[d]];
                changed = changed || !*v;
                *v = 1;
            }
        }
    }
    return varies;
}

/* ---- what the branch controls ---- */

/* How many instructions of the GPU an operation is: one for each time it is issued. */
static unsigned instructions_of(const struct isa_inst *i) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    unsigned each = info->unit == ISA_UNIT_SP ? 4 : info->unit == ISA_UNIT_SFU ? 16 : 0;
    if (info->unit == ISA_UNIT_NONE) return 0; /* the same bits under another type */
    unsigned n = each ? info->clocks / each : 1;
    return n ? n : 1;
}

/* May it be given to lanes that do not want it, under a predicate? */
static bool can_be_guarded(const struct isa_inst *i) {
    return !(isa_op_info[i->op].flags & (ISA_OP_EFFECT | ISA_OP_BARRIER | ISA_OP_JUMP |
                                         ISA_OP_REGION_BEGIN | ISA_OP_REGION_END));
}

static enum ifconvert_verdict decide(void *context, const struct ifconvert_case *c) {
    const struct predicate *x = context;
    const struct isa_kernel *k = c->k;
    const struct isa_inst *branch = &k->insts[c->begin];
    isa_operand condition = isa_srcs(k, branch)[0];
    bool varies = isa_is_reg(condition) && condition < x->nregs && x->varies[condition];
    unsigned most = varies ? THRESHOLD_DIVERGENT : THRESHOLD, n = 0;
    const char *likely = varies ? "likely to diverge" : "not likely to diverge";
    for (uint32_t i = c->begin + 1; i < c->end && n <= most; i++) {
        if (k->insts[i].op == ISA_else) continue;
        if (!can_be_guarded(&k->insts[i])) {
            trace_tell(&x->p->trace, branch, "the branch stays: %s cannot be predicated",
                       isa_op_info[k->insts[i].op].name);
            return IFCONVERT_LEAVE;
        }
        n += instructions_of(&k->insts[i]);
    }
    bool select = c->simple && c->end - c->begin <= MAX_LENGTH && c->dearest <= MAX_SELECT_CLOCKS &&
                  c->work <= MAX_SELECT_WORK && !x->p->options->values;
    if (n > most)
        trace_tell(&x->p->trace, branch,
                   "the branch stays: it controls more than %u instructions, %s", most, likely);
    else
        trace_tell(&x->p->trace, branch, "%u instructions are %s: the branch is %s", n,
                   select ? "computed and selected from" : "predicated", likely);
    return n > most ? IFCONVERT_LEAVE : select ? IFCONVERT_SELECT : IFCONVERT_MARK;
}

bool pass_predicate(const struct pass *p) {
    struct predicate x = {p, find_varying(p->k, p->arena), p->k->nregs};
    return ifconvert_run(p->k, p->arena, decide, &x);
}
