#include "assist.h"

#include <string.h>

#include "device/engine.h"
#include "level.h"
#include "device/interp/lanes/lanes.h"
#include "device/observe/observe.h"
#include "device/printf.h"

enum {
    OPERANDS = 34,
    ROW = 8 * ISA_WARP
}; /* a vector of 16 components and its address; image reads */

/* A warp's frame that holds one instruction's operands. */
struct assist_frame {
    struct warp warp;
    _Alignas(128) char rows[OPERANDS][ROW];
    uint32_t lists[OPERANDS];
    struct lanes_op ops[2];
};

static uint32_t row(unsigned n) { return (uint32_t)offsetof(struct assist_frame, rows) + n * ROW; }

static size_t bytes_of(const struct isa_kernel *k, isa_operand o) {
    enum isa_type type = o == ISA_NO_OPERAND ? ISA_I32 : isa_operand_type(k, o);
    return type == ISA_PRED ? sizeof(uint32_t) : (size_t)isa_type_size[type] * ISA_WARP;
}

static unsigned log_size(unsigned type) { return (unsigned)__builtin_ctz(isa_type_size[type]); }

/* Handler and operands of an instruction whose sources are rows 0 .. nsrc - 1 and whose
 * destinations follow. */
static op_fn prepare(struct assist_frame *d, const struct lanes_table *t,
                     const struct isa_inst *i) {
    struct lanes_op *op = d->ops;
    unsigned dst = i->nsrc;
    op->a = row(0);
    op->b = row(1);
    op->c = row(2);
    op->d = row(dst);
    op->imm = i->imm;
    op->inst = i;
    if (isa_op_info[i->op].flags & ISA_OP_ATOMIC) {
        op->b = row(1);
        op->c = row(2);
        return t->atomic[i->op - ISA_atom_add][i->type == ISA_I64][i->space == ISA_LOCAL];
    }
    switch (i->op) {
    case ISA_ld:
    case ISA_st: { /* private memory */
        bool load = i->op == ISA_ld;
        op->b = i->count;
        op->c = 0;
        for (unsigned c = 0; c < i->count; c++) d->lists[c] = row(load ? dst + c : 1 + c);
        return load ? t->load_own[log_size(i->type)] : t->store_own[log_size(i->type)];
    }
    case ISA_img_read:
    case ISA_img_write:
        for (unsigned n = 0; n < (unsigned)i->nsrc + i->ndst; n++) d->lists[n] = row(n);
        op->b = i->op == ISA_img_read ? i->nsrc : i->nsrc - 4u;
        return i->op == ISA_img_read ? t->image_read : t->image_write;
    case ISA_img_info:
        d->lists[0] = row(0);
        op->b = 0;
        return t->image_info;
    }
    if (i->op >= ISA_trunc && i->op <= ISA_f2h)
        return t->convert[i->op - ISA_trunc][i->type][i->type2][i->mod % ISA_ROUNDING_COUNT][0];
    return t->alu[i->op][i->op >= ISA_eq && i->op <= ISA_funo ? i->type2 : i->type][0];
}

static void print(struct group *g, const struct isa_inst *i, uint32_t mask,
                  const void *const *src) {
    uint64_t values[UINT8_MAX + 1];
    for (uint32_t lane = 0; lane < ISA_WARP; lane++) {
        if (!(mask >> lane & 1)) continue;
        for (unsigned n = 0; n < i->nsrc; n++) {
            enum isa_type type = isa_operand_type(g->kernel, isa_srcs(g->kernel, i)[n]);
            size_t size = isa_type_size[type];
            values[n] = 0;
            if (type == ISA_PRED)
                values[n] = *(const uint32_t *)src[n] >> lane & 1;
            else
                memcpy(&values[n], (const char *)src[n] + lane * size, size);
        }
        print_record(g, i, lane, values);
    }
}

/* What the interpreter's handlers do. */
static __attribute__((noinline)) void run_lanes(const struct native_run *r,
                                                const struct isa_inst *i, uint32_t warp,
                                                uint32_t mask, const void *const *src,
                                                void *const *dst) {
    struct group *g = r->group;
    const struct isa_kernel *k = g->kernel;
    struct assist_frame d;
    const struct lanes_table *t = level_get()->lanes;
    d.warp.mask = d.warp.live = mask;
    d.warp.index = warp;
    d.warp.lists = d.lists;
    d.warp.group = g;
    d.warp.base = g->base;
    d.warp.own = r->own + (size_t)warp * g->frame_bytes * ISA_WARP;
    d.ops[0] = (struct lanes_op){.run = NULL};
    d.ops[1] = (struct lanes_op){.run = t->end};
    d.ops[0].run = prepare(&d, t, i);
    for (unsigned n = 0; n < i->nsrc; n++)
        memcpy(d.rows[n], src[n], bytes_of(k, isa_srcs(k, i)[n]));
    for (unsigned n = 0; n < i->ndst; n++)
        memcpy(d.rows[i->nsrc + n], dst[n], bytes_of(k, isa_dsts(k, i)[n]));
    for (const struct lanes_op *op = d.ops; op;) op = op->run(op, &d.warp);
    for (unsigned n = 0; n < i->ndst; n++)
        memcpy(dst[n], d.rows[i->nsrc + n], bytes_of(k, isa_dsts(k, i)[n]));
}

void assist_run(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask,
                const void *const *src, void *const *dst) {
    struct group *g = r->group;
    const struct isa_inst *i = &g->kernel->insts[inst];
    g->warp = warp;
    g->mask = mask;
    if (i->op == ISA_bar) {
        g->inst = i;
        group_fault(g, FAULT_BARRIER, mask ? __builtin_ctz(mask) : -1, 0);
    }
    if (i->op == ISA_probe_call) {
        struct observe_operand operands[OBSERVE_OPERANDS] = {{NULL, false}};
        for (unsigned n = 0; n < i->nsrc && n < OBSERVE_OPERANDS; n++) operands[n].at = src[n];
        observe_call(g->observe, (uint32_t)i->imm, warp, mask, operands);
        return;
    }
    if (i->op == ISA_printf) {
        print(g, i, mask, src);
        return;
    }
    run_lanes(r, i, warp, mask, src, dst);
}

void assist_tell(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask,
                 const uint32_t *addresses) {
    const struct group *g = r->group;
    observe_access(g->observe, (uint32_t)g->kernel->insts[inst].imm, warp, mask, addresses);
}

void assist_noted(struct native_run *r, uint32_t place) { observe_noted(r->group->observe, place); }

void assist_read(struct native_run *r) { observe_read(r->group->observe); }

void assist_image(struct native_run *r, uint32_t inst, uint32_t warp, uint32_t mask, uint32_t image,
                  uint32_t sampler, uint32_t (*rows)[ISA_WARP]) {
    struct group *g = r->group;
    const struct isa_inst *i = &g->kernel->insts[inst];
    if (!mask) return;
    if (image >= r->ntextures || r->textures[image].dim != i->mod) {
        g->warp = warp;
        g->mask = mask;
        g->inst = i;
        group_fault(g, FAULT_IMAGE, __builtin_ctz(mask), 0);
    }
    const struct level *level = level_get();
    struct sampler_coords at = {{rows[0], rows[1], rows[2]}, i->type2 == ISA_F32};
    uint32_t(*c)[ISA_WARP] = rows + NATIVE_COMPONENTS;
    if (i->op == ISA_img_read)
        level->sampler_read(r->base, &r->textures[image], sampler, &at, i->type == ISA_F32, mask,
                            (void *const[]){c[0], c[1], c[2], c[3]});
    else
        level->sampler_write(r->base, &r->textures[image], &at, mask,
                             (const void *const[]){c[0], c[1], c[2], c[3]});
}
