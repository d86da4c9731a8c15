/* Images: creation, queries, every transfer (specification 5.3). */
#include "api.h"

enum { W = 13, H = 7, D = 5 };

static struct api a;
static unsigned char host[W * H * D * 16], back[W * H * D * 16];
static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};

static void test_create(void) {
    cl_int err;
    cl_image_format bad = {CL_RGBA, CL_UNORM_SHORT_565}, none = {0x4242, CL_FLOAT};
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateImage2D(NULL, 0, &rgba, W, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateImage2D(a.context, 1 << 20, &rgba, W, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage2D(a.context, 0, NULL, W, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage2D(a.context, 0, &bad, W, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               clCreateImage2D(a.context, 0, &none, W, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE, clCreateImage2D(a.context, 0, &rgba, 0, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE,
               clCreateImage2D(a.context, 0, &rgba, 1 << 20, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE,
               clCreateImage2D(a.context, 0, &rgba, W, H, W * 4, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE, clCreateImage2D(a.context, CL_MEM_COPY_HOST_PTR, &rgba, W, H,
                                                      W * 4 - 4, host, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateImage2D(a.context, CL_MEM_COPY_HOST_PTR, &rgba, W, H, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE,
               clCreateImage3D(a.context, 0, &rgba, W, H, 1, 0, 0, NULL, &err));
    cl_image_format wide = {CL_RGBA, CL_FLOAT};
    EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE,
               clCreateImage3D(a.context, 0, &wide, 2048, 2048, 2048, 0, 0, NULL, &err));
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, NULL, NULL, &err));
    desc.num_samples = 1;
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    desc.num_samples = 0;
    desc.image_type = CL_MEM_OBJECT_BUFFER;
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
}

static void test_formats(void) {
    cl_uint n = 0, some = 0;
    cl_image_format formats[256];
    EXPECT(CL_INVALID_CONTEXT,
           clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
    EXPECT(CL_INVALID_VALUE,
           clGetSupportedImageFormats(a.context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &n));
    EXPECT(CL_INVALID_VALUE,
           clGetSupportedImageFormats(a.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, formats, &n));
    EXPECT(CL_INVALID_VALUE,
           clGetSupportedImageFormats(a.context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
    EXPECT(CL_SUCCESS,
           clGetSupportedImageFormats(a.context, 0, CL_MEM_OBJECT_IMAGE2D, 256, formats, &n));
    CHECK(n >= 11 && n < 256);
    for (cl_uint i = 0; i < n; i++)
        some += formats[i].image_channel_order == CL_RGBA ||
                (formats[i].image_channel_order == CL_BGRA &&
                 formats[i].image_channel_data_type == CL_UNORM_INT8);
    CHECK(some == 13); /* what 1.0 requires, and RGBA's signed normalised */
}

/* The whole of an image of every type and several formats, written, copied and read back. */
static void round_trip(cl_mem_object_type type, const size_t *region, cl_image_format format,
                       size_t texel) {
    cl_int err;
    cl_image_desc desc = {.image_type = type,
                          .image_width = region[0],
                          .image_height = region[1],
                          .image_depth = region[2]};
    desc.image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? region[1] : region[2];
    size_t bytes = region[0] * region[1] * region[2] * texel, origin[3] = {0, 0, 0};
    cl_mem buffer = clCreateBuffer(a.context, 0, bytes, NULL, &err), image, copy;
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.buffer = buffer;
    EXPECT_NEW(CL_SUCCESS, image = clCreateImage(a.context, 0, &format, &desc, NULL, &err));
    if (desc.buffer) desc.buffer = clCreateBuffer(a.context, 0, bytes, NULL, &err);
    cl_mem under = desc.buffer;
    EXPECT_NEW(CL_SUCCESS, copy = clCreateImage(a.context, 0, &format, &desc, NULL, &err));
    EXPECT_INFO(clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE, size_t, texel);
    EXPECT_INFO(clGetImageInfo, image, CL_IMAGE_WIDTH, size_t, region[0]);
    EXPECT_INFO(clGetMemObjectInfo, image, CL_MEM_TYPE, cl_mem_object_type, type);
    EXPECT_INFO(clGetMemObjectInfo, image, CL_MEM_SIZE, size_t, bytes);
    EXPECT(CL_SUCCESS, clEnqueueWriteImage(a.queue, image, CL_FALSE, origin, region, 0, 0, host, 0,
                                           NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueCopyImage(a.queue, image, copy, origin, origin, region, 0, NULL, NULL));
    memset(back, 0, sizeof back);
    EXPECT(CL_SUCCESS,
           clEnqueueReadImage(a.queue, copy, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
    CHECK(!memcmp(host, back, bytes));
    cl_mem other = under ? under : buffer; /* not the one the image lies in */
    EXPECT(CL_SUCCESS,
           clEnqueueCopyImageToBuffer(a.queue, image, other, origin, region, 0, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, other, CL_TRUE, 0, bytes, back, 0, NULL, NULL));
    CHECK(!memcmp(host, back, bytes));
    size_t row = 0, slice = 77;
    void *p;
    EXPECT_NEW(CL_SUCCESS,
               p = clEnqueueMapImage(a.queue, copy, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                     region, &row, &slice, 0, NULL, NULL, &err));
    CHECK(row == region[0] * texel && !memcmp(p, host, bytes));
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, copy, p, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
    EXPECT(CL_SUCCESS, clReleaseMemObject(copy));
    EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
    if (under) EXPECT(CL_SUCCESS, clReleaseMemObject(under));
}

static void test_round_trips(void) {
    static const struct {
        cl_image_format format;
        size_t texel;
    } formats[] = {{{CL_R, CL_UNORM_INT8}, 1},
                   {{CL_RGB, CL_UNORM_SHORT_565}, 2},
                   {{CL_RGBA, CL_UNORM_INT8}, 4},
                   {{CL_RG, CL_FLOAT}, 8},
                   {{CL_RGBA, CL_SIGNED_INT32}, 16}};
    static const struct {
        cl_mem_object_type type;
        size_t region[3];
    } types[] = {
        {CL_MEM_OBJECT_IMAGE1D, {W, 1, 1}},       {CL_MEM_OBJECT_IMAGE1D_BUFFER, {W, 1, 1}},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, {W, D, 1}}, {CL_MEM_OBJECT_IMAGE2D, {W, H, 1}},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, {W, H, D}}, {CL_MEM_OBJECT_IMAGE3D, {W, H, D}}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++)
            round_trip(types[i].type, types[i].region, formats[j].format, formats[j].texel);
}

/* A region, with pitches on the host's side, and with the host's memory under the image. */
static void test_regions(cl_mem_flags flags) {
    cl_int err;
    size_t row = 64, slice = 64 * 8;
    unsigned char *mine = calloc(1, slice * D), *out = calloc(1, slice * D);
    for (size_t i = 0; i < slice * D; i++) mine[i] = (unsigned char)(i * 13 + i / 77);
    cl_mem m;
    EXPECT_NEW(CL_SUCCESS,
               m = clCreateImage3D(a.context, flags, &rgba, W, H, D, row, slice, mine, &err));
    EXPECT_INFO(clGetImageInfo, m, CL_IMAGE_ROW_PITCH, size_t, row);
    EXPECT_INFO(clGetImageInfo, m, CL_IMAGE_SLICE_PITCH, size_t, slice);
    EXPECT_INFO(clGetImageInfo, m, CL_IMAGE_DEPTH, size_t, D);
    EXPECT(CL_INVALID_VALUE, clGetImageInfo(m, 0x4242, 0, NULL, NULL));
    const size_t origin[] = {2, 3, 1}, region[] = {5, 2, 3}, far[] = {10, 3, 1}, none[] = {5, 0, 3},
                 to[] = {3, 3, 1}, away[] = {7, 3, 1};
    const struct {
        const size_t *origin, *region;
        size_t row, slice;
        void *host;
    } refused[] = {
        {far, region, 0, 0, out},     {origin, none, 0, 0, out},    {NULL, region, 0, 0, out},
        {origin, NULL, 0, 0, out},    {origin, region, 19, 0, out}, {origin, region, 32, 63, out},
        {origin, region, 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const size_t *at = refused[i].origin, *of = refused[i].region;
        size_t r = refused[i].row, s = refused[i].slice;
        void *host = refused[i].host;
        EXPECT(CL_INVALID_VALUE,
               clEnqueueReadImage(a.queue, m, CL_TRUE, at, of, r, s, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE,
               clEnqueueWriteImage(a.queue, m, CL_TRUE, at, of, r, s, host, 0, NULL, NULL));
    }
    EXPECT(CL_MEM_COPY_OVERLAP,
           clEnqueueCopyImage(a.queue, m, m, origin, to, region, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadImage(a.queue, m, CL_TRUE, origin, region, 32, 100, out, 0, NULL, NULL));
    int wrong = 0;
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 2; y++)
            wrong +=
                !!memcmp(out + z * 100 + y * 32, mine + (z + 1) * slice + (y + 3) * row + 8, 20);
    CHECK(!wrong);
    EXPECT(CL_SUCCESS, clEnqueueCopyImage(a.queue, m, m, origin, away, region, 0, NULL, NULL));
    size_t prow = 0, pslice = 0;
    unsigned char *p;
    EXPECT_NEW(CL_INVALID_VALUE, clEnqueueMapImage(a.queue, m, CL_TRUE, CL_MAP_READ, away, region,
                                                   NULL, &pslice, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clEnqueueMapImage(a.queue, m, CL_TRUE, CL_MAP_READ, away, region,
                                                   &prow, NULL, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, p = clEnqueueMapImage(a.queue, m, CL_TRUE, CL_MAP_WRITE, away, region,
                                                 &prow, &pslice, 0, NULL, NULL, &err));
    CHECK(!memcmp(p + prow + pslice, mine + 2 * slice + 4 * row + 8, 20));
    if (flags & CL_MEM_USE_HOST_PTR)
        CHECK(p == mine + slice + 3 * row + 28 && prow == row && pslice == slice);
    memset(p + 2 * pslice, 200, 20);
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, m, p, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadImage(a.queue, m, CL_TRUE, away, region, 0, 0, out, 0, NULL, NULL));
    CHECK(out[80] == 200 && out[99] == 200);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    free(mine);
    free(out);
}

/* An image over a buffer, which may name the pitch of its only row. */
static void test_over_buffer(void) {
    cl_int err;
    cl_mem buffer = clCreateBuffer(a.context, 0, W * 4, NULL, &err), image;
    struct api other = api_open();
    cl_mem foreign = clCreateBuffer(other.context, 0, W * 4, NULL, &err);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = W};
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    desc.buffer = foreign;
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    desc.buffer = buffer;
    desc.image_width = W + 1;
    EXPECT_NEW(CL_INVALID_IMAGE_SIZE, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    desc.image_width = W;
    EXPECT_NEW(CL_INVALID_HOST_PTR, clCreateImage(a.context, 0, &rgba, &desc, host, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateImage(a.context, CL_MEM_COPY_HOST_PTR, &rgba, &desc, host, &err));
    desc.image_row_pitch = W * 4 - 4;
    EXPECT_NEW(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    desc.image_row_pitch = W * 4 + 4;
    EXPECT_NEW(CL_SUCCESS, image = clCreateImage(a.context, 0, &rgba, &desc, NULL, &err));
    EXPECT_INFO(clGetImageInfo, image, CL_IMAGE_ROW_PITCH, size_t, W * 4 + 4);
    EXPECT_INFO(clGetImageInfo, image, CL_IMAGE_SLICE_PITCH, size_t, 0);
    EXPECT_INFO(clGetImageInfo, image, CL_IMAGE_BUFFER, cl_mem, buffer);
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
    EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
    EXPECT(CL_SUCCESS, clReleaseMemObject(foreign));
    api_close(&other);
}

static void test_fill(void) {
    cl_int err;
    cl_mem m = clCreateImage2D(a.context, 0, &rgba, W, H, 0, NULL, &err);
    const size_t origin[] = {1, 1, 0}, region[] = {3, 2, 1}, all[] = {W, H, 1}, zero[] = {0, 0, 0};
    const float color[] = {0.5f, 1.0f, 2.0f, -1.0f}, black[] = {0, 0, 0, 0};
    EXPECT(CL_INVALID_VALUE, clEnqueueFillImage(a.queue, m, NULL, origin, region, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueFillImage(a.queue, m, black, zero, all, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueFillImage(a.queue, m, color, origin, region, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadImage(a.queue, m, CL_TRUE, zero, all, 0, 0, back, 0, NULL, NULL));
    const unsigned char *t = back + (W + 1) * 4;
    CHECK(t[0] == 128 && t[1] == 255 && t[2] == 255 && t[3] == 0);
    CHECK(!back[0] && !t[-4] && !t[12] && t[W * 4] == 128);
    cl_mem other, buffer = clCreateBuffer(a.context, 0, 64, NULL, &err);
    cl_image_format floats = {CL_RGBA, CL_FLOAT};
    EXPECT_NEW(CL_SUCCESS, other = clCreateImage2D(a.context, 0, &floats, W, H, 0, NULL, &err));
    EXPECT(CL_IMAGE_FORMAT_MISMATCH,
           clEnqueueCopyImage(a.queue, m, other, zero, zero, all, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyImageToBuffer(a.queue, m, buffer, zero, all, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyBufferToImage(a.queue, buffer, m, 0, zero, all, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueCopyImageToBuffer(a.queue, buffer, buffer, zero, all, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadImage(a.queue, buffer, CL_TRUE, zero, all, 0, 0, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, back, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseMemObject(other));
    EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
}

static void test_samplers(void) {
    cl_int err;
    cl_sampler s;
    EXPECT_NEW(CL_INVALID_CONTEXT,
               clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateSampler(a.context, 7, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSampler(a.context, CL_TRUE, 7, CL_FILTER_NEAREST, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSampler(a.context, CL_TRUE, CL_ADDRESS_CLAMP, 7, &err));
    cl_sampler_properties good[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_FILTER_MODE,
                                    CL_FILTER_LINEAR, 0};
    cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                     CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSamplerWithProperties(a.context, twice, &err));
    EXPECT_NEW(CL_SUCCESS, s = clCreateSamplerWithProperties(a.context, good, &err));
    EXPECT_INFO(clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS, cl_bool, CL_FALSE);
    EXPECT_INFO(clGetSamplerInfo, s, CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode,
                CL_ADDRESS_CLAMP);
    EXPECT_INFO(clGetSamplerInfo, s, CL_SAMPLER_FILTER_MODE, cl_filter_mode, CL_FILTER_LINEAR);
    EXPECT_INFO(clGetSamplerInfo, s, CL_SAMPLER_CONTEXT, cl_context, a.context);
    EXPECT_INFO(clGetSamplerInfo, s, CL_SAMPLER_REFERENCE_COUNT, cl_uint, 1);
    EXPECT(CL_INVALID_VALUE, clGetSamplerInfo(s, 0x4242, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clRetainSampler(s));
    EXPECT(CL_SUCCESS, clReleaseSampler(s));
    EXPECT(CL_SUCCESS, clReleaseSampler(s));
    EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(s));
}

int main(void) {
    a = api_open();
    for (size_t i = 0; i < sizeof host; i++) host[i] = (unsigned char)(i * 11 + i / 251);
    test_create();
    test_formats();
    test_round_trips();
    test_regions(CL_MEM_COPY_HOST_PTR);
    test_regions(CL_MEM_USE_HOST_PTR);
    test_over_buffer();
    test_fill();
    test_samplers();
    api_close(&a);
    return api_result();
}
