/* No room for more objects: everything that makes one says so, nothing crashes, and it works again
 * when others have gone. Then builds, with every allocation of the driver failing once. */
#include "allocator.h"
#include "tests/api/api.h"

enum { MOST = 20000 };

static struct api a;
static void *objects[MOST];
static const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_desc desc = {
    .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};

/* Makes objects until there is no room, has all others of the kind refused too, and lets go. */
#define STARVE(release, make, others)                                                              \
    do {                                                                                           \
        int n = 0;                                                                                 \
        allocator_starve(true);                                                                    \
        while (n < MOST && (objects[n] = make)) n++;                                               \
        CHECK(n < MOST);                                                                           \
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY, make);                                                   \
        others;                                                                                    \
        allocator_starve(false);                                                                   \
        while (n) EXPECT(CL_SUCCESS, release(objects[--n]));                                       \
        EXPECT_NEW(CL_SUCCESS, *objects = make);                                                   \
        EXPECT(CL_SUCCESS, release(*objects));                                                     \
    } while (0)

static void test_objects(void) {
    cl_int err;
    cl_queue_properties none[] = {0};
    cl_buffer_region region = {0, 16};
    cl_mem parent = clCreateBuffer(a.context, 0, 64, NULL, &err);
    STARVE(clReleaseCommandQueue, clCreateCommandQueue(a.context, a.device, 0, &err),
           EXPECT_NEW(CL_OUT_OF_HOST_MEMORY,
                      clCreateCommandQueueWithProperties(a.context, a.device, none, &err)));
    STARVE(clReleaseSampler,
           clCreateSampler(a.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err),
           EXPECT_NEW(CL_OUT_OF_HOST_MEMORY, clCreateSamplerWithProperties(a.context, NULL, &err)));
    STARVE(clReleaseEvent, clCreateUserEvent(a.context, &err), (void)0);
    STARVE(
        clReleaseMemObject,
        clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err),
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY, clCreateBuffer(a.context, 0, 16, NULL, &err));
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY,
                   clCreateBufferWithProperties(a.context, NULL, 0, 16, NULL, &err));
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY,
                   clCreateImage2D(a.context, 0, &format, 1, 1, 0, NULL, &err));
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY,
                   clCreateImage3D(a.context, 0, &format, 2, 2, 2, 0, 0, NULL, &err));
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY, clCreateImage(a.context, 0, &format, &desc, NULL, &err));
        EXPECT_NEW(CL_OUT_OF_HOST_MEMORY,
                   clCreateImageWithProperties(a.context, NULL, 0, &format, &desc, NULL, &err)));
    EXPECT(CL_SUCCESS, clReleaseMemObject(parent));
}

static const char header[] = "int twice(int x);\n";
static const char part[] = "#include \"twice.h\"\n"
                           "kernel void k(global int *out) { *out = twice(4); }\n";
static const char other[] = "int twice(int x) { return 2 * x; }\n";

static long step; /* which allocation fails */

static bool went(const char *call, int line, cl_int err) {
    if (err == CL_SUCCESS) return true;
    /* The constant data is in device memory. */
    bool memory = err == CL_OUT_OF_HOST_MEMORY || err == CL_OUT_OF_RESOURCES;
    if (memory && allocator_failed()) {
        api_saw(call, err);
    } else {
        fprintf(stderr, "allocation %ld: line %d: %s: %d\n", step, line, call, err);
        CHECK(memory && allocator_failed());
    }
    return false;
}
#define WENT(call) went(#call, __LINE__, call)

static cl_program source(const char *text) {
    cl_int err;
    cl_program p;
    WENT((p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err), err));
    return p;
}

static void drop(cl_program p) {
    if (p) EXPECT(CL_SUCCESS, clReleaseProgram(p));
}

static void build_all(void) {
    cl_int err;
    const char *name = "twice.h";
    cl_program h = source(header), p = source(part), o = source(other), linked = NULL;
    if (h && p && o) {
        bool good = WENT(clBuildProgram(o, 0, NULL, NULL, NULL, NULL));
        good &= WENT(clCompileProgram(p, 0, NULL, NULL, 1, &h, &name, NULL, NULL));
        good &= WENT(clCompileProgram(o, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
        cl_program both[] = {p, o};
        if (good)
            WENT(
                (linked = clLinkProgram(a.context, 0, NULL, NULL, 2, both, NULL, NULL, &err), err));
    }
    drop(linked);
    drop(h);
    drop(p);
    drop(o);
}

static void test_builds(void) {
    build_all();
    CHECK(allocator_count_driver() == 1);
    build_all();
    long before = allocator_made(), kept = allocator_live();
    build_all();
    long most = allocator_made() - before, each = most / 150 + 1;
    const char *longer = getenv("SIMTCL_TEST_LONG");
    if (longer && *longer == '1') each = 1;
    for (step = 1; step <= most && api_failures < 20; step += each) {
        allocator_fail(step);
        build_all();
        allocator_fail(0);
    }
    build_all();
    long left = allocator_live() - kept;
    fprintf(stderr, "%ld allocations, every %ld failed, %ld more live afterwards\n", most, each,
            left);
    CHECK(left < 100);
}

int main(void) {
    setvbuf(stderr, NULL, _IONBF, 0);
    a = api_open();
    test_objects();
    test_builds();
    api_close(&a);
    return api_result();
}
