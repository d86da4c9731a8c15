#include "sites_observer.h"

#include <string.h>

#include "listing.h"

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    (void)site;
    return OBSERVE_COUNTS;
}

static void place_of(const struct observe_result *r, const struct isa_site *s, char *text,
                     size_t size) {
    int n = snprintf(text, size, "%s", listing_file(r, s->file));
    if (s->line && n >= 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ":%u", (unsigned)s->line);
    if (s->line && s->column && n >= 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ":%u", (unsigned)s->column);
}

static void fate_of(const struct isa_site *s, char *text, size_t size) {
    switch (s->fate) {
    case ISA_SITE_MERGED: snprintf(text, size, "merged into %u", (unsigned)s->into); break;
    case ISA_SITE_REMOVED:
        snprintf(text, size, "removed: %s", isa_site_reason_name[s->reason]);
        break;
    default: snprintf(text, size, "present");
    }
}

/* Lanes for which the condition holds as the source has it: the instruction may test its opposite.
 */
static uint64_t taken_as_written(const struct isa_site *s, const struct observe_count *c) {
    return s->inverted ? c->lanes - c->taken : c->taken;
}

/* ---- for a program ---- */

static void put_row(const struct observe_result *r, uint32_t n, FILE *to) {
    const struct isa_site *s = &r->kernel->sites[n];
    const struct observe_count *c = &r->counts[n];
    char place[4096], fate[64];
    place_of(r, s, place, sizeof place);
    fate_of(s, fate, sizeof fate);
    listing_quoted(to, r->kernel->name);
    fprintf(to, ",%u,%s,", (unsigned)n + 1, isa_site_kind_name[s->kind]);
    listing_quoted(to, place);
    fputc(',', to);
    listing_quoted(to, s->text ? s->text : "");
    fprintf(to, ",%llu,%llu,%llu,%llu,%llu,%s\n", (unsigned long long)c->executions,
            (unsigned long long)c->lanes, (unsigned long long)taken_as_written(s, c),
            (unsigned long long)c->diverged, (unsigned long long)r->launches, fate);
}

/* ---- for a person ---- */

static bool is_branch(const struct isa_site *s) {
    return s->kind == ISA_SITE_branch || s->kind == ISA_SITE_loop_exit;
}

static void put_line(const struct observe_result *r, uint32_t n, FILE *to) {
    const struct isa_site *s = &r->kernel->sites[n];
    const struct observe_count *c = &r->counts[n];
    char place[4096], fate[64];
    place_of(r, s, place, sizeof place);
    fprintf(to, "%5u %-11s ", (unsigned)n + 1, isa_site_kind_name[s->kind]);
    if (s->fate == ISA_SITE_PRESENT) {
        fprintf(to, "%14llu %16llu ", (unsigned long long)c->executions,
                (unsigned long long)c->lanes);
        if (is_branch(s))
            fprintf(to, "%16llu %12llu", (unsigned long long)taken_as_written(s, c),
                    (unsigned long long)c->diverged);
        else
            fprintf(to, "%16s %12s", "", "");
    } else {
        fate_of(s, fate, sizeof fate);
        fprintf(to, "%-61s", fate);
    }
    fprintf(to, "  %s%s%s\n", place, s->text ? "  " : "", s->text ? s->text : "");
}

static void report(const struct observe_result *kernels, size_t count, FILE *to, bool csv) {
    if (csv)
        fprintf(to, "kernel,site,kind,place,text,executions,lanes,taken,diverged,launches,fate\n");
    for (size_t k = 0; k < count; k++) {
        const struct observe_result *r = &kernels[k];
        if (!csv)
            fprintf(to,
                    "simtcl: kernel \"%s\", %llu launches, %llu work-groups\n%5s %-11s %14s %16s "
                    "%16s %12s  %s\n",
                    r->kernel->name, (unsigned long long)r->launches, (unsigned long long)r->groups,
                    "site", "kind", "executions", "lanes", "taken", "diverged", "place");
        for (uint32_t n = 0; n < r->kernel->nsites; n++) (csv ? put_row : put_line)(r, n, to);
    }
}

const struct observer sites_observer = {.name = "sites", .wants = wants, .report = report};
