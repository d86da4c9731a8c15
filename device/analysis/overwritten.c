#include "overwritten.h"

#include <stdlib.h>

#include "provenance.h"

enum { MOST_WALK = 400 };

struct overwritten_code {
    const struct isa_kernel *k;
    const uint64_t *provenance; /* of its registers */
};

/* The parameter in whose memory the store is, + 1; 0: it is not known to be one, or volatile. */
static uint32_t param_of(const struct overwritten_code *c, const struct isa_inst *i) {
    if (i->op != ISA_st || i->space != ISA_GLOBAL || i->flags & ISA_VOLATILE) return 0;
    return (uint32_t)__builtin_ffs((int)provenance_param(c->k, c->provenance, i));
}

/* Between the store s and a later one: this may read what s has stored, let others see it, or
 * change the register that the address is in. */
static bool needs(const struct overwritten_code *c, const struct isa_inst *i,
                  const struct isa_inst *s) {
    const struct isa_kernel *k = c->k;
    uint32_t flags = isa_op_info[i->op].flags;
    if (isa_writes(k, i, isa_srcs(k, s)[0]) || i->op == ISA_bar || i->op == ISA_fence ||
        i->op == ISA_ret || i->op == ISA_printf ||
        flags & (ISA_OP_ATOMIC | ISA_OP_PROBE | ISA_OP_IMAGE))
        return true;
    bool reads = i->op == ISA_ld && (i->space == ISA_GLOBAL || i->space == ISA_CONSTANT);
    return reads && provenance_of(c->k, c->provenance, i) & provenance_of(c->k, c->provenance, s);
}

static bool same_place(const struct isa_kernel *k, const struct isa_inst *i,
                       const struct isa_inst *s) {
    return i->op == ISA_st && i->space == s->space && i->type == s->type && i->count == s->count &&
           i->imm == s->imm && isa_srcs(k, i)[0] == isa_srcs(k, s)[0];
}

/* Where a walk from a store onwards is. Depths are relative to the store's. */
struct later {
    int32_t depth;  /* now */
    int32_t sure;   /* the least depth so far: what is there is done by all that have stored */
    int32_t target; /* the outermost region that lanes may have left by a jump, and not ended */
};

/* Past one instruction. */
static void step(struct later *w, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    w->depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    if (flags & ISA_OP_JUMP && w->depth - (int32_t)i->imm < w->target)
        w->target = w->depth - (int32_t)i->imm;
    w->depth -= (flags & ISA_OP_REGION_END) != 0;
    if (w->depth < w->sure) w->sure = w->depth;
    if (w->depth < w->target) w->target = INT32_MAX;
}

/* Is it so that every lane which stores at n comes to another store to the same place, with nothing
 * in between that needs the first one? begins: of the regions around n, `depth` of them. */
static bool is_overwritten(const struct overwritten_code *c, uint32_t n, const uint32_t *begins,
                           uint32_t depth) {
    const struct isa_kernel *k = c->k;
    const struct isa_inst *s = &k->insts[n];
    struct later w = {.target = INT32_MAX};
    uint32_t most = n + MOST_WALK < k->ninsts ? n + MOST_WALK : k->ninsts;
    for (uint32_t at = n + 1; at < most; at++) {
        const struct isa_inst *i = &k->insts[at];
        uint32_t flags = isa_op_info[i->op].flags;
        if (w.depth == w.sure && w.target == INT32_MAX && same_place(k, i, s)) return true;
        if (needs(c, i, s)) return false;
        if (flags & ISA_OP_REGION_ELSE && w.depth == w.sure) at = i->match; /* for other lanes */
        i = &k->insts[at];
        bool leaves = isa_op_info[i->op].flags & ISA_OP_REGION_END && w.depth == w.sure;
        if (leaves && i->op == ISA_endloop) { /* what comes before the store follows it, too */
            uint32_t begin = begins[(int32_t)depth + w.depth];
            struct later again = {.depth = w.depth - 1, .target = INT32_MAX};
            for (uint32_t b = begin; b < n; b++) {
                if (needs(c, &k->insts[b], s)) return false;
                step(&again, &k->insts[b]);
            }
            if (again.target < w.target) w.target = again.target;
        }
        step(&w, i);
    }
    return false;
}

uint8_t *overwritten_find(const struct isa_kernel *k, const uint64_t *provenance) {
    const struct overwritten_code c = {k, provenance};
    uint32_t begins[ISA_MAX_NESTING + 1] = {0}, depth = 0;
    uint8_t *of = calloc(k->ninsts + 1ull, 1);
    for (uint32_t n = 0; of && n < k->ninsts; n++)
        if (isa_op_info[k->insts[n].op].flags & ISA_OP_IMAGE) return of; /* may be a buffer */
    for (uint32_t n = 0; of && n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags, param = param_of(&c, &k->insts[n]);
        if (flags & ISA_OP_REGION_BEGIN) begins[++depth] = n;
        if (flags & ISA_OP_REGION_END) depth--;
        if (param && is_overwritten(&c, n, begins, depth)) of[n] = (uint8_t)param;
    }
    return of;
}

/* Does a work-item that comes to instruction a, which stands before b, not come to b: are they in
 * two parts of one `if`? */
static bool exclusive(const struct isa_kernel *k, uint32_t a, uint32_t b) {
    uint32_t depth = 0;
    bool other = false;
    for (uint32_t n = a; n < b; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_ELSE && !depth) other = true;
        if (flags & ISA_OP_REGION_END && !depth) other = false;
        depth -= flags & ISA_OP_REGION_END && depth;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
    return other;
}

bool overwritten_again(const struct isa_kernel *k, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    int64_t from = i->imm, to = from + isa_bytes(i);
    for (uint32_t m = 0; m < k->ninsts; m++) {
        const struct isa_inst *o = &k->insts[m];
        if (m == n || o->op != ISA_st || o->space != ISA_GLOBAL) continue;
        int64_t first = o->imm, end = first + isa_bytes(o);
        if (isa_srcs(k, o)[0] == isa_srcs(k, i)[0] && first < to && from < end &&
            !exclusive(k, n < m ? n : m, n < m ? m : n))
            return true;
    }
    return false;
}
