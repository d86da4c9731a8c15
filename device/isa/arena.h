/* Memory that is freed all at once. */
#ifndef SIMTCL_ARENA_H
#define SIMTCL_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
/* Allocation failure does not return: it longjmps to `*out_of_memory`. Memory is zeroed. */
struct arena *arena_new(jmp_buf *out_of_memory); /* NULL on failure */
void arena_free(struct arena *a);
/* One for what a function does: `if (ARENA_FAILS(&a)) return false;` before anything is allocated.
 * What finds no memory later comes back to there, and the arena is freed. */
struct arena_try {
    struct arena *arena;
    jmp_buf out_of_memory;
};
#define ARENA_FAILS(t)                                                                             \
    (!((t)->arena = arena_new(&(t)->out_of_memory)) ||                                             \
     (setjmp((t)->out_of_memory) && arena_failed(t)))
static inline bool arena_failed(const struct arena_try *t) {
    arena_free(t->arena);
    return true;
}
/* Another place to go on failure; gives the one so far. For who holds more than memory while
 * allocating. */
jmp_buf *arena_catch(struct arena *a, jmp_buf *out_of_memory);
_Noreturn void arena_exhaust(struct arena *a); /* as if an allocation of it had failed */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What was allocated since the mark is given back, and its memory used again by what comes. */
struct arena_mark {
    void *block;
    size_t used;
    uint32_t number;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);
/* One pointer kept with the arena: ast.c's table of types, shared by all units of a build. */
void **arena_slot(struct arena *a);
#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))

#endif
