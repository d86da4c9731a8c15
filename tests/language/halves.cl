// Half precision in memory (6.11.7): every rounding at the edges, and what comes back.
//: versions 1.0 1.1 1.2
#define ALL(v, n)                                                           \
    vstore_half(v, 5 * n, out);                                             \
    vstore_half_rte(v, 5 * n + 1, out);                                     \
    vstore_half_rtz(v, 5 * n + 2, out);                                     \
    vstore_half_rtp(v, 5 * n + 3, out);                                     \
    vstore_half_rtn(v, 5 * n + 4, out);

// 1 + 2^-11 (a tie), 65520 (rounds to infinity), below the least, a denormal tie, infinity, -0.
//: test edges
//: arg in float[8] = {1.00048828125, 65520, 0.00000001, 0.00000008940696716, -1.00048828125, 1e10, -65519.9, -0.00000001}
//: arg out ushort[40] = 7
//: expect out = {0x3c00, 0x3c00, 0x3c00, 0x3c01, 0x3c00, 0x7c00, 0x7c00, 0x7bff, 0x7c00, 0x7bff, 0, 0, 0, 1, 0, 2, 2, 1, 2, 1, 0xbc00, 0xbc00, 0xbc00, 0xbc00, 0xbc01, 0x7c00, 0x7c00, 0x7bff, 0x7c00, 0x7bff, 0xfbff, 0xfbff, 0xfbff, 0xfbff, 0xfc00, 0x8000, 0x8000, 0x8000, 0x8000, 0x8001}
kernel void edges(global const float *in, global half *out) {
    for (int i = 0; i < 8; i++) { ALL(in[i], i) }
}

//: test special
//: arg out ushort[8] = 7
//: expect out = {0x7c00, 0xfc00, 0x8000, 0, 1, 0x7bff, 0x400, 1}
kernel void special(global ushort *out) {
    global half *h = (global half *)out;
    vstore_half(INFINITY, 0, h);
    vstore_half_rtz(-INFINITY, 1, h);
    vstore_half_rtp(-0.0f, 2, h);
    vstore_half_rtn(0.0f, 3, h);
    vstore_half(0x1p-24f, 4, h);
    vstore_half(65504.0f, 5, h);
    vstore_half(0x1p-14f, 6, h);
    vstore_half(NAN, 7, h);
    out[7] = (out[7] & 0x7c00) == 0x7c00 && (out[7] & 0x3ff) != 0;
}

//: test loaded
//: arg in ushort[8] = {0, 0x8000, 1, 0x3ff, 0x7bff, 0x7c00, 0xfc00, 0x3555}
//: arg out float[24] = 9
//: expect out = {0, 0, 5.96046448e-8, 6.09755516e-5, 65504, 1 / 0.0, -1 / 0.0, 0.333251953, 0, 0, 5.96046448e-8, 6.09755516e-5, 65504, 1 / 0.0, -1 / 0.0, 0.333251953, 0, 0, 5.96046448e-8, 9, 65504, 1 / 0.0, -1 / 0.0, 9}
kernel void loaded(global const half *in, global float *out) {
    for (int i = 0; i < 8; i++) out[i] = vload_half(i, in);
    vstore8(vloada_half8(0, in), 1, out);
    vstore3(vload_half3(0, in), 0, out + 16);
    vstore3(vloada_half3(1, in), 0, out + 20);
}

// Threes: vstore_half3 packs them, vstorea_half3 takes the room of four.
//: test threes
//: arg out ushort[16] = 7
//: expect out = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 7, 7, 0x3c00, 0x4000, 0x4200, 7, 0x4400, 0x4500, 0x4600, 7}
kernel void threes(global half *out) {
    vstore_half3((float3)(1, 2, 3), 0, out);
    vstore_half3_rtz((float3)(4, 5, 6), 1, out);
    vstorea_half3((float3)(1, 2, 3), 2, out);
    vstorea_half3_rtp((float3)(4, 5, 6), 3, out);
}

// In every address space.
//: test spaces
//: global 32
//: local 32
//: arg out float[64] = 9
//: expect out = i < 32 ? i + 0.5 : 63 - i
constant ushort fixed[2] = {0x3800, 0};
kernel void spaces(global float *out) {
    local ushort words[32];
    ushort room[4];
    local half *shared = (local half *)words;
    private half *mine = (private half *)room;
    int i = get_local_id(0);
    vstore_half((float)i, i, shared);
    vstore_half4((float4)(i, i + 1, i + 2, i + 3), 0, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = vload_half(i % 4, mine) - i % 4 + vload_half(0, (constant half *)fixed);
    out[32 + i] = vload_half(31 - i, shared);
}

// One alone, which programs ask for as "aligned", too.
//: test alone
//: arg in ushort[4] = {0x3555, 0x7bff, 0xc200, 1}
//: arg out ushort[8] = 7
//: expect out = {0x3555, 0x7bff, 0xc200, 1, 0x3c00, 0x3c01, 0x3c00, 7}
kernel void alone(global const half *in, global half *out) {
    for (int i = 0; i < 4; i++) vstorea_half(vloada_half(i, in), i, out);
    vstorea_half_rte(1.00048828125f, 4, out);
    vstorea_half_rtp(1.00048828125f, 5, out);
    vstorea_half_rtz(1.00048828125f, 6, out);
}
