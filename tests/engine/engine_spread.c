/* Loops along a run of each work-item's own, while another argument may lead to the same place. */
#include <string.h>

#include "run.h"

enum { ITEMS = 96, GROUP = 48, ELEMENTS = 8192, BYTES = 4 * ELEMENTS };

/* for (x = id * per; x < id * per + most; x++) out[x] = look[x] * 3 + x */
static const char text[] = "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
                           ".param \"out\" \"int*\" global offset 0 size 4 align 4 pointee 4\n"
                           ".param \"look\" \"int*\" global offset 4 size 4 align 4 pointee 4\n"
                           ".param \"per\" \"int\" value offset 8 size 4 align 4\n"
                           ".param \"most\" \"int\" value offset 12 size 4 align 4\n"
                           ".param_bytes 16\n{\n"
                           "ld.param.i32 %i0, [0]\nld.param.i32 %i1, [4]\nld.param.i32 %i2, [8]\n"
                           "ld.param.i32 %i3, [12]\n"
                           "special %i4, global_id_x\nmul.i32 %i5, %i4, %i2\n"
                           "add.i32 %i6, %i5, %i3\nmov.i32 %i7, %i5\n"
                           "loop\nle_s.i32 %p8, %i6, %i7\nbreakif %p8, 0\n"
                           "shl.i32 %i9, %i7, 2\nadd.i32 %i10, %i0, %i9\nadd.i32 %i11, %i1, %i9\n"
                           "ld.global.i32 %i12, [%i11]\nmul.i32 %i13, %i12, 3\n"
                           "add.i32 %i14, %i13, %i7\nst.global.i32 [%i10], %i14\n"
                           "add.i32 %i7, %i7, 1\nendloop\n}\n";

/* `far` elements are from where it stores to where it loads, both in `object`, or in two. */
static void walk(struct memory *memory, const struct isa_module *m, uint32_t object, int32_t far,
                 int32_t per, int32_t most) {
    static int32_t want[2 * ELEMENTS];
    int32_t *got = memory_at(memory_base(memory), object);
    int32_t out = far < 0 ? -far : 0, look = far < 0 ? 0 : far;
    for (int i = 0; i < 2 * ELEMENTS; i++) got[i] = want[i] = i % 1000;
    for (int id = 0; id < ITEMS; id++)
        for (int x = id * per; x < id * per + most; x++)
            want[out + x] = (int32_t)((uint32_t)want[look + x] * 3 + (uint32_t)x);
    struct fault f = run_kernel(
        memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}}, (struct size3){{GROUP, 1, 1}},
        (uint32_t[]){object + 4 * (uint32_t)out, object + 4 * (uint32_t)look, (uint32_t)per,
                     (uint32_t)most});
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (int i = 0; i < 2 * ELEMENTS; i++)
        CHECK(got[i] == want[i], "%d apart, %d of %d: %d is %d, not %d", far, most, per, i, got[i],
              want[i]);
}

/* Two objects, one behind the other or not. */
static void walk_apart(struct memory *memory, const struct isa_module *m, uint32_t out,
                       uint32_t look, int32_t per, int32_t most) {
    int32_t *from = memory_at(memory_base(memory), look),
            *got = memory_at(memory_base(memory), out);
    for (int i = 0; i < ELEMENTS; i++) from[i] = i % 1000;
    for (int i = 0; i < ELEMENTS; i++) got[i] = -1;
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{GROUP, 1, 1}},
                                (uint32_t[]){out, look, (uint32_t)per, (uint32_t)most});
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (int i = 0; i < ELEMENTS; i++) {
        int32_t want = i < per * ITEMS && i % per < most ? i % 1000 * 3 + i : -1;
        CHECK(got[i] == want, "%d of %d: %d is %d, not %d", most, per, i, got[i], want);
    }
}

static void spread(void *results) {
    struct memory *memory = memory_new(8 << 20);
    struct isa_module *m = run_parse(text);
    uint32_t one = memory_alloc(memory, BYTES, 64), two = memory_alloc(memory, BYTES, 64),
             both = memory_alloc(memory, 2 * BYTES, 64);
    static const int32_t lengths[][2] = {{40, 40}, {40, 38}, {64, 64}, {7, 7},
                                         {80, 33}, {40, 0},  {40, -5}, {85, 84}};
    static const int32_t apart[] = {0, 1, -1, 2, -2, 31, -31, 32, -40};
    CHECK(one && two && both, "no memory");
    for (unsigned n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        int32_t per = lengths[n][0], most = lengths[n][1];
        walk_apart(memory, m, one, two, per, most);
        walk_apart(memory, m, two, one, per, most);
        walk(memory, m, both, ELEMENTS, per, most);
        walk(memory, m, both, -ELEMENTS, per, most);
        walk(memory, m, both, 0, per, most);
        /* within each work-item's own: the next one's are not reached */
        for (unsigned a = 1; a < sizeof apart / sizeof *apart; a++)
            if (most + abs(apart[a]) <= per) walk(memory, m, both, apart[a], per, most);
        walk(memory, m, both, 1, per + 40, most);
        walk(memory, m, both, -1, per + 40 < 85 ? per + 40 : per, most < per ? most : per - 1);
    }
    memcpy(results, memory_at(memory_base(memory), both), BYTES);
    isa_module_free(m);
    memory_free(memory);
}

int main(void) { return run_levels("spread", spread, BYTES) != 0; }
