/* Variables and lvalues: where an object lives, and which part of it an expression names. */
#include "lowerstate.h"

#include <string.h>

struct variable *lower_variable(struct lower *l, struct ast_var *v) {
    if (!v->lowered) v->lowered = ARENA_NEW(l->arena, struct variable);
    return v->lowered;
}

/* Registers hold scalars, vectors and structs of them; what is indexed or seen as different types
 * starts in memory, and pass_frame.c moves it to registers when it can. */
static bool fits_registers(const struct ast_type *t) {
    if (t->kind == AST_ARRAY) return false;
    if (t->kind != AST_STRUCT) return true;
    if (t->is_union) return false;
    for (uint32_t i = 0; i < t->nfields; i++)
        if (!fits_registers(t->fields[i].type)) return false;
    return true;
}

static struct variable *fresh(struct lower *l, struct ast_var *v, enum variable_kind kind,
                              uint32_t n) {
    struct variable *x = lower_variable(l, v);
    x->kind = kind;
    x->kernel = state_of(l)->kernel_id;
    x->n = n;
    x->c = ARENA_ARRAY(l->arena, isa_operand, n ? n : 1);
    x->fixed = NULL;
    return x;
}

static void declare_registers(struct lower *l, struct ast_var *v) {
    const struct parts *p = lower_parts(l, v->type);
    struct variable *x = fresh(l, v, VARIABLE_REGISTERS, p->n);
    for (uint32_t i = 0; i < p->n; i++) x->c[i] = lower_reg(l, lower_type(p->part[i].type));
}

/* Where checks of values ask for it, that nothing has set the variable is in the code. */
static void declare_unset(struct lower *l, struct ast_var *v) {
    struct variable *x = lower_variable(l, v);
    if (!l->options->check_values) return;
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t mark = l->k->nregs;
        isa_operand u = lower_undefined(l, isa_operand_type(l->k, x->c[i]));
        lower_settle(l, x->c[i], u, mark);
    }
}

static bool lives_in_memory(const struct ast_var *v) {
    return v->address_taken || (v->quals & AST_VOLATILE) || !fits_registers(v->type);
}

static void declare_object(struct lower *l, struct ast_var *v) {
    struct variable *x = fresh(l, v, VARIABLE_FRAME, 1);
    uint32_t align = v->align > v->type->align ? v->align : v->type->align;
    x->c[0] = lower_object(l, v->type->size, align, v->loc);
    struct lower_state *s = state_of(l);
    s->objects[s->nobjects - 1].variable = lower_origin_variable(l, v, ISA_PRIVATE, 0);
    lower_note_place(l, v, x->c[0]);
}

static void declare_local(struct lower *l, struct ast_var *v) {
    struct lower_state *s = state_of(l);
    struct variable *x = lower_variable(l, v);
    if (x->kind == VARIABLE_LOCAL && x->kernel == s->kernel_id) return;
    uint32_t align = v->align > v->type->align ? v->align : v->type->align;
    uint64_t at = ((uint64_t)s->local_bytes + align - 1) / align * align;
    if (at + v->type->size > l->target->max_local_bytes) {
        lower_error(l, v->loc,
                    "local variable '%s' exceeds the device's %u bytes of local memory%s", v->name,
                    l->target->max_local_bytes, lower_beyond(l));
        at = 0;
    } else {
        s->local_bytes = (uint32_t)at + v->type->size;
    }
    fresh(l, v, VARIABLE_LOCAL, 0)->offset = (uint32_t)at;
    lower_origin_variable(l, v, ISA_LOCAL, (uint32_t)at);
    lower_note_offset(l, v, ISA_LOCAL, (uint32_t)at);
}

void lower_bind(struct lower *l, struct ast_var *v, const struct value *value, uint32_t mark) {
    struct variable *x = lower_variable(l, v);
    if (!lives_in_memory(v) && !x->assigned) {
        x = fresh(l, v, VARIABLE_BOUND, value->n);
        memcpy(x->c, value->c, value->n * sizeof *x->c);
        lower_note_value(l, v, 0, x->n, x->c);
        return;
    }
    if (lives_in_memory(v))
        declare_object(l, v);
    else
        declare_registers(l, v);
    struct place p = lower_variable_place(l, v);
    lower_here_var(l, v);
    lower_write(l, &p, value, mark);
}

/* A constant variable that no memory holds: a sampler. */
static bool is_immediate(const struct ast_var *v) { return v->type->kind == AST_SAMPLER; }

void lower_declare(struct lower *l, struct ast_var *v) {
    if (v->storage == AST_LOCAL_VAR) {
        declare_local(l, v);
        return;
    }
    if (is_immediate(v) && v->init) {
        struct value value = lower_expr(l, v->init);
        struct variable *x = fresh(l, v, VARIABLE_BOUND, 1);
        x->c[0] = value.c[0];
        return;
    }
    if (v->storage == AST_CONSTANT_VAR || lower_is_table(l, v)) {
        lower_layout(l, v);
        fresh(l, v, VARIABLE_CONSTANT, 0);
        lower_origin_variable(l, v, ISA_CONSTANT, lower_variable(l, v)->offset);
        lower_note_offset(l, v, ISA_CONSTANT, lower_variable(l, v)->offset);
        return;
    }
    bool in_memory = lives_in_memory(v);
    if (!v->init) {
        if (in_memory)
            declare_object(l, v);
        else
            declare_registers(l, v), declare_unset(l, v);
        return;
    }
    if (in_memory) declare_object(l, v); /* its initialiser may name it */
    uint32_t mark = l->k->nregs;
    bool jumps = state_of(l)->frame && state_of(l)->frame->info->jumps;
    bool bound = !in_memory && !lower_variable(l, v)->assigned && !jumps;
    if (!in_memory && !bound) declare_registers(l, v);
    struct value value = lower_expr(l, v->init);
    if (!bound) {
        struct place p = lower_variable_place(l, v);
        lower_here_var(l, v);
        lower_write(l, &p, &value, mark);
        return;
    }
    for (uint32_t i = 0; i < value.n; i++) {
        if (lower_settled(l, value.c[i])) continue;
        value.c[i] = lower_copy(l, value.c[i]);
    }
    struct variable *x = fresh(l, v, VARIABLE_BOUND, value.n);
    memcpy(x->c, value.c, value.n * sizeof *x->c);
    lower_note_value(l, v, 0, x->n, x->c);
}

static isa_operand address_of(struct lower *l, enum isa_op op, uint32_t offset) {
    struct isa_inst *i = lower_emit(l, op, ISA_I32, ISA_NONE_T, 1, NULL, 0, NULL);
    i->imm = (int32_t)offset;
    return isa_dsts(l->k, i)[0];
}

struct place lower_variable_place(struct lower *l, struct ast_var *v) {
    struct variable *x = lower_variable(l, v);
    /* Not declared in this kernel: of program scope, or jumped past. */
    if (x->kind == VARIABLE_NEW || x->kernel != state_of(l)->kernel_id) lower_declare(l, v);
    struct place p = {.type = v->type, .quals = v->quals};
    p.align = v->align > v->type->align ? v->align : v->type->align;
    switch (x->kind) {
    case VARIABLE_FRAME:
        p.in_memory = true;
        p.space = AST_PRIVATE;
        p.pointer = x->c[0];
        break;
    case VARIABLE_LOCAL:
        p.in_memory = true;
        p.space = AST_LOCAL;
        p.pointer = address_of(l, ISA_localaddr, x->offset);
        break;
    case VARIABLE_CONSTANT:
        p.in_memory = true;
        p.space = AST_CONSTANT;
        p.pointer = address_of(l, ISA_constaddr, x->offset);
        break;
    default: p.regs = x->fixed ? x->fixed : x->c; p.var = v;
    }
    return p;
}

/* ---- lvalues ---- */

static uint32_t lowest_bit(uint32_t x) { return x & (0 - x); }

/* Index of the first component that lies at `offset` in a type's flat layout. */
uint32_t lower_component(struct lower *l, const struct ast_type *t, uint32_t offset) {
    const struct parts *p = lower_parts(l, t);
    uint32_t low = 0, high = p->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->part[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct place member(struct lower *l, struct ast_expr *e) {
    struct place p = lower_place(l, e->a);
    const struct ast_field *f = e->field;
    if (p.in_memory) {
        p.displacement += (int32_t)f->offset;
        p.align = lowest_bit(p.align | f->offset);
    } else {
        p.regs += lower_component(l, p.type, f->offset);
    }
    p.type = f->type;
    p.quals |= e->quals | f->quals;
    return p;
}

/* Where checks ask for it: the index into an array that is a part of an object. A member of one
 * element, or none, may be a structure's open end. */
static void note_index(struct lower *l, const struct ast_expr *e, isa_operand at) {
    const struct ast_expr *array = e->a->kind == AST_DECAY ? e->a->a : NULL;
    if (!l->options->check_values || !array || array->type->kind != AST_ARRAY) return;
    if (array->kind != AST_MEMBER && array->kind != AST_INDEX) return;
    bool end = state_of(l)->addressed == e || e->type->kind == AST_ARRAY;
    uint32_t count = array->type->count;
    uint64_t known;
    if (count <= 1 || (lower_is_const(l, at, &known) && known < (uint64_t)count + end)) return;
    isa_operand operands[] = {at, lower_const(l, ISA_I32, (uint64_t)count + end)};
    struct here here = state_of(l)->here;
    lower_here(l, e);
    struct isa_inst *i = lower_emit(l, ISA_index, ISA_NONE_T, ISA_NONE_T, 0, NULL, 2, operands);
    i->imm = array->kind == AST_INDEX ? ISA_INDEX_ROW : ISA_INDEX_MEMBER;
    lower_site(l, i, ISA_SITE_index);
    state_of(l)->here = here;
}

void lower_note_sum(struct lower *l, enum isa_index_kind kind, isa_operand a, isa_operand b) {
    struct lower_state *s = state_of(l);
    const struct ast_expr *e = s->computed;
    if (!e || !e->addresses || s->dead || l->k == s->scratch) return;
    if (isa_is_const(a) && isa_is_const(b)) return;
    isa_operand operands[] = {a, b};
    struct here here = s->here;
    lower_here(l, e);
    struct isa_inst *i = lower_emit(l, ISA_index, ISA_NONE_T, ISA_NONE_T, 0, NULL, 2, operands);
    i->imm = kind;
    lower_site(l, i, ISA_SITE_index);
    s->here = here;
}

static struct place pointed(struct lower *l, struct ast_expr *pointer, struct ast_expr *index,
                            const struct ast_expr *e) {
    struct place p = {.type = e->type, .in_memory = true, .quals = e->quals};
    p.space = pointer->type->kind == AST_POINTER ? pointer->type->space : e->space;
    if (lower_is_table(l, lower_element_of(e))) p.space = AST_CONSTANT;
    p.align = e->type->align;
    p.pointer = lower_scalar(l, pointer);
    isa_operand at = lower_const(l, ISA_I32, 0);
    if (index) at = lower_offset(l, lower_scalar(l, index), index->type);
    if (index) note_index(l, e, at);
    p.pointer = lower_address(l, p.pointer, at, e->type->size, &p.displacement);
    return p;
}

static struct place swizzle(struct lower *l, struct ast_expr *e) {
    struct place p = lower_place(l, e->a);
    uint8_t lanes[16];
    for (unsigned i = 0; i < e->nlanes; i++)
        lanes[i] = p.lane_type ? p.lanes[e->lanes[i] < p.nlanes ? e->lanes[i] : 0] : e->lanes[i];
    memcpy(p.lanes, lanes, e->nlanes);
    p.nlanes = e->nlanes;
    p.lane_type = e->type;
    return p;
}

/* An rvalue whose address something needs: an array in what a function gave, for example. */
static struct place spill(struct lower *l, struct ast_expr *e) {
    struct value v = lower_expr(l, e);
    struct place p = {.type = e->type, .in_memory = true, .space = AST_PRIVATE};
    p.align = e->type->align;
    p.pointer = lower_object(l, e->type->size, e->type->align, e->loc);
    lower_here(l, e);
    lower_write(l, &p, &v, UINT32_MAX);
    return p;
}

struct place lower_place(struct lower *l, struct ast_expr *e) {
    struct lower_state *s = state_of(l);
    lower_step(l);
    lower_at(l, e->loc);
    lower_enter(l);
    struct place p;
    switch (e->kind) {
    case AST_VAR: p = lower_variable_place(l, e->var); break;
    case AST_COMPOUND_LIT:
        lower_declare(l, e->var);
        p = lower_variable_place(l, e->var);
        break;
    case AST_MEMBER: p = member(l, e); break;
    case AST_INDEX: p = pointed(l, e->a, e->b, e); break;
    case AST_DEREF: p = pointed(l, e->a, NULL, e); break;
    case AST_SWIZZLE: p = swizzle(l, e); break;
    case AST_STRING_LIT:
        p = (struct place){.type = e->type, .in_memory = true, .space = AST_CONSTANT, .align = 1};
        p.pointer = address_of(l, ISA_constaddr, lower_string(l, e->string, e->length));
        break;
    case AST_COMMA:
        lower_discard(l, e->a);
        p = lower_place(l, e->b);
        break;
    case AST_CAST:
        if (e->cast == AST_CAST_NONE && e->a->lvalue)
            p = lower_place(l, e->a);
        else
            p = spill(l, e);
        break;
    default: p = spill(l, e);
    }
    s->recursion--;
    return p;
}
