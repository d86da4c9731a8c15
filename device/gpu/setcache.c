#include "setcache.h"

#include <assert.h>
#include <string.h>

const struct setcache_geometry setcache_geometry[SETCACHE_KINDS] = {
#define CACHE(id, first, last, shared_by, line, sets, ways)                                        \
    {first, last, SETCACHE_##shared_by, ways, line, sets, __builtin_ctz(line)},
#include "caches.def"
#undef CACHE
};

#define CACHE(id, first, last, shared_by, line, sets, ways)                                        \
    static_assert((sets) * (ways) <= SETCACHE_LINES, "tags have room");                            \
    static_assert(!((line) & ((line)-1)) && !((sets) & ((sets)-1)), "powers of two");
#include "caches.def"
#undef CACHE

enum setcache_kind setcache_texture(unsigned cc_minor) {
    return cc_minor <= setcache_geometry[SETCACHE_TEXTURE_G80].cc_last ? SETCACHE_TEXTURE_G80
                                                                       : SETCACHE_TEXTURE_GT200;
}

void setcache_init(struct setcache *c, enum setcache_kind kind) {
    const struct setcache_geometry *g = &setcache_geometry[kind];
    memset(c->tag, 0, (size_t)g->sets * g->ways * sizeof *c->tag);
    c->kind = (uint8_t)kind;
}

static bool look_up(struct setcache *c, const struct setcache_geometry *g, uint32_t address) {
    uint32_t line = address >> g->line_shift, tag = line + 1, first = tag;
    uint32_t *way = c->tag + (line & (g->sets - 1u)) * g->ways;
    for (unsigned n = 0; n < g->ways; n++) { /* those before it move down by one */
        uint32_t other = way[n];
        way[n] = first;
        if (other == tag) return true;
        if (!other) return false; /* nor is there anything in those behind */
        first = other;
    }
    return false;
}

bool setcache_lookup(struct setcache *c, uint32_t address) {
    return look_up(c, &setcache_geometry[c->kind], address);
}

unsigned setcache_hits(struct setcache *c, const uint32_t *addresses, unsigned count) {
    const struct setcache_geometry *g = &setcache_geometry[c->kind];
    unsigned hits = 0;
    for (unsigned n = 0; n < count; n++) hits += look_up(c, g, addresses[n]);
    return hits;
}
