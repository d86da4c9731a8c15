// What goes on from one run to the next, as a pointer through nested loops does, is where it has
// come to when the inner loop begins again.

//: test pointers
//: global 96
//: local 32
//: arg in float[96] = i
//: arg out float[864] = -1
//: arg d int 3
//: expect out = i / 9 + (i % 9) * 100
kernel void pointers(global const float *in, global float *out, int d)
{
    int x = get_global_id(0);
    global float *o = out + d * d * x;
    for (int j = 0; j < d; ++j)
        for (int i = 0; i < d; ++i) {
            *o = in[x] + (j * d + i) * 100;
            ++o;
        }
}

// Of a length that is known, in a loop that all lanes go through as often.
//: test runs
//: global 96
//: local 32
//: arg in float[96] = i
//: arg out float[1152] = -1
//: arg d int 3
//: expect out = i / 12 + (i % 12) * 100
kernel void runs(global const float *in, global float *out, int d)
{
    int x = get_global_id(0), at = d * 4 * x;
    for (int j = 0; j < d; ++j)
        for (int i = 0; i < 4; ++i) out[at++] = in[x] + (j * 4 + i) * 100;
}

// By columns, through three loops, and begun anew in the outer one.
//: test columns
//: global 96
//: local 32
//: arg out float[2304] = -1
//: arg again float[576] = -1
//: arg d int 3
//: expect out = i % 96 + (i / 96) * 100
//: expect again = 1000 + i / 6 + (i % 6) * 100
kernel void columns(global float *out, global float *again, int d)
{
    int x = get_global_id(0), w = get_global_size(0);
    global float *o = out + x;
    float k = 0;
    for (int j = 0; j < 2; ++j) {
        global float *p = again + 2 * d * x;
        for (int i = 0; i < d; ++i) {
            for (int h = 0; h < 2; h++) *p++ = j * 1000 + x + (2 * i + h) * 100;
            int h = 0;
            while (h < d + 1) {
                *o = x + k * 100;
                o += w;
                k += 1;
                h++;
            }
        }
    }
}

// A counter that is compared and then stepped, and goes on where the loop was left.
//: test compared
//: global 64
//: local 32
//: arg out int[640] = -1
//: arg d int 3
//: expect out = 100 * (i / 10) + 13 - i % 10 - (i % 10 > 3) - (i % 10 > 6)
kernel void compared(global int *out, int d)
{
    int x = get_global_id(0), at = 14, p = 10 * x;
    for (int j = 0; j < d; j++)
        while (at-- > 10 - 4 * j) out[p++] = 100 * x + at;
}

// Steps that are put together are made by who leaves the loop behind them, too.
//: test stepped
//: global 64
//: local 32
//: arg in float[64] = i
//: arg out float[1920] = -1
//: arg n int 5
//: expect out = i / 30 + (i % 30) * 100
kernel void stepped(global const float *in, global float *out, int n)
{
    int x = get_global_id(0);
    float k = 0;
    global float *o = out + x * 30;
    for (int j = 0; j < 3; j++) {
        int i = 0;
        do {
            for (int h = 0; h < 2; h++) {
                *o = in[x] + k * 100;
                o += 1;
                k += 1;
            }
        } while (++i < n);
    }
}

// A counter of 16 bits that is one of 32 in its loop, and goes on when that is come to again.
//: test briefly
//: global 64
//: local 32
//: arg out int[576] = -1
//: arg d int 3
//: expect out = 100 * (i / 9) + i % 9
kernel void briefly(global int *out, int d)
{
    int x = get_global_id(0), p = 9 * x;
    short at = 0;
    for (int j = 0; j < d; j++)
        while (at < (j + 1) * 3) {
            out[p++] = 100 * x + at;
            at++;
        }
}
