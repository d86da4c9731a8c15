/* A matrix product: h x d by d x w. */
KERNEL_TYPE(float)
__kernel void product(PARAMS(float)) {
    GRID
        SUM(float, out[y * w + x])
        LOOP(k, d)
            ADD(out[y * w + x], AT(a, y * d + k) * AT(b, k * w + x))
        LOOPED(k, d)
        SUMMED(out[y * w + x])
    END
}
