/* The emitters: operations are folded as they are made, regions are kept track of, and nothing is
 * emitted where no lane can get to. */
#include "lowerstate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/passes/pass.h"

enum { MAX_STEPS = 16 << 20 }; /* expressions and statements lowered for one module */
enum { MAX_RECURSION = 2000 }; /* expressions within expressions within statements */
enum { MAX_RESULTS = 16 };     /* of one instruction */
static const uint32_t ASSIGNED_ONCE =
    UINT32_MAX; /* made[]: assigned once, by what does not matter */

/* ---- errors ---- */

_Noreturn void lower_no_memory(struct lower *l) { longjmp(*state_of(l)->no_memory, 1); }

static void report(struct lower *l, enum diag_severity severity, struct ast_loc loc,
                   const char *format, va_list args) {
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    const char *file = loc.file < l->unit->nfiles ? l->unit->files[loc.file] : NULL;
    diag_report(l->diag, severity, file, loc.line, loc.column, "%s", text);
    if (severity == DIAG_ERROR) l->errors++;
}

void lower_error(struct lower *l, struct ast_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(l, DIAG_ERROR, loc, format, args);
    va_end(args);
}

void lower_warning(struct lower *l, struct ast_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(l, DIAG_WARNING, loc, format, args);
    va_end(args);
}

_Noreturn void lower_stop(struct lower *l, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(l, DIAG_ERROR, state_of(l)->loc, format, args);
    va_end(args);
    longjmp(*state_of(l)->stop, 1);
}

_Noreturn void lower_stop_quietly(struct lower *l) { longjmp(*state_of(l)->stop, 1); }

uint16_t lower_file(struct lower *l, uint16_t file) {
    struct lower_state *s = state_of(l);
    if (file >= l->unit->nfiles) return 0;
    if (!s->files[file]) {
        uint32_t index = isa_module_add_file(l->module, l->unit->files[file]);
        if (index == UINT32_MAX) lower_no_memory(l);
        s->files[file] = (uint16_t)(index < UINT16_MAX - 1 ? index + 1 : 1);
    }
    return s->files[file] - 1;
}

void lower_at(struct lower *l, struct ast_loc loc) {
    if (!loc.line) return;
    state_of(l)->loc = loc;
    l->k->cur_file = lower_file(l, loc.file);
    l->k->cur_line = loc.line;
}

void lower_step(struct lower *l) {
    struct lower_state *s = state_of(l);
    if (++s->steps > MAX_STEPS)
        lower_stop(l, "the program is too large once its functions are expanded");
    if (l->k->ninsts > ISA_MAX_INSTRUCTIONS)
        lower_stop(l, "kernel '%s' has more than %d instructions", l->k->name,
                   ISA_MAX_INSTRUCTIONS);
}

void lower_enter(struct lower *l) {
    if (++state_of(l)->recursion > MAX_RECURSION)
        lower_stop(l, "the program nests too deeply once its functions are expanded");
}

/* ---- registers ---- */

static void track(struct lower *l, isa_operand reg, uint32_t made) {
    struct lower_state *s = state_of(l);
    if (reg >= s->cap_made) {
        uint32_t cap = s->cap_made ? s->cap_made * 2 : 1024;
        while (cap <= reg) cap *= 2;
        uint32_t *m = ARENA_ARRAY(l->arena, uint32_t, cap),
                 *a = ARENA_ARRAY(l->arena, uint32_t, cap);
        if (s->cap_made) {
            memcpy(m, s->made, s->cap_made * sizeof *m);
            memcpy(a, s->assigned, s->cap_made * sizeof *a);
        }
        s->made = m;
        s->assigned = a;
        s->cap_made = cap;
    }
    s->made[reg] = made;
    s->assigned[reg] = 0;
}

void lower_new_kernel(struct lower *l, struct isa_kernel *k) {
    struct lower_state *s = state_of(l);
    l->k = k;
    s->depth = s->dead_depth = 0;
    s->dead = false;
    s->local_bytes = 0;
    s->nobjects = 0;
    s->nscopes = 1;
    s->scope = 0;
    s->recursion = 0;
    s->here = (struct here){.node = NULL};
    s->kernel_id = ++*s->kernel_ids;
}

static isa_operand new_reg(struct lower *l, enum isa_type type, uint32_t made) {
    isa_operand r = isa_reg_new(l->k, type);
    if (isa_kernel_failed(l->k)) lower_no_memory(l);
    track(l, r, made);
    return r;
}

isa_operand lower_reg(struct lower *l, enum isa_type type) { return new_reg(l, type, 0); }
isa_operand lower_name(struct lower *l) { return new_reg(l, ISA_I32, ASSIGNED_ONCE); }

bool lower_settled(struct lower *l, isa_operand o) {
    return !isa_is_reg(o) || state_of(l)->made[o] != 0;
}

isa_operand lower_const(struct lower *l, enum isa_type type, uint64_t bits) {
    isa_operand o = isa_const_new(l->k, type, bits);
    if (isa_kernel_failed(l->k)) lower_no_memory(l);
    return o;
}

isa_operand lower_constf(struct lower *l, enum isa_type type, double real) {
    if (type == ISA_F64) {
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        return lower_const(l, type, bits);
    }
    float f = (float)real;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return lower_const(l, ISA_F32, bits);
}

bool lower_is_const(struct lower *l, isa_operand o, uint64_t *bits) {
    if (!isa_is_const(o)) return false;
    *bits = l->k->consts[isa_const_index(o)].bits;
    return true;
}

/* ---- instructions ---- */

struct isa_inst *lower_emit(struct lower *l, enum isa_op op, enum isa_type type,
                            enum isa_type type2, uint32_t ndst, const isa_operand *dst,
                            uint32_t nsrc, const isa_operand *src) {
    struct lower_state *s = state_of(l);
    uint32_t at = l->k->ninsts;
    isa_operand made[MAX_RESULTS] = {0};
    if (!dst) {
        for (uint32_t i = 0; i < ndst; i++)
            made[i] = new_reg(l, type, s->dead ? ASSIGNED_ONCE : at + 1);
        dst = made;
    }
    struct isa_inst *inst = isa_emit(l->k, op, type, type2, ndst, dst, nsrc, src);
    if (isa_kernel_failed(l->k)) lower_no_memory(l);
    const isa_operand *out = isa_dsts(l->k, inst);
    for (uint32_t i = 0; i < ndst; i++)
        if (isa_is_reg(out[i]) && !s->made[out[i]]) s->assigned[out[i]] = at + 1;
    if (s->dead) l->k->ninsts--; /* the place in the list stays valid until the next emit */
    return inst;
}

/* pass_def_fn: the operation that made a register, when what it read has not changed since. */
static bool made_by(void *context, isa_operand o, struct pass_node *d) {
    struct lower *l = context;
    struct lower_state *s = state_of(l);
    uint32_t m = s->made[o];
    if (m == 0 || m == ASSIGNED_ONCE) return false;
    const struct isa_inst *i = &l->k->insts[m - 1];
    uint32_t flags = isa_op_info[i->op].flags;
    if (!(flags & ISA_OP_PURE) || (flags & ISA_OP_IMAGE) || i->ndst != 1 || !i->nsrc || i->nsrc > 3)
        return false;
    const isa_operand *src = isa_srcs(l->k, i);
    memset(d, 0, sizeof *d);
    d->src[1] = d->src[2] = ISA_NO_OPERAND;
    for (unsigned n = 0; n < i->nsrc; n++) {
        d->src[n] = src[n];
        if (!isa_is_reg(src[n]) || s->made[src[n]]) continue;
        if (s->assigned[src[n]] >= m) return false;
        for (unsigned r = s->depth; r-- > 0;) /* a loop begun since may assign it further down */
            if (s->regions[r].op == ISA_loop) {
                if (s->regions[r].begin >= m - 1) return false;
                break;
            }
    }
    d->op = i->op;
    d->type = i->type;
    d->type2 = i->type2;
    d->mod = i->mod;
    d->nsrc = i->nsrc;
    return true;
}

static isa_operand operation(struct lower *l, enum isa_op op, enum isa_type type,
                             enum isa_type type2, unsigned mod, isa_operand a, isa_operand b,
                             isa_operand c) {
    struct pass_node n;
    memset(&n, 0, sizeof n);
    n.op = (uint16_t)op;
    n.type = (uint8_t)type;
    n.type2 = (uint8_t)type2;
    n.mod = (uint8_t)mod;
    n.nsrc = c != ISA_NO_OPERAND ? 3 : b != ISA_NO_OPERAND ? 2 : 1;
    n.src[0] = a;
    n.src[1] = b;
    n.src[2] = c;
    if (l->target->demotes && op == ISA_bits && isa_is_const(a) &&
        (type == ISA_F64) != (type2 == ISA_F64)) { /* as it will be in memory */
        uint64_t bits = l->k->consts[isa_const_index(a)].bits;
        return lower_const(l, type, type == ISA_F64 ? pass_promoted(bits) : pass_demoted(bits));
    }
    if (state_of(l)->exact) {
        struct isa_const k[3];
        bool known = true;
        uint64_t bits;
        for (unsigned i = 0; i < n.nsrc; i++) {
            known = known && isa_is_const(n.src[i]);
            if (known) k[i] = l->k->consts[isa_const_index(n.src[i])];
        }
        if (known && isa_fold(op, type, type2, mod, k, n.nsrc, true, &bits))
            return lower_const(l, type, bits);
    }
    isa_operand known = pass_simplify(l->k, &n, made_by, l);
    if (isa_kernel_failed(l->k)) lower_no_memory(l);
    if (known != ISA_NO_OPERAND) return known;
    const char *kinds = isa_op_info[n.op].operands;
    enum isa_type result = *kinds == 'p'   ? ISA_PRED
                           : *kinds == 'i' ? ISA_I32
                                           : (enum isa_type)n.type;
    isa_operand dst = new_reg(l, result, state_of(l)->dead ? ASSIGNED_ONCE : l->k->ninsts + 1);
    struct isa_inst *i = lower_emit(l, (enum isa_op)n.op, n.type, n.type2, 1, &dst, n.nsrc, n.src);
    i->mod = n.mod;
    return dst;
}

isa_operand lower_op1(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a) {
    return operation(l, op, t, ISA_NONE_T, 0, a, ISA_NO_OPERAND, ISA_NO_OPERAND);
}

/* Division by 2^n rounds toward zero: a negative dividend gets 2^n - 1 added first. */
static isa_operand divide_by_power(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a,
                                   unsigned n) {
    unsigned width = isa_type_size[t] * 8u;
    isa_operand sign = lower_op2(l, ISA_shr_s, t, a, lower_const(l, t, width - 1));
    isa_operand bias = lower_op2(l, ISA_shr_u, t, sign, lower_const(l, t, width - n));
    isa_operand sum = lower_op2(l, ISA_add, t, a, bias);
    if (op == ISA_div_s) return lower_op2(l, ISA_shr_s, t, sum, lower_const(l, t, n));
    isa_operand whole = lower_op2(l, ISA_and, t, sum, lower_const(l, t, ~(((uint64_t)1 << n) - 1)));
    return lower_op2(l, ISA_sub, t, a, whole);
}

isa_operand lower_op2(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a,
                      isa_operand b) {
    uint64_t c;
    if ((op == ISA_div_s || op == ISA_rem_s) && !isa_is_const(a) && lower_is_const(l, b, &c) &&
        c > 1 && !(c & (c - 1)) && isa_signed(t, c) > 0)
        return divide_by_power(l, op, t, a, (unsigned)__builtin_ctzll(c));
    return operation(l, op, t, ISA_NONE_T, 0, a, b, ISA_NO_OPERAND);
}

isa_operand lower_op3(struct lower *l, enum isa_op op, enum isa_type t, isa_operand a,
                      isa_operand b, isa_operand c) {
    return operation(l, op, t, ISA_NONE_T, 0, a, b, c);
}

isa_operand lower_cmp(struct lower *l, enum isa_op op, enum isa_type operands, isa_operand a,
                      isa_operand b) {
    return operation(l, op, ISA_PRED, operands, 0, a, b, ISA_NO_OPERAND);
}

isa_operand lower_select(struct lower *l, enum isa_type t, isa_operand p, isa_operand a,
                         isa_operand b) {
    return operation(l, ISA_select, t, ISA_NONE_T, 0, p, a, b);
}

isa_operand lower_cvt(struct lower *l, enum isa_op op, enum isa_type to, enum isa_type from,
                      enum isa_rounding r, isa_operand a) {
    if (op == ISA_f2f && to == from) return a;
    unsigned mod = isa_op_info[op].flags & ISA_OP_ROUNDS ? r : 0;
    return operation(l, op, to, from, mod, a, ISA_NO_OPERAND, ISA_NO_OPERAND);
}

isa_operand lower_special(struct lower *l, enum isa_special which) {
    struct isa_inst *i = lower_emit(l, ISA_special, ISA_I32, ISA_NONE_T, 1, NULL, 0, NULL);
    i->imm = which;
    return isa_dsts(l->k, i)[0];
}

isa_operand lower_undefined(struct lower *l, enum isa_type t) {
    isa_operand u = lower_special(l, ISA_SPECIAL_undefined);
    switch (t) {
    case ISA_PRED: return lower_cmp(l, ISA_ne, ISA_I32, u, lower_const(l, ISA_I32, 0));
    case ISA_I8:
    case ISA_I16: return lower_cvt(l, ISA_trunc, t, ISA_I32, ISA_RTE, u);
    case ISA_I64: return lower_cvt(l, ISA_sext, t, ISA_I32, ISA_RTE, u);
    case ISA_F32: return lower_cvt(l, ISA_bits, t, ISA_I32, ISA_RTE, u);
    case ISA_F64:
        u = lower_cvt(l, ISA_sext, ISA_I64, ISA_I32, ISA_RTE, u);
        return lower_cvt(l, ISA_bits, t, ISA_I64, ISA_RTE, u);
    default: return u;
    }
}

void lower_mov(struct lower *l, isa_operand reg, isa_operand a) {
    if (reg != a) lower_emit(l, ISA_mov, isa_operand_type(l->k, reg), ISA_NONE_T, 1, &reg, 1, &a);
}

isa_operand lower_copy(struct lower *l, isa_operand a) {
    enum isa_type t = isa_operand_type(l->k, a);
    return isa_dsts(l->k, lower_emit(l, ISA_mov, t, ISA_NONE_T, 1, NULL, 1, &a))[0];
}

void lower_settle(struct lower *l, isa_operand reg, isa_operand a, uint32_t mark) {
    struct lower_state *s = state_of(l);
    struct isa_kernel *k = l->k;
    if (!s->dead && isa_is_reg(a) && a >= mark && k->ninsts && s->made[a] == k->ninsts) {
        struct isa_inst *last = &k->insts[k->ninsts - 1];
        if (last->ndst == 1) {
            isa_dsts(k, last)[0] = reg;
            s->made[a] = ASSIGNED_ONCE;
            s->assigned[reg] = k->ninsts;
            return;
        }
    }
    lower_mov(l, reg, a);
}

bool lower_made_constaddr(struct lower *l, isa_operand o, uint32_t *offset) {
    if (!isa_is_reg(o)) return false;
    uint32_t m = state_of(l)->made[o];
    if (!m || m == ASSIGNED_ONCE) return false;
    const struct isa_inst *i = &l->k->insts[m - 1];
    if (i->op == ISA_constaddr) {
        *offset = (uint32_t)i->imm;
        return true;
    }
    uint64_t c;
    if (i->op != ISA_add || !lower_is_const(l, isa_srcs(l->k, i)[1], &c)) return false;
    if (!lower_made_constaddr(l, isa_srcs(l->k, i)[0], offset)) return false;
    *offset += (uint32_t)c;
    return true;
}

/* ---- truth ---- */

isa_operand lower_test(struct lower *l, enum isa_type t, isa_operand a) {
    if (t == ISA_PRED) return a;
    enum isa_op op = t == ISA_F32 || t == ISA_F64 ? ISA_fne : ISA_ne;
    return lower_cmp(l, op, t, a, lower_const(l, t, 0));
}

isa_operand lower_truth(struct lower *l, isa_operand p) {
    return lower_select(l, ISA_I32, p, lower_const(l, ISA_I32, 1), lower_const(l, ISA_I32, 0));
}

isa_operand lower_mask(struct lower *l, enum isa_type t, isa_operand p) {
    return lower_select(l, t, p, lower_const(l, t, ~(uint64_t)0), lower_const(l, t, 0));
}

/* ---- regions ---- */

static unsigned begin(struct lower *l, enum isa_op op, isa_operand p) {
    struct lower_state *s = state_of(l);
    if (s->dead) {
        if (op == ISA_if) lower_site_branch(l, NULL, false);
        s->dead_depth++;
        return s->depth;
    }
    if (s->depth == ISA_MAX_NESTING)
        lower_stop(l, "control flow nests deeper than %d once functions are expanded",
                   ISA_MAX_NESTING);
    s->regions[s->depth] = (struct lower_region){.op = (uint16_t)op, .begin = l->k->ninsts};
    struct isa_inst *i = lower_emit(l, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, op == ISA_if, &p);
    if (op == ISA_if) lower_site_branch(l, i, false);
    return s->depth++;
}

unsigned lower_begin(struct lower *l, enum isa_op loop_or_block) {
    return begin(l, loop_or_block, ISA_NO_OPERAND);
}

unsigned lower_if(struct lower *l, isa_operand p) { return begin(l, ISA_if, p); }

void lower_else(struct lower *l) {
    struct lower_state *s = state_of(l);
    if (s->dead_depth) return;
    struct lower_region *r = &s->regions[s->depth - 1];
    r->then_dead = s->dead;
    r->has_else = true;
    s->dead = false;
    lower_emit(l, ISA_else, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

void lower_end(struct lower *l) {
    struct lower_state *s = state_of(l);
    if (s->dead_depth) {
        s->dead_depth--;
        return;
    }
    struct lower_region *r = &s->regions[--s->depth];
    bool dead = s->dead;
    s->dead = false;
    enum isa_op op = r->op == ISA_if ? ISA_endif : r->op == ISA_loop ? ISA_endloop : ISA_endblock;
    lower_emit(l, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    if (r->op == ISA_if)
        s->dead = r->has_else && r->then_dead && dead;
    else if (r->op == ISA_block)
        s->dead = dead && !r->left;
    else
        s->dead = !r->left;
}

static void jump(struct lower *l, enum isa_op op, unsigned level, isa_operand p) {
    struct lower_state *s = state_of(l);
    bool loop = !s->dead && s->regions[level].op == ISA_loop;
    if (s->dead) {
        if (op == ISA_breakif) lower_site_branch(l, NULL, loop);
        return;
    }
    if (op != ISA_continue) s->regions[level].left = true;
    struct isa_inst *i = lower_emit(l, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, op == ISA_breakif, &p);
    i->imm = (int32_t)(s->depth - 1 - level);
    if (op == ISA_breakif) lower_site_branch(l, i, loop);
    if (op != ISA_breakif) s->dead = true;
}

void lower_break(struct lower *l, unsigned level) { jump(l, ISA_break, level, ISA_NO_OPERAND); }
void lower_continue(struct lower *l, unsigned level) {
    jump(l, ISA_continue, level, ISA_NO_OPERAND);
}

void lower_breakif(struct lower *l, isa_operand p, unsigned level) {
    uint64_t known;
    if (!lower_is_const(l, p, &known))
        jump(l, ISA_breakif, level, p);
    else if (known)
        lower_break(l, level);
}

void lower_return(struct lower *l) {
    if (state_of(l)->dead) return;
    lower_emit(l, ISA_ret, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    state_of(l)->dead = true;
}

/* ---- addresses ---- */

isa_operand lower_address(struct lower *l, isa_operand pointer, isa_operand index, uint32_t size,
                          int32_t *displacement) {
    uint32_t at = (uint32_t)*displacement, scale = size;
    uint64_t c;
    struct pass_node d, inner;
    if (isa_is_reg(pointer) && made_by(l, pointer, &d) && d.op == ISA_add &&
        lower_is_const(l, d.src[1], &c)) {
        at += (uint32_t)c;
        pointer = d.src[0];
    }
    /* index = x + c, or (x + c) << n, or (x + c) * n */
    while (isa_is_reg(index) && made_by(l, index, &d) && d.nsrc == 2 &&
           lower_is_const(l, d.src[1], &c)) {
        if (d.op == ISA_add) {
            at += (uint32_t)c * scale;
            index = d.src[0];
            continue;
        }
        if ((d.op != ISA_mul && d.op != ISA_shl) || !isa_is_reg(d.src[0]) ||
            !made_by(l, d.src[0], &inner) || inner.op != ISA_add || !isa_is_const(inner.src[1]))
            break;
        scale *= d.op == ISA_mul ? (uint32_t)c : (uint32_t)1 << (c & 31);
        index = d.src[0];
    }
    if (lower_is_const(l, index, &c)) {
        at += (uint32_t)c * scale;
    } else {
        isa_operand bytes = lower_op2(l, ISA_mul, ISA_I32, index, lower_const(l, ISA_I32, scale));
        pointer = lower_op2(l, ISA_add, ISA_I32, pointer, bytes);
    }
    *displacement = (int32_t)at;
    return pointer;
}
