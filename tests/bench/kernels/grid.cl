// Jacobi step on the inner points of a grid.
__kernel void stencil_2d(__global float *out, __global const float *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        out[i] = in[i];
    else
        out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]) + 0.5f * in[i];
}

// Seven points; each work-item goes up a column and keeps what it has read.
__kernel void stencil_3d(__global float *out, __global const float *in, int width, int height,
                         int depth)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
        return;
    int plane = width * height;
    int i = plane + y * width + x;
    float below = in[i - plane], here = in[i];
    for (int z = 1; z < depth - 1; z++, i += plane) {
        float above = in[i + plane];
        out[i] = 0.5f * here +
                 0.125f * (below + above + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
        below = here;
        here = above;
    }
}

// Lattice Boltzmann, D2Q9, pull scheme, periodic: directions 0, E, N, W, S, NE, NW, SW, SE.
__kernel void lbm(__global float *out, __global const float *in, int width, int height, float omega)
{
    int x = get_global_id(0), y = get_global_id(1), n = width * height;
    int w = x == 0 ? width - 1 : x - 1, e = x == width - 1 ? 0 : x + 1;
    int s = (y == 0 ? height - 1 : y - 1) * width, u = (y == height - 1 ? 0 : y + 1) * width;
    int c = y * width;
    float f0 = in[c + x];
    float f1 = in[n + c + w], f2 = in[2 * n + s + x], f3 = in[3 * n + c + e], f4 = in[4 * n + u + x];
    float f5 = in[5 * n + s + w], f6 = in[6 * n + s + e], f7 = in[7 * n + u + e];
    float f8 = in[8 * n + u + w];
    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float vx = (f1 - f3 + f5 - f6 - f7 + f8) / rho;
    float vy = (f2 - f4 + f5 + f6 - f7 - f8) / rho;
    float base = 1 - 1.5f * (vx * vx + vy * vy);
    float r1 = rho / 9 * omega, r2 = rho / 36 * omega, keep = 1 - omega;
    int i = c + x;
#define TOWARD(k, rate, v)                                                                         \
    out[k * n + i] = keep * f##k + rate * (base + 3 * (v) + 4.5f * (v) * (v))
    TOWARD(0, 4 * r1, 0.0f);
    TOWARD(1, r1, vx);
    TOWARD(2, r1, vy);
    TOWARD(3, r1, -vx);
    TOWARD(4, r1, -vy);
    TOWARD(5, r2, vx + vy);
    TOWARD(6, r2, vy - vx);
    TOWARD(7, r2, -vx - vy);
    TOWARD(8, r2, vx - vy);
}

__constant int radius = 2;
__constant float weights[5][5] = {{1, 4, 7, 4, 1},
                                  {4, 16, 26, 16, 4},
                                  {7, 26, 41, 26, 7},
                                  {4, 16, 26, 16, 4},
                                  {1, 4, 7, 4, 1}};

__kernel void convolution(__global float *out, __global const float *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
            sum += weights[dy + radius][dx + radius] * in[sy * width + sx];
        }
    out[y * width + x] = sum;
}
