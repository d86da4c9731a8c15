/* Groups in tiles. Where nothing tells the groups of a launch from one another they are run as
 * other groups, tiles of the ND-range of a size that suits the engine (device/analysis/tiles.h).
 * What the kernel reads of its own groups is computed from the tile here; a tile that may reach
 * beyond the ND-range has its work-items there guarded. */
#include "device/analysis/itemindex.h"
#include "device/analysis/tiles.h"
#include "sized_pass.h"

#include <string.h>

enum {
    DIMENSIONS = 3,
    PLACE = 24 /* instructions in the place of one, where ids are those of other groups */
};

struct regroup {
    struct kernelcopy copy;
    struct flat_code code;     /* of the kernel that it is made of */
    uint32_t tile[DIMENSIONS]; /* in dimensions of the ND-range */
    const uint32_t *group;
    unsigned along;      /* the dimension that is x of the tile */
    struct flat_row row; /* tiles are of a flat range that has such rows */
    uint32_t packed;     /* sized_groups.packed, and */
    uint32_t items;      /* of a group; */
    uint32_t local_step; /* sized_groups.local_step */
};

/* ---- small things ---- */

static isa_operand number(struct regroup *g, uint32_t n) { return kernelcopy_word(&g->copy, n); }

static isa_operand word(struct regroup *g, enum isa_op op, isa_operand a, isa_operand b) {
    return kernelcopy_result(&g->copy, op, ISA_I32, a, b);
}

static isa_operand special(struct regroup *g, uint32_t which) {
    return kernelcopy_special(&g->copy, which);
}

static isa_operand times(struct regroup *g, isa_operand a, uint32_t by) {
    return by == 1 ? a : word(g, ISA_mul, a, number(g, by));
}

static bool is_power(uint32_t n) { return !(n & (n - 1)); }

static isa_operand divided(struct regroup *g, isa_operand a, uint32_t by) {
    if (by == 1) return a;
    if (is_power(by)) return word(g, ISA_shr_u, a, number(g, (uint32_t)__builtin_ctz(by)));
    return word(g, ISA_div_u, a, number(g, by));
}

static isa_operand rest(struct regroup *g, isa_operand a, uint32_t by) {
    if (by == 1) return number(g, 0);
    if (is_power(by)) return word(g, ISA_and, a, number(g, by - 1));
    return word(g, ISA_rem_u, a, number(g, by));
}

/* ---- what the kernel reads ---- */

/* A special register of the kernel that is one of the tile, too: its number there. */
static uint32_t in_turned(const struct regroup *g, uint32_t which) {
    unsigned d = which % DIMENSIONS;
    return which < ISA_SPECIAL_work_dim ? which - d + tiles_turned(g->along, d) : which;
}

static isa_operand tile_id(struct regroup *g, unsigned d) {
    return special(g, in_turned(g, ISA_SPECIAL_group_id_x + d));
}

static isa_operand in_tile(struct regroup *g, unsigned d) {
    return special(g, in_turned(g, ISA_SPECIAL_local_id_x + d));
}

/* Which group of a tile of several it is in, as they follow one another; and where in it. */
static isa_operand packed_group(struct regroup *g) { return divided(g, in_tile(g, 0), g->items); }
static isa_operand packed_item(struct regroup *g) { return rest(g, in_tile(g, 0), g->items); }

static isa_operand local_id(struct regroup *g, unsigned d);
static isa_operand group_id(struct regroup *g, unsigned d);

/* The work-item's index in the tiled range, without the offset. */
static isa_operand in_tiles(struct regroup *g, unsigned d) {
    if (g->packed) return word(g, ISA_add, times(g, group_id(g, d), g->group[d]), local_id(g, d));
    return word(g, ISA_add, times(g, tile_id(g, d), g->tile[d]), in_tile(g, d));
}

static isa_operand row_length(struct regroup *g) {
    if (g->row.length) return number(g, g->row.length);
    isa_operand length = kernelcopy_argument(&g->copy, g->row.offset);
    return g->row.power ? word(g, ISA_shl, number(g, 1), length) : length;
}

/* The same in the ND-range. */
static isa_operand item_id(struct regroup *g, unsigned d) {
    if (!g->row.is) return in_tiles(g, d);
    if (d) return number(g, 0);
    isa_operand rows = word(g, ISA_mul, in_tiles(g, 1), row_length(g));
    return word(g, ISA_add, rows, in_tiles(g, 0));
}

static isa_operand local_id(struct regroup *g, unsigned d) {
    uint32_t tile = g->tile[d], group = g->group[d], inner = 1;
    for (unsigned in = 0; in < d; in++) inner *= g->group[in];
    if (g->packed) return rest(g, divided(g, packed_item(g), inner), group);
    if (g->row.is) return rest(g, item_id(g, d), group);
    if (tile == group) return in_tile(g, d);
    if (group % tile == 0)
        return word(g, ISA_add, times(g, rest(g, tile_id(g, d), group / tile), tile),
                    in_tile(g, d));
    return rest(g, tile % group == 0 ? in_tile(g, d) : item_id(g, d), group);
}

static isa_operand group_id(struct regroup *g, unsigned d) {
    uint32_t tile = g->tile[d], group = g->group[d];
    if (g->packed && d) return tile_id(g, d);
    if (g->packed) return word(g, ISA_add, times(g, tile_id(g, 0), g->packed), packed_group(g));
    if (g->row.is) return divided(g, item_id(g, d), group);
    if (group % tile == 0) return divided(g, tile_id(g, d), group / tile);
    if (tile % group == 0)
        return word(g, ISA_add, times(g, tile_id(g, d), tile / group),
                    divided(g, in_tile(g, d), group));
    return divided(g, item_id(g, d), group);
}

static isa_operand thread_id(struct regroup *g) {
    if (g->packed) return packed_item(g);
    isa_operand id = local_id(g, DIMENSIONS - 1);
    for (unsigned d = DIMENSIONS - 1; d--;)
        id = word(g, ISA_add, times(g, id, g->group[d]), local_id(g, d));
    return id;
}

/* Where the local memory of the work-item's group begins, in that of the tile. */
static isa_operand own_local(struct regroup *g) {
    isa_operand place = g->packed ? packed_group(g) : ISA_NO_OPERAND;
    for (unsigned d = DIMENSIONS; d-- && !g->packed;) {
        uint32_t groups = g->tile[d] / g->group[d];
        if (groups == 1) continue;
        isa_operand own = divided(g, in_tile(g, d), g->group[d]);
        if (place != ISA_NO_OPERAND) own = word(g, ISA_add, times(g, place, groups), own);
        place = own;
    }
    return times(g, place, g->local_step);
}

/* The special register as it is in the kernel's own groups; ISA_NO_OPERAND: as in tiles. */
static isa_operand own(struct regroup *g, uint32_t which) {
    unsigned d = which % DIMENSIONS;
    switch (which - d) {
    case ISA_SPECIAL_local_id_x: return local_id(g, d);
    case ISA_SPECIAL_group_id_x: return group_id(g, d);
    case ISA_SPECIAL_local_size_x: return number(g, g->group[d]);
    case ISA_SPECIAL_global_id_x:
        if (g->packed)
            return word(g, ISA_add, in_tiles(g, d), special(g, ISA_SPECIAL_global_offset_x + d));
        if (!g->row.is) return ISA_NO_OPERAND;
        return d ? special(g, in_turned(g, ISA_SPECIAL_global_offset_x + d))
                 : item_id(g, 0); /* none in x */
    default: return which == ISA_SPECIAL_thread_id ? thread_id(g) : ISA_NO_OPERAND;
    }
}
_Static_assert(ISA_SPECIAL_local_id_x == 0 && ISA_SPECIAL_global_id_x % DIMENSIONS == 0 &&
                   ISA_SPECIAL_group_id_x % DIMENSIONS == 0 &&
                   ISA_SPECIAL_local_size_x % DIMENSIONS == 0 &&
                   ISA_SPECIAL_global_offset_x + DIMENSIONS == ISA_SPECIAL_work_dim,
               "special registers of three dimensions come first");

/* ---- the kernel ---- */

static isa_operand less(struct regroup *g, isa_operand a, isa_operand b) {
    return kernelcopy_result(&g->copy, ISA_lt_u, ISA_I32, a, b);
}

/* Of work-items beyond the ND-range: an `if` round all that is done, which is to be ended; or, as
 * those that have ended no barrier waits for, they return. */
static bool put_guard(struct regroup *g, uint32_t cut) {
    isa_operand all = ISA_NO_OPERAND;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        if (!(cut >> d & 1)) continue;
        isa_operand in;
        if (g->row.is && d == 0)
            in = less(g, in_tiles(g, 0), row_length(g));
        else
            in = less(g, item_id(g, g->row.is ? 0 : d),
                      special(g, in_turned(g, ISA_SPECIAL_global_size_x + (g->row.is ? 0 : d))));
        all = kernelcopy_joined(&g->copy, ISA_and, all, in);
    }
    kernelcopy_control(&g->copy, ISA_if, all);
    if (!isa_waits_between(g->copy.k, 0, g->copy.k->ninsts)) return true;
    kernelcopy_control(&g->copy, ISA_else, ISA_NO_OPERAND);
    kernelcopy_control(&g->copy, ISA_ret, ISA_NO_OPERAND);
    kernelcopy_control(&g->copy, ISA_endif, ISA_NO_OPERAND);
    return false;
}

/* What the instruction gives, where it asks for the work-item's place; ISA_NO_OPERAND: it does not.
 */
static isa_operand place(struct regroup *g, const struct isa_inst *i) {
    enum flat_part part = flat_part(&g->code, &g->row, i);
    if (part != FLAT_NEITHER) return in_tiles(g, part == FLAT_COLUMN ? 0 : 1);
    struct itemindex x = itemindex_of(g->code.k, &g->code.loops, i);
    if (x.sum && !x.small && (!x.size || x.size == g->group[x.d])) return item_id(g, x.d);
    return i->op == ISA_special ? own(g, (uint32_t)i->imm) : ISA_NO_OPERAND;
}

static bool is_local_address(const struct isa_kernel *k, const struct isa_inst *i, unsigned d) {
    if (i->op == ISA_localaddr) return true;
    if (i->op != ISA_ld || i->space != ISA_PARAM) return false;
    const struct isa_param *p = isa_param_at(k, (uint32_t)i->imm + d * isa_type_size[i->type]);
    return p && p->kind == ISA_PARAM_LOCAL;
}

/* An instruction that gives addresses of local memory: those of the work-item's group. False: it
 * gives none. */
static bool put_local(struct regroup *g, uint32_t n) {
    const struct isa_kernel *k = g->copy.k;
    const struct isa_inst *i = &k->insts[n];
    isa_operand at = ISA_NO_OPERAND, first = 0;
    for (unsigned d = 0; d < i->ndst && g->local_step; d++) {
        if (!is_local_address(k, i, d)) continue;
        if (at == ISA_NO_OPERAND) {
            at = own_local(g);
            first = g->copy.out->nregs;
            struct isa_inst *moved = kernelcopy_put(&g->copy, n);
            if (g->copy.failed) return true;
            for (unsigned all = 0; all < i->ndst; all++)
                if (is_local_address(k, i, all))
                    isa_dsts(g->copy.out, moved)[all] = isa_reg_new(g->copy.out, ISA_I32);
        }
        kernelcopy_add(&g->copy, ISA_add, ISA_I32, isa_dsts(k, i)[d], first++, at);
    }
    return at != ISA_NO_OPERAND;
}

static void put(struct regroup *g, uint32_t n) {
    const struct isa_inst *i = &g->copy.k->insts[n];
    struct isa_kernel *out = g->copy.out;
    g->copy.at = n;
    if (put_local(g, n)) return;
    isa_operand value = place(g, i);
    if (value == ISA_NO_OPERAND) {
        kernelcopy_put(&g->copy, n);
        if (i->op == ISA_special && !g->copy.failed)
            out->insts[out->ninsts - 1].imm = (int32_t)in_turned(g, (uint32_t)i->imm);
        return;
    }
    bool wide = i->type == ISA_I64; /* none is negative */
    struct isa_inst *moved = kernelcopy_add(&g->copy, wide ? ISA_zext : ISA_mov, i->type,
                                            isa_dsts(g->copy.k, i)[0], value, ISA_NO_OPERAND);
    if (wide) moved->type2 = ISA_I32;
}

static bool make(struct regroup *g, const struct isa_kernel *k, uint32_t cut) {
    uint32_t most = k->ninsts + 2 * PLACE;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        enum isa_op op = (enum isa_op)k->insts[n].op;
        bool addresses = g->local_step && (op == ISA_localaddr || op == ISA_ld);
        if (op == ISA_special || op == ISA_add || g->row.is || addresses) most += PLACE;
    }
    if (!kernelcopy_begin(&g->copy, k, most)) return false;
    bool guarded = cut && put_guard(g, cut);
    for (uint32_t n = 0; n < k->ninsts; n++) put(g, n);
    if (guarded) kernelcopy_control(&g->copy, ISA_endif, ISA_NO_OPERAND);
    return !g->copy.failed && kernelcopy_finish(g->copy.out);
}

/* ---- the pass ---- */

bool regroup_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    const struct sized_groups *groups = &s->groups;
    const uint32_t *tile = groups->size;
    bool same = !groups->asked[0] || !memcmp(tile, groups->asked, sizeof groups->asked);
    bool tiles = !same || groups->cut || groups->flat || groups->along;
    if (!tiles && !groups->low_ids) return true;
    struct regroup g = {
        .along = groups->along, .packed = groups->packed, .local_step = groups->local_step};
    for (unsigned d = 0; d < DIMENSIONS; d++) g.tile[d] = tile[tiles_turned(g.along, d)];
    g.group = groups->asked[0] ? groups->asked : g.tile;
    g.items = g.group[0] * g.group[1] * g.group[2];
    bool good = flat_begin(&g.code, s->k);
    if (good && groups->flat) g.row = flat_row(&g.code);
    good = good && make(&g, s->k, groups->cut);
    if (good) g.copy.out->low_ids = groups->low_ids;
    if (good && g.local_step) g.copy.out->local_bytes = s->items / g.items * g.local_step;
    for (unsigned d = 0; d < DIMENSIONS && good && !groups->flat && !g.packed; d++)
        if (!(groups->cut >> tiles_turned(g.along, d) & 1)) g.copy.out->whole |= 1u << d;
    flat_end(&g.code);
    sized_kernel_take(made, &g.copy);
    if (good && tiles)
        trace_tell(p, NULL, "in tiles of %u x %u x %u%s%s%s", g.tile[0], g.tile[1], g.tile[2],
                   groups->flat ? " of a range in rows" : "",
                   groups->along ? ", in rows along another dimension" : "",
                   groups->cut ? ", which may reach beyond the ND-range" : "");
    return good;
}
