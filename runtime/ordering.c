#include "ordering.h"

#include <stdlib.h>
#include <string.h>

#include "checking.h"
#include "context.h"
#include "motion.h"

enum {
    SLOTS = 1024, /* commands that are looked at, at once */
    WORDS = SLOTS / 64,
    STRETCHES = 1 << 18 /* of one command in one object: of one with more nothing is told */
};

/* By slots, which were given to commands of these numbers or less: others have got them since. */
struct ordered_set {
    uint64_t bits[WORDS];
    uint64_t made;
};

/* What a command accesses of an object. */
struct area {
    uint32_t number; /* the object's */
    char object[96];
    struct texture shape; /* of an image; else it has no texels */
    struct touch_list lists[TOUCHES];
};

struct ordered {
    atomic_uint refs;       /* its event's and the context's */
    int slot;               /* -1: it is not looked at any more */
    uint64_t number;        /* in the context, from 1 */
    uint32_t stream, place; /* which queue, and which command of it; 0: a user event */
    bool ended;
    cl_command_type type;
    char name[64];
    struct ordered_set before; /* by slots */
    struct area *areas;
    uint32_t nareas;
};

struct ordering {
    struct ordered *slots[SLOTS];
    struct ordered_set known; /* the host knows that they have ended */
    uint64_t count;
};

/* ---- sets ---- */

static bool has(const struct ordered_set *s, int slot) {
    return s->bits[slot / 64] >> slot % 64 & 1;
}
static void put(struct ordered_set *s, int slot) { s->bits[slot / 64] |= UINT64_C(1) << slot % 64; }
static void drop(struct ordered_set *s, int slot) {
    s->bits[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}
/* What is in `more` and is still looked at. */
static void join(const struct ordering *all, struct ordered_set *s,
                 const struct ordered_set *more) {
    s->made = all->count;
    for (unsigned n = 0; more && n < WORDS; n++)
        for (uint64_t left = more->bits[n] & ~s->bits[n]; left; left &= left - 1) {
            int slot = (int)(64 * n) + __builtin_ctzll(left);
            const struct ordered *o = all->slots[slot];
            if (o && o->number <= more->made) put(s, slot);
        }
}

/* The command and all that come before it. */
static void join_command(const struct ordering *all, struct ordered_set *s,
                         const struct ordered *o) {
    if (!o) return;
    join(all, s, &o->before);
    if (o->slot >= 0) put(s, o->slot);
}

/* ---- what goes ---- */

static void forget_areas(struct ordered *o) {
    for (uint32_t n = 0; n < o->nareas; n++)
        for (unsigned how = 0; how < TOUCHES; how++) free(o->areas[n].lists[how].list);
    free(o->areas);
    o->areas = NULL;
    o->nareas = 0;
}

void ordering_release(struct ordered *o) {
    if (!o || atomic_fetch_sub(&o->refs, 1) != 1) return;
    forget_areas(o);
    free(o);
}

void ordering_set_free(struct ordered_set *set) { free(set); }

/* Nothing that is still to come can be unordered with it. */
static void retire(struct ordering *all, struct ordered *o) {
    all->slots[o->slot] = NULL;
    drop(&all->known, o->slot);
    for (unsigned n = 0; n < SLOTS; n++)
        if (all->slots[n]) drop(&all->slots[n]->before, o->slot);
    o->slot = -1;
    if (o->ended) forget_areas(o);
    ordering_release(o);
}

void ordering_free(struct ordering *all) {
    for (unsigned n = 0; all && n < SLOTS; n++)
        if (all->slots[n]) retire(all, all->slots[n]);
    free(all);
}

static bool unordered(const struct ordered *a, const struct ordered *b) {
    return !has(&a->before, b->slot) && !has(&b->before, a->slot);
}

static void retire_known(struct ordering *all) {
    for (int n = 0; n < SLOTS; n++) {
        struct ordered *o = all->slots[n];
        bool wanted = !o || !o->ended || !has(&all->known, n);
        for (int m = 0; !wanted && m < SLOTS; m++) {
            const struct ordered *other = all->slots[m];
            wanted = other && !other->ended && unordered(o, other);
        }
        if (!wanted) retire(all, o);
    }
}

/* ---- telling ---- */

static const struct {
    enum touch later, earlier;
    enum check_rule rule;
} conflicts[] = {{TOUCH_STORE, TOUCH_STORE, CHECK_unordered_stores},
                 {TOUCH_STORE, TOUCH_ATOMIC, CHECK_unordered_stores},
                 {TOUCH_ATOMIC, TOUCH_STORE, CHECK_unordered_stores},
                 {TOUCH_STORE, TOUCH_LOAD, CHECK_unordered_store},
                 {TOUCH_ATOMIC, TOUCH_LOAD, CHECK_unordered_store},
                 {TOUCH_LOAD, TOUCH_STORE, CHECK_unordered_load},
                 {TOUCH_LOAD, TOUCH_ATOMIC, CHECK_unordered_load}};
enum { CONFLICTS = sizeof conflicts / sizeof *conflicts };

static void say_command(const struct ordered *o, char *text, size_t size) {
    if (*o->name)
        snprintf(text, size, "launch of %.40s", o->name);
    else
        snprintf(text, size, "%s", motion_name(o->type));
}

/* Which texel of an image lies there; what lies before. */
static void say_texel(const struct texture *t, uint32_t at, char *text, size_t size) {
    *text = '\0';
    if (!t->texel_bytes) return;
    uint32_t slice = t->slice_pitch ? at / t->slice_pitch : 0;
    at -= slice * t->slice_pitch;
    uint32_t row = at / t->row_pitch, x = at % t->row_pitch / t->texel_bytes;
    if (t->dim == ISA_DIM_1D)
        snprintf(text, size, "texel %u, ", x);
    else if (t->dim == ISA_DIM_2D || t->dim == ISA_DIM_1D_ARRAY)
        snprintf(text, size, "texel (%u, %u), ", x, t->dim == ISA_DIM_2D ? row : slice);
    else
        snprintf(text, size, "texel (%u, %u, %u), ", x, row, slice);
}

static void tell(enum check_rule rule, const struct ordered *later, const struct ordered *earlier,
                 const struct area *a, struct touch_stretch at) {
    struct check_finding f = {.rule = rule, .severity = check_rules[rule].severity};
    char name[80], texel[48];
    say_command(earlier, name, sizeof name);
    say_texel(&a->shape, at.begin, texel, sizeof texel);
    say_command(later, f.party.subject, sizeof f.party.subject);
    snprintf(f.object, sizeof f.object, "%s", a->object);
    snprintf(f.detail, sizeof f.detail,
             "%sbytes %u to %u, command %u of queue %u, against command %u of queue %u: %.56s",
             texel, (unsigned)at.begin, (unsigned)at.end - 1, (unsigned)later->place,
             (unsigned)later->stream, (unsigned)earlier->place, (unsigned)earlier->stream, name);
    check_tell(&f);
}

/* Of one object the gravest. */
static void compare_areas(const struct ordered *later, const struct ordered *earlier,
                          const struct area *a, const struct area *b) {
    struct touch_stretch at;
    for (unsigned n = 0; n < CONFLICTS; n++) {
        if (!touched_meet(&a->lists[conflicts[n].later], &b->lists[conflicts[n].earlier], &at))
            continue;
        tell(conflicts[n].rule, later, earlier, a, at);
        return;
    }
}

static void compare(const struct ordered *a, const struct ordered *b) {
    const struct ordered *later = a->number > b->number ? a : b, *earlier = later == a ? b : a;
    for (uint32_t n = 0; n < later->nareas; n++)
        for (uint32_t m = 0; m < earlier->nareas; m++)
            if (later->areas[n].number == earlier->areas[m].number)
                compare_areas(later, earlier, &later->areas[n], &earlier->areas[m]);
}

/* ---- the graph ---- */

bool ordering_wanted(cl_command_queue q) {
    return checking_kind(CHECK_IS_api) &&
           (atomic_load(&q->context->queues) > 1 ||
            (atomic_load(&q->properties) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
}

/* A place for it: of the oldest that has ended, if there is no other; then of the oldest. */
static int find_slot(struct ordering *all) {
    int oldest = -1;
    for (int n = 0; n < SLOTS; n++) {
        const struct ordered *o = all->slots[n], *best = oldest >= 0 ? all->slots[oldest] : NULL;
        if (!o) return n;
        if (!best || (o->ended && !best->ended) ||
            (o->ended == best->ended && o->number < best->number))
            oldest = n;
    }
    retire(all, all->slots[oldest]);
    return oldest;
}

static struct ordered *ordered_new(struct ordering *all, cl_event e) {
    struct ordered *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    atomic_store(&o->refs, 2);
    o->slot = find_slot(all);
    o->number = ++all->count;
    o->type = e->type;
    o->before = all->known;
    all->slots[o->slot] = o;
    return e->ordered = o;
}

static void join_waits(struct ordering *all, struct ordered_set *before, struct waits waits) {
    for (cl_uint n = 0; n < waits.n; n++) {
        cl_event other = waits.events[n];
        if (!other->queue && !other->ordered && !event_ended(other)) ordered_new(all, other);
        join_command(all, before, other->ordered);
    }
}

static bool keep_set(struct ordered_set **at, const struct ordered *o) {
    if (!*at) *at = malloc(sizeof **at);
    if (!*at) return false;
    **at = o->before;
    (*at)->made = o->number;
    put(*at, o->slot);
    return true;
}

void ordering_linked(cl_command_queue q, cl_event e, enum command_order order, struct waits waits,
                     bool in_order, bool all_before) {
    struct ordering *all = q->context->ordering;
    if (!ordering_wanted(q)) return;
    if (!all) all = q->context->ordering = calloc(1, sizeof *all);
    if (!all) return;
    struct ordered_set before = all->known;
    join_waits(all, &before, waits);
    struct ordered *o = ordered_new(all, e);
    if (!o) return;
    join(all, &o->before, &before);
    o->stream = q->stream;
    o->place = (uint32_t)e->number;
    join(all, &o->before, in_order ? q->last_set : q->barrier_set);
    for (unsigned n = 0; all_before && n < SLOTS; n++)
        if (all->slots[n] && all->slots[n] != o && all->slots[n]->stream == q->stream)
            join_command(all, &o->before, all->slots[n]);
    drop(&o->before, o->slot);
    if (!keep_set(&q->last_set, o)) return;
    if (order == ORDER_BARRIER || order == ORDER_FENCE) keep_set(&q->barrier_set, o);
}

void ordering_ended(cl_event e, bool well) {
    struct ordered *o = e->ordered;
    struct ordering *all = e->context->ordering;
    if (!o || o->slot < 0) return;
    if (!e->queue) { /* what the host knew by then comes before what waited */
        join(all, &o->before, &all->known);
        drop(&o->before, o->slot);
        for (unsigned n = 0; n < SLOTS; n++)
            if (all->slots[n] && has(&all->slots[n]->before, o->slot))
                join(all, &all->slots[n]->before, &o->before);
    }
    o->ended = true;
    if (!well) forget_areas(o);
    for (uint32_t n = 0; n < o->nareas; n++)
        for (unsigned how = 0; how < TOUCHES; how++) touched_sort(&o->areas[n].lists[how]);
    for (unsigned n = 0; n < SLOTS; n++) {
        const struct ordered *other = all->slots[n];
        if (other && other != o && other->ended && unordered(o, other)) compare(o, other);
    }
    retire_known(all);
}

void ordering_known(cl_event e) {
    struct ordering *all = e->context->ordering;
    if (!e->ordered || e->ordered->slot < 0) return;
    join_command(all, &all->known, e->ordered);
    retire_known(all);
}

void ordering_finished(cl_command_queue q) {
    struct ordering *all = q->context->ordering;
    for (unsigned n = 0; all && n < SLOTS; n++) {
        const struct ordered *o = all->slots[n];
        if (o && o->ended && o->stream == q->stream) join_command(all, &all->known, o);
    }
    if (all) retire_known(all);
}

/* ---- what commands do ---- */

static struct area *area_of(struct ordered *o, cl_mem root) {
    for (uint32_t n = 0; n < o->nareas; n++)
        if (o->areas[n].number == root->number) return &o->areas[n];
    struct area *more = realloc(o->areas, (o->nareas + 1) * sizeof *more);
    if (!more) return NULL;
    o->areas = more;
    struct area *a = &more[o->nareas++];
    *a = (struct area){.number = root->number};
    if (mem_is_image(root)) a->shape = root->texture;
    checking_describe(root, a->object, sizeof a->object);
    return a;
}

void ordering_accesses(cl_event e, cl_mem m, const char *first, const struct copy *c, bool to,
                       enum touch how) {
    cl_mem root = mem_root(m);
    size_t rows = c->rows * c->slices;
    if (!e->ordered || !c->bytes || rows > STRETCHES || first < mem_bytes(root) ||
        first >= mem_bytes(root) + root->size)
        return;
    struct area *a = area_of(e->ordered, root);
    for (size_t row = 0; a && row < rows; row++) {
        const char *at = to ? copy_row_to(c, row) : copy_row_from(c, row);
        uint32_t begin = (uint32_t)(at - mem_bytes(root));
        touched_put(&a->lists[how], begin, begin + (uint32_t)c->bytes);
    }
}

void ordering_touched(cl_event e, cl_mem root, const struct touched_object *object) {
    struct area *a = e->ordered ? area_of(e->ordered, root) : NULL;
    for (unsigned how = 0; a && how < TOUCHES; how++)
        if (!touched_list(object, how, STRETCHES, &a->lists[how])) a->lists[how].count = 0;
}

void ordering_names(cl_event e, const char *kernel) {
    if (e->ordered) snprintf(e->ordered->name, sizeof e->ordered->name, "%.40s", kernel);
}
