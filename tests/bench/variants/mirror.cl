/* Rows the other way round. */
KERNEL_TYPE(float)
__kernel void mirror(PARAMS(float)) {
    GRID
        out[y * w + x] = AT(a, y * w + w - 1 - x);
    END
}
