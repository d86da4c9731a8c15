/* Objects of the native engine are placed and called; what is damaged does no harm. */
#include "device/run/elfobject.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/run.h"
#include "device/math/math.h"
#include "device/native/native.h"

/* Has constants in memory. */
static const char text[] = "simtcl-ir 1\n"
                           ".kernel \"k\"\n"
                           ".param \"p\" \"float*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param_bytes 4\n"
                           ".regs 7\n"
                           "{\n"
                           "    ld.param.i32 %i0, [0]\n"
                           "    special %i1, local_id_x\n"
                           "    shl.i32 %i2, %i1, 2\n"
                           "    add.i32 %i3, %i0, %i2\n"
                           "    s2f.rte.f32.i32 %f4, %i1\n"
                           "    fma.f32 %f5, %f4, %f4, 0f3fc00000\n"
                           "    floor.f32 %f6, %f5\n"
                           "    st.global.f32 [%i3], %f6\n"
                           "}\n";

static struct native_object make(enum native_level level) {
    struct isa_module *m = run_parse(text);
    struct native_request r = {
        .module = m, .kernel = m->kernels[0], .local_size = {32, 1, 1}, .level = level};
    struct native_object o;
    const char *why;
    CHECK(native_api.compile(&r, &o, &why) == NATIVE_OK, "it does not compile");
    isa_module_free(m);
    return o;
}

static bool load(const void *bytes, size_t size, struct elfobject *placed, void **function) {
    const char *why = NULL;
    bool good = elfobject_load(bytes, size, NATIVE_FUNCTION, placed, function, &why);
    CHECK(good == !why, "a reason and only for a failure: %s", why ? why : "none");
    CHECK(good == (placed->pages != NULL), "nothing is left of what failed");
    return good;
}

static void test_call(const struct native_object *o) {
    struct elfobject placed;
    void *function;
    CHECK(load(o->bytes, o->size, &placed, &function), "it does not load");
    float out[32] = {0};
    uint32_t address = 0;
    struct native_run r = {.base = (char *)out,
                           .params = (const char *)&address,
                           .math = &math_table_baseline, /* for fma */
                           .items = 32,
                           .units = {1, -1, 0, -0.0f}};
    native_fn run;
    memcpy(&run, &function, sizeof run);
    CHECK(run(&r, 0, 0) == 0, "it ends");
    for (int i = 0; i < 32; i++) CHECK(out[i] == (float)(i * i + 1), "%d: %g", i, out[i]);
    elfobject_unload(&placed);
    CHECK(!placed.pages, "unloaded");
    elfobject_unload(&placed);
}

/* Copies of the exact size, so that a sanitizer or valgrind sees what reads beyond them. */
static bool load_copy(const char *bytes, size_t size) {
    char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    struct elfobject placed;
    void *function;
    bool good = load(copy, size, &placed, &function);
    elfobject_unload(&placed);
    free(copy);
    return good;
}

static void test_damage(const struct native_object *o) {
    char *bytes = o->bytes;
    for (size_t size = 0; size < o->size; size++)
        CHECK(!load_copy(bytes, size), "%zu bytes of %zu load", size, o->size);
    for (size_t i = 0; i < o->size; i++) {
        static const char flips[] = {1, 0x10, (char)0x80, (char)0xff};
        for (size_t f = 0; f < sizeof flips; f++) {
            bytes[i] ^= flips[f];
            load_copy(bytes, o->size); /* code may be any */
            bytes[i] ^= flips[f];
        }
    }
    bytes[0] ^= 1;
    CHECK(!load_copy(bytes, o->size), "no ELF file");
    bytes[0] ^= 1;
}

/* An object made by the C compiler, which calls functions in every way there is: calls.c. */
static void test_calls(const char *path) {
    FILE *f = fopen(path, "rb");
    CHECK(f, "%s", path);
    static char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    struct elfobject placed;
    void *function;
    CHECK(load(bytes, size, &placed, &function), "%s does not load", path);
    float (*run)(float, int);
    memcpy(&run, &function, sizeof run);
    CHECK(run(2.75f, 0) == 2 && run(2.75f, 1) == 3 && run(-2.75f, 2) == -2, "floor, ceil, trunc");
    CHECK(run(2.75f, 3) == 2.75f * 2.75f + 1, "fma");
    elfobject_unload(&placed);
    const char *why;
    CHECK(!elfobject_load(bytes, size, "absent", &placed, &function, &why) && why, "no function");
    CHECK(!elfobject_load(bytes, size, "table", &placed, &function, &why) && why, "not a function");
    /* A function that is not offered. */
    char *name = NULL;
    for (char *p = bytes; p < bytes + size - 7; p++)
        if (!memcmp(p, "floorf", 7)) name = p;
    CHECK(name, "floorf is called");
    memcpy(name, "system", 7);
    CHECK(!load(bytes, size, &placed, &function), "system() is not for kernels");
}

int main(int argc, char **argv) {
    CHECK(argc == 2, "an object's path");
    test_calls(argv[1]);
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    for (int level = NATIVE_BASELINE; level <= NATIVE_AVX512; level++) {
        if ((level == NATIVE_AVX2 && !avx2) || (level == NATIVE_AVX512 && !avx512)) continue;
        struct native_object o = make((enum native_level)level);
        test_call(&o);
        test_damage(&o);
        free(o.bytes);
    }
    return 0;
}
