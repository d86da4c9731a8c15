#include "tiles.h"

#include "divisor.h"

#include <string.h>

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
    BEYOND = 16,           /* one in so many work-items may be, for better rows */
    MANY = 64,             /* tiles of several groups, one of which may be cut */
    SMALL = 4 * ISA_WARP,  /* work-items of a group that is better run with others, */
    LOCAL_ROW = 128,       /* which local memory begins at a multiple of, and */
    MOST_LOCAL = 8 << 10   /* bytes of it in a tile, where each work-item has some words */
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
    if (x->k->uneven) return lines; /* rows would wait for one another */
    bool past = x->k->rows[x->turned].stored * items >= PAST_CACHES;
    return past && row % wide[0][0] == 0 && row >= 4 * wide[0][0] ? wide : rows;
}

/* The same of tiles whose rows go across those of the range, from one to the next: a block is whole
 * rows, as many as such a tile is long, and more. */
static bool fits_across(struct tiles *t, const struct tile_choice *x, const uint32_t size[2],
                        uint32_t row, uint64_t enough) {
    const uint32_t across[2] = {size[1], size[0]};
    uint64_t items = (uint64_t)row * size[0], all = x->global[0] / row + UINT64_C(1) + size[0];
    if (all * row > INT32_MAX || !fits_rows(t, x, across, row, enough)) return false;
    while (t->block[0] * (uint64_t)x->local[0] < items * ROW &&
           grow(t, 0, x->global, x->local, enough))
        ;
    t->along = 1;
    return true;
}

/* Such tiles, where memory's rows go across the range's: the better sizes, as choose_rows has them.
 */
static bool choose_across(struct tiles *t, const struct tile_choice *x, uint32_t row) {
    uint32_t length = x->global[0] / row;
    uint64_t enough = x->threads == 1 ? 1 : blocks_for(x, BLOCKS_OF_COLUMNS);
    if (x->k->along != 1 || length < ISA_WARP) return false;
    struct tile_choice turned = *x;
    turned.turned = true;
    turned.columns = x->k->rows[1].columns;
    turned.down = false;
    const uint32_t(*sizes)[2] = sizes_of(&turned, length, x->global[0]);
    for (const uint32_t(*s)[2] = sizes; (*s)[0]; s++)
        if (length % (*s)[0] == 0 && fits_across(t, &turned, *s, row, enough) && !t->cut)
            return true;
    for (const uint32_t(*s)[2] = sizes; (*s)[0]; s++)
        if (length >= 4 * (*s)[0] && fits_across(t, &turned, *s, row, enough)) return true;
    return false;
}

/* Tiles of a range of one dimension in rows: such as are all whole, or as few as possible of which
 * are not. */
static bool choose_rows(struct tiles *t, const struct tile_choice *x, uint32_t row) {
    const uint32_t *global = x->global, (*sizes)[2] = sizes_of(x, row, global[0]);
    uint64_t enough = blocks_for(x, x->columns ? BLOCKS_OF_COLUMNS : BLOCKS_OF_ROWS);
    if (x->threads == 1) enough = 1;
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
    for (unsigned n = 0; n < 3; n++) {
        t->size[n] = local[n];
        t->block[n] = 1;
        t->blocks[n] = global[n] / local[n];
    }
    t->along = d;
}

uint64_t tiles_local_bytes(const struct tiles *t, const uint32_t local[3]) {
    uint64_t bytes = t->local_step;
    for (unsigned d = 0; d < 3; d++) bytes *= t->size[d] / local[d];
    return bytes;
}

/* Makes a tile of several groups one of twice as many, if the range is whole ones, or so many that
 * one that is cut, which is run by other code, is little. */
static bool widen(uint32_t size[2], const struct tile_choice *x, unsigned d, uint32_t step,
                  bool cut) {
    uint64_t items = (uint64_t)2 * size[0] * size[1], groups = items / x->local[0] / x->local[1];
    uint32_t most = x->k->narrow ? SMALL : WARPS * ISA_WARP;
    bool fits = items <= most && groups <= x->k->together && groups * step <= MOST_LOCAL;
    bool few = cut ? x->global[d] / size[d] < MANY : x->global[d] % (2 * size[d]) != 0;
    if (fits && !few) size[d] *= 2;
    return fits && !few;
}

/* The size of such tiles: boxes whose rows are whole warps, or half-warps at least, or groups in a
 * row. False: there are no such boxes. */
static bool grow_together(uint32_t size[2], const struct tile_choice *x, bool box, uint32_t step,
                          bool cut) {
    memcpy(size, x->local, 2 * sizeof *size);
    while ((!box || size[0] < ISA_WARP) && widen(size, x, 0, step, cut))
        ;
    while (box && widen(size, x, 1, step, cut))
        ;
    return !box || size[0] >= PIECE;
}

/* Several small groups as one: each would cost a call, and what its warps wait for in turn they
 * wait for beside those of others. */
static void choose_together(struct tiles *t, const struct tile_choice *x) {
    const uint32_t *local = x->local;
    uint32_t size[2], items = local[0] * local[1] * local[2];
    uint32_t step = (x->k->local_bytes + LOCAL_ROW - 1) / LOCAL_ROW * LOCAL_ROW;
    bool box = local[1] > 1 && x->k->boxes && x->k->apart;
    if (items > SMALL || (items % ISA_WARP && ISA_WARP % items) || local[2] != 1) return;
    bool whole = grow_together(size, x, box, step, false);
    if (!whole || size[0] * size[1] < SMALL) whole = grow_together(size, x, box, step, true);
    if (x->k->narrow && (!whole || (!box && local[1] > 1))) return;
    if (!whole) {
        box = false;
        grow_together(size, x, box, step, false);
    }
    uint32_t groups = size[0] * size[1] / items;
    if (groups == 1 || groups * items % ISA_WARP ||
        !fits(t, x, size, blocks_for(x, BLOCKS_A_THREAD))) {
        *t = (struct tiles){.size = {0}};
        return;
    }
    t->local_step = step;
    if (!box && local[1] > 1) t->packed = groups;
}

void tiles_choose(struct tiles *t, const struct tiles_traits *k, const uint32_t global[3],
                  const uint32_t local[3], uint32_t row, unsigned threads) {
    struct tile_choice x = {.k = k, .threads = threads};
    bool line = global[1] == 1 && global[2] == 1;
    bool warps = k->free || local[0] % ISA_WARP == 0 || (line && ISA_WARP % local[0] == 0);
    memcpy(x.global, global, sizeof x.global);
    memcpy(x.local, local, sizeof x.local);
    uint64_t groups = 1;
    for (unsigned d = 0; d < 3; d++) groups *= global[d] / local[d];
    *t = (struct tiles){.size = {0}};
    if (!k->may) choose_groups(t, k, global, local);
    if (groups < (uint64_t)BLOCKS_OF_COLUMNS * threads) return; /* nor are there blocks enough */
    if (k->together && !t->size[0]) choose_together(t, &x);
    if (!k->may || (!k->apart && !warps) || choose_turned(t, &x)) return;
    x.columns = k->rows[0].columns && k->apart;
    x.down = goes_past(&x);
    bool flat = row && line && k->apart && global[0] <= INT32_MAX;
    if (flat && (choose_across(t, &x, row) || choose_rows(t, &x, row))) return;
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
