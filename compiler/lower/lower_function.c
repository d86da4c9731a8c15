/* Functions and kernels: parameters, attributes, memory, and the body. */
#include "lowerstate.h"

#include <string.h>

struct function *lower_function(struct lower *l, struct ast_func *f) {
    struct function *info = f->lowered;
    if (!info->scanned && !info->scanning && f->body) lower_scan(l, f);
    return info;
}

static bool same_signature(const struct ast_func *a, const struct ast_func *b) {
    if (a->nparams != b->nparams || a->result->size != b->result->size) return false;
    for (uint32_t i = 0; i < a->nparams; i++)
        if (a->params[i]->type->kind != b->params[i]->type->kind ||
            a->params[i]->type->size != b->params[i]->type->size)
            return false;
    return true;
}

/* Do both give the name to the linker? Inline functions may be defined in every unit (C99 6.7.4).
 */
static bool collide(const struct ast_func *a, const struct ast_func *b) {
    return !a->is_static && !b->is_static && !a->is_inline && !b->is_inline && same_signature(a, b);
}

void lower_define(struct lower *l, struct ast_func *f, struct ast_unit *unit) {
    struct symbols *all = state_of(l)->definitions;
    size_t n = strlen(f->name);
    struct definition *before = symbols_find(all, f->name, n);
    for (struct definition *d = before; d; d = d->next)
        if (collide(d->func, f)) {
            lower_unit(l, unit);
            lower_error(l, f->loc, "%s '%s' is defined twice", f->is_kernel ? "kernel" : "function",
                        f->name);
            break;
        }
    struct definition *d = ARENA_NEW(l->arena, struct definition);
    *d = (struct definition){f, unit, before};
    symbols_set(all, l->arena, f->name, n, d);
}

/* Samplers are values, which no linker sees. */
void lower_define_constant(struct lower *l, struct ast_var *v, struct ast_unit *unit) {
    struct symbols *all = state_of(l)->constants;
    size_t n = strlen(v->name);
    if (v->is_static || !v->init || v->type->kind == AST_SAMPLER) return;
    if (symbols_find(all, v->name, n)) {
        lower_unit(l, unit);
        lower_error(l, v->loc, "'%s' is defined twice", v->name);
    } else {
        symbols_set(all, l->arena, v->name, n, v);
    }
}

struct ast_func *lower_definition(struct lower *l, struct ast_func *f) {
    if (f->body) return f;
    if (!f->lowered) f->lowered = ARENA_NEW(l->arena, struct function);
    struct function *info = f->lowered;
    if (info->resolved) return info->definition;
    info->resolved = true;
    struct definition *d = symbols_find(state_of(l)->definitions, f->name, strlen(f->name));
    for (; d && !info->definition; d = d->next)
        if ((!d->func->is_static || d->unit == l->unit) && same_signature(f, d->func))
            info->definition = d->func;
    return info->definition;
}

void lower_unit(struct lower *l, struct ast_unit *u) {
    struct lower_state *s = state_of(l);
    l->unit = u;
    s->contract = !u->fp_contract_off || l->options->mad_enable || l->options->unsafe_math ||
                  l->options->fast_relaxed_math;
    for (unsigned i = 0; i < s->nunits; i++)
        if (s->units[i] == u) s->files = s->maps[i];
}

/* ---- parameters ---- */

static uint8_t kind_of(const struct ast_type *t) {
    switch (t->kind) {
    case AST_IMAGE: return ISA_PARAM_IMAGE;
    case AST_SAMPLER: return ISA_PARAM_SAMPLER;
    case AST_POINTER:
        return t->space == AST_GLOBAL     ? ISA_PARAM_GLOBAL
               : t->space == AST_CONSTANT ? ISA_PARAM_CONSTANT
               : t->space == AST_LOCAL    ? ISA_PARAM_LOCAL
                                          : ISA_PARAM_VALUE;
    default: return ISA_PARAM_VALUE;
    }
}

static uint8_t qualifiers_of(const struct ast_var *v) {
    unsigned quals = v->type->kind == AST_POINTER ? v->type->quals : 0;
    if (v->type->kind == AST_POINTER && v->type->space == AST_CONSTANT) quals |= AST_CONST;
    quals |= v->quals & AST_RESTRICT;
    return (uint8_t)((quals & AST_CONST ? ISA_QUAL_CONST : 0) |
                     (quals & AST_RESTRICT ? ISA_QUAL_RESTRICT : 0) |
                     (quals & AST_VOLATILE ? ISA_QUAL_VOLATILE : 0));
}

static void parameter(struct lower *l, struct ast_var *v) {
    struct isa_kernel *k = l->k;
    const struct ast_type *t = v->type;
    const char *type_name = v->type_name ? v->type_name : t->name ? t->name : "";
    struct isa_param *p = isa_kernel_add_param(k, v->name ? v->name : "", type_name);
    if (!p) lower_no_memory(l);
    p->kind = kind_of(t);
    bool word = t->kind == AST_IMAGE || t->kind == AST_SAMPLER || t->kind == AST_POINTER;
    p->size = word ? 4 : t->size;
    p->align = word ? 4 : t->align;
    p->qualifiers = qualifiers_of(v);
    if (t->kind == AST_IMAGE) {
        p->dim = t->image_dim;
        p->access = v->access         ? v->access
                    : t->image_access ? t->image_access
                                      : ISA_ACCESS_READ_ONLY;
    }
    if (t->kind == AST_POINTER) p->pointee_align = t->elem->align ? t->elem->align : 1;
    uint64_t at = ((uint64_t)k->param_bytes + p->align - 1) / p->align * p->align;
    if (at + p->size > ISA_MAX_PARAM_BYTES) {
        state_of(l)->loc = v->loc;
        lower_stop(l, "the parameters of kernel '%s' take more than %d bytes", k->name,
                   ISA_MAX_PARAM_BYTES);
    }
    p->offset = (uint32_t)at;
    k->param_bytes = p->offset + p->size;
}

static void bind_parameters(struct lower *l, struct ast_func *f) {
    for (uint32_t i = 0; i < f->nparams; i++) parameter(l, f->params[i]);
    for (uint32_t i = 0; i < f->nparams; i++) {
        struct ast_var *v = f->params[i];
        lower_at(l, v->loc);
        lower_here_var(l, v);
        struct value value = lower_load_param(l, v->type, l->k->params[i].offset);
        lower_bind(l, v, &value, UINT32_MAX);
    }
}

/* ---- kernels ---- */

const char *lower_beyond(const struct lower *l) {
    const char *what = l->target->beyond;
    return what && *what ? arena_printf(l->arena, "; %s", what) : "";
}

/* Does the kernel use doubles that the device has not? That is said once for each kernel. */
static bool demoted(struct lower *l, const struct ast_func *f) {
    bool doubles = false;
    for (uint32_t r = 0; l->target->demotes && r < l->k->nregs; r++)
        doubles |= l->k->reg_types[r] == ISA_F64;
    if (doubles)
        lower_warning(l, f->loc,
                      "kernel '%s' uses double precision, which the device does not support: it is "
                      "demoted to single precision%s",
                      f->name, lower_beyond(l));
    return doubles;
}

/* The registers that a work-item may have: what the options, the device and the required size of a
 * group allow (a group has registers for an even number of warps). */
static uint32_t most_registers(const struct lower *l, const struct ast_func *f) {
    uint32_t most = l->target->max_registers, asked = l->options->nv_maxrregcount;
    if (asked && (!most || asked < most)) most = asked;
    uint64_t items = (uint64_t)f->required_size[0] * f->required_size[1] * f->required_size[2];
    if (!l->target->max_registers || !items) return most;
    uint64_t pairs = (items + 2 * ISA_WARP - 1) / (2 * ISA_WARP);
    uint64_t fits = l->target->registers / (pairs * 2 * ISA_WARP);
    return fits && fits < most ? (uint32_t)fits : most;
}

static void finish(struct lower *l, struct ast_func *f) {
    struct lower_state *s = state_of(l);
    l->k->local_bytes = s->local_bytes;
    struct pass_options options = {
        .off = l->options->opt_disable,
        .max_registers = most_registers(l, f),
        .max_private = l->target->max_private_bytes,
        .frame = {s->objects, s->nobjects, s->scopes, s->nscopes},
        .trace = l->trace,
        .demotes = demoted(l, f),
        .exact = l->target->exact,
        .values = l->options->check_values,
    };
    lower_origins(l);
    if (!isa_kernel_failed(l->k)) trace_dump(l->trace, "lower", l->k);
    pass_run(l->module, l->k, l->arena, &options);
    isa_sites_finish(l->k);
    isa_variables_finish(l->k);
    if (isa_kernel_failed(l->k)) lower_no_memory(l);
    if (l->k->private_bytes > l->target->max_private_bytes)
        lower_error(l, f->loc, "kernel '%s' needs %u bytes of private memory; the device has %u%s",
                    f->name, l->k->private_bytes, l->target->max_private_bytes, lower_beyond(l));
    if (l->k->ninsts > ISA_MAX_INSTRUCTIONS)
        lower_error(l, f->loc, "kernel '%s' has more than %d instructions", f->name,
                    ISA_MAX_INSTRUCTIONS);
}

void lower_kernel(struct lower *l, struct ast_func *f) {
    struct lower_state *s = state_of(l);
    struct isa_kernel *k = isa_kernel_new(l->module, f->name);
    if (!k) lower_no_memory(l);
    lower_unit(l, ((struct function *)f->lowered)->unit);
    lower_new_kernel(l, k);
    s->loc = f->loc;
    if (f->attributes && *f->attributes && !isa_kernel_set_attributes(k, f->attributes))
        lower_no_memory(l);
    memcpy(k->required_size, f->required_size, sizeof k->required_size);
    memcpy(k->size_hint, f->size_hint, sizeof k->size_hint);
    k->arg_info = l->options->kernel_arg_info;
    struct function *info = lower_function(l, f);
    struct lower_frame frame = {.func = f, .info = info, .ends_kernel = true};
    s->frame = &frame;
    info->expanding = true;
    bind_parameters(l, f);
    lower_stmt(l, f->body, true);
    lower_note_scope(l);
    info->expanding = false;
    s->frame = NULL;
    finish(l, f);
}
