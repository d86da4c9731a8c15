#include "localwords.h"

#include <stdlib.h>
#include <string.h>

#include "itemvalues.h"

enum { WORD = LOCALWORDS_WORD, ROW = LOCALWORDS_ROW, HALF = ISA_WARP / 2, MOST_ROWS = 16 };
enum { MOST_BYTES = 1 << 20, MOST_USED = 16 << 10 };

struct word_finder {
    struct localwords *x;
    const struct shape *shape;
    struct itemvalues values;
    bool failed;
};

/* ---- accesses ---- */

enum { IN_ROWS = 1, NO_ROWS }; /* localwords.halves: rows of 32 words serve it, too; they do not */

/* How a warp's lanes lie: none is on; in a row; in order, but in two rows; in any order. */
enum manner { OFF, ROWS, ACROSS, MIXED, OTHER };

/* at: of 32 lanes, -1: off. */
static enum manner manner_of(const int32_t *at, bool store) {
    uint8_t taken[ISA_WARP * MOST_ROWS] = {0};
    int32_t rows[MOST_ROWS];
    unsigned nrows = 0;
    bool any = false, in_order = true, in_place = true;
    for (int lane = 0, last = -1; lane < ISA_WARP; lane++) {
        if (at[lane] < 0) continue;
        unsigned r = 0;
        while (r < nrows && rows[r] != at[lane] / ROW) r++;
        if (r == MOST_ROWS) return OTHER;
        if (r == nrows) rows[nrows++] = at[lane] / ROW;
        uint8_t *word = &taken[r * ISA_WARP + (uint32_t)(at[lane] % ROW) / WORD];
        if (*word && store) return OTHER; /* which one stays is the other way's to say */
        *word = 1;
        in_place &= at[lane] % ROW == lane * WORD;
        if (last >= 0) in_order &= at[lane] - at[last] == (lane - last) * WORD;
        last = lane;
        any = true;
    }
    if (!any) return OFF;
    if (nrows == 1 && in_place) return ROWS;
    return nrows > 1 && in_order ? ACROSS : MIXED;
}

/* Whole columns, none of which lies in another one. */
static bool lie_apart(const int32_t *at, unsigned columns, unsigned rows) {
    for (unsigned a = 0; a < columns; a++)
        for (unsigned b = 0; b < a; b++)
            if (abs(at[a] - at[b]) < (int32_t)(rows * WORD)) return false;
    return true;
}

/* localwords.columns of work-items' addresses. */
static uint8_t columns_of(const int32_t *at, uint32_t items) {
    unsigned halves = items / HALF;
    for (unsigned step = 1; step <= 2; step++) {
        unsigned rows = halves / step;
        bool good = items % ISA_WARP == 0 && (rows == 4 || rows == 8 || rows == HALF);
        for (uint32_t i = 0; i < items && good; i++) {
            unsigned lane = i % (step * HALF), row = i / (step * HALF);
            good = at[i] >= 0 && at[i] == at[lane] + (int32_t)(row * WORD);
        }
        if (good && lie_apart(at, step * HALF, rows)) return (uint8_t)step;
    }
    return 0;
}

/* The lanes of each half-warp lie side by side, or are all off. */
static bool in_halves(const int32_t *at, uint32_t items) {
    for (uint32_t i = 0; i < items; i++) {
        uint32_t first = i / HALF * HALF;
        if (at[i] < 0 ? at[first] >= 0 : at[i] != at[first] + (int32_t)((i - first) * WORD))
            return false;
    }
    return items % HALF == 0;
}

/* The bytes that an access begins at, if all are words in the first `bytes`. */
static bool find_bytes(const struct itemvalues *v, const struct isa_inst *i, int64_t bytes,
                       int32_t *at) {
    isa_operand base = isa_srcs(v->k, i)[0];
    for (uint32_t item = 0; item < v->lanes; item++) {
        int64_t first = itemvalues_signed(v, base, item) + i->imm, last = first + isa_bytes(i);
        at[item] = v->on[item] ? (int32_t)first : -1;
        if (!v->on[item]) continue;
        if (first < 0 || first % WORD || last > bytes) return false;
    }
    return true;
}

/* Do rows serve it? A vector from anywhere does as well, if that is so for all warps. */
static bool lies_in_rows(struct word_finder *f, const struct isa_inst *i, const int32_t *at) {
    bool across = false, shuffled = false, good = true;
    for (uint32_t w = 0; good && w < f->values.lanes / ISA_WARP; w++)
        for (unsigned c = 0; good && c < i->count; c++) {
            int32_t part[ISA_WARP];
            for (unsigned lane = 0; lane < ISA_WARP; lane++) {
                int32_t first = at[w * ISA_WARP + lane];
                part[lane] = first < 0 ? first : first + (int32_t)(c * WORD);
            }
            enum manner m = manner_of(part, i->op == ISA_st);
            good = m != OTHER;
            across |= m == ACROSS;
            shuffled |= m == MIXED;
        }
    f->x->mixed |= good && shuffled;
    return good && (shuffled || !across);
}

static void note_used(struct word_finder *f, const struct isa_inst *i, uint32_t object,
                      const int32_t *at) {
    uint32_t *used = &f->x->used[object];
    for (uint32_t item = 0; item < f->values.lanes; item++) {
        uint32_t end = at[item] < 0 ? 0 : (uint32_t)at[item] + isa_bytes(i);
        if (end > *used && end <= MOST_USED) *used = (end + ROW - 1) / ROW * ROW;
    }
}

/* The addresses of an access; NULL: they are not known, or not such that rows serve it. */
static int32_t *addresses_of(struct word_finder *f, const struct isa_inst *i) {
    const struct itemvalues *v = &f->values;
    const struct isa_kernel *k = v->k;
    if (i->space != ISA_LOCAL || (i->op != ISA_ld && i->op != ISA_st)) return NULL;
    if (isa_type_size[i->type] != WORD) return NULL;
    isa_operand base = isa_srcs(k, i)[0];
    if (!isa_is_reg(base) || !v->known[base] || v->base[base] == ITEMVALUES_NUMBER) return NULL;
    bool plain = false;
    for (unsigned d = 0; d < i->ndst; d++)
        plain |= f->shape->regs[isa_dsts(k, i)[d]].span >= SHAPE_HALF_WARP;
    const struct shape_value *address = &f->shape->regs[base];
    bool one = plain && i->count == 1 && address->span >= SHAPE_WARP && !address->stride;
    bool own = v->base[base] == ITEMVALUES_LOCAL;
    int64_t bytes = own ? k->local_bytes : MOST_BYTES;
    uint8_t *columns = &f->x->columns[i - k->insts], *halves = &f->x->halves[i - k->insts];
    int32_t *at = malloc(v->lanes * sizeof *at);
    f->failed |= !at;
    if (at && find_bytes(v, i, bytes, at)) {
        note_used(f, i, own ? 0 : v->base[base] - ITEMVALUES_PARAM + 1, at);
        if (one) return at; /* of which row it is an element */
        if (plain) return free(at), NULL;
        if (i->count == 1) *columns = columns_of(at, v->lanes);
        if (*columns) return at;
        bool in_rows = lies_in_rows(f, i, at);
        if (i->count == 1 && in_halves(at, v->lanes)) *halves = in_rows ? IN_ROWS : NO_ROWS;
        if (in_rows || *halves) return at;
    }
    free(at);
    return NULL;
}

/* Those of all accesses. */
static void find(struct word_finder *f) {
    const struct isa_kernel *k = f->values.k;
    struct localwords *x = f->x;
    for (uint32_t n = 0; n < k->ninsts && !f->failed; n++) {
        const struct isa_inst *i = &k->insts[n];
        x->of[n] = addresses_of(f, i);
        uint32_t base = x->of[n] ? f->values.base[isa_srcs(k, i)[0]] : ITEMVALUES_NUMBER;
        if (base >= ITEMVALUES_PARAM) x->param[n] = base - ITEMVALUES_PARAM + 1;
        x->found += x->of[n] != NULL;
        x->other += i->space == ISA_LOCAL && !x->of[n];
        x->mixed |= x->columns[n] != 0;
        itemvalues_pass(&f->values, n);
    }
}

static void forget(struct localwords *x, uint32_t n) {
    free(x->of[n]);
    x->of[n] = NULL;
    if (x->columns) x->columns[n] = 0;
    if (x->halves) x->halves[n] = 0;
}

/* What is loaded, or stored, in columns is stored, or loaded, in rows of half-warps, which are
 * moved as they are. Where there are no columns they are rows of 32 words, or not known. */
static void choose_halves(struct localwords *x) {
    bool columns = false;
    for (uint32_t n = 0; n < x->ninsts; n++) columns |= x->columns[n] != 0;
    for (uint32_t n = 0; n < x->ninsts && !columns; n++) {
        if (x->halves[n] == NO_ROWS) {
            forget(x, n);
            x->found--;
            x->other++;
        }
        x->halves[n] = 0;
    }
}

/* Where the rows of an access to an argument end; 0 of others. */
static uint32_t reaches(const struct itemvalues *v, const struct localwords *x, uint32_t n) {
    uint32_t end = 0;
    for (uint32_t item = 0; x->of[n] && x->param[n] && item < v->lanes; item++) {
        int32_t last = x->of[n][item] + (v->k->insts[n].count - 1) * WORD;
        if (x->of[n][item] >= 0 && (uint32_t)last >= end) end = ((uint32_t)last / ROW + 1) * ROW;
    }
    return end;
}

static void find_ends(const struct itemvalues *v, struct localwords *x) {
    for (uint32_t n = 0; n < x->ninsts; n++) {
        uint32_t end = reaches(v, x, n);
        if (!end) continue;
        uint32_t *most = &x->ends[x->param[n] - 1];
        if (end > *most) *most = end;
        x->arguments = true;
    }
}

static uint32_t end_half(const struct localwords *x, uint32_t n) {
    return x->param[n] ? x->ends[x->param[n] - 1] / 2 : UINT32_MAX;
}

/* A few accesses that reach twice as far as all others are not for known: those of versions for
 * iterations that are never made would ask for more memory than there is. */
static void leave_far(const struct itemvalues *v, struct localwords *x) {
    enum { FEW = 8 };
    uint32_t far = 0, all = 0;
    for (uint32_t n = 0; n < x->ninsts; n++) {
        all += reaches(v, x, n) != 0;
        far += reaches(v, x, n) > end_half(x, n);
    }
    if (far > all / FEW) return;
    for (uint32_t n = 0; n < x->ninsts; n++)
        if (reaches(v, x, n) > end_half(x, n)) {
            forget(x, n);
            x->found--;
            x->other++;
        }
    memset(x->ends, 0, v->k->nparams * sizeof *x->ends);
    find_ends(v, x);
}

bool localwords_begin(struct localwords *x, const struct isa_kernel *k) {
    *x = (struct localwords){.of = calloc(k->ninsts + 1ull, sizeof *x->of),
                             .param = calloc(k->ninsts + 1ull, sizeof *x->param),
                             .columns = calloc(k->ninsts + 1ull, 1),
                             .halves = calloc(k->ninsts + 1ull, 1),
                             .ends = calloc(k->nparams + 1ull, sizeof *x->ends),
                             .used = calloc(k->nparams + 1ull, sizeof *x->used),
                             .ninsts = k->ninsts};
    return x->of && x->param && x->columns && x->halves && x->ends && x->used;
}

bool localwords_find(struct localwords *x, const struct isa_kernel *k, const struct shape *shape,
                     const uint32_t size[3], bool arguments) {
    struct word_finder f = {.x = x, .shape = shape};
    f.failed = !itemvalues_begin(&f.values, k, size, false);
    f.values.arguments = arguments;
    find(&f);
    if (!f.failed) choose_halves(x);
    if (!f.failed) find_ends(&f.values, x);
    if (!f.failed && x->arguments) leave_far(&f.values, x);
    itemvalues_end(&f.values);
    return !f.failed;
}

struct localwords_lanes localwords_lanes(const struct localwords *x, uint32_t inst, unsigned warp,
                                         unsigned component) {
    struct localwords_lanes l;
    for (unsigned lane = 0; lane < ISA_WARP; lane++) {
        int32_t first = x->of[inst][warp * ISA_WARP + lane];
        l.at[lane] = first < 0 ? first : first + (int32_t)(component * WORD);
    }
    return l;
}

int32_t localwords_next_row(const struct localwords_lanes *l, int32_t row) {
    int32_t next = -1;
    for (unsigned lane = 0; lane < ISA_WARP; lane++) {
        int32_t r = l->at[lane] < 0 ? -1 : l->at[lane] / ROW;
        if (r > row && (next < 0 || r < next)) next = r;
    }
    return next;
}

static bool lies_in(const struct localwords_lanes *l, unsigned lane, int32_t row) {
    return l->at[lane] >= 0 && l->at[lane] / ROW == row;
}

static uint32_t word_of(const struct localwords_lanes *l, unsigned lane) {
    return (uint32_t)(l->at[lane] % ROW) / WORD;
}

void localwords_read(const struct localwords_lanes *l, int32_t row, bool have,
                     uint32_t from[ISA_WARP]) {
    for (unsigned lane = 0; lane < ISA_WARP; lane++) {
        from[lane] = lane;
        if (lies_in(l, lane, row)) from[lane] = word_of(l, lane) + (have ? ISA_WARP : 0);
    }
}

bool localwords_written(const struct localwords_lanes *l, int32_t row, uint32_t from[ISA_WARP]) {
    bool all = true;
    for (unsigned n = 0; n < ISA_WARP; n++) from[n] = n;
    for (unsigned lane = 0; lane < ISA_WARP; lane++)
        if (lies_in(l, lane, row)) from[word_of(l, lane)] = ISA_WARP + lane;
    for (unsigned n = 0; n < ISA_WARP; n++) all &= from[n] >= ISA_WARP;
    return all;
}

void localwords_forget(struct localwords *x) {
    for (uint32_t n = 0; x->of && n < x->ninsts; n++) forget(x, n);
    x->arguments = false;
}

void localwords_end(struct localwords *x) {
    localwords_forget(x);
    free(x->of);
    free(x->param);
    free(x->columns);
    free(x->halves);
    free(x->ends);
    free(x->used);
    *x = (struct localwords){0};
}
