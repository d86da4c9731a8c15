// Runs of elements that end at a bound, by a return or a break that the compiler has written out: each element is in
// the other part of the `if` of the one before.

//: test returned
//: global 128
//: local 64
//: arg out int[512] = -1
//: arg in int[512] = 3 * i
//: arg n int 459
//: expect out = i < 459 ? 3 * i + 1 : -1
kernel void returned(global int *out, global const int *in, int n) {
    int first = 4 * get_global_id(0);
    for (int q = 0; q < 4; q++) {
        int i = first + q;
        if (i >= n) return;
        out[i] = in[i] + 1;
    }
}

// Two results, of which one is stored under a condition, as the last of what a copy does.
//: test broken
//: global 96
//: local 96
//: arg out int[768] = -1
//: arg odd int[768] = -1
//: arg in int[768] = i
//: arg n uint 701
//: expect out = i < 701 ? 2 * i : -1
//: expect odd = i < 701 && i % 3 == 1 ? i : -1
kernel void broken(global int *out, global int *odd, global const int *in, uint n) {
    uint first = 8 * get_global_id(0);
    for (uint q = 0; q < 8; q++) {
        uint i = first + q;
        if (!(i < n)) break;
        out[i] = 2 * in[i];
        if (in[i] % 3 == 1) odd[i] = in[i];
    }
}

//: test by_hand
//: global 64
//: local 32
//: arg out float[192] = -1
//: arg in float[192] = i
//: arg n int 161
//: expect out = i < 161 ? i * 0.5 : -1
kernel void by_hand(global float *out, global const float *in, int n) {
    int i = 3 * get_global_id(0);
    if (i < n) {
        out[i] = in[i] * 0.5f;
        if (i + 1 < n) {
            out[i + 1] = in[i + 1] * 0.5f;
            if (i + 2 < n) out[i + 2] = in[i + 2] * 0.5f;
        }
    }
}

// The first work-item's index is beyond the bound, and wraps around before its run ends.
//: test wrapped
//: global 32
//: local 32
//: arg out int[128] = -1
//: arg off uint 4294967294
//: arg n uint 100
//: expect out = i < 2 || i >= 100 ? -1 : 7 * i
kernel void wrapped(global int *out, uint off, uint n) {
    uint first = 4 * get_global_id(0) + off;
    for (uint q = 0; q < 4; q++) {
        uint i = first + q;
        if (i >= n) return;
        out[i] = 7 * (int)i;
    }
}

// Each copy reads what the one before has stored: the buffers are one.
//: test shared
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in same out
//: arg n int 201
//: expect out = i < 201 ? i % 4 + 1 : -1
kernel void shared(global int *out, global const int *in, int n) {
    int first = 4 * get_global_id(0);
    for (int q = 0; q < 4; q++) {
        int i = first + q;
        if (i >= n) break;
        out[i] = (q ? in[i - 1] : 0) + 1;
    }
}

// What is found behind: how far each came, and the last element of it.
//: test found
//: global 64
//: local 64
//: arg out int[256] = 0
//: arg count int[64] = -1
//: arg last int[64] = -1
//: arg n int 150
//: expect out = i < 150 ? i : 0
//: expect count = i < 37 ? 4 : i == 37 ? 2 : 0
//: expect last = i < 37 ? 8 * i + 6 : i == 37 ? 298 : 0
kernel void found(global int *out, global int *count, global int *last, int n) {
    int first = 4 * get_global_id(0), done = 0, twice = 0;
    for (int q = 0; q < 4; q++) {
        int i = first + q;
        if (i >= n) break;
        twice = 2 * i;
        out[i] = i;
        done++;
    }
    count[get_global_id(0)] = done;
    last[get_global_id(0)] = twice;
}

// Elements themselves end runs.
//: test ended
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg in int[256] = i % 7 == 5 ? 0 : i + 1
//: expect out = i % 7 == 5 || (i % 4 > 0 && (i - 1) % 7 == 5) || (i % 4 > 1 && (i - 2) % 7 == 5) || (i % 4 > 2 && (i - 3) % 7 == 5) ? -1 : i
kernel void ended(global int *out, global const int *in) {
    int first = 4 * get_global_id(0);
    for (int q = 0; q < 4; q++) {
        int x = in[first + q];
        if (!x) break;
        out[first + q] = x - 1;
    }
}

// They end in the middle of what a copy does.
//: test halfway
//: global 64
//: local 64
//: arg out int[256] = -1
//: arg other int[256] = -1
//: arg n int 130
//: expect out = i <= 130 || i % 4 == 0 ? i : -1
//: expect other = i < 130 ? 2 * i : -1
kernel void halfway(global int *out, global int *other, int n) {
    int first = 4 * get_global_id(0);
    for (int q = 0; q < 4; q++) {
        int i = first + q;
        out[i] = i;
        if (i >= n) return;
        other[i] = 2 * i;
    }
}

// Rows end, too: that is asked with the first element's bound, and by each element with its own.
//: test in_rows
//: global 32 20
//: local 16 2
//: arg out int[2400] = -1
//: arg w int 117
//: arg h int 19
//: expect out = i < 2223 ? 2 * i : -1
kernel void in_rows(global int *out, int w, int h) {
    int first = 4 * get_global_id(0), y = get_global_id(1);
    if (y >= h) return;
    for (int q = 0; q < 4; q++) {
        int x = first + q;
        if (x >= w) return;
        out[y * w + x] = 2 * (y * w + x);
    }
}

//: test rows_and_elements
//: global 64 20
//: local 32 2
//: arg out int[2400] = -1
//: arg w int 117
//: arg h int 19
//: expect out = i < 2223 ? 3 * i : -1
kernel void rows_and_elements(global int *out, int w, int h) {
    int first = 2 * get_global_id(0), y = get_global_id(1);
    for (int q = 0; q < 2; q++) {
        int x = first + q;
        if (x >= w || y >= h) break;
        out[y * w + x] = 3 * (y * w + x);
    }
}

//: test rows_by_hand
//: global 64 20
//: local 64 1
//: arg out int[2400] = -1
//: arg w int 117
//: arg h int 19
//: expect out = i < 2223 ? 5 * i : -1
kernel void rows_by_hand(global int *out, int w, int h) {
    int x = 2 * get_global_id(0), y = get_global_id(1);
    if (y < h && x < w) {
        out[y * w + x] = 5 * (y * w + x);
        if (x + 1 < w) out[y * w + x + 1] = 5 * (y * w + x + 1);
    }
}
