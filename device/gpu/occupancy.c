#include "occupancy.h"

const char *const gpu_limiter_name[GPU_LIMITS] = {"groups", "warps", "registers", "shared memory"};

static uint32_t round_up(uint32_t n, uint32_t granule) {
    return (n + granule - 1) / granule * granule;
}

static uint32_t warps_of(uint32_t items) { return (items + ISA_WARP - 1) / ISA_WARP; }

/* A group is given registers for an even number of warps. */
static uint32_t registers_of(const struct model *m, uint32_t warps, uint32_t registers) {
    return round_up(round_up(warps, 2) * ISA_WARP * registers, m->register_granule);
}

static uint32_t divide(uint32_t room, uint32_t need) { return need ? room / need : GPU_NO_LIMIT; }

/* How many groups each limit allows; the least of them. */
static uint32_t allow(const struct model *m, uint32_t warps, uint32_t registers, uint32_t shared,
                      uint32_t may[GPU_LIMITS]) {
    may[GPU_LIMIT_GROUPS] = m->resident_groups;
    may[GPU_LIMIT_WARPS] = divide(m->resident_warps, warps);
    may[GPU_LIMIT_REGISTERS] =
        m->unlimited ? GPU_NO_LIMIT : divide(m->registers, registers_of(m, warps, registers));
    may[GPU_LIMIT_SHARED] =
        m->unlimited ? GPU_NO_LIMIT : divide(m->shared_bytes, round_up(shared, m->shared_granule));
    uint32_t least = GPU_NO_LIMIT;
    for (int i = 0; i < GPU_LIMITS; i++)
        if (may[i] < least) least = may[i];
    return least;
}

static uint32_t active(const struct model *m, uint32_t warps, uint32_t registers, uint32_t shared) {
    uint32_t may[GPU_LIMITS];
    return warps * allow(m, warps, registers, shared, may);
}

/* What would be better, one thing changed at a time. */
static void advise(const struct model *m, const struct gpu_resources *r, struct gpu_occupancy *o) {
    uint32_t most = m->max_group / ISA_WARP, now = o->active_warps;
    for (uint32_t w = o->warps - 1; w && !o->smaller_group; w--)
        if (active(m, w, r->registers, r->shared_bytes) > now) o->smaller_group = w * ISA_WARP;
    for (uint32_t w = o->warps + 1; w <= most && !o->larger_group; w++)
        if (active(m, w, r->registers, r->shared_bytes) > now) o->larger_group = w * ISA_WARP;
    for (uint32_t n = r->registers; n > 1 && !o->better_registers; n--)
        if (active(m, o->warps, n - 1, r->shared_bytes) > now) o->better_registers = n - 1;
    for (uint32_t s = o->shared; s > m->shared_granule && !o->better_shared; s -= m->shared_granule)
        if (active(m, o->warps, r->registers, s - m->shared_granule) > now)
            o->better_shared = s - m->shared_granule;
}

void gpu_occupancy_find(const struct model *m, const struct gpu_resources *r, uint32_t items,
                        struct gpu_occupancy *o) {
    *o = (struct gpu_occupancy){.warps = warps_of(items), .most_warps = m->resident_warps};
    o->registers = registers_of(m, o->warps, r->registers);
    o->shared = round_up(r->shared_bytes, m->shared_granule);
    o->groups = allow(m, o->warps, r->registers, r->shared_bytes, o->may);
    o->active_warps = o->groups * o->warps;
    o->occupancy = (double)o->active_warps / o->most_warps;
    for (int i = GPU_LIMITS; i--;)
        if (o->may[i] == o->groups) {
            o->limiter = (enum gpu_limiter)i;
            o->limiters |= 1u << i;
        }
    if (o->active_warps < o->most_warps) advise(m, r, o);
}

uint32_t gpu_group_registers(const struct model *m, const struct gpu_resources *r, uint32_t items) {
    return registers_of(m, warps_of(items), r->registers);
}

uint32_t gpu_largest_group(const struct model *m, const struct gpu_resources *r) {
    uint32_t most = m->max_group / ISA_WARP;
    if (!m->unlimited)
        while (most > 1 && registers_of(m, most, r->registers) > m->registers) most--;
    return most * ISA_WARP;
}
