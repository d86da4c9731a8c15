/* Rewriting a kernel: the code is taken out of it (a copy in the arena), and put back instruction
 * by instruction, changed or not. */
#ifndef SIMTCL_REWRITE_H
#define SIMTCL_REWRITE_H

#include "arena.h"
#include "isa.h"

struct rewrite_code {
    struct isa_inst *insts;
    isa_operand *operands;
    uint32_t ninsts, nregs; /* nregs: the kernel's when it was taken out */
};

/* Takes all instructions out of the kernel. Registers and constants stay, and so their numbers. */
struct rewrite_code rewrite_take(struct isa_kernel *k, struct arena *arena);
/* Appends a copy of an instruction (whatever it has besides operands comes along) with these
 * operands, as many as it has. Never NULL, see isa_emit. */
struct isa_inst *rewrite_put(struct isa_kernel *k, const struct isa_inst *i, const isa_operand *dst,
                             const isa_operand *src);

/* Appends instruction n of what was taken out, as it was. */
void rewrite_keep(struct isa_kernel *k, const struct rewrite_code *old, uint32_t n);

/* Do two instructions do the same with their operands, but for the immediate field? */
bool rewrite_alike(const struct isa_inst *a, const struct isa_inst *b);

/* Has regions know their ends (`match`), as the verifier does. */
void rewrite_match(struct isa_kernel *k);
/* The instructions that read each register first, and last; 0, 0: none does, or the first one. */
struct rewrite_readers {
    uint32_t *first, *last;
};
struct rewrite_readers rewrite_readers(const struct isa_kernel *k, struct arena *arena);
/* How many operands read each register; marks what computes one that was read before and is not any
 * more, and counts what it reads no longer; takes it out. */
uint32_t *rewrite_reads(const struct isa_kernel *k, struct arena *arena);
void rewrite_dead(const struct isa_kernel *k, const uint32_t *before, uint32_t *reads,
                  uint8_t *dead);
void rewrite_unread(struct isa_kernel *k, struct arena *arena, const uint32_t *before);
/* The same where registers were added since: there were nregs, and what is new counts as read. */
void rewrite_unread_since(struct isa_kernel *k, struct arena *arena, const uint32_t *before,
                          uint32_t nregs);
/* Registers that straight code writes several times, and that are read there alone, become one for
 * each time; returns how many there are more. */
uint32_t rewrite_rename(struct isa_kernel *k, struct arena *arena);
/* The same of those that are written in no region, wherever they are read. */
uint32_t rewrite_rename_outside(struct isa_kernel *k, struct arena *arena);
/* How deep regions nest, at most. */
uint32_t rewrite_nesting(const struct isa_kernel *k);

#endif
