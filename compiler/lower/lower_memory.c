/* Values in memory and in registers: how types are laid out flat, loads and stores in the pieces
 * the device moves at once, reading and writing places. */
#include "lowerstate.h"

#include <string.h>

enum {
    MAX_PARTS = 1 << 16,
    MAX_MOVE = 16
}; /* components of an object; bytes one instruction moves */

/* ---- types ---- */

enum isa_type lower_type(const struct ast_type *t) {
    switch (t->kind) {
    case AST_CHAR:
    case AST_UCHAR: return ISA_I8;
    case AST_SHORT:
    case AST_USHORT:
    case AST_HALF: return ISA_I16;
    case AST_LONG:
    case AST_ULONG: return ISA_I64;
    case AST_FLOAT: return ISA_F32;
    case AST_DOUBLE: return ISA_F64;
    case AST_VECTOR: return lower_type(t->elem);
    default: return ISA_I32; /* int, uint, bool, pointers, images, samplers, events */
    }
}

enum isa_space lower_space(enum ast_space space) {
    switch (space) {
    case AST_GLOBAL: return ISA_GLOBAL;
    case AST_LOCAL: return ISA_LOCAL;
    case AST_CONSTANT: return ISA_CONSTANT;
    default: return ISA_PRIVATE;
    }
}

static uint32_t count_parts(struct lower *l, const struct ast_type *t) {
    uint64_t n = 0;
    switch (t->kind) {
    case AST_VOID: return 0;
    case AST_VECTOR: return t->count;
    case AST_ARRAY: n = (uint64_t)t->count * count_parts(l, t->elem); break;
    case AST_STRUCT:
        if (t->is_union) {
            n = t->size / (t->align < 8 ? t->align : 8);
            break;
        }
        for (uint32_t i = 0; i < t->nfields; i++) n += count_parts(l, t->fields[i].type);
        break;
    default: return 1;
    }
    if (n > MAX_PARTS)
        lower_stop(l, "an object of type '%s' is too large to be a value",
                   t->name ? t->name : "array");
    return (uint32_t)n;
}

static struct part *fill_parts(struct lower *l, const struct ast_type *t, uint32_t offset,
                               struct part *out) {
    switch (t->kind) {
    case AST_VOID: return out;
    case AST_VECTOR:
        for (uint32_t i = 0; i < t->count; i++)
            *out++ = (struct part){offset + i * t->elem->size, t->elem};
        return out;
    case AST_ARRAY:
        for (uint32_t i = 0; i < t->count; i++)
            out = fill_parts(l, t->elem, offset + i * t->elem->size, out);
        return out;
    case AST_STRUCT:
        if (t->is_union) {
            enum ast_type_kind kind = t->align >= 8   ? AST_ULONG
                                      : t->align == 4 ? AST_UINT
                                      : t->align == 2 ? AST_USHORT
                                                      : AST_UCHAR;
            const struct ast_type *word = ast_scalar(l->unit, kind);
            for (uint32_t at = 0; at + word->size <= t->size; at += word->size)
                *out++ = (struct part){offset + at, word};
            return out;
        }
        for (uint32_t i = 0; i < t->nfields; i++)
            out = fill_parts(l, t->fields[i].type, offset + t->fields[i].offset, out);
        return out;
    default: *out++ = (struct part){offset, t}; return out;
    }
}

static struct flat_type *type_slot(struct flat_type *table, uint32_t cap,
                                   const struct ast_type *t) {
    uint32_t at = (uint32_t)(((uintptr_t)t >> 4) * 0x9e3779b9u) & (cap - 1);
    while (table[at].type && table[at].type != t) at = (at + 1) & (cap - 1);
    return &table[at];
}

const struct parts *lower_parts(struct lower *l, const struct ast_type *t) {
    struct lower_state *s = state_of(l);
    if (s->nflat_types * 2 >= s->cap_flat_types) {
        uint32_t cap = s->cap_flat_types ? s->cap_flat_types * 2 : 64;
        struct flat_type *table = ARENA_ARRAY(l->arena, struct flat_type, cap);
        for (uint32_t i = 0; i < s->cap_flat_types; i++)
            if (s->flat_types[i].type)
                *type_slot(table, cap, s->flat_types[i].type) = s->flat_types[i];
        s->flat_types = table;
        s->cap_flat_types = cap;
    }
    struct flat_type *f = type_slot(s->flat_types, s->cap_flat_types, t);
    if (!f->type) {
        uint32_t n = count_parts(l, t);
        struct parts *p = ARENA_NEW(l->arena, struct parts);
        p->n = n;
        p->part = ARENA_ARRAY(l->arena, struct part, n ? n : 1);
        fill_parts(l, t, 0, p->part);
        f->type = t;
        f->parts = p;
        s->nflat_types++;
    }
    return f->parts;
}

struct value lower_value(struct lower *l, const struct ast_type *type, uint32_t n) {
    return (struct value){type, n, ARENA_ARRAY(l->arena, isa_operand, n ? n : 1)};
}

struct value lower_zero(struct lower *l, const struct ast_type *t) {
    const struct parts *p = lower_parts(l, t);
    struct value v = lower_value(l, t, p->n);
    for (uint32_t i = 0; i < p->n; i++) v.c[i] = lower_const(l, lower_type(p->part[i].type), 0);
    return v;
}

/* ---- the private frame ---- */

isa_operand lower_object(struct lower *l, uint32_t size, uint32_t align, struct ast_loc loc) {
    struct lower_state *s = state_of(l);
    if (s->nobjects == s->cap_objects) {
        uint32_t cap = s->cap_objects ? s->cap_objects * 2 : 16;
        struct frame_object *grown = ARENA_ARRAY(l->arena, struct frame_object, cap);
        if (s->nobjects) memcpy(grown, s->objects, s->nobjects * sizeof *grown);
        s->objects = grown;
        s->cap_objects = cap;
    }
    isa_operand name = lower_name(l);
    s->objects[s->nobjects++] = (struct frame_object){
        .name = name, .size = size, .align = align, .scope = s->scope, .line = loc.line};
    return name;
}

uint32_t lower_scope_begin(struct lower *l) {
    struct lower_state *s = state_of(l);
    if (s->nscopes >= s->cap_scopes) {
        uint32_t cap = s->cap_scopes ? s->cap_scopes * 2 : 16;
        uint32_t *grown = ARENA_ARRAY(l->arena, uint32_t, cap);
        if (s->cap_scopes) memcpy(grown, s->scopes, s->cap_scopes * sizeof *grown);
        s->scopes = grown;
        s->cap_scopes = cap;
    }
    uint32_t outer = s->scope;
    s->scopes[s->nscopes] = outer;
    s->scope = s->nscopes++;
    return outer;
}

void lower_scope_end(struct lower *l, uint32_t outer) {
    lower_note_scope(l);
    state_of(l)->scope = outer;
}

/* ---- loads and stores ---- */

struct access {
    enum isa_type type; /* in memory */
    bool is_bool;
    uint32_t size;
    isa_operand base;
    int32_t at;
};

/* The base and displacement an instruction can take. */
static struct access access_of(struct lower *l, enum ast_space space, const struct ast_type *t,
                               isa_operand pointer, int32_t displacement, uint32_t n) {
    struct access a = {.is_bool = t->kind == AST_BOOL};
    a.type = a.is_bool ? ISA_I8 : lower_type(t);
    a.size = isa_type_size[a.type];
    a.at = displacement;
    a.base = lower_address(l, pointer, lower_const(l, ISA_I32, 0), 0, &a.at);
    uint64_t c;
    if (space == AST_PRIVATE && lower_is_const(l, a.base, &c)) {
        a.at = (int32_t)((uint32_t)a.at + (uint32_t)c);
        a.base = ISA_NO_OPERAND;
    }
    int64_t end = (int64_t)a.at + (int64_t)n * a.size;
    if (a.at <= -ISA_MAX_DISPLACEMENT || end >= ISA_MAX_DISPLACEMENT) {
        isa_operand at = lower_const(l, ISA_I32, (uint32_t)a.at);
        a.base = a.base == ISA_NO_OPERAND ? at : lower_op2(l, ISA_add, ISA_I32, a.base, at);
        a.at = 0;
    }
    if (a.base != ISA_NO_OPERAND && isa_is_const(a.base)) {
        a.base = lower_copy(l, a.base);
    }
    return a;
}

static uint32_t lowest_bit(uint32_t x) { return x & (0 - x); }

/* Components the next instruction moves: aligned, at most 16 bytes (guide 3.1.2.1). */
static uint32_t piece(uint32_t align, uint32_t offset, uint32_t size, uint32_t left) {
    uint32_t bytes = lowest_bit(align | offset | MAX_MOVE), most = bytes / size;
    if (left == 3 && most >= 4) return 3;
    uint32_t c = 1;
    while (c * 2 <= most && c * 2 <= left) c *= 2;
    return c;
}

/* Where the type is aligned to less than a component. */
static void note_packed(struct lower *l, const struct isa_inst *i, uint32_t align) {
    if (i->site && align < isa_type_size[i->type]) l->k->sites[i->site - 1].packed = true;
}

static void load(struct lower *l, enum isa_space space, const struct access *access, unsigned quals,
                 uint32_t align, uint32_t n, isa_operand *out) {
    struct access a = *access;
    for (uint32_t done = 0; done < n;) {
        uint32_t c = piece(align, done * a.size, a.size, n - done);
        struct isa_inst *i = lower_emit(l, ISA_ld, a.type, ISA_NONE_T, c, NULL, 1, &a.base);
        i->space = (uint8_t)space;
        i->imm = a.at + (int32_t)(done * a.size);
        if (quals & AST_VOLATILE) i->flags |= ISA_VOLATILE;
        lower_site(l, i, ISA_SITE_load);
        note_packed(l, i, align);
        memcpy(out + done, isa_dsts(l->k, i), c * sizeof *out);
        done += c;
    }
    if (!a.is_bool) return;
    for (uint32_t i = 0; i < n; i++)
        out[i] = lower_cvt(l, ISA_zext, ISA_I32, ISA_I8, ISA_RTE, out[i]);
}

void lower_load(struct lower *l, enum ast_space space, const struct ast_type *t,
                isa_operand pointer, int32_t displacement, unsigned quals, uint32_t align,
                uint32_t n, isa_operand *out) {
    struct access a = access_of(l, space, t, pointer, displacement, n);
    load(l, lower_space(space), &a, quals, align, n, out);
}

void lower_store(struct lower *l, enum ast_space space, const struct ast_type *t,
                 isa_operand pointer, int32_t displacement, unsigned quals, uint32_t align,
                 uint32_t n, const isa_operand *in) {
    struct access a = access_of(l, space, t, pointer, displacement, n);
    for (uint32_t done = 0; done < n;) {
        isa_operand src[1 + MAX_MOVE] = {a.base};
        uint32_t c = piece(align, done * a.size, a.size, n - done);
        for (uint32_t i = 0; i < c; i++)
            src[1 + i] = a.is_bool ? lower_cvt(l, ISA_trunc, ISA_I8, ISA_I32, ISA_RTE, in[done + i])
                                   : in[done + i];
        struct isa_inst *i = lower_emit(l, ISA_st, a.type, ISA_NONE_T, 0, NULL, 1 + c, src);
        i->space = (uint8_t)lower_space(space);
        i->imm = a.at + (int32_t)(done * a.size);
        if (quals & AST_VOLATILE) i->flags |= ISA_VOLATILE;
        lower_site(l, i, ISA_SITE_store);
        note_packed(l, i, align);
        done += c;
    }
}

/* How many parts from `first` on lie one behind the other and have one type. */
static uint32_t run_of(const struct parts *p, uint32_t first) {
    const struct part *part = p->part;
    uint32_t n = first + 1;
    while (n < p->n && part[n].type->kind == part[first].type->kind &&
           part[n].offset == part[n - 1].offset + part[n].type->size)
        n++;
    return n - first;
}

struct value lower_load_object(struct lower *l, const struct ast_type *t, enum ast_space space,
                               isa_operand pointer, int32_t displacement, unsigned quals,
                               uint32_t align) {
    const struct parts *p = lower_parts(l, t);
    struct value v = lower_value(l, t, p->n);
    for (uint32_t i = 0, n; i < p->n; i += n) {
        n = run_of(p, i);
        lower_load(l, space, p->part[i].type, pointer, displacement + (int32_t)p->part[i].offset,
                   quals, lowest_bit(align | p->part[i].offset), n, v.c + i);
    }
    return v;
}

struct value lower_load_param(struct lower *l, const struct ast_type *t, uint32_t offset) {
    const struct parts *p = lower_parts(l, t);
    struct value v = lower_value(l, t, p->n);
    for (uint32_t i = 0, n; i < p->n; i += n) {
        n = run_of(p, i);
        const struct part *part = &p->part[i];
        struct access a = {.is_bool = part->type->kind == AST_BOOL, .base = ISA_NO_OPERAND};
        a.type = a.is_bool ? ISA_I8 : lower_type(part->type);
        a.size = isa_type_size[a.type];
        a.at = (int32_t)(offset + part->offset);
        load(l, ISA_PARAM, &a, 0, lowest_bit(offset | part->offset | MAX_MOVE), n, v.c + i);
    }
    return v;
}

void lower_store_object(struct lower *l, const struct value *v, enum ast_space space,
                        isa_operand pointer, int32_t displacement, unsigned quals, uint32_t align) {
    const struct parts *p = lower_parts(l, v->type);
    for (uint32_t i = 0, n; i < p->n && i < v->n; i += n) {
        n = run_of(p, i);
        lower_store(l, space, p->part[i].type, pointer, displacement + (int32_t)p->part[i].offset,
                    quals, lowest_bit(align | p->part[i].offset), n, v->c + i);
    }
}

/* ---- places ---- */

/* Are the lanes of a swizzle neighbours in ascending order? */
static bool neighbours(const struct place *p) {
    for (unsigned i = 1; i < p->nlanes; i++)
        if (p->lanes[i] != p->lanes[0] + i) return false;
    return true;
}

/* The fourth component of a vector of 3 is whatever it is. */
static unsigned lane_of(const struct place *p, unsigned i) {
    return p->lanes[i] < p->type->count ? p->lanes[i] : 0;
}

struct value lower_read(struct lower *l, const struct place *p) {
    const struct ast_type *t = p->lane_type ? p->lane_type : p->type;
    if (!p->lane_type) {
        if (p->in_memory)
            return lower_load_object(l, t, p->space, p->pointer, p->displacement, p->quals,
                                     p->align);
        struct value v = lower_value(l, t, lower_parts(l, t)->n);
        memcpy(v.c, p->regs, v.n * sizeof *v.c);
        return v;
    }
    struct value v = lower_value(l, t, p->nlanes);
    const struct ast_type *e = p->type->elem;
    if (!p->in_memory) {
        for (unsigned i = 0; i < p->nlanes; i++) v.c[i] = p->regs[lane_of(p, i)];
    } else if (neighbours(p)) {
        uint32_t first = p->lanes[0] * e->size;
        lower_load(l, p->space, e, p->pointer, p->displacement + (int32_t)first, p->quals,
                   lowest_bit(p->align | first), p->nlanes, v.c);
    } else {
        isa_operand all[16];
        lower_load(l, p->space, e, p->pointer, p->displacement, p->quals, p->align, p->type->count,
                   all);
        for (unsigned i = 0; i < p->nlanes; i++) v.c[i] = all[lane_of(p, i)];
    }
    return v;
}

/* Registers take the components of a value at once: one that is both read and written is copied
 * first. */
static void assign(struct lower *l, const isa_operand *to, const struct value *v, uint32_t mark) {
    isa_operand *from = ARENA_ARRAY(l->arena, isa_operand, v->n ? v->n : 1);
    isa_operand lowest = UINT32_MAX, highest = 0;
    memcpy(from, v->c, v->n * sizeof *from);
    for (uint32_t i = 0; i < v->n; i++) {
        if (to[i] < lowest) lowest = to[i];
        if (to[i] > highest) highest = to[i];
    }
    for (uint32_t i = 0; v->n > 1 && i < v->n; i++) {
        if (from[i] == to[i] || !isa_is_reg(from[i]) || from[i] < lowest || from[i] > highest)
            continue;
        from[i] = lower_copy(l, from[i]);
    }
    for (uint32_t i = 0; i < v->n; i++) {
        bool once = v->n <= MAX_MOVE;
        for (uint32_t j = 0; j < v->n && once; j++) once = j == i || from[j] != from[i];
        lower_settle(l, to[i], from[i], once ? mark : UINT32_MAX);
    }
}

/* n components of a variable, from the place's first on, were assigned. */
static void note(struct lower *l, const struct place *p, uint32_t n) {
    const struct variable *x = p->var->lowered;
    if (x->kind != VARIABLE_REGISTERS || p->regs < x->c || p->regs + n > x->c + x->n) return;
    lower_note_value(l, p->var, (uint32_t)(p->regs - x->c), n, p->regs);
}

void lower_write(struct lower *l, const struct place *p, const struct value *v, uint32_t mark) {
    if (!p->lane_type) {
        if (p->in_memory)
            lower_store_object(l, v, p->space, p->pointer, p->displacement, p->quals, p->align);
        else
            assign(l, p->regs, v, mark);
        if (p->var) note(l, p, v->n);
        return;
    }
    const struct ast_type *e = p->type->elem;
    if (!p->in_memory) {
        isa_operand to[16];
        for (unsigned i = 0; i < p->nlanes; i++)
            to[i] =
                p->lanes[i] < p->type->count ? p->regs[p->lanes[i]] : lower_reg(l, lower_type(e));
        assign(l, to, v, mark);
        if (p->var) note(l, p, p->type->count);
    } else if (neighbours(p)) {
        uint32_t first = p->lanes[0] * e->size;
        lower_store(l, p->space, e, p->pointer, p->displacement + (int32_t)first, p->quals,
                    lowest_bit(p->align | first), p->nlanes, v->c);
    } else {
        for (unsigned i = 0; i < p->nlanes; i++)
            lower_store(l, p->space, e, p->pointer,
                        p->displacement + (int32_t)(p->lanes[i] * e->size), p->quals, e->size, 1,
                        &v->c[i]);
    }
}

isa_operand lower_place_address(struct lower *l, const struct place *p) {
    uint32_t at = (uint32_t)p->displacement;
    if (p->lane_type) at += p->lanes[0] * p->type->elem->size;
    return lower_op2(l, ISA_add, ISA_I32, p->pointer, lower_const(l, ISA_I32, at));
}
