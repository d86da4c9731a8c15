#include "checking_values.h"

#include <stdio.h>
#include <string.h>

#include "checking.h"
#include "context.h"
#include "device/check/uninit.h"

char *checking_options(const char *options) {
    char *all;
    bool values = checking_kind(CHECK_IS_uninit) || checking_kind(CHECK_IS_arith);
    bool copies = checking_kind(CHECK_IS_barrier);
    if (!values && !copies) return NULL;
    int n = asprintf(&all, "%s%s%s", values ? "-fcheck-values " : "",
                     copies ? "-fcheck-copies " : "", options ? options : "");
    return n < 0 ? NULL : all;
}

static uint32_t address_of(const struct memory *m, const char *host) {
    return (uint32_t)(host - memory_base(m));
}

void checking_empty(cl_mem m) {
    if (checking_kind(CHECK_IS_uninit)) uninit_unset(m->context->memory, m->address, m->size);
}

void checking_given(cl_mem m) {
    if (checking_kind(CHECK_IS_uninit)) uninit_set(m->context->memory, m->address, m->size);
}

/* What the host reads of the object; bytes that are nobody's work are worth a note. */
static void tell_read(cl_mem m, uint64_t unset, uint32_t first) {
    struct check_finding f = {.rule = CHECK_unset_read,
                              .severity = check_rules[CHECK_unset_read].severity,
                              .count = unset};
    if (!unset) return;
    snprintf(f.party.subject, sizeof f.party.subject, "the host's read");
    checking_describe(m, f.object, sizeof f.object);
    snprintf(f.detail, sizeof f.detail, "from byte %u on", (unsigned)(first - m->address));
    check_tell(&f);
}

static uint64_t read(cl_mem m, const char *at, size_t bytes, uint32_t *first) {
    return uninit_read(m->context->memory, address_of(m->context->memory, at), bytes, first);
}

void checking_moves(cl_mem m, const struct copy *c, bool fills) {
    struct memory *memory = m->context->memory;
    if (!checking_kind(CHECK_IS_uninit) || !c->bytes) return;
    bool to = memory_contains(memory, c->to), from = !fills && memory_contains(memory, c->from);
    uint64_t unset = 0;
    uint32_t first = 0;
    for (size_t row = 0; row < c->rows * c->slices; row++) {
        const char *at = from ? copy_row_from(c, row) : NULL;
        char *into = copy_row_to(c, row);
        uint32_t begin = 0;
        if (to && from)
            uninit_copy(memory, address_of(memory, into), address_of(memory, at), c->bytes);
        else if (to)
            uninit_set(memory, address_of(memory, into), c->bytes);
        else if (from)
            unset += read(m, at, c->bytes, &begin);
        if (!first) first = begin;
    }
    tell_read(m, unset, first);
}

void checking_mapped(cl_mem m, char *pointer, size_t bytes, bool writes) {
    uint32_t first = 0;
    struct memory *memory = m->context->memory;
    if (!checking_kind(CHECK_IS_uninit) || !memory_contains(memory, pointer)) return;
    if (mem_is_image(m))
        checking_given(m); /* its rows may lie apart */
    else if (writes)
        uninit_set(memory, address_of(memory, pointer), bytes);
    else
        tell_read(m, read(m, pointer, bytes, &first), first);
}
