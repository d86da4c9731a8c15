/* Objects of the private frame: into registers where every access is to whole components at
 * constant places, else into the frame, one scope above the other. */
#include "device/isa/components.h"
#include "pass.h"

#include <string.h>

enum {
    FIRST = 16,
    MAX_PROMOTED = 4096
}; /* bytes: no object has address 0; of one object in registers */

struct frame_slot {
    bool stays;       /* in memory */
    uint8_t *type;    /* by byte: type of the component that begins there (components.h) */
    isa_operand *reg; /* by byte: the component's register */
    uint32_t offset;
};

struct frame_layout {
    struct isa_kernel *k;
    struct arena *arena;
    const struct pass_frame *f;
    struct frame_slot *objects;
    uint32_t *by_reg; /* index + 1 of the object a register names */
    uint32_t nregs;   /* before there were registers for components */
};

static uint32_t object_of(const struct frame_layout *x, isa_operand o) {
    return isa_is_reg(o) && o < x->nregs ? x->by_reg[o] : 0;
}

static void look(struct frame_layout *x, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(x->k, i);
    for (uint32_t n = 0; n < i->nsrc; n++) {
        uint32_t index = object_of(x, src[n]);
        if (!index) continue;
        struct frame_slot *o = &x->objects[index - 1];
        uint32_t size = x->f->objects[index - 1].size;
        bool access = n == 0 && (i->op == ISA_ld || i->op == ISA_st) && i->space == ISA_PRIVATE;
        if (!access || (i->flags & ISA_VOLATILE) || o->stays || i->imm < 0 ||
            (uint64_t)i->imm + isa_bytes(i) > size) {
            o->stays = true;
            continue;
        }
        for (uint32_t c = 0; c < i->count && !o->stays; c++)
            o->stays =
                !components_note(o->type, (uint32_t)i->imm + c * isa_type_size[i->type], i->type);
    }
}

/* ---- places in the frame ---- */

static void place(struct frame_layout *x) {
    const struct pass_frame *f = x->f;
    uint64_t *end = ARENA_ARRAY(x->arena, uint64_t, f->nscopes + 1u), highest = 0;
    /* objects by scope; scopes come after the scope around them */
    uint32_t *first = ARENA_ARRAY(x->arena, uint32_t, f->nscopes + 1u);
    uint32_t *next = ARENA_ARRAY(x->arena, uint32_t, f->nobjects + 1u);
    for (uint32_t i = f->nobjects; i-- > 0;) {
        uint32_t scope = f->objects[i].scope;
        next[i] = first[scope];
        first[scope] = i + 1;
    }
    for (uint32_t s = 0; s < f->nscopes; s++) {
        uint64_t at = s ? end[f->scopes[s]] : FIRST;
        for (uint32_t i = first[s]; i; i = next[i - 1]) {
            if (!x->objects[i - 1].stays) continue;
            uint64_t align = f->objects[i - 1].align ? f->objects[i - 1].align : 1;
            at = (at + align - 1) / align * align;
            x->objects[i - 1].offset = at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
            at += f->objects[i - 1].size;
            highest = at > highest ? at : highest;
            if (f->objects[i - 1].variable)
                x->k->variables[f->objects[i - 1].variable - 1].offset = x->objects[i - 1].offset;
        }
        end[s] = at;
    }
    highest = (highest + FIRST - 1) / FIRST * FIRST;
    x->k->private_bytes = highest < UINT32_MAX ? (uint32_t)highest : UINT32_MAX;
}

/* ---- rewriting ---- */

/* The register that stands for the component at a byte of an object. */
static isa_operand component(struct frame_layout *x, struct frame_slot *o, uint32_t at) {
    if (o->reg[at] == ISA_NO_OPERAND) o->reg[at] = isa_reg_new(x->k, o->type[at]);
    return o->reg[at];
}

static void promoted(struct frame_layout *x, struct frame_slot *o, const struct isa_inst *i,
                     const isa_operand *dst, const isa_operand *src) {
    for (uint32_t c = 0; c < i->count; c++) {
        uint32_t at = (uint32_t)i->imm + c * isa_type_size[i->type];
        isa_operand reg = component(x, o, at);
        if (i->op == ISA_ld)
            components_move(x->k, dst[c], reg, i->type, o->type[at]);
        else
            components_move(x->k, reg, src[1 + c], o->type[at], i->type);
    }
}

static void rewrite(struct frame_layout *x, const struct isa_inst *i, const isa_operand *dst,
                    isa_operand *src) {
    struct isa_kernel *k = x->k;
    struct isa_inst copy = *i;
    k->cur_file = i->file;
    k->cur_line = i->line;
    uint32_t base =
        i->nsrc && (isa_op_info[i->op].flags & ISA_OP_MEMORY) ? object_of(x, src[0]) : 0;
    for (uint32_t n = base ? 1 : 0; n < i->nsrc; n++) { /* addresses that are values */
        uint32_t index = object_of(x, src[n]);
        if (index) src[n] = isa_const_new(k, ISA_I32, x->objects[index - 1].offset);
    }
    if (base) {
        struct frame_slot *o = &x->objects[base - 1];
        if (!o->stays) {
            isa_site_remove(k, i->site, ISA_REMOVED_promoted);
            promoted(x, o, i, dst, src);
            return;
        }
        int64_t at = (int64_t)i->imm + o->offset;
        if (i->space == ISA_PRIVATE && at > -ISA_MAX_DISPLACEMENT && at < ISA_MAX_DISPLACEMENT) {
            src[0] = ISA_NO_OPERAND;
            copy.imm = (int32_t)at;
        } else {
            src[0] =
                isa_emit1(k, ISA_mov, ISA_I32, ISA_NONE_T, isa_const_new(k, ISA_I32, o->offset),
                          ISA_NO_OPERAND, ISA_NO_OPERAND);
        }
    }
    rewrite_put(k, &copy, dst, src);
}

/* What is in memory before anything is stored there is not set in registers, either. */
static void put_unset(struct frame_layout *x, struct frame_slot *o, uint32_t at) {
    struct isa_kernel *k = x->k;
    enum isa_type t = o->type[at];
    isa_operand reg = component(x, o, at), u = isa_reg_new(k, ISA_I32), wide = u;
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &u, 0, NULL)->imm = ISA_SPECIAL_undefined;
    if (isa_type_size[t] == 8) {
        wide = isa_reg_new(k, ISA_I64);
        isa_emit(k, ISA_sext, ISA_I64, ISA_I32, 1, &wide, 1, &u);
    }
    if (isa_type_size[t] < 4)
        isa_emit(k, ISA_trunc, t, ISA_I32, 1, &reg, 1, &u);
    else
        components_move(k, reg, wide, t, isa_type_size[t] == 8 ? ISA_I64 : ISA_I32);
}

static void put_all_unset(struct frame_layout *x) {
    for (uint32_t i = 0; i < x->f->nobjects; i++) {
        struct frame_slot *o = &x->objects[i];
        x->k->cur_line = x->f->objects[i].line;
        for (uint32_t at = 0; !o->stays && at < x->f->objects[i].size; at++)
            if (o->type[at] && o->type[at] != COMPONENTS_INSIDE) put_unset(x, o, at);
    }
}

static void tell(const struct pass *p, const struct frame_object *f, const struct frame_slot *o) {
    const struct isa_inst where = {.line = f->line};
    if (!o->stays)
        trace_tell(&p->trace, &where, "%u bytes become registers", f->size);
    else
        trace_tell(&p->trace, &where, "%u bytes stay in memory%s", f->size,
                   p->off                   ? ""
                   : f->size > MAX_PROMOTED ? ": they are too many"
                                            : ": where in them an access goes is not known");
}

bool pass_frame(const struct pass *p) {
    const struct pass_frame *f = &p->options->frame;
    struct isa_kernel *k = p->k;
    struct arena *arena = p->arena;
    if (!f->nobjects) return false;
    struct frame_layout x = {k,
                             arena,
                             f,
                             ARENA_ARRAY(arena, struct frame_slot, f->nobjects),
                             ARENA_ARRAY(arena, uint32_t, k->nregs + 1u),
                             k->nregs};
    for (uint32_t i = 0; i < f->nobjects; i++) {
        struct frame_slot *o = &x.objects[i];
        uint32_t size = f->objects[i].size;
        x.by_reg[f->objects[i].name] = i + 1;
        o->stays = p->off || size > MAX_PROMOTED;
        if (o->stays) continue;
        o->type = ARENA_ARRAY(arena, uint8_t, size + 1u);
        o->reg = ARENA_ARRAY(arena, isa_operand, size + 1u);
        memset(o->reg, 0xff, size * sizeof *o->reg);
    }
    for (uint32_t i = 0; i < k->ninsts; i++) look(&x, &k->insts[i]);
    place(&x);
    for (uint32_t i = 0; i < f->nobjects; i++) tell(p, &f->objects[i], &x.objects[i]);
    struct rewrite_code old = rewrite_take(k, arena);
    if (p->options->values) put_all_unset(&x);
    for (uint32_t i = 0; i < old.ninsts; i++) {
        const struct isa_inst *inst = &old.insts[i];
        isa_operand *dst = old.operands + inst->operands, *src = dst + inst->ndst;
        rewrite(&x, inst, dst, src);
    }
    return false;
}
