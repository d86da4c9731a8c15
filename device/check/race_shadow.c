#include "race_shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "race_lines.h"

enum { PAGES = 1 << 20 }; /* of 4 GiB */

bool race_shadow_new(struct race_shadow *s) {
    struct race_entry e = {.lane = 1, .more = 1};
    uint64_t bits = UINT64_C(1) << RACE_LANE_AT | UINT64_C(1) << RACE_MORE_AT;
    assert(!memcmp(&e, &bits, sizeof bits));
    (void)e, (void)bits;
    s->pages = calloc(PAGES, sizeof *s->pages);
    return s->pages;
}

void race_shadow_free(struct race_shadow *s) {
    for (struct race_page *p; (p = s->first);) {
        s->first = p->next;
        free(p->reads);
        free(p->atomics);
        free(p);
    }
    free(s->pages);
}

struct race_page *race_shadow_page(struct race_shadow *s, uint32_t word, enum race_use use) {
    struct race_page **at = &s->pages[word / RACE_PAGE];
    if (!*at && (*at = calloc(1, sizeof **at))) {
        (*at)->next = s->first;
        s->first = *at;
    }
    if (!*at || use == RACE_STORE) return *at;
    struct race_entry **more = use == RACE_LOAD ? &(*at)->reads : &(*at)->atomics;
    if (!*more && !(*more = calloc(RACE_PAGE, sizeof **more))) return NULL;
    return *at;
}
_Static_assert((uint64_t)PAGES *RACE_PAGE * 4 == (uint64_t)1 << 32, "all of the sandbox");
_Static_assert(sizeof(struct race_entry) == 8, "one word");
