/* range.h against a plain array of units. */
#include "device/sandbox/range.h"

#include <string.h>

#include "test.h"

enum { UNITS = 3000, GAP = 1500, TAKEN = 400 };

static void random_use(void) {
    struct ranges r = {0};
    static int owner[UNITS]; /* 0: free */
    struct range *taken[TAKEN] = {0};
    CHECK(range_add(&r, 0, GAP) && range_add(&r, GAP, UNITS - GAP));
    for (int step = 0; step < 200000; step++) {
        int i = rand() % TAKEN;
        if (taken[i]) {
            CHECK(range_find(&r, taken[i]->start + taken[i]->size - 1) == taken[i]);
            for (uint32_t u = 0; u < taken[i]->size; u++) owner[taken[i]->start + u] = 0;
            range_give(&r, taken[i]);
            taken[i] = NULL;
            continue;
        }
        uint32_t size = 1 + (uint32_t)rand() % (rand() % 8 ? 12 : 300), align = 1u << rand() % 5;
        struct range *n = taken[i] = range_take(&r, size, align, rand() % 2);
        if (!n) {
            uint32_t run = 0;
            for (uint32_t u = 0; u < UNITS; u++) {
                run = owner[u] || u == GAP ? !owner[u] : run + 1;
                CHECK(run < size + align - 1);
            }
            continue;
        }
        CHECK(n->size == size && n->start % align == 0 && n->start + size <= UNITS);
        CHECK(n->start >= GAP || n->start + size <= GAP);
        for (uint32_t u = 0; u < size; u++) {
            CHECK(!owner[n->start + u]);
            owner[n->start + u] = i + 1;
        }
    }
    for (int i = 0; i < TAKEN; i++)
        if (taken[i]) range_give(&r, taken[i]);
    CHECK(range_take(&r, GAP, 1, false) && range_take(&r, UNITS - GAP, 1, false));
    CHECK(!range_take(&r, 1, 1, false));
    range_clear(&r);
}

static void order(void) {
    struct ranges r = {0};
    CHECK(range_add(&r, 1, 100));
    CHECK(range_take(&r, 10, 1, false)->start == 1);
    CHECK(range_take(&r, 10, 1, true)->start == 91);
    CHECK(range_take(&r, 10, 16, false)->start == 16);
    CHECK(range_take(&r, 2, 1, false)->start == 11);
    CHECK(!range_take(&r, 0, 1, false) && !range_take(&r, UINT32_MAX, 64, false));
    CHECK(!range_find(&r, 0) && !range_find(&r, 15) && !range_find(&r, 101) && range_find(&r, 100));
    range_clear(&r);
    CHECK(range_empty(&r));
}

TEST_MAIN(TEST(random_use), TEST(order))
