/* Addresses in local memory: which byte each work-item of a group accesses, where ids and constants
 * alone tell. The group's size is known, so all that is computed of its ids is computed here, for
 * each work-item; what loops and unknown branches write is not known behind them. Where local
 * memory that is an argument lies, and how much it is, is seen at run time: localrows_fit. */
#include <stdlib.h>
#include <string.h>

#include "device/native/opcosts.h"
#include "device/native/mem/accesses.h"

enum { WORD = 4, ROW = ISA_WARP * WORD, MOST_ROWS = 16, FEW = 4, MOST_BYTES = 1 << 20 };

/* None; of the kernel's own local memory; of what the first parameter points to. */
enum address_base { BASE_NONE, BASE_LOCAL, BASE_PARAM };

/* What a register holds, for each work-item. */
struct known_values {
    int64_t *of;   /* NULL: not known */
    uint32_t base; /* an address that is added: enum address_base, or that and a parameter */
};

struct address_finder {
    const struct plan *plan;
    struct known_values *regs;
    uint8_t *on; /* work-items that may be active; those below: where regions began */
    uint8_t *stack;
    uint32_t begins[ISA_MAX_NESTING + 1], depth;
    bool arguments; /* local memory that is an argument is looked at */
    bool failed;
};

/* Lanes of a group's warps: those behind its last work-item are off. */
static uint32_t lanes_of(const struct plan *plan) { return plan->warps * ISA_WARP; }

static void forget(struct address_finder *f, isa_operand reg) {
    free(f->regs[reg].of);
    f->regs[reg].of = NULL;
}

static void forget_written(struct address_finder *f, uint32_t from, uint32_t to) {
    const struct isa_kernel *k = f->plan->k;
    for (uint32_t n = from; n < to; n++)
        for (unsigned d = 0; d < k->insts[n].ndst; d++) forget(f, isa_dsts(k, &k->insts[n])[d]);
}

/* ---- computing ---- */

static bool id_of(const struct plan *plan, int32_t special, uint32_t item, int64_t *id) {
    const uint32_t *size = plan->request->local_size;
    switch (special) {
    case ISA_SPECIAL_thread_id: *id = item; return true;
    case ISA_SPECIAL_local_id_x: *id = item % size[0]; return true;
    case ISA_SPECIAL_local_id_y: *id = item / size[0] % size[1]; return true;
    case ISA_SPECIAL_local_id_z: *id = item / size[0] / size[1]; return true;
    case ISA_SPECIAL_local_size_x:
    case ISA_SPECIAL_local_size_y:
    case ISA_SPECIAL_local_size_z: *id = size[special - ISA_SPECIAL_local_size_x]; return true;
    default: return false;
    }
}

static bool plain_type(unsigned type) {
    return type == ISA_NONE_T || type == ISA_I32 || type == ISA_I64 || type == ISA_PRED;
}

/* What bits of a register are as a value here, and the other way. */
static int64_t from_bits(unsigned type, uint64_t bits) {
    return type == ISA_I64 ? (int64_t)bits : (int32_t)(uint32_t)bits;
}
static uint64_t to_bits(unsigned type, int64_t value) {
    return type == ISA_I64 ? (uint64_t)value : (uint32_t)value;
}

/* All sources of i are known; base: one of them is an address of local memory, and so the result is
 * one. */
static bool sources_known(const struct address_finder *f, const struct isa_inst *i,
                          uint32_t *base) {
    const struct isa_kernel *k = f->plan->k;
    unsigned addresses = 0;
    *base = BASE_NONE;
    for (unsigned s = 0; s < i->nsrc; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (o == ISA_NO_OPERAND || (isa_is_reg(o) && !f->regs[o].of)) return false;
        if (!isa_is_reg(o) || !f->regs[o].base) continue;
        *base = f->regs[o].base;
        addresses++;
    }
    if (!addresses || (i->op == ISA_mov && addresses == 1)) return true;
    isa_operand second = i->nsrc > 1 ? isa_srcs(k, i)[1] : ISA_NO_OPERAND;
    bool behind = isa_is_reg(second) && f->regs[second].base;
    return addresses == 1 && (i->op == ISA_add || (i->op == ISA_sub && !behind));
}

static bool compute(const struct address_finder *f, const struct isa_inst *i, int64_t *of,
                    uint32_t *base) {
    const struct plan *plan = f->plan;
    struct isa_const src[3];
    uint64_t bits = 0;
    *base = i->op == ISA_localaddr ? BASE_LOCAL : BASE_NONE;
    if (*base || i->op == ISA_special) {
        for (uint32_t item = 0; item < lanes_of(plan); item++) {
            of[item] = i->imm;
            if (!*base && !id_of(plan, i->imm, item, &of[item])) return false;
        }
        return true;
    }
    if (!(isa_op_info[i->op].flags & ISA_OP_PURE) || !i->nsrc || i->nsrc > 3) return false;
    if (!plain_type(i->type) || !plain_type(i->type2) || !sources_known(f, i, base)) return false;
    for (uint32_t item = 0; item < lanes_of(plan); item++) {
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(plan->k, i)[s];
            if (isa_is_const(o))
                src[s] = plan->k->consts[isa_const_index(o)];
            else
                src[s] =
                    (struct isa_const){.type = plan->k->reg_types[o],
                                       .bits = to_bits(plan->k->reg_types[o], f->regs[o].of[item])};
        }
        if (!isa_fold((enum isa_op)i->op, i->type, i->type2, i->mod, src, i->nsrc, false, &bits))
            return false;
        of[item] = from_bits(plan->k->reg_types[isa_dsts(plan->k, i)[0]], bits);
    }
    return true;
}

/* Parameters: those that are addresses of local memory are known as such. */
static void evaluate_params(struct address_finder *f, const struct isa_inst *i) {
    const struct isa_kernel *k = f->plan->k;
    for (unsigned d = 0; d < i->ndst; d++) {
        isa_operand dst = isa_dsts(k, i)[d];
        uint32_t at = (uint32_t)i->imm + d * isa_type_size[i->type];
        forget(f, dst);
        for (uint32_t p = 0; p < k->nparams && f->arguments && i->type == ISA_I32; p++)
            if (k->params[p].kind == ISA_PARAM_LOCAL && k->params[p].offset == at) {
                f->regs[dst].of = calloc(lanes_of(f->plan), sizeof *f->regs[dst].of);
                f->regs[dst].base = BASE_PARAM + p;
                f->failed |= !f->regs[dst].of;
            }
    }
}

static void evaluate(struct address_finder *f, const struct isa_inst *i) {
    const struct plan *plan = f->plan;
    uint32_t base = BASE_NONE;
    if (!i->ndst) return;
    if (i->op == ISA_ld && i->space == ISA_PARAM) {
        evaluate_params(f, i);
        return;
    }
    isa_operand dst = isa_dsts(plan->k, i)[0];
    int64_t *of = NULL;
    if (i->ndst == 1 && plain_type(plan->k->reg_types[dst])) {
        of = malloc(lanes_of(plan) * sizeof *of);
        f->failed |= !of;
        if (of && !compute(f, i, of, &base)) {
            free(of);
            of = NULL;
        }
    }
    for (unsigned d = 0; d < i->ndst; d++) forget(f, isa_dsts(plan->k, i)[d]);
    f->regs[dst] = (struct known_values){of, base};
}

/* ---- regions ---- */

/* Work-items that an if, or else its other part, keeps on, where that is known. */
static void choose(struct address_finder *f, const struct isa_inst *branch, bool yes) {
    isa_operand p = isa_srcs(f->plan->k, branch)[0];
    for (uint32_t item = 0; item < lanes_of(f->plan); item++) {
        bool taken = yes;
        if (isa_is_const(p))
            taken = f->plan->k->consts[isa_const_index(p)].bits;
        else if (f->regs[p].of)
            taken = f->regs[p].of[item];
        if (taken != yes) f->on[item] = 0;
    }
}

static void cross(struct address_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->plan->k->insts[n];
    uint32_t flags = isa_op_info[i->op].flags, items = lanes_of(f->plan);
    if (flags & ISA_OP_REGION_BEGIN) {
        f->begins[++f->depth] = n;
        memcpy(f->stack + (size_t)f->depth * items, f->on, items);
        if (i->op == ISA_loop) forget_written(f, n, i->match);
        if (i->op == ISA_if) choose(f, i, true);
        return;
    }
    uint32_t begin = f->begins[f->depth];
    memcpy(f->on, f->stack + (size_t)f->depth * items, items);
    /* what decided on it is what it was unless the first part wrote it, which is then forgotten */
    forget_written(f, begin, n);
    if (i->op == ISA_else)
        choose(f, &f->plan->k->insts[begin], false);
    else
        f->depth--;
}

/* ---- accesses ---- */

/* How a warp's lanes lie: none is on; in a row; in order, but in two rows; in any order. */
enum manner { OFF, ROWS, ACROSS, MIXED, OTHER };

/* at: of 32 lanes, -1: off. */
static enum manner manner_of(const int32_t *at, bool store) {
    uint8_t taken[ISA_WARP * MOST_ROWS] = {0};
    int32_t rows[MOST_ROWS];
    unsigned nrows = 0;
    bool any = false, in_order = true, in_place = true;
    for (int lane = 0, last = -1; lane < ISA_WARP; lane++) {
        if (at[lane] < 0) continue;
        unsigned r = 0;
        while (r < nrows && rows[r] != at[lane] / ROW) r++;
        if (r == MOST_ROWS) return OTHER;
        if (r == nrows) rows[nrows++] = at[lane] / ROW;
        uint8_t *word = &taken[r * ISA_WARP + (uint32_t)(at[lane] % ROW) / WORD];
        if (*word && store) return OTHER; /* which one stays is the other way's to say */
        *word = 1;
        in_place &= at[lane] % ROW == lane * WORD;
        if (last >= 0) in_order &= at[lane] - at[last] == (lane - last) * WORD;
        last = lane;
        any = true;
    }
    if (!any) return OFF;
    if (nrows == 1 && in_place) return ROWS;
    return nrows > 1 && in_order ? ACROSS : MIXED;
}

/* The addresses of an access; NULL: they are not known, or not such that rows serve it. */
static int32_t *addresses_of(struct address_finder *f, const struct isa_inst *i, bool *mixed) {
    const struct plan *plan = f->plan;
    const struct isa_kernel *k = plan->k;
    bool load = i->op == ISA_ld;
    if (i->space != ISA_LOCAL || (!load && i->op != ISA_st)) return NULL;
    if (isa_type_size[i->type] != WORD || i->flags & ISA_VOLATILE) return NULL;
    isa_operand base = isa_srcs(k, i)[0];
    if (!isa_is_reg(base) || !f->regs[base].of || !f->regs[base].base) return NULL;
    for (unsigned d = 0; d < i->ndst; d++)
        if (plan_kind(plan, isa_dsts(k, i)[d]) != KIND_VARYING) return NULL;
    bool own = f->regs[base].base == BASE_LOCAL;
    int32_t *at = malloc(lanes_of(plan) * sizeof *at);
    int64_t rows = own ? k->local_bytes / ROW * ROW : MOST_BYTES;
    f->failed |= !at;
    bool good = at;
    for (uint32_t item = 0; good && item < lanes_of(plan); item++) {
        int64_t first = f->regs[base].of[item] + i->imm;
        at[item] = f->on[item] ? (int32_t)first : -1;
        good = !f->on[item] ||
               (first >= 0 && first % WORD == 0 && first + (int64_t)i->count * WORD <= rows);
    }
    bool across = false, shuffled = false;
    for (uint32_t w = 0; good && w < plan->warps; w++)
        for (unsigned c = 0; good && c < i->count; c++) {
            int32_t part[ISA_WARP];
            for (unsigned lane = 0; lane < ISA_WARP; lane++) {
                int32_t first = at[w * ISA_WARP + lane];
                part[lane] = first < 0 ? first : first + (int32_t)(c * WORD);
            }
            enum manner m = manner_of(part, !load);
            good = m != OTHER;
            across |= m == ACROSS;
            shuffled |= m == MIXED;
        }
    *mixed |= shuffled;
    /* A vector from anywhere does as well, if that is so for all warps. */
    if (good && (shuffled || !across)) return at;
    free(at);
    return NULL;
}

/* Where the rows of an access to an argument end. */
static void find_end(struct plan *plan, uint32_t n) {
    struct plan_addresses *a = &plan->addresses;
    for (uint32_t item = 0; a->param[n] && item < lanes_of(plan); item++) {
        int32_t last = a->of[n][item] + (plan->k->insts[n].count - 1) * WORD;
        uint32_t *end = &a->ends[a->param[n] - 1];
        if (a->of[n][item] < 0 || (uint32_t)last < *end) continue;
        *end = ((uint32_t)last / ROW + 1) * ROW;
        a->arguments = true;
    }
}

static bool has_local(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].space == ISA_LOCAL) return true;
    return false;
}

bool addresses_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct plan_addresses *a = &plan->addresses;
    int32_t **of = a->of = plan_of_instructions(plan, sizeof *of);
    a->param = plan_of_instructions(plan, sizeof *a->param);
    a->ends = calloc(k->nparams + 1ull, sizeof *a->ends);
    if (!of || !a->param || !a->ends) return false;
    if (plan->request->level == NATIVE_BASELINE || plan->tail || plan_bundle(plan) != plan->warps ||
        !has_local(k) || plan_off(plan, PLAN_addresses))
        return true;
    struct address_finder f = {.plan = plan, .regs = calloc(k->nregs + 1ull, sizeof *f.regs)};
    f.on = malloc(lanes_of(plan));
    f.stack = malloc((size_t)(ISA_MAX_NESTING + 1) * lanes_of(plan));
    f.arguments = 2 * plan_get(plan, effort)->time <= LIMIT_ENLARGED; /* the code is there twice */
    f.failed = !f.regs || !f.on || !f.stack;
    if (f.on) memset(f.on, 0, lanes_of(plan));
    if (f.on) memset(f.on, 1, plan->items);
    bool mixed = false;
    uint32_t found = 0, other = 0;
    for (uint32_t n = 0; n < k->ninsts && !f.failed; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
            cross(&f, n);
            continue;
        }
        bool shuffled = false;
        of[n] = addresses_of(&f, i, &shuffled);
        if (of[n] && f.regs[isa_srcs(k, i)[0]].base >= BASE_PARAM)
            a->param[n] = f.regs[isa_srcs(k, i)[0]].base - BASE_PARAM + 1;
        mixed |= of[n] && shuffled;
        found += of[n] != NULL;
        other += i->space == ISA_LOCAL && !of[n];
        evaluate(&f, i);
    }
    const char *why = NULL;
    if (!mixed) why = "the lanes of no access are shuffled";
    if (other > found / FEW) why = "too few addresses are known";
    if (why)
        plan_tell(plan, PLAN_addresses, UINT32_MAX, "no: %s", why);
    else
        plan_tell(plan, PLAN_addresses, UINT32_MAX, "%u accesses", found);
    /* Plain rows are as good the other way; and what is written in rows is read slowly otherwise.
     */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!why && of[n]) find_end(plan, n);
        if (!why) continue;
        free(of[n]);
        of[n] = NULL;
    }
    for (uint32_t r = 0; f.regs && r < k->nregs; r++) free(f.regs[r].of);
    free(f.regs);
    free(f.on);
    free(f.stack);
    return !f.failed;
}

void addresses_free(struct plan *plan) {
    for (uint32_t n = 0; plan->addresses.of && n < plan->k->ninsts; n++)
        free(plan->addresses.of[n]);
    free(plan->addresses.of);
    free(plan->addresses.param);
    free(plan->addresses.ends);
    plan->addresses = (struct plan_addresses){0};
}
