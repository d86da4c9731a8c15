// switch, goto, return, break and continue, with lanes that go different ways.
//: test sw
//: global 64
//: arg out int[64] = -1
//: expect out = {100,11,32,32,4,5,6,6,6,6,6,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5,-5}
__kernel void sw(__global int *out) {
    int i = get_global_id(0), r = 0;
    switch (i) {
    case 0: r = 100; break;
    case 1: r = 1;
    /* falls */
    case 20 ... 19: 
    case 77: r += 10; break;
    case 2: case 3: r = 32; break;
    case 4: { r = 4; break; }
    default: r = -5; break;
    case 5: if (i) { r = 5; break; } r = 9; break;
    case 6 ... 10: r = 6;
    }
    out[i] = r;
}

//: test duff
//: global 64
//: arg out int[64] = 0
//: expect out = i
__kernel void duff(__global int *out) {
    int i = get_global_id(0), n = i, r = 0;
    if (n > 0) {
    int t = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { r++;
    case 3: r++;
    case 2: r++;
    case 1: r++;
            } while (--t > 0);
    }
    }
    out[i] = r;
}

//: test gotos
//: global 64
//: arg out int[64] = 0
//: expect out = i < 5 ? -1 : (i > 50 ? 7 : i * (i + 1) / 2)
__kernel void gotos(__global int *out) {
    int i = get_global_id(0), s = 0, j = 0;
    if (i < 5) goto fail;
again:
    s += j;
    if (j++ < i) goto again;
    if (i > 50) { for (int k = 0; k < 10; k++) if (k == 7) { s = k; goto done; } }
    goto done;
fail:
    s = -1;
done:
    out[i] = s;
}

//: test rets
//: global 64
//: arg out int[64] = 0
//: expect out = i < 10 ? i * 2 : (i % 2 ? i + 100 : -i)
int f(int x) {
    if (x < 10) return x * 2;
    for (int k = 0; k < 100; k++) {
        if (k == x) { if (x & 1) return k + 100; else break; }
    }
    return -x;
}
__kernel void rets(__global int *out) { int i = get_global_id(0); out[i] = f(i); }

//: test nested
//: global 16
//: arg out int[16] = 0
//: expect out = i * 12 - (i > 3 ? 4 : 0)
__kernel void nested(__global int *out) {
    int i = get_global_id(0), s = 0;
    for (int a = 0; a < 3; a++) {
        int b = 0;
        while (true) {
            if (b == 4) break;
            b++;
            if (i > 3 && a == 1 && b <= 4) { s += i - 1; continue; }
            s += i;
        }
    }
    out[i] = s;
}

//: test loops
//: global 64
//: arg out int[64] = -1
//: expect out = i % 7 == 3 ? 1000 + i : i * (i - 1) / 2
__kernel void loops(__global int *out) {
    int i = get_global_id(0), s = 0;
    for (int j = 0; j < i; j++) s += j;
    if (i % 7 == 3) s = 1000 + i;
    out[i] = s;
}

//: test backward
//: global 64
//: arg out int[64] = 0
//: expect out = i < 10 ? i * 3 : i
__kernel void backward(__global int *out) {
    int i = get_global_id(0), n = 0, s = 0;
outer:
    if (n == 3) goto end;
    n++;
    for (int k = 0; k < 100; k++) {
        if (i >= 10) { s = i; goto end; }
        if (k == i) goto outer;
        s++;
    }
end:
    out[i] = s;
}

//: test into_loop
//: global 32
//: arg out int[32] = 0
//: expect out = i % 2 ? 10 - (i & 7) : 10
// A goto into the body of a loop skips its first part once.
__kernel void into_loop(__global int *out) {
    int i = get_global_id(0), k = 0, s = 0;
    if (i & 1) { k = i & 7; goto inside; }
    while (k < 10) {
inside:
        s++;
        k++;
    }
    out[i] = s;
}

//: test switch_in_loop
//: global 32
//: arg out int[32] = 0
//: expect out = i % 4 == 0 ? 5 : (i % 4 == 1 ? 105 : (i % 4 == 2 ? 3 : 15))
__kernel void switch_in_loop(__global int *out) {
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < 5; k++) {
        switch (i & 3) {
        case 1: if (k == 4) s += 100;
        case 0: s++; continue;
        case 2: if (k == 3) goto leave; s++; break;
        default: s += 3;
        }
    }
leave:
    out[i] = s;
}

//: test many_cases
//: global 128
//: arg out int[128] = 0
//: expect out = i < 120 ? (i % 2 ? 1000 : i + 1000) : -1
// More cases than are nested.
#define TWO(n) case n: s += n; case n + 1: s += 1000; break;
#define TEN(n) TWO(n) TWO(n + 2) TWO(n + 4) TWO(n + 6) TWO(n + 8)
__kernel void many_cases(__global int *out) {
    int i = get_global_id(0), s = 0;
    switch (i) {
        TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) TEN(60) TEN(70) TEN(80) TEN(90) TEN(100) TEN(110)
    default: s = -1;
    }
    out[i] = s;
}

//: test long_chain
//: global 32
//: arg out int[32] = 0
//: expect out = i < 20 ? i * i : -i
int square(int x) {
    if (x == 0) return 0; else if (x == 1) return 1; else if (x == 2) return 4;
    else if (x == 3) return 9; else if (x == 4) return 16; else if (x == 5) return 25;
    else if (x == 6) return 36; else if (x == 7) return 49; else if (x == 8) return 64;
    else if (x == 9) return 81; else if (x == 10) return 100; else if (x == 11) return 121;
    else if (x == 12) return 144; else if (x == 13) return 169; else if (x == 14) return 196;
    else if (x == 15) return 225; else if (x == 16) return 256; else if (x == 17) return 289;
    else if (x == 18) return 324; else if (x == 19) return 361; else return -x;
}
__kernel void long_chain(__global int *out) { out[get_global_id(0)] = square(get_global_id(0)); }

//: test tail_calls
//: global 32
//: arg out int[32] = 7
//: expect out = i < 5 ? 7 : (i == 9 ? 90 : i + 1)
int inner(int x) { if (x == 9) return 90; return x + 1; }
int middle(int x) { if (x > 1000) return 0; return inner(x); }
void store(__global int *out, int x) { if (x < 5) return; out[x] = middle(x); }
__kernel void tail_calls(__global int *out) { store(out, get_global_id(0)); }

// Counters that lanes take with them out of their loop: each keeps its own.
//: test counters_kept
//: global 64
//: arg a int[64] = i * 7 % 13
//: arg out int[192] = -1
//: expect out = i < 64 ? i % 13 : i < 128 ? (i - 64) % 5 * 3 + 3 : 2 * ((i - 128) % 7) + 20
__kernel void counters_kept(__global const int *a, __global int *out) {
    int i = get_global_id(0), p = 0, q = 0, r = 20;
    while (p < 13 && a[p] != a[i])
        p++;
    out[i] = p;
    for (;; q += 3) {
        if (q > i % 5 * 3) break;
        if (q & 1) continue;
    }
    out[i + 64] = q;
    for (int k = 0; k < 7; k++) {
        for (int s = k; s < k + 1 && k < i % 7; s++)
            r += 2;
    }
    out[i + 128] = r;
}

// Warps of one group that turn differently often in loops that only compute; values of a whole warp
// stay as they were when its last lane left.
//: test warps_apart
//: global 128
//: local 64
//: arg out int[384] = -1
//: expect out = i < 128 ? i % 32 + i % 64 / 32 * 100 : i < 256 ? (i % 64 < 32 ? 3 : 203) : (i % 32 + 1) / 2 * 3 + (i % 64 < 32 ? 0 : (i % 32 / 2 + 1) * 5)
__kernel void warps_apart(__global int *out) {
    int i = get_global_id(0), lane = get_local_id(0) & 31, warp = get_local_id(0) >> 5;
    int n = 0, turns = 0, sum = 0, last = lane + 100 * warp;
    while (n < last)
        n++;
    out[i] = n;
    while (turns < 3 + 200 * warp)
        turns++;
    out[i + 128] = turns;
    for (int t = 0;; t++) {
        if (t > lane) break;
        if (t & 1) {
            sum += 3;
            continue;
        }
        if (warp)
            sum += 5;
        else if (t == lane && !(lane & 1))
            break;
    }
    out[i + 256] = sum;
}

// A loop between barriers with more vectors than registers hold for all warps.
//: test barriers_around
//: global 256
//: local 128
//: arg t local 512
//: arg out int[2048] = -1
//: expect out = 2 * (120 + 8128 + 128 * (i % 8)) + 256 * (i / 8 % 128) * (i % 8 + 1)
__kernel void barriers_around(__local int *t, __global int *out) {
    int id = get_local_id(0);
    int8 mine = id * (int8)(1, 2, 3, 4, 5, 6, 7, 8), sum = 240, more = (int8)(0, 1, 2, 3, 4, 5, 6, 7);
    for (int r = 0; r < 2; r++) {
        t[id] = id;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 128; j++)
            sum += t[j] + mine + more;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    vstore8(sum, get_global_id(0), out);
}

// Small loops that step through memory, left by each lane at a turn of its own.
//: test stepping
//: global 64
//: arg a int[256] = i % 37
//: arg out int[192] = -1
//: expect out = i < 64 ? i % 37 * (i % 37 - 1) / 2 : i < 128 ? (37 - (i - 64) % 37) % 37 : (i - 128) % 11
__kernel void stepping(__global const int *a, __global int *out) {
    int i = get_global_id(0), sum = 0, far = 0, zeros = 0;
    for (int j = 0; j < i % 37; j++)
        sum += a[j];
    out[i] = sum;
    for (__global const int *p = a + i; *p; p++)
        far++;
    out[i + 64] = far;
    for (int r = 0; r < i % 11; r++)
        for (int j = r; j < 40; j++) {
            if (a[j + 40]) continue;
            zeros++;
            if (j >= r) break;
        }
    out[i + 128] = zeros;
}
