#include "cost.h"

enum {
    TEXTURE_LINE = 32, /* bytes fetched for a miss */
    ATOMIC_BYTES = 64, /* of a lane: one transaction of 32 to read, one to write */
    CLOCKS_SP = 4,     /* of a warp: 32 lanes, 8 a clock */
    CLOCKS_SFU = 16,   /* 2 a clock */
    CLOCKS_DP = 32,    /* 1 a clock */
    CLOCKS_PASS = 2    /* of a half-warp at the banks of shared memory (3.1.2.5) */
};

#define VALUE(name) (c->value[GPU_COUNTER_##name])

uint64_t gpu_cost_bytes(const struct model *m, const struct gpu_counters *c) {
    uint64_t global = m->cc_minor >= 2 ? VALUE(gld_moved) + VALUE(gst_moved)
                                       : VALUE(gld_moved_1_0) + VALUE(gst_moved_1_0);
    return global + VALUE(local_load_moved) + VALUE(local_store_moved) +
           VALUE(tex_cache_miss) * TEXTURE_LINE + VALUE(atom_global_lanes) * ATOMIC_BYTES;
}

/* Bytes a clock that a multiprocessor gets. */
static double share(const struct model *m) {
    const double bytes_a_partition = 8; /* where no bandwidth is published: 64 bits a clock */
    if (!m->memory_bandwidth_mbs || !m->clock_mhz)
        return bytes_a_partition * (m->partitions ? m->partitions : 1) / m->multiprocessors;
    return (double)m->memory_bandwidth_mbs / m->clock_mhz / m->multiprocessors;
}

struct gpu_cost gpu_cost_of(const struct model *m, const struct gpu_counters *c) {
    uint64_t others =
        VALUE(inst_sp) + VALUE(inst_memory) + VALUE(inst_texture) + VALUE(inst_control);
    uint64_t passes = VALUE(shared_replay) + VALUE(const_addresses) - VALUE(const_access);
    if (VALUE(const_addresses) < VALUE(const_access)) passes = VALUE(shared_replay);
    return (struct gpu_cost){
        .issue = (double)(others * CLOCKS_SP + VALUE(inst_sfu) * CLOCKS_SFU +
                          VALUE(inst_dp) * CLOCKS_DP + passes * CLOCKS_PASS),
        .memory = (double)gpu_cost_bytes(m, c) / share(m),
    };
}
