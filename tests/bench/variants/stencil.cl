/* Five points, the border as it is. */
KERNEL_TYPE(float)
__kernel void stencil(PARAMS(float)) {
    GRID
        INDEX i = y * w + x;
        if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
            out[i] = AT(a, i - 1) + AT(a, i + 1) + AT(a, i - w) + AT(a, i + w) - 4 * AT(a, i);
        else
            out[i] = AT(a, i);
    END
}
