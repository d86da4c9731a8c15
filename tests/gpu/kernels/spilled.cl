/* Values that find no register are kept in private memory, and nothing changes but that. */
//: options -cl-nv-maxrregcount=10
//: requires doubles

//: test straight
//: global 40
//: local 20
//: arg x float[1280] = i % 17 + 1
//: expect x = 3 * (i % 17 + 1) - ((i + 1) % 17 + 1) * (i % 32 < 31) - (i - 31 < 0 ? 0 : (i - 31) % 17 + 1) * (i % 32 == 31)
/* 32 values live in 10 registers: each of 2 warps puts 22 of them away at least, and reads each again. Of its 20 lanes 16
   make one transaction of 64 bytes, 4 one of 32. */
//: expect local_store >= 44
//: expect local_load >= 44
//: expect local_load_transactions + local_store_transactions == 2 * (local_load + local_store)
//: expect local_load_moved + local_store_moved == 96 * (local_load + local_store)
kernel void straight(global float *x) {
    float v[32];
    int at = get_global_id(0) * 32;
#pragma unroll
    for (int i = 0; i < 32; i++) v[i] = x[at + i];
#pragma unroll
    for (int i = 0; i < 32; i++) x[at + i] = 3 * v[i] - v[(i + 1) % 32];
}

//: test round
//: global 64
//: local 32
//: arg x uint[64] = i
//: arg n int 5
//: expect x = 90 * i + 150
kernel void round(global uint *x, int n) { /* values that live through a loop */
    uint i = get_global_id(0), a = i, b = i + 1, c = i + 2, d = i + 3, e = i + 4, f = i + 5, g = i + 6;
    uint h = i + 7, k = i + 8, l = i + 9, m = i + 10, s = 0;
    for (int r = 0; r < n; r++) {
        if ((i + r) & 1)
            s += a + b + c + d + e + f + g + h;
        else
            s += h + a + b + c + d + e + f + g;
        s += (k + l + m) * 3 - (k + l + m) * 2 + (a + b + c + d + e + f + g + h) * 2 - 3 * (k + l + m);
        a++, b--;
    }
    x[i] = s;
}

//: test wide
//: global 32
//: arg x double[32] = i
//: arg y long[32] = i * 3
//: expect x = i * 21 + 56
//: expect y = i * 24 + 28
kernel void wide(global double *x, global long *y) {
    int i = get_global_id(0);
    double a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5;
    long p = y[i], q = p + 1, r = p + 2, s = p + 3, t = p + 4, u = p + 5, v = p + 6, w = p + 7;
    x[i] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f - 14;
    y[i] = p + q + r + s + t + u + v + w;
}

//: test unwritten
//: global 64
//: arg x int[64] = i
//: expect x = i % 3 == 0 ? 145 + i : 36 + i
//: expect local_load > 0
//: expect local_store > 0
kernel void unwritten(global int *x) { /* what is not always written begins somewhere */
    int i = get_global_id(0), a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, k = 8;
    if (i % 3 == 0) a = i + 1, b = i + 2, c = i + 3, d = i + 4, e = i + 5, f = i + 6, g = 100 - 6 * i + 24;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = a + b + c + d + e + f + g + h + k + i - (i % 3 == 0 ? 15 : 0);
}

//: test narrow
//: model gtx280
//: global 1
//: arg y char[1024] = 1
//: arg from char[4] = i + 1
//: expect y = i % 4 + 1
#define EACH_4(F, n) F(n) F(n + 1) F(n + 2) F(n + 3)
#define EACH_16(F, n) EACH_4(F, n) EACH_4(F, n + 4) EACH_4(F, n + 8) EACH_4(F, n + 12)
#define EACH_64(F, n) EACH_16(F, n) EACH_16(F, n + 16) EACH_16(F, n + 32) EACH_16(F, n + 48)
#define STORE(n) y[n] = x;
kernel void narrow(global char4 *y, global const char *from) { /* addresses of many stores take few registers */
    char4 x = vload4(0, from);
    EACH_64(STORE, 0) EACH_64(STORE, 64) EACH_64(STORE, 128) EACH_64(STORE, 192)
}
