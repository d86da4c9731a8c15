/* The type constructors: one object for each type (ast.h), so that == compares. */
#include "ast.h"

#include <string.h>

#include "device/isa/arena.h"
#include "device/isa/isa.h"

/* Types that need no table. Sizes are OpenCL C's (6.1.1); samplers and events are 32-bit values of
 * the device. */
#define SCALAR(k, bytes, text) [k] = {.kind = k, .size = bytes, .align = bytes, .name = text}
static const struct ast_type scalars[] = {
    SCALAR(AST_VOID, 1, "void"),     SCALAR(AST_BOOL, 1, "bool"),
    SCALAR(AST_CHAR, 1, "char"),     SCALAR(AST_UCHAR, 1, "uchar"),
    SCALAR(AST_SHORT, 2, "short"),   SCALAR(AST_USHORT, 2, "ushort"),
    SCALAR(AST_INT, 4, "int"),       SCALAR(AST_UINT, 4, "uint"),
    SCALAR(AST_LONG, 8, "long"),     SCALAR(AST_ULONG, 8, "ulong"),
    SCALAR(AST_HALF, 2, "half"),     SCALAR(AST_FLOAT, 4, "float"),
    SCALAR(AST_DOUBLE, 8, "double"), SCALAR(AST_SAMPLER, 4, "sampler_t"),
    SCALAR(AST_EVENT, 4, "event_t"),
};

static const char *const image_name[] = {
    [ISA_DIM_1D] = "image1d_t",
    [ISA_DIM_1D_ARRAY] = "image1d_array_t",
    [ISA_DIM_1D_BUFFER] = "image1d_buffer_t",
    [ISA_DIM_2D] = "image2d_t",
    [ISA_DIM_2D_ARRAY] = "image2d_array_t",
    [ISA_DIM_3D] = "image3d_t",
};
static const char *const access_name[] = {"", "__read_only ", "__write_only ", "__read_write "};
static const char *const space_name[] = {"", "__global ", "__local ", "__constant "};

struct ast_entry {
    struct ast_entry *next;
    uint32_t hash;
    struct ast_type type;
};
struct types { /* open hashing; doubled when full */
    struct ast_entry **buckets;
    uint32_t nbuckets, count;
};

static uint32_t mix(uint32_t hash, uint64_t value) {
    value = (value ^ hash) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(value >> 32) ^ (uint32_t)value;
}

static uint32_t hash_of(const struct ast_type *t) {
    uint32_t h = mix(0, (uint64_t)t->kind << 32 | t->count);
    h = mix(h, (uintptr_t)t->elem);
    h = mix(h, (uint64_t)t->space << 32 | t->quals);
    h = mix(h, (uint64_t)t->image_dim << 8 | t->image_access);
    if (t->kind == AST_FUNCTION)
        for (uint32_t i = 0; i < t->count; i++) h = mix(h, (uintptr_t)t->params[i]);
    return h;
}

static bool same(const struct ast_type *a, const struct ast_type *b) {
    if (a->kind != b->kind || a->elem != b->elem || a->count != b->count || a->space != b->space ||
        a->quals != b->quals || a->image_dim != b->image_dim || a->image_access != b->image_access)
        return false;
    return a->kind != AST_FUNCTION || a->count == 0 ||
           memcmp(a->params, b->params, a->count * sizeof *a->params) == 0;
}

static struct types *types_of(struct arena *arena) {
    void **slot = arena_slot(arena);
    if (!*slot) {
        struct types *t = ARENA_NEW(arena, struct types);
        t->nbuckets = 64;
        t->buckets = ARENA_ARRAY(arena, struct ast_entry *, t->nbuckets);
        *slot = t;
    }
    return *slot;
}

static void grow(struct types *t, struct arena *arena) {
    uint32_t n = t->nbuckets * 2;
    struct ast_entry **buckets = ARENA_ARRAY(arena, struct ast_entry *, n);
    for (uint32_t i = 0; i < t->nbuckets; i++) {
        for (struct ast_entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[e->hash % n];
            buckets[e->hash % n] = e;
        }
    }
    t->buckets = buckets;
    t->nbuckets = n;
}

/* The one object equal to `key`; *fresh says that it was made now and wants its name (and params
 * copied). */
static struct ast_type *intern(struct arena *arena, const struct ast_type *key, bool *fresh) {
    struct types *t = types_of(arena);
    uint32_t hash = hash_of(key);
    for (struct ast_entry *e = t->buckets[hash % t->nbuckets]; e; e = e->next) {
        if (e->hash == hash && same(&e->type, key)) {
            *fresh = false;
            return &e->type;
        }
    }
    if (t->count++ >= t->nbuckets) grow(t, arena);
    struct ast_entry *e = ARENA_NEW(arena, struct ast_entry);
    e->hash = hash;
    e->type = *key;
    e->next = t->buckets[hash % t->nbuckets];
    t->buckets[hash % t->nbuckets] = e;
    *fresh = true;
    return &e->type;
}

const struct ast_type *ast_scalar(struct ast_unit *u, enum ast_type_kind kind) {
    (void)u;
    return &scalars[kind];
}

const struct ast_type *ast_vector(struct ast_unit *u, const struct ast_type *elem, uint32_t count) {
    uint32_t size =
        elem->size * (count == 3 ? 4 : count); /* 6.1.5: 3 components take the room of 4 */
    struct ast_type key = {
        .kind = AST_VECTOR, .elem = elem, .count = count, .size = size, .align = size};
    bool fresh;
    struct ast_type *t = intern(u->arena, &key, &fresh);
    if (fresh) t->name = arena_printf(u->arena, "%s%u", elem->name, count);
    return t;
}

const struct ast_type *ast_pointer(struct ast_unit *u, const struct ast_type *to,
                                   enum ast_space space, unsigned quals) {
    struct ast_type key = {
        .kind = AST_POINTER, .elem = to, .space = space, .quals = quals, .size = 4, .align = 4};
    bool fresh;
    struct ast_type *t = intern(u->arena, &key, &fresh);
    if (fresh)
        t->name = arena_printf(u->arena, "%s%s%s%s*", space_name[space],
                               quals & AST_CONST ? "const " : "",
                               quals & AST_VOLATILE ? "volatile " : "", to->name);
    return t;
}

/* Dimensions read from the outside in: an array of 2 int[3] is int[2][3]. */
static const char *array_name(struct arena *arena, const struct ast_type *elem, uint32_t count) {
    const char *dims = elem->kind == AST_ARRAY ? strchr(elem->name, '[') : NULL;
    if (!dims) return arena_printf(arena, "%s[%u]", elem->name, count);
    return arena_printf(arena, "%.*s[%u]%s", (int)(dims - elem->name), elem->name, count, dims);
}

const struct ast_type *ast_array(struct ast_unit *u, const struct ast_type *elem, uint32_t count) {
    struct ast_type key = {.kind = AST_ARRAY,
                           .elem = elem,
                           .count = count,
                           .size = elem->size * count,
                           .align = elem->align};
    bool fresh;
    struct ast_type *t = intern(u->arena, &key, &fresh);
    if (fresh) t->name = array_name(u->arena, elem, count);
    return t;
}

const struct ast_type *ast_function(struct ast_unit *u, const struct ast_type *result,
                                    const struct ast_type *const *params, uint32_t nparams) {
    struct ast_type key = {.kind = AST_FUNCTION,
                           .elem = result,
                           .count = nparams,
                           .size = 1,
                           .align = 1,
                           .params = (const struct ast_type **)params};
    bool fresh;
    struct ast_type *t = intern(u->arena, &key, &fresh);
    if (!fresh) return t;
    t->params = ARENA_ARRAY(u->arena, const struct ast_type *, nparams);
    if (nparams) memcpy(t->params, params, nparams * sizeof *params);
    size_t length = strlen(result->name) + 5;
    for (uint32_t i = 0; i < nparams; i++) length += strlen(params[i]->name) + 2;
    char *name = arena_alloc(u->arena, length), *end = name;
    end = stpcpy(stpcpy(end, result->name), " (");
    for (uint32_t i = 0; i < nparams; i++)
        end = stpcpy(stpcpy(end, i ? ", " : ""), params[i]->name);
    stpcpy(end, ")");
    t->name = name;
    return t;
}

const struct ast_type *ast_image(struct ast_unit *u, uint8_t dim, uint8_t access) {
    struct ast_type key = {
        .kind = AST_IMAGE, .image_dim = dim, .image_access = access, .size = 4, .align = 4};
    bool fresh;
    struct ast_type *t = intern(u->arena, &key, &fresh);
    if (fresh) t->name = arena_printf(u->arena, "%s%s", access_name[access], image_name[dim]);
    return t;
}

struct ast_type *ast_struct(struct ast_unit *u, const char *name, bool is_union) {
    struct ast_type *t = ARENA_NEW(u->arena, struct ast_type);
    t->kind = AST_STRUCT;
    t->is_union = is_union;
    t->align = 1;
    t->name = arena_strdup(u->arena, name);
    return t;
}
