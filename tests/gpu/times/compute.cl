// Kernels that computation holds back.
#define PULL(j)                                                                                    \
    {                                                                                              \
        float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;                 \
        float square = dx * dx + dy * dy + dz * dz + 0.01f;                                        \
        float inverse = rsqrt(square);                                                             \
        float factor = tile[j].w * (inverse * inverse * inverse);                                  \
        ax += dx * factor;                                                                         \
        ay += dy * factor;                                                                         \
        az += dz * factor;                                                                         \
    }

kernel void nbody(global const float4 *bodies, global float4 *to, int n, local float4 *tile) {
    int i = get_global_id(0), l = get_local_id(0), p = get_local_size(0);
    float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += p) {
        tile[l] = bodies[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
#if UNROLL == 4
        for (int j = 0; j < p; j += 4) {
            PULL(j)
            PULL(j + 1)
            PULL(j + 2)
            PULL(j + 3)
        }
#else
        for (int j = 0; j < p; j++) PULL(j)
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[i] = (float4)(ax, ay, az, 0);
}

kernel void rotate(global float *to, float cosine, float sine, int turns) {
    int i = get_global_id(0);
    float x = i * 1e-6f, y = 1 - x;
    for (int t = 0; t < turns; t++) {
        float turned = x * cosine - y * sine;
        y = y * cosine + x * sine;
        x = turned;
    }
    to[i] = x + y;
}

// Four independent streams of multiply-adds, alone and with multiplications.
kernel void multiply_add(global float *to, int turns) {
    int i = get_global_id(0);
    float a = i, b = i + 1, c = i + 2, d = i + 3;
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int u = 0; u < 32; u++) {
            a = 10.0f - a * 0.9899f;
            b = 10.0f - b * 0.9899f;
            c = 10.0f - c * 0.9899f;
            d = 10.0f - d * 0.9899f;
        }
    }
    to[i] = a + b + c + d;
}

kernel void multiply_beside(global float *to, int turns) {
    int i = get_global_id(0);
    float a = i, b = i + 1, c = i + 2, d = i + 3;
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int u = 0; u < 32; u++) {
            float e = 3.75f - 0.355f * a, f = 3.75f - 0.355f * b, g = 3.75f - 0.355f * c,
                  h = 3.75f - 0.355f * d;
            a *= e;
            b *= f;
            c *= g;
            d *= h;
        }
    }
    to[i] = a + b + c + d;
}

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void multiply_add_double(global double *to, int turns) {
    int i = get_global_id(0);
    double a = i, b = i + 1, c = i + 2, d = i + 3;
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int u = 0; u < 32; u++) {
            a = 10.0 - a * 0.9899;
            b = 10.0 - b * 0.9899;
            c = 10.0 - c * 0.9899;
            d = 10.0 - d * 0.9899;
        }
    }
    to[i] = a + b + c + d;
}
#endif

#ifdef ATOMICS
kernel void histogram(global const uchar *bytes, global uint *counts, int n) {
    int step = get_global_size(0);
    for (int i = get_global_id(0); i < n; i += step) atomic_inc(&counts[bytes[i]]);
}
#endif
