#include "device/gpu/address.h"

#include <string.h>

#include "device/gpu/heap.h"
#include "test.h"

static uint32_t take(struct gpu_heap *h, uint64_t bytes) {
    uint32_t address = 1;
    CHECK(gpu_heap_take(h, bytes, &address));
    return address;
}

/* Granules of 256 bytes, first fit from 0. */
static void heap(void) {
    struct gpu_heap *h = gpu_heap_new();
    uint32_t none = 7;
    CHECK(take(h, 1) == 0 && take(h, 256) == 256 && take(h, 257) == 512 && take(h, 0) == 1024);
    gpu_heap_give(h, 512);
    CHECK(take(h, 513) == 1280);                     /* does not fit the gap */
    CHECK(take(h, 256) == 512 && take(h, 1) == 768); /* these do */
    gpu_heap_give(h, 0);
    gpu_heap_give(h, 256);
    gpu_heap_give(h, 256);    /* twice: ignored */
    gpu_heap_give(h, 600);    /* nothing begins there */
    CHECK(take(h, 512) == 0); /* the two gaps are one */
    CHECK(take(h, UINT64_C(3) << 30) == 2048);
    CHECK(!gpu_heap_take(h, UINT64_C(1) << 30, &none) && none == 7);
    CHECK(!gpu_heap_take(h, UINT64_MAX, &none) && none == 7);
    gpu_heap_give(h, 2048);
    CHECK(take(h, (UINT64_C(4) << 30) - 2048) == 2048);
    CHECK(!gpu_heap_take(h, 1, &none));
    gpu_heap_free(h);
    gpu_heap_free(NULL);
}

/* The same calls give the same addresses, whatever the sizes. */
static void repeats(void) {
    enum { CALLS = 20000, LIVE = 64 };
    struct gpu_heap *h[2] = {gpu_heap_new(), gpu_heap_new()};
    uint32_t live[2][LIVE] = {0}, bytes[LIVE] = {0}, random = 1;
    for (int n = 0; n < CALLS; n++) {
        unsigned at = (random = random * 1664525u + 1013904223u) >> 16 & (LIVE - 1);
        uint32_t size = random >> 12 & 0x3fff;
        for (int i = 0; i < 2; i++) {
            if (bytes[at]) gpu_heap_give(h[i], live[i][at]);
            live[i][at] = take(h[i], size + 1);
        }
        bytes[at] = size + 1;
        CHECK(live[0][at] == live[1][at] && live[0][at] % GPU_GRANULE == 0);
        for (unsigned other = 0; other < LIVE; other++)
            CHECK(other == at || !bytes[other] || live[0][at] >= live[0][other] + bytes[other] ||
                  live[0][other] >= live[0][at] + bytes[at]);
    }
    for (int i = 0; i < 2; i++) gpu_heap_free(h[i]);
}

static void map(void) {
    struct gpu_address_range room[8];
    struct gpu_address_map m = {.ranges = room};
    CHECK(gpu_address_of(&m, 12345) == 12345 && !gpu_address_range(&m, 0));
    gpu_address_add(&m, 0x80001000, 0x400, 0x300);
    gpu_address_add(&m, 0x5000, 0x100, 0x100);
    gpu_address_add(&m, 0x9000, 0x1000, 0x1000);
    gpu_address_add(&m, 0x5000, 0x100, 0x100); /* an object that is two arguments */
    CHECK(m.count == 3 && room[0].start == 0x5000 && room[2].start == 0x80001000);
    CHECK(gpu_address_of(&m, 0x5000) == 0x100 && gpu_address_of(&m, 0x50ff) == 0x1ff);
    CHECK(gpu_address_of(&m, 0x9000) == 0x1000 && gpu_address_of(&m, 0x9fff) == 0x1fff);
    CHECK(gpu_address_of(&m, 0x800013ff) == 0x6ff);
    /* Outside: as far from the one before as in the sandbox. */
    CHECK(gpu_address_of(&m, 0x5100) == 0x200 && gpu_address_of(&m, 0x4fff) == 0xff);
    CHECK(gpu_address_of(&m, 0x80001400) == 0x700);
}

static void lanes(void) {
    struct gpu_address_range room[8];
    struct gpu_address_map m = {.ranges = room};
    uint32_t from[GPU_LANES], to[GPU_LANES];
    for (unsigned l = 0; l < GPU_LANES; l++) from[l] = 77 * l;
    gpu_address_lanes(&m, ~0u, from, to);
    CHECK(!memcmp(from, to, sizeof to));
    for (unsigned n = 0; n < 8; n++) gpu_address_add(&m, 0x1000 * n, 0x800, 0x100 * (8 - n));
    uint32_t random = 3;
    for (unsigned round = 0; round < 2000; round++) {
        random = random * 1664525u + 1013904223u;
        uint32_t mask = random ^ random >> 7;
        for (unsigned l = 0; l < GPU_LANES; l++) {
            random = random * 1664525u + 1013904223u;
            from[l] = round & 1 ? random >> 16 : 0x1000 * (round >> 1 & 7) + 4 * l;
        }
        memset(to, 0xee, sizeof to);
        gpu_address_lanes(&m, mask, from, to);
        for (unsigned l = 0; l < GPU_LANES; l++)
            if (mask >> l & 1) CHECK(to[l] == gpu_address_of(&m, from[l]));
        uint32_t same[GPU_LANES];
        memcpy(same, from, sizeof same);
        gpu_address_lanes(&m, mask, same, same);
        for (unsigned l = 0; l < GPU_LANES; l++)
            if (mask >> l & 1) CHECK(same[l] == to[l]);
    }
}

/* The constant bank: the program's data, then the constant arguments, each once. */
static void banks(void) {
    struct gpu_address_range room[4];
    struct gpu_addresses a = {.constant.ranges = room};
    gpu_address_add_constant(&a, 0x7000, 300);
    gpu_address_add_constant(&a, 0x3000, 8);
    gpu_address_add_constant(&a, 0x7000, 300);
    gpu_address_add_constant(&a, 0x9000, 4);
    CHECK(a.constant.count == 3 && a.constant_bytes == 772);
    CHECK(gpu_address_of(&a.constant, 0x7004) == 4 && gpu_address_of(&a.constant, 0x3000) == 512);
    CHECK(gpu_address_of(&a.constant, 0x9001) == 769);
    a.local_first = gpu_address_local_first(0);
    CHECK(a.local_first == 16 && gpu_address_local_first(8) == 32 &&
          gpu_address_local_first(17) == 48);
    CHECK(gpu_address_local(&a, 0x4000, 0x4008) == 24);
}

TEST_MAIN(TEST(heap), TEST(repeats), TEST(map), TEST(lanes), TEST(banks))
