#include "transfer.h"

/* ---- memory ---- */

static void params(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    unsigned log = encode_log_size(i->type);
    for (unsigned c = 0; c < i->count; c++) {
        struct encode_target t = encode_target_scalar(d, isa_dsts(d->k, i)[c]);
        encode_unary(d, d->t->param[log], t.at, 0)->imm = i->imm + (int32_t)(c << log);
        encode_write_back_scalar(d, t);
    }
}

/* op->c of loads and stores: 1 when the address is uniform, the place of its uniform part when it
 * has one. */
static struct lanes_op *op_memory(struct encoder *d, op_fn run, uint32_t address, bool uniform) {
    struct lanes_op *op = encode_unary(d, run, 0, address);
    op->c = uniform;
    op->imm = d->inst->imm;
    op->inst = d->inst;
    return op;
}

/* A single access at a varying address: with the sum that makes it, where that is a part. */
static struct lanes_op *op_access(struct encoder *d, const op_fn *plain, const op_fn *sum) {
    unsigned log = encode_log_size(d->inst->type);
    isa_operand base = isa_srcs(d->k, d->inst)[0];
    const struct isa_inst *add = fuse_maker(&d->fuse, d->k, base);
    if (!add) return op_memory(d, plain[log], encode_place(d, base), false);
    const isa_operand *src = isa_srcs(d->k, add);
    bool second = fuse_maker(&d->fuse, d->k, src[1]) || !encode_is_uniform(d, src[1]);
    isa_operand index = src[second];
    const struct isa_inst *shift = fuse_maker(&d->fuse, d->k, index);
    uint32_t count = 0;
    if (shift) {
        index = isa_srcs(d->k, shift)[0];
        count = (uint32_t)d->k->consts[isa_const_index(isa_srcs(d->k, shift)[1])].bits % 32;
    }
    struct lanes_op *op = op_memory(d, sum[log], encode_place(d, index), false);
    op->c = encode_place(d, src[!second]);
    op->extra = count;
    return op;
}

/* From a uniform address: a scalar for each component. */
static void load_one(struct encoder *d, uint32_t address) {
    const struct isa_inst *i = d->inst;
    const isa_operand *dst = isa_dsts(d->k, i);
    unsigned log = encode_log_size(i->type);
    struct encode_target t[16];
    if (i->count > 1) { /* a component may go where the address is */
        uint32_t kept = encode_temp(d);
        encode_unary(d, d->t->scalar_move[2], kept, address);
        address = kept;
    }
    for (unsigned c = 0; c < i->count; c++) {
        t[c] = encode_target_scalar(d, dst[c]);
        struct lanes_op *op = op_memory(d, d->t->load_one[log], address, true);
        op->d = t[c].at;
        op->imm += (int32_t)(c << log);
    }
    for (unsigned c = 0; c < i->count; c++) encode_write_back_scalar(d, t[c]);
}

void transfer_load(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *dst = isa_dsts(d->k, i);
    isa_operand base = isa_srcs(d->k, i)[0];
    unsigned log = encode_log_size(i->type);
    bool row = encode_is_uniform(d, base), own = i->space == ISA_PRIVATE;
    if (i->space == ISA_PARAM) {
        params(d);
        return;
    }
    if (row && !own) {
        load_one(d, encode_place(d, base));
        return;
    }
    struct encode_target t[16];
    for (unsigned c = 0; c < i->count; c++) t[c] = encode_target_merged(d, dst[c]);
    if (i->count == 1 && !own) {
        op_access(d, d->t->load_all, d->t->load_at)->d = t[0].at;
    } else {
        uint32_t first = d->nlists;
        for (unsigned c = 0; c < i->count; c++) encode_list(d, t[c].at);
        op_fn run = !own  ? d->t->load_many[log]
                    : row ? d->t->load_own_row[log]
                          : d->t->load_own[log];
        struct lanes_op *op = op_memory(d, run, encode_place(d, base), row);
        op->b = i->count;
        op->extra = first;
    }
    for (unsigned c = 0; c < i->count; c++) encode_write_back(d, t[c]);
}

void transfer_store(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i);
    unsigned log = encode_log_size(i->type);
    bool row = encode_is_uniform(d, src[0]), own = i->space == ISA_PRIVATE;
    if (row && !own) { /* the highest lane's value stays */
        uint32_t value[16];
        for (unsigned c = 0; c < i->count; c++) {
            value[c] = encode_place(d, src[1 + c]);
            if (encode_is_uniform(d, src[1 + c])) continue;
            uint32_t last = encode_temp(d);
            encode_unary(d, d->t->pick_last[log], last, value[c]);
            value[c] = last;
        }
        for (unsigned c = 0; c < i->count; c++) {
            struct lanes_op *op = op_memory(d, d->t->store_one[log], encode_place(d, src[0]), true);
            op->b = value[c];
            op->imm += (int32_t)(c << log);
        }
        return;
    }
    uint32_t value[16];
    for (unsigned c = 0; c < i->count; c++) value[c] = encode_varying(d, src[1 + c], i->type);
    if (i->count == 1 && !own) {
        op_access(d, d->t->store_all, d->t->store_at)->b = value[0];
        return;
    }
    uint32_t first = d->nlists;
    for (unsigned c = 0; c < i->count; c++) encode_list(d, value[c]);
    op_fn run = !own  ? d->t->store_many[log]
                : row ? d->t->store_own_row[log]
                      : d->t->store_own[log];
    struct lanes_op *op = op_memory(d, run, encode_place(d, src[0]), row);
    op->b = i->count;
    op->extra = first;
}

void transfer_atomic(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i);
    uint32_t address = encode_varying(d, src[0], ISA_I32), value[2] = {0};
    for (unsigned n = 1; n < i->nsrc && n < 3; n++)
        value[n - 1] = encode_varying(d, src[n], i->type);
    struct encode_target t = encode_target_merged(d, isa_dsts(d->k, i)[0]);
    op_fn run = d->t->atomic[i->op - ISA_atom_add][i->type == ISA_I64][i->space == ISA_LOCAL];
    struct lanes_op *op = op_memory(d, run, address, false);
    op->d = t.at;
    op->b = value[0];
    op->c = value[1];
    encode_write_back(d, t);
}

/* ---- images, printf ---- */

static uint32_t index_entry(struct encoder *d, isa_operand o) {
    return encode_place(d, o) | (encode_is_uniform(d, o) ? LANES_UNIFORM : 0);
}

/* Lists hold image and sampler as they are, everything else as 32 lanes. */
void transfer_image(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i), *dst = isa_dsts(d->k, i);
    uint32_t entries[64], n = 0;
    unsigned asis = isa_first_coordinate(i);
    struct encode_target t[4];
    for (unsigned s = 0; s < i->nsrc && n < 16; s++)
        entries[n++] = s < asis ? index_entry(d, src[s])
                                : encode_varying(d, src[s], isa_operand_type(d->k, src[s]));
    uint32_t b = i->op == ISA_img_read ? n : n - 4;
    if (i->op == ISA_img_read) {
        for (unsigned c = 0; c < 4; c++) {
            bool same = false;
            for (unsigned s = 0; s < i->nsrc; s++) same |= src[s] == dst[c];
            t[c] = same ? encode_target_at(d, dst[c], true) : encode_target_merged(d, dst[c]);
            if (same) t[c].masked = true;
            entries[n++] = t[c].at;
        }
    } else if (i->op == ISA_img_info) {
        t[0] = encode_target_merged(d, dst[0]);
        b = t[0].uniform && encode_is_uniform(d, src[0]);
        if (b) t[0].at = t[0].reg, t[0].move = false;
    }
    uint32_t first = d->nlists;
    for (uint32_t e = 0; e < n; e++) encode_list(d, entries[e]);
    op_fn run = i->op == ISA_img_read    ? d->t->image_read
                : i->op == ISA_img_write ? d->t->image_write
                                         : d->t->image_info;
    struct lanes_op *op = encode_op(d, run);
    op->d = i->op == ISA_img_info ? t[0].at : 0;
    op->b = b;
    op->imm = i->imm;
    op->extra = first;
    op->inst = i;
    for (unsigned c = 0; c < i->ndst && c < 4; c++) encode_write_back(d, t[c]);
}

void transfer_print(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i);
    uint32_t first = d->nlists, room = encode_temp(d);
    for (unsigned n = 0; n < i->nsrc; n++) {
        if (n % (FRAME_TEMP_BYTES / 8) == 0 && n) encode_temp(d); /* values go on in the next one */
        encode_list(d, index_entry(d, src[n]));
        encode_list(d, isa_operand_type(d->k, src[n]));
    }
    struct lanes_op *op = encode_unary(d, d->t->print, 0, room);
    op->extra = first;
    op->inst = i;
    uint32_t zero = encode_place(d, ISA_NO_OPERAND);
    struct encode_target t = encode_target(d, isa_dsts(d->k, i)[0]);
    t.at = zero;
    t.move = true;
    if (t.uniform)
        encode_unary(d, d->t->scalar_move[2], t.reg, zero);
    else
        encode_write_back_scalar(d, t);
}

/* ---- notes, probes ---- */

void transfer_note(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i);
    uint32_t first = d->nlists;
    for (unsigned n = 0; n < i->nsrc; n++) {
        encode_list(d, index_entry(d, src[n]));
        encode_list(d, isa_operand_type(d->k, src[n]));
    }
    struct lanes_op *op = encode_op(d, d->t->noted);
    op->extra = first;
    op->inst = i;
}

void transfer_probe(struct encoder *d) {
    const struct isa_inst *i = d->inst;
    const isa_operand *src = isa_srcs(d->k, i);
    bool counts = i->op == ISA_probe_count;
    uint32_t first = d->nlists;
    for (unsigned n = 0; !counts && n < i->nsrc; n++) encode_list(d, index_entry(d, src[n]));
    struct lanes_op *op = encode_op(d, counts ? d->t->probe_count : d->t->probe_call);
    op->a = counts ? encode_place(d, src[0]) : 0;
    op->b = i->mod;
    op->imm = i->imm;
    op->extra = first;
    op->inst = i;
}
