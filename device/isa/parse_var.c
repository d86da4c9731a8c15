#include "parse_var.h"

#include <stdlib.h>

static bool number_is(struct scan *s, uint32_t have) {
    uint32_t n;
    if (!scan_u32(s, &n)) return false;
    return n == have + 1 || scan_fail(s, "the number after %u is missing", (unsigned)have);
}

static bool space_of(struct scan *s, struct scan_word w, uint8_t *space) {
    unsigned n = scan_find(w, isa_space_name, ISA_SPACE_COUNT);
    if (n == ISA_SPACE_COUNT) return scan_fail(s, "unknown word");
    *space = (uint8_t)n;
    return true;
}

static bool field_of(struct scan *s, struct isa_vtype *t, uint32_t *cap) {
    struct isa_field f = {.name = scan_string(s)};
    if (!f.name) return false;
    bool good = scan_u32(s, &f.type) && scan_u32(s, &f.offset);
    if (good && !isa_grow((void **)&t->fields, cap, t->nfields + 1ull, sizeof f))
        good = scan_fail(s, "out of memory");
    if (good)
        t->fields[t->nfields++] = f;
    else
        free(f.name);
    return good;
}

static bool word_of(struct scan *s, struct isa_vtype *t, uint32_t *cap) {
    if (*s->at == '"') return field_of(s, t, cap);
    struct scan_word w = scan_word(s);
    if (scan_is(w, "of")) return scan_u32(s, &t->of);
    if (scan_is(w, "count")) return scan_u32(s, &t->count);
    if (!scan_is(w, "in")) return scan_fail(s, "unknown word for a type");
    scan_blank(s);
    return space_of(s, scan_word(s), &t->space);
}

bool parse_var_type(struct scan *s, struct isa_kernel *k) {
    struct isa_vtype t = {.name = NULL};
    uint32_t cap = 0;
    if (!number_is(s, k->ntypes)) return false;
    scan_blank(s);
    unsigned form = scan_find(scan_word(s), isa_form_name, ISA_FORM_COUNT);
    if (form == ISA_FORM_COUNT) return scan_fail(s, "unknown form of a type");
    t.form = (uint8_t)form;
    bool good = (t.name = scan_string(s)) && scan_u32(s, &t.size);
    while (good && !scan_at_end_line(s)) good = word_of(s, &t, &cap);
    if (good) good = isa_vtype_new(k, &t) || scan_fail(s, "out of memory");
    for (uint32_t n = 0; n < t.nfields; n++) free(t.fields[n].name);
    free(t.fields);
    free(t.name);
    return good;
}

bool parse_var(struct scan *s, struct isa_kernel *k) {
    struct isa_var v = {.name = NULL};
    uint64_t file = 0;
    if (!number_is(s, k->nvars) || !(v.name = scan_string(s))) return false;
    bool good = scan_u32(s, &v.type) && scan_uint(s, UINT16_MAX, &file) && scan_u32(s, &v.line) &&
                scan_u32(s, &v.column);
    v.file = (uint16_t)file;
    while (good && !scan_at_end_line(s)) {
        struct scan_word w = scan_word(s);
        if (scan_is(w, "to"))
            good = scan_u32(s, &v.last);
        else if (scan_is(w, "in"))
            good = scan_u32(s, &v.call);
        else
            good = space_of(s, w, &v.space) && scan_u32(s, &v.offset);
    }
    if (good) good = isa_var_new(k, &v) || scan_fail(s, "out of memory");
    free(v.name);
    return good;
}
