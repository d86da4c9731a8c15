#include "symbols.h"

#include <string.h>

static struct symbol *slot_of(const struct symbols *s, const char *text, size_t length) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    uint32_t mask = s->nslots - 1, i = (uint32_t)(h ^ h >> 32) & mask;
    for (; s->slots[i].value; i = (i + 1) & mask)
        if (s->slots[i].length == length && memcmp(s->slots[i].text, text, length) == 0) break;
    return &s->slots[i];
}

void *symbols_find(const struct symbols *s, const char *text, size_t length) {
    return s->nslots ? slot_of(s, text, length)->value : NULL;
}

void symbols_set(struct symbols *s, struct arena *arena, const char *text, size_t length,
                 void *value) {
    if (s->used * 2 >= s->nslots) {
        struct symbols old = *s;
        s->nslots = old.nslots ? old.nslots * 2 : 64;
        s->slots = ARENA_ARRAY(arena, struct symbol, s->nslots);
        for (uint32_t i = 0; i < old.nslots; i++)
            if (old.slots[i].value)
                *slot_of(s, old.slots[i].text, old.slots[i].length) = old.slots[i];
    }
    struct symbol *x = slot_of(s, text, length);
    s->used += !x->value;
    *x = (struct symbol){text, length, value};
}
