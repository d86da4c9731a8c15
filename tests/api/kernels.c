#include "api.h"
#include "isa/isa.h"

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

static void add_spin(struct isa_module *m) {
    struct isa_kernel *k = isa_kernel_new(m, "spin");
    param(k, "out", "int*", ISA_PARAM_GLOBAL, 4);
    param(k, "n", "int", ISA_PARAM_VALUE, 4);
    isa_operand n = load_param(k, 1), i = isa_reg_new(k, ISA_I32), done = isa_reg_new(k, ISA_PRED);
    isa_operand zero = integer(k, 0), one = integer(k, 1);
    isa_emit(k, ISA_mov, ISA_I32, ISA_NONE_T, 1, &i, 1, &zero);
    isa_emit(k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    isa_emit(k, ISA_eq, ISA_PRED, ISA_I32, 1, &done, 2, (isa_operand[]){i, n});
    isa_emit(k, ISA_breakif, ISA_NONE_T, ISA_NONE_T, 0, NULL, 1, &done);
    isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, &i, 2, (isa_operand[]){i, one});
    isa_emit(k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, NULL, 0, NULL);
    store(k, ISA_GLOBAL, element(k, load_param(k, 0), special(k, ISA_SPECIAL_global_id_x)), i);
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
    isa_operand apart = binary(k, ISA_mul, binary(k, ISA_sub, b, a), integer(k, 4));
    store(k, ISA_GLOBAL, load_param(k, 0), binary(k, ISA_add, sum, apart));
    end(k);
}

const char *kernels_binary(size_t *length) {
    static char *text;
    static size_t bytes;
    if (!text) {
        struct isa_module *m = isa_module_new();
        isa_module_add_file(m, "kernels.cl");
        add_fill(m);
        add_wild(m);
        add_spin(m);
        add_shaped(m);
        add_kinds(m);
        add_sum(m);
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

cl_program kernels_program(struct api *a) {
    size_t length;
    const unsigned char *binary = (const unsigned char *)kernels_binary(&length);
    cl_int status = 1, err;
    cl_program p =
        clCreateProgramWithBinary(a->context, 1, &a->device, &length, &binary, &status, &err);
    EXPECT(CL_SUCCESS, err);
    EXPECT(CL_SUCCESS, status);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    if (api_failures) exit(api_result());
    return p;
}

cl_kernel kernels_get(cl_program program, const char *name) {
    cl_int err;
    cl_kernel k = clCreateKernel(program, name, &err);
    EXPECT(CL_SUCCESS, err);
    return k;
}
