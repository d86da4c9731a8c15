// Lanes that lie anywhere: two words side by side are gathered as one of twice the size, less than a word is gathered
// with what is behind it, three and four words are loaded lane by lane.

//: test pairs
//: global 256
//: local 64
//: arg at int[256] = (37 * i + 11) % 256
//: arg in float[257] = i
//: arg out float[256] = -1
//: expect out = 3 * ((37 * i + 11) % 256) + 2
kernel void pairs(global const int *at, global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    int p = at[i];
    out[i] = in[p] + 2 * in[p + 1];
}

// Under masks: the lanes that are off would read elsewhere.
//: test masked
//: global 256
//: local 64
//: arg at int[256] = i % 5 == 2 ? 1000000000 : (37 * i + 11) % 256
//: arg in int[258] = 3 * i
//: arg out int[256] = -1
//: expect out = i % 5 == 2 ? -1 : 9 * ((37 * i + 11) % 256) + 12
kernel void masked(global const int *at, global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    int p = at[i];
    if (p < 300) out[i] = in[p] + in[p + 1] + in[p + 2] + 3;
}

// Vectors of two and of four, and some of their components.
//: test vectors
//: global 128
//: local 64
//: arg at uint[128] = (51 * i + 7) % 128
//: arg two int[256] = i
//: arg four int[512] = i
//: arg a int[128] = -1
//: arg b int[128] = -1
//: arg c int[128] = -1
//: expect a = 2 * ((51 * i + 7) % 128) - 2 * (2 * ((51 * i + 7) % 128) + 1)
//: expect b = 4 * ((51 * i + 7) % 128) + 2 + 3 * (4 * ((51 * i + 7) % 128) + 3)
//: expect c = 10 * (4 * ((51 * i + 7) % 128)) + 20
kernel void vectors(global const uint *at, global const int2 *two, global const int4 *four, global int *a,
                    global int *b, global int *c)
{
    size_t i = get_global_id(0);
    int2 u = two[at[i]];
    int4 v = four[at[i]], all = four[at[i]];
    a[i] = u.x - 2 * u.y;
    b[i] = v.z + 3 * v.w;
    c[i] = all.x + 2 * all.y + 3 * all.z + 4 * all.w;
}

// A list for each lane, of which fewer and fewer go on.
//: test lists
//: global 96
//: local 96
//: arg left uint[96] = i % 7 + 1
//: arg in uint[128] = i % 2 == 0 ? (i / 2 * 5 + 3) % 64 : i / 2 + 1
//: arg out uint[96] = 0
//: expect out = i % 7 == 0 ? i % 64 + 1 : i % 7 == 1 ? i % 64 + 1 + 2 * ((i % 64 * 5 + 3) % 64 + 1) : 0
kernel void lists(global const uint *left, global const uint2 *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint p = i & 63, sum = 0;
    for (uint n = 0; n < left[i]; n++) {
        uint2 v = in[p];
        sum += v.y * (n + 1);
        p = v.x;
    }
    out[i] = left[i] > 2 ? 0 : sum;
}

// Two bytes: lanes' words would begin anywhere, the last of them at the end of the buffer's last page.
//: test bytes
//: global 8192
//: local 64
//: arg at int[8192] = (4095 * i + 8190) % 8191
//: arg in uchar[8192] = i
//: arg out int[8192] = -1
//: expect out = (4095 * i + 8190) % 8191 % 256 + 256 * (((4095 * i + 8190) % 8191 + 1) % 256)
kernel void bytes(global const int *at, global const uchar *in, global int *out)
{
    size_t i = get_global_id(0);
    int p = at[i];
    out[i] = in[p] + (in[p + 1] << 8);
}

// The first and the third of three bytes, in local memory, where some lanes are off.
//: test locally
//: global 128
//: local 64
//: arg at int[128] = (13 * i + 5) % 61
//: arg out int[128] = -1
//: expect out = i % 64 == 9 ? -1 : 2 * ((13 * i + 5) % 61) + 2
kernel void locally(global const int *at, global int *out)
{
    local uchar t[64];
    size_t i = get_global_id(0), l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int p = at[i];
    if (l != 9) out[i] = t[p] + t[p + 2];
}
