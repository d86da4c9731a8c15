// as_type (6.2.4): the bits stay, between all types of one size; threes count as fours.
//: versions 1.0 1.1 1.2
int differ(private const uchar *a, private const uchar *b, int n) {
    int d = 0;
    for (int i = 0; i < n; i++) d += a[i] != b[i];
    return d;
}
#define PAIR(T, U)                                                          \
    {                                                                       \
        T x = *(private T *)bytes;                                          \
        U y = as_##U(x);                                                    \
        wrong += differ((private uchar *)&y, bytes, sizeof(U));             \
        x = as_##T(y);                                                      \
        wrong += differ((private uchar *)&x, bytes, sizeof(T));             \
        wrong += sizeof(T) != sizeof(U);                                    \
    }
#define ONE(T, A, B, C, D, E, F, G, H) PAIR(T, A) PAIR(T, B) PAIR(T, C) PAIR(T, D) PAIR(T, E) PAIR(T, F) PAIR(T, G) PAIR(T, H)

//: test pairs
//: global 40
//: arg out int[40] = -1
//: expect out = 0
kernel void pairs(global int *out) {
    uchar bytes[128] __attribute__((aligned(128)));
    int wrong = 0, i = get_global_id(0);
    for (int b = 0; b < 128; b++) bytes[b] = b * 29 + i + 1;
    for (int b = 3; b < 128; b += 4) bytes[b] = b; /* no NaNs */
    PAIR(char, uchar)
    PAIR(short, ushort) PAIR(char2, uchar2) PAIR(short, char2) PAIR(ushort, uchar2)
    ONE(int, uint, float, char4, uchar4, short2, ushort2, int, uint)
    ONE(float, uint, int, char4, uchar4, short2, ushort2, float, char4)
    ONE(short2, uint, ushort2, char4, uchar4, short2, ushort2, float, int)
    ONE(long, ulong, int2, uint2, float2, short4, ushort4, char8, uchar8)
    ONE(float2, ulong, int2, uint2, float2, short4, ushort4, char8, uchar8)
    ONE(int4, uint4, float4, long2, ulong2, short8, ushort8, char16, uchar16)
    ONE(float4, uint4, int4, long2, ulong2, short8, ushort8, char16, uchar16)
    ONE(int8, uint8, float8, long4, ulong4, short16, ushort16, float8, int8)
    ONE(int16, uint16, float16, long8, ulong8, float16, uint16, int16, ulong8)
    PAIR(long16, ulong16)
    out[i] = wrong;
}

//: test threes
//: global 1
//: arg out int[30] = -1
//: expect out = {1, 2, 3, 1, 2, 3, 1065353216, 1073741824, 1077936128, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 8, 9, 258, 772, 1286, 16, 16, 8, 4, 32, 1}
kernel void threes(global int *out) {
    int3 a = (int3)(1, 2, 3);
    int4 b = as_int4(a);
    vstore3(b.xyz, 0, out);
    a = as_int3((int4)(1, 2, 3, 4));
    vstore3(a, 1, out);
    vstore3(as_int3((float3)(1, 2, 3)), 2, out);
    vstore3(as_uint3(a), 3, (global uint *)out);
    vstore3(as_int3(as_float4((int4)(4, 5, 6, 7))), 4, out);
    vstore3(as_int3(as_short8(as_int4((int3)(7, 8, 9)))), 5, out);
    vstore3(as_int3(as_long2((int4)(7, 8, 9, 10))), 6, out);
    short3 s = as_short3((short4)(258, 772, 1286, 0));
    vstore3(convert_int3(s), 7, out);
    out[24] = sizeof(as_int3(b));
    out[25] = sizeof(float3);
    out[26] = sizeof(short3);
    out[27] = sizeof(as_char3((uchar4)(1)));
    out[28] = sizeof(long3);
    out[29] = as_int(as_float3((int4)(0, 0, 1, 0)).z);
}

// Values the types forbid: NaNs and infinities keep their bits, denormals too.
//: test kept
//: global 1
//: arg in uint[6] = {0x7fc00001, 0xffc12345, 0x7f800000, 0x00000001, 0x80000000, 0x807fffff}
//: arg out uint[6] = 0
//: expect out = {0x7fc00001, 0xffc12345, 0x7f800000, 0x00000001, 0x80000000, 0x807fffff}
kernel void kept(global uint *in, global uint *out) {
    for (int i = 0; i < 6; i++) out[i] = as_uint(as_float(in[i]));
}
