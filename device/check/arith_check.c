/* SIMTCL_CHECK=arith: integer operations whose result the language leaves open. The test is in the
 * engines' copy of a kernel, before the operation; what it finds is told by a call. */
#include <stdlib.h>
#include <string.h>

#include "device/isa/arena.h"
#include "device/isa/rewrite.h"
#include "device/observe/observer.h"
#include "finding.h"

/* ---- the code ---- */

struct tester {
    const struct isa_kernel *device;
    struct isa_kernel *k; /* the copy */
    struct arena *arena;
    uint32_t number, first; /* of the device's instructions; of calls */
    struct observe_told *told;
    uint8_t *rules; /* of each call */
    uint32_t ncalls, room;
};

static bool is_computed(const struct isa_kernel *k, const struct isa_inst *i) {
    return i->site && isa_site_computes((enum isa_site_kind)k->sites[i->site - 1].kind);
}

static isa_operand test(struct tester *x, enum isa_op op, enum isa_type t, isa_operand a,
                        isa_operand b) {
    return isa_emit1(x->k, op, ISA_PRED, t, a, b, ISA_NO_OPERAND);
}

static isa_operand both(struct tester *x, isa_operand a, isa_operand b) {
    return isa_emit1(x->k, ISA_and, ISA_PRED, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

static void tell(struct tester *x, const struct isa_inst *i, enum check_rule rule, isa_operand p) {
    if (x->ncalls == x->room) {
        uint32_t room = x->room * 2 + 16;
        struct observe_told *told = realloc(x->told, room * sizeof *told);
        if (told) x->told = told;
        uint8_t *rules = told ? realloc(x->rules, room) : NULL;
        if (!rules) arena_exhaust(x->arena);
        x->rules = rules;
        x->room = room;
    }
    x->told[x->ncalls] = (struct observe_told){i->site, x->number};
    x->rules[x->ncalls] = (uint8_t)rule;
    isa_emit(x->k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &p);
    isa_emit(x->k, ISA_probe_call, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL)->imm =
        (int32_t)(x->first + x->ncalls++);
    isa_emit(x->k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

static isa_operand integer(struct tester *x, enum isa_type t, uint64_t bits) {
    return isa_const_new(x->k, t, bits);
}

static void divides(struct tester *x, const struct isa_inst *i, const isa_operand *src) {
    enum isa_type t = i->type;
    bool with_sign = i->op == ISA_div_s || i->op == ISA_rem_s;
    uint64_t least = UINT64_C(1) << (isa_type_size[t] * 8u - 1);
    tell(x, i, CHECK_divided_by_zero, test(x, ISA_eq, t, src[1], integer(x, t, 0)));
    if (!with_sign) return;
    tell(x, i, CHECK_quotient_overflow,
         both(x, test(x, ISA_eq, t, src[0], integer(x, t, least)),
              test(x, ISA_eq, t, src[1], integer(x, t, UINT64_MAX))));
}

static void shifts(struct tester *x, const struct isa_inst *i, const isa_operand *src) {
    enum isa_type t = i->type;
    isa_operand width = integer(x, t, isa_type_size[t] * 8u);
    tell(x, i, CHECK_shift_too_wide, test(x, ISA_le_u, t, width, src[1]));
}

static isa_operand real(struct tester *x, enum isa_type t, double value) {
    float narrow = (float)value;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &narrow, sizeof low);
    memcpy(&bits, &value, sizeof bits);
    return isa_const_new(x->k, t, t == ISA_F32 ? low : bits);
}

/* Between the integer below the least one, or from the least one on where no float is that, and the
 * one above the greatest. */
static void converts(struct tester *x, const struct isa_inst *i, const isa_operand *src) {
    enum isa_type t = i->type2;
    bool with_sign = i->op == ISA_f2s;
    unsigned bits = isa_type_size[i->type] * 8u, exact = t == ISA_F32 ? 24 : 53;
    double above = 1;
    for (unsigned n = with_sign ? 1 : 0; n < bits; n++) above *= 2;
    double least = with_sign ? -above : 0;
    bool below = !with_sign || bits <= exact;
    isa_operand low = below ? test(x, ISA_flt, t, real(x, t, least - 1), src[0])
                            : test(x, ISA_fle, t, real(x, t, least), src[0]);
    isa_operand high = test(x, ISA_flt, t, src[0], real(x, t, above));
    isa_operand out = isa_emit1(x->k, ISA_not, ISA_PRED, ISA_NONE_T, both(x, low, high),
                                ISA_NO_OPERAND, ISA_NO_OPERAND);
    tell(x, i, CHECK_conversion_range, out);
}

/* The next instruction of the device's that computes at a site: the copy has the same ones, in the
 * same order, whatever other observers have put between them. */
static void find_number(struct tester *x) {
    while (!is_computed(x->device, &x->device->insts[x->number])) x->number++;
}

static void rewrite(struct tester *x) {
    struct isa_kernel *k = x->k;
    struct rewrite_code old = rewrite_take(k, x->arena);
    for (uint32_t n = 0; n < old.ninsts; n++) {
        const struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (is_computed(k, i)) {
            find_number(x);
            uint8_t kind = k->sites[i->site - 1].kind;
            if (kind == ISA_SITE_division) divides(x, i, src);
            if (kind == ISA_SITE_shift) shifts(x, i, src);
            if (kind == ISA_SITE_conversion) converts(x, i, src);
            x->number++;
        }
        rewrite_put(k, i, dst, src);
    }
}

static bool run(struct tester *x) {
    jmp_buf no_memory;
    x->arena = arena_new(&no_memory);
    if (!x->arena || setjmp(no_memory)) return false;
    rewrite(x);
    return !isa_kernel_failed(x->k);
}

static bool instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added) {
    struct tester x = {.device = k, .k = copy, .first = first};
    bool good = run(&x);
    *added = (struct observe_added){x.told, x.ncalls, x.rules, free};
    arena_free(x.arena);
    return good;
}

/* ---- findings ---- */

static const char *subject_of(const struct isa_inst *i) {
    switch (i->op) {
    case ISA_div_s:
    case ISA_div_u: return "division";
    case ISA_rem_s:
    case ISA_rem_u: return "remainder";
    case ISA_f2s:
    case ISA_f2u: return "conversion";
    default: return "shift";
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    const uint8_t *rules = e->data;
    (void)accumulator;
    if (!e->own || !e->grid->check) return;
    enum check_rule rule = rules[e->own - 1];
    struct check_finding f = {.rule = rule,
                              .severity = check_rules[rule].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .again = e->again,
                              .count = (uint64_t)__builtin_popcount(e->mask)};
    f.party.site = e->site + 1;
    f.party.item_known = true;
    f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp,
                                 (unsigned)__builtin_ctz(e->mask));
    snprintf(f.party.subject, sizeof f.party.subject, "%s", subject_of(e->inst));
    check_tell(&f);
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    (void)site;
    return 0;
}

const struct observer arith_check = {
    .name = "arith", .wants = wants, .instrument = instrument, .event = event};
