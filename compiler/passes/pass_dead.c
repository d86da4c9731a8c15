/* Removes what nothing uses: results, assignments that are overwritten, copies that the operation
 * before them can make itself, regions that hold nothing or that nothing leaves early. */
#include "pass.h"

#include <string.h>

enum { DELETED = ISA_OP_COUNT };
enum {
    MAX_LIVE_WORDS = 16 << 20
}; /* words of live sets copied for one kernel; larger ones are left */

static bool removable(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (!i->ndst) return false;
    if (flags & ISA_OP_PURE) return true;
    return (flags & ISA_OP_READS) && !(i->flags & ISA_VOLATILE);
}

/* ---- results without a use ---- */

struct uses {
    struct isa_kernel *k;
    uint32_t *count;        /* of each register: sources that name it */
    uint32_t *first, *next; /* its definitions, a list of instructions + 1 */
    uint32_t *work, nwork;
};

static void drop(struct uses *u, uint32_t at) {
    struct isa_kernel *k = u->k;
    struct isa_inst *i = &k->insts[at];
    const isa_operand *src = isa_srcs(k, i);
    for (unsigned s = 0; s < i->nsrc; s++)
        if (isa_is_reg(src[s]) && --u->count[src[s]] == 0) u->work[u->nwork++] = src[s];
    isa_site_remove(k, i->site, ISA_REMOVED_dead);
    i->op = DELETED;
}

static void unused(struct isa_kernel *k, struct arena *arena) {
    struct uses u = {.k = k};
    u.count = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    u.first = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    u.next = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u);
    u.work = ARENA_ARRAY(arena, uint32_t, (size_t)k->nregs + k->noperands + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (inst->op == DELETED) continue;
        for (unsigned s = 0; s < inst->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, inst)[s])) u.count[isa_srcs(k, inst)[s]]++;
        if (inst->ndst && removable(inst)) { /* listed under its first result */
            uint32_t r = isa_dsts(k, inst)[0];
            u.next[i] = u.first[r];
            u.first[r] = i + 1;
        }
    }
    for (uint32_t r = 0; r < k->nregs; r++)
        if (!u.count[r]) u.work[u.nwork++] = r;
    while (u.nwork) {
        uint32_t r = u.work[--u.nwork];
        for (uint32_t i = u.first[r]; i; i = u.next[i - 1]) {
            const struct isa_inst *inst = &k->insts[i - 1];
            if (inst->op == DELETED) continue;
            bool used = false;
            for (unsigned d = 0; d < inst->ndst; d++) used = used || u.count[isa_dsts(k, inst)[d]];
            if (!used) drop(&u, i - 1);
        }
    }
}

/* ---- copies ---- */

/* t = op ...; x = t, nothing else reading t, and x untouched in between: x = op ... */
static void coalesce(struct isa_kernel *k, struct arena *arena) {
    uint32_t *reads = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    uint32_t *writes = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    uint32_t *made = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);    /* instruction + 1 */
    uint32_t *touched = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u); /* last read or write, + 1 */
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (inst->op == DELETED) continue;
        for (unsigned s = 0; s < inst->nsrc; s++)
            if (isa_is_reg(isa_srcs(k, inst)[s])) reads[isa_srcs(k, inst)[s]]++;
        for (unsigned d = 0; d < inst->ndst; d++) writes[isa_dsts(k, inst)[d]]++;
    }
    uint32_t straight = 0; /* where the straight piece of code began, + 1 */
    for (uint32_t i = 0; i < k->ninsts; i++) {
        struct isa_inst *inst = &k->insts[i];
        if (inst->op == DELETED) continue;
        if (isa_op_info[inst->op].flags & ISA_OP_CONTROL) {
            straight = i + 2;
        }
        isa_operand *dst = isa_dsts(k, inst), *src = isa_srcs(k, inst);
        if (inst->op == ISA_mov && isa_is_reg(src[0])) {
            isa_operand t = src[0], x = dst[0];
            uint32_t at = made[t];
            if (at && at >= straight && reads[t] == 1 && writes[t] == 1 && touched[x] <= at) {
                struct isa_inst *maker = &k->insts[at - 1];
                isa_operand *out = isa_dsts(k, maker);
                bool twice = false;
                for (unsigned d = 0; d < maker->ndst; d++) twice = twice || out[d] == x;
                if (!twice) {
                    for (unsigned d = 0; d < maker->ndst; d++)
                        if (out[d] == t) out[d] = x;
                    inst->op = DELETED;
                    made[x] = at;
                    touched[x] = i + 1;
                    continue;
                }
            }
        }
        for (unsigned s = 0; s < inst->nsrc; s++)
            if (isa_is_reg(src[s])) touched[src[s]] = i + 1;
        for (unsigned d = 0; d < inst->ndst; d++) {
            made[dst[d]] = touched[dst[d]] = i + 1;
        }
    }
}

/* ---- assignments that are overwritten ---- */

struct live {
    struct isa_kernel *k;
    struct arena *arena;
    uint32_t *variable; /* of each register assigned more than once: its bit + 1 */
    uint32_t nwords;
    uint64_t *now; /* live at the current place, going backward */
    struct {
        uint16_t op;
        uint64_t *after, *otherwise, *start;
    } open[ISA_MAX_NESTING];
    unsigned depth;
    uint64_t *pool; /* sets for each depth: after, otherwise, start */
};

static void set_copy(struct live *v, uint64_t *to, const uint64_t *from) {
    memcpy(to, from, v->nwords * sizeof *to);
}

static void set_union(struct live *v, uint64_t *to, const uint64_t *from) {
    for (uint32_t w = 0; w < v->nwords; w++) to[w] |= from[w];
}

static void include(struct live *v, uint64_t *set, isa_operand o) {
    if (!isa_is_reg(o) || !v->variable[o]) return;
    uint32_t bit = v->variable[o] - 1;
    set[bit / 64] |= (uint64_t)1 << (bit % 64);
}

/* What is live where jumps lead that leave the loop, the region d, and more than it. */
static void include_left(struct live *v, uint64_t *set, uint32_t begin, uint32_t end, unsigned d) {
    unsigned depth = 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &v->k->insts[n];
        if (i->op == DELETED) continue;
        uint32_t flags = isa_op_info[i->op].flags;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (flags & ISA_OP_JUMP && i->op != ISA_ret && (uint32_t)i->imm > depth) {
            unsigned to = d - ((unsigned)i->imm - depth);
            set_union(v, set, i->op == ISA_continue ? v->open[to].start : v->open[to].after);
        }
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
    }
}

/* At a region's end, going backward: what is live after it, and before that end. */
static void enter(struct live *v, uint32_t end, uint32_t begin) {
    struct isa_kernel *k = v->k;
    unsigned d = v->depth++;
    v->open[d].op = k->insts[begin].op;
    v->open[d].after = v->pool + (size_t)d * 3 * v->nwords;
    v->open[d].otherwise = v->open[d].after + v->nwords;
    v->open[d].start = v->open[d].otherwise + v->nwords;
    set_copy(v, v->open[d].after, v->now);
    set_copy(v, v->open[d].otherwise, v->now);
    if (v->open[d].op != ISA_loop) return;
    /* The next iteration may read whatever the loop reads, or what is read where it leads to. */
    memset(v->open[d].start, 0, v->nwords * sizeof *v->now);
    for (uint32_t i = begin; i < end; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (inst->op == DELETED) continue;
        for (unsigned s = 0; s < inst->nsrc; s++)
            include(v, v->open[d].start, isa_srcs(k, inst)[s]);
    }
    include_left(v, v->open[d].start, begin, end, d);
    set_union(v, v->open[d].start, v->now);
    set_copy(v, v->now, v->open[d].start);
}

static void backward(struct live *v, uint32_t at, const uint32_t *begins) {
    struct isa_kernel *k = v->k;
    struct isa_inst *i = &k->insts[at];
    if (i->op == DELETED) return;
    uint32_t flags = isa_op_info[i->op].flags;
    const isa_operand *dst = isa_dsts(k, i), *src = isa_srcs(k, i);
    if (flags & ISA_OP_REGION_END) {
        enter(v, at, begins[at]);
        return;
    }
    if (flags & ISA_OP_REGION_ELSE) {
        set_copy(v, v->open[v->depth - 1].otherwise, v->now);
        set_copy(v, v->now, v->open[v->depth - 1].after);
        return;
    }
    if (flags & ISA_OP_REGION_BEGIN) {
        v->depth--;
        if (i->op == ISA_if) set_union(v, v->now, v->open[v->depth].otherwise);
    } else if (i->op == ISA_ret) {
        memset(v->now, 0, v->nwords * sizeof *v->now);
    } else if (flags & ISA_OP_JUMP) {
        unsigned d = v->depth - 1 - (unsigned)i->imm;
        const uint64_t *there = i->op == ISA_continue ? v->open[d].start : v->open[d].after;
        if (i->op == ISA_breakif)
            set_union(v, v->now, there);
        else
            set_copy(v, v->now, there);
    } else if (i->ndst) {
        bool wanted = !removable(i);
        for (unsigned d = 0; d < i->ndst; d++) {
            uint32_t bit = v->variable[dst[d]] - 1;
            wanted = wanted || !v->variable[dst[d]] || (v->now[bit / 64] >> (bit % 64) & 1);
        }
        if (!wanted) {
            isa_site_remove(k, i->site, ISA_REMOVED_dead);
            i->op = DELETED;
            return;
        }
        for (unsigned d = 0; d < i->ndst; d++) {
            uint32_t bit = v->variable[dst[d]] - 1;
            if (v->variable[dst[d]]) v->now[bit / 64] &= ~((uint64_t)1 << (bit % 64));
        }
    }
    for (unsigned s = 0; s < i->nsrc; s++) include(v, v->now, src[s]);
}

static void overwritten(struct isa_kernel *k, struct arena *arena) {
    struct live v = {.k = k, .arena = arena};
    uint32_t *writes = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u), nvariables = 0, nregions = 1;
    uint32_t *begins = ARENA_ARRAY(arena, uint32_t, k->ninsts + 1u), open[ISA_MAX_NESTING];
    unsigned depth = 0;
    v.variable = ARENA_ARRAY(arena, uint32_t, k->nregs + 1u);
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (inst->op == DELETED) continue;
        uint32_t flags = isa_op_info[inst->op].flags;
        for (unsigned d = 0; d < inst->ndst; d++) {
            isa_operand r = isa_dsts(k, inst)[d];
            if (++writes[r] == 2) v.variable[r] = ++nvariables;
        }
        if (flags & ISA_OP_REGION_BEGIN)
            open[depth++] = i;
        else if (flags & ISA_OP_REGION_END)
            begins[i] = open[--depth];
        nregions += (flags & (ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE | ISA_OP_JUMP)) != 0;
    }
    v.nwords = (nvariables + 63) / 64;
    if (!nvariables || (uint64_t)v.nwords * nregions > MAX_LIVE_WORDS) return;
    v.now = ARENA_ARRAY(arena, uint64_t, v.nwords);
    v.pool = ARENA_ARRAY(arena, uint64_t, (size_t)v.nwords * 3 * ISA_MAX_NESTING);
    for (uint32_t i = k->ninsts; i-- > 0;) backward(&v, i, begins);
}

/* ---- regions ---- */

struct tidy {
    struct isa_kernel *k;
    bool *aimed; /* of each region's beginning: a jump leads to its end or beginning */
    uint32_t open[ISA_MAX_NESTING]; /* instruction of the beginning */
    bool gone[ISA_MAX_NESTING];
};

/* Blocks that nothing leaves early. */
static void mark_aims(struct tidy *t) {
    struct isa_kernel *k = t->k;
    unsigned depth = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) {
        const struct isa_inst *inst = &k->insts[i];
        if (inst->op == DELETED) continue;
        uint32_t flags = isa_op_info[inst->op].flags;
        if (flags & ISA_OP_REGION_BEGIN)
            t->open[depth++] = i;
        else if (flags & ISA_OP_REGION_END)
            depth--;
        else if ((flags & ISA_OP_JUMP) && inst->op != ISA_ret)
            t->aimed[t->open[depth - 1 - (unsigned)inst->imm]] = true;
    }
}

/* The last instruction that was put, `back` before the end. */
static struct isa_inst *last(struct isa_kernel *k, uint32_t n, uint32_t back) {
    return n > back ? &k->insts[n - 1 - back] : NULL;
}

static bool is(const struct isa_inst *i, enum isa_op op) { return i && i->op == op; }

/* Copies what is left forward, looking at what an end closes. */
static void tidy(struct isa_kernel *k, struct arena *arena) {
    struct tidy t = {.k = k, .aimed = ARENA_ARRAY(arena, bool, k->ninsts + 1u)};
    mark_aims(&t);
    uint32_t n = 0;
    unsigned depth = 0;
    for (uint32_t at = 0; at < k->ninsts; at++) {
        struct isa_inst i = k->insts[at];
        if (i.op == DELETED) continue;
        uint32_t flags = isa_op_info[i.op].flags;
        if (flags & ISA_OP_REGION_BEGIN) {
            t.gone[depth] = i.op == ISA_block && !t.aimed[at];
            if (t.gone[depth++]) continue;
        } else if (flags & ISA_OP_REGION_END) {
            if (t.gone[--depth]) continue;
            if (i.op == ISA_endblock && is(last(k, n, 0), ISA_break) && last(k, n, 0)->imm == 0)
                n--;
            if (i.op == ISA_endif) {
                if (is(last(k, n, 0), ISA_else)) n--;
                if (is(last(k, n, 0), ISA_if)) {
                    isa_site_remove(k, last(k, n, 0)->site, ISA_REMOVED_empty);
                    n--;
                    continue;
                }
                /* if p; break; endif: breakif p */
                if (is(last(k, n, 0), ISA_break) && is(last(k, n, 1), ISA_if) &&
                    last(k, n, 0)->imm > 0) {
                    int32_t level = last(k, n, 0)->imm - 1;
                    struct isa_inst *begin = last(k, n, 1);
                    begin->op = ISA_breakif;
                    begin->imm = level;
                    n--;
                    continue;
                }
            }
        } else if ((flags & ISA_OP_JUMP) && i.op != ISA_ret) {
            int32_t between = i.imm;
            for (int32_t d = 0; d < between; d++) i.imm -= t.gone[depth - 1 - (unsigned)d];
        }
        k->insts[n++] = i;
    }
    k->ninsts = n;
}

bool pass_dead(const struct pass *p) {
    struct isa_kernel *k = p->k;
    struct arena *arena = p->arena;
    uint32_t before = k->ninsts;
    unused(k, arena);
    coalesce(k, arena);
    overwritten(k, arena);
    unused(k, arena);
    tidy(k, arena);
    if (before > k->ninsts)
        trace_tell(&p->trace, NULL, "%u of %u instructions were of no use", before - k->ninsts,
                   before);
    return false;
}
