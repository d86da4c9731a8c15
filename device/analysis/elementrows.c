#include "elementrows.h"

#include <stdlib.h>

enum { WORD = 4, LEAST = 3, OPEN = 8, SHORT = 16 /* bytes between lanes */ };
/* Bytes and halves from lane to lane that are loaded at once and sorted. */
enum { NARROW = 4 };

/* Accesses that are being put together. */
struct open_elements {
    struct elementrow row; /* count 0: it is none */
    uint32_t insts[ELEMENTROWS_MOST], ninsts;
};
struct element_finder {
    const struct isa_kernel *k;
    const struct shape *shape;
    const struct neighbours *near;
    const struct elementrows_host *host;
    struct elementrows *rows;
    struct open_elements open[OPEN];
    unsigned next; /* the one that makes room for another */
};

/* How far the lanes are apart, as far as that is known before the kernel runs. */
enum apart { APART_NOT, APART_LITTLE, APART_FAR, APART_ANY };

static enum apart apart(const struct element_finder *f, isa_operand at, unsigned bytes) {
    int32_t step = f->shape->regs[at].stride;
    if (shape_is_uniform(f->shape, at)) return APART_NOT;
    if (f->shape->regs[at].span == SHAPE_VARYING) {
        if (f->near->kinds[at]) return APART_ANY;
        step = f->near->steps[at];
        if (!step) return APART_ANY;
    }
    uint32_t size = (uint32_t)(step < 0 ? -step : step);
    if (!size || size < bytes) return APART_NOT;
    return size > SHORT || bytes == SHORT ? APART_FAR : APART_LITTLE;
}

static bool may_be_one(const struct element_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    unsigned size = isa_type_size[i->type];
    if ((i->op != ISA_ld && i->op != ISA_st) || size > WORD || (size < WORD && !f->host->masks) ||
        f->host->taken[n])
        return false;
    if (i->space == ISA_PARAM || i->space == ISA_PRIVATE) return false;
    if (!isa_is_reg(isa_srcs(f->k, i)[0]) || i->count > ELEMENTROWS_MOST) return false;
    if (i->op == ISA_ld && f->shape->regs[isa_dsts(f->k, i)[0]].span >= SHAPE_HALF_WARP)
        return false;
    return apart(f, isa_srcs(f->k, i)[0], i->count * size) != APART_NOT;
}

/* Bytes and halves: of whole words that lie side by side, or where fewer words are gathered; less
 * than a word of lanes that lie anywhere is loaded with what is behind it. */
static bool is_worth_words(const struct element_finder *f, const struct elementrow *r,
                           unsigned used) {
    struct shape_value known = f->shape->regs[r->base];
    unsigned size = elementrows_size(f->k, r), bytes = r->count * size,
             words = (bytes + WORD - 1) / WORD;
    enum apart a = apart(f, r->base, 0);
    bool all = used * size == words * WORD, power = !(words & (words - 1));
    if (bytes < WORD) return used > 1 && a == APART_ANY && f->k->insts[r->first].op == ISA_ld;
    uint32_t step = (uint32_t)(known.stride < 0 ? -known.stride : known.stride);
    if (all && power && known.span != SHAPE_VARYING && step == bytes) return true;
    if (f->k->insts[r->first].op == ISA_st)
        return used == r->count && used >= 2 * words && a != APART_ANY && step > NARROW * size;
    if (used < 2 * words) return false;
    return a != APART_LITTLE || step > NARROW * size || (all && words > 1);
}

/* Few words of lanes that lie anywhere, two of them side by side. */
static bool is_worth_pairs(const struct element_finder *f, const struct elementrow *r) {
    return elementrows_size(f->k, r) == WORD && f->host->pairs && r->used & r->used >> 1 &&
           (unsigned)__builtin_popcount(r->used) <= f->host->gathered &&
           f->k->insts[r->first].op == ISA_ld && apart(f, r->base, r->count * WORD) == APART_ANY;
}

/* A row is worth it where the lanes' words would be gathered one by one. */
static bool is_worth(const struct element_finder *f, const struct open_elements *o) {
    const struct elementrow *r = &o->row;
    unsigned words = (unsigned)__builtin_popcount(r->used);
    if (elementrows_size(f->k, r) < WORD) return is_worth_words(f, r, words);
    if (words < LEAST || words * 2 < r->count) return false;
    if (!f->host->masks && (words != r->count || words & (words - 1))) return false;
    enum apart a = apart(f, r->base, r->count * WORD);
    if (a == APART_ANY && f->k->insts[r->first].op == ISA_ld) return words > f->host->gathered;
    return a == APART_ANY || (a == APART_FAR && (o->ninsts > 1 || words > SHORT / WORD));
}

static void close_row(struct element_finder *f, struct open_elements *o) {
    struct elementrows *rows = f->rows;
    o->row.paired = o->row.count && is_worth_pairs(f, &o->row);
    if (o->row.paired || (o->row.count && is_worth(f, o))) {
        rows->list[rows->count] = o->row;
        rows->count++;
        for (uint32_t n = 0; n < o->ninsts; n++) rows->of[o->insts[n]] = rows->count;
    }
    o->row.count = 0;
}

/* Its elements from the lowest one of the row on; false: they do not fit in. What others may
 * look at meanwhile is moved with nothing but itself. */
static bool add(struct element_finder *f, struct open_elements *o, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    struct elementrow *r = &o->row;
    bool watched = isa_is_watched(i) || isa_is_watched(&f->k->insts[r->first]);
    if (watched && r->first != n) return false;
    int64_t away = (int64_t)i->imm - r->imm, size = isa_type_size[i->type];
    if (away % size || away > (ELEMENTROWS_MOST - 1) * size ||
        away < -(ELEMENTROWS_MOST - 1) * size)
        return false;
    int64_t first = away / size, low = first < 0 ? first : 0, high = first + i->count;
    if (high < r->count) high = r->count;
    if (high - low > ELEMENTROWS_MOST || o->ninsts == ELEMENTROWS_MOST ||
        apart(f, r->base, (unsigned)((high - low) * size)) == APART_NOT)
        return false;
    uint32_t words = ((1u << i->count) - 1) << (first - low), old = r->used << -low;
    if (words & old) return false;
    r->imm += low * size;
    r->count = (uint32_t)(high - low);
    r->used = old | words;
    r->last = n;
    o->insts[o->ninsts++] = n;
    return true;
}

static bool same_kind(const struct isa_inst *i, const struct isa_inst *j) {
    return i->op == j->op && isa_type_size[i->type] == isa_type_size[j->type] &&
           i->space == j->space;
}

/* Stores of another size by the same register, to some of these bytes, stay before instruction n.
 */
static void close_overlapped(struct element_finder *f, uint32_t n) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *i = &k->insts[n];
    for (unsigned r = 0; r < OPEN && i->op == ISA_st; r++) {
        struct open_elements *o = &f->open[r];
        const struct isa_inst *first = &k->insts[o->row.first];
        if (!o->row.count || first->op != ISA_st || same_kind(i, first)) continue;
        if (i->imm < o->row.imm + (int64_t)o->row.count * WORD && /* at most */
            o->row.imm < (int64_t)i->imm + i->count * WORD)
            close_row(f, o);
    }
}

static void put_in(struct element_finder *f, uint32_t n) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *i = &k->insts[n];
    isa_operand base = isa_srcs(k, i)[0];
    close_overlapped(f, n);
    for (unsigned r = 0; r < OPEN; r++) {
        struct open_elements *o = &f->open[r];
        if (!o->row.count || o->row.base != base || !same_kind(i, &k->insts[o->row.first]))
            continue;
        if (add(f, o, n)) return;
        if (i->op == ISA_st) close_row(f, o); /* they may overlap */
    }
    struct open_elements *o = &f->open[f->next++ % OPEN];
    close_row(f, o);
    *o = (struct open_elements){.row = {.first = n, .base = base, .imm = i->imm, .count = i->count},
                                .ninsts = 0};
    add(f, o, n);
}

/* Rows end where something may come between their accesses. */
static void pass(struct element_finder *f, uint32_t n) {
    const struct isa_kernel *k = f->k;
    const struct isa_inst *i = &k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags;
    bool own = may_be_one(f, n);
    for (unsigned r = 0; r < OPEN; r++) {
        struct open_elements *o = &f->open[r];
        if (!o->row.count) continue;
        const struct isa_inst *first = &k->insts[o->row.first];
        bool over = flags & (ISA_OP_CONTROL | ISA_OP_BARRIER | ISA_OP_ATOMIC | ISA_OP_PROBE) ||
                    i->op == ISA_fence || i->op == ISA_printf || i->op == ISA_ret;
        if (flags & ISA_OP_IMAGE && flags & ISA_OP_WRITES) over = true;
        if (i->op == ISA_st && i->space == first->space)
            over |= first->op == ISA_ld || isa_srcs(k, i)[0] != o->row.base || !own;
        if (i->op == ISA_ld && (i->space == first->space || i->space == ISA_CONSTANT))
            over |= first->op == ISA_st;
        if (over) close_row(f, o);
    }
    if (own) put_in(f, n);
    for (unsigned r = 0; r < OPEN; r++)
        if (f->open[r].row.count && isa_writes(k, i, f->open[r].row.base))
            close_row(f, &f->open[r]);
}

bool elementrows_find(struct elementrows *rows, const struct isa_kernel *k,
                      const struct shape *shape, const struct neighbours *near,
                      const struct elementrows_host *host) {
    struct element_finder f = {.k = k, .shape = shape, .near = near, .host = host, .rows = rows};
    uint32_t most = 0;
    rows->of = calloc(k->ninsts + 1ull, sizeof *rows->of);
    for (uint32_t n = 0; n < k->ninsts; n++)
        most += k->insts[n].op == ISA_ld || k->insts[n].op == ISA_st;
    rows->list = calloc(most + 1ull, sizeof *rows->list);
    if (!rows->of || !rows->list) return false;
    for (uint32_t n = 0; host->taken && n < k->ninsts; n++) pass(&f, n);
    for (unsigned r = 0; r < OPEN; r++) close_row(&f, &f.open[r]);
    return true;
}

unsigned elementrows_runs(const struct elementrow *r, uint8_t first[ELEMENTROWS_MOST],
                          uint8_t count[ELEMENTROWS_MOST]) {
    unsigned runs = 0;
    for (unsigned n = 0; n < ELEMENTROWS_MOST; n++) {
        uint32_t rest = r->used >> n;
        if (!(rest & 1)) continue;
        unsigned length = (unsigned)__builtin_ctz(~rest);
        first[runs] = (uint8_t)n;
        for (count[runs] = 1; 2u * count[runs] <= length;) count[runs] *= 2;
        n += count[runs++] - 1u;
    }
    return runs;
}
