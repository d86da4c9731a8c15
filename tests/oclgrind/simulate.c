/* Runs a kernel that one of Oclgrind's .sim files describes, on the platform simtcl.
 *
 *   simulate FILE.sim
 *
 * The file names a program beside it, a kernel, sizes, and what each argument is; `dump` asks for a
 * buffer's elements, which are printed as oclgrind-kernel does. The exit status is 0 when the
 * kernel was launched, however the launch ended, and 2 when it could not be. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64 };

/* A type that elements can be given and told in. */
struct sim_type {
    const char *name;
    unsigned bytes;
    enum { SIGNED, UNSIGNED, REAL } kind;
};

static const struct sim_type types[] = {
    {"char", 1, SIGNED}, {"uchar", 1, UNSIGNED}, {"short", 2, SIGNED},   {"ushort", 2, UNSIGNED},
    {"int", 4, SIGNED},  {"uint", 4, UNSIGNED},  {"long", 8, SIGNED},    {"ulong", 8, UNSIGNED},
    {"float", 4, REAL},  {"double", 8, REAL},    {"void*", 1, UNSIGNED},
};

static const struct sim_type *type_of(const char *name, size_t length) {
    const struct sim_type *it = NULL;
    for (size_t n = 0; n < sizeof types / sizeof *types; n++)
        if (!strncmp(types[n].name, name, strlen(types[n].name)) &&
            (!length || strlen(types[n].name) == length))
            it = &types[n];
    return it;
}

_Noreturn static void die(const char *what, const char *more, cl_int error) {
    fprintf(stderr, "simulate: %s %s (%d)\n", what, more, error);
    exit(2);
}

static char *file_read(const char *name) {
    FILE *file = fopen(name, "rb");
    size_t size = 0;
    char *text = calloc(1, 1 << 20);
    if (!file || !text) die("cannot read", name, 0);
    size = fread(text, 1, (1 << 20) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* ---- what a file says ---- */

/* Comments become spaces. What stands behind `# ARGS: --build-options` in the first line is
 * returned, the caller's; "" without. */
static char *comments_leave(char *text) {
    static const char mark[] = "# ARGS: --build-options ";
    char *options = calloc(1, 256);
    if (!options) die("out of", "memory", 0);
    if (!strncmp(text, mark, sizeof mark - 1)) sscanf(text + sizeof mark - 1, "%255[^\n]", options);
    for (char *p = text; (p = strchr(p, '#'));)
        while (*p && *p != '\n') *p++ = ' ';
    return options;
}

static char *next_word(char **at) {
    static char word[256];
    int length = 0;
    if (sscanf(*at, " %255s%n", word, &length) != 1) die("the file ends", "early", 0);
    *at += length;
    return word;
}

static void element_set(void *to, const struct sim_type *type, const char *text, int base) {
    double real = strtod(text, NULL);
    float single = (float)real;
    uint64_t whole = type->kind == UNSIGNED ? (uint64_t)strtoull(text, NULL, base)
                                            : (uint64_t)strtoll(text, NULL, base);
    if (type->kind != REAL)
        memcpy(to, &whole, type->bytes);
    else if (type->bytes == 4)
        memcpy(to, &single, 4);
    else
        memcpy(to, &real, 8);
}

static void range_set(char *to, size_t size, const struct sim_type *type, const char *text) {
    double first = 0, by = 0, last = 0;
    if (sscanf(text, "%lf:%lf:%lf", &first, &by, &last) != 3) die("no range is", text, 0);
    for (size_t n = 0; n < size / type->bytes; n++) {
        char value[64];
        snprintf(value, sizeof value, type->kind == REAL ? "%.17g" : "%.0f",
                 first + (double)n * by);
        element_set(to + n * type->bytes, type, value, 10);
    }
}

struct sim_argument {
    char name[128], *data;
    size_t size;
    const struct sim_type *type;
    cl_mem memory;
    bool dump, hex;
};

/* What stands between < and >. */
struct sim_header {
    char fill[64], range[64];
    cl_mem_flags flags;
    bool null, noinit;
};

static void header_read(char **at, struct sim_argument *a, struct sim_header *h) {
    char *end = strchr(*at, '>');
    *at = strchr(*at, '<');
    if (!*at || !end || end < *at) die("no header of argument", a->name, 0);
    *end = '\0';
    for (char *p = ++*at, *save; (p = strtok_r(p, " \t", &save)); p = NULL) {
        const struct sim_type *type = type_of(p, strlen(p));
        if (type)
            a->type = type;
        else if (!strncmp(p, "size=", 5))
            a->size = strtoul(p + 5, NULL, 10);
        else if (!strncmp(p, "fill=", 5))
            snprintf(h->fill, sizeof h->fill, "%s", p + 5);
        else if (!strncmp(p, "range=", 6))
            snprintf(h->range, sizeof h->range, "%s", p + 6);
        else if (!strcmp(p, "ro") || !strcmp(p, "wo"))
            h->flags = *p == 'r' ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
        else if (!strcmp(p, "null"))
            h->null = true;
        else if (!strcmp(p, "noinit"))
            h->noinit = true;
        else if (!strcmp(p, "dump"))
            a->dump = true;
        else if (!strcmp(p, "hex"))
            a->hex = true;
        else
            die("nobody knows", p, 0);
    }
    *at = end + 1;
}

static void data_read(char **at, struct sim_argument *a, const struct sim_header *h) {
    int base = a->hex ? 16 : 10;
    a->data = calloc(1, a->size + 1);
    if (!a->data) die("out of", "memory", 0);
    if (h->null || h->noinit) return;
    if (*h->range) {
        range_set(a->data, a->size, a->type, h->range);
        return;
    }
    for (size_t n = 0; n < a->size / a->type->bytes; n++)
        element_set(a->data + n * a->type->bytes, a->type, *h->fill ? h->fill : next_word(at),
                    base);
}

/* ---- running it ---- */

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void device_open(void) {
    cl_platform_id platforms[32];
    cl_uint count = 0;
    cl_int error = clGetPlatformIDs(32, platforms, &count);
    for (cl_uint n = 0; !error && n < count && !device; n++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[n], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strcmp(name, "simtcl"))
            error = clGetDeviceIDs(platforms[n], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    }
    if (!device) die("there is no platform", "simtcl", error);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (!error) queue = clCreateCommandQueue(context, device, 0, &error);
    if (error) die("no queue", "", error);
}

static cl_program program_build(const char *name, const char *more) {
    char options[512], log[8192] = "";
    cl_int error;
    char *text = file_read(name);
    cl_program p = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    snprintf(options, sizeof options, "-cl-kernel-arg-info %s", more);
    if (!error) error = clBuildProgram(p, 1, &device, options, NULL, NULL);
    if (error) {
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
        die("cannot build", name, error);
    }
    free(text);
    return p;
}

static void argument_read(cl_kernel kernel, cl_uint index, char **at, struct sim_argument *a) {
    struct sim_header h = {.flags = CL_MEM_READ_WRITE};
    char type[128] = "";
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    cl_int error =
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof a->name, a->name, NULL);
    if (!error)
        error = clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
    if (!error)
        error = clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                                   &space, NULL);
    if (error) die("what is argument", a->name, error);
    header_read(at, a, &h);
    if (!a->type) a->type = type_of(type, 0);
    if (!a->type && !h.null && space != CL_KERNEL_ARG_ADDRESS_LOCAL) die("no type of", a->name, 0);
    if (space != CL_KERNEL_ARG_ADDRESS_LOCAL) data_read(at, a, &h);
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL || space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        error = clSetKernelArg(kernel, index, a->size, a->data);
    } else {
        if (!h.null) {
            cl_mem_flags copy = h.noinit ? 0 : CL_MEM_COPY_HOST_PTR;
            a->memory =
                clCreateBuffer(context, h.flags | copy, a->size, copy ? a->data : NULL, &error);
        }
        if (!error) error = clSetKernelArg(kernel, index, sizeof a->memory, &a->memory);
    }
    if (error) die("cannot set argument", a->name, error);
}

static void element_print(const char *at, const struct sim_argument *a) {
    int64_t number = 0;
    uint64_t whole = 0;
    float single;
    double real;
    memcpy(&whole, at, a->type->bytes);
    memcpy(&single, at, sizeof single);
    if (a->type->kind == REAL && a->type->bytes == 4) {
        printf("%g\n", (double)single);
    } else if (a->type->kind == REAL) {
        memcpy(&real, at, sizeof real);
        printf("%g\n", real);
    } else if (a->hex) {
        printf("0x%0*llx\n", 2 * (int)a->type->bytes, (unsigned long long)whole);
    } else if (a->type->kind == UNSIGNED) {
        printf("%llu\n", (unsigned long long)whole);
    } else {
        uint64_t sign = UINT64_C(1) << (8 * a->type->bytes - 1);
        number = (int64_t)(whole ^ sign) - (int64_t)(sign - 1) - 1;
        printf("%lld\n", (long long)number);
    }
}

static void argument_dump(const struct sim_argument *a) {
    size_t room = a->size + sizeof(double);
    char *data = calloc(1, room);
    if (!data) die("out of", "memory", 0);
    clEnqueueReadBuffer(queue, a->memory, CL_TRUE, 0, a->size, data, 0, NULL, NULL);
    printf("\nArgument '%s': %zu bytes\n", a->name, a->size);
    for (size_t n = 0; n < a->size / a->type->bytes; n++) {
        printf("  %s[%zu] = ", a->name, n);
        element_print(data + n * a->type->bytes, a);
    }
    free(data);
}

int main(int argc, char **argv) {
    struct sim_argument arguments[MOST_ARGUMENTS] = {{.size = 0}};
    if (argc != 2) die("which", "file?", 0);
    char *text = file_read(argv[1]), *at = text, path[4096], kernel_name[256];
    char *options = comments_leave(text);
    char *folder = strdup(argv[1]);
    size_t global[3], local[3];
    cl_uint count = 0;
    cl_int error;

    device_open();
    snprintf(path, sizeof path, "%s/%s", dirname(folder), next_word(&at));
    snprintf(kernel_name, sizeof kernel_name, "%s", next_word(&at));
    for (unsigned n = 0; n < 3; n++) global[n] = strtoul(next_word(&at), NULL, 10);
    for (unsigned n = 0; n < 3; n++) local[n] = strtoul(next_word(&at), NULL, 10);
    cl_program program = program_build(path, options);
    cl_kernel kernel = clCreateKernel(program, kernel_name, &error);
    if (error) die("no kernel", kernel_name, error);
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    if (count > MOST_ARGUMENTS) die("too many arguments of", kernel_name, 0);
    for (cl_uint n = 0; n < count; n++) argument_read(kernel, n, &at, &arguments[n]);

    error = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
    if (error) die("cannot launch", kernel_name, error);
    clFinish(queue);
    for (cl_uint n = 0; n < count; n++)
        if (arguments[n].dump) argument_dump(&arguments[n]);

    for (cl_uint n = 0; n < count; n++) {
        if (arguments[n].memory) clReleaseMemObject(arguments[n].memory);
        free(arguments[n].data);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(folder);
    free(options);
    free(text);
    return 0;
}
