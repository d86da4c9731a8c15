#include "numbering.h"

#include <string.h>

static void *grown(struct numbering *x, void *old, uint32_t n, uint32_t *cap, size_t size) {
    if (n < *cap) return old;
    uint32_t more = *cap ? *cap * 2 : 256;
    void *fresh = arena_alloc(x->arena, (size_t)more * size);
    if (n) memcpy(fresh, old, (size_t)n * size);
    *cap = more;
    return fresh;
}

void numbering_begin(struct numbering *x, struct arena *arena, const struct isa_kernel *k) {
    x->arena = arena;
    x->number = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (x->nbuckets = 256; x->nbuckets < k->ninsts; x->nbuckets *= 2) {
    }
    x->buckets = ARENA_ARRAY(arena, uint32_t, x->nbuckets);
    numbering_new(x, ISA_NO_OPERAND); /* number 0 is none */
}

/* ---- values ---- */

uint32_t numbering_new(struct numbering *x, isa_operand holder) {
    x->values = grown(x, x->values, x->nvalues, &x->cap_values, sizeof *x->values);
    x->values[x->nvalues] = (struct numbered_value){
        .constant = ISA_NO_OPERAND, .holder = holder, .spare = ISA_NO_OPERAND, .op = ISA_OP_COUNT};
    return x->nvalues++;
}

uint32_t numbering_of(struct numbering *x, isa_operand o) {
    if (isa_is_reg(o)) {
        if (!x->number[o]) x->number[o] = numbering_new(x, o);
        return x->number[o];
    }
    uint32_t c = isa_const_index(o);
    if (c >= x->cap_constants) {
        uint32_t cap = x->cap_constants;
        while (c >= cap) cap = cap ? cap * 2 : 256;
        uint32_t *more = ARENA_ARRAY(x->arena, uint32_t, cap);
        if (x->cap_constants) memcpy(more, x->constants, x->cap_constants * sizeof *more);
        x->constants = more;
        x->cap_constants = cap;
    }
    if (!x->constants[c]) {
        x->constants[c] = numbering_new(x, ISA_NO_OPERAND);
        x->values[x->constants[c]].constant = o;
    }
    return x->constants[c];
}

isa_operand numbering_held(const struct numbering *x, uint32_t value) {
    const struct numbered_value *v = &x->values[value];
    if (v->constant != ISA_NO_OPERAND) return v->constant;
    if (v->holder != ISA_NO_OPERAND && x->number[v->holder] == value) return v->holder;
    return v->spare != ISA_NO_OPERAND && x->number[v->spare] == value ? v->spare : ISA_NO_OPERAND;
}

isa_operand numbering_best(struct numbering *x, isa_operand o) {
    if (!isa_is_reg(o)) return o;
    isa_operand h = numbering_held(x, numbering_of(x, o));
    return h == ISA_NO_OPERAND ? o : h;
}

void numbering_set(struct numbering *x, isa_operand reg, uint32_t value) {
    x->changes = grown(x, x->changes, x->nchanges, &x->cap_changes, sizeof *x->changes);
    x->changes[x->nchanges++] = (struct change){reg, x->number[reg]};
    x->number[reg] = value;
    if (!value) return;
    struct numbered_value *v = &x->values[value];
    if (numbering_held(x, value) == ISA_NO_OPERAND)
        v->holder = reg;
    else if (v->holder != reg)
        v->spare = reg;
}

bool numbering_made_by(void *context, isa_operand o, struct pass_node *d) {
    struct numbering *x = context;
    if (!isa_is_reg(o) || !x->number[o]) return false;
    const struct numbered_value *v = &x->values[x->number[o]];
    if (v->op == ISA_OP_COUNT || !v->nsrc) return false;
    memset(d, 0, sizeof *d);
    d->op = v->op;
    d->type = v->type;
    d->type2 = v->type2;
    d->mod = v->mod;
    d->nsrc = v->nsrc;
    for (unsigned i = 0; i < 3; i++) {
        d->src[i] = i < v->nsrc ? numbering_held(x, v->src[i]) : ISA_NO_OPERAND;
        if (i < v->nsrc && d->src[i] == ISA_NO_OPERAND) return false;
    }
    return true;
}

/* ---- the table of what is available ---- */

static uint32_t bucket_of(const struct numbering *x, const struct key *k) {
    uint64_t h = (uint64_t)k->op << 32 | (uint32_t)k->imm;
    h = (h ^ ((uint64_t)k->type << 40 | (uint64_t)k->type2 << 48 | (uint64_t)k->mod << 56)) *
        0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ k->src[0] ^ (uint64_t)k->src[1] << 32) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ k->src[2] ^ (uint64_t)k->version << 24 ^ k->space) * 0x94d049bb133111ebu;
    return (uint32_t)(h >> 40) & (x->nbuckets - 1);
}

static bool equal(const struct key *a, const struct key *b) {
    return a->op == b->op && a->type == b->type && a->type2 == b->type2 && a->mod == b->mod &&
           a->space == b->space && a->imm == b->imm && a->version == b->version &&
           a->src[0] == b->src[0] && a->src[1] == b->src[1] && a->src[2] == b->src[2];
}

const struct value_entry *numbering_entry(const struct numbering *x, const struct key *k) {
    for (uint32_t e = x->buckets[bucket_of(x, k)]; e; e = x->entries[e - 1].next)
        if (equal(&x->entries[e - 1].key, k) &&
            numbering_held(x, x->entries[e - 1].value) != ISA_NO_OPERAND)
            return &x->entries[e - 1];
    return NULL;
}

struct value_entry *numbering_remember(struct numbering *x, const struct key *k, uint32_t value) {
    x->entries = grown(x, x->entries, x->nentries, &x->cap_entries, sizeof *x->entries);
    uint32_t b = bucket_of(x, k);
    x->entries[x->nentries] =
        (struct value_entry){.key = *k, .value = value, .next = x->buckets[b], .bucket = b};
    x->buckets[b] = ++x->nentries;
    return &x->entries[x->nentries - 1];
}

void numbering_forget(struct numbering *x, uint32_t entries) {
    while (x->nentries > entries) {
        const struct value_entry *e = &x->entries[--x->nentries];
        x->buckets[e->bucket] = e->next;
    }
}
