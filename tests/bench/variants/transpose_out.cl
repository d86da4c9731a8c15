/* A matrix, transposed by columns that are written. */
KERNEL_TYPE(float)
__kernel void transpose_out(PARAMS(float)) {
    GRID
        out[x * h + y] = AT(a, y * w + x);
    END
}
