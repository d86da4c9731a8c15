// sin, cos, exp, log and pow of floats are sequences in the code, of which some lanes have what
// takes another way.

// Small and large angles in the same warp, and what is none.
//: test angles
//: global 128
//: local 64
//: arg in uint[128] = i % 4 == 0 ? 0x7f000000 + i * 65536 : i % 4 == 1 ? 0x42f9fff0 + i / 4 : i % 4 == 2 ? i * 33333333 : 0x80000000
//: arg out int[128] = 7
//: expect out = 0
kernel void angles(global const uint *in, global int *out)
{
    int i = get_global_id(0);
    float x = as_float(in[i]), s = sin(x), c = cos(x), d, t = sincos(x, &d);
    int wrong = 0;
    if (isnan(x) || isinf(x)) {
        wrong = !isnan(s) || !isnan(c);
    } else {
        wrong |= fabs(s * s + c * c - 1) < 1e-6f ? 0 : 1;
        wrong |= as_uint(sin(-x)) != (as_uint(s) ^ 0x80000000) ? 2 : 0;
        wrong |= as_uint(cos(-x)) != as_uint(c) ? 4 : 0;
        wrong |= as_uint(t) != as_uint(s) || as_uint(d) != as_uint(c) ? 8 : 0;
        wrong |= x == 0 && as_uint(s) != in[i] ? 16 : 0;
    }
    out[i] = wrong;
}

// Those next to two pi.
//: test turns
//: global 32
//: arg first uint 0x40c90fda
//: arg out float[96] = 7
//: ulp 1
//: expect out = i % 3 == 0 ? -3.019915981956707e-07 : i % 3 == 1 ? 1.7484556000744883e-07 : 6.516827182105286e-07
kernel void turns(uint first, global float *out)
{
    for (int j = 0; j < 3; j++) out[3 * get_global_id(0) + j] = sin(as_float(first + j));
}

//: test ends
//: global 64
//: arg in float[64] = i % 8 == 0 ? 0 : i % 8 == 1 ? -1 : i % 8 == 2 ? inf : i % 8 == 3 ? -inf : i % 8 == 4 ? 88.8 : i % 8 == 5 ? -104 : i % 8 == 6 ? 1 : nan
//: arg out int[64] = 7
//: expect out = 1
kernel void ends(global const float *in, global int *out)
{
    int i = get_global_id(0);
    float x = in[i], e = exp(x), l = log(x), n = native_log(x);
    switch (i % 8) {
    case 0: out[i] = e == 1 && l == -INFINITY && n == -INFINITY; break;
    case 1: out[i] = e == 0.36787945f && isnan(l) && isnan(n); break;
    case 2: out[i] = e == INFINITY && l == INFINITY && n == INFINITY; break;
    case 3: out[i] = e == 0 && isnan(l) && isnan(n); break;
    case 4: out[i] = e == INFINITY && l > 4.486f && l < 4.487f; break;
    case 5: out[i] = e == 0 && isnan(l); break;
    case 6: out[i] = e == 2.7182817f && as_uint(l) == 0 && n == 0; break;
    default: out[i] = isnan(e) && isnan(l) && isnan(n);
    }
}

// Where denormals are kept, as with doubles.
//: test denormals
//: global 64
//: arg in float[64] = i % 2 ? 1e-40 : -100
//: arg out double[64] = 7
//: expect out = i % 2 ? -92.1034088134765625 : 3.783505853677006e-44
kernel void denormals(global const float *in, global double *out)
{
    int i = get_global_id(0);
    out[i] = i % 2 ? log(in[i]) : exp(in[i]);
}

// pow: lanes that are common beside those that are not: signs, ends of the range, no numbers.
//: test powers
//: global 64
//: arg in float[64] = i % 8 == 0 ? 2 : i % 8 == 1 ? -2 : i % 8 == 2 ? 0 : i % 8 == 3 ? inf : i % 8 == 4 ? 1.5 : i % 8 == 5 ? 9 : i % 8 == 6 ? nan : 2
//: arg by float[64] = i % 8 == 0 ? 10 : i % 8 == 1 ? 3 : i % 8 == 2 ? -1 : i % 8 == 3 ? -2 : i % 8 == 4 ? 1000 : i % 8 == 5 ? 0.5 : i % 8 == 6 ? 0 : -126
//: arg out float[64] = 7
//: ulp 1
//: expect out = i % 8 == 0 ? 1024 : i % 8 == 1 ? -8 : i % 8 == 2 ? inf : i % 8 == 3 ? 0 : i % 8 == 4 ? inf : i % 8 == 5 ? 3 : i % 8 == 6 ? 1 : 0x1p-126
kernel void powers(global const float *in, global const float *by, global float *out)
{
    int i = get_global_id(0);
    out[i] = pow(in[i], by[i]);
}

// All lanes are common; bases next to 1, on both sides of the table's borders, exponents that make
// much of their last digits.
//: test large_powers
//: global 64
//: arg in float[64] = i % 4 == 0 ? 1.0000001192092896 : i % 4 == 1 ? 0.99999994039535522 : i % 4 == 2 ? 1.0418999195098877 : 0.95800000429153442
//: arg by float[64] = i % 4 == 0 ? 4194304 : i % 4 == 1 ? 4194304 : i % 4 == 2 ? 2000 : -1000
//: arg out float[64] = 7
//: ulp 2
//: expect out = i % 4 == 0 ? 1.6487212215644099 : i % 4 == 1 ? 0.77880077726888666 : i % 4 == 2 ? 4.4875464772054641e+35 : 4.3101161715256338e+18
kernel void large_powers(global const float *in, global const float *by, global float *out)
{
    int i = get_global_id(0);
    out[i] = pow(in[i], by[i]);
}

// The same of scalars, one common and one not.
//: test uniform_powers
//: global 64
//: arg common float 3
//: arg other float -3
//: arg out float[64] = 7
//: expect out = 0
kernel void uniform_powers(float common, float other, global float *out)
{
    out[get_global_id(0)] = fabs(pow(common, 4) - 81) + fabs(pow(other, 3) + 27) > 2e-5f;
}
