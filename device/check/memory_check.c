/* Accesses to memory, byte by byte, against the object that their addresses were made from: the
 * variable that the site names, or the parameter; where neither is known, against any object. */
#include "memory_check.h"

#include <string.h>

#include "finding.h"

enum { NULL_BYTES = 4096 }; /* so far from address 0 an access goes through a null pointer */

/* What an access may touch. */
struct bounds {
    bool known; /* else any object of the launch, or of the context */
    uint32_t begin;
    uint64_t bytes;
    const struct isa_variable *variable; /* one of these three, or none */
    const struct check_object *object;   /* a parameter's */
    uint32_t param;                      /* which, + 1 */
    bool module;                         /* the module's constant data */
};

static bool writes(const struct isa_inst *i) { return i->op != ISA_ld; }
static bool reads(const struct isa_inst *i) { return i->op != ISA_st; }

static bool is_refused(const struct check_object *o, const struct isa_inst *i) {
    return (o->unwritable && writes(i)) || (o->unreadable && reads(i));
}

/* ---- objects ---- */

static struct bounds of_variable(const struct isa_variable *v, const struct check_launch *l,
                                 uint32_t local_base) {
    uint32_t base = v->space == ISA_LOCAL      ? local_base
                    : v->space == ISA_CONSTANT ? l->constants
                                               : 0;
    return (struct bounds){
        .known = true, .begin = base + v->offset, .bytes = v->bytes, .variable = v};
}

static struct bounds of_param(const struct check_launch *l, uint32_t param, uint32_t local_base) {
    const struct check_object *o = &l->params[param - 1];
    return (struct bounds){.known = true,
                           .begin = o->address + (o->space == ISA_LOCAL ? local_base : 0),
                           .bytes = o->bytes,
                           .object = o,
                           .param = param};
}

static uint64_t local_bytes(const struct isa_kernel *k, const struct check_launch *l) {
    uint64_t most = k->local_bytes;
    for (uint32_t n = 0; n < k->nparams; n++) {
        uint64_t end = (uint64_t)l->params[n].address + l->params[n].bytes;
        if (l->params[n].space == ISA_LOCAL && end > most) most = end;
    }
    return most;
}

static struct bounds find_bounds(const struct isa_kernel *k, const struct check_launch *l,
                                 const struct isa_site *s, uint32_t object, uint32_t local_base) {
    if (s->variable) return of_variable(&k->variables[s->variable - 1], l, local_base);
    if (s->space == ISA_PRIVATE) return (struct bounds){.known = true, .bytes = k->private_bytes};
    if (object && object <= k->nparams) return of_param(l, object, local_base);
    if (s->space == ISA_CONSTANT && object == k->nparams + 1)
        return (struct bounds){
            .known = true, .begin = l->constants, .bytes = l->module->data_bytes, .module = true};
    if (s->space == ISA_LOCAL)
        return (struct bounds){.known = true, .begin = local_base, .bytes = local_bytes(k, l)};
    return (struct bounds){.known = false};
}

/* Where the first byte of so many may lie. */
static struct isa_guard guard_of(const struct bounds *b, uint32_t bytes) {
    if (!b->known || b->bytes < bytes) return (struct isa_guard){0, 0};
    uint64_t extent = b->bytes - bytes + 1, most = UINT32_C(1) << 31;
    return (struct isa_guard){b->begin, (uint32_t)(extent < most ? extent : most)};
}

/* A global pointer may be used for constant memory, and the other way round, by a cast alone. */
static bool same_space(unsigned a, unsigned b) {
    return a == b || (a != ISA_LOCAL && a != ISA_PRIVATE && b != ISA_LOCAL && b != ISA_PRIVATE);
}

static bool is_allowed(const struct bounds *b, const struct isa_inst *i, unsigned space) {
    if (!b->object) return true;
    return same_space(b->object->space, space) && !is_refused(b->object, i);
}

static struct isa_guard guard(const struct isa_kernel *k, const struct observe_grid *grid,
                              const struct observe_place *at, uint32_t local_base) {
    const struct isa_site *s = &k->sites[at->site];
    struct bounds b;
    if (!grid->check) return (struct isa_guard){0, UINT32_C(1) << 31};
    b = find_bounds(k, grid->check, s, at->object, local_base);
    if (!is_allowed(&b, at->inst, s->space)) return (struct isa_guard){0, 0};
    return guard_of(&b, at->bytes);
}

/* ---- where nothing is known of a pointer ---- */

static bool lies_in(uint32_t begin, uint64_t size, uint32_t address, uint32_t bytes) {
    uint64_t from = address - begin;
    return from + bytes <= size;
}

/* The object of the launch, or else of the context, that holds all of it. */
static bool find_any(const struct isa_kernel *k, const struct check_launch *l, uint32_t address,
                     uint32_t bytes, struct check_object *found, bool *released) {
    *released = false;
    for (uint32_t n = 0; n < k->nparams; n++) {
        const struct check_object *o = &l->params[n];
        if ((o->space != ISA_GLOBAL && o->space != ISA_CONSTANT) ||
            !lies_in(o->address, o->bytes, address, bytes))
            continue;
        *found = *o;
        return true;
    }
    if (lies_in(l->constants, l->module->data_bytes, address, bytes)) {
        *found = (struct check_object){.address = l->constants,
                                       .bytes = l->module->data_bytes,
                                       .space = ISA_CONSTANT,
                                       .unwritable = true,
                                       .name = "constant data"};
        return true;
    }
    return l->find && l->find(l->user, address, found, released);
}

/* ---- telling ---- */

static void say_object(const struct observe_event *e, const struct bounds *b, char *text,
                       size_t size) {
    const struct isa_kernel *k = e->kernel;
    if (b->variable)
        snprintf(text, size, "%s variable `%s`, %u bytes", isa_space_name[b->variable->space],
                 b->variable->name, (unsigned)b->variable->bytes);
    else if (b->object && b->object->bytes)
        snprintf(text, size, "%s, argument `%s`", b->object->name, k->params[b->param - 1].name);
    else if (b->object)
        snprintf(text, size, "argument `%s`", k->params[b->param - 1].name);
    else if (b->module)
        snprintf(text, size, "constant data, %u bytes", (unsigned)b->bytes);
    else if (b->known)
        snprintf(text, size, "%s memory, %u bytes", isa_space_name[k->sites[e->site].space],
                 (unsigned)b->bytes);
}

/* How far outside. */
static void say_distance(const struct bounds *b, uint32_t address, uint32_t bytes, char *text,
                         size_t size) {
    int64_t from = (int32_t)(address - b->begin);
    if (from < 0 && (uint64_t)(uint32_t)from + bytes > b->bytes)
        snprintf(text, size, "%lld bytes before its begin", -(long long)from);
    else if ((uint64_t)from >= b->bytes)
        snprintf(text, size, "%llu bytes past its end",
                 (unsigned long long)((uint64_t)from - b->bytes));
    else
        snprintf(text, size, "its last %llu bytes are past the end",
                 (unsigned long long)((uint64_t)from + bytes - b->bytes));
}

static void say_landing(const struct check_object *o, const char *param, bool released, char *text,
                        size_t size) {
    size_t used = strlen(text);
    if (used < size)
        snprintf(text + used, size - used, "%sin %s%s%s%s%s", used ? ", " : "", o->name,
                 param ? ", argument `" : "", param ? param : "", param ? "`" : "",
                 released ? ", which was released" : "");
}

/* Another object that it lands in. */
static void say_other(const struct observe_event *e, const struct bounds *b, uint32_t address,
                      char *text, size_t size) {
    const struct isa_kernel *k = e->kernel;
    const struct check_launch *l = e->grid->check;
    const struct isa_site *s = &k->sites[e->site];
    struct check_object found;
    bool released;
    for (uint32_t n = 0; n < k->nvariables; n++) {
        const struct isa_variable *v = &k->variables[n];
        struct bounds other = of_variable(v, l, e->local_base);
        if (v == b->variable || v->space != s->space ||
            !lies_in(other.begin, other.bytes, address, 1))
            continue;
        struct check_object o = {.bytes = v->bytes};
        snprintf(o.name, sizeof o.name, "variable `%.60s`", v->name);
        say_landing(&o, NULL, false, text, size);
        return;
    }
    if (s->space == ISA_PRIVATE || s->space == ISA_LOCAL) return;
    for (uint32_t n = 0; n < k->nparams; n++) {
        const struct check_object *o = &l->params[n];
        if ((o->space == ISA_GLOBAL || o->space == ISA_CONSTANT) && o != b->object &&
            lies_in(o->address, o->bytes, address, 1)) {
            say_landing(o, k->params[n].name, false, text, size);
            return;
        }
    }
    if (find_any(k, l, address, 1, &found, &released) &&
        (!b->object || found.address != b->object->address || found.bytes != b->object->bytes))
        say_landing(&found, NULL, released, text, size);
}

/* Of an address in no object: what was released there, or how far it is from an argument's. */
static void say_nearest(const struct observe_event *e, uint32_t address, char *text, size_t size) {
    const struct isa_kernel *k = e->kernel;
    const struct check_launch *l = e->grid->check;
    struct check_object found;
    bool released = false;
    uint64_t least = UINT64_MAX;
    if (find_any(k, l, address, e->bytes, &found, &released) && released) {
        say_landing(&found, NULL, true, text, size);
        return;
    }
    for (uint32_t n = 0; n < k->nparams; n++) {
        const struct check_object *o = &l->params[n];
        if ((o->space != ISA_GLOBAL && o->space != ISA_CONSTANT) || !o->bytes) continue;
        struct bounds b = {.begin = o->address, .bytes = o->bytes};
        uint32_t before = o->address - address,
                 behind = address - (o->address + (uint32_t)o->bytes);
        uint32_t far = before < behind ? before : behind;
        if (far >= least) continue;
        least = far;
        say_distance(&b, address, e->bytes, text, size);
        size_t used = strlen(text);
        snprintf(text + used, size - used, ": of %s, argument `%s`", o->name, k->params[n].name);
    }
}

static enum check_rule rule_of(const struct observe_event *e, const struct bounds *b,
                               const struct check_object *any, uint32_t address) {
    const struct isa_site *s = &e->kernel->sites[e->site];
    const struct check_object *o = b->object ? b->object : any;
    const struct check_launch *l = e->grid->check;
    if (b->object && !same_space(b->object->space, s->space)) return CHECK_wrong_space;
    if (b->object && !b->object->bytes) return CHECK_null;
    if (b->known && !lies_in(b->begin, b->bytes, address, e->bytes)) return CHECK_outside;
    if (o && o->unwritable && writes(e->inst)) return CHECK_read_only;
    if (o && o->unreadable && reads(e->inst)) return CHECK_write_only;
    if (address < NULL_BYTES) return CHECK_null;
    if (lies_in(e->local_base, local_bytes(e->kernel, l), address, 1)) return CHECK_wrong_space;
    return CHECK_astray;
}

static const char *const verbs[] = {
    [ISA_SITE_load] = "load", [ISA_SITE_store] = "store", [ISA_SITE_atomic] = "atomic operation"};

static void tell(const struct observe_event *e, const struct bounds *b,
                 const struct check_object *any, unsigned lane, unsigned count) {
    const struct isa_site *s = &e->kernel->sites[e->site];
    uint32_t address = e->sandbox[lane];
    struct check_finding f = {.rule = rule_of(e, b, any, address),
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .address = address,
                              .bytes = e->bytes,
                              .space = s->space,
                              .again = e->again,
                              .count = count};
    f.severity = check_rules[f.rule].severity;
    f.party.site = e->site + 1;
    f.party.item_known = true;
    f.party.item = check_item_of(e->grid->check, e->grid->local_size, e->group_id, e->warp, lane);
    snprintf(f.party.subject, sizeof f.party.subject, "%s of %u byte%s", verbs[s->kind],
             (unsigned)e->bytes, e->bytes == 1 ? "" : "s");
    say_object(e, b, f.object, sizeof f.object);
    if (f.rule == CHECK_outside) {
        say_distance(b, address, e->bytes, f.detail, sizeof f.detail);
        say_other(e, b, address, f.detail, sizeof f.detail);
    } else if (f.rule == CHECK_wrong_space) {
        snprintf(f.detail, sizeof f.detail, "accessed as %s memory", isa_space_name[s->space]);
    } else if (f.rule == CHECK_null && !b->object) {
        snprintf(f.detail, sizeof f.detail, "address 0x%x", (unsigned)address);
    } else if (f.rule == CHECK_astray) {
        say_nearest(e, address, f.detail, sizeof f.detail);
    } else if (any) {
        snprintf(f.object, sizeof f.object, "%s", any->name);
    }
    check_tell(&f);
}

/* ---- events ---- */

/* The lanes outside. */
static uint32_t strays(const struct observe_event *e, struct isa_guard g) {
    uint32_t out = 0;
    for (unsigned l = 0; l < ISA_WARP; l++)
        out |= (uint32_t)(e->sandbox[l] - g.begin >= g.extent) << l;
    return out & e->mask;
}

/* Lane by lane, where any object will do; its bounds become those of the place. */
static void look_anywhere(const struct observe_event *e, const struct bounds *b, uint32_t mask) {
    const struct check_launch *l = e->grid->check;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        struct check_object found;
        bool released = false;
        bool any = find_any(e->kernel, l, e->sandbox[lane], e->bytes, &found, &released);
        bool good = any && !released && !is_refused(&found, e->inst) &&
                    lies_in(found.address, found.bytes, e->sandbox[lane], e->bytes);
        if (!good) {
            tell(e, b, any && !released ? &found : NULL, lane, 1);
        } else if (e->guard) {
            struct bounds own = {.known = true, .begin = found.address, .bytes = found.bytes};
            struct isa_guard g = guard_of(&own, e->bytes);
            *e->guard = (struct isa_guard){g.begin - (uint32_t)e->inst->imm, g.extent};
            mask &= strays(e, g) | 1u << lane;
        }
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    const struct check_launch *l = e->grid->check;
    const struct isa_site *s = &e->kernel->sites[e->site];
    (void)accumulator;
    if (!l || s->kind > ISA_SITE_atomic) return;
    struct bounds b = find_bounds(e->kernel, l, s, e->object, e->local_base);
    if (!b.known) {
        look_anywhere(e, &b, e->mask);
        return;
    }
    uint32_t out = is_allowed(&b, e->inst, s->space) ? strays(e, guard_of(&b, e->bytes)) : e->mask;
    if (out) tell(e, &b, NULL, (unsigned)__builtin_ctz(out), (unsigned)__builtin_popcount(out));
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return site->kind <= ISA_SITE_atomic ? OBSERVE_ADDRESS : 0;
}

const struct observer memory_check = {
    .name = "memory", .sandbox = true, .wants = wants, .guard = guard, .event = event};
