/* A matrix product: h x d by d x w. */
KERNEL_TYPE(float)
__kernel void product(PARAMS(float)) {
    GRID
        WALK(float, p, a + y * d)
        WALK(float, q, b + x)
        SUM(float, out[y * w + x])
        LOOP(k, d)
            ADD(out[y * w + x], WALKED(p, a, y * d + k) * WALKED(q, b, k * w + x))
            PASS(p, 1)
            PASS(q, w)
        LOOPED(k, d)
        SUMMED(out[y * w + x])
    END
}
