/* A generation of the game of life, on a torus. */
KERNEL_TYPE(uint)
__kernel void life(PARAMS(uint)) {
    GRID
        INDEX left = (x + w - 1) % w, right = (x + 1) % w, up = (y + h - 1) % h, down = (y + 1) % h;
        uint n = (AT(a, up * w + left) & 1) + (AT(a, up * w + x) & 1) + (AT(a, up * w + right) & 1) +
                 (AT(a, y * w + left) & 1) + (AT(a, y * w + right) & 1) +
                 (AT(a, down * w + left) & 1) + (AT(a, down * w + x) & 1) + (AT(a, down * w + right) & 1);
        out[y * w + x] = n == 3 || (n == 2 && (AT(a, y * w + x) & 1));
    END
}
