__kernel void mandelbrot(__global uint *out, int width, float left, float top, float step, int most)
{
    int x = get_global_id(0), y = get_global_id(1);
    float cx = left + x * step, cy = top + y * step;
    float zx = 0, zy = 0;
    int n = 0;
    while (n < most && zx * zx + zy * zy < 4) {
        float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
        n++;
    }
    out[y * width + x] = n;
}
