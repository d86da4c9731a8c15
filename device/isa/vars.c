/* The variables of a kernel that was built with -g: their table, and whether it is sound. */
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"

enum { DEEPEST = 64 }; /* structs in structs of what has components */

const char *const isa_form_name[ISA_FORM_COUNT] = {
#define ISA_FORM(name, what) [ISA_FORM_##name] = #name,
#include "vars.def"
};

static void free_fields(struct isa_vtype *t) {
    for (uint32_t n = 0; n < t->nfields; n++) free(t->fields[n].name);
    free(t->fields);
    free(t->name);
}

/* t with a name and fields of its own. */
static bool own(struct isa_vtype *t) {
    const struct isa_field *from = t->fields;
    uint32_t n = t->nfields;
    t->name = strdup(t->name ? t->name : "");
    t->fields = n ? calloc(n, sizeof *t->fields) : NULL;
    t->nfields = 0;
    bool good = t->name && (!n || t->fields);
    for (; good && t->nfields < n; t->nfields++) {
        t->fields[t->nfields] = from[t->nfields];
        t->fields[t->nfields].name = strdup(from[t->nfields].name ? from[t->nfields].name : "");
        good = t->fields[t->nfields].name;
    }
    if (!good) free_fields(t);
    return good;
}

uint32_t isa_vtype_new(struct isa_kernel *k, const struct isa_vtype *type) {
    struct isa_vtype t = *type;
    if (!own(&t)) {
        k->failed = true;
        return 0;
    }
    if (!isa_grow((void **)&k->types, &k->cap_types, k->ntypes + 1ull, sizeof *k->types)) {
        free_fields(&t);
        k->failed = true;
        return 0;
    }
    k->types[k->ntypes++] = t;
    return k->ntypes;
}

uint32_t isa_var_new(struct isa_kernel *k, const struct isa_var *var) {
    struct isa_var v = *var;
    v.name = strdup(var->name ? var->name : "");
    if (!v.name || !isa_grow((void **)&k->vars, &k->cap_vars, k->nvars + 1ull, sizeof *k->vars)) {
        free(v.name);
        k->failed = true;
        return 0;
    }
    k->vars[k->nvars++] = v;
    return k->nvars;
}

/* Looks for component *n of a type; what comes before it is taken off *n. 0: there are not so many,
 * or it has no components; `none` says which. */
static uint32_t find(const struct isa_kernel *k, uint32_t type, uint32_t *n, uint32_t *offset,
                     unsigned depth, bool *none) {
    const struct isa_vtype *t = &k->types[type - 1];
    if (t->form == ISA_FORM_array || t->form == ISA_FORM_union || !depth) *none = true;
    if (*none) return 0;
    uint32_t count = t->form == ISA_FORM_vector ? t->count : 1, found = 0;
    if (t->form == ISA_FORM_struct) {
        for (uint32_t f = 0; f < t->nfields && !found && !*none; f++) {
            uint32_t inside = 0;
            found = find(k, t->fields[f].type, n, &inside, depth - 1, none);
            *offset = t->fields[f].offset + inside;
        }
        return found;
    }
    if (*n >= count) {
        *n -= count;
        return 0;
    }
    if (t->form != ISA_FORM_vector) {
        *offset = 0;
        return type;
    }
    *offset = *n * k->types[t->of - 1].size;
    return t->of;
}

uint32_t isa_vtype_components(const struct isa_kernel *k, uint32_t type) {
    uint32_t n = ISA_MAX_COMPONENTS, offset = 0;
    bool none = false;
    if (find(k, type, &n, &offset, DEEPEST, &none) || none) return 0; /* there is one more */
    return ISA_MAX_COMPONENTS - n;
}

uint32_t isa_vtype_component(const struct isa_kernel *k, uint32_t type, uint32_t n,
                             uint32_t *offset) {
    bool none = false;
    return find(k, type, &n, offset, DEEPEST, &none);
}

bool isa_vars_copy(struct isa_kernel *to, const struct isa_kernel *from) {
    for (uint32_t n = 0; n < from->ntypes; n++)
        if (!isa_vtype_new(to, &from->types[n])) return false;
    for (uint32_t n = 0; n < from->nvars; n++)
        if (!isa_var_new(to, &from->vars[n])) return false;
    return true;
}

void isa_vars_free(struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ntypes; n++) free_fields(&k->types[n]);
    for (uint32_t n = 0; n < k->nvars; n++) free(k->vars[n].name);
    free(k->types);
    free(k->vars);
    k->types = NULL;
    k->vars = NULL;
    k->ntypes = k->nvars = k->cap_types = k->cap_vars = 0;
}

static bool is_for_checks(const struct isa_inst *i) {
    return i->op == ISA_copies || i->op == ISA_index;
}

bool isa_vars_strip(struct isa_kernel *k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (!(isa_op_info[k->insts[n].op].flags & ISA_OP_NOTE) || is_for_checks(&k->insts[n]))
            k->insts[kept++] = k->insts[n];
    bool some = kept < k->ninsts;
    k->ninsts = kept;
    isa_vars_free(k);
    return some;
}

/* ---- checking ---- */

static const char *check_type(const struct isa_kernel *k, uint32_t number) {
    const struct isa_vtype *t = &k->types[number - 1];
    bool plain = t->form <= ISA_FORM_real;
    bool several = t->form == ISA_FORM_vector || t->form == ISA_FORM_array;
    bool fields = t->form == ISA_FORM_struct || t->form == ISA_FORM_union;
    if (t->form >= ISA_FORM_COUNT || t->space >= ISA_SPACE_COUNT)
        return "a type is badly described";
    if (plain && t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
        return "a number has no such size";
    if ((t->form == ISA_FORM_real && t->size < 2) || (t->form == ISA_FORM_bool && t->size != 1))
        return "a number has no such size";
    if ((t->form == ISA_FORM_pointer || t->form == ISA_FORM_opaque) && t->size != 4)
        return "a pointer has 4 bytes";
    if (t->form == ISA_FORM_pointer ? t->of > k->ntypes
        : several                   ? !t->of || t->of >= number
                                    : t->of)
        return "an element's type is not before the type";
    if (t->form == ISA_FORM_vector && k->types[t->of - 1].form > ISA_FORM_real)
        return "a vector's components are no numbers";
    if (several && (!t->count || (uint64_t)t->count * k->types[t->of - 1].size > t->size))
        return "elements have no room";
    if ((!several && t->count) || (!fields && t->nfields)) return "a type is badly described";
    if (t->form == ISA_FORM_struct && !t->nfields) return "a struct has no fields";
    for (uint32_t n = 0; n < t->nfields; n++) {
        const struct isa_field *f = &t->fields[n];
        if (!f->type || f->type >= number) return "a field's type is not before the type";
        if ((uint64_t)f->offset + k->types[f->type - 1].size > t->size)
            return "a field has no room";
    }
    return NULL;
}

static const char *check_var(const struct isa_module *m, const struct isa_kernel *k,
                             const struct isa_var *v) {
    if (!v->type || v->type > k->ntypes) return "a variable's type is not listed";
    if (v->call > k->ncalls) return "a variable lies in a call that is not listed";
    if (v->file && v->file >= m->nfiles) return "a variable's file is not listed";
    uint64_t end = (uint64_t)v->offset + k->types[v->type - 1].size;
    switch (v->space) {
    case ISA_NO_SPACE: return v->offset ? "a variable without a space has an offset" : NULL;
    case ISA_LOCAL: return end > k->local_bytes ? "a variable outside local memory" : NULL;
    case ISA_CONSTANT: return end > m->data_bytes ? "a variable outside the data" : NULL;
    default: return "a variable's space is neither local nor constant";
    }
}

static const char *check_note(const struct isa_kernel *k, const struct isa_inst *i) {
    if (i->op == ISA_stmt)
        return i->imm < 0 || (uint32_t)i->imm > k->ncalls ? "its call is not listed" : NULL;
    if (i->op == ISA_copies)
        return i->imm < 0 || i->imm >= ISA_COPIES_COUNT ? "nobody knows what is copied" : NULL;
    if (i->op == ISA_index)
        return i->imm < 0 || i->imm >= ISA_INDEX_KINDS || i->nsrc != 2 ? "it is no index" : NULL;
    uint32_t number = isa_var_number(i->imm), first = isa_var_component(i->imm);
    if (!number || number > k->nvars) return "its variable is not listed";
    const struct isa_var *v = &k->vars[number - 1];
    if (v->space) return "its variable lies elsewhere";
    if (i->op == ISA_var_at) return first ? "a place has no components" : NULL;
    return first + i->nsrc > isa_vtype_components(k, v->type) ? "components too many" : NULL;
}

bool isa_vars_check(const struct isa_module *m, const struct isa_kernel *k, uint32_t *inst,
                    const char **reason) {
    *reason = k->nvars > ISA_MAX_VARS ? "too many variables" : NULL;
    *inst = ~0u;
    for (uint32_t n = 1; !*reason && n <= k->ntypes; n++) *reason = check_type(k, n);
    for (uint32_t n = 0; !*reason && n < k->nvars; n++) *reason = check_var(m, k, &k->vars[n]);
    for (uint32_t n = 0; !*reason && n < k->ninsts; n++)
        if (isa_op_info[k->insts[n].op].flags & ISA_OP_NOTE) {
            *inst = n;
            *reason = check_note(k, &k->insts[n]);
        }
    return !*reason;
}
