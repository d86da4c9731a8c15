/* What a work-item's own array has at an index that is chosen among others (`m = v[j] < v[m] ? j :
 * m`) is chosen along with it, by the same condition, of what it has at each of them: elements at
 * constants, and what has been loaded at an index before. So no element is looked for by what its
 * index is. */
#include "device/isa/constant.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { ELEMENTS_DEPTH = 12, ELEMENTS_KNOWN = 64 };

/* An address in the frame: (index << shift) + plus; or, without an index, plus. */
struct element {
    isa_operand index;
    unsigned shift;
    int32_t plus;
    uint8_t type;
};

struct elements_finder {
    struct isa_kernel *k;
    struct rewrite_code old;
    struct loops l;
    uint32_t frame;
    struct element known[ELEMENTS_KNOWN]; /* loaded since private memory was stored to; */
    isa_operand values[ELEMENTS_KNOWN];   /* what that was */
    unsigned nknown;
    uint32_t chosen;
};

/* The only instruction that writes a register, before whatever reads it. */
static const struct isa_inst *made(const struct elements_finder *f, isa_operand o) {
    if (!isa_is_reg(o) || o >= f->old.nregs || !f->l.ordered[o]) return NULL;
    uint32_t n = f->l.writers[o];
    return n < LOOPS_NONE ? &f->old.insts[n] : NULL;
}

static const isa_operand *sources(const struct elements_finder *f, const struct isa_inst *i) {
    return f->old.operands + i->operands + i->ndst;
}

static struct element element_at(const struct elements_finder *f, isa_operand index, unsigned shift,
                                 int32_t plus, uint8_t type) {
    const struct isa_inst *i;
    uint64_t c;
    while ((i = made(f, index)) && isa_operand_type(f->k, index) == ISA_I32) {
        const isa_operand *src = sources(f, i);
        if (i->op == ISA_mov) {
            index = src[0];
        } else if (i->op == ISA_shl && constant_bits(f->k, src[1], &c) && c + shift < 16) {
            shift += (unsigned)c;
            index = src[0];
        } else if (i->op == ISA_add && constant_bits(f->k, src[1], &c)) {
            plus = (int32_t)((uint32_t)plus + ((uint32_t)c << shift));
            index = src[0];
        } else {
            break;
        }
    }
    if (constant_bits(f->k, index, &c)) {
        plus = (int32_t)((uint32_t)plus + ((uint32_t)c << shift));
        index = ISA_NO_OPERAND;
        shift = 0;
    }
    return (struct element){index, shift, plus, type};
}

static isa_operand known(const struct elements_finder *f, const struct element *e) {
    for (unsigned n = 0; n < f->nknown; n++) {
        const struct element *other = &f->known[n];
        if (other->index == e->index && other->shift == e->shift && other->plus == e->plus &&
            other->type == e->type)
            return f->values[n];
    }
    return ISA_NO_OPERAND;
}

static void note(struct elements_finder *f, const struct element *e, isa_operand value) {
    if (f->nknown == ELEMENTS_KNOWN || known(f, e) != ISA_NO_OPERAND) return;
    f->known[f->nknown] = *e;
    f->values[f->nknown++] = value;
}

/* Can what is there be chosen of what is known, and of constants' places? */
static bool is_known(const struct elements_finder *f, const struct element *e, unsigned depth) {
    uint32_t bytes = isa_type_size[e->type];
    if (known(f, e) != ISA_NO_OPERAND) return true;
    if (e->index == ISA_NO_OPERAND)
        return e->plus >= 0 && (uint32_t)e->plus + bytes <= f->frame && e->plus % (int)bytes == 0;
    const struct isa_inst *i = made(f, e->index);
    if (!i || i->op != ISA_select || !depth) return false;
    const isa_operand *src = sources(f, i);
    if (!made(f, src[0])) return false;
    for (unsigned s = 1; s < 3; s++) {
        struct element of = element_at(f, src[s], e->shift, e->plus, e->type);
        if (!is_known(f, &of, depth - 1)) return false;
    }
    return true;
}

/* What is there, chosen; like the load. */
static isa_operand value_of(struct elements_finder *f, const struct element *e,
                            const struct isa_inst *load) {
    isa_operand v = known(f, e), at = ISA_NO_OPERAND, of[2];
    if (v != ISA_NO_OPERAND) return v;
    if (e->index == ISA_NO_OPERAND) {
        v = isa_reg_new(f->k, (enum isa_type)e->type);
        struct isa_inst *i = rewrite_put(f->k, load, &v, &at);
        i->imm = e->plus;
        i->site = 0;
    } else {
        const isa_operand *src = sources(f, made(f, e->index));
        for (unsigned s = 1; s < 3; s++) {
            struct element x = element_at(f, src[s], e->shift, e->plus, e->type);
            of[s - 1] = value_of(f, &x, load);
        }
        v = isa_emit1(f->k, ISA_select, (enum isa_type)e->type, ISA_NONE_T, src[0], of[0], of[1]);
    }
    note(f, e, v);
    return v;
}

static bool is_private(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_MEMORY && i->space == ISA_PRIVATE;
}

static bool by_register(const struct isa_kernel *k, const struct isa_inst *i) {
    return i->op == ISA_ld && i->space == ISA_PRIVATE && i->count == 1 && i->ndst == 1 &&
           isa_is_reg(isa_srcs(k, i)[0]);
}

static void write(struct elements_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->old.insts[n];
    const isa_operand *dst = f->old.operands + i->operands, *src = dst + i->ndst;
    bool load = i->op == ISA_ld && is_private(i) && i->count == 1;
    if (isa_op_info[i->op].flags & ISA_OP_CONTROL || (is_private(i) && i->op != ISA_ld))
        f->nknown = 0;
    if (!load) {
        rewrite_put(f->k, i, dst, src);
        return;
    }
    struct element e = src[0] == ISA_NO_OPERAND
                           ? (struct element){ISA_NO_OPERAND, 0, i->imm, i->type}
                           : element_at(f, src[0], 0, i->imm, i->type);
    const struct isa_inst *choice = made(f, e.index);
    if (choice && choice->op == ISA_select && is_known(f, &e, ELEMENTS_DEPTH)) {
        isa_operand v = value_of(f, &e, i);
        isa_emit(f->k, ISA_mov, (enum isa_type)i->type, ISA_NONE_T, 1, dst, 1, &v);
        isa_site_remove(f->k, i->site, ISA_REMOVED_promoted);
        f->chosen++;
        return;
    }
    rewrite_put(f->k, i, dst, src);
    bool stays = f->l.ordered[dst[0]] && (!isa_is_reg(e.index) || made(f, e.index));
    if (stays) note(f, &e, dst[0]);
}

/* What straight code chooses for a register that is written elsewhere, too, has one of its own. */
static void name_choices(struct isa_kernel *k, struct arena *arena) {
    struct loops l;
    loops_find(&l, k, arena);
    isa_operand *names = ARENA_ARRAY(arena, isa_operand, k->nregs + 1u);
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t r = 0; r < old.nregs; r++) names[r] = ISA_NO_OPERAND;
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (isa_op_info[i->op].flags & ISA_OP_CONTROL)
            for (uint32_t r = 0; r < old.nregs; r++) names[r] = ISA_NO_OPERAND;
        for (unsigned m = 0; m < i->nsrc; m++)
            if (isa_is_reg(src[m]) && names[src[m]] != ISA_NO_OPERAND) src[m] = names[src[m]];
        bool own = i->op == ISA_select && i->type == ISA_I32 && !l.ordered[dst[0]];
        isa_operand name = own ? isa_reg_new(k, ISA_I32) : ISA_NO_OPERAND;
        rewrite_put(k, i, own ? &name : dst, src);
        if (own) isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, dst, 1, &name);
        for (unsigned m = 0; m < i->ndst; m++) names[dst[m]] = name;
    }
}

void opt_elements(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct elements_finder *f = ARENA_NEW(arena, struct elements_finder);
    bool any = false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (isa_op_info[k->insts[n].op].flags & ISA_OP_PROBE) return;
        any |= by_register(k, &k->insts[n]);
    }
    if (!any) return;
    rewrite_rename(k, arena);
    name_choices(k, arena);
    f->k = k;
    f->frame = isa_frame_bytes(k);
    loops_find(&f->l, k, arena);
    f->old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < f->old.ninsts && !isa_kernel_failed(k); n++) {
        k->cur_file = f->old.insts[n].file;
        k->cur_line = f->old.insts[n].line;
        write(f, n);
    }
    const struct isa_inst whole = {.line = 0};
    if (f->chosen)
        trace_tell(p, &whole, "%u elements at an index that is chosen are chosen", f->chosen);
}
