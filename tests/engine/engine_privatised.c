/* Kernels that only add to the memory of one argument, while another one may lead to the same. */
#include <string.h>

#include "run.h"

enum { ITEMS = 1 << 15, GROUP = 64, WORDS = 256, BYTES = 4 * WORDS, BY = 2 };

static const char text[] = "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
                           ".param \"sums\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param \"look\" \"int*\" global offset 4 size 4 align 4 pointee 4\n"
                           ".param \"out\" \"int*\" global offset 8 size 4 align 4 pointee 4\n"
                           ".param \"by\" \"int\" value offset 12 size 4 align 4\n"
                           ".param_bytes 16\n{\n"
                           "ld.param.i32 %i0, [0]\nld.param.i32 %i1, [4]\nld.param.i32 %i2, [8]\n"
                           "ld.param.i32 %i3, [12]\nspecial %i4, global_id_x\n"
                           "and.i32 %i5, %i4, 255\nshl.i32 %i5, %i5, 2\nadd.i32 %i6, %i0, %i5\n"
                           "atom_add.global.i32 %i7, [%i6], %i3\nadd.i32 %i8, %i1, %i5\n"
                           "ld.global.i32 %i9, [%i8]\nshl.i32 %i10, %i4, 2\n"
                           "add.i32 %i10, %i10, %i2\nst.global.i32 [%i10], %i9\n}\n";

/* same: look leads to the sums. */
static void add(struct memory *memory, const struct isa_module *m, uint32_t sums, uint32_t look,
                uint32_t out, bool same) {
    char *base = memory_base(memory);
    int32_t *words = memory_at(base, sums), *seen = memory_at(base, look);
    const int32_t *got = memory_at(base, out);
    for (int i = 0; i < WORDS; i++) seen[i] = -5;
    for (int i = 0; i < WORDS; i++) words[i] = i;
    struct fault f =
        run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                   (struct size3){{GROUP, 1, 1}}, (uint32_t[]){sums, look, out, (uint32_t)BY});
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (int i = 0; i < WORDS; i++) {
        int32_t want = i + BY * (ITEMS / WORDS);
        CHECK(words[i] == want, "sum %d is %d, not %d", i, words[i], want);
    }
    for (int i = 0; i < ITEMS; i++) {
        int32_t least = same ? i % WORDS + BY : -5, most = same ? words[i % WORDS] : -5;
        CHECK(got[i] >= least && got[i] <= most, "item %d, %s: sees %d, not %d to %d", i,
              same ? "the sums" : "others", got[i], least, most);
    }
}

static void privatised(void *results) {
    struct memory *memory = memory_new(8 << 20);
    struct isa_module *m = run_parse(text);
    uint32_t one = memory_alloc(memory, BYTES, 64), two = memory_alloc(memory, BYTES, 64);
    uint32_t both = memory_alloc(memory, 2 * BYTES, 64), out = memory_alloc(memory, 4 * ITEMS, 64);
    CHECK(one && two && both && out, "no memory");
    add(memory, m, one, two, out, false);
    add(memory, m, one, one, out, true);
    add(memory, m, both, both + BYTES, out, false); /* two parts of one object */
    add(memory, m, both + BYTES, both + BYTES, out, true);
    memcpy(results, memory_at(memory_base(memory), one), BYTES);
    isa_module_free(m);
    memory_free(memory);
}

int main(void) { return run_levels("privatised", privatised, BYTES) != 0; }
