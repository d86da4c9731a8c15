// y += A x with A in several formats, a work-item or a warp to a row; x from memory or an image.
constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
#define X_MEMORY(at) x[at]
#define X_IMAGE(at)  read_imagef(x, plain, (int2)((at) & 4095, (at) >> 12)).x

#define DIA(name, vector, X)                                                                       \
    kernel void name(int rows, int diagonals, int stride, global const int *offsets,               \
                     global const float *data, vector, global float *y) {                          \
        local int apart[32];                                                                       \
        int row = get_global_id(0), l = get_local_id(0);                                           \
        if (l < diagonals) apart[l] = offsets[l];                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (row >= rows) return;                                                                   \
        float sum = y[row];                                                                        \
        for (int n = 0; n < diagonals; n++) {                                                      \
            int column = row + apart[n];                                                           \
            if (column >= 0 && column < rows) sum += data[stride * n + row] * X(column);           \
        }                                                                                          \
        y[row] = sum;                                                                              \
    }
DIA(dia, global const float *x, X_MEMORY)
DIA(dia_image, read_only image2d_t x, X_IMAGE)

#define ELL(name, vector, X)                                                                       \
    kernel void name(int rows, int most, int stride, global const int *columns,                    \
                     global const float *data, vector, global float *y) {                          \
        int row = get_global_id(0);                                                                \
        if (row >= rows) return;                                                                   \
        float sum = y[row];                                                                        \
        for (int n = 0; n < most; n++) {                                                           \
            float value = data[stride * n + row];                                                  \
            int column = columns[stride * n + row];                                                \
            if (value != 0) sum += value * X(column);                                              \
        }                                                                                          \
        y[row] = sum;                                                                              \
    }
ELL(ell, global const float *x, X_MEMORY)
ELL(ell_image, read_only image2d_t x, X_IMAGE)

kernel void csr_scalar(int rows, global const int *first, global const int *columns,
                       global const float *data, global const float *x, global float *y) {
    int row = get_global_id(0);
    if (row >= rows) return;
    float sum = y[row];
    int end = first[row + 1];
    for (int n = first[row]; n < end; n++) sum += data[n] * x[columns[n]];
    y[row] = sum;
}

#define VECTOR(name, vector, X)                                                                    \
    kernel void name(int rows, global const int *first, global const int *columns,                 \
                     global const float *data, vector, global float *y) {                          \
        volatile local float sums[256 + 16];                                                       \
        int t = get_local_id(0), lane = t & 31, row = get_global_id(0) / 32;                       \
        if (row >= rows) return;                                                                   \
        int end = first[row + 1];                                                                  \
        float sum = 0;                                                                             \
        for (int n = first[row] + lane; n < end; n += 32) sum += data[n] * X(columns[n]);          \
        sums[t] = sum;                                                                             \
        sums[t] = sum = sum + sums[t + 16];                                                        \
        sums[t] = sum = sum + sums[t + 8];                                                         \
        sums[t] = sum = sum + sums[t + 4];                                                         \
        sums[t] = sum = sum + sums[t + 2];                                                         \
        sums[t] = sum = sum + sums[t + 1];                                                         \
        if (lane == 0) y[row] += sums[t];                                                          \
    }
VECTOR(csr_vector, global const float *x, X_MEMORY)

// A warp of `wide` work-items to a row, and barriers between the steps of its sum.
kernel void csr_image(int rows, int wide, global const int *first, global const int *columns,
                      global const float *data, read_only image2d_t x, global float *y) {
    volatile local float sums[128];
    int t = get_local_id(0), lane = t & (wide - 1);
    int row = get_group_id(0) * (get_local_size(0) / wide) + t / wide;
    sums[t] = 0;
    if (row >= rows) return;
    int end = first[row + 1];
    float sum = 0;
    for (int n = first[row] + lane; n < end; n += wide) {
        int column = columns[n];
        sum += data[n] * read_imagef(x, plain, (int2)(column % 4096, column / 4096)).x;
    }
    sums[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = wide / 2; step > 0; step = step / 2) {
        if (lane < step) sums[t] += sums[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) y[row] = sums[t];
}
