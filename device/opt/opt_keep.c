/* Sums kept in memory. Where a loop, or one if after the other, loads again and again what its
 * work-item has stored at an address that does not change, the value is in a register meanwhile,
 * and is stored behind them. A loop that adds to what was there before loads it first, where its
 * first iteration would. Memory that is accessed besides may be the same, which is known when a
 * kernel is launched: where no other argument is in the buffer, one version of the code leaves
 * loads and stores of the sum out. In the other one it is stored as before, and loaded, too, where
 * another store may have changed it.
 *
 * A work-item that comes to the sum under an `if` may never do so, as its address may be none. The
 * sum is loaded before the loop where the buffer has it, and stored behind it by those that have
 * come to a store. */
#include <string.h>

#include "alone.h"
#include "device/analysis/provenance.h"
#include "device/analysis/shape.h"
#include "device/isa/loops.h"
#include "opt_pass.h"

enum {
    MOST_LENGTH = 400,  /* instructions from the first store to the end of the last loop */
    MOST_VERSION = 360, /* of those that are there twice */
    MOST_ENTRY = 16,    /* in a loop before what it is left by at once */
    MOST_PLACES = 8     /* sums of one loop */
};

/* A place in memory, from a store, or a loop that loads it first, to behind the last region that
 * stores to it. */
struct kept_sum {
    uint32_t from, to; /* instructions; to: behind which it is stored once more */
    uint32_t store;    /* to it: the first one; */
    uint32_t load;     /* of it, if a loop loads it first: that one, */
    uint32_t exit;     /* and the last instruction before that which leaves it; or its begin */
    uint32_t alone;    /* the parameter in whose memory it is, as a bit: there are two versions */
    bool always;       /* it can be kept wherever the parameter points to */
    bool sole;         /* it is local, and nothing else there is meant to be it: one version does */
    bool seldom;       /* its loop may come to no access of it: those in ifs */
    isa_operand had;   /* which lanes have come to a store of one that is so */
    isa_operand reg;   /* that has its value */
    isa_operand in;    /* which lanes come to a loop's first load, or ISA_NO_OPERAND: all */
};

struct keeper {
    const struct isa_kernel *k;          /* as it was */
    const uint64_t *provenance, *arrays; /* of registers: parameters; arrays of local memory */
    struct loops l;
    struct shape *shape; /* NULL: nobody has asked for it, or there is no memory */
    struct kernelcopy copy;
    struct arena *arena;
    bool versions; /* there may be */
};

/* ---- which ---- */

/* Is it an access of what the store s stores? */
static bool at_place(const struct isa_kernel *k, const struct isa_inst *i,
                     const struct isa_inst *s) {
    return (i->op == ISA_ld || i->op == ISA_st) && i->space == s->space && i->type == s->type &&
           i->count == 1 && i->imm == s->imm && !(i->flags & ISA_VOLATILE) &&
           isa_srcs(k, i)[0] == isa_srcs(k, s)[0];
}

/* The value in memory may be another one afterwards, or others may look at it: by other means than
 * loads and stores. */
static bool ends(const struct isa_kernel *k, const struct isa_inst *i, const struct isa_inst *s) {
    uint32_t flags = isa_op_info[i->op].flags;
    return i->op == ISA_ret || isa_writes(k, i, isa_srcs(k, s)[0]) ||
           flags & (ISA_OP_BARRIER | ISA_OP_ATOMIC | ISA_OP_IMAGE | ISA_OP_PROBE) ||
           (flags & ISA_OP_EFFECT && i->op != ISA_st);
}

/* Does the load or store i access other memory than s where the parameter of s is alone? */
static bool is_elsewhere(const struct keeper *x, const struct isa_inst *i,
                         const struct isa_inst *s) {
    if ((i->space == ISA_LOCAL) != (s->space == ISA_LOCAL)) return true;
    if (i->space != ISA_GLOBAL && i->space != ISA_CONSTANT && i->space != ISA_LOCAL) return true;
    int64_t far = (int64_t)i->imm - s->imm;
    if (i->space == s->space && isa_srcs(x->k, i)[0] == isa_srcs(x->k, s)[0])
        return far >= isa_type_size[s->type] || -far >= isa_type_size[i->type] * (int64_t)i->count;
    const uint64_t *of = i->space == ISA_LOCAL ? x->arrays : x->provenance;
    uint64_t from = provenance_of(x->k, of, i);
    return !(from & provenance_of(x->k, of, s));
}

/* How far the store's value can be kept: the end of the last region with another store that is in
 * no region but those round the first; 0: there is none, or nothing loads it again. alone: where
 * its parameter is; otherwise other loads may be of the same memory, and no other stores are there.
 */
static uint32_t end_of(const struct keeper *x, uint32_t from, bool alone) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *s = &k->insts[from];
    uint32_t depth = 0, to = 0, loops = 0;
    bool stored = false, loaded = false, worth = false;
    for (uint32_t n = from + 1; n < k->ninsts && n - from < MOST_LENGTH; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        bool own = at_place(k, i, s), memory = i->op == ISA_ld || i->op == ISA_st;
        if (ends(k, i, s)) break;
        if (memory && !own && alone && !is_elsewhere(x, i, s)) break;
        if (i->op == ISA_st && !own && !alone && i->space == s->space) break;
        if (flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) break;
        if (!depth && flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) break;
        depth += isa_deeper(i);
        loops += i->op == ISA_loop;
        loaded |= own && i->op == ISA_ld && (loops || stored);
        stored |= own && i->op == ISA_st && depth;
        loops -= i->op == ISA_endloop;
        if (depth) continue;
        worth |= stored && loaded;
        if (worth && flags & ISA_OP_REGION_END) to = n;
    }
    return to;
}

/* May what the instruction stores be kept? */
static bool is_sum(const struct isa_kernel *k, const struct isa_inst *i) {
    return i->op == ISA_st && i->count == 1 && !(i->flags & ISA_VOLATILE) &&
           (i->space == ISA_GLOBAL || i->space == ISA_LOCAL) && isa_is_reg(isa_srcs(k, i)[0]);
}

/* The parameter in whose memory a place is, if there are versions, and whether it needs none. */
static void find_owner(const struct keeper *x, struct kept_sum *place) {
    const struct isa_inst *s = &x->k->insts[place->store];
    place->sole = s->space == ISA_LOCAL;
    if (!place->sole && x->versions) place->alone = provenance_param(x->k, x->provenance, s);
}

static bool is_owned(const struct kept_sum *place) { return place->alone || place->sole; }

static bool find_place(const struct keeper *x, uint32_t n, struct kept_sum *found) {
    const struct isa_inst *i = &x->k->insts[n];
    if (!is_sum(x->k, i)) return false;
    *found = (struct kept_sum){.from = n, .store = n, .in = ISA_NO_OPERAND};
    find_owner(x, found);
    if (is_owned(found)) found->to = end_of(x, n, true);
    uint32_t always = end_of(x, n, false);
    found->always = always && always == found->to;
    if (found->to && found->to - n <= MOST_VERSION) return true;
    *found = (struct kept_sum){.from = n, .store = n, .to = always, .in = ISA_NO_OPERAND};
    found->always = true;
    return always;
}

/* The place that instruction n loads or stores, or NULL; always: one that can be kept always. */
static const struct kept_sum *place_of(const struct keeper *x, uint32_t n,
                                       const struct kept_sum *places, uint32_t count, bool always) {
    const struct isa_inst *insts = x->k->insts;
    for (uint32_t p = 0; p < count; p++) {
        if (always && !places[p].always) continue;
        if (n >= places[p].from && at_place(x->k, &insts[n], &insts[places[p].store]))
            return &places[p];
    }
    return NULL;
}

/* The last instruction by which lanes may leave the loop that begins at n before they come to
 * instruction `to`, which is in no other region: before it nothing is done but computed, so that it
 * can be computed for the first iteration alone. n: there is none; 0: it is not so. */
static uint32_t last_exit(const struct isa_kernel *k, uint32_t n, uint32_t to) {
    uint32_t last = n;
    for (uint32_t at = n + 1; at < to; at++) {
        uint32_t flags = isa_op_info[k->insts[at].op].flags;
        if (flags & ISA_OP_REGION || (flags & ISA_OP_JUMP && k->insts[at].op != ISA_breakif))
            return 0;
        if (k->insts[at].op == ISA_breakif) last = at;
    }
    if (last - n > MOST_ENTRY) return 0;
    for (uint32_t at = n + 1; at < last; at++)
        if (k->insts[at].op != ISA_breakif && !(isa_op_info[k->insts[at].op].flags & ISA_OP_PURE))
            return 0;
    return last;
}

/* The parameter that a place is in is one of which its object is known. */
static bool has_object(const struct kept_sum *place) {
    return place->alone && place->alone < 1u << ISA_SPECIAL_OBJECTS;
}

/* Do the lanes of a warp share the place? Which of them came there last is seen then. */
static bool is_shared(struct keeper *x, const struct kept_sum *place) {
    if (!x->shape) x->shape = shape_new(x->k, NULL);
    return !x->shape || shape_is_uniform(x->shape, isa_srcs(x->k, &x->k->insts[place->store])[0]);
}

/* Can the place be kept in its loop, and be loaded before it? Finds the first load; 0: it is stored
 * alone, in an `if`. */
static bool find_first(struct keeper *x, struct kept_sum *place) {
    const struct isa_kernel *k = x->k;
    const struct isa_inst *s = &k->insts[place->store];
    bool first = true, inside = false;
    for (uint32_t depth = 0, at = place->from; at <= place->to; at++) {
        const struct isa_inst *i = &k->insts[at];
        bool own = at_place(k, i, s);
        if (ends(k, i, s) ||
            (isa_op_info[i->op].flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) ||
            ((i->op == ISA_ld || i->op == ISA_st) && !own && !is_elsewhere(x, i, s)))
            return false;
        depth += isa_deeper(i);
        if (!own) continue;
        if (first) place->exit = last_exit(k, place->from, at);
        if (first) place->seldom = i->op == ISA_st || !place->exit;
        first = false;
        inside |= x->l.nested[at];
        if (i->op == ISA_ld && !place->load) place->load = at;
    }
    if (!place->seldom) return place->load;
    return (place->load ? has_object(place) : inside) && !is_shared(x, place);
}

/* Beside `count` places that are found, those that the loop which begins at n loads before it
 * stores to them; returns how many there are then. */
static uint32_t find_in_loop(struct keeper *x, uint32_t n, struct kept_sum *found, uint32_t count) {
    uint32_t end = x->l.loops[loops_at(&x->l, n)].end;
    if (end - n > MOST_VERSION) return count;
    for (uint32_t at = n; at < end && count < MOST_PLACES; at++) {
        if (!is_sum(x->k, &x->k->insts[at]) || place_of(x, at, found, count, false)) continue;
        found[count] = (struct kept_sum){.from = n, .to = end, .store = at, .in = ISA_NO_OPERAND};
        find_owner(x, &found[count]);
        count += is_owned(&found[count]) && find_first(x, &found[count]);
    }
    return count;
}

/* The next such places from instruction n on, of one loop; returns how many. */
static uint32_t find(struct keeper *x, uint32_t n, struct kept_sum *found) {
    const struct isa_inst *insts = x->k->insts;
    uint32_t count = 0;
    for (; n < x->k->ninsts && !find_place(x, n, found); n++) {
        if (insts[n].op == ISA_loop) count = find_in_loop(x, n, found, 0);
        if (count) return count;
    }
    if (n == x->k->ninsts) return 0;
    if (!is_owned(&found[count++])) return count;
    for (n++; n < found->to && count < MOST_PLACES; n++) {
        if (isa_op_info[insts[n].op].flags & ISA_OP_REGION_BEGIN) break;
        if (place_of(x, n, found, count, false)) continue; /* stored to once more */
        if (find_place(x, n, &found[count]) && is_owned(&found[count]) &&
            found[count].to == found->to)
            count++;
    }
    if (insts[n].op == ISA_loop && x->l.loops[loops_at(&x->l, n)].end == found->to)
        count = find_in_loop(x, n, found, count);
    return count;
}

/* ---- writing ---- */

/* Instruction n loads a place, or makes what is stored there: is its result that register itself?
 * Only one other instruction reads it, which comes with nothing in between that may write, or for
 * a store read, the place. */
static bool is_same(const struct keeper *x, uint32_t n, const struct kept_sum *places,
                    uint32_t count) {
    isa_operand reg = isa_dsts(x->k, &x->k->insts[n])[0];
    if (x->l.reads[reg] != 1 || x->l.defs[reg] != 1) return false;
    for (uint32_t at = n + 1; at <= places->to; at++) {
        const struct isa_inst *i = &x->k->insts[at];
        if (isa_reads(x->k, i, reg)) return true;
        if (isa_op_info[i->op].flags & ISA_OP_CONTROL || place_of(x, at, places, count, false))
            return false;
    }
    return false;
}

/* The place that the store which alone reads the result of instruction n stores to, or NULL. */
static const struct kept_sum *stored_to(const struct keeper *x, uint32_t n,
                                        const struct kept_sum *places, uint32_t count) {
    const struct isa_kernel *k = x->k;
    if (k->insts[n].ndst != 1 || !(isa_op_info[k->insts[n].op].flags & ISA_OP_PURE)) return NULL;
    isa_operand reg = isa_dsts(k, &k->insts[n])[0];
    for (uint32_t at = n + 1; at <= places->to; at++) {
        if (k->insts[at].op != ISA_st || isa_srcs(k, &k->insts[at])[1] != reg) continue;
        const struct kept_sum *place = place_of(x, at, places, count, false);
        if (!place || !is_same(x, n, places, count)) return NULL;
        for (uint32_t in = n + 1; in < at; in++) /* what was loaded is still wanted */
            for (unsigned s = 0; s < k->insts[in].nsrc; s++)
                if (kernelcopy_named(&x->copy, isa_srcs(k, &k->insts[in])[s]) == place->reg)
                    return NULL;
        return place;
    }
    return NULL;
}

/* Which lanes do not leave the loop that begins at n by instructions up to `last` in its first
 * iteration. */
static isa_operand stay_in(struct keeper *x, uint32_t n, uint32_t last) {
    struct kernelcopy *c = &x->copy;
    isa_operand *names = c->names, leave = ISA_NO_OPERAND;
    c->names = ARENA_ARRAY(x->arena, isa_operand, x->k->nregs);
    memcpy(c->names, names, x->k->nregs * sizeof *names);
    for (c->at = n + 1; c->at <= last; c->at++) {
        const struct isa_inst *i = &x->k->insts[c->at];
        if (i->op == ISA_breakif)
            leave = kernelcopy_joined(c, ISA_or, leave, kernelcopy_named(c, isa_srcs(x->k, i)[0]));
        else
            kernelcopy_put_anew(c, c->at);
    }
    c->names = names;
    c->at = last;
    return kernelcopy_result(c, ISA_not, ISA_PRED, leave, ISA_NO_OPERAND);
}

/* The site of the first branch that a place has, for the one that is made. */
static uint32_t branch_of(const struct keeper *x, const struct kept_sum *place) {
    const struct isa_inst *insts = x->k->insts;
    uint32_t n = place->from;
    while (insts[n].op != ISA_if && insts[n].op != ISA_breakif && n < place->to) n++;
    return insts[n].site;
}

/* Around an access of the place: its lanes. */
static void begin_access(struct keeper *x, const struct kept_sum *place, isa_operand in) {
    const isa_operand none = ISA_NO_OPERAND;
    if (in == none) return;
    kernelcopy_add(&x->copy, ISA_if, ISA_NONE_T, none, in, none)->site =
        place->seldom ? branch_of(x, place) : x->k->insts[place->exit].site;
}

static void end_access(struct keeper *x, isa_operand in) {
    if (in != ISA_NO_OPERAND) kernelcopy_control(&x->copy, ISA_endif, ISA_NO_OPERAND);
}

/* Which lanes have the place in the object of its parameter. */
static isa_operand in_object(struct keeper *x, const struct kept_sum *place) {
    struct kernelcopy *c = &x->copy;
    const struct isa_inst *s = &x->k->insts[place->store];
    uint32_t first = ISA_SPECIAL_object_0 + 2 * (uint32_t)__builtin_ctz(place->alone);
    isa_operand at = kernelcopy_named(c, isa_srcs(x->k, s)[0]);
    at = kernelcopy_result(c, ISA_add, ISA_I32, at, kernelcopy_word(c, (uint32_t)s->imm));
    at = kernelcopy_result(c, ISA_sub, ISA_I32, at, kernelcopy_special(c, first));
    return kernelcopy_result(c, ISA_lt_u, ISA_I32, at, kernelcopy_special(c, first + 1));
}

/* Before the loop: nothing is stored yet. */
static void begin_seldom(struct keeper *x, struct kept_sum *place) {
    struct kernelcopy *c = &x->copy;
    enum isa_type type = (enum isa_type)x->k->insts[place->store].type;
    place->had = isa_reg_new(c->out, ISA_PRED);
    kernelcopy_move(c, place->had, isa_const_new(c->out, ISA_PRED, 0));
    kernelcopy_move(c, place->reg, isa_const_new(c->out, type, 0));
    if (place->load) place->in = in_object(x, place);
}

/* Before the loop that begins at n, what it loads first is loaded, by the lanes whose first
 * iteration would come to that. */
static void put_first(struct keeper *x, uint32_t n, struct kept_sum *places, uint32_t count) {
    struct kernelcopy *c = &x->copy;
    for (uint32_t p = 0; p < count; p++) {
        struct kept_sum *place = &places[p];
        if (place->from != n || place->store == n) continue;
        bool same = p && places[p - 1].from == n && !places[p - 1].seldom &&
                    places[p - 1].exit == place->exit;
        c->at = n;
        if (place->seldom)
            begin_seldom(x, place);
        else if (place->exit != n)
            place->in = same ? places[p - 1].in : stay_in(x, n, place->exit);
        if (!place->load) continue;
        isa_operand to = isa_dsts(x->k, &x->k->insts[place->load])[0], was = c->names[to];
        c->names[to] = place->reg;
        c->at = place->load;
        begin_access(x, place, place->in);
        kernelcopy_put(c, place->load);
        end_access(x, place->in);
        c->names[to] = was;
    }
}

/* The places' instructions with those in registers; stores: in memory, too, where others may be. */
static void put_kept(struct keeper *x, struct kept_sum *places, uint32_t count, bool stores) {
    struct kernelcopy *c = &x->copy;
    for (uint32_t n = places->from; n <= places->to && !c->failed; n++) {
        if (!stores) put_first(x, n, places, count);
        const struct isa_inst *i = &x->k->insts[n];
        const isa_operand *dst = isa_dsts(x->k, i);
        const struct kept_sum *place = place_of(x, n, places, count, stores);
        const struct kept_sum *result = stored_to(x, n, places, count);
        c->at = n;
        if (result && !stores) c->names[dst[0]] = result->reg;
        if (place && i->op == ISA_ld) {
            isa_site_remove(c->out, i->site, ISA_REMOVED_forwarded);
            if (is_same(x, n, places, count))
                c->names[dst[0]] = place->reg;
            else
                kernelcopy_move(c, c->names[dst[0]], place->reg);
            continue;
        }
        if (!place || stores)
            kernelcopy_put(c, n);
        else
            isa_site_remove(c->out, i->site, ISA_REMOVED_promoted);
        if (!place) continue;
        isa_operand value = kernelcopy_named(c, isa_srcs(x->k, i)[1]);
        if (value != place->reg) kernelcopy_move(c, place->reg, value);
        if (place->seldom && !stores)
            kernelcopy_move(c, place->had, isa_const_new(c->out, ISA_PRED, 1));
    }
}

static void put_last(struct keeper *x, const struct kept_sum *place) {
    isa_operand at = isa_srcs(x->k, &x->k->insts[place->store])[0];
    x->copy.at = place->store;
    isa_operand in = place->seldom ? place->had : place->in;
    begin_access(x, place, in);
    kernelcopy_put_with(&x->copy, place->store,
                        (isa_operand[]){kernelcopy_named(&x->copy, at), place->reg});
    end_access(x, in);
}

/* With nothing in memory meanwhile. */
static void put_alone(struct keeper *x, struct kept_sum *places, uint32_t count) {
    put_kept(x, places, count, false);
    for (uint32_t p = 0; p < count; p++) put_last(x, &places[p]);
    kernelcopy_keep_names(&x->copy);
}

/* Where no other argument is in the buffers, and where one may be. */
static void put_versions(struct keeper *x, struct kept_sum *places, uint32_t count) {
    struct kernelcopy *c = &x->copy;
    uint32_t all = 0;
    for (uint32_t p = 0; p < count; p++) all |= places[p].alone;
    if (!all) {
        put_alone(x, places, count);
        return;
    }
    c->at = places->from;
    alone_if(c, all, branch_of(x, places));
    alone_rename(c, places->from, places->to, false, x->arena);
    put_alone(x, places, count);
    kernelcopy_control(c, ISA_else, ISA_NO_OPERAND);
    alone_rename(c, places->from, places->to, true, x->arena);
    put_kept(x, places, count, true);
    kernelcopy_keep_names(c);
    kernelcopy_control(c, ISA_endif, ISA_NO_OPERAND);
}

static void rewrite(struct keeper *x, struct isa_kernel *k, struct kept_sum *places,
                    uint32_t count) {
    struct kernelcopy *c = &x->copy;
    uint32_t n = 0, same;
    kernelcopy_take(c, k, x->arena);
    x->k = c->k;
    for (uint32_t p = 0; p < count && !c->failed; p += same) {
        kernelcopy_put_range(c, n, places[p].from);
        for (same = 1; p + same < count && places[p + same].to == places[p].to;) same++;
        if (is_owned(&places[p])) {
            put_versions(x, &places[p], same);
        } else {
            put_kept(x, &places[p], 1, true);
            put_last(x, &places[p]);
        }
        n = places[p].to + 1;
    }
    kernelcopy_put_range(c, n, c->k->ninsts);
}

void opt_keep(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct kept_sum *places = ARENA_ARRAY(arena, struct kept_sum, k->ninsts + MOST_PLACES);
    const uint64_t *provenance = alone_provenance(k, arena);
    struct keeper x = {.k = k, .provenance = provenance, .arena = arena};
    uint32_t count = 0, n = 0, more;
    loops_find(&x.l, k, arena); /* or what reads registers alone: ifs may do */
    x.arrays = alone_arrays(k, arena);
    x.versions = provenance && alone_may(k);
    while (provenance && x.arrays && (more = find(&x, n, &places[count]))) {
        for (; more; more--) {
            struct kept_sum *place = &places[count++];
            const struct isa_inst *s = &k->insts[place->store];
            trace_tell(
                p, s, "what is stored here is in a register, too, while it is loaded again%s",
                place->alone ? "; not in memory where the buffer is no other argument's" : "");
            place->reg = isa_reg_new(k, (enum isa_type)s->type);
            n = place->to + 1;
        }
    }
    shape_free(x.shape);
    if (count && !isa_kernel_failed(k)) rewrite(&x, k, places, count);
}
