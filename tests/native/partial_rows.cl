// Accesses of some lanes of a warp: rows with lanes off, one word of private memory, and what is a
// row only now and then. Whoever looks on counts them in other ways than those of whole warps.
//: model 8800gtx gtx260

//: test edges
//: global 70 9
//: local 35 3
//: arg out int[3150] = -1
//: arg in int[3150] = i * 3
//: arg width int 70
//: arg height int 9
//: arg depth int 5
//: expect out = i / 630 > 0 && i / 630 < 4 && i % 630 / 70 > 0 && i % 630 / 70 < 8 && i % 70 > 0 && i % 70 < 69 ? i * 12 : -1
__kernel void edges(__global int *out, __global const int *in, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), plane = width * height;
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
        return;
    for (int z = 1, i = plane + y * width + x; z < depth - 1; z++, i += plane)
        out[i] = in[i - 1] + in[i + 1] + (in[i - width] + in[i + width]) / 2 +
                 (in[i - plane] + in[i + plane]) / 2;
}

// Half-warps begin where they like; lanes of which some are off are in turn all the same.
//: test shifted
//: global 192
//: local 48
//: arg out int[4000] = -1
//: arg from int[12] = i * 37 % 12 * 20 + i
//: arg n int 13
//: expect gst_request > 0
__kernel void shifted(__global int *out, __global const int *from, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        if (i % 16 < n - k)
            out[from[i / 16] + i % 16 + k * 331] = i;
}

// Rows, then none for long, then rows again.
//: test changing
//: global 96
//: local 96
//: arg out int[20000] = -1
//: arg place int[20000] = i / 96 % 64 < 32 ? i : i * 7919 % 20000
//: arg steps int 200
//: expect gld_request > 0
__kernel void changing(__global int *out, __global const int *place, int steps)
{
    int i = get_global_id(0);
    for (int s = 0; s < steps; s++)
        if (i != s % 5)
            out[place[s * 96 + i]] = s;
}

// Lanes are at one element of their arrays, at first; then each is somewhere.
//: test sorting
//: global 130
//: local 65
//: arg keys uint[2080] = i * 7919 % 1009
//: arg n int 130
//: expect local_load > 0
__kernel void sorting(__global uint *keys, int n)
{
    uint a[16];
    int i = get_global_id(0);
    for (int j = 0; j < 16; j++)
        a[j] = keys[j * n + i];
    for (int j = 1; j < 16; j++) {
        uint key = a[j];
        int p = j - 1;
        while (p >= 0 && a[p] > key) {
            a[p + 1] = a[p];
            p--;
        }
        a[p + 1] = key;
    }
    for (int j = 0; j < 16; j++)
        keys[j * n + i] = a[(j + i / 3) % 16];
}

//: test letters
//: global 100
//: local 50
//: arg out int[100] = -1
//: arg in int[100] = i * 31 % 47
//: expect local_load > 0
__kernel void letters(__global int *out, __global const int *in)
{
    char a[20];
    float4 b[6];
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < 20; j++)
        a[j] = j + in[i];
    for (int j = 0; j < 6; j++)
        b[j] = (float4)(j, in[i], 0, 1);
    for (int j = 0; j < in[i]; j++) {
        sum += a[j % 20] + (int)b[j % 6].y;
        if (sum & 1)
            a[(j + 3) % 20] = sum;
        if (sum & 2)
            b[(j + in[i]) % 6] = (float4)(sum, j, 1, 2);
    }
    out[i] = sum;
}

// Strides of one, two and three words, one word for all, and bytes, with lanes off.
//: test banks
//: global 96
//: local 48
//: arg out int[96] = -1
//: arg n int 41
//: expect shared_access > 0
__kernel void banks(__global int *out, int n)
{
    __local int words[160];
    __local char bytes[160];
    int l = get_local_id(0), sum = 0;
    words[l] = words[l + 48] = words[l + 96] = l;
    bytes[l] = bytes[l + 48] = bytes[l + 96] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 6; k++) {
        if (l % 7 != k && l < n)
            sum += words[l] + words[l * 2] + words[l * 3] + words[k] + bytes[l] + bytes[l * 3];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k * 3)
            words[l * 3] = k;
        if (l == k * 5)
            words[k] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

// Several arrays at the same places.
//: test together
//: model 8800gtx c1060
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[3000] = i
//: arg b float[3000] = i
//: arg c short[3000] = i
//: arg d int[3000] = i
//: arg many int[128] = i * 7 % 61
//: expect gld_request > 0
__kernel void together(__global int *out, __global const int *a, __global const float *b,
                       __global const short *c, __global const int *d, __global const int *many)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < many[i]; k++) {
        int at = (i * 23 + k * 5) % 3000;
        sum += a[at] + (int)b[at] + c[at] + d[(at * 7 + 1) % 3000];
    }
    out[i] = sum;
}

// Rows of an image, from left to right, back, over its edges, and columns.
//: test pixels
//: global 48 10
//: local 16 5
//: arg out float[480] = -1
//: arg in image2d 40 12 = i
//: arg n int 44
//: expect tex_request > 0
__kernel void pixels(__global float *out, __read_only image2d_t in, int n)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int x = get_global_id(0), y = get_global_id(1);
    float sum = read_imagef(in, s, (int2)(x, y)).x + read_imagef(in, s, (int2)(n - 1 - x, y)).x;
    if (x < n)
        sum += read_imagef(in, s, (int2)(y, x)).x + read_imagef(in, s, (int2)(x - 8, y)).x;
    out[y * 48 + x] = sum;
}

// Tiles in local memory, of groups that are no whole warps.
//: test tiles
//: global 30 20
//: local 10 10
//: arg out int[600] = -1
//: arg a int[800] = i / 40 + i % 40
//: arg b int[1200] = i / 30 + i % 30
//: arg n int 40
//: expect out = 20540 + 780 * (i / 30 + i % 30) + 40 * (i / 30) * (i % 30)
__kernel void tiles(__global int *out, __global const int *a, __global const int *b, int n)
{
    __local int of_a[10][10], of_b[10][10];
    int x = get_local_id(0), y = get_local_id(1), sum = 0;
    int column = get_global_id(0), row = get_global_id(1), w = get_global_size(0);
    for (int k = 0; k < n; k += 10) {
        of_a[y][x] = a[row * n + k + x];
        of_b[y][x] = b[(k + y) * w + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 10; i++)
            sum += of_a[y][i] * of_b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * w + column] = sum;
}

// Local memory that is no whole rows of 32 words, with an argument's right behind it.
//: test behind
//: global 200
//: local 100
//: arg out int[200] = -1
//: arg more local 400
//: expect out = i / 100 * 100 + 99 - i % 100 + 1000 * ((i % 100 + 7) % 100)
kernel void behind(global int *out, local int *more) {
    local int part[100];
    int l = get_local_id(0);
    part[l] = get_global_id(0);
    more[99 - l] = 99 - l;
    part[99 - l] = get_group_id(0) * 100 + 99 - l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[99 - l] + 1000 * more[(l + 7) % 100];
}

// One element of three, two of three, and three of four, upwards and down, where some lanes are off.
//: test of_three
//: global 96
//: local 32
//: arg out int[288] = -1
//: arg in int[288] = i
//: expect out = i % 3 == 2 ? -1 : i * 7 % 11 > 4 ? i : -1
kernel void of_three(global int *out, global const int *in) {
    int x = 3 * get_global_id(0);
    if (x * 7 % 11 > 4) out[x] = in[x];
    if ((x + 1) * 7 % 11 > 4) out[x + 1] = in[x + 1];
}

//: test two_of_three
//: global 96
//: local 32
//: arg out int[288] = -1
//: arg in int[288] = i
//: expect out = i % 3 < 2 && i / 3 * 7 % 11 > 4 ? i : -1
kernel void two_of_three(global int *out, global const int *in) {
    int x = get_global_id(0);
    if (x * 7 % 11 > 4) vstore2(vload2(0, in + 3 * x), 0, out + 3 * x);
}

//: test three_downwards
//: global 96
//: local 32
//: arg out float[384] = -1
//: arg in float[384] = i
//: expect out = i % 4 < 3 && (95 - i / 4) * 7 % 11 > 4 ? 383 - i : -1
kernel void three_downwards(global float *out, global const float *in) {
    int x = get_global_id(0), at = 4 * (95 - x);
    if (x * 7 % 11 > 4) {
        out[at] = in[4 * x + 3];
        out[at + 1] = in[4 * x + 2];
        out[at + 2] = in[4 * x + 1];
    }
}
