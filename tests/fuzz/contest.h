/* A module run by several engines, which must all leave the same bits. */
#ifndef SIMTCL_TESTS_CONTEST_H
#define SIMTCL_TESTS_CONTEST_H

#include "device/run/tier.h"
#include "tests/engine/run.h"

#include <stdbool.h>
#include <stdint.h>

#include "device/texture/texture.h"

enum { CONTEST_ITEMS = 512, CONTEST_MOST = 8 };

/* Kernels take (global char *table, global char *results, global char *counters, the first four
 * images); the counters are part of the results. */
struct contest_rules {
    void (*fill)(char *table, uint32_t bytes, uint64_t seed);
    uint32_t table_bytes, result_bytes;
    uint32_t counters; /* where in the results */
    /* Makes the launch's images over the table and the results, given their addresses; returns how
     * many there are, at most 16. NULL: none. */
    unsigned (*images)(struct texture *t, uint32_t table, uint32_t results);
    bool large; /* most groups are several warps; else most are one */
    /* 4 * CONTEST_ITEMS or a little less, two groups wide in the second dimension; in one dimension
     * where the kernel's name ends in `line`. */
    bool spread;
    bool unused; /* nobody counts: the counters are no part of the results, which are an object's
                    alone */
    uint32_t arguments[4]; /* behind the pointers, where there are no images */
};

struct contestant {
    const struct isa_module *module; /* kernels of the same number and meaning in each */
    enum tier_mode engine;
    enum native_level level;
    const char *name; /* for messages */
};

/* Any bytes, for struct contest_rules. */
void contest_noise(char *table, uint32_t bytes, uint64_t seed);

/* Runs every kernel of each contestant, in a process of its own, over CONTEST_ITEMS work-items at
 * most, or if spread four times as many, and compares what they leave with what the interpreter
 * makes of the first one's module without any pass that can be left out. Returns how many kernels
 * differ, or fail. */
int contest(const struct contestant *list, unsigned n, uint64_t seed,
            const struct contest_rules *rules);

/* Adds native contestants for `levels` levels, of which the seed chooses the first, to n that are
 * there. Returns how many there are then. */
unsigned contest_levels(struct contestant *list, unsigned n, const struct isa_module *module,
                        uint64_t seed, unsigned levels);

/* The module's text, on stdout. */
void contest_print(const struct isa_module *m);

/* main: [--count N] [--seed S] [--levels 0|1|2|3] [--print] [--state FILE] [--scheduled]
 * [--observe]; calls `compare`, which returns a number of failures, for each batch of kernels until
 * there were N of them. --state: goes on where the run that left the file was. LLVM's machine
 * scheduler, which takes time and changes no result, is on with --scheduled only. --observe: every
 * site's counts are a part of what is compared. */
int contest_main(int argc, char **argv, unsigned batch,
                 int (*compare)(uint64_t seed, bool print, unsigned levels));

#endif
