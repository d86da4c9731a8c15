#include "decode.h"

#include <stdlib.h>
#include <string.h>

#include "transfer.h"

enum part { PART_KERNEL, PART_IF, PART_ELSE, PART_LOOP, PART_BLOCK };

struct decode_region {
    enum part part;
    bool divergent; /* lanes may wait for its end (or its else) in a slot */
    uint32_t head;  /* loops: first op of an iteration */
    uint32_t slot;  /* offset of its two masks */
    chain end;      /* jumps to where the lanes wait; of a loop: to the end of the iteration */
    chain exit;     /* jumps past its end, with the whole mask */
    chain merge;    /* the same, where lanes that wait must be added */
};

struct decoder {
    struct encoder out;
    struct decode_region open[ISA_MAX_NESTING + 1];
    uint32_t depth;     /* open regions, less the kernel itself */
    uint8_t *divergent; /* for each region's begin: lanes leave it one by one */
    enum decode_way way;
};

/* ---- arithmetic ---- */

/* The handlers of an instruction, by shape. */
static void find(const struct encoder *d, const struct isa_inst *i, op_fn row[LANES_SHAPES]) {
    if (i->op >= ISA_trunc && i->op <= ISA_f2h) {
        const op_fn *both =
            d->t->convert[i->op - ISA_trunc][i->type][i->type2][i->mod % ISA_ROUNDING_COUNT];
        memset(row, 0, LANES_SHAPES * sizeof *row);
        row[0] = both[0];
        row[LANES_SCALAR] = both[1];
        return;
    }
    bool compares = i->op >= ISA_eq && i->op <= ISA_funo;
    memcpy(row, d->t->alu[i->op][compares ? i->type2 : i->type], LANES_SHAPES * sizeof *row);
}

static void decode_copy(struct encoder *d, isa_operand dst, isa_operand src) {
    enum isa_type type = d->k->reg_types[dst];
    unsigned log = encode_log_size(type);
    struct encode_target t = encode_target(d, dst);
    t.at = encode_place(d, src);
    t.move = true;
    if (type == ISA_PRED && t.uniform && encode_is_uniform(d, src))
        encode_unary(d, d->t->pred_move, t.reg, t.at);
    else if (type == ISA_PRED || !encode_is_uniform(d, src))
        encode_write_back(d, t);
    else if (t.uniform)
        encode_unary(d, d->t->scalar_move[log], t.reg, t.at);
    else
        encode_write_back_scalar(d, t);
}

static void decode_scalar(struct encoder *d, op_fn run, isa_operand dst, const uint32_t *src,
                          unsigned nsrc) {
    struct encode_target t = encode_target_scalar(d, dst);
    struct lanes_op *op = encode_unary(d, run, t.at, nsrc > 0 ? src[0] : 0);
    op->b = nsrc > 1 ? src[1] : 0;
    op->c = nsrc > 2 ? src[2] : 0;
    op->imm = d->inst->imm;
    encode_write_back_scalar(d, t);
}

/* dst = the handler of `row` that fits the sources' shapes; where there is none, of sources made
 * varying. */
static void decode_row(struct encoder *d, const op_fn row[LANES_SHAPES], bool commutes,
                       isa_operand dst, const isa_operand *src, unsigned nsrc) {
    unsigned shape = 0; /* predicates count for no shape */
    uint32_t at[3] = {0};
    bool scalar = true;
    for (unsigned n = 0; n < nsrc; n++) {
        at[n] = encode_place(d, src[n]);
        if (!encode_is_uniform(d, src[n]))
            scalar = false;
        else if (isa_operand_type(d->k, src[n]) != ISA_PRED)
            shape |= 1u << n;
    }
    if (scalar) {
        decode_scalar(d, row[LANES_SCALAR], dst, at, nsrc);
        return;
    }
    if (commutes && (shape == 1 || shape == 2) && !row[shape] && row[shape ^ 3]) {
        uint32_t a = at[0];
        at[0] = at[1];
        at[1] = a;
        shape ^= 3;
    }
    for (unsigned n = 0; n < nsrc && shape && !row[shape]; n++) {
        if (!(shape & 1u << n)) continue;
        at[n] = encode_varying(d, src[n], isa_operand_type(d->k, src[n]));
        shape &= ~(1u << n);
    }
    struct encode_target t = encode_target(d, dst);
    struct lanes_op *op = encode_unary(d, row[shape], t.at, at[0]);
    op->b = at[1];
    op->c = at[2];
    encode_write_back(d, t);
}

/* Instruction i, or one that is a part of it, with its result in `dst`. */
static void decode_value(struct encoder *d, const struct isa_inst *i, isa_operand dst) {
    const isa_operand *src = isa_srcs(d->k, i);
    if (i->op == ISA_mov || i->op == ISA_bits || (i->op == ISA_f2f && i->type == i->type2)) {
        const struct isa_inst *value = fuse_maker(&d->fuse, d->k, src[0]);
        if (value)
            decode_value(d, value, dst);
        else
            decode_copy(d, dst, src[0]);
        return;
    }
    for (unsigned n = 0; i->op == ISA_add && n < 2; n++) {
        const struct isa_inst *product = fuse_maker(&d->fuse, d->k, src[n]);
        if (!product) continue;
        const isa_operand *factor = isa_srcs(d->k, product),
                          three[3] = {factor[0], factor[1], src[!n]};
        decode_row(d, d->t->multiply_add, true, dst, three, 3);
        return;
    }
    op_fn row[LANES_SHAPES];
    find(d, i, row);
    decode_row(d, row, isa_op_info[i->op].flags & ISA_OP_COMMUTES, dst, src, i->nsrc);
}

static void decode_special(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    isa_operand dst = isa_dsts(d->k, i)[0];
    static const bool uniform[] = {
#define ISA_SPECIAL(name, uniform, what) uniform,
#include "device/isa/special.def"
#undef ISA_SPECIAL
    };
    if (i->op != ISA_special) {
        decode_scalar(d, i->op == ISA_localaddr ? d->t->localaddr : d->t->constaddr, dst, NULL, 0);
    } else if (uniform[i->imm]) {
        decode_scalar(d, d->t->special[i->imm], dst, NULL, 0);
    } else {
        struct encode_target t = encode_target(d, dst);
        encode_unary(d, d->t->special[i->imm], t.at, 0);
        encode_write_back(d, t);
        d->code->uses_ids = true;
    }
}

/* A math function reads and writes 32 lanes, and its destinations are no sources. */
static void decode_math(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i), *dst = isa_dsts(d->k, i);
    enum isa_type type = i->op == ISA_ilogb ? i->type2 : i->type;
    math_fn fn = d->math->fn[i->op][type == ISA_F64 ? MATH_F64 : MATH_F32];
    uint32_t in[2] = {0};
    struct encode_target out[2] = {{0}};
    for (unsigned n = 0; n < i->nsrc && n < 2; n++)
        in[n] = encode_varying(d, src[n], isa_operand_type(d->k, src[n]));
    for (unsigned n = 0; n < i->ndst && n < 2; n++) {
        bool same = false;
        for (unsigned s = 0; s < i->nsrc; s++) same |= src[s] == dst[n];
        out[n] = encode_target_at(d, dst[n], same);
    }
    struct lanes_op *op = encode_unary(d, fn ? d->t->math : NULL, out[0].at, in[0]);
    op->b = in[1];
    op->c = out[1].at;
    op->math = fn;
    for (unsigned n = 0; n < i->ndst && n < 2; n++) encode_write_back(d, out[n]);
}

/* ---- control ---- */

/* Where a warp with an empty mask goes on: the next place where lanes wait. */
static void skip_later(struct decoder *c, bool extra) {
    struct encoder *d = &c->out;
    uint32_t n = c->depth;
    while (n && !c->open[n].divergent) n--;
    encode_jump(d, &c->open[n].end, extra);
}

static bool branch_uniform(const struct encoder *d) {
    return shape_branch(d->shape, d->i) >= SHAPE_WARP;
}

static struct decode_region *open_region(struct decoder *c, enum part part, bool divergent) {
    struct encoder *d = &c->out;
    struct decode_region *r = &c->open[++c->depth];
    *r = (struct decode_region){.part = part,
                                .divergent = divergent,
                                .end = ENCODE_NO_JUMP,
                                .exit = ENCODE_NO_JUMP,
                                .merge = ENCODE_NO_JUMP};
    r->slot = d->frame.regions + 8 * c->depth;
    return r;
}

/* A uniform branch on predicate `p`, taken if it is `when`. */
static void decode_branch(struct encoder *d, isa_operand p, bool when) {
    const struct isa_inst *test = fuse_maker(&d->fuse, d->k, p);
    if (test) {
        const isa_operand *src = isa_srcs(d->k, test);
        encode_unary(d, d->t->compare_jump[test->op - ISA_eq][when], 0, encode_place(d, src[0]))
            ->b = encode_place(d, src[1]);
    } else {
        encode_unary(d, when ? d->t->jump_if : d->t->jump_unless, 0, encode_place(d, p));
    }
}

static void decode_if(struct decoder *c) {
    struct encoder *d = &c->out;
    isa_operand p = isa_srcs(d->k, d->inst)[0];
    bool uniform = branch_uniform(d);
    struct decode_region *r = open_region(c, PART_IF, !uniform);
    if (uniform)
        decode_branch(d, p, false);
    else
        encode_unary(d, d->t->if_, 0, encode_place(d, p))->extra = r->slot;
    encode_jump(d, &r->end, false);
}

/* `reached`: some lane may come here from above. */
static void decode_else(struct decoder *c, bool reached) {
    struct encoder *d = &c->out;
    struct decode_region *r = &c->open[c->depth];
    if (r->divergent) {
        encode_label(d, &r->end);
        encode_op(d, d->t->else_)->extra = r->slot;
        encode_jump(d, &r->end, false);
    } else {
        if (reached) {
            encode_op(d, d->t->jump);
            encode_jump(d, &r->exit, false);
        }
        encode_label(d, &r->end);
    }
    r->part = PART_ELSE;
}

static void decode_end(struct decoder *c) {
    struct encoder *d = &c->out;
    struct decode_region *r = &c->open[c->depth--];
    if (r->part == PART_LOOP) {
        encode_label(d, &r->end);
        struct lanes_op *op =
            encode_unary(d, r->divergent ? d->t->endloop : d->t->repeat, r->slot, r->slot + 4);
        op->imm = (int32_t)(r->head - (d->nops - 1));
        op->inst = d->inst;
        skip_later(c, true);
    } else if (r->divergent) {
        encode_label(d, &r->end);
        encode_op(d, d->t->endif)->extra = r->slot;
        skip_later(c, false);
    } else {
        encode_label(d, &r->end);
    }
    if (r->merge != ENCODE_NO_JUMP) {
        /* Past a loop whose mask has become that of the lanes it was left by, or straight from a
         * jump. */
        encode_label(d, &r->merge);
        encode_op(d, d->t->endif)->extra = r->slot;
        skip_later(c, false);
    }
    encode_label(d, &r->exit);
}

static void decode_begin(struct decoder *c) {
    struct encoder *d = &c->out;
    bool divergent = c->divergent[d->i], loop = d->inst->op == ISA_loop;
    struct decode_region *r = open_region(c, loop ? PART_LOOP : PART_BLOCK, divergent);
    if (divergent) encode_unary(d, d->t->clear2, r->slot, r->slot + 4);
    r->head = d->nops;
}

/* Where all lanes that are left leave region `r`. */
static chain *leaving(struct decode_region *r, bool again) {
    if (again) return &r->end;
    if (!r->divergent) return &r->exit;
    return r->part == PART_LOOP ? &r->merge : &r->end;
}

static void decode_jump(struct decoder *c) {
    struct encoder *d = &c->out;
    const struct isa_inst *i = d->inst;
    const struct lanes_table *t = d->t;
    bool uniform = branch_uniform(d), conditional = i->op == ISA_breakif;
    if (i->op == ISA_ret) {
        encode_op(d, uniform ? t->jump : t->ret);
        if (uniform)
            encode_jump(d, &c->open[0].end, false);
        else
            skip_later(c, false);
        return;
    }
    struct decode_region *r = &c->open[c->depth - (uint32_t)i->imm];
    bool again = i->op == ISA_continue;
    isa_operand p = conditional ? isa_srcs(d->k, i)[0] : ISA_NO_OPERAND;
    if (uniform) {
        if (conditional)
            decode_branch(d, p, true);
        else
            encode_op(d, t->jump);
        encode_jump(d, leaving(r, again), false);
    } else {
        encode_unary(d, conditional ? t->leave_if : t->leave, r->slot + (again ? 4 : 0),
                     encode_place(d, p));
        skip_later(c, false);
    }
}

/* Which regions lanes leave one by one, so that they need masks. */
static void find_divergent(struct decoder *c) {
    struct encoder *d = &c->out;
    uint32_t begins[ISA_MAX_NESTING + 1], depth = 0;
    for (uint32_t i = 0; i < d->k->ninsts; i++) {
        const struct isa_inst *inst = &d->k->insts[i];
        uint32_t flags = isa_op_info[inst->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) begins[++depth] = i;
        if (flags & ISA_OP_REGION_END) depth--;
        if ((flags & ISA_OP_JUMP) && inst->op != ISA_ret && shape_branch(d->shape, i) < SHAPE_WARP)
            c->divergent[begins[depth - (uint32_t)inst->imm]] = 1;
    }
}

/* ---- the whole ---- */

/* Can another warp tell when the instruction is executed? */
static bool is_seen(const struct isa_inst *i, uint32_t flags) {
    if (flags & ISA_OP_MEMORY) return i->space == ISA_GLOBAL || i->space == ISA_LOCAL;
    return (flags & ISA_OP_IMAGE) != 0;
}

static void decode_inst(struct decoder *c) {
    struct encoder *d = &c->out;
    const struct isa_inst *i = d->inst;
    uint32_t flags = isa_op_info[i->op].flags;
    d->temps = 0;
    if (c->way == DECODE_YIELDS && is_seen(i, flags)) encode_op(d, d->t->yield);
    if (c->way == DECODE_STOPS) encode_op(d, d->t->stop)->inst = i;
    if (flags & ISA_OP_MATH)
        decode_math(d);
    else if (flags & ISA_OP_ATOMIC)
        transfer_atomic(d);
    else if (flags & ISA_OP_IMAGE)
        transfer_image(d);
    else
        switch (i->op) {
        case ISA_special:
        case ISA_localaddr:
        case ISA_constaddr: decode_special(d); break;
        case ISA_ld: transfer_load(d); break;
        case ISA_st: transfer_store(d); break;
        case ISA_printf: transfer_print(d); break;
        case ISA_probe_count:
        case ISA_probe_call: transfer_probe(d); break;
        case ISA_stmt:
        case ISA_copies:
        case ISA_index: break;
        case ISA_var:
        case ISA_var_at:
            if (c->way == DECODE_STOPS) transfer_note(d);
            break;
        case ISA_fence:
            if (i->imm & ISA_FENCE_GLOBAL) encode_op(d, d->t->fence);
            break;
        case ISA_bar: encode_op(d, d->t->barrier)->inst = i; break;
        case ISA_if: decode_if(c); break;
        case ISA_loop:
        case ISA_block: decode_begin(c); break;
        case ISA_break:
        case ISA_breakif:
        case ISA_continue:
        case ISA_ret: decode_jump(c); break;
        default: decode_value(d, i, isa_dsts(d->k, i)[0]);
        }
}

static void decode_all(struct decoder *c) {
    struct encoder *d = &c->out;
    const struct isa_kernel *k = d->k;
    c->open[0] = (struct decode_region){.part = PART_KERNEL,
                                        .end = ENCODE_NO_JUMP,
                                        .exit = ENCODE_NO_JUMP,
                                        .merge = ENCODE_NO_JUMP};
    bool reached = true;
    for (d->i = 0; d->i < k->ninsts && !d->failed; d->i++) {
        d->inst = &k->insts[d->i];
        uint32_t flags = isa_op_info[d->inst->op].flags;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
            if (flags & ISA_OP_REGION_ELSE)
                decode_else(c, reached);
            else
                decode_end(c);
            reached = true;
        } else if (!reached) {
            /* A region that nothing reaches is passed over as one. */
            if (flags & ISA_OP_REGION_BEGIN)
                while (!(isa_op_info[k->insts[d->i].op].flags & ISA_OP_REGION_END))
                    d->i = k->insts[d->i].match;
        } else if (d->fuse.into[d->i] == FUSE_NONE) {
            decode_inst(c);
            reached = !(flags & ISA_OP_JUMP) || d->inst->op == ISA_breakif;
        }
    }
    encode_label(d, &c->open[0].end);
    encode_op(d, d->t->end);
}

static void take_consts(struct encoder *d) {
    struct decoded *c = d->code;
    c->nconsts = d->k->nconsts + 1;
    c->consts = calloc(c->nconsts, sizeof *c->consts);
    if (!c->consts) {
        d->failed = true;
        return;
    }
    for (uint32_t n = 0; n < d->k->nconsts; n++) {
        const struct isa_const *v = &d->k->consts[n];
        c->consts[n] = v->type == ISA_PRED ? -(v->bits & 1) : v->bits;
    }
}

struct decoded *decode_kernel(const struct isa_kernel *k, const struct lanes_table *lanes,
                              const struct math_table *math, enum decode_way way) {
    struct decoder *c = calloc(1, sizeof *c);
    struct decoded *code = calloc(1, sizeof *code);
    if (!c || !code) goto failed;
    struct encoder *d = &c->out;
    c->way = way;
    d->k = k;
    d->t = lanes;
    d->math = math;
    d->code = code;
    d->shape = shape_new(k, NULL);
    c->divergent = calloc(k->ninsts + (size_t)1, 1);
    if (!d->shape || !c->divergent ||
        !fuse_find(&d->fuse, k, way == DECODE_STOPS ? NULL : d->shape) ||
        !frame_layout(&d->frame, k, d->shape, &d->fuse, sizeof(struct warp)))
        goto failed;
    find_divergent(c);
    take_consts(d);
    decode_all(c);
    uint64_t bytes = d->frame.temps + (uint64_t)d->most_temps * FRAME_TEMP_BYTES;
    if (d->failed || bytes >= LANES_UNIFORM) goto failed;
    code->kernel = k;
    code->consts_at = d->frame.consts;
    code->zero_begin = d->frame.zero_begin;
    code->zero_end = d->frame.zero_end;
    code->frame_bytes = (uint32_t)bytes;
    goto done;
failed:
    decode_free(code);
    code = NULL;
done:
    if (c) {
        shape_free(c->out.shape);
        frame_free(&c->out.frame);
        fuse_free(&c->out.fuse);
        free(c->divergent);
    }
    free(c);
    return code;
}

void decode_free(struct decoded *code) {
    if (!code) return;
    free(code->ops);
    free(code->lists);
    free(code->consts);
    free(code);
}
