#include "host.h"

const struct kind host_kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1d", "image1d_t", "c.x", 1, false, false, {29, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1da", "image1d_array_t", "c.xy", 1, true, false, {16, 5, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "1db", "image1d_buffer_t", "c.x", 1, false, true, {64, 1, 1}},
    {CL_MEM_OBJECT_IMAGE2D, "2d", "image2d_t", "c.xy", 2, false, false, {13, 8, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2da", "image2d_array_t", "c", 2, true, false, {7, 6, 3}},
    {CL_MEM_OBJECT_IMAGE3D, "3d", "image3d_t", "c", 3, false, false, {6, 5, 4}},
};
const size_t host_nkinds = sizeof host_kinds / sizeof *host_kinds;

void host_must(cl_int error, const char *call) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "%s failed: %d\n", call, error);
    exit(EXIT_FAILURE);
}

struct host host_open(void) {
    struct host h;
    cl_platform_id platform;
    cl_bool images = CL_FALSE;
    char name[256] = "";
    cl_int err;
    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL));
    MUST(clGetDeviceInfo(h.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    MUST(clGetDeviceInfo(h.device, CL_DEVICE_NAME, sizeof name, name, NULL));
    printf("%s\n", name);
    if (!images) exit(EXIT_SUCCESS);
    h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &err);
    host_must(err, "clCreateContext");
    h.queue = clCreateCommandQueue(h.context, h.device, 0, &err);
    host_must(err, "clCreateCommandQueue");
    return h;
}

cl_program host_build(const struct host *h, const char *source) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &err);
    host_must(err, "clCreateProgramWithSource");
    err = clBuildProgram(program, 1, &h->device, "", NULL, NULL);
    if (err != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    host_must(err, "clBuildProgram");
    return program;
}

cl_kernel host_kernel(cl_program program, const char *name) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    host_must(err, name);
    return kernel;
}

cl_uint host_formats(const struct host *h, const struct kind *kind, cl_mem_flags flags,
                     cl_image_format *formats) {
    cl_uint n = 0;
    if (clGetSupportedImageFormats(h->context, flags, kind->type, HOST_FORMATS, formats, &n))
        return 0;
    return n < HOST_FORMATS ? n : HOST_FORMATS;
}

cl_mem host_image(const struct host *h, const struct kind *kind, cl_mem_flags flags,
                  const cl_image_format *format, void *bytes, size_t nbytes, cl_mem *buffer) {
    cl_int err;
    cl_image_desc desc = {.image_type = kind->type,
                          .image_width = kind->size[0],
                          .image_height = kind->size[1],
                          .image_depth = kind->size[2],
                          .image_array_size =
                              kind->size[kind->dimensions > 2 ? 2 : kind->dimensions]};
    *buffer = NULL;
    if (kind->samplerless) {
        *buffer = desc.buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                               nbytes, bytes, &err);
        host_must(err, "clCreateBuffer");
        bytes = NULL;
    }
    if (bytes) flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem image = clCreateImage(h->context, flags, format, &desc, bytes, &err);
    host_must(err, "clCreateImage");
    return image;
}

const char host_sample_source[] =
    "kernel void sample(read_only image2d_t image, sampler_t s, global const float4 *at,\n"
    "    global float4 *out) {\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = read_imagef(image, s, at[i].xy); }\n";

void host_read(const struct host *h, cl_kernel kernel, cl_mem image, cl_sampler sampler,
               float (*at)[4], int n, float (*out)[4]) {
    size_t items = (size_t)n, bytes = items * sizeof *at;
    cl_int err;
    cl_mem places =
        clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, at, &err);
    host_must(err, "clCreateBuffer");
    cl_mem results = clCreateBuffer(h->context, CL_MEM_WRITE_ONLY, bytes, NULL, &err);
    host_must(err, "clCreateBuffer");
    MUST(clSetKernelArg(kernel, 0, sizeof image, &image));
    MUST(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    MUST(clSetKernelArg(kernel, 2, sizeof places, &places));
    MUST(clSetKernelArg(kernel, 3, sizeof results, &results));
    MUST(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    MUST(clEnqueueReadBuffer(h->queue, results, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    MUST(clReleaseMemObject(places));
    MUST(clReleaseMemObject(results));
}

unsigned host_random(void) {
    static unsigned long long seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33);
}
