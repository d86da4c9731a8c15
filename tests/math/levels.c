#include "levels.h"

#include <immintrin.h>
#include <string.h>

#include "device/interp/lanes/lanes.h"

static struct levels_one {
    const char *name;
    const struct math_table *math;
    struct lanes_table lanes;
} levels[LEVELS_MOST];
static unsigned nlevels;

static void add(const char *name, const struct math_table *math,
                void (*fill)(struct lanes_table *)) {
    struct levels_one *l = &levels[nlevels++];
    l->name = name;
    l->math = math;
    fill(&l->lanes);
}

unsigned levels_find(void) {
    nlevels = 0;
    add("baseline", &math_table_baseline, lanes_fill_baseline);
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nlevels;
    add("avx2", &math_table_avx2, lanes_fill_avx2);
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw")) return nlevels;
    add("avx512", &math_table_avx512, lanes_fill_avx512);
    return nlevels;
}

const char *levels_name(unsigned level) { return levels[level].name; }

bool levels_have(enum isa_op op, bool is_double) {
    const struct levels_one *l = &levels[0];
    if ((unsigned)op < LANES_ALU) return l->lanes.alu[op][is_double ? ISA_F64 : ISA_F32][0] != NULL;
    return l->math->fn[op][is_double] != NULL;
}

/* What the interpreter's handlers work on: a warp with its operands behind it. */
struct levels_frame {
    struct warp warp;
    char a[256], b[256], d[256];
} __attribute__((aligned(128)));

static void run_handler(const struct lanes_table *lanes, enum isa_op op, bool is_double,
                        const void *a, const void *b, void *d) {
    static _Thread_local struct levels_frame f;
    size_t size = ISA_WARP * (is_double ? sizeof(double) : sizeof(float));
    struct lanes_op code[2] = {{.run = lanes->alu[op][is_double ? ISA_F64 : ISA_F32][0],
                                .a = offsetof(struct levels_frame, a),
                                .b = offsetof(struct levels_frame, b),
                                .d = offsetof(struct levels_frame, d)},
                               {.run = lanes->end}};
    memcpy(f.a, a, size);
    memcpy(f.b, b, size);
    f.warp.mask = f.warp.live = UINT32_MAX;
    for (const struct lanes_op *next = code; next;) next = next->run(next, &f.warp);
    memcpy(d, f.d, size);
}

void levels_call(unsigned level, enum isa_op op, bool is_double, const void *a, const void *b,
                 void *d, void *second) {
    const struct levels_one *l = &levels[level];
    unsigned saved = _mm_getcsr();
    if (!is_double) _mm_setcsr(saved | 0x8040);
    if ((unsigned)op < LANES_ALU)
        run_handler(&l->lanes, op, is_double, a, b, d);
    else
        l->math->fn[op][is_double]((const void *const[]){a, b}, (void *const[]){d, second});
    _mm_setcsr(saved);
}
