#include "snippet.h"

#include <stdarg.h>
#include <stdio.h>

#include "snippet_words.h"

enum { ROOM = 1 << 16, DEEPEST = 3 };

/* ---- chance ---- */

static uint64_t state;

static unsigned chance(unsigned n) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}
#define ANY(list) list[chance(sizeof list / sizeof *list)]

/* ---- the source ---- */

static char text[ROOM];
static size_t length;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text + length, ROOM - length, format, list);
    va_end(list);
    length += n > 0 && (size_t)n < ROOM - length ? (size_t)n : 0;
}

static const char *builtin(void) {
    static char name[64];
    const char *row = ANY(builtins);
    size_t n = 0;
    if (chance(4) == 0) {
        static const char *const common[] = {"sqrt",
                                             "printf",
                                             "barrier",
                                             "atomic_add",
                                             "max",
                                             "vload4",
                                             "async_work_group_copy",
                                             "read_imagef",
                                             "convert_int4",
                                             "get_global_id",
                                             "wait_group_events",
                                             "select",
                                             "mad",
                                             "clamp",
                                             "dot"};
        return ANY(common);
    }
    for (; *row && n + 16 < sizeof name; row++) {
        if (*row == '@')
            n += (size_t)sprintf(name + n, "%s", scalars[chance(10)]);
        else if (*row == '#')
            n += (size_t)sprintf(name + n, "%s", chance(2) ? "" : "4");
        else if (*row == '$')
            n += (size_t)sprintf(name + n, "%s", chance(2) ? "" : "_sat");
        else if (*row == '%')
            n += (size_t)sprintf(name + n, "%s", chance(2) ? "" : "_rtz");
        else
            name[n++] = *row;
    }
    name[n] = 0;
    return name;
}

static void expr(unsigned depth);
static void stmt(unsigned depth);

static void type(unsigned depth) {
    if (chance(6) == 0) add("%s ", ANY(spaces));
    if (chance(12) == 0) add("%s ", ANY(quals));
    switch (chance(12)) {
    case 0:
    case 1:
    case 2: add("%s", ANY(scalars)); break;
    case 3:
    case 4:
    case 5:
    case 6: add("%s", ANY(vectors)); break;
    case 7:
    case 8:
    case 9: add("%s", ANY(opaque)); break;
    case 10:
        add("__typeof__(");
        expr(depth + 1);
        add(")");
        break;
    default: add("%s", builtin());
    }
    if (chance(4) == 0) add(" %s*", chance(3) ? "" : "const ");
    if (chance(24) == 0) add("%s", chance(2) ? "[2]" : "(*)(int)");
}

static void value_name(void) {
    switch (chance(5)) {
    case 0:
    case 1: add("%s", builtin()); break;
    case 2:
    case 3: add("%s", ANY(names)); break;
    default: add("%s", ANY(literals));
    }
}

static void list(unsigned depth) {
    for (unsigned n = chance(5); n-- > 0;) {
        expr(depth + 1);
        if (n) add(", ");
    }
}

static void designator(unsigned depth) {
    const char *word;
    for (unsigned n = 1 + chance(2); n-- > 0;) {
        switch (chance(7)) {
        case 0: add("[%s]", ANY(literals)); break;
        case 1:
            add("[");
            expr(depth + 1);
            add("]");
            break;
        case 2:
            word = ANY(literals);
            add("[%s ... %s]", ANY(literals), word);
            break;
        case 3: add("[0 ... 100000000]"); break;
        case 4: add(".%s", builtin()); break;
        case 5: add(".v"); break;
        default: add(".a");
        }
    }
    add(" = ");
}

static void initialiser(unsigned depth) {
    if (depth > DEEPEST || chance(3) == 0) {
        expr(depth + 1);
        return;
    }
    add("{");
    for (unsigned n = chance(4); n-- > 0;) {
        if (chance(2)) designator(depth + 1);
        initialiser(depth + 1);
        if (n) add(", ");
    }
    add("}");
}

static void expr(unsigned depth) {
    static const char *const reinterpreted[] = {"int",   "uint",   "float",  "int4",   "float4",
                                                "char4", "double", "long",   "short2", "uchar16",
                                                "half",  "float3", "ushort4"};
    if (depth > DEEPEST) {
        value_name();
        return;
    }
    switch (chance(24)) {
    case 0:
    case 1:
        add("as_%s(", ANY(reinterpreted));
        expr(depth + 1);
        add(")");
        break;
    case 2:
    case 3:
        add("(");
        chance(2) ? type(depth) : add("%s", ANY(vectors));
        add(")(");
        chance(3) ? expr(depth + 1) : list(depth);
        add(")");
        break;
    case 4:
        add("(");
        type(depth);
        add(")");
        expr(depth + 1);
        break;
    case 5:
        add("(");
        type(depth);
        add(")");
        initialiser(depth + 1);
        break;
    case 6:
    case 7:
    case 8:
        add("%s(", builtin());
        list(depth);
        add(")");
        break;
    case 9:
        add("%s(", ANY(clangs));
        for (unsigned n = chance(4); n-- > 0;) {
            chance(3) ? expr(depth + 1) : type(depth);
            if (n) add(", ");
        }
        add(")");
        break;
    case 10:
    case 11:
        add("(");
        expr(depth + 1);
        add(" %s ", ANY(binary));
        expr(depth + 1);
        add(")");
        break;
    case 12:
        add("%s", ANY(unary));
        expr(depth + 1);
        break;
    case 13:
        add("(");
        expr(depth + 1);
        add(")%s", ANY(members));
        break;
    case 14:
        expr(depth + 1);
        add("%s", ANY(members));
        break;
    case 15:
        add("(");
        expr(depth + 1);
        add(" ? ");
        expr(depth + 1);
        add(" : ");
        expr(depth + 1);
        add(")");
        break;
    case 16:
        value_name();
        add("[");
        expr(depth + 1);
        add("]");
        break;
    case 17:
        add("%s(", chance(2) ? "sizeof" : "vec_step");
        chance(2) ? type(depth) : expr(depth + 1);
        add(")");
        break;
    case 18:
        add("(");
        expr(depth + 1);
        add(")(");
        list(depth);
        add(")");
        break;
    case 19:
        switch (chance(4)) {
        case 0:
            add("({ ");
            stmt(depth + 1);
            expr(depth + 1);
            add("; })");
            break;
        case 1:
            add("_Generic(");
            expr(depth + 1);
            add(", ");
            type(depth);
            add(": ");
            expr(depth + 1);
            add(", default: ");
            expr(depth + 1);
            add(")");
            break;
        case 2:
            add("^{ ");
            stmt(depth + 1);
            add("}");
            break;
        default: add("&"); value_name();
        }
        break;
    case 20: add("%s", builtin()); break;
    default: value_name();
    }
}

static void attribute(unsigned depth) {
    static const char *const attributes[] = {"aligned",
                                             "packed",
                                             "reqd_work_group_size",
                                             "work_group_size_hint",
                                             "vec_type_hint",
                                             "opencl_unroll_hint",
                                             "ext_vector_type",
                                             "vector_size",
                                             "address_space",
                                             "overloadable",
                                             "enable_if",
                                             "mode",
                                             "alias",
                                             "section",
                                             "constructor",
                                             "cleanup",
                                             "format",
                                             "nonnull",
                                             "pure",
                                             "noinline",
                                             "always_inline",
                                             "endian",
                                             "unused",
                                             "naked",
                                             "weak",
                                             "convergent",
                                             "nosvm",
                                             "kernel",
                                             "opencl_global",
                                             "opencl_local",
                                             "opencl_constant",
                                             "may_alias",
                                             "transparent_union",
                                             "neon_vector_type",
                                             "matrix_type",
                                             "annotate",
                                             "diagnose_if",
                                             "callback",
                                             "alloc_size",
                                             "target",
                                             "ifunc",
                                             "nomerge",
                                             "preserve_most",
                                             "regcall",
                                             "vectorcall",
                                             "amdgpu_kernel",
                                             "musttail",
                                             "loader_uninitialized",
                                             "swiftcall",
                                             "type_tag_for_datatype",
                                             "assume_aligned",
                                             "intel_reqd_sub_group_size",
                                             "availability",
                                             "objc_gc",
                                             "counted_by",
                                             "btf_type_tag",
                                             "noderef",
                                             "ms_struct",
                                             "sycl_kernel",
                                             "work_group_size",
                                             "cpu_dispatch",
                                             "target_clones",
                                             "error",
                                             "tls_model",
                                             "visibility",
                                             "no_builtin"};
    static const char *const modes[] = {"SI", "V4SI", "DI",      "OI", "QI",
                                        "TF", "XC",   "\"fun\"", "fun"};
    add("__attribute__((%s", ANY(attributes));
    switch (chance(5)) {
    case 0: break;
    case 1: add("(%s)", ANY(modes)); break;
    case 2:
        add("(");
        type(depth);
        add(")");
        break;
    default:
        add("(");
        expr(depth + 1 > 2 ? depth + 1 : 2);
        if (chance(2)) add(", %s", ANY(literals));
        add(")");
    }
    add(")) ");
}

static void declaration(unsigned depth) {
    if (chance(4) == 0) add("%s ", ANY(spaces));
    if (chance(8) == 0) attribute(depth);
    type(depth);
    unsigned number = chance(20);
    add(" %s%u", chance(8) ? "v" : builtin(), number);
    if (chance(3) == 0) {
        add("[");
        if (chance(3)) chance(2) ? expr(depth + 2) : add("%s", ANY(literals));
        add("]");
    }
    if (chance(10) == 0) attribute(depth);
    if (chance(4)) {
        add(" = ");
        initialiser(depth + 1);
    }
    add(";\n");
}

static void stmt(unsigned depth) {
    const char *word;
    if (depth > DEEPEST) {
        add(";\n");
        return;
    }
    switch (chance(16)) {
    case 0:
    case 1:
    case 2:
    case 3: declaration(depth); break;
    case 4:
        add("if (");
        expr(depth + 1);
        add(") ");
        stmt(depth + 1);
        break;
    case 5:
        add("for (");
        expr(depth + 1);
        add("; ");
        expr(depth + 1);
        add("; ");
        expr(depth + 1);
        add(") ");
        stmt(depth + 1);
        break;
    case 6:
        add("switch (");
        expr(depth + 1);
        add(") { case ");
        expr(depth + 1);
        if (chance(3) == 0) {
            add(" ... ");
            expr(depth + 1);
        }
        add(": ");
        stmt(depth + 1);
        add("}\n");
        break;
    case 7:
        add("%s", chance(2) ? "#pragma unroll " : "#pragma OPENCL EXTENSION ");
        word = ANY(literals);
        add("%s : %s\n", chance(2) ? "1000000000" : builtin(), word);
        break;
    case 8:
        switch (chance(6)) {
        case 0:
            word = builtin();
            add("asm(\"x\" : \"=r\"(%s) : \"r\"(%s));\n", ANY(names), word);
            break;
        case 1:
            word = builtin();
            add("goto %s; %s: ;\n", word, word);
            break;
        case 2: add("_Static_assert(%s, \"m\");\n", ANY(literals)); break;
        case 3:
            add("return ");
            expr(depth + 1);
            add(";\n");
            break;
        case 4:
            attribute(depth);
            add("for (;;) break;\n");
            break;
        default: add("goto *%s;\n", ANY(names));
        }
        break;
    case 9:
        add("{ ");
        stmt(depth + 1);
        stmt(depth + 1);
        add("}\n");
        break;
    default: expr(depth); add(";\n");
    }
}

static void outside(void) {
    const char *width;
    switch (chance(7)) {
    case 0:
    case 1: add("constant "); /* fall through */
    case 2: declaration(1); break;
    case 3:
        type(2);
        add(" %s(", chance(2) ? "g" : builtin());
        for (unsigned n = chance(3); n-- > 0;) {
            type(2);
            add(" p%u%s", n, n ? ", " : "");
        }
        add(")%s\n", chance(2) ? ";" : " { }");
        break;
    case 4:
        add("struct r%u { ", chance(9));
        declaration(2);
        width = chance(3) ? "" : ":3";
        add("%s x%s; } ", ANY(opaque), width);
        if (chance(3) == 0) attribute(2);
        add(";\n");
        break;
    case 5:
        add("typedef ");
        type(2);
        add(" ");
        if (chance(2)) attribute(2);
        add("%s;\n", chance(2) ? "W" : builtin());
        break;
    default:
        add("enum { ");
        value_name();
        add(" = ");
        expr(2);
        add(" };\n");
    }
}

static void kernel(const char *name) {
    add("kernel ");
    if (chance(4) == 0) attribute(1);
    add("void %s(global uint *out, volatile global int *vol, sampler_t smp, read_only image2d_t "
        "img,\n"
        "  read_only image3d_t img3, write_only image2d_t wimg, global float4 *gp, local int *lp,\n"
        "  constant float *cp, struct s st, int n",
        name);
    if (chance(3) == 0) {
        add(", ");
        type(1);
        add(" par");
    }
    add(") {\n  event_t ev = 0; event_t evs[2]; float f = n; float4 f4 = gp[0]; int4 i4 = "
        "as_int4(f4); bool b = n;\n"
        "  union u un; int arr[4]; float arr2[2][3]; local int loc[16]; size_t sz = n; double d = "
        "f; char c = n;\n"
        "  struct s *pst = &st; float4 varr[2]; uint x = 1; const sampler_t own = 1; global "
        "event_t *gev = 0;\n  ");
    for (unsigned i = 1 + chance(4); i-- > 0;) stmt(0);
    add("  out[0] = x;\n}\n");
}

const char *snippet_source(uint64_t seed) {
    state = seed * 0x2545f4914f6cdd1du + 1;
    length = 0;
    add("typedef float4 T; typedef int V __attribute__((ext_vector_type(4))); typedef int A[3]; "
        "typedef global int *P;\n"
        "typedef void F(int); struct s { int a; float b; float4 v; int arr[3]; }; union u { int a; "
        "float b; }; enum e { E1 = 3, E2 };\n"
        "constant float cst[4] = {1, 2}; constant struct s table[2] = {{1}};\nfloat fun(float q) { "
        "return q; }\nvoid proc(void) {}\n");
    for (unsigned i = chance(3); i-- > 0;) outside();
    kernel("k");
    return text;
}
