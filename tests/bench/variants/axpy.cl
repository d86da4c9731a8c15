/* 3 a + b of vectors. */
KERNEL_TYPE(float)
__kernel void axpy(PARAMS(float)) {
    LINE
        out[x] = 3 * AT(a, x) + AT(b, x);
    END
}
