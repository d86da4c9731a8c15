/* Barriers in nested loops whose counts are read before them only: what lives until the next
 * iteration.
 */
#include "run.h"

enum { GROUP = 416, ITEMS = 2 * GROUP, ITERATIONS = 3 * 5 };

static const char text[] = "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
                           ".param \"out\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param_bytes 4\n{\n"
                           "ld.param.i32 %i0, [0]\nspecial %i1, global_id_x\n"
                           "shl.i32 %i2, %i1, 2\nadd.i32 %i2, %i2, %i0\nmov.i32 %i3, 3\n"
                           "loop\neq.i32 %p4, %i3, 0\nbreakif %p4, 0\nsub.i32 %i3, %i3, 1\n"
                           "mov.i32 %i5, 5\n"
                           "loop\neq.i32 %p6, %i5, 0\nbreakif %p6, 0\nsub.i32 %i5, %i5, 1\n"
                           "bar local\nadd.i32 %i7, %i7, 1\nendloop\n"
                           "endloop\nst.global.i32 [%i2], %i7\n}\n";

static void stops(void *results) {
    struct memory *memory = memory_new(1 << 20);
    struct isa_module *m = run_parse(text);
    uint32_t out = memory_alloc(memory, 4 * ITEMS, 64);
    CHECK(memory && out, "no memory");
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{GROUP, 1, 1}}, &out);
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    int32_t *iterations = memory_at(memory_base(memory), out);
    for (int i = 0; i < ITEMS; i++)
        CHECK(iterations[i] == ITERATIONS, "item %d: %d iterations, not %d", i, iterations[i],
              ITERATIONS);
    *(int32_t *)results = iterations[0];
    isa_module_free(m);
    memory_free(memory);
}

int main(void) { return run_levels("stops", stops, sizeof(int32_t)) != 0; }
