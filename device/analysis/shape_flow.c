/* Where lanes wait, and which writes they must not see: see shape_flow.h.
 *
 * Liveness is that of one lane, so every branch may go either way; it is found for 512 registers at
 * a time at the control instructions only, and kept as the list of harmful writes.
 */
#include "shape_flow.h"

#include <stdlib.h>
#include <string.h>

/* ---- structure ---- */

static bool is_control(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_CONTROL;
}

/* A jump inside a loop also acts on what stands before it in the text, in the loop's next
 * iteration. */
static void place_jump(struct flow *f, const struct flow_stack *s, uint32_t jump) {
    struct flow_op *o = &f->ops[jump];
    const struct isa_inst *i = flow_inst(f, jump);
    o->target_depth = i->op == ISA_ret ? 0 : s->depth - (uint32_t)i->imm;
    o->match = s->open[o->target_depth].op;
    o->active_from = jump;
    bool leaves_loop = i->op == ISA_break || i->op == ISA_breakif;
    for (uint32_t d = o->target_depth + (leaves_loop ? 0 : 1); d <= s->depth; d++)
        if (s->open[d].op != FLOW_NONE && flow_inst(f, s->open[d].op)->op == ISA_loop) {
            o->active_from = s->open[d].op;
            o->next_active = f->ops[o->active_from].first_active;
            f->ops[o->active_from].first_active = jump;
            return;
        }
}

static void match_region(struct flow *f, const struct flow_stack *s, uint32_t part[], uint32_t op) {
    uint32_t flags = isa_op_info[flow_inst(f, op)->op].flags;
    if (flags & ISA_OP_REGION_BEGIN) part[s->depth + 1] = op;
    if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
        f->ops[part[s->depth]].match = op;
        part[s->depth] = op;
    }
    if (flags & ISA_OP_REGION_END) f->ops[op].match = s->open[s->depth].op;
}

static bool find_structure(struct flow *f) {
    const struct isa_kernel *k = f->k;
    for (uint32_t n = 0; n < k->ninsts; n++) f->nops += is_control(&k->insts[n]);
    f->ops = calloc(f->nops + 1u, sizeof *f->ops);
    if (!f->ops) return false;
    uint32_t op = 0, part[ISA_MAX_NESTING + 1];
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (is_control(&k->insts[n]))
            f->ops[op++] = (struct flow_op){.inst = n,
                                            .match = FLOW_NONE,
                                            .active_from = FLOW_NONE,
                                            .first_active = FLOW_NONE,
                                            .next_active = FLOW_NONE,
                                            .chain = FLOW_NONE,
                                            .span = SHAPE_GROUP,
                                            .chained = SHAPE_GROUP};
    struct flow_stack s;
    flow_start(&s);
    for (op = 0; op < f->nops; op++) {
        match_region(f, &s, part, op);
        if (isa_op_info[flow_inst(f, op)->op].flags & ISA_OP_JUMP)
            place_jump(f, &s, op);
        else
            flow_step(f, &s, op); /* no list of jumps is complete yet; only the nesting is used */
    }
    return true;
}

void flow_start(struct flow_stack *s) {
    s->depth = 0;
    s->open[0] = (struct flow_open){.op = FLOW_NONE, .exit = FLOW_NONE, .next = FLOW_NONE};
}

static void activate(struct flow *f, struct flow_stack *s, uint32_t jump) {
    struct flow_open *target = &s->open[f->ops[jump].target_depth];
    uint32_t *newest = flow_inst(f, jump)->op == ISA_continue ? &target->next : &target->exit;
    f->ops[jump].chain = *newest;
    *newest = jump;
}

void flow_step(struct flow *f, struct flow_stack *s, uint32_t op) {
    uint32_t flags = isa_op_info[flow_inst(f, op)->op].flags;
    if (flags & ISA_OP_REGION_BEGIN) {
        s->open[++s->depth] = (struct flow_open){.op = op, .exit = FLOW_NONE, .next = FLOW_NONE};
        for (uint32_t j = f->ops[op].first_active; j != FLOW_NONE; j = f->ops[j].next_active)
            activate(f, s, j);
    } else if (flags & ISA_OP_REGION_ELSE) {
        s->open[s->depth].in_else = true;
    } else if (flags & ISA_OP_REGION_END) {
        s->depth--;
    } else if (f->ops[op].active_from == op) {
        activate(f, s, op);
    }
}

static uint8_t chained(const struct flow *f, uint32_t op) {
    return op == FLOW_NONE ? SHAPE_GROUP : f->ops[op].chained;
}

uint8_t flow_waiting(const struct flow *f, const struct flow_stack *s, uint32_t from) {
    uint8_t least = SHAPE_GROUP;
    for (uint32_t d = from; d <= s->depth && least; d++) {
        const struct flow_open *r = &s->open[d];
        bool is_if = r->op != FLOW_NONE && flow_inst(f, r->op)->op == ISA_if;
        uint8_t a = is_if ? f->ops[r->op].chained : chained(f, r->exit), b = chained(f, r->next);
        if (a < least) least = a;
        if (b < least) least = b;
    }
    return least;
}

/* ---- accesses ---- */

typedef void access_fn(struct flow *f, uint32_t inst, uint32_t reg, bool write);

/* Reads of an instruction come before its writes. */
static void each_access(struct flow *f, access_fn *fn) {
    const struct isa_kernel *k = f->k;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        const isa_operand *src = isa_srcs(k, i), *dst = isa_dsts(k, i);
        for (unsigned s = 0; s < i->nsrc; s++)
            if (isa_is_reg(src[s])) fn(f, n, src[s], false);
        for (unsigned d = 0; d < i->ndst; d++) fn(f, n, dst[d], true);
    }
}

static void count_access(struct flow *f, uint32_t inst, uint32_t reg, bool write) {
    (void)inst, (void)write;
    f->first_access[reg + 2]++;
}

/* While filling, first_access[r + 1] is where r's next access goes. */
static void list_access(struct flow *f, uint32_t inst, uint32_t reg, bool write) {
    f->accesses[f->first_access[reg + 1]++] = 2 * inst + write;
}

/* A register all of whose accesses lie in one run, a write first, is dead wherever lanes wait. */
static void mark_crossing(struct flow *f, const uint32_t *run_of) {
    for (uint32_t r = 0; r < f->k->nregs; r++) {
        const uint32_t *a = f->accesses + f->first_access[r];
        uint32_t n = f->first_access[r + 1] - f->first_access[r];
        if (n && (!(a[0] & 1) || run_of[a[0] / 2] != run_of[a[n - 1] / 2]))
            f->reg_flags[r] |= FLOW_CROSSES;
    }
}

static bool list_accesses(struct flow *f) {
    const struct isa_kernel *k = f->k;
    f->first_access = calloc(k->nregs + 3ull, sizeof *f->first_access);
    f->reg_flags = calloc(k->nregs + 1ull, 1);
    uint32_t *run_of = malloc((k->ninsts + 1ull) * sizeof *run_of);
    if (f->first_access && f->reg_flags && run_of) {
        each_access(f, count_access);
        for (uint32_t r = 0; r < k->nregs; r++) f->first_access[r + 2] += f->first_access[r + 1];
        f->accesses = malloc((f->first_access[k->nregs + 1] + 1ull) * sizeof *f->accesses);
    }
    if (f->accesses) {
        each_access(f, list_access);
        for (uint32_t n = 0, run = 0; n < k->ninsts; n++) {
            run_of[n] = run;
            run += is_control(&k->insts[n]);
        }
        mark_crossing(f, run_of);
    }
    free(run_of);
    return f->accesses;
}

/* ---- liveness, a chunk of registers at a time ---- */

enum { CHUNK = 512, WORDS = CHUNK / 64 };
enum { HARMS_PER_INST = 16, HARMS_LEAST = 4096 }; /* beyond, precision is given up */
#define LIVENESS_WORK (1ull << 31)                /* words touched, the same */

struct chunk {
    struct flow *f;
    const uint32_t *regs; /* the registers, by bit */
    uint32_t nregs, words;
    uint64_t *events; /* sorted: inst << 10 | write << 9 | bit */
    uint32_t nevents, cap_events;
    uint64_t *live; /* `words` for each control instruction: registers live just behind it */
    uint64_t work;
};

static uint64_t event_inst(uint64_t event) { return event >> 10; }

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool list_events(struct chunk *c) {
    const struct flow *f = c->f;
    uint64_t total = 0;
    for (uint32_t n = 0; n < c->nregs; n++)
        total += f->first_access[c->regs[n] + 1] - f->first_access[c->regs[n]];
    if (total > c->cap_events) {
        free(c->events);
        c->cap_events = 0;
        c->events = malloc(total * sizeof *c->events);
        if (!c->events) return false;
        c->cap_events = (uint32_t)total;
    }
    c->nevents = 0;
    for (uint32_t n = 0; n < c->nregs; n++)
        for (uint32_t a = f->first_access[c->regs[n]]; a < f->first_access[c->regs[n] + 1]; a++)
            c->events[c->nevents++] =
                (uint64_t)(f->accesses[a] >> 1) << 10 | (f->accesses[a] & 1u) << 9 | n;
    qsort(c->events, c->nevents, sizeof *c->events, by_value);
    return true;
}

static uint64_t *live_behind(const struct chunk *c, uint32_t op) {
    return c->live + (size_t)op * c->words;
}

static void copy_set(const struct chunk *c, uint64_t *to, const uint64_t *from) {
    memcpy(to, from, c->words * sizeof *to);
}

static bool add_set(const struct chunk *c, uint64_t *to, const uint64_t *from) {
    uint64_t fresh = 0;
    for (uint32_t w = 0; w < c->words; w++) {
        fresh |= from[w] & ~to[w];
        to[w] |= from[w];
    }
    return fresh;
}

/* What is live before control instruction `op`, from what is live behind it. True: a loop's set
 * grew. */
static bool step_back(struct chunk *c, uint32_t op, uint64_t *now) {
    const struct flow_op *o = &c->f->ops[op];
    uint16_t kind = flow_inst(c->f, op)->op;
    switch (kind) {
    case ISA_if: add_set(c, now, live_behind(c, o->match)); break;
    case ISA_else:
    case ISA_endloop:
        copy_set(c, live_behind(c, op), now);
        copy_set(c, now, live_behind(c, o->match));
        break;
    case ISA_endif:
    case ISA_endblock: copy_set(c, live_behind(c, op), now); break;
    case ISA_loop: return add_set(c, live_behind(c, op), now);
    case ISA_break: copy_set(c, now, live_behind(c, c->f->ops[o->match].match)); break;
    case ISA_breakif: add_set(c, now, live_behind(c, c->f->ops[o->match].match)); break;
    case ISA_continue: copy_set(c, now, live_behind(c, o->match)); break;
    case ISA_ret: memset(now, 0, c->words * sizeof *now); break;
    }
    return false;
}

/* One pass from the end to the start. A loop's beginning is live from the pass before, so as many
 * passes are needed as loops nest, and one more. */
static bool pass_back(struct chunk *c, uint64_t *now) {
    bool grew = false;
    uint32_t event = c->nevents;
    memset(now, 0, c->words * sizeof *now);
    for (uint32_t op = c->f->nops;; op--) {
        uint64_t from = op ? (uint64_t)c->f->ops[op - 1].inst + 1 : 0;
        for (; event && event_inst(c->events[event - 1]) >= from; event--) {
            uint64_t e = c->events[event - 1], bit = 1ull << (e % 64);
            uint64_t *word = &now[e % CHUNK / 64];
            *word = e >> 9 & 1 ? *word & ~bit : *word | bit;
        }
        if (!op) return grew;
        grew |= step_back(c, op - 1, now);
    }
}

static bool add_harm(struct flow *f, uint32_t op, uint32_t inst, uint32_t reg) {
    if (f->nharms >= HARMS_LEAST + HARMS_PER_INST * (uint64_t)f->k->ninsts) {
        f->reg_flags[reg] |= FLOW_GIVEN_UP;
        return true;
    }
    if (f->nharms == f->cap_harms) {
        uint32_t capacity = f->cap_harms ? 2 * f->cap_harms : 64;
        void *p = realloc(f->harms, capacity * sizeof *f->harms);
        if (!p) return false;
        f->harms = p;
        f->cap_harms = capacity;
    }
    f->harms[f->nharms++] = (struct flow_harm){.op = op, .inst = inst, .reg = reg};
    return true;
}

/* Lanes wait at `place` because of `op`: is register `bit` live there? */
static bool harm_if_live(struct chunk *c, uint32_t place, uint32_t op, uint32_t inst,
                         uint32_t bit) {
    if (op == FLOW_NONE || !(live_behind(c, place)[bit / 64] >> (bit % 64) & 1)) return true;
    return add_harm(c->f, op, inst, c->regs[bit]);
}

static bool find_harms(struct chunk *c, const struct flow_stack *s, uint32_t inst, uint32_t bit) {
    const struct flow_op *ops = c->f->ops;
    for (uint32_t d = s->depth; d; d--) {
        const struct flow_open *r = &s->open[d];
        uint32_t end = ops[r->op].match;
        bool good;
        switch (flow_inst(c->f, r->op)->op) {
        case ISA_if:
            good = harm_if_live(c, r->in_else ? ops[end].match : end, r->op, inst, bit);
            break;
        case ISA_loop:
            good = harm_if_live(c, end, r->exit, inst, bit) &&
                   harm_if_live(c, r->op, r->next, inst, bit);
            break;
        default: good = harm_if_live(c, end, r->exit, inst, bit);
        }
        if (!good) return false;
    }
    return true;
}

static bool harms_of_chunk(struct chunk *c) {
    struct flow *f = c->f;
    struct flow_stack s;
    flow_start(&s);
    uint32_t event = 0;
    for (uint32_t op = 0; op <= f->nops; op++) {
        uint64_t to = op < f->nops ? f->ops[op].inst : UINT64_MAX;
        for (; event < c->nevents && event_inst(c->events[event]) <= to; event++) {
            uint64_t e = c->events[event];
            if (e >> 9 & 1 && !find_harms(c, &s, (uint32_t)event_inst(e), e % CHUNK)) return false;
        }
        if (op < f->nops) flow_step(f, &s, op);
    }
    return true;
}

static void give_up(struct chunk *c) {
    for (uint32_t n = 0; n < c->nregs; n++) c->f->reg_flags[c->regs[n]] |= FLOW_GIVEN_UP;
}

static bool chunk_run(struct chunk *c) {
    uint64_t now[WORDS];
    if (c->work >= LIVENESS_WORK) {
        give_up(c);
        return true;
    }
    if (!list_events(c)) return false;
    memset(c->live, 0, (size_t)c->f->nops * c->words * sizeof *c->live);
    bool grew;
    do {
        c->work += (uint64_t)c->f->nops * c->words + c->nevents;
        grew = pass_back(c, now);
    } while (grew && c->work < LIVENESS_WORK);
    if (grew) {
        give_up(c);
        return true;
    }
    for (uint32_t n = 0; n < c->nregs; n++)
        if (now[n / 64] >> (n % 64) & 1) c->f->reg_flags[c->regs[n]] |= FLOW_FROM_ENTRY;
    return harms_of_chunk(c);
}

static bool find_all_harms(struct flow *f) {
    const struct isa_kernel *k = f->k;
    uint32_t *regs = malloc((k->nregs + 1ull) * sizeof *regs), n = 0;
    if (!regs) return false;
    for (uint32_t r = 0; r < k->nregs; r++)
        if (f->reg_flags[r] & FLOW_CROSSES) regs[n++] = r;
    struct chunk c = {.f = f};
    uint32_t words = n < CHUNK ? (n + 63) / 64 : WORDS;
    c.live = malloc(((size_t)f->nops * words + 1) * sizeof *c.live);
    bool good = c.live;
    for (uint32_t at = 0; good && at < n; at += CHUNK) {
        c.regs = regs + at;
        c.nregs = n - at < CHUNK ? n - at : CHUNK;
        c.words = (c.nregs + 63) / 64;
        good = chunk_run(&c);
    }
    free(regs);
    free(c.live);
    free(c.events);
    return good;
}

bool flow_init(struct flow *f, const struct isa_kernel *k) {
    *f = (struct flow){.k = k};
    return find_structure(f) && list_accesses(f) && find_all_harms(f);
}

void flow_free(struct flow *f) {
    free(f->ops);
    free(f->accesses);
    free(f->first_access);
    free(f->harms);
    free(f->reg_flags);
}
