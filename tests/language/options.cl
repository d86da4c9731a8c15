// What the math options leave as it is: with all of them, finite results stay what they are.
//: requires doubles
//: options -cl-fast-relaxed-math -cl-denorms-are-zero -cl-strict-aliasing -cl-single-precision-constant -w

//: test values
//: global 32
//: arg a float[32] = i - 15.5
//: arg out float[256] = -9
//: expect out = i % 8 == 0 ? a[i / 8] : i % 8 == 1 ? a[i / 8] : i % 8 == 2 ? -a[i / 8] : i % 8 == 3 ? 0 : i % 8 == 4 ? 0 : i % 8 == 5 ? a[i / 8] / 4 : i % 8 == 6 ? 1 : 0.1f
kernel void values(global const float *a, global float *out) {
    int i = get_global_id(0);
    float x = a[i], zero = 0;
    out += 8 * i;
    out[0] = x + zero;
    out[1] = -zero + x;
    out[2] = zero - x;
    out[3] = x * zero;
    out[4] = x - x;
    out[5] = x / 4;
    out[6] = x == x && !isnan(x) && isfinite(x) && !isinf(x);
    double d = 0.1;
    out[7] = d == (double)0.1f ? 0.1f : d;
}

// A variable keeps its value though an expression with it was nothing but its value.
//: test kept
//: global 8
//: arg out float[16] = 0
//: expect out = i % 2 ? i / 2 + 2 : i / 2
kernel void kept(global float *out) {
    float x = get_global_id(0), y = x + 0.0f, z = x - 0.0f;
    x += 2;
    out[2 * get_global_id(0)] = (y + z) * 0.5f;
    out[2 * get_global_id(0) + 1] = x;
}
