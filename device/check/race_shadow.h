/* Who accessed each word of memory last, as far as races ask for it.
 *
 * A stretch is what a warp does between two barriers: those of a launch are numbered through, group
 * by group in the order of the groups, in each group interval by interval, in each interval warp by
 * warp. An entry is one word of 64 bits: stretch, site, lane, and which of the word's four bytes.
 */
#ifndef SIMTCL_RACE_SHADOW_H
#define SIMTCL_RACE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

struct race_entry {
    uint64_t stretch : 30; /* from 1 on; 0: there is none */
    uint64_t
        site : 10; /* number among those that are looked at; RACE_SITES - 1 stands for all beyond */
    uint64_t lane : 5;
    uint64_t bytes : 4;
    uint64_t atomic : 1; /* of atomics */
    /* Of reads and atomic operations: another warp of the same interval did the same, too; of plain
     * writes: a hash of the value. */
    uint64_t more : 14;
};

enum race_use { RACE_STORE, RACE_LOAD, RACE_ATOMIC, RACE_USES };

enum {
    RACE_SITES = 1 << 10,
    RACE_STRETCHES = 1 << 30,
    RACE_PAGE = 1 << 16, /* words */
    RACE_OTHER =
        1 << 13 /* in `more`: there is another; below it its lane (5 bits), warp (8 bits) */
};

struct race_page {
    struct race_page *next;     /* of all that there are */
    struct race_entry *writes;  /* RACE_PAGE of them */
    struct race_entry *reads;   /* likewise; NULL: none has been read */
    struct race_entry *atomics; /* likewise */
};

struct race_shadow {
    struct race_page **pages; /* of the sandbox; NULL: nothing there has been accessed */
    struct race_page *first;
};

bool race_shadow_new(struct race_shadow *s);
void race_shadow_free(struct race_shadow *s);
/* The page of that word; with room for what is done there. NULL: no memory. */
struct race_page *race_shadow_page(struct race_shadow *s, uint32_t word, enum race_use use);

#endif
