/* Sums of a matrix's rows: each work-item has a row. */
KERNEL_TYPE(float)
__kernel void row_sum(PARAMS(float)) {
    LINE
        WALK(float, p, a + x * d)
        SUM(float, out[x])
        LOOP(k, d)
            ADD(out[x], WALKED(p, a, x * d + k))
            PASS(p, 1)
        LOOPED(k, d)
        SUMMED(out[x])
    END
}
