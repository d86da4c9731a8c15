/* Memory: every width and number of components in every space, with addresses of every pattern
 * under every kind of mask; atomics; barriers; ids; faults and where they are placed. */
#include <stdarg.h>
#include <string.h>

#include "run.h"

enum { AREA = 1 << 16, ITEMS = 96, LOCAL = 48, MAX_TEXT = 16384 };

static uint64_t seed = 99;
static uint32_t any(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* ---- a sandbox with one area, and kernels from text ---- */

static struct memory *memory;
static uint32_t area;
static uint8_t *bytes;

static void open_memory(void) {
    memory = memory_new(1 << 22);
    area = memory_alloc(memory, AREA, 4096);
    CHECK(area, "no memory");
    bytes = memory_at(memory_base(memory), area);
}

/* The kernel has as many i32 parameters as `params`; the first is the area's address. %i0 is the
 * address, %i1 the global id. */
__attribute__((format(printf, 5, 6))) static struct fault run(struct size3 global,
                                                              struct size3 local,
                                                              const uint32_t params[3],
                                                              const char *head, const char *format,
                                                              ...) {
    static char body[MAX_TEXT], text[2 * MAX_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(body, sizeof body, format, list);
    va_end(list);
    snprintf(text, sizeof text,
             "simtcl-ir 1\n.file \"test.cl\"\n.kernel \"k\"\n"
             ".param \"a\" \"int\" value offset 0 size 4 align 4\n.param \"b\" \"int\" value "
             "offset 4 size 4 align 4\n"
             ".param \"c\" \"int\" value offset 8 size 4 align 4\n.param \"d\" \"int\" value "
             "offset 12 size 4 align 4\n"
             ".param_bytes 16\n%s{\nld.param.i32 %%i0, [0]\nspecial %%i1, global_id_x\n%s}\n",
             head, body);
    struct isa_module *m = run_parse(text);
    uint32_t block[4] = {area};
    for (int n = 1; params && n < 4; n++) block[n] = params[n - 1];
    struct fault f = run_kernel(memory, m, m->kernels[0], global, local, block);
    f.kernel = f.file = NULL;
    isa_module_free(m);
    return f;
}
#define LINE(n)                                                                                    \
    {                                                                                              \
        { n, 1, 1 }                                                                                \
    }
#define RUN(items, ...)                                                                            \
    run((struct size3)LINE(items), (struct size3)LINE((items) % LOCAL ? (items) : LOCAL),          \
        __VA_ARGS__)

static void fill(void) {
    for (int b = 0; b < AREA; b++) bytes[b] = (uint8_t)any(256);
}

/* ---- loads and stores: copies of elements ---- */

enum { FROM = 4096, FROM_BYTES = 12288, TO = 32768, TO_BYTES = 16384 };

static const struct {
    const char *name, *reg;
    uint32_t size;
} types[] = {{"i8", "%b", 1},  {"i16", "%h", 2}, {"i32", "%i", 4},
             {"f32", "%f", 4}, {"i64", "%l", 8}, {"f64", "%d", 8}};
static const uint32_t counts[] = {1, 2, 3, 4, 8, 16};

/* `{%i20, %i21}`, or `%i20` alone. */
static const char *group(const char *reg, uint32_t count, uint32_t first) {
    static char text[4][256];
    static int next;
    char *t = text[next++ % 4], *at = t;
    at += sprintf(at, "%s", count > 1 ? "{" : "");
    for (uint32_t c = 0; c < count; c++) at += sprintf(at, "%s%s%u", c ? ", " : "", reg, first + c);
    sprintf(at, "%s", count > 1 ? "}" : "");
    return t;
}
static const char *vector(uint32_t count) {
    static char text[16];
    text[0] = 0;
    if (count > 1) sprintf(text, ".v%u", count);
    return text;
}

/* Byte offsets of the items' elements, in one of the patterns that kernels have. */
static void offsets(uint32_t *at, int pattern, uint32_t size, uint32_t space) {
    uint32_t first = any(64);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t lane = i % LOCAL;
        switch (pattern) {
        case 0: at[i] = i * size; break;         /* one after the other, aligned */
        case 1: at[i] = first + i * size; break; /* and not aligned */
        case 2: at[i] = first; break;            /* all the same */
        case 3: at[i] = lane / 16 * 256; break;  /* the same in a half-warp */
        case 4: at[i] = lane / 16 * 1024 + lane % 16 * size; break; /* rows */
        case 5: at[i] = (ITEMS - i) * size; break;
        case 6: at[i] = i * size + (i == 21); break; /* all but one */
        default: at[i] = any(space - size);
        }
    }
}

static void copies(void) {
    static uint8_t expected[AREA];
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
            for (int pattern = 0; pattern < 9; pattern++)
                for (int mode = 0; mode < 4; mode++) {
                    int masked = mode & 1, separate = mode >> 1;
                    uint32_t size = types[t].size * counts[n], from[ITEMS], to[ITEMS];
                    fill();
                    offsets(from, pattern, size, FROM_BYTES);
                    offsets(to, any(2) ? pattern : 0, size, TO_BYTES);
                    for (uint32_t i = 0; i < ITEMS; i++) {
                        /* Stores that overlap in part may be split in any order. */
                        if (to[i] + size > TO_BYTES || (counts[n] > 1 && pattern > 1))
                            to[i] = i * size;
                        from[i] %= FROM_BYTES - size;
                        if (pattern > 6) to[i] = i * size + 3;
                        memcpy(bytes + i * 12, &from[i], 4);
                        memcpy(bytes + i * 12 + 4, &to[i], 4);
                        uint32_t on = masked ? any(3) != 0 : 1;
                        memcpy(bytes + i * 12 + 8, &on, 4);
                    }
                    memcpy(expected, bytes, AREA);
                    for (uint32_t i = 0; i < ITEMS; i++)
                        if (bytes[i * 12 + 8])
                            memcpy(expected + TO + to[i], bytes + FROM + from[i], size);
                    /* The address is made long before, or just where it is used, perhaps scaled. */
                    bool scaled = size % 4 == 0 && (pattern == 0 || pattern == 3 || pattern == 4);
                    char from_address[160], to_address[80];
                    sprintf(from_address,
                            "shr_u.i32 %%i60, %%i3, %d\nshl.i32 %%i61, %%i60, %d\nadd.i32 %%i62, "
                            "%%i0, %%i61\n",
                            scaled ? 2 : 0, scaled ? 2 : 0);
                    sprintf(to_address, "add.i32 %%i63, %%i4, %%i0\n");
                    struct fault f = RUN(
                        ITEMS, NULL, "",
                        "mul.i32 %%i2, %%i1, 12\nadd.i32 %%i2, %%i2, %%i0\nld.global.i32 %%i3, "
                        "[%%i2]\nld.global.i32 %%i4, [%%i2+4]\n"
                        "ld.global.i32 %%i5, [%%i2+8]\nne.i32 %%p6, %%i5, 0\n%s%sif "
                        "%%p6\n%sld.global.%s%s %s, [%%i62+%d]\n"
                        "%sst.global.%s%s [%%i63+%d], %s\nendif\n",
                        separate ? from_address : "", separate ? to_address : "",
                        separate ? "" : from_address, types[t].name, vector(counts[n]),
                        group(types[t].reg, counts[n], 20), FROM, separate ? "" : to_address,
                        types[t].name, vector(counts[n]), TO, group(types[t].reg, counts[n], 20));
                    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
                    for (int b = 0; b < AREA; b++)
                        CHECK(bytes[b] == expected[b],
                              "%s v%u, pattern %d, masked %d: byte %d is %d, not %d", types[t].name,
                              counts[n], pattern, masked, b, bytes[b], expected[b]);
                }
}

static void global(void *results) {
    open_memory();
    copies();
    memcpy(results, bytes, AREA);
}

/* Vectors at even distances, closed up or with gaps, in a line or by half-warps: what is read ends
 * with the area, the items' own results begin it. Some items are off, or none. */
static void run_stride(unsigned t, unsigned n, uint32_t gap, bool halves, bool masked) {
    enum { WIDTH = 16, ROWS = 4 };
    static uint8_t expected[AREA];
    uint32_t size = types[t].size * counts[n], from = size + gap * types[t].size, to = size;
    uint32_t pad = halves ? types[t].size * 3 : 0, place[2][WIDTH * ROWS];
    for (uint32_t i = 0; i < WIDTH * ROWS; i++) {
        place[0][i] = i * from + i / WIDTH * pad;
        place[1][i] = i * to + i / WIDTH * pad;
    }
    uint32_t first = AREA - place[0][WIDTH * ROWS - 1] - size;
    fill();
    memcpy(expected, bytes, AREA);
    for (uint32_t i = 0; i < WIDTH * ROWS; i++)
        if (!masked || i % 9) memcpy(expected + place[1][i], bytes + first + place[0][i], size);
    const char *reg = types[t].reg, *name = types[t].name;
    struct size3 line = LINE(WIDTH * ROWS), rows = {{WIDTH, ROWS, 1}};
    struct fault f =
        run(halves ? rows : line, halves ? rows : line, NULL, "",
            "special %%i2, global_id_y\nmul.i32 %%i3, %%i1, %u\nmul.i32 %%i4, %%i1, %u\n"
            "mul.i32 %%i5, %%i2, %u\nmul.i32 %%i6, %%i2, %u\nadd.i32 %%i3, %%i3, %%i5\n"
            "add.i32 %%i4, %%i4, %%i6\nadd.i32 %%i3, %%i3, %%i0\nadd.i32 %%i4, %%i4, %%i0\n"
            "special %%i7, thread_id\nrem_u.i32 %%i7, %%i7, 9\nne.i32 %%p8, %%i7, 0\n"
            "%sld.global.%s%s %s, [%%i3+%u]\nst.global.%s%s [%%i4], %s\n%s",
            from, to, WIDTH * from + pad, WIDTH * to + pad, masked ? "if %p8\n" : "", name,
            vector(counts[n]), group(reg, counts[n], 20), first, name, vector(counts[n]),
            group(reg, counts[n], 20), masked ? "endif\n" : "");
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    for (int b = 0; b < AREA; b++)
        CHECK(bytes[b] == expected[b], "%s v%u, gap %u, %s, masked %d: byte %d is %d, not %d", name,
              counts[n], gap, halves ? "halves" : "line", masked, b, bytes[b], expected[b]);
}

static void strides(void *results) {
    open_memory();
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
            for (uint32_t gap = 0; gap < 4; gap++) run_stride(t, n, gap, any(3) == 0, any(3) == 0);
    memcpy(results, bytes, AREA);
}

/* Addresses made of ids alone that are in a row for some warps and not for others: at an edge, and
 * where a row ends. The value loaded goes where the last operand says. */
static void edges(void *results) {
    static uint8_t expected[AREA];
    static const uint32_t rows[] = {7, 16, 24, 48, 1000};
    open_memory();
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
            for (int masked = 0; masked < 2; masked++) {
                uint32_t size = types[t].size, on[ITEMS];
                fill();
                for (uint32_t i = 0; i < ITEMS; i++) {
                    on[i] = masked ? any(4) != 0 : 1;
                    memcpy(bytes + 4 * i, &on[i], 4);
                }
                memcpy(expected, bytes, AREA);
                for (uint32_t i = 0; i < ITEMS; i++) {
                    uint32_t from = (i < 61 ? i : 61) * size;
                    uint32_t to = (i / rows[n] * 100 + i % rows[n]) * size;
                    if (on[i]) memcpy(expected + TO + to, bytes + FROM + 1 + from, size);
                }
                struct fault f =
                    RUN(ITEMS, ((const uint32_t[]){rows[n], size, 0}), "",
                        "ld.param.i32 %%i2, [4]\nld.param.i32 %%i3, [8]\n"
                        "rem_u.i32 %%i4, %%i1, %%i2\ndiv_u.i32 %%i5, %%i1, %%i2\n"
                        "mul.i32 %%i6, %%i5, 100\nadd.i32 %%i6, %%i6, %%i4\n"
                        "mul.i32 %%i6, %%i6, %%i3\nadd.i32 %%i6, %%i6, %%i0\n"
                        "min_u.i32 %%i7, %%i1, 61\nmul.i32 %%i7, %%i7, %%i3\n"
                        "add.i32 %%i7, %%i7, %%i0\nmul.i32 %%i8, %%i1, 4\n"
                        "add.i32 %%i8, %%i8, %%i0\nld.global.i32 %%i9, [%%i8]\n"
                        "ne.i32 %%p10, %%i9, 0\nif %%p10\nld.global.%s %s20, [%%i7+%d]\n"
                        "st.global.%s [%%i6+%d], %s20\nendif\n",
                        types[t].name, types[t].reg, FROM + 1, types[t].name, TO, types[t].reg);
                CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
                for (int b = 0; b < AREA; b++)
                    CHECK(bytes[b] == expected[b],
                          "%s, rows of %u, masked %d: byte %d is %d, not %d", types[t].name,
                          rows[n], masked, b, bytes[b], expected[b]);
            }
    memcpy(results, bytes, AREA);
}

/* One address for all: a scalar access; the highest lane's store is the one that stays. */
static void uniform(void *results) {
    open_memory();
    fill();
    RUN(32, ((const uint32_t[]){4096, 0, 0}), "",
        "ld.param.i32 %%i2, [4]\nadd.i32 %%i2, %%i2, %%i0\nld.global.i32.v4 {%%i2, %%i3, %%i4, "
        "%%i5}, [%%i2+3]\n"
        "mul.i32 %%i6, %%i1, 16\nadd.i32 %%i6, %%i6, %%i0\nst.global.i32.v4 [%%i6+8192], {%%i5, "
        "%%i4, %%i3, %%i2}\n"
        "lt_u.i32 %%p8, %%i1, 7\nif %%p8\nst.global.i32.v2 [%%i0+4000], {%%i1, %%i3}\nendif\n");
    for (int i = 0; i < 32; i++)
        for (int c = 0; c < 4; c++)
            CHECK(!memcmp(bytes + 8192 + i * 16 + c * 4, bytes + 4096 + 3 + (3 - c) * 4, 4),
                  "item %d, %d", i, c);
    uint32_t last;
    memcpy(&last, bytes + 4000, 4);
    CHECK(last == 6 && !memcmp(bytes + 4004, bytes + 4096 + 7, 4), "%u", last);
    memcpy(results, bytes, AREA);
}

/* ---- private memory: written in one width, read back in bytes, and the other way round ---- */

static void own(void *results) {
    enum { FRAME = 256 };
    open_memory();
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
            for (int pattern = 0; pattern < 4; pattern++) {
                uint32_t size = types[t].size * counts[n], at[ITEMS];
                fill();
                for (uint32_t i = 0; i < ITEMS; i++) {
                    at[i] = 16 + (pattern == 0   ? 32
                                  : pattern == 1 ? 33
                                  : pattern == 2 ? i % 16 * 4
                                                 : any(FRAME - 16 - size));
                    memcpy(bytes + i * 4, &at[i], 4);
                }
                const char *address = pattern < 2 ? "" : "%i3";
                char place[32];
                sprintf(place, pattern < 2 ? "%s%u" : "%s", address, at[0]);
                static char body[MAX_TEXT];
                char *p = body;
                p += sprintf(
                    p,
                    "mul.i32 %%i2, %%i1, 4\nadd.i32 %%i2, %%i2, %%i0\nld.global.i32 %%i3, [%%i2]\n"
                    "mul.i32 %%i4, %%i1, %u\nadd.i32 %%i4, %%i4, %%i0\n",
                    size);
                p += sprintf(p, "ld.global.%s%s %s, [%%i4+4096]\n", types[t].name,
                             vector(counts[n]), group(types[t].reg, counts[n], 20));
                p += sprintf(p, "st.private.%s%s [%s], %s\n", types[t].name, vector(counts[n]),
                             place, group(types[t].reg, counts[n], 20));
                p += sprintf(p,
                             "mov.i32 %%i5, 0\nloop\nle_u.i32 %%p6, %u, %%i5\nbreakif %%p6, "
                             "0\nadd.i32 %%i7, %%i3, %%i5\n"
                             "ld.private.i8 %%b8, [%%i7]\nxor.i8 %%b8, %%b8, 5\nst.private.i8 "
                             "[%%i7], %%b8\nadd.i32 %%i5, %%i5, 1\nendloop\n",
                             size);
                p += sprintf(p, "ld.private.%s%s %s, [%s]\n", types[t].name, vector(counts[n]),
                             group(types[t].reg, counts[n], 40), place);
                sprintf(p, "st.global.%s%s [%%i4+32768], %s\n", types[t].name, vector(counts[n]),
                        group(types[t].reg, counts[n], 40));
                struct fault f = RUN(ITEMS, NULL, ".private_bytes 256\n", "%s", body);
                CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
                for (uint32_t b = 0; b < ITEMS * size; b++)
                    CHECK(bytes[32768 + b] == (bytes[4096 + b] ^ 5), "%s v%u, pattern %d, byte %u",
                          types[t].name, counts[n], pattern, b);
            }
    memcpy(results, bytes, AREA);
}

/* ---- atomics ---- */

static uint64_t atomic_of(int op, uint64_t old, uint64_t v, uint64_t w, bool large) {
    int64_t so = large ? (int64_t)old : (int32_t)old, sv = large ? (int64_t)v : (int32_t)v;
    switch (op + ISA_atom_add) {
    case ISA_atom_add: return old + v;
    case ISA_atom_sub: return old - v;
    case ISA_atom_xchg: return v;
    case ISA_atom_min_s: return so < sv ? old : v;
    case ISA_atom_min_u: return old < v ? old : v;
    case ISA_atom_max_s: return so > sv ? old : v;
    case ISA_atom_max_u: return old > v ? old : v;
    case ISA_atom_and: return old & v;
    case ISA_atom_or: return old | v;
    case ISA_atom_xor: return old ^ v;
    default: return old == v ? w : old;
    }
}

/* Every other item changes one of four words; one warp, so that the order is known. */
static void atomics(void *results) {
    open_memory();
    for (int op = 0; op <= ISA_atom_cas - ISA_atom_add; op++)
        for (int large = 0; large < 2; large++)
            for (int local = 0; local < 2; local++) {
                uint32_t size = large ? 8 : 4;
                const char *type = large ? "i64" : "i32", *reg = large ? "%l" : "%i";
                char more[16] = "";
                if (op + ISA_atom_add == ISA_atom_cas) sprintf(more, ", %s21", reg);
                fill();
                if (op + ISA_atom_add == ISA_atom_cas)
                    for (int i = 0; i < 32; i++)
                        memcpy(bytes + 4096 + i * 16, bytes + 8192 + i % 4 * 8 + (i == 9 ? 8 : 0),
                               8);
                static uint8_t before[AREA];
                memcpy(before, bytes, AREA);
                struct fault f =
                    RUN(32, NULL, ".local_bytes 64\n",
                        "and.i32 %%i2, %%i1, 3\nmul.i32 %%i3, %%i2, 8\nmul.i32 %%i4, %%i1, "
                        "16\nadd.i32 %%i4, %%i4, %%i0\n"
                        "add.i32 %%i5, %%i3, %%i0\nadd.i32 %%i5, %%i5, 8192\nld.global.i64 %%l6, "
                        "[%%i5]\nlocaladdr %%i7, 0\nadd.i32 %%i7, %%i7, %%i3\n"
                        "st.local.i64 [%%i7], %%l6\nbar\nld.global.%s %s20, "
                        "[%%i4+4096]\nld.global.%s %s21, [%%i4+4104]\n"
                        "and.i32 %%i8, %%i1, 4\neq.i32 %%p9, %%i8, 0\nmov.%s %s22, 7\nif "
                        "%%p9\n%s.%s.%s %s22, [%%i%d], %s20%s\nendif\n"
                        "st.global.%s [%%i4+32768], %s22\nbar\nld.local.i64 %%l10, "
                        "[%%i7]\nst.global.i64 [%%i5+1024], %%l10\n",
                        type, reg, type, reg, type, reg, isa_op_info[op + ISA_atom_add].name,
                        local ? "local" : "global", type, reg, local ? 7 : 5, reg, more, type, reg);
                CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
                for (int word = 0; word < 4; word++) {
                    uint64_t old = 0, now = 0;
                    memcpy(&old, before + 8192 + word * 8, size);
                    for (int i = word; i < 32; i += 4) {
                        uint64_t v = 0, w = 0, got = 0;
                        memcpy(&v, before + 4096 + i * 16, size);
                        memcpy(&w, before + 4104 + i * 16, size);
                        memcpy(&got, bytes + 32768 + i * 16, size);
                        uint64_t expected = i & 4 ? 7 : old;
                        CHECK(got == expected, "%s.%s, item %d: %llx, not %llx",
                              isa_op_info[op + ISA_atom_add].name, type, i, (unsigned long long)got,
                              (unsigned long long)expected);
                        if (!(i & 4)) old = atomic_of(op, old, v, w, large);
                        if (!large) old = (uint32_t)old;
                    }
                    memcpy(&now, bytes + 8192 + word * 8 + (local ? 1024 : 0), size);
                    CHECK(now == old, "%s.%s: the word is %llx, not %llx",
                          isa_op_info[op + ISA_atom_add].name, type, (unsigned long long)now,
                          (unsigned long long)old);
                }
            }
    /* Groups of all threads count in one word, uniform operands. */
    memset(bytes, 0, 64);
    RUN(LOCAL * 400, NULL, "", "atom_add.global.i32 %%i2, [%%i0], 1\n");
    uint32_t sum;
    memcpy(&sum, bytes, 4);
    CHECK(sum == LOCAL * 400, "%u", sum);
    memcpy(results, bytes, AREA);
}

/* All lanes, or some, change one word, by values of their own or by one; where the old values are
 * used they tell of an order from the lowest lane on. A bit of `variant` for each choice. */
enum { SOME = 1, BY_ONE = 2, USED = 4, VARIANTS = 8 };

static void check_one_place(int op, bool large, bool local, const uint8_t *before) {
    uint32_t size = large ? 8 : 4;
    for (int variant = 0; variant < VARIANTS; variant++) {
        uint64_t old = 0, now = 0;
        memcpy(&old, before + 8192 + variant * 8, size);
        for (int i = 0; i < 32; i++) {
            uint64_t v = 0, w = 0, got = 0, expected = 0;
            memcpy(&v, before + 4096 + (variant & BY_ONE ? 0 : i * 16), size);
            memcpy(&w, before + 4104 + i * 16, size);
            memcpy(&got, bytes + 32768 + variant * 512 + i * 16, size);
            bool on = !(variant & SOME) || i % 8 > 2;
            memcpy(&expected, before + 32768 + variant * 512 + i * 16, size);
            if (variant & USED) expected = on ? old : 7;
            CHECK(got == expected, "%s.%s, variant %d, item %d: %llx, not %llx",
                  isa_op_info[op].name, large ? "i64" : "i32", variant, i, (unsigned long long)got,
                  (unsigned long long)expected);
            if (on) old = atomic_of(op - ISA_atom_add, old, v, w, large);
            if (!large) old = (uint32_t)old;
        }
        memcpy(&now, bytes + 8192 + variant * 8 + (local ? 1024 : 0), size);
        CHECK(now == old, "%s.%s, variant %d: the word is %llx, not %llx", isa_op_info[op].name,
              large ? "i64" : "i32", variant, (unsigned long long)now, (unsigned long long)old);
    }
}

static void run_one_place(int op, bool large, bool local) {
    static char text[MAX_TEXT];
    static uint8_t before[AREA];
    const char *type = large ? "i64" : "i32", *reg = large ? "%l" : "%i";
    const char *space = local ? "local" : "global";
    char more[16] = "", *at = text;
    if (op == ISA_atom_cas) sprintf(more, ", %s21", reg);
    fill();
    if (op == ISA_atom_cas) /* some find what they expect */
        for (int i = 0; i < 32; i++) memcpy(bytes + 4096 + i * 16, bytes + 8192 + i % 8 * 8, 8);
    memcpy(before, bytes, AREA);
    at += sprintf(at,
                  "mul.i32 %%i4, %%i1, 16\nadd.i32 %%i4, %%i4, %%i0\nand.i32 %%i8, %%i1, 7\n"
                  "lt_u.i32 %%p9, 2, %%i8\nadd.i32 %%i7, %%i0, 8192\n"
                  "ld.global.%s %s20, [%%i4+4096]\nld.global.%s %s21, [%%i4+4104]\n"
                  "ld.global.%s %s23, [%%i0+4096]\n",
                  type, reg, type, reg, type, reg);
    if (local) at += sprintf(at, "localaddr %%i7, 0\n");
    for (int variant = 0; local && variant < VARIANTS; variant++)
        at += sprintf(at, "ld.global.i64 %%l6, [%%i0+%d]\nst.local.i64 [%%i7+%d], %%l6\n",
                      8192 + variant * 8, variant * 8);
    at += sprintf(at, "bar\n");
    for (int variant = 0; variant < VARIANTS; variant++) {
        int result = 30 + variant;
        if (variant & USED) at += sprintf(at, "mov.%s %s%d, 7\n", type, reg, result);
        if (variant & SOME) at += sprintf(at, "if %%p9\n");
        at += sprintf(at, "%s.%s.%s %s%d, [%%i7+%d], %s%d%s\n", isa_op_info[op].name, space, type,
                      reg, result, variant * 8, reg, variant & BY_ONE ? 23 : 20, more);
        if (variant & SOME) at += sprintf(at, "endif\n");
        if (variant & USED)
            at += sprintf(at, "st.global.%s [%%i4+%d], %s%d\n", type, 32768 + variant * 512, reg,
                          result);
    }
    at += sprintf(at, "bar\n");
    for (int variant = 0; local && variant < VARIANTS; variant++)
        at += sprintf(at, "ld.local.i64 %%l6, [%%i7+%d]\nst.global.i64 [%%i0+%d], %%l6\n",
                      variant * 8, 9216 + variant * 8);
    struct fault f = RUN(32, NULL, ".local_bytes 64\n", "%s", text);
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    check_one_place(op, large, local, before);
}

static void one_place(void *results) {
    open_memory();
    for (int op = ISA_atom_add; op <= ISA_atom_cas; op++)
        for (int n = 0; n < 4; n++) run_one_place(op, n & 1, n >> 1);
    memcpy(results, bytes, AREA);
}

/* ---- ids, barriers ---- */

static void ids(void *results) {
    static const char *const names[] = {"local_id",    "global_id",  "group_id",     "local_size",
                                        "global_size", "num_groups", "global_offset"};
    static const struct size3 sizes[][2] = {{{{12, 6, 4}}, {{3, 2, 4}}},
                                            {{{70, 3, 1}}, {{35, 3, 1}}},
                                            {{{512, 2, 1}}, {{512, 1, 1}}},
                                            {{{7, 7, 7}}, {{7, 7, 7}}},
                                            {{{64, 4, 2}}, {{16, 2, 2}}}};
    open_memory();
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int n = 0; n < 7; n++) {
            memset(bytes, 0xff, AREA);
            const uint32_t *g = sizes[s][0].n, *l = sizes[s][1].n;
            struct fault f = run(
                sizes[s][0], sizes[s][1], NULL, "",
                "special %%i2, global_id_y\nspecial %%i3, global_id_z\nspecial %%i4, "
                "global_size_x\nspecial %%i5, global_size_y\n"
                "mul.i32 %%i6, %%i3, %%i5\nadd.i32 %%i6, %%i6, %%i2\nmul.i32 %%i6, %%i6, "
                "%%i4\nadd.i32 %%i6, %%i6, %%i1\n"
                "mul.i32 %%i6, %%i6, 16\nadd.i32 %%i6, %%i6, %%i0\nspecial %%i10, %s_x\nspecial "
                "%%i11, %s_y\nspecial %%i12, %s_z\n"
                "special %%i13, thread_id\nst.global.i32.v4 [%%i6], {%%i10, %%i11, %%i12, %%i13}\n",
                names[n], names[n], names[n]);
            CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
            uint32_t id[3];
            for (id[2] = 0; id[2] < g[2]; id[2]++)
                for (id[1] = 0; id[1] < g[1]; id[1]++)
                    for (id[0] = 0; id[0] < g[0]; id[0]++) {
                        uint32_t got[4], here[3];
                        memcpy(got, bytes + ((id[2] * g[1] + id[1]) * g[0] + id[0]) * 16, 16);
                        for (int d = 0; d < 3; d++) {
                            here[d] = id[d] % l[d];
                            uint32_t expected[] = {id[d] % l[d], id[d], id[d] / l[d], l[d], g[d],
                                                   g[d] / l[d],  0};
                            CHECK(got[d] == expected[n], "%s %d of (%u,%u,%u): %u", names[n], d,
                                  id[0], id[1], id[2], got[d]);
                        }
                        CHECK(got[3] == (here[2] * l[1] + here[1]) * l[0] + here[0], "thread_id %u",
                              got[3]);
                    }
        }
    memcpy(results, bytes, AREA);
}

/* A reduction in local memory, over all the warps of a group: barriers in a loop, a partial last
 * warp. */
static void barriers(void *results) {
    open_memory();
    static const uint32_t locals[] = {1, 31, 32, 33, 64, 100, 512};
    for (int n = 0; n < 7; n++) {
        uint32_t local = locals[n];
        fill();
        struct fault f = run(
            (struct size3)LINE(local * 5), (struct size3)LINE(local), NULL, ".local_bytes 2048\n",
            "special %%i2, local_id_x\nspecial %%i3, local_size_x\nspecial %%i4, "
            "group_id_x\nmul.i32 %%i5, %%i1, 4\nadd.i32 %%i5, %%i5, %%i0\n"
            "ld.global.i32 %%i6, [%%i5]\nlocaladdr %%i7, 0\nmul.i32 %%i8, %%i2, 4\nadd.i32 %%i8, "
            "%%i8, %%i7\nst.local.i32 [%%i8], %%i6\n"
            "loop\nle_u.i32 %%p9, %%i3, 1\nbreakif %%p9, 0\nbar local\nadd.i32 %%i10, %%i3, "
            "1\nshr_u.i32 %%i10, %%i10, 1\nadd.i32 %%i11, %%i2, %%i10\n"
            "lt_u.i32 %%p12, %%i11, %%i3\nif %%p12\nmul.i32 %%i13, %%i10, 4\nadd.i32 %%i13, %%i13, "
            "%%i8\nld.local.i32 %%i14, [%%i13]\n"
            "ld.local.i32 %%i15, [%%i8]\nadd.i32 %%i15, %%i15, %%i14\nst.local.i32 [%%i8], "
            "%%i15\nendif\nmov.i32 %%i3, %%i10\nendloop\n"
            "ne.i32 %%p16, %%i2, 0\nif %%p16\nret\nendif\nld.local.i32 %%i17, [%%i7]\nmul.i32 "
            "%%i18, %%i4, 4\nadd.i32 %%i18, %%i18, %%i0\n"
            "st.global.i32 [%%i18+32768], %%i17\n");
        CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
        for (uint32_t g = 0; g < 5; g++) {
            uint32_t sum = 0, v, got;
            for (uint32_t i = 0; i < local; i++)
                memcpy(&v, bytes + (g * local + i) * 4, 4), sum += v;
            memcpy(&got, bytes + 32768 + g * 4, 4);
            CHECK(got == sum, "group %u of %u: %x, not %x", g, local, got, sum);
        }
    }
    /* Some items have returned: the others' barrier holds. Lanes that wait elsewhere: it does not.
     */
    struct fault f = RUN(LOCAL, NULL, "", "lt_u.i32 %%p2, %%i1, 40\nif %%p2\nret\nendif\nbar\n");
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    f = RUN(LOCAL, NULL, "", "lt_u.i32 %%p2, %%i1, 40\nif %%p2\n.loc 0 77\nbar\nendif\n");
    CHECK(f.kind == FAULT_BARRIER && f.line == 77, "fault %d, line %u", f.kind, f.line);
    f = RUN(LOCAL, NULL, "",
            "lt_u.i32 %%p2, %%i1, 32\nif %%p2\n.loc 0 7\nbar\nelse\n.loc 0 8\nbar\nendif\n");
    CHECK(f.kind == FAULT_BARRIER && (f.line == 7 || f.line == 8), "fault %d, line %u", f.kind,
          f.line);
    /* The first warp waits in a loop for what the second one stores. */
    memset(bytes, 0, 64);
    f = RUN(LOCAL, NULL, "",
            "lt_u.i32 %%p2, %%i1, 32\nif %%p2\nloop\nld.global.volatile.i32 %%i3, [%%i0]\neq.i32 "
            "%%p4, %%i3, 5\nbreakif %%p4, 0\nendloop\n"
            "else\nst.global.volatile.i32 [%%i0], 5\nendif\n");
    CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
    memcpy(results, bytes, AREA);
}

/* ---- faults ---- */

static void faults(void *results) {
    open_memory();
    fill();
    static const char *const widths[] = {"i8", "i16", "i32", "i64"};
    static const char regs[] = "bhil";
    for (int w = 0; w < 4; w++)
        for (int write = 0; write < 2; write++)
            for (uint32_t bad = 0; bad < LOCAL; bad += 7) {
                char operation[128]; /* a load nobody looks at need not happen, nor one whose value
                                        is stored over at once: each lane has its own place */
                if (write)
                    sprintf(operation, "st.global.%s [%%i4+4], %%%c30", widths[w], regs[w]);
                else
                    sprintf(operation,
                            "ld.global.%s %%%c30, [%%i4+4]\nst.global.%s [%%i6+4096], %%%c30",
                            widths[w], regs[w], widths[w], regs[w]);
                struct fault f =
                    RUN(LOCAL, ((const uint32_t[]){bad, 0, 0}), "",
                        "ld.param.i32 %%i2, [4]\neq.i32 %%p3, %%i1, %%i2\nand.i32 %%i5, %%i1, "
                        "7\nmul.i32 %%i5, %%i5, 8\nadd.i32 %%i5, %%i5, %%i0\n"
                        "mul.i32 %%i6, %%i1, 8\nadd.i32 %%i6, %%i6, %%i0\n"
                        "select.i32 %%i4, %%p3, 256, %%i5\n.loc 0 %u\n%s\n",
                        40 + bad, operation);
                CHECK(f.kind == FAULT_ACCESS && f.write == write && f.line == 40 + bad,
                      "kind %d, line %u", f.kind, f.line);
                CHECK(f.item_known && f.local_id[0] == bad, "item %u, not %u", f.local_id[0], bad);
            }
    struct fault f = RUN(LOCAL, NULL, "",
                         ".loc 0 3\nld.global.i32.v4 {%%i2, %%i3, %%i4, %%i5}, [64]\n.loc 0 "
                         "4\nst.global.i32.v4 [%%i0], {%%i2, %%i3, %%i4, %%i5}\n");
    CHECK(f.kind == FAULT_ACCESS && f.line == 3 && f.item_known, "kind %d", f.kind);
    f = RUN(LOCAL, NULL, ".private_bytes 64\n",
            ".loc 0 9\nmul.i32 %%i2, %%i1, 2\nst.private.i32 [%%i2+20], %%i1\n");
    CHECK(f.kind == FAULT_PRIVATE && f.line == 9, "kind %d", f.kind);
    CHECK(f.local_id[0] == 21 || f.local_id[0] == 32, "item %u", f.local_id[0]);
    f = RUN(LOCAL, NULL, ".private_bytes 64\n",
            "mul.i32 %%i2, %%i1, 16\nsub.i32 %%i2, 0, %%i2\nld.private.i8 %%b3, [%%i2+16]\n"
            "st.global.i8 [%%i0], %%b3\n");
    CHECK(f.kind == FAULT_PRIVATE && f.local_id[0] % 32 == 2, "kind %d, item %u", f.kind,
          f.local_id[0]);
    f = RUN(LOCAL, NULL, "", "add.i32 %%i2, %%i0, %%i1\natom_add.global.i32 %%i3, [%%i2], 1\n");
    CHECK(f.kind == FAULT_MISALIGNED, "kind %d", f.kind);
    /* Lanes that are off touch nothing. */
    f = RUN(LOCAL, NULL, "",
            "lt_u.i32 %%p2, %%i1, 0\nlt_u.i32 %%p3, %%i1, 20\nmul.i32 %%i4, %%i1, 4\nadd.i32 %%i5, "
            "%%i4, %%i0\nselect.i32 %%i5, %%p3, %%i5, 12\n"
            "if %%p2\nst.global.i32 [4], %%i1\nendif\nif %%p3\nld.global.i32 %%i6, "
            "[%%i5]\nst.global.i32 [%%i5+4096], %%i6\nendif\n");
    CHECK(f.kind == FAULT_NONE, "kind %d", f.kind);
    memcpy(results, bytes, AREA);
}

/* [name...]: only those tests */
int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void *);
    } tests[] = {{"global", global},       {"uniform", uniform}, {"edges", edges},
                 {"strides", strides},     {"own", own},         {"atomics", atomics},
                 {"one_place", one_place}, {"ids", ids},         {"barriers", barriers},
                 {"faults", faults}};
    int failures = 0;
    for (unsigned n = 0; n < sizeof tests / sizeof *tests; n++) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++) wanted |= !strcmp(argv[a], tests[n].name);
        if (wanted) failures += run_levels(tests[n].name, tests[n].run, AREA);
    }
    return failures != 0;
}
