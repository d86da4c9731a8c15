#include "forms.h"

#include <string.h>

#include "device/isa/compare.h"
#include "device/isa/loops.h"

void *forms_grown(struct arena *a, void *list, uint32_t used, uint32_t *cap, size_t size) {
    if (used < *cap) return list;
    *cap = *cap ? 2 * *cap : 64;
    void *bigger = arena_alloc(a, *cap * size);
    if (used) memcpy(bigger, list, used * size);
    return bigger;
}

uint32_t forms_reg(struct select *s, enum machine_class class, unsigned width) {
    struct machine_code *m = s->m;
    m->regs = forms_grown(s->arena, m->regs, m->nregs, &m->cap_regs, sizeof *m->regs);
    m->regs[m->nregs] = (struct machine_reg){(uint8_t) class, (uint8_t)width};
    return m->nregs++;
}

unsigned forms_width(enum isa_type t) {
    return isa_type_size[t] > 4 ? 4 : isa_type_size[t] == 4 || t == ISA_PRED ? 2 : 1;
}

bool forms_spare(const struct select *s, isa_operand o) { /* needs no register */
    return !isa_is_reg(o) || s->form[o] != FORM_VALUE;
}

static void count_mentions(struct select *s) {
    const struct isa_kernel *k = s->k;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) {
            s->defs[isa_dsts(k, i)[d]]++;
            s->def_at[isa_dsts(k, i)[d]] = n;
        }
        for (unsigned o = 0; o < i->nsrc; o++)
            if (isa_is_reg(isa_srcs(k, i)[o])) s->uses[isa_srcs(k, i)[o]]++;
    }
}

static enum form form_of(const struct select *s, const struct isa_inst *i) {
    isa_operand base = i->nsrc ? isa_srcs(s->k, i)[0] : ISA_NO_OPERAND;
    switch (i->op) {
    case ISA_ld:
        if (i->space == ISA_PARAM) return FORM_ARGUMENT;
        if (i->space != ISA_CONSTANT) return FORM_VALUE;
        return isa_is_const(base) || (isa_is_reg(base) && s->form[base] == FORM_PLACE)
                   ? FORM_CONSTANT
                   : FORM_VALUE;
    case ISA_img_info: return FORM_ARGUMENT;
    case ISA_localaddr:
    case ISA_constaddr: return FORM_PLACE;
    case ISA_special:
        if (i->imm == ISA_SPECIAL_work_dim ||
            (i->imm >= ISA_SPECIAL_global_offset_x && i->imm <= ISA_SPECIAL_global_offset_z))
            return FORM_ARGUMENT;
        return isa_special_uniform[i->imm] ? FORM_WORD : FORM_VALUE;
    case ISA_trunc: /* half of what is there */
        return isa_is_reg(base) && (s->form[base] == FORM_ARGUMENT || s->form[base] == FORM_WORD)
                   ? FORM_ARGUMENT
                   : FORM_VALUE;
    default: return FORM_VALUE;
    }
}

/* A special register of the item that one block uses is made there. */
static void sink_specials(struct select *s) {
    const struct isa_kernel *k = s->k;
    uint32_t *block = ARENA_ARRAY(s->arena, uint32_t, k->nregs + 1); /* that uses it, + 1 */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = 0; o < i->nsrc; o++) {
            isa_operand r = isa_srcs(k, i)[o];
            if (!isa_is_reg(r)) continue;
            block[r] =
                !block[r] || block[r] == s->block_of[n] + 1 ? s->block_of[n] + 1 : MACHINE_NONE;
        }
    }
    for (uint32_t r = 0; r < k->nregs; r++)
        if (s->defs[r] == 1 && s->form[r] == FORM_VALUE && block[r] != MACHINE_NONE &&
            k->insts[s->def_at[r]].op == ISA_special)
            s->form[r] = FORM_ITEM;
}

/* May the load be an operand of the instruction `at`: the same block, the same base, nothing
 * written in between? */
static bool can_move(const struct select *s, uint32_t load, uint32_t at) {
    const struct isa_inst *l = &s->k->insts[load];
    isa_operand base = isa_srcs(s->k, l)[0];
    if (s->block_of[load] != s->block_of[at] || at < load || at - load > 256) return false;
    if (l->space == ISA_LOCAL && s->clobbers[load] != s->clobbers[at]) return false;
    for (uint32_t n = load; n < at; n++)
        if (isa_writes(s->k, &s->k->insts[n], base)) return false;
    return true;
}

/* One operand may come from shared memory and one from constant memory. */
static void fold_loads(struct select *s, uint32_t at) {
    const struct isa_inst *i = &s->k->insts[at];
    bool store = i->op == ISA_st; /* loads each component by itself */
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) && !store) return;
    bool shared = false, constant = false;
    for (unsigned o = 0; o < i->nsrc; o++) {
        isa_operand r = isa_srcs(s->k, i)[o];
        if (!isa_is_reg(r)) continue;
        shared |= s->form[r] == FORM_ARGUMENT;
        constant |= s->form[r] == FORM_CONSTANT;
    }
    for (unsigned o = store; o < i->nsrc; o++) {
        isa_operand r = isa_srcs(s->k, i)[o];
        if (!isa_is_reg(r) || s->form[r] != FORM_VALUE || s->defs[r] != 1 || s->uses[r] != 1)
            continue;
        const struct isa_inst *l = &s->k->insts[s->def_at[r]];
        if (l->op != ISA_ld || l->count != 1 || isa_type_size[l->type] > 4) continue;
        bool *taken = l->space == ISA_LOCAL ? &shared : &constant;
        if ((l->space != ISA_LOCAL && l->space != ISA_CONSTANT) || *taken ||
            !can_move(s, s->def_at[r], at))
            continue;
        *taken = !store;
        s->form[r] = l->space == ISA_LOCAL ? FORM_SHARED : FORM_INDEXED;
    }
}

/* Counters that stay within 16 bits: stepped by constants, from constants, to constants. */
static void narrow_counters(const struct select *s, uint8_t *narrow) {
    const struct isa_kernel *k = s->k;
    for (uint32_t r = 0; r < k->nregs; r++)
        narrow[r] = k->reg_types[r] == ISA_I32 && s->defs[r] > 1;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->ndst && (s->walk_of[isa_dsts(k, i)[0]] ||
                        (i->op == ISA_shl && s->form[isa_dsts(k, i)[0]] == FORM_PLACE)))
            continue; /* stepped beside the counter */
        bool small = true;
        for (unsigned o = 0; o < i->nsrc; o++) {
            isa_operand c = isa_srcs(k, i)[o];
            if (isa_is_const(c))
                small &= (uint32_t)(k->consts[isa_const_index(c)].bits + 0x7fff) < 0xffff;
        }
        isa_operand to = i->ndst ? isa_dsts(k, i)[0] : ISA_NO_OPERAND;
        bool starts = i->op == ISA_mov && isa_is_const(isa_srcs(k, i)[0]) && small;
        bool steps =
            i->op == ISA_add && isa_srcs(k, i)[0] == to && isa_is_const(isa_srcs(k, i)[1]) && small;
        bool compares = compare_is_integer(i->op) && small &&
                        (isa_is_const(isa_srcs(k, i)[0]) || isa_is_const(isa_srcs(k, i)[1]));
        for (unsigned d = 0; d < i->ndst; d++)
            if (!starts && !steps) narrow[isa_dsts(k, i)[d]] = 0;
        for (unsigned o = 0; o < i->nsrc; o++)
            if (isa_is_reg(isa_srcs(k, i)[o]) && !steps && !compares) narrow[isa_srcs(k, i)[o]] = 0;
    }
}

/* Registers that hold addresses of memory with address registers, and nothing else. */
static void find_addresses(struct select *s, uint8_t *address) {
    const struct isa_kernel *k = s->k;
    for (uint32_t r = 0; r < k->nregs; r++)
        address[r] = k->reg_types[r] == ISA_I32 && s->uses[r] && s->form[r] == FORM_VALUE;
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        changed = false;
        for (uint32_t n = k->ninsts; n--;) {
            const struct isa_inst *i = &k->insts[n];
            bool based = (isa_op_info[i->op].flags & ISA_OP_MEMORY) && i->space != ISA_GLOBAL;
            bool steps =
                (i->op == ISA_mov || i->op == ISA_add) && round < 16 && address[isa_dsts(k, i)[0]];
            if (steps && i->op == ISA_add)
                steps = forms_spare(s, isa_srcs(k, i)[0]) || forms_spare(s, isa_srcs(k, i)[1]);
            for (unsigned o = 0; o < i->nsrc; o++) {
                isa_operand r = isa_srcs(k, i)[o];
                if (!isa_is_reg(r) || !address[r] || steps || (based && o == 0)) continue;
                address[r] = 0;
                changed = true;
            }
        }
    }
}

/* The counter of the loop that the operand is, times a constant, or NULL. *scaled: what computes
 * it. */
static const struct loop_counter *counter_of(const struct select *s, const struct loops *l,
                                             const struct loop_counters *c, isa_operand o,
                                             uint32_t loop, isa_operand *scaled) {
    *scaled = ISA_NO_OPERAND;
    if (!isa_is_reg(o)) return NULL;
    const struct isa_inst *i = &s->k->insts[s->def_at[o]];
    if (s->defs[o] == 1 && i->op == ISA_shl && isa_is_const(isa_srcs(s->k, i)[1]) &&
        l->loop_of[s->def_at[o]] == loop) {
        *scaled = o;
        o = isa_srcs(s->k, i)[0];
    }
    return loops_counter(c, o, loop);
}

static bool is_array(const struct select *s, isa_operand o) {
    return isa_is_reg(o) && (s->form[o] == FORM_ARGUMENT || s->form[o] == FORM_PLACE);
}

static void find_walks(struct select *s) {
    const struct isa_kernel *k = s->k;
    struct loops l;
    struct loop_counters c;
    s->walk_of = ARENA_ARRAY(s->arena, uint32_t, k->nregs + 1);
    s->walks_of = ARENA_ARRAY(s->arena, uint32_t, k->ninsts + 1);
    uint8_t *base = ARENA_ARRAY(s->arena, uint8_t, k->nregs + 1);
    if (!loops_find(&l, k, s->arena)) return;
    loops_counters(&l, k, s->arena, &c);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (isa_op_info[i->op].flags & ISA_OP_MEMORY && isa_is_reg(isa_srcs(k, i)[0]))
            base[isa_srcs(k, i)[0]] = 1;
    }
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t loop = l.loop_of[n];
        if (i->op != ISA_add || i->type != ISA_I32 || !loop) continue;
        isa_operand to = isa_dsts(k, i)[0], scaled;
        const isa_operand *src = isa_srcs(k, i);
        unsigned argument = is_array(s, src[0]) ? 0 : 1;
        if (s->defs[to] != 1 || !base[to] || !is_array(s, src[argument])) continue;
        const struct loop_counter *by = counter_of(s, &l, &c, src[!argument], loop, &scaled);
        if (!by) continue;
        s->walks = forms_grown(s->arena, s->walks, s->nwalks, &s->cap_walks, sizeof *s->walks);
        uint32_t *first = &s->walks_of[l.loops[loop].begin], step = MACHINE_NONE;
        if (isa_is_reg(by->step))
            step = *first ? s->walks[*first - 1].step : k->nregs + s->nsteps++;
        s->walks[s->nwalks] = (struct walk){to, step, *first};
        *first = s->walk_of[to] = ++s->nwalks;
        if (scaled != ISA_NO_OPERAND && !--s->uses[scaled]) s->form[scaled] = FORM_PLACE;
    }
}

bool forms_ends_block(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_CONTROL;
}

/* Which regions the instructions begin, end and leave. */
static void match_regions(struct select *s) {
    const struct isa_kernel *k = s->k;
    uint32_t depth = 0; /* a kernel that is still to be verified may nest too deeply */
    uint32_t *open = ARENA_ARRAY(s->arena, uint32_t, k->ninsts + 1);
    uint32_t *part = ARENA_ARRAY(s->arena, uint32_t, k->ninsts + 1);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            open[depth] = part[depth] = n;
            depth++;
        } else if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
            s->match[part[depth - 1]] = n;
            part[depth - 1] = n;
            if (flags & ISA_OP_REGION_END) s->match[n] = open[--depth];
        } else if (flags & ISA_OP_JUMP && i->op != ISA_ret)
            s->match[n] = open[depth - 1 - (uint32_t)i->imm];
    }
}

void forms_find(struct select *s) {
    const struct isa_kernel *k = s->k;
    uint32_t block = 0, clobbers = 0;
    match_regions(s);
    count_mentions(s);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        s->block_of[n] = block;
        s->clobbers[n] = clobbers;
        if (forms_ends_block(i)) block++;
        if ((flags & (ISA_OP_WRITES | ISA_OP_ATOMIC) && i->space == ISA_LOCAL) ||
            flags & (ISA_OP_EFFECT | ISA_OP_BARRIER))
            clobbers++;
        for (unsigned d = 0; d < i->ndst; d++)
            if (s->defs[isa_dsts(k, i)[d]] == 1) s->form[isa_dsts(k, i)[d]] = form_of(s, i);
    }
    uint8_t *narrow = arena_alloc(s->arena, k->nregs + 1);
    sink_specials(s);
    find_walks(s);
    for (uint32_t n = 0; n < k->ninsts; n++) fold_loads(s, n);
    narrow_counters(s, narrow);
    uint8_t *address = arena_alloc(s->arena, k->nregs + 1);
    find_addresses(s, address);
    for (uint32_t r = 0; r < k->nregs; r++) {
        enum isa_type t = (enum isa_type)k->reg_types[r];
        unsigned width = narrow[r] ? 1 : forms_width(t);
        /* a load of global memory fills the register, whatever its size */
        if (s->defs[r] && k->insts[s->def_at[r]].op == ISA_ld && width == 1 &&
            k->insts[s->def_at[r]].space == ISA_GLOBAL)
            width = 2;
        forms_reg(s,
                  t == ISA_PRED ? MACHINE_PREDICATE
                  : address[r]  ? MACHINE_ADDRESS
                                : MACHINE_GENERAL,
                  width);
    }
    for (uint32_t r = 0; r < s->nsteps; r++) forms_reg(s, MACHINE_GENERAL, 2);
    s->item = forms_reg(s, MACHINE_GENERAL, 2);
}
