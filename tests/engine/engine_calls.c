/* What the interpreter leaves to other parts: math functions, images, printf; here it matters that
 * operands get there and results come back, whatever their shape and the mask. */
#include <math.h>
#include <string.h>

#include "run.h"

enum { ITEMS = 64, AREA = 1 << 14, TEXELS = 8192 };

static struct memory *memory;
static uint32_t area;
static char *bytes;

static struct fault run(const char *head, const char *body) {
    static char text[8192];
    if (!memory) {
        memory = memory_new(1 << 20);
        area = memory_alloc(memory, AREA, 4096);
        bytes = memory_at(memory_base(memory), area);
    }
    snprintf(text, sizeof text,
             "simtcl-ir 1\n%s.kernel \"k\"\n.param \"a\" \"int\" value offset 0 size 4 align "
             "4\n.param_bytes 4\n{\n"
             "ld.param.i32 %%i0, [0]\nspecial %%i1, global_id_x\nmul.i32 %%i2, %%i1, 32\nadd.i32 "
             "%%i2, %%i2, %%i0\n%s}\n",
             head, body);
    struct isa_module *m = run_parse(text);
    *run_output = 0;
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{ITEMS, 1, 1}}, &area);
    f.kernel = f.file = NULL;
    isa_module_free(m);
    return f;
}

static float at(int item, int n) {
    float f;
    memcpy(&f, bytes + item * 32 + n * 4, 4);
    return f;
}

static void maths(void *results) {
    struct fault f = run(
        "",
        "s2f.rte.f32.i32 %f3, %i1\nsincos.f32 %f4, %f5, %f3\nst.global.f32.v2 [%i2], {%f4, %f5}\n"
        "exp2.f32 %f6, 0f40400000\nst.global.f32 [%i2+8], %f6\n" /* uniform: 2^3 */
        "mov.f32 %f7, %f3\nfrexp.f32 %f7, %i8, %f7\nst.global.f32 [%i2+12], %f7\nst.global.i32 "
        "[%i2+16], %i8\n"
        "mov.f32 %f9, 0fbf800000\nlt_u.i32 %p10, %i1, 9\nif %p10\nsqrt.f32 %f9, %f3\npow.f32 %f9, "
        "%f9, 0f40000000\nendif\n"
        "st.global.f32 [%i2+20], %f9\n");
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (int i = 0; i < ITEMS; i++) {
        int e, got;
        CHECK(fabs(at(i, 0) - sin(i)) < 1e-6 && fabs(at(i, 1) - cos(i)) < 1e-6, "sincos(%d)", i);
        CHECK(at(i, 2) == 8, "exp2(3) = %g", (double)at(i, 2));
        float m = frexpf((float)i, &e);
        memcpy(&got, bytes + i * 32 + 16, 4);
        CHECK(at(i, 3) == m && got == e, "frexp(%d) = %g, %d", i, (double)at(i, 3), got);
        CHECK(i < 9 ? fabsf(at(i, 5) - (float)i) < 1e-5f : at(i, 5) == -1, "pow of item %d: %g", i,
              (double)at(i, 5));
    }
    memcpy(results, bytes, AREA);
}

static void images(void *results) {
    static struct texture textures[2];
    run("", "");
    for (int n = 0; n < 2; n++)
        textures[n] = (struct texture){.address = area + TEXELS + (uint32_t)n * 4096,
                                       .width = 8,
                                       .height = 4,
                                       .depth = 1,
                                       .row_pitch = 8 * 16,
                                       .slice_pitch = 4 * 8 * 16,
                                       .order = 0x10B5 /* RGBA */,
                                       .type = 0x10DC /* UNSIGNED_INT32 */,
                                       .dim = ISA_DIM_2D,
                                       .texel_bytes = 16};
    run_textures = textures;
    run_ntextures = 2;
    for (uint32_t n = 0; n < 2 * 32 * 4; n++) {
        uint32_t v = n * 3 + 1;
        memcpy(bytes + TEXELS + n / 128 * 4096 + n % 128 * 4, &v, 4);
    }
    /* Odd items read the second image; all write to it what they read, one row down, after the
     * reads. */
    struct fault f = run(
        "", "and.i32 %i3, %i1, 1\nand.i32 %i4, %i1, 7\nshr_u.i32 %i5, %i1, 3\nand.i32 %i5, %i5, 3\n"
            "img_read.2d.unsigned.i32.i32 %i6, %i7, %i8, %i9, %i3, 16, {%i4, "
            "%i5}\nst.global.i32.v4 [%i2], {%i6, %i7, %i8, %i9}\n"
            "img_info.2d %i10, %i3, width\nimg_info.2d %i11, 0, height\nst.global.i32.v2 "
            "[%i2+16], {%i10, %i11}\n"
            "lt_u.i32 %p12, %i1, 8\nif %p12\nimg_write.2d.unsigned.i32 0, {%i4, 3, 7, 8, 9, "
            "%i1}\nendif\n");
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (uint32_t i = 0; i < ITEMS; i++)
        for (uint32_t c = 0; c < 6; c++) {
            uint32_t got, texel = i / 8 % 4 * 8 + i % 8,
                          expected = ((i & 1) * 128 + texel * 4 + c) * 3 + 1;
            memcpy(&got, bytes + i * 32 + c * 4, 4);
            if (c >= 4) expected = c == 4 ? 8 : 4;
            if (i >= 32 && texel >= 24 && !(i & 1) && c < 4)
                continue; /* the other warp may have written there */
            CHECK(got == expected, "item %u, %u: %u, not %u", i, c, got, expected);
        }
    for (uint32_t x = 0; x < 8; x++) {
        uint32_t got[4];
        memcpy(got, bytes + TEXELS + (3 * 8 + x) * 16, 16);
        CHECK(got[0] == 7 && got[1] == 8 && got[2] == 9 && got[3] == x, "texel %u", x);
    }
    f = run("", "img_info.2d %i3, %i1, width\n");
    CHECK(f.kind == FAULT_IMAGE && f.local_id[0] == 2, "fault %d", f.kind);
    f = run(
        "",
        "img_read.3d.f32.f32 %f3, %f4, %f5, %f6, 0, 16, {0f00000000, 0f00000000, 0f00000000}\n");
    CHECK(f.kind == FAULT_IMAGE, "fault %d", f.kind);
    memcpy(results, bytes, AREA);
}

static void prints(void *results) {
    struct fault f = run(".format \"%d %s %d\\n\"\n.data 4 align 4\n73 69 78 00\n",
                         "lt_u.i32 %p3, %i1, 40\nlt_u.i32 %p4, 36, %i1\nand.pred %p5, %p3, "
                         "%p4\nconstaddr %i6, 0\nif %p5\n"
                         "printf %i7, 0, {%i1, %i6, i32:5}\nst.global.i32 [%i2], %i7\nendif\n");
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    CHECK(!strcmp(run_output, "37 six 5\n38 six 5\n39 six 5\n"), "%s", run_output);
    memcpy(results, run_output, 64);
}

int main(void) {
    return run_levels("math", maths, AREA) + run_levels("images", images, AREA) +
               run_levels("printf", prints, AREA) !=
           0;
}
