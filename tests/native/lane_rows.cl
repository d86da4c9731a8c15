// Words that each lane has one behind the other, while lanes lie apart, are moved as one.

//: test vectors
//: global 96
//: local 32
//: arg in float[1536] = i
//: arg out float[1536] = -1
//: expect out = i * 2 + 1
kernel void vectors(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    vstore16(vload16(i, in) * 2.0f + 1.0f, i, out);
}

//: test fours
//: global 96
//: local 48
//: arg in float[384] = i
//: arg out float[384] = -1
//: expect out = i - 3
kernel void fours(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    vstore4(vload4(i, in) - 3.0f, i, out);
}

struct body {
    float x, y, z, vx, vy, vz;
};

// Six words, of which three are stored; the others stay.
//: test structures
//: global 128
//: local 64
//: arg bodies float[768] = i % 6 + 1
//: expect bodies = i % 6 < 3 ? 2 * (i % 6) + 5 : i % 6 + 1
kernel void structures(global struct body *bodies)
{
    global struct body *b = bodies + get_global_id(0);
    float x = b->x, y = b->y, z = b->z, vx = b->vx, vy = b->vy, vz = b->vz;
    b->x = x + vx;
    b->y = y + vy;
    b->z = z + vz;
}

// A distance that only the launch knows; and some lanes of every warp are off.
//: test anywhere
//: global 128
//: local 32
//: arg in int[1280] = i
//: arg out int[1280] = -1
//: arg step int 10
//: expect out = i % 10 < 7 && i / 10 % 5 ? 2 * i : -1
kernel void anywhere(global const int *in, global int *out, int step)
{
    int i = get_global_id(0);
    global const int *from = in + i * step;
    global int *to = out + i * step;
    if (i % 5 == 0) return;
    int a = from[0], b = from[1], c = from[2], d = from[3], e = from[4], f = from[5], g = from[6];
    to[0] = a * 2;
    to[1] = b * 2;
    to[2] = c * 2;
    to[3] = d * 2;
    to[4] = e * 2;
    to[5] = f * 2;
    to[6] = g * 2;
}

// And all of them on.
//: test everywhere
//: global 128
//: local 32
//: arg in int[1280] = i
//: arg out int[1280] = -1
//: arg step int 10
//: expect out = i % 10 == 9 ? -1 : i % 10 == 1 ? -1 : 2 * i
kernel void everywhere(global const int *in, global int *out, int step)
{
    int i = get_global_id(0);
    global const int *from = in + i * step;
    global int *to = out + i * step;
    int a = from[0], c = from[2], d = from[3], e = from[4], f = from[5], g = from[6], h = from[7], j = from[8];
    to[3] = d * 2;
    to[2] = c * 2;
    to[0] = a * 2;
    to[4] = e * 2;
    to[5] = f * 2;
    to[8] = j * 2;
    to[7] = h * 2;
    to[6] = g * 2;
}

// Lanes write what others write: the last store stays, and of one store the last lane.
//: test entangled
//: global 32
//: local 32
//: arg out int[36] = -1
//: arg step int 1
//: expect out = i < 32 ? 100 * i : i < 35 ? 100 * 31 + i - 31 : -1
kernel void entangled(global int *out, int step)
{
    int i = get_global_id(0);
    global int *to = out + i * step;
    to[3] = 100 * i + 3;
    to[2] = 100 * i + 2;
    to[1] = 100 * i + 1;
    to[0] = 100 * i;
}

// A store in between that may be to the same place.
//: test between
//: global 64
//: local 32
//: arg a int[512] = i
//: arg b int[8] = 0
//: expect a = i % 8 == 0 ? i * 2 : i % 8 == 3 ? i - 3 : i % 8 == 1 ? 2 * (i - 1) + 2 * i + 1 + i - 1 : i
kernel void between(global int *a, global int *b)
{
    global int *p = a + 8 * get_global_id(0);
    int x = p[0], y = p[1], z = p[2];
    p[3] = x;
    int w = p[3];
    p[0] = 2 * x;
    p[1] = p[0] + y + z + w;
}

// In local memory, and through a table of where each begins.
//: test local_rows
//: global 64
//: local 64
//: arg order int[64] = (i * 5 + 3) % 64
//: arg out int[512] = -1
//: expect out = ((i / 8 * 5 + 3) % 64) * 8 + i % 8
kernel void local_rows(global const int *order, global int *out)
{
    local int rows[512];
    int i = get_local_id(0);
    for (int j = 0; j < 8; j++) rows[j * 64 + i] = j * 64 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore8(vload8(order[i], rows), i, out);
}

// Volatile words of local memory, one by one.
//: test volatile_rows
//: global 64
//: local 64
//: arg order int[64] = (i * 5 + 3) % 64
//: arg out int[64] = -1
//: expect out = ((i * 5 + 3) % 64) * 72 + 28
kernel void volatile_rows(global const int *order, global int *out)
{
    local volatile int rows[576];
    int i = get_local_id(0), sum = 0, first = order[i] * 9;
    for (int j = 0; j < 9; j++) rows[j * 64 + i] = j * 64 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; j++) sum += rows[first + j];
    out[i] = sum;
}

// A walk along rows up to a bound of the launch: eight at a time, and those that are left.
//: test walks
//: global 192
//: local 64
//: arg in int[4096] = i * i % 1000
//: arg out int[960] = -1
//: arg count int 19
//: expect out = 0
kernel void walks(global const int *in, global int *out, int count)
{
    int i = get_global_id(0), sums[5] = {0}, wrong[5] = {0}, down[4] = {0};
    global const int *row = in + i * 21;
    for (int j = 0; j < count; j++) sums[0] += row[j];
    for (uint j = 3; j <= (uint)count; j++) sums[1] += row[j];
    for (int j = 1; j < count; j += 2) sums[2] += row[j] - row[j + 1];
    for (int j = count; j < count; j++) sums[3] += row[j];
    for (int j = count - 1; j >= 0; j--) down[0] = down[0] * 3 + row[j];
    for (int j = count; j > 2; j -= 1) down[1] += row[j] * j;
    for (uint j = (uint)count; j > 5u; j--) down[2] += row[j] ^ (int)j;
    for (int j = -1; j >= count; j--) down[3] += row[j];
    for (int j = -4; j < count - 18; j++) sums[4] = sums[4] * 3 + row[j + 4];
    for (int j = 0; j < 21; j++) { /* one by one, by what each is */
        int v = (i * 21 + j) * (i * 21 + j) % 1000;
        wrong[0] += j < 19 ? v : 0;
        wrong[1] += j >= 3 && j <= 19 ? v : 0;
        wrong[2] += j >= 1 && j <= 18 ? j % 2 ? v : -v : 0;
        wrong[4] = j < 5 ? wrong[4] * 3 + v : wrong[4];
    }
    for (int j = 20; j >= 0; j--) {
        int v = (i * 21 + j) * (i * 21 + j) % 1000;
        wrong[3] = j < 19 ? wrong[3] * 3 + v : 0;
        down[1] -= j > 2 && j <= 19 ? v * j : 0;
        down[2] -= j > 5 && j <= 19 ? v ^ j : 0;
    }
    sums[3] += down[0] + down[1] + down[2] + down[3];
    for (int j = 0; j < 5; j++) out[i * 5 + j] = sums[j] - wrong[j];
}

// Walks written otherwise: left at the end, counting down before the body, by another integer, till
// a counter is equal. Each is compared with one whose body is guarded.
//: test walks_written
//: global 192
//: local 64
//: arg in int[4096] = i * i % 1000
//: arg out int[192] = -1
//: arg one int[4] = 1
//: arg count int 19
//: arg zero int 0
//: expect out = 0

//: test walks_of_eight
//: kernel walks_written
//: global 192
//: local 96
//: arg in int[4096] = i * i % 1000
//: arg out int[192] = -1
//: arg one int[4] = 1
//: arg count int 16
//: arg zero int 0
//: expect out = 0
#define TWICE(n, loop)                                                                             \
    {                                                                                              \
        int s = 7, r = 7;                                                                          \
        {                                                                                          \
            loop(s = s * 3 + row[j];)                                                              \
        }                                                                                          \
        {                                                                                          \
            loop(if (one[zero]) r = r * 3 + row[j];)                                               \
        }                                                                                          \
        if (s != r) wrong |= 1 << n;                                                               \
    }
#define AT_END(body) int j = 0; do { body } while (++j < count);
#define AT_END_LONG(body) long j = 1; do { body } while ((j += 2) <= count);
#define AT_END_DOWN(body) int j = count; do { body } while (--j);
#define DOWN(body) for (int j = count; j-- > 0;) { body }
#define DOWN_LONG(body) for (long j = count - 1; j >= 0; j--) { body }
#define SIZE(body) for (size_t j = 2; j < count; j++) { body }
#define UNEQUAL(body) for (uint j = 0; j != count; j++) { body }
#define MIDDLE(body) for (int j = 0;; j++) { body if (j + 1 >= count) break; }
#define NONE_LEFT(body) for (long j = count; j < count; j++) { body }
#define ONE(body) int j = count; do { body } while (++j < count);
kernel void walks_written(global const int *in, global int *out, global const int *one, int count, int zero)
{
    int wrong = 0;
    global const int *row = in + get_global_id(0) * 20;
    TWICE(0, AT_END)
    TWICE(1, AT_END_LONG)
    TWICE(2, AT_END_DOWN)
    TWICE(3, DOWN)
    TWICE(4, DOWN_LONG)
    TWICE(5, SIZE)
    TWICE(6, UNEQUAL)
    TWICE(7, MIDDLE)
    TWICE(8, NONE_LEFT)
    TWICE(9, ONE)
    out[get_global_id(0)] = wrong;
}

// A store of another type to the middle of a row of words, which goes on behind it.
//: test retyped
//: global 128
//: local 64
//: arg out int[2048] = -1
//: expect out = i % 16 == 1 ? 0x40e00000 : i % 16 < 5 ? i % 16 + 1 : -1
__kernel void retyped(__global int *out)
{
    __global int *p = out + 16 * get_global_id(0);
    vstore4((int4)(1, 2, 3, 4), 0, p);
    *(__global float *)(p + 1) = 7.0f;
    p[4] = 5;
}

// Members of several types.
struct member { float x; int n; float y; int m; float z; };

//: test members
//: global 128
//: local 64
//: arg out int[640] = -1
//: arg in int[640] = i % 5 == 1 || i % 5 == 3 ? i : 0x3f800000
//: expect out = i % 5 == 1 || i % 5 == 3 ? i + 1 : 0x40000000
__kernel void members(__global struct member *out, __global const struct member *in)
{
    struct member m = in[get_global_id(0)];
    m.x += 1.0f;
    m.y += 1.0f;
    m.z *= 2.0f;
    m.n++;
    m.m++;
    out[get_global_id(0)] = m;
}

//: test half_members
//: global 128
//: local 64
//: arg out ushort[256] = 0
//: expect out = i % 2 ? i / 2 : 0x3c00
__kernel void half_members(__global half *out)
{
    int i = get_global_id(0);
    vstore_half(1.0f, 2 * i, out);
    ((__global ushort *)out)[2 * i + 1] = i;
}

// Bytes of lanes that mostly lie side by side, and of others.
//: test edges
//: global 256
//: local 64
//: arg out uchar4[256] = 0
//: arg in uchar4[256] = i
//: arg most int 200
//: expect out = 4 * (i / 4 < 3 ? 0 : i / 4 > 203 ? 200 : i / 4 - 3) + i % 4 + in[4 * (i / 4 * 7 % 256) + i % 4] & 255
__kernel void edges(__global uchar4 *out, __global const uchar4 *in, int most)
{
    int i = get_global_id(0);
    out[i] = in[clamp(i - 3, 0, most)] + in[i * 7 % 256];
}

// Rows of which others are asked for meanwhile: far beyond the buffer, before it, as long as an argument says.
//: test own_sums
//: global 96
//: local 32
//: arg in float[4096] = i % 11
//: arg out float[96] = -1
//: arg n int 16
//: expect out = (i * 16 % 11 + (i * 16 + 1) % 11 + (i * 16 + 2) % 11 + (i * 16 + 3) % 11 + (i * 16 + 4) % 11 + (i * 16 + 5) % 11 + (i * 16 + 6) % 11 + (i * 16 + 7) % 11 + (i * 16 + 8) % 11 + (i * 16 + 9) % 11 + (i * 16 + 10) % 11 + (i * 16 + 11) % 11 + (i * 16 + 12) % 11 + (i * 16 + 13) % 11 + (i * 16 + 14) % 11 + (i * 16 + 15) % 11) * 2 + (95 - i) * 32 % 11
kernel void own_sums(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0, other = 0;
    for (int k = 0; k < n; k++)
        sum += in[i * n + k];
    for (int k = 0; k < 16; k++)
        other += in[i * 16 + k];
    float8 down = vload8((95 - i) * 4, in);
    out[i] = sum + other + down.s0 + (down.s7 - down.s7);
}

// Rows that end within a word, though lanes' rows are whole words apart: five, six and seven bytes of eight, three halves of four.
//: test five_of_eight
//: global 128
//: local 64
//: arg out int[128] = -5
//: arg in uchar[1024] = i * 7 % 251
//: expect out = (i * 8 + 0) * 7 % 251 % 97 * 1 + (i * 8 + 1) * 7 % 251 % 97 * 2 + (i * 8 + 2) * 7 % 251 % 97 * 3 + (i * 8 + 4) * 7 % 251 % 97 * 4
__kernel void five_of_eight(__global int *out, __global const uchar *in)
{
    int i = get_global_id(0);
    uchar8 v = vload8(i, in);
    out[i] = v.s0 % 97 * 1 + v.s1 % 97 * 2 + v.s2 % 97 * 3 + v.s4 % 97 * 4;
}

//: test six_of_eight
//: global 128
//: local 64
//: arg out int[128] = -5
//: arg in uchar[1024] = i * 7 % 251
//: expect out = (i * 8 + 0) * 7 % 251 % 97 * 1 + (i * 8 + 2) * 7 % 251 % 97 * 2 + (i * 8 + 4) * 7 % 251 % 97 * 3 + (i * 8 + 5) * 7 % 251 % 97 * 4
__kernel void six_of_eight(__global int *out, __global const uchar *in)
{
    int i = get_global_id(0);
    uchar8 v = vload8(i, in);
    out[i] = v.s0 % 97 * 1 + v.s2 % 97 * 2 + v.s4 % 97 * 3 + v.s5 % 97 * 4;
}

//: test seven_of_eight
//: global 128
//: local 64
//: arg out int[128] = -5
//: arg in uchar[1024] = i * 7 % 251
//: expect out = (i * 8 + 0) * 7 % 251 % 97 * 1 + (i * 8 + 1) * 7 % 251 % 97 * 2 + (i * 8 + 3) * 7 % 251 % 97 * 3 + (i * 8 + 5) * 7 % 251 % 97 * 4 + (i * 8 + 6) * 7 % 251 % 97 * 5
__kernel void seven_of_eight(__global int *out, __global const uchar *in)
{
    int i = get_global_id(0);
    uchar8 v = vload8(i, in);
    out[i] = v.s0 % 97 * 1 + v.s1 % 97 * 2 + v.s3 % 97 * 3 + v.s5 % 97 * 4 + v.s6 % 97 * 5;
}

//: test three_of_four
//: global 128
//: local 64
//: arg out int[128] = -5
//: arg in ushort[512] = i * 7919 % 60013
//: expect out = (i * 4 + 0) * 7919 % 60013 % 97 * 1 + (i * 4 + 1) * 7919 % 60013 % 97 * 2 + (i * 4 + 2) * 7919 % 60013 % 97 * 3
__kernel void three_of_four(__global int *out, __global const ushort *in)
{
    int i = get_global_id(0);
    ushort4 v = vload4(i, in);
    out[i] = v.s0 % 97 * 1 + v.s1 % 97 * 2 + v.s2 % 97 * 3;
}
