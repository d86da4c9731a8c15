/* SIMTCL_CHECK=uninit, the observer: it is told by calls of its own (uninit_code.h). */
#include <string.h>

#include "device/sandbox/memory.h"
#include "finding.h"
#include "uninit.h"
#include "uninit_code.h"
#include "uninit_image.h"
#include "uninit_whole.h"

enum { LOADS = 256 };

/* What a warp last loaded that is not set, at a site, or in an instruction that has none. */
struct last_load {
    uint32_t site, call, warp; /* both + 1; call 0: none. What has a site has that of any call */
    uint64_t order;
    uint32_t group_id[3], mask;
    uint32_t addresses[ISA_WARP];
};

/* A thread's. */
struct loaded {
    uint64_t order;
    struct uninit_images images;
    bool met; /* something that is not set */
    struct last_load loads[LOADS];
};

static struct last_load *slot_of(struct loaded *t, uint32_t site, uint32_t call, uint32_t warp) {
    return &t->loads[((site ? site : ~call) * 37 + warp) % LOADS];
}

static bool is_of(const struct last_load *l, uint32_t site, uint32_t call,
                  const struct observe_event *e) {
    return l->call && l->site == site && (site || l->call == call) && l->warp == e->warp &&
           !memcmp(l->group_id, e->group_id, sizeof l->group_id);
}

static void note_load(struct loaded *t, const struct observe_event *e) {
    struct last_load *l = slot_of(t, e->site + 1, e->own, e->warp);
    if (!is_of(l, e->site + 1, e->own, e)) l->mask = 0;
    l->site = e->site + 1;
    l->call = e->own;
    l->warp = e->warp;
    l->order = ++t->order;
    memcpy(l->group_id, e->group_id, sizeof l->group_id);
    l->mask |= e->mask;
    for (uint32_t mask = e->mask; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint32_t base = e->operands[0] ? e->operands[0][lane] : 0;
        if (e->inst->space != ISA_PRIVATE) base ^= MEMORY_SHADOW;
        l->addresses[lane] = base + (uint32_t)e->inst->imm;
    }
}

/* ---- where a value comes from ---- */

/* The object of memory, as far as it is known. */
static void say_object(const struct observe_event *e, const struct isa_inst *load, uint32_t address,
                       char *text, size_t size) {
    const struct isa_kernel *k = e->kernel;
    const struct check_launch *c = e->grid->check;
    struct check_object found;
    bool released;
    for (uint32_t n = 0; n < k->nvariables; n++) {
        const struct isa_variable *v = &k->variables[n];
        uint32_t begin = v->offset + (v->space == ISA_LOCAL ? e->local_base : 0);
        bool named = load->site && k->sites[load->site - 1].variable == n + 1;
        if (v->space != load->space || v->space == ISA_CONSTANT || address - begin >= v->bytes ||
            (v->space == ISA_PRIVATE && !named))
            continue;
        snprintf(text, size, "%s variable `%s`: byte %u", isa_space_name[v->space], v->name,
                 (unsigned)(address - begin));
        return;
    }
    for (uint32_t n = 0; n < k->nparams; n++) {
        const struct check_object *o = &c->params[n];
        uint32_t begin = o->address + (o->space == ISA_LOCAL ? e->local_base : 0);
        if ((o->space != ISA_LOCAL) != (load->space != ISA_LOCAL) || address - begin >= o->bytes ||
            load->space == ISA_PRIVATE || o->space == ISA_NO_SPACE)
            continue;
        snprintf(text, size, "%s, argument `%s`: byte %u", o->name, k->params[n].name,
                 (unsigned)(address - begin));
        return;
    }
    if (load->space == ISA_GLOBAL && c->find(c->user, address, &found, &released))
        snprintf(text, size, "%s: byte %u", found.name, (unsigned)(address - found.address));
    else
        snprintf(text, size, "%s memory", isa_space_name[load->space]);
}

static void say_load(struct check_finding *f, const struct observe_event *e,
                     const struct observe_told *at, uint32_t address) {
    const struct isa_inst *load = &e->kernel->insts[at->inst];
    unsigned bytes = isa_type_size[load->type] * (unsigned)load->count;
    if (at->inst != (uint32_t)(e->inst - e->kernel->insts)) {
        f->other.site = at->site;
        f->other.line = load->line;
        f->other.file = load->file;
        f->other.item_known = true;
        f->other.item = f->party.item;
        snprintf(f->other.subject, sizeof f->other.subject, "it comes from a load of %u byte%s",
                 bytes, bytes == 1 ? "" : "s");
    }
    say_object(e, load, address, f->object, sizeof f->object);
}

/* The load that was last of those that it may come from; else the variable. */
static void find_source(struct loaded *t, const struct observe_event *e, unsigned lane,
                        struct check_finding *f) {
    const struct uninit_code *code = e->data;
    const struct uninit_call *call = &code->calls[e->own - 1];
    const struct last_load *last = NULL;
    const struct uninit_source *unset = NULL;
    for (uint32_t n = 0; n < call->nsources; n++) {
        const struct uninit_source *s = &code->sources[call->sources + n];
        const struct last_load *l = s->loaded ? slot_of(t, s->site, s->loaded, e->warp) : NULL;
        if (!s->loaded && !unset) unset = s;
        if (!l || !(l->mask >> lane & 1) || !is_of(l, s->site, s->loaded, e)) continue;
        if (!last || l->order > last->order) last = l;
    }
    if (last) {
        say_load(f, e, &code->told[last->call - 1], last->addresses[lane]);
    } else if (unset) {
        f->other.line = unset->line;
        f->other.file = unset->file;
        f->other.item_known = true;
        f->other.item = f->party.item;
        snprintf(f->other.subject, sizeof f->other.subject, "it comes from a variable");
    }
}

/* ---- findings ---- */

static void say_subject(const struct observe_event *e, uint8_t use, char *text, size_t size) {
    const struct isa_inst *i = e->inst;
    uint32_t flags = isa_op_info[i->op].flags;
    unsigned bytes = isa_type_size[i->type] * (unsigned)i->count;
    const char *what = flags & ISA_OP_ATOMIC ? "atomic operation"
                       : i->op == ISA_st     ? "store"
                                             : "load";
    if (use == UNINIT_BRANCH)
        snprintf(text, size, "branch");
    else if (use == UNINIT_PRINTED)
        snprintf(text, size, "printf");
    else if (use == UNINIT_DIVISOR)
        snprintf(text, size, "%s",
                 i->op == ISA_div_s || i->op == ISA_div_u ? "division" : "remainder");
    else if (flags & ISA_OP_IMAGE)
        snprintf(text, size, "%s", i->op == ISA_img_write ? "image write" : "image read");
    else
        snprintf(text, size, "%s of %u byte%s", what, bytes, bytes == 1 ? "" : "s");
}

static struct check_finding finding(struct loaded *t, const struct observe_event *e, uint8_t use,
                                    unsigned lane) {
    static const uint8_t rules[] = {
        [UNINIT_LOADED] = CHECK_unset_read,     [UNINIT_STORED] = CHECK_unset_stored,
        [UNINIT_WRITTEN] = CHECK_unset_written, [UNINIT_ADDRESS] = CHECK_unset_address,
        [UNINIT_BRANCH] = CHECK_unset_branch,   [UNINIT_DIVISOR] = CHECK_unset_divisor,
        [UNINIT_PRINTED] = CHECK_unset_printed};
    struct check_finding f = {.rule = rules[use],
                              .severity = check_rules[rules[use]].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .again = e->again};
    f.party.site = e->site + 1; /* 0: none */
    f.party.line = e->inst->line;
    f.party.file = e->inst->file;
    f.party.item_known = true;
    f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp, lane);
    say_subject(e, use, f.party.subject, sizeof f.party.subject);
    find_source(t, e, lane, &f);
    return f;
}

static void hold(struct loaded *t, const struct observe_event *e) {
    struct memory *m = e->grid->check->memory;
    unsigned first = (unsigned)__builtin_ctz(e->mask);
    uint32_t bytes = isa_type_size[e->inst->type] * (uint32_t)e->inst->count;
    struct check_finding f = finding(t, e, UNINIT_STORED, first);
    f.count = (uint64_t)__builtin_popcount(e->mask);
    uint64_t held = check_hold(&f);
    for (uint32_t mask = e->mask; held && mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint32_t base = e->operands[0] ? e->operands[0][lane] : 0;
        uninit_stored(m, (base ^ MEMORY_SHADOW) + (uint32_t)e->inst->imm, bytes, held);
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    struct loaded *t = accumulator;
    if (!e->grid->check) return;
    if (!e->own) {
        uninit_image(&t->images, e);
        return;
    }
    uint8_t use = e->what;
    t->met = true;
    if (use == UNINIT_LOADED) {
        note_load(t, e);
    } else if (use == UNINIT_STORED) {
        hold(t, e);
    } else {
        struct check_finding f = finding(t, e, use, (unsigned)__builtin_ctz(e->mask));
        f.count = (uint64_t)__builtin_popcount(e->mask);
        check_tell(&f);
    }
}

/* Nothing of the group's local memory is set. */
static void group_begin(void *accumulator, const struct observe_group *g) {
    const struct check_launch *l = g->grid->check;
    uint64_t most = g->kernel->local_bytes;
    (void)accumulator;
    for (uint32_t n = 0; l && n < g->kernel->nparams; n++) {
        uint64_t end = (uint64_t)l->params[n].address + l->params[n].bytes;
        if (l->params[n].space == ISA_LOCAL && end > most) most = end;
    }
    if (!l || !most || !memory_shadowed(l->memory)) return;
    memset(memory_shadow_at(memory_base(l->memory), g->local_base), 0xff, most);
}

static void group_end(void *accumulator, const struct observe_group *g) {
    (void)accumulator;
    (void)g;
    uninit_changes();
}

static void stopped(void *accumulator, bool at_barrier) {
    (void)accumulator;
    (void)at_barrier;
    uninit_changes();
}

static bool may_settle(const struct isa_kernel *k, const struct observe_grid *grid,
                       const void *state) {
    (void)state;
    return uninit_alike(k, grid);
}

static bool settled(const struct isa_kernel *k, const struct observe_grid *grid,
                    const void *state) {
    const struct loaded *t = state;
    return !t->met && uninit_alike(k, grid);
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return site->kind == ISA_SITE_image_read || site->kind == ISA_SITE_image_write ? OBSERVE_ADDRESS
                                                                                   : 0;
}

static size_t bytes(const struct isa_kernel *k) {
    (void)k;
    return sizeof(struct loaded);
}

static void merge(const struct isa_kernel *k, void *into, const void *from) {
    (void)k;
    (void)into;
    (void)from;
}

const struct observer uninit_check = {.name = "uninit",
                                      .sandbox = true,
                                      .wants = wants,
                                      .instrument = uninit_instrument,
                                      .bytes = bytes,
                                      .event = event,
                                      .group_begin = group_begin,
                                      .group_end = group_end,
                                      .idle = uninit_whole,
                                      .stopped = stopped,
                                      .may_settle = may_settle,
                                      .settled = settled,
                                      .merge = merge};
