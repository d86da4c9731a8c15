/* The generator behind writer.h: statements, functions, kernels. */
#include <stdlib.h>

#include "writer_private.h"

/* ---- statements ---- */

static void statement(struct writer *w);

static unsigned declare(struct writer *w, struct writer_type t, bool counter) {
    w->vars[w->nvars++] = (struct writer_variable){t, w->next, counter};
    return w->next++;
}

static void block(struct writer *w, unsigned n) {
    unsigned nvars = w->nvars, label = w->label;
    bool labelled = (w->divergent || !w->barriers) && writer_chance(w, 15);
    if (labelled) w->label = ++w->labels;
    writer_put(w, "{\n");
    if (writer_chance(w, 30) && w->nvars < VARIABLES - 2) {
        struct writer_type t = writer_any_type(w);
        writer_put(w, "%s x%u = ", writer_name_of(t).text, w->next);
        writer_expr(w, t, 1);
        writer_put(w, ";\n");
        declare(w, t, false);
    }
    w->nest++;
    while (n--) statement(w);
    w->nest--;
    if (labelled) writer_put(w, "l%u:;\n", w->label);
    writer_put(w, "}\n");
    w->nvars = nvars;
    w->label = label;
}

static const struct writer_variable *target(struct writer *w) {
    for (;;) {
        const struct writer_variable *v = &w->vars[writer_pick(w, w->nvars)];
        if (!v->counter) return v;
    }
}

static void assign_part(struct writer *w, const struct writer_variable *v) {
    unsigned n = v->type.n;
    if (n >= 4 && writer_chance(w, 30)) {
        writer_put(w, "x%u.%s = ", v->number,
                   (const char *[]){"lo", "hi", "odd", "even"}[writer_pick(w, 4)]);
        writer_expr(w, (struct writer_type){v->type.base, n / 2}, 1);
    } else if (n >= 2 && writer_chance(w, 50)) {
        unsigned a = writer_pick(w, n), b = (a + 1 + writer_pick(w, n - 1)) % n;
        writer_put(w, "x%u.s%x%x = ", v->number, a, b);
        writer_expr(w, (struct writer_type){v->type.base, 2}, 1);
    } else {
        const char *assigns = writer_floating(v->type)
                                  ? (const char *[]){"=", "+=", "*="}[writer_pick(w, 3)]
                                  : (const char *[]){"=", "^=", "+=", ">>="}[writer_pick(w, 4)];
        writer_put(w, "x%u.s%x %s ", v->number, writer_pick(w, n), assigns);
        writer_expr(w, (struct writer_type){v->type.base, 1}, 1);
    }
    writer_put(w, ";\n");
}

static void assign(struct writer *w) {
    const struct writer_variable *v = target(w);
    if (v->type.n > 1 && writer_chance(w, 35)) {
        assign_part(w, v);
    } else if (v->type.n == 1 && writer_chance(w, 10)) {
        writer_put(w, "x%u%s;\n", v->number, writer_chance(w, 50) ? "++" : "--");
    } else if (writer_chance(w, 35)) { /* computed in a type of its own when both are scalars */
        struct writer_type t =
            v->type.n == 1 ? (struct writer_type){writer_any_base(w), 1} : v->type;
        bool real = writer_floating(v->type) || writer_floating(t);
        writer_put(w, "x%u %s ", v->number,
                   real ? (const char *[]){"+=", "-=", "*=", "/="}[writer_pick(w, 4)]
                        : (const char *[]){"+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=",
                                           "%="}[writer_pick(w, 10)]);
        writer_expr(w, t, 1);
        writer_put(w, ";\n");
    } else {
        writer_put(w, "x%u = ", v->number);
        writer_expr(w, v->type, 0);
        writer_put(w, ";\n");
    }
}

/* Sums of all items, by operations whose order does not matter; texels of an image, of which each
 * item has its own. */
static void outside(struct writer *w) {
    static const char *const atomics[] = {"add", "sub", "min", "max", "and", "or", "xor"};
    if (w->helper) {
        assign(w);
    } else if (w->images && writer_chance(w, 60)) {
        writer_put(w, "write_imagef(line, (int)id, calm(");
        writer_expr(w, (struct writer_type){FLOAT, 4}, 1);
        writer_put(w, "));\n");
    } else {
        unsigned n = writer_pick(w, 7);
        bool is_signed = n < 2 || writer_chance(w, 50);
        writer_put(w, "atomic_%s((global %s *)sums + %u, ", atomics[n], is_signed ? "int" : "uint",
                   2 * n + is_signed);
        writer_scalar(w, is_signed ? INT : UINT, 1);
        writer_put(w, ");\n");
    }
}

static void memory(struct writer *w) {
    if (!w->arrays) {
        outside(w);
        return;
    }
    switch (writer_pick(w, 7)) {
    case 0:
        writer_put(w, "ai[");
        writer_masked(w, 7, 2);
        writer_put(w, "] %s ", writer_chance(w, 50) ? "=" : "^=");
        writer_scalar(w, INT, 1);
        break;
    case 1:
        writer_put(w, "af[");
        writer_masked(w, 3, 2);
        writer_put(w, "] %s ", writer_chance(w, 50) ? "=" : "+=");
        writer_scalar(w, FLOAT, 1);
        break;
    case 2:
        writer_put(w, "av[");
        writer_masked(w, 3, 2);
        writer_put(w, writer_chance(w, 50) ? "].yx = " : "].hi = ");
        writer_expr(w, (struct writer_type){SHORT, 2}, 1);
        break;
    case 3:
        writer_put(w, "{ int *q = &ai[");
        writer_masked(w, 3, 2);
        writer_put(w, "]; *q++ += ");
        writer_scalar(w, INT, 1);
        writer_put(w, "; q[%d] ^= *q; }", (int)writer_pick(w, 4) - 1);
        break;
    case 4:
        writer_put(w, "{ struct rec s = r; s.c %s ", writer_chance(w, 50) ? "=" : "+=");
        writer_scalar(w, CHAR, 1);
        writer_put(w, "; s.v.s%u = ", writer_pick(w, 4));
        writer_scalar(w, SHORT, 1);
        writer_put(w, "; s.f[");
        writer_masked(w, 1, 2);
        writer_put(w, "] = ");
        writer_scalar(w, FLOAT, 2);
        writer_put(w, "; if (s.c > %u) r = s; else r.l ^= s.c; }", writer_pick(w, 60));
        break;
    case 5:
        writer_put(w, "{ union pun p; p.u = ");
        writer_scalar(w, UINT, 1);
        writer_put(w, "; p.c.s%u ^= ", writer_pick(w, 4));
        writer_scalar(w, UCHAR, 1);
        writer_put(w, "; ai[%u] = p.s[", writer_pick(w, 8));
        writer_masked(w, 1, 2);
        writer_put(w, "]; }");
        break;
    default:
        writer_put(w, "bump(&ai[%u], (int)", writer_pick(w, 7));
        writer_scalar(w, INT, 1);
        writer_put(w, ")");
    }
    writer_put(w, ";\n");
}

/* Something of the work-item's row. */
static void result(struct writer *w) {
    struct writer_type t = writer_any_type(w);
    unsigned size = writer_base_size[t.base] * (t.n == 3 ? 4 : t.n), places = 256 / size;
    const char *calm = writer_floating(t) ? "calm" : "";
    if (t.base >= FLOAT && writer_chance(w, 20)) {
        static const char *const rounding[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
        const char *rounded = rounding[writer_pick(w, 5)];
        if (t.n == 1)
            writer_put(w, "vstore_half%s(%s(", rounded, calm);
        else
            writer_put(w, "vstore%s_half%u%s(%s(", writer_chance(w, 50) ? "a" : "", t.n, rounded,
                       calm);
        writer_expr(w, t, 1);
        writer_put(w, "), %u, (global half *)row);\n", writer_pick(w, 128 / (t.n == 3 ? 4 : t.n)));
    } else if (t.n == 1) {
        writer_put(w, "((global %s *)row)[%u] = %s(", writer_base_name[t.base],
                   writer_pick(w, places), calm);
        writer_expr(w, t, 1);
        writer_put(w, ");\n");
    } else {
        writer_put(w, "vstore%u(%s(", t.n, calm);
        writer_expr(w, t, 1);
        writer_put(w, "), %u, (global %s *)row);\n", writer_pick(w, places),
                   writer_base_name[t.base]);
    }
}

/* A variable, one component of it when it has more. */
static void assign_one(struct writer *w, const char *value) {
    const struct writer_variable *v = target(w);
    writer_put(w, "x%u%s = (%s)%s;", v->number, v->type.n > 1 ? ".s1" : "",
               writer_base_name[v->type.base], value);
}

/* From the table by way of local memory, all of the group together. */
static void fetch(struct writer *w) {
    struct writer_type t = {writer_any_base(w), (unsigned[]){1, 2, 4, 8, 16}[writer_pick(w, 5)]};
    const char *name = writer_name_of(t).text, *place = t.base == FLOAT    ? "floats"
                                                        : t.base == DOUBLE ? "doubles"
                                                                           : "table";
    unsigned n = 1 + writer_pick(w, 4);
    bool strided = writer_chance(w, 40);
    writer_put(w, "{ event_t e = async_work_group_%scopy((local %s *)share, ",
               strided ? "strided_" : "", name);
    writer_put(w, "(global const %s *)%s + %u, %u, %s0);\nwait_group_events(1, &e);\n", name, place,
               writer_pick(w, 2), n, strided ? "2, " : "");
    writer_put(w, "%s y = ((local %s *)share)[lid %% %u]%s; ", writer_base_name[t.base], name, n,
               t.n > 1 ? ".s1" : "");
    assign_one(w, "y");
    writer_put(w, " }\n");
}

/* Over local memory to other work-items, where all of the group are. */
static void trade(struct writer *w) {
    static const char *const atomics[] = {"add", "min", "max", "xor", "or", "and", "sub"};
    struct writer_type t = {writer_any_base(w), 1};
    const char *name = writer_base_name[t.base];
    if (!w->barriers) {
        assign(w);
        return;
    }
    writer_put(w, "barrier(CLK_LOCAL_MEM_FENCE);\n");
    if (writer_chance(w, 30)) {
        const char *atomic = atomics[writer_pick(w, 7)];
        writer_put(w, "if (lid == 0) sum = %u;\nbarrier(CLK_LOCAL_MEM_FENCE);\natomic_%s(&sum, ",
                   writer_pick(w, 1000), atomic);
        writer_scalar(w, INT, 1);
        writer_put(w, ");\nbarrier(CLK_LOCAL_MEM_FENCE);\n");
        assign_one(w, "sum");
        writer_put(w, "\n");
        return;
    }
    if (writer_chance(w, 25)) {
        fetch(w);
        return;
    }
    writer_put(w, "((local %s *)share)[lid] = ", name);
    writer_scalar(w, t.base, 1);
    writer_put(w, ";\nbarrier(CLK_LOCAL_MEM_FENCE);\n{ %s y = ((local %s *)share)[(lid + (uint)",
               name, name);
    writer_scalar(w, UINT, 1);
    writer_put(w, ") %% items];\n");
    assign_one(w, "y");
    writer_put(w, " }\n");
}

static void condition(struct writer *w) {
    writer_put(w, "if (");
    writer_scalar(w, writer_any_base(w), 1);
    writer_put(w, ") ");
}

static void branch(struct writer *w) {
    bool before = w->divergent;
    w->divergent = true;
    condition(w);
    block(w, 1 + writer_pick(w, 3));
    if (writer_chance(w, 50)) {
        writer_put(w, "else ");
        block(w, 1 + writer_pick(w, 2));
    }
    w->divergent = before;
}

/* Of few iterations; one whose iterations are the same for all may hold a barrier. */
static void loop(struct writer *w) {
    bool before = w->divergent, own = writer_chance(w, 60);
    unsigned kind = writer_pick(w, 3), c = w->next, switches = w->switches, nvars = w->nvars;
    if (w->nvars >= VARIABLES - 2) return;
    declare(w, (struct writer_type){INT, 1}, true);
    w->divergent |= own;
    w->switches = 0;
    w->loops += w->divergent;
    writer_put(w, "{ int x%u = 0; ", c);
    writer_put(w,
               kind == 0   ? "for (; x%u < "
               : kind == 1 ? "while (x%u++ < "
                           : "do { x%u++; if (x%u > ",
               c, c);
    if (own)
        writer_masked(w, 3, 2);
    else
        writer_put(w, "%u", 1 + writer_pick(w, 3));
    writer_put(w, kind == 0 ? "; x%u++) " : kind == 1 ? ") " : " + 1) break;\n", c);
    block(w, 1 + writer_pick(w, 3));
    if (kind == 2) writer_put(w, "} while (x%u < %u);", c, 2 + writer_pick(w, 3));
    writer_put(w, "}\n");
    w->loops -= w->divergent;
    w->divergent = before;
    w->switches = switches;
    w->nvars = nvars;
}

static void own_index(struct writer *w, unsigned mask) {
    if (writer_chance(w, 20)) {
        writer_put(w, "[%u]", writer_pick(w, mask + 1));
    } else if (writer_chance(w, 50)) {
        unsigned by = writer_pick(w, 9);
        writer_put(w, "[(ai[%u] >> %u) & %u]", writer_pick(w, 8), by, mask);
    } else {
        unsigned from = writer_pick(w, 8);
        writer_put(w, "[(lid * %u + %u) & %u]", writer_pick(w, 9), from, mask);
    }
}

/* What lanes that take it may do together with those of other cases. */
static void short_case(struct writer *w) {
    static const char *const operators[] = {"+", "-", "*", "^", "&", "|"};
    unsigned kind = writer_pick(w, 10);
    if (kind == 0 && writer_chance(w, 20)) {
        assign(w);
        return;
    }
    if (kind < 3)
        writer_put(w, "if (b & %u) b ", 1 + writer_pick(w, 9));
    else if (kind < 7) {
        writer_put(w, "ai");
        own_index(w, 7);
    } else {
        writer_put(w, kind < 9 ? "b " : "av");
        if (kind == 9) own_index(w, 3);
        if (kind == 9) writer_put(w, ".s%u", writer_pick(w, 4));
    }
    writer_put(w, "%s= ", operators[writer_pick(w, 6)]);
    writer_put(w, kind < 3 ? "lid; else b++" : kind < 5 ? "b ^ ai" : "ai");
    if (kind >= 3) own_index(w, 7);
    writer_put(w, ";\n");
}

static void short_cases(struct writer *w) {
    unsigned n = 2 + writer_pick(w, 6), otherwise = writer_pick(w, 2 * n);
    writer_put(w, "{ int b = ai[%u];\nswitch ((int)((", writer_pick(w, 8));
    writer_scalar(w, UINT, 2);
    writer_put(w, " + lid * %u) & 7)) {\n", 1 + writer_pick(w, 9));
    for (unsigned c = 0; c < n; c++) {
        if (c == otherwise)
            writer_put(w, "default:\n");
        else
            writer_put(w, "case %u:\n", c);
        for (unsigned s = writer_pick(w, 4); s; s--) short_case(w);
        writer_put(w, "break;\n");
    }
    writer_put(w, "}\nai[%u] += b; }\n", writer_pick(w, 8));
}

static void cases(struct writer *w) {
    bool before = w->divergent, defaulted = false;
    unsigned n = 1 + writer_pick(w, 4);
    w->divergent = true;
    w->switches++;
    writer_put(w, "switch ((int)");
    writer_masked(w, 7, 1);
    writer_put(w, ") {\n");
    for (unsigned c = 0; c < n; c++) {
        if (!defaulted && writer_chance(w, 25)) {
            writer_put(w, "default: ");
            defaulted = true;
        }
        writer_put(w, "case %u:\n", c * 2 + writer_pick(w, 2));
        block(w, 1 + writer_pick(w, 2));
        if (writer_chance(w, 65)) writer_put(w, "break;\n");
    }
    writer_put(w, "}\n");
    w->switches--;
    w->divergent = before;
}

static void leave(struct writer *w) {
    if (w->helper && writer_chance(w, 40)) {
        condition(w);
        writer_put(w, "return ");
        writer_scalar(w, UINT, 1);
        writer_put(w, ";\n");
    } else if (!w->helper && !w->barriers && writer_chance(w, 20)) {
        condition(w);
        writer_put(w, writer_chance(w, 50) ? "return;\n" : "goto out;\n");
        w->leaves = true;
    } else if (w->label && writer_chance(w, 40)) {
        condition(w);
        writer_put(w, "goto l%u;\n", w->label);
    } else if (w->loops) {
        condition(w);
        writer_put(w, w->switches || writer_chance(w, 50) ? "break;\n" : "continue;\n");
    } else {
        assign(w);
    }
}

static void statement(struct writer *w) {
    unsigned kind = writer_pick(w, 22);
    if (w->budget) w->budget--;
    bool deep = w->nest >= NEST || !w->budget;
    if (kind < 8) {
        assign(w);
    } else if (kind < 10) {
        if (w->arrays && writer_chance(w, 40))
            short_cases(w);
        else
            memory(w);
    } else if (kind < 12) {
        if (w->helper)
            assign(w);
        else
            result(w);
    } else if (kind < 14) {
        leave(w);
    } else if (kind < 16 && !w->divergent && !w->helper) {
        trade(w);
    } else if (deep) {
        assign(w);
    } else if (kind < 18) {
        branch(w);
    } else if (kind < 20) {
        loop(w);
    } else {
        cases(w);
    }
}

/* ---- functions ---- */

const char *const writer_prelude =
    "struct rec { char c; short4 v; long l; float f[2]; };\n"
    "union pun { uint u; uchar4 c; short s[2]; };\n"
    "constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "CLK_FILTER_NEAREST;\n"
    "constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_LINEAR;\n"
    "constant sampler_t around = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | "
    "CLK_FILTER_NEAREST;\n"
    "constant float scale[4] = {1.0f, -2.5f, 1e6f, 0.125f};\n"
    "long peel(struct rec r, int i) {\n"
    "    r.f[i & 1] += scale[i & 3];\n"
    "    if (r.f[0] > r.f[1]) return r.l - r.c;\n"
    "    return r.l ^ r.v.z ^ convert_long_sat(r.f[0]);\n"
    "}\n"
    "void bump(int *p, int by) {\n"
    "    if (by & 1) { p[1] = *p; return; }\n"
    "    *p += by;\n"
    "}\n"
    "#define CALM(type, one) static type __attribute__((overloadable)) calm(type v) {\\\n"
    "    return isnan(v) ? (type)one : v; }\n"
    "CALM(float, 1.0f) CALM(float2, 1.0f) CALM(float3, 1.0f) CALM(float4, 1.0f) CALM(float8, "
    "1.0f)\n"
    "CALM(float16, 1.0f) CALM(double, 1.0) CALM(double2, 1.0) CALM(double3, 1.0) CALM(double4, "
    "1.0)\n"
    "CALM(double8, 1.0) CALM(double16, 1.0)\n";

static void begin(struct writer *w) {
    writer_put(w,
               "global const float *floats = (global const float *)(table + %d);\n"
               "global const char *halves = table;\n",
               WRITER_FLOATS);
    if (w->doubles)
        writer_put(w, "global const double *doubles = (global const double *)(table + %d);\n",
                   WRITER_DOUBLES);
    if (w->arrays)
        writer_put(w, "int ai[8] = {1, 2, 3, lid};\nfloat af[4] = {id, 0.5f};\n"
                      "short4 av[4] = {(short4)(1, 2, 3, 4), (short4)(lid)};\n"
                      "struct rec r = {3, (short4)(1, -2, 3, id), -5, {1.0f, id}};\n");
}

static void body(struct writer *w, unsigned variables) {
    while (variables--) {
        struct writer_type t = writer_any_type(w);
        writer_put(w, "%s x%u = ", writer_name_of(t).text, w->next);
        writer_expr(w, t, 2);
        writer_put(w, ";\n");
        declare(w, t, false);
    }
    while (w->budget) statement(w);
}

static void helper(struct writer *w) {
    writer_put(w, "uint f%u(int x0, float x1, global const char *table, uint id, uint lid) {\n",
               w->functions);
    begin(w);
    w->nvars = w->next = 0;
    w->divergent = w->helper = true;
    w->budget = 1 + writer_pick(w, 5);
    declare(w, (struct writer_type){INT, 1}, false);
    declare(w, (struct writer_type){FLOAT, 1}, false);
    body(w, writer_pick(w, 2));
    if (w->arrays)
        writer_put(w, "return x0 ^ ai[3] ^ (uint)r.l ^ av[1].z ^ as_uint(calm(x1 + af[0]));\n}\n");
    else
        writer_put(w, "return x0 ^ as_uint(calm(x1));\n}\n");
    w->functions++;
    w->divergent = w->helper = false;
}

/* Most kernels are small: they cost the least and show as much. */
static unsigned any_budget(struct writer *w) {
    static const unsigned char sizes[] = {1, 1, 2, 2, 3, 4, 6, 12};
    unsigned size = sizes[writer_pick(w, 8)];
    return size + writer_pick(w, size + 1);
}

static void results(struct writer *w) {
    if (w->arrays)
        writer_put(w, "for (int i = 0; i < 8; i++) ((global int *)row)[i] += ai[i];\n"
                      "((global float *)row)[8] = calm(af[0] + af[1] + af[2] + af[3]);\n"
                      "vstore4(av[0] ^ av[1] ^ av[2] ^ av[3], 5, (global short *)row);\n"
                      "((global long *)row)[6] = peel(r, lid);\n");
    if (w->doubles) writer_put(w, "((global double *)row)[7] = 0.1 * id;\n");
    for (unsigned i = 0; i < w->nvars && i < 6; i++) {
        const struct writer_variable *v = &w->vars[i];
        const char *calm = writer_floating(v->type) ? "calm" : "",
                   *part = v->type.n > 1 ? ".s1" : "";
        writer_put(w, "((global %s *)row)[%u] = %s(x%u%s);\n", writer_base_name[v->type.base],
                   (64 + i * 8) / writer_base_size[v->type.base], calm, v->number, part);
    }
}

void writer_kernel(struct writer *w, unsigned number) {
    w->doubles = writer_chance(w, 30);
    w->arrays = writer_chance(w, 35);
    w->images = writer_chance(w, 25);
    w->barriers = writer_chance(w, 60);
    w->functions = 0;
    writer_put(w, "#define f0 f0_%u\n#define f1 f1_%u\n", number, number);
    if (writer_chance(w, 40))
        for (unsigned n = writer_pick(w, 3); n; n--) helper(w);
    writer_head(w, number,
                w->images ? ", read_only image2d_t flat, read_only image3d_t deep, read_only "
                            "image2d_array_t layers, write_only image1d_t line"
                          : "");
    writer_put(w, "local ulong share[256];\nlocal int sum;\n");
    begin(w);
    w->nvars = w->next = 0;
    w->budget = any_budget(w);
    w->leaves = false;
    body(w, 1 + writer_pick(w, 4));
    if (w->leaves) writer_put(w, "out:;\n");
    results(w);
    writer_put(w, "}\n#undef f0\n#undef f1\n");
}

const struct writer_kind writer_kind = {.name = "fuzz_sources", .images = true};
