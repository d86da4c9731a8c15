/* Occupancy against the published calculator's tables, and what it advises. */
#include "../device/test.h"

#include "device/gpu/occupancy.h"

enum {
    GROUPS = 1 << GPU_LIMIT_GROUPS,
    WARPS = 1 << GPU_LIMIT_WARPS,
    REGISTERS = 1 << GPU_LIMIT_REGISTERS,
    SHARED = 1 << GPU_LIMIT_SHARED
};

static const struct occupancy_case {
    unsigned minor, items, registers, shared, groups, warps, limiters;
    const char *what;
} cases[] = {
#define CASE(...) {__VA_ARGS__},
#include "occupancy.def"
};

static void find(const struct occupancy_case *c, struct gpu_occupancy *o) {
    const struct model *m = NULL;
    for (unsigned i = 0; (m = model_at(i)); i++)
        if (m->cc_minor == c->minor && !m->unlimited) break;
    CHECK(m);
    gpu_occupancy_find(
        m, &(struct gpu_resources){.registers = c->registers, .shared_bytes = c->shared}, c->items,
        o);
}

static void the_tables_hold(void) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct occupancy_case *c = &cases[i];
        struct gpu_occupancy o;
        find(c, &o);
        if (o.groups == c->groups && o.active_warps == c->warps && o.limiters == c->limiters &&
            c->limiters >> o.limiter & 1)
            continue;
        fprintf(stderr, "cc 1.%u, %u items, %u registers, %u bytes: %u groups, %u warps by %#x\n",
                c->minor, c->items, c->registers, c->shared, o.groups, o.active_warps, o.limiters);
        wrong++;
    }
    CHECK(!wrong);
}

/* What is advised is better, and nothing nearer is. */
static void advice_is_the_nearest(void) {
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct occupancy_case c = cases[i];
        struct gpu_occupancy o, other;
        find(&c, &o);
        for (c.items = o.warps * 32 + 32; c.items <= 512; c.items += 32) {
            find(&c, &other);
            if (other.active_warps > o.active_warps) break;
        }
        CHECK(o.larger_group == (c.items <= 512 ? c.items : 0));
        for (c.items = o.warps * 32 - 32; c.items; c.items -= 32) {
            find(&c, &other);
            if (other.active_warps > o.active_warps) break;
        }
        CHECK(o.smaller_group == c.items);
        c = cases[i];
        for (c.registers--; c.registers; c.registers--) {
            find(&c, &other);
            if (other.active_warps > o.active_warps) break;
        }
        CHECK(o.better_registers == c.registers);
        c = cases[i];
        for (c.shared = o.shared; c.shared > 512;) {
            c.shared -= 512;
            find(&c, &other);
            if (other.active_warps > o.active_warps) break;
        }
        CHECK(o.better_shared ==
              (other.active_warps > o.active_warps && o.shared > 512 ? c.shared : 0));
    }
}

static void examples_of_advice(void) {
    const struct model *g80 = model_find("8800 GTX"), *gt200 = model_find("C1060");
    struct gpu_occupancy o;
    gpu_occupancy_find(g80, &(struct gpu_resources){.registers = 11}, 256, &o);
    CHECK(o.groups == 2 && o.limiter == GPU_LIMIT_REGISTERS && o.better_registers == 10);
    CHECK(o.smaller_group == 192 && o.larger_group == 288 && !o.better_shared);
    gpu_occupancy_find(gt200, &(struct gpu_resources){.registers = 10}, 64, &o);
    CHECK(o.groups == 8 && o.limiter == GPU_LIMIT_GROUPS && o.larger_group == 96);
    gpu_occupancy_find(gt200, &(struct gpu_resources){.registers = 10, .shared_bytes = 5000}, 128,
                       &o);
    CHECK(o.groups == 3 && o.limiter == GPU_LIMIT_SHARED && o.better_shared == 4096);
}

/* A group of that size fits, and none of a warp more. */
static void the_largest_group_fits(void) {
    for (unsigned i = 0; model_at(i); i++)
        for (unsigned registers = 2; registers <= GPU_MAX_REGISTERS; registers++) {
            const struct model *m = model_at(i);
            struct gpu_resources r = {.registers = registers};
            struct gpu_occupancy o;
            uint32_t most = gpu_largest_group(m, &r);
            CHECK(most >= 32 && most <= m->max_group && most % 32 == 0);
            gpu_occupancy_find(m, &r, most, &o);
            CHECK(o.groups);
            gpu_occupancy_find(m, &r, most + 32, &o);
            CHECK(most == m->max_group || !o.groups);
            CHECK(!m->unlimited || most == m->max_group);
        }
}

TEST_MAIN(TEST(the_tables_hold), TEST(advice_is_the_nearest), TEST(examples_of_advice),
          TEST(the_largest_group_fits))
