#include "maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 4096, TYPES = ISA_F64 + 1, FRAME = 96, MOST_COMPONENTS = 16 };

static uint64_t state;
static uint32_t any(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

struct kernel_maker {
    struct isa_kernel *k;
    isa_operand regs[TYPES][MAKER_REGS]; /* the first two of a type hold what is uniform at first */
    isa_operand row, thread, item; /* address of the item's results; its numbers, in the group and
                                      of all */
    isa_operand items;             /* of the group */
    uint32_t depth, budget;
    uint32_t loops;                         /* open ones */
    bool frame, images, doubles, divergent; /* divergent: lanes may have gone different ways */
};

static isa_operand reg(struct kernel_maker *m, enum isa_type t) {
    return m->regs[t][any(MAKER_REGS)];
}

static isa_operand operand(struct kernel_maker *m, enum isa_type t) {
    static const uint32_t floats[] = {0,          0x3f800000, 0xbf800000, 0x80000000, 0x00400000,
                                      0x7f800000, 0x40490fdb, 0x4b000001, 0xc1200000, 0x33800000};
    if (any(4)) return reg(m, t);
    if (t == ISA_PRED) return isa_const_new(m->k, t, any(2));
    if (t == ISA_F32) return isa_const_new(m->k, t, floats[any(10)]);
    if (t == ISA_F64) {
        uint64_t exponent = 1000 + any(50);
        return isa_const_new(m->k, t, exponent << 52 | any(1 << 20));
    }
    bool small = any(3);
    uint64_t bits = any(small ? 40 : 0xffffffff);
    if (!small) bits <<= any(40);
    return isa_const_new(m->k, t, any(4) ? bits : 0 - bits);
}

static struct isa_inst *emit(struct kernel_maker *m, enum isa_op op, enum isa_type t,
                             enum isa_type u, isa_operand d, unsigned n, const isa_operand *s) {
    return isa_emit(m->k, op, t, u, d == ISA_NO_OPERAND ? 0 : 1, &d, n, s);
}

static enum isa_type any_type(const struct kernel_maker *m, uint32_t allowed) {
    for (;;) {
        enum isa_type t = (enum isa_type)any(TYPES);
        if (t == ISA_F64 && !m->doubles) continue;
        if (allowed >> t & 1) return t;
    }
}

/* Replaces a NaN: its payload is nobody's promise. */
static void normalise(struct kernel_maker *m, isa_operand r, enum isa_type t) {
    if (t != ISA_F32 && t != ISA_F64) return;
    isa_operand p = isa_emit1(m->k, ISA_funo, ISA_PRED, t, r, r, ISA_NO_OPERAND);
    isa_operand one = isa_const_new(m->k, t, t == ISA_F32 ? 0x3f800000 : 0x3ff0000000000000);
    emit(m, ISA_select, t, ISA_NONE_T, r, 3, (isa_operand[]){p, one, r});
}

/* An operation and types for it. False: not those. */
static bool suits(const struct kernel_maker *m, enum isa_op op, enum isa_type *t,
                  enum isa_type *u) {
    const struct isa_op_info *info = &isa_op_info[op];
    if (!(info->flags & ISA_OP_PURE) || strpbrk(info->operands, "nmTV") || !info->types)
        return false;
    if (!m->doubles && (info->types == 1 << ISA_F64 || info->types2 == 1 << ISA_F64)) return false;
    *t = any_type(m, info->types);
    *u = info->types2 ? any_type(m, info->types2) : ISA_NONE_T;
    switch (op) {
    case ISA_bits: return isa_type_size[*t] == isa_type_size[*u];
    case ISA_f2f: return *t != *u;
    case ISA_trunc: return isa_type_size[*t] < isa_type_size[*u];
    case ISA_sext:
    case ISA_zext: return isa_type_size[*t] > isa_type_size[*u];
    default: return true;
    }
}

static void compute(struct kernel_maker *m) {
    enum isa_op op;
    enum isa_type t, u;
    do {
        op = (enum isa_op)any(ISA_ld);
    } while (!suits(m, op, &t, &u));
    const struct isa_op_info *info = &isa_op_info[op];
    const char *c = info->operands;
    isa_operand dst[2], src[3];
    unsigned ndst = 0, nsrc = 0;
    for (; *c != ':'; c++) {
        dst[ndst] = reg(m, *c == 'i' ? ISA_I32 : t);
        if (!ndst || dst[ndst] != dst[0])
            ndst++;
        else
            c--; /* they all differ */
    }
    for (c++; *c; c++)
        src[nsrc++] = operand(m, *c == 't' ? t : *c == 'p' ? ISA_PRED : *c == 'i' ? ISA_I32 : u);
    struct isa_inst *i = isa_emit(m->k, op, t, u, ndst, dst, nsrc, src);
    if (info->flags & ISA_OP_ROUNDS) i->mod = (uint8_t)any(ISA_ROUNDING_COUNT);
    for (unsigned d = 0; d < ndst; d++)
        normalise(m, dst[d], (enum isa_type)m->k->reg_types[dst[d]]);
}

static isa_operand word(struct kernel_maker *m, uint32_t v) {
    return isa_const_new(m->k, ISA_I32, v);
}

static isa_operand param(struct kernel_maker *m, uint32_t offset) {
    isa_operand d = isa_reg_new(m->k, ISA_I32), none = ISA_NO_OPERAND;
    struct isa_inst *i = emit(m, ISA_ld, ISA_I32, ISA_NONE_T, d, 1, &none);
    i->space = ISA_PARAM;
    i->imm = (int32_t)offset;
    return d;
}

static void load(struct kernel_maker *m) {
    enum isa_type t = any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 |
                                      1 << ISA_F32 | 1 << ISA_F64);
    isa_operand index = any(2) ? reg(m, ISA_I32) : m->thread, at, base = param(m, 0);
    isa_operand scale = word(m, any(2) ? isa_type_size[t] : 1 + any(16));
    at = isa_emit1(m->k, ISA_mul, ISA_I32, ISA_NONE_T, index, scale, ISA_NO_OPERAND);
    if (any(2))
        at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, reg(m, ISA_I32), ISA_NO_OPERAND);
    if (index != m->thread || any(2))
        at = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, at, word(m, TABLE / 2 - 1),
                       ISA_NO_OPERAND);
    at = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, at, word(m, TABLE - 1), ISA_NO_OPERAND);
    at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, base, ISA_NO_OPERAND);
    isa_operand d[4];
    unsigned count = (unsigned[]){1, 1, 2, 4}[any(4)], first = any(MAKER_REGS - 3);
    for (unsigned c = 0; c < count; c++) d[c] = m->regs[t][first + c];
    struct isa_inst *i = isa_emit(m->k, ISA_ld, t, ISA_NONE_T, count, d, 1, &at);
    i->space = any(3) ? ISA_GLOBAL : ISA_CONSTANT;
    if (!any(32)) i->flags = ISA_VOLATILE;
    i->imm = (int32_t)any(16);
    for (unsigned c = 0; c < count; c++) normalise(m, d[c], t);
}

static void store(struct kernel_maker *m) {
    enum isa_type t = any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 |
                                      1 << ISA_F32 | 1 << ISA_F64);
    isa_operand src[5] = {m->row};
    unsigned count = (unsigned[]){1, 1, 2, 4}[any(4)];
    for (unsigned c = 0; c < count; c++) src[1 + c] = operand(m, t);
    struct isa_inst *i = isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 1 + count, src);
    i->space = ISA_GLOBAL;
    if (!any(8)) i->flags = ISA_VOLATILE;
    i->imm = (int32_t)any(MAKER_ROW - 31);
}

static unsigned any_count(unsigned *before) {
    static const uint8_t counts[] = {1, 2, 3, 4, 8, 16};
    unsigned n = any(6);
    *before = 0;
    for (unsigned c = 0; c < n; c++) *before += counts[c];
    return counts[n];
}

static isa_operand scaled(struct kernel_maker *m, isa_operand index, uint32_t by,
                          isa_operand base) {
    isa_operand at =
        isa_emit1(m->k, ISA_mul, ISA_I32, ISA_NONE_T, index, word(m, by), ISA_NO_OPERAND);
    return isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, base, ISA_NO_OPERAND);
}

/* Vectors evenly apart: loads from the table, stores to places where no other item nor any other
 * kind of store comes. */
static void even(struct kernel_maker *m) {
    enum isa_type t = any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 |
                                      1 << ISA_F32 | 1 << ISA_F64);
    unsigned before, count = any_count(&before), size = isa_type_size[t];
    isa_operand list[1 + MOST_COMPONENTS];
    if (any(2)) {
        uint32_t at = MAKER_PLACES + ((size - 1) * MAKER_SUM + before * size) * MAKER_ITEMS;
        list[0] = scaled(m, m->item, size * count, param(m, 4));
        for (unsigned c = 0; c < count; c++) list[1 + c] = operand(m, t);
        struct isa_inst *i = isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 1 + count, list);
        i->space = ISA_GLOBAL;
        i->imm = (int32_t)at;
        return;
    }
    isa_operand base = param(m, 0);
    list[0] = scaled(m, m->thread, size * (1 + any(64 / size)), base);
    for (unsigned c = 0; c < count; c++) list[1 + c] = isa_reg_new(m->k, t);
    struct isa_inst *i = isa_emit(m->k, ISA_ld, t, ISA_NONE_T, count, list + 1, 1, list);
    i->space = any(3) ? ISA_GLOBAL : ISA_CONSTANT;
    i->imm = (int32_t)any(128);
    for (unsigned n = 0; n < 2; n++) {
        isa_operand d = reg(m, t);
        emit(m, ISA_mov, t, ISA_NONE_T, d, 1, &list[1 + any(count)]);
        normalise(m, d, t);
    }
}

/* Private memory: the address is inside for any value. */
static void own(struct kernel_maker *m) {
    if (!m->frame) {
        compute(m);
        return;
    }
    static const uint32_t masks[] = {28, 30, 31, 24};
    enum isa_type t =
        any_type(m, 1 << ISA_I8 | 1 << ISA_I16 | 1 << ISA_I32 | 1 << ISA_I64 | 1 << ISA_F32);
    isa_operand mask = word(m, masks[any(4)]), at = operand(m, ISA_I32);
    at = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, at, mask, ISA_NO_OPERAND);
    bool fixed = !any(3);
    if (fixed) at = ISA_NO_OPERAND;
    unsigned count = (unsigned[]){1, 1, 2, 4}[any(4)], first = any(MAKER_REGS - 3);
    isa_operand list[5] = {at};
    for (unsigned c = 0; c < count; c++) list[1 + c] = m->regs[t][first + c];
    bool reads = any(2);
    struct isa_inst *i = reads ? isa_emit(m->k, ISA_ld, t, ISA_NONE_T, count, list + 1, 1, list)
                               : isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 1 + count, list);
    i->space = ISA_PRIVATE;
    i->imm = (int32_t)(16 + any(fixed ? 12 : 2) * 4);
    for (unsigned c = 0; reads && c < count; c++) normalise(m, list[1 + c], t);
}

static enum isa_op any_atomic(void) {
    return (enum isa_op)(ISA_atom_add + any(ISA_atom_xor + 1 - ISA_atom_add));
}

/* Counters that all items of all groups change, by operations whose order does not matter. Each of
 * them has its own two. */
static void count(struct kernel_maker *m) {
    enum isa_type t = any(2) ? ISA_I32 : ISA_I64;
    enum isa_op op = any_atomic();
    if (op == ISA_atom_xchg) op = ISA_atom_add;
    int32_t place = op <= ISA_atom_sub ? 0 : op - ISA_atom_xchg;
    isa_operand at = param(m, 8);
    if (any(2)) {
        isa_operand which = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, reg(m, ISA_I32),
                                      word(m, 1), ISA_NO_OPERAND);
        which = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, which, word(m, 7), ISA_NO_OPERAND);
        at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, which, at, ISA_NO_OPERAND);
    }
    isa_operand old = isa_reg_new(m->k, t);
    struct isa_inst *i = emit(m, op, t, ISA_NONE_T, old, 2, (isa_operand[]){at, operand(m, t)});
    i->space = ISA_GLOBAL;
    i->imm = place * 8 + (t == ISA_I64) * 64;
}

/* Atomic operations where nobody else comes (a loop that looks at what they give stays in the
 * interpreter, as it may wait for another), on the item's own row or a place in local memory; the
 * old values are looked at. */
static void change(struct kernel_maker *m) {
    enum isa_type t = any(2) ? ISA_I32 : ISA_I64;
    bool local = any(2), swaps = !any(4);
    isa_operand at = m->row, operands[3];
    int32_t imm = (int32_t)any(MAKER_ROW / 8) * 8;
    if (local) {
        isa_operand first = isa_reg_new(m->k, ISA_I32);
        isa_emit(m->k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &first, 0, NULL)->imm = imm =
            4 * MAKER_ITEMS;
        at = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, m->thread, word(m, 3), ISA_NO_OPERAND);
        at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, first, ISA_NO_OPERAND);
        imm = 0;
        isa_emit(m->k, ISA_st, t, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, operand(m, t)})
            ->space = ISA_LOCAL;
    }
    operands[0] = at;
    operands[1] = operand(m, t);
    operands[2] = operand(m, t);
    isa_operand d = reg(m, t);
    struct isa_inst *i =
        emit(m, swaps ? ISA_atom_cas : any_atomic(), t, ISA_NONE_T, d, swaps ? 3 : 2, operands);
    i->space = local ? ISA_LOCAL : ISA_GLOBAL;
    i->imm = imm;
    if (!local) return;
    emit(m, ISA_ld, t, ISA_NONE_T, reg(m, t), 1, &at)->space = ISA_LOCAL;
}

/* Over local memory to another work-item, where all of the group are. */
static void trade(struct kernel_maker *m) {
    isa_operand local = isa_reg_new(m->k, ISA_I32), at, from;
    isa_emit(m->k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &local, 0, NULL);
    at = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, m->thread, word(m, 2), ISA_NO_OPERAND);
    at = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, at, local, ISA_NO_OPERAND);
    isa_emit(m->k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){at, reg(m, ISA_I32)})
        ->space = ISA_LOCAL;
    isa_emit(m->k, ISA_bar, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = ISA_FENCE_LOCAL;
    from = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, m->thread,
                     any(2) ? word(m, any(64)) : reg(m, ISA_I32), ISA_NO_OPERAND);
    from = isa_emit1(m->k, ISA_rem_u, ISA_I32, ISA_NONE_T, from, m->items, ISA_NO_OPERAND);
    from = isa_emit1(m->k, ISA_shl, ISA_I32, ISA_NONE_T, from, word(m, 2), ISA_NO_OPERAND);
    from = isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, from, local, ISA_NO_OPERAND);
    isa_operand d = reg(m, ISA_I32);
    emit(m, ISA_ld, ISA_I32, ISA_NONE_T, d, 1, &from)->space = ISA_LOCAL;
    isa_emit(m->k, ISA_bar, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = ISA_FENCE_LOCAL;
}

/* ---- images ---- */

enum { R = 0x10b0, RG = 0x10b2, RGB = 0x10b4, RGBA = 0x10b5, BGRA = 0x10b6 };
enum {
    SNORM16 = 0x10d1,
    UNORM8,
    UNORM16,
    UNORM565,
    INT8 = 0x10d7,
    INT16,
    INT32,
    UINT8,
    UINT16,
    UINT32,
    HALF,
    FLOAT
};
/* What is read lies in the table; the last two are written, each texel by one item. */
static const struct picture {
    uint8_t dim, texel_bytes;
    uint16_t order, type, width, height, depth, layers;
} pictures[] = {{ISA_DIM_1D, 4, RGBA, UNORM8, 37, 1, 1, 0},
                {ISA_DIM_1D_ARRAY, 4, RG, SNORM16, 19, 1, 1, 5},
                {ISA_DIM_1D_BUFFER, 16, RGBA, UINT32, 100, 1, 1, 0},
                {ISA_DIM_2D, 4, RGBA, UNORM8, 16, 12, 1, 0},
                {ISA_DIM_2D, 4, BGRA, UNORM8, 9, 7, 1, 0},
                {ISA_DIM_2D, 4, R, FLOAT, 13, 11, 1, 0},
                {ISA_DIM_2D, 2, RGB, UNORM565, 17, 5, 1, 0},
                {ISA_DIM_2D, 8, RGBA, INT16, 8, 8, 1, 0},
                {ISA_DIM_2D_ARRAY, 4, RGBA, UINT8, 6, 6, 1, 3},
                {ISA_DIM_2D_ARRAY, 8, RGBA, UNORM16, 6, 5, 1, 4},
                {ISA_DIM_3D, 8, RGBA, HALF, 8, 5, 4, 0},
                {ISA_DIM_3D, 1, R, INT8, 7, 3, 9, 0},
                {ISA_DIM_1D, 16, RGBA, UINT32, MAKER_ITEMS, 1, 1, 0},
                {ISA_DIM_1D, 4, RGBA, UNORM8, MAKER_ITEMS, 1, 1, 0}};
enum { PICTURES = sizeof pictures / sizeof *pictures, READ = PICTURES - 2 };

unsigned maker_images(struct texture *t, uint32_t table, uint32_t results) {
    for (unsigned n = 0; n < PICTURES; n++) {
        const struct picture *p = &pictures[n];
        uint32_t row = p->width * p->texel_bytes;
        t[n] = (struct texture){.address = table,
                                .width = p->width,
                                .height = p->height,
                                .depth = p->depth,
                                .array_size = p->layers,
                                .row_pitch = row,
                                .slice_pitch = p->dim == ISA_DIM_1D_ARRAY ? row : row * p->height,
                                .order = p->order,
                                .type = p->type,
                                .dim = p->dim,
                                .texel_bytes = p->texel_bytes};
    }
    t[READ].address = results + MAKER_TEXELS;
    t[READ + 1].address = results + MAKER_TEXELS + MAKER_ITEMS * 16;
    return PICTURES;
}

static bool whole_texels(const struct picture *p) { return p->type >= INT8 && p->type <= UINT32; }

static uint32_t any_sampler(bool real) {
    uint32_t address = real ? any(5) : any(3);
    uint32_t filter = real && any(2) ? ISA_SAMPLER_LINEAR : ISA_SAMPLER_NEAREST;
    bool normalised = address >= ISA_ADDRESS_REPEAT || (real && any(2));
    return (normalised ? ISA_SAMPLER_NORMALIZED : 0) | address << ISA_SAMPLER_ADDRESS_SHIFT |
           filter;
}

static void look(struct kernel_maker *m) {
    uint32_t which = any(READ);
    const struct picture *p = &pictures[which];
    bool whole = whole_texels(p), real = p->dim != ISA_DIM_1D_BUFFER && any(2);
    enum isa_type t = whole ? ISA_I32 : ISA_F32, u = real ? ISA_F32 : ISA_I32;
    isa_operand src[5] = {word(m, which)}, dst[4];
    if (!any(8)) {
        dst[0] = reg(m, ISA_I32);
        struct isa_inst *i = isa_emit(m->k, ISA_img_info, ISA_I32, ISA_NONE_T, 1, dst, 1, src);
        i->mod = p->dim;
        i->imm = (int32_t)any(ISA_IMAGE_INFO_COUNT);
        return;
    }
    uint32_t sampler = any_sampler(real);
    if (whole) sampler = (sampler & ~(uint32_t)ISA_SAMPLER_LINEAR) | ISA_SAMPLER_NEAREST;
    src[1] = word(m, sampler);
    for (unsigned d = 0; d < isa_image_coordinates[p->dim]; d++) {
        src[2 + d] = operand(m, u);
        if (!real && any(4)) /* inside, about */
            src[2 + d] = isa_emit1(m->k, ISA_and, ISA_I32, ISA_NONE_T, src[2 + d], word(m, 7),
                                   ISA_NO_OPERAND);
    }
    unsigned first = any(MAKER_REGS - 3);
    for (unsigned c = 0; c < 4; c++) dst[c] = m->regs[t][first + c];
    struct isa_inst *i =
        isa_emit(m->k, ISA_img_read, t, u, 4, dst, 2u + isa_image_coordinates[p->dim], src);
    i->mod = p->dim;
    if (whole && p->type >= UINT8) i->flags = ISA_UNSIGNED;
    for (unsigned c = 0; c < 4; c++) normalise(m, dst[c], t);
}

static void paint(struct kernel_maker *m) {
    uint32_t which = READ + any(2);
    bool whole = whole_texels(&pictures[which]);
    enum isa_type t = whole ? ISA_I32 : ISA_F32;
    isa_operand src[6] = {word(m, which), m->item};
    for (unsigned c = 0; c < 4; c++) src[2 + c] = operand(m, t);
    struct isa_inst *i = isa_emit(m->k, ISA_img_write, t, ISA_I32, 0, NULL, 6, src);
    i->mod = ISA_DIM_1D;
    if (whole) i->flags = ISA_UNSIGNED;
}

/* ---- control flow ---- */

static void control(struct kernel_maker *m, enum isa_op op, int32_t imm, isa_operand p) {
    isa_emit(m->k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, p != ISA_NO_OPERAND, &p)->imm = imm;
}

static void body(struct kernel_maker *m);

static void branch(struct kernel_maker *m) {
    bool before = m->divergent;
    m->divergent = true;
    control(m, ISA_if, 0, operand(m, ISA_PRED));
    body(m);
    if (any(2)) {
        control(m, ISA_else, 0, ISA_NO_OPERAND);
        body(m);
    }
    control(m, ISA_endif, 0, ISA_NO_OPERAND);
    m->divergent = before;
}

/* At most a few iterations; lanes may leave or skip the rest of one on their own. */
static void loop(struct kernel_maker *m) {
    isa_operand n = isa_reg_new(m->k, ISA_I32);
    bool before = m->divergent, own_way = any(2);
    emit(m, ISA_mov, ISA_I32, ISA_NONE_T, n, 1, (isa_operand[]){word(m, 1 + any(4))});
    m->loops++;
    control(m, ISA_loop, 0, ISA_NO_OPERAND);
    isa_operand done = isa_emit1(m->k, ISA_eq, ISA_PRED, ISA_I32, n, word(m, 0), ISA_NO_OPERAND);
    control(m, ISA_breakif, 0, done);
    emit(m, ISA_sub, ISA_I32, ISA_NONE_T, n, 2, (isa_operand[]){n, word(m, 1)});
    m->divergent |= own_way;
    body(m);
    if (own_way) {
        control(m, ISA_breakif, 0, reg(m, ISA_PRED));
        body(m);
        control(m, ISA_if, 0, operand(m, ISA_PRED));
        control(m, any(2) ? ISA_continue : ISA_break, 1, ISA_NO_OPERAND);
        control(m, ISA_endif, 0, ISA_NO_OPERAND);
        body(m);
    }
    control(m, ISA_endloop, 0, ISA_NO_OPERAND);
    m->loops--;
    m->divergent = before;
}

static void block(struct kernel_maker *m) {
    bool before = m->divergent;
    m->divergent = true;
    control(m, ISA_block, 0, ISA_NO_OPERAND);
    body(m);
    control(m, ISA_breakif, 0, operand(m, ISA_PRED));
    body(m);
    control(m, ISA_endblock, 0, ISA_NO_OPERAND);
    m->divergent = before;
}

static void body(struct kernel_maker *m) {
    m->depth++;
    for (uint32_t n = 1 + any(6); n && m->budget; n--) {
        m->budget--;
        switch (any(m->depth < 5 ? 17 : 12)) {
        case 0: load(m); break;
        case 1: store(m); break;
        case 2: own(m); break;
        case 3: (any(2) && (!m->loops || !any(8)) ? change : count)(m); break;
        case 4: even(m); break;
        case 5:
            if (m->images) (any(3) ? look : paint)(m);
            break;
        case 13: branch(m); break;
        case 14: loop(m); break;
        case 15: block(m); break;
        case 16:
            if (!m->divergent) trade(m);
            break;
        default: compute(m);
        }
    }
    m->depth--;
}

static isa_operand special(struct kernel_maker *m, enum isa_special which) {
    isa_operand d = isa_reg_new(m->k, ISA_I32);
    isa_emit(m->k, ISA_special, ISA_I32, ISA_NONE_T, 1, &d, 0, NULL)->imm = (int32_t)which;
    return d;
}

/* Number among all items, of groups that lie behind one another in the first dimension. */
static isa_operand item_of(struct kernel_maker *m) {
    isa_operand n = special(m, ISA_SPECIAL_local_size_x);
    for (unsigned d = 1; d < 3; d++)
        n = isa_emit1(m->k, ISA_mul, ISA_I32, ISA_NONE_T, n,
                      special(m, (enum isa_special)(ISA_SPECIAL_local_size_x + d)), ISA_NO_OPERAND);
    m->items = n;
    n = isa_emit1(m->k, ISA_mul, ISA_I32, ISA_NONE_T, n, special(m, ISA_SPECIAL_group_id_x),
                  ISA_NO_OPERAND);
    return isa_emit1(m->k, ISA_add, ISA_I32, ISA_NONE_T, n, m->thread, ISA_NO_OPERAND);
}

/* Most kernels are small: they cost the least and show as much. */
static uint32_t any_budget(void) {
    static const uint8_t sizes[] = {2, 3, 4, 5, 6, 8, 12, 32};
    uint32_t size = sizes[any(8)];
    return size + any(size);
}

static bool written(const struct isa_kernel *k, isa_operand r) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++)
            if (isa_dsts(k, &k->insts[n])[d] == r) return true;
    return false;
}

static void make_kernel(struct isa_module *module, unsigned number) {
    char name[16];
    snprintf(name, sizeof name, "k%u", number);
    struct kernel_maker m = {.k = isa_kernel_new(module, name),
                             .budget = any_budget(),
                             .frame = any(3) == 0,
                             .images = any(4) == 0,
                             .doubles = any(3) == 0};
    struct isa_kernel *k = m.k;
    struct isa_param *p = isa_kernel_add_param(k, "table", "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .pointee_align = 1};
    p = isa_kernel_add_param(k, "out", "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .offset = 4,
                            .pointee_align = 1};
    p = isa_kernel_add_param(k, "counters", "char*");
    *p = (struct isa_param){.name = p->name,
                            .type_name = p->type_name,
                            .kind = ISA_PARAM_GLOBAL,
                            .size = 4,
                            .align = 4,
                            .offset = 8,
                            .pointee_align = 1};
    k->param_bytes = 12;
    k->local_bytes = 12 * MAKER_ITEMS;
    k->private_bytes = m.frame ? FRAME : 0;
    for (int t = ISA_PRED; t < TYPES; t++)
        for (int n = 0; n < MAKER_REGS; n++) {
            if (t == ISA_F64 && !m.doubles) continue;
            m.regs[t][n] = isa_reg_new(k, (enum isa_type)t);
        }
    m.thread = special(&m, ISA_SPECIAL_thread_id);
    isa_operand id = m.item = item_of(&m);
    isa_operand at =
        isa_emit1(k, ISA_mul, ISA_I32, ISA_NONE_T, id, word(&m, MAKER_ROW), ISA_NO_OPERAND);
    m.row = isa_emit1(k, ISA_add, ISA_I32, ISA_NONE_T, at, param(&m, 4), ISA_NO_OPERAND);
    if (any(2)) id = special(&m, (enum isa_special)(ISA_SPECIAL_local_id_x + any(3)));
    emit(&m, ISA_mov, ISA_I32, ISA_NONE_T, m.regs[ISA_I32][2], 1, &id);
    emit(&m, ISA_mov, ISA_I32, ISA_NONE_T, m.regs[ISA_I32][3], 1, &m.thread);
    emit(&m, ISA_u2f, ISA_F32, ISA_I32, m.regs[ISA_F32][2], 1, &id);
    emit(&m, ISA_lt_u, ISA_PRED, ISA_I32, m.regs[ISA_PRED][2], 2,
         (isa_operand[]){m.thread, word(&m, any(64))});
    for (int32_t at = 16; m.frame && at < FRAME; at += 8) {
        isa_operand src[] = {ISA_NO_OPERAND, isa_const_new(k, ISA_I64, 0)};
        struct isa_inst *i = isa_emit(k, ISA_st, ISA_I64, ISA_NONE_T, 0, NULL, 2, src);
        i->space = ISA_PRIVATE;
        i->imm = at;
    }
    while (m.budget) body(&m);
    for (int t = ISA_I8; t < TYPES; t++)
        for (int n = 0; n < MAKER_REGS && !(t == ISA_F64 && !m.doubles); n++) {
            isa_operand src[] = {ISA_NO_OPERAND, m.regs[t][n]};
            if (!written(k, src[1]) || any(2)) continue;
            uint32_t size = isa_type_size[t];
            src[0] = scaled(&m, m.item, size, param(&m, 4));
            struct isa_inst *i = isa_emit(k, ISA_st, (enum isa_type)t, ISA_NONE_T, 0, NULL, 2, src);
            i->space = ISA_GLOBAL;
            i->imm = (int32_t)(MAKER_FINALS + (uint32_t)(t * MAKER_REGS + n) * 8 * MAKER_ITEMS);
        }
}

struct isa_module *maker_module(uint64_t seed) {
    state = seed * 0x9e3779b97f4a7c15u + 1;
    struct isa_module *module = isa_module_new();
    for (unsigned n = 0; n < MAKER_KERNELS; n++) make_kernel(module, n);
    return module;
}
