/* What each work-item of fuzz_groups does by itself: values, private arrays, runs of elements. No
 * element is written by two work-items. */
#include <stdarg.h>
#include <stdio.h>

#include "writer_groups.h"

/* ---- text ---- */

struct writer_text writer_text(const char *format, ...) {
    struct writer_text t;
    va_list args;
    va_start(args, format);
    vsnprintf(t.of, sizeof t.of, format, args);
    va_end(args);
    return t;
}

struct writer_text writer_filled(const char *format, const char *with) {
    struct writer_text t;
    const char *at = format;
    size_t n = 0;
    for (; *at && n < sizeof t.of - 1; at++) {
        if (at[0] == '%' && at[1] == 's') {
            n += (size_t)snprintf(t.of + n, sizeof t.of - n, "%s", with);
            at++;
        } else {
            t.of[n++] = *at;
        }
        if (n >= sizeof t.of) n = sizeof t.of - 1;
    }
    t.of[n] = 0;
    return t;
}

/* Where lanes are near each other, though in no row. */
static const char *near_place(struct writer *w) {
    return ANY(w, "id * 3 / 4", "id * 5 / 7 + 1", "(uint)(id * 1.4f)", "(uint)(lid * 0.37f) + 2",
               "(id ^ rounds)", "(lid ^ 5)", "(4095 - id * 2 / 3)", "id / 3", "id * 179 >> 8",
               "id * 9 / 4", "(id & ~15u) + id * 7 % 16");
}

/* An index into the table as uints that is inside. */
static const char *place(struct writer *w) {
    return ANY(w, "id", "id + 1", "id * 2", "lid", "id * 3 + 5", "(v & 4095u)", "lid * 16",
               "first + lid", "(id ^ 1)", "id * 15 + 3", "get_group_id(0) * 4", "(ITEMS - 1 - id)",
               "id % width * 8", "id / width + 7", "(id & 15) * 16 + (id >> 4)", near_place(w));
}

struct writer_text writer_value(struct writer *w) {
    unsigned c = writer_pick(w, 31), s = 1 + writer_pick(w, 15);
    const char *at = place(w);
    switch (writer_pick(w, 15)) {
    case 0: return writer_text("v + a[%s]", at);
    case 1: return writer_text("a[%s] * %uu + v", at, c);
    case 2: return writer_text("v * %uu + lid", c * 2 + 1);
    case 3: return writer_text("(v ^ id) + %uu", c);
    case 4: return writer_text("(v >> %u) + id", s);
    case 5: return writer_text("rotate(v, %uu) ^ a[%s]", s, at);
    case 6: return writer_text("(v > a[%s] ? v - %uu : lid)", at, c);
    case 7: return writer_text("bytes[%s] + v", at);
    case 8: return writer_text("popcount(v) + a[%s] %% %uu", at, c + 1);
    case 9: return writer_text("v + id %% width + id / width * %uu", c);
    case 10: return writer_text("(lid & %uu ? v : a[%s])", 1u << writer_pick(w, 5), at);
    case 11: return writer_text("v + of_four(fours[%s]) + halves[%s]", at, near_place(w));
    case 12: at = near_place(w); return writer_text("a[%s] + a[%s + 1] * %uu + v", at, at, c);
    case 13: return writer_text("bytes[%s] + v ^ halves[%s + 1]", near_place(w), at);
    default: return writer_text("min(v, a[%s]) + max((uint)lid, %uu)", at, c);
    }
}

/* ---- arrays of its own ---- */

void writer_own_arrays(struct writer *w) {
    const struct writer_array *k = &writer_arrays[writer_pick(w, KINDS)];
    unsigned j = w->next++, n = 2 + writer_pick(w, 7);
    const char *times = ANY(w, "rounds", "4", "7", "(v & 7)", "width", "16");
    struct writer_text put = writer_filled(k->put, writer_value(w).of),
                       first = writer_filled(k->put, "v + i * 3u"),
                       next = writer_text(n & (n - 1) ? "(c%u + 1) %% %u" : "(c%u + 1) & %u", j,
                                          n & (n - 1) ? n : n - 1);
    if (writer_chance(w, 30)) next = writer_text("(c%u + 1 == %u ? 0 : c%u + 1)", j, n, j);
    writer_put(w, "%s p%u[%u];\nfor (uint i = 0; i < %u; i++) p%u[i] = %s;\nuint c%u = %s %% %u;\n",
               k->name, j, n, n, j, first.of, j, ANY(w, "id", "lid", "3u", "v"), n);
    writer_put(w, "for (uint k = 0; k < %s; k++) {\n", times);
    switch (writer_pick(w, 6)) {
    case 0:
        writer_put(w, "p%u[c%u] = %s;\nc%u = %s;\nv += %s;\n", j, j, put.of, j, next.of,
                   writer_filled(k->get, writer_text("p%u[c%u]", j, j).of).of);
        break;
    case 1:
        writer_put(w, "p%u[%s] = p%u[c%u];\nv = v * 3u + %s;\nc%u = %s;\n", j, next.of, j, j,
                   writer_filled(k->get, writer_text("p%u[k %% %u]", j, n).of).of, j, next.of);
        break;
    case 2:
        writer_put(w,
                   "uint d = v %% %u;\n%s t = p%u[c%u];\np%u[c%u] = p%u[d];\np%u[d] = t;\nv += %s "
                   "+ k;\nc%u = %s;\n",
                   n, k->name, j, j, j, j, j, j,
                   writer_filled(k->get, writer_text("p%u[0]", j).of).of, j, next.of);
        break;
    case 3:
        writer_put(w, "if (c%u < %u) p%u[c%u++] = %s; else v ^= %s;\nif (v & 1) c%u = 0;\n", j, n,
                   j, j, put.of, writer_filled(k->get, writer_text("p%u[--c%u]", j, j).of).of, j);
        break;
    case 4:
        writer_put(
            w, "for (uint i = %u; i > 0; i--) p%u[i] = p%u[i - 1];\np%u[0] = %s;\nv += %s;\n",
            n - 1, j, j, j, put.of, writer_filled(k->get, writer_text("p%u[%u]", j, n - 1).of).of);
        break;
    default:
        writer_put(w,
                   "%s t = p%u[0];\nfor (uint i = 0; i < %u; i++) p%u[i] = p%u[i + 1];\np%u[%u] = "
                   "t;\nif (k %% 3 == 1) continue;\nv += %s;\n",
                   k->name, j, n - 1, j, j, j, n - 1,
                   writer_filled(k->get, writer_text("p%u[c%u]", j, j).of).of);
        break;
    }
    writer_put(w, "}\nfor (uint i = 0; i < %u; i++) v = v * 3u + %s;\n", n,
               writer_filled(k->get, writer_text("p%u[i]", j).of).of);
}

/* ---- elements of buffers ---- */

/* What is written from `mark` on is one line: a macro, of which that many copies are written out.
 */
static void copies(struct writer *w, size_t mark, unsigned number, unsigned n) {
    for (size_t i = mark; i < w->length; i++)
        if (w->text[i] == '\n') w->text[i] = ' ';
    writer_put(w, "while (0)\n");
    for (unsigned i = 0; i < n; i++) writer_put(w, "E%u(%uu);\n", number, i);
}

/* Of loops in strides: the range, more or less, or many times as much. */
static const char *any_bound(struct writer *w) {
    return ANY(w, "count", "width * 64", "count * 7", "width * 350", "12345", "ITEMS * 4");
}

void writer_elements(struct writer *w, bool returns) {
    const struct writer_array *k = &writer_arrays[writer_pick(w, ORDERED)];
    static const unsigned char lengths[] = {1, 2, 3, 4, 5, 7, 8, 16};
    unsigned n = lengths[writer_pick(w, sizeof lengths)],
             again = writer_chance(w, 65) ? 0 : writer_pick(w, 3);
    struct writer_text at = writer_text("id * %u + i", n),
                       loop = writer_text("for (uint i = 0; i < %u; i++)", n);
    size_t mark;
    const char *one = "o[at]", *type = ANY(w, "uint", "int", "size_t");
    bool carried = writer_chance(w, 25), alike = !carried && writer_chance(w, 75);
    const char *begin = carried ? "v = v"
                        : alike ? "uint v = width"
                                : "uint v = v0"; /* alike: for whichever item */
    if (returns && writer_chance(w, 40))
        writer_put(w, "if (%s) return;\n",
                   ANY(w, "id >= count", "id >= width", "lid > 20", "group == 3", "a[id] & 1",
                       "ALL < 1500", "id > count || id >= ITEMS", "width > 5"));
    unsigned kind = writer_pick(w, 12), hand = 0;
    switch (kind) {
    case 0: break;
    case 1: at = writer_text("i * ITEMS + id"); break;
    case 2: at = writer_text("i * (uint)ALL + id"); break;
    case 3:
        at = writer_text("i");
        loop = writer_text("for (%s i = id; i < %s; i += ITEMS)", type, any_bound(w));
        break;
    case 4:
        at = writer_text("i");
        loop = writer_text("for (%s i = id; i < %s; i += ALL)", type, any_bound(w));
        break;
    case 5:
        at = writer_text("i");
        loop = writer_text("for (uint i = id * %u, to = min(i + %u, count); i < to; i++)", n, n);
        break;
    case 6:
        at = writer_text("id * width + i"), loop = writer_text("for (uint i = 0; i < width; i++)");
        break;
    case 7:
        at = writer_text("id * 32 + i"),
        loop = writer_text("for (uint i = %s; i < min(width, 32u); i++)",
                           ANY(w, "0", "id & 7", "rounds"));
        break;
    case 8: at = writer_text("first * %u + i * items + lid", n); break;
    case 9: /* a row for each group */
        n = n % 4 * 16 + 16;
        at = writer_text(writer_chance(w, 50) ? "group * width + i" : "group * %u + i", n);
        loop = at.of[8] == 'w' ? writer_text("for (%s i = lid; i < width; i += items)", type)
                               : writer_text("for (%s i = lid; i < %u; i += items)", type, n);
        break;
    default: /* most are the one that is written most */
        at = writer_text("i");
        loop = writer_text("for (%s i = id; i < %s; i += ALL)", type, any_bound(w));
    }
    if (n > 1 && n <= 4 && (kind < 3 || kind == 8) && writer_chance(w, 50)) {
        hand = ++w->next;
        loop = writer_text("#define E%u(i) do", hand);
    }
    if (k->bytes > 4) k = writer_arrays;
    writer_put(w, "global %s *o = (global %s *)rows;\n", k->name, k->name);
    struct writer_text v = writer_value(w);
    writer_put(w, "const uint v0 = v;\n");
    mark = w->length;
    writer_put(w, "%s {\nuint at = %s;\n%s + i * %uu;\n", loop.of, at.of, begin, writer_pick(w, 9));
    if (writer_chance(w, 40))
        writer_put(w, "for (uint k = 0; k < %s; k++) v += a[%s];\n",
                   ANY(w, "3", "rounds", "width", "8"),
                   ANY(w, "i + k", "i + k * 8", "k", "at & 1023", "i / 16 * 16 + k"));
    if (writer_chance(w, 25))
        writer_put(
            w, "if (%s) continue;\n",
            ANY(w, alike ? "a[i] & 1" : "a[id + i] & 1", "i == 2", "v > 1u << 31", "i > rounds"));
    writer_put(w, "o[at] = %s;\n}\n",
               writer_filled(k->put, !alike && writer_chance(w, 70)
                                         ? v.of
                                         : ANY(w, "a[i + i % 8] * 3u + i", "a[i] + v",
                                               "a[i + 1] - a[i]", "bytes[i]", "v"))
                   .of);
    if (hand) copies(w, mark, hand, n);
    for (; again && !hand; again--)
        writer_put(w, "%s {\nuint at = %s;\n%s * 3u + %s;\no[at] = %s;\n}\n", loop.of, at.of, begin,
                   writer_filled(k->get, one).of,
                   writer_filled(k->put, writer_text("%s %s", writer_filled(k->get, one).of,
                                                     ANY(w, "+ i", "* 5u", "^ v",
                                                         alike ? "+ a[i]" : "+ a[id + i]", "+ v"))
                                             .of)
                       .of);
}

void writer_dimensions(struct writer *w) {
    const struct writer_array *k = &writer_arrays[writer_pick(w, 6)];
    unsigned c = 1 + writer_pick(w, 3);
    const char *at = "", *loops = "";
    bool hands = false;
    writer_put(w, "global %s *o = (global %s *)rows;\n%s x, y, z = get_global_id(2);\n", k->name,
               k->name, ANY(w, "uint", "uint", "int", "size_t"));
    switch (writer_pick(w, 12)) {
    case 9: /* in strides of the range, or a line for each */
    case 10:
        loops = ANY(w,
                    "for (y = get_global_id(1); y < width; y += get_global_size(1))\n"
                    "for (x = get_global_id(0); x < 300; x += get_global_size(0))",
                    "for (x = get_global_id(0); x < width * 6; x += get_global_size(0))\n"
                    "for (y = get_global_id(1); y < 48; y += get_global_size(1))",
                    "y = get_global_id(1); if (y < width)\n"
                    "for (x = get_global_id(0); x < 300; x += get_global_size(0))");
        hands = writer_chance(w, 40);
        if (hands) /* what an iteration of the inner one leaves for the next one */
            loops = ANY(w,
                        "for (y = get_global_id(1); y < width; y += get_global_size(1)) {\n"
                        "uint handed = y;\n"
                        "for (x = get_global_id(0); x < 300; x += get_global_size(0))",
                        "for (x = get_global_id(0); x < width * 6; x += get_global_size(0)) {\n"
                        "uint handed = width;\n"
                        "for (y = get_global_id(1); y < 48; y += get_global_size(1))");
        writer_put(w, "if (z >= 8) return;\n");
        at = "(z * 48 + y) * 300 + x";
        break;
    case 11:
        loops =
            ANY(w, "y = 0; x = id; for (; y < 48; y++)", "y = 0; x = id; for (; y < width; y++)",
                "y = 0; x = id; for (; y <= rounds; ++y)");
        at = ANY(w, "y * ITEMS + x", "y * (uint)ALL + x", "x * 48 + y");
        break;
    case 0:
    case 1:
        writer_put(w, "x = get_global_id(0); y = get_global_id(1);\n");
        at = ANY(w, "(z * get_global_size(1) + y) * get_global_size(0) + x",
                 "(z * get_global_size(0) + x) * get_global_size(1) + y");
        break;
    case 2:
        writer_put(w,
                   "x = get_global_id(0); y = get_global_id(1);\nif (x >= %s || y >= %s) return;\n",
                   ANY(w, "width", "40"), ANY(w, "rounds * 8", "wide", "17"));
        at = ANY(w, "(z * 128 + y) * 48 + x", "(z * 48 + x) * 128 + y");
        if (writer_chance(w, 40)) {
            at = "(z * wide + y) * width + x";
            writer_put(w, "if (x >= width || y >= wide) return;\n");
        }
        break;
    case 3:
    case 4:
        writer_put(w, "%s",
                   ANY(w, "z = 0; x = id % width; y = id / width;\n",
                       "z = 0; y = id / width; x = id - y * width;\n"));
        at = ANY(w, "y * width + x", "x * (ITEMS / width + 1) + y", "(y * width + x)");
        break;
    case 5:
        writer_put(w,
                   "z = 0; y = id / wide; x = id %% wide;\nif (x < %u || x >= wide - %u) { o[id] = "
                   "0; return; }\n",
                   c, c);
        at = ANY(w, "id", "y * wide + x", "x * (ITEMS / wide) + y");
        if (at[0] == 'x') at = "id";
        break;
    case 6:
        writer_put(w, "z = 0; x = lid %% 16; y = lid / 16;\n");
        at = ANY(w, "group * (items + 16) + y * 16 + x",
                 "group * (items + 16) + x * ((items + 15) / 16) + y");
        break;
    case 7: /* groups that are turned */
        writer_put(w, "x = get_group_id(0) * get_local_size(1) + get_local_id(1);\n"
                      "y = get_group_id(1) * get_local_size(0) + get_local_id(0);\n");
        at = ANY(w,
                 "(z * get_num_groups(1) * get_local_size(0) + y) * get_num_groups(0) * "
                 "get_local_size(1) + x",
                 "(z * get_num_groups(0) * get_local_size(1) + x) * get_num_groups(1) * "
                 "get_local_size(0) + y");
        break;
    default:
        writer_put(w, "z = id / (width * 8); y = id / width %% 8; x = id %% width;\n");
        at = ANY(w, "(z * 8 + y) * width + x", "(z * width + x) * 8 + y");
    }
    if (*loops && writer_chance(w, 30))
        writer_put(w, "if (%s) return;\n",
                   ANY(w, "get_global_id(0) >= 300", "get_global_id(1) >= width",
                       "get_local_id(0) == 3", "get_global_id(0) >= width", "a[id] & 1"));
    writer_put(w, *loops ? "const uint v0 = v;\n%s {\nuint v = %s;\n" : "%s", loops,
               ANY(w, "v0", "width", "width"));
    writer_put(w, "v += a[x * %u + y] + z;\n", c);
    if (hands)
        writer_put(w, "%s\n",
                   ANY(w, "v += handed; handed = handed * 5u + v;", "v ^= handed; handed = v;",
                       "v += handed; if (v & 1) handed = a[x];"));
    if (writer_chance(w, 50))
        writer_put(w, "for (uint i = 0; i < %s; i++) v += a[%s];\n", ANY(w, "rounds", "8", "width"),
                   ANY(w, "y * 8 + i", "i * 16 + x", "(y & 127) * wide + i", "x * 4 + i * width"));
    if (writer_chance(w, 30))
        writer_put(w, "if (x > 0 && y > 0) v = v * 3u + a[(y - 1) * 4 + x];\n");
    writer_put(w, "o[%s] = %s;\n%s", at,
               writer_filled(k->put,
                             *loops && writer_chance(w, 60) ? "v + x * 3u + y" : writer_value(w).of)
                   .of,
               hands    ? "}\n}\n"
               : *loops ? "}\n"
                        : "");
}
