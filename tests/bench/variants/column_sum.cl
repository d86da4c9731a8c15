/* Sums of a matrix's columns: neighbours read neighbours. */
KERNEL_TYPE(float)
__kernel void column_sum(PARAMS(float)) {
    LINE
        SUM(float, out[x])
        LOOP(k, d)
            ADD(out[x], AT(a, k * w + x))
        LOOPED(k, d)
        SUMMED(out[x])
    END
}
