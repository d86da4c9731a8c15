#include "tiles.h"

#include "divisor.h"
#include "isolation.h"
#include "localorder.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a kernel says of itself ---- */

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

/* groups: groups have an index, too. */
static uint8_t result_of(const struct isa_kernel *k, const struct isa_inst *i, const uint8_t *from,
                         bool groups) {
    const isa_operand *src = isa_srcs(k, i);
    uint8_t result = 0;
    if (i->op == ISA_special) {
        uint32_t s = (uint32_t)i->imm;
        for (unsigned d = 0; d < DIMENSIONS; d++)
            if (s == ISA_SPECIAL_global_id_x + d || s == ISA_SPECIAL_local_id_x + d ||
                (!d && s == ISA_SPECIAL_thread_id) || (groups && s == ISA_SPECIAL_group_id_x + d))
                result |= (uint8_t)(FROM << d);
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

/* Of each register; malloc'ed. NULL: no memory. */
static uint8_t *find_origins(const struct isa_kernel *k, bool groups) {
    uint8_t *from = calloc(k->nregs + 1ull, 1);
    for (bool changed = from; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint8_t result = i->ndst ? result_of(k, i, from, groups) : 0;
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

uint8_t *tiles_columns(const struct isa_kernel *k, bool groups) {
    uint8_t *from = find_origins(k, groups), *of = calloc(k->ninsts + 1ull, 1);
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

/* Is the register one that counts from an id, by what all lanes have the same of? In a loop round
 * that it may begin once more. */
static bool counts_ids(const struct isa_kernel *k, const uint8_t *from, isa_operand reg) {
    uint32_t loops = 0, steps = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i);
        loops += i->op == ISA_loop;
        loops -= i->op == ISA_endloop;
        if (!loops || !i->ndst || isa_dsts(k, i)[0] != reg) continue;
        if (i->op == ISA_mov) continue;
        if (i->op != ISA_add || src[0] != reg) return false;
        if (isa_is_reg(src[1]) && from[src[1]] & (FROM_ID | FROM_MEMORY)) return false;
        steps++;
    }
    return steps && (from[reg] & (FROM_ID | FROM_MEMORY)) == FROM_ID;
}

/* Is the predicate, that of instruction `at`, a comparison of such a one? */
static bool compares_ids(const struct isa_kernel *k, const uint8_t *from, uint32_t at) {
    isa_operand by = isa_srcs(k, &k->insts[at])[0];
    for (uint32_t n = at; isa_is_reg(by) && n-- > 0;) {
        const struct isa_inst *i = &k->insts[n];
        if (!i->ndst || isa_dsts(k, i)[0] != by) continue;
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, i)[s]) && counts_ids(k, from, isa_srcs(k, i)[s]))
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
        if (i->op == ISA_breakif && compares_ids(k, from, n)) by_id[depth] = 1;
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

struct tiles_traits tiles_traits(const struct isa_kernel *k) {
    struct tiles_traits t = {.may = !k->local_bytes, .turns = true};
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
        if (i->op != ISA_special) continue;
        t.asks |= special < ISA_SPECIAL_global_id_x || special == ISA_SPECIAL_thread_id ||
                  (special >= ISA_SPECIAL_group_id_x && special <= ISA_SPECIAL_local_size_z);
    }
    t.turns &= !t.may && localorder_apart(k);
    if (!t.may && !t.turns) return t;
    struct flat_code code;
    if (flat_begin(&code, k)) t.row = flat_row(&code);
    flat_end(&code);
    uint8_t *from = find_origins(k, false);
    t.along = from ? find_along(k, from) : 0;
    t.shares = !from || has_loops(k, from) || shares_rows(k, from, t.along);
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

/* ---- which tiles ---- */

enum {
    WARPS = 8,      /* of groups that are as good: native code runs so many in lockstep at most */
    PIECE = 16,     /* lanes of a row that are worth a vector */
    ROW = 64,       /* tiles of a block that stand in a row: pages are read one after the other; or
                       of all of it, where rows are short */
    ROWS_DOWN = 16, /* of tiles, in blocks of whole rows that go down columns */
    BLOCKS_A_THREAD = 8,   /* at least, or threads would wait for each other in the end; */
    BLOCKS_OF_ROWS = 4,    /* of rows of a range of one dimension, which may be large; */
    BLOCKS_OF_COLUMNS = 2, /* for columns, which are far slower otherwise; */
    BLOCKS_OF_PARTS = 2,   /* and where groups are no whole half-warps */
    PAST_CACHES = 8 << 20, /* bytes that a launch stores, for native code to pass the caches */
    BEYOND = 16            /* one in so many work-items may be, for better rows */
};

/* Sizes, the better ones first. Work-items in memory's order are what a CPU fetches ahead best, and
 * a long tile is one call; what is found out of x in loops, or loaded by it alone, many rows share,
 * but stores past the caches want long ones. Where rows of work-items are columns in memory a line
 * of the cache is to be in one tile. */
static const uint32_t order[][2] = {{1024, 1}, {512, 1}, {256, 1}, {128, 2}, {64, 4}, {32, 8},
                                    {16, 16},  {128, 1}, {64, 2},  {32, 4},  {64, 1}, {0}};
static const uint32_t wide[][2] = {{128, 2}, {256, 1}, {128, 1}, {0}};
static const uint32_t rows[][2] = {{32, 8}, {64, 4}, {128, 2}, {256, 1}, {16, 16},
                                   {32, 4}, {64, 2}, {128, 1}, {16, 8},  {0}};
static const uint32_t columns[][2] = {{16, 16}, {16, 8}, {0}};
static const uint32_t lines[][2] = {{256, 1}, {128, 1}, {64, 1}, {0}};

/* What a launch asks for; sizes in the dimensions of its tiles. */
struct tile_choice {
    const struct tiles_traits *k;
    bool turned, columns, down;
    uint32_t global[3], local[3];
    unsigned threads;
};

/* Blocks that are enough, at least so many a thread. One alone waits for nobody, and groups whose
 * rows are no whole warps are worth tiles then, however few. */
static uint64_t blocks_for(const struct tile_choice *x, unsigned each) {
    bool few = x->threads == 1 && x->local[0] % ISA_WARP;
    return few ? 1 : (uint64_t)each * x->threads;
}

/* Groups of that size are as good as tiles. */
static bool is_good(const struct tile_choice *x, const uint32_t size[3]) {
    uint64_t items = (uint64_t)size[0] * size[1] * size[2];
    if (x->turned || x->down) return false;
    if (x->columns && (size[0] != PIECE || size[1] != PIECE)) return false;
    return size[0] % PIECE == 0 && items % ISA_WARP == 0 && items <= WARPS * ISA_WARP;
}

/* Says how many blocks there are, none of which is larger than the launch; whether that is enough,
 * which is so many. */
static bool count_blocks(struct tiles *t, const uint32_t *global, const uint32_t *local,
                         uint64_t enough) {
    uint64_t count = 1;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t groups = global[d] / local[d];
        if (t->block[d] > groups) t->block[d] = groups;
        t->blocks[d] = groups / t->block[d] + (groups % t->block[d] != 0);
        count *= t->blocks[d];
    }
    return count >= enough;
}

/* Doubles the block in dimension d, where that leaves enough blocks. */
static bool grow(struct tiles *t, unsigned d, const uint32_t *global, const uint32_t *local,
                 uint64_t enough) {
    struct tiles twice = *t;
    if (t->blocks[d] < 2) return false;
    twice.block[d] *= 2;
    if (!count_blocks(&twice, global, local, enough)) return false;
    *t = twice;
    return true;
}

/* Tiles of a block in dimension d. */
static uint64_t tiles_of(const struct tiles *t, unsigned d, const uint32_t *local) {
    return ((uint64_t)t->block[d] * local[d] + t->size[d] - 1) / t->size[d];
}

/* Whether there are enough blocks of such tiles; then *t is said. */
static bool fits(struct tiles *t, const struct tile_choice *x, const uint32_t size[2],
                 uint64_t enough) {
    const uint32_t *global = x->global, *local = x->local;
    unsigned along = x->down, across = !along;
    *t = (struct tiles){.size = {size[0], size[1], 1}, .down = x->down};
    for (unsigned d = 0; d < 3; d++) {
        t->block[d] = t->size[d] / (uint32_t)divisor_common(t->size[d], local[d]);
        t->cut |= (uint32_t)(global[d] % t->size[d] != 0) << d;
    }
    if (!count_blocks(t, global, local, enough)) return false;
    while (tiles_of(t, along, local) < ROW && grow(t, along, global, local, enough))
        ;
    while (tiles_of(t, 0, local) * tiles_of(t, 1, local) < ROW &&
           grow(t, across, global, local, enough))
        ;
    return true;
}

/* What tiles of that size cost beyond the range, in a plane of it, as work-items: those of warps
 * that are all beyond cost little. */
static uint64_t beyond(const uint32_t size[2], const uint32_t *global) {
    enum { OF_WARPS = 4 }; /* so many of them cost what one in other warps does */
    uint64_t at_work[2], all[2];
    for (unsigned d = 0; d < 2; d++) {
        uint32_t whole = !d && size[d] > ISA_WARP ? ISA_WARP : size[d];
        at_work[d] = ((uint64_t)global[d] + whole - 1) / whole * whole;
        all[d] = ((uint64_t)global[d] + size[d] - 1) / size[d] * size[d];
    }
    uint64_t items = at_work[0] * at_work[1];
    return items - (uint64_t)global[0] * global[1] + (all[0] * all[1] - items) / OF_WARPS;
}

static bool is_little(const uint32_t size[2], const uint32_t *global) {
    return beyond(size, global) <= (uint64_t)global[0] * global[1] / BEYOND;
}

/* The best size that has few of them; NULL: none has. */
static const uint32_t *best_cut(const uint32_t (*sizes)[2], const uint32_t *global) {
    for (; (*sizes)[0]; sizes++)
        if (is_little(*sizes, global)) return *sizes;
    return NULL;
}

/* The one that has fewest of them, if those are not too many, which hangs on how groups would do
 * without: on whether their rows are of half-warps; else NULL. Its rows are of whole warps where
 * the best size's are. */
static const uint32_t *least_cut(const uint32_t (*sizes)[2], const uint32_t *global,
                                 const uint32_t *local) {
    uint64_t least = (uint64_t)global[0] * global[1] / (local[0] % PIECE ? 2 : 4);
    uint32_t row = (*sizes)[0] < ISA_WARP ? (*sizes)[0] : ISA_WARP;
    const uint32_t *best = NULL;
    for (; (*sizes)[0]; sizes++)
        if ((*sizes)[0] >= row && beyond(*sizes, global) < least) {
            best = *sizes;
            least = beyond(best, global);
        }
    return best;
}

/* Whether tiles of that size suit rows of that length; then *t is said. A block is whole rows. */
static bool fits_rows(struct tiles *t, const struct tile_choice *x, const uint32_t size[2],
                      uint32_t row, uint64_t enough) {
    const uint32_t *global = x->global, *local = x->local;
    uint64_t items = (uint64_t)row * size[1], groups, least = x->down ? items * ROWS_DOWN : 0;
    if (items > global[0]) return false;
    groups = items / (uint64_t)divisor_common((uint32_t)items, local[0]);
    *t = (struct tiles){.size = {size[0], size[1], 1}, .row = row, .down = x->down};
    memcpy(t->block, (uint32_t[]){(uint32_t)groups, 1, 1}, sizeof t->block);
    t->cut = (row % size[0] != 0) | (uint32_t)(global[0] % items != 0) << 1;
    if (!count_blocks(t, global, local, enough)) return false;
    while ((tiles_of(t, 0, local) < ROW || (uint64_t)t->block[0] * local[0] < least) &&
           grow(t, 0, global, local, enough))
        ;
    return true;
}

/* Sizes of tiles for so many work-items in rows of that length. The last tile of a row, where not
 * all of its work-items are there or do the same, is slow: a long one is more of the row. */
static const uint32_t (*sizes_of(const struct tile_choice *x, uint32_t row, uint64_t items))[2] {
    if (x->columns) return columns;
    if (!x->k->shares) return order;
    bool past = x->k->rows[x->turned].stored * items >= PAST_CACHES;
    return past && row % wide[0][0] == 0 && row >= 4 * wide[0][0] ? wide : rows;
}

/* Tiles of a range of one dimension in rows: such as are all whole, or as few as possible of which
 * are not. */
static bool choose_rows(struct tiles *t, const struct tile_choice *x, uint32_t row) {
    const uint32_t *global = x->global, (*sizes)[2] = sizes_of(x, row, global[0]);
    uint64_t enough = blocks_for(x, x->columns ? BLOCKS_OF_COLUMNS : BLOCKS_OF_ROWS);
    for (const uint32_t(*s)[2] = sizes; (*s)[0]; s++)
        if (row % (*s)[0] == 0 && fits_rows(t, x, *s, row, enough) && !t->cut) return true;
    for (const uint32_t(*s)[2] = sizes; (*s)[0]; s++)
        if (row >= 4 * (*s)[0] && fits_rows(t, x, *s, row, enough)) return true;
    return false;
}

/* Takes a size that divides the range, unless groups are of it; false: there is none. Rows of
 * half-warps are worth less than some work-items beyond the range. */
static bool choose_whole(struct tiles *t, const struct tile_choice *x, const uint32_t (*s)[2],
                         const uint32_t *best, uint64_t enough) {
    const uint32_t *global = x->global, *local = x->local;
    for (; (*s)[0] && !((*s)[0] < ISA_WARP && best && best[0] >= ISA_WARP); s++) {
        if (global[0] % (*s)[0] || global[1] % (*s)[1]) continue;
        if (!x->k->apart && (*s)[0] % ISA_WARP) continue;
        bool same =
            !x->turned && !x->down && (*s)[0] == local[0] && (*s)[1] == local[1] && local[2] == 1;
        if (!same && fits(t, x, *s, enough)) return true;
        t->size[0] = 0;
        if (same) return true;
    }
    return false;
}

/* The same where there are work-items beyond the range, but not too many of them. */
static bool choose_cut(struct tiles *t, const struct tile_choice *x, const uint32_t (*sizes)[2],
                       const uint32_t *best, uint64_t enough) {
    for (const uint32_t(*s)[2] = sizes; (*s)[0]; s++)
        if (is_little(*s, x->global) && fits(t, x, *s, enough)) return true;
    if (!best) best = least_cut(sizes, x->global, x->local);
    if (best && fits(t, x, best, enough)) return true;
    t->size[0] = 0;
    return false;
}

/* Nor is it worse than groups of parts of warps to wait for some in the end. */
static void choose_few(struct tiles *t, const struct tile_choice *x, const uint32_t (*s)[2]) {
    uint64_t enough = blocks_for(x, BLOCKS_OF_PARTS);
    for (; (*s)[0] && !t->size[0]; s++)
        if (!is_little(*s, x->global) || !fits(t, x, *s, enough)) t->size[0] = 0;
}

static void choose(struct tiles *t, const struct tile_choice *x) {
    const uint32_t *global = x->global, *local = x->local;
    bool line = global[1] == 1 && global[2] == 1, good = is_good(x, local);
    uint64_t items = (uint64_t)global[0] * global[1] * global[2],
             enough = blocks_for(x, x->turned ? BLOCKS_OF_COLUMNS : BLOCKS_A_THREAD);
    const uint32_t(*sizes)[2] = line && x->k->shares           ? lines
                                : x->columns && global[1] == 1 ? rows
                                                               : sizes_of(x, global[0], items);
    const uint32_t *best = best_cut(sizes, global);
    if (choose_whole(t, x, sizes, best, enough)) return;
    bool stay = good && (!line || local[0] >= 64) &&
                (local[0] % ISA_WARP == 0 || !best || best[0] < ISA_WARP);
    if (stay || choose_cut(t, x, sizes, best, enough)) return;
    if (!good && local[0] % PIECE && line) choose_few(t, x, sizes);
}

/* Does memory go down columns, and what is stored so, across rows, past the caches? */
static bool goes_past(const struct tile_choice *x) {
    const struct tiles_rows *rows = &x->k->rows[x->turned];
    uint64_t items = (uint64_t)x->global[0] * x->global[1] * x->global[2];
    return rows->down && x->k->apart && rows->stored * items >= PAST_CACHES;
}

/* Tiles whose rows go along another dimension than x; false: it has no rows. */
static bool choose_turned(struct tiles *t, struct tile_choice *x) {
    unsigned d = x->k->along;
    if (!d || !x->k->apart || x->global[d] < ISA_WARP) return false;
    x->turned = true;
    x->columns = x->k->rows[1].columns;
    x->down = goes_past(x);
    tiles_turn(x->global, d);
    tiles_turn(x->local, d);
    choose(t, x);
    tiles_turn(x->global, d);
    tiles_turn(x->local, d);
    x->turned = x->down = false;
    if (!t->size[0]) return false;
    t->along = d;
    tiles_turn(t->size, d);
    tiles_turn(t->block, d);
    tiles_turn(t->blocks, d);
    uint32_t both = 1u << d | 1, one = t->cut & both;
    if (one && one != both) t->cut ^= both;
    return true;
}

/* The launch's groups, whose rows go along another dimension. */
static void choose_groups(struct tiles *t, const struct tiles_traits *k, const uint32_t global[3],
                          const uint32_t local[3]) {
    unsigned d = k->along;
    if (!k->turns || !d || !k->apart || local[d] < PIECE || local[d] % PIECE) return;
    for (unsigned n = 0; n < DIMENSIONS; n++) {
        t->size[n] = local[n];
        t->block[n] = 1;
        t->blocks[n] = global[n] / local[n];
    }
    t->along = d;
}

void tiles_choose(struct tiles *t, const struct tiles_traits *k, const uint32_t global[3],
                  const uint32_t local[3], uint32_t row, unsigned threads) {
    struct tile_choice x = {.k = k, .threads = threads};
    bool line = global[1] == 1 && global[2] == 1;
    bool warps = local[0] % ISA_WARP == 0 || (line && ISA_WARP % local[0] == 0);
    memcpy(x.global, global, sizeof x.global);
    memcpy(x.local, local, sizeof x.local);
    uint64_t groups = 1;
    for (unsigned d = 0; d < 3; d++) groups *= global[d] / local[d];
    *t = (struct tiles){.size = {0}};
    if (!k->may) choose_groups(t, k, global, local);
    if (groups < (uint64_t)BLOCKS_OF_COLUMNS * threads) return; /* nor are there blocks enough */
    if (!k->may || (!k->apart && !warps) || choose_turned(t, &x)) return;
    x.columns = k->rows[0].columns && k->apart;
    x.down = goes_past(&x);
    if (row && line && k->apart && global[0] <= INT32_MAX && choose_rows(t, &x, row)) return;
    *t = (struct tiles){.size = {0}};
    choose(t, &x);
    if (!t->size[0]) *t = (struct tiles){.size = {0}}; /* nothing is left of what did not fit */
}

bool tiles_group(const struct tiles *t, const uint32_t groups[3], uint64_t number, uint32_t id[3]) {
    uint64_t block = number / tiles_groups(t), in = number % tiles_groups(t);
    bool is = true;
    for (unsigned n = 0; n < 3; n++) {
        unsigned d = tiles_turned(t->along, n);
        id[d] = (uint32_t)(block % t->blocks[d]) * t->block[d] + (uint32_t)(in % t->block[d]);
        block /= t->blocks[d];
        in /= t->block[d];
        is &= id[d] < groups[d];
    }
    return is;
}

void tiles_of_block(const struct tiles *t, const uint32_t global[3], const uint32_t local[3],
                    const uint32_t id[3], uint32_t first[3], uint32_t end[3]) {
    for (unsigned d = 0; d < 3; d++) {
        uint64_t items = (uint64_t)t->block[d] * local[d], from = (uint64_t)id[d] * local[d],
                 to = from + items < global[d] ? from + items : global[d];
        uint64_t size = t->row && !d ? (uint64_t)t->row * t->size[1] : t->size[d];
        first[d] = (uint32_t)(from / size);
        end[d] = (uint32_t)((to + size - 1) / size);
    }
    if (!t->row) return;
    first[1] = first[0];
    end[1] = end[0];
    first[0] = 0;
    end[0] = (t->row + t->size[0] - 1) / t->size[0];
}
