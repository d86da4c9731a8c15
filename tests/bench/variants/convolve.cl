/* Weights in constant memory, over a row and a column. */
__constant float convolve_weights[7] = {1, 2, 3, 4, 3, 2, 1};
KERNEL_TYPE(float)
__kernel void convolve(PARAMS(float)) {
    GRID
        SUM(float, out[y * w + x])
        LOOP(k, 7)
            ADD(out[y * w + x], convolve_weights[k] * (AT(a, y * w + CLAMP((int)x + (int)k - 3, w)) +
                                                       AT(a, CLAMP((int)y + (int)k - 3, h) * w + x)))
        LOOPED(k, 7)
        SUMMED(out[y * w + x])
    END
}
