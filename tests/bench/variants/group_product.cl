/* Sums of d products of tiles of 8 x 8, each of 64 work-items, by way of local memory. */
#ifdef HOST
__kernel void group_product(PARAMS(float)) {
    for (int x = 0; x < w; x++) {
        int row = x % 64 / 8 * 8, column = x % 8;
        out[x] = 0;
        for (int k = 0; k < d; k++) {
            const float *of_a = a + (x / 64 * d + k) * 64, *of_b = b + (x / 64 * d + k) * 64;
            for (int i = 0; i < 8; i++) out[x] += of_a[row + i] * of_b[i * 8 + column];
        }
    }
}
#else
KERNEL_TYPE(float)
__kernel void group_product(PARAMS(float) SHARED_PARAMS(float)) {
    SHARED(float, part, 1024);
    INDEX x = ID(0), own = get_local_id(0), size = get_local_size(0), in = own % 64;
    INDEX row = own / 8 * 8, column = size + own / 64 * 64 + own % 8;
    float sum = 0;
    for (INDEX k = 0; k < d; k++) {
        part[own] = AT(a, (x / 64 * d + k) * 64 + in);
        part[size + own] = AT(b, (x / 64 * d + k) * 64 + in);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (INDEX i = 0; i < 8; i++) sum += part[row + i] * part[column + i * 8];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[x] = sum;
}
#endif
