/* Buffers: every transfer, every flag (specification 5.2, 5.4). */
#include "api.h"

enum { BYTES = 4096 };

static struct api a;
static unsigned char host[BYTES], back[BYTES];

static cl_mem new_buffer(cl_mem_flags flags, size_t size, void *ptr) {
    cl_int err;
    cl_mem m = clCreateBuffer(a.context, flags, size, ptr, &err);
    EXPECT(CL_SUCCESS, err);
    return m;
}

static void test_create(void) {
    cl_int err;
    cl_ulong most = 0;
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(a.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    EXPECT_NEW(CL_INVALID_CONTEXT, clCreateBuffer(NULL, 0, 16, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateBuffer(a.context, 1 << 20, 16, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clCreateBuffer(a.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &err));
    EXPECT_NEW(
        CL_INVALID_VALUE,
        clCreateBuffer(a.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host, &err));
    EXPECT_NEW(
        CL_INVALID_VALUE,
        clCreateBuffer(a.context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 16, NULL, &err));
    EXPECT_NEW(CL_INVALID_BUFFER_SIZE, clCreateBuffer(a.context, 0, 0, NULL, &err));
    EXPECT_NEW(CL_INVALID_BUFFER_SIZE, clCreateBuffer(a.context, 0, most + 1, NULL, &err));
    EXPECT_NEW(CL_INVALID_BUFFER_SIZE, clCreateBuffer(a.context, 0, (size_t)-1, NULL, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR, clCreateBuffer(a.context, 0, 16, host, &err));
    EXPECT_NEW(CL_INVALID_HOST_PTR,
               clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, 16, NULL, &err));
    cl_mem full[64];
    int n = 0;
    do full[n] = clCreateBuffer(a.context, 0, most, NULL, &err);
    while (full[n] && ++n < 64);
    CHECK(n > 0);
    if (n < 64)
        EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                   clCreateBuffer(a.context, 0, most, NULL, &err));
    while (n) EXPECT(CL_SUCCESS, clReleaseMemObject(full[--n]));
    cl_mem again = new_buffer(0, most, NULL); /* everything is still usable */
    EXPECT(CL_SUCCESS, clReleaseMemObject(again));
}

static void test_info(void) {
    cl_mem m = new_buffer(CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, BYTES, host);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_FLAGS, cl_mem_flags,
                CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_SIZE, size_t, BYTES);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_HOST_PTR, void *, host);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT, cl_uint, 0);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_CONTEXT, cl_context, a.context);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, NULL);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_OFFSET, size_t, 0);
    EXPECT(CL_SUCCESS, clRetainMemObject(m));
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_REFERENCE_COUNT, cl_uint, 2);
    EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(m, 0x4242, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(NULL, CL_MEM_TYPE, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(m, CL_IMAGE_WIDTH, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
}

static void test_transfer(void) {
    cl_int err;
    cl_mem m = new_buffer(0, BYTES, NULL), other = new_buffer(0, BYTES, NULL);
    cl_context context = clCreateContext(NULL, 1, &a.device, NULL, NULL, &err);
    cl_mem foreign = clCreateBuffer(context, 0, 64, NULL, &err);
    EXPECT(CL_INVALID_COMMAND_QUEUE,
           clEnqueueReadBuffer(NULL, m, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadBuffer(a.queue, NULL, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueReadBuffer(a.queue, foreign, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    /* Nothing may be moved, but not mapped. */
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, BYTES, 0, back, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, m, CL_TRUE, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(a.queue, m, other, 0, 0, 0, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(a.queue, m, m, 8, 8, 0, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a.queue, m, "1234", 4, 0, 0, 0, NULL, NULL));
    EXPECT_NEW(CL_INVALID_VALUE,
               clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_READ, 0, 0, 0, NULL, NULL, &err));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 1, BYTES, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, (size_t)-1, 16, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 16, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_EVENT_WAIT_LIST,
           clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 16, back, 1, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueWriteBuffer(a.queue, m, CL_TRUE, BYTES, 1, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBuffer(a.queue, m, other, 0, BYTES, 1, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(a.queue, m, m, 0, 8, 16, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, m, CL_FALSE, 0, BYTES, host, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(a.queue, m, other, 16, 0, BYTES - 16, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a.queue, other, CL_TRUE, 0, BYTES - 16, back, 0, NULL, NULL));
    CHECK(!memcmp(back, host + 16, BYTES - 16));
    unsigned char pattern[] = {1, 2, 3, 4};
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(a.queue, m, NULL, 4, 0, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(a.queue, m, pattern, 3, 0, 63, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(a.queue, m, pattern, 4, 2, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(a.queue, m, pattern, 4, 0, 62, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueFillBuffer(a.queue, m, pattern, 4, 0, BYTES + 4, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a.queue, m, pattern, 4, 8, 20, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
    CHECK(back[7] == host[7] && back[8] == 1 && back[27] == 4 && back[28] == host[28]);
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(a.queue, 0, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(a.queue, 1, &m, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(a.queue, 1, &foreign, 0, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueMigrateMemObjects(a.queue, 1, &m, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(foreign));
    EXPECT(CL_SUCCESS, clReleaseContext(context));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseMemObject(other));
}

/* Large transfers are shared out over threads. */
static void test_large(void) {
    size_t bytes = 10 << 20;
    unsigned *in = malloc(bytes), *out = malloc(bytes);
    for (size_t i = 0; i < bytes / 4; i++) in[i] = (unsigned)(i * 2654435761u);
    cl_mem m = new_buffer(0, bytes, NULL), other = new_buffer(0, bytes, NULL);
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, m, CL_FALSE, 0, bytes, in, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(a.queue, m, other, 0, 0, bytes, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, other, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    CHECK(!memcmp(in, out, bytes));
    unsigned char pattern[128];
    for (int i = 0; i < 128; i++) pattern[i] = (unsigned char)i;
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(a.queue, m, pattern, 128, 0, bytes, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    int wrong = 0;
    for (size_t i = 0; i < bytes; i += 128) wrong += memcmp((char *)out + i, pattern, 128) != 0;
    CHECK(!wrong);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseMemObject(other));
    free(in);
    free(out);
}

static void test_map(cl_mem_flags flags) {
    cl_int err;
    unsigned char *mine = malloc(BYTES);
    memcpy(mine, host, BYTES);
    cl_mem m = new_buffer(flags, BYTES,
                          flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) ? mine : NULL);
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, m, CL_FALSE, 0, BYTES, host, 0, NULL, NULL));
    EXPECT_NEW(CL_INVALID_VALUE,
               clEnqueueMapBuffer(a.queue, m, CL_TRUE, 1 << 20, 0, 16, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE,
               clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION,
                                  0, 16, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_READ, BYTES, 16, 0,
                                                    NULL, NULL, &err));
    unsigned char *p, *q;
    EXPECT_NEW(CL_SUCCESS, p = clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                  32, 64, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_SUCCESS, q = clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_READ, 32, 16, 0, NULL,
                                                  NULL, &err));
    CHECK(!(flags & CL_MEM_USE_HOST_PTR) || p == mine + 32);
    CHECK(p == q && !memcmp(p, host + 32, 64));
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT, cl_uint, 2);
    p[0] = 200;
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(a.queue, m, p + 1, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, m, q, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, m, p, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(a.queue, m, p, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
    CHECK(back[31] == host[31] && back[32] == 200 && back[33] == host[33]);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT, cl_uint, 0);
    EXPECT_NEW(CL_SUCCESS,
               p = clEnqueueMapBuffer(a.queue, m, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, BYTES,
                                      0, NULL, NULL, &err));
    memset(p, 77, BYTES);
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, m, p, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
    CHECK(back[0] == 77 && back[BYTES - 1] == 77);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    free(mine);
}

/* Maps that overlap, and are given back in the order they came: what each wrote is there. */
static void test_overlapping_maps(cl_mem_flags flags) {
    enum { MAPS = 4, STEP = 100, LENGTH = 250 };
    cl_int err;
    unsigned char *mine = malloc(BYTES), *p[MAPS];
    memcpy(mine, host, BYTES);
    cl_mem m = new_buffer(flags, BYTES, flags & CL_MEM_USE_HOST_PTR ? mine : NULL);
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, m, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
    for (int i = 0; i < MAPS; i++)
        EXPECT_NEW(CL_SUCCESS,
                   p[i] = clEnqueueMapBuffer(a.queue, m, CL_TRUE,
                                             i % 2 ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ,
                                             (size_t)i * STEP, LENGTH, 0, NULL, NULL, &err));
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT, cl_uint, MAPS);
    for (int i = 0; i < MAPS; i++)
        CHECK(p[i] == p[0] + i * STEP && !memcmp(p[i], host + i * STEP, 50));
    p[1][LENGTH - 1] = 201; /* in the third and the fourth, too */
    p[3][0] = 202;          /* and in the second and third */
    p[3][LENGTH - 1] = 203;
    for (int i = 0; i < MAPS; i++)
        EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(a.queue, m, p[i], 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
    CHECK(back[STEP + LENGTH - 1] == 201 && back[3 * STEP] == 202);
    CHECK(back[3 * STEP + LENGTH - 1] == 203 && back[3 * STEP + LENGTH] == host[3 * STEP + LENGTH]);
    EXPECT_INFO(clGetMemObjectInfo, m, CL_MEM_MAP_COUNT, cl_uint, 0);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    free(mine);
}

/* When no more memory is to be had, what there is goes on working, and what is given back can be
 * had again. */
static void test_full(void) {
    enum { MOST = 64 };
    if (!api_ours) return;
    cl_int err = CL_SUCCESS, n = 0, data = 17, got = 0;
    cl_ulong most = 0;
    cl_mem full[MOST], small = new_buffer(0, 64, NULL);
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(a.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    for (cl_ulong bytes = most; bytes >= 1 << 20; bytes /= 2)
        while (n < MOST && (full[n] = clCreateBuffer(a.context, 0, bytes, NULL, &err))) n++;
    CHECK(n > 0 && n < MOST);
    EXPECT_NEW(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateBuffer(a.context, 0, most, NULL, &err));
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(a.queue, small, CL_FALSE, 0, 4, &data, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueCopyBuffer(a.queue, small, full[n - 1], 0, (1 << 20) - 4, 4, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, full[n - 1], CL_TRUE, (1 << 20) - 4, 4, &got, 0,
                                           NULL, NULL));
    CHECK(got == 17);
    cl_program program = kernels_program(&a);
    cl_kernel fill = kernels_get(program, "fill");
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof small, &small));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof n, &n));
    EXPECT(CL_SUCCESS, clEnqueueTask(a.queue, fill, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, small, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == n);
    EXPECT(CL_SUCCESS, clReleaseMemObject(full[0]));
    EXPECT_NEW(CL_SUCCESS, full[0] = clCreateBuffer(a.context, 0, most, NULL, &err));
    for (int i = 0; i < n; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(full[i]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(small));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

static void test_host_access(void) {
    cl_int err;
    cl_mem none = new_buffer(CL_MEM_HOST_NO_ACCESS, 64, NULL),
           reads = new_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL);
    cl_mem writes = new_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueReadBuffer(a.queue, none, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueReadBuffer(a.queue, writes, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueWriteBuffer(a.queue, reads, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    EXPECT_NEW(CL_INVALID_OPERATION, clEnqueueMapBuffer(a.queue, writes, CL_TRUE, CL_MAP_READ, 0,
                                                        16, 0, NULL, NULL, &err));
    EXPECT_NEW(CL_INVALID_OPERATION, clEnqueueMapBuffer(a.queue, reads, CL_TRUE, CL_MAP_WRITE, 0,
                                                        16, 0, NULL, NULL, &err));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, reads, CL_TRUE, 0, 16, back, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(none));
    EXPECT(CL_SUCCESS, clReleaseMemObject(reads));
    EXPECT(CL_SUCCESS, clReleaseMemObject(writes));
}

static void test_sub_buffer(void) {
    cl_int err;
    cl_mem m = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES, host);
    cl_buffer_region region = {1024, 512}, odd = {4, 512}, out = {3840, 512}, empty = {0, 0};
    cl_mem sub;
    EXPECT_NEW(CL_INVALID_MEM_OBJECT,
               clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSubBuffer(m, CL_MEM_READ_WRITE,
                                                   CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSubBuffer(m, CL_MEM_COPY_HOST_PTR,
                                                   CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, 0x4242, &region, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &err));
    EXPECT_NEW(CL_INVALID_VALUE, clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &out, &err));
    EXPECT_NEW(CL_INVALID_BUFFER_SIZE,
               clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &err));
    EXPECT_NEW(CL_MISALIGNED_SUB_BUFFER_OFFSET,
               clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &err));
    EXPECT_NEW(CL_SUCCESS,
               sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    EXPECT_NEW(CL_INVALID_MEM_OBJECT,
               clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &err));
    EXPECT_INFO(clGetMemObjectInfo, sub, CL_MEM_FLAGS, cl_mem_flags,
                CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    EXPECT_INFO(clGetMemObjectInfo, sub, CL_MEM_OFFSET, size_t, 1024);
    EXPECT_INFO(clGetMemObjectInfo, sub, CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, m);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m)); /* the sub-buffer keeps the bytes */
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, sub, CL_TRUE, 0, 512, back, 0, NULL, NULL));
    CHECK(!memcmp(back, host + 1024, 512));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueReadBuffer(a.queue, sub, CL_TRUE, 1, 512, back, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(sub));
}

static int order[2], called;

static void CL_CALLBACK destroyed(cl_mem mem, void *user) {
    (void)mem;
    order[called++] = *(int *)user;
}

static void test_destructor(void) {
    int one = 1, two = 2;
    cl_mem m = new_buffer(0, 64, NULL);
    EXPECT(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(NULL, destroyed, &one));
    EXPECT(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(m, NULL, &one));
    EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(m, destroyed, &one));
    EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(m, destroyed, &two));
    /* A command keeps the object, so that it goes with the command. */
    cl_int err;
    cl_event gate = clCreateUserEvent(a.context, &err);
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_FALSE, 0, 64, back, 1, &gate, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    CHECK(called == 0);
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clFinish(a.queue));
    CHECK(called == 2 && order[0] == 2 && order[1] == 1);
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
}

int main(void) {
    a = api_open();
    for (int i = 0; i < BYTES; i++) host[i] = (unsigned char)(i * 7 + i / 256);
    test_create();
    test_info();
    test_transfer();
    test_large();
    test_map(0);
    test_map(CL_MEM_ALLOC_HOST_PTR);
    test_map(CL_MEM_COPY_HOST_PTR);
    test_map(CL_MEM_USE_HOST_PTR);
    test_overlapping_maps(0);
    test_overlapping_maps(CL_MEM_USE_HOST_PTR);
    test_full();
    test_host_access();
    test_sub_buffer();
    test_destructor();
    api_close(&a);
    return api_result();
}
