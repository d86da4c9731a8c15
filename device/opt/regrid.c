#include "regrid.h"

#include <string.h>

#include "device/analysis/linear.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"

enum {
    DIMENSIONS = 3,
    IDS = 2 * DIMENSIONS, /* local ids, then groups' ids; */
    DIGITS = 2 * IDS,     /* of each the low digit, then the high ones */
    MOST_INSTS = 2000,
    MOST_ACCESSES = 256,
    MOST_BEGINS = 16,
    ENOUGH = 16, /* work-items in a row: tiles make the best of them */
    SHORT = 8,   /* less is not worth it */
    NEAR = 4,    /* elements from one work-item to the next that make a row */
    ITEMS = 256, /* of a group, and in a row of it: */
    ROW = 64
};

/* A sum of digits, each so many times, and of something else. */
struct regrid_sum {
    bool known;
    uint32_t by[DIGITS];
    struct linear_sum rest;
};

struct regridder {
    const struct isa_kernel *k;
    struct loops loops;
    uint32_t ids[IDS];   /* how many there are of each, */
    uint32_t split[IDS]; /* the number that it is divided by; 0: it is one digit */
    uint32_t size[DIGITS];
    struct regrid_sum *sums;                    /* of each instruction: what it computes */
    const struct regrid_sum *at[MOST_ACCESSES]; /* of each access whose address is one, */
    bool stores[MOST_ACCESSES];                 /* which stores are, */
    uint8_t bytes[MOST_ACCESSES];               /* of an element */
    unsigned accesses;
    unsigned dims[DIMENSIONS][DIGITS], lengths[DIMENSIONS], count; /* digits of each index */
    struct {
        uint32_t by[DIMENSIONS]; /* a sum of indices, */
        isa_operand is;          /* which the kernel begins with */
    } begins[MOST_BEGINS];
    unsigned nbegins;
};

/* ---- what instructions compute ---- */

static bool is_local(uint32_t special) { return special <= ISA_SPECIAL_local_id_z; }
static bool is_global(uint32_t special) {
    return special >= ISA_SPECIAL_global_id_x && special <= ISA_SPECIAL_global_id_z;
}
static bool is_group(uint32_t special) {
    return special >= ISA_SPECIAL_group_id_x && special <= ISA_SPECIAL_group_id_z;
}
_Static_assert(ISA_SPECIAL_local_id_x == 0 && ISA_SPECIAL_global_id_x % DIMENSIONS == 0 &&
                   ISA_SPECIAL_global_offset_z + 1 == 7 * DIMENSIONS,
               "three of each, ids first, then what is the same for all work-items");

/* What instructions there may be: nothing by which groups, or who is beside whom, show. */
static bool is_fine(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_special) return i->imm <= (int32_t)ISA_SPECIAL_global_offset_z;
    if (i->op == ISA_localaddr || flags & (ISA_OP_BARRIER | ISA_OP_IMAGE)) return false;
    if (i->op == ISA_ld || i->op == ISA_st) return i->space != ISA_LOCAL;
    return flags & (ISA_OP_PURE | ISA_OP_CONTROL);
}

bool regrid_may(const struct isa_kernel *k) {
    bool local = false, group = false;
    if (k->probed || k->ninsts > MOST_INSTS) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!is_fine(i)) return false;
        local |= i->op == ISA_special && is_local((uint32_t)i->imm);
        group |= i->op == ISA_special && is_group((uint32_t)i->imm);
    }
    return local && group;
}

static bool has_digits(const struct regrid_sum *s) {
    uint32_t any = 0;
    for (unsigned d = 0; d < DIGITS; d++) any |= s->by[d];
    return s->known && any;
}

/* Adds an operand so many times. False: it is not known, or another one each time. */
static bool add(struct regridder *g, struct regrid_sum *s, isa_operand o, uint32_t by) {
    uint32_t value;
    if (isa_constant(g->k, o, &value)) {
        s->rest.plus += value * by;
        return true;
    }
    if (!isa_is_reg(o) || !g->loops.ordered[o]) return false;
    const struct isa_inst *i = loops_definition(&g->loops, g->k, o);
    const struct regrid_sum *of = i ? &g->sums[i - g->k->insts] : NULL;
    if (!of || !of->known) return i && linear_add(&s->rest, o, 0, by);
    for (unsigned d = 0; d < DIGITS; d++) s->by[d] += of->by[d] * by;
    return linear_add_sum(&s->rest, &of->rest, by);
}

/* A number that is the same for all work-items: a size, or no offset. */
static uint32_t number_of(const struct regridder *g, uint32_t special) {
    unsigned d = special % DIMENSIONS;
    uint32_t group = g->ids[d], groups = g->ids[DIMENSIONS + d];
    if (special <= ISA_SPECIAL_local_size_z) return group;
    if (special <= ISA_SPECIAL_global_size_z) return group * groups;
    return special <= ISA_SPECIAL_num_groups_z ? groups : 0;
}

/* The id that an instruction reads, IDS: another one. */
static unsigned id_of(const struct isa_inst *i) {
    uint32_t special = (uint32_t)i->imm;
    if (i->op != ISA_special || !(is_local(special) || is_group(special))) return IDS;
    return special % DIMENSIONS + (is_group(special) ? DIMENSIONS : 0);
}

/* Adds an id so many times. */
static void add_id(const struct regridder *g, struct regrid_sum *s, unsigned id, uint32_t by) {
    if (g->size[id] > 1) s->by[id] += by;
    if (g->size[IDS + id] > 1) s->by[IDS + id] += by * g->size[id];
}

static void add_special(const struct regridder *g, struct regrid_sum *s, const struct isa_inst *i) {
    uint32_t special = (uint32_t)i->imm;
    unsigned d = special % DIMENSIONS, id = id_of(i);
    s->known = true;
    if (id < IDS) {
        add_id(g, s, id, 1);
    } else if (is_global(special)) {
        add_id(g, s, d, 1);
        add_id(g, s, DIMENSIONS + d, g->ids[d]);
    } else {
        s->rest.plus = number_of(g, special);
    }
}

/* The id that an instruction divides by a constant, of which groups are a multiple; IDS: it does
 * something else. */
static unsigned divided_id(const struct regridder *g, const struct isa_inst *i, uint32_t *by) {
    if (!isa_divides(i->op) || i->type != ISA_I32 || !isa_constant(g->k, isa_srcs(g->k, i)[1], by))
        return IDS;
    const struct isa_inst *of = loops_definition(&g->loops, g->k, isa_srcs(g->k, i)[0]);
    while (of && of->op == ISA_mov) of = loops_definition(&g->loops, g->k, isa_srcs(g->k, of)[0]);
    unsigned id = of ? id_of(of) : IDS;
    return id<IDS && * by> 1 && *by < g->ids[id] && g->ids[id] % *by == 0 ? id : IDS;
}

/* Ids that are taken apart by one number are two digits. */
static void find_digits(struct regridder *g) {
    uint32_t by;
    for (uint32_t n = 0; n < g->k->ninsts; n++) {
        unsigned id = divided_id(g, &g->k->insts[n], &by);
        if (id < IDS) g->split[id] = by;
    }
    for (unsigned id = 0; id < IDS; id++) {
        g->size[id] = g->split[id] ? g->split[id] : g->ids[id];
        g->size[IDS + id] = g->ids[id] / g->size[id];
    }
}

/* Is the operand a constant, in launches of that size? */
static bool is_number(struct regridder *g, isa_operand o, uint32_t *value) {
    struct regrid_sum s = {.known = true};
    if (!add(g, &s, o, 1) || s.rest.terms || has_digits(&s)) return false;
    *value = s.rest.plus;
    return true;
}

static void find_sum(struct regridder *g, uint32_t n) {
    const struct isa_inst *i = &g->k->insts[n];
    const isa_operand *src = isa_srcs(g->k, i);
    struct regrid_sum *s = &g->sums[n];
    uint32_t c = 0;
    unsigned id = divided_id(g, i, &c);
    if (i->op == ISA_special) add_special(g, s, i);
    if (id < IDS && c == g->split[id]) {
        unsigned digit = id + (isa_is_quotient(i->op) ? IDS : 0);
        s->known = true;
        s->by[digit] = g->size[digit] > 1;
        return;
    }
    if (i->op == ISA_special || i->type != ISA_I32 || i->type2 != ISA_NONE_T || i->ndst != 1)
        return;
    switch (i->op) {
    case ISA_mov: s->known = add(g, s, src[0], 1); break;
    case ISA_add: s->known = add(g, s, src[0], 1) && add(g, s, src[1], 1); break;
    case ISA_sub: s->known = add(g, s, src[0], 1) && add(g, s, src[1], UINT32_MAX); break;
    case ISA_shl:
        s->known = is_number(g, src[1], &c) && c < 32 && add(g, s, src[0], 1u << c);
        break;
    case ISA_mul:
        s->known = (is_number(g, src[1], &c) && add(g, s, src[0], c)) ||
                   (is_number(g, src[0], &c) && add(g, s, src[1], c));
        break;
    default: break;
    }
}

/* Does an instruction step its result by what is the same for all work-items? */
static bool steps(struct regridder *g, const struct isa_inst *i) {
    struct regrid_sum by = {.known = false};
    const isa_operand *src = isa_srcs(g->k, i);
    bool is = (i->op == ISA_add || i->op == ISA_sub) && src[0] == isa_dsts(g->k, i)[0];
    return is && add(g, &by, src[1], 1) && (by.known = true) && !has_digits(&by);
}

/* What an address begins with, in whatever loop it is stepped; NULL: it is no such sum. */
static const struct regrid_sum *address_of(struct regridder *g, isa_operand o) {
    const struct regrid_sum *found = NULL;
    if (!isa_is_reg(o)) return NULL;
    for (uint32_t n = 0; n < g->k->ninsts; n++) {
        const struct isa_inst *i = &g->k->insts[n];
        if (!isa_writes(g->k, i, o) || steps(g, i)) continue;
        if (found || !g->sums[n].known) return NULL;
        found = &g->sums[n];
    }
    return found;
}

/* False: there are too many accesses, or a store to who knows where. */
static bool find_accesses(struct regridder *g) {
    for (uint32_t n = 0; n < g->k->ninsts; n++) {
        const struct isa_inst *i = &g->k->insts[n];
        bool store = i->op == ISA_st;
        if (!store && i->op != ISA_ld) continue;
        if (i->space != ISA_GLOBAL) continue;
        const struct regrid_sum *at = address_of(g, isa_srcs(g->k, i)[0]);
        if (g->accesses == MOST_ACCESSES || (store && !at)) return false;
        if (!at) continue;
        g->stores[g->accesses] = store;
        g->bytes[g->accesses] = isa_type_size[i->type];
        g->at[g->accesses++] = at;
    }
    return true;
}

/* ---- which range ---- */

/* What all stores add for a digit; NULL: there are none, or they do not agree. */
static const uint32_t *stored_by(const struct regridder *g) {
    const uint32_t *by = NULL;
    for (unsigned a = 0; a < g->accesses; a++) {
        if (!g->stores[a]) continue;
        if (by && memcmp(by, g->at[a]->by, sizeof g->at[a]->by)) return NULL;
        by = g->at[a]->by;
    }
    return by;
}

/* Work-items of a dimension's digits. */
static uint64_t length_of(const struct regridder *g, unsigned dim) {
    uint64_t length = 1;
    for (unsigned n = 0; n < g->lengths[dim]; n++) length *= g->size[g->dims[dim][n]];
    return length;
}

/* Does a digit go on, in all accesses, where those of a dimension end? */
static bool goes_on(const struct regridder *g, unsigned dim, unsigned digit) {
    uint32_t length = (uint32_t)length_of(g, dim), first = g->dims[dim][0];
    for (unsigned a = 0; a < g->accesses; a++)
        if (g->at[a]->by[digit] != g->at[a]->by[first] * length) return false;
    return true;
}

/* Deals out the digits to dimensions, as they lie in what is stored. False: two work-items store to
 * one place, or there are too many. */
static bool deal(struct regridder *g, const uint32_t *by) {
    bool dealt[DIGITS] = {false};
    for (;;) {
        unsigned next = DIGITS;
        for (unsigned d = 0; d < DIGITS; d++)
            if (g->size[d] > 1 && !dealt[d] && (next == DIGITS || by[d] < by[next])) next = d;
        if (next == DIGITS) break;
        if (!by[next] || by[next] > INT32_MAX) return false;
        dealt[next] = true;
        if (!g->count || !goes_on(g, g->count - 1, next)) {
            if (g->count == DIMENSIONS) return false;
            g->count++;
        }
        g->dims[g->count - 1][g->lengths[g->count - 1]++] = next;
        if (length_of(g, g->count - 1) > INT32_MAX) return false;
    }
    return g->count;
}

/* Work-items that follow one another in a row as the range is. */
static uint32_t row_now(const struct regridder *g, const uint32_t *by) {
    unsigned first = g->dims[0][0], d = first % DIMENSIONS;
    if (first >= IDS) return 1;
    if (first >= DIMENSIONS) return g->ids[d] == 1 ? g->size[first] : 1;
    uint32_t group = by[DIMENSIONS + d], row = g->size[d];
    bool on = !g->split[d] && group == by[d] * row;
    return on ? row * g->size[DIMENSIONS + d] : row;
}

/* Are all stores, and most loads but those of one place for all of it, of rows along the first
 * index? */
static bool has_rows(const struct regridder *g) {
    unsigned first = g->dims[0][0], far = 0, loads = 0;
    for (unsigned a = 0; a < g->accesses; a++) {
        uint32_t by = g->at[a]->by[first], near = (uint32_t)NEAR * g->bytes[a];
        bool row = by + near <= 2 * near;
        if (g->stores[a] && !row) return false;
        loads += !g->stores[a] && by;
        far += !row;
    }
    return 2 * far <= loads;
}

static bool is_worth(const struct regridder *g, const uint32_t *by) {
    uint32_t now = row_now(g, by);
    uint64_t row = length_of(g, 0);
    return now < ENOUGH && row >= SHORT && row >= 2 * now && has_rows(g);
}

/* ---- the kernel ---- */

static isa_operand divided(struct kernelcopy *c, enum isa_op op, isa_operand a, uint32_t by) {
    bool power = !(by & (by - 1)), rest = op == ISA_rem_u;
    if (by == 1) return rest ? kernelcopy_word(c, 0) : a;
    uint32_t with = !power ? by : rest ? by - 1 : (uint32_t)__builtin_ctz(by);
    if (power) op = rest ? ISA_and : ISA_shr_u;
    return kernelcopy_result(c, op, ISA_I32, a, kernelcopy_word(c, with));
}

static isa_operand times(struct kernelcopy *c, isa_operand a, uint32_t by) {
    if (by == 1) return a;
    if (by & (by - 1)) return kernelcopy_result(c, ISA_mul, ISA_I32, a, kernelcopy_word(c, by));
    uint32_t shift = (uint32_t)__builtin_ctz(by);
    return kernelcopy_result(c, ISA_shl, ISA_I32, a, kernelcopy_word(c, shift));
}

static isa_operand plus(struct kernelcopy *c, isa_operand a, isa_operand b) {
    return a == ISA_NO_OPERAND ? b : kernelcopy_result(c, ISA_add, ISA_I32, a, b);
}

static isa_operand index_of(struct kernelcopy *c, unsigned dim) {
    return kernelcopy_special(c, ISA_SPECIAL_global_id_x + dim);
}

/* A digit, of the index that it is in. */
static isa_operand digit(const struct regridder *g, struct kernelcopy *c, unsigned digit) {
    for (unsigned dim = 0; dim < g->count; dim++) {
        uint32_t below = 1;
        for (unsigned n = 0; n < g->lengths[dim]; n++) {
            bool last = n + 1 == g->lengths[dim];
            uint32_t size = g->size[g->dims[dim][n]];
            if (g->dims[dim][n] == digit) {
                isa_operand high = divided(c, ISA_div_u, index_of(c, dim), below);
                return last ? high : divided(c, ISA_rem_u, high, size);
            }
            below *= size;
        }
    }
    return kernelcopy_word(c, 0);
}

/* Has the sum so many of each index, and not of its digits only? */
static bool is_of_indices(const struct regridder *g, const struct regrid_sum *s) {
    for (unsigned dim = 0; dim < g->count; dim++) {
        uint32_t by = s->by[g->dims[dim][0]];
        for (unsigned n = 0; n < g->lengths[dim]; n++) {
            if (s->by[g->dims[dim][n]] != by) return false;
            by *= g->size[g->dims[dim][n]];
        }
    }
    return true;
}

/* The part of a sum that is of indices: many sums have the same. */
static isa_operand put_indices(struct regridder *g, struct kernelcopy *c,
                               const struct regrid_sum *s) {
    uint32_t by[DIMENSIONS] = {0};
    isa_operand sum = ISA_NO_OPERAND;
    for (unsigned dim = 0; dim < g->count; dim++) by[dim] = s->by[g->dims[dim][0]];
    for (unsigned n = 0; n < g->nbegins; n++)
        if (!memcmp(g->begins[n].by, by, sizeof by)) return g->begins[n].is;
    for (unsigned dim = g->count; dim--;)
        if (by[dim]) sum = plus(c, sum, times(c, index_of(c, dim), by[dim]));
    if (g->nbegins == MOST_BEGINS) return sum;
    memcpy(g->begins[g->nbegins].by, by, sizeof by);
    g->begins[g->nbegins++].is = sum;
    return sum;
}

/* A sum; what is the same for many work-items first. */
static void put_sum(struct regridder *g, struct kernelcopy *c, uint32_t n) {
    const struct regrid_sum *s = &g->sums[n];
    isa_operand sum = ISA_NO_OPERAND;
    for (uint32_t t = 0; t < s->rest.terms; t++)
        if (s->rest.of[t].by) sum = plus(c, sum, times(c, s->rest.of[t].reg, s->rest.of[t].by));
    sum = plus(c, sum, put_indices(g, c, s));
    if (s->rest.plus) sum = plus(c, sum, kernelcopy_word(c, s->rest.plus));
    kernelcopy_move(c, isa_dsts(c->k, &c->k->insts[n])[0], sum);
}

/* An id, of its digits. */
static isa_operand put_id(const struct regridder *g, struct kernelcopy *c, unsigned id) {
    isa_operand low = digit(g, c, id);
    if (g->size[IDS + id] == 1) return low;
    return plus(c, times(c, digit(g, c, IDS + id), g->size[id]), low);
}

static void put_special(const struct regridder *g, struct kernelcopy *c, uint32_t n) {
    const struct isa_inst *i = &c->k->insts[n];
    uint32_t special = (uint32_t)i->imm;
    unsigned d = special % DIMENSIONS, id = id_of(i);
    isa_operand is;
    if (id < IDS)
        is = put_id(g, c, id);
    else if (is_global(special))
        is = plus(c, times(c, put_id(g, c, DIMENSIONS + d), g->ids[d]), put_id(g, c, d));
    else
        is = kernelcopy_word(c, number_of(g, special));
    kernelcopy_move(c, isa_dsts(c->k, i)[0], is);
}

/* Does anybody but another sum read what an instruction computes? */
static uint8_t *find_roots(const struct regridder *g, struct arena *arena) {
    uint8_t *read = ARENA_ARRAY(arena, uint8_t, g->k->nregs + 1u);
    for (uint32_t n = 0; n < g->k->ninsts; n++) {
        const struct isa_inst *i = &g->k->insts[n];
        if (g->sums[n].known && is_of_indices(g, &g->sums[n])) continue;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(g->k, i)[s])) read[isa_srcs(g->k, i)[s]] = 1;
    }
    return read;
}

static bool is_root(const struct regridder *g, uint32_t n, const uint8_t *read) {
    const struct isa_inst *i = &g->k->insts[n];
    const struct regrid_sum *s = &g->sums[n];
    if (!has_digits(s) || !is_of_indices(g, s)) return false;
    return !g->loops.ordered[isa_dsts(g->k, i)[0]] || read[isa_dsts(g->k, i)[0]];
}

static void put(struct regridder *g, struct kernelcopy *c, uint32_t n, const uint8_t *read) {
    c->at = n;
    if (is_root(g, n, read))
        put_sum(g, c, n);
    else if (g->k->insts[n].op == ISA_special)
        put_special(g, c, n);
    else
        kernelcopy_put(c, n);
}

/* What nobody reads any more goes. False: no memory. */
static bool tidy(struct isa_kernel *made, const struct isa_kernel *k) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return false;
    rewrite_unread_since(made, t.arena, rewrite_reads(k, t.arena), k->nregs);
    arena_free(t.arena);
    return !isa_kernel_failed(made) && isa_sites_finish(made);
}

static struct isa_kernel *write(struct regridder *g, struct arena *arena) {
    enum { MORE = 4 * IDS + LINEAR_TERMS * 2 };
    struct kernelcopy c;
    struct isa_kernel *out = NULL;
    const uint8_t *read = find_roots(g, arena);
    uint32_t sums = 0;
    for (uint32_t n = 0; n < g->k->ninsts; n++) sums += g->sums[n].known;
    bool good = kernelcopy_begin(&c, g->k, g->k->ninsts + MORE * sums);
    for (uint32_t n = 0; good && n < g->k->ninsts; n++)
        if (is_root(g, n, read)) put_indices(g, &c, &g->sums[n]);
    for (uint32_t n = 0; good && n < g->k->ninsts; n++) put(g, &c, n, read);
    if (good && !c.failed && kernelcopy_finish(c.out) && tidy(c.out, g->k)) {
        out = c.out;
        c.out = NULL;
    }
    kernelcopy_drop(&c);
    return out;
}

/* ---- launches ---- */

static uint32_t divisor_below(uint32_t length, uint32_t most) {
    while (length % most) most--;
    return most;
}

static void find_sizes(const struct regridder *g, struct regrid *r) {
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        r->global_size[d] = d < g->count ? (uint32_t)length_of(g, d) : 1;
        r->local_size[d] = 1;
    }
    r->local_size[0] = divisor_below(r->global_size[0], ROW);
    r->local_size[1] = divisor_below(r->global_size[1], ITEMS / r->local_size[0]);
}

static void look(struct regridder *g, struct regrid *r, struct arena *arena) {
    loops_find(&g->loops, g->k, arena);
    find_digits(g);
    g->sums = ARENA_ARRAY(arena, struct regrid_sum, g->k->ninsts + 1u);
    for (uint32_t n = 0; n < g->k->ninsts; n++) find_sum(g, n);
    const uint32_t *by = find_accesses(g) ? stored_by(g) : NULL;
    if (!by || !deal(g, by) || !is_worth(g, by)) return;
    find_sizes(g, r);
    r->kernel = write(g, arena);
}

bool regrid_make(struct regrid *r, const struct isa_kernel *k, const uint32_t global_size[3],
                 const uint32_t local_size[3]) {
    struct regridder g = {.k = k};
    struct arena_try t;
    *r = (struct regrid){.kernel = NULL};
    if (ARENA_FAILS(&t)) return false;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        g.ids[d] = local_size[d];
        g.ids[DIMENSIONS + d] = global_size[d] / local_size[d];
    }
    look(&g, r, t.arena);
    arena_free(t.arena);
    return true;
}
