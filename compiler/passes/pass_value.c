/* Value numbering over structured control flow. Every register holds, at every point, a numbered
 * value; equal operations on equal values have equal numbers, and the operation is replaced by a
 * copy of a register that still holds the value. What a region computed is forgotten at its end,
 * and what it assigned has a new number from there on; a loop's beginning forgets what its body
 * assigns. Loads are values of an address and a version of their memory, which stores, barriers and
 * fences advance (guide 2.2.2: until then a value that was read may be used again). */
#include "numbering.h"

#include <string.h>

struct value_region {
    uint16_t op;
    uint32_t begins; /* the instruction that begins it */
    bool gone;       /* an if whose direction is known: what is left of it stands by itself */
    uint32_t entries, changes;
    uint32_t versions[ISA_SPACE_COUNT];
};

struct value_pass {
    const struct isa_module *m;
    struct isa_kernel *k;
    struct arena *arena;
    struct rewrite_code old;
    uint32_t *end;       /* of a region at its beginning: the instruction that ends it */
    uint32_t *otherwise; /* of an if at its beginning: its else, or what ends it */
    struct numbering of;
    uint32_t versions[ISA_SPACE_COUNT], next_version;
    struct value_region regions[ISA_MAX_NESTING];
    unsigned depth;
};

/* ---- instructions ---- */

static void copy(struct value_pass *x, isa_operand dst, isa_operand from) {
    uint32_t value = numbering_of(&x->of, from);
    if (dst != from)
        isa_emit(x->k, ISA_mov, isa_operand_type(x->k, dst), ISA_NONE_T, 1, &dst, 1, &from);
    numbering_set(&x->of, dst, value);
}

static void pure(struct value_pass *x, const struct isa_inst *i, isa_operand dst,
                 const isa_operand *src) {
    struct pass_node n;
    memset(&n, 0, sizeof n);
    n.op = i->op;
    n.type = i->type;
    n.type2 = i->type2;
    n.mod = i->mod;
    n.nsrc = i->nsrc;
    n.src[0] = n.src[1] = n.src[2] = ISA_NO_OPERAND;
    for (unsigned s = 0; s < i->nsrc; s++) n.src[s] = numbering_best(&x->of, src[s]);
    if (i->nsrc) {
        isa_operand known = pass_simplify(x->k, &n, numbering_made_by, &x->of);
        if (isa_kernel_failed(x->k)) return;
        if (known != ISA_NO_OPERAND) {
            copy(x, dst, known);
            return;
        }
    }
    struct key key = {.op = n.op, .type = n.type, .type2 = n.type2, .mod = n.mod, .imm = i->imm};
    for (unsigned s = 0; s < n.nsrc; s++) key.src[s] = numbering_of(&x->of, n.src[s]);
    if ((isa_op_info[n.op].flags & ISA_OP_COMMUTES) && key.src[0] > key.src[1]) {
        uint32_t swap = key.src[0];
        key.src[0] = key.src[1];
        key.src[1] = swap;
    }
    const struct value_entry *known = numbering_entry(&x->of, &key);
    if (known) {
        copy(x, dst, numbering_held(&x->of, known->value));
        return;
    }
    struct isa_inst out = *i;
    out.op = n.op;
    out.type = n.type;
    out.type2 = n.type2;
    out.mod = n.mod;
    out.nsrc = n.nsrc;
    if (i->site && n.op != i->op) { /* it cannot go wrong any more */
        isa_site_remove(x->k, i->site, ISA_REMOVED_folded);
        out.site = 0;
    }
    rewrite_put(x->k, &out, &dst, n.src);
    uint32_t value = numbering_new(&x->of, dst);
    struct numbered_value *v = &x->of.values[value];
    v->op = n.op;
    v->type = n.type;
    v->type2 = n.type2;
    v->mod = n.mod;
    v->nsrc = n.nsrc;
    v->imm = i->imm;
    for (unsigned s = 0; s < n.nsrc; s++) v->src[s] = numbering_of(&x->of, n.src[s]);
    numbering_set(&x->of, dst, value);
    numbering_remember(&x->of, &key, value);
}

/* ---- memory ---- */

/* Folds constant parts of the address into the displacement. */
static void fold_address(struct value_pass *x, struct isa_inst *i, isa_operand *base) {
    if (*base == ISA_NO_OPERAND) return;
    *base = numbering_best(&x->of, *base);
    for (;;) {
        struct pass_node d;
        isa_operand next;
        uint64_t c;
        if (isa_is_const(*base)) {
            if (i->space != ISA_PRIVATE) return; /* the caller keeps the register */
            c = x->k->consts[isa_const_index(*base)].bits;
            next = ISA_NO_OPERAND;
        } else if (numbering_made_by(&x->of, *base, &d) && d.op == ISA_add &&
                   isa_is_const(d.src[1])) {
            c = x->k->consts[isa_const_index(d.src[1])].bits;
            next = d.src[0];
            if (isa_is_const(next) && i->space != ISA_PRIVATE) return;
        } else {
            return;
        }
        int64_t at = (int64_t)i->imm + (int32_t)(uint32_t)c;
        int64_t end = at + isa_bytes(i);
        if (at <= -ISA_MAX_DISPLACEMENT || end >= ISA_MAX_DISPLACEMENT) return;
        i->imm = (int32_t)at;
        *base = next;
        if (next == ISA_NO_OPERAND) return;
    }
}

static struct key load_key(struct value_pass *x, const struct isa_inst *i, uint32_t base,
                           unsigned component) {
    return (struct key){.op = ISA_ld,
                        .type = i->type,
                        .space = i->space,
                        .imm = i->imm + (int32_t)(component * isa_type_size[i->type]),
                        .version = x->versions[i->space],
                        .src = {base}};
}

/* The bytes of constant data at a known address, unless they are an address themselves. */
static bool constant_data(struct value_pass *x, const struct isa_inst *i, isa_operand base,
                          unsigned component, uint64_t *bits) {
    if (i->space != ISA_CONSTANT || base == ISA_NO_OPERAND || !isa_is_reg(base) ||
        !x->of.number[base])
        return false;
    const struct numbered_value *v = &x->of.values[x->of.number[base]];
    if (v->op != ISA_constaddr) return false;
    uint32_t size = isa_type_size[i->type];
    int64_t at = (int64_t)v->imm + i->imm + (int64_t)component * size;
    if (at < 0 || at + size > x->m->data_bytes) return false;
    for (uint32_t r = 0; r < x->m->nrelocs; r++)
        if (at < (int64_t)x->m->relocs[r] + 4 && at + size > x->m->relocs[r]) return false;
    *bits = 0;
    memcpy(bits, x->m->data + at, size);
    return true;
}

/* Where the components of a load are known from, together. */
struct value_source {
    uint32_t site; /* of the first earlier load */
    bool stored;   /* a store is among them */
};

static void replaced(struct value_pass *x, const struct isa_inst *i,
                     const struct value_source *from) {
    if (from->stored)
        isa_site_remove(x->k, i->site, ISA_REMOVED_forwarded);
    else if (from->site)
        isa_site_merge(x->k, from->site, i->site);
    else
        isa_site_remove(x->k, i->site, ISA_REMOVED_folded); /* constant data */
}

static void load(struct value_pass *x, struct isa_inst *i, const isa_operand *dst,
                 isa_operand base) {
    struct value_source from = {0};
    isa_operand original = base, known[16];
    fold_address(x, i, &base);
    if (base != ISA_NO_OPERAND && isa_is_const(base)) base = original;
    if (i->flags & ISA_VOLATILE) {
        rewrite_put(x->k, i, dst, &base);
        for (unsigned c = 0; c < i->ndst; c++) numbering_set(&x->of, dst[c], 0);
        return;
    }
    uint32_t address = base == ISA_NO_OPERAND ? 0 : numbering_of(&x->of, base);
    bool all = i->ndst <= 16;
    for (unsigned c = 0; all && c < i->ndst; c++) {
        struct key key = load_key(x, i, address, c);
        uint64_t bits;
        const struct value_entry *e = numbering_entry(&x->of, &key);
        if (e) {
            known[c] = numbering_held(&x->of, e->value);
            from.stored |= e->stored;
            if (!from.site && !e->stored) from.site = e->site;
        } else if (constant_data(x, i, base, c, &bits))
            known[c] = isa_const_new(x->k, i->type, bits);
        else
            all = false;
    }
    if (isa_kernel_failed(x->k)) return;
    if (all) {
        /* A component may be held by a register another one is about to overwrite. */
        for (unsigned c = 0; c < i->ndst; c++)
            for (unsigned d = 0; d < c; d++) all = all && known[c] != dst[d];
    }
    if (all) {
        replaced(x, i, &from);
        for (unsigned c = 0; c < i->ndst; c++) copy(x, dst[c], known[c]);
        return;
    }
    rewrite_put(x->k, i, dst, &base);
    for (unsigned c = 0; c < i->ndst; c++)
        numbering_set(&x->of, dst[c], numbering_new(&x->of, dst[c]));
    for (unsigned c = 0; c < i->ndst; c++) {
        struct key key = load_key(x, i, address, c);
        if (base == ISA_NO_OPERAND || x->of.number[base] == address)
            numbering_remember(&x->of, &key, x->of.number[dst[c]])->site = i->site;
    }
}

static void advance(struct value_pass *x, enum isa_space space) {
    x->versions[space] = ++x->next_version;
}

static void store(struct value_pass *x, struct isa_inst *i, isa_operand *src) {
    isa_operand original = src[0];
    fold_address(x, i, &src[0]);
    if (src[0] != ISA_NO_OPERAND && isa_is_const(src[0])) src[0] = original;
    for (unsigned s = 1; s < i->nsrc; s++) src[s] = numbering_best(&x->of, src[s]);
    rewrite_put(x->k, i, NULL, src);
    advance(x, (enum isa_space)i->space);
    if (i->flags & ISA_VOLATILE) return;
    uint32_t address = src[0] == ISA_NO_OPERAND ? 0 : numbering_of(&x->of, src[0]);
    for (unsigned c = 0; c + 1 < i->nsrc; c++) {
        struct key key = load_key(x, i, address, c);
        uint32_t value = numbering_of(&x->of, src[1 + c]);
        struct value_entry *e = numbering_remember(&x->of, &key, value);
        e->site = i->site;
        e->stored = true;
    }
}

/* ---- regions ---- */

unsigned pass_clobbers(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    unsigned shared = 1u << ISA_GLOBAL | 1u << ISA_LOCAL;
    if (flags & (ISA_OP_EFFECT | ISA_OP_BARRIER)) return shared;
    if (!(flags & ISA_OP_MEMORY)) return 0;
    return flags & (ISA_OP_WRITES | ISA_OP_ATOMIC) ? 1u << i->space : 0;
}

static void clobber(struct value_pass *x, unsigned spaces) {
    for (unsigned s = 0; s < ISA_SPACE_COUNT; s++)
        if (spaces >> s & 1) advance(x, (enum isa_space)s);
}

static void begin(struct value_pass *x, const struct isa_inst *i, uint32_t at) {
    struct value_region *r = &x->regions[x->depth++];
    r->op = i->op;
    r->begins = at;
    r->gone = false;
    r->entries = x->of.nentries;
    r->changes = x->of.nchanges;
    memcpy(r->versions, x->versions, sizeof r->versions);
    if (i->op != ISA_loop) return;
    unsigned clobbered = 0;
    for (uint32_t n = at + 1; n < x->end[at]; n++) {
        const struct isa_inst *b = &x->old.insts[n];
        clobbered |= pass_clobbers(b);
        for (unsigned d = 0; d < b->ndst; d++)
            numbering_set(&x->of, x->old.operands[b->operands + d], 0);
    }
    clobber(x, clobbered);
}

static void otherwise(struct value_pass *x) {
    struct value_region *r = &x->regions[x->depth - 1];
    numbering_forget(&x->of, r->entries);
    for (uint32_t c = x->of.nchanges; c-- > r->changes;)
        x->of.number[x->of.changes[c].reg] = x->of.changes[c].was;
    for (unsigned s = 0; s < ISA_SPACE_COUNT; s++) {
        if (x->versions[s] == r->versions[s]) continue;
        uint32_t was = r->versions[s];
        x->versions[s] = was;
        r->versions[s] = UINT32_MAX; /* the end has to advance it */
    }
}

static void end(struct value_pass *x) {
    struct value_region *r = &x->regions[--x->depth];
    numbering_forget(&x->of, r->entries);
    for (uint32_t c = r->changes; c < x->of.nchanges; c++) x->of.number[x->of.changes[c].reg] = 0;
    if (!x->depth) x->of.nchanges = 0;
    for (unsigned s = 0; s < ISA_SPACE_COUNT; s++)
        if (x->versions[s] != r->versions[s]) advance(x, (enum isa_space)s);
}

static bool constant_predicate(const struct value_pass *x, isa_operand o, bool *holds) {
    if (!isa_is_const(o)) return false;
    *holds = x->k->consts[isa_const_index(o)].bits != 0;
    return true;
}

/* The instructions from `first` to before `end` are never executed. */
static void unreachable(struct value_pass *x, uint32_t first, uint32_t end) {
    for (uint32_t n = first; n < end; n++)
        isa_site_remove(x->k, x->old.insts[n].site, ISA_REMOVED_unreachable);
}

/* An if whose condition is known: only the side that is executed is left. Returns the last
 * instruction that needs no visit. */
static uint32_t known_if(struct value_pass *x, uint32_t at, bool holds) {
    uint32_t middle = x->otherwise[at], last = x->end[at];
    isa_site_remove(x->k, x->old.insts[at].site, ISA_REMOVED_folded);
    unreachable(x, holds ? middle : at + 1, holds ? last : middle);
    if (!holds && middle == last) return last;
    x->regions[x->depth++] = (struct value_region){.op = ISA_if, .begins = at, .gone = true};
    return holds ? at : middle;
}

/* Behind a jump that all active lanes make: up to where the region, or its side, ends that the jump
 * stands in, nothing is executed. Returns the last instruction that needs no visit. */
static uint32_t behind_jump(struct value_pass *x, uint32_t at) {
    uint32_t next = x->old.ninsts;
    while (x->depth && x->regions[x->depth - 1].gone) x->depth--;
    if (x->depth) {
        uint32_t begins = x->regions[x->depth - 1].begins;
        next = at < x->otherwise[begins] ? x->otherwise[begins] : x->end[begins];
    }
    unreachable(x, at + 1, next);
    return next - 1;
}

/* How many regions are between a jump and its aim, gone ones not counted. */
static int32_t between(const struct value_pass *x, int32_t regions) {
    int32_t n = regions;
    for (int32_t d = 0; d < regions; d++) n -= x->regions[x->depth - 1 - (unsigned)d].gone;
    return n;
}

static void other(struct value_pass *x, struct isa_inst *i, const isa_operand *dst,
                  isa_operand *src) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    isa_operand base = i->nsrc ? src[0] : ISA_NO_OPERAND;
    bool memory = info->flags & ISA_OP_MEMORY;
    if (memory) {
        fold_address(x, i, &src[0]);
        if (src[0] != ISA_NO_OPERAND && isa_is_const(src[0])) src[0] = base;
    }
    for (unsigned s = memory; s < i->nsrc; s++) src[s] = numbering_best(&x->of, src[s]);
    rewrite_put(x->k, i, dst, src);
    for (unsigned d = 0; d < i->ndst; d++) numbering_set(&x->of, dst[d], 0);
    clobber(x, pass_clobbers(i));
}

/* An instruction that begins or ends a region, or is between its sides. Returns the last one that
 * needs no visit. */
static uint32_t boundary(struct value_pass *x, uint32_t at) {
    struct isa_inst i = x->old.insts[at];
    isa_operand *src = x->old.operands + i.operands + i.ndst;
    uint32_t flags = isa_op_info[i.op].flags;
    bool holds;
    if (flags & ISA_OP_REGION_BEGIN) {
        if (i.op == ISA_if) {
            src[0] = numbering_best(&x->of, src[0]);
            if (constant_predicate(x, src[0], &holds)) return known_if(x, at, holds);
        }
        rewrite_put(x->k, &i, NULL, src);
        begin(x, &i, at);
        return at;
    }
    if (x->regions[x->depth - 1].gone) { /* its else is not executed */
        if (!--x->depth) x->of.nchanges = 0;
        return x->end[x->regions[x->depth].begins];
    }
    rewrite_put(x->k, &i, NULL, src);
    if (flags & ISA_OP_REGION_ELSE)
        otherwise(x);
    else
        end(x);
    return at;
}

/* Leaves a region, or begins its next iteration. Returns the last instruction that needs no visit.
 */
static uint32_t jump(struct value_pass *x, uint32_t at) {
    struct isa_inst i = x->old.insts[at];
    isa_operand *src = x->old.operands + i.operands;
    bool holds;
    if (i.op != ISA_ret) i.imm = between(x, i.imm);
    if (i.op == ISA_breakif) {
        src[0] = numbering_best(&x->of, src[0]);
        if (!constant_predicate(x, src[0], &holds)) {
            rewrite_put(x->k, &i, NULL, src);
            return at;
        }
        isa_site_remove(x->k, i.site, ISA_REMOVED_folded);
        if (!holds) return at;
        isa_emit(x->k, ISA_break, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm = i.imm;
    } else {
        rewrite_put(x->k, &i, NULL, src);
    }
    return behind_jump(x, at);
}

static void visit(struct value_pass *x, uint32_t at) {
    struct isa_inst i = x->old.insts[at];
    isa_operand *dst = x->old.operands + i.operands, *src = dst + i.ndst;
    uint32_t flags = isa_op_info[i.op].flags;
    if (i.op == ISA_mov) {
        copy(x, dst[0], numbering_best(&x->of, src[0]));
    } else if (i.op == ISA_special && i.imm == ISA_SPECIAL_undefined) {
        other(x, &i, dst, src); /* each says which variable it is */
    } else if ((flags & ISA_OP_PURE) && i.ndst == 1 && i.nsrc <= 3) {
        pure(x, &i, dst[0], src);
    } else if (i.op == ISA_ld) {
        load(x, &i, dst, src[0]);
    } else if (i.op == ISA_st) {
        store(x, &i, src);
    } else {
        other(x, &i, dst, src);
    }
}

static void match_regions(struct value_pass *x) {
    uint32_t open[ISA_MAX_NESTING];
    unsigned depth = 0;
    x->end = ARENA_ARRAY(x->arena, uint32_t, x->old.ninsts + 1u);
    x->otherwise = ARENA_ARRAY(x->arena, uint32_t, x->old.ninsts + 1u);
    for (uint32_t i = 0; i < x->old.ninsts; i++) {
        uint32_t flags = isa_op_info[x->old.insts[i].op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            open[depth++] = i;
        } else if (flags & ISA_OP_REGION_ELSE) {
            x->otherwise[open[depth - 1]] = i;
        } else if (flags & ISA_OP_REGION_END) {
            uint32_t first = open[--depth];
            x->end[first] = i;
            if (!x->otherwise[first]) x->otherwise[first] = i;
        }
    }
}

bool pass_value(const struct pass *p) {
    const struct isa_module *m = p->module;
    struct isa_kernel *k = p->k;
    struct arena *arena = p->arena;
    struct value_pass *x = ARENA_NEW(arena, struct value_pass);
    x->m = m;
    x->k = k;
    x->arena = arena;
    x->next_version = 1;
    numbering_begin(&x->of, arena, k);
    x->old = rewrite_take(k, arena);
    match_regions(x);
    for (uint32_t i = 0; i < x->old.ninsts && !isa_kernel_failed(k); i++) {
        k->cur_file = x->old.insts[i].file;
        k->cur_line = x->old.insts[i].line;
        uint32_t flags = isa_op_info[x->old.insts[i].op].flags;
        if (flags & ISA_OP_REGION)
            i = boundary(x, i);
        else if (flags & ISA_OP_JUMP)
            i = jump(x, i);
        else
            visit(x, i);
    }
    if (k->ninsts < x->old.ninsts)
        trace_tell(&p->trace, NULL, "%u of %u instructions were known already",
                   x->old.ninsts - k->ninsts, x->old.ninsts);
    return false;
}
