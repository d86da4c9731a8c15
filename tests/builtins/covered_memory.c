/* Functions that access memory: vectors, atomics, copies by the group, and synchronisation. */
#include "coverage.h"

#include <stdio.h>
#include <string.h>

/* ---- vload and vstore ---- */

static bool vload_suits(const struct coverage_test *t) { return !strncmp(t->c.name, "vload", 5); }
static bool vstore_suits(const struct coverage_test *t) { return !strncmp(t->c.name, "vstore", 6); }

/* Elements from one vector in memory to the next. */
static unsigned apart(const struct coverage_test *t, const struct coverage_type *value) {
    return !strncmp(t->c.name, "vloada", 6) || !strncmp(t->c.name, "vstorea", 7)
               ? coverage_stride(value)
               : value->count;
}
static const char *stored(const struct coverage_type *p) {
    return p->kind == AST_HALF ? "ushort" : p->name;
}

static void vload_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[1];
    unsigned n = apart(t, &t->result);
    if (!strcmp(p->space, "__global") || !strcmp(p->space, "__constant")) {
        coverage_add(text, size, COVERAGE_OUT "%s(i, (%s %s *)%s);\n", t->result.name, t->c.name,
                     p->space, p->name, p->space[2] == 'g' ? "b1" : "b7");
        return;
    }
    bool local = !strcmp(p->space, "__local");
    coverage_add(text, size, "%s%s t[%u] __attribute__((aligned(64)));\n", local ? "local " : "",
                 stored(p), (local ? ITEMS : 2) * n);
    coverage_add(text, size,
                 "for (uint j = 0; j < %u; j++) t[%s * %u + j] = ((global %s *)b1)[i * %u + j];\n",
                 n, local ? "i" : "1", n, stored(p), n);
    coverage_add(text, size, COVERAGE_OUT "%s(%s, (%s %s *)t);\n", t->result.name, t->c.name,
                 local ? "i" : "1", p->space, p->name);
}
static bool vload_check(const struct coverage_test *t) {
    unsigned n = apart(t, &t->result);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < t->result.count; c++) {
            struct reference_number in = coverage_component(1, &t->args[1], i * n + c);
            struct reference_number got =
                coverage_component(RESULT, &t->result, i * coverage_stride(&t->result) + c);
            struct want w = {.bits = in.bits};
            if (in.kind == AST_HALF) w = (struct want){.real = true, .value = reference_real(in)};
            if (!reference_accepts(&w, got)) return coverage_wrong(t, i, c, &w, got, NULL);
        }
    return true;
}

static void vstore_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[2];
    unsigned n = apart(t, &t->args[0]);
    const char *value = t->args[0].name;
    if (!strcmp(p->space, "__global")) {
        coverage_add(text, size, "%s(((global %s *)b0)[i], i, (global %s *)b5);\n", t->c.name,
                     value, p->name);
        return;
    }
    bool local = !strcmp(p->space, "__local");
    coverage_add(text, size, "%s%s t[%u] __attribute__((aligned(64)));\n", local ? "local " : "",
                 stored(p), (local ? ITEMS : 2) * n);
    coverage_add(text, size, "%s(((global %s *)b0)[i], %s, (%s %s *)t);\n", t->c.name, value,
                 local ? "i" : "1", p->space, p->name);
    coverage_add(text, size,
                 "for (uint j = 0; j < %u; j++) ((global %s *)b5)[i * %u + j] = t[%s * %u + j];\n",
                 t->args[0].count, stored(p), n, local ? "i" : "1", n);
}
static bool vstore_check(const struct coverage_test *t) {
    unsigned n = apart(t, &t->args[0]);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < t->args[0].count; c++) {
            struct reference_number in =
                coverage_component(0, &t->args[0], i * coverage_stride(&t->args[0]) + c);
            struct reference_number got = coverage_component(RESULT, &t->args[2], i * n + c);
            struct want w = {.bits = in.bits};
            if (got.kind == AST_HALF)
                w = reference_convert(in, AST_HALF, false, t->c.bind.rounded, t->c.bind.rounding);
            if (!reference_accepts(&w, got)) return coverage_wrong(t, i, c, &w, got, NULL);
        }
    return true;
}

/* ---- atomics: every item its own place; contention is another test's ---- */

static bool atomic_suits(const struct coverage_test *t) { return !strncmp(t->c.name, "atom", 4); }
static void atomic_body(const struct coverage_test *t, char *text, size_t size) {
    const char *T = t->result.name;
    bool local = !strcmp(t->args[0].space, "__local");
    if (local)
        coverage_add(text, size, "local %s p[%d];\n", T, ITEMS);
    else
        coverage_add(text, size, "global %s *p = (global %s *)b6;\n", T, T);
    coverage_add(text, size, "p[i] = ((global %s *)b0)[i];\n" COVERAGE_OUT "%s(p + i", T, T,
                 t->c.name);
    for (unsigned a = 1; a < t->c.nargs; a++)
        coverage_add(text, size, ", ((global %s *)b%u)[i]", T, a);
    coverage_add(text, size, ");\n");
    if (local) coverage_add(text, size, "((global %s *)b6)[i] = p[i];\n", T);
}
static bool atomic_check(const struct coverage_test *t) {
    const char *op = strchr(t->c.name, '_') + 1;
    for (unsigned i = 0; i < ITEMS; i++) {
        struct reference_number old = coverage_component(0, &t->result, i),
                                x = coverage_component(1, &t->result, i);
        __int128 a = old.kind == AST_ULONG ? (__int128)old.bits : reference_integer(old),
                 b = old.kind == AST_ULONG ? (__int128)x.bits : reference_integer(x);
        uint64_t y = coverage_component(2, &t->result, i).bits;
        uint64_t want = !strcmp(op, "add")       ? old.bits + x.bits
                        : !strcmp(op, "sub")     ? old.bits - x.bits
                        : !strcmp(op, "xchg")    ? x.bits
                        : !strcmp(op, "inc")     ? old.bits + 1
                        : !strcmp(op, "dec")     ? old.bits - 1
                        : !strcmp(op, "cmpxchg") ? (old.bits == x.bits ? y : old.bits)
                        : !strcmp(op, "min")     ? (a < b ? old.bits : x.bits)
                        : !strcmp(op, "max")     ? (a > b ? old.bits : x.bits)
                        : !strcmp(op, "and")     ? (old.bits & x.bits)
                        : !strcmp(op, "or")      ? (old.bits | x.bits)
                                                 : (old.bits ^ x.bits);
        if (!coverage_same(t, i, 0, old.bits, coverage_component(RESULT, &t->result, i)) ||
            !coverage_same(t, i, 1, want, coverage_component(SECOND, &t->result, i)))
            return false;
    }
    return true;
}

/* ---- copies by the whole group ---- */

static bool copy_suits(const struct coverage_test *t) {
    return !strncmp(t->c.name, "async_", 6) || !strcmp(t->c.name, "prefetch");
}
static bool is_strided(const struct coverage_test *t) {
    return strstr(t->c.name, "strided") != NULL;
}
static bool from_local(const struct coverage_test *t) { return t->args[0].space[2] == 'g'; }
static void copy_body(const struct coverage_test *t, char *text, size_t size) {
    const char *T = t->args[0].name, *more = is_strided(t) ? ", 2" : "";

    if (t->c.name[0] == 'p') {
        coverage_add(text, size, "%s((global %s *)b0, 8);\n" COVERAGE_OUT "((global %s *)b0)[i];\n",
                     t->c.name, T, T, T);
        return;
    }
    coverage_add(text, size, "local %s p[%d];\n", T, ITEMS);
    if (from_local(t))
        coverage_add(
            text, size,
            "p[i] = ((global %s *)b1)[i];\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
            "event_t e = %s((global %s *)b5, (const local %s *)p, %d%s, 0);\nwait_group_events(1, "
            "&e);\n",
            T, t->c.name, T, T, ITEMS, more);
    else
        coverage_add(text, size,
                     "event_t e = %s(p, (const global %s *)b1, %d%s, 0);\nwait_group_events(1, "
                     "&e);\n" COVERAGE_OUT "p[i];\n",
                     t->c.name, T, ITEMS, more, T);
}
static bool copy_check(const struct coverage_test *t) {
    const struct coverage_type *g = &t->args[0];
    unsigned from = t->c.name[0] == 'p' ? 0 : 1, in = 1, out = 1;
    if (is_strided(t)) *(from_local(t) ? &out : &in) = 2;
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < g->count; c++)
            if (!coverage_same(t, i, c,
                               coverage_component(from, g, i * in * coverage_stride(g) + c).bits,
                               coverage_component(RESULT, g, i * out * coverage_stride(g) + c)))
                return false;
    return true;
}

/* ---- synchronisation, printf: the neighbour's value arrives ---- */

static bool sync_suits(const struct coverage_test *t) {
    return coverage_is_void(&t->result) || !strcmp(t->c.name, "printf");
}
static void sync_body(const struct coverage_test *t, char *text, size_t size) {
    const struct coverage_type *p = &t->args[t->c.nargs - 1];
    coverage_add(text, size, "local volatile uint p[%d];\np[i] = ((global uint *)b4)[i];\n", ITEMS);
    if (!strcmp(t->c.name, "printf"))
        coverage_add(text, size, "printf(\"\");\n");
    else if (!strcmp(t->c.name, "wait_group_events") && !strcmp(p->space, "__private"))
        coverage_add(text, size, "event_t e = 0;\nwait_group_events(1, &e);\n");
    else if (!strcmp(t->c.name, "wait_group_events"))
        coverage_add(
            text, size,
            "p[i] = 0; wait_group_events(1, (%s event_t *)%s);\np[i] = ((global uint *)b4)[i];\n",
            p->space, p->space[2] == 'l' ? "p" : "b6");
    else
        coverage_add(text, size, "%s(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", t->c.name);
    coverage_add(text, size,
                 "barrier(CLK_LOCAL_MEM_FENCE);\n((global uint *)b5)[i] = p[(i + 1) %% %d];\n",
                 ITEMS);
}
static bool sync_check(const struct coverage_test *t) {
    struct coverage_type u = {.kind = AST_UINT, .count = 1};
    for (unsigned i = 0; i < ITEMS; i++)
        if (!coverage_same(t, i, 0, coverage_component(4, &u, (i + 1) % ITEMS).bits,
                           coverage_component(RESULT, &u, i)))
            return false;
    return true;
}

const struct coverage_family covered_memory[] = {
    {vload_suits, vload_body, vload_check, false},
    {vstore_suits, vstore_body, vstore_check, false},
    {atomic_suits, atomic_body, atomic_check, false},
    {copy_suits, copy_body, copy_check, false},
    {sync_suits, sync_body, sync_check, false},
    {0},
};
