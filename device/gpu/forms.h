/* What is known of a kernel while its instructions are turned into the device's: which registers
 * stand for what (forms.c), and what a block has made so far (machine.c). Private to these two. */
#ifndef SIMTCL_FORMS_H
#define SIMTCL_FORMS_H

#include "machine.h"

enum { MACHINE_NONE = 0xffffffffu };

/* What stands for a register of the kernel. */
enum form {
    FORM_VALUE,    /* a register of its class */
    FORM_ARGUMENT, /* s[]: read where it is used */
    FORM_WORD,     /* s[], 16 bits: the group's place and the sizes */
    FORM_PLACE,    /* an immediate: an address of shared memory or of constants */
    FORM_CONSTANT, /* c[] */
    FORM_ITEM,     /* from the register that holds the item's place, where a block first uses it */
    FORM_SHARED,   /* what a load of shared memory gives, as an operand of its only user */
    FORM_INDEXED   /* the same of constant memory */
};

/* An address that walks through an array, an element of each iteration: compilers step it. */
struct walk {
    uint32_t reg, step; /* the address; the register that holds the step, or MACHINE_NONE */
    uint32_t next;      /* of the same loop, + 1 */
};

/* A value that one block has made and may use again: an operand, or an address. */
struct made {
    uint32_t operand, version, block, reg;
    int32_t displacement;
    bool address;
};
enum { MADE_SLOTS = 1 << 12 };

struct select {
    struct machine_code *m;
    const struct isa_kernel *k;
    struct arena *arena;
    uint32_t *defs, *uses, *def_at; /* of each register: how many, and the last definition */
    uint32_t *version;              /* of each register, in order of the text */
    uint8_t *form;
    uint32_t *block_of, *clobbers; /* of each instruction; writes to shared memory before it */
    uint32_t *match;               /* regions: as isa_inst.match; jumps: what they leave */
    uint32_t item;                 /* the register that holds the work-item's place in the group */
    uint32_t block;
    struct made *made;
    struct walk *walks;
    uint32_t nwalks, cap_walks, nsteps; /* steps have the registers behind the kernel's */
    uint32_t *walk_of;                  /* each register: its walk, + 1 */
    uint32_t *walks_of;                 /* each instruction that begins a loop: its walks, + 1 */
    uint32_t *early; /* ops that go to the top of the stretch, which begins at that op */
    uint32_t nearly, cap_early, stretch;
    /* the instruction at work */
    uint32_t inst;
    uint32_t *reads, nreads, cap_reads;
    unsigned shared, constants; /* operands of s[] and c[] */
};

/* Finds out what stands for each register, and makes the machine's registers of those that need
 * one. */
void forms_find(struct select *s);
/* In halves of registers. */
unsigned forms_width(enum isa_type t);
bool forms_spare(const struct select *s, isa_operand o); /* needs no register */
bool forms_ends_block(const struct isa_inst *i);
/* A list with room for one more; it doubles when it is full. */
void *forms_grown(struct arena *a, void *list, uint32_t used, uint32_t *cap, size_t size);
uint32_t forms_reg(struct select *s, enum machine_class class, unsigned width);

#endif
