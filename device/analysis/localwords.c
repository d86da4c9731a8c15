#include "localwords.h"

#include <stdlib.h>

#include "itemvalues.h"

enum { WORD = 4, ROW = ISA_WARP * WORD, MOST_ROWS = 16, MOST_BYTES = 1 << 20 };

struct word_finder {
    struct localwords *x;
    const struct shape *shape;
    struct itemvalues values;
    bool failed;
};

/* ---- accesses ---- */

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

/* The addresses of an access; NULL: they are not known, or not such that rows serve it. */
static int32_t *addresses_of(struct word_finder *f, const struct isa_inst *i) {
    const struct itemvalues *v = &f->values;
    const struct isa_kernel *k = v->k;
    bool load = i->op == ISA_ld;
    if (i->space != ISA_LOCAL || (!load && i->op != ISA_st)) return NULL;
    if (isa_type_size[i->type] != WORD) return NULL;
    isa_operand base = isa_srcs(k, i)[0];
    if (!isa_is_reg(base) || !v->known[base] || v->base[base] == ITEMVALUES_NUMBER) return NULL;
    for (unsigned d = 0; d < i->ndst; d++)
        if (f->shape->regs[isa_dsts(k, i)[d]].span >= SHAPE_HALF_WARP) return NULL;
    bool own = v->base[base] == ITEMVALUES_LOCAL;
    int32_t *at = malloc(v->lanes * sizeof *at);
    int64_t rows = own ? k->local_bytes / ROW * ROW : MOST_BYTES;
    f->failed |= !at;
    bool good = at;
    for (uint32_t item = 0; good && item < v->lanes; item++) {
        int64_t first = itemvalues_signed(v, base, item) + i->imm;
        at[item] = v->on[item] ? (int32_t)first : -1;
        good = !v->on[item] ||
               (first >= 0 && first % WORD == 0 && first + (int64_t)i->count * WORD <= rows);
    }
    bool across = false, shuffled = false;
    for (uint32_t w = 0; good && w < v->lanes / ISA_WARP; w++)
        for (unsigned c = 0; good && c < i->count; c++) {
            int32_t part[ISA_WARP];
            for (unsigned lane = 0; lane < ISA_WARP; lane++) {
                int32_t first = at[w * ISA_WARP + lane];
                part[lane] = first < 0 ? first : first + (int32_t)(c * WORD);
            }
            enum manner m = manner_of(part, !load);
            good = m != OTHER;
            across |= m == ACROSS;
            shuffled |= m == MIXED;
        }
    /* A vector from anywhere does as well, if that is so for all warps. */
    if (good && (shuffled || !across)) {
        f->x->mixed |= shuffled;
        return at;
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
        itemvalues_pass(&f->values, n);
    }
}

/* Where the rows of an access to an argument end. */
static void find_end(const struct itemvalues *v, struct localwords *x, uint32_t n) {
    for (uint32_t item = 0; x->param[n] && item < v->lanes; item++) {
        int32_t last = x->of[n][item] + (v->k->insts[n].count - 1) * WORD;
        uint32_t *end = &x->ends[x->param[n] - 1];
        if (x->of[n][item] < 0 || (uint32_t)last < *end) continue;
        *end = ((uint32_t)last / ROW + 1) * ROW;
        x->arguments = true;
    }
}

bool localwords_begin(struct localwords *x, const struct isa_kernel *k) {
    *x = (struct localwords){.of = calloc(k->ninsts + 1ull, sizeof *x->of),
                             .param = calloc(k->ninsts + 1ull, sizeof *x->param),
                             .ends = calloc(k->nparams + 1ull, sizeof *x->ends),
                             .ninsts = k->ninsts};
    return x->of && x->param && x->ends;
}

bool localwords_find(struct localwords *x, const struct isa_kernel *k, const struct shape *shape,
                     const uint32_t size[3], bool arguments) {
    struct word_finder f = {.x = x, .shape = shape};
    f.failed = !itemvalues_begin(&f.values, k, size, false);
    f.values.arguments = arguments;
    find(&f);
    for (uint32_t n = 0; !f.failed && n < k->ninsts; n++)
        if (x->of[n]) find_end(&f.values, x, n);
    itemvalues_end(&f.values);
    return !f.failed;
}

void localwords_forget(struct localwords *x) {
    for (uint32_t n = 0; x->of && n < x->ninsts; n++) {
        free(x->of[n]);
        x->of[n] = NULL;
    }
    x->arguments = false;
}

void localwords_end(struct localwords *x) {
    localwords_forget(x);
    free(x->of);
    free(x->param);
    free(x->ends);
    *x = (struct localwords){0};
}
