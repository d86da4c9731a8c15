kernel void k(global float4 *o, float4 v, float16 big, int4 w, float3 t) {
    v.x = v.w; v.xy = v.zw; v.wzyx = v; v.lo = v.hi; v.even = v.odd; v.s0 = v.s3; v.S12 = v.s21;
    big.s9abc = v; big.sF = big.sa; (v.xyz).yz = t.xy; v.xyzw.x = 1; o->x = o->y; (*o).zw = o[1].zw; o[w.x].y += 1;
    v = (float4)(1, 2, 3, 4); v = (float4)(v.xy, t.x, 4.0f); v = (float4)(t, 1); v = (float4)(w.x); v = (float4)1;
    v = (float4)((float2)(1, 2), (float2)(3)); big = (float16)(v, v, v, v); float8 e = (float8)(v, v); v = e.s4567;
    t = t.zyx; v = t.xyzz; float2 h = t.hi, d = t.odd; v = (v + v).wzyx; v = big.lo.hi; h = big.lo.hi.odd;
    w = as_int4(v); v = as_float4(w + 1); int i = as_int(v.x); t = as_float3(v); v = as_float4(t); uchar4 b = as_uchar4(i);
    i = as_int((v.x + 1)); i = as_int(as_float(as_int(as_float(i)))); int2 q = as_int2(v.xy); long g = as_long(q);
    v = convert_float4(w); v[1] = 2; v.x = v[i]; i = w[2] + vec_step(v) + sizeof(float3); v = fmax(v, 1.0f); v = v.x > 0 ? v : o[1];
    float4 array[2] = {(float4)(1), 2}; array[0].x = 1; array[i].y = 2; v = select(v, v, w); o[0] = v;
}
