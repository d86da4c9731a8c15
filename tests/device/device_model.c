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
        CHECK(m->memory_bytes < UINT64_C(1) << 32 && m->max_group >= 512 &&
              m->shared_bytes >= 16384);
    }
    CHECK(i > 80 && !model_at(i) && !model_at(i + 1));
    CHECK(model_find("host")->unlimited && model_find("host")->shared_bytes >= 32768);
}

TEST_MAIN(TEST(names), TEST(table))
