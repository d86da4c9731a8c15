/* Memory that is freed all at once: blocks in a list, each handed out from the front.
 * A program is untrusted, so what one compilation may take is bounded: past ARENA_LIMIT an arena
 * fails as if memory had run out. */
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 64 << 10, LARGEST_BLOCK = 4 << 20, ALIGNMENT = 16 };
#define ARENA_LIMIT ((size_t)2 << 30)

struct block {
    struct block *next;
    size_t used, size; /* of data */
    uint32_t number;   /* in order of their making */
    _Alignas(ALIGNMENT) unsigned char data[];
};

struct arena {
    struct block *blocks; /* the first is the one being filled */
    struct block *spare;  /* given back, to be used again: what was used is not zero */
    uint32_t number;      /* of the last block */
    size_t total;
    jmp_buf *out_of_memory;
    void *slot;
};

struct arena *arena_new(jmp_buf *out_of_memory) {
    struct arena *a = calloc(1, sizeof *a);
    if (a) a->out_of_memory = out_of_memory;
    return a;
}

static void drop(struct arena *a, struct block **list) {
    for (struct block *b = *list, *next; b; b = next) {
        next = b->next;
        a->total -= b->size;
        free(b);
    }
    *list = NULL;
}

void arena_free(struct arena *a) {
    if (!a) return;
    drop(a, &a->blocks);
    drop(a, &a->spare);
    free(a);
}

jmp_buf *arena_catch(struct arena *a, jmp_buf *out_of_memory) {
    jmp_buf *before = a->out_of_memory;
    a->out_of_memory = out_of_memory;
    return before;
}

void arena_exhaust(struct arena *a) { longjmp(*a->out_of_memory, 1); }

void **arena_slot(struct arena *a) { return &a->slot; }

/* A spare block that is not far too large. */
static struct block *reused(struct arena *a, size_t size) {
    for (struct block **at = &a->spare, *b; (b = *at); at = &b->next) {
        if (b->size < size || b->size / 2 > size) continue;
        *at = b->next;
        memset(b->data, 0, b->used);
        b->used = 0;
        b->next = NULL;
        return b;
    }
    return NULL;
}

/* calloc, so that a large block costs nothing until it is touched. */
static struct block *block_new(struct arena *a, size_t size) {
    struct block *b = reused(a, size);
    if (!b) {
        if (a->total > ARENA_LIMIT - size) drop(a, &a->spare);
        if (a->total > ARENA_LIMIT - size) arena_exhaust(a);
        b = calloc(1, sizeof *b + size);
        if (!b) arena_exhaust(a);
        b->size = size;
        a->total += size;
    }
    b->number = ++a->number;
    return b;
}

struct arena_mark arena_mark(const struct arena *a) {
    return (struct arena_mark){a->blocks, a->blocks ? a->blocks->used : 0, a->number};
}

void arena_release(struct arena *a, struct arena_mark mark) {
    for (struct block **at = &a->blocks, *b; (b = *at);) {
        if (b->number <= mark.number) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        b->next = a->spare;
        a->spare = b;
    }
    struct block *b = mark.block;
    if (!b) return;
    memset(b->data + mark.used, 0, b->used - mark.used);
    b->used = mark.used;
}

void *arena_alloc(struct arena *a, size_t size) {
    if (size > ARENA_LIMIT) longjmp(*a->out_of_memory, 1);
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct block *b = a->blocks;
    if (b && b->size - b->used >= size) {
        void *p = b->data + b->used;
        b->used += size;
        return p;
    }
    size_t next = b ? b->size * 2 : FIRST_BLOCK;
    if (next > LARGEST_BLOCK) next = LARGEST_BLOCK;
    if (size > next / 4) { /* a block of its own, behind the one being filled */
        struct block *own = block_new(a, size);
        own->used = size;
        if (b) {
            own->next = b->next;
            b->next = own;
        } else {
            a->blocks = own;
        }
        return own->data;
    }
    struct block *fresh = block_new(a, next);
    fresh->next = b;
    fresh->used = size;
    a->blocks = fresh;
    return fresh->data;
}

char *arena_strndup(struct arena *a, const char *s, size_t n) {
    char *copy = arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(struct arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_printf(struct arena *a, const char *format, ...) {
    char small[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n < 0) longjmp(*a->out_of_memory, 1);
    if ((size_t)n < sizeof small) return arena_strndup(a, small, (size_t)n);
    char *text = arena_alloc(a, (size_t)n + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
    return text;
}
