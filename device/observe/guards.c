#include "guards.h"

bool guards_any(const struct observe_plan *p) {
    for (uint32_t n = 0; n < p->ncalls; n++)
        if (p->calls[n].guarded) return true;
    return false;
}

/* What lies in both. Where they overlap in two places, or not at all, nothing does. */
static struct isa_guard both(struct isa_guard a, struct isa_guard b) {
    uint32_t ahead = b.begin - a.begin;
    if (ahead >= a.extent) {
        struct isa_guard swap = a;
        a = b;
        b = swap;
        ahead = 0 - ahead;
    }
    if (ahead >= a.extent) return (struct isa_guard){0, 0};
    uint32_t left = a.extent - ahead;
    return (struct isa_guard){b.begin, left < b.extent ? left : b.extent};
}

void guards_find(struct observe_thread *t) {
    const struct observe_plan *p = t->plan;
    for (uint32_t n = 0; n < p->ncalls; n++) {
        const struct probe_call *c = &p->calls[n];
        const struct observe_place place = {c->site, c->bytes, c->object,
                                            &p->kernel->insts[c->inst]};
        bool some = false;
        for (unsigned o = 0; c->guarded && o < p->set.count; o++) {
            if (!(c->observers >> o & 1)) continue;
            struct isa_guard own =
                p->set.list[o]->guard(p->kernel, t->group.grid, &place, t->group.local_base);
            t->guards[n] = some ? both(t->guards[n], own) : own;
            some = true;
        }
        t->guards[n].begin -= (uint32_t)c->displacement;
    }
    t->guarded = true;
}
