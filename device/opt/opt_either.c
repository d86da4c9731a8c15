/* Elements that are one of two, by what has been read:
 *
 *     for (...) count[2 * i + (x[k] <= limit)]++;
 *
 * Which of both it is changes; the two do not. So there is an `if`, of which each part has one of
 * them, at a displacement, so that both can be in registers (opt_keep.c). */
#include "device/analysis/numbers.h"
#include "device/analysis/shape.h"
#include "device/isa/kernelcopy.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

#include <stdlib.h>

enum {
    MOST = 16,          /* choices */
    MOST_RUN = 24,      /* instructions from the choice to the last access, */
    MOST_INSIDE = 10,   /* and those of them that are there twice */
    MOST_STRIDE = 64,   /* bytes from one lane's element to the next one's, */
    MOST_FAR = 1 << 19, /* and from one of the two to the other */
    MOST_DEPTH = 6      /* of operations that a condition is made of */
};

/* What a register is that an index is made of: so many times the choice, and a rest, which is so
 * much more for each work-item than for the one before it. */
struct either_part {
    uint32_t stamp, factor;
    int32_t stride;
};

/* Accesses by a choice. */
struct either {
    uint32_t select, first, last; /* instructions; accesses: from the first to the last */
    uint32_t before;              /* the loop before which sums are made */
    bool bit;                     /* a bit chooses between what it is, and 0 */
    int32_t apart;                /* how much more the first choice is */
    bool sum[MOST_RUN];           /* instructions from the choice on: of the sums; */
    bool inside[MOST_RUN];        /* that both parts have, */
    int32_t far[MOST_RUN];        /* and how far apart it accesses, if it does */
};

struct eithers {
    struct isa_kernel *k;
    struct loops l;
    struct numbers numbers;
    struct shape *shape;
    struct either_part *parts; /* of registers; of these are known: */
    uint32_t stamp;
    isa_operand choice; /* the register of it; if it is of constants: the bits that they have */
    uint32_t bits;
    uint8_t *adds; /* instructions: an `or` that is a sum */
    struct either *list;
    uint32_t count;
};

/* ---- which ---- */

/* Is an operand made of what has been loaded? */
static bool is_read(const struct eithers *x, isa_operand o, unsigned left) {
    uint32_t n = loops_writer(&x->l, o, 0);
    if (n >= LOOPS_NONE || !left) return n == LOOPS_SEVERAL;
    const struct isa_inst *i = &x->k->insts[n];
    if (i->op == ISA_ld) return i->space != ISA_PARAM;
    bool is = false;
    for (unsigned s = 0; s < i->nsrc && isa_op_info[i->op].flags & ISA_OP_PURE; s++)
        is |= is_read(x, isa_srcs(x->k, i)[s], left - 1);
    return is;
}

/* The register as a sum of the choice and others, if it is one. */
static const struct either_part *part_of(const struct eithers *x, isa_operand o) {
    return isa_is_reg(o) && x->parts[o].stamp == x->stamp ? &x->parts[o] : NULL;
}

/* Is `a | b`, or `b | a`, a sum, as the one is the choice, of constants, and the other one a
 * multiple of more? */
static bool is_or_a_sum(const struct eithers *x, const isa_operand *src) {
    for (unsigned s = 0; s < 2; s++) {
        unsigned zeros = numbers_zeros(&x->numbers, x->k, src[!s]);
        if (src[s] == x->choice && x->bits && zeros < 32 && !(x->bits >> zeros)) return true;
    }
    return false;
}

/* How much more is an operand for a work-item than for the one before it? False: it may be
 * anything. */
static bool find_stride(const struct eithers *x, isa_operand o, int32_t *stride, unsigned left) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = loops_definition(&x->l, k, o);
    int32_t of[3] = {0};
    uint32_t c = 0;
    *stride = 0;
    if (!isa_is_reg(o) || shape_is_uniform(x->shape, o)) return true;
    if (!i || !left) return false;
    if (i->op == ISA_special) {
        *stride = i->imm == ISA_SPECIAL_global_id_x || i->imm == ISA_SPECIAL_local_id_x ||
                  i->imm == ISA_SPECIAL_thread_id;
        return true;
    }
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || i->nsrc > 3) return false;
    for (unsigned s = 0; s < i->nsrc; s++)
        if (!find_stride(x, isa_srcs(k, i)[s], &of[s], left - 1)) return false;
    switch (i->op) {
    case ISA_mov: *stride = of[0]; return true;
    case ISA_add: *stride = (int32_t)((uint32_t)of[0] + (uint32_t)of[1]); return true;
    case ISA_sub: *stride = (int32_t)((uint32_t)of[0] - (uint32_t)of[1]); return true;
    case ISA_shl:
    case ISA_mul:
        if (!isa_constant(k, isa_srcs(k, i)[1], &c)) break;
        *stride = (int32_t)((uint32_t)of[0] * (i->op == ISA_shl ? 1u << (c & 31) : c));
        return true;
    }
    return !of[0] && !of[1] && !of[2];
}

/* Both operands added. */
static bool add_parts(const struct eithers *x, const isa_operand *src, struct either_part *to) {
    for (unsigned s = 0; s < 2; s++) {
        const struct either_part *of = part_of(x, src[s]);
        int32_t stride = 0;
        if (!of && !find_stride(x, src[s], &stride, MOST_DEPTH)) return false;
        to->stride = (int32_t)((uint32_t)to->stride + (uint32_t)(of ? of->stride : stride));
        to->factor += of ? of->factor : 0;
    }
    return true;
}

/* What instruction n makes of such sums. False: none. */
static bool add_part(struct eithers *x, uint32_t n) {
    const struct isa_inst *i = &x->k->insts[n];
    const isa_operand *src = isa_srcs(x->k, i);
    const struct either_part *a = i->nsrc ? part_of(x, src[0]) : NULL;
    struct either_part to = {x->stamp, 0, 0};
    uint32_t c;
    if (i->ndst != 1 || i->type != ISA_I32 || x->l.defs[isa_dsts(x->k, i)[0]] != 1) return false;
    switch (i->op) {
    case ISA_mov: to = *a; break;
    case ISA_or:
    case ISA_add:
        if (i->op == ISA_or && !is_or_a_sum(x, src)) return false;
        if (!add_parts(x, src, &to)) return false;
        x->adds[n] = i->op == ISA_or;
        break;
    case ISA_shl:
    case ISA_mul:
        if (!a || !isa_constant(x->k, src[1], &c)) return false;
        if (i->op == ISA_shl) c = 1u << (c & 31);
        to.factor = a->factor * c;
        to.stride = (int32_t)((uint32_t)a->stride * c);
        break;
    default: return false;
    }
    x->parts[isa_dsts(x->k, i)[0]] = to;
    return true;
}

/* Is instruction n one bit of something, so that it chooses between 0 and another number? */
static bool is_bit(const struct isa_kernel *k, uint32_t n) {
    const struct isa_inst *i = &k->insts[n];
    uint32_t c;
    if ((i->op != ISA_and && i->op != ISA_shr_u) || i->type != ISA_I32 ||
        !isa_is_reg(isa_srcs(k, i)[0]) || !isa_constant(k, isa_srcs(k, i)[1], &c))
        return false;
    return i->op == ISA_shr_u ? (c & 31) == 31 : c && !(c & (c - 1));
}

/* What a choice is of: constants, or sums of one register and constants. */
static bool find_choice(struct eithers *x, uint32_t n, int32_t *apart) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    const isa_operand *src = isa_srcs(k, i);
    isa_operand of[2];
    uint32_t plus[2];
    bool bit = is_bit(k, n);
    if ((!bit && (i->op != ISA_select || i->type != ISA_I32)) || !isa_is_reg(src[0]) ||
        shape_is_uniform(x->shape, src[0]) || !is_read(x, src[0], MOST_DEPTH))
        return false;
    of[0] = of[1] = ISA_NO_OPERAND;
    plus[0] = plus[1] = 0;
    if (bit && i->op == ISA_and)
        isa_constant(k, src[1], &plus[0]);
    else if (bit)
        plus[0] = 1;
    for (unsigned s = 0; s < 2 && !bit; s++) {
        const struct isa_inst *d = loops_definition(&x->l, k, src[s + 1]);
        of[s] = src[s + 1];
        if (isa_constant(k, of[s], &plus[s])) {
            of[s] = ISA_NO_OPERAND;
        } else if (d && d->op == ISA_add && isa_constant(k, isa_srcs(k, d)[1], &plus[s])) {
            of[s] = isa_srcs(k, d)[0];
            if (!x->l.ordered[of[s]]) return false;
        }
    }
    *apart = (int32_t)(plus[0] - plus[1]);
    x->bits = of[0] == ISA_NO_OPERAND ? plus[0] | plus[1] : 0;
    x->choice = isa_dsts(k, i)[0];
    int32_t stride = 0;
    if (of[0] != of[1] || !*apart || !find_stride(x, of[0], &stride, MOST_DEPTH) ||
        x->l.defs[x->choice] != 1)
        return false;
    x->parts[x->choice] = (struct either_part){++x->stamp, 1, stride};
    return true;
}

/* May the access be one of two? */
static bool is_access(const struct isa_inst *i, const struct either_part *of, int64_t far) {
    int64_t at = i->imm + far, stride = of->stride;
    return !isa_is_watched(i) && i->space != ISA_PRIVATE && far >= -MOST_FAR && far <= MOST_FAR &&
           at < ISA_MAX_DISPLACEMENT && at > -ISA_MAX_DISPLACEMENT && stride &&
           stride >= -MOST_STRIDE && stride <= MOST_STRIDE;
}

/* Does no work-item of a warp access what another one does, whichever it chooses? */
static bool is_own(const struct isa_inst *i, const struct either_part *of, int64_t far) {
    int64_t stride = of->stride < 0 ? -(int64_t)of->stride : of->stride, bytes = isa_bytes(i);
    if (far < 0) far = -far;
    return stride >= far + bytes || (stride >= bytes && far >= ISA_WARP * stride + bytes);
}

/* Does instruction n, which reads none of the sums, have to be where those [first, n) are that are
 * inside? */
static bool depends(const struct eithers *x, const struct either *e, uint32_t n) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *i = &k->insts[n];
    bool does = false;
    for (uint32_t m = e->first; m < n && e->first; m++) {
        const struct isa_inst *in = &k->insts[m];
        if (!e->inside[m - e->select]) continue;
        for (unsigned d = 0; d < in->ndst; d++)
            does |= isa_reads(k, i, isa_dsts(k, in)[d]) || isa_writes(k, i, isa_dsts(k, in)[d]);
        for (unsigned d = 0; d < i->ndst; d++) does |= isa_reads(k, in, isa_dsts(k, i)[d]);
        does |= i->op == ISA_ld && in->op == ISA_st;
    }
    return does;
}

/* Is all that reads the sums, to the last access, an access by one, or makes one? */
static bool reads_all(const struct eithers *x, const struct either *e) {
    const struct isa_kernel *k = x->k;
    for (uint32_t n = e->select; n <= e->last; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++) {
            isa_operand reg = isa_dsts(k, &k->insts[n])[d];
            uint32_t reads = 0;
            if (!part_of(x, reg)) continue;
            for (uint32_t m = n + 1; m <= e->last; m++)
                for (unsigned s = 0; s < k->insts[m].nsrc; s++)
                    reads += isa_srcs(k, &k->insts[m])[s] == reg;
            if (reads != x->l.reads[reg]) return false;
        }
    return true;
}

/* Are the sums made of what the loop does not change? */
static bool stays(const struct eithers *x, const struct either *e) {
    uint32_t loop = x->l.loop_of[e->select];
    bool stays = loop;
    for (uint32_t n = e->select; n <= e->last && stays; n++) {
        const struct isa_inst *i = &x->k->insts[n];
        for (unsigned s = n == e->select ? 2 : 0; s < i->nsrc && e->sum[n - e->select]; s++) {
            isa_operand o = isa_srcs(x->k, i)[s];
            stays &= part_of(x, o) || !loops_varies(&x->l, o, loop);
        }
    }
    return stays;
}

static bool reads_part(const struct eithers *x, const struct isa_inst *i, unsigned from) {
    bool reads = false;
    for (unsigned s = from; s < i->nsrc; s++) reads |= part_of(x, isa_srcs(x->k, i)[s]) != NULL;
    return reads;
}

static bool find(struct eithers *x, uint32_t select, struct either *e) {
    const struct isa_kernel *k = x->k;
    bool loads = false, stores = false, own = true;
    uint32_t count = 0, inside = 0;
    *e = (struct either){.select = select, .sum = {true}};
    if (!find_choice(x, select, &e->apart)) return false;
    e->bit = is_bit(k, select);
    for (uint32_t n = select + 1; n < k->ninsts && n - select < MOST_RUN; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool moves = i->op == ISA_ld || i->op == ISA_st, is = false;
        if (!moves && !(isa_op_info[i->op].flags & ISA_OP_PURE)) break;
        if (isa_writes(k, i, isa_srcs(k, &k->insts[select])[0])) break;
        if (moves && part_of(x, isa_srcs(k, i)[0])) {
            const struct either_part *of = part_of(x, isa_srcs(k, i)[0]);
            int32_t far = (int32_t)((uint32_t)e->apart * of->factor);
            if (reads_part(x, i, 1) || !is_access(i, of, far)) return false;
            if (!e->first) e->first = n;
            e->last = n;
            e->far[n - select] = far;
            own &= is_own(i, of, far);
            loads |= i->op == ISA_ld;
            stores |= i->op == ISA_st;
            is = true;
        } else if (reads_part(x, i, 0)) {
            if (!add_part(x, n)) return false;
            e->sum[n - select] = true;
        } else {
            is = depends(x, e, n);
            if (moves && (is || i->op == ISA_st || isa_is_watched(i))) break;
        }
        e->inside[n - select] = is;
        count += is;
        if (is && e->last == n) inside = count;
    }
    e->before = x->l.loops[x->l.loop_of[select]].begin;
    return loads && stores && own && inside <= MOST_INSIDE && reads_all(x, e) && stays(x, e);
}

/* ---- writing ---- */

/* Is the register read by what both parts have alone? */
static bool is_within(const struct eithers *x, const struct either *e, isa_operand reg) {
    const struct isa_kernel *k = x->k;
    uint32_t reads = 0;
    for (uint32_t n = e->first; n <= e->last; n++)
        for (unsigned s = 0; s < k->insts[n].nsrc && e->inside[n - e->select]; s++)
            reads += isa_srcs(k, &k->insts[n])[s] == reg;
    return reads == x->l.reads[reg] && x->l.defs[reg] == 1;
}

/* One of the parts; first: where the condition holds. */
static void put_part(const struct eithers *x, struct kernelcopy *c, const struct either *e,
                     bool first) {
    for (uint32_t n = e->first; n <= e->last && !c->failed; n++) {
        const struct isa_inst *i = &c->k->insts[n];
        if (!e->inside[n - e->select]) continue;
        for (unsigned d = 0; d < i->ndst; d++)
            if (is_within(x, e, isa_dsts(c->k, i)[d])) kernelcopy_rename(c, isa_dsts(c->k, i)[d]);
        c->at = n;
        kernelcopy_put(c, n)->imm += first ? e->far[n - e->select] : 0;
    }
}

/* Instruction n of a sum, which is that of the second choice. */
static void put_sum(const struct eithers *x, struct kernelcopy *c, const struct either *e,
                    uint32_t n) {
    const struct isa_kernel *k = c->k;
    const isa_operand *src = isa_srcs(k, &k->insts[n]), *dst = isa_dsts(k, &k->insts[n]);
    c->at = n;
    if (n == e->select)
        kernelcopy_move(c, dst[0], e->bit ? kernelcopy_word(c, 0) : src[2]);
    else if (x->adds[n])
        kernelcopy_add(c, ISA_add, ISA_I32, dst[0], src[0], src[1]);
    else
        kernelcopy_put(c, n);
}

static void put_sums(const struct eithers *x, struct kernelcopy *c, const struct either *e) {
    for (uint32_t n = e->select; n <= e->last; n++)
        if (e->sum[n - e->select]) put_sum(x, c, e, n);
}

/* The condition by which lanes choose the first. */
static isa_operand put_condition(struct kernelcopy *c, const struct either *e) {
    const struct isa_inst *i = &c->k->insts[e->select];
    const isa_operand *src = isa_srcs(c->k, i);
    c->at = e->select;
    if (!e->bit) return src[0];
    isa_operand bit = kernelcopy_result(c, (enum isa_op)i->op, ISA_I32, src[0], src[1]);
    return kernelcopy_result(c, ISA_ne, ISA_I32, bit, kernelcopy_word(c, 0));
}

static void put(const struct eithers *x, struct kernelcopy *c, const struct either *e) {
    isa_operand p = put_condition(c, e);
    for (uint32_t n = e->select + 1; n <= e->last; n++) {
        c->at = n;
        if (!e->inside[n - e->select] && !e->sum[n - e->select]) kernelcopy_put(c, n);
    }
    c->at = e->first;
    kernelcopy_control(c, ISA_if, p);
    put_part(x, c, e, true);
    kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
    put_part(x, c, e, false);
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
    kernelcopy_keep_names(c);
}

static bool find_all(struct eithers *x, struct arena *arena, const struct trace_pass *p) {
    const struct isa_kernel *k = x->k;
    x->parts = ARENA_ARRAY(arena, struct either_part, k->nregs + 1u);
    x->adds = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    x->list = ARENA_ARRAY(arena, struct either, MOST);
    x->shape = shape_new(k, NULL);
    for (uint32_t n = 0; x->shape && n < k->ninsts && x->count < MOST; n++) {
        struct either *e = &x->list[x->count];
        if (!find(x, n, e)) continue;
        trace_tell(p, &k->insts[e->first], "each of two elements has a part of an if");
        x->count++;
        n = e->last;
    }
    shape_free(x->shape);
    return x->count;
}

void opt_either(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct eithers x = {.k = k};
    struct kernelcopy c;
    uint32_t n = 0;
    bool any = false;
    for (; n < k->ninsts && !any; n++)
        any = is_bit(k, n) || (k->insts[n].op == ISA_select && k->insts[n].type == ISA_I32);
    if (!any || rewrite_nesting(k) >= ISA_MAX_NESTING) return;
    loops_find(&x.l, k, arena);
    numbers_find(&x.numbers, k, NULL, arena);
    if (!find_all(&x, arena, p)) return;
    kernelcopy_take(&c, k, arena);
    kernelcopy_keep_names(&c);
    x.k = (struct isa_kernel *)c.k;
    const struct either *e = x.list, *end = x.list + x.count;
    for (n = 0; n < c.k->ninsts && !isa_kernel_failed(k); n++) {
        for (const struct either *of = x.list; of < end; of++)
            if (of->before == n) put_sums(&x, &c, of);
        if (e < end && n == e->select) {
            put(&x, &c, e);
            n = e++->last;
        } else {
            kernelcopy_put(&c, n);
        }
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, x.l.reads, c.k->nregs);
}
