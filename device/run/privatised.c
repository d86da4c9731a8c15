#include "privatised.h"

#include <string.h>

#include "device/sandbox/memory.h"

/* Words that are worth being looked through in the end, for each work-item: atomic operations that
 * several threads make at once on what few of them share take many times as long as those do. */
enum { WORDS_AN_ITEM = 4 };

/* The address that an argument holds. */
static uint32_t argument(const char *params, const struct isa_param *p) {
    uint32_t address;
    memcpy(&address, params + p->offset, sizeof address);
    return address;
}

static bool is_alone(const struct isa_kernel *k, const char *params, uint32_t param, uint32_t first,
                     uint64_t bytes) {
    for (uint32_t p = 0; p < k->nparams; p++) {
        const struct isa_param *other = &k->params[p];
        bool points = other->kind == ISA_PARAM_GLOBAL || other->kind == ISA_PARAM_CONSTANT;
        if (p != param && points && argument(params, other) - first < bytes) return false;
    }
    return true;
}

/* Where the object of parameter p begins, if that is alone there; or 0. */
static uint32_t object_of(const struct launch *l, const char *params, uint32_t p, uint64_t *bytes) {
    const struct isa_kernel *k = l->kernel;
    uint32_t first =
        memory_object(executable_memory(l->executable), argument(params, &k->params[p]), bytes);
    return first && is_alone(k, params, p, first, *bytes) ? first : 0;
}

uint32_t privatised_alone(const struct launch *l, const char *params, uint32_t asked) {
    uint32_t alone = 0;
    uint64_t bytes;
    for (uint32_t p = 0; p < l->kernel->nparams && p < 32; p++)
        if (asked >> p & 1 && object_of(l, params, p, &bytes)) alone |= 1u << p;
    return alone;
}

void privatised_tell(struct native_run *r, const struct group *g, uint32_t asked) {
    r->alone = 0;
    for (uint32_t p = 0; p < g->kernel->nparams && p < 32; p++) {
        uint64_t bytes = 0;
        uint32_t first = asked >> p & 1 ? object_of(g->launch, g->params, p, &bytes) : 0;
        if (first) r->alone |= 1u << p;
        if (p >= ISA_SPECIAL_OBJECTS) continue;
        r->special[ISA_SPECIAL_object_0 + 2 * p] = first;
        r->special[ISA_SPECIAL_object_0 + 2 * p + 1] = first ? (uint32_t)bytes : 0;
    }
    r->special[ISA_SPECIAL_alone] = r->alone;
}

void privatised_begin(struct privatised *s, struct native_run *r, const struct group *g,
                      uint32_t param, uint64_t end) {
    uint64_t bytes, items = (end - g->group_index) * g->items;
    struct memory *m = executable_memory(g->launch->executable);
    s->words = 0;
    r->privatised.bytes = 0;
    s->first = memory_object(m, argument(g->params, &g->kernel->params[param]), &bytes);
    if (!s->first || bytes > sizeof *s->table * PRIVATISED_MOST || bytes % sizeof *s->table) return;
    if (items * WORDS_AN_ITEM < bytes / sizeof *s->table ||
        !is_alone(g->kernel, g->params, param, s->first, bytes))
        return;
    s->words = (uint32_t)bytes / (uint32_t)sizeof *s->table;
    s->tables = s->words <= PRIVATISED_MOST / NATIVE_TABLES ? NATIVE_TABLES : 1;
    memset(s->table, 0, s->tables * s->words * sizeof *s->table);
    r->privatised.first = s->first;
    r->privatised.bytes = (uint32_t)bytes;
    r->privatised.next = s->tables > 1 ? r->privatised.bytes : 0;
    r->privatised.table = s->table;
}

void privatised_end(const struct privatised *s, char *base) {
    for (uint32_t n = 0; n < s->words; n++) {
        uint32_t *to = memory_at(base, s->first + n * (uint32_t)sizeof *to), sum = 0;
        for (uint32_t t = 0; t < s->tables; t++) sum += s->table[t * s->words + n];
        if (sum) __atomic_fetch_add(to, sum, __ATOMIC_SEQ_CST);
    }
}
