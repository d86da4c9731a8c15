// Counters that are wanted behind a loop which lanes leave early: by break, by a second condition,
// of 64 bits, from a start that is the same for all or is not, down, and with a bound of each lane's
// own.
//: test each
//: global 300
//: local 100
//: arg t uchar[400] = i * i / 7 % 3
//: arg p uchar[16] = i * i / 7 % 3
//: arg m int = 9
//: arg from int = 2
//: arg a int[300]
//: arg b int[300]
//: arg c int[300]
//: arg d int[300]
//: arg e int[300]
//: arg bad int[300] = 1
//: expect bad = 0
kernel void each(global const uchar *t, constant uchar *p, int m, int from, global int *a,
                 global int *b, global int *c, global int *d, global int *e, global int *bad) {
    int i = get_global_id(0), k, own = i % 5 + 3;
    for (k = 0; k < m; k++)
        if (t[i + k] != p[k]) break;
    a[i] = k;
    long l = 0;
    while (l < m && t[i + l] == p[l]) l++;
    b[i] = (int)l;
    for (k = from; k < m; k++)
        if (t[i + k] != p[k]) break;
    c[i] = k;
    size_t n = m;
    while (n > 0 && t[i + n - 1] == p[n - 1]) --n;
    d[i] = (int)n;
    for (k = i % 3; k < own; k++)
        if (t[i + k] == p[k]) break;
    e[i] = k;
    int wrong = a[i] > m || (a[i] < m && t[i + a[i]] == p[a[i]]);
    for (k = 0; k < a[i]; k++) wrong |= t[i + k] != p[k];
    wrong |= b[i] != a[i] || c[i] < from || c[i] > m || (c[i] < m && t[i + c[i]] == p[c[i]]);
    for (k = from; k < c[i]; k++) wrong |= t[i + k] != p[k];
    wrong |= d[i] > 0 && t[i + d[i] - 1] == p[d[i] - 1];
    for (k = d[i]; k < m; k++) wrong |= t[i + k] != p[k];
    for (k = i % 3; k < e[i]; k++) wrong |= t[i + k] == p[k];
    wrong |= e[i] < own ? t[i + e[i]] != p[e[i]] : e[i] != max(own, i % 3);
    bad[i] = wrong;
}
