/* Reading the lines of the text form that list a kernel's calls and sites. */
#include "parse_site.h"

#include <stdlib.h>
#include <string.h>

static bool ordinal(struct scan *s, uint32_t have) {
    uint32_t n;
    if (!scan_u32(s, &n)) return false;
    return n == have + 1 || scan_fail(s, "the number after %u is missing", (unsigned)have);
}

static bool place(struct scan *s, uint16_t *file, uint32_t *line, uint32_t *column) {
    uint64_t n;
    if (!scan_uint(s, UINT16_MAX, &n)) return false;
    *file = (uint16_t)n;
    return scan_u32(s, line) && scan_u32(s, column);
}

bool parse_site_call(struct scan *s, struct isa_kernel *k) {
    struct isa_call c = {.name = NULL};
    if (!ordinal(s, k->ncalls) || !(c.name = scan_string(s))) return false;
    bool good = place(s, &c.file, &c.line, &c.column);
    if (good && !scan_at_end_line(s))
        good = scan_is(scan_word(s), "in") ? scan_u32(s, &c.around)
                                           : scan_fail(s, "unknown word for a call");
    if (good) good = isa_call_new(k, &c) || scan_fail(s, "out of memory");
    free(c.name);
    return good;
}

/* What of a site stands between its kind and its place. */
static bool access_of(struct scan *s, struct isa_site *site) {
    uint64_t n;
    scan_blank(s);
    if (s->at < s->end && *s->at >= 'a' && *s->at <= 'z') {
        unsigned space = scan_find(scan_word(s), isa_space_name, ISA_SPACE_COUNT);
        if (space == ISA_SPACE_COUNT) return scan_fail(s, "unknown space of a site");
        site->space = (uint8_t)space;
    }
    if (site->kind == ISA_SITE_branch || site->kind == ISA_SITE_loop_exit ||
        site->kind == ISA_SITE_barrier || site->kind == ISA_SITE_copy ||
        isa_site_computes((enum isa_site_kind)site->kind))
        return true;
    if (!scan_uint(s, 8, &n)) return false;
    site->width = (uint8_t)n;
    if (!scan_expect(s, 'x') || !scan_uint(s, 16, &n)) return false;
    site->count = (uint8_t)n;
    return true;
}

static bool word_of(struct scan *s, struct isa_site *site) {
    if (*s->at == '"') {
        free(site->text);
        site->text = scan_string(s);
        return site->text;
    }
    struct scan_word w = scan_word(s);
    if (scan_is(w, "in")) return scan_u32(s, &site->call);
    if (scan_is(w, "of")) return scan_u32(s, &site->variable);
    if (scan_is(w, "packed")) return site->packed = true;
    if (scan_is(w, "inverted")) return site->inverted = true;
    if (scan_is(w, "merged")) {
        site->fate = ISA_SITE_MERGED;
        return scan_u32(s, &site->into);
    }
    if (!scan_is(w, "removed")) return scan_fail(s, "unknown word for a site");
    scan_blank(s);
    unsigned reason = scan_find(scan_word(s), isa_site_reason_name, ISA_SITE_REASON_COUNT);
    if (reason == ISA_SITE_REASON_COUNT) return scan_fail(s, "unknown reason");
    site->fate = ISA_SITE_REMOVED;
    site->reason = (uint8_t)reason;
    return true;
}

bool parse_site(struct scan *s, struct isa_kernel *k) {
    struct isa_site site = {.kind = 0};
    if (!ordinal(s, k->nsites)) return false;
    scan_blank(s);
    unsigned kind = scan_find(scan_word(s), isa_site_kind_name, ISA_SITE_KIND_COUNT);
    if (kind == ISA_SITE_KIND_COUNT) return scan_fail(s, "unknown kind of site");
    site.kind = (uint8_t)kind;
    bool good = access_of(s, &site) && place(s, &site.file, &site.line, &site.column);
    while (good && !scan_at_end_line(s)) good = word_of(s, &site);
    if (good && site.text && strlen(site.text) > ISA_MAX_SITE_TEXT)
        good = scan_fail(s, "a site's text has %u bytes at most", (unsigned)ISA_MAX_SITE_TEXT);
    if (good) good = isa_site_new(k, &site) || scan_fail(s, "out of memory");
    free(site.text);
    return good;
}

static bool number_after(struct scan *s, const char *word, uint32_t *value) {
    scan_blank(s);
    return scan_is(scan_word(s), word) ? scan_u32(s, value)
                                       : scan_fail(s, "a variable has an offset and bytes");
}

bool parse_site_variable(struct scan *s, struct isa_kernel *k) {
    struct isa_variable v = {.name = NULL};
    if (!ordinal(s, k->nvariables)) return false;
    scan_blank(s);
    v.space = (uint8_t)scan_find(scan_word(s), isa_space_name, ISA_SPACE_COUNT);
    if (v.space == ISA_SPACE_COUNT) return scan_fail(s, "unknown space of a variable");
    scan_blank(s);
    if (!(v.name = scan_string(s))) return false;
    bool good = number_after(s, "offset", &v.offset) && number_after(s, "bytes", &v.bytes);
    if (good) good = isa_variable_new(k, &v) || scan_fail(s, "out of memory");
    free(v.name);
    return good;
}
