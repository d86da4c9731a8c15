/* Large kernels are compiled as they are; those that LLVM would take too long for stay in the
 * interpreter, and one line says so. */
#include <string.h>

#include "tests/engine/run.h"
#include "device/interp/level.h"
#include "device/run/tier.h"
#include "use_native.h"

enum { ITEMS = 64, LARGE = 4000, LARGER = 20000, GIANT = 60000, LENGTH = 1 << 21 };

static unsigned lines;
static char last[512];

static void say(const char *text) {
    lines++;
    snprintf(last, sizeof last, "%s", text);
}

/* The line `copies` times, in a kernel that adds to %i5, kept in each item's word. */
static struct isa_module *kernel_of(const char *line, unsigned copies) {
    static char text[LENGTH];
    int n = snprintf(text, sizeof text,
                     "simtcl-ir 1\n.kernel \"giant\"\n.param \"a\" \"int*\" global offset 0 size 4 "
                     "align 4 pointee 4\n.param_bytes 4\n.local_bytes 64\n.private_bytes 64\n{\n"
                     "ld.param.i32 %%i0, [0]\nspecial %%i1, global_id_x\nshl.i32 %%i2, %%i1, 2\n"
                     "add.i32 %%i3, %%i2, %%i0\nand.i32 %%i4, %%i2, 28\nmov.i32 %%i5, 0\n");
    while (copies--) n += snprintf(text + n, sizeof text - (size_t)n, "%s\n", line);
    snprintf(text + n, sizeof text - (size_t)n, "st.global.i32 [%%i3], %%i5\n}\n");
    return run_parse(text);
}

static void check(const char *line, unsigned copies, unsigned sum, bool small) {
    struct isa_module *m = kernel_of(line, copies);
    struct memory *memory = memory_new(1 << 20);
    uint32_t a = memory_alloc(memory, ITEMS * 4, 128);
    run_verify(m);
    lines = *use_native_compiled = 0;
    memset(memory_at(memory_base(memory), a), 0, ITEMS * 4);
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{ITEMS, 1, 1}}, &a);
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t got;
        memcpy(&got, memory_at(memory_base(memory), a) + 4 * i, 4);
        CHECK(got == sum, "%s: item %u: %u, not %u", line, i, got, sum);
    }
    CHECK(*use_native_compiled == small && lines == !small, "%s: compiled %u times, %u lines", line,
          *use_native_compiled, lines);
    CHECK(small || (strstr(last, "\"giant\"") && strstr(last, "too large")), "%s", last);
    memory_free(memory);
    isa_module_free(m);
}

/* A loop over local memory whose first distance is not known, within `depth` regions. */
static void check_depth(unsigned depth) {
    static char text[1 << 14];
    int n = snprintf(text, sizeof text,
                     "and.i32 %%i7, %%i0, 0\nadd.i32 %%i7, %%i7, 32\n"
                     "localaddr %%i10, 0\neq.i32 %%p6, %%i0, %%i0\n");
    for (unsigned d = 0; d < depth; d++) n += sprintf(text + n, "if %%p6\n");
    n += sprintf(text + n, "loop\nle_s.i32 %%p8, %%i7, 0\nbreakif %%p8, 0\nbar local\n"
                           "ld.local.i32 %%i9, [%%i10]\nshr_u.i32 %%i7, %%i7, 1\n"
                           "add.i32 %%i5, %%i5, 1\nendloop\n");
    for (unsigned d = 0; d < depth; d++) n += sprintf(text + n, "endif\n");
    check(text, 1, 6, true);
}

int main(void) {
    static const char own[] = "st.private.i32 [%i4+16], %i5\nld.private.i32 %i6, [%i4+16]\n"
                              "add.i32 %i5, %i6, 1";
    static const char atomic[] = "atom_add.global.i32 %i6, [%i3], 1\nadd.i32 %i5, %i6, 1";
    tier_source(&(struct tier_source){.compiler = use_native_load(), .say = say});
    check("add.i32 %i5, %i5, %i1\nsub.i32 %i5, %i5, %i1\nadd.i32 %i5, %i5, 1", 100, 100, true);
    bool wide = level_get()->number != NATIVE_BASELINE; /* else they are too large */
    check("add.i32 %i5, %i5, 1", LARGE, LARGE, wide);
    check("add.i32 %i5, %i5, 1", LARGER, LARGER, wide);
    check("add.i32 %i5, %i5, 1", GIANT, GIANT, false);
    check(own, 20, 20, true);
    check(own, LARGE / 12, LARGE / 12, wide);
    check(own, GIANT / 8, GIANT / 8, false);
    check(atomic, 20, 20, true);
    check(atomic, LARGE / 12, LARGE / 12, wide);
    check(atomic, GIANT / 8, GIANT / 8, false);
    check_depth(2);
    check_depth(250);
    return 0;
}
