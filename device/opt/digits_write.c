/* Writes the kernel of which digits.c has found what its instructions become. */
#include <stdlib.h>
#include <string.h>

#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "digits.h"
#include "digitstep.h"

enum {
    MOST_LENGTHS = 8, /* different ones that are divided or multiplied by */
    FRAME_BEGIN = 16  /* bytes of a frame that nothing is in */
};

struct digits_writer {
    struct kernelcopy copy;
    const struct digits *d;
    isa_operand local;                /* where local memory begins */
    uint32_t frame;                   /* where what is own begins */
    isa_operand ids[OWNWORDS_ARRAYS]; /* what arrays have for a work-item's ids, and where local
                                         memory begins; */
    bool has_ids[OWNWORDS_ARRAYS];    /* that is there */
    struct digits_step lengths[MOST_LENGTHS]; /* those that are there, */
    isa_operand at[MOST_LENGTHS];             /* and where */
    unsigned count;
};

static bool is_same_length(const struct digits_step *a, const struct digits_step *b) {
    return a->from == b->from && a->what == b->what;
}

static isa_operand length_of(const struct digits_writer *w, const struct digits_step *s) {
    for (unsigned n = 0; n < w->count; n++)
        if (is_same_length(&w->lengths[n], s)) return w->at[n];
    return ISA_NO_OPERAND;
}

static bool has_length(const struct digits_step *s) { return s->act >= PRODUCT; }

static bool is_own(const struct digits_step *s) { return s->act == OWN || s->act == OWN_MOVES; }

/* Lengths come first. */
static void put_length(struct digits_writer *w, const struct digits_step *s) {
    struct kernelcopy *c = &w->copy;
    if (w->count == MOST_LENGTHS || length_of(w, s) != ISA_NO_OPERAND) return;
    isa_operand o =
        s->from == SPECIAL ? kernelcopy_special(c, s->what) : kernelcopy_argument(c, s->what);
    if (s->from == POWER) o = kernelcopy_result(c, ISA_shl, ISA_I32, kernelcopy_word(c, 1), o);
    w->lengths[w->count] = *s;
    w->at[w->count++] = o;
}

/* What arrays have for ids comes first, too. */
static void put_ids(struct digits_writer *w, const struct digits_step *s) {
    struct kernelcopy *c = &w->copy;
    if (s->act != OWN_MOVES || w->has_ids[s->part]) return;
    const struct ownwords_array *of = &w->d->own[s->part];
    isa_operand sum = w->local;
    for (uint32_t d = 0; d < 3; d++) {
        int32_t by = of->by[d];
        if (!by) continue;
        isa_operand id = kernelcopy_special(c, ISA_SPECIAL_local_id_x + d);
        id = kernelcopy_result(c, ISA_mul, ISA_I32, id, kernelcopy_word(c, (uint32_t)by));
        sum = kernelcopy_result(c, ISA_add, ISA_I32, sum, id);
    }
    w->ids[s->part] =
        kernelcopy_result(c, ISA_add, ISA_I32, sum, kernelcopy_word(c, (uint32_t)of->least));
    w->has_ids[s->part] = true;
}

/* An access to what is own. */
static void put_own(struct digits_writer *w, uint32_t n, const struct digits_step *s) {
    struct kernelcopy *c = &w->copy;
    isa_operand at = ISA_NO_OPERAND;
    uint32_t place = w->frame + s->what;
    if (s->act == OWN_MOVES) {
        const struct isa_inst *i = &c->k->insts[n];
        isa_operand shift = kernelcopy_word(c, w->d->own[s->part].shift);
        at = kernelcopy_result(c, ISA_sub, ISA_I32, isa_srcs(c->k, i)[0], w->ids[s->part]);
        at = kernelcopy_result(c, ISA_add, ISA_I32, at, kernelcopy_word(c, (uint32_t)i->imm));
        at = kernelcopy_result(c, ISA_shr_u, ISA_I32, at, shift);
        at = kernelcopy_result(c, ISA_add, ISA_I32, at, kernelcopy_word(c, place));
    }
    struct isa_inst *i = kernelcopy_put(c, n);
    isa_site_remove(c->out, i->site, ISA_REMOVED_promoted);
    i->site = 0;
    i->space = ISA_PRIVATE;
    i->imm = s->act == OWN ? (int32_t)place : 0;
    isa_srcs(c->out, i)[0] = at;
}

/* The same of a part, or of both. */
static void put_parts(struct kernelcopy *c, uint32_t n, const struct digits_step *s) {
    const struct isa_inst *i = &c->k->insts[n];
    enum isa_op op = (enum isa_op)i->op;
    enum isa_type type = (enum isa_type)i->type;
    isa_operand to = isa_dsts(c->k, i)[0], by = isa_srcs(c->k, i)[1];
    if (s->act != OF_BOTH) {
        bool low = s->act == LOW_BITS;
        if (low) by = kernelcopy_number(c, type, s->what);
        kernelcopy_add(c, low ? ISA_and : op, type, to, s->part, by);
        return;
    }
    isa_operand first = kernelcopy_result(c, op, type, s->part, by);
    kernelcopy_add(c, ISA_add, type, to, first, kernelcopy_result(c, op, type, s->what, by));
}

/* A number, or the same of one. */
static void put_number(struct kernelcopy *c, uint32_t n, const struct digits_step *s) {
    const struct isa_inst *i = &c->k->insts[n];
    int64_t value = (int32_t)s->what;
    isa_operand src[UINT8_MAX];
    if (s->act == NUMBER) {
        enum isa_type type = (enum isa_type)c->k->reg_types[isa_dsts(c->k, i)[0]];
        kernelcopy_move(c, isa_dsts(c->k, i)[0], kernelcopy_number(c, type, value));
        return;
    }
    memcpy(src, isa_srcs(c->k, i), i->nsrc * sizeof *src);
    for (unsigned o = 0; o < i->nsrc; o++)
        if (s->part >> o & 1)
            src[o] = kernelcopy_number(c, (enum isa_type)c->k->reg_types[src[o]], value);
    kernelcopy_put_with(c, n, src);
}

static void put(struct digits_writer *w, uint32_t n, const struct digits_step *s) {
    static const enum isa_op ops[] = {
        [SUM] = ISA_add,    [PRODUCT] = ISA_mul, [QUOTIENT] = ISA_div_u,
        [REST] = ISA_rem_u, [SAME] = ISA_mov,    [PART] = ISA_mov};
    struct kernelcopy *c = &w->copy;
    const struct isa_inst *i = &c->k->insts[n];
    isa_operand src[2], length = has_length(s) ? length_of(w, s) : ISA_NO_OPERAND;
    c->at = n;
    if (is_own(s)) {
        put_own(w, n, s);
        return;
    }
    if (s->act == NUMBER || s->act == OF_NUMBER) {
        put_number(c, n, s);
        return;
    }
    if (s->act == STAYS || (has_length(s) && length == ISA_NO_OPERAND)) {
        kernelcopy_put(c, n);
        return;
    }
    if (s->act == OF_PART || s->act == OF_BOTH || s->act == LOW_BITS) {
        put_parts(c, n, s);
        return;
    }
    memcpy(src, isa_srcs(c->k, i), i->nsrc * sizeof *src);
    if (s->act == PART) src[0] = s->part;
    if (s->act == SAME) src[0] = src[s->part];
    if (s->act == SAME || s->act == PART) src[1] = ISA_NO_OPERAND;
    if (has_length(s)) src[1] = length;
    kernelcopy_add(c, ops[s->act], (enum isa_type)i->type, isa_dsts(c->k, i)[0], src[0], src[1]);
}

/* Values that were written to one register have one each, and addresses that nobody needs any more
 * go. False: no memory. */
static bool tidy(struct isa_kernel *made, const struct isa_kernel *k) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return false;
    rewrite_rename(made, t.arena);
    rewrite_unread_since(made, t.arena, rewrite_reads(k, t.arena), k->nregs);
    arena_free(t.arena);
    return !isa_kernel_failed(made) && isa_sites_finish(made);
}

bool digits_write(struct digits *d, const struct isa_kernel *k) {
    enum { MOST_IDS = 1 + (1 + 3 * 3) * OWNWORDS_ARRAYS };
    struct digits_writer w = {.d = d, .frame = isa_frame_bytes(k)};
    uint32_t more = 0;
    for (uint32_t n = 0; n < k->ninsts; n++)
        more += d->steps[n].act == OWN_MOVES ? 4 : d->steps[n].act == OF_BOTH ? 2 : 0;
    bool good = kernelcopy_begin(&w.copy, k, k->ninsts + 2 * MOST_LENGTHS + MOST_IDS + more);
    if (good && d->own_bytes) {
        if (w.frame < FRAME_BEGIN) w.frame = FRAME_BEGIN;
        w.copy.out->private_bytes = w.frame + d->own_bytes;
        w.local =
            kernelcopy_result(&w.copy, ISA_localaddr, ISA_I32, ISA_NO_OPERAND, ISA_NO_OPERAND);
    }
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        if (has_length(&d->steps[n])) put_length(&w, &d->steps[n]);
        put_ids(&w, &d->steps[n]);
    }
    for (uint32_t n = 0; good && n < k->ninsts; n++) put(&w, n, &d->steps[n]);
    good = good && !w.copy.failed && kernelcopy_finish(w.copy.out);
    good = good && ((!d->own_bytes && !d->numbers) || tidy(w.copy.out, k));
    if (good) {
        d->kernel = w.copy.out;
        w.copy.out = NULL;
    }
    kernelcopy_drop(&w.copy);
    return good;
}
