// Every operator, with the conversions C asks for.
kernel void k(global int *o, int i, uint u, float f, uchar c, long l, float4 v, int4 w) {
    o[0] = i + u; o[1] = c + c; o[2] = f * i; o[3] = l % i; o[4] = -c; o[5] = ~u; o[6] = !f;
    o[7] = i << l; o[8] = u >> c; o[9] = i && f || !u; o[10] = i < u; o[11] = (i, u);
    i += f; c += 1.75f; c <<= l; l *= i; f -= c; u |= i; u ^= 1; i %= 3; i /= u; i >>= u; u &= ~0;
    v += 2; v *= f; w <<= 1; w += w; w = v < v; w = !w; w = ~w & (w | 1) ^ w; v = w ? v : 1.0f;
    w = w && w || w; v = -v; v = +v; w++; --w; i++; --f; c--; ++l;
    f = i ? f : u; i = i ?: c; f = i ?: 2.5f; o = o + i; o = 2 + o; o = o - 1; i = o - (o + 3); o++; o += l; o -= 1;
    i = o == 0; i = o < o + 1; i = !o; i = o && i; bool b = i; b = o; b = f; b = !b; i = b + 1; c = b;
}
