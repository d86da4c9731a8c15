// Copies and what else memory alone holds back.
kernel void offset_copy(global float *to, global const float *from, int offset) {
    int i = get_global_id(0) + offset;
    to[i] = from[i];
}

kernel void stride_copy(global float *to, global const float *from, int stride) {
    int i = get_global_id(0) * stride;
    to[i] = from[i];
}

kernel void saxpy(global float *y, global const float *x, float a, int stride) {
    int i = get_global_id(0) * stride;
    y[i] = a * x[i] + y[i];
}

kernel void increment(global float *x) {
    int i = get_global_id(0);
    x[i] = x[i] + 1.0f;
}

// Neighbours change places, so that no half-warp is in order.
kernel void increment_permuted(global float *x) {
    int i = get_global_id(0) ^ 1;
    x[i] = x[i] + 1.0f;
}

kernel void increment_int(global int *x, int by) {
    int i = get_global_id(0);
    x[i] = x[i] + by;
}

// Sixteen words a turn, the work-items side by side; words: of the buffer, a power of two.
kernel void read_coalesced(global const float *from, global float *to, int words, int turns) {
    int i = get_global_id(0), at = i, step = get_global_size(0);
    float sum = 0;
    for (int t = 0; t < turns; t++) {
        float a[16];
#pragma unroll
        for (int u = 0; u < 16; u++) a[u] = from[(at + u * step) & (words - 1)];
#pragma unroll
        for (int u = 0; u < 16; u++) sum += a[u];
        at = (at + 16 * step) & (words - 1);
    }
    to[i] = sum;
}

kernel void write_coalesced(global float *to, int words, int turns) {
    int i = get_global_id(0), at = i, step = get_global_size(0);
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int u = 0; u < 16; u++) to[(at + u * step) & (words - 1)] = i;
        at = (at + 16 * step) & (words - 1);
    }
}

// Each work-item reads words that follow each other, 1024 from the next one's.
kernel void read_unit(global const float *from, global float *to, int words, int turns) {
    int i = get_global_id(0), at = i * 1024;
    float sum = 0;
    for (int t = 0; t < turns; t++) {
        float a[16];
#pragma unroll
        for (int u = 0; u < 16; u++) a[u] = from[(at + u) & (words - 1)];
#pragma unroll
        for (int u = 0; u < 16; u++) sum += a[u];
        at = (at + 16) & (words - 1);
    }
    to[i] = sum;
}

kernel void read_local(global const float *from, global float *to, int turns) {
    local float buffer[2048];
    int l = get_local_id(0), at = l;
    for (int j = l; j < 2048; j += get_local_size(0)) buffer[j] = from[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int t = 0; t < turns; t++) {
        float a[16];
#pragma unroll
        for (int u = 0; u < 16; u++) a[u] = buffer[(at + u) & 2047];
#pragma unroll
        for (int u = 0; u < 16; u++) sum += a[u];
        at = (at + 16) & 2047;
    }
    to[get_global_id(0)] = sum;
}

constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

// Every work-item jumps about the image, whose width and height are powers of two.
kernel void read_texels(read_only image2d_t from, global float *to, int width, int height, int turns) {
    int x = get_global_id(0), y = get_global_id(1), place = x * get_global_size(1) + y;
    float sum = 0;
    for (int t = 0; t < turns; t++) {
        sum += read_imagef(from, plain, (int2)(x, y)).x;
        x = (x * 3 + 29) & (width - 1);
        y = (y * 5 + 11) & (height - 1);
    }
    to[place] = sum;
}
