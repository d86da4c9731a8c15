/* Words of private memory become registers: variables that are declared volatile, and registers
 * for which the device had no place. The compiler has done that for all others. No one but the
 * work-item itself can look at its private memory, so a host need not keep these there, as long as
 * nothing that addresses it by a register may reach them. */
#include "device/analysis/numbers.h"
#include "device/isa/components.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

#include <string.h>

enum { MOST_FRAME = 1 << 12 }; /* bytes */

struct promoter {
    struct isa_kernel *k;
    uint32_t bytes;   /* of the frame */
    uint8_t *type;    /* by byte: of the component that begins there (components.h) */
    uint8_t *stays;   /* by byte: in memory */
    isa_operand *reg; /* by byte: the component's register, + 1 */
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
static void look_at(struct promoter *x, const struct isa_inst *i) {
    uint32_t size = isa_type_size[i->type];
    for (uint32_t c = 0; c < i->count; c++) {
        uint32_t at = (uint32_t)i->imm + c * size;
        if (!components_note(x->type, at, i->type)) memset(x->stays + at, 1, size);
    }
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
    if (!any) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (is_placed(x, i))
            look_at(x, i);
        else if (is_private(i))
            look_beyond(x, &numbers, i);
    }
    return true;
}

/* A component of which one byte stays does so as a whole, and with it what is accessed at once. */
static void settle(struct promoter *x) {
    const struct isa_kernel *k = x->k;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            if (!is_placed(x, i)) continue;
            uint8_t *stays = x->stays + i->imm;
            if (!memchr(stays, 1, isa_bytes(i)) || !memchr(stays, 0, isa_bytes(i))) continue;
            memset(stays, 1, isa_bytes(i));
            changed = true;
        }
    }
}

/* Gives each component its register; it is 0 where nothing may have been stored before it is read:
 * where its first access is no store that all work-items make. Returns how many there are. */
static uint32_t name(struct promoter *x, const struct rewrite_code *old) {
    struct isa_kernel *k = x->k;
    uint32_t words = 0, depth = 0;
    for (uint32_t n = 0; n < old->ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old->insts[n];
        depth += isa_deeper(i);
        bool sets = i->op == ISA_st && !depth;
        if (!i->nsrc || !is_at_place(x, i, old->operands[i->operands + i->ndst])) continue;
        for (uint32_t c = 0; c < i->count; c++) {
            uint32_t at = (uint32_t)i->imm + c * isa_type_size[i->type];
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

static void put(struct promoter *x, const struct isa_inst *i, const isa_operand *dst,
                const isa_operand *src) {
    for (uint32_t c = 0; c < i->count; c++) {
        uint32_t at = (uint32_t)i->imm + c * isa_type_size[i->type];
        enum isa_type kept = (enum isa_type)x->type[at];
        isa_operand reg = x->reg[at] - 1;
        if (i->op == ISA_ld)
            move(x->k, dst[c], reg, i->type, kept);
        else
            move(x->k, reg, src[1 + c], kept, i->type);
    }
}

void opt_promote(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct promoter x = {.k = k, .bytes = isa_frame_bytes(k)};
    if (!x.bytes || x.bytes > MOST_FRAME) return;
    x.type = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.stays = ARENA_ARRAY(arena, uint8_t, x.bytes);
    x.reg = ARENA_ARRAY(arena, isa_operand, x.bytes);
    if (!look(&x, arena)) return;
    settle(&x);
    struct rewrite_code old = rewrite_take(k, arena);
    uint32_t words = name(&x, &old);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (!i->nsrc || !is_at_place(&x, i, src[0]) || x.stays[i->imm]) {
            rewrite_put(k, i, dst, src);
            continue;
        }
        put(&x, i, dst, src);
        isa_site_remove(k, i->site, ISA_REMOVED_promoted);
    }
    const struct isa_inst whole = {.line = 0};
    if (words) trace_tell(p, &whole, "%u words of private memory become registers", words);
}
