/* What -g has the lowering keep for a debugger: variables with their types, the values they are
 * given, and where statements begin (device/isa/SPEC.md, "Notes"). */
#include "lowerstate.h"
#include "device/isa/vars.h"

#include <string.h>

static bool wanted(const struct lower *l) {
    const struct lower_state *s = l->state;
    return l->options->debug && l->k && l->k != s->scratch && s->frame;
}

/* What was noted of the kernel that is being lowered. */
static struct noting *notes_of(struct lower *l) {
    struct lower_state *s = state_of(l);
    if (s->notes.kernel != s->kernel_id) s->notes = (struct noting){.kernel = s->kernel_id};
    return &s->notes;
}

/* What there is, with room for `need` elements; those that are new are zeros. */
static void *room_for(struct lower *l, void *have, uint32_t *cap, uint32_t need, size_t size) {
    if (need <= *cap) return have;
    uint32_t more = *cap ? *cap : 16;
    while (more < need) more *= 2;
    void *grown = arena_alloc(l->arena, more * size);
    if (*cap) memcpy(grown, have, *cap * size);
    *cap = more;
    return grown;
}

/* ---- types ---- */

static enum isa_form form_of(const struct ast_type *t) {
    switch (t->kind) {
    case AST_BOOL: return ISA_FORM_bool;
    case AST_VECTOR: return ISA_FORM_vector;
    case AST_POINTER: return ISA_FORM_pointer;
    case AST_ARRAY: return ISA_FORM_array;
    case AST_STRUCT: return t->is_union || !t->nfields ? ISA_FORM_union : ISA_FORM_struct;
    default:
        return ast_is_float(t)                             ? ISA_FORM_real
               : ast_is_signed(t)                          ? ISA_FORM_sint
               : t->kind >= AST_BOOL && t->kind < AST_HALF ? ISA_FORM_uint
                                                           : ISA_FORM_opaque;
    }
}

static uint32_t known(const struct noting *n, const struct ast_type *t) {
    for (uint32_t i = 0; i < n->ntypes; i++)
        if (n->types[i].type == t) return n->types[i].number;
    return 0;
}

static uint32_t add_type(struct lower *l, const struct ast_type *t, const struct isa_vtype *type) {
    struct noting *n = notes_of(l);
    n->types = room_for(l, n->types, &n->cap_types, n->ntypes + 1, sizeof *n->types);
    uint32_t number = isa_vtype_new(l->k, type);
    if (!number) lower_no_memory(l);
    n->types[n->ntypes++] = (struct noted_type){t, number};
    return number;
}

/* The type's number in the kernel; what it is made of comes before it, pointees excepted. */
static uint32_t type_of(struct lower *l, const struct ast_type *t) {
    uint32_t number = known(notes_of(l), t);
    if (number) return number;
    struct isa_vtype type = {
        .name = (char *)(t->name ? t->name : ""), .form = (uint8_t)form_of(t), .size = t->size};
    lower_enter(l);
    if (type.form == ISA_FORM_opaque) type.size = 4;
    if (type.form == ISA_FORM_pointer) {
        type.size = 4;
        type.space = (uint8_t)lower_space(t->space);
        number = add_type(l, t, &type);
        bool seen = t->elem->kind != AST_VOID && t->elem->kind != AST_FUNCTION;
        uint32_t of = seen ? type_of(l, t->elem) : 0;
        l->k->types[number - 1].of = of;
        state_of(l)->recursion--;
        return number;
    }
    if (type.form == ISA_FORM_vector || type.form == ISA_FORM_array) {
        type.of = type_of(l, t->elem);
        type.count = t->count ? t->count : 1;
    }
    bool fields = type.form == ISA_FORM_struct || type.form == ISA_FORM_union;
    if (fields) {
        type.nfields = t->nfields;
        type.fields = ARENA_ARRAY(l->arena, struct isa_field, t->nfields + 1u);
        for (uint32_t i = 0; i < t->nfields; i++)
            type.fields[i] =
                (struct isa_field){.name = (char *)(t->fields[i].name ? t->fields[i].name : ""),
                                   .type = type_of(l, t->fields[i].type),
                                   .offset = t->fields[i].offset};
    }
    state_of(l)->recursion--;
    number = known(notes_of(l), t); /* by a pointer to itself */
    return number ? number : add_type(l, t, &type);
}

/* ---- scopes ---- */

static struct noted_scope *scope_of(struct lower *l, uint32_t scope) {
    struct noting *n = notes_of(l);
    n->scopes = room_for(l, n->scopes, &n->cap_scopes, scope + 1, sizeof *n->scopes);
    return &n->scopes[scope];
}

void lower_note_scope(struct lower *l) {
    struct lower_state *s = state_of(l);
    if (!l->options->debug || !l->k || l->k == s->scratch) return;
    struct noting *n = notes_of(l);
    struct noted_scope ended = *scope_of(l, s->scope);
    for (uint32_t v = l->k->nvars; v-- > 0;) {
        struct isa_var *var = &l->k->vars[v];
        if (n->scope_of[v] == s->scope && var->last < ended.last) var->last = ended.last;
    }
    if (!s->scope) return;
    struct noted_scope *around = scope_of(l, s->scopes[s->scope]);
    if (!around->frame) around->frame = s->frame;
    if (ended.frame == around->frame && around->last < ended.last) around->last = ended.last;
}

/* ---- statements ---- */

void lower_note_stmt(struct lower *l) {
    if (!wanted(l)) return;
    struct lower_state *s = state_of(l);
    struct noted_scope *scope = scope_of(l, s->scope);
    if (!scope->frame) scope->frame = s->frame;
    if (scope->last < s->loc.line) scope->last = s->loc.line;
    uint32_t call = lower_site_call(l, s->frame);
    lower_emit(l, ISA_stmt, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = (int32_t)call;
}

/* ---- variables ---- */

/* The variable's number in the kernel; 0: it has no name, or there are too many. */
static uint32_t number_of(struct lower *l, const struct ast_var *v, enum isa_space space,
                          uint32_t offset) {
    struct lower_state *s = state_of(l);
    if (!v->name || !*v->name) return 0;
    uint32_t number = *lower_site_variable(l, v);
    if (number) return number;
    if (l->k->nvars == ISA_MAX_VARS) return 0;
    bool global = space == ISA_CONSTANT; /* seen by all */
    struct isa_var var = {.name = (char *)v->name,
                          .type = type_of(l, v->type),
                          .space = (uint8_t)space,
                          .offset = offset,
                          .file = lower_file(l, v->loc.file),
                          .line = v->loc.line,
                          .column = v->loc.column,
                          .call = lower_site_call(l, s->frame)};
    number = isa_var_new(l->k, &var);
    if (!number) lower_no_memory(l);
    *lower_site_variable(l, v) = number;
    struct noting *n = notes_of(l);
    n->scope_of = room_for(l, n->scope_of, &n->cap_vars, l->k->nvars, sizeof *n->scope_of);
    n->scope_of[number - 1] = global ? UINT32_MAX : s->scope;
    return number;
}

void lower_note_value(struct lower *l, const struct ast_var *v, uint32_t first, uint32_t n,
                      const isa_operand *c) {
    if (!wanted(l) || state_of(l)->dead) return;
    uint32_t number = number_of(l, v, ISA_NO_SPACE, 0);
    if (!number || first + n > isa_vtype_components(l->k, l->k->vars[number - 1].type)) return;
    lower_emit(l, ISA_var, ISA_NONE_T, ISA_NONE_T, 0, NULL, n, c)->imm = isa_var_imm(number, first);
}

void lower_note_place(struct lower *l, const struct ast_var *v, isa_operand object) {
    if (!wanted(l) || state_of(l)->dead) return;
    uint32_t number = number_of(l, v, ISA_NO_SPACE, 0);
    if (!number) return;
    lower_emit(l, ISA_var_at, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &object)->imm =
        isa_var_imm(number, 0);
}

void lower_note_offset(struct lower *l, const struct ast_var *v, enum isa_space space,
                       uint32_t offset) {
    if (wanted(l)) number_of(l, v, space, offset);
}
