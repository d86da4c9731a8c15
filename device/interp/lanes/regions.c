/* Masks, regions and jumps.
 *
 * An `if` keeps in its slot the lanes that wait for the other part; lanes that leave a region by
 * break or continue wait in that region's slot; lanes that return are gone. So no mask needs to be
 * repaired when lanes leave: they are not in it any more. */
#include "handler.h"

#define SLOT(offset) (*AT(uint32_t, offset))

HANDLER(jump) { GO(op + op->imm); }

/* The active lanes agree. */
HANDLER(jump_if) { GO(op + (SLOT(op->a) & w->mask ? op->imm : 1)); }

HANDLER(jump_unless) { GO(op + (SLOT(op->a) & w->mask ? 1 : op->imm)); }

#define COMPARE_JUMP(name, T, operator)                                                            \
    HANDLER(unless_##name) {                                                                       \
        bool on = *AT(T, op->a) operator* AT(T, op->b);                                            \
        GO(op + (on ? 1 : op->imm));                                                               \
    }                                                                                              \
    HANDLER(when_##name) {                                                                         \
        bool on = *AT(T, op->a) operator* AT(T, op->b);                                            \
        GO(op + (on ? op->imm : 1));                                                               \
    }
COMPARE_JUMP(eq, int32_t, ==)
COMPARE_JUMP(ne, int32_t, !=)
COMPARE_JUMP(lt_s, int32_t, <)
COMPARE_JUMP(le_s, int32_t, <=)
COMPARE_JUMP(lt_u, uint32_t, <)
COMPARE_JUMP(le_u, uint32_t, <=)

HANDLER(if_) {
    uint32_t p = SLOT(op->a), on = w->mask & p;
    SLOT(op->extra) = w->mask & ~p;
    w->mask = on;
    GO(op + (on ? 1 : op->imm));
}

HANDLER(else_) {
    uint32_t on = SLOT(op->extra);
    SLOT(op->extra) = w->mask;
    w->mask = on;
    GO(op + (on ? 1 : op->imm));
}

/* The end of an if, or of a block that lanes have left. */
HANDLER(endif) {
    w->mask |= SLOT(op->extra);
    GO(op + (w->mask ? 1 : op->imm));
}

HANDLER(clear2) {
    SLOT(op->d) = SLOT(op->a) = 0;
    GO(op + 1);
}

/* Back to a loop's head, unless other warps are to run first. */
#define ITERATE(head)                                                                              \
    do {                                                                                           \
        if (--w->iterations) GO(head);                                                             \
        w->iterations = LANES_ITERATIONS;                                                          \
        w->resume = (head);                                                                        \
        w->paused = op;                                                                            \
        w->state = WARP_PAUSED;                                                                    \
        return NULL;                                                                               \
    } while (0)

HANDLER(endloop) {
    w->mask |= SLOT(op->a);
    SLOT(op->a) = 0;
    if (w->mask) ITERATE(op + op->imm);
    w->mask = SLOT(op->d);
    GO(op + (w->mask ? 1 : (int32_t)op->extra));
}

HANDLER(repeat) {
    if (w->mask) ITERATE(op + op->imm);
    GO(op + (int32_t)op->extra);
}

HANDLER(leave) {
    SLOT(op->d) |= w->mask;
    w->mask = 0;
    GO(op + op->imm);
}

HANDLER(leave_if) {
    uint32_t off = w->mask & SLOT(op->a);
    SLOT(op->d) |= off;
    w->mask &= ~off;
    GO(op + (w->mask ? 1 : op->imm));
}

HANDLER(ret) {
    w->live &= ~w->mask;
    w->mask = 0;
    GO(op + op->imm);
}

HANDLER(end) {
    (void)op;
    w->state = WARP_DONE;
    return NULL;
}

/* Lanes that have returned do not count; all others must be here (6.11.8). */
HANDLER(barrier) {
    if (w->mask != w->live) {
        w->group->inst = op->inst;
        w->group->mask = w->mask;
        group_fault(w->group, FAULT_BARRIER, __builtin_ctz(w->mask), 0);
    }
    w->state = WARP_AT_BARRIER;
    w->resume = op + 1;
    return NULL;
}

/* Before an access that other warps can see. */
HANDLER(yield) {
    if (--w->turn) GO(op + 1);
    w->state = WARP_YIELDS;
    w->resume = op + 1;
    return NULL;
}

HANDLER(fence) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    GO(op + 1);
}

PART(control) {
    t->jump = jump;
    t->jump_if = jump_if;
    t->jump_unless = jump_unless;
#define ROW(name)                                                                                  \
    t->compare_jump[ISA_##name - ISA_eq][0] = unless_##name;                                       \
    t->compare_jump[ISA_##name - ISA_eq][1] = when_##name;
    ROW(eq)
    ROW(ne)
    ROW(lt_s)
    ROW(le_s)
    ROW(lt_u)
    ROW(le_u)
    t->if_ = if_;
    t->else_ = else_;
    t->endif = endif;
    t->clear2 = clear2;
    t->endloop = endloop;
    t->repeat = repeat;
    t->leave = leave;
    t->leave_if = leave_if;
    t->ret = ret;
    t->end = end;
    t->barrier = barrier;
    t->fence = fence;
    t->yield = yield;
}
