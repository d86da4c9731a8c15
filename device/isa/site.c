/* The sites of a kernel: making them, what passes note about them, and whether a table of them
 * tells the truth about the instructions. */
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"

const char *const isa_site_kind_name[ISA_SITE_KIND_COUNT] = {
#define ISA_SITE_KIND(name, first, last, also, what) [ISA_SITE_##name] = #name,
#include "sites.def"
};

const char *const isa_site_reason_name[ISA_SITE_REASON_COUNT] = {
#define ISA_SITE_REASON(name, what) [ISA_REMOVED_##name] = #name,
#include "sites.def"
};

bool isa_site_takes(enum isa_site_kind kind, enum isa_op op) {
    static const struct {
        uint16_t first, last, also;
    } operations[ISA_SITE_KIND_COUNT] = {
#define ISA_SITE_KIND(name, first, last, also, what)                                               \
    [ISA_SITE_##name] = {ISA_##first, ISA_##last, ISA_##also},
#include "sites.def"
    };
    return (operations[kind].first <= op && op <= operations[kind].last) ||
           op == operations[kind].also;
}

bool isa_site_wanted(const struct isa_inst *i) {
    if (i->op == ISA_if || i->op == ISA_breakif || i->op == ISA_bar) return true;
    if (i->op == ISA_img_read || i->op == ISA_img_write || i->op == ISA_copies ||
        i->op == ISA_index)
        return true;
    return (isa_op_info[i->op].flags & ISA_OP_MEMORY) && i->space != ISA_PARAM;
}

bool isa_site_computes(enum isa_site_kind kind) {
    return kind == ISA_SITE_division || kind == ISA_SITE_shift || kind == ISA_SITE_conversion ||
           kind == ISA_SITE_index;
}

void isa_site_describe(struct isa_site *s, const struct isa_inst *i) {
    bool image = i->op == ISA_img_read || i->op == ISA_img_write;
    bool memory = isa_op_info[i->op].flags & ISA_OP_MEMORY;
    s->space = i->space;
    s->width = image || memory ? isa_type_size[i->type] : 0;
    s->count = image ? 4 : memory ? i->count : 0;
}

/* Does the site describe what the instruction does: kind, space, width? */
static bool fits(const struct isa_site *s, const struct isa_inst *i) {
    struct isa_site like;
    bool computes = isa_site_computes((enum isa_site_kind)s->kind);
    if (!isa_site_takes((enum isa_site_kind)s->kind, (enum isa_op)i->op)) return false;
    if (!isa_site_wanted(i) && !computes) return false;
    isa_site_describe(&like, i);
    return s->space == like.space && s->width == like.width && s->count == like.count;
}

/* ---- making ---- */

static char *copy_text(const char *text, size_t most) {
    size_t length = strlen(text);
    if (length > most) length = most;
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

uint32_t isa_call_new(struct isa_kernel *k, const struct isa_call *call) {
    struct isa_call c = *call;
    c.name = copy_text(call->name, strlen(call->name));
    if (!c.name ||
        !isa_grow((void **)&k->calls, &k->cap_calls, k->ncalls + 1ull, sizeof *k->calls)) {
        free(c.name);
        k->failed = true;
        return 0;
    }
    k->calls[k->ncalls++] = c;
    return k->ncalls;
}

uint32_t isa_site_new(struct isa_kernel *k, const struct isa_site *site) {
    struct isa_site s = *site;
    s.reason_known = s.fate == ISA_SITE_REMOVED;
    if (site->text) s.text = copy_text(site->text, ISA_MAX_SITE_TEXT);
    if ((site->text && !s.text) ||
        !isa_grow((void **)&k->sites, &k->cap_sites, k->nsites + 1ull, sizeof *k->sites)) {
        free(s.text);
        k->failed = true;
        return 0;
    }
    k->sites[k->nsites++] = s;
    return k->nsites;
}

bool isa_sites_copy(struct isa_kernel *to, const struct isa_kernel *from) {
    for (uint32_t n = 0; n < from->ncalls; n++)
        if (!isa_call_new(to, &from->calls[n])) return false;
    for (uint32_t n = 0; n < from->nsites; n++)
        if (!isa_site_new(to, &from->sites[n])) return false;
    return true;
}

void isa_sites_free(struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ncalls; n++) free(k->calls[n].name);
    for (uint32_t n = 0; n < k->nsites; n++) free(k->sites[n].text);
    free(k->calls);
    free(k->sites);
}

/* ---- what passes note ---- */

void isa_site_merge(struct isa_kernel *k, uint32_t into, uint32_t from) {
    if (!into || !from || into == from || into > k->nsites || from > k->nsites) return;
    k->sites[from - 1].into = into;
}

void isa_site_remove(struct isa_kernel *k, uint32_t site, enum isa_site_reason reason) {
    if (!site || site > k->nsites) return;
    k->sites[site - 1].reason = (uint8_t)reason;
    k->sites[site - 1].reason_known = true;
}

/* Decides on a site that no instruction carries, and on those it was merged into one after the
 * other: they end in a present site, or all of them are gone. decided: of each site. */
static void finish_site(struct isa_kernel *k, uint32_t site, bool *decided) {
    uint32_t end = site;
    const struct isa_site *known = NULL; /* the first with a reason */
    for (; !decided[end]; end = k->sites[end - 1].into) {
        decided[end] = true;
        if (!known && k->sites[end - 1].reason_known) known = &k->sites[end - 1];
        if (!k->sites[end - 1].into) break;
    }
    /* Where the walk met a site that it had been at, none of them has an instruction. */
    const struct isa_site *last = &k->sites[end - 1];
    uint32_t into = last->fate == ISA_SITE_PRESENT ? end : last->into;
    if (into && k->sites[into - 1].fate != ISA_SITE_PRESENT) into = 0;
    if (!known && last->reason_known) known = last;
    for (uint32_t at = site, next; at && at != into; at = next) {
        struct isa_site *s = &k->sites[at - 1];
        next = s->into;
        s->into = into;
        s->fate = into ? ISA_SITE_MERGED : ISA_SITE_REMOVED;
        if (!into && !s->reason_known && known) {
            s->reason = known->reason;
            s->reason_known = true;
        }
        if (into || !s->reason_known) s->reason = ISA_REMOVED_eliminated;
        s->reason_known = !into; /* for the next time */
    }
}

bool isa_sites_finish(struct isa_kernel *k) {
    if (!k->nsites) return true;
    bool *decided = calloc(k->nsites + 1u, sizeof *decided);
    if (!decided) {
        k->failed = true;
        return false;
    }
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].site <= k->nsites) decided[k->insts[n].site] = true;
    for (uint32_t n = 0; n < k->nsites; n++) {
        k->sites[n].fate = decided[n + 1] ? ISA_SITE_PRESENT : ISA_SITE_REMOVED;
        if (decided[n + 1]) k->sites[n].into = 0;
    }
    for (uint32_t site = 1; site <= k->nsites; site++)
        if (!decided[site]) finish_site(k, site, decided);
    free(decided);
    return true;
}

/* ---- checking ---- */

static const char *check_calls(const struct isa_module *m, const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ncalls; n++) {
        const struct isa_call *c = &k->calls[n];
        if (c->around > n) return "a call lies in one that is not before it";
        if (c->file && c->file >= m->nfiles) return "a call's file is not listed";
    }
    return NULL;
}

static bool is_one_line(const char *text) {
    size_t length = 0;
    for (; text[length]; length++)
        if ((unsigned char)text[length] < ' ' || text[length] == 0x7f) return false;
    return length <= ISA_MAX_SITE_TEXT;
}

static const char *check_site(const struct isa_module *m, const struct isa_kernel *k,
                              const struct isa_site *s, bool carried) {
    if (s->kind >= ISA_SITE_KIND_COUNT || s->fate >= ISA_SITE_FATE_COUNT ||
        s->reason >= ISA_SITE_REASON_COUNT || s->space >= ISA_SPACE_COUNT)
        return "a site is badly described";
    bool memory =
        s->kind == ISA_SITE_load || s->kind == ISA_SITE_store || s->kind == ISA_SITE_atomic;
    bool image = s->kind == ISA_SITE_image_read || s->kind == ISA_SITE_image_write;
    bool branch = s->kind == ISA_SITE_branch || s->kind == ISA_SITE_loop_exit;
    if (s->inverted && !branch) return "a site that is no branch is inverted";
    if (memory != (s->space != ISA_NO_SPACE) || s->space == ISA_PARAM)
        return "a site's space is not that of an access";
    bool wide = s->width == 1 || s->width == 2 || s->width == 4 || s->width == 8;
    bool several = s->count == 1 || s->count == 2 || s->count == 3 || s->count == 4 ||
                   s->count == 8 || s->count == 16;
    if ((memory || image) ? !wide || !several : s->width || s->count)
        return "a site's width is not that of an access";
    if (s->call > k->ncalls) return "a site lies in a call that is not listed";
    if (s->file && s->file >= m->nfiles) return "a site's file is not listed";
    if (s->text && !is_one_line(s->text)) return "a site's text is not one short line";
    if (s->fate == ISA_SITE_PRESENT && !carried) return "no instruction carries a present site";
    if (s->fate != ISA_SITE_PRESENT && carried)
        return "an instruction carries a site that is not present";
    if (s->fate != ISA_SITE_MERGED)
        return s->into ? "a site that is not merged has a successor" : NULL;
    if (!s->into || s->into > k->nsites || k->sites[s->into - 1].fate != ISA_SITE_PRESENT)
        return "a site is merged into one that is not present";
    return NULL;
}

bool isa_sites_check(const struct isa_module *m, const struct isa_kernel *k, uint32_t *inst,
                     const char **reason) {
    bool *carried = calloc(k->nsites + 1u, sizeof *carried);
    *reason = carried ? NULL : "out of memory";
    for (uint32_t n = 0; !*reason && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        *inst = n;
        if (i->site > k->nsites)
            *reason = "its site is not listed";
        else if (i->site && k->sites[i->site - 1].kind < ISA_SITE_KIND_COUNT &&
                 !fits(&k->sites[i->site - 1], i))
            *reason = "its site is one of something else";
        else
            carried[i->site] = true;
    }
    if (!*reason) {
        *inst = ~0u;
        *reason = check_calls(m, k);
        if (!*reason) *reason = isa_variables_check(m, k);
    }
    for (uint32_t n = 0; !*reason && n < k->nsites; n++)
        *reason = check_site(m, k, &k->sites[n], carried[n + 1]);
    free(carried);
    return !*reason;
}
