/* Linear reads of normalised channels give the floats that a GPU gave (measured.def): to be run
 * with SIMTCL_EXACT=gpu, or on a GPU. */
#include "host.h"

static const struct measured {
    int a, b;      /* 256ths of a texel */
    int result[6]; /* red to alpha of bytes, then 16 bits, then signed bytes */
} rows[] = {
#define MEASURED(a, b, red, green, blue, alpha, unorm16, snorm8)                                   \
    {a, b, {red, green, blue, alpha, unorm16, snorm8}},
#include "images_measured.def"
#undef MEASURED
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct host h;
static cl_kernel kernel;

/* Reads the image at every row's place. */
static void ask(cl_channel_order order, cl_channel_type type, void *texels, float (*out)[4]) {
    static float at[ROWS][4];
    static const struct kind kind = {
        .type = CL_MEM_OBJECT_IMAGE2D, .dimensions = 2, .size = {2, 2, 1}};
    cl_image_format format = {order, type};
    cl_mem none, image = host_image(&h, &kind, CL_MEM_READ_ONLY, &format, texels, 1, &none);
    cl_int err;
    cl_sampler s =
        clCreateSampler(h.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &err);
    host_must(err, "clCreateSampler");
    for (int i = 0; i < ROWS; i++) {
        at[i][0] = 0.5f + (float)rows[i].a / 256;
        at[i][1] = 0.5f + (float)rows[i].b / 256;
    }
    host_read(&h, kernel, image, s, at, ROWS, out);
    MUST(clReleaseMemObject(image));
    MUST(clReleaseSampler(s));
}

/* Components that are not the correctly rounded quotients of the rows' results from `first` on. */
static int misses(float (*got)[4], int first, int components, int one) {
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < components; c++) {
            float wanted = (float)((double)rows[i].result[first + c] / one);
            if (got[i][c] == wanted) continue;
            wrong++;
            fprintf(stderr, "at (%d, %d)/256, result %d: %.9g, not %.9g\n", rows[i].a, rows[i].b,
                    first + c, (double)got[i][c], (double)wanted);
        }
    return wrong;
}

int main(void) {
    static float got[ROWS][4];
    unsigned char bytes[16];
    unsigned short shorts[] = {1, 40000, 65535, 12345};
    signed char signed_bytes[] = {-128, 127, -77, 5};
    for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(i * 71 + 13);
    h = host_open();
    cl_program program = host_build(&h, host_sample_source);
    kernel = host_kernel(program, "sample");
    ask(CL_RGBA, CL_UNORM_INT8, bytes, got);
    int wrong = misses(got, 0, 4, 65535);
    ask(CL_R, CL_UNORM_INT16, shorts, got);
    wrong += misses(got, 4, 1, 65535);
    ask(CL_R, CL_SNORM_INT8, signed_bytes, got);
    wrong += misses(got, 5, 1, 32767);
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseProgram(program));
    MUST(clReleaseCommandQueue(h.queue));
    MUST(clReleaseContext(h.context));
    printf("%d places, %d results wrong\n", ROWS, wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
