/* Another generator behind writer.h: nested loops with pointers, indices and counters that go on
 * through them, where the next pass through an inner loop begins with what the last one has left.
 *
 * What is stored stays inside: a kernel's loops make at most ROOM stores of an int each, one behind
 * the other in the work-item's row, or CONTEST_ITEMS apart. */
#include "contest.h"
#include "writer_private.h"

/* Ints of a row: all, the one that is stored behind the loops, those for the loops. */
enum { INTS = WRITER_ROW / 4, LAST = INTS - 4, ROOM = LAST - 4 };

struct nest {
    struct writer *w;
    unsigned loops, stores; /* counters of loops so far; stores of one pass of the statement */
    const char *store;
    bool wide; /* stores are CONTEST_ITEMS apart */
};

/* What is stored, and read on the way, in each iteration of an innermost loop. */
static void statement(struct nest *t) {
    struct writer *w = t->w;
    const char *value = ANY(w, "k + a[id & 1023]", "(int)at + a[id & 1023]", "q + 100 * k",
                            "(int)at * 3 - q", "*c++", "s", "v[u & 3] + k", "k * 3 + j0");
    if (writer_chance(w, 25)) writer_put(w, "s = s * 3 + *c; c += %u; ", 1 + writer_pick(w, 2));
    if (writer_chance(w, 20)) writer_put(w, "v[u & 3] += *c++; u++; ");
    if (t->wide)
        writer_put(w, ANY(w, "out[p] = %s; p += %d; ", "*o = %s; o += %d; "), value, CONTEST_ITEMS);
    else if (t->stores == 2)
        writer_put(w, ANY(w, "*o++ = %s; *o++ = s; ", "o[0] = %s; o[1] = k; o += 2; "), value);
    else
        writer_put(w, t->store, value);
    writer_put(w, "k += 1; ");
}

/* Opens a loop of at most the returned number of iterations, on average over the outermost one's;
 * *close is how it ends. */
static unsigned open_loop(struct nest *t, unsigned most, const char **close) {
    struct writer *w = t->w;
    unsigned j = t->loops++, n = 1 + writer_pick(w, most);
    *close = "}\n";
    switch (writer_pick(w, most < 5 ? 7 : 11)) {
    case 0: writer_put(w, "for (int j%u = 0; j%u < %u; j%u++) {\n", j, j, n, j); return n;
    case 1: writer_put(w, "for (int j%u = 0; j%u < min(n, %u); ++j%u) {\n", j, j, n, j); return n;
    case 2: writer_put(w, "for (int j%u = %u; j%u > 0; j%u -= 1) {\n", j, n, j, j); return n;
    case 3:
        writer_put(w,
                   "for (int j%u = 0; j%u < %u; j%u++) {\nif (j%u == (j0 & 1)) { %scontinue; }\n",
                   j, j, n, j, j, ANY(w, "", "c++; ", "k += 7; "));
        return n;
    case 4:
        writer_put(w, "for (uint j%u = 0; j%u < %u; j%u++) {\nif (j%u > own) break;\n", j, j, n, j,
                   j);
        return n;
    case 5:
        writer_put(w, "{ int j%u = 0; do {\n", j);
        *close = ANY(w, "} while (0); }\n", "} while (k < 0); }\n");
        return 1;
    case 6:
        writer_put(w, "{ int j%u = %u; while (j%u--) {\n", j, n, j);
        *close = "} }\n";
        return n;
    case 7: writer_put(w, "while (at < (j0 + 1) * 3) {\nat++;\n"); return 4;
    case 8: writer_put(w, "while (q-- > %d - 3 * j0) {\n", 20); return 5;
    case 9: writer_put(w, "for (; q > 17 - j0 * 2; q--) {\n"); return 5;
    default: writer_put(w, "while (1) {\nif (++at > j0 * 4) break;\n"); return 5;
    }
}

/* One or two loops, one in the other, that make at most `room` stores. Returns how many. */
static unsigned inner(struct nest *t, unsigned room) {
    const char *close, *last = "";
    unsigned most = room / t->stores, n = open_loop(t, most > 5 ? 5 : most, &close);
    if (most / n >= 2 && writer_chance(t->w, 40)) {
        n *= open_loop(t, most / n > 4 ? 4 : most / n, &last);
    }
    statement(t);
    writer_put(t->w, "\n%s%s%s", last, writer_chance(t->w, 30) && *last ? "k += 10;\n" : "", close);
    return n * t->stores;
}

void writer_kernel(struct writer *w, unsigned number) {
    unsigned outer = 2 + writer_pick(w, 4), room = ROOM / outer;
    struct nest all = {.w = w, .loops = 1, .wide = writer_chance(w, 25)}, *t = &all;
    t->stores = !t->wide && writer_chance(w, 25) ? 2 : 1;
    t->store = ANY(w, "*o++ = %s; ", "out[p++] = %s; ", "*o = %s; o += 1; ",
                   "out[p] = %s; p += 1; ", "*o = %s; ++o; ");
    writer_head(w, number, "");
    writer_put(w,
               "global const uint *a = (global const uint *)table, *c = a + (id & 7);\n"
               "int n = a[%u] & 7, k = 0, q = 20;\nuint s = 0, u = 0, v[4] = {0, 0, 0, 0};\n"
               "uint own = table[id & 1023] & 3;\n%s at = 0;\n%s p = id%s;\n"
               "global int *out = (global int *)rows, *o = out + p;\n",
               writer_pick(w, 64), ANY(w, "int", "uint", "long", "short"),
               ANY(w, "int", "uint", "size_t"), t->wide ? "" : " * 64");
    writer_put(w, "for (int j0 = 0; j0 < %s%u%s; j0++) {\n", outer > 3 ? "min(n, " : "", outer,
               outer > 3 ? ")" : "");
    unsigned used = inner(t, room);
    if (room - used >= 2 * t->stores && writer_chance(w, 40)) inner(t, room - used);
    if (writer_chance(w, 25)) writer_put(w, "c = a + j0;\n");
    writer_put(w, "}\n");
    if (writer_chance(w, 70)) /* where none of the others is */
        writer_put(w, "out[id * %d + %d] = %s;\n", t->wide ? 1 : INTS,
                   t->wide ? LAST * CONTEST_ITEMS : LAST,
                   ANY(w, "k + s", "(int)at + q * 64", "(int)(c - a) + u", "(int)p"));
    writer_put(w, "}\n");
}

const char *const writer_prelude = "";
const struct writer_kind writer_kind = {.name = "fuzz_nests"};
