/* A matrix by a vector, four elements of a row at a time. */
#ifdef BY_STRUCTURE
struct part {
    float of[4];
};
#endif
KERNEL_TYPE(float)
__kernel void row_dot(PARAMS(float)) {
    LINE
        WALK(float, p, a + x * d)
        SUM(float, out[x])
        LOOP(k, d / 4)
#if defined BY_STRUCTURE
            struct part u = ((__global const struct part *)a)[x * (d / 4) + k],
                        v = ((__global const struct part *)b)[k];
            for (int n = 0; n < 4; n++) ADD(out[x], u.of[n] * v.of[n])
#elif defined BY_VECTORS
            ADD(out[x], dot(vload4(k, a + x * d), vload4(k, b)))
#else
            ADD(out[x], WALKED(p, a, x * d + 4 * k) * AT(b, 4 * k))
            PASS(p, 1)
            ADD(out[x], WALKED(p, a, x * d + 4 * k + 1) * AT(b, 4 * k + 1))
            PASS(p, 1)
            ADD(out[x], WALKED(p, a, x * d + 4 * k + 2) * AT(b, 4 * k + 2))
            PASS(p, 1)
            ADD(out[x], WALKED(p, a, x * d + 4 * k + 3) * AT(b, 4 * k + 3))
            PASS(p, 1)
#endif
        LOOPED(k, d / 4)
        SUMMED(out[x])
    END
}
