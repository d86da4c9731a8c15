#include "counters_constant.h"

#include <string.h>

bool counters_constant_any(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nsites; n++)
        if (k->sites[n].kind == ISA_SITE_load && k->sites[n].space == ISA_CONSTANT) return true;
    return false;
}

void counters_constant_read(struct counters_constant *site, const struct observe_event *e) {
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint32_t at = e->addresses[__builtin_ctz(left)] % COUNTERS_CONSTANT_BYTES;
        uint32_t last = (at + e->bytes - 1) % COUNTERS_CONSTANT_BYTES / COUNTERS_CONSTANT_LINE;
        site->lines[at / COUNTERS_CONSTANT_LINE / 64] |= UINT64_C(1)
                                                         << at / COUNTERS_CONSTANT_LINE % 64;
        site->lines[last / 64] |= UINT64_C(1) << last % 64;
    }
}

void counters_constant_merge(struct counters_constant *into, const struct counters_constant *from) {
    for (unsigned n = 0; n < COUNTERS_CONSTANT_WORDS; n++) into->lines[n] |= from->lines[n];
}

/* Of each four bits the lowest, where any is set. */
static uint64_t widened(uint64_t lines) {
    lines |= lines >> 1;
    lines |= lines >> 2;
    return lines & UINT64_C(0x1111111111111111);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

void counters_constant_end(struct counters_constant *list, uint32_t nsites,
                           const struct model *model, const struct observe_grid *grid,
                           struct gpu_counters *sites) {
    struct counters_constant seen = {{0}};
    uint64_t groups = (uint64_t)grid->groups[0] * grid->groups[1] * grid->groups[2];
    uint64_t share = model->cc_minor >= 2 ? 3 : 2; /* multiprocessors of a cluster */
    uint64_t sms = least(groups, model->multiprocessors);
    uint64_t clusters = least(groups, (model->multiprocessors + share - 1) / share);
    for (uint32_t n = 0; n < nsites; n++) {
        uint64_t *v = sites[n].value, narrow = 0, wide = 0;
        for (unsigned w = 0; w < COUNTERS_CONSTANT_WORDS; w++) {
            uint64_t lines = list[n].lines[w] & ~seen.lines[w];
            narrow += (uint64_t)__builtin_popcountll(lines);
            wide += (uint64_t)__builtin_popcountll(widened(lines) & ~widened(seen.lines[w]));
            seen.lines[w] |= lines;
        }
        uint64_t missed = least(narrow * sms, v[GPU_COUNTER_const_addresses]);
        v[GPU_COUNTER_const_l1_miss] += missed;
        v[GPU_COUNTER_const_l1_hit] += v[GPU_COUNTER_const_addresses] - missed;
        v[GPU_COUNTER_const_l2_miss] += least(wide * clusters, missed);
        v[GPU_COUNTER_const_l3_miss] += least(wide, missed);
    }
    memset(list, 0, nsites * sizeof *list);
}
