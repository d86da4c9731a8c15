// Prefix sums: by a tree in shared memory, two elements a work-item; by warps, eight a work-item; and in
// three launches over few groups.
#define BANK(n) ((n) >> 4)

kernel void scan_tree(global float *to, global const float *from, global float *sums, int n,
                      local float *t) {
    int l = get_local_id(0), size = 2 * get_local_size(0), first = get_group_id(0) * size;
    int a = l, b = l + size / 2, step = 1;
    t[a + BANK(a)] = first + a < n ? from[first + a] : 0;
    t[b + BANK(b)] = first + b < n ? from[first + b] : 0;
    for (int d = size >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int i = step * (2 * l + 1) - 1, j = step * (2 * l + 2) - 1;
            t[j + BANK(j)] += t[i + BANK(i)];
        }
        step *= 2;
    }
    if (l == 0) {
        int last = size - 1;
        sums[get_group_id(0)] = t[last + BANK(last)];
        t[last + BANK(last)] = 0;
    }
    for (int d = 1; d < size; d *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int i = step * (2 * l + 1) - 1, j = step * (2 * l + 2) - 1;
            float was = t[i + BANK(i)];
            t[i + BANK(i)] = t[j + BANK(j)];
            t[j + BANK(j)] += was;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + a < n) to[first + a] = t[a + BANK(a)];
    if (first + b < n) to[first + b] = t[b + BANK(b)];
}

kernel void add_sums(global float *to, global const float *sums, int n) {
    local float sum;
    int l = get_local_id(0), size = 2 * get_local_size(0), at = get_group_id(0) * size + l;
    if (l == 0) sum = sums[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at < n) to[at] += sum;
    if (at + size / 2 < n) to[at + size / 2] += sum;
}

// Of a group's values the sums before each, warp by warp; s: 32 zeros before each warp's part.
float scan_warp(float value, volatile local float *s, int l) {
    int at = 2 * l - (l & 31);
    s[at] = 0;
    at += 32;
    float sum = s[at] = value;
    s[at] = sum = sum + s[at - 1];
    s[at] = sum = sum + s[at - 2];
    s[at] = sum = sum + s[at - 4];
    s[at] = sum = sum + s[at - 8];
    s[at] = sum = sum + s[at - 16];
    return s[at - 1];
}

float scan_group(float value, volatile local float *s, local float *warps, int l) {
    float before = scan_warp(value, s, l);
    if ((l & 31) == 31) warps[l >> 5] = before + value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32) warps[l] = scan_warp(l < 8 ? warps[l] : 0, s, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    return before + warps[l >> 5];
}

float4 sums_in(float4 v) {
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    return v;
}

kernel void scan_warps(global float4 *to, global const float4 *from, global float *sums, int n) {
    local float s[512], warps[32];
    int l = get_local_id(0), at = get_group_id(0) * 512 + l;
    float4 one = at < n ? from[at] : 0, two = at + 256 < n ? from[at + 256] : 0;
    float4 a = sums_in(one), b = sums_in(two);
    float before = scan_group(a.w, s, warps, l);
    local float half_sum;
    if (l == 255) half_sum = before + a.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    float behind = scan_group(b.w, s, warps, l) + half_sum;
    if (l == 255) sums[get_group_id(0)] = behind + b.w;
    if (at < n) to[at] = a - one + before;
    if (at + 256 < n) to[at + 256] = b - two + behind;
}

kernel void add_warps(global float4 *to, global const float *sums, int n) {
    local float sum;
    int l = get_local_id(0), at = get_group_id(0) * 512 + l;
    if (l == 0) sum = sums[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at < n) to[at] += sum;
    if (at + 256 < n) to[at + 256] += sum;
}

kernel void sum_parts(global const float *from, global float *to, int n, local float *s) {
    int l = get_local_id(0), part = n / get_num_groups(0), first = get_group_id(0) * part;
    float sum = 0;
    for (int i = first + l; i < first + part; i += get_local_size(0)) sum += from[i];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step >>= 1) {
        if (l < step) s[l] += s[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) to[get_group_id(0)] = s[0];
}

kernel void scan_top(global float *sums, int n) {
    local float s[512], warps[32];
    int l = get_local_id(0);
    float value = l < n ? sums[l] : 0, before = scan_group(value, s, warps, l);
    if (l < n) sums[l] = before;
}

kernel void scan_parts(global const float *from, global const float *sums, global float *to, int n) {
    local float s[512], warps[32], last;
    int l = get_local_id(0), part = n / get_num_groups(0), first = get_group_id(0) * part;
    float sum = sums[get_group_id(0)];
    for (int at = first + l * 4; at < first + part; at += 4 * 256) {
        float4 v = vload4(0, from + at), all = sums_in(v);
        float before = scan_group(all.w, s, warps, l) + sum;
        vstore4(all + before, 0, to + at);
        if (l == 255) last = before + all.w;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = last;
    }
}
