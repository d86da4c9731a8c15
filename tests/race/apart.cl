// Kernels of which apart.txt says what has to be looked at.
kernel void own(global int *out, global const int *in) {
    int i = get_global_id(0);
    out[i] = in[i + 1];
}
kernel void rows(global float *m, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) m[y * width + x] += 1;
}
kernel void rows_unguarded(global float *m, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    m[y * width + x] += 1;
}
kernel void rows_one_beyond(global float *m, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x <= width) m[y * width + x] += 1;
}
kernel void columns(global float *m, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    m[x * height + y] = x;
}
kernel void stride(global int *out, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] += i;
}
kernel void stride_too_short(global int *out, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0) - 1) out[i] += i;
}
kernel void several(global int *out, int step) {
    int i = get_global_id(0);
    for (int k = 0; k < 8; k++) out[i * step + k] = k;
}
kernel void downwards(global int *out, int step) {
    int i = get_global_id(0);
    for (int k = 7; k >= 0; k--) out[i * step + k] = k;
}
kernel void at_most_n(global int *out, int n) {
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) out[i * 16 + k] = k;
}
kernel void until_found(global int *out, global const int *in) {
    int i = get_global_id(0);
    for (int k = 0; in[k]; k++) out[i * 16 + k] = k;
}
kernel void butterflies(global int *x, int stride) {
    int i = get_global_id(0), low = 2 * i - (i & (stride - 1));
    int a = x[low], b = x[low + stride];
    x[low] = a + b;
    x[low + stride] = a - b;
}
kernel void neighbours(global int *x) {
    int i = get_global_id(0);
    x[i] += x[i ^ 1];
}
kernel void folded(global int *x) {
    int i = get_global_id(0);
    x[i & 127] = i;
}
kernel void halved(global int *x) {
    int i = get_global_id(0);
    x[i >> 1] = i;
}
kernel void pairs(global int *x) {
    int i = get_global_id(0);
    x[2 * i] += x[2 * i + 1];
}
kernel void fields(global int *x) {
    int i = get_global_id(0);
    x[3 * i] = x[3 * i + 1] + x[3 * i + 2];
}
kernel void fields_apart(global int *x) {
    int i = get_global_id(0);
    x[3 * i] = x[3 * (i + 1) + 1];
}
kernel void bins(global int *x, global const int *in) {
    int i = get_global_id(0);
    x[i * 16 + (in[i] & 15)]++;
}
kernel void too_many_bins(global int *x, global const int *in) {
    int i = get_global_id(0);
    x[i * 16 + (in[i] & 31)]++;
}
kernel void first_of_group(global int *out, global const int *in) {
    int t = get_local_id(0);
    if (t == 0) out[get_group_id(0)] = in[t];
}
kernel void first_two_of_group(global int *out) {
    int t = get_local_id(0);
    if (t < 2) out[get_group_id(0)] = 1;
}
kernel void lane_of_row(global int *out) {
    int i = get_global_id(0);
    if ((i & 7) == 3) out[i / 8] = i;
}
kernel void beyond(global int *out, int n) {
    if (n > 100) out[0] = 1;
}
kernel void returns(global float *m, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width) return;
    m[y * width + x] += 1;
}
kernel void next(global int *x) {
    int i = get_global_id(0);
    x[i] = x[i + 1];
}
kernel void blocks(global int *x) {
    int i = get_group_id(0) * 128 + get_local_id(0);
    x[i] += 1;
    x[i + 64] += 2;
}
kernel void changed(global int *x, int n) {
    int i = get_global_id(0);
    if (n & i) i = i / 2;
    x[i] = n;
}
kernel void tile(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - l];
}
kernel void tile_unordered(global int *out) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    out[get_global_id(0)] = t[63 - l];
}
kernel void tile_of_all(local int *t, global int *out) {
    t[get_global_id(0) / get_local_size(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[0];
}
kernel void one_colour(global float *u, int w, int h, int colour) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1 || ((x + y) & 1) != colour) return;
    u[y * w + x] = u[y * w + x - 1] + u[y * w + x + 1] + u[y * w - w + x] + u[y * w + w + x];
}
kernel void all_colours(global float *u, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    u[y * w + x] = u[y * w + x - 1];
}
kernel void half_of_row(global float *u, int w, int colour) {
    int y = get_global_id(1), x = 2 * get_global_id(0) + ((y + colour) & 1);
    if (x < w - 1) u[y * w + x] = u[y * w + x + 1] + u[y * w + w + x];
}
kernel void half_by_xor(global float *u, int w) {
    int y = get_global_id(1), x = get_global_id(0);
    if ((x ^ y) & 1) u[y * w + x] = u[y * w + (x ^ 1)];
}
kernel void round_rows(global int *u, int w, int colour) {
    int x = get_global_id(0), y = get_global_id(1);
    if ((x + y) % 2 == colour) u[y * w + x] = u[y * w + (x + 1) % w];
}
kernel void round_rows_by_choice(global int *u, int w, int colour) {
    int x = get_global_id(0), y = get_global_id(1), next;
    if (x == w - 1) next = 0;
    else next = x + 1;
    if ((x + y) % 2 == colour) u[y * w + x] = u[y * w + next] + u[y * w + (x == 0 ? w - 1 : x - 1)];
}
kernel void third(global int *x, int n, int which) {
    int i = get_global_id(0);
    if (i % n == which) x[i] = x[i + 1];
}
kernel void pairs_of_bit(global int *x, int m) {
    int g = get_global_id(0), i = g / m * 2 * m + g % m;
    int a = x[i], b = x[i + m];
    x[i] = a + b;
    x[i + m] = a - b;
}
kernel void chosen(global int *x, int n) {
    int i = get_global_id(0), t = i + 1;
    if (9 * i >= 1) t = 7 * i;
    if (t > n) x[i + 8] = x[2 * i];
}
kernel void transposed(global int *m, int w) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= y) return;
    int t = m[y * w + x];
    m[y * w + x] = m[x * w + y];
    m[x * w + y] = t;
}
// Two loops, of which each work-item of a range that is taken apart the other way round passes one.
__kernel void planes(__global int *m, int w, int h, int d)
{
    int id = get_global_id(0), x = id / h, y = id % h;
    if (x > 0 && y > 0)
        for (int z = 0; z < d; z++)
            m[(z * h + y) * w + x] = z;
    else
        for (int z = 0; z < d; z++)
            m[(z * h + y) * w + x] = 0;
}
