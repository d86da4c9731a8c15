int f(int x) { if (x) return 1; else if (x > 3) return 2; return x; }
void g(void) { return; }
kernel void k(global int *o, int n) {
    for (;;) break;
    for (int i = 0, j = 9; i < j; i++, j--) continue;
    for (n = 0; ; ) { if (n++) break; }
    for (; n; ) n--;
    for (; ; n--) if (!n) break;
    while (n < 10) n++;
    do n--; while (n);
    switch (n) { case 1: case 2 ... 4: n = 1; break; case 'a': { n = 2; } default: n = 3; }
    switch ((uchar)n) { default: switch (n) { case -1: break; } break; case 200: n++; }
    {}
    ; again: n++; if (n < 3) goto again; else goto out;
    #pragma unroll
    for (int i = 0; i < 4; i++) o[i] = i;
    #pragma unroll 4
    while (n) n--;
    #pragma nounroll
    do n++; while (n < 5);
    __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < 4; i++) o[i] = i;
    __attribute__((opencl_unroll_hint)) for (int i = 0; i < 4; i++) o[i] = i;
    n = ({ int y = n; y + 1; }); g(); f(n); n; (void)n;
    enum { A = 3, B } e = A; struct local_struct { int x; } s; s.x = B + e; typedef int T; T t = s.x; int h(int); o[t] = h(t);
out: return;
}
