#include "countflow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the graph ---- */

/* Where lanes that leave a region meet. */
struct meeting {
    uint32_t node, arrivals;
    bool divergent; /* some come while others stay */
};

struct open_part {
    uint32_t begin;           /* instruction */
    bool loop, closed;        /* closed: all lanes that enter come to its end */
    bool uniform;             /* if: the branch is */
    int32_t before;           /* edge */
    uint32_t branch;          /* if: node */
    int32_t then_end;         /* if: edge, behind an else */
    bool is_else, then_open;  /* then_open: the end of that part is reached */
    struct meeting end, next; /* next: of a loop's iterations */
};

struct flow_walk {
    struct countflow *f;
    const struct isa_kernel *k;
    const struct shape *s;
    uint8_t *closed; /* of each region's begin */
    struct open_part open[ISA_MAX_NESTING + 1];
    uint32_t depth, loops;
    int32_t now; /* edge, COUNTFLOW_NONE: nothing comes here */
    bool failed;
};

static bool grow(void **list, uint32_t *cap, uint32_t count, size_t element) {
    if (count < *cap) return true;
    uint64_t wanted = *cap ? (uint64_t)*cap * 2 : 32;
    void *bigger = wanted <= INT32_MAX ? realloc(*list, wanted * element) : NULL;
    if (!bigger) return false;
    *list = bigger;
    *cap = (uint32_t)wanted;
    return true;
}

static int32_t edge_new(struct flow_walk *w, uint32_t from, uint32_t at, bool countable) {
    struct countflow *f = w->f;
    if (!grow((void **)&f->edges, &f->cap_edges, f->nedges, sizeof *f->edges)) {
        w->failed = true;
        return 0;
    }
    struct countflow_edge *e = &f->edges[f->nedges];
    *e = (struct countflow_edge){.from = from,
                                 .at = at,
                                 .counter = {COUNTFLOW_NONE, COUNTFLOW_NONE},
                                 .splits = ISA_NO_OPERAND,
                                 .depth = (uint8_t)(w->loops < 8 ? w->loops : 8),
                                 .countable = countable,
                                 .lanes = true};
    e->whole = countable && at < w->k->ninsts && shape_full(w->s, at) == SHAPE_GROUP;
    return (int32_t)f->nedges++;
}

static int32_t edge_copy(struct flow_walk *w, int32_t of) {
    int32_t e = edge_new(w, 0, 0, false);
    if (!w->failed) w->f->edges[e].copies = (uint32_t)of + 1;
    return e;
}

static void end_at(struct flow_walk *w, int32_t edge, uint32_t node) {
    if (!w->failed) w->f->edges[edge].to = node;
}

/* Warps alone: those that split at the instruction, as many as then go on twice; or those that
 * join.
 */
static int32_t edge_of_warps(struct flow_walk *w, uint32_t from, uint32_t to, uint32_t at,
                             isa_operand p) {
    int32_t e = edge_new(w, from, at, p != ISA_NO_OPERAND);
    if (w->failed) return e;
    w->f->edges[e].to = to;
    w->f->edges[e].lanes = w->f->edges[e].whole = false;
    w->f->edges[e].splits = p;
    return e;
}

static uint32_t node_new(struct flow_walk *w) { return w->f->nnodes++; }

static bool is_uniform(const struct flow_walk *w, uint32_t inst) {
    return shape_branch(w->s, inst) >= SHAPE_WARP;
}

static void meet(struct flow_walk *w, struct meeting *m, int32_t edge, bool divergent) {
    end_at(w, edge, m->node);
    m->arrivals++;
    m->divergent |= divergent;
}

/* A branch: how its warps and lanes go on. */
static void branches(struct flow_walk *w, uint32_t inst, int32_t taken, int32_t jumps,
                     int32_t splits) {
    struct countflow_step *s = &w->f->steps[inst];
    s->taken = taken;
    s->jumps = jumps;
    s->splits = splits;
}

/* ---- regions ---- */

static struct open_part *enter(struct flow_walk *w, uint32_t i) {
    struct open_part *r = &w->open[++w->depth];
    *r = (struct open_part){.begin = i,
                            .loop = w->k->insts[i].op == ISA_loop,
                            .closed = w->closed[i],
                            .before = w->now};
    r->end.node = r->closed ? 0 : node_new(w);
    return r;
}

/* The edge with which a region begins: of its own graph where all that enters comes to its end. */
static int32_t entry(struct flow_walk *w, const struct open_part *r) {
    return r->closed ? edge_copy(w, r->before) : r->before;
}

static void begin_if(struct flow_walk *w, uint32_t i) {
    struct open_part *r = enter(w, i);
    isa_operand p = isa_srcs(w->k, &w->k->insts[i])[0];
    r->uniform = is_uniform(w, i);
    r->branch = node_new(w);
    end_at(w, entry(w, r), r->branch);
    int32_t then = edge_new(w, r->branch, i + 1, true);
    int32_t splits = r->uniform ? COUNTFLOW_NONE : edge_of_warps(w, 0, r->branch, i, p);
    branches(w, i, then, COUNTFLOW_NONE, splits);
    w->now = then;
}

static void begin_else(struct flow_walk *w, uint32_t i) {
    struct open_part *r = &w->open[w->depth];
    r->is_else = true;
    r->then_end = w->now;
    r->then_open = w->now != COUNTFLOW_NONE;
    w->now = edge_new(w, r->branch, i + 1, true);
    w->f->steps[r->begin].jumps = w->now;
    w->f->steps[i].block = w->f->steps[i].jumps = r->then_end;
}

/* Behind where lanes met, if they are not what entered the region. */
static int32_t behind(struct flow_walk *w, const struct meeting *m, uint32_t i) {
    if (!m->arrivals) return COUNTFLOW_NONE;
    if (m->divergent) edge_of_warps(w, m->node, 0, i, ISA_NO_OPERAND);
    return edge_new(w, m->node, i + 1, true);
}

static void end_if(struct flow_walk *w, uint32_t i) {
    struct open_part *r = &w->open[w->depth];
    if (!r->is_else) {
        begin_else(w, i);
        w->f->steps[i].block = w->f->steps[i].jumps = COUNTFLOW_NONE;
        if (!w->failed) w->f->edges[w->now].countable = w->f->edges[w->now].whole = false;
    }
    if (r->then_open) meet(w, &r->end, r->then_end, !r->uniform);
    if (w->now != COUNTFLOW_NONE) meet(w, &r->end, w->now, !r->uniform);
    r->end.divergent &= r->end.arrivals > 1;
    w->now = r->closed ? r->before : behind(w, &r->end, i);
    w->depth--;
}

static void begin_loop(struct flow_walk *w, uint32_t i) {
    struct open_part *r = enter(w, i);
    uint32_t head = r->branch = node_new(w);
    r->next.node = node_new(w);
    end_at(w, entry(w, r), head);
    w->loops++;
    w->now = edge_new(w, head, i + 1, true);
}

static void end_loop(struct flow_walk *w, uint32_t i) {
    struct open_part *r = &w->open[w->depth];
    if (w->now != COUNTFLOW_NONE) meet(w, &r->next, w->now, false);
    if (r->next.arrivals) {
        int32_t back = edge_new(w, r->next.node, i, false);
        w->f->steps[i].block = w->f->steps[i].jumps = back;
        end_at(w, back, r->branch);
        if (r->next.divergent && r->next.arrivals > 1)
            edge_of_warps(w, r->next.node, 0, i, ISA_NO_OPERAND);
    }
    w->loops--;
    w->now = r->closed ? r->before : behind(w, &r->end, i);
    w->depth--;
}

static void begin_block(struct flow_walk *w, uint32_t i) {
    struct open_part *r = enter(w, i);
    w->now = entry(w, r);
}

static void end_block(struct flow_walk *w, uint32_t i) {
    struct open_part *r = &w->open[w->depth];
    if (w->now != COUNTFLOW_NONE) meet(w, &r->end, w->now, false);
    r->end.divergent &= r->end.arrivals > 1;
    w->now = r->closed ? r->before : behind(w, &r->end, i);
    w->depth--;
}

static void jump(struct flow_walk *w, uint32_t i) {
    const struct isa_inst *inst = &w->k->insts[i];
    bool uniform = is_uniform(w, i);
    if (inst->op == ISA_ret) {
        end_at(w, w->now, 0);
        w->now = COUNTFLOW_NONE;
        return;
    }
    struct open_part *r = &w->open[w->depth - (uint32_t)inst->imm];
    struct meeting *m = inst->op == ISA_continue ? &r->next : &r->end;
    if (inst->op != ISA_breakif) {
        w->f->steps[i].jumps = w->now;
        meet(w, m, w->now, !uniform);
        w->now = COUNTFLOW_NONE;
        return;
    }
    uint32_t branch = node_new(w);
    end_at(w, w->now, branch);
    int32_t leave = edge_new(w, branch, i, false), splits = COUNTFLOW_NONE;
    meet(w, m, leave, !uniform);
    if (!uniform) splits = edge_of_warps(w, 0, branch, i, isa_srcs(w->k, inst)[0]);
    branches(w, i, leave, leave, splits);
    w->now = edge_new(w, branch, i + 1, true);
    if (!w->failed) w->f->edges[w->now].late = true;
}

/* A region is closed when no jump in it goes further than to its own end or next iteration. */
static void find_closed(struct flow_walk *w) {
    uint32_t begins[ISA_MAX_NESTING + 1], depth = 0;
    uint32_t far[ISA_MAX_NESTING + 1]; /* the least depth of a region that is jumped to from here */
    for (uint32_t i = 0; i < w->k->ninsts; i++) {
        const struct isa_inst *inst = &w->k->insts[i];
        uint32_t flags = isa_op_info[inst->op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            begins[++depth] = i;
            far[depth] = depth;
        }
        if ((flags & ISA_OP_JUMP) && depth) {
            uint32_t to = inst->op == ISA_ret ? 0 : depth - (uint32_t)inst->imm;
            if (to < far[depth]) far[depth] = to;
        }
        if (flags & ISA_OP_REGION_END) {
            w->closed[begins[depth]] = far[depth] == depth;
            depth--;
            if (depth && far[depth + 1] < far[depth]) far[depth] = far[depth + 1];
        }
    }
}

static void walk_inst(struct flow_walk *w, uint32_t i) {
    const struct isa_inst *inst = &w->k->insts[i];
    uint32_t flags = isa_op_info[inst->op].flags;
    switch (inst->op) {
    case ISA_if: begin_if(w, i); break;
    case ISA_loop: begin_loop(w, i); break;
    case ISA_block: begin_block(w, i); break;
    case ISA_else: begin_else(w, i); break;
    case ISA_endif: end_if(w, i); break;
    case ISA_endloop: end_loop(w, i); break;
    case ISA_endblock: end_block(w, i); break;
    default:
        if (flags & ISA_OP_JUMP) jump(w, i);
    }
}

static void walk(struct flow_walk *w) {
    const struct isa_kernel *k = w->k;
    w->f->nnodes = 1;
    w->now = edge_new(w, 0, 0, false);
    for (uint32_t i = 0; i < k->ninsts && !w->failed; i++) {
        uint32_t flags = isa_op_info[k->insts[i].op].flags;
        if (w->now != COUNTFLOW_NONE || flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
            if (!(flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END))) w->f->steps[i].block = w->now;
            walk_inst(w, i);
        } else if (flags & ISA_OP_REGION_BEGIN) { /* nothing comes here: passed over as one */
            while (!(isa_op_info[k->insts[i].op].flags & ISA_OP_REGION_END)) i = k->insts[i].match;
        }
    }
}

/* ---- which edges are counted ---- */

static bool is_known(const struct countflow *f, const struct countflow_edge *e,
                     enum countflow_of of) {
    return e == f->edges || e->copies || (of == COUNTFLOW_LANES && e->whole);
}

static bool has(const struct countflow_edge *e, enum countflow_of of) {
    return of == COUNTFLOW_WARPS || e->lanes;
}

static uint32_t find(uint32_t *above, uint32_t node) {
    while (above[node] != node) node = above[node] = above[above[node]];
    return node;
}

enum { CLASSES = 4 * 9 + 1 };

/* What a counter there costs: the edges that cost most are those that others tell of. */
static unsigned cost(const struct countflow_edge *e) {
    if (!e->countable) return CLASSES - 1;
    return 4u * e->depth + (e->splits != ISA_NO_OPERAND ? 3 : e->late ? 1 : 2);
}

static bool choose(struct countflow *f, enum countflow_of of) {
    uint32_t *above = malloc(f->nnodes * sizeof *above);
    bool good = above;
    for (uint32_t n = 0; good && n < f->nnodes; n++) above[n] = n;
    for (unsigned class = CLASSES; good && class --;)
        for (uint32_t n = 0; n < f->nedges; n++) {
            struct countflow_edge *e = &f->edges[n];
            if (!has(e, of) || is_known(f, e, of) || cost(e) != class) continue;
            uint32_t a = find(above, e->from), b = find(above, e->to);
            if (a != b) {
                above[a] = b;
            } else {
                assert(e->countable);
                e->counter[of] = (int32_t)f->ncounters++;
            }
        }
    free(above);
    return good;
}

/* An edge's counters follow each other. */
static void number(struct countflow *f) {
    int32_t next = 0;
    for (uint32_t n = 0; n < f->nedges; n++)
        for (int of = 0; of < COUNTFLOW_KINDS; of++)
            if (f->edges[n].counter[of] >= 0) f->edges[n].counter[of] = next++;
}

bool countflow_find(struct countflow *f, const struct isa_kernel *k, const struct shape *s) {
    *f = (struct countflow){0};
    struct flow_walk *w = calloc(1, sizeof *w);
    f->nsteps = k->ninsts;
    f->steps = malloc((k->ninsts + (size_t)1) * sizeof *f->steps);
    if (!w || !f->steps) return free(w), false;
    *w = (struct flow_walk){.f = f, .k = k, .s = s, .closed = calloc(k->ninsts + (size_t)1, 1)};
    for (uint32_t n = 0; n < k->ninsts; n++)
        f->steps[n] =
            (struct countflow_step){COUNTFLOW_NONE, COUNTFLOW_NONE, COUNTFLOW_NONE, COUNTFLOW_NONE};
    if (w->closed) {
        find_closed(w);
        walk(w);
    }
    bool good = w->closed && !w->failed;
    free(w->closed);
    free(w);
    if (!good || !choose(f, COUNTFLOW_WARPS) || !choose(f, COUNTFLOW_LANES)) return false;
    number(f);
    return true;
}

void countflow_free(struct countflow *f) {
    free(f->edges);
    free(f->steps);
    *f = (struct countflow){0};
}

/* ---- what the counters say ---- */

struct count_solver {
    const struct countflow *f;
    int64_t *value;  /* of each edge */
    uint8_t *solved; /* likewise */
    int64_t *rest;   /* of each node: what is known to flow in, less what flows out */
    uint32_t *open;  /* likewise: edges that are not known; */
    uint32_t *which; /* these edges, combined by exclusive or: the last one's number */
    uint32_t *queue, nqueue;
    enum countflow_of of;
};

static void learn(struct count_solver *v, uint32_t edge, int64_t value);

static void at_node(struct count_solver *v, uint32_t node, uint32_t edge, int64_t flow) {
    v->rest[node] += flow;
    v->which[node] ^= edge;
    if (!--v->open[node]) return;
    if (v->open[node] == 1 && node) v->queue[v->nqueue++] = node;
}

static void learn(struct count_solver *v, uint32_t edge, int64_t value) {
    const struct countflow_edge *e = &v->f->edges[edge];
    v->value[edge] = value;
    v->solved[edge] = 1;
    at_node(v, e->from, edge, -value);
    at_node(v, e->to, edge, value);
}

/* What only one edge of a node is not known of follows. */
static void drain(struct count_solver *v) {
    while (v->nqueue) {
        uint32_t node = v->queue[--v->nqueue];
        if (v->open[node] != 1) continue;
        uint32_t edge = v->which[node];
        const struct countflow_edge *e = &v->f->edges[edge];
        learn(v, edge, e->from == node ? v->rest[node] : -v->rest[node]);
    }
}

static void prepare(struct count_solver *v) {
    const struct countflow *f = v->f;
    memset(v->solved, 0, f->nedges);
    memset(v->rest, 0, f->nnodes * sizeof *v->rest);
    memset(v->open, 0, f->nnodes * sizeof *v->open);
    memset(v->which, 0, f->nnodes * sizeof *v->which);
    v->nqueue = 0;
    for (uint32_t n = 0; n < f->nedges; n++) {
        const struct countflow_edge *e = &f->edges[n];
        if (!has(e, v->of)) continue;
        v->open[e->from]++;
        v->open[e->to]++;
        v->which[e->from] ^= n;
        v->which[e->to] ^= n;
    }
    for (uint32_t n = 1; n < f->nnodes; n++)
        if (v->open[n] == 1) v->queue[v->nqueue++] = n;
}

/* Edges are in the order of the text, so what a copy is of is known before it, or when the outer
 * graph is: copies are looked at until none is left. */
static void solve(struct count_solver *v, const uint64_t *counters, int64_t first,
                  const int64_t *warps, uint64_t group_warps, uint64_t items) {
    const struct countflow *f = v->f;
    prepare(v);
    for (uint32_t n = 0; n < f->nedges; n++) {
        const struct countflow_edge *e = &f->edges[n];
        if (!has(e, v->of) || v->solved[n]) continue;
        if (!n)
            learn(v, n, first);
        else if (v->of == COUNTFLOW_LANES && e->whole && !e->copies)
            learn(v, n, (int64_t)((uint64_t)warps[n] / group_warps * items));
        else if (e->counter[v->of] >= 0)
            learn(v, n, (int64_t)counters[e->counter[v->of]]);
    }
    drain(v);
    for (uint32_t n = 0; n < f->nedges; n++) {
        const struct countflow_edge *e = &f->edges[n];
        if (!e->copies || v->solved[n]) continue;
        assert(v->solved[e->copies - 1]);
        learn(v, n, v->value[e->copies - 1]);
        drain(v);
    }
}

/* What instruction n came to. */
static void tell(const struct countflow *f, int64_t *const of[COUNTFLOW_KINDS], uint32_t n,
                 uint32_t site, struct observe_count *counts, struct observe_step *steps) {
    const struct countflow_step *s = &f->steps[n];
    uint64_t taken = 0, diverged = 0;
    if (s->block < 0) return;
    uint64_t executions = (uint64_t)of[COUNTFLOW_WARPS][s->block];
    uint64_t lanes = (uint64_t)of[COUNTFLOW_LANES][s->block];
    if (s->taken >= 0) taken = (uint64_t)of[COUNTFLOW_LANES][s->taken];
    if (s->splits >= 0) diverged = (uint64_t)of[COUNTFLOW_WARPS][s->splits];
    if (site) {
        struct observe_count *c = &counts[site - 1];
        c->executions += executions;
        c->lanes += lanes;
        c->taken += taken;
        c->diverged += diverged;
    }
    if (!steps) return;
    steps[n].executions += executions;
    steps[n].lanes += lanes;
    steps[n].diverged += diverged;
    if (s->jumps >= 0) steps[n].jumps += (uint64_t)of[COUNTFLOW_WARPS][s->jumps];
}

bool countflow_solve(const struct countflow *f, const struct isa_kernel *k,
                     const uint64_t *counters, uint64_t groups, uint32_t items,
                     struct observe_count *counts, struct observe_step *steps) {
    size_t edges = f->nedges, nodes = f->nnodes;
    struct count_solver v = {.f = f};
    int64_t *values = calloc(edges * 2 + nodes, sizeof *values);
    uint32_t *words = calloc(nodes * 3 + 1, sizeof *words);
    v.solved = calloc(edges, 1);
    bool good = values && words && v.solved;
    if (good) {
        uint64_t warps = (items + ISA_WARP - 1) / ISA_WARP;
        int64_t *of[COUNTFLOW_KINDS] = {values, values + edges};
        v.rest = values + 2 * edges;
        v.open = words;
        v.which = words + nodes;
        v.queue = words + 2 * nodes;
        for (int kind = 0; kind < COUNTFLOW_KINDS; kind++) {
            v.of = (enum countflow_of)kind;
            v.value = of[kind];
            solve(&v, counters, (int64_t)(groups * (kind == COUNTFLOW_LANES ? items : warps)),
                  of[COUNTFLOW_WARPS], warps, items);
        }
        for (uint32_t n = 0; n < f->nsteps; n++) tell(f, of, n, k->insts[n].site, counts, steps);
    }
    free(values);
    free(words);
    free(v.solved);
    return good;
}
