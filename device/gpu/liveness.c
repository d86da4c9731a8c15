#include "liveness.h"

#include <string.h>

enum { NONE = 0xffffffffu, CHUNK = 1 << 14 }; /* registers that are looked at together */

/* In use before an instruction and behind it, each class for itself. */
struct load {
    int32_t before[MACHINE_CLASSES], behind[MACHINE_CLASSES];
};

struct liveness {
    const struct machine_code *m;
    struct load *loads;  /* of each op */
    uint32_t *number;    /* of each register: its place among those that outlive a block, or NONE */
    uint32_t *of_number; /* the register */
    uint32_t nglobals;
    /* the chunk at work: sets of registers of each block, `words` words long */
    uint32_t base, count, words;
    uint64_t *needed, *written; /* read before it is written in the block; written */
    uint64_t *live, *known;     /* at the block's end: needed behind it; maybe written before it */
};

static const uint32_t *defs_of(const struct machine_code *m, const struct machine_op *op) {
    return m->operands + op->operands;
}
static const uint32_t *uses_of(const struct machine_code *m, const struct machine_op *op) {
    return m->operands + op->operands + op->ndefs;
}

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

/* ---- sets of the chunk ---- */

/* The register's place in the chunk, or NONE. */
static uint32_t place(const struct liveness *f, uint32_t reg) {
    uint32_t n = f->number[reg];
    return n != NONE && n >= f->base && n - f->base < f->count ? n - f->base : NONE;
}
static uint64_t *set_of(const struct liveness *f, uint64_t *sets, uint32_t block) {
    return sets + (size_t)block * f->words;
}
static bool has(const uint64_t *set, uint32_t n) { return set[n / 64] >> n % 64 & 1; }
static void put(uint64_t *set, uint32_t n) { set[n / 64] |= UINT64_C(1) << n % 64; }
static void take(uint64_t *set, uint32_t n) { set[n / 64] &= ~(UINT64_C(1) << n % 64); }

static void find_own(struct liveness *f) {
    const struct machine_code *m = f->m;
    for (uint32_t b = 0; b < m->nblocks; b++) {
        uint64_t *needed = set_of(f, f->needed, b), *written = set_of(f, f->written, b);
        for (uint32_t o = m->blocks[b].first; o < m->blocks[b].end; o++) {
            const struct machine_op *op = &m->ops[o];
            for (unsigned u = 0; u < op->nuses; u++) {
                uint32_t p = place(f, uses_of(m, op)[u]);
                if (p != NONE && !has(written, p)) put(needed, p);
            }
            for (unsigned d = 0; d < op->ndefs; d++) {
                uint32_t p = place(f, defs_of(m, op)[d]);
                if (p != NONE) put(written, p);
            }
        }
    }
}

/* A register is alive where one will read it and one may have written it. */
static void find_live(struct liveness *f) {
    const struct machine_code *m = f->m;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = m->nblocks; b--;)
            for (int e = 0; e < 2; e++) {
                uint32_t next = m->blocks[b].next[e];
                if (next == NONE) continue;
                uint64_t *live = set_of(f, f->live, b), *there = set_of(f, f->live, next);
                const uint64_t *needed = set_of(f, f->needed, next);
                const uint64_t *written = set_of(f, f->written, next);
                for (uint32_t w = 0; w < f->words; w++) {
                    uint64_t more = needed[w] | (there[w] & ~written[w]);
                    changed |= (more & ~live[w]) != 0;
                    live[w] |= more;
                }
            }
    }
    for (uint32_t b = 0; b < m->nblocks; b++) {
        uint64_t *known = set_of(f, f->known, b);
        const uint64_t *written = set_of(f, f->written, b);
        for (uint32_t w = 0; w < f->words; w++) known[w] |= written[w];
    }
    changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < m->nblocks; b++)
            for (int e = 0; e < 2; e++) {
                uint32_t next = m->blocks[b].next[e];
                if (next == NONE) continue;
                const uint64_t *known = set_of(f, f->known, b);
                uint64_t *there = set_of(f, f->known, next);
                for (uint32_t w = 0; w < f->words; w++) {
                    changed |= (known[w] & ~there[w]) != 0;
                    there[w] |= known[w];
                }
            }
    }
}

/* ---- counting ---- */

struct count {
    int32_t now[MACHINE_CLASSES];
};

static void change(struct count *c, const struct machine_code *m, uint32_t reg, int by) {
    c->now[m->regs[reg].class] += by * m->regs[reg].width;
}

/* Goes backward through a block. alive: the chunk's registers that are alive at its end, which
 * becomes what is alive at its beginning. Registers that live in one block are counted with the
 * first chunk: last_use tells of each whether it has been seen. */
static void count_block(struct liveness *f, uint32_t b, uint64_t *alive, uint8_t *seen) {
    const struct machine_code *m = f->m;
    struct count c = {{0}};
    for (uint32_t p = 0; p < f->count; p++)
        if (has(alive, p)) change(&c, m, f->of_number[f->base + p], 1);
    for (uint32_t o = m->blocks[b].end; o-- > m->blocks[b].first;) {
        const struct machine_op *op = &m->ops[o];
        struct load *l = &f->loads[o];
        struct count behind = c;
        for (unsigned d = 0; d < op->ndefs; d++) {
            uint32_t r = defs_of(m, op)[d], p = place(f, r);
            bool local = f->number[r] == NONE;
            if (local ? f->base != 0 : p == NONE) continue;
            if (local ? seen[r] : has(alive, p))
                change(&c, m, r, -1);
            else
                change(&behind, m, r, 1);
            if (local)
                seen[r] = 0;
            else
                take(alive, p);
        }
        for (unsigned u = 0; u < op->nuses; u++) {
            uint32_t r = uses_of(m, op)[u], p = place(f, r);
            bool local = f->number[r] == NONE;
            if (local ? f->base != 0 || seen[r] : p == NONE || has(alive, p)) continue;
            change(&c, m, r, 1);
            if (local)
                seen[r] = 1;
            else
                put(alive, p);
        }
        for (int k = 0; k < MACHINE_CLASSES; k++) {
            l->behind[k] += behind.now[k];
            l->before[k] += c.now[k];
        }
    }
}

/* Which of the chunk's registers are alive at the end of each block. */
static void find_chunk(struct liveness *f, struct arena *arena) {
    uint32_t blocks = f->m->nblocks;
    f->count = f->nglobals - f->base < CHUNK ? f->nglobals - f->base : CHUNK;
    f->words = (f->count + 63) / 64;
    size_t size = (size_t)blocks * f->words + 1;
    f->needed = ARENA_ARRAY(arena, uint64_t, size);
    f->written = ARENA_ARRAY(arena, uint64_t, size);
    f->live = ARENA_ARRAY(arena, uint64_t, size);
    f->known = ARENA_ARRAY(arena, uint64_t, size);
    find_own(f);
    find_live(f);
    for (uint32_t b = 0; b < blocks; b++) {
        uint64_t *alive = set_of(f, f->live, b);
        const uint64_t *known = set_of(f, f->known, b);
        for (uint32_t w = 0; w < f->words; w++) alive[w] &= known[w];
    }
}

static void count_all(struct liveness *f, struct arena *arena) {
    f->loads = ARENA_ARRAY(arena, struct load, f->m->nops + 1);
    uint8_t *seen = ARENA_ARRAY(arena, uint8_t, f->m->nregs + 1);
    find_globals(f, arena);
    do {
        struct arena_mark mark = arena_mark(arena);
        find_chunk(f, arena);
        for (uint32_t b = 0; b < f->m->nblocks; b++) count_block(f, b, set_of(f, f->live, b), seen);
        arena_release(arena, mark);
        f->base += CHUNK;
    } while (f->base < f->nglobals);
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
    return f->number[reg] == NONE ? f->base == 0 : place(f, reg) != NONE;
}

static void crowd_block(struct liveness *f, uint32_t b, struct alive_list *a,
                        const struct liveness_crowd *crowd) {
    const struct machine_code *m = f->m;
    const uint64_t *alive = set_of(f, f->live, b);
    while (a->n) leave(a, a->list[0]);
    for (uint32_t p = 0; p < f->count; p++)
        if (has(alive, p)) enter(a, f->of_number[f->base + p]);
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

void liveness_crowds(const struct machine_code *m, struct arena *arena,
                     const struct liveness_crowd *crowd) {
    struct liveness f = {.m = m};
    count_all(&f, arena);
    struct alive_list a = {.list = ARENA_ARRAY(arena, uint32_t, m->nregs + 1),
                           .place = ARENA_ARRAY(arena, uint32_t, m->nregs + 1)};
    for (f.base = 0; f.base == 0 || f.base < f.nglobals; f.base += CHUNK) {
        struct arena_mark mark = arena_mark(arena);
        find_chunk(&f, arena);
        for (uint32_t b = 0; b < m->nblocks; b++) crowd_block(&f, b, &a, crowd);
        arena_release(arena, mark);
    }
}
