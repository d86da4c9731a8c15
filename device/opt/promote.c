/* Words of private memory become registers: variables that are declared volatile, and registers
 * for which the device had no place. The compiler has done that for all others. No one but the
 * work-item itself can look at its private memory, so a host need not keep these there, as long as
 * nothing that addresses it by a register may reach them. So do arrays of a few elements by whose
 * index lanes differ: a vector's choice among registers costs less than a gather. What is computed
 * of an element and stored there again is computed of each, and chosen once. Lanes whose index is
 * not sure to be in its array are asked, and access memory where it is not: there they end. */
#include "device/analysis/shape.h"
#include "device/isa/components.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "places.h"
#include "promote.h"

#include <string.h>

enum {
    MOST_FRAME = 1 << 12, /* bytes */
    MOST_CHOSEN = 128,    /* bytes of all arrays that accesses by registers reach, and */
    MOST_MADE = 2000      /* instructions that choose */
};

struct promoter {
    struct isa_kernel *k;
    bool beyond;      /* lanes may be asked whether they mean an element */
    uint32_t bytes;   /* of the frame */
    uint8_t *type;    /* by byte: of the component that begins there (components.h) */
    uint8_t *stays;   /* by byte: in memory */
    isa_operand *reg; /* by byte: the component's register, + 1 */
    uint8_t *chosen;  /* by byte: reached by those that choose */
    uint32_t nchosen;
    struct places *places; /* of instructions */
    struct loops l;        /* where there are any */
    uint8_t *updates;      /* instructions: they are done where what they compute is stored */
};

static bool is_private(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space == ISA_PRIVATE;
}

/* A load or a store, whose address is `at`, of one known place in the frame. */
static bool is_at_place(const struct promoter *x, const struct isa_inst *i, isa_operand at) {
    return is_private(i) && (i->op == ISA_ld || i->op == ISA_st) && at == ISA_NO_OPERAND &&
           i->imm >= 0 && (uint64_t)i->imm + isa_bytes(i) <= x->bytes;
}
static bool is_placed(const struct promoter *x, const struct isa_inst *i) {
    return is_private(i) && is_at_place(x, i, isa_srcs(x->k, i)[0]);
}

static void keep(struct promoter *x, int64_t from, int64_t to) {
    if (from < 0 || to > x->bytes || from > to) {
        from = 0; /* it may lie in another work-item's frame, or nowhere */
        to = x->bytes;
    }
    memset(x->stays + from, 1, (size_t)(to - from));
}

/* What an access by a register may reach. */
static void look_beyond(struct promoter *x, const struct numbers *numbers,
                        const struct isa_inst *i) {
    isa_operand at = isa_srcs(x->k, i)[0];
    struct interval by = {0, 0};
    if (at != ISA_NO_OPERAND) by = numbers_unsigned(numbers, x->k, at);
    keep(x, by.least + i->imm, by.most + i->imm + (int64_t)isa_bytes(i));
}

/* Where a component overlaps another one, both stay. */
static void look_at(struct promoter *x, const struct isa_inst *i, uint32_t place) {
    uint32_t size = isa_type_size[i->type];
    for (uint32_t c = 0; c < i->count; c++) {
        uint32_t at = place + c * size;
        if (!components_note(x->type, at, i->type)) memset(x->stays + at, 1, size);
    }
}

/* Has an access the places [p], of which some are chosen? */
static bool reaches(const struct promoter *x, const struct places *p, uint32_t bytes) {
    bool any = false;
    for (uint32_t e = 0; e < p->count; e++)
        for (uint32_t b = 0; b < bytes; b++) any |= x->chosen[p->first + e * p->step + b];
    return any;
}

static void choose(struct promoter *x, const struct places *p, uint32_t bytes) {
    for (uint32_t e = 0; e < p->count; e++)
        for (uint32_t b = 0; b < bytes; b++) {
            uint8_t *chosen = &x->chosen[p->first + e * p->step + b];
            x->nchosen += !*chosen;
            *chosen = 1;
        }
}

/* Do lanes leave a loop round instruction n one by one? Then the last ones are run as scalar code
 * (serialise), which chooses no element as fast as it accesses one. */
static bool left_alone(const struct promoter *x, const struct shape *shape, uint32_t n) {
    bool any = false;
    for (uint32_t loop = x->l.nloops ? x->l.loop_of[n] : 0; loop; loop = x->l.loops[loop].parent)
        for (uint32_t m = x->l.loops[loop].begin; m < x->l.loops[loop].end; m++)
            any |= x->k->insts[m].op == ISA_breakif && shape_branch(shape, m) < SHAPE_WARP;
    return any;
}

/* Finds such accesses. A row of all lanes is moved as fast as a register is chosen, unless it is of
 * an array of which elements are chosen elsewhere. */
static void find_places(struct promoter *x, const struct numbers *numbers) {
    const struct isa_kernel *k = x->k;
    struct shape *shape = shape_new(k, NULL);
    uint32_t made = 0;
    if (!shape) return;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!is_private(i) || is_placed(x, i)) continue;
        struct places p = places_find(k, numbers, n, x->bytes);
        if (!p.count || (p.beyond && (!x->beyond || left_alone(x, shape, n)))) continue;
        p.apart = !shape_is_uniform(shape, isa_srcs(k, i)[0]);
        if (p.apart) choose(x, &p, isa_bytes(i));
        x->places[n] = p;
    }
    shape_free(shape);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        struct places *p = &x->places[n];
        const struct isa_inst *i = &k->insts[n];
        if (!p->apart && !reaches(x, p, isa_bytes(i))) p->count = 0;
        if (!p->apart && p->count) choose(x, p, isa_bytes(i));
        made += p->count * (1u + i->count);
    }
    if (x->nchosen > MOST_CHOSEN || made > MOST_MADE)
        memset(x->places, 0, k->ninsts * sizeof *x->places);
}

/* A register that is a number is no more than a place: of elements whose index is known. */
static void place(struct promoter *x, const struct loops *l, struct isa_inst *i) {
    isa_operand *at = isa_srcs(x->k, i);
    const struct isa_inst *made = loops_definition(l, x->k, *at);
    uint32_t by;
    if ((i->op != ISA_ld && i->op != ISA_st) || !made || made->op != ISA_mov) return;
    if (!isa_constant(x->k, isa_srcs(x->k, made)[0], &by)) return;
    if ((int64_t)by + i->imm < 0 || (int64_t)by + i->imm > MOST_FRAME) return;
    *at = ISA_NO_OPERAND;
    i->imm += (int32_t)by;
}

/* Something private may be meant by what is not understood here: probes tell of addresses. */
static bool look(struct promoter *x, struct arena *arena) {
    struct isa_kernel *k = x->k;
    struct numbers numbers;
    bool any = false, beyond = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (isa_op_info[k->insts[n].op].flags & ISA_OP_PROBE) return false;
        beyond |= is_private(&k->insts[n]) && !is_placed(x, &k->insts[n]);
    }
    if (beyond) {
        numbers_find(&numbers, k, NULL, arena);
        loops_find(&x->l, k, arena);
    }
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (is_private(&k->insts[n]) && !is_placed(x, &k->insts[n])) place(x, &x->l, &k->insts[n]);
        any |= is_placed(x, &k->insts[n]);
    }
    if (beyond) find_places(x, &numbers);
    if (!any && !x->nchosen) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const struct places *p = &x->places[n];
        if (is_placed(x, i))
            look_at(x, i, (uint32_t)i->imm);
        else if (is_private(i) && !p->count)
            look_beyond(x, &numbers, i);
        for (uint32_t e = 0; e < p->count; e++) look_at(x, i, p->first + e * p->step);
    }
    return true;
}

/* What an access may be meant for. */
static struct places meant_for(const struct promoter *x, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    if (is_placed(x, i))
        return (struct places){.first = (uint32_t)i->imm, .step = isa_bytes(i), .count = 1};
    return x->places[n];
}

/* A component of which one byte stays does so as a whole, and with it what is accessed at once. */
static void settle(struct promoter *x) {
    const struct isa_kernel *k = x->k;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            struct places p = meant_for(x, n);
            uint32_t bytes = isa_bytes(&k->insts[n]), staying = 0;
            for (uint32_t e = 0; e < p.count; e++)
                for (uint32_t b = 0; b < bytes; b++) staying += x->stays[p.first + e * p.step + b];
            if (!staying || staying == p.count * bytes) continue;
            for (uint32_t e = 0; e < p.count; e++)
                memset(x->stays + p.first + e * p.step, 1, bytes);
            changed = true;
        }
    }
}

/* Gives each component its register; it is 0 where nothing may have been stored before it is read:
 * where its first access is no store that all work-items make. Returns how many there are. */
static uint32_t name(struct promoter *x, const struct rewrite_code *old,
                     const struct places *meant) {
    struct isa_kernel *k = x->k;
    uint32_t words = 0, depth = 0;
    for (uint32_t n = 0; n < old->ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old->insts[n];
        depth += isa_deeper(i);
        bool sets = i->op == ISA_st && !depth && meant[n].count == 1;
        for (uint32_t c = 0; c < i->count * meant[n].count; c++) {
            uint32_t at = meant[n].first + c / i->count * meant[n].step +
                          c % i->count * isa_type_size[i->type];
            enum isa_type t = (enum isa_type)x->type[at];
            if (x->stays[at] || x->reg[at]) continue;
            isa_operand zero = isa_const_new(k, t, 0), reg = isa_reg_new(k, t);
            if (!sets) isa_emit(k, ISA_mov, t, ISA_NONE_T, 1, &reg, 1, &zero);
            x->reg[at] = reg + 1;
            words++;
        }
    }
    return words;
}

/* A component as an instruction has it, in the type that is kept, or the other way round. */
static isa_operand as(struct isa_kernel *k, isa_operand from, enum isa_type want,
                      enum isa_type have) {
    return want == have ? from
                        : isa_emit1(k, ISA_bits, want, have, from, ISA_NO_OPERAND, ISA_NO_OPERAND);
}

/* Whether an access by a register is meant for each of its places. */
static void ask(struct promoter *x, const struct isa_inst *i, isa_operand at,
                const struct places *p, isa_operand *is) {
    for (uint32_t e = 0; p->count > 1 && e < p->count; e++) {
        isa_operand there = isa_const_new(x->k, ISA_I32, p->first + e * p->step - (uint32_t)i->imm);
        is[e] = isa_emit1(x->k, ISA_eq, ISA_PRED, ISA_I32, at, there, ISA_NO_OPERAND);
    }
}

/* Lanes that mean none of them do what they did, which is in none. */
static void begin_beyond(struct isa_kernel *k, const struct isa_inst *i, const struct places *p,
                         isa_operand at) {
    isa_operand first = isa_const_new(k, ISA_I32, p->first - (uint32_t)i->imm);
    isa_operand most = isa_const_new(k, ISA_I32, (p->count - 1) * p->step);
    isa_operand by = isa_emit1(k, ISA_sub, ISA_I32, ISA_NONE_T, at, first, ISA_NO_OPERAND);
    isa_operand is = isa_emit1(k, ISA_lt_u, ISA_PRED, ISA_I32, most, by, ISA_NO_OPERAND);
    isa_emit(k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &is);
}

static void end_beyond(struct isa_kernel *k) {
    isa_emit(k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

/* What store n puts there, computed of what is `there` now. */
static isa_operand updated(struct promoter *x, const struct rewrite_code *old, uint32_t n,
                           isa_operand there) {
    isa_operand reg = old->operands[old->insts[x->places[n].from - 1].operands], src[3];
    for (uint32_t m = x->places[n].from; m < n; m++) {
        const struct isa_inst *i = &old->insts[m];
        const isa_operand *was = old->operands + i->operands + i->ndst;
        bool reads = false;
        for (unsigned s = 0; s < i->nsrc && x->updates[m]; s++) {
            reads |= was[s] == reg;
            src[s] = was[s] == reg ? there : was[s];
        }
        if (!reads) continue;
        reg = old->operands[i->operands];
        isa_operand to = isa_reg_new(x->k, (enum isa_type)x->k->reg_types[reg]);
        rewrite_put(x->k, i, &to, src);
        there = to;
    }
    return there;
}

static void load(struct promoter *x, const struct isa_inst *i, const struct places *p,
                 const isa_operand *dst, const isa_operand *src) {
    isa_operand is[PLACES_MOST], loaded[16], at = src[0];
    for (unsigned d = 0; p->beyond && d < i->ndst; d++)
        if (dst[d] == src[0])
            at = isa_emit1(x->k, ISA_mov, ISA_I32, ISA_NONE_T, src[0], ISA_NO_OPERAND,
                           ISA_NO_OPERAND);
    ask(x, i, at, p, is);
    for (uint32_t c = 0; c < i->count; c++) {
        for (uint32_t e = 0; e < p->count; e++) {
            uint32_t place = p->first + e * p->step + c * isa_type_size[i->type];
            isa_operand v = as(x->k, x->reg[place] - 1, i->type, (enum isa_type)x->type[place]);
            if (e) v = isa_emit1(x->k, ISA_select, i->type, ISA_NONE_T, is[e], v, loaded[c]);
            loaded[c] = v;
        }
    }
    for (uint32_t c = 0; c < i->count; c++)
        isa_emit(x->k, ISA_mov, i->type, ISA_NONE_T, 1, &dst[c], 1, &loaded[c]);
    if (!p->beyond) return;
    begin_beyond(x->k, i, p, at);
    rewrite_put(x->k, i, dst, &at);
    end_beyond(x->k);
}

static void store(struct promoter *x, const struct rewrite_code *old, uint32_t n,
                  const struct places *p, const isa_operand *src) {
    const struct isa_inst *i = &old->insts[n];
    isa_operand is[PLACES_MOST];
    ask(x, i, src[0], p, is);
    for (uint32_t c = 0; c < i->count; c++) {
        for (uint32_t e = 0; e < p->count; e++) {
            uint32_t place = p->first + e * p->step + c * isa_type_size[i->type];
            enum isa_type kept = (enum isa_type)x->type[place];
            isa_operand reg = x->reg[place] - 1, v = src[1 + c];
            if (p->count == 1) {
                components_move(x->k, reg, v, kept, i->type);
                continue;
            }
            if (p->from) v = updated(x, old, n, as(x->k, reg, i->type, kept));
            v = as(x->k, v, kept, i->type);
            isa_emit(x->k, ISA_select, kept, ISA_NONE_T, 1, &reg, 3,
                     (isa_operand[]){is[e], v, reg});
        }
    }
    if (!p->beyond) return;
    begin_beyond(x->k, i, p, src[0]);
    isa_operand put[17];
    memcpy(put, src, i->nsrc * sizeof *put);
    if (p->from) {
        isa_operand was = isa_reg_new(x->k, (enum isa_type)i->type);
        rewrite_put(x->k, &old->insts[p->from - 1], &was, src);
        put[1] = updated(x, old, n, was);
    }
    rewrite_put(x->k, i, NULL, put);
    end_beyond(x->k);
}

void promote_run(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p,
                 bool beyond) {
    struct promoter x = {.k = k, .bytes = isa_frame_bytes(k), .beyond = beyond};
    if (!x.bytes || x.bytes > MOST_FRAME) return;
    x.type = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.stays = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.reg = ARENA_ARRAY(arena, isa_operand, x.bytes);
    x.chosen = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.places = ARENA_ARRAY(arena, struct places, k->ninsts + 1u);
    x.updates = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    if (!look(&x, arena)) return;
    settle(&x);
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (x.places[n].count && !x.stays[x.places[n].first])
            x.places[n].from = places_update(k, &x.l, x.places, n, x.updates);
    struct places *meant = ARENA_ARRAY(arena, struct places, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) meant[n] = meant_for(&x, n);
    struct rewrite_code old = rewrite_take(k, arena);
    uint32_t words = name(&x, &old, meant);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (x.updates[n] && !is_private(i)) continue;
        if (!meant[n].count || x.stays[meant[n].first]) {
            rewrite_put(k, i, dst, src);
            continue;
        }
        if (i->op == ISA_st)
            store(&x, &old, n, &meant[n], src);
        else if (!x.updates[n])
            load(&x, i, &meant[n], dst, src);
        if (!meant[n].beyond) isa_site_remove(k, i->site, ISA_REMOVED_promoted);
    }
    const struct isa_inst whole = {.line = 0};
    if (words) trace_tell(p, &whole, "%u words of private memory become registers", words);
}
