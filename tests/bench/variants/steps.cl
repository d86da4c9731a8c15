/* Steps that a number takes to 1 (Collatz), at most d: loops of a length of their own. */
KERNEL_TYPE(uint)
__kernel void steps(PARAMS(uint)) {
    LINE
        uint v = AT(a, x) & 0xffff, n = 0;
        while (v > 1 && n < (uint)d) {
            v = v & 1 ? 3 * v + 1 : v / 2;
            n++;
        }
        out[x] = n;
    END
}
