/* Another generator behind writer.h: what the work-items of a group do together in local memory,
 * and runs of elements that each work-item has to itself, in private memory and in buffers.
 *
 * No kernel has a race, in groups of any size and shape up to MOST: between two barriers a local
 * array is either written, each element by one work-item, or read, and all of it was written
 * first. Every work-item comes to every barrier. Floats are whole numbers so small that sums are
 * exact. In a kernel `v` is the uint that all is computed from, `first` the group's first item,
 * `power` the largest power of two up to its size, `a` the table; MOST and ITEMS are written out.
 */

#include "contest.h"
#include "writer_groups.h"

/* The largest group; elements of a local array beyond; local arrays, and their bytes at most. */
enum { MOST = CONTEST_ITEMS, EDGE = 8, ARRAYS = 3, LOCAL = 15000 };

const struct writer_array writer_arrays[KINDS] = {
    {"uint", "(%s)", "(%s)", "+", 4},
    {"int", "(int)((%s) & 4095u)", "(uint)(%s)", "+", 4},
    {"float", "(float)((%s) & 255u)", "(uint)(int)(%s)", "+", 4},
    {"uchar", "(uchar)(%s)", "(uint)(%s)", "+", 1},
    {"ushort", "(ushort)(%s)", "(uint)(%s)", "^", 2},
    {"short", "(short)((%s) & 63u)", "(uint)(int)(%s)", "+", 2},
    {"ulong", "((ulong)(%s) << 7)", "(uint)((%s) >> 5)", "+", 8},
    {"uint2", "(uint2)(%s, lid)", "w2(%s)", "+", 8},
    {"struct pair", "pair_of(%s)", "of_pair(%s)", NULL, 8},
    {"struct rec", "rec_of(%s)", "of_rec(%s)", NULL, 12},
};
const char *const writer_prelude =
    "#define MOST 512u\n#define ITEMS 2048u\n"
    "struct pair { uint a; uchar b; };\n"
    "struct rec { ushort h[2]; uint w; float f; };\n"
    "uint w2(uint2 v) { return v.x ^ v.y * 3u; }\n"
    "uint of_four(uchar4 v) { return v.x + v.y * 3u + v.z * 7u + v.w * 11u; }\n"
    "struct pair pair_of(uint v) { struct pair p = {v, (uchar)(v >> 3)}; return p; }\n"
    "uint of_pair(struct pair p) { return p.a + p.b; }\n"
    "struct rec rec_of(uint v) {\n"
    "struct rec r = {{(ushort)v, (ushort)(v >> 16)}, v * 5u, (float)(v & 255u)};\nreturn r; }\n"
    "uint of_rec(struct rec r) { return r.h[0] + r.h[1] * 2u + r.w + (uint)(int)r.f; }\n";
const struct writer_kind writer_kind = {.name = "fuzz_groups", .spread = true};

struct gathered {
    struct writer *w;
    const struct writer_array *kind[ARRAYS];
    unsigned arrays;
    bool whole; /* all elements of the arrays were set */
};

#define PARAMETERS ", uint width, uint count, uint rounds, uint wide"
#define BARRIER    "barrier(CLK_LOCAL_MEM_FENCE);\n"

/* ---- places ---- */

/* Where a work-item stores: another one for each, below `items`. */
static struct writer_text own(struct writer *w) {
    unsigned c = 1 + writer_pick(w, 40);
    switch (writer_pick(w, 10)) {
    case 0: return writer_text("items - 1 - lid");
    case 1: return writer_text("(lid + %uu) %% items", c);
    case 2: return writer_text("(lid + 1 < items ? lid + 1 : 0)");
    case 3: return writer_text("((lid ^ %uu) < items ? (lid ^ %uu) : lid)", c & 31, c & 31);
    case 4:
        return writer_text(
            "(get_local_id(0) * get_local_size(1) + get_local_id(1) + get_local_size(0) * "
            "get_local_size(1) * get_local_id(2))");
    case 5:
        return writer_text(
            "(get_local_id(2) + get_local_size(2) * (get_local_id(1) + get_local_size(1) * "
            "get_local_id(0)))");
    case 6: return writer_text("(items & 1 ? lid * 2 %% items : lid)");
    default: return writer_text("lid");
    }
}

/* Where anything is read: what `own` makes of all has been written. */
static struct writer_text any(struct gathered *g) {
    struct writer *w = g->w;
    unsigned c = 1 + writer_pick(w, 40);
    switch (writer_pick(w, g->whole ? 16 : 9)) {
    case 0: return writer_text("(lid + %uu) %% items", c);
    case 1: return writer_text("(lid ? lid - 1 : 0)");
    case 2: return writer_text("min(lid + %uu, items - 1)", c & 7);
    case 3: return writer_text("v %% items");
    case 4: return writer_text("max((int)lid - %d, 0)", (int)(c & 7));
    case 5: return writer_text("lid * %uu %% items", c);
    case 6: return writer_text("0");
    case 7:
    case 8: return own(w);
    case 9: return writer_text("(lid ^ %uu)", c & 31);
    case 10: return writer_text("lid + %uu", c % EDGE);
    case 11: return writer_text("((lid & 15) << 4 | lid >> 4 & 15)");
    case 12: return writer_text("(lid >> 3) * 8 + (lid + %uu & 7)", c);
    case 13: return writer_text("(v & %uu)", (2u << writer_pick(w, 9)) - 1);
    case 14: return writer_text("(lid & ~15u) + %uu", c & 15);
    default: return writer_text("((lid * %uu) & 511)", c);
    }
}

static struct writer_text element(struct gathered *g, unsigned x, const char *at) {
    return writer_filled(g->kind[x]->get, writer_text("x%u[%s]", x, at).of);
}
static void store(struct gathered *g, unsigned x, const char *at, const char *v) {
    writer_put(g->w, "x%u[%s] = %s;\n", x, at, writer_filled(g->kind[x]->put, v).of);
}

/* ---- what a group does, each between barriers ---- */

static unsigned any_array(struct gathered *g) { return writer_pick(g->w, g->arrays); }
/* One of the first writer_arrays; x0 always is. */
static unsigned array_of(struct gathered *g, unsigned first) {
    unsigned x = any_array(g);
    return g->kind[x] < writer_arrays + first ? x : 0;
}

static void fill(struct gathered *g, unsigned x) {
    store(g, x, own(g->w).of, writer_value(g->w).of);
    writer_put(g->w, BARRIER);
}

static void read(struct gathered *g, unsigned x) {
    struct writer *w = g->w;
    struct writer_text one = element(g, x, any(g).of), other = element(g, x, any(g).of);
    unsigned n = 1 + writer_pick(w, 9);
    switch (writer_pick(w, 8)) {
    case 0: writer_put(w, "v += %s;\n", one.of); break;
    case 1: writer_put(w, "v = v * 3u + %s - %s;\n", one.of, other.of); break;
    case 2: writer_put(w, "if (lid & 1) v ^= %s; else v += %s;\n", one.of, other.of); break;
    case 3:
        writer_put(w, "if (lid > 0 && lid < items - 1) v = %s + %s + %s;\n",
                   element(g, x, "lid - 1").of, element(g, x, "lid").of,
                   element(g, x, "lid + 1").of);
        break;
    case 4:
        writer_put(w, "for (uint k = 0; k < items; k++) v += %s;\n", element(g, x, "k").of);
        break;
    case 5:
        writer_put(
            w, "for (uint k = 0; k < %u; k++) v = v * 5u + %s;\n", n,
            element(g, x, ANY(w, "(lid + k) % items", "min(lid + k, items - 1)", "k % items")).of);
        break;
    case 6:
        if (g->whole) {
            writer_put(
                w, "for (int k = %d; k <= %d; k++) v += %s;\n", -(int)(n / 2), (int)(n / 2),
                element(g, x,
                        ANY(w, "(lid & ~15u) + ((lid + k) & 15)",
                            "clamp((int)lid + k, 0, (int)items - 1)", "(lid + 16 * k) & 511"))
                    .of);
            break;
        } /* fallthrough */
    default: writer_put(w, "v = max(v, %s) + min(%s, 77u);\n", one.of, other.of); break;
    }
}

/* The sum of a whole group, or of its first items, in every way that it is written. */
static void reduce(struct gathered *g, unsigned x) {
    struct writer *w = g->w;
    const struct writer_array *k = g->kind[x];
    const char *by = k->add, *from = ANY(w, "MOST / 2", "items / 2", "128", "16", "power / 2");
    unsigned j = w->next++;
    if (writer_chance(w, 30) && x) by = "^";
    if (k->name[0] == 'f' || k->name[0] == 's' || k->name[0] == 'i') by = "+";
    switch (writer_pick(w, 6)) {
    case 0:
        writer_put(w,
                   "for (uint s%u = %s; s%u > 0; s%u >>= 1) {\nif (lid < s%u && lid + s%u < items) "
                   "x%u[lid] = x%u[lid] %s x%u[lid + s%u];\n" BARRIER "}\n",
                   j, from, j, j, j, j, x, x, by, x, j);
        break;
    case 1:
        writer_put(w,
                   "for (uint s%u = items / 2; s%u; s%u /= 2) {\nif (lid < s%u) x%u[lid] = "
                   "x%u[lid] %s x%u[lid + s%u];\n" BARRIER "}\n",
                   j, j, j, j, x, x, by, x, j);
        break;
    case 2:
        writer_put(w,
                   "for (uint s%u = 1; s%u < items; s%u *= 2) {\nif (lid %% (2 * s%u) == 0 && lid "
                   "+ s%u < items) x%u[lid] = x%u[lid] %s x%u[lid + s%u];\n" BARRIER "}\n",
                   j, j, j, j, j, x, x, by, x, j);
        break;
    case 3:
        writer_put(w,
                   "for (uint s%u = 1; s%u < items; s%u <<= 1) {\nuint i = 2 * s%u * lid;\nif (i + "
                   "s%u < items) x%u[i] = x%u[i] %s x%u[i + s%u];\n" BARRIER "}\n",
                   j, j, j, j, j, x, x, by, x, j);
        break;
    case 4: /* an odd one over, too */
        writer_put(w,
                   "for (uint n = items; n > 1;) {\nuint half_n = (n + 1) / 2;\nif (lid < n / 2) "
                   "x%u[lid] = x%u[lid] %s x%u[lid + half_n];\n" BARRIER "n = half_n;\n}\n",
                   x, x, by, x);
        break;
    default:
        writer_put(w,
                   "if (lid == 0) {\nfor (uint k = 1; k < items; k++) x%u[0] = x%u[0] %s "
                   "x%u[k];\n}\n" BARRIER,
                   x, x, by, x);
    }
    writer_put(w, "v += %s;\n", element(g, x, writer_chance(w, 70) ? "0" : "lid").of);
    writer_put(w, BARRIER);
}

static void scan(struct gathered *g, unsigned x) {
    struct writer *w = g->w;
    const struct writer_array *k = g->kind[x];
    const char *by = k->add;
    unsigned j = w->next++, y = (x + 1) % ARRAYS;
    bool two = y < g->arrays && g->kind[y] == k;
    switch (writer_pick(w, two ? 4 : 3)) {
    case 0:
        writer_put(w,
                   "for (uint s%u = 1; s%u < %s; s%u *= 2) {\n%s t = x%u[lid];\nif (lid >= s%u) t "
                   "= t %s x%u[lid - s%u];\n" BARRIER "x%u[lid] = t;\n" BARRIER "}\n",
                   j, j, ANY(w, "items", "16", "MOST"), j, k->name, x, j, by, x, j, x);
        break;
    case 1:
        writer_put(w,
                   "for (uint s%u = 1; s%u < items; s%u <<= 1) {\n%s t = %s;\nif (lid >= s%u) t = "
                   "x%u[lid - s%u];\n" BARRIER "if (lid >= s%u) x%u[lid] = x%u[lid] %s t;\n" BARRIER
                   "}\n",
                   j, j, j, k->name, writer_filled(k->put, "0u").of, j, x, j, j, x, x, by);
        break;
    case 2: /* up only: Blelloch's first half, of a power of two */
        writer_put(w,
                   "uint d%u = 1;\nfor (uint n = power >> 1; n > 0; n >>= 1) {\n" BARRIER
                   "if (lid < n) {\nuint i = d%u * (2 * lid + 1) - 1, l = d%u * (2 * lid + 2) - "
                   "1;\nx%u[l] = x%u[l] %s x%u[i];\n}\nd%u *= 2;\n}\n" BARRIER,
                   j, j, j, x, x, by, x, j);
        if (writer_chance(w, 60))
            writer_put(
                w,
                "if (lid == 0) x%u[power - 1] = %s;\nfor (uint n = 1; n < power; n *= 2) {\nd%u "
                ">>= 1;\n" BARRIER
                "if (lid < n) {\nuint i = d%u * (2 * lid + 1) - 1, l = d%u * (2 * lid + 2) - "
                "1;\n%s t = x%u[i];\nx%u[i] = x%u[l];\nx%u[l] = x%u[l] %s t;\n}\n}\n" BARRIER,
                x, writer_filled(k->put, "0u").of, j, j, j, k->name, x, x, x, x, x, by);
        break;
    default: /* from one array to the other, and back */
        writer_put(
            w,
            "local %s *from%u = x%u, *to%u = x%u;\nfor (uint s = 1; s < items; s *= 2) "
            "{\nto%u[lid] = lid >= s ? from%u[lid] %s from%u[lid - s] : from%u[lid];\n" BARRIER
            "local %s *t = from%u;\nfrom%u = to%u;\nto%u = t;\n}\nv += %s;\n" BARRIER,
            k->name, j, x, j, y, j, j, by, j, j, k->name, j, j, j, j,
            writer_filled(k->get, writer_text("from%u[lid]", j).of).of);
        return;
    }
    writer_put(w, "v %s %s;\n" BARRIER, ANY(w, "+=", "^="), element(g, x, any(g).of).of);
}

static void sort(struct gathered *g, unsigned x) {
    struct writer *w = g->w;
    const char *t = g->kind[x]->name;
    unsigned j = w->next++;
    struct writer_text swap =
        writer_text("{ %s t = x%u[lid]; x%u[lid] = x%u[p]; x%u[p] = t; }", t, x, x, x, x);
    if (writer_chance(w, 60))
        writer_put(w,
                   "for (uint k%u = 2; k%u <= %s; k%u <<= 1)\nfor (uint j = k%u >> 1; j > 0; j >>= "
                   "1) {\nuint p = lid ^ j;\nif (p > lid && p < items) {\nif ((lid & k%u) == 0 ? "
                   "x%u[lid] > x%u[p] : x%u[lid] < x%u[p]) %s\n}\n" BARRIER "}\n",
                   j, j, ANY(w, "power", "16", "items"), j, j, j, x, x, x, x, swap.of);
    else
        writer_put(w,
                   "for (uint r = 0; r < %s; r++) {\nuint p = lid + 1;\nif ((lid & 1) == (r & 1) "
                   "&& p < items && x%u[lid] > x%u[p]) %s\n" BARRIER "}\n",
                   ANY(w, "items", "rounds", "6"), x, x, swap.of);
    writer_put(w, "v = v * 7u + %s;\n" BARRIER, element(g, x, "lid").of);
}

static void histogram(struct gathered *g) {
    struct writer *w = g->w;
    unsigned bins = 1u << (2 + writer_pick(w, 5));
    writer_put(w, "for (uint i = lid; i < %u; i += items) bins[i] = 0;\n" BARRIER, bins);
    writer_put(w, "%s{\nv = v * 5u + 1;\n",
               ANY(w, "", "for (uint k = 0; k < rounds; k++) ", "if (v & 1) ",
                   "for (uint k = lid; k < count; k += items) "));
    struct writer_text at = writer_text("&bins[(%s) & %uu]", writer_value(w).of, bins - 1);
    writer_put(w,
               ANY(w, "atomic_inc(%s);\n", "atomic_add(%s, 3u);\n", "atomic_max(%s, (uint)lid);\n",
                   "atomic_or(%s, 1u << (v & 31));\n", "atomic_xor(%s, v);\n"),
               at.of);
    writer_put(w, "}\n" BARRIER "v += bins[(%s) & %uu];\n" BARRIER, writer_value(w).of, bins - 1);
}

/* A piece of the table with a border, or in tiles of 16 by 16. */
static void tile(struct gathered *g, unsigned x) {
    struct writer *w = g->w;
    unsigned radius = 1 + writer_pick(w, EDGE / 2);
    switch (writer_pick(w, 3)) {
    case 0:
        writer_put(w,
                   "for (uint i = lid; i < items + %u; i += items) x%u[i] = %s;\n" BARRIER
                   "for (uint k = 0; k <= %u; k++) v += %s;\n" BARRIER,
                   2 * radius, x, writer_filled(g->kind[x]->put, "a[first + i]").of, 2 * radius,
                   element(g, x, "lid + k").of);
        break;
    case 1:
        writer_put(
            w,
            "x%u[lid + 1] = %s;\nif (lid == 0) {\nx%u[0] = %s;\nx%u[items + 1] = %s;\n}\n" BARRIER
            "v += %s * 2u + %s + %s;\n" BARRIER,
            x, writer_filled(g->kind[x]->put, "a[id + 1]").of, x,
            writer_filled(g->kind[x]->put, "a[first]").of, x,
            writer_filled(g->kind[x]->put, "first + items < 20000 ? a[first + items] : 9u").of,
            element(g, x, "lid + 1").of, element(g, x, "lid").of, element(g, x, "lid + 2").of);
        break;
    default: {
        unsigned y = (x + 1) % g->arrays;
        writer_put(w,
                   "{\nuint tx = lid & 15, ty = lid >> 4;\nfor (uint t = 0; t < rounds; t++) {\n");
        store(g, x, "ty * 16 + tx", "a[(ty * width + t) * 16 + tx] & 15u");
        if (x != y) store(g, y, "lid", "a[t * 256 + lid] >> 3 & 15u");
        writer_put(w, BARRIER);
        if (g->whole || x == y)
            writer_put(w, "for (uint k = 0; k < 16; k++) v += %s * %s;\n",
                       element(g, x, g->whole ? "ty * 16 + k" : "(ty * 16 + k) % items").of,
                       element(g, y, g->whole ? "k * 16 + tx" : "(k * 16 + tx) % items").of);
        else
            writer_put(w, "for (uint k = 0; k < 16; k++) v += %s * %s;\n",
                       element(g, x, "min(ty * 16 + k, items - 1)").of,
                       element(g, y, "(k * 16 + tx) % items").of);
        writer_put(w, BARRIER "}\n}\n");
    }
    }
}

/* Something between barriers, or rounds of that. */
static void together(struct gathered *g, bool nested) {
    struct writer *w = g->w;
    unsigned kind = writer_pick(w, nested ? 13 : 15), x = any_array(g), j = w->next;
    switch (kind) {
    case 0: histogram(g); return;
    case 1:
    case 2: tile(g, x); return;
    case 3:
    case 4:
    case 5:
        fill(g, x);
        read(g, x);
        writer_put(w, BARRIER);
        return;
    case 6:
    case 7:
    case 8:
        x = array_of(g, SUMMED);
        fill(g, x);
        reduce(g, x);
        return;
    case 9:
    case 10:
    case 11:
        x = array_of(g, SUMMED);
        fill(g, x);
        scan(g, x);
        return;
    case 12:
        x = array_of(g, ORDERED);
        fill(g, x);
        sort(g, x);
        return;
    default: break;
    }
    w->next++;
    writer_put(w, "for (uint r%u = 0; r%u < %s; r%u++) {\n", j, j, ANY(w, "rounds", "2", "3"), j);
    for (unsigned n = 1 + writer_pick(w, 2); n; n--) together(g, true);
    writer_put(w, "v += r%u;\n}\n", j);
}

static void locals(struct gathered *g) {
    struct writer *w = g->w;
    unsigned bytes = 0, all = 1 + writer_pick(w, ARRAYS);
    g->whole = writer_chance(w, 50);
    for (g->arrays = 0; g->arrays < all; g->arrays++) {
        const struct writer_array *k = &writer_arrays[writer_pick(w, g->arrays ? KINDS : ORDERED)];
        if (g->arrays && writer_chance(w, 30)) k = g->kind[g->arrays - 1];
        bytes += (MOST + EDGE) * k->bytes;
        if (bytes > LOCAL) break;
        g->kind[g->arrays] = k;
        writer_put(w, "local %s x%u[%d];\n", k->name, g->arrays, MOST + EDGE);
    }
    writer_put(w, "local uint bins[64];\n");
    if (!g->whole) return;
    writer_put(w, "for (uint i = lid; i < %d; i += items) {\n", MOST + EDGE);
    for (unsigned x = 0; x < g->arrays; x++) store(g, x, "i", "0u");
    writer_put(w, "}\n" BARRIER);
}

/* ---- what is left ---- */

static void finish(struct gathered *g) {
    struct writer *w = g->w;
    unsigned n = writer_pick(w, 64);
    if (g->whole && writer_chance(w, 50))
        writer_put(w, "v ^= %s;\n", element(g, any_array(g), any(g).of).of);
    switch (writer_pick(w, 7)) {
    case 0: writer_put(w, "((global uint *)row)[%u] = v;\n", n); break;
    case 1: writer_put(w, "out[id] = v;\n"); break;
    case 2: writer_put(w, "out[%u * ITEMS + id] = v;\n", n); break;
    case 3: writer_put(w, "if (id < count) out[id] = v;\n"); break;
    case 4:
        writer_put(w, "vstore4((uint4)(v, v ^ 5u, id, v >> 3), %u, (global uint *)row);\n", n / 4);
        break;
    case 5:
        writer_put(
            w, "out[first + (items - 1 - lid)] = v;\nif (lid == 0) out[ITEMS + first] = v * 3u;\n");
        break;
    default: writer_elements(w, false);
    }
}

/* In a range of one dimension things have their short names. */
static void line(struct writer *w, unsigned number) {
    const char *type = ANY(w, "uint", "uint", "int");
    writer_put(
        w,
        "#undef ALL\n#define ALL get_global_size(0)\n"
        "kernel void k%u_line(global const char *table, global char *rows, global int *sums%s) "
        "{\n%s lid = get_local_id(0), id = get_global_id(0);\n"
        "uint items = get_local_size(0);\nglobal char *row = rows + id * %d;\n",
        number, PARAMETERS, type, WRITER_ROW);
}

void writer_kernel(struct writer *w, unsigned number) {
    struct gathered all = {.w = w}, *g = &all;
    unsigned kind = writer_pick(w, 20);
    if (writer_chance(w, 50)) {
        static const char size[] = "get_global_size(0) * get_global_size(1) * get_global_size(2)";
        writer_put(w, "#undef ALL\n#define ALL (%s)\n", size);
        writer_head(w, number, PARAMETERS);
    } else {
        line(w, number);
    }
    writer_put(w,
               "uint power = 1u << (31 - clz(items)), first = id - lid, group = first / items;\n"
               "global const uint *a = (global const uint *)table;\n"
               "global const uchar *bytes = (global const uchar *)table;\n"
               "global const uchar4 *fours = (global const uchar4 *)table;\n"
               "global const ushort *halves = (global const ushort *)table;\n"
               "global uint *out = (global uint *)rows;\n"
               "uint v = a[id] %s;\n",
               ANY(w, "", "& 1023", "+ lid", "% 100"));
    if (kind < 11) {
        locals(g);
        for (unsigned n = 1 + writer_pick(w, 2); n; n--) together(g, false);
        if (writer_chance(w, 15)) writer_own_arrays(w);
        finish(g);
    } else if (kind < 14) {
        writer_own_arrays(w);
        finish(g);
    } else if (kind < 17) {
        writer_elements(w, true);
    } else {
        writer_dimensions(w);
    }
    writer_put(w, "}\n");
}
