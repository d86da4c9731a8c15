#include "flat.h"

#include <string.h>

#include "device/isa/constant.h"
#include "itemindex.h"

enum { LEAST_ROW = 64 /* elements of a row whose length is known */ };

bool flat_begin(struct flat_code *f, const struct isa_kernel *k) {
    f->k = k;
    f->arena = loops_new(&f->loops, k);
    return f->arena;
}

void flat_end(struct flat_code *f) { arena_free(f->arena); }

/* What gives an operand; the same before it was copied or made wider; or NULL. */
static const struct isa_inst *writer(const struct flat_code *f, isa_operand o) {
    return loops_definition(&f->loops, f->k, o);
}

static const struct isa_inst *narrow_writer(const struct flat_code *f, isa_operand o) {
    return itemindex_unconverted(f->k, &f->loops, writer(f, o));
}

/* The operand is the index; *group: the size that groups must have then, or 0. */
static bool is_index(const struct flat_code *f, isa_operand o, uint32_t *group) {
    const struct isa_inst *i = narrow_writer(f, o);
    if (!i) return false;
    struct itemindex x = itemindex_of(f->k, &f->loops, i);
    *group = x.size;
    return x.d == 0;
}

/* The row by whose length something is divided, if it may be one. */
static struct flat_row row_of(const struct flat_code *f, isa_operand by) {
    const struct isa_inst *i = narrow_writer(f, by);
    bool power =
        i && i->op == ISA_shl && i->type == ISA_I32 && constant_is(f->k, isa_srcs(f->k, i)[0], 1);
    if (power) i = writer(f, isa_srcs(f->k, i)[1]);
    bool argument =
        i && i->op == ISA_ld && i->space == ISA_PARAM && i->type == ISA_I32 && i->count == 1;
    return (struct flat_row){
        .is = argument, .offset = argument ? (uint32_t)i->imm : 0, .power = power};
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
        *row = shift || mask ? (struct flat_row){0} : row_of(f, src[1]);
    }
    return !row->is ? FLAT_NEITHER : remainder ? FLAT_COLUMN : FLAT_ROW;
}

/* The same of the index, and of which size groups must be for that. */
static enum flat_part takes_apart(const struct flat_code *f, const struct isa_inst *i,
                                  struct flat_row *row) {
    enum flat_part part = divides(f, i, row);
    bool index = part != FLAT_NEITHER && is_index(f, isa_srcs(f->k, i)[0], &row->group);
    return index ? part : FLAT_NEITHER;
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
    if (row->power) length = (int32_t)(UINT32_C(1) << (length & 31));
    return length > 0 ? (uint32_t)length : 0;
}

enum flat_part flat_part(const struct flat_code *f, const struct flat_row *row,
                         const struct isa_inst *i) {
    struct flat_row by;
    enum flat_part part = row->is ? takes_apart(f, i, &by) : FLAT_NEITHER;
    bool same = part != FLAT_NEITHER && by.length == row->length && by.offset == row->offset &&
                by.power == row->power;
    return same && (!by.group || by.group == row->group) ? part : FLAT_NEITHER;
}
