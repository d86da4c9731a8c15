#include "probe.h"

#include <stdlib.h>
#include <string.h>

#include "pointers.h"
#include "refine.h"

/* ---- what is asked ---- */

static bool fits(unsigned what, const struct isa_site *s) {
    switch (what) {
    case OBSERVE_ADDRESS: return s->kind <= ISA_SITE_image_write;
    case OBSERVE_BRANCH: return s->kind == ISA_SITE_branch || s->kind == ISA_SITE_loop_exit;
    case OBSERVE_BARRIER: return s->kind == ISA_SITE_barrier;
    case OBSERVE_VALUES: return s->kind == ISA_SITE_store;
    default: return true;
    }
}
_Static_assert(ISA_SITE_load < ISA_SITE_image_write && ISA_SITE_store < ISA_SITE_image_write &&
                   ISA_SITE_atomic < ISA_SITE_image_write &&
                   ISA_SITE_image_read < ISA_SITE_image_write &&
                   ISA_SITE_branch > ISA_SITE_image_write,
               "accesses come first");

/* What the observers want of a site; calls: those that are to be called (bits). */
struct wanted {
    uint8_t what;
    uint16_t calls;
};
_Static_assert(OBSERVE_MOST <= 16, "observers are bits");

static bool ask(const struct observer *o, const struct isa_kernel *k, uint8_t *what) {
    if (o->wants_each) return o->wants_each(k, what);
    for (uint32_t n = 0; n < k->nsites; n++) what[n] = (uint8_t)o->wants(k, &k->sites[n]);
    return true;
}

static void add_wants(struct wanted *w, unsigned wants, const struct isa_site *s, unsigned who) {
    unsigned fitting = 0;
    for (unsigned bit = OBSERVE_COUNTS; bit <= OBSERVE_VALUES; bit *= 2)
        if (wants & bit && fits(bit, s)) fitting |= bit;
    if (fitting & ~(unsigned)OBSERVE_COUNTS) w->calls |= (uint16_t)(1u << who);
    w->what |= (uint8_t)fitting;
}

/* Of each site; the caller frees. NULL: no memory. */
static struct wanted *find_wanted(const struct observe_plan *p) {
    const struct isa_kernel *k = p->kernel;
    struct wanted *all = calloc(k->nsites + (size_t)1, sizeof *all);
    for (unsigned n = 0; all && n < p->set.count; n++) {
        uint8_t *what = calloc(k->nsites + (size_t)1, 1);
        bool good = what && ask(p->set.list[n], k, what);
        for (uint32_t s = 0; good && s < k->nsites; s++)
            add_wants(&all[s], what[s], &k->sites[s], n);
        free(what);
        if (good) continue;
        free(all);
        all = NULL;
    }
    return all;
}

static struct probe_call call_of(const struct observe_plan *p, const struct shape *shape,
                                 const struct isa_inst *i) {
    struct probe_call c = {.site = i->site - 1};
    if (!(isa_op_info[i->op].flags & ISA_OP_MEMORY)) return c;
    struct shape_value at = shape_operand(shape, p->kernel, isa_srcs(p->kernel, i)[0]);
    c.displacement = i->imm;
    c.bytes = isa_type_size[i->type] * (uint32_t)i->count;
    c.strided = at.span >= SHAPE_WARP;
    c.stride = c.strided ? at.stride : 0;
    return c;
}

static bool is_guarded(const struct observe_plan *p, const struct probe_call *c) {
    bool all = isa_op_info[p->kernel->insts[c->inst].op].flags & ISA_OP_MEMORY;
    for (unsigned n = 0; n < p->set.count; n++)
        if (c->observers >> n & 1) all &= p->set.list[n]->guard != NULL;
    return all;
}

static bool is_of_sandbox(const struct observe_plan *p, const struct probe_call *c) {
    bool all = true;
    for (unsigned n = 0; n < p->set.count; n++)
        if (c->observers >> n & 1) all &= p->set.list[n]->sandbox;
    return all;
}

/* The parameters that calls' addresses lie in. */
static bool find_params(struct observe_plan *p) {
    const struct isa_kernel *k = p->kernel;
    uint32_t *params = p->ncalls ? pointers_find(k) : NULL;
    for (uint32_t n = 0; params && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!p->call_at[n] || !(isa_op_info[i->op].flags & ISA_OP_MEMORY)) continue;
        isa_operand o = isa_srcs(k, i)[0];
        uint32_t param = isa_is_reg(o) ? params[o] : POINTERS_NOWHERE;
        struct probe_call *c = &p->calls[p->call_at[n] - 1];
        bool placed = i->space == ISA_GLOBAL || i->space == ISA_CONSTANT;
        if (param == POINTERS_ANYWHERE) continue;
        c->object = param;
        bool device = !param || param > k->nparams || k->params[param - 1].kind != ISA_PARAM_LOCAL;
        if (placed && device && param <= k->nparams + 1) c->param = param;
    }
    free(params);
    return params || !p->ncalls;
}

static bool list_calls(struct observe_plan *p, const struct shape *shape,
                       const struct wanted *wanted) {
    const struct isa_kernel *k = p->kernel;
    uint32_t most = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!k->insts[n].site) continue;
        const struct wanted *w = &wanted[k->insts[n].site - 1];
        p->counts |= w->what & OBSERVE_COUNTS;
        most += w->calls != 0;
    }
    if (!most) return true;
    p->calls = calloc(most, sizeof *p->calls);
    p->call_at = calloc(k->ninsts, sizeof *p->call_at);
    if (!p->calls || !p->call_at) return false;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct wanted *w = k->insts[n].site ? &wanted[k->insts[n].site - 1] : NULL;
        if (!w || !w->calls) continue;
        struct probe_call *c = &p->calls[p->ncalls++];
        *c = call_of(p, shape, &k->insts[n]);
        c->what = (uint8_t)(w->what & ~(unsigned)OBSERVE_COUNTS);
        c->observers = w->calls;
        c->inst = n;
        c->guarded = is_guarded(p, c);
        c->sandbox = is_of_sandbox(p, c);
        p->call_at[n] = p->ncalls;
    }
    return find_params(p);
}

static bool find_calls(struct observe_plan *p, const struct shape *shape) {
    struct wanted *wanted = find_wanted(p);
    bool good = wanted && list_calls(p, shape, wanted);
    free(wanted);
    return good;
}

struct observe_plan *observe_plan_new(const struct isa_module *m, const struct isa_kernel *k,
                                      const struct observe_set *set) {
    struct observe_plan *p = calloc(1, sizeof *p);
    struct shape *shape = shape_new(k, NULL);
    bool good = p && shape;
    if (good) {
        p->module = m;
        p->kernel = k;
        p->set = *set;
        for (unsigned n = 0; n < set->count; n++) p->steps |= set->list[n]->steps;
        p->counts = p->steps;
        good = find_calls(p, shape) && (!p->counts || countflow_find(&p->flow, k, shape));
    }
    shape_free(shape);
    if (good) return p;
    observe_plan_free(p);
    return NULL;
}

void observe_plan_free(struct observe_plan *p) {
    if (!p) return;
    refine_free(atomic_load(&p->refined));
    for (unsigned n = 0; n < OBSERVE_MOST; n++) {
        if (p->added[n].release) p->added[n].release(p->added[n].data);
        free(p->added[n].calls);
    }
    countflow_free(&p->flow);
    free(p->calls);
    free(p->call_at);
    free(p);
}

/* ---- the pass ---- */

struct insertion {
    const struct observe_plan *plan;
    struct isa_kernel *k; /* the copy */
    struct isa_inst *insts;
    uint32_t ninsts;
    uint32_t *edges_at, *next; /* lists of the edges counted before an instruction, + 1 */
    isa_operand always;
};

static struct isa_inst *put_probe(struct insertion *q, uint32_t before, enum isa_op op,
                                  const isa_operand *src, unsigned nsrc) {
    struct isa_kernel *k = q->k;
    const struct isa_inst *like = &k->insts[before < k->ninsts ? before : k->ninsts - 1];
    struct isa_inst *i = &q->insts[q->ninsts++];
    *i = (struct isa_inst){.op = (uint16_t)op,
                           .count = 1,
                           .nsrc = (uint8_t)nsrc,
                           .file = like->file,
                           .line = like->line,
                           .operands = k->noperands};
    memcpy(k->operands + k->noperands, src, nsrc * sizeof *src);
    k->noperands += nsrc;
    return i;
}

static void put_count(struct insertion *q, const struct countflow_edge *e) {
    bool split = e->splits != ISA_NO_OPERAND;
    const int32_t *counter = e->counter;
    struct isa_inst *i = put_probe(q, e->at, ISA_probe_count, split ? &e->splits : &q->always, 1);
    i->mod = (uint8_t)(split ? ISA_COUNT_SPLITS
                             : (counter[COUNTFLOW_WARPS] >= 0 ? ISA_COUNT_WARPS : 0) |
                                   (counter[COUNTFLOW_LANES] >= 0 ? ISA_COUNT_LANES : 0));
    i->imm = counter[COUNTFLOW_WARPS] >= 0 ? counter[COUNTFLOW_WARPS] : counter[COUNTFLOW_LANES];
}

/* The operands that an observer wants to see: an address, a predicate, or an image's. */
static void put_call(struct insertion *q, uint32_t n) {
    const struct isa_kernel *k = q->k;
    const struct isa_inst *of = &k->insts[n];
    const isa_operand *src = isa_srcs(k, of);
    unsigned count = 0;
    uint32_t flags = isa_op_info[of->op].flags;
    if (flags & ISA_OP_MEMORY)
        count = src[0] != ISA_NO_OPERAND;
    else if (flags & ISA_OP_IMAGE)
        count = of->op == ISA_img_read ? of->nsrc : of->nsrc - 4u;
    else if (of->op == ISA_if || of->op == ISA_breakif)
        count = 1;
    if (count && of->op == ISA_st && q->plan->calls[q->plan->call_at[n] - 1].what & OBSERVE_VALUES)
        count = of->nsrc;
    isa_operand operands[OBSERVE_OPERANDS];
    if (count > OBSERVE_OPERANDS) count = OBSERVE_OPERANDS;
    if (count) memcpy(operands, src, count * sizeof *src); /* the list may move */
    put_probe(q, n, ISA_probe_call, operands, count)->imm = (int32_t)q->plan->call_at[n] - 1;
}

static void put_before(struct insertion *q, uint32_t n) {
    for (uint32_t e = q->edges_at[n]; e; e = q->next[e - 1])
        put_count(q, &q->plan->flow.edges[e - 1]);
    if (n < q->k->ninsts && q->plan->call_at && q->plan->call_at[n]) put_call(q, n);
}

static bool is_counted(const struct countflow_edge *e) {
    return e->counter[COUNTFLOW_WARPS] >= 0 || e->counter[COUNTFLOW_LANES] >= 0;
}

static void insert_all(struct insertion *q, uint32_t *moved) {
    struct isa_kernel *k = q->k;
    const struct countflow *f = &q->plan->flow;
    for (uint32_t e = f->nedges; e--;) {
        if (!is_counted(&f->edges[e])) continue;
        q->next[e] = q->edges_at[f->edges[e].at];
        q->edges_at[f->edges[e].at] = e + 1;
    }
    for (uint32_t n = 0; n < k->ninsts; n++) {
        put_before(q, n);
        moved[n] = q->ninsts;
        q->insts[q->ninsts++] = k->insts[n];
    }
    put_before(q, k->ninsts);
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (isa_op_info[k->insts[n].op].flags & ISA_OP_REGION)
            q->insts[moved[n]].match = moved[k->insts[n].match];
    }
}

static bool insert(const struct observe_plan *p, struct isa_kernel *k) {
    uint64_t most = k->ninsts + (uint64_t)p->ncalls;
    for (uint32_t n = 0; n < p->flow.nedges; n++) most += is_counted(&p->flow.edges[n]);
    if (most == k->ninsts) return true;
    if (most > UINT32_MAX / OBSERVE_OPERANDS) return false;
    uint64_t operands = k->noperands + (most - k->ninsts) * OBSERVE_OPERANDS;
    struct insertion q = {.plan = p, .k = k};
    q.insts = malloc(most * sizeof *q.insts);
    q.edges_at = calloc(k->ninsts + (size_t)1, sizeof *q.edges_at);
    q.next = calloc(p->flow.nedges + (size_t)1, sizeof *q.next);
    uint32_t *moved = malloc((k->ninsts + (size_t)1) * sizeof *moved);
    isa_operand *more = realloc(k->operands, operands * sizeof *more);
    if (more) {
        k->operands = more;
        k->cap_operands = (uint32_t)operands;
    }
    q.always = isa_const_new(k, ISA_PRED, 1);
    bool good = q.insts && q.edges_at && q.next && moved && more && !isa_kernel_failed(k);
    if (good) {
        insert_all(&q, moved);
        free(k->insts);
        k->insts = q.insts;
        k->ninsts = q.ninsts;
        k->cap_insts = (uint32_t)most;
        k->probed = true;
    } else {
        free(q.insts);
    }
    free(q.edges_at);
    free(q.next);
    free(moved);
    return good;
}

/* What an observer puts in itself. */
static bool add(struct observe_plan *p, unsigned n, struct isa_kernel *k) {
    struct observe_added *a = &p->added[n];
    const struct observer *o = p->set.list[n];
    if (!o->instrument) return true;
    k->probed = true;
    if (!o->instrument(p->kernel, k, p->ncalls, a)) return false;
    struct probe_call *more = realloc(p->calls, (p->ncalls + (size_t)a->count + 1) * sizeof *more);
    if (!more) return false;
    p->calls = more;
    for (uint32_t c = 0; c < a->count; c++)
        more[p->ncalls++] = (struct probe_call){.site = a->calls[c].site - 1,
                                                .inst = a->calls[c].inst,
                                                .observers = (uint16_t)(1u << n),
                                                .own = c + 1,
                                                .own_what = a->calls[c].what};
    return true;
}

bool observe_plan_apply(struct observe_plan *p, struct isa_kernel *k) {
    bool good = insert(p, k);
    for (unsigned n = 0; good && n < p->set.count; n++) good = add(p, n, k);
    return good;
}
