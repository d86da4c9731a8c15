/* Loops and branches. */
#define STEP x = (x + 10) ^ 15;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP

kernel void chain(global int *data) {
    int x = *data;
    STEPS STEPS STEPS STEPS
#pragma unroll 1
    for (int i = 0; i < 10; ++i) data[i] = i + x;
}

kernel void fill(global int *out, int width) {
    if (width & 3) {
        for (int x = 0; x < width / 2; ++x) out[x] = 123;
    } else {
        global short *out2 = (global short *)out;
        for (int x = 0; x < width; ++x) out2[x] = 123;
    }
}

kernel void chase(global int *out, int width, local int *sha) {
    int x = 3;
    while (x < width / 2) {
        sha[x] = 200;
        out[x] = sha[x + 1];
        x = out[x + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (x < width / 2) {
        sha[x] = 200;
        out[x] = sha[x + 1];
        x = out[x + 1];
    }
}

kernel void shared_zeros(global char *data, global char *data2) {
    local char w[256], x[256];
#pragma unroll 1
    for (int y = 0; y < 256; ++y) w[y] = 0;
#pragma unroll 1
    for (int y = 0; y < 256; ++y) x[y] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int y = 0; y < 256; ++y) data2[y] = x[y];
}

constant int first = 1;
constant short second = 2;
constant int many[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

kernel void two_copies(global uint *data, global uchar *data2) {
#pragma unroll 1
    for (uint x = 0; x < 10; ++x) {
        uint y = data[x - 2];
        data2[x] = (uchar)data[x];
        data2[x + 2] = (uchar)(y >> 16);
    }
    data[0] = (uint)((volatile constant int *)&first)[0];
    data[1] = (uint)((volatile constant short *)&second)[0];
#pragma unroll 1
    for (uint x = 0; x < 10; ++x) data[x] = (uint)many[x];
}

kernel void nested_loops(global int *x) {
    int2 v;
    int w;
    do {
        v = *(global int2 *)x;
        w = v.x ^ v.y;
        do {
            do {
                do {
                } while (w == v.y);
            } while (v.x <= w);
        } while (v.y <= w);
    } while (v.x <= v.y);
    x[1] = w;
}

kernel void multiply(global const float *a, global const float *b, global float *c, int n, int w) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int i = 0; i < w; i++) sum += a[y * w + i] * b[i * n + x];
    c[y * n + x] = sum;
}

kernel void vector_add(global const float *a, global const float *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
