float normal_cdf(float d)
{
    float k = 1 / (1 + 0.2316419f * fabs(d));
    float tail = 0.39894228f * exp(-0.5f * d * d) *
                 (k * (0.31938153f +
                       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

__kernel void black_scholes(__global float *call, __global float *put, __global const float *price,
                            __global const float *strike, __global const float *years, float rate,
                            float volatility)
{
    int i = get_global_id(0);
    float s = price[i], x = strike[i], t = years[i];
    float root = volatility * sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
    float n1 = normal_cdf(d1), n2 = normal_cdf(d1 - root);
    float later = x * exp(-rate * t);
    call[i] = s * n1 - later * n2;
    put[i] = later * (1 - n2) - s * (1 - n1);
}

// Points in the quarter circle, four generators' worth of xorshift an item.
__kernel void monte_carlo(__global uint *hits, int tries)
{
    int i = get_global_id(0);
    uint x = i * 747796405u + 2891336453u, count = 0;
    x = x ? x : 1;
    for (int t = 0; t < tries; t++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        float a = (x & 0xffff) * 0x1p-16f, b = (x >> 16) * 0x1p-16f;
        if (a * a + b * b < 1)
            count++;
    }
    hits[i] = count;
}
