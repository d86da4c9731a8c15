/* Probes of loops whose lanes are run one after the other: what they tell of is told afterwards,
 * iteration by iteration, under the masks that the warp would have had. Where each lane was in an
 * iteration follows from where it began, or stands in a row of notes, if it had to be read. */
#include "device/native/instructions.h"
#include "lanecode.h"

enum {
    ROWS = 256, /* of the stack, 128 bytes each */
    ROW = ISA_WARP * sizeof(uint32_t)
};

/* A cursor for the warp with registers of their own, which the loop's lanes do not touch. */
static struct emitter warp_cursor(const struct emitter *e, const struct lanecode *p) {
    struct emitter again = emit_at(e, p->of.begin);
    again.regs.shared = e->c->lane.shared;
    again.regs.slots = e->c->lane.again;
    return again;
}

/* ---- before lanes run ---- */

void lanenotes_begin(struct emitter *e, struct lanecode *p) {
    struct emitter again = warp_cursor(e, p);
    unsigned recorded = gatherloops_recorded(e->k, &p->of);
    LLVMTypeRef rows = LLVMArrayType2(e->c->vector[ISA_I32], recorded ? ROWS / recorded : 0);
    p->room = recorded ? ROWS / recorded : UINT32_MAX;
    lanecode_make(&again, p);
    for (unsigned n = 0; n < p->count; n++) {
        isa_operand reg = p->m[n].of.reg;
        value_copy(&again, reg, value_slot(e, reg, e->from), value_slot(&again, reg, e->from));
    }
    /* Registers as the first iteration has them, as far as they grow. */
    for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) lanecode_ahead(&again, p, n);
    for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) {
        uint32_t by;
        if (!probes_is(&e->k->insts[n])) continue;
        isa_operand reg = gatherloops_probed(e->k, &e->k->insts[n]);
        LLVMValueRef *start = p->start[n - p->of.begin];
        switch (gatherloops_told(e->k, &p->of, n, &by)) {
        case GATHERLOOPS_STEPPED:
            value_make(&again, reg, start);
            value_copy(&again, reg, value_slot(&again, reg, e->from), start);
            break;
        case GATHERLOOPS_RECORDED:
            p->rows[n - p->of.begin] = emit_alloca(e, rows, "rows");
            LLVMSetAlignment(p->rows[n - p->of.begin], ROW);
            break;
        default: break;
        }
    }
}

/* ---- while a lane runs ---- */

void lanenotes_put(struct emitter *one, const struct lanecode *p, uint32_t n) {
    LLVMValueRef slot = p->at[p->side][n - p->of.begin];
    if (!p->rows[n - p->of.begin]) return;
    LLVMValueRef at = LLVMBuildLoad2(one->b, one->c->pointer, slot, "");
    if (p->iteration) at = lanecode_stepped(one, p, n, at, p->iteration);
    isa_operand reg = gatherloops_probed(one->k, &one->k->insts[n]);
    LLVMBuildStore(one->b, value_read(one, reg, one->from).v[0], at);
}

/* ---- when they have run ---- */

/* An iteration, as it is told. */
struct told_iteration {
    LLVMValueRef number; /* an i32 */
    LLVMValueRef leaves; /* lanes that leave the loop in it */
};

/* What the probe is to read. */
static void find_operand(struct emitter *at, const struct lanecode *p, uint32_t n,
                         const struct told_iteration *t) {
    isa_operand reg = gatherloops_probed(at->k, at->inst);
    uint32_t by;
    LLVMValueRef v;
    switch (gatherloops_told(at->k, &p->of, n, &by)) {
    case GATHERLOOPS_STEPPED:
        value_copy(at, reg, p->start[n - p->of.begin], value_slot(at, reg, at->from));
        break;
    case GATHERLOOPS_RECORDED:
        v = LLVMBuildZExt(at->b, t->number, at->c->wide, "");
        v = emit_element(at, at->c->vector[ISA_I32], p->rows[n - p->of.begin], v);
        v = LLVMBuildLoad2(at->b, at->c->vector[ISA_I32], v, "");
        value_write(at, reg, at->from, value_of(KIND_VARYING, ISA_I32, v));
        break;
    case GATHERLOOPS_TEST:
        value_write(at, reg, at->from, value_of(KIND_VARYING, ISA_PRED, t->leaves));
        break;
    default: break;
    }
}

static void tell(struct emitter *again, const struct lanecode *p, uint32_t from, uint32_t to,
                 const struct told_iteration *t) {
    for (uint32_t n = from; n < to; n++) {
        if (!probes_is(&again->k->insts[n])) continue;
        struct emitter at = emit_at(again, n);
        find_operand(&at, p, n, t);
        probes_emit(&at, at.from);
    }
}

/* What goes in steps goes on. */
static void step(struct emitter *again, const struct lanecode *p) {
    for (uint32_t n = p->of.begin + 1; n < p->of.end; n++) {
        uint32_t by;
        if (!probes_is(&again->k->insts[n]) ||
            gatherloops_told(again->k, &p->of, n, &by) != GATHERLOOPS_STEPPED)
            continue;
        isa_operand reg = gatherloops_probed(again->k, &again->k->insts[n]);
        for (unsigned h = 0; h < value_slots(again, reg); h++) {
            LLVMValueRef at = p->start[n - p->of.begin][h];
            LLVMValueRef v = LLVMBuildLoad2(again->b, value_type(again, reg), at, "");
            LLVMValueRef more = emit_like(again, v, emit_word(again, by));
            LLVMBuildStore(again->b, LLVMBuildAdd(again->b, v, more, ""), at);
        }
    }
}

/* Goes on under a mask; without a lane at `none`. */
static void go_on(struct emitter *again, LLVMValueRef mask, LLVMBasicBlockRef none) {
    LLVMBasicBlockRef some = emit_block(again, "told");
    masks_put(again, mask, again->mask[again->from]);
    emit_branch(again, masks_any(again, mask), some, none);
}

void lanenotes_emit(struct emitter *e, const struct lanecode *p, LLVMValueRef bits,
                    LLVMValueRef iterations) {
    struct emitter again = warp_cursor(e, p);
    LLVMValueRef count = emit_alloca(e, e->c->word, "iteration");
    LLVMValueRef on = LLVMBuildBitCast(e->b, bits, e->c->vector[ISA_PRED], "");
    LLVMBasicBlockRef head = emit_block(e, "tell"), end = emit_block(e, "");
    again.mask[e->from] = masks_slot(e, "told");
    LLVMBuildStore(e->b, emit_word(e, 0), count);
    emit_goto(e, head, head);
    struct told_iteration t = {.number = LLVMBuildLoad2(e->b, e->c->word, count, "")};
    LLVMValueRef number = emit_splat(e, t.number);
    t.leaves = LLVMBuildICmp(e->b, LLVMIntEQ, number, iterations, "");
    LLVMValueRef stops = emit_words(e, p->room);
    stops = LLVMBuildICmp(e->b, LLVMIntEQ, iterations, stops, "");
    t.leaves = masks_without(e, masks_and(e, t.leaves, on), stops);
    LLVMValueRef stay = masks_and(e, LLVMBuildICmp(e->b, LLVMIntULT, number, iterations, ""), on);
    go_on(&again, masks_or(e, stay, t.leaves), end);
    tell(&again, p, p->of.begin + 1, p->of.test, &t);
    go_on(&again, stay, end);
    tell(&again, p, p->of.test + 1, p->of.end, &t);
    step(&again, p);
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, t.number, emit_word(e, 1), ""), count);
    emit_goto(e, head, end);
}
