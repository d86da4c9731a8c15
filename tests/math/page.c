#include "page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_ROWS = 256 };

static const char head[] =
    "# Largest errors\n\n"
    "In ulp, against MPFR; written by `accuracy --page tests/math/ACCURACY.md`. The bounds are\n"
    "those of the guide's appendix B, which measures from the correctly rounded result (so from\n"
    "the exact one half an ulp more is allowed), and of OpenCL 1.0's section 7.4; both hold, and\n"
    "where neither says anything but 0 the result is the correctly rounded one. Errors of\n"
    "`native_` functions are parts of the guide's bound, on the range for which it gives one.\n"
    "`half_` functions that are not listed are the full ones, `native_sqrt` is `sqrt`. \"All\" "
    "are\n"
    "all 2^32 floats, or all in that range; the other rows are samples with edges. \"Doubles\" "
    "are\n"
    "all floats too (sin and cos: below 125, log: normal ones), but against the C library's\n"
    "functions of doubles; samples against MPFR lie below these.\n\n"
    "| function | precision | largest error | guide | OpenCL 1.0 | at | inputs |\n"
    "|---|---|---|---|---|---|---|\n";

static struct page_row noted[PAGE_ROWS], old[PAGE_ROWS];
static unsigned nnoted, nold;

void page_note(const char *name, const char *precision, bool all, const char *cells, ...) {
    va_list list;
    if (nnoted == PAGE_ROWS) return;
    struct page_row *r = &noted[nnoted++];
    snprintf(r->key, sizeof r->key, "| %s | %s |", name, precision);
    int n = snprintf(r->text, sizeof r->text, "| %s | %s | ", name, precision);
    va_start(list, cells);
    n += vsnprintf(r->text + n, sizeof r->text - (size_t)n, cells, list);
    va_end(list);
    snprintf(r->text + n, sizeof r->text - (size_t)n, " | %s |\n", all ? "all" : "sample");
    r->all = all;
}

static void load(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return;
    bool table = false;
    while (nold < PAGE_ROWS && fgets(old[nold].text, sizeof old[nold].text, f)) {
        struct page_row *r = &old[nold];
        const char *second = strchr(r->text + 1, '|'),
                   *end = second ? strchr(second + 1, '|') : NULL;
        bool row = table && r->text[0] == '|' && end;
        table |= !strncmp(r->text, "|---", 4);
        if (!row) continue;
        size_t length = (size_t)(end + 1 - r->text);
        if (length >= sizeof r->key) continue;
        memcpy(r->key, r->text, length);
        r->key[length] = 0;
        r->all = strstr(r->text, "| all |") != NULL;
        nold++;
    }
    fclose(f);
}

static struct page_row *find(struct page_row *rows, unsigned n, const char *key) {
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(rows[i].key, key)) return &rows[i];
    return NULL;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct page_row *)a)->key, ((const struct page_row *)b)->key);
}

bool page_write(const char *path) {
    load(path);
    for (unsigned i = 0; i < nnoted; i++) {
        struct page_row *before = find(old, nold, noted[i].key);
        if (!before && nold < PAGE_ROWS) before = &old[nold++], before->all = false;
        if (before && !(before->all && !noted[i].all)) *before = noted[i];
    }
    qsort(old, nold, sizeof *old, by_key);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    fputs(head, f);
    for (unsigned i = 0; i < nold; i++) fputs(old[i].text, f);
    return fclose(f) == 0;
}
