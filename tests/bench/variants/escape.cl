/* Escape times of a quadratic map in fixed point: work-items that diverge. */
KERNEL_TYPE(uint)
__kernel void escape(PARAMS(uint)) {
    GRID
        int re = (int)x * 12288 / (int)w - 8192, im = (int)y * 8192 / (int)h - 4096, u = 0, v = 0;
        uint n = 0;
        while (n < (uint)d && u * u + v * v < 4 << 24) {
            int next = (u * u - v * v) / 4096 + re;
            v = 2 * u * v / 4096 + im;
            u = next;
            n++;
        }
        out[y * w + x] = n;
    END
}
