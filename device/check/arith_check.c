/* SIMTCL_CHECK=arith: integer operations whose result the language leaves open. The test is in the
 * engines' copy of a kernel, before the operation; what it finds is told by a call. */
#include <inttypes.h>
#include <string.h>

#include "device/observe/tells.h"
#include "finding.h"

/* ---- the code ---- */

static bool is_computed(const struct isa_kernel *k, const struct isa_inst *i, const void *user) {
    (void)user;
    return isa_site_computes((enum isa_site_kind)k->sites[i->site - 1].kind);
}

static isa_operand compared(struct tells *x, enum isa_op op, enum isa_type t, isa_operand a,
                            isa_operand b) {
    return isa_emit1(x->k, op, ISA_PRED, t, a, b, ISA_NO_OPERAND);
}

static isa_operand both(struct tells *x, isa_operand a, isa_operand b) {
    return isa_emit1(x->k, ISA_and, ISA_PRED, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

static void tell(struct tells *x, enum check_rule rule, isa_operand p) {
    tells_if(x, (uint8_t)rule, p, ISA_NO_OPERAND);
}
_Static_assert(CHECK_RULES <= UINT8_MAX, "a rule is a byte");

static isa_operand integer(struct tells *x, enum isa_type t, uint64_t bits) {
    return isa_const_new(x->k, t, bits);
}

static void divides(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    enum isa_type t = i->type;
    bool with_sign = i->op == ISA_div_s || i->op == ISA_rem_s;
    uint64_t least = UINT64_C(1) << (isa_type_size[t] * 8u - 1);
    tell(x, CHECK_divided_by_zero, compared(x, ISA_eq, t, src[1], integer(x, t, 0)));
    if (!with_sign) return;
    tell(x, CHECK_quotient_overflow,
         both(x, compared(x, ISA_eq, t, src[0], integer(x, t, least)),
              compared(x, ISA_eq, t, src[1], integer(x, t, UINT64_MAX))));
}

static void shifts(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    enum isa_type t = i->type;
    isa_operand width = integer(x, t, isa_type_size[t] * 8u);
    tell(x, CHECK_shift_too_wide, compared(x, ISA_le_u, t, width, src[1]));
}

static isa_operand real(struct tells *x, enum isa_type t, double value) {
    float narrow = (float)value;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &narrow, sizeof low);
    memcpy(&bits, &value, sizeof bits);
    return isa_const_new(x->k, t, t == ISA_F32 ? low : bits);
}

/* Between the integer below the least one, or from the least one on where no float is that, and the
 * one above the greatest. */
static void converts(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    enum isa_type t = i->type2;
    bool with_sign = i->op == ISA_f2s;
    unsigned bits = isa_type_size[i->type] * 8u, exact = t == ISA_F32 ? 24 : 53;
    double above = 1;
    for (unsigned n = with_sign ? 1 : 0; n < bits; n++) above *= 2;
    double least = with_sign ? -above : 0;
    bool below = !with_sign || bits <= exact;
    isa_operand low = below ? compared(x, ISA_flt, t, real(x, t, least - 1), src[0])
                            : compared(x, ISA_fle, t, real(x, t, least), src[0]);
    isa_operand high = compared(x, ISA_flt, t, src[0], real(x, t, above));
    isa_operand out = isa_emit1(x->k, ISA_not, ISA_PRED, ISA_NONE_T, both(x, low, high),
                                ISA_NO_OPERAND, ISA_NO_OPERAND);
    tell(x, CHECK_conversion_range, out);
}

static isa_operand computed(struct tells *x, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(x->k, op, ISA_I32, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

/* A sum has the sign of its operands where these have the same; a difference that of its first one
 * where they have not; the upper half of a product repeats the sign of the lower one. */
static void overflows(struct tells *x, const struct isa_inst *i, isa_operand a, isa_operand b) {
    isa_operand zero = integer(x, ISA_I32, 0), bad;
    if (i->imm == ISA_INDEX_PRODUCT) {
        isa_operand low = computed(x, ISA_mul, a, b), high = computed(x, ISA_mulhi_s, a, b);
        isa_operand sign = computed(x, ISA_shr_s, low, integer(x, ISA_I32, 31));
        bad = compared(x, ISA_ne, ISA_I32, high, sign);
    } else {
        bool sum = i->imm == ISA_INDEX_SUM;
        isa_operand r = computed(x, sum ? ISA_add : ISA_sub, a, b);
        isa_operand other = computed(x, ISA_xor, sum ? r : a, b);
        isa_operand both_bits = computed(x, ISA_and, computed(x, ISA_xor, a, r), other);
        bad = compared(x, ISA_lt_s, ISA_I32, both_bits, zero);
    }
    tell(x, CHECK_index_overflow, bad);
}

static void indexes(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    if (i->imm >= ISA_INDEX_SUM) {
        overflows(x, i, src[0], src[1]);
        return;
    }
    enum check_rule rule = i->imm == ISA_INDEX_ROW ? CHECK_row_outside : CHECK_member_outside;
    tells_if(x, (uint8_t)rule, compared(x, ISA_le_u, ISA_I32, src[1], src[0]), src[0]);
}

static void test(struct tells *x, const struct isa_inst *i, const isa_operand *src) {
    switch (x->k->sites[i->site - 1].kind) {
    case ISA_SITE_division: divides(x, i, src); break;
    case ISA_SITE_shift: shifts(x, i, src); break;
    case ISA_SITE_conversion: converts(x, i, src); break;
    case ISA_SITE_index: indexes(x, i, src); break;
    }
}

static bool instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added) {
    static const struct tells_tests tests = {.wanted = is_computed, .test = test};
    return tells_instrument(&tests, k, copy, first, added);
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
    case ISA_index:
        return i->imm == ISA_INDEX_SUM          ? "sum"
               : i->imm == ISA_INDEX_DIFFERENCE ? "difference"
                                                : "product";
    default: return "shift";
    }
}

static void event(void *accumulator, const struct observe_event *e) {
    enum check_rule rule = (enum check_rule)e->what;
    (void)accumulator;
    if (!e->own || !e->grid->check) return;
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
    if (rule == CHECK_member_outside || rule == CHECK_row_outside)
        snprintf(f.party.subject, sizeof f.party.subject, "index %" PRId32,
                 (int32_t)e->operands[0][__builtin_ctz(e->mask)]);
    else
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
