/* Set-associative caches of read-only memories: constants (guide 3.1.2.3) and textures (3.1.2.4).
 * A cache is a struct of its owner's, kept for as long as the owner thinks right. */
#ifndef SIMTCL_SETCACHE_H
#define SIMTCL_SETCACHE_H

#include <stdbool.h>
#include <stdint.h>

enum setcache_kind {
#define CACHE(id, first, last, shared_by, line, sets, ways) SETCACHE_##id,
#include "caches.def"
#undef CACHE
    SETCACHE_KINDS
};

/* Their sizes: constants, for those who need them early. */
enum {
#define CACHE(id, first, last, shared_by, line, sets, ways)                                        \
    SETCACHE_##id##_LINE = (line), SETCACHE_##id##_SETS = (sets), SETCACHE_##id##_WAYS = (ways),
#include "caches.def"
#undef CACHE
};

enum setcache_owner {
    SETCACHE_MULTIPROCESSOR,
    SETCACHE_CLUSTER,
    SETCACHE_PARTITION,
    SETCACHE_DEVICE
};

struct setcache_geometry {
    uint8_t cc_first, cc_last; /* minor numbers of the compute capabilities that have it */
    uint8_t owner;             /* enum setcache_owner */
    uint8_t ways;
    uint16_t line, sets; /* powers of two */
    uint8_t line_shift;  /* logarithm of line */
};

extern const struct setcache_geometry setcache_geometry[SETCACHE_KINDS];

enum { SETCACHE_LINES = 160 }; /* of the largest */

struct setcache {
    uint32_t tag[SETCACHE_LINES]; /* of each set's ways, the last used first; 0: nothing */
    uint8_t kind;                 /* enum setcache_kind */
};

/* The texture cache of compute capability 1.minor. */
enum setcache_kind setcache_texture(unsigned cc_minor);

/* An empty cache. */
void setcache_init(struct setcache *c, enum setcache_kind kind);

/* Reads at an address: is its line there? If not it is fetched, in place of the line of its set
 * that was not used for longest. */
bool setcache_lookup(struct setcache *c, uint32_t address);
/* Reads at so many addresses, in their order. Returns how many are there. */
unsigned setcache_hits(struct setcache *c, const uint32_t *addresses, unsigned count);

#endif
