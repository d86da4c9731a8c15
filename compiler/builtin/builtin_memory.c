/* Functions that move data: vloadn and vstoren (6.11.7), halves among them, fences and the barrier
 * (6.11.8, 6.11.9), async copies and prefetch (6.11.10). */
#include "builtin.h"

#include "device/isa/copies.h"

/* ---- vectors in memory that is aligned to their components only ---- */

/* Element `index` of those `stride` bytes apart that begin at the pointer; its components follow
 * each other. */
static void load(struct builtin_call *c, const struct value *pointer, isa_operand index,
                 uint32_t stride, uint32_t align, uint32_t n, isa_operand *out) {
    int32_t displacement = 0;
    isa_operand base = lower_address(c->l, pointer->c[0], index, stride, &displacement);
    lower_load(c->l, pointer->type->space, lower_element(pointer->type->elem), base, displacement,
               pointer->type->quals, align, n, out);
}

static void store(struct builtin_call *c, const struct value *pointer, isa_operand index,
                  uint32_t stride, uint32_t align, uint32_t n, const isa_operand *in) {
    int32_t displacement = 0;
    isa_operand base = lower_address(c->l, pointer->c[0], index, stride, &displacement);
    lower_store(c->l, pointer->type->space, lower_element(pointer->type->elem), base, displacement,
                pointer->type->quals, align, n, in);
}

void builtin_memory_vload(struct builtin_call *c) {
    uint32_t n = c->bind.count, size = c->args[1].type->elem->size;
    load(c, &c->args[1], c->args[0].c[0], n * size, size, n, c->result.c);
}

void builtin_memory_vstore(struct builtin_call *c) {
    uint32_t n = c->bind.count, size = c->args[2].type->elem->size;
    store(c, &c->args[2], c->args[1].c[0], n * size, size, n, c->args[0].c);
}

/* ---- halves. Aligned: a vector of 3 takes the room of 4 ---- */

static uint32_t half_stride(uint32_t n, bool aligned) { return 2 * (aligned && n == 3 ? 4 : n); }

static void load_half(struct builtin_call *c, bool aligned) {
    uint32_t n = c->bind.count, stride = half_stride(n, aligned);
    isa_operand bits[16];
    load(c, &c->args[1], c->args[0].c[0], stride, aligned ? stride : 2, n, bits);
    for (uint32_t i = 0; i < n; i++)
        c->result.c[i] = lower_cvt(c->l, ISA_h2f, ISA_F32, ISA_I16, ISA_RTE, bits[i]);
}

static void store_half(struct builtin_call *c, bool aligned) {
    uint32_t n = c->bind.count, stride = half_stride(n, aligned);
    isa_operand bits[16];
    for (uint32_t i = 0; i < n; i++)
        bits[i] = lower_cvt(c->l, ISA_f2h, ISA_I16, c->t, c->bind.rounding, c->args[0].c[i]);
    store(c, &c->args[2], c->args[1].c[0], stride, aligned ? stride : 2, n, bits);
}

void builtin_memory_vload_half(struct builtin_call *c) { load_half(c, false); }
void builtin_memory_vloada_half(struct builtin_call *c) { load_half(c, true); }
void builtin_memory_vstore_half(struct builtin_call *c) { store_half(c, false); }
void builtin_memory_vstorea_half(struct builtin_call *c) { store_half(c, true); }

/* ---- synchronisation ---- */

static void sync(struct builtin_call *c, enum isa_op op, int flags) {
    struct isa_inst *i = lower_emit(c->l, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    i->imm = flags;
    if (op == ISA_bar) lower_site(c->l, i, ISA_SITE_barrier);
}

/* CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE have the values of ISA_FENCE_*; flags not known now:
 * both. */
static int fence_flags(const struct builtin_call *c) {
    uint64_t flags = 0;
    const int both = ISA_FENCE_LOCAL | ISA_FENCE_GLOBAL;
    return builtin_constant(c, 0, &flags) ? (int)flags & both : both;
}

void builtin_memory_barrier(struct builtin_call *c) { sync(c, ISA_bar, fence_flags(c)); }
void builtin_memory_fence(struct builtin_call *c) { sync(c, ISA_fence, fence_flags(c) | c->b->a); }

/* ---- async copies: the work-items of the group share the elements out and copy at once, so all
 * that waiting for them has to do is to wait for each other. An event is 0; with -fcheck-copies it
 * is copies_event, or what was given, and notes tell of copies and waits ---- */

static struct isa_inst *note(struct builtin_call *c, enum isa_copies what, uint32_t n,
                             const isa_operand *operands) {
    struct isa_inst *i = lower_emit(c->l, ISA_copies, ISA_NONE_T, ISA_NONE_T, 0, NULL, n, operands);
    i->imm = what;
    lower_site(c->l, i, ISA_SITE_copy);
    return i;
}

/* The event of a copy whose elements lie `apart` bytes from each other, in destination and source:
 * 6.11.10 of 1.2, "if event argument is non-zero, event ... will be returned". */
static isa_operand event_note(struct builtin_call *c, isa_operand given,
                              const isa_operand apart[2]) {
    struct lower *l = c->l;
    isa_operand size = lower_const(l, ISA_I32, c->args[0].type->elem->size);
    uint32_t site = 0;
    for (unsigned side = 0; side < 2; side++) {
        isa_operand operands[] = {c->args[side].c[0], c->args[2].c[0], size, apart[side], given};
        uint32_t own = note(c, side ? ISA_COPIES_READ : ISA_COPIES_WRITTEN, 5, operands)->site;
        if (!side) site = own;
    }
    isa_operand event = lower_op2(l, ISA_mul, ISA_I32, c->args[0].c[0],
                                  lower_const(l, ISA_I32, COPIES_FACTOR)); /* copies_event */
    event = lower_op2(l, ISA_xor, ISA_I32, event, lower_const(l, ISA_I32, site));
    event = lower_op2(l, ISA_or, ISA_I32, event, lower_const(l, ISA_I32, 1));
    return lower_select(l, ISA_I32, lower_test(l, ISA_I32, given), given, event);
}

/* stride: of the elements of argument `strided`, in elements; ISA_NO_OPERAND: none. A vector of 3
 * is copied with its padding. */
static void copy(struct builtin_call *c, unsigned strided, isa_operand stride) {
    struct lower *l = c->l;
    const struct ast_type *object = c->args[0].type->elem;
    uint32_t n = object->size / lower_element(object)->size;
    isa_operand step = lower_op2(l, ISA_mul, ISA_I32, lower_special(l, ISA_SPECIAL_local_size_x),
                                 lower_special(l, ISA_SPECIAL_local_size_y));
    step = lower_op2(l, ISA_mul, ISA_I32, step, lower_special(l, ISA_SPECIAL_local_size_z));
    isa_operand i = lower_reg(l, ISA_I32), data[16], at[2];
    lower_mov(l, i, lower_special(l, ISA_SPECIAL_thread_id));

    unsigned loop = lower_begin(l, ISA_loop);
    lower_breakif(l, lower_cmp(l, ISA_le_u, ISA_I32, c->args[2].c[0], i), loop);
    at[0] = at[1] = i;
    if (stride != ISA_NO_OPERAND) at[strided] = lower_op2(l, ISA_mul, ISA_I32, i, stride);
    load(c, &c->args[1], at[1], object->size, object->align, n, data);
    store(c, &c->args[0], at[0], object->size, object->align, n, data);
    lower_mov(l, i, lower_op2(l, ISA_add, ISA_I32, i, step));
    lower_end(l);
    c->result.c[0] = lower_const(l, ISA_I32, 0);
    if (!l->options->check_copies) return;
    isa_operand apart[2];
    apart[0] = apart[1] = lower_const(l, ISA_I32, object->size);
    if (stride != ISA_NO_OPERAND)
        apart[strided] = lower_op2(l, ISA_mul, ISA_I32, stride, apart[strided]);
    c->result.c[0] = event_note(c, c->args[stride == ISA_NO_OPERAND ? 3 : 4].c[0], apart);
}

void builtin_memory_async_copy(struct builtin_call *c) { copy(c, 0, ISA_NO_OPERAND); }
void builtin_memory_async_strided(struct builtin_call *c) {
    copy(c, (unsigned)c->b->a, c->args[3].c[0]);
}

/* Waits for event `index` of the list. */
static void wait_note(struct builtin_call *c, isa_operand index) {
    isa_operand event;
    load(c, &c->args[1], index, sizeof(uint32_t), sizeof(uint32_t), 1, &event);
    note(c, ISA_COPIES_AWAITED, 1, &event);
}

static void wait_notes(struct builtin_call *c) {
    struct lower *l = c->l;
    isa_operand i = lower_reg(l, ISA_I32);
    uint64_t one;
    if (lower_is_const(l, c->args[0].c[0], &one) && one == 1) {
        wait_note(c, lower_const(l, ISA_I32, 0));
        return;
    }
    lower_mov(l, i, lower_const(l, ISA_I32, 0));
    unsigned loop = lower_begin(l, ISA_loop);
    lower_breakif(l, lower_cmp(l, ISA_le_s, ISA_I32, c->args[0].c[0], i), loop);
    wait_note(c, i);
    lower_mov(l, i, lower_op2(l, ISA_add, ISA_I32, i, lower_const(l, ISA_I32, 1)));
    lower_end(l);
}

void builtin_memory_wait(struct builtin_call *c) {
    if (c->l->options->check_copies) wait_notes(c);
    sync(c, ISA_bar, ISA_FENCE_LOCAL | ISA_FENCE_GLOBAL);
}

/* The device caches no global memory: there is nothing to do ahead. */
void builtin_memory_prefetch(struct builtin_call *c) { (void)c; }
