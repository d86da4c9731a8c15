// Conversions (6.2): implicit, casts, convert_ with saturation and rounding.
//: versions 1.0 1.1 1.2

//: test implicit
//: global 1
//: arg big int 300
//: arg f float -3.75
//: arg out int[8] = 0
//: expect out = {44, 44, -3, 1, 0, 1, -3, 65533}
kernel void implicit(int big, float f, global int *out) {
    char c = big;
    uchar u = big;
    out[0] = c;
    out[1] = u;
    out[2] = f;
    bool b = f;
    out[3] = b;
    b = f + 3.75f;
    out[4] = b;
    out[5] = (bool)256;
    out[6] = (int4)((int)f).w;
    out[7] = (ushort)(short)f;
}

//: test saturated
//: global 1
//: arg f float4 -300.5 300.5 127.5 -127.5
//: arg out int[12] = 0
//: expect out = {-128, 127, 127, -127, 0, 255, 128, 0, -300, 300, 128, -128}
kernel void saturated(float4 f, global int *out) {
    vstore4(convert_int4(convert_char4_sat(f)), 0, out);
    vstore4(convert_int4(convert_uchar4_sat_rte(f)), 1, out);
    vstore4(convert_int4_rte(f), 2, out);
}

//: test roundings
//: global 1
//: arg f float 2.5
//: arg g float -2.5
//: arg n int 16777219
//: arg out int[12] = 0
//: expect out = {2, 2, 3, 2, -2, -2, -2, -3, 16777220, 16777218, 16777220, 16777218}
kernel void roundings(float f, float g, int n, global int *out) {
    out[0] = convert_int_rte(f);
    out[1] = convert_int_rtz(f);
    out[2] = convert_int_rtp(f);
    out[3] = convert_int_rtn(f);
    out[4] = convert_int_rte(g);
    out[5] = convert_int_rtz(g);
    out[6] = convert_int_rtp(g);
    out[7] = convert_int_rtn(g);
    out[8] = convert_float_rte(n);
    out[9] = convert_float_rtz(n);
    out[10] = convert_float_rtp(n);
    out[11] = convert_float_rtn(n);
}

//: test promotions
//: global 1
//: arg out int[5] = 0
//: expect out = {400, 1, 0, -56, 1}
kernel void promotions(global int *out) {
    uchar a = 200, b = 200;
    out[0] = a + b;
    out[1] = -1 < 0 && (uint)-1 > 0;
    out[2] = -1 < 0u;
    char4 v = (char4)(100) + (char4)(100);
    out[3] = v.x;
    out[4] = sizeof(a + b) == 4;
}

//: test long_values
//: global 1
//: arg a long 4886718345
//: arg out long[5] = 0
//: expect out = {4886718345, 4886718345, 591751049, 26505, 4886718464}
kernel void long_values(long a, global long *out) {
    out[0] = a;
    out[1] = (ulong)a;
    out[2] = (int)a;
    out[3] = (ushort)a;
    out[4] = (long)(float)a;
}
