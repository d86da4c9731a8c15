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
    _Alignas(ALIGNMENT) unsigned char data[];
};

struct arena {
    struct block *blocks; /* the first is the one being filled */
    size_t total;
    jmp_buf *out_of_memory;
    void *slot;
};

struct arena *arena_new(jmp_buf *out_of_memory) {
    struct arena *a = calloc(1, sizeof *a);
    if (a) a->out_of_memory = out_of_memory;
    return a;
}

void arena_free(struct arena *a) {
    if (!a) return;
    for (struct block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}

jmp_buf *arena_catch(struct arena *a, jmp_buf *out_of_memory) {
    jmp_buf *before = a->out_of_memory;
    a->out_of_memory = out_of_memory;
    return before;
}

void arena_exhaust(struct arena *a) { longjmp(*a->out_of_memory, 1); }

void **arena_slot(struct arena *a) { return &a->slot; }

/* calloc, so that a large block costs nothing until it is touched. */
static struct block *block_new(struct arena *a, size_t size) {
    if (size > ARENA_LIMIT || a->total > ARENA_LIMIT - size) arena_exhaust(a);
    struct block *b = calloc(1, sizeof *b + size);
    if (!b) arena_exhaust(a);
    b->size = size;
    a->total += size;
    return b;
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
