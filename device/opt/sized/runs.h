/* Runs: loops in which each work-item goes through elements that lie side by side, as dealt.c and
 * spread.c rewrite them. Private to these and to what finds them: runs.c which loops may be
 * rewritten, runlengths.c those of a known length, exits.c how often others are iterated. */
#ifndef SIMTCL_RUNS_H
#define SIMTCL_RUNS_H

#include "device/analysis/shape.h"
#include "device/isa/jam.h"
#include "device/isa/loops.h"
#include "sized_pass.h"

enum {
    RUNS_LOOPS = 8, /* at most; of one: */
    RUNS_COUNTERS = 64,
    RUNS_TESTS = 4,  /* where lanes leave it */
    RUNS_EXITS = 4,  /* by what */
    RUNS_PAIRS = 12, /* accesses that may meet, one of which stores */
    RUNS_OWN = 12,   /* values of each lane's own that an iteration reads */
    RUNS_PLACES = 8, /* that it stores to */
    RUNS_REDUCTIONS = 4,
    RUNS_CHAIN = 16 /* instructions that a counter's start, or what is stepped, is made of */
};

struct run_counter {
    isa_operand reg, dealt; /* dealt: its name in the version */
    isa_operand step;       /* a constant, or one for the group; */
    int64_t by;             /* of what is derived: a constant */
    uint32_t at;            /* the instruction that steps it; */
    bool derived;           /* or that makes it of others, and of what each lane has of its own */
    bool wanted;            /* iterations read it */
};

/* Accesses of an iteration by one register, to memory that it stores to. */
struct run_place {
    isa_operand reg, dealt;
    int32_t first, end; /* bytes from there on */
    uint32_t param;
    unsigned loads, stores;
    bool others; /* there are accesses by other registers, that may be elsewhere */
    bool again;  /* it is stored to in a loop within the loop */
};

/* A register that the loop joins integers to, by an operation that may be done in any order, and
 * that nothing else in the loop reads. */
struct run_reduction {
    isa_operand reg, dealt; /* dealt: its name in the version */
    enum isa_op op;
};

/* A comparison by which lanes leave a loop: of what an iteration steps by a constant with what does
 * not change. */
struct run_exit {
    uint32_t at;      /* the instruction, */
    unsigned value;   /* which of its sources is stepped, */
    int64_t step;     /* and by what */
    enum isa_op op;   /* lanes leave where the first one is less, at most or equal to the other; */
    bool swapped;     /* or the other one to the first */
    uint32_t extends; /* the instruction by which what is stepped becomes wider, or 0; */
    int64_t narrow;   /* and by what what it widens is stepped */
};

/* What may end a run of a known length before: a lane does not leave by it where a counter, so far
 * ahead, compares so with the bound, its source `side`; or by what does not change, where `fixed`
 * holds. */
struct run_cut {
    isa_operand fixed; /* else ISA_NO_OPERAND */
    enum isa_op op;
    unsigned side;
    isa_operand bound;
    uint32_t off;   /* compared is what the counter is when an iteration begins, and that */
    uint32_t start; /* the instruction that starts it */
    uint32_t step;  /* and by what it goes on, modulo 2^32 */
    bool opposite;  /* nor where it does not compare so */
};

/* Two accesses, one of which stores, by different parameters or addresses, stepped alike, or in a
 * run of a known length. No element meets another one of its turn where they are so many bytes
 * apart in the first iteration, or at the same place. */
struct run_pair {
    uint32_t of[2], far;
    bool same;   /* they are of one size, stepped alike */
    bool always; /* they are by one parameter, but by several addresses */
};

struct run_loop {
    uint32_t begin, test;       /* instructions: the loop, where lanes leave it */
    uint32_t loop;              /* of runs_finder.loops */
    uint32_t tests[RUNS_TESTS]; /* all such places; `test` is the first one */
    unsigned ntests;
    uint32_t start; /* the one that starts the counter that is compared */
    struct run_counter counters[RUNS_COUNTERS];
    struct run_place places[RUNS_PLACES];
    struct run_reduction reductions[RUNS_REDUCTIONS];
    unsigned ncounters, nplaces, nreductions, lanes;
    uint32_t run, total; /* iterations, and by how much that counter changes in them */
    uint32_t step;       /* each of them by that, */
    bool falls;          /* downwards */
    struct run_cut cuts[RUNS_TESTS];
    unsigned ncuts;
    bool partial;           /* lanes may be off */
    struct run_loop *other; /* the same, for where some are, or leave it earlier; NULL: as it was */
    uint32_t alone;         /* parameters, as bits; */
    uint32_t joined;        /* that on whose memory atomic operations are done, */
    enum isa_op joins;      /* of this kind */
    bool is_signed, refused;
    struct run_pair pairs[RUNS_PAIRS];
    unsigned npairs;
    bool texels; /* it stores to an image */
    bool down;   /* a lane's run goes down from where the one before ends */
    /* Of a run whose length is known at run time only: */
    bool spread;
    struct run_exit exits[RUNS_EXITS];
    isa_operand own[RUNS_OWN];
    unsigned nexits, nown;
    bool paired;     /* these are all that may meet; or where parameters share no memory */
    bool others;     /* and some may where they do not */
    bool bottom;     /* lanes leave at the end of an iteration */
    bool full;       /* all lanes come to the loop */
    uint32_t worth;  /* elements a lane, on average, from which on a warp goes along each row */
    struct jam *jam; /* several rows at a time; NULL: one after the other */
};

struct runs {
    struct run_loop of[RUNS_LOOPS];
    unsigned count;
};

/* What they are found by. Arrays are of k's registers. */
struct runs_finder {
    const struct sized *sized;
    const struct isa_kernel *k;
    struct loops loops;
    struct arena *arena; /* of these, and of the arrays */
    struct shape *shape;
    uint64_t *provenance;
    const struct unrolled *rows; /* that are joined (device/opt/unrolled.h) */
    uint8_t *uses;               /* by an iteration: as bits, enum iteration_use; */
    uint8_t *counted;            /* whether they are made of counters */
    uint8_t *first;    /* instructions of that loop that say where it begins, and how it ends */
    uint8_t *left_out; /* instructions of that loop that the version does without */
};

/* Finds those of s->k, which is not to change while `f` is used; runs_end frees what that has.
 * False: out of memory. */
bool runs_find(struct runs_finder *f, const struct sized *s, struct runs *found);
void runs_end(struct runs_finder *f);
/* Is the loop that begins there one of them in another kernel, made of s->k, and does it fit?
 * False, too: there is no memory. */
bool runs_takes(const struct sized *s, const struct isa_kernel *k, uint32_t begin,
                bool (*fits)(void *context, const struct runs_finder *f, const struct run_loop *l),
                void *context);
/* ---- what finds them ---- */

/* Does nothing in [from, to) do more than to compute, and to leave the loop? */
bool runs_computes(const struct isa_kernel *k, uint32_t from, uint32_t to);
/* The counter that the register is, or NULL. */
const struct run_counter *runs_counter(const struct run_loop *l, isa_operand reg);
/* Two operands of the loop have the same value in each iteration: they are made alike, of what no
 * instruction in between changes. */
bool runs_same(const struct runs_finder *f, const struct run_loop *l, isa_operand a, isa_operand b,
               unsigned left);
/* Is the instruction in a loop within the loop? */
bool runs_inner(const struct runs_finder *f, const struct run_loop *l, uint32_t n);
/* How often it is iterated, by its conditions: up to a constant from where a counter starts, unless
 * others end it before. f->left_out is then what is there for that alone. */
bool runlengths_find(struct runs_finder *f, struct run_loop *l);
/* Finds f->left_out of a loop again. */
void runlengths_prepare(struct runs_finder *f, const struct run_loop *l);
/* Counters of neighbouring lanes follow one another where the other's run ends, on spans of this
 * kind; and where lanes are off there, all of a span are, or it is partial. */
bool runlengths_fit(const struct runs_finder *f, struct run_loop *l, unsigned span);
/* Are counters stepped before all places where lanes leave the loop, or behind them? */
bool exits_even(const struct run_loop *l);
/* By what it is left; f->left_out is then what is there for that alone. */
bool exits_find(struct runs_finder *f, struct run_loop *l);
/* Finds the accesses by one parameter, but several addresses, that may meet in a run of a known
 * length, and f->first of it: what their addresses are made of. */
bool exits_pairs(struct runs_finder *f, struct run_loop *l);
/* Does each iteration store to places of its own? */
bool exits_apart(const struct runs_finder *f, const struct run_loop *l);
/* Finds f->left_out and f->first of a loop again. */
bool exits_prepare(struct runs_finder *f, struct run_loop *l);
/* Does it gain that lanes go through one run after the other, each time side by side? */
bool exits_gain(const struct runs_finder *f, struct run_loop *l);

/* Finds l->reductions; uses f->uses and f->counted. */
void reductions_find(struct runs_finder *f, struct run_loop *l);
bool reductions_has(const struct run_loop *l, isa_operand reg);
/* Does it change nothing to join elements again? */
bool reductions_again(const struct run_loop *l);

/* How several rows are gone along at a time, where there are loops in an iteration; or NULL. */
struct jam *rowjam_find(const struct runs_finder *f, const struct run_loop *l);

/* ---- operands ---- */

/* Is it a register that is written once, on every way to instruction n? */
bool runs_known(const struct runs_finder *f, isa_operand o, uint32_t n);
/* The only instruction of the kernel that writes a register, if it is in the loop; or LOOPS_NONE.
 */
uint32_t runs_writer(const struct runs_finder *f, const struct run_loop *l, isa_operand o);
/* Is it a register that the loop writes? */
static inline bool runs_varies(const struct runs_finder *f, const struct run_loop *l,
                               isa_operand o) {
    return loops_varies(&f->loops, o, l->loop);
}
/* Have the lanes of such spans the same of a register? */
bool runs_one(const struct runs_finder *f, isa_operand reg, unsigned span);
/* Must the elements of one turn not lie in each other there? Of one instruction's stores, which are
 * in the order of lanes, they may. */
bool runs_checked(const struct run_place *p);

#endif
