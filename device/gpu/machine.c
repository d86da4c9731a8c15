#include "forms.h"

#include <string.h>

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

static void push(struct select *s, uint32_t reg) {
    struct machine_code *m = s->m;
    m->operands =
        forms_grown(s->arena, m->operands, m->noperands, &m->cap_operands, sizeof *m->operands);
    m->operands[m->noperands++] = reg;
}

static struct machine_op *emit(struct select *s, const uint32_t *defs, unsigned ndefs,
                               const uint32_t *uses, unsigned nuses) {
    struct machine_code *m = s->m;
    m->ops = forms_grown(s->arena, m->ops, m->nops, &m->cap_ops, sizeof *m->ops);
    struct machine_op *op = &m->ops[m->nops++];
    *op = (struct machine_op){.inst = s->inst, .operands = m->noperands, .ndefs = (uint16_t)ndefs};
    for (unsigned i = 0; i < ndefs; i++) push(s, defs[i]);
    for (unsigned i = 0; i < nuses; i++) push(s, uses[i]);
    op->nuses = (uint16_t)nuses;
    return op;
}

static void read_reg(struct select *s, uint32_t reg) {
    s->reads = forms_grown(s->arena, s->reads, s->nreads, &s->cap_reads, sizeof *s->reads);
    s->reads[s->nreads++] = reg;
}

/* ---- operands ---- */

static struct made *find_made(struct select *s, isa_operand o, int32_t displacement, bool address) {
    uint32_t version = isa_is_reg(o) ? s->version[o] : 0;
    uint32_t hash = (o * 31u + (uint32_t)displacement) * 2u + address;
    struct made *m = &s->made[(hash * 2654435761u) >> 20 & (MADE_SLOTS - 1)];
    if (m->block == s->block + 1 && m->operand == o && m->version == version &&
        m->displacement == displacement && m->address == address)
        return m;
    *m = (struct made){o, version, s->block + 1, MACHINE_NONE, displacement, address};
    return m;
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
    uint32_t reg = forms_reg(s, MACHINE_GENERAL, forms_width(isa_operand_type(s->k, o)));
    emit(s, &reg, 1, &base, based);
    return reg;
}

/* An operand that has to be in a register: the one that holds it, in this block. */
static uint32_t in_register(struct select *s, isa_operand o) {
    if (isa_is_reg(o) && s->form[o] == FORM_VALUE) return o;
    if (isa_is_reg(o) && (s->form[o] == FORM_SHARED || s->form[o] == FORM_INDEXED))
        return load_indexed(s, o);
    struct made *m = find_made(s, o, 0, false);
    if (m->reg == MACHINE_NONE || isa_is_const(o)) {
        m->reg = forms_reg(s, MACHINE_GENERAL, forms_width(isa_operand_type(s->k, o)));
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

enum { MOST_EARLY = 32 }; /* of a stretch */

/* The address of a global access: a register, which instructions behind in the block may use too.
 * Where a narrow store goes beside an argument, ptxas computes it early: some of them, where there
 * are so many that they would take all registers, which no spilled value would set free. */
static uint32_t address_of(struct select *s, isa_operand base, int32_t displacement, bool narrow) {
    if (base != ISA_NO_OPERAND && !forms_spare(s, base) && !displacement) return base;
    struct made *m = find_made(s, base, displacement, true);
    if (m->reg != MACHINE_NONE) return m->reg;
    m->reg = forms_reg(s, MACHINE_GENERAL, 2);
    bool spare = base == ISA_NO_OPERAND || forms_spare(s, base);
    bool word = spare && base != ISA_NO_OPERAND && isa_is_reg(base) &&
                (s->form[base] == FORM_WORD || s->form[base] == FORM_ITEM);
    uint32_t from = word ? in_register(s, base) : base;
    emit(s, &m->reg, 1, &from, !spare || word);
    if (narrow && spare && s->nearly < MOST_EARLY) {
        s->early = forms_grown(s->arena, s->early, s->nearly, &s->cap_early, sizeof *s->early);
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
    struct machine_code *m = s->m;
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
    unsigned first = isa_first_coordinate(i), n = i->nsrc - first;
    uint32_t *copies = arena_alloc(s->arena, sizeof *copies * (n + 4)), wanted = 0;
    for (unsigned c = 0; c < n; c++) {
        isa_operand o = src[first + c];
        copies[c] = forms_reg(s, MACHINE_GENERAL, 2);
        uint32_t from = isa_is_reg(o) && s->form[o] == FORM_VALUE ? o : MACHINE_NONE;
        emit(s, &copies[c], 1, &from, from != MACHINE_NONE);
    }
    begin(s);
    for (unsigned c = 0; c < n; c++) read_reg(s, copies[c]);
    for (unsigned d = 0; d < i->ndst; d++)
        if (s->uses[dst[d]]) copies[wanted++] = dst[d];
    finish(s, copies, wanted, i->op == ISA_img_write ? 2 : 0, 0);
}

static void select_computation(struct select *s, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(s->k, i);
    const struct isa_op_info *info = &isa_op_info[i->op];
    unsigned extra = 0, routine = 0;
    unsigned width = isa_type_size[info->types2 && i->type == ISA_I32 ? i->type2 : i->type];
    for (unsigned n = 0; n < sizeof needs / sizeof *needs; n++)
        if (needs[n].op == i->op && needs[n].width == width)
            *(needs[n].kind == EXTRA ? &extra : &routine) = needs[n].registers;
    if (isa_divides(i->op) && isa_is_const(src[1])) { /* multiplied by the reciprocal */
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
        if (begins && walk->step != MACHINE_NONE &&
            !(walk->next && s->walks[walk->next - 1].step == walk->step))
            emit(s, &walk->step, 1, NULL, 0);
        const uint32_t reads[] = {walk->reg, walk->step};
        emit(s, &walk->reg, 1, reads, begins ? 0 : walk->step != MACHINE_NONE ? 2 : 1);
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

/* ---- blocks ---- */

/* Where the block goes whose last instruction it is. */
static void link_block(const struct select *s, uint32_t last, struct machine_block *b) {
    const struct isa_inst *i = &s->k->insts[last];
    uint32_t match = s->match[last], behind = s->block + 1;
    b->next[0] = behind;
    b->next[1] = MACHINE_NONE;
    switch (i->op) {
    case ISA_if: b->next[1] = s->block_of[match] + 1; break;
    case ISA_else: b->next[0] = s->block_of[match] + 1; break;
    case ISA_endloop:
    case ISA_continue: b->next[0] = s->block_of[match] + 1; break;
    case ISA_break: b->next[0] = s->block_of[s->match[match]] + 1; break;
    case ISA_breakif: b->next[1] = s->block_of[s->match[match]] + 1; break;
    case ISA_ret: b->next[0] = MACHINE_NONE; break;
    default: break;
    }
}

void machine_select(struct machine_code *m, const struct isa_kernel *k, struct arena *arena) {
    *m = (struct machine_code){0};
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
    forms_find(&s);
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
        if (!forms_ends_block(i) && n + 1 < k->ninsts) continue;
        flush_early(&s);
        m->blocks[s.block] = (struct machine_block){.first = first, .end = m->nops};
        link_block(&s, n, &m->blocks[s.block]);
        first = m->nops;
        s.block++;
    }
    for (uint32_t b = s.block; b < nblocks; b++)
        m->blocks[b] = (struct machine_block){m->nops, m->nops, {MACHINE_NONE, MACHINE_NONE}};
    for (uint32_t b = 0; b < nblocks; b++)
        for (int e = 0; e < 2; e++)
            if (m->blocks[b].next[e] >= nblocks) m->blocks[b].next[e] = MACHINE_NONE;
}
