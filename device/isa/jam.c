#include "jam.h"

struct jam *jam_new(const struct isa_kernel *k, struct arena *arena, uint32_t from, uint32_t to,
                    unsigned copies) {
    struct jam *j = ARENA_NEW(arena, struct jam);
    *j = (struct jam){.k = k, .from = from, .to = to, .copies = copies};
    j->own = ARENA_ARRAY(arena, uint8_t, k->nregs + 1u);
    j->each = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    for (unsigned c = 0; c < copies; c++)
        j->names[c] = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    return j;
}

/* ---- finding ---- */

static bool is_left_out(const struct jam *j, uint32_t n) { return j->left_out && j->left_out[n]; }

static bool reads_own(const struct jam *j, const struct isa_inst *i) {
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(j->k, i)[s];
        if (isa_is_reg(o) && j->own[o]) return true;
    }
    return false;
}

static bool writes_own(const struct jam *j, const struct isa_inst *i) {
    for (unsigned d = 0; d < i->ndst; d++)
        if (j->own[isa_dsts(j->k, i)[d]]) return true;
    return false;
}

/* Each does it for itself. True: that was not known. */
static bool take(struct jam *j, uint32_t n) {
    const struct isa_inst *i = &j->k->insts[n];
    bool is_new = !j->each[n];
    j->each[n] = 1;
    for (unsigned d = 0; d < i->ndst; d++) j->own[isa_dsts(j->k, i)[d]] = 1;
    return is_new;
}

/* Behind the end of the `if` that begins there. */
static uint32_t behind(const struct isa_kernel *k, uint32_t n) {
    n = k->insts[n].match;
    return (isa_op_info[k->insts[n].op].flags & ISA_OP_REGION_END ? n : k->insts[n].match) + 1;
}

/* An `if` of which each has its own condition is each one's, as a whole. */
static bool take_if(struct jam *j, uint32_t n, bool *more) {
    for (uint32_t end = behind(j->k, n); n < end; n++) {
        enum isa_op op = (enum isa_op)j->k->insts[n].op;
        if (op == ISA_loop || op == ISA_block || isa_op_info[op].flags & ISA_OP_JUMP) return false;
        if (!is_left_out(j, n)) *more |= take(j, n);
    }
    return true;
}

static bool knows(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    bool moves = i->op == ISA_ld || i->op == ISA_st;
    if (flags & (ISA_OP_PROBE | ISA_OP_NOTE)) return false;
    if (flags & ISA_OP_JUMP) return i->op == ISA_breakif;
    return moves ? !(i->flags & ISA_VOLATILE) : flags & (ISA_OP_PURE | ISA_OP_REGION);
}

bool jam_find(struct jam *j, bool (*repeats)(const void *context, uint32_t n),
              const void *context) {
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = j->from; n < j->to; n++) {
            const struct isa_inst *i = &j->k->insts[n];
            if (is_left_out(j, n) || j->each[n]) continue;
            if (!knows(i)) return false;
            bool own = i->op == ISA_st || reads_own(j, i) || writes_own(j, i) ||
                       (i->op == ISA_ld && !repeats(context, n));
            if (!own) continue;
            if (!(isa_op_info[i->op].flags & ISA_OP_CONTROL))
                more |= take(j, n);
            else if (i->op != ISA_if || !take_if(j, n, &more))
                return false;
        }
    }
    j->shared = j->separate = 0;
    for (uint32_t n = j->from; n < j->to; n++)
        if (!is_left_out(j, n)) *(j->each[n] ? &j->separate : &j->shared) += 1;
    return true;
}

/* Bytes of the warp's registers that loops carry on for each. */
static uint32_t carried(const struct jam *j, const struct loops *l) {
    uint32_t bytes = 0;
    for (uint32_t r = 0; r < j->k->nregs; r++) {
        bool is = false;
        for (uint32_t n = j->from; n < j->to && j->own[r] && !is; n++)
            is = l->loop_of[n] != l->loop_of[j->from] && isa_reads(j->k, &j->k->insts[n], r) &&
                 loops_carried(l, j->k, r, l->loop_of[n], n);
        if (is) bytes += isa_type_size[j->k->reg_types[r]] * ISA_WARP;
    }
    return bytes;
}

void jam_fit(struct jam *j, const struct loops *l, uint32_t bytes) {
    uint32_t each = carried(j, l);
    while (j->copies > 2 && j->copies * each > bytes / 2) j->copies /= 2;
    if (j->copies * each > bytes) j->copies = 1;
}

/* ---- writing ---- */

void jam_name(struct jam *j, struct kernelcopy *c) {
    for (uint32_t r = 0; r < j->k->nregs; r++)
        for (unsigned n = 0; n < j->copies; n++) {
            isa_operand name = kernelcopy_named(c, r);
            bool again = n && j->own[r];
            j->names[n][r] =
                again ? isa_reg_new(c->out, (enum isa_type)c->out->reg_types[name]) : name;
        }
}

void jam_put(const struct jam *j, struct kernelcopy *c) {
    isa_operand *names = c->names;
    for (uint32_t n = j->from, end; n < j->to; n = end) {
        end = n + 1;
        if (is_left_out(j, n)) continue;
        if (j->each[n] && j->k->insts[n].op == ISA_if) end = behind(j->k, n);
        for (unsigned copy = 0; copy < (j->each[n] ? j->copies : 1); copy++) {
            c->names = j->names[copy];
            for (uint32_t at = n; at < end; at++)
                if (!is_left_out(j, at)) kernelcopy_put(c, at);
        }
    }
    c->names = names;
}
