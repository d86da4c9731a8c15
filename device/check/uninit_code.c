#include "uninit_code.h"

#include <stdlib.h>
#include <string.h>

#include "device/isa/arena.h"
#include "device/isa/rewrite.h"
#include "device/sandbox/memory.h"
#include "uninit_flow.h"

enum { MOST_COMPONENTS = 16, MOST_LISTED = 64 };

struct shadower {
    struct isa_kernel *k; /* the copy */
    struct tells tells;
    struct rewrite_code old;
    const struct isa_inst *i; /* at work: of old */
    isa_operand *shadows;     /* of each register of old; ISA_NO_OPERAND: it is always set */
    uint32_t frame;           /* bytes; 0: private memory has no shadow */
    uint32_t *loads;          /* of each instruction of old: its call, + 1 */
};

/* ---- shadows. ISA_NO_OPERAND stands for one without a bit: all is set. ---- */

#define ALL_SET ISA_NO_OPERAND

static enum isa_type shadow_type(enum isa_type t) {
    return t == ISA_F32 ? ISA_I32 : t == ISA_F64 ? ISA_I64 : t;
}

static enum isa_type type_of(const struct shadower *x, isa_operand o) {
    return isa_operand_type(x->k, o);
}

static isa_operand shadow_of(const struct shadower *x, isa_operand o) {
    return o != ISA_NO_OPERAND && isa_is_reg(o) ? x->shadows[o] : ALL_SET;
}

static isa_operand constant(struct shadower *x, enum isa_type t, uint64_t bits) {
    return isa_const_new(x->k, t, bits);
}

static isa_operand ones(struct shadower *x, enum isa_type t) { return constant(x, t, UINT64_MAX); }

static isa_operand op2(struct shadower *x, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(x->k, op, type_of(x, a), ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

static isa_operand op1(struct shadower *x, enum isa_op op, isa_operand a) {
    return op2(x, op, a, ISA_NO_OPERAND);
}

static isa_operand either(struct shadower *x, isa_operand a, isa_operand b) {
    if (a == ALL_SET || a == b) return b;
    return b == ALL_SET ? a : op2(x, ISA_or, a, b);
}

/* Has it a bit? A predicate. */
static isa_operand any(struct shadower *x, isa_operand s) {
    if (s == ALL_SET || type_of(x, s) == ISA_PRED) return s;
    return isa_emit1(x->k, ISA_ne, ISA_PRED, type_of(x, s), s, constant(x, type_of(x, s), 0),
                     ISA_NO_OPERAND);
}

static isa_operand any_of(struct shadower *x, const isa_operand *src, unsigned n) {
    isa_operand all = ALL_SET, last = ALL_SET;
    for (unsigned s = 0; s < n; s++) {
        isa_operand one = shadow_of(x, src[s]);
        if (one == ALL_SET || one == last) continue;
        last = one;
        all = all != ALL_SET && type_of(x, all) == type_of(x, one) ? either(x, all, one)
              : all == ALL_SET                                     ? one
                               : either(x, any(x, all), any(x, one));
    }
    return any(x, all);
}

/* All bits of that type, or none. */
static isa_operand spread(struct shadower *x, isa_operand p, enum isa_type t) {
    if (p == ALL_SET || t == ISA_PRED) return p;
    return isa_emit1(x->k, ISA_select, t, ISA_NONE_T, p, ones(x, t), constant(x, t, 0));
}

static void set(struct shadower *x, isa_operand reg, isa_operand s) {
    isa_operand to = x->shadows[reg];
    if (to == ALL_SET || to == s) return;
    if (s == ALL_SET) s = constant(x, type_of(x, to), 0);
    isa_emit(x->k, ISA_mov, type_of(x, to), ISA_NONE_T, 1, &to, 1, &s);
}

/* ---- telling ---- */

/* A call for what the instruction does; may be told of the lanes for which the predicate holds.
 * `forget`: shadows that are of no interest after that, so that one mistake is told once. */
static void tell(struct shadower *x, enum uninit_use use, isa_operand p, isa_operand operand,
                 const isa_operand *forget, unsigned nforget) {
    if (p == ALL_SET) return;
    tells_begin(&x->tells, (uint8_t)use, p, operand);
    for (unsigned n = 0; n < nforget; n++)
        if (isa_is_reg(forget[n])) set(x, forget[n], ALL_SET);
    tells_end(&x->tells);
}

static void used(struct shadower *x, enum uninit_use use, const isa_operand *src, unsigned n) {
    unsigned known = 0;
    isa_operand list[MOST_LISTED];
    for (unsigned s = 0; s < n && known < MOST_LISTED; s++)
        if (shadow_of(x, src[s]) != ALL_SET) list[known++] = src[s];
    if (known) tell(x, use, any_of(x, list, known), ISA_NO_OPERAND, list, known);
}

/* ---- operations ---- */

enum rule { WHOLE, SAME, CARRY, MASK_0, MASK_1, SHIFT, MOVE, PICK };
static const uint8_t uninit_rules[ISA_OP_COUNT] = {
#define UNINIT(op, rule) [ISA_##op] = rule,
#include "uninit.def"
};

/* A value as a mask of its bits: of floats none is ever asked. */
static isa_operand masked(struct shadower *x, isa_operand shadow, isa_operand other, bool by_ones) {
    if (shadow == ALL_SET) return ALL_SET;
    isa_operand of = shadow_of(x, other), let = by_ones ? other : ISA_NO_OPERAND;
    if (isa_is_const(other)) {
        uint64_t bits = x->k->consts[isa_const_index(other)].bits;
        let = constant(x, type_of(x, shadow), by_ones ? bits : ~bits);
    } else if (!by_ones) {
        let = op1(x, ISA_not, other);
    }
    return op2(x, ISA_and, shadow, either(x, let, of));
}

static isa_operand carried(struct shadower *x, isa_operand s) {
    if (s == ALL_SET) return s;
    return op2(x, ISA_or, s, op2(x, ISA_sub, constant(x, type_of(x, s), 0), s));
}

static isa_operand picked(struct shadower *x, const isa_operand *src, enum isa_type t) {
    isa_operand p = shadow_of(x, src[0]), a = shadow_of(x, src[1]), b = shadow_of(x, src[2]), s;
    isa_operand none = constant(x, t, 0);
    s = a == b ? a
               : isa_emit1(x->k, ISA_select, t, ISA_NONE_T, src[0], a == ALL_SET ? none : a,
                           b == ALL_SET ? none : b);
    return either(x, s, spread(x, p, t));
}

/* The result's shadow, before the operation. */
static isa_operand computed(struct shadower *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    enum isa_type t = shadow_type(type_of(x, dst[0]));
    isa_operand a = i->nsrc ? shadow_of(x, src[0]) : ALL_SET;
    isa_operand b = i->nsrc > 1 ? shadow_of(x, src[1]) : ALL_SET;
    switch ((enum rule)uninit_rules[i->op]) {
    case SAME:
        for (unsigned n = 1; n < i->nsrc; n++) a = either(x, a, shadow_of(x, src[n]));
        return a;
    case CARRY: return carried(x, either(x, a, b));
    case MASK_0: b = masked(x, b, src[0], true); return either(x, masked(x, a, src[1], true), b);
    case MASK_1: b = masked(x, b, src[0], false); return either(x, masked(x, a, src[1], false), b);
    case SHIFT:
        if (a != ALL_SET) a = op2(x, (enum isa_op)i->op, a, src[1]);
        return either(x, a, spread(x, any(x, b), t));
    case MOVE:
        if (a == ALL_SET || i->op == ISA_bits) return a;
        return isa_emit1(x->k, (enum isa_op)i->op, t, type_of(x, a), a, ISA_NO_OPERAND,
                         ISA_NO_OPERAND);
    case PICK: return picked(x, src, t);
    case WHOLE: break;
    }
    return spread(x, any_of(x, src, i->nsrc), t);
}

static void compute(struct shadower *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    bool divides =
        i->op == ISA_div_s || i->op == ISA_div_u || i->op == ISA_rem_s || i->op == ISA_rem_u;
    if (divides) used(x, UNINIT_DIVISOR, src + 1, 1);
    isa_operand s = ALL_SET;
    if (x->shadows[dst[0]] != ALL_SET && i->ndst == 1) {
        s = uninit_gives(i) ? ones(x, ISA_I32) : computed(x, dst, src);
    } else if (x->shadows[dst[0]] != ALL_SET) {
        s = any_of(x, src, i->nsrc);
    }
    for (unsigned n = 0; n < i->ndst; n++)
        set(x, dst[n], i->ndst == 1 ? s : spread(x, s, shadow_type(type_of(x, dst[n]))));
    rewrite_put(x->k, i, dst, src);
}

/* ---- memory ---- */

/* Does memory of that space have a shadow? */
static bool has_shadow(const struct shadower *x, unsigned space) {
    return space == ISA_PRIVATE ? x->frame != 0 : space != ISA_PARAM;
}

struct shadow_place {
    isa_operand base;
    int32_t displacement;
};

/* Where the shadow of the access lies, though the instruction may assign its base. */
static struct shadow_place place_of(struct shadower *x, const isa_operand *dst,
                                    const isa_operand *src) {
    struct shadow_place p = {src[0], x->i->imm};
    if (x->i->space == ISA_PRIVATE && p.displacement >= ISA_MAX_DISPLACEMENT - (int32_t)x->frame) {
        isa_operand by = constant(x, ISA_I32, x->frame);
        p.base = p.base == ISA_NO_OPERAND ? op1(x, ISA_mov, by) : op2(x, ISA_add, p.base, by);
    } else if (x->i->space == ISA_PRIVATE) {
        p.displacement += (int32_t)x->frame;
        for (unsigned n = 0; n < x->i->ndst; n++)
            if (dst[n] == p.base) p.base = op1(x, ISA_mov, src[0]);
    } else if (p.base == ISA_NO_OPERAND) {
        p.base = constant(x, ISA_I32, MEMORY_SHADOW);
        p.base = op1(x, ISA_mov, p.base);
    } else {
        p.base = op2(x, ISA_add, p.base, constant(x, ISA_I32, MEMORY_SHADOW));
    }
    return p;
}

static void access(struct shadower *x, enum isa_op op, const struct shadow_place *p, unsigned count,
                   enum isa_type t, isa_operand *dst, const isa_operand *values) {
    isa_operand src[MOST_COMPONENTS + 1] = {p->base};
    bool loads = op == ISA_ld;
    if (!loads) memcpy(src + 1, values, count * sizeof *values);
    struct isa_inst *i =
        isa_emit(x->k, op, t, ISA_NONE_T, loads ? count : 0, dst, loads ? 1 : 1 + count, src);
    i->space = x->i->space;
    i->imm = p->displacement;
    i->count = (uint8_t)count;
}

static void load(struct shadower *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    isa_operand to[MOST_COMPONENTS];
    used(x, UNINIT_ADDRESS, src, 1);
    if (!has_shadow(x, i->space)) {
        rewrite_put(x->k, i, dst, src);
        for (unsigned n = 0; n < i->ndst; n++) set(x, dst[n], ALL_SET);
        return;
    }
    struct shadow_place p = place_of(x, dst, src);
    rewrite_put(x->k, i, dst, src);
    for (unsigned n = 0; n < i->ndst; n++) to[n] = x->shadows[dst[n]];
    access(x, ISA_ld, &p, i->count, shadow_type(i->type), to, NULL);
    tell(x, UNINIT_LOADED, any_of(x, dst, i->ndst), p.base, NULL, 0);
    x->loads[i - x->old.insts] = x->tells.count;
}

/* Of which nothing is set: a part of a component may be padding. */
static isa_operand nothing_set(struct shadower *x, const isa_operand *src, unsigned n) {
    isa_operand found = ALL_SET;
    for (unsigned c = 0; c < n; c++) {
        isa_operand s = shadow_of(x, src[c]);
        if (s == ALL_SET) continue;
        enum isa_type t = type_of(x, s);
        s = isa_emit1(x->k, ISA_eq, ISA_PRED, t, s, ones(x, t), ISA_NO_OPERAND);
        found = either(x, found, s);
    }
    return found;
}

static void store(struct shadower *x, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    isa_operand from[MOST_COMPONENTS];
    enum isa_type t = shadow_type(i->type);
    used(x, UNINIT_ADDRESS, src, 1);
    rewrite_put(x->k, i, NULL, src);
    if (!has_shadow(x, i->space)) return;
    struct shadow_place p = place_of(x, NULL, src);
    for (unsigned n = 0; n < i->count; n++) {
        from[n] = shadow_of(x, src[1 + n]);
        if (from[n] == ALL_SET) from[n] = constant(x, t, 0);
    }
    access(x, ISA_st, &p, i->count, t, NULL, from);
    if (i->space == ISA_GLOBAL)
        tell(x, UNINIT_STORED, nothing_set(x, src + 1, i->count), p.base, NULL, 0);
}

/* What an operation leaves is set where both it was, and its operand is. */
static void atomic(struct shadower *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    enum isa_type t = i->type;
    isa_operand value = shadow_of(x, src[i->nsrc - 1]), compared = src[1];
    used(x, UNINIT_ADDRESS, src, 1);
    struct shadow_place p = place_of(x, dst, src);
    isa_operand s = x->shadows[dst[0]];
    if (i->op == ISA_atom_cas && dst[0] == compared) compared = op1(x, ISA_mov, compared);
    rewrite_put(x->k, i, dst, src);
    if (s != ALL_SET) {
        access(x, ISA_ld, &p, 1, t, &s, NULL);
        tell(x, UNINIT_LOADED, any(x, s), p.base, NULL, 0);
        x->loads[i - x->old.insts] = x->tells.count;
    }
    isa_operand left = value == ALL_SET ? constant(x, t, 0) : value;
    if (i->op == ISA_atom_xchg) {
        access(x, ISA_st, &p, 1, t, NULL, &left);
    } else if (i->op == ISA_atom_cas) {
        isa_operand hit = isa_emit1(x->k, ISA_eq, ISA_PRED, t, dst[0], compared, ISA_NO_OPERAND);
        isa_emit(x->k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &hit);
        access(x, ISA_st, &p, 1, t, NULL, &left);
        isa_emit(x->k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    } else if (value != ALL_SET) {
        isa_operand both[2] = {p.base, value}, old = isa_reg_new(x->k, t);
        struct isa_inst *joined = isa_emit(x->k, ISA_atom_or, t, ISA_NONE_T, 1, &old, 2, both);
        joined->space = i->space;
        joined->imm = p.displacement;
    }
}

static void image(struct shadower *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    bool writes = i->op == ISA_img_write;
    unsigned n = writes ? i->nsrc - 4u : i->nsrc;
    used(x, UNINIT_ADDRESS, src, n);
    isa_operand unset = ALL_SET;
    for (unsigned c = 0; writes && c < 4; c++) {
        isa_operand s = nothing_set(x, src + n + c, 1);
        if (s == ALL_SET) {
            unset = ALL_SET;
            break;
        }
        unset = c ? op2(x, ISA_and, unset, s) : s;
    }
    tell(x, UNINIT_WRITTEN, unset, ISA_NO_OPERAND, NULL, 0);
    rewrite_put(x->k, i, dst, src);
}

/* ---- the kernel ---- */

static void instruction(struct shadower *x, const isa_operand *dst, const isa_operand *src) {
    const struct isa_inst *i = x->i;
    uint32_t flags = isa_op_info[i->op].flags;
    if (i->op == ISA_if || i->op == ISA_breakif) used(x, UNINIT_BRANCH, src, 1);
    if (i->op == ISA_printf) used(x, UNINIT_PRINTED, src, i->nsrc);
    if (i->op == ISA_ld)
        load(x, dst, src);
    else if (i->op == ISA_st)
        store(x, src);
    else if (flags & ISA_OP_ATOMIC)
        atomic(x, dst, src);
    else if (i->op == ISA_img_read || i->op == ISA_img_write)
        image(x, dst, src);
    else if (i->ndst && (flags & ISA_OP_PURE) && !(flags & ISA_OP_IMAGE))
        compute(x, dst, src);
    else
        rewrite_put(x->k, i, dst, src);
}

/* Nothing of the frame is set at first. */
static void clear_frame(struct shadower *x) {
    const uint32_t step = 16, objects = x->frame - x->k->spill_bytes, begin = 16, straight = 8;
    static const struct isa_inst at = {.space = ISA_PRIVATE};
    isa_operand values[4];
    for (unsigned n = 0; n < 4; n++) values[n] = ones(x, ISA_I32);
    x->i = &at;
    if (objects <= begin) return;
    if (objects - begin <= straight * step) {
        for (uint32_t byte = begin; byte < objects; byte += step) {
            struct shadow_place p = {ISA_NO_OPERAND, (int32_t)(x->frame + byte)};
            access(x, ISA_st, &p, 4, ISA_I32, NULL, values);
        }
        return;
    }
    isa_operand byte = op1(x, ISA_mov, constant(x, ISA_I32, begin)), next[2];
    struct shadow_place p = {byte, (int32_t)x->frame};
    isa_emit(x->k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    access(x, ISA_st, &p, 4, ISA_I32, NULL, values);
    next[0] = byte;
    next[1] = constant(x, ISA_I32, step);
    isa_emit(x->k, ISA_add, ISA_I32, ISA_NONE_T, 1, &byte, 2, next);
    isa_operand done = isa_emit1(x->k, ISA_le_u, ISA_PRED, ISA_I32, constant(x, ISA_I32, objects),
                                 byte, ISA_NO_OPERAND);
    isa_emit(x->k, ISA_breakif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &done)->imm = 0;
    isa_emit(x->k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

static void rewrite(struct shadower *x) {
    struct isa_kernel *k = x->k;
    x->old = rewrite_take(k, x->tells.arena);
    const uint8_t *may = uninit_flow(&x->old, x->frame != 0, x->tells.arena);
    x->shadows = ARENA_ARRAY(x->tells.arena, isa_operand, x->old.nregs + 1u);
    x->loads = ARENA_ARRAY(x->tells.arena, uint32_t, x->old.ninsts + 1u);
    for (uint32_t r = 0; r < x->old.nregs; r++)
        x->shadows[r] =
            may[r] ? isa_reg_new(k, shadow_type((enum isa_type)k->reg_types[r])) : ALL_SET;
    if (x->frame) clear_frame(x);
    for (uint32_t n = 0; n < x->old.ninsts; n++) {
        x->i = x->tells.inst = &x->old.insts[n];
        k->cur_file = x->i->file;
        k->cur_line = x->i->line;
        const isa_operand *dst = x->old.operands + x->i->operands;
        instruction(x, dst, dst + x->i->ndst);
        x->tells.number += !(isa_op_info[x->i->op].flags & ISA_OP_PROBE);
    }
    if (x->frame) k->private_bytes = 2 * x->frame;
}

static void release(void *data) {
    struct uninit_code *c = data;
    if (!c) return;
    free(c->calls);
    free(c->sources);
    free(c);
}

static bool keep(struct shadower *x, struct observe_added *added) {
    struct uninit_code *c = calloc(1, sizeof *c);
    if (!c) return false;
    added->data = c;
    added->release = release;
    if (!tells_take(&x->tells, added)) return false;
    c->told = added->calls;
    return uninit_sources(&x->old, &x->tells, x->loads, c);
}

static bool run(struct shadower *x, struct observe_added *added) {
    jmp_buf no_memory;
    x->tells.arena = arena_new(&no_memory);
    if (!x->tells.arena || setjmp(no_memory)) return false;
    rewrite(x);
    return keep(x, added) && !isa_kernel_failed(x->k);
}

bool uninit_instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added) {
    uint32_t frame = isa_frame_bytes(copy);
    struct shadower x = {.k = copy, .tells = {.k = copy, .first = first}};
    (void)k;
    if (frame * 2 < ISA_MAX_DISPLACEMENT) x.frame = frame;
    bool good = run(&x, added);
    arena_free(x.tells.arena);
    return good;
}
