/* Sums of a matrix's columns: neighbours read neighbours. */
KERNEL_TYPE(float)
__kernel void column_sum(PARAMS(float)) {
    LINE
        WALK(float, p, a + x)
        SUM(float, out[x])
        LOOP(k, d)
            ADD(out[x], WALKED(p, a, k * w + x))
            PASS(p, w)
        LOOPED(k, d)
        SUMMED(out[x])
    END
}
