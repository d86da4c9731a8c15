#include "finding_kept.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "suppression.h"

const struct check_rule_info check_rules[CHECK_RULES] = {
#define FINDING(name, check, severity, text) {#name, text, CHECK_IS_##check, CHECK_##severity},
#include "checks.def"
};
const char *const check_kind_name[CHECK_KINDS] = {
#define CHECK(name, what) #name,
#include "checks.def"
};
const char *const check_kind_what[CHECK_KINDS] = {
#define CHECK(name, what) what,
#include "checks.def"
};
const char *const check_severity_name[CHECK_SEVERITIES] = {"error", "warning", "note"};

enum { SLOTS = 256, LINE = 4096 };

static struct {
    pthread_mutex_t lock;
    struct kept_finding *slots[SLOTS];
    size_t count;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- places ---- */

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

static const char *file_name(const struct check_launch *l, uint32_t file) {
    return l && file < l->module->nfiles ? l->module->files[file] : NULL;
}

static void find_calls(struct kept_place *at, const struct check_finding *f, uint32_t innermost) {
    const struct isa_kernel *k = f->kernel;
    uint32_t n = 0;
    for (uint32_t c = innermost; c; c = k->calls[c - 1].around) n++;
    at->calls = n ? calloc(n, sizeof *at->calls) : NULL;
    for (uint32_t c = innermost; at->calls && c; c = k->calls[c - 1].around) {
        const struct isa_call *call = &k->calls[c - 1];
        at->calls[at->ncalls++] = (struct kept_call){
            copy(call->name), copy(file_name(f->launch, call->file)), call->line, call->column};
    }
}

/* How much of the line the expression takes, whose text has its blanks folded. */
static uint32_t width_of(const struct kept_place *at) {
    if (!at->source || !at->text || !at->column || at->column > strlen(at->source)) return 0;
    const char *line = at->source + at->column - 1, *from = line;
    for (const char *t = at->text; *t; t++) {
        if (*t == ' ')
            while (*line == ' ' || *line == '\t') line++;
        else if (*line == *t)
            line++;
        else
            return 0;
    }
    return (uint32_t)(line - from);
}

static void find_place(struct kept_place *at, const struct check_finding *f,
                       const struct check_party *p) {
    const struct isa_site *s = f->kernel && p->site ? &f->kernel->sites[p->site - 1] : NULL;
    uint32_t file = s ? s->file : p->file;
    char line[LINE];
    if (!f->kernel) return;
    at->file = copy(file_name(f->launch, file));
    at->line = s ? s->line : p->line;
    at->column = s ? s->column : 0;
    at->text = s ? copy(s->text) : NULL;
    if (f->launch && f->launch->line && at->line &&
        f->launch->line(f->launch->user, file, at->line, line, sizeof line))
        at->source = copy(line);
    at->width = width_of(at);
    if (s) find_calls(at, f, s->call);
}

static void place_free(struct kept_place *at) {
    for (uint32_t n = 0; n < at->ncalls; n++) {
        free(at->calls[n].name);
        free(at->calls[n].file);
    }
    free(at->calls);
    free(at->file);
    free(at->source);
    free(at->text);
}

static void kept_free(struct kept_finding *e) {
    place_free(&e->at);
    place_free(&e->other);
    free(e->kernel);
    free(e);
}

/* ---- one for each place ---- */

static uint64_t mix(uint64_t h, uint64_t value) { return (h ^ value) * UINT64_C(0x100000001b3); }

static uint64_t mix_text(uint64_t h, const char *text) {
    for (; text && *text; text++) h = mix(h, (unsigned char)*text);
    return mix(h, 0xff);
}

static uint64_t mix_party(uint64_t h, const struct check_finding *f, const struct check_party *p) {
    const struct isa_site *s = f->kernel && p->site ? &f->kernel->sites[p->site - 1] : NULL;
    if (!s) return mix_text(mix(mix(h, p->line), p->file), file_name(f->launch, p->file));
    h = mix(mix(mix(mix(h, s->line), s->column), s->kind), s->call);
    return mix_text(mix_text(h, s->text), file_name(f->launch, s->file));
}

/* Programs that are built anew from the same source go on with the same findings. */
static uint64_t hash_of(const struct check_finding *f) {
    uint64_t h = mix(UINT64_C(0xcbf29ce484222325), f->rule);
    h = mix_text(h, f->kernel ? f->kernel->name : NULL);
    if (!f->kernel) h = mix_text(mix_text(h, f->party.subject), f->object);
    return mix_party(mix_party(h, f, &f->party), f, &f->other);
}

static int compare(const uint32_t a[3], const uint32_t b[3]) {
    for (int d = 3; d-- > 0;)
        if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
    return 0;
}

/* Whether f happened before what is kept. */
static bool earlier(const struct kept_finding *e, const struct check_finding *f) {
    uint64_t launch = f->launch ? f->launch->number : 0;
    if (launch != e->launch) return launch < e->launch;
    const struct check_item *a = &f->party.item, *b = &e->f.party.item;
    int order = compare(a->group, b->group);
    if (!order) order = compare(a->local, b->local);
    if (!order) order = compare(f->other.item.group, e->f.other.item.group);
    if (!order) order = compare(f->other.item.local, e->f.other.item.local);
    if (!order && f->address != e->f.address) order = f->address < e->f.address ? -1 : 1;
    return order < 0;
}

static void take(struct kept_finding *e, const struct check_finding *f) {
    uint64_t count = e->f.count;
    e->f = *f;
    e->f.count = count;
    e->f.launch = NULL;
    e->f.kernel = NULL;
    e->launch = f->launch ? f->launch->number : 0;
}

static struct kept_finding *kept_new(const struct check_finding *f, uint64_t hash) {
    struct kept_finding *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->hash = hash;
    e->kernel = f->kernel ? copy(f->kernel->name) : NULL;
    find_place(&e->at, f, &f->party);
    if (f->other.site || f->other.line) find_place(&e->other, f, &f->other);
    take(e, f);
    e->f.count = 0;
    char above[LINE] = "";
    if (f->launch && f->launch->line && e->at.line > 1) {
        uint32_t file = f->party.site ? f->kernel->sites[f->party.site - 1].file : f->party.file;
        if (!f->launch->line(f->launch->user, file, e->at.line - 1, above, sizeof above))
            *above = '\0';
    }
    e->suppressed = suppression_holds(e, above);
    return e;
}

static void (*listener)(const struct check_finding *f);

void check_listen(void (*heard)(const struct check_finding *f)) { listener = heard; }

bool check_listened(void) { return listener; }

/* Where it is, or would be. */
static struct kept_finding **find_kept(uint64_t hash) {
    struct kept_finding **at = &all.slots[hash % SLOTS];
    while (*at && (*at)->hash != hash) at = &(*at)->next;
    return at;
}

static struct kept_finding *keep(const struct check_finding *f, uint64_t hash) {
    struct kept_finding **at = find_kept(hash);
    if (!*at && (*at = kept_new(f, hash))) all.count++;
    struct kept_finding *e = *at;
    if (e && e->f.count && earlier(e, f)) take(e, f);
    if (e && (!f->again || !e->f.count)) e->f.count += f->count ? f->count : 1;
    return e;
}

void check_tell(const struct check_finding *f) {
    uint64_t hash = hash_of(f);
    pthread_mutex_lock(&all.lock);
    struct kept_finding *e = keep(f, hash);
    if (e) e->held = false;
    pthread_mutex_unlock(&all.lock);
    if (listener) listener(f);
}

uint64_t check_hold(const struct check_finding *f) {
    uint64_t hash = hash_of(f);
    pthread_mutex_lock(&all.lock);
    bool known = *find_kept(hash) != NULL;
    struct kept_finding *e = keep(f, hash);
    if (e && !known) e->held = true;
    pthread_mutex_unlock(&all.lock);
    return e ? hash : 0;
}

void check_confirm(uint64_t held) {
    pthread_mutex_lock(&all.lock);
    struct kept_finding *e = *find_kept(held);
    if (e) e->held = false;
    pthread_mutex_unlock(&all.lock);
}

/* ---- all of them ---- */

static int compare_texts(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int compare_places(const struct kept_place *a, const struct kept_place *b) {
    int order = compare_texts(a->file, b->file);
    if (order) return order;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return 0;
}

/* Findings of launches in the order of these, then by the source; what is of no launch last. */
static int compare_findings(const void *x, const void *y) {
    const struct kept_finding *a = *(struct kept_finding *const *)x,
                              *b = *(struct kept_finding *const *)y;
    if (!a->launch != !b->launch) return a->launch ? -1 : 1;
    if (a->launch != b->launch) return a->launch < b->launch ? -1 : 1;
    int order = compare_texts(a->kernel, b->kernel);
    if (!order) order = compare_places(&a->at, &b->at);
    if (!order) order = compare_places(&a->other, &b->other);
    if (!order) order = (int)a->f.rule - (int)b->f.rule;
    if (!order) order = compare_texts(a->f.party.subject, b->f.party.subject);
    if (!order) order = compare_texts(a->f.object, b->f.object);
    if (order) return order;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

void check_each(void (*each)(void *user, const struct kept_finding *f), void *user) {
    pthread_mutex_lock(&all.lock);
    struct kept_finding **list = malloc((all.count + 1) * sizeof *list);
    size_t count = 0;
    for (unsigned n = 0; list && n < SLOTS; n++)
        for (struct kept_finding *e = all.slots[n]; e; e = e->next)
            if (!e->suppressed && !e->held) list[count++] = e;
    if (list) qsort(list, count, sizeof(struct kept_finding *), compare_findings);
    for (size_t n = 0; n < count; n++) each(user, list[n]);
    free(list);
    pthread_mutex_unlock(&all.lock);
}

bool check_any(enum check_severity at_least) {
    bool any = false;
    pthread_mutex_lock(&all.lock);
    for (unsigned n = 0; n < SLOTS; n++)
        for (const struct kept_finding *e = all.slots[n]; e; e = e->next)
            any |= !e->suppressed && !e->held && e->f.severity <= at_least;
    pthread_mutex_unlock(&all.lock);
    return any;
}

void check_lock(void) { pthread_mutex_lock(&all.lock); }
void check_unlock(void) { pthread_mutex_unlock(&all.lock); }

void check_forget(void) {
    for (unsigned n = 0; n < SLOTS; n++)
        for (struct kept_finding *e; (e = all.slots[n]);) {
            all.slots[n] = e->next;
            kept_free(e);
        }
    all.count = 0;
}

/* ---- items ---- */

struct check_item check_item_of(const struct check_launch *l, const uint32_t local_size[3],
                                const uint32_t group_id[3], uint32_t warp, uint32_t lane) {
    struct check_item item;
    uint32_t at = warp * ISA_WARP + lane;
    for (int d = 0; d < 3; d++) {
        uint32_t size = local_size[d] ? local_size[d] : 1;
        item.group[d] = group_id[d];
        item.local[d] = d < 2 ? at % size : at;
        at /= size;
        item.global[d] = group_id[d] * size + item.local[d] + (l ? l->offset[d] : 0);
    }
    return item;
}

void check_title(const struct kept_finding *f, char *text, size_t size) {
    const char *subject = f->f.party.subject;
    snprintf(text, size, "%s%s%s", subject, *subject ? " " : "", check_rules[f->f.rule].text);
}
