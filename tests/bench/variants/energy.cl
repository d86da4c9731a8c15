/* Eight words of each element: of a structure, of vectors, or one by one. */
#ifdef BY_STRUCTURE
struct body {
    float x, y, z, mass, to_x, to_y, to_z, charge;
};
#endif
KERNEL_TYPE(float)
__kernel void energy(PARAMS(float)) {
    LINE
#if defined BY_STRUCTURE
        struct body e = ((__global const struct body *)a)[x];
        out[x] = e.mass * (e.to_x * e.to_x + e.to_y * e.to_y + e.to_z * e.to_z) +
                 e.charge * (e.x + e.y + e.z);
#elif defined BY_VECTORS
        float4 at = ((__global const float4 *)a)[2 * x], to = ((__global const float4 *)a)[2 * x + 1];
        out[x] = at.w * dot(to.xyz, to.xyz) + to.w * (at.x + at.y + at.z);
#else
        out[x] = AT(a, 8 * x + 3) *
                     (AT(a, 8 * x + 4) * AT(a, 8 * x + 4) + AT(a, 8 * x + 5) * AT(a, 8 * x + 5) +
                      AT(a, 8 * x + 6) * AT(a, 8 * x + 6)) +
                 AT(a, 8 * x + 7) * (AT(a, 8 * x) + AT(a, 8 * x + 1) + AT(a, 8 * x + 2));
#endif
    END
}
