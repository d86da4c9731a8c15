/* Kernels that keep a sum in memory, while another argument may lead to the same place. */
#include <string.h>

#include "run.h"

enum { ITEMS = 256, GROUP = 64, BYTES = 4 * ITEMS, TIMES = 5, LOOK = 3 };

/* out[i] = 1; TIMES times: out[i] += look[i] */
static const char text[] = "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
                           ".param \"out\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param \"look\" \"int*\" global offset 4 size 4 align 4 pointee 4\n"
                           ".param \"times\" \"int\" value offset 8 size 4 align 4\n"
                           ".param_bytes 12\n{\n"
                           "ld.param.i32 %i0, [0]\nld.param.i32 %i1, [4]\nld.param.i32 %i2, [8]\n"
                           "special %i3, global_id_x\nshl.i32 %i4, %i3, 2\nadd.i32 %i5, %i0, %i4\n"
                           "add.i32 %i6, %i1, %i4\nst.global.i32 [%i5], 1\nmov.i32 %i7, 0\n"
                           "loop\nle_s.i32 %p8, %i2, %i7\nbreakif %p8, 0\n"
                           "ld.global.i32 %i9, [%i5]\nld.global.i32 %i10, [%i6]\n"
                           "add.i32 %i11, %i9, %i10\nst.global.i32 [%i5], %i11\n"
                           "add.i32 %i7, %i7, 1\nendloop\n}\n";

static void keep(struct memory *memory, const struct isa_module *m, uint32_t out, uint32_t look,
                 uint32_t times) {
    int32_t *seen = memory_at(memory_base(memory), look),
            *got = memory_at(memory_base(memory), out);
    for (int i = 0; i < ITEMS; i++) got[i] = -1;
    for (int i = 0; i < ITEMS; i++) seen[i] = LOOK;
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{GROUP, 1, 1}}, (uint32_t[]){out, look, times});
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    int32_t want = out == look ? 1 << times : 1 + LOOK * (int32_t)times;
    for (int i = 0; i < ITEMS; i++) CHECK(got[i] == want, "%d is %d, not %d", i, got[i], want);
}

static void overwritten(void *results) {
    struct memory *memory = memory_new(8 << 20);
    struct isa_module *m = run_parse(text);
    uint32_t one = memory_alloc(memory, BYTES, 64), two = memory_alloc(memory, BYTES, 64);
    uint32_t both = memory_alloc(memory, 2 * BYTES, 64);
    CHECK(one && two && both, "no memory");
    keep(memory, m, one, two, TIMES);
    keep(memory, m, one, one, TIMES);
    keep(memory, m, both, both + BYTES, TIMES); /* two parts of one object */
    keep(memory, m, both + BYTES, both, TIMES);
    keep(memory, m, both + BYTES, both + BYTES, TIMES);
    keep(memory, m, one, two, 0);
    memcpy(results, memory_at(memory_base(memory), one), BYTES);
    isa_module_free(m);
    memory_free(memory);
}

int main(void) { return run_levels("overwritten", overwritten, BYTES) != 0; }
