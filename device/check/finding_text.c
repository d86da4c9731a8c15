/* Findings as a compiler tells them. */
#include <inttypes.h>
#include <string.h>

#include "finding_kept.h"

enum { MOST_COLUMNS = 160 };

static void put_ids(FILE *to, const uint32_t ids[3]) {
    fprintf(to, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", ids[0], ids[1], ids[2]);
}

static void put_item(FILE *to, const struct check_party *p) {
    if (p->item_known) {
        fprintf(to, "work-item global ");
        put_ids(to, p->item.global);
        fprintf(to, " local ");
        put_ids(to, p->item.local);
        fprintf(to, " of group ");
    } else {
        fprintf(to, "group ");
    }
    put_ids(to, p->item.group);
}

static void put_at(FILE *to, const char *file, uint32_t line, uint32_t column) {
    fprintf(to, "%s", file && *file ? file : "<unknown>");
    if (line) fprintf(to, ":%" PRIu32, line);
    if (line && column) fprintf(to, ":%" PRIu32, column);
}

/* The line, tabs as they are, and what is meant in it underlined. */
static void put_source(FILE *to, const struct kept_place *at) {
    size_t length = at->source ? strlen(at->source) : 0;
    if (!length) return;
    if (length > MOST_COLUMNS) length = MOST_COLUMNS;
    fprintf(to, "%5" PRIu32 " | %.*s\n", at->line, (int)length, at->source);
    if (!at->column || at->column > length) return;
    fprintf(to, "      | ");
    for (uint32_t n = 0; n + 1 < at->column; n++) fputc(at->source[n] == '\t' ? '\t' : ' ', to);
    fputc('^', to);
    for (uint32_t n = 1; n < at->width && at->column + n <= length; n++) fputc('~', to);
    fputc('\n', to);
}

static void put_calls(FILE *to, const struct kept_place *at) {
    for (uint32_t n = 0; n < at->ncalls; n++) {
        fprintf(to, "  in \"%s\", called at ", at->calls[n].name);
        put_at(to, at->calls[n].file, at->calls[n].line, at->calls[n].column);
        fputc('\n', to);
    }
}

static void put_finding(void *user, const struct kept_finding *f) {
    FILE *to = user;
    char title[256];
    if (f->f.severity == CHECK_NOTE) return; /* in JSON and SARIF only */
    check_title(f, title, sizeof title);
    fprintf(to, "simtcl: ");
    if (f->kernel) {
        put_at(to, f->at.file, f->at.line, f->at.column);
        fprintf(to, ": ");
    }
    fprintf(to, "%s: %s [%s]\n", check_severity_name[f->f.severity], title,
            check_kind_name[check_rules[f->f.rule].kind]);
    put_source(to, &f->at);
    put_calls(to, &f->at);
    if (f->kernel) {
        fprintf(to, "  kernel \"%s\"", f->kernel);
        if (f->at.line) fprintf(to, ", ");
        if (f->at.line) put_item(to, &f->f.party);
        fputc('\n', to);
    }
    if (f->other.line) {
        fprintf(to, "  %s at ", f->f.other.subject);
        put_at(to, f->other.file, f->other.line, f->other.column);
        fprintf(to, ", ");
        put_item(to, &f->f.other);
        fputc('\n', to);
        put_source(to, &f->other);
        put_calls(to, &f->other);
    }
    if (*f->f.object || *f->f.detail)
        fprintf(to, "  %s%s%s\n", f->f.object, *f->f.object && *f->f.detail ? ": " : "",
                f->f.detail);
    if (f->f.count > 1) fprintf(to, "  %" PRIu64 " times\n", f->f.count);
}

void check_write_text(FILE *to) { check_each(put_finding, to); }
