/* The sites of a kernel: which place of the source an access, a branch or a barrier stands for, and
 * the chain of calls that were expanded around it. */
#include "lowerstate.h"

#include <stdio.h>
#include <string.h>

enum { CALL = 0xff, VARIABLE = 0xfe }; /* site_key.kind: not a site, a call or variable */

/* ---- the place ---- */

static void name_place(struct lower *l, const void *node, struct ast_loc loc,
                       struct ast_extent extent) {
    struct here *h = &state_of(l)->here;
    *h = (struct here){.node = node, .loc = loc.line ? loc : state_of(l)->loc};
    h->file = lower_file(l, h->loc.file);
    const char *text = extent.written ? l->unit->source : l->unit->text;
    if (!extent.length || !text) return;
    h->text = text + extent.begin;
    h->length = extent.length;
    h->loc.column = extent.column;
}

void lower_here(struct lower *l, const struct ast_expr *e) {
    const struct ast_expr *named = e; /* what the text is of */
    while (!named->extent.length && named->a &&
           (named->kind == AST_LOAD || named->kind == AST_CAST))
        named = named->a;
    name_place(l, e, e->loc, named->extent);
    struct here *h = &state_of(l)->here;
    if (!h->length && named->kind == AST_VAR && named->var->name) {
        h->text = named->var->name;
        h->length = (uint32_t)strlen(h->text);
    }
}

void lower_here_condition(struct lower *l, const struct ast_expr *e, bool of_loop) {
    lower_here(l, e);
    state_of(l)->here.exit = of_loop;
}

void lower_here_inverted(struct lower *l) { state_of(l)->here.inverted = true; }

void lower_here_stmt(struct lower *l, const struct ast_stmt *s, uint32_t ordinal) {
    name_place(l, s, s->loc, s->extent);
    state_of(l)->here.ordinal = ordinal;
}

void lower_here_later(struct lower *l) { state_of(l)->here = (struct here){.node = NULL}; }

void lower_here_var(struct lower *l, const struct ast_var *v) {
    name_place(l, v, v->loc, (struct ast_extent){0});
    if (!v->name) return;
    state_of(l)->here.text = v->name;
    state_of(l)->here.length = (uint32_t)strlen(v->name);
}

/* How many bytes at `text` are a comment. */
static uint32_t comment(const char *text, uint32_t length) {
    if (length < 2 || text[0] != '/' || (text[1] != '/' && text[1] != '*')) return 0;
    bool line = text[1] == '/';
    const char *end = memmem(text + 2, length - 2, line ? "\n" : "*/", line ? 1 : 2);
    return end ? (uint32_t)(end - text) + (line ? 1 : 2) : length;
}

/* One line of at most ISA_MAX_SITE_TEXT bytes: white space, comments included, is one blank. */
static void fold_text(const char *text, uint32_t length, char out[ISA_MAX_SITE_TEXT + 1]) {
    uint32_t n = 0;
    bool blank = false;
    char quote = 0; /* of the literal being copied */
    for (uint32_t i = 0, skip; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (!quote && (skip = comment(text + i, length - i))) {
            i += skip - 1;
            c = ' ';
        }
        if (!quote && c == '\\' && i + 1 < length && (text[i + 1] == '\n' || text[i + 1] == '\r'))
            c = ' ';
        if (c <= ' ' || c == 0x7f) {
            blank = n > 0;
            continue;
        }
        if (quote ? c == (unsigned char)quote && text[i - 1] != '\\' : c == '"' || c == '\'')
            quote = quote ? 0 : (char)c;
        if (n + blank >= ISA_MAX_SITE_TEXT) { /* no room: its end shows it */
            n = ISA_MAX_SITE_TEXT - 3;
            while ((out[n] & 0xc0) == 0x80) n--; /* not within a character */
            n += (uint32_t)sprintf(out + n, "...");
            break;
        }
        if (blank) out[n++] = ' ';
        blank = false;
        out[n++] = (char)c;
    }
    out[n] = 0;
}

/* ---- the table of what has a number ---- */

static uint32_t hash(const struct site_key *k) {
    uint64_t h = (uint64_t)(uintptr_t)k->node * 0x9e3779b97f4a7c15u;
    h ^= ((uint64_t)k->kernel << 32 ^ (uint64_t)k->call << 8 ^ k->ordinal) * 0xbf58476d1ce4e5b9u;
    h ^=
        ((uint64_t)k->kind << 24 | k->space << 16 | k->width << 8 | k->count) * 0x94d049bb133111ebu;
    return (uint32_t)(h >> 32) ^ (uint32_t)(h >> 12);
}

static bool equal(const struct site_key *a, const struct site_key *b) {
    return a->node == b->node && a->kernel == b->kernel && a->call == b->call &&
           a->ordinal == b->ordinal && a->kind == b->kind && a->space == b->space &&
           a->width == b->width && a->count == b->count;
}

static struct site_slot *probe(struct site_slot *table, uint32_t cap, const struct site_key *k) {
    uint32_t at = hash(k) & (cap - 1);
    while (table[at].number && !equal(&table[at].key, k)) at = (at + 1) & (cap - 1);
    return &table[at];
}

/* The slot of the key; a new one has number 0, which the caller sets. */
static struct site_slot *slot_of(struct lower *l, const struct site_key *k) {
    struct lower_state *s = state_of(l);
    if (s->nsites * 2 >= s->cap_sites) {
        uint32_t cap = s->cap_sites ? s->cap_sites * 2 : 128;
        struct site_slot *table = ARENA_ARRAY(l->arena, struct site_slot, cap);
        for (uint32_t i = 0; i < s->cap_sites; i++)
            if (s->sites[i].number) *probe(table, cap, &s->sites[i].key) = s->sites[i];
        s->sites = table;
        s->cap_sites = cap;
    }
    struct site_slot *slot = probe(s->sites, s->cap_sites, k);
    if (!slot->number) {
        slot->key = *k;
        s->nsites++;
    }
    return slot;
}

uint32_t lower_site_call(struct lower *l, struct lower_frame *f) {
    if (!f || !f->at || f->call) return f ? f->call : 0;
    uint32_t around = lower_site_call(l, f->up);
    struct site_key key = {
        .node = f->at, .kernel = state_of(l)->kernel_id, .call = around, .kind = CALL};
    struct site_slot *slot = slot_of(l, &key);
    if (!slot->number) {
        struct isa_call call = {.name = (char *)f->func->name,
                                .file = f->at_file,
                                .line = f->at->loc.line,
                                .column =
                                    f->at->extent.length ? f->at->extent.column : f->at->loc.column,
                                .around = around};
        slot->number = isa_call_new(l->k, &call);
        if (!slot->number) lower_no_memory(l);
    }
    f->call = slot->number;
    return f->call;
}

uint32_t *lower_site_variable(struct lower *l, const struct ast_var *v) {
    struct lower_state *s = state_of(l);
    struct site_key key = {
        .node = v, .kernel = s->kernel_id, .call = lower_site_call(l, s->frame), .kind = VARIABLE};
    return &slot_of(l, &key)->number;
}

/* ---- sites ---- */

/* The site of what is emitted at the place named last. 0: constants are being laid out. */
static uint32_t number_of(struct lower *l, const struct isa_site *like) {
    struct lower_state *s = state_of(l);
    struct here *h = &s->here;
    if (l->k == s->scratch) return 0;
    struct site_key key = {.node = h->node,
                           .kernel = s->kernel_id,
                           .call = lower_site_call(l, s->frame),
                           .ordinal = h->ordinal++,
                           .kind = like->kind,
                           .space = like->space,
                           .width = like->width,
                           .count = like->count};
    struct site_slot *slot = slot_of(l, &key);
    if (!slot->number) {
        char text[ISA_MAX_SITE_TEXT + 1];
        struct isa_site site = *like;
        site.file = h->file;
        site.line = h->loc.line;
        site.column = h->loc.column;
        site.call = key.call;
        site.inverted = h->inverted;
        if (h->length) {
            fold_text(h->text, h->length, text);
            site.text = text;
        }
        slot->number = isa_site_new(l->k, &site);
        if (!slot->number) lower_no_memory(l);
    }
    return slot->number;
}

void lower_site(struct lower *l, struct isa_inst *i, enum isa_site_kind kind) {
    if (!isa_site_wanted(i)) return;
    struct isa_site like = {.kind = (uint8_t)kind};
    isa_site_describe(&like, i);
    uint32_t site = number_of(l, &like);
    i->site = site;
    if (state_of(l)->dead) isa_site_remove(l->k, site, ISA_REMOVED_unreachable);
}

/* With constants it can be known that nothing goes wrong. */
static bool may_go_wrong(struct lower *l, const struct isa_inst *i) {
    uint64_t c;
    if (i->nsrc < 2 || !lower_is_const(l, isa_srcs(l->k, i)[1], &c)) return true;
    if (isa_site_takes(ISA_SITE_shift, (enum isa_op)i->op)) return c >= isa_type_size[i->type] * 8u;
    return !c || c == isa_cut((enum isa_type)i->type, UINT64_MAX);
}

void lower_site_computed(struct lower *l, const struct ast_expr *e, isa_operand value) {
    static const enum isa_site_kind kinds[] = {ISA_SITE_division, ISA_SITE_shift,
                                               ISA_SITE_conversion};
    struct lower_state *s = state_of(l);
    struct isa_kernel *k = l->k;
    if (!l->options->check_values || !e || s->dead || k == s->scratch || !k->ninsts) return;
    struct isa_inst *i = &k->insts[k->ninsts - 1];
    if (!i->ndst || isa_dsts(k, i)[0] != value || i->site || !may_go_wrong(l, i)) return;
    for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        if (!isa_site_takes(kinds[n], (enum isa_op)i->op)) continue;
        struct here here = s->here;
        lower_here(l, e);
        uint32_t site = number_of(l, &(struct isa_site){.kind = (uint8_t)kinds[n]});
        k->insts[k->ninsts - 1].site = site;
        s->here = here;
    }
}

void lower_site_removed(struct lower *l, enum isa_site_kind kind, enum isa_site_reason reason) {
    uint32_t site = number_of(l, &(struct isa_site){.kind = (uint8_t)kind});
    isa_site_remove(l->k, site, state_of(l)->dead ? ISA_REMOVED_unreachable : reason);
}

void lower_site_branch(struct lower *l, struct isa_inst *i, bool leaves) {
    if (!state_of(l)->here.node) return; /* given later, or never */
    enum isa_site_kind kind =
        leaves || state_of(l)->here.exit ? ISA_SITE_loop_exit : ISA_SITE_branch;
    if (i)
        lower_site(l, i, kind);
    else
        lower_site_removed(l, kind, ISA_REMOVED_unreachable);
}

void lower_site_decided(struct lower *l, const struct ast_expr *e, bool of_loop,
                        enum isa_site_reason reason) {
    const struct ast_expr *bare = e;
    while (bare->kind == AST_CAST) bare = bare->a;
    if (bare->kind == AST_INT_LIT) return;
    lower_here_condition(l, e, of_loop);
    lower_site_removed(l, of_loop ? ISA_SITE_loop_exit : ISA_SITE_branch, reason);
}
