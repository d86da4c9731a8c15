// What is likely to be evenly spaced over a warp, and mostly is: bounds of each lane's own that are cut off at an edge,
// narrow ids; warps at the edges, with lanes off, and numbers at the ends of their types.

// The sum of a row's elements up to r away: x0 to x1 of them, in rows of 200 and 96.
//: test sums
//: global 200 3
//: local 40 3
//: arg out int[600] = -1
//: arg in int[600] = i
//: arg w int 200
//: arg r int 5
//: expect out = ((i % 200 < 195 ? i % 200 + 5 : 199) - (i % 200 < 5 ? 0 : i % 200 - 5) + 1) * (i / 200 * 400 + (i % 200 < 195 ? i % 200 + 5 : 199) + (i % 200 < 5 ? 0 : i % 200 - 5)) / 2
//: test sums_of_warps
//: kernel sums
//: global 96 4
//: local 32 2
//: arg out int[384] = -1
//: arg in int[384] = i
//: arg w int 96
//: arg r int 7
//: expect out = ((i % 96 < 89 ? i % 96 + 7 : 95) - (i % 96 < 7 ? 0 : i % 96 - 7) + 1) * (i / 96 * 192 + (i % 96 < 89 ? i % 96 + 7 : 95) + (i % 96 < 7 ? 0 : i % 96 - 7)) / 2
__kernel void sums(__global int *out, __global const int *in, int w, int r)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int j = max(0, x - r); j <= min(w - 1, x + r); j++) sum += in[y * w + j];
    out[y * w + x] = sum;
}

// The same down, by two, in two dimensions, as 64 bits, where the loop ends in the middle, too.
//: test ways
//: global 192
//: local 64
//: arg out int[192] = -1
//: arg in int[192] = i
//: arg r int 9
//: expect out = (i < 182 ? i + 9 : 191) * 5 + (i < 182 ? i + 9 : 191) - (i < 9 ? 0 : i - 9) + 1 + (i < 9 ? 0 : i - 9) * 3
__kernel void ways(__global int *out, __global const int *in, int r)
{
    int x = get_global_id(0), w = get_global_size(0), down = 0, two = 0, n = 0, least = w, most = 0;
    int x0 = x - r < 0 ? 0 : x - r, x1 = x + r > w - 1 ? w - 1 : x + r;
    for (int j = x1; j >= x0; j--) {
        n += in[j] == j;
        most = max(most, in[j]);
    }
    for (int j = x0; j <= x1; j += 2) two = max(two, in[j] + (in[j] != x1 && in[j] + 1 != x1 ? 0 : x1 - in[j]));
    for (long j = x0; j <= x1; j++) down = max(down, in[j]);
    for (int j = x0, i = 0; i < 3; i++)
        for (j = x0; j <= x1; j++) {
            least = min(least, in[j]);
            if (in[j] == x1) break;
        }
    for (int j = x0, i = 0; i < 2; i++, j = x0) {
        while (j <= x1) most = max(most, in[j++]);
        do n += in[j - 1] < 0; while (j++ <= x1);
    }
    out[x] = most + two + down + (most + two) + n + least * 3;
}

// Counters that end where numbers do.
//: test ends
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg in int[132] = i
//: expect out = ((i < 122 ? i + 4 : 126) - i < 0 ? 0 : (i < 122 ? i + 4 : 126) - i + 1) * 2
__kernel void ends(__global int *out, __global const int *in)
{
    int x = get_global_id(0), n = 0, up = INT_MAX - 127 + x, down = INT_MIN + 127 - x;
    for (int j = max(up, 1); j <= min(up + min(4, 127 - x), INT_MAX - 1); j++) n += in[j - (INT_MAX - 127)] >= x;
    for (int j = min(down, -1); j >= max(down - min(4, 127 - x), INT_MIN + 1); j--)
        n += in[INT_MIN + 127 - j] >= x;
    out[x] = n;
}

// Ids that do not fit, in the middle of a warp; columns of short and char.
//: test narrow
//: global 65536
//: local 64
//: arg out int[65536] = -1
//: arg in int[65536] = i * 3
//: expect out = i * 7 - 32768
__kernel void narrow(__global int *out, __global const int *in)
{
    short x = get_global_id(0) + 5;
    out[x + 32768] = in[x + 32768] + x + in[x + 32768];
}
//: test narrow_planes
//: global 160 300
//: local 16 4
//: arg out int[48000] = -1
//: arg in int[48000] = i
//: arg w int 160
//: expect out = i * 3
__kernel void narrow_planes(__global int *out, __global const int *in, int w)
{
    short y = get_global_id(1);
    uchar x = get_global_id(0);
    int sum = 0;
    for (short k = 0; k < 3; k++) sum += in[y * w + x];
    out[y * w + x] = sum;
}
//: test narrow_loops
//: global 300
//: local 100
//: arg out int[300] = -1
//: arg in int[300] = i
//: expect out = (i < 126 ? i + 2 : i < 128 ? 127 : -1) - (i < 128 ? i : 0)
__kernel void narrow_loops(__global int *out, __global const int *in)
{
    char x = get_global_id(0);
    int last = -1;
    for (short k = max(x, (char)0); k <= min(x + 2, 127); k++) last = in[k];
    if (get_global_id(0) < 128) out[x] = last - x;
    else out[get_global_id(0)] = -1;
}

// Loops from one side of an id to the other, which wrap around in some warps.
//: test around
//: global 256
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i
//: arg from int 2147483500
//: expect out = i < 145 ? (i < 3 ? 0 : i - 3) + 6 * (i + 3) : i < 151 ? 0 : (i < 3 ? 0 : i - 3) + 6 * (i < 252 ? i + 3 : 255)
__kernel void around(__global int *out, __global const int *in, int from)
{
    int x = get_global_id(0), at = as_int(as_uint(from) + (uint)x), sum = 0, n = 0;
    for (int j = as_int(as_uint(at) - 3u); j <= as_int(as_uint(at) + 3u); j++) {
        int v = in[clamp(as_int(as_uint(j) - as_uint(from)), 0, 255)];
        sum += n++ ? (n == 7 ? 6 * v : 0) : v;
        if (n > 10) break;
    }
    out[x] = sum;
}
