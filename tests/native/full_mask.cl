// Loops that a work-group's warps go through in lockstep as long as no lane leaves them.
//: test whole
//: kernel stride
//: global 256
//: local 256
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg n int 2048
//: expect out = i + 0.5

//: test tail
//: kernel stride
//: global 512
//: local 256
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg n int 1811
//: expect out = i < 1811 ? i + 0.5 : -1

//: test short
//: kernel stride
//: global 512
//: local 256
//: arg out float[512] = -1
//: arg in float[512] = i
//: arg n int 77
//: expect out = i < 77 ? i + 0.5 : -1

//: test partial
//: kernel stride
//: global 180
//: local 90
//: arg out float[2048] = -1
//: arg in float[2048] = i
//: arg n int 2000
//: expect out = i < 2000 ? i + 0.5 : -1

// The last iterations touch the buffer's last elements: nothing behind it is read.
//: test last
//: kernel stride
//: global 256
//: local 256
//: arg out float[1025] = -1
//: arg in float[1025] = i
//: arg n int 1025
//: expect out = i + 0.5

__kernel void stride(__global float *out, __global const float *in, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + 0.5f;
}

// Each work-item's own sum and counter are wanted behind the loop.
//: test kept
//: kernel kept
//: global 256
//: local 128
//: arg out int[256] = -1
//: arg at int[256] = -1
//: arg in int[2048] = i
//: arg n int 1811
//: expect out = i < 19 ? 8 * i + 7168 : 7 * i + 5376
//: expect at = i < 19 ? i + 2048 : i + 1792

__kernel void kept(__global int *out, __global int *at, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0;
    for (; i < n; i += get_global_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
    at[get_global_id(0)] = i;
}

// Lanes that are not in the loop at all, and ones that leave at iterations of their own.
//: test some
//: kernel some
//: global 256
//: local 64
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg n int 2048
//: expect out = i % 256 % 64 < 5 ? -1 : i

//: test own
//: kernel own
//: global 128
//: local 128
//: arg out int[1024] = -1
//: arg in int[1024] = i
//: expect out = i / 128 < 3 + i % 128 / 40 ? i : -1

__kernel void some(__global int *out, __global const int *in, int n)
{
    if (get_local_id(0) >= 5)
        for (int i = get_global_id(0); i < n; i += get_global_size(0))
            out[i] = in[i];
}

__kernel void own(__global int *out, __global const int *in)
{
    int i = get_global_id(0), iterations = 3 + i / 40;
    for (int t = 0; t < iterations; t++, i += get_global_size(0))
        out[i] = in[i];
}

// What is written in one iteration is read in the next, by the same lane and by the same warp's.
//: test carried
//: kernel carried
//: global 128
//: local 128
//: arg a int[1152] = i < 128 ? 1000 * i : -1
//: arg n int 1100
//: expect a = i < 1100 ? 1000 * (i % 128) + i / 128 : -1

__kernel void carried(__global int *a, int n)
{
    for (int i = get_global_id(0); i + 128 < n; i += get_global_size(0))
        a[i + 128] = a[i] + 1;
}

// The range again and again, in two dimensions: what is stored depends on the launch alone, so that
// groups of any shape run in tiles. Rows and columns end anywhere.
//: test plane_squares
//: kernel plane
//: global 128 64
//: local 16 16
//: arg out int[48000] = -1
//: arg w int 240
//: arg h int 200
//: expect out = i * 3

//: test plane_small
//: kernel plane
//: global 128 64
//: local 8 8
//: arg out int[40803] = -1
//: arg w int 201
//: arg h int 203
//: expect out = i * 3

//: test plane_lines
//: kernel plane
//: global 128 64
//: local 64 1
//: arg out int[10000] = -1
//: arg w int 100
//: arg h int 50
//: expect out = i < 5000 ? i * 3 : -1

//: test plane_offset
//: kernel plane
//: global 128 64
//: offset 3 5
//: local 8 4
//: arg out int[48000] = -1
//: arg w int 240
//: arg h int 200
//: expect out = i % 240 < 3 || i / 240 < 5 ? -1 : i * 3

__kernel void plane(__global int *out, int w, int h)
{
    for (int y = get_global_id(1); y < h; y += get_global_size(1))
        for (int x = get_global_id(0); x < w; x += get_global_size(0)) out[y * w + x] += y * w * 3 + x * 3 + 1;
}

// Not so here: a lane stores over what others of its warp have stored in an earlier iteration.
//: test over_others
//: kernel over_others
//: global 128 64
//: local 4 8
//: arg out int[8192] = -1
//: arg n int[32] = 4
//: expect out = i / 32 * 32 + (i + 8) % 32

__kernel void over_others(__global int *out, __global const int *n)
{
    int lane = get_local_id(1) * 4 + get_local_id(0), warp = get_group_id(1) * 32 + get_group_id(0);
    for (int k = 0; k < n[lane]; k++) out[warp * 32 + (lane + k * 8) % 32] = warp * 32 + lane;
}
