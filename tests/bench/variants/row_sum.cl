/* Sums of a matrix's rows: each work-item has a row. */
KERNEL_TYPE(float)
__kernel void row_sum(PARAMS(float)) {
    LINE
        SUM(float, out[x])
        LOOP(k, d)
            ADD(out[x], AT(a, x * d + k))
        LOOPED(k, d)
        SUMMED(out[x])
    END
}
