#include "api.h"
#include "device/isa/isa.h"

static struct isa_param *param(struct isa_kernel *k, const char *name, const char *type,
                               uint8_t kind, uint32_t size) {
    struct isa_param *p = isa_kernel_add_param(k, name, type);
    p->kind = kind;
    p->size = p->align = size;
    p->offset = k->param_bytes;
    p->pointee_align = 4;
    k->param_bytes += size;
    return p;
}

static isa_operand integer(struct isa_kernel *k, uint64_t n) {
    return isa_const_new(k, ISA_I32, n);
}

static isa_operand load_param(struct isa_kernel *k, uint32_t index) {
    isa_operand value = isa_reg_new(k, ISA_I32), none = ISA_NO_OPERAND;
    struct isa_inst *i = isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &value, 1, &none);
    i->space = ISA_PARAM;
    i->imm = (int32_t)k->params[index].offset;
    return value;
}

static isa_operand special(struct isa_kernel *k, enum isa_special which) {
    isa_operand value = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &value, 0, NULL)->imm = which;
    return value;
}

static isa_operand binary(struct isa_kernel *k, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(k, op, ISA_I32, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}

static void store(struct isa_kernel *k, uint8_t space, isa_operand address, isa_operand value) {
    isa_emit(k, ISA_st, ISA_I32, ISA_NONE_T, 0, NULL, 2, (isa_operand[]){address, value})->space =
        space;
}

static isa_operand load(struct isa_kernel *k, uint8_t space, isa_operand address) {
    isa_operand value = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_ld, ISA_I32, ISA_NONE_T, 1, &value, 1, &address)->space = space;
    return value;
}

static isa_operand element(struct isa_kernel *k, isa_operand base, isa_operand index) {
    return binary(k, ISA_add, base, binary(k, ISA_mul, index, integer(k, 4)));
}

static void end(struct isa_kernel *k) {
    isa_emit(k, ISA_ret, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
}

static void add_fill(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "fill");
    param(k, "out", "int*", ISA_PARAM_GLOBAL, 4);
    param(k, "value", "int", ISA_PARAM_VALUE, 4);
    isa_operand id = special(k, ISA_SPECIAL_global_id_x);
    store(k, ISA_GLOBAL, element(k, load_param(k, 0), id),
          binary(k, ISA_add, load_param(k, 1), id));
    end(k);
}

static void add_wild(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "wild");
    param(k, "out", "int*", ISA_PARAM_GLOBAL, 4);
    param(k, "address", "int", ISA_PARAM_VALUE, 4);
    k->cur_line = 7;
    store(k, ISA_GLOBAL, load_param(k, 1), integer(k, 1));
    end(k);
}

/* Its loop has a product that no pass knows to be odd, so that it stays one. */
static void add_spin(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "spin");
    param(k, "out", "int*", ISA_PARAM_GLOBAL, 4);
    param(k, "n", "int", ISA_PARAM_VALUE, 4);
    isa_operand n = load_param(k, 1), i = isa_reg_new(k, ISA_I32), done = isa_reg_new(k, ISA_PRED);
    isa_operand zero = integer(k, 0), one = integer(k, 1), three = integer(k, 3),
                odd = isa_reg_new(k, ISA_I32), is = isa_reg_new(k, ISA_PRED),
                count = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &i, 1, &zero);
    isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &odd, 1, &one);
    isa_emit(k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    isa_emit(k, ISA_eq, ISA_PRED, ISA_I32, 1, &done, 2, (isa_operand[]){i, n});
    isa_emit(k, ISA_breakif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &done);
    isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, &i, 2, (isa_operand[]){i, one});
    isa_emit(k, ISA_mul, ISA_I32, ISA_NONE_T, 1, &odd, 2, (isa_operand[]){odd, three});
    isa_emit(k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    isa_emit(k, ISA_ne, ISA_PRED, ISA_I32, 1, &is, 2, (isa_operand[]){odd, zero});
    isa_emit(k, ISA_select, ISA_I32, ISA_NONE_T, 1, &count, 3, (isa_operand[]){is, i, zero});
    store(k, ISA_GLOBAL, element(k, load_param(k, 0), special(k, ISA_SPECIAL_global_id_x)), count);
    end(k);
}

static void add_shaped(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "shaped");
    param(k, "out", "int*", ISA_PARAM_GLOBAL, 4);
    k->required_size[0] = 8;
    k->required_size[1] = 4;
    k->required_size[2] = 1;
    end(k);
}

static void add_kinds(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "kinds");
    param(k, "g", "int*", ISA_PARAM_GLOBAL, 4);
    param(k, "c", "int*", ISA_PARAM_CONSTANT, 4)->qualifiers = ISA_QUAL_CONST;
    param(k, "l", "int*", ISA_PARAM_LOCAL, 4);
    struct isa_param *p = param(k, "in", "image2d_t", ISA_PARAM_IMAGE, 4);
    p->dim = ISA_DIM_2D;
    p->access = ISA_ACCESS_READ_ONLY;
    param(k, "s", "sampler_t", ISA_PARAM_SAMPLER, 4);
    param(k, "n", "int", ISA_PARAM_VALUE, 4);
    p = param(k, "out", "image2d_t", ISA_PARAM_IMAGE, 4);
    p->dim = ISA_DIM_2D;
    p->access = ISA_ACCESS_WRITE_ONLY;
    end(k);
}

/* a[0] = 1, b[0] = 2, out = a[0] + b[0] + 4 * (b - a) */
static void add_sum(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "sum");
    param(k, "out", "int*", ISA_PARAM_GLOBAL, 4);
    param(k, "a", "int*", ISA_PARAM_LOCAL, 4);
    param(k, "b", "int*", ISA_PARAM_LOCAL, 4);
    isa_operand a = load_param(k, 1), b = load_param(k, 2);
    store(k, ISA_LOCAL, a, integer(k, 1));
    store(k, ISA_LOCAL, b, integer(k, 2));
    isa_operand sum = binary(k, ISA_add, load(k, ISA_LOCAL, a), load(k, ISA_LOCAL, b));
    isa_operand distance = binary(k, ISA_mul, binary(k, ISA_sub, b, a), integer(k, 4));
    store(k, ISA_GLOBAL, load_param(k, 0), binary(k, ISA_add, sum, distance));
    end(k);
}

/* The same for drivers that do not know warp IR. */
static const char source[] =
    "kernel void fill(global int *out, int value) {\n"
    "    out[get_global_id(0)] = value + (int)get_global_id(0);\n"
    "}\n"
    "kernel void wild(global int *out, int address) { *(global int *)(size_t)address = 1; }\n"
    "kernel void spin(global int *out, int n) {\n"
    "    volatile int i = 0;\n"
    "    uint odd = 1;\n"
    "    while (i != n) i++, odd *= 3;\n"
    "    out[get_global_id(0)] = odd ? i : 0;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void shaped(global int *out) {}\n"
    "kernel void kinds(global int *g, constant int *c, local int *l, read_only image2d_t in,\n"
    "                  sampler_t s, int n, write_only image2d_t out) {}\n"
    "kernel void sum(global int *out, local int *a, local int *b) {\n"
    "    a[0] = 1;\n"
    "    b[0] = 2;\n"
    "    *out = a[0] + b[0] + 4 * (int)(b - a);\n"
    "}\n";

static cl_program from_source(cl_context context) {
    const char *text = source;
    cl_int err;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, "-cl-kernel-arg-info", NULL, NULL));
    return p;
}

/* What a driver of another kind has for a binary. */
static char *foreign_binary(size_t *length) {
    struct api a = api_open();
    cl_program p = from_source(a.context);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof *length, length, NULL));
    char *text = malloc(*length);
    EXPECT(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof text, &text, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
    return text;
}

const char *kernels_nameless(size_t *length) {
    static char *text;
    static size_t bytes;
    if (!text) {
        struct isa_module *m = isa_module_new();
        isa_module_add_file(m, "kernels.cl");
        struct isa_kernel *k = isa_kernel_new(m, "fill");
        param(k, "", "", ISA_PARAM_GLOBAL, 4);
        end(k);
        text = isa_print(m, &bytes);
        isa_module_free(m);
    }
    *length = bytes;
    return text;
}

const char *kernels_binary(size_t *length) {
    static char *text;
    static size_t bytes;
    if (!text && !api_ours) text = foreign_binary(&bytes);
    if (!text) {
        struct isa_module *m = isa_module_new();
        isa_module_add_file(m, "kernels.cl");
        add_fill(m);
        add_wild(m);
        add_spin(m);
        add_shaped(m);
        add_kinds(m);
        add_sum(m);
        for (uint32_t i = 0; i < m->nkernels; i++) m->kernels[i]->arg_info = true;
        struct isa_error why;
        if (!isa_verify(m, &why)) {
            fprintf(stderr, "kernels.c: %s\n", why.text);
            exit(EXIT_FAILURE);
        }
        text = isa_print(m, &bytes);
        isa_module_free(m);
    }
    *length = bytes;
    return text;
}

cl_program kernels_program_for(cl_context context, cl_uint n, const cl_device_id *devices) {
    if (!api_ours) return from_source(context);
    size_t lengths[8] = {0}, length;
    const unsigned char *binaries[8] = {NULL};
    cl_int status[8] = {0}, err;
    for (cl_uint i = 0; i < n; i++) {
        binaries[i] = (const unsigned char *)kernels_binary(&length);
        lengths[i] = length;
    }
    cl_program p = clCreateProgramWithBinary(context, n, devices, lengths, binaries, status, &err);
    EXPECT(CL_SUCCESS, err);
    for (cl_uint i = 0; i < n; i++) EXPECT(CL_SUCCESS, status[i]);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    if (api_failures) exit(api_result());
    return p;
}

cl_program kernels_program(struct api *a) { return kernels_program_for(a->context, 1, &a->device); }

cl_kernel kernels_get(cl_program program, const char *name) {
    cl_int err;
    cl_kernel k = clCreateKernel(program, name, &err);
    EXPECT(CL_SUCCESS, err);
    return k;
}

cl_int kernels_run(struct api *a, cl_program program) {
    cl_int err, out[64] = {0};
    size_t items = 64;
    cl_kernel k = kernels_get(program, "k");
    cl_mem m = clCreateBuffer(a->context, 0, sizeof out, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(a->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    return out[63];
}
