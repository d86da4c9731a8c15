#include "ownwords.h"

#include <stdlib.h>
#include <string.h>

#include "affine_apart.h"
#include "divisor.h"
#include "provenance.h"

enum {
    MOST_ACCESSES = 48, /* of a kernel that is looked at */
    MOST_BYTES = 256,   /* of a work-item in one array */
    MOST_LOCAL = 1 << 16,
    ALIGN = 16
};

static bool is_local(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space == ISA_LOCAL;
}

/* All accesses to an array, or to some that are not told apart. */
struct own_array {
    const struct isa_kernel *k;
    const struct affine_accesses *all;
    const uint64_t *arrays; /* accesses: which arrays they may be in, as bits; 0: they are global */
    uint64_t in;
    uint32_t bytes; /* of all local memory */
    int32_t by[3];
    int64_t least, most; /* where accesses of one work-item begin, without what is for each id, */
    int64_t grain;       /* and a divisor of how far they are apart; 0: they are not */
    uint32_t size;       /* bytes of the largest one */
};

/* What an array has for each local id: nothing else of these is in its addresses. */
static bool find_ids(const struct affine_accesses *all, const struct affine_access *x,
                     int32_t by[3]) {
    memset(by, 0, 3 * sizeof *by);
    for (unsigned n = 0; n < x->at.count; n++) {
        const struct affine_term *t = &x->at.terms[n];
        unsigned d = t->atom - AFFINE_LOCAL;
        if (d >= 3) continue;
        bool whole = t->low == 0 && (t->width == AFFINE_WHOLE || all->most[d] >> t->width == 0);
        if (!whole || t->by != (int32_t)t->by) return false;
        by[d] = (int32_t)t->by;
    }
    return true;
}

/* Where an access begins besides; false: that has no end that is known. */
static bool find_span(struct own_array *a, const struct affine_access *x, int64_t *least,
                      int64_t *most) {
    *least = x->at.low;
    *most = x->at.high;
    if (x->at.low != x->at.high) a->grain = 1;
    for (unsigned n = 0; n < x->at.count; n++) {
        const struct affine_term *t = &x->at.terms[n];
        if (t->atom < AFFINE_GROUP) continue;
        int64_t field = affine_most(a->all, t);
        if (field < 0 || field > MOST_LOCAL || llabs(t->by) > MOST_LOCAL) return false;
        *(t->by < 0 ? least : most) += t->by * field;
        a->grain = divisor_common(llabs(t->by), a->grain);
    }
    return *most - *least <= MOST_LOCAL;
}

static bool is_of(const struct own_array *a, uint32_t n) { return a->arrays[n] & a->in; }

/* One more access of the array, the first or another one. */
static bool add(struct own_array *a, uint32_t n, bool first) {
    const struct affine_access *x = &a->all->list[n];
    const struct isa_inst *i = &a->k->insts[x->inst];
    int64_t least, most;
    int32_t by[3];
    if (!x->at.known || (i->op != ISA_ld && i->op != ISA_st)) return false;
    if (!find_ids(a->all, x, by) || !find_span(a, x, &least, &most)) return false;
    if (!first && memcmp(by, a->by, sizeof by)) return false;
    if (!first) a->grain = divisor_common(llabs(least - a->least), a->grain);
    memcpy(a->by, by, sizeof by);
    a->least = first || least < a->least ? least : a->least;
    a->most = first || most > a->most ? most : a->most;
    if (isa_bytes(i) > a->size) a->size = isa_bytes(i);
    return true;
}

/* All of the group's are in local memory that is there. */
static bool is_within(const struct own_array *a) {
    int64_t least = a->least, most = a->most + a->size;
    for (unsigned d = 0; d < 3; d++)
        *(a->by[d] < 0 ? &least : &most) += (int64_t)a->by[d] * a->all->most[AFFINE_LOCAL + d];
    return least >= 0 && most <= a->bytes;
}

/* By how many bits what one work-item accesses is further apart than it need be, as where elements
 * of all others lie between its own. */
static unsigned shift_of(const struct own_array *a) {
    unsigned shift = 0;
    while (a->grain && a->grain % (INT64_C(2) << shift) == 0 && a->size << (shift + 1) <= a->grain)
        shift++;
    return shift;
}

static int64_t aligned(int64_t n) { return n & -ALIGN; }

/* From where bytes are counted, so that alignments are kept. */
static int64_t begin_of(const struct own_array *a) {
    return shift_of(a) ? a->least : aligned(a->least);
}

static int64_t bytes_of(const struct own_array *a) {
    return aligned(((a->most - begin_of(a)) >> shift_of(a)) + a->size + ALIGN - 1);
}

/* Does no work-item access what another one of its group does? */
static bool is_own(struct own_array *a) {
    bool first = true;
    for (uint32_t n = 0; n < a->all->count; n++) {
        if (!is_of(a, n)) continue;
        if (!add(a, n, first)) return false;
        first = false;
    }
    if (!is_within(a) || bytes_of(a) > MOST_BYTES) return false;
    for (uint32_t n = 0; n < a->all->count; n++)
        for (uint32_t m = n; is_of(a, n) && m < a->all->count; m++)
            if (is_of(a, m) && !affine_apart(a->k, a->all, &a->all->list[n], &a->all->list[m]))
                return false;
    return true;
}

/* Places for what is in the array. */
static void place(struct ownwords *o, const struct own_array *a) {
    for (uint32_t n = 0; n < a->all->count; n++) {
        const struct affine_access *x = &a->all->list[n];
        if (!is_of(a, n)) continue;
        struct ownwords_place *p = &o->of[x->inst];
        *p = (struct ownwords_place){.is = true, .array = (uint8_t)o->arrays, .at = o->bytes};
        p->moves = x->at.low != x->at.high;
        for (unsigned t = 0; t < x->at.count; t++) p->moves |= x->at.terms[t].atom >= AFFINE_GROUP;
        if (!p->moves) p->at += (uint32_t)((x->at.low - begin_of(a)) >> shift_of(a));
    }
    struct ownwords_array *made = &o->array[o->arrays++];
    *made = (struct ownwords_array){.least = (int32_t)begin_of(a), .shift = shift_of(a)};
    memcpy(made->by, a->by, sizeof a->by);
    o->bytes += (uint32_t)bytes_of(a);
}

/* Those that may be meant together with one of an array are of it, too. */
static uint64_t joined(const struct affine_accesses *all, const uint64_t *arrays, uint64_t in) {
    for (uint64_t was = 0; was != in;) {
        was = in;
        for (uint32_t n = 0; n < all->count; n++)
            if (arrays[n] & in) in |= arrays[n];
    }
    return in;
}

static void find(struct ownwords *o, const struct isa_kernel *k, const struct affine_accesses *all,
                 const uint64_t *from, const struct affine_launch *l) {
    uint64_t arrays[MOST_ACCESSES] = {0}, done = 0;
    uint32_t others = 0; /* of which nothing is said, as of code that is never reached */
    for (uint32_t n = 0; n < k->ninsts; n++) others += is_local(&k->insts[n]);
    for (uint32_t n = 0; n < all->count; n++) {
        const struct isa_inst *i = &k->insts[all->list[n].inst];
        others -= is_local(i);
        if (is_local(i)) arrays[n] = provenance_of(k, from, i);
        if (arrays[n] == UINT64_MAX) return;
    }
    if (others) return;
    for (uint32_t n = 0; n < all->count && o->arrays < OWNWORDS_ARRAYS; n++) {
        if (!arrays[n] || arrays[n] & done) continue;
        struct own_array a = {.k = k, .all = all, .arrays = arrays};
        a.bytes = l->local_bytes > k->local_bytes ? l->local_bytes : k->local_bytes;
        a.in = joined(all, arrays, arrays[n]);
        done |= a.in;
        if (is_own(&a)) place(o, &a);
    }
}

bool ownwords_may(const struct isa_kernel *k) {
    uint32_t accesses = 0;
    bool stored = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool memory = isa_op_info[i->op].flags & ISA_OP_MEMORY;
        accesses += memory && (i->space == ISA_LOCAL || i->space == ISA_GLOBAL);
        stored |= is_local(i) && i->op == ISA_st;
    }
    return stored && accesses <= MOST_ACCESSES;
}

void ownwords_find(struct ownwords *o, const struct isa_kernel *k, const struct affine_launch *l,
                   struct arena *arena) {
    *o = (struct ownwords){.of = ARENA_ARRAY(arena, struct ownwords_place, k->ninsts + 1u)};
    struct affine_accesses *all = affine_find(k, l, MOST_ACCESSES);
    uint64_t *from = provenance_new_local(k);
    if (all && from) find(o, k, all, from, l);
    affine_free(all);
    free(from);
}
