/* The interpreter's internal code and the handlers that run it.
 *
 * Everything in lanes/ and math/ is compiled once for each instruction set (LANES_LEVEL). decode.c
 * turns a kernel into an array of struct lanes_op whose `run` is a handler of the level in use;
 * each handler works on one warp and goes on to the next op.
 *
 * A warp's frame starts with its struct warp; behind it lie constants, region masks and registers.
 * All operands are byte offsets from there: varying register  32 elements of its type, aligned to
 * its size (at most 128) uniform register  one element predicate         a bit for each lane; a
 * uniform one has all bits set or none
 */
#ifndef SIMTCL_LANES_H
#define SIMTCL_LANES_H

#include "device/engine.h"
#include "device/math/math.h"

struct lanes_op;
struct warp;

/* Runs `op` on the warp. Returns the op to go on with, or NULL when the warp stops (warp.state says
 * why). */
typedef const struct lanes_op *(*op_fn)(const struct lanes_op *op, struct warp *w);

struct lanes_op {
    op_fn run;
    uint32_t d, a, b, c; /* destination and sources */
    int32_t imm;         /* immediate, displacement; jumps: distance in ops to the target */
    uint32_t extra;      /* by handler: place in warp.lists, region slot, second distance */
    union {
        const struct isa_inst *inst; /* memory, images, printf, barriers: where faults are placed */
        math_fn math;
    };
};

enum warp_state { WARP_RUNS, WARP_AT_BARRIER, WARP_PAUSED, WARP_DONE, WARP_YIELDS };

struct warp {
    uint32_t mask;       /* active lanes */
    uint32_t live;       /* lanes that have not returned */
    uint32_t index;      /* in the group */
    uint32_t state;      /* enum warp_state */
    uint32_t iterations; /* of loops left before other warps get the thread (a warp may spin on
                       another's store) */
    uint32_t turn; /* accesses left that others can see before one of them gets the thread, where
                      that is asked for */
    const struct lanes_op *resume;    /* where a stopped warp goes on */
    const struct lanes_op *paused;    /* the end of the loop that it last paused at */
    const struct lanes_op *memory_op; /* last memory operation begun; for blame */
    const uint32_t *lists;            /* operands of ops that have many */
    struct group *group;
    char *base; /* group->base */
    char *own;  /* host address of the warp's private frames */
    int32_t id[4][ISA_WARP] __attribute__((aligned(128))); /* local_id x, y, z; thread_id */
};

enum { LANES_ITERATIONS = 1 << 16 }; /* iterations of a warp's loops between two pauses */

/* A list entry of printf and images: an offset, and whether it is one scalar. */
enum { LANES_UNIFORM = 1u << 31 };

/* Which sources are uniform: a bit each, from the first on; LANES_SCALAR: executed once. */
enum { LANES_SHAPES = 8, LANES_SCALAR = 7 };
enum {
    LANES_ALU = ISA_sin
}; /* the operations before the math functions are looked up in `alu` and `convert` */
enum { LANES_SIZES = 4 }; /* elements of 1, 2, 4, 8 bytes, as their logarithm */
enum { LANES_CONVERSIONS = ISA_f2h - ISA_trunc + 1, LANES_TYPES = ISA_F64 + 1 };

/* What a level offers. NULL: no such handler; with all sources varying, or all uniform, there
 * always is one when isa.def allows the operation. */
struct lanes_table {
    op_fn alu[LANES_ALU][LANES_TYPES]
             [LANES_SHAPES];          /* by operand type (type2 of comparisons); d, a, b, c */
    op_fn multiply_add[LANES_SHAPES]; /* i32: a * b + c */
    /* by operation, destination, source, rounding, scalar; d, a */
    op_fn convert[LANES_CONVERSIONS][LANES_TYPES][LANES_TYPES][ISA_ROUNDING_COUNT][2];

    op_fn move[LANES_SIZES], move_masked[LANES_SIZES];   /* d = a, varying */
    op_fn splat[LANES_SIZES], splat_masked[LANES_SIZES]; /* varying d = uniform a */
    op_fn scalar_move[LANES_SIZES];                      /* uniform d = uniform a */
    op_fn pick_first[LANES_SIZES],
        pick_last[LANES_SIZES]; /* uniform d = varying a of an active lane */
    op_fn pred_move, pred_masked, pred_pick;

    op_fn special[ISA_SPECIAL_COUNT], localaddr, constaddr;
    void (*ids)(struct warp *w, const uint32_t size[3]); /* fills w->id for groups of that size */

    /* memory: a = address (load_one: uniform, load_all: varying), imm displacement; d, or count and
     * list */
    op_fn load_one[LANES_SIZES], load_all[LANES_SIZES], load_many[LANES_SIZES];
    op_fn store_one[LANES_SIZES], store_all[LANES_SIZES],
        store_many[LANES_SIZES]; /* value b or list */
    /* the same at c + (a << extra): c uniform, a varying */
    op_fn load_at[LANES_SIZES], store_at[LANES_SIZES];
    op_fn param[LANES_SIZES];                                    /* uniform d */
    op_fn load_own[LANES_SIZES], store_own[LANES_SIZES];         /* private; address varying */
    op_fn load_own_row[LANES_SIZES], store_own_row[LANES_SIZES]; /* private; address uniform */
    op_fn atomic[ISA_atom_cas - ISA_atom_add + 1][2][2]; /* i32, i64; global, local. d, a, b, c */
    op_fn fence, barrier, yield;

    op_fn image_read, image_write, image_info, print; /* lists */
    op_fn probe_count;                                /* a: predicate, b: enum isa_count, imm */
    op_fn probe_call;                                 /* list; imm */
    op_fn stop,
        noted;  /* for group_hooks: an instruction is next; a note: list of operands and types */
    op_fn math; /* d, c = math(a, b) */

    op_fn jump, jump_unless; /* imm: distance; jump_unless: a, uniform */
    op_fn jump_if;
    op_fn compare_jump[ISA_le_u - ISA_eq + 1]
                      [2];   /* uniform i32 a, b: jumps if the test fails; if it holds */
    op_fn if_, else_, endif; /* extra: region slot; imm: distance when no lane is left */
    op_fn clear2;            /* zeroes two region slots, d and a */
    op_fn endloop;           /* d: left, a: continued (offsets of region slots) */
    op_fn repeat;            /* end of a loop that no lane leaves alone */
    op_fn leave, leave_if;   /* break, continue: d = region slot that the lanes wait in */
    op_fn endblock;
    op_fn ret, end;
};

/* Fill a zeroed table with a level's handlers. */
void lanes_fill_baseline(struct lanes_table *t);
void lanes_fill_avx2(struct lanes_table *t);
void lanes_fill_avx512(struct lanes_table *t);

#endif
