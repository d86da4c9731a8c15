// Runs of volatile elements: each is accessed as often as it says.

//: test stored
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i * 3
//: expect out = in[i] + 1

//: test both
//: global 128
//: local 64
//: arg out uchar[512] = 9
//: arg ready int[512] = 0
//: arg in int[512] = i
//: expect out = i % 256
//: expect ready = 1

//: test summed
//: global 64
//: local 64
//: arg out int[4096] = 1
//: arg in int[4096] = i
//: arg w int = 64
//: expect out = i * 2

//: test doubled
//: global 64
//: local 64
//: arg out int[4096] = i
//: arg w int = 64
//: expect out = i * 2

//: test seen
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = i
//: expect out = i + 1

kernel void stored(global volatile int *out, global const int *in)
{
    int first = get_global_id(0) * 4;
    for (int x = first; x < first + 4; x++) out[x] = in[x] + 1;
}

kernel void both(global volatile uchar *out, global volatile int *ready, global const int *in)
{
    int first = get_global_id(0) * 4;
    for (int x = first; x < first + 4; x++) {
        out[x] = in[x];
        ready[x] = 1;
    }
}

// Rows, with a sum in memory.
kernel void summed(global volatile int *out, global const int *in, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++) {
        out[y * w + x] = 0;
        for (int k = 0; k < 2; k++) out[y * w + x] += in[y * w + x];
    }
}

kernel void doubled(global volatile int *out, int w)
{
    int y = get_global_id(0);
    for (int x = 0; x < w; x++) out[y * w + x] *= 2;
}

// What is loaded hangs on what has been stored.
kernel void seen(global volatile int *out, global volatile const int *in)
{
    int first = get_global_id(0) * 4;
    for (int x = first; x < first + 4; x++) out[x] = in[x] + 1;
}

// Some components of elements of three, whose other bytes stay what they were, also those that a lane stores twice.
//: test some_of_three
//: global 256
//: local 64
//: arg out uchar[600] = i % 251
//: arg pairs float[400] = -1
//: arg in uchar[200] = i * 3
//: arg n int 187
//: expect out = i / 3 >= 187 || i % 3 == 1 ? i % 251 : (i / 3 * 3 & 255) + (i % 3 == 2 ? 1 : 0) & 255
//: expect pairs = i / 2 < 187 && i % 2 ? i / 2 : -1
kernel void some_of_three(global volatile uchar *out, global volatile float *pairs, global const uchar *in, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    out[3 * i] = 7;
    out[3 * i] = in[i];
    out[3 * i + 2] = in[i] + 1;
    pairs[2 * i + 1] = i;
}
