/* What is known of predicates in a version of a piece of code: those that it is made for, and what
 * follows from them. */
#ifndef SIMTCL_KNOWLEDGE_H
#define SIMTCL_KNOWLEDGE_H

#include "device/isa/loops.h"

enum truth { UNKNOWN, FALSE, TRUE };
static inline enum truth truth_of(bool is) { return is ? TRUE : FALSE; }
static inline enum truth truth_opposite(enum truth t) {
    return t == UNKNOWN ? t : truth_of(t == FALSE);
}

enum { KNOWLEDGE_MOST = 32 };
struct knowledge { /* zeros: nothing is known */
    isa_operand reg[KNOWLEDGE_MOST];
    enum truth is[KNOWLEDGE_MOST];
    unsigned count;
};

/* Notes a predicate, and those that are known with it, as far as there is room. */
void knowledge_note(struct knowledge *a, const struct isa_kernel *k, const struct loops *l,
                    isa_operand p, enum truth is);
/* What a predicate is then. */
enum truth knowledge_tells(const struct knowledge *a, const struct isa_kernel *k,
                           const struct loops *l, isa_operand p);

#endif
