#include "liveness.h"

#include <string.h>

enum {
    NONE = 0xffffffffu,
    SET = 64,         /* registers that are followed together, a bit each */
    CHUNK = 256 * SET /* that are told of together */
};

/* In use before an instruction and behind it, each class for itself. */
struct load {
    int32_t before[MACHINE_CLASSES], behind[MACHINE_CLASSES];
};

struct count {
    int32_t now[MACHINE_CLASSES];
};

/* What a block does with a register that outlives a block. */
struct occurrence {
    uint32_t block, number;
    bool needed, written; /* read before it is written; written */
    bool alive;           /* at the block's end */
};

struct liveness {
    const struct machine_code *m;
    struct load *loads;  /* of each op */
    uint32_t *number;    /* of each register: its place among those that outlive a block, or NONE */
    uint32_t *of_number; /* the register */
    uint32_t nglobals;
    struct occurrence *occurrences; /* by block */
    uint32_t noccurrences;
    uint32_t *of_block;        /* of each block, and behind the last: its first occurrence */
    uint32_t *of_set, *by_set; /* of each set: its first place in by_set, which is by set */
    uint32_t *first_before;    /* of each block: its first place in before, */
    uint32_t *before;          /* the blocks it may come behind */
    struct count *ends;        /* at the end of each block: registers that outlive it */
    uint32_t *mark, stamp;     /* of each register: the stamp when it is alive */
    uint32_t base;             /* the chunk at work: its first number */
    /* The set at work. For each block: */
    uint64_t *needed, *written; /* read before it is written in the block; written */
    uint64_t *live, *alive;     /* at its end: needed behind it; and maybe written before */
    uint8_t *in_touched, *in_work;
    uint32_t *touched, ntouched; /* blocks of which any is not 0 */
    uint32_t low, high;          /* those in work are between */
};

static const uint32_t *defs_of(const struct machine_code *m, const struct machine_op *op) {
    return m->operands + op->operands;
}
static const uint32_t *uses_of(const struct machine_code *m, const struct machine_op *op) {
    return m->operands + op->operands + op->ndefs;
}
static uint32_t nsets(const struct liveness *f) { return (f->nglobals + SET - 1) / SET; }

/* A register outlives a block when one reads it that has not written it before. */
static void find_globals(struct liveness *f, struct arena *arena) {
    const struct machine_code *m = f->m;
    uint32_t *block = ARENA_ARRAY(arena, uint32_t, m->nregs); /* the last block to write it, + 1 */
    f->number = ARENA_ARRAY(arena, uint32_t, m->nregs);
    f->of_number = ARENA_ARRAY(arena, uint32_t, m->nregs);
    for (uint32_t r = 0; r < m->nregs; r++) f->number[r] = NONE;
    for (uint32_t b = 0; b < m->nblocks; b++)
        for (uint32_t o = m->blocks[b].first; o < m->blocks[b].end; o++) {
            const struct machine_op *op = &m->ops[o];
            for (unsigned u = 0; u < op->nuses; u++) {
                uint32_t r = uses_of(m, op)[u];
                if (block[r] == b + 1 || f->number[r] != NONE) continue;
                f->of_number[f->nglobals] = r;
                f->number[r] = f->nglobals++;
            }
            for (unsigned d = 0; d < op->ndefs; d++) block[defs_of(m, op)[d]] = b + 1;
        }
}

/* ---- who reads and writes it ---- */

/* The block's occurrence of the register, which mark tells by its place, + 1; NULL: it outlives
 * none. */
static struct occurrence *occurrence(struct liveness *f, uint32_t b, uint32_t reg) {
    uint32_t at = f->mark[reg];
    if (f->number[reg] == NONE) return NULL;
    if (at > f->of_block[b]) return &f->occurrences[at - 1];
    f->mark[reg] = f->noccurrences + 1;
    f->occurrences[f->noccurrences] = (struct occurrence){.block = b, .number = f->number[reg]};
    return &f->occurrences[f->noccurrences++];
}

static void find_occurrences(struct liveness *f, struct arena *arena) {
    const struct machine_code *m = f->m;
    f->occurrences = ARENA_ARRAY(arena, struct occurrence, m->noperands + 1);
    f->of_block = ARENA_ARRAY(arena, uint32_t, m->nblocks + 1);
    for (uint32_t b = 0; b < m->nblocks; b++) {
        f->of_block[b] = f->noccurrences;
        for (uint32_t o = m->blocks[b].first; o < m->blocks[b].end; o++) {
            const struct machine_op *op = &m->ops[o];
            for (unsigned u = 0; u < op->nuses; u++) {
                struct occurrence *c = occurrence(f, b, uses_of(m, op)[u]);
                if (c) c->needed |= !c->written;
            }
            for (unsigned d = 0; d < op->ndefs; d++) {
                struct occurrence *c = occurrence(f, b, defs_of(m, op)[d]);
                if (c) c->written = true;
            }
        }
    }
    f->of_block[m->nblocks] = f->noccurrences;
    memset(f->mark, 0, m->nregs * sizeof *f->mark);
}

static void sort_by_set(struct liveness *f, struct arena *arena) {
    f->of_set = ARENA_ARRAY(arena, uint32_t, nsets(f) + 2);
    f->by_set = ARENA_ARRAY(arena, uint32_t, f->noccurrences + 1);
    uint32_t *next = f->of_set + 1;
    for (uint32_t i = 0; i < f->noccurrences; i++) next[f->occurrences[i].number / SET + 1]++;
    for (uint32_t s = 0; s < nsets(f); s++) next[s + 1] += next[s];
    for (uint32_t i = 0; i < f->noccurrences; i++)
        f->by_set[next[f->occurrences[i].number / SET]++] = i;
}

static void find_before(struct liveness *f, struct arena *arena) {
    const struct machine_code *m = f->m;
    f->first_before = ARENA_ARRAY(arena, uint32_t, m->nblocks + 2);
    f->before = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)m->nblocks + 1);
    uint32_t *next = f->first_before + 1;
    for (uint32_t b = 0; b < 2 * m->nblocks; b++) {
        uint32_t to = m->blocks[b / 2].next[b % 2];
        if (to != NONE) next[to + 1]++;
    }
    for (uint32_t b = 0; b < m->nblocks; b++) next[b + 1] += next[b];
    for (uint32_t b = 0; b < 2 * m->nblocks; b++) {
        uint32_t to = m->blocks[b / 2].next[b % 2];
        if (to != NONE) f->before[next[to]++] = b / 2;
    }
}

/* ---- the set at work ---- */

static void touch(struct liveness *f, uint32_t b) {
    if (f->in_touched[b]) return;
    f->in_touched[b] = 1;
    f->touched[f->ntouched++] = b;
}

static void ask(struct liveness *f, uint32_t b) {
    f->in_work[b] = 1;
    if (b < f->low) f->low = b;
    if (b >= f->high) f->high = b + 1;
}

static void begin_work(struct liveness *f) {
    f->low = NONE;
    f->high = 0;
}

static void begin_set(struct liveness *f, uint32_t set) {
    while (f->ntouched) {
        uint32_t b = f->touched[--f->ntouched];
        f->needed[b] = f->written[b] = f->live[b] = f->alive[b] = 0;
        f->in_touched[b] = 0;
    }
    for (uint32_t i = f->of_set[set]; i < f->of_set[set + 1]; i++) {
        const struct occurrence *c = &f->occurrences[f->by_set[i]];
        uint64_t bit = UINT64_C(1) << c->number % SET;
        touch(f, c->block);
        if (c->needed) f->needed[c->block] |= bit;
        if (c->written) f->written[c->block] |= bit;
    }
}

/* A register is alive where one will read it and one may have written it. What may be written is
 * followed through blocks behind which it is needed: it is needed all the way to where it is read.
 */
static void find_alive(struct liveness *f) {
    const struct machine_code *m = f->m;
    begin_work(f);
    for (uint32_t t = 0; t < f->ntouched; t++)
        if (f->needed[f->touched[t]]) ask(f, f->touched[t]);
    /* the last one first, so that few come again */
    for (uint32_t b = f->high; b > f->low && b--;) {
        if (!f->in_work[b]) continue;
        f->in_work[b] = 0;
        uint64_t needed = f->needed[b] | (f->live[b] & ~f->written[b]);
        uint32_t back = b;
        for (uint32_t i = f->first_before[b]; i < f->first_before[b + 1]; i++) {
            uint32_t p = f->before[i];
            if (!(needed & ~f->live[p])) continue;
            f->live[p] |= needed;
            touch(f, p);
            ask(f, p);
            if (p >= back) back = p + 1;
        }
        b = back;
    }
    begin_work(f);
    for (uint32_t t = 0; t < f->ntouched; t++) {
        uint32_t b = f->touched[t];
        f->alive[b] = f->written[b] & f->live[b];
        if (f->alive[b]) ask(f, b);
    }
    for (uint32_t b = f->low, then; b < f->high; b = then) {
        then = b + 1;
        if (!f->in_work[b]) continue;
        f->in_work[b] = 0;
        for (int e = 0; e < 2; e++) {
            uint32_t next = m->blocks[b].next[e];
            uint64_t more = next == NONE ? 0 : f->alive[b] & f->live[next] & ~f->alive[next];
            if (!more) continue;
            f->alive[next] |= more;
            ask(f, next);
            if (next < then) then = next;
        }
    }
}

static void find_set(struct liveness *f, uint32_t set) {
    begin_set(f, set);
    find_alive(f);
}

/* ---- counting ---- */

static void change(struct count *c, const struct machine_code *m, uint32_t reg, int by) {
    c->now[m->regs[reg].class] += by * m->regs[reg].width;
}

/* The set's registers at the ends of blocks: of each class, and bit of a width, together. */
static void count_ends(struct liveness *f, uint32_t set) {
    enum { BITS = 8 };
    uint64_t masks[MACHINE_CLASSES][BITS] = {{0}};
    for (uint32_t n = set * SET; n < f->nglobals && n < (set + 1) * SET; n++) {
        const struct machine_reg *r = &f->m->regs[f->of_number[n]];
        for (int bit = 0; bit < BITS; bit++)
            masks[r->class][bit] |= (uint64_t)(r->width >> bit & 1) << n % SET;
    }
    for (int k = 0; k < MACHINE_CLASSES; k++)
        for (int bit = 0; bit < BITS; bit++)
            for (uint32_t t = 0; masks[k][bit] && t < f->ntouched; t++) {
                uint32_t b = f->touched[t];
                int n = __builtin_popcountll(f->alive[b] & masks[k][bit]);
                f->ends[b].now[k] += n << bit;
            }
    for (uint32_t i = f->of_set[set]; i < f->of_set[set + 1]; i++) {
        struct occurrence *c = &f->occurrences[f->by_set[i]];
        c->alive = f->alive[c->block] >> c->number % SET & 1;
    }
}

/* Goes backward through a block. */
static void count_block(struct liveness *f, uint32_t b) {
    const struct machine_code *m = f->m;
    struct count c = f->ends[b];
    f->stamp++;
    for (uint32_t i = f->of_block[b]; i < f->of_block[b + 1]; i++)
        if (f->occurrences[i].alive) f->mark[f->of_number[f->occurrences[i].number]] = f->stamp;
    for (uint32_t o = m->blocks[b].end; o-- > m->blocks[b].first;) {
        const struct machine_op *op = &m->ops[o];
        struct count behind = c;
        for (unsigned d = 0; d < op->ndefs; d++) {
            uint32_t r = defs_of(m, op)[d];
            if (f->mark[r] == f->stamp)
                change(&c, m, r, -1);
            else
                change(&behind, m, r, 1);
            f->mark[r] = 0;
        }
        for (unsigned u = 0; u < op->nuses; u++) {
            uint32_t r = uses_of(m, op)[u];
            if (f->mark[r] != f->stamp) change(&c, m, r, 1);
            f->mark[r] = f->stamp;
        }
        memcpy(f->loads[o].behind, behind.now, sizeof behind.now);
        memcpy(f->loads[o].before, c.now, sizeof c.now);
    }
}

static void count_all(struct liveness *f, struct arena *arena) {
    uint32_t blocks = f->m->nblocks;
    f->loads = ARENA_ARRAY(arena, struct load, f->m->nops + 1);
    f->mark = ARENA_ARRAY(arena, uint32_t, f->m->nregs + 1);
    f->ends = ARENA_ARRAY(arena, struct count, blocks + 1);
    uint64_t **sets[] = {&f->needed, &f->written, &f->live, &f->alive};
    for (int i = 0; i < 4; i++) *sets[i] = ARENA_ARRAY(arena, uint64_t, blocks + 1);
    f->in_touched = ARENA_ARRAY(arena, uint8_t, blocks + 1);
    f->in_work = ARENA_ARRAY(arena, uint8_t, blocks + 1);
    f->touched = ARENA_ARRAY(arena, uint32_t, blocks + 1);
    find_globals(f, arena);
    find_occurrences(f, arena);
    sort_by_set(f, arena);
    find_before(f, arena);
    for (uint32_t s = 0; s < nsets(f); s++) {
        find_set(f, s);
        count_ends(f, s);
    }
    for (uint32_t b = 0; b < blocks; b++) count_block(f, b);
}

static uint32_t over(int32_t n, int32_t most) { return n > most ? (uint32_t)(n - most) : 0; }

/* General registers, of which each has two halves; what finds no address or predicate register is
 * kept in one. */
static uint32_t sum(const int32_t now[MACHINE_CLASSES]) {
    uint32_t halves = over(now[MACHINE_GENERAL], 0) +
                      over(now[MACHINE_ADDRESS], 2 * MACHINE_ADDRESS_REGISTERS) +
                      over(now[MACHINE_PREDICATE], 2 * MACHINE_PREDICATE_REGISTERS);
    return (halves + 1) / 2;
}

/* A subroutine has its own registers for operands and results; what lives on lies beside. */
static uint32_t during(const struct liveness *f, const struct machine_op *op,
                       const struct load *l) {
    uint32_t before = sum(l->before) + op->extra, behind = sum(l->behind);
    if (op->routine) {
        uint32_t results = 0;
        for (unsigned d = 0; d < op->ndefs; d++) results += f->m->regs[defs_of(f->m, op)[d]].width;
        uint32_t through = over((int32_t)behind, (int32_t)(results + 1) / 2) + op->routine;
        if (through > before) before = through;
    }
    return before > behind ? before : behind;
}

uint32_t liveness_find(const struct machine_code *m, struct arena *arena, uint32_t ninsts,
                       uint32_t *at) {
    struct liveness f = {.m = m};
    uint32_t most = 0;
    count_all(&f, arena);
    if (at) memset(at, 0, ninsts * sizeof *at);
    for (uint32_t o = 0; o < m->nops; o++) {
        uint32_t n = during(&f, &m->ops[o], &f.loads[o]);
        if (n > most) most = n;
        if (at && n > at[m->ops[o].inst]) at[m->ops[o].inst] = n;
    }
    return most;
}

/* ---- where it is crowded ---- */

/* Registers that are alive, as a list. */
struct alive_list {
    uint32_t *list, n, *place; /* place: of each register, + 1 */
};

static void enter(struct alive_list *a, uint32_t reg) {
    if (a->place[reg]) return;
    a->list[a->n++] = reg;
    a->place[reg] = a->n;
}

static void leave(struct alive_list *a, uint32_t reg) {
    uint32_t p = a->place[reg];
    if (!p) return;
    uint32_t last = a->list[--a->n];
    a->list[p - 1] = last;
    a->place[last] = p;
    a->place[reg] = 0;
}

static bool looked_at(const struct liveness *f, uint32_t reg) {
    uint32_t n = f->number[reg];
    return n == NONE ? f->base == 0 : n >= f->base && n - f->base < CHUNK;
}

/* Registers of a set at a block's end. */
struct crowd_end {
    uint32_t set, next; /* next: the block's next one's place, + 1 */
    uint64_t alive;
};

struct crowd_ends {
    struct crowd_end *list;
    uint32_t n, room;
    uint32_t *of_block; /* the first one's place, + 1 */
};

static void add_end(struct crowd_ends *e, struct arena *arena, uint32_t b, uint32_t set,
                    uint64_t alive) {
    if (e->n == e->room) {
        struct crowd_end *more = ARENA_ARRAY(arena, struct crowd_end, 2 * (size_t)e->room + 64);
        if (e->n) memcpy(more, e->list, e->n * sizeof *more);
        e->list = more;
        e->room = 2 * e->room + 64;
    }
    e->list[e->n] = (struct crowd_end){set, e->of_block[b], alive};
    e->of_block[b] = ++e->n;
}

static void crowd_block(struct liveness *f, uint32_t b, const struct crowd_ends *e,
                        struct alive_list *a, const struct liveness_crowd *crowd) {
    const struct machine_code *m = f->m;
    while (a->n) leave(a, a->list[0]);
    for (uint32_t i = e->of_block[b]; i; i = e->list[i - 1].next)
        for (uint64_t alive = e->list[i - 1].alive; alive; alive &= alive - 1)
            enter(a, f->of_number[e->list[i - 1].set * SET + (uint32_t)__builtin_ctzll(alive)]);
    for (uint32_t o = m->blocks[b].end; o-- > m->blocks[b].first;) {
        const struct machine_op *op = &m->ops[o];
        for (unsigned d = 0; d < op->ndefs; d++) leave(a, defs_of(m, op)[d]);
        uint32_t n = during(f, op, &f->loads[o]);
        if (n > crowd->limit) {
            for (unsigned u = 0; u < op->nuses; u++) leave(a, uses_of(m, op)[u]);
            crowd->tell(crowd->context, op, n - crowd->limit, a->list, a->n);
        }
        for (unsigned u = 0; u < op->nuses; u++)
            if (looked_at(f, uses_of(m, op)[u])) enter(a, uses_of(m, op)[u]);
    }
}

static bool crowded(const struct liveness *f, uint32_t b, uint32_t limit) {
    for (uint32_t o = f->m->blocks[b].first; o < f->m->blocks[b].end; o++)
        if (during(f, &f->m->ops[o], &f->loads[o]) > limit) return true;
    return false;
}

static void crowd_chunk(struct liveness *f, struct arena *arena, const uint8_t *blocks,
                        struct alive_list *a, const struct liveness_crowd *crowd) {
    struct crowd_ends ends = {.of_block = ARENA_ARRAY(arena, uint32_t, f->m->nblocks + 1)};
    for (uint32_t s = f->base / SET; s < nsets(f) && s < (f->base + CHUNK) / SET; s++) {
        find_set(f, s);
        for (uint32_t t = 0; t < f->ntouched; t++) {
            uint32_t b = f->touched[t];
            if (blocks[b] && f->alive[b]) add_end(&ends, arena, b, s, f->alive[b]);
        }
    }
    for (uint32_t b = 0; b < f->m->nblocks; b++)
        if (blocks[b]) crowd_block(f, b, &ends, a, crowd);
}

void liveness_crowds(const struct machine_code *m, struct arena *arena,
                     const struct liveness_crowd *crowd) {
    struct liveness f = {.m = m};
    count_all(&f, arena);
    struct alive_list a = {.list = ARENA_ARRAY(arena, uint32_t, m->nregs + 1),
                           .place = ARENA_ARRAY(arena, uint32_t, m->nregs + 1)};
    uint8_t *blocks = ARENA_ARRAY(arena, uint8_t, m->nblocks + 1);
    uint32_t n = 0;
    for (uint32_t b = 0; b < m->nblocks; b++) n += blocks[b] = crowded(&f, b, crowd->limit);
    for (f.base = 0; n && (f.base == 0 || f.base < f.nglobals); f.base += CHUNK) {
        struct arena_mark mark = arena_mark(arena);
        crowd_chunk(&f, arena, blocks, &a, crowd);
        arena_release(arena, mark);
    }
}
