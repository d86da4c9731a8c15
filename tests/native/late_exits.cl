// Lanes leave a loop, and little is left of the iteration: nothing of it may be seen of lanes that have left, nor of the iteration in which the last one leaves.
//: test escapes
//: global 192
//: local 96
//: arg out int[192] = -5
//: arg most int 40
//: expect out = 0
__kernel void escapes(__global int *out, int most)
{
    int i = get_global_id(0), n = 0, wanted = 0, on = 1, k;
    float cx = i * 0.015f - 2, cy = (i % 7) * 0.1f, x = 0, y = 0, u = 0, v = 0;
    while (n < most && x * x + y * y < 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    for (k = 0; k < 40; k++) {
        on = on && u * u + v * v < 4;
        float next = u * u - v * v + cx, side = 2 * u * v + cy;
        u = on ? next : u;
        v = on ? side : v;
        wanted += on;
    }
    out[i] = (n != wanted) + (x != u) * 2 + (y != v) * 4 + (k != 40) * 8;
}

// The counter, which is the same for all lanes in the loop, is wanted behind it; so is what only some iterations write.
//: test counted
//: global 100
//: local 50
//: arg out int[100] = -5
//: arg n int 33
//: expect out = 0
__kernel void counted(__global int *out, int n)
{
    int i = get_global_id(0), k, last = -1, most = i * 5 % 37, s = i, j = 0, t = i, wanted = -1;
    for (k = 0; k < n; k++) {
        s = s * 3 + k;
        if (k == most)
            break;
        last = k * 2;
        s ^= last;
    }
    for (; j < n && j <= most; j++) {
        t = t * 3 + j;
        wanted = j < most ? j * 2 : wanted;
        t = j < most ? t ^ wanted : t;
    }
    int end = most < n ? most : n;
    out[i] = (s != t) + (last != wanted) * 2 + (k != end) * 4;
}

// Two exits in a loop in a loop, of which some lanes continue.
//: test twice
//: global 192
//: local 64
//: arg out int[192] = -5
//: expect out = 0
__kernel void twice(__global int *out)
{
    int i = get_global_id(0), s = 0, t = 0;
    for (int a = 0; a < 9; a++) {
        int x = i * 7 + a, b = 0;
        if ((i + a) % 5 == 0)
            continue;
        while (1) {
            x = (x * 5 + 3) & 255;
            if (x < 20 + a)
                break;
            s += x;
            if (b > i % 11)
                break;
            s ^= b++;
        }
        s += b;
    }
    for (int a = 0; a < 9; a++) {
        int x = i * 7 + a, b = 0, on = (i + a) % 5 != 0, was = on;
        for (int m = 0; m < 14; m++) {
            x = (x * 5 + 3) & 255;
            on = on && x >= 20 + a;
            t += on ? x : 0;
            on = on && b <= i % 11;
            t ^= on ? b : 0;
            b += on;
        }
        t += was ? b : 0;
    }
    out[i] = s - t;
}

// Reals and integers of 64 bits, and operations of several kinds.
//: test wide
//: global 96
//: local 96
//: arg out int[96] = -5
//: arg step double 0.25
//: expect out = 0
__kernel void wide(__global int *out, double step)
{
    int i = get_global_id(0), n = 0, m = 0, on = 1;
    double x = i * 0.125, y = x;
    long s = i, t = i;
    uint p = i, q = i;
    float f = i, g = i;
    do {
        x = fma(x, 0.75, fabs(step - x));
        s += (long)(x * 8) - (s >> 3);
        p = max(p >> 1, (uint)n * 3u);
        f = fmin(sqrt(f + 1), (float)x);
        n++;
    } while (x > 0.5 + i * 0.001 && n < 60);
    for (int k = 0; k < 60; k++) {
        double z = fma(y, 0.75, fabs(step - y));
        y = on ? z : y;
        t += on ? (long)(y * 8) - (t >> 3) : 0;
        q = on ? max(q >> 1, (uint)m * 3u) : q;
        g = on ? fmin(sqrt(g + 1), (float)y) : g;
        m += on;
        on = on && y > 0.5 + i * 0.001;
    }
    out[i] = (x != y) + (s != t) * 2 + (p != q) * 4 + (f != g) * 8 + (n != m) * 16;
}
