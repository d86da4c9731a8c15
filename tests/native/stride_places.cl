// Loops in strides of the ND-range, of which one iteration knows what another one was.

// What an iteration of the inner loop hands on to the next one, though the outer one has set it.
//: test handed_on
//: global 16 4
//: local 8 2
//: arg out int[2000] = -1
//: arg in int[2000] = i * 3
//: arg w int 50
//: arg h int 40
//: expect out = i % 50 < 16 ? i / 50 : (i - 16) * 3
__kernel void handed_on(__global int *out, __global const int *in, int w, int h)
{
    for (int y = get_global_id(1); y < h; y += get_global_size(1)) {
        int before = y;
        for (int x = get_global_id(0); x < w; x += get_global_size(0)) {
            out[y * w + x] = before;
            before = in[y * w + x];
        }
    }
}

// The counter was something else before.
//: test reused
//: global 64
//: local 16
//: arg out int[1000] = -1
//: arg n int 1000
//: arg from int 20
//: expect out = 21 + i / 64 * 64
__kernel void reused(__global int *out, int n, int from)
{
    int i = from;
    if (n > 3)
        i++;
    int at = i;
    i = get_global_id(0);
    for (; i < n; i += get_global_size(0)) {
        out[i] = at;
        at += get_global_size(0);
    }
}

// One work-item of a group keeps account; by its place, or by the group's size.
//: test accounts
//: global 64
//: local 64
//: arg out int[400000] = -1
//: arg sums int[2] = 0
//: arg n int 400000
//: expect out = i + 1
//: expect sums = i ? 6250 : 12500
__kernel void accounts(__global int *out, __global int *sums, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        out[i] = i + 1;
        if (get_local_id(0) == 3)
            sums[0] += 2;
        if (i % 64 == 63 && get_local_size(0) == 64)
            sums[1]++;
    }
}

// Nothing is done.
//: test idle
//: global 64
//: local 64
//: arg out int[64] = i
//: arg n int 200
//: expect out = i
__kernel void idle(__global int *out, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        if (n != n)
            out[i] = 0;
}
