/* What time is made of counts by hand, and what holds for all of them. */
#include "../device/test.h"

#include <math.h>

#include "device/gpu/time.h"

static const struct model *board(const char *name) {
    const struct model *m = model_find(name);
    CHECK(m);
    return m;
}

/* A copy: each of 256 work-items loads and stores a word. */
static struct gpu_timing copy(uint64_t groups) {
    double halves = (double)groups * 16;
    struct gpu_timing t = {.launches = 1,
                           .groups = groups,
                           .warps = groups * 8,
                           .items = 256,
                           .resources = {.registers = 4, .shared_bytes = 32},
                           .partitions = 8,
                           .windows = 1,
                           .windows_seen = 1};
    t.sums[GPU_SUM_instructions] = (double)groups * 8 * 6;
    t.sums[GPU_SUM_sp] = (double)groups * 8 * 16;
    t.sums[GPU_SUM_asked] = halves * 128;
    t.sums[GPU_SUM_window_mean] = t.sums[GPU_SUM_window_most] = 1000;
    for (int r = 0; r < GPU_TIMING_RULES; r++) {
        t.transactions[r][GPU_TIMING_64] = halves * 2;
        t.waits[r][GPU_WAIT_GLOBAL] = 440;
        t.waits[r][GPU_WAIT_ARITHMETIC] = 100;
    }
    return t;
}

static double seconds_of(const char *name, const struct gpu_timing *t, unsigned without) {
    struct gpu_prediction p;
    gpu_time_predict(board(name), t, without, &p);
    return p.seconds - p.launch_seconds;
}

static bool near(double a, double b, double share) { return fabs(a - b) <= share * fabs(b); }

static void memory_takes_its_bandwidth(void) {
    struct gpu_timing t = copy(100000);
    double bytes = 100000.0 * 2048;
    CHECK(near(seconds_of("c1060", &t, 0), bytes / (102.4e9 * 0.855), 0.02));
    CHECK(near(seconds_of("c1060", &t, 0) / seconds_of("gtx280", &t, 0), 141.7 / 102.4, 0.02));
    t.sums[GPU_SUM_window_rows] = 2000; /* less than what they move */
    t.sums[GPU_SUM_window_most] = 3000;
    CHECK(near(seconds_of("c1060", &t, 0), 3 * bytes / (102.4e9 * 0.855), 0.02));
    CHECK(near(seconds_of("c1060", &t, 1u << GPU_REPAIR_no_camping), bytes / (102.4e9 * 0.855),
               0.02));
    t.sums[GPU_SUM_window_rows] = 6000;
    CHECK(near(seconds_of("c1060", &t, 0), 6 * bytes / (102.4e9 * 0.855), 0.02));
    CHECK(near(seconds_of("c1060", &t, 1u << GPU_REPAIR_no_camping), bytes / (102.4e9 * 0.855),
               0.02));
    CHECK(near(seconds_of("8800gtx", &t, 0), bytes / (86.4e9 * 0.855), 0.02));
    struct gpu_prediction p;
    gpu_time_predict(board("8800gtx"), &t, 0, &p);
    CHECK(!p.camping_known && p.camping == 1 && p.bound == GPU_UNIT_dram);
}

/* A lone group takes its way; groups that find a place take no longer, the first that does not
 * makes a wave of its own. */
static void waves_follow_each_other(void) {
    struct gpu_timing one = copy(1), t = copy(30 * 4);
    const struct model *m = board("c1060");
    struct gpu_prediction p;
    double clocks = 540 + gpu_time_parameter(m, GPU_TIMING_replace_group);
    gpu_time_predict(m, &one, 0, &p);
    CHECK(near(p.low - p.launch_seconds, clocks / 1296e6, 1e-9) && p.waves == 1 &&
          p.bound == GPU_UNIT_latency);
    CHECK(p.active_groups == 4 && p.active_warps == 32);
    t.transactions[GPU_TIMING_1_2][GPU_TIMING_64] = 0;
    gpu_time_predict(m, &t, 0, &p);
    CHECK(near(p.low - p.launch_seconds, clocks / 1296e6, 1e-9) && p.waves == 1);
    CHECK(p.wave_share == 1);
    t = copy(30 * 4 + 1);
    t.transactions[GPU_TIMING_1_2][GPU_TIMING_64] = 0;
    gpu_time_predict(m, &t, 0, &p);
    CHECK(near(p.low - p.launch_seconds, 2 * clocks / 1296e6, 1e-9) && p.waves == 2);
    t.resources.registers = 124;
    gpu_time_predict(m, &t, 0, &p);
    CHECK(!p.active_groups && p.seconds == 0);
}

static void units_work_beside_each_other(void) {
    struct gpu_timing t = copy(30 * 400);
    double group = 1e5 / 1296e6 * 400;
    t.sums[GPU_SUM_sp] = 1e5 * (double)t.groups;
    CHECK(near(seconds_of("c1060", &t, 0), group, 0.05));
    t.sums[GPU_SUM_multiplies] = t.sums[GPU_SUM_sp];
    CHECK(near(seconds_of("c1060", &t, 0), group * 2 / 3, 0.05));
    CHECK(near(seconds_of("8800gtx", &t, 0), group * 30 / 16 * 1296 / 1350, 0.05));
    t.sums[GPU_SUM_multiplies] = 0;
    t.sums[GPU_SUM_sfu] = t.sums[GPU_SUM_sp];
    CHECK(near(seconds_of("c1060", &t, 0), group, 0.05));
    CHECK(near(seconds_of("8800gtx", &t, 0), 2 * group * 30 / 16 * 1296 / 1350, 0.05));
}

/* Warps that meet at barriers keep fewer units busy at a time: more so, the more often they do;
 * only the pessimistic end knows. A barrier that never comes costs nothing. */
static void barriers_keep_warps_together(void) {
    struct gpu_timing t = copy(30 * 400);
    struct gpu_prediction none, some, many;
    t.sums[GPU_SUM_sp] = (double)t.groups * 8 * 200;
    for (int r = 0; r < GPU_TIMING_RULES; r++) t.waits[r][GPU_WAIT_ARITHMETIC] = 5000;
    gpu_time_predict(board("c1060"), &t, 0, &none);
    t.sums[GPU_SUM_barriers] = (double)t.warps;
    gpu_time_predict(board("c1060"), &t, 0, &some);
    t.sums[GPU_SUM_barriers] = (double)t.warps * 10;
    gpu_time_predict(board("c1060"), &t, 0, &many);
    CHECK(none.low == some.low && some.low == many.low);
    CHECK(none.high < some.high && some.high < many.high);
}

/* Misses of the texture cache come through the partitions, whether these hold them or memory does.
 */
static void textures_take_the_way_from_the_partitions(void) {
    struct gpu_timing t = copy(30 * 400);
    const struct model *m = board("c1060");
    double rate = gpu_time_parameter(m, GPU_TIMING_reply) * m->partitions;
    struct gpu_prediction p;
    t.sums[GPU_SUM_texture_misses] = 1e6 * (double)t.groups;
    t.sums[GPU_SUM_texture_bytes] = 65536;
    gpu_time_predict(m, &t, 0, &p);
    CHECK(near(p.seconds - p.launch_seconds, 32e6 * (double)t.groups / rate / 1296e6, 0.02));
    CHECK(p.bound == GPU_UNIT_reply);
}

static double drawn(uint64_t *seed, double most) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (double)(1 << 24) * most;
}

/* No repair makes a launch slower, the two ends enclose the prediction, and launches that are added
 * are as one of them. */
static void what_holds_for_all(void) {
    uint64_t seed = 1;
    for (int n = 0; n < 2000; n++) {
        struct gpu_timing t = copy(1 + (uint64_t)drawn(&seed, 5000)), twice;
        double *s = t.sums;
        for (unsigned i = 0; i < GPU_TIMING_SUMS; i++)
            s[i] = drawn(&seed, (double)t.groups * (i % 3 ? 1000 : 10));
        s[GPU_SUM_multiplies] = drawn(&seed, s[GPU_SUM_sp]);
        s[GPU_SUM_shared_passes] = s[GPU_SUM_shared_requests] + drawn(&seed, 1000);
        s[GPU_SUM_constant_passes] = s[GPU_SUM_constant_requests] + drawn(&seed, 1000);
        s[GPU_SUM_shared_conflicts] = drawn(&seed, s[GPU_SUM_shared_atomics]);
        s[GPU_SUM_atomics_most] = fmax(s[GPU_SUM_atomics_most], s[GPU_SUM_atomics] / 8);
        for (int r = 0; r < GPU_TIMING_RULES; r++)
            for (int w = 0; w < GPU_WAITS; w++) t.waits[r][w] = drawn(&seed, 1000);
        const struct model *m = board(n % 2 ? "c1060" : "8800gtx");
        struct gpu_prediction p, better, both;
        gpu_time_predict(m, &t, 0, &p);
        CHECK(p.seconds > 0 && p.low <= p.seconds && p.seconds <= p.high);
        for (unsigned u = 0; u < GPU_UNITS; u++)
            CHECK(p.busy[u] >= 0 && p.busy[u] <= 1 && p.busy[u] <= p.busy[p.bound]);
        for (unsigned r = 0; r < GPU_REPAIRS; r++) {
            if (r == GPU_REPAIR_more_occupancy) continue; /* waves may come out worse */
            gpu_time_predict(m, &t, 1u << r, &better);
            CHECK(better.low <= p.low * (1 + 1e-9));
        }
        twice = t;
        gpu_timing_add(&twice, &t);
        gpu_time_predict(m, &twice, 0, &both);
        CHECK(near(both.seconds, p.seconds, 1e-9));
    }
}

static void copies_take_the_bus(void) {
    const struct model *m = board("c1060");
    double start = gpu_time_parameter(m, GPU_TIMING_transfer_us) * 1e-6;
    CHECK(near(gpu_time_transfer(m, 0, true, false), start, 1e-9));
    CHECK(near(gpu_time_transfer(m, 2800000000u, true, false), 1 + start, 1e-9));
    CHECK(gpu_time_transfer(m, 1 << 20, true, true) < gpu_time_transfer(m, 1 << 20, true, false));
    CHECK(near(gpu_time_copy(m, 1 << 30, 1 << 30), 2147483648.0 / (102.4e9 * 0.855), 0.01));
}

TEST_MAIN(TEST(memory_takes_its_bandwidth), TEST(waves_follow_each_other),
          TEST(units_work_beside_each_other), TEST(barriers_keep_warps_together),
          TEST(textures_take_the_way_from_the_partitions), TEST(what_holds_for_all),
          TEST(copies_take_the_bus))
