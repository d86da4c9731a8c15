/* 2 a + b of matrices. */
KERNEL_TYPE(float)
__kernel void scale_add(PARAMS(float)) {
    GRID
        out[y * w + x] = 2 * AT(a, y * w + x) + AT(b, y * w + x);
    END
}
