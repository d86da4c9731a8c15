/* A matrix, transposed by columns that are read. */
KERNEL_TYPE(float)
__kernel void transpose_in(PARAMS(float)) {
    GRID
        out[y * w + x] = AT(a, x * h + y);
    END
}
