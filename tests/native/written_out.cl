// Loops that are written out for the size of the work-group, where what they count is an address, too.

//: test weighted
//: global 128
//: local 64
//: arg out int[2] = -1
//: expect out = 6160
__kernel void weighted(__global int *out)
{
    __local int sums[64];
    int weights[4] = {1, 3, 2, 5};
    uint l = get_local_id(0);
    sums[l] = l;
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            sums[l] += sums[l + s] * weights[s & 3];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

// Trees whose counter is divided, as a signed number, and doubled by way of another one.
//: test divided
//: global 256
//: local 128
//: arg out int[2] = -1
//: arg in int[256] = i
//: expect out = 16384 * i + 8128
kernel void divided(global int *out, global const int *in) {
    local int part[128];
    int l = get_local_id(0), size = get_local_size(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = size / 2; d > 0; d /= 2) {
        if (l < d) part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = part[0];
}

//: test doubled
//: global 256
//: local 128
//: arg out int[2] = -1
//: arg in int[256] = i
//: expect out = 16384 * i + 8128
kernel void doubled(global int *out, global const int *in) {
    local int part[128];
    int l = get_local_id(0), size = get_local_size(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < size; d *= 2) {
        if (l % (2 * d) == 0) part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = part[0];
}

// Multiplied, but with a number of iterations that memory tells.
//: test unknown
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[128] = i / 64 + 2
//: expect out = i / 64 == 0 ? 9 + i % 64 : 27 + i % 64
kernel void unknown(global int *out, global const int *in) {
    local int part[64];
    int l = get_local_id(0), times = in[get_global_id(0)], factor = 1;
    for (int n = 0; n < times; n++) {
        part[l] = factor;
        factor = part[l] * 3;
    }
    out[get_global_id(0)] = factor + l;
}

// Loops of few iterations, however they say how many: an iteration's values are known where they are not, too.
//: test few
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[640] = i
//: expect out = 64 * 45 + 10 * i + (64 * 12 + 3 * i) + (64 * 3 + i) + (64 * 3 + i) + 8 * 100
__kernel void few(__global int *out, __global const int *in)
{
    int i = get_global_id(0), sum = 0, k = 0, steps = 0;
    while (k < 10) {
        sum += in[64 * k + i];
        k++;
    }
    do {
        k -= 2;
        if (k % 4 == 0)
            sum += in[64 * k + i];
        steps++;
    } while (k > 0);
    sum += in[64 * 3 + i] * (k == 0 && steps == 5);
    for (int n = 2; n != -1; n--)
        for (int m = 0; m < 3 && n; m++)
            if (m == n)
                sum += in[64 * m + i] - in[i] + in[i] * (n == 2);
    for (int n = 0; n < 8; n++) {
        int m = n;
        while (m > 0) {
            m = (m - 1) / 2;
            if (m == 1)
                break;
        }
        sum += 100 + m - m;
    }
    out[i] = sum;
}
