/* The weights that a device's linear filter gives to texels, and where its nearest filter changes
 * from one to the next: compares them with what may be meant, and says how often each is missed.
 *
 *   weights [--table] [RULE]
 *
 * RULE: float (the formulas of 8.2) or fixed8 (coordinates to the nearest 1/256 of a texel): exit
 * status 1 unless no weight breaks it. --table prints the weights. */
#include <math.h>

#include "host.h"

enum { STEPS = 4096, GRID = 65, MOST = GRID * GRID, WIDE = 1024 };

static struct host h;
static cl_kernel kernel;

/* ---- what a fraction of a texel may become ---- */

static double exact(double f) { return f; }
static double down(double f) { return floor(f * 256) / 256; }
static double up_at_half(double f) { return floor(f * 256 + 0.5) / 256; }
static double even_at_half(double f) { return rint(f * 256) / 256; }
static double down_at_half(double f) { return ceil(f * 256 - 0.5) / 256; }
static double ninth_bit(double f) { return floor(f * 512 + 0.5) / 512; }
static double short_of_it(double f) { return floor(up_at_half(f) * 65535 + 0.5) / 65535; }

static const struct rule {
    const char *name;
    double (*of)(double fraction);
} rules[] = {
    {"float", exact},
    {"fixed8", up_at_half},
    {"fixed8, of 16 bits", short_of_it}, /* what becomes of bytes */
    {"1/256, halves to even", even_at_half},
    {"1/256, halves down", down_at_half},
    {"1/256, towards zero", down},
    {"1/512, nearest", ninth_bit},
};
enum { FIXED8 = 1, FIXED8_BYTES, RULES = sizeof rules / sizeof *rules };

/* A weight breaks a rule when it is off by more than float's rounding at coordinates of this size
 * may explain. */
static int misses(const double *fraction, const float *got, int n, double slack,
                  double (*of)(double)) {
    int count = 0;
    for (int i = 0; i < n; i++) count += !(fabs((double)got[i] - of(fraction[i])) <= slack);
    return count;
}

/* ---- asking the device ---- */

static cl_sampler make_sampler(bool normalised, cl_filter_mode filter) {
    cl_int err;
    cl_sampler s = clCreateSampler(h.context, normalised, CL_ADDRESS_CLAMP_TO_EDGE, filter, &err);
    host_must(err, "clCreateSampler");
    return s;
}

static cl_mem make_image(cl_channel_order order, cl_channel_type type, size_t width, size_t height,
                         void *texels) {
    static const struct kind kind = {.type = CL_MEM_OBJECT_IMAGE2D, .dimensions = 2};
    struct kind sized = kind;
    cl_image_format format = {order, type};
    cl_mem buffer;
    sized.size[0] = width, sized.size[1] = height, sized.size[2] = 1;
    return host_image(&h, &sized, CL_MEM_READ_ONLY, &format, texels, 0, &buffer);
}

/* The first component at n places. */
static void ask(cl_mem image, bool normalised, cl_filter_mode filter, float (*at)[4], int n,
                float *out) {
    static float all[MOST][4];
    cl_sampler s = make_sampler(normalised, filter);
    host_read(&h, kernel, image, s, at, n, all);
    for (int i = 0; i < n; i++) out[i] = all[i][0];
    MUST(clReleaseSampler(s));
}

/* ---- experiments ---- */

static float at[MOST][4], got[MOST];
static double fraction[MOST], product[MOST];
static bool table;

/* Whether no weight breaks rule `wanted` (or none is wanted). */
static bool judge(const char *what, int n, double slack, int wanted) {
    printf("%s, %d weights; missed by\n", what, n);
    for (int r = 0; r < RULES; r++)
        printf("  %-24s %d\n", rules[r].name, misses(fraction, got, n, slack, rules[r].of));
    for (int i = 0; table && i < n; i++) printf("  %.9g %.9g\n", fraction[i], (double)got[i]);
    return wanted < 0 || !misses(fraction, got, n, slack, rules[wanted].of);
}

/* From texel `first`, which is 0, to the next, which is 1, in steps of 1/4096. */
static bool ramp(const char *what, cl_mem image, int first, int width, bool normalised, int wanted,
                 double slack) {
    for (int k = 0; k < STEPS; k++) {
        double u = first + 0.5 + k / (double)STEPS;
        at[k][0] = (float)(normalised ? u / width : u);
        at[k][1] = normalised ? 0.5f : 0;
        /* what of the step is left in a float */
        double seen = normalised ? (double)(at[k][0] * (float)width) : (double)at[k][0];
        fraction[k] = seen - 0.5 - first;
    }
    ask(image, normalised, CL_FILTER_LINEAR, at, STEPS, got);
    return judge(what, STEPS, slack, wanted);
}

/* The weight of the last of four texels is a product; with fixed8 it is rounded once more. */
static bool products(int wanted) {
    float corner[4] = {0, 0, 0, 1};
    cl_mem image = make_image(CL_R, CL_FLOAT, 2, 2, corner);
    for (int i = 0; i < MOST; i++) {
        fraction[i] = i % GRID * 15 / 1024.0;
        product[i] = (double)(i / GRID) * 13 / 1024.0;
        at[i][0] = (float)(0.5 + fraction[i]);
        at[i][1] = (float)(0.5 + product[i]);
    }
    ask(image, false, CL_FILTER_LINEAR, at, MOST, got);
    MUST(clReleaseMemObject(image));
    printf("two dimensions, %d weights; missed by\n", MOST);
    int wrong = 0;
    for (int r = 0; r < RULES; r++) {
        int whole = 0, rounded = 0;
        for (int i = 0; i < MOST; i++) {
            double w = rules[r].of(fraction[i]) * rules[r].of(product[i]);
            whole += !(fabs((double)got[i] - w) <= 0x1p-24);
            rounded += !(fabs((double)got[i] - floor(w * 256 + 0.5) / 256) <= 0x1p-24);
        }
        printf("  %-24s %d; products rounded to 1/256: %d\n", rules[r].name, whole, rounded);
        if (r == wanted) wrong = rules[r].of == up_at_half ? rounded : whole;
    }
    for (int i = 0; table && i < MOST; i++)
        printf("  %.9g %.9g %.9g\n", fraction[i], product[i], (double)got[i]);
    return !wrong;
}

/* How far below a boundary the nearest filter still takes the texel below. */
static bool boundary(cl_mem image, bool normalised) {
    float inside = 0;
    for (int k = 0; k < STEPS; k++) {
        float u = WIDE / 2 + 1;
        for (int i = 0; i < k; i++) u = nextafterf(u, 0);
        at[k][0] = normalised ? u / WIDE : u;
        at[k][1] = normalised ? 0.5f : 0;
        fraction[k] = WIDE / 2 + 1 - (double)u;
    }
    ask(image, normalised, CL_FILTER_NEAREST, at, STEPS, got);
    int last = -1; /* the last place that reads what lies at the boundary */
    for (int k = 0; k < STEPS; k++)
        if (got[k] == got[0]) last = k;
    inside = last < 0 ? 0 : (float)fraction[last];
    printf("nearest, %s: the upper texel is taken from %.9g below its boundary on\n",
           normalised ? "normalised" : "in texels", (double)inside);
    return last == 0;
}

int main(int argc, char **argv) {
    int wanted = -1;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--table")) table = true;
        for (int r = 0; r < 2; r++)
            if (!strcmp(argv[i], rules[r].name)) wanted = r;
    }
    h = host_open();
    cl_program program = host_build(&h, host_sample_source);
    kernel = host_kernel(program, "sample");
    static float wide[WIDE];
    unsigned char bytes[8] = {0, 0, 0, 0, 255, 255, 255, 255};
    float pair[2] = {0, 1};
    for (int i = 0; i < WIDE; i++) wide[i] = (float)(i % 2);
    cl_mem two = make_image(CL_R, CL_FLOAT, 2, 1, pair),
           many = make_image(CL_R, CL_FLOAT, WIDE, 1, wide),
           byte = make_image(CL_RGBA, CL_UNORM_INT8, 2, 1, bytes);
    bool good = ramp("two floats", two, 0, 2, false, wanted, 0x1p-24);
    good &= ramp("two floats, normalised", two, 0, 2, true, wanted, 0x1p-24);
    good &= ramp("two bytes", byte, 0, 2, false, wanted == FIXED8 ? FIXED8_BYTES : wanted, 0x1p-23);
    good &= ramp("floats 100 and 101", many, 100, WIDE, false, wanted, 0x1p-24);
    good &= ramp("floats 1000 and 1001, normalised", many, 1000, WIDE, true, wanted, 0x1p-24);
    good &= products(wanted);
    good &= boundary(many, false) || wanted < 0;
    good &= boundary(many, true) || wanted < 0;
    MUST(clReleaseMemObject(two));
    MUST(clReleaseMemObject(many));
    MUST(clReleaseMemObject(byte));
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(h.queue));
    MUST(clReleaseContext(h.context));
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
