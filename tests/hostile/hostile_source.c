#include "hostile_source.h"

#include <stdarg.h>

#include "hostile.h"

enum { ROOM = 1 << 15, MAX_BLOCK = 3 };

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

static unsigned chance(unsigned n) { return hostile_chance(n); }

/* ---- expressions: each in a buffer of its own, of a few that go round ---- */

static const char *form(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *form(const char *format, ...) {
    static char ring[64][512];
    static unsigned next;
    char *at = ring[next++ % 64];
    va_list list;
    va_start(list, format);
    vsnprintf(at, sizeof ring[0], format, list);
    va_end(list);
    return at;
}

static const char *const types[] = {
    "char",   "uchar", "short",  "ushort", "int",    "uint",    "long",    "ulong",   "float",
    "double", "char2", "uchar3", "short4", "int2",   "int3",    "int4",    "int8",    "int16",
    "long2",  "long4", "float2", "float4", "float8", "float16", "double2", "ulong16", "struct big"};
static const char *const vectors[] = {"char", "short", "int", "long", "float", "double", "uchar"};
static const char *const spaces[] = {"global", "local", "private", "constant"};
static const char *const numbers[] = {
    "0",          "-1",      "1",          "-4",         "4095",       "4096",      "4999",
    "5000",       "5001",    "16384",      "16385",      "65535",      "65536",     "0x100000",
    "0x7fffffff", "INT_MIN", "0x40000000", "0x3fffffff", "0x20000000", "-4096",     "-65536",
    "0xfffff000", "1000000", "-1000000",   "0x10000000", "0x8000000",  "2147483644"};

/* An integer that is the same for all work-items. */
static const char *uniform(void) {
    switch (chance(6)) {
    case 0: return "n";
    case 1: return "m";
    case 2: return form("(n * %u)", 1 + chance(100000));
    case 3: return form("(int)%uu", chance(1u << 31) * 2 + chance(2));
    default: return HOSTILE_ANY(numbers);
    }
}

static bool mild; /* most indices are inside, so that more than the first statement runs */

static const char *wild(void) {
    if (mild && chance(12)) return form("(%s & %u)", chance(2) ? "x" : "i", 1 + chance(7));
    switch (chance(14)) {
    case 0: return form("(g * (int)%s)", uniform());
    case 1: return form("(i - %s)", uniform());
    case 2: return form("(i * %u)", 1u << chance(31));
    case 3: return "x";
    case 4: return "(x >> (i & 31))";
    case 5: return "(int)(size_t)o";
    case 6: return "(int)(size_t)l";
    case 7: return "(int)(size_t)&a[0]";
    case 8: return "(int)(size_t)(h + g)";
    case 9: return "o[i & 15]";
    case 10: return form("((i & %u) ? (int)%s : i)", 1 + chance(31), uniform());
    case 11: return "i";
    default: return uniform();
    }
}

static const char *base(const char *space) {
    if (chance(mild ? 40 : 4) == 0) return wild();
    switch (*space) {
    case 'g': return chance(2) ? "o" : "h";
    case 'l': return chance(2) ? "l" : "fixed";
    case 'c': return chance(2) ? "c" : "table";
    default: return chance(2) ? "a" : "&x";
    }
}

static const char *pointer(const char *space, const char *type) {
    const char *b = base(space);
    if (mild && chance(12)) return form("((%s %s *)(size_t)%s + (i & 1))", space, type, b);
    bool cast = chance(5) == 0;
    return form("((%s %s *)(%s%s%s%s)%s%s)", space, type, cast ? "(size_t)(" : "(size_t)", b,
                cast ? ") + " : "", cast ? wild() : "", chance(6) ? " + " : " - ", wild());
}

static const char *value(void) {
    switch (chance(9)) {
    case 0: return form("x / %s", wild());
    case 1: return form("x %% (%s)", wild());
    case 2: return form("(x << (%s)) + (int)((uint)x >> (%s))", wild(), wild());
    case 3: return form("(int)(f * %s)", chance(2) ? "1e30f" : "NAN");
    case 4: return form("(int)((long)INT_MIN * x / (long)(%s))", wild());
    case 5: return form("(int)(uchar)(f * 1e%uf)", chance(38));
    case 6: return form("INT_MIN / (%s | -1)", wild());
    case 7: return form("(int)((ulong)x >> (%s)) + convert_int_sat(f / 0.0f)", wild());
    default: return wild();
    }
}

/* ---- statements ---- */

static void store(void) {
    const char *space = spaces[chance(3)], *type = HOSTILE_ANY(types);
    if (!strcmp(type, "struct big"))
        add("*%s = *%s;\n", pointer(space, type), pointer(spaces[chance(4)], type));
    else
        add("*%s = (%s)(%s);\n", pointer(space, type), type, chance(3) ? "x" : wild());
}
static void load(void) {
    const char *type = types[chance(sizeof types / sizeof *types - 1)];
    const char *p = pointer(HOSTILE_ANY(spaces), type);
    if (strpbrk(type, "23468"))
        add("{ %s v = *%s; x += (int)(v.s0 + v.s1); }\n", type, p);
    else
        add("x += (int)*%s;\n", p);
}
static void element(void) {
    static const char *const arrays[] = {"a", "b", "fixed", "l", "o", "h"};
    const char *array = HOSTILE_ANY(arrays);
    if (chance(2))
        add("%s[%s] = %s;\n", array, wild(), value());
    else
        add("x ^= %s[%s];\n", array, wild());
}
static void atomic(void) {
    static const char *const calls[] = {"add", "sub", "min", "max", "and", "or", "xor", "xchg"};
    const char *space = spaces[chance(2)], *type = chance(2) ? "int" : "uint";
    switch (chance(5)) {
    case 0: add("x += atomic_cmpxchg(%s, 1, (%s)x);\n", pointer(space, type), type); break;
    case 1: add("x += (int)atomic_xchg(%s, f);\n", pointer(space, "float")); break;
    case 2: add("x += atomic_inc(%s);\n", pointer(space, type)); break;
    case 3:
        if (chance(3) == 0) {
            add("x += (int)atom_add(%s, 5L);\n", pointer("global", "long"));
            break;
        } /* fall through */
    default: add("x += atomic_%s(%s, (%s)i);\n", HOSTILE_ANY(calls), pointer(space, type), type);
    }
}
static void copying(void) {
    static const char *const sizes[] = {"n", "m", "4", "200", "5000", "100000", "0xffffffffu", "0"};
    const char *type = chance(2) ? "int" : "int4";
    bool to_local = chance(2);
    const char *p = to_local ? "local" : "global", *q = to_local ? "global" : "local";
    const char *pb = to_local ? (chance(2) ? "l" : "fixed") : "o", *qb = to_local ? "h" : "l";
    const char *po = uniform(), *qo = chance(2) ? "0" : uniform(), *size = HOSTILE_ANY(sizes);
    if (chance(4) == 0)
        add("{ event_t e = async_work_group_strided_copy((%s %s *)%s + %s, (%s %s *)%s + %s, %s, "
            "%s, 0); wait_group_events(1, &e); }\n",
            p, type, pb, po, q, type, qb, qo, size, uniform());
    else
        add("{ event_t e = async_work_group_copy((%s %s *)%s + %s, (%s %s *)%s + %s, %s, 0); "
            "wait_group_events(1, &e); }\n",
            p, type, pb, po, q, type, qb, qo, size);
    if (chance(4) == 0) add("prefetch(o + %s, %s);\n", wild(), HOSTILE_ANY(sizes));
}
static void vectored(void) {
    static const unsigned widths[] = {2, 3, 4, 8, 16};
    const char *type = HOSTILE_ANY(vectors);
    unsigned width = HOSTILE_ANY(widths);
    switch (chance(4)) {
    case 0:
        add("vstore%u((%s%u)(x), %s, %s);\n", width, type, width, wild(),
            pointer(spaces[chance(3)], type));
        break;
    case 1: add("vstore_half(f, %s, %s);\n", wild(), pointer("global", "half")); break;
    case 2: add("f += vload_half(%s, %s);\n", wild(), pointer(HOSTILE_ANY(spaces), "half")); break;
    default:
        add("x += (int)vload%u(%s, %s).s1;\n", width, wild(), pointer(HOSTILE_ANY(spaces), type));
    }
}
static void imaging(void) {
    static const char *const reals[] = {"NAN", "INFINITY", "-INFINITY", "1e30f", "-1e30f",
                                        "f",   "(float)x", "-0.0f",     "3e9f"};
    switch (chance(4)) {
    case 0: add("f += read_imagef(ri, s, (int2)(%s, %s)).x;\n", wild(), wild()); break;
    case 1:
        add("f += read_imagef(ri, s, (float2)(%s, %s)).w;\n", HOSTILE_ANY(reals),
            HOSTILE_ANY(reals));
        break;
    case 2: add("x += read_imagei(ri, s, (int2)(%s, %s)).y;\n", wild(), wild()); break;
    default: add("write_imagef(wi, (int2)(%s, %s), (float4)(f));\n", wild(), wild());
    }
}
static void printing(void) {
    switch (chance(4)) {
    case 0: add("printf(\"%%s\\n\", (constant char *)(size_t)%s);\n", wild()); break;
    case 1: add("printf(\"%%s %%d\\n\", \"good\", %s);\n", wild()); break;
    case 2: add("printf(\"%%v4hld %%2147483647d %%.999999f\\n\", (int4)(x), x, f);\n"); break;
    default: add("if (i == 3) printf(\"%%d %%f %%p\\n\", %s, f, o + %s);\n", value(), wild());
    }
}
static void pointing(void) {
    add("q[%s] = o + %s;\nif (x & %u) *q[i & 3] = x;\n", wild(), wild(), 1 + chance(15));
}
static void calling(void) {
    add("x += far((global int *)(size_t)%s, %s);\n", base("global"), wild());
}
static void arithmetic(void) { add("x = %s;\nf = f * 3 + x;\n", value()); }

static void statement(unsigned depth);
static void block(unsigned depth) {
    add("{\n");
    for (unsigned n = 1 + chance(MAX_BLOCK); n; n--) statement(depth + 1);
    add("}\n");
}
static void flowing(unsigned depth) {
    switch (chance(depth ? 5 : 7)) {
    case 0:
        add("if (x > %s) ", wild());
        block(depth);
        break;
    case 1:
        add("for (int j = 0; j < %u; j++) ", 1 + chance(100));
        block(depth);
        break;
    case 2: /* over pages */
        add("for (int j = 0; j < 3000; j++) %s[j * %s] = j;\n", chance(2) ? "o" : "l", uniform());
        break;
    case 3: add("if (i & %u) barrier(CLK_LOCAL_MEM_FENCE);\n", 1 + chance(31)); break;
    case 4:
        add("switch (%s) { case 0: x = 3; case -1: o[x] = 1; break; default: l[x] = 2; }\n",
            wild());
        break;
    case 5:
        if (chance(4) == 0)
            add("for (int j = 0; j != x || h[0] != 77; j += 2) o[j & 7] = x;\n");
        else
            add("for (int j = 0; j < (i & 7); j++) barrier(CLK_GLOBAL_MEM_FENCE);\n");
        break;
    default: add("while (x > 0 && x < n) x += %u;\n", 1 + chance(50)); break;
    }
}

static void statement(unsigned depth) {
    static void (*const plain[])(void) = {store,    store,   load,      load,    element,
                                          element,  atomic,  vectored,  imaging, printing,
                                          pointing, calling, arithmetic};
    unsigned kind = chance(8);
    if (kind < 6 || depth > 2)
        HOSTILE_ANY(plain)();
    else if (kind == 6 && depth == 0)
        copying();
    else
        flowing(depth);
}

const char *hostile_source(unsigned *local_bytes) {
    length = 0;
    mild = chance(2);
    *local_bytes = 4u << chance(10);
    add("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "struct big { int n[20]; char c[3]; };\n"
        "constant int table[9] = {1, 2, 3};\n"
        "int far(global int *p, int at) { p[at] = at; return p[-at]; }\n"
        "kernel void k(global int *o, global int *h, constant int *c, local int *l,\n"
        "    read_only image2d_t ri, write_only image2d_t wi, sampler_t s, int n, int m) {\n"
        "int g = get_global_id(0), i = get_local_id(0), x = n ^ i, a[%u], b[4];\n"
        "local int fixed[%u];\n"
        "global int *q[4];\nfloat f = i;\n"
        "for (int j = 0; j < 4; j++) q[j] = o, b[j] = a[j] = j;\n",
        4 + chance(30), 1 + chance(64));
    for (unsigned n = 1 + chance(5); n; n--) statement(0);
    add("o[i] = x + (int)f + a[x & 3] + b[i & 3];\n}\n");
    return text;
}
