/* maths [NAME ...]: those whose names begin so; all without one.
 *
 * Every math operation on every type, its operands varying, uniform and masked, where denormals are
 * flushed and where they are kept: an engine must give the bits of device/math's baseline, which
 * tests/math/accuracy holds against MPFR. Payloads of NaNs are left open. */
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "device/math/math.h"
#include "run.h"

enum { ITEMS = 512, LOCAL = 64, VARIANTS = 5, SLOT = VARIANTS * 16 };

static uint64_t seed = 99;
static uint64_t any(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed ^ seed >> 29;
}

static const double specials[] = {0.0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.5,
                                  -0.5,
                                  2,
                                  3,
                                  -3,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1p-126,
                                  0x1p-127,
                                  -0x1p-130,
                                  0x1p-149,
                                  0x1p-1040,
                                  1.5,
                                  0x1.fffffep127,
                                  88.72,
                                  88.73,
                                  -87.33,
                                  -87.34,
                                  128,
                                  127.99999,
                                  -126,
                                  -126.0001,
                                  38.5318,
                                  38.532,
                                  -37.93,
                                  3.14159274,
                                  1e7,
                                  -1e9,
                                  0x1p23,
                                  0x1p31,
                                  710};

static double number(unsigned n) {
    if (n % 2) return specials[any() % (sizeof specials / sizeof *specials)];
    double unit = (double)(int64_t)any() * 0x1p-63;
    return n % 4 ? unit * 4 : ldexp(unit, (int)(any() % 300) - 150);
}

static uint64_t operand(char kind, bool is_double, unsigned n) {
    uint64_t bits = 0;
    if (kind == 'i') return (uint32_t)(n % 3 ? any() % 41 - 20 : any());
    if (n % 5 == 0) return is_double ? any() : (uint32_t)any();
    double d = number((unsigned)any());
    float f = (float)d;
    is_double ? memcpy(&bits, &d, 8) : memcpy(&bits, &f, 4);
    return bits;
}

/* ---- the kernel ---- */

struct operation {
    enum isa_op op;
    bool is_double, keeps; /* keeps: a float, where denormals are kept */
    char dst[3], src[3];   /* 'i', or a floating-point one */
    unsigned ndst, nsrc;
};

static const char *letter(const struct operation *o, char kind) {
    return kind == 'i' ? "i" : o->is_double ? "d" : "f";
}
static const char *type(const struct operation *o, char kind) {
    return kind == 'i' ? "i32" : o->is_double ? "f64" : "f32";
}

/* Sources are 16 bytes an item, varying; or those of item 0. The bits of a variant's uniform ones
 * are `shape`; the last variant's runs for odd items only. */
static const unsigned shape[VARIANTS] = {0, 1, 2, 3, 0};

static bool has_variant(const struct operation *o, unsigned v) { return !(shape[v] >> o->nsrc); }

static struct isa_module *build(const struct operation *o) {
    static char text[8192];
    int n =
        snprintf(text, sizeof text,
                 "simtcl-ir 1\n.kernel \"k\"\n.param \"in\" \"int\" value offset 0 size 4 align "
                 "4\n.param \"out\" \"int\" value offset 4 size 4 align 4\n.param_bytes 8\n{\n"
                 "ld.param.i32 %%i0, [0]\nld.param.i32 %%i1, [4]\nspecial %%i2, global_id_x\n"
                 "mul.i32 %%i3, %%i2, 16\nadd.i32 %%i3, %%i3, %%i0\nmul.i32 %%i4, %%i2, "
                 "%u\nadd.i32 %%i4, %%i4, %%i1\nand.i32 %%i5, %%i2, 1\nne.i32 %%p6, %%i5, 0\n",
                 SLOT);
    bool choice = math_table_baseline.fn[o->op][MATH_F64]; /* of a type, so that it is named */
#define ADD(...) n += snprintf(text + n, sizeof text - (size_t)n, __VA_ARGS__)
    if (o->keeps) ADD("mov.f64 %%d7, 0d0000000000000000\n");
    for (unsigned s = 0; s < o->nsrc; s++) {
        const char *l = letter(o, o->src[s]), *t = type(o, o->src[s]);
        ADD("ld.global.%s %%%s%u, [%%i3+%u]\n", t, l, 10 + s, 8 * s);
        ADD("ld.global.%s %%%s%u, [%%i0+%u]\n", t, l, 12 + s, 8 * s);
    }
    for (unsigned v = 0; v < VARIANTS; v++) {
        unsigned d = 20 + 2 * v;
        if (!has_variant(o, v)) continue;
        if (v == VARIANTS - 1) ADD("if %%p6\n");
        ADD("%s%s%s ", isa_op_info[o->op].name, choice ? "." : "", choice ? type(o, 't') : "");
        for (unsigned k = 0; k < o->ndst; k++)
            ADD("%s%%%s%u", k ? ", " : "", letter(o, o->dst[k]), d + k);
        for (unsigned s = 0; s < o->nsrc; s++)
            ADD(", %%%s%u", letter(o, o->src[s]), (shape[v] >> s & 1 ? 12 : 10) + s);
        ADD("\n%s", v == VARIANTS - 1 ? "endif\n" : "");
        for (unsigned k = 0; k < o->ndst; k++)
            ADD("st.global.%s [%%i4+%u], %%%s%u\n", type(o, o->dst[k]), 16 * v + 8 * k,
                letter(o, o->dst[k]), d + k);
    }
    ADD("}\n");
#undef ADD
    return run_parse(text);
}

/* ---- what it must give ---- */

struct lanes {
    uint64_t v[2][ISA_WARP] __attribute__((aligned(128)));
};

static void set(const struct operation *o, struct lanes *l, char kind, unsigned s, unsigned lane,
                uint64_t bits) {
    if (kind != 'i' && o->is_double)
        l->v[s][lane] = bits;
    else
        ((uint32_t *)l->v[s])[lane] = (uint32_t)bits;
}

static uint64_t get(const struct operation *o, const struct lanes *l, char kind, unsigned s,
                    unsigned lane) {
    return kind != 'i' && o->is_double ? l->v[s][lane] : ((const uint32_t *)l->v[s])[lane];
}

static struct lanes define(const struct operation *o, const struct lanes *in) {
    struct lanes out = {0};
    unsigned saved = _mm_getcsr();
    _mm_setcsr(o->is_double || o->keeps ? saved : saved | 0x8040);
    math_table_baseline.fn[o->op][o->is_double]((const void *const[]){in->v[0], in->v[1]},
                                                (void *const[]){out.v[0], out.v[1]});
    _mm_setcsr(saved);
    return out;
}

static bool is_nan(bool is_double, uint64_t bits) {
    return is_double ? bits << 1 > 0xffe0000000000000u : (uint32_t)bits << 1 > 0xff000000u;
}

static unsigned wrong;

static void compare(const struct operation *o, const uint64_t *in, const uint64_t *out,
                    unsigned first, unsigned v) {
    struct lanes src = {0};
    for (unsigned lane = 0; lane < ISA_WARP; lane++)
        for (unsigned s = 0; s < o->nsrc; s++)
            set(o, &src, o->src[s], s, lane, in[(shape[v] >> s & 1 ? 0 : first + lane) * 2 + s]);
    struct lanes want = define(o, &src);
    for (unsigned lane = 0; lane < ISA_WARP; lane++)
        for (unsigned k = 0; k < o->ndst; k++) {
            bool off = v == VARIANTS - 1 && lane % 2 == 0;
            uint64_t got = out[(first + lane) * (SLOT / 8) + 2 * v + k];
            uint64_t expected = off ? 0 : get(o, &want, o->dst[k], k, lane);
            bool nans =
                o->dst[k] != 'i' && is_nan(o->is_double, got) && is_nan(o->is_double, expected);
            if (got == expected || nans || wrong++ > 20) continue;
            fprintf(stderr, "%s.%s variant %u result %u: of %llx, %llx gives %llx, not %llx\n",
                    isa_op_info[o->op].name, type(o, 't'), v, k,
                    (unsigned long long)get(o, &src, o->src[0], 0, lane),
                    (unsigned long long)get(o, &src, o->src[1], 1, lane), (unsigned long long)got,
                    (unsigned long long)expected);
        }
}

static struct memory *memory;
static uint32_t places[2];

static void try(const struct operation *o) {
    struct isa_module *m = build(o);
    uint64_t *in = memory_at(memory_base(memory), places[0]),
             *out = memory_at(memory_base(memory), places[1]);
    for (unsigned n = 0; n < 2 * ITEMS; n++)
        in[n] = n % 2 < o->nsrc ? operand(o->src[n % 2], o->is_double, n) : 0;
    memset(out, 0, ITEMS * SLOT);
    struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{ITEMS, 1, 1}},
                                (struct size3){{LOCAL, 1, 1}}, places);
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (unsigned first = 0; first < ITEMS; first += ISA_WARP)
        for (unsigned v = 0; v < VARIANTS; v++)
            if (has_variant(o, v)) compare(o, in, out, first, v);
    isa_module_free(m);
}

static char **only; /* beginnings of names; none: all */

static bool chosen(const char *name) {
    if (!*only) return true;
    for (char **o = only; *o; o++)
        if (!strncmp(name, *o, strlen(*o))) return true;
    return false;
}

static void test(void *results) {
    (void)results;
    memory = memory_new(1 << 20);
    places[0] = memory_alloc(memory, ITEMS * 16, 128);
    places[1] = memory_alloc(memory, ITEMS * SLOT, 128);
    for (int op = 0; op < ISA_OP_COUNT; op++) {
        const struct isa_op_info *info = &isa_op_info[op];
        if (!(info->flags & ISA_OP_MATH) || !chosen(info->name)) continue;
        const char *colon = strchr(info->operands, ':');
        for (int mode = 0; mode < 3; mode++) { /* float, float with denormals, double */
            struct operation o = {(enum isa_op)op, mode == 2, mode == 1, "", "", 0, 0};
            if (!math_table_baseline.fn[op][o.is_double]) continue;
            o.ndst = (unsigned)(colon - info->operands);
            o.nsrc = (unsigned)strlen(colon + 1);
            memcpy(o.dst, info->operands, o.ndst);
            memcpy(o.src, colon + 1, o.nsrc);
            try(&o);
        }
    }
    memory_free(memory);
    CHECK(!wrong, "%u results", wrong);
}

int main(int argc, char **argv) {
    (void)argc;
    only = argv + 1;
    return run_levels("maths", test, 0) != 0;
}
