// Loops that are left with something to do, for behind them, for further out or for good, against the same without jumps.
//: test returns
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 13
//: expect out = 0
__kernel void returns(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), want = -1;
    for (int k = n - 1; k >= 0; k--)
        want = in[i + k] == i % 20 ? k : want;
    out[i] = -want;
    for (int k = 0; k < n; k++)
        if (in[i + k] == i % 20) {
            out[i] += k;
            return;
        }
    out[i]--;
}

// Two places besides the end; what is done at one of them is more than a number, and stays in registers that the loop goes on with.
//: test places
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 13
//: expect out = 0
__kernel void places(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0, same = 0, on = 1, r = -1;
    for (int k = 0; k < n; k++) {
        int v = in[i + k];
        if (v == 30) {
            sum += k * 1000;
            for (int m = 0; m < v; m++)
                sum ^= in[m] << m % 20;
            r = sum;
            break;
        }
        sum += v;
        if (sum > 90 + i % 40) {
            r = sum * 3 + k;
            break;
        } else {
            sum++;
        }
        sum++;
    }
    out[i] = r == -1 ? sum : r;
    for (int k = 0; k < n; k++) {
        int v = in[i + k];
        if (on && v == 30) {
            same += k * 1000;
            for (int m = 0; m < v; m++)
                same ^= in[m] << m % 20;
            on = 0;
        }
        same += on ? v : 0;
        if (on && same > 90 + i % 40) {
            same = same * 3 + k;
            on = 0;
        }
        same += on ? 2 : 0;
    }
    out[i] -= same;
}

// The end is behind the place that a loop is left at, or the counter is stepped between.
//: test ends
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 13
//: expect out = 0
int first_of(__global const int *in, int n, int v)
{
    int k = 0;
    do {
        if (in[k] == v)
            return k;
    } while (++k < n);
    return -1;
}

int first_behind(__global const int *in, int n, int v)
{
    int k = 0;
    while (k < n) {
        k++;
        if (in[k] == v)
            return k;
    }
    return -1;
}

__kernel void ends(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), v = i % 20, a = -1, b = -1, c = in[i] == v ? 0 : -1;
    for (int k = n; k > 0; k--)
        b = in[i + k] == v ? k : b;
    for (int k = n - 1; k >= 0; k--)
        a = in[i + k] == v ? k : a;
    out[i] = (first_of(in + i, n, v) - a) * 10000;
    out[i] += (first_behind(in + i, n, v) - b) * 100;
    out[i] += first_of(in + i, i % 3 - 1, v) == c || i % 3 == 2 ? 0 : 1;
}

// Out of two loops and of three, back to the second one, by returns of functions, and jumps.
//: test further
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 5
//: expect out = 0
int pair_of(__global const int *in, int n, int v)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            if (in[x] + in[y + 4] == v)
                return y * n + x;
    return -1;
}

__kernel void further(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), v = i % 60, want = -1, sum = 0, same = 0, at = -1;
    for (int k = n * n - 1; k >= 0; k--)
        want = in[i + k % n] + in[i + k / n + 4] == v ? k : want;
    for (int z = 0; z < 3; z++) {
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < n; x++) {
                int s = in[i + x] + in[i + y + 4] + z;
                if (s == v) {
                    at = z;
                    goto found;
                }
                if (s > 40) {
                    sum += x;
                    goto next;
                }
                sum++;
            }
        }
        sum += 100;
    next:
        sum += 3;
    }
    sum += 1000;
found:
    for (int z = 0, on = 1; z < 3; z++) {
        int here = on;
        for (int k = 0; k < n * n; k++) {
            int s = in[i + k % n] + in[i + k / n + 4] + z;
            on = on && !(here && s == v);
            at -= here && s == v ? z : 0;
            here = here && on;
            same += here ? s > 40 ? k % n : 1 : 0;
            here = here && s <= 40;
        }
        same += here ? 100 : 0;
        same += on ? 3 : 0;
        if (z == 2)
            same += on ? 1000 : 0;
    }
    out[i] = (pair_of(in + i, n, v) - want) * 100 + sum - same + (at > 0 ? 7 : 0);
}

// A loop that is left from a loop in it, too, and then for the same place as at its end.
//: test both
//: global 77
//: local 11
//: arg out int[77] = -5
//: arg in int[96] = i * 7 % 31
//: arg n int 5
//: expect out = 0
__kernel void both(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), want = 100, on = 1;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++)
            on = on && in[i + x] + y != i % 40;
        want = on && in[i + y] > 25 ? y : want;
        on = on && in[i + y] <= 25;
    }
    out[i] = -want;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++)
            if (in[i + x] + y == i % 40)
                goto behind;
        if (in[i + y] > 25) {
            out[i] += y;
            return;
        }
    }
behind:
    out[i] += 100;
}

// One work-item of a warp waits for another one: nothing is put off until it has left.
//: test locked
//: global 32
//: local 32
//: arg out int[32] = 0
//: arg lock int[2] = 0
//: expect out = 1
//: expect lock = i ? 32 : 0
__kernel void locked(__global int *out, __global int *lock)
{
    for (;;)
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            lock[1]++;
            out[get_global_id(0)] = 1;
            atomic_xchg(lock, 0);
            return;
        }
}
