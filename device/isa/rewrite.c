#include "rewrite.h"

#include <string.h>

struct rewrite_code rewrite_take(struct isa_kernel *k, struct arena *arena) {
    struct rewrite_code old = {.ninsts = k->ninsts, .nregs = k->nregs};
    old.insts = ARENA_ARRAY(arena, struct isa_inst, k->ninsts + 1u);
    old.operands = ARENA_ARRAY(arena, isa_operand, k->noperands + 1u);
    if (k->ninsts) memcpy(old.insts, k->insts, k->ninsts * sizeof *old.insts);
    if (k->noperands) memcpy(old.operands, k->operands, k->noperands * sizeof *old.operands);
    k->ninsts = k->noperands = 0;
    return old;
}

struct isa_inst *rewrite_put(struct isa_kernel *k, const struct isa_inst *i, const isa_operand *dst,
                             const isa_operand *src) {
    struct isa_inst *out =
        isa_emit(k, (enum isa_op)i->op, i->type, i->type2, i->ndst, dst, i->nsrc, src);
    uint32_t operands = out->operands;
    *out = *i;
    out->operands = operands;
    return out;
}

void rewrite_keep(struct isa_kernel *k, const struct rewrite_code *old, uint32_t n) {
    const isa_operand *dst = old->operands + old->insts[n].operands;
    rewrite_put(k, &old->insts[n], dst, dst + old->insts[n].ndst);
}

bool rewrite_alike(const struct isa_inst *a, const struct isa_inst *b) {
    return a->op == b->op && a->type == b->type && a->type2 == b->type2 && a->mod == b->mod &&
           a->space == b->space && a->flags == b->flags && a->count == b->count &&
           a->ndst == b->ndst && a->nsrc == b->nsrc;
}

void rewrite_match(struct isa_kernel *k) {
    uint32_t begins[ISA_MAX_NESTING + 1], parts[ISA_MAX_NESTING + 1], depth = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            depth++;
            begins[depth] = parts[depth] = n;
        }
        if (!(flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END))) continue;
        k->insts[parts[depth]].match = n;
        parts[depth] = n;
        if (flags & ISA_OP_REGION_END) k->insts[n].match = begins[depth--];
    }
}

/* Counts what an instruction reads once more, or once less. */
static void count_reads(const struct isa_kernel *k, uint32_t n, uint32_t *reads, uint32_t by) {
    const isa_operand *src = isa_srcs(k, &k->insts[n]);
    for (unsigned s = 0; s < k->insts[n].nsrc; s++)
        if (isa_is_reg(src[s])) reads[src[s]] += by;
}

struct rewrite_readers rewrite_readers(const struct isa_kernel *k, struct arena *arena) {
    struct rewrite_readers x = {ARENA_ARRAY(arena, uint32_t, k->nregs + 1u),
                                ARENA_ARRAY(arena, uint32_t, k->nregs + 1u)};
    for (uint32_t n = 0; n < k->ninsts; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc; s++) {
            isa_operand o = isa_srcs(k, &k->insts[n])[s];
            if (!isa_is_reg(o)) continue;
            if (!x.last[o]) x.first[o] = n;
            x.last[o] = n;
        }
    return x;
}

uint32_t *rewrite_reads(const struct isa_kernel *k, struct arena *arena) {
    uint32_t *reads = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) count_reads(k, n, reads, 1);
    return reads;
}

void rewrite_dead(const struct isa_kernel *k, const uint32_t *before, uint32_t *reads,
                  uint8_t *dead) {
    for (uint32_t n = k->ninsts; n--;) {
        const struct isa_inst *i = &k->insts[n];
        bool unread = i->ndst == 1 && !reads[isa_dsts(k, i)[0]] && before[isa_dsts(k, i)[0]];
        if (!unread || !(isa_op_info[i->op].flags & ISA_OP_PURE)) continue;
        dead[n] = 1;
        count_reads(k, n, reads, UINT32_MAX);
    }
}

void rewrite_unread(struct isa_kernel *k, struct arena *arena, const uint32_t *before) {
    uint8_t *dead = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    rewrite_dead(k, before, rewrite_reads(k, arena), dead);
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        if (dead[n])
            isa_site_remove(k, old.insts[n].site, ISA_REMOVED_dead);
        else
            rewrite_keep(k, &old, n);
    }
}

void rewrite_unread_since(struct isa_kernel *k, struct arena *arena, const uint32_t *before,
                          uint32_t nregs) {
    uint32_t *read = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (uint32_t r = 0; r < k->nregs; r++) read[r] = r >= nregs || before[r];
    rewrite_unread(k, arena, read);
}

enum { SEVERAL = UINT32_MAX };

/* The piece of straight code that each register is written and read in alone, from 1 on; 0: none,
 * or SEVERAL. */
static uint32_t *pieces_of(const struct isa_kernel *k, struct arena *arena) {
    uint32_t *in = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u), piece = 1;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (isa_is_reg(o) && in[o] != piece) in[o] = SEVERAL;
        }
        for (unsigned d = 0; d < i->ndst; d++) {
            uint32_t *of = &in[isa_dsts(k, i)[d]];
            *of = *of && *of != piece ? SEVERAL : piece;
        }
        piece += (isa_op_info[i->op].flags & (ISA_OP_CONTROL | ISA_OP_BARRIER)) != 0;
    }
    return in;
}

/* The same of all code that is in no region, whoever reads it. */
static uint32_t *outside_of(const struct isa_kernel *k, struct arena *arena) {
    uint32_t *in = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u), depth = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        depth -= (isa_op_info[i->op].flags & ISA_OP_REGION_END) != 0;
        for (unsigned d = 0; d < i->ndst; d++)
            if (depth) in[isa_dsts(k, i)[d]] = SEVERAL;
        depth += (isa_op_info[i->op].flags & ISA_OP_REGION_BEGIN) != 0;
    }
    return in;
}

static uint32_t rename_in(struct isa_kernel *k, struct arena *arena, const uint32_t *in) {
    uint32_t nregs = k->nregs, found = 0;
    isa_operand *names = ARENA_ARRAY(arena, isa_operand, nregs + 1u);
    uint8_t *again = ARENA_ARRAY(arena, uint8_t, nregs + 1u);
    if (!k->noperands) return 0;
    for (uint32_t r = 0; r < nregs; r++) names[r] = r;
    for (uint32_t n = 0; n < k->ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &k->insts[n];
        isa_operand *dst = k->operands + i->operands, *src = dst + i->ndst;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s])) src[s] = names[src[s]];
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand r = dst[d];
            if (in[r] == SEVERAL) continue;
            if (again[r]) {
                dst[d] = names[r] = isa_reg_new(k, (enum isa_type)k->reg_types[r]);
                found++;
            }
            again[r] = 1;
        }
    }
    return found;
}

uint32_t rewrite_rename(struct isa_kernel *k, struct arena *arena) {
    return rename_in(k, arena, pieces_of(k, arena));
}

uint32_t rewrite_rename_outside(struct isa_kernel *k, struct arena *arena) {
    return rename_in(k, arena, outside_of(k, arena));
}

uint32_t rewrite_nesting(const struct isa_kernel *k) {
    uint32_t depth = 0, most = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        depth += isa_deeper(&k->insts[n]);
        if (depth > most) most = depth;
    }
    return most;
}
