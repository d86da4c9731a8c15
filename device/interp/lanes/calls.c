/* Operations that other parts of the device do: math functions, the texture unit, printf,
 * observers. */
#include "handler.h"
#include "device/isa/vars.h"
#include "device/observe/observe.h"
#include "device/printf.h"
#include "device/texture/texture_unit.h"

HANDLER(math) {
    char *f = (char *)w;
    op->math((const void *const[]){f + op->a, f + op->b}, (void *const[]){f + op->d, f + op->c});
    GO_BACK(op + 1);
}

/* Entry n of the op's list: where its value for a lane is. */
ALWAYS const uint32_t *entry(const struct lanes_op *op, struct warp *w, uint32_t n, uint32_t lane) {
    uint32_t o = w->lists[op->extra + n];
    return (const uint32_t *)((char *)w + (o & ~LANES_UNIFORM)) + (o & LANES_UNIFORM ? 0 : lane);
}

static _Noreturn void refuse(const struct lanes_op *op, struct warp *w, uint32_t lane) {
    w->group->inst = op->inst;
    w->group->mask = w->mask;
    group_fault(w->group, FAULT_IMAGE, (int)lane, 0);
}

/* The texture that lane `lane` means. An index may come from anywhere in a damaged or hostile
 * module. */
static const struct texture *texture(const struct lanes_op *op, struct warp *w, uint32_t n,
                                     uint32_t lane) {
    const struct launch *l = w->group->launch;
    uint32_t index = *entry(op, w, n, lane);
    if (index >= l->ntextures) refuse(op, w, lane);
    return &l->textures[index];
}

static struct sampler_coords coordinates(const struct lanes_op *op, struct warp *w, uint32_t n) {
    static const uint8_t count[ISA_DIM_COUNT] = {1, 2, 1, 2, 3, 3};
    struct sampler_coords at = {.real = op->inst->type2 == ISA_F32};
    for (uint32_t k = 0; k < count[op->inst->mod]; k++) at.at[k] = entry(op, w, n + k, 0);
    return at;
}

/* The lanes of `m` that mean the same image, and sampler, as its first one; each other
 * image gets its own pass. */
static uint32_t alike(const struct lanes_op *op, struct warp *w, uint32_t m, uint32_t entries) {
    uint32_t first = (uint32_t)__builtin_ctz(m), same = m;
    for (uint32_t n = 0; n < entries; n++) {
        if (w->lists[op->extra + n] & LANES_UNIFORM) continue;
        EACH_ACTIVE(i, m) if (*entry(op, w, n, i) != *entry(op, w, n, first)) same &= ~(1u << i);
    }
    return same;
}

/* List: image, sampler, coordinates; then four destinations. */
HANDLER(image_read) {
    const struct isa_inst *inst = op->inst;
    struct sampler_coords at = coordinates(op, w, 2);
    void *out[4];
    for (uint32_t c = 0; c < 4; c++) out[c] = (char *)w + w->lists[op->extra + op->b + c];
    w->memory_op = op;
    for (uint32_t m = w->mask, same; m; m &= ~same) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        same = alike(op, w, m, 2);
        const struct texture *t = texture(op, w, 0, lane);
        if (t->dim != inst->mod) refuse(op, w, lane);
        LANES_NAME(sampler_read)
        (w->base, t, *entry(op, w, 1, lane), &at, inst->type == ISA_F32, same, out);
    }
    GO_BACK(op + 1);
}

/* List: image, coordinates, components. */
HANDLER(image_write) {
    const struct isa_inst *inst = op->inst;
    struct sampler_coords at = coordinates(op, w, 1);
    const void *in[4];
    for (uint32_t c = 0; c < 4; c++) in[c] = entry(op, w, op->b + c, 0);
    w->memory_op = op;
    for (uint32_t m = w->mask, same; m; m &= ~same) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        same = alike(op, w, m, 1);
        const struct texture *t = texture(op, w, 0, lane);
        if (t->dim != inst->mod) refuse(op, w, lane);
        LANES_NAME(sampler_write)(w->base, t, &at, same, in);
    }
    GO_BACK(op + 1);
}

/* List: image. b: the destination is one scalar. */
HANDLER(image_info) {
    EACH_ACTIVE(i, op->b ? w->mask & -w->mask : w->mask) {
        const struct texture *t = texture(op, w, 0, i);
        const uint32_t answer[ISA_IMAGE_INFO_COUNT] = {t->width,      t->height, t->depth,
                                                       t->array_size, t->type,   t->order};
        AT(uint32_t, op->d)[op->b ? 0 : i] = answer[op->imm];
    }
    GO_BACK(op + 1);
}

/* List: for each value its offset, then its type. a: room for the values of one lane. */
HANDLER(print) {
    const struct isa_inst *inst = op->inst;
    uint64_t *values = AT(uint64_t, op->a);
    EACH_ACTIVE(i, w->mask) {
        for (uint32_t n = 0; n < inst->nsrc; n++) {
            uint32_t o = w->lists[op->extra + 2 * n], type = w->lists[op->extra + 2 * n + 1];
            const char *v = (const char *)w + (o & ~LANES_UNIFORM);
            size_t size = isa_type_size[type];
            values[n] = 0;
            if (type == ISA_PRED)
                values[n] = *(const uint32_t *)v >> i & 1;
            else
                memcpy(&values[n], v + (o & LANES_UNIFORM ? 0 : i * size), size);
        }
        print_record(w->group, inst, i, values);
    }
    GO_BACK(op + 1);
}

/* The counters follow each other from imm on. */
HANDLER(probe_count) {
    uint64_t *counter = w->group->observe->counters + op->imm;
    uint32_t on = w->mask & *AT(uint32_t, op->a);
    if (op->b & ISA_COUNT_WARPS) *counter++ += on != 0;
    if (op->b & ISA_COUNT_LANES) *counter++ += (uint32_t)__builtin_popcount(on);
    if (op->b & ISA_COUNT_SPLITS) *counter += on && on != w->mask;
    GO(op + 1);
}

/* List: the operands. */
HANDLER(probe_call) {
    struct observe_operand operands[OBSERVE_OPERANDS] = {{NULL, false}};
    for (uint32_t n = 0; n < op->inst->nsrc && n < OBSERVE_OPERANDS; n++) {
        uint32_t o = w->lists[op->extra + n];
        operands[n].at = (const char *)w + (o & ~LANES_UNIFORM);
        operands[n].uniform = (o & LANES_UNIFORM) != 0;
    }
    observe_call(w->group->observe, (uint32_t)op->imm, w->index, w->mask, operands);
    GO_BACK(op + 1);
}

HANDLER(stop) {
    w->group->hooks->before(w->group, op->inst, w->index, w->mask, w->live);
    GO_BACK(op + 1);
}

/* List: for each operand its offset, then its type. */
HANDLER(noted) {
    struct group_operand operands[ISA_MAX_COMPONENTS] = {{NULL, 0, false}};
    for (uint32_t n = 0; n < op->inst->nsrc && n < ISA_MAX_COMPONENTS; n++) {
        uint32_t o = w->lists[op->extra + 2 * n];
        operands[n].at = (const char *)w + (o & ~LANES_UNIFORM);
        operands[n].uniform = (o & LANES_UNIFORM) != 0;
        operands[n].type = (uint8_t)w->lists[op->extra + 2 * n + 1];
    }
    w->group->hooks->noted(w->group, op->inst, w->index, w->mask, operands);
    GO_BACK(op + 1);
}

PART(calls) {
    t->stop = stop;
    t->noted = noted;
    t->math = math;
    t->image_read = image_read;
    t->image_write = image_write;
    t->image_info = image_info;
    t->print = print;
    t->probe_count = probe_count;
    t->probe_call = probe_call;
}
