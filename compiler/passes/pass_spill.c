/* Registers that a work-item cannot have live in its private memory: stored where they are written,
 * loaded where they are read. */
#include <string.h>

#include "device/gpu/registers.h"
#include "pass.h"

enum { FIRST = 16, ROUNDS = 12 }; /* the frame's first bytes hold nothing */

struct spilled {
    uint32_t offset;      /* in the frame; 0: the register stays */
    uint32_t load, store; /* sites; 0: none yet */
    bool begins;          /* it may be read where nothing has been written */
};

struct spill_pass {
    const struct pass *p;
    struct isa_kernel *k;
    struct arena *arena;
    struct spilled *spilled; /* of each register */
    isa_operand *now;        /* of each spilled register: what stands for it in this instruction */
    uint32_t nregs;          /* before there were registers for one instruction */
};

/* A register need not start as 0 when its first mention writes it, in a region around all others.
 */
static void find_beginnings(struct spill_pass *s) {
    const struct isa_kernel *k = s->k;
    uint32_t *home = ARENA_ARRAY(s->arena, uint32_t, s->nregs + 1); /* the part, + 1 */
    uint8_t *open = ARENA_ARRAY(s->arena, uint8_t, k->ninsts + 2);
    uint32_t *stack = ARENA_ARRAY(s->arena, uint32_t, k->ninsts + 2), depth = 0;
    open[0] = 1;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        for (unsigned o = 0; o < i->nsrc; o++) {
            isa_operand r = isa_srcs(k, i)[o];
            if (isa_is_reg(r) && r < s->nregs && (!home[r] || !open[home[r] - 1]))
                s->spilled[r].begins = true;
        }
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand r = isa_dsts(k, i)[d];
            if (r < s->nregs && !home[r]) home[r] = stack[depth] + 1;
        }
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END) && depth) open[stack[depth--]] = 0;
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE)) {
            stack[++depth] = n + 1;
            open[n + 1] = 1;
        }
    }
}

/* Gives each its place, as far as the frame may grow. Returns how many have one. */
static uint32_t find_places(struct spill_pass *s, const uint8_t *chosen) {
    struct isa_kernel *k = s->k;
    uint32_t top = k->private_bytes > FIRST ? k->private_bytes : FIRST, first = top, placed = 0;
    for (uint32_t r = 0; r < s->nregs; r++) {
        if (!chosen[r]) continue;
        uint32_t size = isa_type_size[k->reg_types[r]];
        if (size < 4) size = 4;
        uint32_t at = (top + size - 1) & ~(size - 1);
        if (at + size > s->p->options->max_private) continue;
        s->spilled[r].offset = at;
        top = at + size;
        placed++;
    }
    if (!placed) return 0;
    k->spill_bytes += top - first;
    k->private_bytes = top;
    return placed;
}

/* The access, with a site that says what it is. */
static void emit_access(struct spill_pass *s, uint32_t reg, enum isa_op op, isa_operand value,
                        uint32_t line, uint16_t file) {
    struct isa_kernel *k = s->k;
    enum isa_type t = (enum isa_type)k->reg_types[reg];
    isa_operand operands[2] = {ISA_NO_OPERAND, value};
    uint32_t *site = op == ISA_ld ? &s->spilled[reg].load : &s->spilled[reg].store;
    k->cur_line = line;
    k->cur_file = file;
    struct isa_inst *i = op == ISA_ld ? isa_emit(k, ISA_ld, t, ISA_NONE_T, 1, &value, 1, operands)
                                      : isa_emit(k, ISA_st, t, ISA_NONE_T, 0, NULL, 2, operands);
    i->space = ISA_PRIVATE;
    i->imm = (int32_t)s->spilled[reg].offset;
    if (!*site) {
        struct isa_site what = {.kind = op == ISA_ld ? ISA_SITE_load : ISA_SITE_store,
                                .file = file,
                                .line = line,
                                .text = op == ISA_ld ? "(spilled register read)"
                                                     : "(register spilled)"};
        isa_site_describe(&what, i);
        *site = isa_site_new(k, &what);
    }
    i->site = *site;
}

static void rewrite_inst(struct spill_pass *s, const struct rewrite_code *old,
                         const struct isa_inst *i) {
    struct isa_kernel *k = s->k;
    uint32_t n = (uint32_t)i->ndst + i->nsrc;
    const isa_operand *from = old->operands + i->operands;
    struct arena_mark mark = arena_mark(s->arena);
    isa_operand *to = ARENA_ARRAY(s->arena, isa_operand, n + 1);
    for (uint32_t o = 0; o < n; o++) to[o] = from[o];
    for (uint32_t o = i->ndst; o < n; o++) { /* what is read */
        isa_operand r = from[o];
        if (!isa_is_reg(r) || !s->spilled[r].offset) continue;
        if (s->now[r] == ISA_NO_OPERAND) {
            s->now[r] = isa_reg_new(k, (enum isa_type)k->reg_types[r]);
            emit_access(s, r, ISA_ld, s->now[r], i->line, i->file);
        }
        to[o] = s->now[r];
    }
    for (uint32_t o = i->ndst; o < n; o++)
        if (isa_is_reg(from[o]) && s->spilled[from[o]].offset) s->now[from[o]] = ISA_NO_OPERAND;
    for (uint32_t o = 0; o < i->ndst; o++)
        if (s->spilled[from[o]].offset)
            to[o] = isa_reg_new(k, (enum isa_type)k->reg_types[from[o]]);
    rewrite_put(k, i, to, to + i->ndst);
    for (uint32_t o = 0; o < i->ndst; o++)
        if (s->spilled[from[o]].offset) emit_access(s, from[o], ISA_st, to[o], i->line, i->file);
    arena_release(s->arena, mark);
}

/* Returns how many are spilled. */
static uint32_t rewrite_all(struct spill_pass *s, const uint8_t *chosen) {
    struct isa_kernel *k = s->k;
    s->nregs = k->nregs;
    s->spilled = ARENA_ARRAY(s->arena, struct spilled, s->nregs + 1);
    s->now = ARENA_ARRAY(s->arena, isa_operand, s->nregs + 1);
    for (uint32_t r = 0; r < s->nregs; r++) s->now[r] = ISA_NO_OPERAND;
    find_beginnings(s);
    uint32_t placed = find_places(s, chosen);
    if (!placed) return 0;
    struct rewrite_code old = rewrite_take(k, s->arena);
    for (uint32_t r = 0; r < s->nregs; r++)
        if (s->spilled[r].offset && s->spilled[r].begins)
            emit_access(s, r, ISA_st, isa_const_new(k, (enum isa_type)k->reg_types[r], 0), 0, 0);
    for (uint32_t n = 0; n < old.ninsts; n++) rewrite_inst(s, &old, &old.insts[n]);
    return placed;
}

bool pass_spill(const struct pass *p) {
    struct isa_kernel *k = p->k;
    uint32_t most = p->options->max_registers, among = k->nregs, spilled = 0, rounds = 0;
    if (!most || isa_kernel_failed(k) || (p->off && !p->options->off)) return false;
    for (; rounds < ROUNDS && !isa_kernel_failed(k); rounds++) {
        struct arena_mark mark = arena_mark(p->arena);
        uint8_t *chosen = ARENA_ARRAY(p->arena, uint8_t, k->nregs + 1);
        uint32_t n = gpu_spill_choose(k, p->arena, most, among, chosen);
        struct spill_pass s = {.p = p, .k = k, .arena = p->arena};
        if (n) n = rewrite_all(&s, chosen);
        arena_release(p->arena, mark);
        if (!n) break;
        spilled += n;
    }
    if (spilled)
        trace_tell(&p->trace, NULL,
                   "%u values spilled to %u bytes of private memory, for %u registers", spilled,
                   k->spill_bytes, most);
    return false;
}
