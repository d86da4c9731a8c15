/* Constant memory's port, the caches of read-only memory, tiles, partitions, contention. */
#include <string.h>

#include "../device/test.h"
#include "device/gpu/constant_port.h"
#include "device/gpu/contention.h"
#include "device/gpu/partition.h"
#include "device/gpu/setcache.h"
#include "device/gpu/tiling.h"

enum { WARP = 32, HALF = 16 };

/* ---- constants ---- */

/* The cost is linear in the number of different addresses, 1 to 16. */
static void constant_addresses(void) {
    for (unsigned n = 1; n <= 16; n++) {
        uint32_t at[WARP];
        struct constant_port_result r;
        for (unsigned l = 0; l < WARP; l++) at[l] = 512 + 4 * (l % n);
        constant_port_warp(~0u, at, &r);
        CHECK(r.halfwarps == 2 && r.distinct[0] == n && r.distinct[1] == n && r.reads == 2 * n);
        CHECK(r.serialized == 2 * (n - 1));
        /* one after the other, as the lowest lanes want them */
        for (unsigned i = 0; i < n; i++) CHECK(r.address[i] == 512 + 4 * i);
        constant_port_warp(1u << 20, at, &r);
        CHECK(r.halfwarps == 1 && r.reads == 1 && !r.distinct[0] && r.distinct[1] == 1);
        CHECK(r.address[0] == at[20] && !r.serialized);
    }
    struct constant_port_result r;
    uint32_t none[WARP] = {0};
    constant_port_warp(0, none, &r);
    CHECK(!r.halfwarps && !r.reads && !r.serialized);
}

static void check_strided(uint32_t base, int32_t stride) {
    uint32_t at[WARP];
    struct constant_port_result general, closed;
    struct contention_result c, d;
    for (unsigned l = 0; l < WARP; l++) at[l] = base + l * (uint32_t)stride;
    constant_port_warp(~0u, at, &general);
    constant_port_strided(base, stride, &closed);
    CHECK(general.reads == closed.reads && general.halfwarps == closed.halfwarps);
    CHECK(general.serialized == closed.serialized && !memcmp(general.distinct, closed.distinct, 2));
    CHECK(!memcmp(general.address, closed.address, general.reads * sizeof *general.address));
    contention_warp(~0u, at, &c);
    contention_strided(stride, &d);
    CHECK(!memcmp(&c, &d, sizeof c));
}

static void strided(void) {
    for (uint32_t base = 0; base < 8; base++)
        for (int32_t stride = -64; stride <= 64; stride++) check_strided(base, stride);
    for (unsigned bit = 0; bit < 32; bit++) {
        check_strided(77, (int32_t)(UINT32_C(1) << bit));
        check_strided(77, (int32_t) - (UINT32_C(3) << bit));
    }
}

/* ---- caches ---- */

/* What has been read last stays: as many lines as the cache has, and no more. */
static void cache_capacity(void) {
    static const unsigned bytes[SETCACHE_KINDS] = {
        [SETCACHE_CONSTANT_L1] = 8 << 10,   [SETCACHE_CONSTANT_L2] = 8 << 10,
        [SETCACHE_CONSTANT_L3] = 32 << 10,  [SETCACHE_TEXTURE_G80] = 16 << 10,
        [SETCACHE_TEXTURE_GT200] = 5 << 10, [SETCACHE_TEXTURE_L2] = 32 << 10};
    for (unsigned kind = 0; kind < SETCACHE_KINDS; kind++) {
        const struct setcache_geometry *g = &setcache_geometry[kind];
        CHECK((unsigned)g->line * g->sets * g->ways == bytes[kind]);
        for (unsigned more = 0; more < 2; more++) {
            struct setcache c;
            unsigned hits = 0, lines = bytes[kind] / g->line + more * g->sets;
            setcache_init(&c, kind);
            for (unsigned round = 0; round < 3; round++)
                for (unsigned i = 0; i < lines; i++)
                    hits += setcache_lookup(&c, i * g->line + round);
            /* Going round a set that is one line too large finds each line just replaced. */
            CHECK(hits == (more ? 0 : 2 * lines));
        }
    }
    CHECK(setcache_texture(0) == SETCACHE_TEXTURE_G80);
    CHECK(setcache_texture(1) == SETCACHE_TEXTURE_G80);
    CHECK(setcache_texture(2) == SETCACHE_TEXTURE_GT200);
    CHECK(setcache_texture(3) == SETCACHE_TEXTURE_GT200);
}

static void cache_order(void) {
    struct setcache c;
    setcache_init(&c, SETCACHE_CONSTANT_L1); /* two ways; lines 4096 apart share a set */
    CHECK(!setcache_lookup(&c, 0) && !setcache_lookup(&c, 4096));
    CHECK(setcache_lookup(&c, 63));    /* used again: 4096 is the older one */
    CHECK(!setcache_lookup(&c, 8192)); /* takes its place */
    CHECK(setcache_lookup(&c, 0) && !setcache_lookup(&c, 4100) && !setcache_lookup(&c, 8200));
    CHECK(!setcache_lookup(&c, 64)); /* another set */
    CHECK(!setcache_lookup(&c, UINT32_MAX) && setcache_lookup(&c, UINT32_MAX - 63));
}

/* ---- tiles ---- */

/* Every texel has a place of its own, and no place is outside of the image's slices. */
static void tiling_places(void) {
    static const struct {
        uint32_t width, rows, texel;
    } images[] = {{1, 1, 1}, {16, 4, 4}, {17, 5, 4}, {100, 37, 2}, {64, 64, 16}, {33, 130, 4}};
    for (unsigned i = 0; i < sizeof images / sizeof *images; i++) {
        struct tiling t;
        uint32_t texel = images[i].texel;
        tiling_init(&t, images[i].width * texel, images[i].rows);
        uint8_t *used = calloc(2, t.slice_bytes);
        for (uint32_t z = 0; z < 2; z++)
            for (uint32_t y = 0; y < images[i].rows; y++)
                for (uint32_t x = 0; x < images[i].width; x++) {
                    uint32_t at = tiling_offset(&t, x, y, z, texel);
                    CHECK(at % texel == 0 && at + texel <= (z + 1) * t.slice_bytes &&
                          at >= z * t.slice_bytes && !used[at]);
                    used[at] = 1;
                }
        free(used);
    }
}

static void tiling_locality(void) {
    struct tiling t;
    tiling_init(&t, 256 * 4, 256);
    CHECK(t.columns == 16 && t.height == 16 && t.slice_bytes == 256 * 256 * 4);
    CHECK(tiling_offset(&t, 1, 0, 0, 4) == 4 && tiling_offset(&t, 15, 0, 0, 4) == 60);
    CHECK(tiling_offset(&t, 0, 1, 0, 4) == 64 && tiling_offset(&t, 0, 3, 0, 4) == 192);
    CHECK(tiling_offset(&t, 0, 4, 0, 4) == 256);       /* the tile below */
    CHECK(tiling_offset(&t, 16, 0, 0, 4) == 16 * 256); /* the next column */
    CHECK(tiling_offset(&t, 0, 64, 0, 4) == 16 * 16 * 256);
    /* A half-warp reads 16 texels in a row or in a column: of a long line two rows are one, of a
     * short one half a row. */
    static const enum setcache_kind kinds[] = {SETCACHE_TEXTURE_G80, SETCACHE_TEXTURE_GT200};
    unsigned misses[2][2] = {{0}};
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned down = 0; down < 2; down++) {
            struct setcache c;
            setcache_init(&c, kinds[kind]);
            for (uint32_t l = 0; l < HALF; l++)
                misses[kind][down] +=
                    !setcache_lookup(&c, tiling_offset(&t, down ? 3 : l, down ? l : 3, 0, 4));
        }
    CHECK(misses[0][0] == 1 && misses[0][1] == 8);
    CHECK(misses[1][0] == 2 && misses[1][1] == 16);
}

/* ---- partitions ---- */

static void partitions(void) {
    for (unsigned n = 1; n <= PARTITION_MOST; n++) {
        unsigned linear[PARTITION_MOST] = {0}, tiled[PARTITION_MOST] = {0};
        for (uint32_t address = 0; address < 1 << 20; address += PARTITION_STEP) {
            CHECK(partition_linear(address, n) == address / 256 % n);
            CHECK(partition_linear(address + 255, n) == partition_linear(address, n));
            CHECK(partition_tiled(address + 255, n) == partition_tiled(address, n));
            CHECK(partition_tiled(address, n) < n);
            if (n & 1) CHECK(partition_tiled(address, n) == partition_linear(address, n));
            CHECK(partition_offset(address + 3, n) == address / 256 / n * 256 + 3);
        }
        /* Each round of all partitions reaches each once, tiled or not. */
        for (uint32_t block = 0; block < 1024 * n; block++) {
            linear[partition_linear(block * 256, n)]++;
            tiled[partition_tiled(block * 256, n)]++;
        }
        for (unsigned p = 0; p < n; p++) CHECK(linear[p] == 1024 && tiled[p] == 1024);
    }
    /* The second round of 8 is turned by one, of 2 and 6 changed in pairs, the ninth by two. */
    CHECK(partition_tiled(8 * 256, 8) == 7 && partition_tiled(9 * 256, 8) == 0);
    CHECK(partition_tiled(64 * 256, 8) == 7 && partition_tiled(72 * 256, 8) == 6);
    CHECK(partition_tiled(6 * 256, 6) == 1 && partition_tiled(7 * 256, 6) == 0);
    CHECK(partition_tiled(18 * 256, 6) == 0 && partition_tiled(42 * 256, 6) == 1);
    CHECK(partition_tiled(4 * 256, 4) == 3 && partition_tiled(20 * 256, 4) == 2);
    /* A column of a matrix with rows of 8 KB: one partition of 8, all of them when padded. */
    unsigned plain = 0, padded = 0;
    for (uint32_t row = 0; row < 64; row++) {
        plain |= 1u << partition_linear(row * 8192, 8);
        padded |= 1u << partition_linear(row * (8192 + 256), 8);
    }
    CHECK(plain == 1 && padded == 0xff);
}

/* ---- atomics ---- */

static void contention(void) {
    uint32_t at[WARP];
    struct contention_result r;
    for (unsigned n = 1; n <= WARP; n++) {
        for (unsigned l = 0; l < WARP; l++) at[l] = 4 * (l % n);
        contention_warp(~0u, at, &r);
        CHECK(r.operations == WARP && r.places == n && r.conflicts == WARP - n);
        CHECK(r.most == (WARP + n - 1) / n);
    }
    contention_warp(0x80000001, at, &r);
    CHECK(r.operations == 2 && r.places == 2 && r.conflicts == 0 && r.most == 1);
    contention_warp(0, at, &r);
    CHECK(!r.operations && !r.places && !r.conflicts && !r.most);
}

TEST_MAIN(TEST(constant_addresses), TEST(strided), TEST(cache_capacity), TEST(cache_order),
          TEST(tiling_places), TEST(tiling_locality), TEST(partitions), TEST(contention))
