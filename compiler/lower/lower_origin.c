/* Where addresses come from: which variable of local, private or constant memory an access starts
 * from, whatever is added to it. Passes make numbers of places in the frame, so it is found
 * before them; the sites keep it. */
#include "lowerstate.h"

#include <string.h>

/* Of a register: nothing, a variable's number, one behind these for a pointer that is a parameter;
 * or more than one of these. */
enum { NOWHERE, ANYWHERE = UINT32_MAX };

uint32_t lower_origin_variable(struct lower *l, const struct ast_var *v, enum isa_space space,
                               uint32_t offset) {
    struct isa_variable variable = {.name = (char *)(v->name ? v->name : ""),
                                    .space = (uint8_t)space,
                                    .offset = offset,
                                    .bytes = v->type->size};
    uint32_t number = isa_variable_new(l->k, &variable);
    if (!number) lower_no_memory(l);
    return number;
}

/* The variable that begins there. */
static uint32_t variable_at(const struct isa_kernel *k, enum isa_space space, uint32_t offset) {
    for (uint32_t n = 0; n < k->nvariables; n++)
        if (k->variables[n].space == space && k->variables[n].offset == offset) return n + 1;
    return ANYWHERE;
}

static uint32_t joined(uint32_t a, uint32_t b) {
    if (!a || !b) return a | b;
    return a == b ? a : ANYWHERE;
}

static uint32_t param_at(const struct isa_kernel *k, uint32_t offset) {
    const struct isa_param *p = isa_param_at(k, offset);
    return p && isa_param_points(p) ? k->nvariables + (uint32_t)(p - k->params) + 1 : NOWHERE;
}

/* Of what an instruction gives. What is read from memory is taken for a number. */
static uint32_t origin_of(const struct isa_kernel *k, const uint32_t *origins,
                          const struct isa_inst *i) {
    uint32_t from = NOWHERE;
    if (i->op == ISA_localaddr) return variable_at(k, ISA_LOCAL, (uint32_t)i->imm);
    if (i->op == ISA_constaddr) return variable_at(k, ISA_CONSTANT, (uint32_t)i->imm);
    if (i->op == ISA_ld && i->space == ISA_PARAM) return param_at(k, (uint32_t)i->imm);
    if (isa_op_info[i->op].flags & ISA_OP_MEMORY) return NOWHERE;
    bool keeps = i->op == ISA_add || i->op == ISA_sub || i->op == ISA_mov || i->op == ISA_select;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (!isa_is_reg(o) || !origins[o]) continue;
        bool twice = from && i->op != ISA_select; /* the difference of two addresses, say */
        from = keeps && !twice ? joined(from, origins[o]) : ANYWHERE;
    }
    return from;
}

/* Frame objects are registers that nothing assigns. */
static void begin(const struct lower_state *s, uint32_t *origins) {
    for (uint32_t n = 0; n < s->nobjects; n++)
        origins[s->objects[n].name] = s->objects[n].variable ? s->objects[n].variable : ANYWHERE;
}

void lower_origins(struct lower *l) {
    struct isa_kernel *k = l->k;
    if (!k->nvariables || isa_kernel_failed(k)) return;
    uint32_t *origins = ARENA_ARRAY(l->arena, uint32_t, k->nregs + 1u);
    begin(state_of(l), origins);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < k->ninsts; n++) {
            const struct isa_inst *i = &k->insts[n];
            uint32_t from = i->ndst ? origin_of(k, origins, i) : NOWHERE;
            for (unsigned d = 0; d < i->ndst; d++) {
                uint32_t *to = &origins[isa_dsts(k, i)[d]], now = joined(*to, from);
                changed |= now != *to;
                *to = now;
            }
        }
    }
    /* Of several instructions with one site all have to agree: the first says, another denies. */
    uint32_t *found = ARENA_ARRAY(l->arena, uint32_t, k->nsites + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!i->site || !(isa_op_info[i->op].flags & ISA_OP_MEMORY)) continue;
        isa_operand o = isa_srcs(k, i)[0];
        uint32_t from = isa_is_reg(o) ? origins[o] : ANYWHERE;
        bool fits = from && from <= k->nvariables && k->variables[from - 1].space == i->space;
        found[i->site] = joined(found[i->site], fits ? from : ANYWHERE);
    }
    for (uint32_t n = 0; n < k->nsites; n++)
        k->sites[n].variable = found[n + 1] <= k->nvariables ? found[n + 1] : 0;
}
