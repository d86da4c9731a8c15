// Elements that are moved through small arrays of the work-item's until they are in their place: by loops that lanes leave
// in different iterations, and which choose among registers by their counter.

//: test inserted
//: global 128
//: local 64
//: arg in int[800] = (i % 8 * 5 + i / 8) % 8
//: arg out int[400] = -1
//: arg n int 99
//: expect out = i < 396 ? i % 4 : -1
kernel void inserted(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), t[4] = {100, 100, 100, 100};
    if (i >= n) return;
    for (int k = 0; k < 8; k++) {
        int d = in[8 * i + k];
        if (d < t[3]) {
            int j = 3;
            while (j > 0 && t[j - 1] > d) {
                t[j] = t[j - 1];
                j--;
            }
            t[j] = d;
        }
    }
    for (int j = 0; j < 4; j++) out[4 * i + j] = t[j];
}

// With where they were, of which fewer are kept than are compared.
//: test with_places
//: global 64
//: local 64
//: arg in float[512] = (i % 8 * 5 + i / 8) % 8
//: arg out int[320] = -1
//: arg m int 8
//: expect out = (i % 5 - i / 5) * 5 & 7
kernel void with_places(global const float *in, global int *out, int m)
{
    int i = get_global_id(0), at[5];
    float t[5];
    for (int j = 0; j < 5; j++) t[j] = 1e30f, at[j] = -1;
    for (int k = 0; k < m; k++) {
        float d = in[8 * i + k];
        int j;
        for (j = 5; j > 0 && t[j - 1] > d; j--)
            if (j < 5) {
                t[j] = t[j - 1];
                at[j] = at[j - 1];
            }
        if (j < 5) {
            t[j] = d;
            at[j] = k;
        }
    }
    for (int j = 0; j < 5; j++) out[5 * i + j] = at[j];
}

// The first level that is not below: eight of them, found by a loop that all lanes may go to the end of.
//: test levels
//: global 100
//: local 20
//: arg steps int[8] = i * 10
//: arg in int[800] = i * 7 % 100
//: arg out int[800] = -1
//: expect out = i * 7 % 100 > 70 ? 8 : (i * 7 % 100 + 9) / 10
kernel void levels(global const int *steps, global const int *in, global int *out)
{
    int i = get_global_id(0), t[8];
    for (int j = 0; j < 8; j++) t[j] = steps[j];
    for (int k = 0; k < 8; k++) {
        int v = in[8 * i + k], j = 0;
        while (j < 8 && t[j] < v) j++;
        out[8 * i + k] = j;
    }
}

// What one iteration leaves the next one reads, and so does what stands behind the loop; and lanes leave in two places.
//: test left_twice
//: global 64
//: local 32
//: arg in uint[64] = i * 2654435761
//: arg out uint[128] = 0
//: arg rounds int 3
//: expect out = 1
kernel void left_twice(global const uint *in, global uint *out, int rounds)
{
    int i = get_global_id(0), j, m;
    uint v = in[i], t[4] = {v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24}, sum = 0, again = 0;
    for (int k = 0; k < rounds; k++) {
        for (j = 0; j < 4; j++) {
            sum = sum * 3 + t[j];
            if (t[j] & 1) break;
            t[j] = sum >> 3 & 255;
            if (t[j] & 4) break;
        }
        sum += j;
    }
    uchar b[4] = {v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24};
    for (int k = 0; k < rounds; k++) {
        global const uint *none = in;
        for (m = 0; m < 4 && none; m++) {
            again = again * 3 + b[m];
            if (b[m] & 1) break;
            b[m] = again >> 3 & 255;
            if (b[m] & 4) break;
        }
        again += m;
    }
    out[2 * i] = sum == again;
    out[2 * i + 1] = j == m;
}

// Where elements are moved up to a place that is no further than the array's end, that is the end at the latest.
//: test placed
//: global 128
//: local 64
//: arg out int[128] = -1
//: arg a int[2048] = i * 7919 % 251
//: arg n int = 16
//: expect out = 0
kernel void placed(global int *out, global const int *a, int n)
{
    int i = get_global_id(0), t[4], q[4], u[4], bad = 0;
    for (int j = 0; j < 4; j++) u[j] = t[j] = q[j] = -1;
    for (int k = 0; k < n; k++) {
        int v = a[k * 128 + i], p = 0, l = 0;
        while (p < 4 && t[p] >= v) p++;
        if (p < 4) {
            for (int j = 3; j > p; j--) {
                t[j] = t[j - 1];
                q[j] = q[j - 1];
            }
            t[p] = v;
            q[p] = k;
        }
        while (l < 4 && u[3 - l] < v) l++;
        for (int j = 0; j < l - 1; j++) u[3 - j] = u[2 - j];
        if (l) u[4 - l] = v;
    }
    for (int j = 0; j < 4; j++) {
        bad |= t[j] != u[j] || a[q[j] * 128 + i] != t[j] || (j && t[j] > t[j - 1]);
        int more = 0;
        for (int k = 0; k < n; k++) more += a[k * 128 + i] > t[j];
        bad |= more > j;
    }
    out[i] = bad;
}
