#include "race_shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "race_lines.h"

enum { PAGES = 1 << 14 }; /* of 4 GiB */

bool race_shadow_new(struct race_shadow *s) {
    struct race_entry e = {.lane = 1, .bytes = 1, .more = 1};
    uint64_t bits =
        UINT64_C(1) << RACE_LANE_AT | UINT64_C(1) << RACE_BYTES_AT | UINT64_C(1) << RACE_MORE_AT;
    assert(!memcmp(&e, &bits, sizeof bits));
    (void)e, (void)bits;
    s->pages = calloc(PAGES, sizeof *s->pages);
    return s->pages;
}

/* Zeros that take memory where they are used. */
static void *zeros(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

enum { ENTRIES = RACE_PAGE * sizeof(struct race_entry) };

void race_shadow_free(struct race_shadow *s) {
    for (struct race_page *p; (p = s->first);) {
        s->first = p->next;
        munmap(p->writes, ENTRIES);
        if (p->reads) munmap(p->reads, ENTRIES);
        if (p->atomics) munmap(p->atomics, ENTRIES);
        free(p);
    }
    free(s->pages);
}

static struct race_page *page_new(struct race_shadow *s) {
    struct race_page *p = calloc(1, sizeof *p);
    if (!p || !(p->writes = zeros(ENTRIES))) return free(p), NULL;
    p->next = s->first;
    return s->first = p;
}

struct race_page *race_shadow_page(struct race_shadow *s, uint32_t word, enum race_use use) {
    struct race_page **at = &s->pages[word / RACE_PAGE];
    if (!*at) *at = page_new(s);
    if (!*at || use == RACE_STORE) return *at;
    struct race_entry **more = use == RACE_LOAD ? &(*at)->reads : &(*at)->atomics;
    if (!*more && !(*more = zeros(ENTRIES))) return NULL;
    return *at;
}
_Static_assert((uint64_t)PAGES *RACE_PAGE * 4 == (uint64_t)1 << 32, "all of the sandbox");
_Static_assert(sizeof(struct race_entry) == 8, "one word");
