/* What the engine's tests share: run a kernel, on each level, in a process of its own. */
#ifndef SIMTCL_TESTS_RUN_H
#define SIMTCL_TESTS_RUN_H

#include <stdio.h>
#include <stdlib.h>

#include "device/device.h"

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);          \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct size3 {
    uint32_t n[3];
};

/* Runs kernel `k` of a verified module to its end. local_bytes: 0: the kernel's own. */
struct fault run_kernel(struct memory *memory, const struct isa_module *m,
                        const struct isa_kernel *k, struct size3 global, struct size3 local,
                        const void *params);

/* Who looks on; NULL: nobody. */
extern const struct observe_set *run_observers;
/* Where objects lie on the device, for observers; NULL: where they are in the sandbox. */
extern const struct gpu_addresses *run_addresses;

/* What kernels run here see as image arguments, and what they have printed. */
extern const struct texture *run_textures;
extern uint32_t run_ntextures;
extern char run_output[1 << 16];

/* Parses, or stops the test. */
struct isa_module *run_parse(const char *text);
/* Verifies what the builder made, or stops the test. */
void run_verify(struct isa_module *m);

/* Calls `test` once for each level, each time in a child, with `bytes` zeroed bytes for its
 * results, and compares the results of all levels. Returns the number of failures. */
int run_levels(const char *name, void (*test)(void *results), size_t bytes);

#endif
