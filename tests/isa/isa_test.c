/* The warp IR as text: cases.txt, random damage, and the table of operations in SPEC.md.
 *
 *   isa_test cases FILE     the cases of a file
 *   isa_test fuzz FILE N    N damaged copies of its texts are refused, or are good modules
 *   isa_test table          prints SPEC.md's table of operations
 *   isa_test check SPEC.md  fails when the file does not hold that table and those of sites
 *   isa_test build          modules made by the builder, how long printing takes, hostile texts,
 *                           sites that are merged and removed
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/isa/probes.h"

static char *read_file(const char *name, size_t *length) {
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    while (f && !feof(f)) {
        capacity += 65536;
        text = realloc(text, capacity + 1);
        *length += fread(text + *length, 1, capacity - *length, f);
    }
    if (!f) {
        perror(name);
        exit(2);
    }
    fclose(f);
    text[*length] = 0;
    return text;
}

/* ---- cases ---- */

struct test_case {
    char *title, *text; /* text begins with the module's header */
    bool good;
};

static struct test_case *split(char *file, unsigned *count) {
    struct test_case *cases = NULL;
    *count = 0;
    for (char *at = strstr(file, "\n=== "); at;) {
        char *title = at + 5, *body = strchr(title, '\n');
        *body++ = 0;
        at = body[0] == '=' ? body - 1 : strstr(body, "\n=== ");
        size_t length = at > body ? (size_t)(at - body) : at ? 0 : strlen(body);
        char *text = malloc(length + 20);
        int header = sprintf(text, "simtcl-ir 2\n");
        memcpy(text + header, body, length);
        strcpy(text + header + length, "\n");
        cases = realloc(cases, (*count + 1) * sizeof *cases);
        cases[(*count)++] = (struct test_case){.title = title, .text = text, .good = *title == 'g'};
    }
    return cases;
}

static void free_cases(struct test_case *cases, unsigned count) {
    for (unsigned n = 0; n < count; n++) free(cases[n].text);
    free(cases);
}

/* Equal but for empty lines, .regs, .unused, and the checksum of a. */
static bool same_text(const char *a, const char *b) {
    static const char *const skipped[] = {"\n", ".regs ", ".unused ", ".checksum "};
    for (;;) {
        for (const char **side = &a;; side = &b) {
            for (unsigned n = 0; n < 4; n++)
                while (!strncmp(*side, skipped[n], strlen(skipped[n]))) {
                    *side = strchr(*side, '\n') + 1;
                    n = 0;
                }
            if (side == &b) break;
        }
        size_t length = strcspn(a, "\n");
        if (strncmp(a, b, length + 1)) return false;
        if (!*a) return true;
        a += length + 1;
        b += length + 1;
    }
}

/* print(parse(print(m))) == print(m) */
static bool comes_back(const struct isa_module *m, char **printed) {
    struct isa_error error = {0};
    size_t length, length2 = 0;
    char *text = isa_print(m, &length), *text2 = NULL;
    struct isa_module *again = isa_parse(text, length, &error);
    if (again) text2 = isa_print(again, &length2);
    bool same = text2 && length == length2 && !memcmp(text, text2, length);
    if (!same) fprintf(stderr, "line %u: %s\n%s", error.line, error.text, text);
    isa_module_free(again);
    free(text2);
    *printed = text;
    return same;
}

static bool check_good(const struct test_case *c) {
    struct isa_error error = {0};
    struct isa_module *m = isa_parse(c->text, strlen(c->text), &error);
    if (!m) {
        fprintf(stderr, "%s: line %u: %s\n", c->title, error.line, error.text);
        return false;
    }
    char *printed;
    bool good = comes_back(m, &printed);
    if (good && !same_text(printed, c->text)) {
        fprintf(stderr, "%s: printed as\n%s", c->title, printed);
        good = false;
    }
    free(printed);
    isa_module_free(m);
    return good;
}

static bool check_bad(const struct test_case *c) {
    struct isa_error error = {0};
    struct isa_module *m = isa_parse(c->text, strlen(c->text), &error);
    char *reason;
    unsigned line = (unsigned)strtoul(c->title + 4, &reason, 10);
    if (!m && error.line == line && strstr(error.text, reason + 1)) return true;
    fprintf(stderr, "%s: %s at line %u: %s\n%s", c->title, m ? "read" : "refused", error.line,
            error.text, c->text);
    isa_module_free(m);
    return false;
}

static int run_cases(const char *name) {
    size_t length;
    unsigned count, failed = 0;
    char *file = read_file(name, &length);
    struct test_case *cases = split(file, &count);
    for (unsigned n = 0; n < count; n++)
        failed += !(cases[n].good ? check_good : check_bad)(&cases[n]);
    printf("%u cases, %u failed\n", count, failed);
    free_cases(cases, count);
    free(file);
    return failed || !count;
}

/* ---- damage ---- */

static uint64_t seed = 1;

static uint32_t below(uint32_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

static size_t damage(char *text, size_t length) {
    static const char bytes[] = "0123456789abfx%.,:[]{}\"\\-+ \n\t";
    for (unsigned n = 1 + below(4); n && length; n--) {
        uint32_t at = below((uint32_t)length), size = 1 + below(12);
        if (size > length - at) size = (uint32_t)(length - at);
        uint32_t from = below((uint32_t)(length - size + 1));
        switch (below(7)) {
        case 0: text[at] = (char)below(256); break;
        case 1:
        case 2: text[at] = bytes[below(sizeof bytes)]; break;
        case 3: memmove(text + at, text + at + size, length - at - size), length -= size; break;
        case 4: memmove(text + at, text + from, size); break;
        case 5: text[at] = (char)(text[at] ^ 1 << below(8)); break;
        case 6:
            if (!below(4)) length = at;
        }
    }
    return length;
}

static int run_fuzz(const char *name, uint32_t rounds) {
    size_t length;
    unsigned count, passed = 0;
    char *file = read_file(name, &length);
    struct test_case *cases = split(file, &count);
    for (uint32_t n = 0; n < rounds; n++) {
        const struct test_case *c = &cases[below(below(2) ? 6 : count)];
        struct isa_error error = {0};
        size_t size = strlen(c->text);
        char *text = malloc(size + 1); /* of just that size, for the sanitizer */
        memcpy(text, c->text, size);
        size = damage(text, size);
        char *exact = malloc(size ? size : 1);
        memcpy(exact, text, size);
        struct isa_module *m = isa_parse(exact, size, &error);
        free(text);
        free(exact);
        if (!m && !*error.text) {
            fprintf(stderr, "refused without a reason\n");
            return 1;
        }
        if (!m) continue;
        char *printed;
        bool good = isa_verify(m, &error) && comes_back(m, &printed);
        isa_module_free(m);
        if (!good) {
            fprintf(stderr, "round %u: %s\n", n, error.text);
            return 1;
        }
        free(printed);
        passed++;
    }
    printf("%u of %u damaged texts are good modules\n", passed, rounds);
    free_cases(cases, count);
    free(file);
    return 0;
}

/* ---- the table of operations ---- */

struct isa_test_text {
    char *at;
    size_t length, capacity;
};

__attribute__((format(printf, 2, 3))) static void add(struct isa_test_text *t, const char *format,
                                                      ...) {
    va_list list;
    if (t->capacity - t->length < 400) t->at = realloc(t->at, t->capacity += 4096);
    va_start(list, format);
    t->length += (size_t)vsnprintf(t->at + t->length, 400, format, list);
    va_end(list);
}

static void add_types(struct isa_test_text *t, uint16_t set) {
    const char *separator = "";
    for (unsigned type = 0; type < ISA_TYPE_COUNT; type++)
        if (set >> type & 1) {
            add(t, "%s%s", separator, isa_type_name[type]);
            separator = " ";
        }
}

static void add_operations(struct isa_test_text *t, enum isa_site_kind kind) {
    unsigned first = ISA_OP_COUNT, last = 0, count = 0;
    for (unsigned op = 0; op < ISA_OP_COUNT; op++)
        if (isa_site_takes(kind, (enum isa_op)op)) {
            first = first < op ? first : op;
            last = op;
            count++;
        }
    const char *separator = count == 1 ? "" : count == 2 ? ", " : " to ";
    add(t, "%s%s%s", isa_op_info[first].name, separator, count > 1 ? isa_op_info[last].name : "");
}

static char *site_table(void) {
    struct isa_test_text t = {0};
    add(&t, "| kind | carried by | what it is |\n|---|---|---|\n");
#define ISA_SITE_KIND(name, first, last, also, what)                                               \
    add(&t, "| " #name " | ");                                                                     \
    add_operations(&t, ISA_SITE_##name);                                                           \
    add(&t, " | " what " |\n");
#include "device/isa/sites.def"
    return t.at;
}

static char *reason_table(void) {
    struct isa_test_text t = {0};
#define ISA_SITE_REASON(name, what) add(&t, "| removed: " #name " | " what " |\n");
#include "device/isa/sites.def"
    return t.at;
}

static char *table(void) {
    static const char *const units[] = {"-", "SP", "SFU", "MEM", "TEX"};
    struct isa_test_text t = {0};
    add(&t, "| operation | operands | types | second types | unit | clocks |\n");
    add(&t, "|---|---|---|---|---|---|\n");
    for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
        const struct isa_op_info *info = &isa_op_info[op];
        add(&t, "| %s | `%s` | ", info->name, info->operands);
        add_types(&t, info->types);
        add(&t, " | ");
        add_types(&t, info->types2);
        add(&t, " | %s | %u |\n", units[info->unit], info->clocks);
    }
    return t.at;
}

static int check_tables(const char *name) {
    static char *(*const tables[])(void) = {table, site_table, reason_table};
    size_t length;
    char *file = read_file(name, &length);
    int failed = 0;
    for (unsigned n = 0; n < sizeof tables / sizeof *tables; n++) {
        char *want = tables[n]();
        if (!strstr(file, want)) {
            fprintf(stderr, "%s does not hold this table:\n%s", name, want);
            failed = 1;
        }
        free(want);
    }
    free(file);
    return failed;
}

/* ---- the builder ---- */

#define EXPECT(x)                                                                                  \
    if (!(x)) {                                                                                    \
        fprintf(stderr, "line %d: %s\n", __LINE__, #x);                                            \
        return 1;                                                                                  \
    }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_build(void) {
    struct isa_module *m = isa_module_new();
    struct isa_error error = {0};
    static const uint8_t bytes[5] = {1, 2, 3, 4, 5};
    EXPECT(m);
    EXPECT(isa_module_add_data(m, bytes, 5, 1) == 0);
    EXPECT(isa_module_add_data(m, bytes, 4, 16) == 16);
    EXPECT(m->data_bytes == 20 && m->data_align == 16 && m->data[5] == 0 && m->data[16] == 1);
    EXPECT(isa_module_add_reloc(m, 16));
    EXPECT(isa_module_add_format(m, "%d\n") == 0 && isa_module_add_format(m, "%f\n") == 1);
    EXPECT(isa_module_add_format(m, "%d\n") == 0);
    struct isa_kernel *k = isa_kernel_new(m, "built");
    EXPECT(k && isa_module_find(m, "built") == k && !isa_module_find(m, "other"));
    EXPECT(isa_const_new(k, ISA_I8, 0x1ff) == isa_const_new(k, ISA_I8, 0xff));
    EXPECT(isa_const_new(k, ISA_I16, 0xff) != isa_const_new(k, ISA_I8, 0xff));
    for (uint64_t n = 0; n < 5000; n++) isa_const_new(k, ISA_I32, n * n);
    EXPECT(k->nconsts == 5002 && isa_operand_type(k, isa_const_new(k, ISA_I32, 4)) == ISA_I32);
    isa_operand x = isa_emit1(k, ISA_add, ISA_I32, ISA_NONE_T, isa_const_new(k, ISA_I32, 1),
                              isa_const_new(k, ISA_I32, 2), ISA_NO_OPERAND);
    isa_emit1(k, ISA_lt_s, ISA_PRED, ISA_I32, x, x, ISA_NO_OPERAND);
    isa_operand none = ISA_NO_OPERAND, quad[4];
    for (unsigned n = 0; n < 4; n++) quad[n] = isa_reg_new(k, ISA_F32);
    struct isa_inst *i = isa_emit(k, ISA_ld, ISA_F32, ISA_NONE_T, 4, quad, 1, &none);
    i->space = ISA_PRIVATE;
    i->imm = 32;
    EXPECT(i->count == 4);
    EXPECT(isa_verify(m, &error));
    for (unsigned n = 0; n < 3000; n++) { /* operands that lie in the list which grows */
        const struct isa_inst *first = &k->insts[0];
        isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, isa_dsts(k, first), 2, isa_srcs(k, first));
    }
    EXPECT(isa_verify(m, &error));
    char *text;
    EXPECT(comes_back(m, &text));
    size_t length = strlen(text);
    double begin = now();
    free(isa_print(m, &length));
    double printed = now();
    isa_module_free(isa_parse(text, length, &error));
    double parsed = now();
    printf("3000 instructions: printed in %.3f ms, read in %.3f ms\n", 1e3 * (printed - begin),
           1e3 * (parsed - printed));
    free(text);
    isa_operand bad = 1u << 20;
    isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &bad, 1, &bad);
    EXPECT(!isa_verify(m, &error) && strstr(error.text, "no operand"));
    isa_module_free(m);
    isa_module_free(NULL);
    return 0;
}

static int run_hostile(void) {
    struct isa_error error;
    static const char nul[] = "simtcl-ir 1\n.file \"a\0b\"\n";
    EXPECT(!isa_parse(nul, sizeof nul - 1, &error) && error.line == 2);
    EXPECT(!isa_parse("", 0, &error) && !isa_parse("\0", 1, &error));
    enum { DEEP = 100000 };
    char *text = malloc(100 + DEEP * 5), *at = text;
    at += sprintf(at, "simtcl-ir 1\n.kernel \"k\"\n{\n");
    for (unsigned n = 0; n < DEEP; n++) at += sprintf(at, "loop\n");
    at += sprintf(at, "}\n");
    EXPECT(!isa_parse(text, (size_t)(at - text), &error));
    EXPECT(error.line == 4 + ISA_MAX_NESTING && strstr(error.text, "deeply"));
    free(text);
    return 0;
}

/* ---- sites ---- */

/* A kernel of loads, load n with site n + 1. */
static struct isa_kernel *loads(struct isa_module *m, uint32_t count) {
    struct isa_kernel *k = isa_kernel_new(m, "sites");
    isa_operand base = isa_reg_new(k, ISA_I32), to = isa_reg_new(k, ISA_I32);
    for (uint32_t n = 0; n < count; n++) {
        struct isa_site site = {.kind = ISA_SITE_load,
                                .space = ISA_GLOBAL,
                                .width = 4,
                                .count = 1,
                                .line = n + 1,
                                .text = "x"};
        struct isa_inst *i = isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &to, 1, &base);
        i->space = ISA_GLOBAL;
        i->site = isa_site_new(k, &site);
    }
    return k;
}

static bool fate_is(const struct isa_kernel *k, uint32_t site, enum isa_site_fate fate,
                    uint32_t into_or_reason) {
    const struct isa_site *s = &k->sites[site - 1];
    return s->fate == fate && (fate == ISA_SITE_MERGED    ? s->into == into_or_reason
                               : fate == ISA_SITE_REMOVED ? s->reason == into_or_reason
                                                          : !s->into);
}

static int run_sites(void) {
    struct isa_module *m = isa_module_new();
    struct isa_error error = {0};
    struct isa_kernel *k = loads(m, 12);
    EXPECT(isa_verify(m, &error));
    k->ninsts = 3; /* sites 4 to 12 lose their instructions */
    EXPECT(!isa_verify(m, &error) && strstr(error.text, "no instruction carries"));
    isa_site_merge(k, 1, 2); /* site 2 has one left */
    isa_site_merge(k, 5, 4); /* 4, 5 into 3 */
    isa_site_merge(k, 3, 5);
    isa_site_merge(k, 7, 6); /* a circle: 6, 7, 8 */
    isa_site_merge(k, 8, 7);
    isa_site_merge(k, 6, 8);
    isa_site_remove(k, 8, ISA_REMOVED_dead);
    isa_site_merge(k, 10, 9); /* into one that goes */
    isa_site_remove(k, 10, ISA_REMOVED_folded);
    isa_site_merge(k, 11, 11);
    isa_site_merge(k, 1, 12); /* the last word counts */
    isa_site_merge(k, 2, 12);
    for (unsigned round = 0; round < 2; round++) { /* the second one changes nothing */
        EXPECT(isa_sites_finish(k) && isa_verify(m, &error));
        for (uint32_t s = 1; s <= 3; s++) EXPECT(fate_is(k, s, ISA_SITE_PRESENT, 0));
        for (uint32_t s = 4; s <= 5; s++) EXPECT(fate_is(k, s, ISA_SITE_MERGED, 3));
        for (uint32_t s = 6; s <= 8; s++) EXPECT(fate_is(k, s, ISA_SITE_REMOVED, ISA_REMOVED_dead));
        EXPECT(fate_is(k, 9, ISA_SITE_REMOVED, ISA_REMOVED_folded));
        EXPECT(fate_is(k, 10, ISA_SITE_REMOVED, ISA_REMOVED_folded));
        EXPECT(fate_is(k, 11, ISA_SITE_REMOVED, ISA_REMOVED_eliminated));
        EXPECT(fate_is(k, 12, ISA_SITE_MERGED, 2));
    }
    char *text;
    EXPECT(comes_back(m, &text));
    free(text);
    k->ninsts = 2; /* what 4 and 5 were merged into goes too */
    isa_site_remove(k, 3, ISA_REMOVED_dead);
    EXPECT(isa_sites_finish(k) && isa_verify(m, &error));
    EXPECT(fate_is(k, 4, ISA_SITE_REMOVED, ISA_REMOVED_dead));
    isa_module_free(m);

    enum { MANY = 200000 }; /* chains and circles cost no more than their length */
    m = isa_module_new();
    k = loads(m, MANY);
    EXPECT(!isa_kernel_failed(k));
    k->ninsts = 1;
    for (uint32_t s = 2; s <= MANY / 2; s++) isa_site_merge(k, s - 1, s);
    for (uint32_t s = MANY / 2 + 1; s <= MANY; s++)
        isa_site_merge(k, s < MANY ? s + 1 : MANY / 2 + 1, s);
    EXPECT(isa_sites_finish(k) && isa_verify(m, &error));
    EXPECT(fate_is(k, MANY / 2, ISA_SITE_MERGED, 1) && fate_is(k, MANY, ISA_SITE_REMOVED, 0));
    struct isa_kernel *copy = isa_kernel_new(m, "copy");
    EXPECT(isa_sites_copy(copy, k) && copy->nsites == MANY && copy->sites[1].into == 1);
    isa_module_free(m);

    static const char old[] = "simtcl-ir 1\n.kernel \"k\"\n{\n    bar\n}\n";
    m = isa_parse(old, sizeof old - 1, &error);
    EXPECT(m && m->kernels[0]->insts[0].site == 0);
    isa_module_free(m);
    static const char old_site[] = "simtcl-ir 1\n.kernel \"k\"\n.site 1 barrier 0 1 1\n{\n}\n";
    EXPECT(!isa_parse(old_site, sizeof old_site - 1, &error) && error.line == 3);
    static const char old_mark[] = "simtcl-ir 1\n.kernel \"k\"\n{\n    bar @1\n}\n";
    EXPECT(!isa_parse(old_mark, sizeof old_mark - 1, &error) && error.line == 4);
    static const char newer[] = "simtcl-ir 3\n";
    EXPECT(!isa_parse(newer, sizeof newer - 1, &error) && strstr(error.text, "version 3"));
    return 0;
}

/* ---- probes ---- */

/* A host's copy of a kernel, with probes, goes through the text as well; from outside it is
 * refused.
 */
static int run_probes(void) {
    static const char text[] =
        "simtcl-ir 2\n.kernel \"k\"\n{\nspecial %i0, global_id_x\n"
        "lt_s.i32 %p1, %i0, 4\nprobe_count.warps.splits %p1, 3\n"
        "probe_call 2, {%i0, i32:7}\n"
        "probe_bins 4, {%i0, i32:8, i32:4, i32:64, i32:0, i32:3, i32:4, i32:0, i32:1}\n"
        "probe_note 3, {%i0}\nprobe_read 1, {i32:0, i32:2, %i0, %i0}\nret\n}\n";
    struct isa_error error = {0};
    size_t length, length2;
    EXPECT(!isa_parse(text, sizeof text - 1, &error) && strstr(error.text, "host alone"));

    struct isa_module *m = isa_parse_copy(text, sizeof text - 1, true, &error);
    EXPECT(m != NULL);
    if (!m) {
        fprintf(stderr, "line %u: %s\n", error.line, error.text);
        return 1;
    }
    EXPECT(m->kernels[0]->probed &&
           m->kernels[0]->insts[2].mod == (ISA_COUNT_WARPS | ISA_COUNT_SPLITS));
    char *printed = isa_print(m, &length);
    struct isa_module *again = isa_parse_copy(printed, length, true, &error);
    char *twice = again ? isa_print(again, &length2) : NULL;
    EXPECT(twice && length == length2 && !memcmp(printed, twice, length));
    free(printed);
    free(twice);
    isa_module_free(m);
    isa_module_free(again);
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "cases") && argc == 3) return run_cases(argv[2]);
    if (!strcmp(what, "fuzz") && argc == 4) return run_fuzz(argv[2], (uint32_t)atoi(argv[3]));
    if (!strcmp(what, "check") && argc == 3) return check_tables(argv[2]);
    if (!strcmp(what, "build")) return run_build() || run_hostile() || run_sites() || run_probes();
    if (strcmp(what, "table")) return 2;
    char *t = table();
    fputs(t, stdout);
    free(t);
    return 0;
}
