/* Rectangular transfers (specification 5.2.2) against a copy made item by item. */
#include "api.h"

enum { BYTES = 8192 };

static struct api a;
static unsigned char host[BYTES], device[BYTES], got[BYTES];
static cl_mem buffer;

struct pitch {
    size_t row, slice;
};

static size_t at(const size_t *origin, struct pitch p, size_t x, size_t y, size_t z) {
    return (origin[0] + x) + (origin[1] + y) * p.row + (origin[2] + z) * p.slice;
}

static void expected(unsigned char *to, const size_t *to_origin, struct pitch tp,
                     const unsigned char *from, const size_t *from_origin, struct pitch fp,
                     const size_t *region) {
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                to[at(to_origin, tp, x, y, z)] = from[at(from_origin, fp, x, y, z)];
}

static bool same(const unsigned char *wanted) {
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, buffer, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    return !memcmp(got, wanted, BYTES);
}

static void test_moves(void) {
    const size_t region[] = {13, 5, 3}, ho[] = {3, 2, 1}, bo[] = {7, 1, 2}, far[] = {100, 3, 4};
    const struct pitch hp = {20, 200}, bp = {32, 320};
    EXPECT(CL_SUCCESS, clEnqueueWriteBufferRect(a.queue, buffer, CL_TRUE, bo, ho, region, bp.row,
                                                bp.slice, hp.row, hp.slice, host, 0, NULL, NULL));
    expected(device, bo, bp, host, ho, hp, region);
    CHECK(same(device));
    const struct pitch cp = {128, 1024};
    EXPECT(CL_SUCCESS, clEnqueueCopyBufferRect(a.queue, buffer, buffer, bo, far, region, cp.row,
                                               cp.slice, cp.row, cp.slice, 0, NULL, NULL));
    unsigned char before[BYTES];
    memcpy(before, device, BYTES);
    expected(device, far, cp, before, bo, cp, region);
    CHECK(same(device));
    unsigned char out[BYTES], wanted[BYTES];
    memset(out, 9, BYTES);
    memset(wanted, 9, BYTES);
    EXPECT(CL_SUCCESS, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, far, ho, region, 128, 1024,
                                               0, 0, out, 0, NULL, NULL));
    expected(wanted, ho, (struct pitch){13, 65}, device, far, cp, region);
    CHECK(!memcmp(out, wanted, BYTES));
}

static void test_errors(void) {
    const size_t o[] = {0, 0, 0}, r[] = {16, 4, 2}, none[] = {16, 0, 2}, out[] = {0, 0, 7};
    const size_t huge[] = {16, (size_t)1 << 62, 2}, beside[] = {16, 0, 0}, inside[] = {8, 1, 0},
                 below[] = {0, 4, 0};
    EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueReadBufferRect(a.queue, NULL, CL_TRUE, o, o, r, 0, 0, 0,
                                                          0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, o, o, none, 0, 0, 0,
                                                     0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, o, o, r, 8, 0, 0, 0,
                                                     host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, o, o, r, 0, 0, 0, 32,
                                                     host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, o, o, r, 0, 65, 0, 0,
                                                     host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, out, o, r, 0, 1024,
                                                     0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, o, o, huge, 0, 0, 0,
                                                     0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(a.queue, buffer, CL_TRUE, NULL, o, r, 0, 0, 0,
                                                     0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(a.queue, buffer, CL_TRUE, o, o, r, 0, 0, 0, 0,
                                                      NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(a.queue, buffer, buffer, o, beside, r, 64, 256,
                                                     32, 256, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(a.queue, buffer, buffer, o, inside, r, 64,
                                                        512, 64, 512, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBufferRect(a.queue, buffer, buffer, o, beside, r, 64, 512, 64,
                                               512, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBufferRect(a.queue, buffer, buffer, o, below, r, 64, 512, 64,
                                               512, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
}

int main(void) {
    a = api_open();
    cl_int err;
    for (int i = 0; i < BYTES; i++) host[i] = (unsigned char)(i * 31 + i / 100);
    buffer = clCreateBuffer(a.context, 0, BYTES, NULL, &err);
    test_moves();
    test_errors();
    EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
    api_close(&a);
    return api_result();
}
