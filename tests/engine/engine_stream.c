/* Launches that write more than the caches hold: in whole rows and in parts of them, at places that
 * begin a line of the cache and at others. */
#include <string.h>

#include "run.h"

enum { ITEMS = 1 << 22, GROUP = 64, MORE = 8192, ROOM = 4 * (ITEMS + MORE) + 64 };
enum { RANGE = ITEMS / 64 }; /* items of a launch that goes through all of them in a loop */

static const char text[] = "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
                           ".param \"out\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param \"in\" \"int*\" global offset 4 size 4 align 4 pointee 4\n"
                           ".param \"every\" \"int\" value offset 8 size 4 align 4\n"
                           ".param_bytes 12\n{\n"
                           "ld.param.i32 %i0, [0]\nld.param.i32 %i1, [4]\nld.param.i32 %i2, [8]\n"
                           "special %i3, global_id_x\nshl.i32 %i4, %i3, 2\n"
                           "add.i32 %i5, %i0, %i4\nadd.i32 %i6, %i1, %i4\n"
                           "ld.global.i32 %i7, [%i6]\nmul.i32 %i7, %i7, 3\n"
                           "rem_u.i32 %i8, %i3, %i2\nne.i32 %p9, %i8, 7\n"
                           "if %p9\nst.global.i32 [%i5], %i7\nendif\n}\n";

static const char iterations[] =
    "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
    ".param \"out\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
    ".param \"in\" \"int*\" global offset 4 size 4 align 4 pointee 4\n"
    ".param \"n\" \"int\" value offset 8 size 4 align 4\n"
    ".param_bytes 12\n{\n"
    "ld.param.i32 %i0, [0]\nld.param.i32 %i1, [4]\n"
    "ld.param.i32 %i2, [8]\nspecial %i3, global_id_x\n"
    "special %i4, global_size_x\nloop\n"
    "le_s.i32 %p5, %i2, %i3\nbreakif %p5, 0\nshl.i32 %i6, %i3, 2\n"
    "add.i32 %i7, %i1, %i6\nld.global.i32 %i8, [%i7]\n"
    "mul.i32 %i8, %i8, 3\nadd.i32 %i9, %i0, %i6\n"
    "st.global.i32 [%i9], %i8\nadd.i32 %i3, %i3, %i4\nendloop\n}\n";

/* every: one item of so many stores nothing. */
static uint32_t write_all(struct memory *memory, const struct isa_module *m, uint32_t out,
                          uint32_t in, uint32_t every) {
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{GROUP, 1, 1}}, (uint32_t[]){out, in, every});
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    const uint32_t *got = memory_at(memory_base(memory), out);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t want = i % every == 7 ? 0xa5a5a5a5 : 3 * (i ^ 0x5bd1e995);
        CHECK(got[i] == want, "item %u of %u, every %u: %#x, not %#x", i, out, every, got[i], want);
        sum = 31 * sum + got[i];
    }
    return sum;
}

/* The first n, by fewer items. */
static uint32_t write_in_a_loop(struct memory *memory, const struct isa_module *m, uint32_t out,
                                uint32_t in, uint32_t n) {
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{RANGE, 1, 1}},
                                (struct size3){{4 * GROUP, 1, 1}}, (uint32_t[]){out, in, n});
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    const uint32_t *got = memory_at(memory_base(memory), out);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < ITEMS + MORE; i++) {
        uint32_t want = i >= n ? 0xa5a5a5a5 : 3 * (i ^ 0x5bd1e995);
        CHECK(got[i] == want, "element %u of %u at %u: %#x, not %#x", i, n, out, got[i], want);
        sum = 31 * sum + got[i];
    }
    return sum;
}

static void stream(void *results) {
    static const uint32_t every[] = {8, 1000, 0xffffffff}, n[] = {ITEMS + MORE, ITEMS + 4091, 99};
    struct memory *memory = memory_new(64 << 20);
    struct isa_module *m = run_parse(text), *in_a_loop = run_parse(iterations);
    uint32_t in = memory_alloc(memory, ROOM, 64), out = memory_alloc(memory, ROOM, 64);
    CHECK(in && out, "no memory");
    uint32_t *from = memory_at(memory_base(memory), in), *sums = results;
    for (uint32_t i = 0; i < ITEMS + MORE; i++) from[i] = i ^ 0x5bd1e995;
    for (uint32_t off = 0; off < 64; off += 20)
        for (unsigned i = 0; i < 3; i++) {
            memset(memory_at(memory_base(memory), out), 0xa5, ROOM);
            *sums++ = write_all(memory, m, out + off, in, every[i]);
            memset(memory_at(memory_base(memory), out), 0xa5, ROOM);
            *sums++ = write_in_a_loop(memory, in_a_loop, out + off, in, n[i]);
        }
    isa_module_free(m);
    isa_module_free(in_a_loop);
    memory_free(memory);
}

int main(void) { return run_levels("stream", stream, 128) != 0; }
