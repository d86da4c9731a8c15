/* SIMTCL_CHECK=align: vectors are moved at once where their type is aligned as a whole, so a
 * pointer to them has to be. */
#include "align_check.h"

#include "finding.h"

/* What the access asks of an address; a power of two. */
static uint32_t alignment(const struct isa_site *s) {
    return (uint32_t)s->width * (s->count == 3 ? 4 : s->count);
}

static void event(void *accumulator, const struct observe_event *e) {
    static const char *const verbs[] = {[ISA_SITE_load] = "load",
                                        [ISA_SITE_store] = "store",
                                        [ISA_SITE_atomic] = "atomic operation"};
    const struct isa_site *s = &e->kernel->sites[e->site];
    uint32_t align = alignment(s), out = 0;
    (void)accumulator;
    if (!e->grid->check || s->kind > ISA_SITE_atomic) return;
    for (unsigned l = 0; l < ISA_WARP; l++)
        out |= (uint32_t)((e->sandbox[l] & (align - 1)) != 0) << l;
    if (!(out &= e->mask)) return;
    unsigned lane = (unsigned)__builtin_ctz(out);
    struct check_finding f = {.rule = CHECK_misaligned,
                              .severity = check_rules[CHECK_misaligned].severity,
                              .launch = e->grid->check,
                              .kernel = e->kernel,
                              .address = e->sandbox[lane],
                              .bytes = e->bytes,
                              .space = s->space,
                              .again = e->again,
                              .count = (uint64_t)__builtin_popcount(out)};
    f.party.site = e->site + 1;
    f.party.item_known = true;
    f.party.item = check_item_of(f.launch, e->grid->local_size, e->group_id, e->warp, lane);
    snprintf(f.party.subject, sizeof f.party.subject, "%s of %u bytes", verbs[s->kind],
             (unsigned)e->bytes);
    snprintf(f.detail, sizeof f.detail, "the address is %u bytes past a multiple of %u",
             (unsigned)(e->sandbox[lane] & (align - 1)), (unsigned)align);
    check_tell(&f);
}

static unsigned wants(const struct isa_kernel *k, const struct isa_site *site) {
    (void)k;
    return site->kind <= ISA_SITE_atomic && !site->packed && alignment(site) > 1 ? OBSERVE_ADDRESS
                                                                                 : 0;
}

const struct observer align_check = {.name = "align", .wants = wants, .event = event};
