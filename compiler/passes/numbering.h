/* Numbers of values: equal operations on equal values have one, and a register has that of what it
 * holds now. */
#ifndef SIMTCL_PASSES_NUMBERING_H
#define SIMTCL_PASSES_NUMBERING_H

#include "pass.h"

struct numbered_value {        /* a node whose sources are value numbers */
    isa_operand constant;      /* or ISA_NO_OPERAND */
    isa_operand holder, spare; /* registers; they still hold the value when their number says so */
    uint16_t op;               /* ISA_OP_COUNT: nothing is known */
    uint8_t type, type2, mod, nsrc;
    uint32_t src[3];
    int32_t imm;
};

struct key {
    uint16_t op;
    uint8_t type, type2, mod, space;
    int32_t imm;
    uint32_t version, src[3];
};
struct value_entry {
    struct key key;
    uint32_t value, next, bucket;
    uint32_t site; /* memory: of the load or store that the value is known from */
    bool stored;   /* a store */
};

struct change {
    isa_operand reg;
    uint32_t was;
};

struct numbering {
    struct arena *arena;
    uint32_t *number;    /* of each register, 0: none yet */
    uint32_t *constants; /* of each constant */
    uint32_t cap_constants;
    struct numbered_value *values;
    uint32_t nvalues, cap_values;
    uint32_t *buckets, nbuckets;
    struct value_entry *entries;
    uint32_t nentries, cap_entries;
    struct change *changes;
    uint32_t nchanges, cap_changes;
};

void numbering_begin(struct numbering *x, struct arena *arena, const struct isa_kernel *k);

/* A value that nothing is known of; what an operand holds. */
uint32_t numbering_new(struct numbering *x, isa_operand holder);
uint32_t numbering_of(struct numbering *x, isa_operand o);
/* An operand that holds the value now, or ISA_NO_OPERAND; the best one for what another holds. */
isa_operand numbering_held(const struct numbering *x, uint32_t value);
isa_operand numbering_best(struct numbering *x, isa_operand o);
/* The register holds that from here on; 0: a new one. What it held is among x->changes. */
void numbering_set(struct numbering *x, isa_operand reg, uint32_t value);
/* pass_def_fn, of a struct numbering. */
bool numbering_made_by(void *context, isa_operand o, struct pass_node *d);

/* The table of what is available: the entry of a key whose value a register still holds, or NULL;
 * one more; all but the first ones go away. */
const struct value_entry *numbering_entry(const struct numbering *x, const struct key *k);
struct value_entry *numbering_remember(struct numbering *x, const struct key *k, uint32_t value);
void numbering_forget(struct numbering *x, uint32_t entries);

#endif
