// Flags that a loop asks for when its next iteration begins, and conditions that are asked at once, against the same that goes on to the end.
//: test flags
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 13
//: expect out = 0
__kernel void flags(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), v = i % 20, want = -1, r = -1, at, s = 0, same = 0;
    bool found = false, on = true;
    for (int k = n - 1; k >= 0; k--)
        want = in[i + k] == v ? k : want;
    for (int k = 0; k < n && !found; k++)
        if (in[i + k] == v) {
            r = k;
            found = true;
        }
    for (at = 0; at < n && on; at++)
        if (in[i + at] == v)
            on = false;
        else
            s += in[i + at];
    for (int k = 0; k < (want < 0 ? n : want); k++)
        same += in[i + k];
    out[i] = (r != want) + (found != (want >= 0)) * 2 + (at != (want < 0 ? n : want + 1)) * 4;
    out[i] += (s != same) * 8 + (on != (want < 0)) * 16;
}

// A flag in two loops, which is set before, too, and which the second loop begins with as the first one has left it.
//: test nested
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 5
//: expect out = 0
__kernel void nested(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), v = i % 60, want = -1, r = -1, steps = 0, last = 0, sum = 0, all = 0;
    bool found = i % 9 == 8;
    for (int k = n * n - 1; k >= 0; k--)
        want = in[i + k % n] + in[i + k / n + 4] == v ? k : want;
    for (int y = 0; y < n && !found; y++) {
        for (int x = 0; x < n && !found; x++) {
            last = y * n + x;
            if (in[i + x] + in[i + y + 4] == v) {
                r = last;
                found = true;
            }
            steps++;
        }
    }
    if (i % 9 == 8)
        want = -1;
    int go = i % 9 == 8 ? 0 : want < 0 ? n * n : want + 1;
    /* carried from one loop to the next */
    bool even = false;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n && !even; x++) {
            sum += in[i + x];
            even = sum % 16 == 3;
        }
        sum += y;
    }
    even = false;
    for (int k = 0; k < n * n; k++) {
        if (!even) {
            all += in[i + k % n];
            even = all % 16 == 3;
        }
        all += k % n == n - 1 ? k / n : 0;
    }
    out[i] = (r != want) + (steps != go) * 2 + (go && last != go - 1) * 4 + (sum != all) * 8;
}

// Conditions that are asked at once behind what they are for.
//: test both
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 13
//: expect out = 0
__kernel void both(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), k = 0, s = 0, at = 0, same = 0, m = 0, t = 1, u = 1;
    do {
        s += in[i + k];
    } while (s <= 60 + i && ++k < n);
    bool on = true;
    for (int x = 0; x < n; x++) {
        same += on ? in[i + x] : 0;
        on = on && same <= 60 + i;
        at += on ? 1 : 0;
    }
    while (m < n && t % 17 != i % 17) {
        t = t * 5 + in[i + m];
        m++;
    }
    on = true;
    int steps = 0;
    for (int x = 0; x < n; x++) {
        on = on && u % 17 != i % 17;
        u = on ? u * 5 + in[i + x] : u;
        steps += on ? 1 : 0;
    }
    out[i] = (s != same) + (k != at) * 2 + (t != u) * 4 + (m != steps) * 8;
}

// What is stored behind where a flag is set is stored.
//: test stores
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg rows int[1001] = -1
//: arg n int 13
//: expect out = 0
__kernel void stores(__global int *out, __global const int *in, __global int *rows, int n)
{
    int i = get_global_id(0), v = i % 20, k = 0, wrong = 0;
    bool found = false;
    while (!found && k < n) {
        if (in[i + k] == v)
            found = true;
        rows[k * 77 + i] = k;
        k++;
    }
    found = false;
    for (int m = 0; m < n; m++) {
        wrong += rows[m * 77 + i] != (found ? -1 : m);
        found = found || in[i + m] == v;
    }
    out[i] = wrong;
}

// Of lanes that leave by the second condition some would have left by the first one: for those
// nothing is said behind it.
//: test left_before_it_is_said
//: global 64
//: local 32
//: arg out int[64] = 0
//: expect out = i < 2 ? 1 : 0
kernel void left_before_it_is_said(global int *out)
{
    uint id = get_global_id(0);
    for (int i = 0; i < select(id & 255, id, (uint)i) & 3u; i++) {
        if (i) return;
        int k = 0;
        do {
            k++;
            if (1) break;
        } while (1);
    }
    out[id] = 1;
}
