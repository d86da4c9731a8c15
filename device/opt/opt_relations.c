/* What several comparisons of the same two numbers say together, one comparison says: `a < b || (a
 * == b && i < j)` of which the last one is known, or what ifs have become of that. */
#include "device/isa/compare.h"
#include "device/isa/constant.h"
#include "device/isa/loops.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"

/* How the first of two numbers may be to the second one, where a predicate is true. */
enum {
    LESS = 1,
    EQUAL = 2,
    MORE = 4,
    UNORDERED = 8,
    ANY_INTEGER = LESS | EQUAL | MORE,
    ANY_FLOAT = ANY_INTEGER | UNORDERED
};

/* A predicate: one of these, of two operands of a type; or a constant, of none. */
struct relation {
    bool is, orders; /* orders: integers have a sign or none, as `is_signed` says */
    bool is_signed, constant;
    uint8_t type, set;
    isa_operand a, b;
};

struct relations_finder {
    struct isa_kernel *k;
    struct loops l;
    struct relation *of;
};

static uint8_t all_of(const struct relation *r) {
    return isa_is_integer(r->type) ? ANY_INTEGER : ANY_FLOAT;
}

static bool stays(const struct relations_finder *f, isa_operand o) {
    return isa_is_const(o) || (isa_is_reg(o) && f->l.ordered[o]);
}

static void turn(struct relation *r) {
    isa_operand a = r->a;
    r->a = r->b;
    r->b = a;
    r->set = (uint8_t)((r->set & (EQUAL | UNORDERED)) | (r->set & LESS ? MORE : 0) |
                       (r->set & MORE ? LESS : 0));
}

static struct relation compared(const struct relations_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    struct relation r = {.is = true, .type = i->type2, .a = src[0], .b = src[1]};
    switch (i->op) {
    case ISA_eq:
    case ISA_feq: r.set = EQUAL; break;
    case ISA_ne: r.set = LESS | MORE; break;
    case ISA_fne: r.set = LESS | MORE | UNORDERED; break;
    case ISA_lt_s:
    case ISA_lt_u:
    case ISA_flt: r.set = LESS; break;
    default: r.set = LESS | EQUAL; break;
    }
    r.orders = compare_is_order(i->op);
    r.is_signed = compare_is_signed(i->op);
    r.is = stays(f, r.a) && stays(f, r.b) && r.type != ISA_PRED;
    if (r.a > r.b) turn(&r);
    return r;
}

static struct relation operand(const struct relations_finder *f, isa_operand o) {
    uint64_t bits;
    if (isa_is_reg(o)) return f->of[o];
    if (!isa_is_const(o)) return (struct relation){0};
    bits = f->k->consts[isa_const_index(o)].bits;
    return (struct relation){.is = true, .constant = true, .set = bits & 1 ? ANY_FLOAT : 0};
}

/* Two that are of the same numbers; of which r has what they are. */
static bool alike(const struct relation *a, const struct relation *b, struct relation *r) {
    if (!a->is || !b->is) return false;
    *r = a->constant ? *b : *a;
    if (a->constant || b->constant) return !(a->constant && b->constant);
    if (a->a != b->a || a->b != b->b || a->type != b->type) return false;
    if (a->orders && b->orders && a->is_signed != b->is_signed) return false;
    if (!a->orders) *r = *b;
    return true;
}

static struct relation result(const struct relations_finder *f, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(f->k, i);
    struct relation a, b, c, r, none = {0};
    if ((compare_is_integer(i->op) || i->op == ISA_feq || i->op == ISA_fne || i->op == ISA_flt ||
         i->op == ISA_fle))
        return compared(f, i);
    if (i->ndst != 1 || isa_operand_type(f->k, isa_dsts(f->k, i)[0]) != ISA_PRED || !i->nsrc)
        return none;
    a = operand(f, src[0]);
    switch (i->op) {
    case ISA_mov: return a.constant ? none : a;
    case ISA_not:
        if (!a.is || a.constant) return none;
        a.set = (uint8_t)(all_of(&a) & ~a.set);
        return a;
    case ISA_and:
    case ISA_or:
        b = operand(f, src[1]);
        if (!alike(&a, &b, &r)) return none;
        r.set = i->op == ISA_and ? a.set & b.set : (a.set | b.set) & all_of(&r);
        return r;
    case ISA_select:
        b = operand(f, src[1]);
        c = operand(f, src[2]);
        if (a.constant || !alike(&a, &b, &r) || !alike(&r, &c, &r)) return none;
        r.set = (uint8_t)(((a.set & b.set) | (~a.set & c.set)) & all_of(&r));
        return r;
    default: return none;
    }
}

/* The comparison that says so; ISA_OP_COUNT: there is none. */
static enum isa_op comparison(struct relation *r) {
    bool integer = isa_is_integer(r->type);
    if (r->set == MORE || r->set == (MORE | EQUAL)) turn(r);
    if (r->set == EQUAL) return integer ? ISA_eq : ISA_feq;
    if (r->set == (all_of(r) & ~EQUAL)) return integer ? ISA_ne : ISA_fne;
    if (integer && !r->orders) return ISA_OP_COUNT;
    if (r->set == LESS) return !integer ? ISA_flt : r->is_signed ? ISA_lt_s : ISA_lt_u;
    if (r->set == (LESS | EQUAL)) return !integer ? ISA_fle : r->is_signed ? ISA_le_s : ISA_le_u;
    return ISA_OP_COUNT;
}

void opt_relations(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct relations_finder f = {.k = k};
    uint8_t *joins = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u);
    uint32_t joined = 0;
    loops_find(&f.l, k, arena);
    f.of = ARENA_ARRAY(arena, struct relation, k->nregs + 1u);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        struct relation r = result(&f, i);
        if (!r.is || !f.l.ordered[isa_dsts(k, i)[0]]) continue;
        f.of[isa_dsts(k, i)[0]] = r;
        if (i->op != ISA_and && i->op != ISA_or && i->op != ISA_select) continue;
        bool whole = !r.set || r.set == all_of(&r);
        if (!whole && comparison(&r) == ISA_OP_COUNT) continue;
        joins[n] = 1;
        joined++;
    }
    if (!joined) return;
    uint32_t *reads = rewrite_reads(k, arena), nregs = k->nregs;
    struct rewrite_code old = rewrite_take(k, arena);
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        k->cur_file = old.insts[n].file;
        k->cur_line = old.insts[n].line;
        if (!joins[n]) {
            rewrite_keep(k, &old, n);
            continue;
        }
        isa_operand to = old.operands[old.insts[n].operands];
        struct relation r = f.of[to];
        if (!r.set || r.set == all_of(&r)) {
            isa_operand value = isa_const_new(k, ISA_PRED, r.set != 0);
            isa_emit(k, ISA_mov, ISA_PRED, ISA_NONE_T, 1, &to, 1, &value);
            continue;
        }
        enum isa_op op = comparison(&r);
        if (r.set != LESS && r.set != (LESS | EQUAL) && isa_is_const(r.a)) turn(&r);
        isa_emit(k, op, ISA_PRED, r.type, 1, &to, 2, (isa_operand[]){r.a, r.b});
    }
    if (isa_kernel_failed(k)) return;
    rewrite_unread_since(k, arena, reads, nregs);
    const struct isa_inst whole = {.line = 0};
    trace_tell(p, &whole, "%u conditions are one comparison each", joined);
}
