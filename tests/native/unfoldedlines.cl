// Loops through a line that each work-item has: a work-item for each element does the same, where none accesses what another one stores.
//: test lines
//: global 24
//: local 8
//: arg out int[1512] = -1
//: arg in int[1512] = i
//: arg w int 63
//: expect out = i * 3 + i / 63
//: test short_lines
//: kernel lines
//: global 24
//: local 8
//: arg out int[96] = -1
//: arg in int[96] = i
//: arg w int 4
//: expect out = i * 3 + i / 4
//: test no_lines
//: kernel lines
//: global 24
//: local 8
//: arg out int[24] = -1
//: arg in int[24] = i
//: arg w int -4
//: expect out = -1
//: test lines_from
//: kernel lines
//: global 21
//: local 7
//: offset 3
//: arg out int[960] = -1
//: arg in int[960] = i
//: arg w int 40
//: expect out = i < 120 ? -1 : i * 3 + i / 40
//: test lines_in_place
//: kernel lines
//: global 24
//: local 8
//: arg out int[1512] = i
//: arg in same out
//: arg w int 63
//: expect out = i * 3 + i / 63
__kernel void lines(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        out[y * w + x] = in[y * w + x] * 3 + y;
}

// In two dimensions, of which the launch's second is the third then; what stands round the loop.
//: test planes
//: global 6 5
//: local 3 1
//: arg out int[1110] = -1
//: arg in int[37] = i * 1000
//: arg w int 37
//: arg most int 4
//: expect out = i / 37 / 6 < 4 && i / 37 % 6 < 5 ? i % 37 * 1000 + i / 37 : -1
__kernel void planes(__global int *out, __global const int *in, int w, int most)
{
    int y = get_global_id(0), z = get_global_id(1), rows = get_global_size(0);
    if (y >= rows - 1)
        return;
    if (z < most) {
        __global int *line = out + (z * rows + y) * w;
        for (int x = 0; x < w; x++)
            line[x] = in[x] + z * rows + y;
    }
}

// Pointers that go along, ifs and a loop inside, a border.
//: test along
//: global 20
//: local 10
//: arg out int[800] = -1
//: arg in uchar[800] = i % 251
//: arg w uint 40
//: expect out = i % 40 == 0 || i % 40 == 39 ? 7 : (i - 1) % 251 + i % 251 + (i + 1) % 251
__kernel void along(__global int *out, __global const uchar *in, uint w)
{
    uint y = get_global_id(0);
    out += y * w;
    in += y * w;
    for (uint x = 0; x < w; x++, in++) {
        int sum = 0;
        if (x == 0 || x == w - 1) {
            sum = 7;
        } else {
            for (int k = -1; k < 2; k++)
                sum += in[k];
        }
        *out++ = sum;
    }
}

// Elements of several components, and several lines.
//: test several
//: global 16
//: local 16
//: arg first int[1056] = -1
//: arg second int[528] = -1
//: arg in int[528] = i
//: arg w int 33
//: expect first = i % 2 ? -(i / 2) : i / 2
//: expect second = i + 5
__kernel void several(__global int2 *first, __global int *second, __global const int *in, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++) {
        int v = in[y * w + x];
        first[y * w + x] = (int2)(v, -v);
        second[y * w + x] = v + 5;
    }
}

// A matrix product with a row for each work-item.
//: test product
//: global 16
//: local 8
//: arg c int[512] = -1
//: arg a int[320] = i % 7
//: arg b int[640] = i % 32 == i / 32 ? 1 : 0
//: arg n int 32
//: arg m int 20
//: expect c = i % 32 < 20 ? (i / 32 * 20 + i % 32) % 7 : 0
__kernel void product(__global int *c, __global const int *a, __global const int *b, int n, int m)
{
    int y = get_global_id(0);
    for (int x = 0; x < n; x++) {
        int sum = 0;
        for (int k = 0; k < m; k++)
            sum += a[y * m + k] * b[k * n + x];
        c[y * n + x] = sum;
    }
}

// What iterations hand on, by a register or by memory.
//: test running
//: global 16
//: local 16
//: arg out int[640] = -1
//: arg in int[640] = 1
//: arg w int 40
//: expect out = i % 40 + 1
__kernel void running(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(0), sum = 0;
    for (int x = 0; x < w; x++) {
        sum += in[y * w + x];
        out[y * w + x] = sum;
    }
}

//: test reads_left
//: global 16
//: local 16
//: arg out int[640] = i % 40 == 0 ? i : -1
//: arg w int 40
//: expect out = i / 40 * 40 + i % 40
__kernel void reads_left(__global int *out, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        if (x > 0)
            out[y * w + x] = out[y * w + x - 1] + 1;
}

//: test reads_first
//: global 16
//: local 16
//: arg out int[640] = i % 40 == 0 ? 100 : i
//: arg w int 40
//: expect out = 101
__kernel void reads_first(__global int *out, int w)
{
    int y = get_global_id(0), first = out[y * w];
    for (int x = 0; x < w; x++)
        out[y * w + x] = first + 1;
}

//: test overlapping
//: global 4
//: local 4
//: arg out int[64] = -1
//: arg w int 32
//: expect out = i % 2 ? -1 : i / 2
__kernel void overlapping(__global int *out, int w)
{
    int y = get_global_id(0);
    if (y == 0)
        for (int x = 0; x < w; x++)
            out[2 * x] = x;
}

//: test leaves
//: global 16
//: local 16
//: arg out int[640] = -1
//: arg w int 40
//: expect out = i % 40 < 20 + i / 40 ? i : -1
__kernel void leaves(__global int *out, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++) {
        if (x >= 20 + y)
            break;
        out[y * w + x] = y * w + x;
    }
}

//: test behind
//: global 16
//: local 16
//: arg out int[640] = -1
//: arg ends int[16] = -1
//: arg w int 40
//: expect out = i
//: expect ends = 40
__kernel void behind(__global int *out, __global int *ends, int w)
{
    int y = get_global_id(0), x;
    for (x = 0; x < w; x++)
        out[y * w + x] = y * w + x;
    ends[y] = x;
}

// Places in the group.
//: test places
//: global 32
//: local 8
//: arg out int[1280] = -1
//: arg w int 40
//: expect out = i / 40 % 8
__kernel void places(__global int *out, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        out[y * w + x] = get_local_id(0);
}

// Who went astray is told as it was launched.
//: test astray
//: global 32
//: local 16
//: arg out int[1280] = -1
//: arg in int[40] = i
//: arg w int 40
//: fault line 252, work-item global (19,0,0) local (3,0,0) of group (1,0,0)
__kernel void astray(__global int *out, __global const int *in, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        out[y * w + x] = in[y == 19 && x == 30 ? 0x10000000 : x];
}

// Planes: what is stored in a loop inside lies apart, as far as an argument says; also from the index that groups make.
//: test line_of_planes
//: global 12
//: local 4
//: arg out int[1440] = -1
//: arg in int[1440] = i
//: arg w int 40
//: arg h int 12
//: arg d int 3
//: expect out = i * 2 + i / 480
__kernel void line_of_planes(__global int *out, __global const int *in, int w, int h, int d)
{
    int y = get_group_id(0) * get_local_size(0) + get_local_id(0);
    for (int x = 0; x < w; x++)
        for (int c = 0; c < d; c++) {
            int i = (c * h + y) * w + x;
            out[i] = in[i] * 2 + c;
        }
}

// Pixels of so many elements as an argument says; where that is much, and where there are none.
//: test line_of_pixels
//: global 12
//: local 4
//: arg out int[1440] = -1
//: arg in int[1440] = i
//: arg w int 40
//: arg d int 3
//: expect out = i * 2 + i % 3
//: test line_of_wide_pixels
//: kernel line_of_pixels
//: global 2
//: local 2
//: arg out int[1440] = -1
//: arg in int[1440] = i
//: arg w int 24
//: arg d int 30
//: expect out = i * 2 + i % 30
//: test line_of_no_pixels
//: kernel line_of_pixels
//: global 12
//: local 4
//: arg out int[1440] = -1
//: arg in int[1440] = i
//: arg w int 40
//: arg d int 0
//: expect out = -1
//: test line_of_pixels_in_place
//: kernel line_of_pixels
//: global 12
//: local 4
//: arg out int[1440] = i
//: arg in same out
//: arg w int 40
//: arg d int 3
//: expect out = i * 2 + i % 3
__kernel void line_of_pixels(__global int *out, __global const int *in, int w, int d)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++)
        for (int c = 0; c < d; c++) {
            int i = (y * w + x) * d + c;
            out[i] = in[i] * 2 + c;
        }
}

// One iteration stores what the next one reads: no lanes.
//: test chained_planes
//: global 12
//: local 4
//: arg out int[1440] = 1
//: arg w int 40
//: arg h int 12
//: arg d int 3
//: expect out = i % 40 + 1
__kernel void chained_planes(__global int *out, int w, int h, int d)
{
    int y = get_global_id(0);
    for (int x = 1; x < w; x++)
        for (int c = 0; c < d; c++)
            out[(c * h + y) * w + x] += out[(c * h + y) * w + x - 1];
}
