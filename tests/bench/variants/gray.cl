/* Three bytes of a pixel, weighted. */
KERNEL_TYPE(uint)
__kernel void gray(PARAMS(uint)) {
    GRID
        uint p = AT(a, y * w + x);
        out[y * w + x] = ((p & 255) * 77 + (p >> 8 & 255) * 151 + (p >> 16 & 255) * 28) >> 8;
    END
}
