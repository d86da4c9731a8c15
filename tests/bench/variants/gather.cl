/* Elements whose places are in memory. */
KERNEL_TYPE(uint)
__kernel void gather(PARAMS(uint)) {
    LINE
        out[x] = AT(a, AT(b, x) % (uint)w);
    END
}
