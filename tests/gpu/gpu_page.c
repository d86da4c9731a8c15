/* docs/gpu.md and pages like it, held to their word: its kernels give the numbers of its tables.
 *
 *   gpu_page PAGE KERNELTEST
 *
 * A block of code that says how to launch itself (`//:`, see kerneltest.c) and the next table
 * belong together. From them a file is made for each board, in which each row with values is a test
 * that expects them, and run by KERNELTEST. A table begins with
 *
 *   | counter | BOARD | BOARD |                      a counter a row
 *   | `ARG` | BOARD `counter` | BOARD `counter` ...  a value of a kernel's argument a row
 *   | | BOARD | BOARD |                              what the boards have
 *   | work-items of a group | ...                    occupancy
 *
 * A number in the text has to be one of those that the boards have, or stand in a section's or a
 * board's name. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/gpu/banks.h"
#include "device/gpu/occupancy.h"
#include "device/gpu/partition.h"
#include "device/gpu/setcache.h"
#include "device/gpu/tiling.h"

enum { BOARDS = 2, MOST_CELLS = 16, MOST_LINE = 512, MOST_CODE = 8192, MOST_FACTS = 32 };

static const struct {
    const char *text, *model;
} boards[BOARDS] = {{"8800 GTX", "8800gtx"}, {"GTX 280", "gtx280"}};

static unsigned failures, line_number, tests[BOARDS];
static char made[BOARDS][64]; /* files of kernels */
static FILE *to[BOARDS];

static void fail(const char *what, const char *which) {
    fprintf(stderr, "line %u: %s: %s\n", line_number, what, which);
    failures++;
}

/* ---- cells of a table ---- */

struct table_row {
    unsigned count;
    char cell[MOST_CELLS][96];
};

/* "| a | b |": true if it is a row. Quotes of code stay. */
static bool row_read(const char *line, struct table_row *r) {
    r->count = 0;
    if (*line != '|') return false;
    for (const char *p = line + 1; *p && *p != '\n' && r->count < MOST_CELLS;) {
        size_t n = strcspn(p, "|\n"), from = 0, end = n;
        if (p[n] != '|') break;
        while (from < end && p[from] == ' ') from++;
        while (end > from && p[end - 1] == ' ') end--;
        snprintf(r->cell[r->count++], sizeof *r->cell, "%.*s", (int)(end - from), p + from);
        p += n + 1;
    }
    return true;
}

/* What stands between the first two `, or "". */
static const char *quoted(const char *cell, char out[64]) {
    const char *a = strchr(cell, '`'), *b = a ? strchr(a + 1, '`') : NULL;
    snprintf(out, 64, "%.*s", b ? (int)(b - a - 1) : 0, b ? a + 1 : "");
    return out;
}

static int board_of(const char *cell) {
    for (int b = 0; b < BOARDS; b++)
        if (strstr(cell, boards[b].text)) return b;
    return -1;
}

static bool is_number(const char *text) {
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* ---- what the boards have ---- */

static unsigned cache_bytes(unsigned kind) {
    const struct setcache_geometry *g = &setcache_geometry[kind];
    return (unsigned)g->line * g->sets * g->ways;
}

/* In words, as the page has it; false: no such fact. */
static bool fact(const char *name, const struct model *m, char out[64]) {
    unsigned texture = setcache_texture(m->cc_minor);
    const struct {
        const char *name;
        unsigned value;
    } facts[] = {
        {"multiprocessors", m->multiprocessors},
        {"memory partitions", m->partitions},
        {"registers of a multiprocessor", m->registers},
        {"resident warps of a multiprocessor", m->resident_warps},
        {"resident groups of a multiprocessor", m->resident_groups},
        {"shared memory of a multiprocessor, bytes", m->shared_bytes},
        {"shared memory banks", BANKS},
        {"work-items of a warp", ISA_WARP},
        {"work-items of a half-warp", ISA_WARP / 2},
        {"constant cache of a multiprocessor, bytes", cache_bytes(SETCACHE_CONSTANT_L1)},
        {"texture cache of a cluster, bytes", cache_bytes(texture)},
        {"line of the texture cache, bytes", setcache_geometry[texture].line},
        {"step between partitions, bytes", PARTITION_STEP},
        {"bits of a word of shared memory", 32},
        /* kernels/predication.cl */
        {"instructions under a predicate, likely to diverge", 7},
        {"instructions under a predicate, otherwise", 4},
    };
    if (!strcmp(name, "compute capability"))
        return snprintf(out, 64, "%u.%u", m->cc_major, m->cc_minor);
    if (!strcmp(name, "transactions of global memory, bytes"))
        return snprintf(out, 64, "32, 64, 128");
    if (!strcmp(name, "tile of an image, bytes by rows"))
        return snprintf(out, 64, "%d, %d", TILING_TILE_WIDTH, TILING_TILE_ROWS);
    for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!strcmp(name, facts[i].name)) return snprintf(out, 64, "%u", facts[i].value);
    return false;
}

static char known[MOST_FACTS * BOARDS][64];
static unsigned nknown;

static void facts_check(const struct table_row *head, const struct table_row *r) {
    for (unsigned c = 1; c < r->count; c++) {
        int b = board_of(head->cell[c]);
        char real[64];
        if (b < 0 || !fact(r->cell[0], model_find(boards[b].model), real))
            fail("what is that", r->cell[0]);
        else if (strcmp(real, r->cell[c]) != 0)
            fail(r->cell[0], real);
        else if (nknown < sizeof known / sizeof *known)
            strcpy(known[nknown++], real);
    }
}

static void occupancy_check(const struct table_row *head, const struct table_row *r) {
    for (unsigned c = 3; c < r->count; c++) {
        int b = board_of(head->cell[c]);
        struct gpu_resources resources = {.registers = (uint32_t)atoi(r->cell[1]),
                                          .shared_bytes = (uint32_t)atoi(r->cell[2])};
        struct gpu_occupancy o;
        if (b < 0) continue;
        gpu_occupancy_find(model_find(boards[b].model), &resources, (uint32_t)atoi(r->cell[0]), &o);
        unsigned real = strstr(head->cell[c], "groups") ? o.groups : o.active_warps;
        if ((unsigned)atoi(r->cell[c]) != real) fail("occupancy", r->cell[c]);
    }
}

/* ---- kernels ---- */

static struct {
    char name[64], code[MOST_CODE], how[MOST_CODE];
    bool there, written[BOARDS];
} block;

static void append(char *to_text, const char *line) {
    if (strlen(to_text) + strlen(line) < MOST_CODE) strcat(to_text, line);
}

static void block_line(const char *line) {
    if (sscanf(line, "//: test %63s", block.name) == 1)
        block.there = true;
    else
        append(strncmp(line, "//:", 3) ? block.code : block.how, line);
}

/* A test of board b begins: the kernel's, with the argument's value in place of that of the page.
 */
static void test_begin(int b, const char *argument, const char *value) {
    if (!block.written[b]) fprintf(to[b], "%s\n", block.code);
    block.written[b] = true;
    fprintf(to[b], "//: test %s_%s%s\n//: kernel %s\n", block.name, argument, value, block.name);
    char prefix[96], *save = NULL, how[MOST_CODE];
    size_t n = (size_t)snprintf(prefix, sizeof prefix, "//: arg %s ", argument);
    strcpy(how, block.how);
    for (char *l = strtok_r(how, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
        char type[32];
        if (*argument && !strncmp(l, prefix, n) && sscanf(l + n, "%31s", type) == 1)
            fprintf(to[b], "%s%s %s\n", prefix, type, value);
        else
            fprintf(to[b], "%s\n", l);
    }
    tests[b]++;
}

static void expect(int b, const char *counter, const char *value) {
    fprintf(to[b], "//: expect %s == %s\n", counter, value);
}

/* A value of an argument a row. */
static void variant(const struct table_row *head, const struct table_row *r) {
    char argument[64], counter[64];
    quoted(head->cell[0], argument);
    for (int b = 0; b < BOARDS; b++) {
        bool begun = false;
        for (unsigned c = 1; c < r->count; c++) {
            if (board_of(head->cell[c]) != b || !is_number(r->cell[c])) continue;
            if (!begun) test_begin(b, argument, r->cell[0]);
            begun = true;
            expect(b, quoted(head->cell[c], counter), r->cell[c]);
        }
    }
}

/* A counter a row: the first one begins the test. */
static void counter_row(const struct table_row *head, const struct table_row *r,
                        bool begun[BOARDS]) {
    char counter[64];
    for (unsigned c = 1; c < r->count; c++) {
        int b = board_of(head->cell[c]);
        if (b < 0 || !is_number(r->cell[c])) continue;
        if (!begun[b]) test_begin(b, "", "");
        begun[b] = true;
        expect(b, quoted(r->cell[0], counter), r->cell[c]);
    }
}

/* ---- the text ---- */

static bool is_known(const char *number, size_t n) {
    for (unsigned i = 0; i < nknown; i++) {
        char list[64], *save = NULL;
        strcpy(list, known[i]);
        for (char *k = strtok_r(list, ", ", &save); k; k = strtok_r(NULL, ", ", &save))
            if (strlen(k) == n && !strncmp(k, number, n)) return true;
    }
    return false;
}

/* Numbers with a point are those of sections and compute capabilities (1.3, 1.x). */
static void text_check(const char *line) {
    bool code = false;
    for (const char *p = line; *p; p++) {
        if (*p == '`') code = !code;
        for (int b = 0; b < BOARDS; b++)
            if (!strncmp(p, boards[b].text, strlen(boards[b].text))) p += strlen(boards[b].text);
        if (code || !isdigit((unsigned char)*p)) continue;
        size_t n = strspn(p, "0123456789.");
        while (p[n] != 'x' && p[n - 1] == '.') n--;
        if (!memchr(p, '.', n) && !is_known(p, n)) fail("a number that nothing checks", p);
        p += n - 1;
    }
}

static void page_read(FILE *page) {
    enum { TEXT, KERNEL, OTHER_CODE } state = TEXT;
    char line[MOST_LINE];
    struct table_row head = {0}, r;
    bool begun[BOARDS] = {false};
    while (fgets(line, sizeof line, page)) {
        line_number++;
        if (!strncmp(line, "```", 3)) {
            if (state == TEXT && line[3] == 'c') memset(&block, 0, sizeof block);
            state = state != TEXT ? TEXT : line[3] == 'c' ? KERNEL : OTHER_CODE;
        } else if (state == KERNEL) {
            block_line(line);
        } else if (state == TEXT && !row_read(line, &r)) {
            if (head.count && block.there && !block.written[0] && !block.written[1])
                fail("no row tells of", block.name);
            head.count = 0;
            text_check(line);
        } else if (state == TEXT && !head.count) {
            head = r;
            memset(begun, 0, sizeof begun);
        } else if (state == TEXT && strspn(r.cell[0], "-") != 3) {
            if (!strcmp(head.cell[0], "counter"))
                counter_row(&head, &r, begun);
            else if (head.cell[0][0] == '`')
                variant(&head, &r);
            else if (!*head.cell[0])
                facts_check(&head, &r);
            else if (!strcmp(head.cell[0], "work-items of a group"))
                occupancy_check(&head, &r);
            else
                fail("a table that nothing checks", head.cell[0]);
        }
    }
}

/* ---- running ---- */

static bool run(const char *kerneltest, int b, const char *engine) {
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        setenv("SIMTCL_MODEL", boards[b].model, 1);
        setenv("SIMTCL_ENGINE", engine, 1);
        execl(kerneltest, kerneltest, made[b], (char *)NULL);
        _exit(2);
    }
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

int main(int argc, char **argv) {
    FILE *page = argc == 3 ? fopen(argv[1], "r") : NULL;
    if (!page) {
        fprintf(stderr, "usage: gpu_page PAGE KERNELTEST\n");
        return 2;
    }
    char folder[] = "/tmp/simtcl-page-XXXXXX";
    if (!mkdtemp(folder)) return 2;
    for (int b = 0; b < BOARDS; b++) {
        snprintf(made[b], sizeof *made, "%s/%s.cl", folder, boards[b].model);
        if (!(to[b] = fopen(made[b], "w"))) return 2;
    }
    page_read(page);
    fclose(page);
    for (int b = 0; b < BOARDS; b++) fclose(to[b]);
    for (int b = 0; b < BOARDS; b++) {
        printf("%s: %u tests\n", boards[b].text, tests[b]);
        if (!tests[b]) failures++;
        if (!run(argv[2], b, "interpreter")) failures++;
        if (!run(argv[2], b, "native")) failures++;
    }
    for (int b = 0; b < BOARDS && !failures; b++) unlink(made[b]);
    if (!failures) rmdir(folder);
    return failures != 0;
}
