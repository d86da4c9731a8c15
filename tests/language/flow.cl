// Control flow that differs from lane to lane (6.8; guide 3.4 for warps without barriers).
//: versions 1.0 1.1 1.2

//: test nested
//: global 100
//: arg out int[100] = 0
//: expect out = i % 7 == 0 ? -1 : i % 5 + (i % 3) * 10
kernel void nested(global int *out) {
    int id = get_global_id(0), sum = 0;
    for (int i = 0;; i++) {
        if (i == id % 3) break;
        for (int j = 0; j < 20; j++) {
            if (j % 2) continue;
            if (id % 7 == 0) {
                out[id] = -1;
                return;
            }
            sum++;
        }
    }
    if (id % 7 == 0) {
        out[id] = -1;
        return;
    }
    int rest = id % 5;
    while (rest--) sum++;
    out[id] = sum;
}

//: test switches
//: global 64
//: arg out int[64] = 0
//: expect out = i % 8 == 0 ? 111 : i % 8 == 1 ? 11 : i % 8 == 2 ? 1 : i % 8 == 5 ? 50 : 7
kernel void switches(global int *out) {
    int id = get_global_id(0), n = 0;
    switch (id % 8) {
    case 0: n += 100;
    case 1: n += 10;
    case 2: n += 1; break;
    default: n = 7; break;
    case 5: {
        n = 50;
        break;
    }
    }
    out[id] = n;
}

//: test switch_in_loop
//: global 64
//: arg out int[64] = 0
//: expect out = i % 4 == 0 ? 10 : i % 4 == 1 ? 30 : i % 4 == 2 ? 3 : 1000
kernel void switch_in_loop(global int *out) {
    int id = get_global_id(0), n = 0, kind = id % 4;
    for (int i = 0; i < 10; i++) {
        switch (kind) {
        case 0: n++; continue;
        case 1:
            n += 2;
        case 6: n++; break;
        case 2:
            if (i == 3) goto out;
            n++;
            break;
        default: n = 1000; goto out;
        }
    }
out:
    out[id] = n;
}

//: test do_while
//: global 40
//: arg out int[40] = 0
//: expect out = i == 0 ? 1 : i
kernel void do_while(global int *out) {
    int id = get_global_id(0), n = 0;
    do n++;
    while (n < id);
    out[id] = n;
}

//: test backwards
//: global 40
//: arg out int[40] = 0
//: expect out = i * (i + 1) / 2
kernel void backwards(global int *out) {
    int id = get_global_id(0), n = 0, sum = 0;
again:
    sum += n;
    if (n++ < id) goto again;
    out[id] = sum;
}

//: test early
//: global 64
//: arg out int[64] = 0
//: expect out = i % 4 == 0 ? -1 : i % 4 == 1 ? i : i * 2
int helper(int i) {
    if (i % 4 == 0) return -1;
    for (int k = 0; k < 3; k++)
        if (i % 4 == 1) return i;
    return i * 2;
}
kernel void early(global int *out) { out[get_global_id(0)] = helper(get_global_id(0)); }

//: test barriers
//: global 128
//: local 64
//: arg out int[128] = 0
//: expect out = 64 * 63 / 2
kernel void barriers(global int *out) {
    local int sums[64];
    int i = get_local_id(0);
    sums[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 32; step > 0; step /= 2) {
        if (i < step) sums[i] += sums[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sums[0];
}

//: test uniform_branch
//: global 96
//: local 48
//: arg out int[96] = 0
//: expect out = i < 48 ? 47 - i : i - 48
void exchange(local int *p, int i, int n) {
    p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = p[n - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = v;
}
kernel void uniform_branch(global int *out) {
    local int p[48];
    int i = get_local_id(0);
    p[i] = i;
    if (get_group_id(0) == 0) exchange(p, i, 48);
    out[get_global_id(0)] = p[i];
}

//: test warp_synchronous
//: global 64
//: local 32
//: arg in int[64] = i
//: arg out int[64] = 0
//: expect out = i < 32 ? 496 : 496 + 32 * 32
kernel void warp_synchronous(global int *in, global int *out) {
    local volatile int s[64];
    int i = get_local_id(0);
    s[i + 32] = 0;
    s[i] = in[get_global_id(0)];
    s[i] += s[i + 16];
    s[i] += s[i + 8];
    s[i] += s[i + 4];
    s[i] += s[i + 2];
    s[i] += s[i + 1];
    out[get_global_id(0)] = s[0];
}

//: test calls
//: global 32
//: arg out int[32] = 0
//: expect out = i + 1
kernel void called(global int *out, int by) { out[get_global_id(0)] += by; }
kernel void calls(global int *out) {
    out[get_global_id(0)] = get_global_id(0);
    called(out, 1);
}

//: test variables_live
//: global 64
//: arg out int[64] = 0
//: expect out = i % 2 ? i * 3 : i * 2
kernel void variables_live(global int *out) {
    int i = get_global_id(0), x = i, y;
    if (i & 1)
        y = x * 3;
    else {
        y = x;
        x = 0;
        y *= 2;
    }
    for (int k = 0; k < 2; k++) {
        int fresh = 0;
        fresh += y;
        if (k) x = fresh;
    }
    out[i] = x;
}

//: test unrolled
//: global 8
//: arg out int[8] = 0
//: expect out = 45 * i
kernel void unrolled(global int *out) {
    int i = get_global_id(0), n = 0;
#pragma unroll 5
    for (int k = 0; k < 10; k++) n += k * i;
    __attribute__((opencl_unroll_hint(2))) for (int k = 0; k < 3; k++) n += 0;
    out[i] = n;
}

// Of expressions with commas the counter's may come first or last; a counter that is stepped twice.
//: test stepped_together
//: global 8
//: arg out int[8] = 0
//: expect out = 1276 + i
kernel void stepped_together(global int *out) {
    int i = get_global_id(0), n = 0, j = 100;
    for (int k = 0; k < 5; k++, j -= k) n += j * k;
    for (int k = 0; k < 3; j -= k, k++) n += j;
    for (int k = 0; k < 9; k++, k += 1) n++;
    out[i] = n + j + i;
}

//: test empty
//: global 5
//: arg out int[5] = 3
//: expect out = 3
kernel void empty(global int *out) {}

// Conditions that are known only when an array has become registers: their ifs are gone, and jumps
// out of them leave as many regions fewer.
//: test known_conditions
//: global 64
//: local 32
//: arg out int[64] = 0
//: expect out = i % 7 < 3 ? 20 + i % 7 : 100 + 3 * (i % 7)
kernel void known_conditions(global int *out) {
    int way[4], i = get_global_id(0), sum = 0;
    way[0] = 1;
    way[1] = 0;
    way[2] = 2;
    way[3] = 1;
    for (int n = 0; n < 50; n++) {
        for (int j = 0; j < 4; j++) {
            if (way[j] == 1) {
                if (j == 3) {
                    if (n > i % 7) break;
                    continue;
                }
                if (n < 0) break;
            } else if (way[j] == 2) {
                if (i % 7 >= 3) {
                    sum = 100 + 3 * (i % 7);
                    n = 1000;
                    break;
                }
            } else {
                if (n == i % 7) {
                    if (way[3] != 1)
                        sum = -1;
                    else
                        sum = 20 + i % 7;
                    n = 100;
                    if (way[2]) break;
                    sum = -2;
                }
            }
            if (way[1]) sum = -3;
        }
    }
    out[i] = sum;
}

// What an iteration assigned before a later one jumps out of the loop, where it is read, though the loop's end overwrites it.
//: test left_behind
//: global 64
//: local 32
//: arg out int[64] = 0
//: expect out = i % 4 == 0 ? 250 : i % 4 < 3 ? 107 : 244
kernel void left_behind(global int *out) {
    int i = get_global_id(0), x = 250, n = 0;
    do {
        n++;
        switch (i & 3) {
        case 0: if (n > 0) goto left; break;
        case 1: if (n > 1) goto left; break;
        case 2: if (n > 2) goto left; break;
        }
        x = 107;
    } while (n < 4);
    x = 244;
left:
    out[i] = x;
}
