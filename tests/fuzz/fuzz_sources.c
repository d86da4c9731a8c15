/* Random programs in OpenCL C, built as they are and with -cl-opt-disable, run by the interpreter
 * and as native code, and by the interpreter without any pass: all must leave the same bits.
 *
 *   fuzz_sources [--count N] [--seed S] [--levels 0|1|2|3] [--print]
 *   fuzz_nests, the same with nested loops (writer_nests.c)
 *   fuzz_bits, with loops over the bits of a value (writer_bits.c)
 *   fuzz_groups, with what work-groups do together, over larger ranges (writer_groups.c)
 *
 * Each program of WRITER_KERNELS kernels has a seed; with --levels 1 the seed says which level is
 * compiled for. */
#include <string.h>

#include "compiler/compiler.h"
#include "contest.h"
#include "writer.h"

/* Where things are in a kernel's results. */
enum { SUMS = CONTEST_ITEMS * WRITER_ROW, TEXELS = SUMS + WRITER_SUMS, MORE = 4 /* if spread */ };

static struct isa_module *build(const char *source, const char *options, uint64_t seed) {
    static const struct compiler_target target = {
        .cl_version = 120,
        .extensions = "cl_khr_fp64 cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
                      "cl_khr_global_int32_extended_atomics cl_khr_local_int32_extended_atomics "
                      "cl_khr_local_int32_base_atomics",
        .doubles = true,
        .images = true,
        .max_constant_bytes = 65536,
        .max_local_bytes = 16384,
        .max_private_bytes = 16384};
    struct compiler_result r = compiler_build(&target, source, strlen(source), options);
    if (!r.module)
        fprintf(stderr, "%s, seed %llu [%s]: refused\n%s", writer_kind.name,
                (unsigned long long)seed, options, r.log ? r.log : "out of memory\n");
    free(r.log);
    return r.module;
}

/* As writer.h says. */
static void fill(char *table, uint32_t bytes, uint64_t seed) {
    static const double plain[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 255.5, -32768.5, 65536.25, 1e9};
    contest_noise(table, bytes, seed);
    for (uint32_t i = 0; i < WRITER_COUNT; i++) {
        uint64_t bits = (i + 1 + (seed & 0xffff)) * 0x9e3779b97f4a7c15u;
        double d = (double)(int64_t)bits / (double)(1u << (bits & 31)) / 4294967296.0;
        if (i % 3 == 0) d = plain[bits % (sizeof plain / sizeof *plain)];
        if (i % 61 == 7) d = (bits & 64 ? 1.0 : -1.0) / 0.0;
        float f = (float)d;
        memcpy(table + WRITER_FLOATS + i * sizeof f, &f, sizeof f);
        memcpy(table + WRITER_DOUBLES + i * sizeof d, &d, sizeof d);
    }
}

static unsigned images(struct texture *t, uint32_t table, uint32_t results) {
    enum { RGBA = 0x10b5, UNORM8 = 0x10d2, INT32 = 0x10d9, UINT8 = 0x10da };
    static const struct texture all[WRITER_IMAGES] = {{.width = 16,
                                                       .height = 12,
                                                       .depth = 1,
                                                       .row_pitch = 64,
                                                       .slice_pitch = 12 * 64,
                                                       .order = RGBA,
                                                       .type = UNORM8,
                                                       .dim = ISA_DIM_2D,
                                                       .texel_bytes = 4},
                                                      {.width = 7,
                                                       .height = 5,
                                                       .depth = 3,
                                                       .row_pitch = 112,
                                                       .slice_pitch = 560,
                                                       .order = RGBA,
                                                       .type = INT32,
                                                       .dim = ISA_DIM_3D,
                                                       .texel_bytes = 16},
                                                      {.width = 9,
                                                       .height = 6,
                                                       .depth = 1,
                                                       .array_size = 4,
                                                       .row_pitch = 36,
                                                       .slice_pitch = 216,
                                                       .order = RGBA,
                                                       .type = UINT8,
                                                       .dim = ISA_DIM_2D_ARRAY,
                                                       .texel_bytes = 4},
                                                      {.width = CONTEST_ITEMS,
                                                       .height = 1,
                                                       .depth = 1,
                                                       .row_pitch = CONTEST_ITEMS * 4,
                                                       .order = RGBA,
                                                       .type = UNORM8,
                                                       .dim = ISA_DIM_1D,
                                                       .texel_bytes = 4}};
    for (unsigned n = 0; n < WRITER_IMAGES; n++) {
        t[n] = all[n];
        t[n].address = n < 3 ? table : results + TEXELS;
    }
    return WRITER_IMAGES;
}

/* Of a generator that has arguments in place of images. */
static void spread(struct contest_rules *r, uint64_t seed) {
    uint32_t some = (uint32_t)((seed * 0x9e3779b97f4a7c15u) >> 32);
    const uint32_t arguments[] = {1 + some % 48, 1 + (some >> 8) % 2500, 1 + (some >> 20) % 5,
                                  16u << (some >> 24) % 4};
    r->images = NULL;
    r->unused = seed & 2; /* or no buffer is alone */
    r->spread = writer_kind.spread;
    memcpy(r->arguments, arguments, sizeof arguments);
    if (!r->spread) return;
    r->table_bytes = WRITER_LARGE_TABLE;
    r->counters = MORE * SUMS;
    r->result_bytes = MORE * SUMS + WRITER_SUMS;
}

static int compare(uint64_t seed, bool print, unsigned levels) {
    struct contest_rules rules = {.fill = fill,
                                  .table_bytes = WRITER_TABLE,
                                  .result_bytes = TEXELS + CONTEST_ITEMS * 4,
                                  .counters = SUMS,
                                  .images = images};
    if (!writer_kind.images) spread(&rules, seed);
    char *source = writer_program(seed);
    if (!source) return 1;
    if (print) puts(source);
    struct isa_module *fast = build(source, "-w", seed), *plain = NULL;
    if (fast) plain = build(source, "-w -cl-opt-disable", seed);
    int failures = 1;
    if (fast && plain) {
        struct contestant list[CONTEST_MOST] = {
            {plain, TIER_INTERPRETER, NATIVE_AVX512, "the interpreter, not optimised"},
            {fast, TIER_INTERPRETER, NATIVE_AVX512, "the interpreter, optimised"},
            {fast, TIER_INTERPRETER, NATIVE_BASELINE, "the interpreter, baseline"}};
        unsigned n = contest_levels(list, 3, fast, seed, levels);
        failures = contest(list, n, seed, &rules);
        if (failures)
            fprintf(stderr, "%s, seed %llu\n", writer_kind.name, (unsigned long long)seed);
    }
    isa_module_free(fast);
    isa_module_free(plain);
    free(source);
    return failures;
}

int main(int argc, char **argv) { return contest_main(argc, argv, WRITER_KERNELS, compare); }
