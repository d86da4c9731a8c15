/* SIMTCL_CHECK=align: vectors are moved at once where their type is aligned as a whole, so a
 * pointer to them has to be. What is not known to be is tested in the engines' copy of a kernel. */
#include "align_check.h"

#include "device/analysis/numbers.h"
#include "device/observe/tells.h"
#include "finding.h"

/* What the access asks of an address; a power of two. */
static uint32_t alignment(const struct isa_site *s) {
    return (uint32_t)s->width * (s->count == 3 ? 4 : s->count);
}

/* ---- the code ---- */

static bool is_open(const struct isa_kernel *k, const struct isa_inst *i, const void *found) {
    const struct isa_site *s = &k->sites[i->site - 1];
    if (s->kind > ISA_SITE_atomic || s->packed || alignment(s) <= 1) return false;
    return !numbers_aligned(found, k, i, (unsigned)__builtin_ctz(alignment(s)));
}

static void test(struct tells *t, const struct isa_inst *i, const isa_operand *src) {
    struct isa_kernel *k = t->k;
    uint32_t low = alignment(&k->sites[i->site - 1]) - 1;
    isa_operand at = src[0], by = isa_const_new(k, ISA_I32, (uint32_t)i->imm & low);
    if (at == ISA_NO_OPERAND)
        at = by;
    else if ((uint32_t)i->imm & low)
        at = isa_emit1(k, ISA_add, ISA_I32, ISA_NONE_T, at, by, ISA_NO_OPERAND);
    at = isa_emit1(k, ISA_and, ISA_I32, ISA_NONE_T, at, isa_const_new(k, ISA_I32, low),
                   ISA_NO_OPERAND);
    isa_operand odd =
        isa_emit1(k, ISA_ne, ISA_PRED, ISA_I32, at, isa_const_new(k, ISA_I32, 0), ISA_NO_OPERAND);
    tells_if(t, 0, odd, src[0]);
}

static bool instrument(const struct isa_kernel *k, struct isa_kernel *copy, uint32_t first,
                       struct observe_added *added) {
    struct numbers found;
    struct arena *arena = numbers_new(&found, k, NULL);
    const struct tells_tests tests = {.wanted = is_open, .test = test, .user = &found};
    bool good = arena && tells_instrument(&tests, k, copy, first, added);
    arena_free(arena);
    return good;
}

/* ---- findings ---- */

static void event(void *accumulator, const struct observe_event *e) {
    static const char *const verbs[] = {[ISA_SITE_load] = "load",
                                        [ISA_SITE_store] = "store",
                                        [ISA_SITE_atomic] = "atomic operation"};
    const struct isa_site *s = &e->kernel->sites[e->site];
    uint32_t align = alignment(s);
    (void)accumulator;
    if (!e->own || !e->grid->check) return;
    unsigned lane = (unsigned)__builtin_ctz(e->mask);
    uint32_t bytes = isa_type_size[e->inst->type] * (uint32_t)e->inst->count;
    uint32_t address = (e->operands[0] ? e->operands[0][lane] : 0) + (uint32_t)e->inst->imm;
    struct check_finding f = {.rule = CHECK_misaligned,
                              .severity = check_rules[CHECK_misaligned].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .address = address,
                              .bytes = bytes,
                              .space = s->space,
                              .again = e->again,
                              .count = (uint64_t)__builtin_popcount(e->mask)};
    f.party.site = e->site + 1;
    f.party.item_known = true;
    f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp, lane);
    snprintf(f.party.subject, sizeof f.party.subject, "%s of %u bytes", verbs[s->kind],
             (unsigned)bytes);
    snprintf(f.detail, sizeof f.detail, "the address is %u bytes past a multiple of %u",
             (unsigned)(address & (align - 1)), (unsigned)align);
    check_tell(&f);
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    (void)site;
    return 0;
}

const struct observer align_check = {
    .name = "align", .wants = wants, .instrument = instrument, .event = event};
