/* Which work-group sizes a kernel is compiled for, and which launches wait for that. */
#include "device/run/tier.h"

#include <semaphore.h>
#include <string.h>

#include "device/run/executable.h"
#include "fake.h"
#include "test.h"

static unsigned compiled;
static sem_t let; /* compiles, one for each post */

static enum native_status compile(const struct native_request *r, struct native_object *object,
                                  const char **why) {
    (void)r, (void)object, (void)why;
    compiled++;
    return NATIVE_FAILED;
}

static const char *library(void) { return NULL; }

/* A program that tries many sizes gets code for whichever it stays with, once for each. */
static void sizes(void) {
    static const struct native_api api = {compile, library};
    tier_source(&(struct tier_source){.compiler = &api});
    tier_configure(TIER_NATIVE, NATIVE_AVX512);
    struct memory *memory = memory_new(1 << 28);
    struct isa_module *m = fake_module(false, NULL);
    struct executable *x = executable_new(memory, m);
    struct tier t = {0};
    struct launch *l = fake_launch(x, 1 << 20, 0);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t items = 8; items <= 256; items += 8) {
            l->local_size[0] = items;
            struct tier_size size = tier_size(l, NULL, &(struct tiles_traits){0});
            tier_launch(&t, l, &size, m->kernels[0], 0, NULL);
            CHECK(tier_settled(&t, &size));
        }
    CHECK(compiled == 32);
    tier_free(&t);
    fake_free(l);
    executable_release(x);
    isa_module_free(m);
    memory_free(memory);
}

static enum native_status compile_let(const struct native_request *r, struct native_object *object,
                                      const char **why) {
    sem_wait(&let);
    return compile(r, object, why);
}

/* Launches whose times are asked for wait for what is compiled in the background, but not for ever;
 * others do not. */
static void timed(void) {
    static const struct native_api api = {compile_let, library};
    sem_init(&let, 0, 0);
    tier_source(&(struct tier_source){.compiler = &api});
    tier_configure(TIER_AUTO, NATIVE_AVX512);
    struct memory *memory = memory_new(1 << 28);
    struct isa_module *m = fake_module(false, NULL);
    struct executable *x = executable_new(memory, m);
    struct tier t = {0};
    struct launch *l = fake_launch(x, 1 << 10, 64);
    struct tier_size size = tier_size(l, NULL, &(struct tiles_traits){0});
    tier_spent(&t, 50000000);
    l->untimed = true;
    tier_launch(&t, l, &size, m->kernels[0], 0, NULL);
    CHECK(!tier_settled(&t, &size));
    l->untimed = false;
    tier_launch(&t, l, &size, m->kernels[0], 0, NULL);
    CHECK(!tier_settled(&t, &size));
    tier_spent(&t, 60000000000);
    sem_post(&let);
    tier_launch(&t, l, &size, m->kernels[0], 0, NULL);
    CHECK(tier_settled(&t, &size));
    tier_free(&t);
    fake_free(l);
    executable_release(x);
    isa_module_free(m);
    memory_free(memory);
}

int main(void) {
    static const struct test tests[] = {TEST(sizes), TEST(timed)};
    return test_main(tests, 2);
}
