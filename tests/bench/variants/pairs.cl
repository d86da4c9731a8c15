/* The sum of an element's distances from others: all read the same. */
KERNEL_TYPE(float)
__kernel void pairs(PARAMS(float)) {
    LINE
        float own = AT(a, x);
        SUM(float, out[x])
        LOOP(k, d)
            ADD(out[x], (AT(b, k) - own) * (AT(b, k) - own))
        LOOPED(k, d)
        SUMMED(out[x])
    END
}
