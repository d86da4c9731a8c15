#include "device/gpu/model.h"

#include <string.h>

#include "test.h"

static void names(void) {
    const struct model *m = model_find(NULL);
    CHECK(m && !strcmp(m->name, "Tesla C1060") && model_find("") == m && model_find(" - ") == m);
    CHECK(m->cc_major == 1 && m->cc_minor == 3 && m->multiprocessors == 30 && m->doubles);
    CHECK(m->registers == 16384 && m->resident_warps == 32 && m->shared_atomics);
    CHECK(model_find("tesla_c1060") == m && model_find("C1060") == m && model_find("c-10 60") == m);
    CHECK(!model_find("C1061") && !model_find("Tesla") && !model_find("C106"));
    CHECK(strcmp(model_find("8800GTX")->name, "GeForce 8800 GTX") == 0);
    CHECK(model_find("9800 GTX") != model_find("9800 GTX+"));
    CHECK(model_find("Plex 2200 D2")->devices == 2);
    CHECK(model_find("8800 GTX")->cc_minor == 0 && !model_find("8800 GTX")->global_atomics);
    CHECK(model_find("8800 GT")->cc_minor == 1 && model_find("8800 GT")->global_atomics);
    CHECK(!model_find("8800 GT")->shared_atomics && model_find("8800 GT")->registers == 8192);
}

static void table(void) {
    unsigned i;
    const struct model *m;
    for (i = 0; (m = model_at(i)); i++) {
        CHECK(model_find(m->name) == m);
        CHECK(m->devices && m->multiprocessors && m->clock_mhz && m->memory_bytes && m->partitions);
        CHECK(m->memory_bandwidth_mbs || m->unlimited);
        CHECK(model_clusters(m) * m->cluster >= m->multiprocessors);
        CHECK((model_clusters(m) - 1) * m->cluster < m->multiprocessors);
        CHECK(m->memory_bytes < UINT64_C(1) << 32 && m->max_group >= 512 &&
              m->shared_bytes >= 16384);
    }
    CHECK(i > 80 && !model_at(i) && !model_at(i + 1));
    CHECK(model_find("host")->unlimited && model_find("host")->shared_bytes >= 32768);
}

/* Guide A.1.1 to A.1.4, and what a group is given at a time (3.2). */
static void capabilities(void) {
    const struct model *m;
    for (unsigned i = 0; (m = model_at(i)) && !m->unlimited; i++) {
        bool late = m->cc_minor >= 2;
        CHECK(m->cc_major == 1 && m->cc_minor <= 3);
        CHECK(m->registers == (late ? 16384 : 8192) && m->register_granule == (late ? 512 : 256));
        CHECK(m->resident_warps == (late ? 32 : 24) && m->resident_groups == 8);
        CHECK(m->shared_bytes == 16384 && m->shared_granule == 512);
        CHECK(m->constant_bytes == 65536 && m->private_bytes == 16384 && m->max_group == 512);
        CHECK(m->cluster == (late ? 3 : 2));
        CHECK(m->global_atomics == (m->cc_minor >= 1) && m->overlap == (m->cc_minor >= 1));
        CHECK(m->shared_atomics == late && m->doubles == (m->cc_minor == 3));
    }
}

/* Public board specifications of those most used. */
static void specifications(void) {
    static const struct {
        const char *name;
        uint32_t clock, bandwidth, megabytes, partitions;
    } rows[] = {{"8800 GTX", 1350, 86400, 768, 6},  {"C870", 1350, 76800, 1536, 6},
                {"FX 5600", 1350, 76800, 1536, 6},  {"8600 GTS", 1450, 32000, 256, 2},
                {"9800 GTX", 1688, 70400, 512, 4},  {"GTX 260", 1242, 111900, 896, 7},
                {"GTX 280", 1296, 141700, 1024, 8}, {"C1060", 1296, 102400, 4096, 8}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct model *m = model_find(rows[i].name);
        CHECK(m && m->clock_mhz == rows[i].clock && m->partitions == rows[i].partitions);
        CHECK(m->memory_bandwidth_mbs == rows[i].bandwidth);
        CHECK((m->memory_bytes + (1 << 20) - 1) >> 20 == rows[i].megabytes);
    }
}

TEST_MAIN(TEST(names), TEST(table), TEST(capabilities), TEST(specifications))
