// Loops that lanes leave at about the same time, with loops and branches in them: several elements each, in a run or
// with the range between them.

//: test runs
//: kernel runs
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i
//: arg from int 0
//: expect out = i * 10 + 45 + (i % 5 == 3 ? 7 : 0)

//: test runs_partial
//: kernel runs
//: global 60
//: local 20
//: arg out int[256] = -1
//: arg in int[256] = i
//: arg from int 0
//: expect out = i >= 240 ? -1 : i * 10 + 45 + (i % 5 == 3 ? 7 : 0)

// A work-item whose x and end lie on both sides of the largest int has nothing to do.
//: test runs_wrapped
//: kernel runs
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i
//: arg from int 2147483388
//: expect out = i / 4 == 64 ? -1 : i * 10 + 45 + (i % 5 == 3 ? 7 : 0)
__kernel void runs(__global int *out, __global const int *in, int from)
{
    for (int x = get_global_id(0) * 4 + from, end = x + 4; x < end; x++) {
        int sum = 0, at = (int)((uint)x - (uint)from);
        for (int k = 0; k < 10; k++)
            sum += in[at] + k;
        if (at % 5 == 3)
            sum += 7;
        out[at] = sum;
    }
}

// Rows with the range as step, and columns of them likewise; lanes and warps leave both at different times.
//: test strides
//: kernel strides
//: global 32 8
//: local 16 8
//: arg out int[1000] = -1
//: arg in int[1000] = i
//: arg w int 37
//: arg h int 21
//: expect out = i < 777 ? i % 21 * 37 + i / 21 + 10 * (i % 3 == 0) : -1

//: test strides_even
//: kernel strides
//: global 32 8
//: local 16 8
//: arg out int[2048] = -1
//: arg in int[2048] = i
//: arg w int 64
//: arg h int 32
//: expect out = i % 32 * 64 + i / 32 + 10 * (i % 3 == 0)

//: test strides_narrow
//: kernel strides
//: global 16 16
//: local 8 8
//: arg out int[1000] = -1
//: arg in int[1000] = i
//: arg w int 37
//: arg h int 21
//: expect out = i < 777 ? i % 21 * 37 + i / 21 + 10 * (i % 3 == 0) : -1

//: test strides_partial
//: kernel strides
//: global 20 6
//: local 10 3
//: arg out int[1000] = -1
//: arg in int[1000] = i
//: arg w int 37
//: arg h int 21
//: expect out = i < 777 ? i % 21 * 37 + i / 21 + 10 * (i % 3 == 0) : -1
__kernel void strides(__global int *out, __global const int *in, int w, int h)
{
    for (int y = get_global_id(1); y < h; y += get_global_size(1))
        for (int x = get_global_id(0); x < w; x += get_global_size(0)) {
            int v = in[y * w + x];
            if ((x * h + y) % 3 == 0)
                v += 10;
            out[x * h + y] = v;
        }
}

// What lanes have counted is wanted behind the loop, and lanes go on by themselves in it.
//: test kept
//: global 256
//: local 128
//: arg out int[1024] = -1
//: arg rounds int[256] = -1
//: arg n int 1000
//: expect out = i < 1000 ? i % 5 * i : -1
//: expect rounds = i < 232 ? 4 : 3
__kernel void kept(__global int *out, __global int *rounds, int n)
{
    int count = 0, id = get_global_id(0);
    for (int x = id; x < n; x += get_global_size(0)) {
        int sum = 0;
        for (int k = x % 5; k > 0; k--)
            sum += x;
        out[x] = sum;
        count++;
    }
    rounds[id] = count;
}
