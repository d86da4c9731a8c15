// Accelerations: bodies are position and mass.
float3 pull(float3 sum, float4 me, float4 other)
{
    float3 d = other.xyz - me.xyz;
    float inverse = native_rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 1e-3f);
    return sum + d * (other.w * inverse * inverse * inverse);
}

__kernel void nbody(__global float4 *out, __global const float4 *bodies, int n)
{
    int i = get_global_id(0);
    float4 me = bodies[i];
    float3 sum = 0;
    for (int j = 0; j < n; j++)
        sum = pull(sum, me, bodies[j]);
    out[i] = (float4)(sum, 0);
}

__kernel void nbody_tiled(__global float4 *out, __global const float4 *bodies, int n)
{
    __local float4 tile[128];
    int i = get_global_id(0), t = get_local_id(0);
    float4 me = bodies[i];
    float3 sum = 0;
    for (int base = 0; base < n; base += 128) {
        tile[t] = bodies[base + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 128; j++)
            sum = pull(sum, me, tile[j]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = (float4)(sum, 0);
}
