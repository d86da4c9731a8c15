/* The binaries of programs, as hashes: a line for each source file. What a launch does to a kernel
 * (host passes, native code) does not reach its binary.
 *
 *   passes_binaries FILE.cl ... */
#include "device/isa/isa.h"
#include "tests/api/api.h"

static char *read_file(const char *name) {
    FILE *f = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    if (!f || !text) exit(2);
    size_t n = fread(text, 1, (1 << 20) - 1, f);
    text[n] = 0;
    fclose(f);
    return text;
}

static uint64_t hash_of(cl_program p, size_t *size) {
    unsigned char *binary;
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    binary = malloc(*size + 1);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    uint64_t hash = isa_checksum((const char *)binary, *size);
    free(binary);
    return hash;
}

/* Build options from a line `//: options ...` of the file. */
static char *options_of(const char *text) {
    const char *at = strstr(text, "//: options ");
    if (!at) return strdup("");
    at += strlen("//: options ");
    return strndup(at, strcspn(at, "\n"));
}

static void show(struct api *a, const char *name) {
    char *text = read_file(name), *options = options_of(text);
    size_t size = 0;
    cl_int err;
    cl_program p = clCreateProgramWithSource(a->context, 1, (const char *[]){text}, NULL, &err);
    const char *file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    if (clBuildProgram(p, 0, NULL, options, NULL, NULL)) {
        printf("%s: not built\n", file);
    } else {
        uint64_t hash = hash_of(p, &size);
        printf("%s: %zu bytes, %016llx\n", file, size, (unsigned long long)hash);
    }
    clReleaseProgram(p);
    free(options);
    free(text);
}

/* A kernel that every host pass has something to do in. */
static const char looped[] =
    "kernel void k(global int *o, int n) {\n"
    "    int sum = 0, i = 0, g = get_global_id(0);\n"
    "    while (i < n && o[i] >= 0) i++;\n"
    "    for (int j = 0; j < n; j++) sum += o[j];\n"
    "    int u, v, w;\n"
    "    if (n < 9) { u = 1; v = 2; w = 3; } else { u = 4; v = 5; w = 6; }\n"
    "    o[n + g] = sum + i + u * g + v * sum + w;\n"
    "}\n";

static void launched(struct api *a) {
    size_t size = 0, again = 0, items = 32;
    cl_int err, n = 64, values[128] = {0};
    cl_program p = clCreateProgramWithSource(a->context, 1, (const char *[]){looped}, NULL, &err);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, "", NULL, NULL));
    uint64_t before = hash_of(p, &size);
    cl_kernel k = clCreateKernel(p, "k", &err);
    cl_mem m = clCreateBuffer(a->context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 1, sizeof n, &n));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(a->queue));
    CHECK(hash_of(p, &again) == before && again == size);
    printf("launched: %zu bytes, %016llx\n", size, (unsigned long long)before);
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseProgram(p);
}

int main(int argc, char **argv) {
    struct api a = api_open();
    for (int i = 1; i < argc; i++) show(&a, argv[i]);
    launched(&a);
    api_close(&a);
    return api_result();
}
