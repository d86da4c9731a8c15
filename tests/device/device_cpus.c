#include "device/host/cpus.h"

#include <sched.h>

#include "device/host/pool.h"
#include "test.h"

static void affinity(void) {
    unsigned all = cpus_allowed();
    CHECK(all >= 1 && all <= (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
    cpu_set_t set, one;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set) && !CPU_COUNT(&one)) CPU_SET(i, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0 && cpus_allowed() == 1);
    CHECK(pool_threads() == 1);
}

static void wish(void) {
    pool_limit(7);
    CHECK(pool_threads() == 7);
}

static void too_much(void) {
    pool_limit(1000000);
    CHECK(pool_threads() < POOL_MAX_WORKERS);
}

static void no_wish(void) {
    pool_limit(0);
    CHECK(pool_threads() == cpus_allowed());
}

TEST_MAIN(TEST(affinity), TEST(wish), TEST(too_much), TEST(no_wish))
