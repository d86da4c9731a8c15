enum { A = 4, B, C = -1 }; enum big { D = 0x80000000u };
kernel void l(global long *o, global float *f, global double *d, global half *h, enum big e) {
    o[0] = 1; o[1] = 0xffffffff; o[2] = 4000000000; o[3] = 0xffffffffffffffffUL; o[4] = 1L; o[5] = 'a'; o[6] = '\n'; o[7] = '\xff'; o[8] = 010; o[9] = true + false;
    o[10] = A + B + C; o[11] = D; o[12] = e; o[13] = sizeof(int4) + sizeof o + __alignof__(double); o[14] = 1ull << 40; o[15] = -1; o[16] = 0b101;
    f[0] = 1.0f; f[1] = .5f; f[2] = 1e10f; f[3] = 0x1.8p3f; f[4] = 1; f[5] = 2.5; f[6] = 1e-45f; f[7] = INFINITY; f[8] = NAN; f[9] = M_PI_F; f[10] = MAXFLOAT;
    d[0] = 0.1; d[1] = 1; d[2] = 0.1f; d[3] = 1e308; f[11] = vload_half(0, h); printf("%s \"quoted\" \\ \001\xff end" " joined\n", "arg");
}
