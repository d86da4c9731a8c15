/* A map from texts to values, in an arena. */
#ifndef SIMTCL_SYMBOLS_H
#define SIMTCL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "device/isa/arena.h"

/* Open addressing; all zero is an empty one. */
struct symbols {
    struct symbol {
        const char *text;
        size_t length;
        void *value;
    } * slots;
    uint32_t nslots, used;
};

void *symbols_find(const struct symbols *s, const char *text, size_t length); /* NULL: none */
/* Adds, or replaces. The text is not copied; the value is not NULL. */
void symbols_set(struct symbols *s, struct arena *arena, const char *text, size_t length,
                 void *value);

#endif
