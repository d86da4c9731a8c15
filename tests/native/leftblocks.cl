// Functions that return early, iterations that are left behind, and loops that are none, against the same with ifs.
//: test returns_early
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[64] = i % 10
//: expect out = (i % 10 < 3 ? i % 10 * 2 : i % 10 > 7 ? 100 - i % 10 : i % 10 * (i % 10)) + 7
int returns(int x)
{
    if (x < 3)
        return x * 2;
    if (x > 7)
        return 100 - x;
    return x * x;
}

__kernel void returns_early(__global int *out, __global const int *in)
{
    int i = get_global_id(0);
    out[i] = returns(in[i]) + 7;
}

//: test continues
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[96] = i * 5 % 7
//: arg n int 32
//: expect out = 0
__kernel void continues(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0, same = 0;
    for (int k = 0; k < n; k++) {
        int v = in[i + k];
        if (v < 3)
            continue;
        sum += v;
        if (v > 4) {
            sum += v * 10;
            continue;
        }
        sum *= 2;
    }
    for (int k = 0; k < n; k++) {
        int v = in[i + k];
        same += v < 3 ? 0 : v;
        same += v > 4 ? v * 10 : 0;
        same *= v < 3 || v > 4 ? 1 : 2;
    }
    out[i] = sum - same;
}

// Jumps that lead further out than the block does: an inner loop goes on with the next iteration of the outer one, or ends it.
//: test further
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[96] = i * 3 % 11
//: arg n int 20
//: expect out = 0
__kernel void further(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), sum = 0, same = 0;
    bool on = true;
    for (int k = 0; k < n; k++) {
        int v = in[i + k];
        if (v == 2)
            continue;
        sum++;
        for (int m = 0; m < v; m++) {
            if (m == 5)
                continue;
            sum += m;
            if (m == 8)
                break;
        }
        if (v == 7 && k > 10)
            break;
        if (v == 4) {
            sum += 100;
            continue;
        }
        sum += v;
    }
    for (int k = 0; k < n; k++) {
        int v = in[i + k];
        if (on && v != 2) {
            same++;
            for (int m = 0; m < v; m++)
                same += m != 5 && m <= 8 ? m : 0;
            on = !(v == 7 && k > 10);
            same += !on ? 0 : v == 4 ? 100 : v;
        }
    }
    out[i] = sum - same;
}

//: test none
//: global 40
//: local 8
//: arg out int[40] = -1
//: arg n int 33
//: expect out = i >= 33 || i == 5 ? -1 : i == 7 ? 70 : i * 2
__kernel void none(__global int *out, int n)
{
    int i = get_global_id(0);
    do {
        if (i >= n)
            break;
        if (i == 5)
            break;
        if (i == 7) {
            out[i] = 70;
            break;
        }
        out[i] = i * 2;
    } while (0);
}

// A function in a function, a loop that a return leaves, a switch, all of which stay what they are or become ifs.
//: test functions
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg in int[96] = i * 7 % 13
//: expect out = 0
int find(__global const int *in, int what)
{
    if (what > 10)
        return 50;
    for (int k = 0; k < 20; k++)
        if (in[k] == what)
            return k;
    return -1;
}

int choose(__global const int *in, int x)
{
    switch (x & 3) {
    case 0: return find(in, x);
    case 1: x += 5; break;
    case 2: if (x > 6) return 8;
    default: x *= 3;
    }
    if (x & 4)
        return find(in, x / 2) * 2;
    return x;
}

__kernel void functions(__global int *out, __global const int *in)
{
    int i = get_global_id(0), x = in[i], y = x, found = -1, way = 0;
    y = (x & 3) == 1 ? x + 5 : x * 3;
    int what = (x & 3) == 0 ? x : y / 2;
    for (int k = 19; k >= 0; k--)
        found = in[i + k] == what ? k : found;
    found = what > 10 ? 50 : found;
    way = (x & 3) == 0 ? found : (x & 3) == 2 && x > 6 ? 8 : y & 4 ? found * 2 : y;
    out[i] = choose(in + i, x) - way;
}
