#include "notes.h"

#include <stdlib.h>
#include <string.h>

enum { HALF = ISA_WARP / 2, SAMPLE = 2 /* notes that say whether a look at all is worth it */ };

struct isa_notes *notes_new(const struct refined *r) {
    struct isa_notes *notes =
        aligned_alloc(_Alignof(struct isa_notes), r->nnotes * sizeof(struct isa_notes));
    for (uint32_t n = 0; notes && n < r->nnotes; n++) {
        notes[n].count = notes[n].scattered = 0;
        if (r->notes[n].bins) memset(notes[n].rows, 0, sizeof notes[n].rows);
    }
    return notes;
}

uint32_t notes_lanes(uint32_t lanes, uint32_t combination) {
    uint32_t mask = 0;
    for (uint32_t n = 0; n < ISA_WARP / lanes; n++)
        if (combination >> n & 1) mask |= ((1u << lanes) - 1) << n * lanes;
    return mask;
}

/* Are those lanes of a mask, which is not empty, as far apart as the bins say? */
static bool is_even(const struct refine_bins *b, uint32_t mask, const uint32_t *at) {
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (at[lane] != at[first] + (lane - first) * (uint32_t)b->stride) return false;
    }
    return true;
}

/* Of a note: its half-warps, or the warp. Returns how many. */
struct note_part {
    uint32_t mask;
    const uint32_t *at;
};

static unsigned parts_of(const struct isa_notes *notes, uint32_t n, bool halves,
                         struct note_part parts[2]) {
    uint32_t mask = notes->masks[n];
    const uint32_t *at = notes->addresses[n];
    parts[0] = (struct note_part){halves ? mask & ((1u << HALF) - 1) : mask, at};
    parts[1] = (struct note_part){mask >> HALF, at + HALF};
    return halves ? 2 : 1;
}

static bool is_even_note(const struct isa_notes *notes, uint32_t n, const struct refine_bins *b) {
    struct note_part parts[2];
    unsigned count = parts_of(notes, n, b->halves, parts);
    for (unsigned p = 0; p < count; p++)
        if (parts[p].mask && !is_even(b, parts[p].mask, parts[p].at)) return false;
    return true;
}

/* Where lanes that are evenly spaced are counted; NULL: nowhere. */
static struct isa_row *place_of(struct isa_notes *notes, const struct refine_bins *b,
                                const struct note_part *p, uint32_t displacement) {
    uint32_t begin = p->at[__builtin_ctz(p->mask)] + displacement;
    uint32_t bin = begin / b->granule % b->count;
    struct isa_row *row = &notes->rows[isa_row_hash(p->mask, bin)];
    if (row->mask && (row->mask != p->mask || row->bin != bin)) return NULL;
    row->mask = p->mask;
    row->bin = bin;
    return row;
}

static bool keep_row(struct isa_notes *notes, const struct refine_bins *b, uint32_t n,
                     uint32_t displacement) {
    struct isa_row *rows[2] = {NULL, NULL};
    struct note_part parts[2];
    unsigned count = parts_of(notes, n, b->halves, parts);
    for (unsigned p = 0; p < count; p++)
        if (parts[p].mask && !(rows[p] = place_of(notes, b, &parts[p], displacement))) return false;
    for (unsigned p = 0; p < count; p++)
        if (rows[p]) rows[p]->times++;
    return true;
}

void notes_keep_rows(struct isa_notes *notes, const struct refine_bins *b, uint32_t displacement) {
    uint32_t left = 0, even = 0;
    for (uint32_t n = 0; b->guess && notes->scattered && n < notes->count && n < SAMPLE; n++)
        even += is_even_note(notes, n, b);
    if ((notes->scattered && !even) || (!b->guess && b->lanes != 1)) return;
    even = 0;
    for (uint32_t n = 0; n < notes->count; n++) {
        bool row = !b->guess || is_even_note(notes, n, b);
        even += row;
        if (row && b->lanes == 1 && keep_row(notes, b, n, displacement)) continue;
        if (left != n) {
            notes->masks[left] = notes->masks[n];
            memcpy(notes->addresses[left], notes->addresses[n], sizeof notes->addresses[n]);
        }
        left++;
    }
    notes->scattered = even < notes->count / 4;
    notes->count = left;
}
