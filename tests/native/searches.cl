// Searches along rows of the work-item's own, against the same by volatile elements: up, down, from pointers, with flags, over
// several rows, until two rows differ; what lanes have that leave early or late, and rows that are no multiple of 8.
//: test found
//: global 100
//: local 50
//: arg out int[100] = -1
//: arg a int[3100] = i * 7919 % 3089 % 61
//: arg b int[3100] = i * 7919 % 3089 % 61 + (i % 47 == 40)
//: arg n int 31
//: expect out = 0
__kernel void found(__global int *out, __global const int *a, __global const int *b, int n)
{
    int x = get_global_id(0), r[10] = {0}, w[10] = {0}, k;
    volatile __global const int *v = a, *u = b;
    for (int k = 0; k < n; k++)
        if (a[x * n + k] == x % 64) {
            r[0] = k + 100;
            break;
        }
    for (int k = 0; k < n; k++)
        if (v[x * n + k] == x % 64) {
            w[0] = k + 100;
            break;
        }
    for (int k = n - 1; k >= 0; k--)
        if (a[x * n + k] < x % 9) {
            r[1] = k;
            break;
        }
    for (int k = n - 1; k >= 0; k--)
        if (v[x * n + k] < x % 9) {
            w[1] = k;
            break;
        }
    __global const int *p = a + x * n, *end = p + n;
    while (p < end && *p != 7)
        p++;
    r[2] = p - a;
    volatile __global const int *q = v + x * n, *last = q + n;
    while (q < last && *q != 7)
        q++;
    w[2] = q - v;
    int on = 0;
    for (int k = 0; k < n && !on; k++) {
        r[3] += a[x * n + k];
        on = a[x * n + k] == 9;
    }
    for (on = k = 0; k < n && !on; k++) {
        w[3] += v[x * n + k];
        on = v[x * n + k] == 9;
    }
    for (k = 0; k < n && a[x * n + k] == b[x * n + k];)
        k++;
    r[4] = k;
    for (k = 0; k < n && v[x * n + k] == u[x * n + k];)
        k++;
    w[4] = k;
    int most = -1;
    for (int k = 0; k < n; k++) {
        int e = a[x * n + k];
        if (e > most) {
            most = e;
            r[5] = k;
        }
        if (most > 50)
            break;
    }
    most = -1;
    for (int k = 0; k < n; k++) {
        int e = v[x * n + k];
        if (e > most) {
            most = e;
            w[5] = k;
        }
        if (most > 50)
            break;
    }
    k = 1;
    do {
        r[6] = r[6] * 3 + a[x * n + k];
        if (a[x * n + k] == 11)
            break;
        k += 2;
    } while (k < n);
    r[6] += k;
    k = 1;
    do {
        w[6] = w[6] * 3 + v[x * n + k];
        if (v[x * n + k] == 11)
            break;
        k += 2;
    } while (k < n);
    w[6] += k;
    for (int j = 0, c = 0; j < 3; j++) { /* c goes on in the next row */
        for (int k = 0; k < n; k++, c++)
            if (a[(x + j) % 100 * n + k] == 13)
                break;
        r[7] = r[7] * 5 + c;
    }
    for (int j = 0, c = 0; j < 3; j++) {
        for (int k = 0; k < n; k++, c++)
            if (v[(x + j) % 100 * n + k] == 13)
                break;
        w[7] = w[7] * 5 + c;
    }
    if (x % 3 == 1) /* for some lanes only */
        for (int k = 0; k < n; k++)
            if (a[x * n + k] > b[k] + 40) {
                r[8] = k;
                break;
            }
    if (x % 3 == 1)
        for (int k = 0; k < n; k++)
            if (v[x * n + k] > u[k] + 40) {
                w[8] = k;
                break;
            }
    out[x] = 0;
    for (int k = 0; k < 10; k++)
        out[x] |= r[k] ^ w[k];
    for (int k = 0; k < n; k++)
        if (v[x * n + k] == 17) {
            out[x] += k + 1;
            break;
        }
    for (int k = 0; k < n; k++)
        if (a[x * n + k] == 17) {
            out[x] -= k + 1;
            return;
        }
}

// Nothing may be read behind the object, though the bound is far behind: all lanes find what they look for before. Nor from
// a row that is nowhere, for lanes that do not search.
//: test ends
//: global 64
//: local 32
//: arg out int[64] = -1
//: arg a int[1024] = i % 16 == 15 ? 99 : i % 16
//: arg from int[64] = i == 40 ? 0 - 2000000000 : i * 16
//: arg n int 1000000000
//: expect out = i == 40 ? 0 : 15
__kernel void ends(__global int *out, __global const int *a, __global const int *from, int n)
{
    int x = get_global_id(0), k = 0;
    __global const int *row = a + from[x];
    if (x != 40)
        for (int j = 0; j < n; j++)
            if (row[j] == 99) {
                k = j;
                break;
            }
    out[x] = k;
}

// Down to the object's first element; from its last one up.
//: test edges
//: global 64
//: local 64
//: arg out int[64] = -1
//: arg a int[1536] = i == 0 | i == 1535
//: arg n int 24
//: expect out = i == 0 ? 0 : i == 63 ? 23 : 1000 - 1
__kernel void edges(__global int *out, __global const int *a, int n)
{
    int x = get_global_id(0), up = 1000, down = -1;
    for (int k = 0; k < n; k++)
        if (a[x * n + k]) {
            up = k;
            break;
        }
    for (int k = n - 1; k >= 0; k--)
        if (a[x * n + k]) {
            down = k;
            break;
        }
    out[x] = up == 1000 ? up + down : up == down ? up : -2;
}

// Narrow elements, and floats; with results of several kinds, and a step of two.
//: test kinds
//: global 96
//: local 32
//: arg out int[96] = -1
//: arg a uchar[3840] = i * 31 % 251
//: arg b short[3840] = i * 37 % 241 - 120
//: arg c float[3840] = i * 41 % 239
//: arg n int 40
//: expect out = 0
__kernel void kinds(__global int *out, __global const uchar *a, __global const short *b, __global const float *c, int n)
{
    int x = get_global_id(0), r = 0, w = 0;
    volatile __global const uchar *va = a;
    volatile __global const short *vb = b;
    volatile __global const float *vc = c;
    float s = 0, t = 0;
    for (int k = 0; k < n; k++)
        if (a[x * n + k] == 200 || b[x * n + k] == 100)
            break;
        else
            r += a[x * n + k];
    for (int k = 0; k < n; k++)
        if (va[x * n + k] == 200 | vb[x * n + k] == 100)
            break;
        else
            w += va[x * n + k];
    for (uint k = 1; k < n; k += 2) {
        s += c[x * n + k];
        if (s > 1500 + x)
            break;
        r++;
    }
    for (uint k = 1; k < n; k += 2) {
        t += vc[x * n + k];
        if (t > 1500 + x)
            break;
        w++;
    }
    out[x] = (r ^ w) | s != t;
}

// Loaded under a condition: of rows that lie in the object; of such as are nowhere, where the condition never holds.
//: test asked
//: global 96
//: local 48
//: arg out int[96] = -1
//: arg a int[2592] = i * 7919 % 2579 % 61
//: arg b int[2592] = i * 31 % 101
//: arg far int 500000000
//: arg n int 27
//: expect out = 0
__kernel void asked(__global int *out, __global const int *a, __global const int *b, int far, int n)
{
    int x = get_global_id(0), r[5] = {0}, w[5] = {0}, last = 0;
    volatile __global const int *va = a, *vb = b;
    for (int k = 0; k < n; k++)
        if (a[x * n + k] > 30)
            r[0] += b[x * n + k];
    for (int k = 0; k < n; k++)
        w[0] += va[x * n + k] > 30 ? vb[x * n + k] : 0;
    for (int k = 0; k < n; k++) {
        if (a[x * n + k] > 20) {
            int v = b[x * n + k];
            if (v > last)
                last = v;
            r[1] = r[1] * 3 + last;
        } else {
            r[1] -= b[x * n + k] + last;
        }
    }
    last = 0;
    for (int k = 0; k < n; k++) {
        int on = va[x * n + k] > 20, v = vb[x * n + k];
        last = on & v > last ? v : last;
        w[1] = on ? w[1] * 3 + last : w[1] - v - last;
    }
    for (int k = n - 1; k >= 0; k--) {
        if (a[x * n + k] > 45)
            r[2] += b[x * n + k];
        if (r[2] > 300 + x) {
            r[3] = k + 1;
            break;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        w[2] += va[x * n + k] > 45 ? vb[x * n + k] : 0;
        if (w[2] > 300 + x) {
            w[3] = k + 1;
            break;
        }
    }
    for (int k = 0; k < n; k++)
        if (a[x * n + k] > 1000)
            r[4] += b[far + x * n + k];
    int k = 0;
    do {
        if (a[x * n + k] > 30)
            r[4] += b[x * n + k] * k;
        k++;
    } while (k < n);
    k = 0;
    do {
        w[4] += va[x * n + k] > 30 ? vb[x * n + k] * k : 0;
        k++;
    } while (k < n);
    out[x] = 0;
    for (int k = 0; k < 5; k++)
        out[x] |= r[k] ^ w[k];
}
