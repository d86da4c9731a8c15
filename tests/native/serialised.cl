// Loops that lanes leave one by one and that mostly read: the native engine ends them lane by lane.
//: test rows
//: global 96
//: local 48
//: arg out int[96] = -1
//: arg first int[97] = i * 40
//: arg many int[96] = i * 7 % 41
//: arg column int[4000] = i
//: arg x int[4000] = i * 3
//: expect out = many[i] * (first[i] * 2 + many[i] - 1) / 2 * 3
__kernel void rows(__global int *out, __global const int *first, __global const int *many,
                   __global const int *column, __global const int *x)
{
    int r = get_global_id(0), sum = 0;
    for (int i = first[r]; i < first[r] + many[r]; i++)
        sum += x[column[i]];
    out[r] = sum;
}

//: test backwards
//: global 64
//: arg out float[64] = -1
//: arg first int[65] = i * 40
//: arg column int[4000] = i
//: arg x float[4000] = i % 40
//: expect out = first[i + 1] / 40 * 40 - 1 - i * 40 + (i % 32 > 0 ? 38 : 0)
__kernel void backwards(__global float *out, __global const int *first, __global const int *column,
                        __global const float *x)
{
    int r = get_global_id(0), i = first[r + 1] - 1, low = first[r] + (r % 32 ? 1 : 39);
    float last = 0, before = 0;
    for (; i >= low; i -= 1) {
        if (i < 0) break;
        float v = x[column[i]];
        before = v > 37.5f && v < 38.5f ? v : before;
        last = v > last ? v : last;
    }
    out[r] = last + before;
}

//: test counted
//: global 64
//: arg out long[64] = -1
//: arg many int[64] = i < 32 ? i : 3
//: arg start int[64] = i * 40 + 7
//: arg column short[4000] = i
//: arg x long[4000] = i
//: expect out = many[i] * (start[i] * 2 + many[i] - 1) / 2
__kernel void counted(__global long *out, __global const int *many, __global const int *start,
                      __global const short *column, __global const long *x)
{
    int r = get_global_id(0), from = start[r];
    long sum = 0;
    for (int k = 0; k < many[r]; k++)
        sum += x[column[from + k]];
    out[r] = sum;
}

// Nobody knows when it ends.
//: test search
//: global 64
//: arg out int[64] = -1
//: arg text uchar[4000] = i % 60
//: arg key uchar[64] = i * 3 % 60
//: expect out = i * 3 % 60 >= i * 31 % 60 ? i * 3 % 60 - i * 31 % 60 : i * 3 % 60 - i * 31 % 60 + 60
__kernel void search(__global int *out, __global const uchar *text, __global const uchar *key)
{
    int r = get_global_id(0), p = r * 31;
    uchar k = key[r];
    while (text[p] != k)
        p++;
    out[r] = p - r * 31;
}

//: test predicate
//: global 64
//: arg out int[64] = -1
//: arg many int[64] = i * 5 % 39
//: arg x int[4000] = i % 40
//: expect out = many[i] > 20 ? 7 : 5
__kernel void predicate(__global int *out, __global const int *many, __global const int *x)
{
    int r = get_global_id(0);
    bool found = false;
    for (int i = r * 40; i < r * 40 + many[r]; i++)
        found = found | (x[i] == 20);
    out[r] = found ? 7 : 5;
}

//: test vectors
//: global 64
//: arg out float[256] = -1
//: arg many int[64] = i % 33
//: arg x float[10000] = i / 4 % 40
//: expect out = many[i / 4] * (many[i / 4] - 1) / 2
__kernel void vectors(__global float4 *out, __global const int *many, __global const float4 *x)
{
    int r = get_global_id(0);
    float4 sum = 0;
    for (int i = r * 40 % 1000; i < r * 40 % 1000 + many[r]; i++)
        sum += x[i];
    out[r] = sum;
}

// Lanes that are off before, a loop around, and lanes that come again.
//: test around
//: global 64
//: arg out int[64] = 0
//: arg many int[64] = i % 37
//: arg column int[4000] = i
//: arg x int[4000] = 1
//: expect out = i % 5 == 2 ? 0 : 3 * many[i] + 3
__kernel void around(__global int *out, __global const int *many, __global const int *column,
                     __global const int *x)
{
    int r = get_global_id(0), sum = 0;
    if (r % 5 != 2) {
        for (int iteration = 0; iteration < 3; iteration++) {
            for (int i = r * 40; i < r * 40 + many[r]; i++)
                sum += x[column[i] + iteration];
            sum++;
        }
    }
    out[r] = sum;
}

//: test chain
//: global 64
//: arg out int[64] = -1
//: arg many int[64] = i % 35
//: arg next int[4000] = i + 1
//: expect out = i * 40 + many[i]
__kernel void chain(__global int *out, __global const int *many, __global const int *next)
{
    int r = get_global_id(0), at = r * 40;
    for (int k = 0; k < many[r]; k++)
        at = next[at];
    out[r] = at;
}

// One lane goes astray, late.
//: test astray
//: global 64
//: arg out int[64] = -1
//: arg many int[64] = i == 37 ? 40 : i % 30
//: arg column int[4000] = i == 37 * 40 + 39 ? 0x10000000 : i
//: arg x int[4000] = 1
//: fault
__kernel void astray(__global int *out, __global const int *many, __global const int *column,
                     __global const int *x)
{
    int r = get_global_id(0), sum = 0;
    for (int i = r * 40; i < r * 40 + many[r]; i++)
        sum += x[column[i]];
    out[r] = sum;
}

// One runs on until its memory ends.
//: test endless
//: global 64
//: arg out int[64] = -1
//: arg x int[4000] = 1
//: fault
__kernel void endless(__global int *out, __global const int *x)
{
    int r = get_global_id(0), i = r * 40, sum = 0;
    while (x[i] != r - 40) {
        sum += x[i];
        i++;
    }
    out[r] = sum;
}

// How many iterations each lane makes is known ahead: downwards, ...
//: test down
//: global 64
//: arg out int[64] = -1
//: arg last int[64] = -1
//: arg many uint[64] = i * 11 % 38
//: arg column int[4000] = i
//: arg x int[4000] = 2
//: expect out = many[i] * (many[i] + 1)
//: expect last = many[i] > 0 ? i * 40 : -7
__kernel void down(__global int *out, __global int *last, __global const uint *many,
                   __global const int *column, __global const int *x)
{
    int r = get_global_id(0), sum = 0, seen = -7;
    for (uint i = many[r]; i > 0; i--) {
        seen = column[r * 40 + i - 1];
        sum += x[seen] * i;
    }
    out[r] = sum;
    last[r] = seen;
}

// ... past the greatest int, ...
//: test above
//: global 64
//: arg out int[64] = -1
//: arg end uint[64] = -1
//: arg many uint[64] = 40 - i % 37
//: arg column int[4000] = i
//: arg x int[4000] = i
//: expect out = many[i] * (i * 40 * 2 + many[i] - 1) / 2
//: expect end = 0x7fffffec + many[i]
__kernel void above(__global int *out, __global uint *end, __global const uint *many,
                    __global const int *column, __global const int *x)
{
    uint r = get_global_id(0), i = 0x7fffffec, stop = i + many[r];
    int sum = 0;
    for (; i < stop; i++)
        sum += x[column[i - 0x7fffffec + r * 40]];
    out[r] = sum;
    end[r] = i;
}

// ... and of most lanes it is none.
//: test lonely
//: global 96
//: local 96
//: arg out int[96] = -1
//: arg column int[400] = i
//: arg x int[400] = i
//: expect out = i % 32 == 9 || i == 66 ? (i / 32 + 1) * 130 * ((i / 32 + 1) * 130 - 1) / 2 : 0
__kernel void lonely(__global int *out, __global const int *column, __global const int *x)
{
    int r = get_global_id(0), sum = 0;
    int many = r % 32 == 9 || r == 66 ? (r / 32 + 1) * 130 : 0;
    for (int i = 0; i < many; i++)
        sum += x[column[i]];
    out[r] = sum;
}

// Rows of 0 to 15 elements: lanes go through them in the order of how many those are; some are off.
//: test short_rows
//: global 128
//: arg out float[128] = -1
//: arg row int[128] = i * 7 % 128
//: arg begins int[129] = i / 16 * 120 + i % 16 * (i % 16 - 1) / 2
//: arg column int[1200] = 1199 - i
//: arg value float[1200] = 3
//: arg x float[1200] = 1199 - i
//: arg n int 119
//: expect out = i >= 119 || i % 9 == 4 ? -1 : row[i] % 16 * (begins[row[i]] * 2 + row[i] % 16 - 1) / 2 * 3
__kernel void short_rows(__global float *out, __global const int *row, __global const int *begins,
                         __global const int *column, __global const float *value,
                         __global const float *x, int n)
{
    int i = get_global_id(0), r = row[i];
    if (i >= n || i % 9 == 4) return;
    float sum = 0;
    for (int k = begins[r]; k < begins[r + 1]; k++)
        sum += value[k] * x[column[k]];
    out[i] = sum;
}

// The same to where the next row begins; all are on, columns and values lie together.
//: test to_end
//: global 128
//: local 64
//: arg out double[128] = -1
//: arg row int[128] = i * 7 % 128
//: arg begins int[129] = i / 16 * 120 + i % 16 * (i % 16 - 1) / 2
//: arg entry int2[1200] = i % 2 ? 3 : i / 2
//: arg x double[1200] = i
//: expect out = row[i] % 16 * (begins[row[i]] * 2 + row[i] % 16 - 1) / 2 * 3
__kernel void to_end(__global double *out, __global const int *row, __global const int *begins,
                     __global const int2 *entry, __global const double *x)
{
    int i = get_global_id(0), r = row[i], end = begins[r + 1];
    double sum = 0;
    for (int k = begins[r]; k != end; k++)
        sum += entry[k].y * x[entry[k].x];
    out[i] = sum;
}

// Downwards to an end, of which it is not said which of the two is more; rows of one length.
//: test from_end
//: global 64
//: arg out int[64] = -1
//: arg first int[65] = i * 30
//: arg column int[1920] = i
//: arg x int[1920] = i * 2
//: expect out = 30 * (first[i] * 2 + 29)
__kernel void from_end(__global int *out, __global const int *first, __global const int *column,
                       __global const int *x)
{
    int i = get_global_id(0), sum = 0, low = first[i];
    for (int k = first[i + 1]; low != k;) {
        k--;
        sum += x[column[k]];
    }
    out[i] = sum;
}
