/* The preprocessor's growing storage, all of it in the arena. Token lists come and go with every
 * macro call, so their storage is handed on by size class. */
#include <string.h>

#include "preprocess_private.h"

/* ---- names ---- */

static uint32_t hash_of(const char *text, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h ^ h >> 15;
}

static void names_grow(struct pp *pp) {
    uint32_t capacity = pp->name_capacity ? pp->name_capacity * 2 : 1024;
    struct pp_name **names = ARENA_ARRAY(pp->arena, struct pp_name *, capacity);
    for (uint32_t i = 0; i < pp->name_capacity; i++) {
        struct pp_name *n = pp->names[i];
        if (!n) continue;
        uint32_t at = n->hash & (capacity - 1);
        while (names[at]) at = (at + 1) & (capacity - 1);
        names[at] = n;
    }
    pp->names = names;
    pp->name_capacity = capacity;
}

struct pp_name *pp_intern(struct pp *pp, const char *text, size_t length) {
    if (pp->nnames * 2 >= pp->name_capacity) names_grow(pp);
    uint32_t hash = hash_of(text, length), mask = pp->name_capacity - 1, at = hash & mask;
    for (struct pp_name *n; (n = pp->names[at]); at = (at + 1) & mask)
        if (n->hash == hash && n->length == length && memcmp(n->text, text, length) == 0) return n;
    struct pp_name *n = ARENA_NEW(pp->arena, struct pp_name);
    n->text = arena_strndup(pp->arena, text, length);
    n->length = (uint32_t)length;
    n->hash = hash;
    pp->names[at] = n;
    pp->nnames++;
    return n;
}

/* ---- token lists ---- */

enum { SMALLEST_CLASS = 3 };

static unsigned class_of(uint32_t capacity) { return 31u - (unsigned)__builtin_clz(capacity); }

void pp_list_release(struct pp *pp, struct pp_list *l) {
    if (l->capacity) {
        unsigned class = class_of(l->capacity);
        pp->live -= l->capacity;
        *(struct pp_list *)l->tokens =
            pp->spare[class]; /* the chain runs through the storage itself */
        pp->spare[class] = *l;
    }
    *l = (struct pp_list){0};
}

static void list_reserve(struct pp *pp, struct pp_list *l, uint32_t n) {
    if (l->capacity - l->count >= n) return;
    unsigned class = SMALLEST_CLASS;
    while (((uint32_t)1 << class) - l->count < n || (uint32_t)1 << class < l->count) class ++;
    struct pp_list bigger = pp->spare[class];
    if (bigger.capacity)
        pp->spare[class] = *(struct pp_list *)bigger.tokens;
    else
        bigger.tokens = ARENA_ARRAY(pp->arena, struct pp_token, (size_t)1 << class);
    bigger.capacity = (uint32_t)1 << class;
    bigger.count = l->count;
    pp->live += bigger.capacity;
    if (l->count) memcpy(bigger.tokens, l->tokens, l->count * sizeof *l->tokens);
    pp_list_release(pp, l);
    *l = bigger;
    if (pp->live > PP_MAX_LIVE_TOKENS)
        pp_stop(pp, "macro arguments and replacements are too large");
}

void pp_list_add_all(struct pp *pp, struct pp_list *l, const struct pp_token *t, uint32_t n) {
    if (n == 0 || pp->stopped) return;
    if (l->count + n > PP_MAX_LIVE_TOKENS) {
        pp_stop(pp, "macro arguments and replacements are too large");
        return;
    }
    list_reserve(pp, l, n);
    memcpy(l->tokens + l->count, t, n * sizeof *t);
    l->count += n;
}

void pp_list_add(struct pp *pp, struct pp_list *l, const struct pp_token *t) {
    if (l->count < l->capacity)
        l->tokens[l->count++] = *t;
    else
        pp_list_add_all(pp, l, t, 1);
}

/* ---- stacks ---- */

struct pp_context *pp_context_push(struct pp *pp, const struct pp_token *tokens, uint32_t count) {
    if (pp->ncontexts == pp->context_capacity) {
        uint32_t capacity = pp->context_capacity ? pp->context_capacity * 2 : 64;
        struct pp_context *grown = ARENA_ARRAY(pp->arena, struct pp_context, capacity);
        if (pp->ncontexts) memcpy(grown, pp->contexts, pp->ncontexts * sizeof *grown);
        pp->contexts = grown;
        pp->context_capacity = capacity;
    }
    struct pp_context *c = &pp->contexts[pp->ncontexts++];
    *c = (struct pp_context){.tokens = tokens, .count = count};
    return c;
}

void pp_context_pop(struct pp *pp) {
    struct pp_context *c = &pp->contexts[--pp->ncontexts];
    if (c->macro) {
        c->macro->disabled = false;
        if (c->count == 0) pp->carry_space |= (c->head.flags & PP_SPACE) != 0;
        pp->carry_space |= c->space_at_end;
    }
    pp_list_release(pp, &c->owned);
}

uint32_t pp_args_push(struct pp *pp, uint32_t n) {
    if (pp->arg_capacity - pp->nargs < n) {
        uint32_t capacity = (pp->arg_capacity + n) * 2 + 32;
        struct pp_arg *grown = ARENA_ARRAY(pp->arena, struct pp_arg, capacity);
        if (pp->nargs) memcpy(grown, pp->args, pp->nargs * sizeof *grown);
        pp->args = grown;
        pp->arg_capacity = capacity;
    }
    uint32_t first = pp->nargs;
    if (n) memset(pp->args + first, 0, n * sizeof *pp->args);
    pp->nargs += n;
    return first;
}

void pp_args_pop(struct pp *pp, uint32_t n) {
    for (; n > 0; n--) {
        struct pp_arg *a = &pp->args[--pp->nargs];
        pp_list_release(pp, &a->raw);
        pp_list_release(pp, &a->expanded);
    }
}
