// A loop that all lanes leave together, and which holds more than there are registers: it computes for one vector after the other, and as the same loop that loads.
//: test orbits
//: global 192
//: local 96
//: arg out int[192] = -5
//: arg zero float[7680] = 0
//: arg n int 40
//: expect out = 0
__kernel void orbits(__global int *out, __global const float *zero, int n)
{
    int i = get_global_id(0);
    float x = i * 0.01f, y = 1, z = 1, u = x, v = 1, w = 1;
    uint h = i, g = i;
    for (int k = 0; k < n; k++) {
        float dx = 10 * (y - x), dy = x * (28 - z) - y, dz = x * y - 2.5f * z;
        float r = 1 / (dx * dx + dy * dy + dz * dz + 0.5f);
        x += 0.01f * dx * r;
        y += 0.01f * dy * r;
        z = z < k ? z + 0.01f * dz * r : fmax(z, dz);
        h = (h << 5 | h >> 27) * 9 + as_uint(r);
    }
    for (int k = 0; k < n; k++) {
        float dx = 10 * (v - u), dy = u * (28 - w) - v, dz = u * v - 2.5f * w;
        float r = 1 / (dx * dx + dy * dy + dz * dz + 0.5f);
        u += 0.01f * dx * r;
        g += (uint)zero[k * 192 + i];
        v += 0.01f * dy * r;
        w = w < k ? w + 0.01f * dz * r : fmax(w, dz);
        g = (g << 5 | g >> 27) * 9 + as_uint(r);
    }
    out[i] = (x != u) + (y != v) * 2 + (z != w) * 4 + (h != g) * 8;
}
