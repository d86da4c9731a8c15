/* Each 64 elements the other way round, by way of local memory. */
#ifdef HOST
__kernel void group_turn(PARAMS(uint)) {
    for (int x = 0; x < w; x++) out[x] = a[x / 64 * 64 + 63 - x % 64] + b[x];
}
#else
KERNEL_TYPE(uint)
__kernel void group_turn(PARAMS(uint) SHARED_PARAMS(uint)) {
    SHARED(uint, part, 512);
    INDEX x = ID(0), own = get_local_id(0);
    part[own] = AT(a, x);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = part[own / 64 * 64 + 63 - own % 64] + AT(b, x);
}
#endif
