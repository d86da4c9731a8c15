// A range of one dimension whose index is taken apart by / and %: the engine runs it in tiles of two
// dimensions, where the launch is large enough and the length of the rows is one.

//: test put_even
//: kernel put
//: global 32768
//: local 256
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 128 * 256 + i / 128

//: test get_even
//: kernel get
//: global 32768
//: local 256
//: arg out float[32768] = -1
//: arg in float[32768] = i
//: arg w int 256
//: arg h int 128
//: expect out = i % 256 * 128 + i / 256

//: test apart_even
//: kernel apart
//: global 32768
//: local 256
//: arg out int[32768] = -1
//: arg w int 256
//: expect out = i % 256 * 10000 + i / 256

//: test ids_even
//: kernel ids
//: global 32768
//: local 256
//: arg out int[32768] = -1
//: arg w uint 256
//: expect out = i % 256 + i / 256 * 300 + i % 256 * 1000000 + i / 256 + 256

//: test put_cut
//: kernel put
//: global 64000
//: local 64
//: arg out float[64000] = -1
//: arg in float[64000] = i
//: arg w int 200
//: arg h int 320
//: expect out = i % 320 * 200 + i / 320

//: test get_cut
//: kernel get
//: global 64000
//: local 64
//: arg out float[64000] = -1
//: arg in float[64000] = i
//: arg w int 200
//: arg h int 320
//: expect out = i % 200 * 320 + i / 200

//: test apart_cut
//: kernel apart
//: global 64000
//: local 64
//: arg out int[64000] = -1
//: arg w int 200
//: expect out = i % 200 * 10000 + i / 200

//: test ids_cut
//: kernel ids
//: global 64000
//: local 64
//: arg out int[64000] = -1
//: arg w uint 200
//: expect out = i % 200 + i / 200 * 300 + i % 64 * 1000000 + i / 64 + 64

//: test put_odd
//: kernel put
//: global 99328
//: local 32
//: arg out float[99328] = -1
//: arg in float[99328] = i
//: arg w int 97
//: arg h int 1024
//: expect out = i % 1024 * 97 + i / 1024

//: test get_odd
//: kernel get
//: global 99328
//: local 32
//: arg out float[99328] = -1
//: arg in float[99328] = i
//: arg w int 97
//: arg h int 1024
//: expect out = i % 97 * 1024 + i / 97

//: test apart_odd
//: kernel apart
//: global 99328
//: local 32
//: arg out int[99328] = -1
//: arg w int 97
//: expect out = i % 97 * 10000 + i / 97

//: test ids_odd
//: kernel ids
//: global 99328
//: local 32
//: arg out int[99328] = -1
//: arg w uint 97
//: expect out = i % 97 + i / 97 * 300 + i % 32 * 1000000 + i / 32 + 32

//: test put_ragged
//: kernel put
//: global 130000
//: local 50
//: arg out float[130000] = -1
//: arg in float[130000] = i
//: arg w int 130
//: arg h int 1000
//: expect out = i % 1000 * 130 + i / 1000

//: test get_ragged
//: kernel get
//: global 130000
//: local 50
//: arg out float[130000] = -1
//: arg in float[130000] = i
//: arg w int 130
//: arg h int 1000
//: expect out = i % 130 * 1000 + i / 130

//: test apart_ragged
//: kernel apart
//: global 130000
//: local 50
//: arg out int[130000] = -1
//: arg w int 130
//: expect out = i % 130 * 10000 + i / 130

//: test ids_ragged
//: kernel ids
//: global 130000
//: local 50
//: arg out int[130000] = -1
//: arg w uint 130
//: expect out = i % 130 + i / 130 * 300 + i % 50 * 1000000 + i / 50 + 50

// Work-items beyond the plane; a row as long as the range or longer, of no length, of less.

//: test guarded
//: kernel guarded
//: global 33280
//: local 256
//: arg out int[32768] = -1
//: arg w int 256
//: arg h int 128
//: expect out = i % 256 - i / 256

//: test apart_whole
//: kernel apart
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 32768
//: expect out = i % 32768 * 10000 + i / 32768

//: test apart_longer
//: kernel apart
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 40000
//: expect out = i % 40000 * 10000 + i / 40000

//: test apart_one
//: kernel apart
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 1
//: expect out = i % 1 * 10000 + i / 1

//: test apart_three
//: kernel apart
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 3
//: expect out = i % 3 * 10000 + i / 3

//: test apart_negative
//: kernel apart
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int -300
//: expect out = i % 300 * 10000 - i / 300

//: test last_rows
//: kernel apart
//: global 32832
//: local 64
//: arg out int[32832] = -1
//: arg w int 256
//: expect out = i % 256 * 10000 + i / 256

//: test offset
//: kernel apart
//: global 32768
//: local 64
//: offset 100
//: arg out int[32868] = -1
//: arg w int 256
//: expect out = i < 100 ? -1 : i % 256 * 10000 + i / 256

__kernel void put(__global float *out, __global const float *in, int w, int h)
{
    int x = get_global_id(0) % w, y = get_global_id(0) / w;
    out[x * h + y] = in[y * w + x];
}
__kernel void get(__global float *out, __global const float *in, int w, int h)
{
    int x = get_global_id(0) % w, y = get_global_id(0) / w;
    out[y * w + x] = in[x * h + y];
}
__kernel void apart(__global int *out, int w)
{
    int i = get_global_id(0);
    out[i] = i % w * 10000 + i / w;
}
__kernel void guarded(__global int *out, int w, int h)
{
    uint i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < w * h) {
        int x = i % w, y = i / w;
        out[y * w + x] = x - y;
    }
}
__kernel void ids(__global int *out, uint w)
{
    uint i = get_global_id(0), x = i % w, y = i / w;
    out[y * w + x] = x + y * 300 + get_local_id(0) * 1000000 + get_group_id(0) + get_local_size(0);
}

// Where memory's rows go across those of the range tiles do: such as are all whole, ends of rows, a
// last row that is not whole; ids of the launch's groups; a loop in two versions.

//: test across_even
//: kernel across
//: global 32768
//: local 256
//: arg out int[32768] = -1
//: arg w int 256
//: arg h int 128
//: expect out = i / 256 * 10000 + i % 256 + (i % 256 * 128 + i / 256) % 256

//: test across_cut
//: kernel across
//: global 64000
//: local 64
//: arg out int[64000] = -1
//: arg w int 320
//: arg h int 200
//: expect out = i / 320 * 10000 + i % 320 + (i % 320 * 200 + i / 320) % 64

//: test across_ragged
//: kernel across
//: global 130000
//: local 50
//: arg out int[130000] = -1
//: arg w int 1000
//: arg h int 130
//: expect out = i / 1000 * 10000 + i % 1000 + (i % 1000 * 130 + i / 1000) % 50

//: test across_few
//: kernel across
//: global 30000
//: local 50
//: arg out int[30000] = -1
//: arg w int 100
//: arg h int 300
//: expect out = i / 100 * 10000 + i % 100 + (i % 100 * 300 + i / 100) % 50

//: test across_guarded
//: kernel across_guarded
//: global 130048
//: local 256
//: arg out int[130000] = -1
//: arg w int 1000
//: arg h int 130
//: expect out = i / 1000 * 10000 + i % 1000

//: test across_last
//: kernel across_last
//: global 130048
//: local 256
//: arg out int[131000] = -1
//: arg h int 128
//: expect out = i < 130048 ? i : -1

__kernel void across(__global int *out, int w, int h)
{
    int x = get_global_id(0) / h, y = get_global_id(0) % h;
    out[y * w + x] = y * 10000 + x + get_local_id(0);
}
__kernel void across_guarded(__global int *out, int w, int h)
{
    int i = get_global_id(0), x = i / h, y = i % h;
    if (i >= w * h) return;
    out[y * w + x] = y * 10000 + x;
}
__kernel void across_last(__global int *out, int h)
{
    int x = get_global_id(0) / h, y = get_global_id(0) % h;
    out[y * 1016 + x] = y * 1016 + x;
}

// Lengths that are known, and of other types; three dimensions; another length besides.

//: test known
//: kernel known
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: expect out = i % 256 * 1000 + i / 256

//: test thousand
//: kernel thousand
//: global 64000
//: local 64
//: arg out int[64000] = -1
//: expect out = i % 1000 * 1000 + i / 1000

//: test wide
//: kernel wide
//: global 32768
//: local 64
//: arg out long[32768] = -1
//: arg w int 128
//: expect out = i % 128 * 100000 + i / 128

//: test narrow
//: kernel narrow
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w short 128
//: expect out = i % 128 * 1000 + i / 128

//: test rows_only
//: kernel rows_only
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 256
//: expect out = i % 256 * 1000 + i / 256

//: test space
//: kernel space
//: global 65536
//: local 64
//: arg out int[65536] = -1
//: arg w int 64
//: arg h int 32
//: expect out = i % 64 + i / 64 % 32 * 100 + i / 2048 * 10000

//: test two
//: kernel two
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 128
//: arg h int 100
//: expect out = i % 128 + i / 100 % 128 * 1000 + i % 100 * 1000000

//: test moved
//: kernel moved
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 128
//: arg n int 3
//: expect out = (i + 9) % 128 * 1000 + (i + 9) / 128 + i / 128

__kernel void known(__global int *out)
{
    int i = get_global_id(0), x = i & 255, y = i >> 8;
    out[i] = x * 1000 + y;
}
__kernel void thousand(__global int *out)
{
    int i = get_global_id(0), x = i % 1000, y = i / 1000;
    out[y * 1000 + x] = x * 1000 + y;
}
__kernel void wide(__global long *out, int w)
{
    long i = get_global_id(0), x = i % w, y = i / w;
    out[i] = x * 100000 + y;
}
__kernel void narrow(__global int *out, short w)
{
    int i = get_global_id(0), x = i % w, y = i / w;
    out[i] = x * 1000 + y;
}
__kernel void rows_only(__global int *out, int w)
{
    int i = get_global_id(0), y = i / w, x = i - y * w;
    out[i] = x * 1000 + y;
}
__kernel void space(__global int *out, int w, int h)
{
    int i = get_global_id(0), x = i % w, y = i / w % h, z = i / (w * h);
    out[(z * h + y) * w + x] = x + y * 100 + z * 10000;
}
__kernel void two(__global int *out, int w, int h)
{
    int i = get_global_id(0);
    out[i] = i % w + i / h % w * 1000 + i % h * 1000000;
}
// The index is another one when it is taken apart again.
__kernel void moved(__global int *out, int w, int n)
{
    int i = get_global_id(0), y = i / w, at = i;
    for (int k = 0; k < n; k++)
        i += 3;
    out[at] = i % w * 1000 + i / w + y;
}

// What signed / and % by a power of two become; a group's size that is known, and another one.
//: test signed_known
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: expect out = i % 256 * 1000 + i / 256

//: test of_groups
//: kernel of_groups
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 128
//: expect out = i % 128 * 1000 + i / 128

//: test of_other_groups
//: kernel of_groups
//: global 32768
//: local 128
//: arg out int[32768] = -1
//: arg w int 128
//: expect out = i >= 16448 ? -1 : i % 64 + i / 64 * 64 < 16448 ? i % 128 * 1000 + i / 128 : -1

__kernel void signed_known(__global int *out)
{
    int i = get_global_id(0), x = i % 256, y = i / 256;
    out[y * 256 + x] = x * 1000 + y;
}
__kernel void of_groups(__global int *out, int w)
{
    int i = get_group_id(0) * 64 + get_local_id(0), x = i % w, y = i / w;
    out[y * w + x] = x * 1000 + y;
}

// Each work-item once. Who does what is forbidden is told, in the group that it is in.

//: test once
//: kernel once
//: global 66592
//: local 16
//: arg out int[66592] = 0
//: arg sum int[1] = 0
//: arg w int 200
//: expect out = 1

//: test wild
//: kernel wild
//: global 32768
//: local 64
//: arg out int[32768] = -1
//: arg w int 256
//: fault global (12877,0,0) local (13,0,0) of group (201,0,0)

__kernel void once(__global int *out, __global int *sum, int w)
{
    uint i = get_global_id(0);
    atomic_inc(&out[i / w * w + i % w]);
    atomic_inc(sum);
}
__kernel void wild(__global int *out, int w)
{
    int x = get_global_id(0) % w, y = get_global_id(0) / w;
    out[x == 77 && y == 50 ? 1 << 28 : y * w + x] = x;
}

// The other way round, with what is left for a remainder, and a store in either of two loops.
//: test planes
//: global 4096
//: local 64
//: arg out int[12288] = -1
//: arg w int 64
//: arg h int 64
//: arg d int 3
//: expect out = i % 64 > 0 ? i : -i
//: test planes_of_two
//: kernel planes
//: global 4096
//: local 64
//: arg out int[24576] = -1
//: arg w int 128
//: arg h int 32
//: arg d int 6
//: expect out = i % 128 > 0 ? i : -i
__kernel void planes(__global int *out, int w, int h, int d)
{
    int id = get_global_id(0), x = id / h, y = id - h * x;
    for (int z = 0; z < d; z++) {
        int i = (z * h + y) * w + x;
        if (x > 0)
            out[i] = i;
        else
            out[i] = -i;
    }
}

// What is left of what is left.
//: test rests
//: global 1536
//: local 64
//: arg out int[1536] = -1
//: arg w int 8
//: arg h int 16
//: expect out = i / 128 * 10000 + i / 8 % 16 * 100 + i % 8
//: test rests_of_none
//: kernel rests
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg w int 0
//: arg h int 16
//: expect out = -10000 - 100 + i
__kernel void rests(__global int *out, int w, int h)
{
    int id = get_global_id(0), z = id / (w * h), r = id - z * w * h, y = r / w, x = r - y * w;
    out[id] = z * 10000 + y * 100 + x;
}

// Rows that are short, as an argument says: of a power of two, of what is no multiple of a vector, of others.
//: test short_rows
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[64] = i * i
//: arg w int 8
//: expect out = (i % 8) * (i % 8) * 3 + i / 8
//: test short_rows_of_24
//: kernel short_rows
//: global 9216
//: local 64
//: arg out int[9216] = -1
//: arg in int[64] = i * i
//: arg w int 24
//: expect out = (i % 24) * (i % 24) * 3 + i / 24
//: test short_rows_of_5
//: kernel short_rows
//: global 9600
//: local 64
//: arg out int[9600] = -1
//: arg in int[64] = i * i
//: arg w int 5
//: expect out = (i % 5) * (i % 5) * 3 + i / 5
//: test short_rows_backwards
//: kernel short_rows
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: arg in int[64] = i * i
//: arg w int -8
//: expect out = (i % 8) * (i % 8) * 3 - i / 8
__kernel void short_rows(__global int *out, __global const int *in, int w)
{
    int id = get_global_id(0), x = id % w, y = id / w;
    out[y * w + x] = in[x] * 3 + y;
}

// A quotient of a quotient, whose sign the compiler asks for.
//: test of_quotient
//: global 8192
//: local 64
//: arg out int[8192] = -1
//: expect out = i % 8 + i / 8 % 8 * 100 + i / 64 * 10000
__kernel void of_quotient(__global int *out)
{
    int id = get_global_id(0), x = id % 8, y = id / 8, z = y / 8;
    out[y * 8 + x] = x + y % 8 * 100 + z * 10000;
}
