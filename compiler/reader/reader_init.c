/* Initialisers. libclang shows them as they are written; this resolves designators, elided braces
 * and strings (C99 6.7.8) to a list of places and values. What is not in the list is zero; of two
 * entries for one place the later holds. */
#include <string.h>

#include "readerstate.h"

enum { INITS_MOST = 1 << 20 };

struct list {
    struct ast_init *at;
    uint32_t n, room;
};

/* The initialisers between one pair of braces, and how many have been used. */
struct braces {
    const struct reader_kids *kids;
    unsigned next;
};

static void add(struct reader *r, struct list *l, uint32_t offset, struct ast_expr *value) {
    if (l->n == l->room) {
        uint32_t room = l->room ? l->room * 2 : 8;
        if (room > INITS_MOST) reader_fail(r, value->loc, "initialiser too large");
        struct ast_init *more = ARENA_ARRAY(r->arena, struct ast_init, room);
        if (l->n) memcpy(more, l->at, l->n * sizeof *more);
        l->at = more;
        l->room = room;
    }
    l->at[l->n++] = (struct ast_init){.offset = offset, .value = value};
}

/* Braces begin an object anew: what was said of it before is void. */
static void forget(struct list *l, uint32_t offset, uint32_t size) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i].offset < offset || l->at[i].offset - offset >= size) l->at[kept++] = l->at[i];
    l->n = kept;
}

static bool is_aggregate(const struct ast_type *t) {
    return t->kind == AST_ARRAY || t->kind == AST_STRUCT;
}

static uint32_t part_count(const struct ast_type *t) {
    if (t->kind == AST_ARRAY) return t->count;
    return t->is_union && t->nfields > 1 ? 1 : t->nfields;
}

static const struct ast_type *part(const struct ast_type *t, uint32_t i, uint32_t *offset) {
    if (t->kind == AST_ARRAY) {
        *offset += i * t->elem->size;
        return t->elem;
    }
    *offset += t->fields[i].offset;
    return t->fields[i].type;
}

/* Characters for an array of them, from a string literal (in parentheses or braces, as C allows).
 */
static bool string(struct reader *r, struct list *l, const struct ast_type *type, uint32_t offset,
                   CXCursor c) {
    if (type->kind != AST_ARRAY || !ast_is_integer(type->elem) || type->elem->size != 1)
        return false;
    while (c.kind == CXCursor_ParenExpr) {
        struct reader_kids kids;
        reader_children(r, c, &kids);
        if (kids.n != 1) return false;
        c = kids.at[0];
    }
    if (c.kind != CXCursor_StringLiteral) return false;
    struct ast_expr *s = reader_expr(r, c);
    forget(l, offset, type->size);
    for (uint32_t i = 0; i < s->length && i < type->count; i++)
        if (s->string[i])
            add(r, l, offset + i,
                reader_convert_int(r, type->elem, (uint64_t)(int64_t)s->string[i], s->loc));
    return true;
}

/* The components of a vector between parentheses or braces. */
static struct ast_expr *vector(struct reader *r, CXCursor c, const struct ast_type *type,
                               const struct reader_kids *kids) {
    struct ast_expr *e = reader_convert_new(r, AST_VECTOR_LIT, type, reader_text_place(r, c));
    e->args = ARENA_ARRAY(r->arena, struct ast_expr *, kids->n + type->count);
    uint32_t components = 0;
    for (unsigned i = 0; i < kids->n; i++) {
        struct ast_expr *a = reader_rvalue(r, kids->at[i]);
        if (a->type->kind != AST_VECTOR)
            a = reader_convert(r, a, type->elem);
        else if (a->type->elem != type->elem)
            reader_fail(r, a->loc, "component of type '%s' in a '%s' is not supported",
                        a->type->name, type->name);
        components += a->type->kind == AST_VECTOR ? a->type->count : 1;
        e->args[e->nargs++] = a;
    }
    if (kids->n == 1 && components == 1) return reader_convert(r, e->args[0], type);
    for (; components < type->count; components++)
        e->args[e->nargs++] = reader_convert(
            r, reader_convert_int(r, ast_scalar(r->unit, AST_INT), 0, e->loc), type->elem);
    if (components > type->count)
        reader_fail(r, e->loc, "too many components for '%s'", type->name);
    return e;
}

static void object(struct reader *r, struct list *l, const struct ast_type *type, uint32_t offset,
                   CXCursor c);
static void parts(struct reader *r, struct list *l, const struct ast_type *type, uint32_t offset,
                  struct braces *b, uint32_t i, bool outermost);

static bool is_designated(CXCursor c) {
    return c.kind == CXCursor_UnexposedExpr && clang_getCursorType(c).kind == CXType_Void;
}

static bool has_field(const struct ast_type *t, const char *name) {
    for (uint32_t i = 0; i < t->nfields; i++) {
        const struct ast_field *f = &t->fields[i];
        if (f->name ? strcmp(f->name, name) == 0 : has_field(f->type, name)) return true;
    }
    return false;
}

static int64_t index_of(struct reader *r, CXCursor c) {
    int64_t i;
    struct ast_expr *e = reader_rvalue(r, c);
    if (!reader_convert_fold(e, &i)) reader_fail(r, e->loc, "this designator is not supported");
    return i;
}

/* .a[1] = x: d is the designated initialiser, `k` the designator that picks a part of `type`.
 * Returns the number of the part; later parts follow without designators. */
static uint32_t designated(struct reader *r, struct list *l, const struct ast_type *type,
                           uint32_t offset, const struct reader_kids *d, unsigned k,
                           struct braces *b) {
    CXCursor c = d->at[k];
    struct ast_loc loc = reader_text_place(r, c);
    int64_t first = 0, last;
    unsigned next = k + 1;
    if (c.kind == CXCursor_MemberRef) {
        char *name = reader_string(r, clang_getCursorSpelling(c));
        if (!*name || strchr(name, '(')) return designated(r, l, type, offset, d, next, b);
        while (first < (int64_t)type->nfields) {
            const struct ast_field *f = &type->fields[first];
            if (f->name && strcmp(f->name, name) == 0) break;
            if (!f->name && has_field(f->type, name)) { /* through an unnamed member */
                next = k;
                break;
            }
            first++;
        }
        last = first;
        if (type->kind != AST_STRUCT || first >= (int64_t)type->nfields)
            reader_fail(r, loc, "this designator is not supported");
        if (type->is_union) forget(l, offset, type->size);
    } else {
        first = last = index_of(r, c);
        uint32_t after = reader_text_find(r, reader_text_end(c));
        if (next + 1 < d->n && reader_text_is(r, after, "...")) last = index_of(r, d->at[next++]);
        if (type->kind != AST_ARRAY || first < 0 || last < first || last >= (int64_t)type->count)
            reader_fail(r, loc, "this designator is not supported");
    }
    for (int64_t i = first; i <= last; i++) {
        uint32_t at = offset;
        const struct ast_type *t = part(type, (uint32_t)i, &at);
        if (next + 1 >= d->n) {
            object(r, l, t, at, d->at[d->n - 1]);
        } else {
            uint32_t inner = designated(r, l, t, at, d, next, b);
            if (i == last) parts(r, l, t, at, b, inner + 1, false);
        }
    }
    return type->is_union ? part_count(type) : (uint32_t)last;
}

/* One part out of a list: braces, a string, a whole struct, or - braces left out - as many as its
 * own parts take. */
static void next_part(struct reader *r, struct list *l, const struct ast_type *type,
                      uint32_t offset, struct braces *b) {
    CXCursor c = b->kids->at[b->next];
    if (is_aggregate(type) && c.kind != CXCursor_InitListExpr) {
        if (string(r, l, type, offset, c)) {
            b->next++;
            return;
        }
        if (type->kind == AST_ARRAY || reader_type_of(r, c) != type) {
            parts(r, l, type, offset, b, 0, false);
            return;
        }
    }
    b->next++;
    object(r, l, type, offset, c);
}

static void parts(struct reader *r, struct list *l, const struct ast_type *type, uint32_t offset,
                  struct braces *b, uint32_t i, bool outermost) {
    while (b->next < b->kids->n) {
        CXCursor c = b->kids->at[b->next];
        if (is_designated(c)) {
            if (!outermost) return;
            struct reader_kids d;
            reader_children(r, c, &d);
            if (d.n < 2)
                reader_fail(r, reader_text_place(r, c), "this designator is not supported");
            b->next++;
            i = designated(r, l, type, offset, &d, 0, b) + 1;
        } else if (!is_aggregate(type) || i >= part_count(type)) {
            return; /* to the object around it; at the outermost, excess that clang has warned of */
        } else {
            uint32_t at = offset;
            const struct ast_type *t = part(type, i++, &at);
            next_part(r, l, t, at, b);
        }
    }
}

static void object(struct reader *r, struct list *l, const struct ast_type *type, uint32_t offset,
                   CXCursor c) {
    reader_enter(r, c);
    if (string(r, l, type, offset, c)) {
    } else if (c.kind != CXCursor_InitListExpr) {
        add(r, l, offset, reader_convert(r, reader_expr(r, c), type));
    } else {
        struct reader_kids kids;
        reader_children(r, c, &kids);
        forget(l, offset, type->size);
        if (type->kind == AST_VECTOR && kids.n > 0) {
            add(r, l, offset, vector(r, c, type, &kids));
        } else if (is_aggregate(type)) {
            struct braces b = {.kids = &kids};
            if (kids.n != 1 || !string(r, l, type, offset, kids.at[0]))
                parts(r, l, type, offset, &b, 0, true);
        } else if (kids.n > 0) {
            object(r, l, type, offset, kids.at[0]);
        }
    }
    reader_leave(r);
}

struct ast_expr *reader_init(struct reader *r, CXCursor c, const struct ast_type *type) {
    struct list l = {0};
    object(r, &l, type, 0, c);
    if (!is_aggregate(type)) {
        if (l.n == 1) return l.at[0].value;
        struct ast_expr *zero =
            reader_convert_int(r, ast_scalar(r->unit, AST_INT), 0, reader_text_place(r, c));
        return reader_convert(r, zero, type); /* {} */
    }
    if (c.kind != CXCursor_InitListExpr && type->kind == AST_STRUCT) return l.at[0].value;
    struct ast_expr *e = reader_convert_new(r, AST_INIT, type, reader_text_place(r, c));
    e->inits = l.at;
    e->ninits = l.n;
    return e;
}
