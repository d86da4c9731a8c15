/* Rounds of a hash: arithmetic alone. */
KERNEL_TYPE(uint)
__kernel void rounds(PARAMS(uint)) {
    LINE
        uint v = AT(a, x);
        LOOP(k, d)
            v = (v ^ v >> 15) * 0x2c1b3c6du;
            v = (v << 7 | v >> 25) + 0x9e3779b9u;
        LOOPED(k, d)
        out[x] = v;
    END
}
