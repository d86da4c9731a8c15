#include "flat.h"

#include <string.h>

enum { DIMENSIONS = 3, LEAST_ROW = 64 /* elements of a row whose length is known */ };

/* ---- group_id * local_size + local_id ---- */

bool flat_begin(struct flat_code *f, const struct isa_kernel *k) {
    f->k = k;
    f->arena = loops_new(&f->loops, k);
    return f->arena;
}

void flat_end(struct flat_code *f) { arena_free(f->arena); }

/* The only instruction that writes a register, if it is in no region and before `reader`; or NULL.
 */
static const struct isa_inst *writer(const struct flat_code *f, isa_operand reg,
                                     const struct isa_inst *reader) {
    uint32_t n = loops_written(&f->loops, reg, 0, (uint32_t)(reader - f->k->insts));
    return n < LOOPS_NONE ? &f->k->insts[n] : NULL;
}

static bool reads(const struct flat_code *f, const struct isa_inst *reader, isa_operand o,
                  uint32_t which) {
    const struct isa_inst *i = writer(f, o, reader);
    return i && i->op == ISA_special && (uint32_t)i->imm == which;
}

/* What the operand is, if it is the first work-item's index in the group, in dimension d: the
 * group's index times its size. */
enum { NO_SIZE = 0, ANY_SIZE = UINT32_MAX /* whatever it is */ };
static uint32_t times_size(const struct flat_code *f, const struct isa_inst *reader, isa_operand o,
                           unsigned d) {
    const struct isa_inst *i = writer(f, o, reader);
    if (!i || i->type != ISA_I32) return NO_SIZE;
    const isa_operand *src = isa_srcs(f->k, i);
    for (unsigned n = 0; (i->op == ISA_mul || i->op == ISA_shl) && n < 2; n++) {
        isa_operand by = src[!n];
        if (!reads(f, i, src[n], ISA_SPECIAL_group_id_x + d)) continue;
        if (i->op == ISA_mul && reads(f, i, by, ISA_SPECIAL_local_size_x + d)) return ANY_SIZE;
        if (!isa_is_const(by) || (i->op == ISA_shl && n)) return NO_SIZE;
        uint64_t bits = f->k->consts[isa_const_index(by)].bits;
        return (uint32_t)(i->op == ISA_mul ? bits : 1ull << (bits & 31));
    }
    return NO_SIZE;
}

/* The size that groups have if an instruction adds up the index in dimension d. */
static uint32_t size_of_sum(const struct flat_code *f, const struct isa_inst *i, unsigned d) {
    if (i->op != ISA_add || i->type != ISA_I32) return NO_SIZE;
    const isa_operand *src = isa_srcs(f->k, i);
    for (unsigned n = 0; n < 2; n++)
        if (reads(f, i, src[n], ISA_SPECIAL_local_id_x + d)) return times_size(f, i, src[!n], d);
    return NO_SIZE;
}

unsigned flat_adds_up(const struct flat_code *f, const struct isa_inst *i, const uint32_t *group) {
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t size = size_of_sum(f, i, d);
        if (size == ANY_SIZE || (size != NO_SIZE && size == group[d])) return d;
    }
    return DIMENSIONS;
}

/* ---- / and % ---- */

/* What wrote an operand, before it was made wider. */
static const struct isa_inst *narrow_writer(const struct flat_code *f, isa_operand o,
                                            const struct isa_inst *reader) {
    const struct isa_inst *i = writer(f, o, reader);
    while (i && (i->op == ISA_zext || i->op == ISA_sext || i->op == ISA_mov))
        i = writer(f, isa_srcs(f->k, i)[0], i);
    return i;
}

/* The operand is the index; *group: the size that groups must have then, NO_SIZE or ANY_SIZE. */
static bool is_index(const struct flat_code *f, isa_operand o, const struct isa_inst *reader,
                     uint32_t *group) {
    const struct isa_inst *i = narrow_writer(f, o, reader);
    *group = ANY_SIZE;
    if (!i) return false;
    if (i->op == ISA_special) return i->imm == ISA_SPECIAL_global_id_x;
    if (i->op != ISA_add) return false;
    *group = size_of_sum(f, i, 0);
    return *group != NO_SIZE;
}

/* The row by whose length something is divided, if it may be one. */
static struct flat_row row_of(const struct flat_code *f, const struct isa_inst *reader,
                              isa_operand by) {
    const struct isa_inst *i = narrow_writer(f, by, reader);
    bool argument =
        i && i->op == ISA_ld && i->space == ISA_PARAM && i->type == ISA_I32 && i->count == 1;
    return (struct flat_row){.is = argument, .offset = argument ? (uint32_t)i->imm : 0};
}

static struct flat_row row_of_length(uint64_t length) {
    bool is = length >= LEAST_ROW && length <= INT32_MAX;
    return (struct flat_row){.is = is, .length = is ? (uint32_t)length : 0};
}

/* What an instruction makes of something, and of which rows. */
static enum flat_part divides(const struct flat_code *f, const struct isa_inst *i,
                              struct flat_row *row) {
    const isa_operand *src = isa_srcs(f->k, i);
    bool shift = i->op == ISA_shr_u || i->op == ISA_shr_s, mask = i->op == ISA_and;
    bool remainder = i->op == ISA_rem_s || i->op == ISA_rem_u || mask;
    if (!shift && !remainder && i->op != ISA_div_s && i->op != ISA_div_u) return FLAT_NEITHER;
    if ((i->type != ISA_I32 && i->type != ISA_I64) || !isa_is_reg(src[0])) return FLAT_NEITHER;
    if (isa_is_const(src[1])) {
        uint64_t by = f->k->consts[isa_const_index(src[1])].bits;
        if (mask && by & (by + 1)) return FLAT_NEITHER;
        *row = row_of_length(shift ? by < 31 ? 1ull << by : 0 : by + mask);
    } else {
        *row = shift || mask ? (struct flat_row){0} : row_of(f, i, src[1]);
    }
    return !row->is ? FLAT_NEITHER : remainder ? FLAT_COLUMN : FLAT_ROW;
}

/* The same of the index, and of which size groups must be for that. */
static enum flat_part takes_apart(const struct flat_code *f, const struct isa_inst *i,
                                  struct flat_row *row) {
    enum flat_part part = divides(f, i, row);
    if (part == FLAT_NEITHER || !is_index(f, isa_srcs(f->k, i)[0], i, &row->group))
        return FLAT_NEITHER;
    if (row->group == ANY_SIZE) row->group = 0;
    return part;
}

struct flat_row flat_row(const struct flat_code *f) {
    struct flat_row found = {0}, row;
    for (uint32_t n = 0; n < f->k->ninsts; n++) {
        enum flat_part part = takes_apart(f, &f->k->insts[n], &row);
        if (part == FLAT_COLUMN) return row;
        if (part == FLAT_ROW && !found.is) found = row;
    }
    return found;
}

uint32_t flat_length(const struct flat_row *row, uint32_t group, const char *params) {
    int32_t length = (int32_t)row->length;
    if (!row->is || (row->group && row->group != group)) return 0;
    if (!length) memcpy(&length, params + row->offset, sizeof length);
    return length > 0 ? (uint32_t)length : 0;
}

enum flat_part flat_part(const struct flat_code *f, const struct flat_row *row,
                         const struct isa_inst *i) {
    struct flat_row by;
    enum flat_part part = row->is ? takes_apart(f, i, &by) : FLAT_NEITHER;
    bool same = part != FLAT_NEITHER && by.length == row->length && by.offset == row->offset;
    return same && (!by.group || by.group == row->group) ? part : FLAT_NEITHER;
}
