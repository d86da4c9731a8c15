/* Sums of groups of 64 work-items, in local memory; each work-item gets its sum. */
#ifdef HOST
__kernel void group_sum(PARAMS(uint)) {
    for (int x = 0; x < w; x++) {
        out[x] = 0;
        for (int i = 0; i < 64; i++) out[x] += a[x / 64 * 64 + i];
    }
}
#else
KERNEL_TYPE(uint)
__kernel void group_sum(PARAMS(uint) SHARED_PARAMS(uint)) {
    SHARED(uint, part, 512);
    INDEX x = ID(0), own = get_local_id(0);
    part[own] = AT(a, x);
    for (INDEX span = 32; span > 0; span /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own % 64 < span) part[own] += part[own + span];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = part[own / 64 * 64];
}
#endif
