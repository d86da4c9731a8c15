// Denormal constants are flushed where they are used, not rounded as they are.
//: options -cl-opt-disable

//: test constants
//: global 32
//: arg out int[128] = 7
//: expect out = 0
kernel void constants(global int *out) {
    out += get_global_id(0) * 4;
    float tiny = 5.87747175e-39f;
    out[0] = convert_int_rtp(tiny);
    out[1] = (int)(sqrt(as_float(0x00400000)) * 1e20f);
    out[2] = convert_int_rtn(-tiny);
    out[3] = (int)ceil(as_float(0x00400000));
}

// So are integers that the native compiler comes to know, and those it finds in memory.
//: test computed
//: global 32
//: arg out int[192] = 7
//: expect out = 0
kernel void computed(global int *out) {
    out += get_global_id(0) * 6;
    int bit = 1;
    for (int i = 0; i < 22; i++) bit += bit;
    out[0] = convert_int_rtp(as_float(bit));
    out[1] = (int)(sqrt(as_float(bit | 1)) * 1e20f);
    union { int i; float f; } u;
    u.i = bit - 5;
    out[2] = (int)ceil(u.f);
    out[3] = (int)ceil(as_float((int)get_local_size(0)));
    out[4] = (int)(fma(as_float(bit), 1e30f, as_float(bit)) * 1e20f);
    out[5] = as_float(bit) > 0.0f;
}

//: test forwarded
//: global 1
//: arg out int[3] = 7
//: expect out = {0, 0, 0}
kernel void forwarded(global int *out) {
    out[0] = 0x00400000;
    out[0] = (int)ceil(*(global float *)out);
    local int shared[1];
    shared[0] = 0x00400000;
    out[1] = (int)ceil(*(local float *)shared);
    int mine[2] = {0x00400000, out[2]};
    out[2] = (int)ceil(((private float *)mine)[out[1]]);
}

// A denormal is equal to zero, also where the native compiler would compare bits.
//: test equal
//: global 32
//: arg out int[128] = 0x00400000
//: expect out = 1
kernel void equal(global int *out) {
    out += get_global_id(0) * 4;
    float zero = 1.0f;
    for (int i = 0; i < 4; i++) zero -= 0.25f;
    out[0] = as_float(out[0]) == 0.0f;
    out[1] = !(as_float(out[1]) != 0.0f);
    out[2] = as_float(out[2]) == zero;
    out[3] = as_float(0x00400000) == zero;
}

// Of constants alone, in code that not all lanes reach.
//: test quotient
//: global 64
//: arg in int[64] = i % 3
//: arg out uint[64] = 7
//: expect out = i % 3 ? 0 : 0x3f000000
kernel void quotient(global const int *in, global uint *out) {
    int i = get_global_id(0);
    float x = 0.5f;
    if (in[i]) x = 1e-10f / (1.0f * 1e30f);
    out[i] = as_uint(x);
}

// The special function unit's division by one and its power of one flush, too.
//: test divided_by_one
//: global 64
//: arg in uint[64] = i % 2 ? 0x00400000 : 0x80000001
//: arg out uint[192] = 7
//: expect out = i % 3 == 1 ? 0 : i / 3 % 2 ? 0 : 0x80000000
kernel void divided_by_one(global const uint *in, global uint *out)
{
    int i = get_global_id(0);
    out[3 * i] = as_uint(native_divide(as_float(in[i]), 1.0f));
    out[3 * i + 1] = as_uint(native_divide(as_float(0x00400000), 1.0f));
    out[3 * i + 2] = as_uint(native_divide(as_float(in[i] ^ 0x80000000), -1.0f));
}

// LLVM knows both of a choice's values, and would compute with them without a flush.
//: test chosen
//: global 64
//: local 32
//: arg out uint[192] = 7
//: expect out = i / 64 == 2 ? 1 : i % 64 > 33 && i < 64 ? 0x80000000 : 0
__kernel void chosen(__global uint *out)
{
    int i = get_global_id(0);
    float f = i > 33 ? -1e-30f : 1e-25f, g = 1e-25f;
    if (i > 33) {
        g = 1e-24f;
        out[i + 64] = 3;
    }
    out[i] = as_uint(f * 1e-15f);
    out[i + 64] = as_uint(g / 1e15f);
    float h = i > 33 ? 1e-40f : 2e-40f;
    out[i + 128] = !(0 < h);
}

// It knows what local ids are, too.
//: test counted
//: global 64
//: local 32
//: arg out uint[64] = 7
//: expect out = 0
__kernel void counted(__global uint *out)
{
    float f = 1e-25f * (get_local_id(0) + 1);
    f /= 1e15f;
    out[get_global_id(0)] = as_uint(f * 0.125f);
}
