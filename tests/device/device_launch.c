#include "device/launch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "fake.h"
#include "device/printf.h"
#include "device/run/executable.h"
#include "test.h"

static struct memory *memory;
static atomic_int groups_run;

static struct executable *place(const struct isa_module *m) {
    if (!memory) memory = memory_new(1 << 28);
    struct executable *x = executable_new(memory, m);
    CHECK(x);
    return x;
}

static atomic_uint seen[6][5][4];

static void see(struct group *g) {
    const uint32_t *id = g->group_id;
    CHECK(id[0] < 4 && id[1] < 5 && id[2] < 6);
    CHECK(g->group_index == id[0] + id[1] * 4 + id[2] * 20);
    CHECK(g->items == 24 * 2 && g->warps == 2);
    atomic_fetch_add(&seen[id[2]][id[1]][id[0]], 1);
}

static void shape(void) {
    struct isa_module *m = fake_module(true, NULL);
    struct executable *x = place(m);
    struct launch *l = fake_launch(x, 0, 0);
    memcpy(l->global_size, (uint32_t[]){16, 15, 24}, sizeof l->global_size);
    memcpy(l->local_size, (uint32_t[]){4, 3, 4}, sizeof l->local_size);
    fake_run = see;
    for (int iteration = 1; iteration < 50; iteration++) {
        if (iteration % 2) {
            fake_go(l);
        } else {
            CHECK(launch_run(l));
            fake_wait(l);
        }
        for (int i = 0; i < 120; i++) CHECK((&seen[0][0][0])[i] == (unsigned)iteration);
        CHECK(l->fault.kind == FAULT_NONE && l->started_ns && l->started_ns <= l->ended_ns);
        fake_free(l);
        l = fake_launch(x, 0, 0);
        memcpy(l->global_size, (uint32_t[]){16, 15, 24}, sizeof l->global_size);
        memcpy(l->local_size, (uint32_t[]){4, 3, 4}, sizeof l->local_size);
    }
    CHECK(fake_prepared == 1);
    fake_free(l);
    executable_release(x);
    CHECK(fake_discarded == 1);
    isa_module_free(m);
    memory_free(memory);
}

/* Local memory, frames and scratch are the group's own while it runs. */
static void use_all(struct group *g) {
    uint32_t local;
    memcpy(&local, g->params + 4, 4);
    CHECK(local == g->local_base + 512 && g->local_base % 16384 == 0);
    CHECK(g->frame_bytes == 48 && memcmp(g->params, "abcd", 4) == 0);
    char *parts[] = {memory_at(g->base, g->local_base), memory_at(g->base, g->private_base),
                     group_scratch(g, 30000)};
    size_t sizes[] = {3000, 48 * 32 * g->warps, 30000};
    CHECK((uintptr_t)parts[2] % 64 == 0 && parts[2] == *g->scratch && *g->scratch_bytes >= 30000);
    for (int p = 0; p < 3; p++) memset(parts[p], (int)g->group_index, sizes[p]);
    for (int p = 0; p < 3; p++)
        for (size_t i = 0; i < sizes[p]; i++) CHECK(parts[p][i] == (char)g->group_index);
    atomic_fetch_add(&groups_run, 1);
}

static void *launch_all(void *x) {
    for (int i = 0; i < 50; i++) {
        struct launch *l = fake_launch(x, 100 * 64, 64);
        char params[8] = "abcd\0\2";
        uint32_t where = 4;
        l->params = params;
        l->local_args = &where;
        l->nlocal_args = 1;
        l->local_bytes = 3000;
        fake_go(l);
        CHECK(l->fault.kind == FAULT_NONE);
        fake_free(l);
    }
    return NULL;
}

static void own_memory(void) {
    pool_limit(4);
    struct isa_module *m = fake_module(true, NULL);
    m->kernels[0]->param_bytes = 8;
    m->kernels[0]->local_bytes = 100;
    m->kernels[0]->private_bytes = 33;
    struct memory *two = memory_new(1 << 20);
    struct executable *x[2] = {place(m), executable_new(two, m)};
    fake_run = use_all;
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, launch_all, x[i % 2]);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    CHECK(groups_run == 4 * 50 * 100);
    executable_release(x[0]);
    executable_release(x[1]);
    memory_free(memory);
    memory_free(two);
    isa_module_free(m);
}

static void read_constants(struct group *g) {
    uint32_t address;
    memcpy(&address, memory_at(g->base, g->constant_base + 4), 4);
    CHECK(address == g->constant_base && memcmp(memory_at(g->base, address), "data", 4) == 0);
    CHECK(g->constant_base % 256 == 0);
}

static void write_constants(struct group *g) {
    g->inst = NULL;
    *(volatile char *)memory_at(g->base, g->constant_base) = 1;
}

static void constants(void) {
    struct isa_module *m = fake_module(true, NULL);
    CHECK(isa_module_add_data(m, "data\0\0\0\0", 8, 256) == 0 && isa_module_add_reloc(m, 4));
    struct executable *x = place(m);
    struct launch *l = fake_launch(x, 1, 1);
    fake_run = read_constants;
    fake_go(l);
    CHECK(l->fault.kind == FAULT_NONE);
    fake_run = write_constants;
    fake_go(l);
    CHECK(l->fault.kind == FAULT_ACCESS && l->fault.write && !l->fault.item_known);
    fake_free(l);
    executable_release(executable_retain(x));
    executable_release(x);
    isa_module_free(m);
}

#if defined __x86_64__
static unsigned mode;
static void look_at_mode(struct group *g) {
    (void)g;
    mode = _mm_getcsr() & ~0x3fu;
}

static void floating_point(void) {
    struct isa_module *m = fake_module(false, NULL), *d = fake_module(false, NULL);
    isa_reg_new(d->kernels[0], ISA_F64);
    struct executable *x[2] = {place(m), place(d)};
    fake_run = look_at_mode;
    _mm_setcsr(0x5f80); /* the host rounds up: its own business */
    for (int i = 0; i < 2; i++) {
        struct launch *l = fake_launch(x[i], 1, 1);
        CHECK(launch_run(l));
        fake_wait(l);
        CHECK(mode == (i ? 0x1f80 : 0x9fc0) && (_mm_getcsr() & ~0x3fu) == 0x5f80);
        fake_free(l);
        executable_release(x[i]);
    }
    isa_module_free(m);
    isa_module_free(d);
    memory_free(memory);
}
#else
static void floating_point(void) {}
#endif

static void print_ids(struct group *g) {
    const struct isa_inst *inst = &g->kernel->insts[1];
    for (int iteration = 0; iteration < 2; iteration++)
        for (g->warp = 0; g->warp < g->warps; g->warp++)
            for (uint32_t lane = 0; lane < 32 && g->warp * 32 + lane < g->items; lane++) {
                uint64_t item = g->group_index * g->items + g->warp * 32 + lane;
                print_record(g, inst, lane, (uint64_t[]){item, 0x3f800000});
            }
}

static void printing(void) {
    struct isa_module *m = fake_module(true, "%d %.1f\n");
    struct executable *x = place(m);
    struct launch *l = fake_launch(x, 100 * 40, 40);
    fake_run = print_ids;
    fake_go(l);
    const char *at = fake_printed(l);
    for (int i = 0; i < 100 * 40 * 2; i++) {
        char line[32];
        size_t n = (size_t)snprintf(line, sizeof line, "%d 1.0\n", i / 2);
        CHECK(strncmp(at, line, n) == 0);
        at += n;
    }
    CHECK(!*at);
    fake_free(l);
    executable_release(x);
    isa_module_free(m);
}

static void print_much(struct group *g) {
    for (int i = 0; i < 1000; i++) print_record(g, &g->kernel->insts[1], 0, (uint64_t[]){1, 2});
}

static void printing_too_much(void) {
    struct isa_module *m = fake_module(true, "%d");
    struct executable *x = place(m);
    struct launch *l = fake_launch(x, 1000, 1);
    fake_run = print_much;
    fake_go(l);
    const char *end = strchr(fake_printed(l), '\n');
    CHECK(end && !strncmp(end, "\nprintf: some output was dropped", 32));
    CHECK((size_t)(end - fake_printed(l)) == LAUNCH_PRINT_BYTES / 40);
    fake_free(l);
    executable_release(x);
    isa_module_free(m);
}

static void count_group(struct group *g) {
    (void)g;
    atomic_fetch_add(&groups_run, 1);
}

/* A child of fork runs launches of its own in the sandbox it got. */
static void forked(void) {
    struct isa_module *m = fake_module(true, NULL);
    struct executable *x = place(m);
    fake_run = count_group;
    struct launch *l = fake_launch(x, 1000, 1);
    fake_go(l);
    pid_t child = fork();
    if (!child) {
        fake_go(l);
        _exit(groups_run != 2000);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    fake_go(l);
    CHECK(groups_run == 2000);
    fake_free(l);
    executable_release(x);
    isa_module_free(m);
}

static void refused(void) {
    struct isa_module *m = fake_module(true, NULL), *other = fake_module(true, NULL);
    struct executable *x = place(m);
    struct launch *l = fake_launch(x, 1, 1);
    l->kernel = other->kernels[0];
    CHECK(!launch_start(l));
    l->kernel = m->kernels[0];
    l->local_size[1] = 0;
    CHECK(!launch_start(l));
    l->local_size[1] = 1;
    fake_run = count_group;
    l->local_bytes = 1u << 31; /* more than a sandbox can have in one piece */
    fake_go(l);
    CHECK(l->fault.kind == FAULT_RESOURCES && groups_run == 0);
    l->local_bytes = 0;
    l->global_size[0] = 0;
    fake_go(l);
    CHECK(l->fault.kind == FAULT_NONE && groups_run == 0);
    fake_free(l);
    executable_release(x);
    isa_module_free(m);
    isa_module_free(other);
}

TEST_MAIN(TEST(shape), TEST(own_memory), TEST(constants), TEST(floating_point), TEST(printing),
          TEST(printing_too_much), TEST(forked), TEST(refused))
