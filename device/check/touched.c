#include "touched.h"

#include <stdatomic.h>
#include <stdlib.h>

bool touched_put(struct touch_list *l, uint32_t begin, uint32_t end) {
    if (l->count && l->list[l->count - 1].end == begin) {
        l->list[l->count - 1].end = end;
        return true;
    }
    if (l->count == l->room) {
        size_t room = 2 * l->room + 8;
        struct touch_stretch *more = realloc(l->list, room * sizeof *more);
        if (!more) return false;
        l->list = more;
        l->room = room;
    }
    l->list[l->count++] = (struct touch_stretch){begin, end};
    return true;
}

static int compare(const void *a, const void *b) {
    const struct touch_stretch *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void touched_sort(struct touch_list *l) {
    size_t left = 0;
    if (l->count) qsort(l->list, l->count, sizeof *l->list, compare);
    for (size_t n = 0; n < l->count; n++) {
        struct touch_stretch s = l->list[n];
        if (left && s.begin <= l->list[left - 1].end) {
            if (s.end > l->list[left - 1].end) l->list[left - 1].end = s.end;
        } else {
            l->list[left++] = s;
        }
    }
    l->count = left;
}

bool touched_meet(const struct touch_list *a, const struct touch_list *b,
                  struct touch_stretch *at) {
    for (size_t x = 0, y = 0; x < a->count && y < b->count;) {
        struct touch_stretch p = a->list[x], q = b->list[y];
        *at = (struct touch_stretch){p.begin > q.begin ? p.begin : q.begin,
                                     p.end < q.end ? p.end : q.end};
        if (at->begin < at->end) return true;
        if (p.end <= q.end)
            x++;
        else
            y++;
    }
    return false;
}

/* ---- marks ---- */

struct touched *touched_new(uint32_t most) {
    return calloc(1, sizeof(struct touched) + most * sizeof(struct touched_object));
}

void touched_free(struct touched *t) {
    for (uint32_t n = 0; t && n < t->count; n++)
        for (unsigned how = 0; how < TOUCHES; how++) free(t->objects[n].bits[how]);
    free(t);
}

static size_t words(const struct touched_object *o) { return (size_t)(o->bytes + 63) / 64; }

/* Without memory for its marks none are made. Pages that no mark is in cost nothing. */
uint32_t touched_add(struct touched *t, uint32_t address, uint64_t bytes) {
    for (uint32_t n = 0; n < t->count; n++)
        if (t->objects[n].address == address) return n;
    struct touched_object *o = &t->objects[t->count];
    o->address = address;
    o->bytes = bytes;
    for (unsigned how = 0; how < TOUCHES; how++) o->bits[how] = calloc(words(o), sizeof(uint64_t));
    return t->count++;
}

/* Most bits are there already, when an access is made again. */
static void mark(_Atomic uint64_t *word, uint64_t bits) {
    if (~atomic_load_explicit(word, memory_order_relaxed) & bits)
        atomic_fetch_or_explicit(word, bits, memory_order_relaxed);
}

void touched_mark(struct touched *t, uint32_t address, uint32_t bytes, enum touch how) {
    for (uint32_t n = 0; n < t->count; n++) {
        struct touched_object *o = &t->objects[n];
        uint64_t from = address - o->address, to = from + bytes;
        if (from >= o->bytes || !o->bits[how]) continue;
        if (to > o->bytes) to = o->bytes;
        while (from < to) {
            uint64_t in_word = 64 - from % 64, some = to - from < in_word ? to - from : in_word;
            uint64_t bits = some == 64 ? UINT64_MAX : ((UINT64_C(1) << some) - 1) << from % 64;
            mark(&o->bits[how][from / 64], bits);
            from += some;
        }
        return;
    }
}

bool touched_list(const struct touched_object *o, enum touch how, size_t most,
                  struct touch_list *to) {
    size_t count = o->bits[how] ? words(o) : 0;
    for (size_t n = 0; n < count; n++) {
        uint64_t left = atomic_load_explicit(&o->bits[how][n], memory_order_relaxed);
        uint32_t at = (uint32_t)n * 64;
        while (left) {
            unsigned begin = (unsigned)__builtin_ctzll(left);
            uint64_t above = ~(left >> begin);
            unsigned run = above ? (unsigned)__builtin_ctzll(above) : 64;
            if (to->count >= most || !touched_put(to, at + begin, at + begin + run)) return false;
            left = begin + run >= 64 ? 0 : left >> (begin + run) << (begin + run);
        }
    }
    return true;
}
