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

static enum native_status compile_let(const struct native_request *r, struct native_object *object,
                                      const char **why) {
    sem_wait(&let);
    return compile(r, object, why);
}

/* A kernel and what it is launched with. */
struct fixture {
    struct memory *memory;
    struct isa_module *module;
    struct executable *executable;
    struct launch *launch;
    struct tier tier;
};

static struct fixture begin(const struct native_api *api, enum tier_mode mode, uint32_t global,
                            uint32_t local) {
    struct fixture f = {.memory = memory_new(1 << 28), .module = fake_module(false, NULL)};
    tier_source(&(struct tier_source){.compiler = api});
    tier_configure(mode, NATIVE_AVX512);
    f.executable = executable_new(f.memory, f.module);
    f.launch = fake_launch(f.executable, global, local);
    return f;
}

static void end(struct fixture *f) {
    tier_free(&f->tier);
    fake_free(f->launch);
    executable_release(f->executable);
    isa_module_free(f->module);
    memory_free(f->memory);
}

/* Launches once: does nothing more come of it? */
static bool settles(struct fixture *f) {
    struct tier_size size = tier_size(f->launch, NULL, &(struct tiles_traits){0});
    tier_launch(&f->tier, f->launch, &size, f->module->kernels[0], 0, NULL);
    return tier_settled(&f->tier, &size);
}

/* A program that tries many sizes gets code for whichever it stays with, once for each. */
static void sizes(void) {
    static const struct native_api api = {compile, library};
    struct fixture f = begin(&api, TIER_NATIVE, 1 << 20, 0);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t items = 8; items <= 256; items += 8) {
            f.launch->local_size[0] = items;
            CHECK(settles(&f));
        }
    CHECK(compiled == 32);
    end(&f);
}

/* Launches whose times are asked for wait for what is compiled in the background, but not for ever;
 * others do not. */
static void timed(void) {
    static const struct native_api api = {compile_let, library};
    struct fixture f = begin(&api, TIER_AUTO, 1 << 10, 64);
    sem_init(&let, 0, 0);
    tier_spent(&f.tier, 50000000);
    f.launch->untimed = true;
    CHECK(!settles(&f));
    f.launch->untimed = false;
    CHECK(!settles(&f));
    tier_spent(&f.tier, 60000000000);
    sem_post(&let);
    CHECK(settles(&f));
    end(&f);
}

int main(void) {
    static const struct test tests[] = {TEST(sizes), TEST(timed)};
    return test_main(tests, 2);
}
