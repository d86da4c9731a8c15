// Ifs of as many operations as a branch costs, where lanes may part.

//: test short_ifs
//: global 128
//: local 64
//: arg out uint[128] = 7
//: arg in uint[128] = i * 2654435761 >> 7
//: arg by uint = 9
//: expect out = (in[i] & 1 ? (in[i] * 9 + 77 ^ 5) - i : in[i]) + (in[i] & 2 ? 12 : i)
kernel void short_ifs(global uint *out, global const uint *in, uint by)
{
    uint i = get_global_id(0), x = in[i], y = i;
    if (x & 1) {
        x *= by;
        x += 77;
        x ^= 5;
        x -= i;
        x += y;
        x -= i;
    }
    if (in[i] & 2)
        y = 12;
    out[i] = x + y;
}
