/* Building a kernel: parameters, registers, constants, instructions. */
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"

static bool fail(struct isa_kernel *k) {
    k->failed = true;
    return false;
}

bool isa_kernel_failed(const struct isa_kernel *k) { return k->failed; }

struct isa_param *isa_kernel_add_param(struct isa_kernel *k, const char *name,
                                       const char *type_name) {
    struct isa_param p = {.name = strdup(name), .type_name = strdup(type_name)};
    if (!p.name || !p.type_name ||
        !isa_grow((void **)&k->params, &k->cap_params, k->nparams + 1ull, sizeof *k->params)) {
        free(p.name);
        free(p.type_name);
        fail(k);
        return NULL;
    }
    k->params[k->nparams] = p;
    return &k->params[k->nparams++];
}

bool isa_kernel_set_attributes(struct isa_kernel *k, const char *text) {
    char *copy = strdup(text);
    if (!copy) return fail(k);
    free(k->attributes);
    k->attributes = copy;
    return true;
}

isa_operand isa_reg_new(struct isa_kernel *k, enum isa_type type) {
    if (!isa_grow((void **)&k->reg_types, &k->cap_regs, k->nregs + 1ull, sizeof *k->reg_types)) {
        fail(k);
        return ISA_NO_OPERAND;
    }
    k->reg_types[k->nregs] = (uint8_t)type;
    return k->nregs++;
}

/* ---- constants: a table open to hashing, of indices + 1 ---- */

static uint32_t const_slot(const struct isa_kernel *k, uint8_t type, uint64_t bits) {
    uint64_t h = (bits ^ type) * 0x9e3779b97f4a7c15u;
    uint32_t mask = k->cap_const_index - 1, slot = (uint32_t)(h >> 32) & mask;
    for (; k->const_index[slot]; slot = (slot + 1) & mask) {
        uint32_t i = k->const_index[slot] - 1;
        if (i < k->nconsts && k->consts[i].type == type && k->consts[i].bits == bits) break;
    }
    return slot;
}

static bool grow_const_index(struct isa_kernel *k) {
    if (k->const_index_used < k->cap_const_index / 2) return true;
    uint64_t capacity = 16;
    while (capacity < 4ull * (k->nconsts + 1)) capacity *= 2;
    uint32_t *index = calloc(capacity, sizeof *index);
    if (!index) return false;
    free(k->const_index);
    k->const_index = index;
    k->cap_const_index = (uint32_t)capacity;
    k->const_index_used = k->nconsts;
    for (uint32_t i = 0; i < k->nconsts; i++)
        index[const_slot(k, k->consts[i].type, k->consts[i].bits)] = i + 1;
    return true;
}

isa_operand isa_const_new(struct isa_kernel *k, enum isa_type type, uint64_t bits) {
    bits = isa_cut(type, bits);
    if (!grow_const_index(k)) {
        fail(k);
        return ISA_NO_OPERAND;
    }
    uint32_t slot = const_slot(k, (uint8_t)type, bits);
    if (k->const_index[slot]) return (k->const_index[slot] - 1) | ISA_CONST_BIT;
    if (!isa_grow((void **)&k->consts, &k->cap_consts, k->nconsts + 1ull, sizeof *k->consts)) {
        fail(k);
        return ISA_NO_OPERAND;
    }
    k->consts[k->nconsts] = (struct isa_const){.type = (uint8_t)type, .bits = bits};
    k->const_index[slot] = ++k->nconsts;
    k->const_index_used++;
    return (k->nconsts - 1) | ISA_CONST_BIT;
}

enum isa_type isa_operand_type(const struct isa_kernel *k, isa_operand o) {
    if (isa_is_reg(o)) return o < k->nregs ? (enum isa_type)k->reg_types[o] : ISA_NONE_T;
    if (!isa_is_const(o) || isa_const_index(o) >= k->nconsts) return ISA_NONE_T;
    return (enum isa_type)k->consts[isa_const_index(o)].type;
}

/* ---- instructions ---- */

/* Where `o` lies in the operand list, or ~0: the list may move while `o` is being appended. */
static size_t within_list(const struct isa_kernel *k, const isa_operand *o) {
    uintptr_t at = (uintptr_t)o, begin = (uintptr_t)k->operands;
    bool inside = o && at >= begin && at < begin + k->noperands * sizeof *o;
    return inside ? (at - begin) / sizeof *o : SIZE_MAX;
}

struct isa_inst *isa_emit(struct isa_kernel *k, enum isa_op op, enum isa_type type,
                          enum isa_type type2, uint32_t ndst, const isa_operand *dst, uint32_t nsrc,
                          const isa_operand *src) {
    size_t dst_at = within_list(k, dst), src_at = within_list(k, src);
    if (ndst > UINT8_MAX || nsrc > UINT8_MAX ||
        !isa_grow((void **)&k->operands, &k->cap_operands, (uint64_t)k->noperands + ndst + nsrc,
                  sizeof *k->operands) ||
        !isa_grow((void **)&k->insts, &k->cap_insts, k->ninsts + 1ull, sizeof *k->insts)) {
        fail(k);
        k->lost = (struct isa_inst){.op = (uint16_t)op, .count = 1};
        return &k->lost;
    }
    if (dst_at != SIZE_MAX) dst = k->operands + dst_at;
    if (src_at != SIZE_MAX) src = k->operands + src_at;
    struct isa_inst *i = &k->insts[k->ninsts++];
    *i = (struct isa_inst){
        .op = (uint16_t)op,
        .type = (uint8_t)type,
        .type2 = (uint8_t)type2,
        .count = 1,
        .ndst = (uint8_t)ndst,
        .nsrc = (uint8_t)nsrc,
        .file = k->cur_file,
        .line = k->cur_line,
        .operands = k->noperands,
    };
    if (op == ISA_ld) i->count = (uint8_t)ndst;
    if (op == ISA_st) i->count = (uint8_t)(nsrc ? nsrc - 1 : 0);
    if (ndst) memcpy(k->operands + k->noperands, dst, ndst * sizeof *dst);
    if (nsrc) memcpy(k->operands + k->noperands + ndst, src, nsrc * sizeof *src);
    k->noperands += ndst + nsrc;
    return i;
}

isa_operand isa_emit1(struct isa_kernel *k, enum isa_op op, enum isa_type type, enum isa_type type2,
                      isa_operand a, isa_operand b, isa_operand c) {
    const char *kinds = isa_op_info[op].operands;
    enum isa_type result = *kinds == 'p'   ? ISA_PRED
                           : *kinds == 'i' ? ISA_I32
                           : *kinds == 'u' ? type2
                                           : type;
    isa_operand src[3] = {a, b, c}, dst = isa_reg_new(k, result);
    uint32_t nsrc = 3, least = isa_op_info[op].flags & ISA_OP_MEMORY ? 1 : 0;
    while (nsrc > least && src[nsrc - 1] == ISA_NO_OPERAND) nsrc--;
    isa_emit(k, op, type, type2, 1, &dst, nsrc, src);
    return dst;
}
