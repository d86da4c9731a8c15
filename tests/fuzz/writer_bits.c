/* Another generator behind writer.h: loops over the bits of a value, in which what has been seen so
 * far is kept in counts, signs, flags and places, by whatever operations. */
#include "writer_private.h"

struct word {
    struct writer *w;
    unsigned width; /* of the value */
};

/* Whether bit i of x is set: the same in each iteration. */
static const char *any_bit(struct word *t) {
    struct writer *w = t->w;
    if (t->width == 32 && writer_chance(w, 15))
        return ANY(w, "((int)(x << (31 - i)) < 0)", "(x << (31 - i) >> 31)");
    return ANY(w, "(x >> i & 1)", "((x & ((word)1 << i)) != 0)", "((x >> i) % 2 == 1)",
               "(bool)(x >> i & 1)", "!(~x >> i & 1)", "((x ^ y) >> i & 1)", "!(x >> i & 1)",
               "((y >> i & 1) != (x >> i & 1))", "((x & (word)1 << i) > 0)");
}

/* What is done in each iteration, `bit` being whether that one is set. */
static void statement(struct word *t) {
    struct writer *w = t->w;
    if (writer_chance(w, 70)) {
        writer_put(w, "if (%s) ",
                   ANY(w, "bit", "bit", "bit", "!bit", "!f && bit", "at == none && bit", "f",
                       "bit && n < 5", "at < 0 && bit", "!(f || bit)", "g > 0"));
        writer_put(
            w, "{ %s %s }\n",
            ANY(w, "n = -n;", "n++;", "n = 1 - n;", "n ^= 1;", "n = !n;", "n *= -1;", "n += 2;",
                "n = other - n;", "n ^= other;", "n = n * 3 + 1;", "n = (n + 1) % 3;",
                "n = min(n + 1, 3);", "n -= 1;", "n ^= 5;", "n &= 2;", "n = i;"),
            ANY(w, "f = true;", "f = !f;", "at = i;", "at = max(at, i);", "g = -g;", "g += 1;",
                "l = -l;", "l++;", "c++;", "c = -c;", "c = 7 - c;", "l = other - l;", "c ^= 0x81;",
                "p = !p;", "s |= (uint)1 << (i & 31);", "f = false;", "at++;", "", ""));
        return;
    }
    writer_put(w, "%s\n",
               ANY(w, "n += bit;", "n += 1 - f;", "f = f || bit;", "f |= bit;", "f ^= bit;",
                   "n += !f;", "n *= bit ? -1 : 1;", "n = (n + bit) % 2;", "p = p != bit;",
                   "s = s << 1 | bit;", "s ^= bit;", "s |= bit; n += 1 - (int)s;",
                   "at = bit ? i : at;", "at = !f && bit ? i : at; f = bit || f;",
                   "n = bit ? n + 1 : 0;", "n += bit ? 1 : -1;", "c += bit;", "l += bit * 3;",
                   "g = bit ? -g : g;", "f &= bit;", "n ^= bit ? i : 0;", "c = bit ? i : c;"));
}

/* What is every other time what it was, or counts, with each bit that is set or not, or always. */
static void toggle(struct writer *w) {
    writer_put(w, "%s%s\n", ANY(w, "if (bit) ", "if (bit) ", "if (!bit) ", ""),
               ANY(w, "n = -n;", "n = other - n;", "n ^= other;", "n ^= 5;", "n++;", "n = !n;",
                   "c = -c;", "c = 7 - c;", "c ^= 0x81;", "l = -l;", "l = other - l;", "l--;",
                   "p = 1 - p;", "p = !p;", "p ^= 1;", "f = !f;", "s = 3 - s;", "s ^= ~0u;"));
}

static void loop(struct word *t) {
    struct writer *w = t->w;
    unsigned most = t->width, end = writer_chance(w, 60) ? most : 2 + writer_pick(w, most - 1);
    unsigned from = writer_chance(w, 75) ? 0 : writer_pick(w, end - 1);
    const char *leave = writer_chance(w, 12) ? ANY(w, "if (f) break;\n", "if (n > 3) break;\n",
                                                   "if (at != none) break;\n")
                                             : "";
    bool shifted = writer_chance(w, 30);
    if (shifted) { /* itself, from one iteration to the next */
        writer_put(w, "{ word v = x; ");
        if (writer_chance(w, 50))
            writer_put(w, "for (int i = 0; i < %u; i++) {\n", end);
        else
            writer_put(w, "for (int i = 0; v; i++) {\n");
        if (writer_chance(w, 25))
            writer_put(w, "const bool bit = v != 0; v &= v - 1;\n");
        else
            writer_put(w, "bool bit = %s; v %s;\n", ANY(w, "v & 1", "v % 2", "(v & 1) != 0"),
                       ANY(w, ">>= 1", "/= 2", "= v >> 1"));
    } else if (writer_chance(w, 65)) {
        writer_put(w, "{ for (int i = %u; i < %u; i++) {\n", from, end);
    } else {
        writer_put(w, "{ for (int i = %u; i >= %u; i--) {\n", end - 1, from);
    }
    if (!shifted) writer_put(w, "%s bit = %s;\n", ANY(w, "bool", "int", "uint"), any_bit(t));
    if (shifted && writer_chance(w, 60)) /* what is known of how many bits there are */
        for (unsigned n = 1 + writer_pick(w, 2); n; n--) toggle(w);
    else
        for (unsigned n = 1 + writer_pick(w, 3); n; n--) statement(t);
    writer_put(w, "%s} }\n", leave);
}

/* Loops that are left by a bit: of what they count, of part of what they shift up, or of some of
 * those that they take away. */
static void ended(struct writer *w) {
    unsigned end = 2 + writer_pick(w, 30), step = 1 + writer_pick(w, 3);
    const char *counts = ANY(w, "n++;", "n = 7 - n;", "n ^= 5;", "c++;", "l--;", "p = !p;");
    switch (writer_pick(w, 3)) {
    case 0:
        writer_put(w, "{ int i = id & %u;\n", end - 1);
        writer_put(
            w, "for (; i < %u; i += %u) { if (%s) break; %s }\nat = i; }\n", end, step,
            ANY(w, "i & 1", "!(i & 1)", "i & 4", "(i & 1) == 0 && f", "x >> i & 1", "i % 2 == 1"),
            counts);
        return;
    case 1:
        writer_put(w, "{ word v = x; while (v) { if (%s) { %s } v <<= 1; } }\n",
                   ANY(w, "(int)v < 0", "(char)v < 0", "(short)v < 0", "(uint)v >> 31",
                       "(uint)v & 0x80000000u", "v & 128", "(long)v < 0"),
                   counts);
        return;
    default:
        writer_put(w, "{ word v = x; for (int i = 0; i < %u; i++) {\n", 4 + writer_pick(w, 8));
        writer_put(w, "if (!(%s)) break;\nv &= v - 1; %s } }\n",
                   ANY(w, "i ? v : v & 255", "i ? v : v & 16", "v", "i ? v : (uchar)v", "v & 0x70"),
                   counts);
    }
}

void writer_kernel(struct writer *w, unsigned number) {
    static const char *const names[] = {"uchar", "ushort", "uint", "uint", "uint", "ulong"};
    static const unsigned char widths[] = {8, 16, 32, 32, 32, 64};
    unsigned type = writer_pick(w, 6);
    struct word t = {w, widths[type]};
    writer_put(w, "#define word %s\n", names[type]);
    writer_head(w, number, "");
    writer_put(w,
               "global const word *a = (global const word *)table;\n"
               "word x = a[id & 511], y = a[id * 7 + 3 & 511];\n"
               "const int none = %s, other = a[%u] + 1;\n"
               "int n = %s, at = none;\nbool f = false;\nfloat g = 1;\nlong l = %u;\n"
               "uchar c = %u;\nint p = %u;\nuint s = 0;\n",
               ANY(w, "-1", "32", "64", "8"), writer_pick(w, 64), ANY(w, "0", "1", "1", "-1", "7"),
               1 + writer_pick(w, 3), writer_pick(w, 3), writer_pick(w, 2));
    /* Most values have bits all over. */
    writer_put(w, "%s",
               ANY(w, "", "x >>= id % (sizeof(x) * 8);\n", "x <<= id % (sizeof(x) * 8);\n",
                   "x = (word)1 << id % (sizeof(x) * 8);\nif (id % 67 == 5) x = 0;\n",
                   "if (id & 1) x = 0; else if (id & 2) x = ~(word)0;\n"));
    if (writer_chance(w, 25))
        ended(w);
    else
        loop(&t);
    if (writer_chance(w, 30)) loop(&t);
    writer_put(w, "global int *out = (global int *)row;\n"
                  "out[0] = n; out[1] = at; out[2] = f; out[3] = (int)g; out[4] = (int)l;\n"
                  "out[5] = c; out[6] = p; out[7] = s;\n}\n#undef word\n");
}

const char *const writer_prelude = "";
const struct writer_kind writer_kind = {.name = "fuzz_bits"};
