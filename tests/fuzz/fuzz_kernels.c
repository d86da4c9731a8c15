/* Random kernels, run by the interpreter and as native code on each level: all must leave the same
 * bits.
 *
 *   fuzz_kernels [--count N] [--seed S] [--levels 0|1|2|3] [--print]
 *
 * Each module of MAKER_KERNELS kernels has a seed; with --levels 1 the seed says which level is
 * compiled for. */
#include "contest.h"
#include "maker.h"

/* ---- running ---- */

/* levels: how many of them each module runs on; which is the seed's choice. */
static int compare(uint64_t seed, bool print, unsigned levels) {
    static const struct contest_rules rules = {.fill = contest_noise,
                                               .table_bytes = MAKER_TABLE,
                                               .result_bytes = MAKER_RESULTS,
                                               .counters = MAKER_COUNTERS,
                                               .images = maker_images};
    struct isa_module *module = maker_module(seed);
    run_verify(module);
    struct contestant list[CONTEST_MOST] = {
        {module, TIER_INTERPRETER, NATIVE_AVX512, "the interpreter, avx512"},
        {module, TIER_INTERPRETER, NATIVE_BASELINE, "the interpreter, baseline"}};
    unsigned n = contest_levels(list, 2, module, seed, levels);
    if (print) contest_print(module);
    int failures = contest(list, n, seed, &rules);
    isa_module_free(module);
    return failures;
}

int main(int argc, char **argv) { return contest_main(argc, argv, MAKER_KERNELS, compare); }
