// The nearest of 16 centres for each point of 8 coordinates, stored coordinate by coordinate.
#define CENTRES 16
#define COORDINATES 8

__kernel void kmeans(__global uint *nearest, __global const float *points,
                     __constant float *centres, int n)
{
    int i = get_global_id(0);
    float best = MAXFLOAT;
    int which = 0;
    for (int c = 0; c < CENTRES; c++) {
        float sum = 0;
        for (int j = 0; j < COORDINATES; j++) {
            float d = points[j * n + i] - centres[c * COORDINATES + j];
            sum += d * d;
        }
        if (sum < best) {
            best = sum;
            which = c;
        }
    }
    nearest[i] = which;
}
