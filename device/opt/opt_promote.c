/* Words of private memory become registers: variables that are declared volatile, and registers
 * for which the device had no place. The compiler has done that for all others. No one but the
 * work-item itself can look at its private memory, so a host need not keep these there, as long as
 * nothing that addresses it by a register may reach them. So do arrays of a few elements by whose
 * index lanes differ: a vector's choice among registers costs less than a gather. */
#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"
#include "device/isa/components.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

#include <string.h>

enum {
    MOST_FRAME = 1 << 12, /* bytes */
    MOST_PLACES = 8,      /* that an access by a register may be meant for; */
    MOST_CHOSEN = 64,     /* bytes of all arrays that such ones reach, and */
    MOST_MADE = 400       /* instructions that choose */
};

/* What an access by a register may be meant for; count 0: it is none of the kind. */
struct places {
    uint32_t first, step, count; /* bytes of the frame; how far apart; how many */
};

struct promoter {
    struct isa_kernel *k;
    uint32_t bytes;   /* of the frame */
    uint8_t *type;    /* by byte: of the component that begins there (components.h) */
    uint8_t *stays;   /* by byte: in memory */
    isa_operand *reg; /* by byte: the component's register, + 1 */
    uint8_t *chosen;  /* by byte: reached by those that choose */
    uint32_t nchosen;
    struct places *places; /* of instructions */
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

/* The few places of an access that it cannot leave. */
static struct places places_of(const struct promoter *x, const struct numbers *numbers,
                               const struct isa_inst *i) {
    const struct places none = {0};
    isa_operand at = isa_srcs(x->k, i)[0];
    if ((i->op != ISA_ld && i->op != ISA_st) || !isa_is_reg(at)) return none;
    struct interval by = numbers_unsigned(numbers, x->k, at);
    unsigned zeros = numbers_zeros(numbers, x->k, at);
    int64_t first = by.least + i->imm, step = INT64_C(1) << (zeros < 30 ? zeros : 30);
    if (first < 0 || by.most + i->imm + (int64_t)isa_bytes(i) > x->bytes) return none;
    if (step < (int64_t)isa_bytes(i) || (by.most - by.least) / step >= MOST_PLACES) return none;
    return (struct places){(uint32_t)first, (uint32_t)step,
                           (uint32_t)((by.most - by.least) / step) + 1};
}

/* Finds such accesses. A row of all lanes is moved as fast as a register is chosen. */
static void find_places(struct promoter *x, const struct numbers *numbers) {
    struct shape *shape = NULL;
    uint32_t made = 0;
    for (uint32_t n = 0; n < x->k->ninsts; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        if (!is_private(i) || is_placed(x, i)) continue;
        struct places p = places_of(x, numbers, i);
        if (!p.count) continue;
        if (!shape && !(shape = shape_new(x->k, NULL))) return;
        if (shape_is_uniform(shape, isa_srcs(x->k, i)[0])) continue;
        for (uint32_t e = 0; e < p.count; e++)
            for (uint32_t b = 0; b < isa_bytes(i); b++) {
                uint8_t *chosen = &x->chosen[p.first + e * p.step + b];
                x->nchosen += !*chosen;
                *chosen = 1;
            }
        x->places[n] = p;
        made += p.count * (1 + i->count);
    }
    shape_free(shape);
    if (x->nchosen > MOST_CHOSEN || made > MOST_MADE)
        memset(x->places, 0, x->k->ninsts * sizeof *x->places);
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
    struct loops l = {0};
    bool any = false, beyond = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (isa_op_info[k->insts[n].op].flags & ISA_OP_PROBE) return false;
        beyond |= is_private(&k->insts[n]) && !is_placed(x, &k->insts[n]);
    }
    if (beyond) {
        numbers_find(&numbers, k, NULL, arena);
        loops_find(&l, k, arena);
    }
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (is_private(&k->insts[n]) && !is_placed(x, &k->insts[n])) place(x, &l, &k->insts[n]);
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
    if (is_placed(x, i)) return (struct places){(uint32_t)i->imm, isa_bytes(i), 1};
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

static void move(struct isa_kernel *k, isa_operand to, isa_operand from, enum isa_type want,
                 enum isa_type have) {
    if (want == have)
        isa_emit(k, ISA_mov, want, ISA_NONE_T, 1, &to, 1, &from);
    else
        isa_emit(k, ISA_bits, want, have, 1, &to, 1, &from);
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

static void put(struct promoter *x, const struct isa_inst *i, const struct places *p,
                const isa_operand *dst, const isa_operand *src) {
    isa_operand is[MOST_PLACES], loaded[16];
    ask(x, i, src[0], p, is);
    for (uint32_t c = 0; c < i->count; c++) {
        uint32_t first = p->first + c * isa_type_size[i->type];
        for (uint32_t e = 0; e < p->count; e++) {
            uint32_t at = first + e * p->step;
            enum isa_type kept = (enum isa_type)x->type[at];
            isa_operand reg = x->reg[at] - 1;
            if (i->op == ISA_ld) {
                isa_operand v = as(x->k, reg, i->type, kept);
                if (e) v = isa_emit1(x->k, ISA_select, i->type, ISA_NONE_T, is[e], v, loaded[c]);
                loaded[c] = v;
            } else if (p->count == 1) {
                move(x->k, reg, src[1 + c], kept, i->type);
            } else {
                isa_operand stored = as(x->k, src[1 + c], kept, i->type);
                isa_emit(x->k, ISA_select, kept, ISA_NONE_T, 1, &reg, 3,
                         (isa_operand[]){is[e], stored, reg});
            }
        }
    }
    for (uint32_t c = 0; i->op == ISA_ld && c < i->count; c++)
        isa_emit(x->k, ISA_mov, i->type, ISA_NONE_T, 1, &dst[c], 1, &loaded[c]);
}

void opt_promote(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct promoter x = {.k = k, .bytes = isa_frame_bytes(k)};
    if (!x.bytes || x.bytes > MOST_FRAME) return;
    x.type = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.stays = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.reg = ARENA_ARRAY(arena, isa_operand, x.bytes);
    x.chosen = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.places = ARENA_ARRAY(arena, struct places, k->ninsts + 1u);
    if (!look(&x, arena)) return;
    settle(&x);
    struct places *meant = ARENA_ARRAY(arena, struct places, k->ninsts + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) meant[n] = meant_for(&x, n);
    struct rewrite_code old = rewrite_take(k, arena);
    uint32_t words = name(&x, &old, meant);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (!meant[n].count || x.stays[meant[n].first]) {
            rewrite_put(k, i, dst, src);
            continue;
        }
        put(&x, i, &meant[n], dst, src);
        isa_site_remove(k, i->site, ISA_REMOVED_promoted);
    }
    const struct isa_inst whole = {.line = 0};
    if (words) trace_tell(p, &whole, "%u words of private memory become registers", words);
}
