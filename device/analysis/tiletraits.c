#include "tiletraits.h"

#include "evenbarriers.h"
#include "isolation.h"
#include "localorder.h"
#include "paths.h"

#include <stdlib.h>

enum {
    DIMENSIONS = 3,
    LEAST_ROW = 64 /* elements of a row whose length is known */
};

/* What a register's value comes from. */
enum {
    FROM = 1,   /* << d: the index in dimension d, */
    SCALED = 8, /* << d: times what may be a row's length */
    FROM_MEMORY = 64,
    FROM_ID = 128 /* of any dimension */
};

static bool is_row(const struct isa_kernel *k, isa_operand o, bool shift) {
    if (isa_is_reg(o)) return !shift;
    if (!isa_is_const(o)) return false;
    uint64_t bits = k->consts[isa_const_index(o)].bits;
    return shift ? bits < 32 && 1ull << bits >= LEAST_ROW : bits >= LEAST_ROW;
}

/* The dimension of the range that a flat one is, for which an instruction gives the index;
 * DIMENSIONS: it gives none. */
static unsigned flat_dimension(const struct flat_code *flat, const struct flat_row *row,
                               const struct isa_inst *i) {
    enum flat_part part = row ? flat_part(flat, row, i) : FLAT_NEITHER;
    return part == FLAT_NEITHER ? DIMENSIONS : part == FLAT_ROW;
}

/* groups: groups have an index, too. flat: the index is that of rows and that in them; dimension:
 * the one of these that this is, or DIMENSIONS. */
static uint8_t result_of(const struct isa_kernel *k, const struct isa_inst *i, const uint8_t *from,
                         bool groups, bool flat, unsigned dimension) {
    const isa_operand *src = isa_srcs(k, i);
    uint8_t result = 0;
    if (dimension < DIMENSIONS) return (uint8_t)(FROM << dimension | FROM_ID);
    if (i->op == ISA_special) {
        uint32_t s = (uint32_t)i->imm;
        for (unsigned d = 0; d < DIMENSIONS; d++)
            if (s == ISA_SPECIAL_global_id_x + d || s == ISA_SPECIAL_local_id_x + d ||
                (!d && s == ISA_SPECIAL_thread_id) || (groups && s == ISA_SPECIAL_group_id_x + d))
                result |= (uint8_t)(FROM << d);
        if (flat && result) result = FROM | FROM << 1 | SCALED << 1;
        return (uint8_t)(result | (isa_special_uniform[s] ? 0 : FROM_ID));
    }
    if (isa_op_info[i->op].flags & (ISA_OP_MEMORY | ISA_OP_IMAGE))
        return i->space == ISA_PARAM ? 0 : FROM_MEMORY;
    for (unsigned s = 0; s < i->nsrc; s++)
        if (isa_is_reg(src[s])) result |= from[src[s]];
    bool right = i->op == ISA_shr_u || i->op == ISA_shr_s;
    if ((right || i->op == ISA_div_u || i->op == ISA_div_s) && is_row(k, src[1], right))
        return result & (FROM_MEMORY | FROM_ID); /* of most rows it is the same for all lanes */
    bool shift = i->op == ISA_shl,
         product = i->op == ISA_mul || i->op == ISA_mul24_s || i->op == ISA_mul24_u;
    for (unsigned s = 0; s < (product ? 2u : shift ? 1u : 0u); s++)
        for (unsigned d = 0; d < DIMENSIONS; d++)
            if (isa_is_reg(src[s]) && from[src[s]] & FROM << d && is_row(k, src[!s], shift))
                result |= (uint8_t)(SCALED << d);
    return result;
}

/* Of each register; malloc'ed. flat: its index is two, of a range in such rows; or NULL. NULL: no
 * memory. */
static uint8_t *find_origins(const struct isa_kernel *k, bool groups, const struct flat_code *flat,
                             const struct flat_row *row) {
    uint8_t *from = calloc(k->nregs + 1ull, 1);
    for (bool changed = from; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            unsigned d = i->ndst ? flat_dimension(flat, row, i) : DIMENSIONS;
            uint8_t result = i->ndst ? result_of(k, i, from, groups, row, d) : 0;
            for (unsigned d = 0; d < i->ndst; d++) {
                uint8_t *known = &from[isa_dsts(k, i)[d]];
                changed |= (*known | result) != *known;
                *known |= result;
            }
        }
    }
    return from;
}

/* Of the address of a load or a store, what it comes from; else 0. */
static uint8_t address_of(const struct isa_kernel *k, const struct isa_inst *i,
                          const uint8_t *from) {
    if ((i->op != ISA_ld && i->op != ISA_st) || i->space == ISA_PARAM || i->space == ISA_LOCAL)
        return 0;
    isa_operand at = isa_srcs(k, i)[0];
    return isa_is_reg(at) ? from[at] & (uint8_t)~FROM_ID : 0;
}

/* The same of an image's texel: rows go along its first coordinate. */
static uint8_t texel_of(const struct isa_kernel *k, const struct isa_inst *i, const uint8_t *from) {
    const uint8_t all = FROM | FROM << 1 | FROM << 2;
    uint8_t at = 0;
    if (i->op != ISA_img_read && i->op != ISA_img_write) return 0;
    unsigned first = isa_first_coordinate(i), end = first + isa_image_coordinates[i->mod];
    for (unsigned s = first; s < end; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        uint8_t is = isa_is_reg(o) ? from[o] & (uint8_t)~FROM_ID : 0;
        at |= is & FROM_MEMORY;
        is = (is | is / SCALED) & all;
        at |= s == first ? is : (uint8_t)(is * SCALED);
    }
    return at;
}

/* Is it an access to columns, where rows of work-items go along dimension d? */
static bool is_column(uint8_t address, unsigned d) {
    return (address & (SCALED << d | FROM_MEMORY)) == SCALED << d;
}

/* Does memory go down columns: is more loaded in columns, where rows of work-items go along
 * dimension d, than in rows, each thing once, and all stored in rows? A CPU fetches ahead what is
 * loaded along memory; lines that are stored are whole either way. */
static bool goes_down(const struct isa_kernel *k, const uint8_t *from, unsigned d) {
    uint32_t loops = 0, loaded[2] = {0}; /* in rows, in columns */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint8_t by = address_of(k, i, from);
        bool column = is_column(by, d);
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        if (column && (loops || i->op == ISA_st)) return false;
        if (i->op == ISA_ld && by & FROM << d) loaded[column]++;
    }
    return d < 2 && loaded[1] > loaded[0];
}

uint8_t *tiletraits_columns(const struct isa_kernel *k, bool groups) {
    uint8_t *from = find_origins(k, groups, NULL, NULL), *of = calloc(k->ninsts + 1ull, 1);
    bool down = groups && from && goes_down(k, from, 0);
    for (uint32_t n = 0; from && of && n < k->ninsts; n++)
        of[n] =
            is_column(address_of(k, &k->insts[n], from), 0) || (down && k->insts[n].op == ISA_st);
    if (!from) {
        free(of);
        of = NULL;
    }
    free(from);
    return of;
}

/* Is it a step through the work of several work-items, the same for all lanes? A short one is
 * where what is counted goes to an id, too. */
static bool steps_ids(const struct isa_kernel *k, const uint8_t *from, isa_operand step,
                      isa_operand to) {
    if (isa_is_reg(step)) return !(from[step] & (FROM_ID | FROM_MEMORY));
    bool to_id = isa_is_reg(to) && from[to] & FROM_ID;
    return to_id || (isa_is_const(step) &&
                     (uint32_t)k->consts[isa_const_index(step)].bits + ISA_WARP > 2 * ISA_WARP);
}

/* Is the register one that counts from an id, to another operand of a comparison? In a loop round
 * that it may begin once more. */
static bool counts_ids(const struct isa_kernel *k, const uint8_t *from, isa_operand reg,
                       isa_operand to) {
    uint32_t loops = 0, steps = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        if (!loops || !i->ndst || isa_dsts(k, i)[0] != reg) continue;
        if (i->op == ISA_mov) continue;
        if (i->op != ISA_add || src[0] != reg) return false;
        if (!steps_ids(k, from, src[1], to)) return false;
        steps++;
    }
    return steps && (from[reg] & (FROM_ID | FROM_MEMORY)) == FROM_ID;
}

/* Is the predicate, that of instruction `at`, a comparison of such a one? any_step: or of one that
 * goes from an id to another end, by short steps. */
static bool compares_ids(const struct isa_kernel *k, const uint8_t *from, uint32_t at,
                         bool any_step) {
    isa_operand by = isa_srcs(k, &k->insts[at])[0];
    for (uint32_t n = at; isa_is_reg(by) && n-- > 0;) {
        const struct isa_inst *i = &k->insts[n];
        if (!i->ndst || isa_dsts(k, i)[0] != by) continue;
        const isa_operand *src = isa_srcs(k, i);
        for (unsigned s = 0; s < i->nsrc && i->nsrc == 2; s++)
            if (isa_is_reg(src[s]) && counts_ids(k, from, src[s], src[any_step ? s : !s]))
                return true;
        return false;
    }
    return false;
}

/* It has loops other than those through the work of several work-items, which go on from an id. */
static bool has_loops(const struct isa_kernel *k, const uint8_t *from) {
    uint8_t by_id[ISA_MAX_NESTING + 1] = {0};
    uint32_t depth = 0;
    bool found = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop) by_id[++depth] = 0;
        if (i->op == ISA_endloop) found |= !by_id[depth--];
        if (i->op == ISA_breakif && compares_ids(k, from, n, false)) by_id[depth] = 1;
    }
    return found;
}

/* Some begin at what all work-items of a row have alike, which others do not. */
static bool has_uneven_rows(const struct isa_kernel *k, const uint8_t *from) {
    enum {
        OWN = FROM | SCALED | FROM_MEMORY,
        OTHERS = (FROM | SCALED) << 1 | (FROM | SCALED) << 2
    };
    uint32_t loops = 0;
    bool found = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        if (i->op != ISA_breakif || !loops || !isa_is_reg(isa_srcs(k, i)[0])) continue;
        uint8_t by = from[isa_srcs(k, i)[0]];
        if (by & OWN) return false;
        found |= by & OTHERS && compares_ids(k, from, n, true) && !compares_ids(k, from, n, false);
    }
    return found;
}

/* Rows of work-items along dimension d load the same in straight code, and much of it. */
static bool shares_rows(const struct isa_kernel *k, const uint8_t *from, unsigned d) {
    enum { MUCH = 8, ALL = FROM | FROM << 1 | FROM << 2 };
    const uint8_t own = FROM << d | SCALED << d, others = (ALL | ALL * SCALED) & ~own;
    uint32_t same = 0;
    bool rows = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint8_t by = address_of(k, &k->insts[n], from);
        same += k->insts[n].op == ISA_ld && by & own && !(by & (others | FROM_MEMORY));
        rows |= k->insts[n].op == ISA_st && by & others;
    }
    return rows && same >= MUCH;
}

/* What is accessed where rows of work-items go along dimension d. Bytes are stored in rows; 0 where
 * loops load by the index or by what was loaded: of that the rows of a tile share some. */
static struct tiles_rows find_rows(const struct isa_kernel *k, const uint8_t *from, unsigned d) {
    enum { LEAST_SIZE = 4 }; /* of what goes past the caches */
    struct tiles_rows rows = {0};
    struct paths_sum stored = {0};
    uint32_t loops = 0;
    bool shared = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint8_t by = address_of(k, i, from) | texel_of(k, i, from),
                own = by & (FROM << d | SCALED << d | FROM_MEMORY);
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        rows.columns |= is_column(by, d);
        shared |= loops && i->op == ISA_ld && own;
        bool counts = !loops && i->op == ISA_st && own == FROM << d && i->space == ISA_GLOBAL &&
                      isa_type_size[i->type] >= LEAST_SIZE;
        paths_add(&stored, i, counts ? isa_bytes(i) : 0);
    }
    if (!shared) rows.stored = (uint32_t)stored.sum[0];
    rows.down = rows.columns && goes_down(k, from, d);
    return rows;
}

/* The dimension along which memory's rows go by most accesses; 0 where others do not win clearly.
 */
static unsigned find_along(const struct isa_kernel *k, const uint8_t *from) {
    enum { ITERATIONS_SHIFT = 3, MOST_SHIFT = 12, CLEARLY = 4 };
    uint32_t columns[DIMENSIONS] = {0}, shift = 0;
    bool rows[DIMENSIONS] = {false};
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint8_t by = address_of(k, i, from) | texel_of(k, i, from);
        if (i->op == ISA_loop) shift += ITERATIONS_SHIFT;
        if (i->op == ISA_endloop) shift -= ITERATIONS_SHIFT;
        for (unsigned d = 0; d < DIMENSIONS; d++) {
            if (by & SCALED << d) columns[d] += 1u << (shift < MOST_SHIFT ? shift : MOST_SHIFT);
            rows[d] |= (by & (FROM << d | SCALED << d)) == FROM << d;
        }
    }
    unsigned best = 0;
    for (unsigned d = 1; d < DIMENSIONS; d++)
        if (rows[d] && columns[d] < columns[best]) best = d;
    return columns[0] / CLEARLY >= columns[best] ? best : 0;
}

/* How many groups may be worth going together: of long ones the code, and LLVM's time, would be as
 * much more. Where each brings much from global memory to work with, as in loops, that takes the
 * time anyway, and registers hold no more. */
static uint32_t worth_together(const struct isa_kernel *k) {
    enum {
        FOUR = 150, /* instructions of which so many groups' are not too much; or */
        TWO = 400,
        ATOMIC = 40, /* as there is code for each way in which lanes may lie */
        LOADS = 6
    };
    uint32_t loops = 0, cost = 0, loads = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        cost += isa_op_info[i->op].flags & ISA_OP_ATOMIC ? ATOMIC : 1;
        if (i->op == ISA_ld && i->space == ISA_GLOBAL) loads += loops ? LOADS + 1 : 1;
    }
    return loads > LOADS || cost > TWO ? 0 : cost > FOUR ? 2 : 4;
}

/* Do groups side by side along x access rows that go on in the next one? */
static bool rows_go_on(const struct isa_kernel *k) {
    uint8_t *from = find_origins(k, true, NULL, NULL);
    bool good = from;
    for (uint32_t n = 0; good && n < k->ninsts; n++)
        good = !is_column(address_of(k, &k->insts[n], from), 0);
    free(from);
    return good;
}

/* Does it ask where in other dimensions than the first one the work-item is? */
static bool asks_others(const struct isa_kernel *k) {
    bool asks = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        uint32_t special = (uint32_t)k->insts[n].imm;
        asks |= k->insts[n].op == ISA_special && !isa_special_uniform[special] &&
                special < ISA_SPECIAL_work_dim && special % DIMENSIONS;
        asks |= k->insts[n].op == ISA_special && special > ISA_SPECIAL_group_id_x &&
                special <= ISA_SPECIAL_group_id_z;
    }
    return asks;
}

struct tiles_traits tiletraits_find(const struct isa_kernel *k) {
    struct tiles_traits t = {.may = true, .turns = true, .together = worth_together(k)};
    uint32_t depth = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags, special = (uint32_t)i->imm;
        bool local = i->op == ISA_localaddr || (flags & ISA_OP_MEMORY && i->space == ISA_LOCAL);
        depth += isa_deeper(i);
        /* what is printed is told by groups; a guard takes a region */
        if (local || i->op == ISA_bar || i->op == ISA_printf || depth >= ISA_MAX_NESTING)
            t.may = false;
        t.turns &= i->op != ISA_printf;
        if (i->op == ISA_printf) t.together = 0;
        if (i->op != ISA_special) continue;
        t.asks |= special < ISA_SPECIAL_global_id_x || special == ISA_SPECIAL_thread_id ||
                  (special >= ISA_SPECIAL_group_id_x && special <= ISA_SPECIAL_local_size_z);
    }
    t.turns &= !t.may && localorder_apart(k);
    if (t.may || !t.together || !evenbarriers_find(k)) t.together = 0;
    t.boxes = t.together && t.turns && rows_go_on(k);
    if (!t.may && !t.turns) return t;
    struct flat_code code;
    bool known = flat_begin(&code, k);
    if (known) t.row = flat_row(&code);
    uint8_t *from = find_origins(k, false, &code, t.row.is && !asks_others(k) ? &t.row : NULL);
    flat_end(&code);
    t.along = from ? find_along(k, from) : 0;
    t.shares = !from || has_loops(k, from) || shares_rows(k, from, t.along);
    t.uneven = from && !t.along && has_uneven_rows(k, from);
    for (unsigned turned = 0; from && turned < (t.along ? 2 : 1); turned++)
        t.rows[turned] = find_rows(k, from, turned ? t.along : 0);
    free(from);
    enum isolation is = isolation_find(k, &t.alone);
    t.apart = is == ISOLATION_ALWAYS;
    t.depends = is == ISOLATION_OF_LAUNCH;
    return t;
}
_Static_assert(ISA_SPECIAL_local_id_z + 1 == ISA_SPECIAL_global_id_x &&
                   ISA_SPECIAL_group_id_z + 1 == ISA_SPECIAL_local_size_x,
               "ranges of special registers");
