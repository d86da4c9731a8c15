#include "machine.h"

#include <string.h>

#include "device/isa/loops.h"

enum { NONE = 0xffffffffu };

/* What stands for a register of the kernel. */
enum form {
    FORM_VALUE,    /* a register of its class */
    FORM_ARGUMENT, /* s[]: read where it is used */
    FORM_WORD,     /* s[], 16 bits: the group's place and the sizes */
    FORM_PLACE,    /* an immediate: an address of shared memory or of constants */
    FORM_CONSTANT, /* c[] */
    FORM_ITEM,     /* from the register that holds the item's place, where a block first uses it */
    FORM_SHARED,   /* what a load of shared memory gives, as an operand of its only user */
    FORM_INDEXED   /* the same of constant memory */
};

/* An address that walks through an array, an element of each iteration: compilers step it. */
struct walk {
    uint32_t reg, step; /* the address; the register that holds the step, or NONE */
    uint32_t next;      /* of the same loop, + 1 */
};

/* A value that one block has made and may use again: an operand, or an address. */
struct made {
    uint32_t operand, version, block, reg;
    int32_t displacement;
    bool address;
};
enum { MADE_SLOTS = 1 << 12 };

struct select {
    struct machine *m;
    const struct isa_kernel *k;
    struct arena *arena;
    uint32_t *defs, *uses, *def_at; /* of each register: how many, and the last definition */
    uint32_t *version;              /* of each register, in order of the text */
    uint8_t *form;
    uint32_t *block_of, *clobbers; /* of each instruction; writes to shared memory before it */
    uint32_t *match;               /* regions: as isa_inst.match; jumps: what they leave */
    uint32_t item;                 /* the register that holds the work-item's place in the group */
    uint32_t block;
    struct made *made;
    struct walk *walks;
    uint32_t nwalks, cap_walks, nsteps; /* steps have the registers behind the kernel's */
    uint32_t *walk_of;                  /* each register: its walk, + 1 */
    uint32_t *walks_of;                 /* each instruction that begins a loop: its walks, + 1 */
    uint32_t *early; /* ops that go to the top of the stretch, which begins at that op */
    uint32_t nearly, cap_early, stretch;
    /* the instruction at work */
    uint32_t inst;
    uint32_t *reads, nreads, cap_reads;
    unsigned shared, constants; /* operands of s[] and c[] */
};

enum need_kind { EXTRA, ROUTINE };
static const struct need {
    uint16_t op;
    uint8_t width, kind, registers;
} needs[] = {
#define NEED(name, bytes, how, count) {ISA_##name, bytes, how, count},
#include "needs.def"
#undef NEED
};

/* ---- the machine's lists ---- */

static void *grown(struct arena *a, void *list, uint32_t used, uint32_t *cap, size_t size) {
    if (used < *cap) return list;
    *cap = *cap ? 2 * *cap : 64;
    void *bigger = arena_alloc(a, *cap * size);
    if (used) memcpy(bigger, list, used * size);
    return bigger;
}

static uint32_t new_reg(struct select *s, enum machine_class class, unsigned width) {
    struct machine *m = s->m;
    m->regs = grown(s->arena, m->regs, m->nregs, &m->cap_regs, sizeof *m->regs);
    m->regs[m->nregs] = (struct machine_reg){(uint8_t) class, (uint8_t)width};
    return m->nregs++;
}

static void push(struct select *s, uint32_t reg) {
    struct machine *m = s->m;
    m->operands = grown(s->arena, m->operands, m->noperands, &m->cap_operands, sizeof *m->operands);
    m->operands[m->noperands++] = reg;
}

static struct machine_op *emit(struct select *s, const uint32_t *defs, unsigned ndefs,
                               const uint32_t *uses, unsigned nuses) {
    struct machine *m = s->m;
    m->ops = grown(s->arena, m->ops, m->nops, &m->cap_ops, sizeof *m->ops);
    struct machine_op *op = &m->ops[m->nops++];
    *op = (struct machine_op){.inst = s->inst, .operands = m->noperands, .ndefs = (uint16_t)ndefs};
    for (unsigned i = 0; i < ndefs; i++) push(s, defs[i]);
    for (unsigned i = 0; i < nuses; i++) push(s, uses[i]);
    op->nuses = (uint16_t)nuses;
    return op;
}

static void read_reg(struct select *s, uint32_t reg) {
    s->reads = grown(s->arena, s->reads, s->nreads, &s->cap_reads, sizeof *s->reads);
    s->reads[s->nreads++] = reg;
}

/* ---- operands ---- */

/* In halves of registers. */
static unsigned width_of(enum isa_type t) {
    return isa_type_size[t] > 4 ? 4 : isa_type_size[t] == 4 || t == ISA_PRED ? 2 : 1;
}

static struct made *find_made(struct select *s, isa_operand o, int32_t displacement, bool address) {
    uint32_t version = isa_is_reg(o) ? s->version[o] : 0;
    uint32_t hash = (o * 31u + (uint32_t)displacement) * 2u + address;
    struct made *m = &s->made[(hash * 2654435761u) >> 20 & (MADE_SLOTS - 1)];
    if (m->block == s->block + 1 && m->operand == o && m->version == version &&
        m->displacement == displacement && m->address == address)
        return m;
    *m = (struct made){o, version, s->block + 1, NONE, displacement, address};
    return m;
}

static bool is_spare(const struct select *s, isa_operand o) { /* needs no register */
    return !isa_is_reg(o) || s->form[o] != FORM_VALUE;
}

static void read_base(struct select *s, const struct isa_inst *i);

/* The item's place in the group lies in one register, packed, when the kernel begins. */
static void emit_special(struct select *s, const struct isa_inst *i, uint32_t to) {
    bool global = i->imm >= ISA_SPECIAL_global_id_x && i->imm <= ISA_SPECIAL_global_id_z;
    bool local = i->imm >= ISA_SPECIAL_local_id_x && i->imm <= ISA_SPECIAL_local_id_z;
    bool thread = i->imm == ISA_SPECIAL_thread_id;
    struct machine_op *op = emit(s, &to, 1, &s->item, global || local || thread);
    op->extra = global || thread;
}

/* What a load of shared or constant memory gives, in a register. */
static uint32_t load_indexed(struct select *s, isa_operand o) {
    const struct isa_inst *load = &s->k->insts[s->def_at[o]];
    isa_operand base = isa_srcs(s->k, load)[0];
    bool based = base != ISA_NO_OPERAND && isa_is_reg(base) && s->form[base] == FORM_VALUE;
    uint32_t reg = new_reg(s, MACHINE_GENERAL, width_of(isa_operand_type(s->k, o)));
    emit(s, &reg, 1, &base, based);
    return reg;
}

/* An operand that has to be in a register: the one that holds it, in this block. */
static uint32_t in_register(struct select *s, isa_operand o) {
    if (isa_is_reg(o) && s->form[o] == FORM_VALUE) return o;
    if (isa_is_reg(o) && (s->form[o] == FORM_SHARED || s->form[o] == FORM_INDEXED))
        return load_indexed(s, o);
    struct made *m = find_made(s, o, 0, false);
    if (m->reg == NONE || isa_is_const(o)) {
        m->reg = new_reg(s, MACHINE_GENERAL, width_of(isa_operand_type(s->k, o)));
        if (!isa_is_reg(o) || s->form[o] != FORM_ITEM)
            emit(s, &m->reg, 1, NULL, 0);
        else
            emit_special(s, &s->k->insts[s->def_at[o]], m->reg);
    }
    return m->reg;
}

/* An operand of a computation. */
static void read_operand(struct select *s, isa_operand o) {
    if (isa_is_const(o) || o == ISA_NO_OPERAND) return;
    bool wide = isa_operand_type(s->k, o) == ISA_F64;
    switch ((enum form)s->form[o]) {
    case FORM_VALUE: read_reg(s, o); break;
    case FORM_WORD:
    case FORM_ITEM: read_reg(s, in_register(s, o)); break;
    case FORM_PLACE: break;
    case FORM_ARGUMENT:
        if (wide || s->shared++) read_reg(s, in_register(s, o));
        break;
    case FORM_CONSTANT:
        if (wide || s->constants++) read_reg(s, in_register(s, o));
        break;
    case FORM_SHARED:
        s->shared++;
        read_base(s, &s->k->insts[s->def_at[o]]);
        break;
    case FORM_INDEXED:
        s->constants++;
        read_base(s, &s->k->insts[s->def_at[o]]);
        break;
    }
}

/* ---- addresses ---- */

/* The address of a global access: a register, which instructions behind in the block may use too.
 * Where a narrow store goes beside an argument, ptxas computes it early. */
static uint32_t address_of(struct select *s, isa_operand base, int32_t displacement, bool narrow) {
    if (base != ISA_NO_OPERAND && !is_spare(s, base) && !displacement) return base;
    struct made *m = find_made(s, base, displacement, true);
    if (m->reg != NONE) return m->reg;
    m->reg = new_reg(s, MACHINE_GENERAL, 2);
    bool spare = base == ISA_NO_OPERAND || is_spare(s, base);
    bool word = spare && base != ISA_NO_OPERAND && isa_is_reg(base) &&
                (s->form[base] == FORM_WORD || s->form[base] == FORM_ITEM);
    uint32_t from = word ? in_register(s, base) : base;
    emit(s, &m->reg, 1, &from, !spare || word);
    if (narrow && spare) {
        s->early = grown(s->arena, s->early, s->nearly, &s->cap_early, sizeof *s->early);
        s->early[s->nearly++] = s->m->nops - 1;
    }
    return m->reg;
}

static void read_base(struct select *s, const struct isa_inst *i) {
    isa_operand base = isa_srcs(s->k, i)[0];
    if (i->space == ISA_GLOBAL)
        read_reg(s, address_of(s, base, i->imm, i->op == ISA_st && isa_type_size[i->type] < 4));
    else if (base != ISA_NO_OPERAND && isa_is_reg(base) && s->form[base] == FORM_VALUE)
        read_reg(s, base);
}

/* ---- instructions ---- */

/* Puts the addresses that are computed early at the top of the stretch: of the code behind the last
 * computation. */
static void flush_early(struct select *s) {
    struct machine *m = s->m;
    uint32_t first = s->stretch, n = m->nops - first, at = 0;
    s->stretch = m->nops;
    if (!s->nearly) return;
    struct machine_op *ops = ARENA_ARRAY(s->arena, struct machine_op, n);
    for (uint32_t e = 0; e < s->nearly; e++) ops[at++] = m->ops[s->early[e]];
    for (uint32_t o = 0, e = 0; o < n; o++)
        if (e < s->nearly && s->early[e] == first + o)
            e++;
        else
            ops[at++] = m->ops[first + o];
    memcpy(m->ops + first, ops, n * sizeof *ops);
    s->nearly = 0;
}

static void finish(struct select *s, const isa_operand *dst, unsigned ndst, unsigned extra,
                   unsigned routine) {
    struct machine_op *op = emit(s, dst, ndst, s->reads, s->nreads);
    op->extra = (uint8_t)extra;
    op->routine = (uint8_t)routine;
}

static void begin(struct select *s) {
    s->nreads = 0;
    s->shared = s->constants = 0;
}

/* One instruction moves 16 bytes at most, or one component where there are three. */
static void select_access(struct select *s, const struct isa_inst *i) {
    unsigned bytes = isa_type_size[i->type], step = i->count == 3 ? 1 : 16 / bytes;
    const isa_operand *src = isa_srcs(s->k, i), *dst = isa_dsts(s->k, i);
    for (unsigned c = 0; c < i->count; c += step) {
        unsigned n = i->count - c < step ? i->count - c : step;
        struct isa_inst part = *i;
        part.imm += (int32_t)(c * bytes);
        begin(s);
        uint32_t *data = arena_alloc(s->arena, sizeof *data * n);
        if (i->op == ISA_st)
            for (unsigned j = 0; j < n; j++) data[j] = in_register(s, src[1 + c + j]);
        read_base(s, &part);
        if (i->op == ISA_st)
            for (unsigned j = 0; j < n; j++) read_reg(s, data[j]);
        finish(s, dst + c, i->op == ISA_ld ? n : 0, 0, 0);
    }
}

static void select_atomic(struct select *s, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(s->k, i);
    begin(s);
    read_base(s, i);
    for (unsigned n = 1; n < i->nsrc; n++) read_reg(s, in_register(s, src[n]));
    bool wanted = s->uses[isa_dsts(s->k, i)[0]] != 0;
    finish(s, isa_dsts(s->k, i), wanted, i->space == ISA_LOCAL, 0);
}

/* Coordinates and texel share registers that follow each other: what lives on is copied. */
static void select_image(struct select *s, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(s->k, i), *dst = isa_dsts(s->k, i);
    unsigned first = i->op == ISA_img_read ? 2 : 1, n = i->nsrc - first;
    uint32_t *copies = arena_alloc(s->arena, sizeof *copies * (n + 4)), wanted = 0;
    for (unsigned c = 0; c < n; c++) {
        isa_operand o = src[first + c];
        copies[c] = new_reg(s, MACHINE_GENERAL, 2);
        uint32_t from = isa_is_reg(o) && s->form[o] == FORM_VALUE ? o : NONE;
        emit(s, &copies[c], 1, &from, from != NONE);
    }
    begin(s);
    for (unsigned c = 0; c < n; c++) read_reg(s, copies[c]);
    for (unsigned d = 0; d < i->ndst; d++)
        if (s->uses[dst[d]]) copies[wanted++] = dst[d];
    finish(s, copies, wanted, i->op == ISA_img_write ? 2 : 0, 0);
}

static bool is_division(unsigned op) {
    return op == ISA_div_s || op == ISA_div_u || op == ISA_rem_s || op == ISA_rem_u;
}

static void select_computation(struct select *s, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(s->k, i);
    const struct isa_op_info *info = &isa_op_info[i->op];
    unsigned extra = 0, routine = 0;
    unsigned width = isa_type_size[info->types2 && i->type == ISA_I32 ? i->type2 : i->type];
    for (unsigned n = 0; n < sizeof needs / sizeof *needs; n++)
        if (needs[n].op == i->op && needs[n].width == width)
            *(needs[n].kind == EXTRA ? &extra : &routine) = needs[n].registers;
    if (is_division(i->op) && isa_is_const(src[1])) { /* multiplied by the reciprocal */
        uint64_t by = s->k->consts[isa_const_index(src[1])].bits;
        extra = by & (by - 1) ? width > 4 ? 8 : 3 : 1;
        routine = 0;
    }
    begin(s);
    for (unsigned n = 0; n < i->nsrc; n++) read_operand(s, src[n]);
    if (s->nreads) flush_early(s);
    finish(s, isa_dsts(s->k, i), i->ndst, extra, routine);
}

/* The addresses that walk get their first values before the loop, and are stepped at its end. */
static void select_walks(struct select *s, uint32_t loop, bool begins) {
    for (uint32_t w = s->walks_of[loop]; w; w = s->walks[w - 1].next) {
        const struct walk *walk = &s->walks[w - 1];
        if (begins && walk->step != NONE &&
            !(walk->next && s->walks[walk->next - 1].step == walk->step))
            emit(s, &walk->step, 1, NULL, 0);
        const uint32_t reads[] = {walk->reg, walk->step};
        emit(s, &walk->reg, 1, reads, begins ? 0 : walk->step != NONE ? 2 : 1);
    }
}

static void select_inst(struct select *s, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(s->k, i);
    if (i->op == ISA_loop) select_walks(s, s->inst, true);
    if (i->op == ISA_endloop) select_walks(s, s->match[s->inst], false);
    if (i->ndst == 1 && s->walk_of[isa_dsts(s->k, i)[0]]) return;
    if (i->ndst == 1 && s->form[isa_dsts(s->k, i)[0]] != FORM_VALUE) return;
    if (i->op == ISA_ld || i->op == ISA_st)
        select_access(s, i);
    else if (isa_op_info[i->op].flags & ISA_OP_ATOMIC)
        select_atomic(s, i);
    else if (i->op == ISA_img_read || i->op == ISA_img_write)
        select_image(s, i);
    else if (i->op == ISA_special)
        emit_special(s, i, isa_dsts(s->k, i)[0]);
    else if (i->op == ISA_printf) {
        begin(s);
        for (unsigned n = 0; n < i->nsrc; n++) read_reg(s, in_register(s, src[n]));
        finish(s, NULL, 0, 2, 0);
    } else
        select_computation(s, i);
}

/* ---- what stands for what ---- */

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
            block[r] = !block[r] || block[r] == s->block_of[n] + 1 ? s->block_of[n] + 1 : NONE;
        }
    }
    for (uint32_t r = 0; r < k->nregs; r++)
        if (s->defs[r] == 1 && s->form[r] == FORM_VALUE && block[r] != NONE &&
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
    for (uint32_t n = load; base != ISA_NO_OPERAND && n < at; n++)
        for (unsigned d = 0; d < s->k->insts[n].ndst; d++)
            if (isa_dsts(s->k, &s->k->insts[n])[d] == base) return false;
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
        bool compares = i->op >= ISA_eq && i->op <= ISA_le_u && small &&
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
                steps = is_spare(s, isa_srcs(k, i)[0]) || is_spare(s, isa_srcs(k, i)[1]);
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
        if (!isa_is_reg(o)) return NULL;
    }
    for (uint32_t n = c->of[o]; n; n = c->list[n - 1].next)
        if (c->list[n - 1].loop == loop) return &c->list[n - 1];
    return NULL;
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
        s->walks = grown(s->arena, s->walks, s->nwalks, &s->cap_walks, sizeof *s->walks);
        uint32_t *first = &s->walks_of[l.loops[loop].begin], step = NONE;
        if (isa_is_reg(by->step))
            step = *first ? s->walks[*first - 1].step : k->nregs + s->nsteps++;
        s->walks[s->nwalks] = (struct walk){to, step, *first};
        *first = s->walk_of[to] = ++s->nwalks;
        if (scaled != ISA_NO_OPERAND && !--s->uses[scaled]) s->form[scaled] = FORM_PLACE;
    }
}

static bool ends_block(const struct isa_inst *i) {
    return isa_op_info[i->op].flags &
           (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE | ISA_OP_REGION_END | ISA_OP_JUMP);
}

/* Which regions the instructions begin, end and leave. */
static void match_regions(struct select *s) {
    const struct isa_kernel *k = s->k;
    uint32_t open[ISA_MAX_NESTING], part[ISA_MAX_NESTING], depth = 0;
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

static void prepare(struct select *s) {
    const struct isa_kernel *k = s->k;
    uint32_t block = 0, clobbers = 0;
    match_regions(s);
    count_mentions(s);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        s->block_of[n] = block;
        s->clobbers[n] = clobbers;
        if (ends_block(i)) block++;
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
        unsigned width = narrow[r] ? 1 : width_of(t);
        /* a load of global memory fills the register, whatever its size */
        if (s->defs[r] && k->insts[s->def_at[r]].op == ISA_ld && width == 1 &&
            k->insts[s->def_at[r]].space == ISA_GLOBAL)
            width = 2;
        new_reg(s,
                t == ISA_PRED ? MACHINE_PREDICATE
                : address[r]  ? MACHINE_ADDRESS
                              : MACHINE_GENERAL,
                width);
    }
    for (uint32_t r = 0; r < s->nsteps; r++) new_reg(s, MACHINE_GENERAL, 2);
    s->item = new_reg(s, MACHINE_GENERAL, 2);
}

/* ---- blocks ---- */

/* Where the block goes whose last instruction it is. */
static void link_block(const struct select *s, uint32_t last, struct machine_block *b) {
    const struct isa_inst *i = &s->k->insts[last];
    uint32_t match = s->match[last], behind = s->block + 1;
    b->next[0] = behind;
    b->next[1] = NONE;
    switch (i->op) {
    case ISA_if: b->next[1] = s->block_of[match] + 1; break;
    case ISA_else: b->next[0] = s->block_of[match] + 1; break;
    case ISA_endloop:
    case ISA_continue: b->next[0] = s->block_of[match] + 1; break;
    case ISA_break: b->next[0] = s->block_of[s->match[match]] + 1; break;
    case ISA_breakif: b->next[1] = s->block_of[s->match[match]] + 1; break;
    case ISA_ret: b->next[0] = NONE; break;
    default: break;
    }
}

void machine_select(struct machine *m, const struct isa_kernel *k, struct arena *arena) {
    *m = (struct machine){0};
    struct select s = {.m = m, .k = k, .arena = arena};
    s.defs = ARENA_ARRAY(arena, uint32_t, k->nregs + 1);
    s.uses = ARENA_ARRAY(arena, uint32_t, k->nregs + 1);
    s.def_at = ARENA_ARRAY(arena, uint32_t, k->nregs + 1);
    s.version = ARENA_ARRAY(arena, uint32_t, k->nregs + 1);
    s.form = ARENA_ARRAY(arena, uint8_t, k->nregs + 1);
    s.block_of = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1);
    s.clobbers = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1);
    s.match = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1);
    s.made = ARENA_ARRAY(arena, struct made, MADE_SLOTS);
    prepare(&s);
    uint32_t nblocks = k->ninsts ? s.block_of[k->ninsts - 1] + 2 : 1;
    m->blocks = ARENA_ARRAY(arena, struct machine_block, nblocks);
    m->nblocks = nblocks;
    emit(&s, &s.item, 1, NULL, 0);
    uint32_t first = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        s.inst = n;
        select_inst(&s, i);
        for (unsigned d = 0; d < i->ndst; d++) s.version[isa_dsts(k, i)[d]]++;
        if (!ends_block(i) && n + 1 < k->ninsts) continue;
        flush_early(&s);
        m->blocks[s.block] = (struct machine_block){.first = first, .end = m->nops};
        link_block(&s, n, &m->blocks[s.block]);
        first = m->nops;
        s.block++;
    }
    for (uint32_t b = s.block; b < nblocks; b++)
        m->blocks[b] = (struct machine_block){m->nops, m->nops, {NONE, NONE}};
    for (uint32_t b = 0; b < nblocks; b++)
        for (int e = 0; e < 2; e++)
            if (m->blocks[b].next[e] >= nblocks) m->blocks[b].next[e] = NONE;
}
