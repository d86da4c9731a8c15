/* Registers begin as 0, in sums that flush their other operand, too. */
#include <string.h>

#include "run.h"

enum { ITEMS = 64, BYTES = 4 * ITEMS };

static const char text[] = "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
                           ".param \"io\" \"float*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param_bytes 4\n{\n"
                           "ld.param.i32 %i0, [0]\nspecial %i1, global_id_x\n"
                           "shl.i32 %i2, %i1, 2\nadd.i32 %i2, %i2, %i0\nand.i32 %i3, %i1, 7\n"
                           "eq.i32 %p4, %i3, 7\nld.global.f32 %f5, [%i2]\n"
                           "select.f32 %f6, %p4, 0f3f800000, %f5\nfsub.f32 %f7, %f6, %f8\n"
                           "st.global.f32 [%i2], %f7\nfadd.f32 %f8, %f7, %f7\n}\n";

/* Denormals of both signs, and 1 where the kernel puts it. */
static void zeros(void *results) {
    struct memory *memory = memory_new(1 << 20);
    struct isa_module *m = run_parse(text);
    uint32_t io = memory_alloc(memory, BYTES, 64), bits[ITEMS];
    CHECK(memory && io, "no memory");
    for (uint32_t i = 0; i < ITEMS; i++) bits[i] = (i & 1) << 31 | (i * 70001 + 1);
    memcpy(memory_at(memory_base(memory), io), bits, BYTES);
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{ITEMS, 1, 1}}, &io);
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    memcpy(bits, memory_at(memory_base(memory), io), BYTES);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t want = (i & 7) == 7 ? 0x3f800000 : 0;
        CHECK((bits[i] & 0x7fffffff) == want, "item %u: %08x, not %08x", i, bits[i], want);
    }
    memcpy(results, bits, BYTES);
    isa_module_free(m);
    memory_free(memory);
}

int main(void) { return run_levels("zeros", zeros, BYTES) != 0; }
