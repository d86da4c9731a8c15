/* A box of 3 x 3, at the border of what is next to it. */
KERNEL_TYPE(float)
__kernel void blur(PARAMS(float)) {
    GRID
        SUM(float, out[y * w + x])
        LOOP(i, 3)
            LOOP(j, 3)
                ADD(out[y * w + x], AT(a, CLAMP((int)y + (int)i - 1, h) * w + CLAMP((int)x + (int)j - 1, w)))
            LOOPED(j, 3)
        LOOPED(i, 3)
        SUMMED(out[y * w + x])
    END
}
