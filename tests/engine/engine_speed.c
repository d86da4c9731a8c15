/* How fast the interpreter is: the guide's tiled matrix multiplication as a plain compiler would
 * emit it, and a chain of dependent operations, for the cost of one dispatch. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

/* Processor time of all threads, so that a busy machine does not count. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static isa_operand c32(struct isa_kernel *k, uint32_t v) { return isa_const_new(k, ISA_I32, v); }
static isa_operand e(struct isa_kernel *k, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(k, op, ISA_I32, ISA_NONE_T, a, b, ISA_NO_OPERAND);
}
static void set(struct isa_kernel *k, enum isa_type type, isa_operand d, isa_operand s) {
    isa_emit(k, ISA_mov, type, ISA_NONE_T, 1, &d, 1, &s);
}
static isa_operand special(struct isa_kernel *k, enum isa_special s) {
    isa_operand d = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, &d, 0, NULL)->imm = (int32_t)s;
    return d;
}
static isa_operand load(struct isa_kernel *k, enum isa_type type, enum isa_space space,
                        isa_operand a, int32_t imm) {
    isa_operand d = isa_reg_new(k, type);
    struct isa_inst *i = isa_emit(k, ISA_ld, type, ISA_NONE_T, 1, &d, 1, &a);
    i->space = (uint8_t)space;
    i->imm = imm;
    return d;
}
static void store(struct isa_kernel *k, enum isa_type type, enum isa_space space, isa_operand a,
                  isa_operand v) {
    isa_operand s[2] = {a, v};
    isa_emit(k, ISA_st, type, ISA_NONE_T, 0, NULL, 2, s)->space = (uint8_t)space;
}
static void control(struct isa_kernel *k, enum isa_op op, isa_operand p, int32_t imm) {
    isa_emit(k, op, ISA_NONE_T, ISA_NONE_T, 0, NULL, p != ISA_NO_OPERAND, &p)->imm = imm;
}
static isa_operand compare(struct isa_kernel *k, enum isa_op op, isa_operand a, isa_operand b) {
    return isa_emit1(k, op, ISA_PRED, ISA_I32, a, b, ISA_NO_OPERAND);
}
static struct isa_kernel *kernel(struct isa_module *m, const char *name, unsigned params) {
    struct isa_kernel *k = isa_kernel_new(m, name);
    for (unsigned n = 0; n < params; n++) {
        struct isa_param *p = isa_kernel_add_param(k, "p", "int");
        p->kind = ISA_PARAM_VALUE;
        p->size = p->align = 4;
        p->offset = 4 * n;
    }
    k->param_bytes = 4 * params;
    return k;
}

enum { N = 512, TILE = 16 };

static struct isa_module *matrices(void) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = kernel(m, "tiled", 4);
    const isa_operand none = ISA_NO_OPERAND;
    k->local_bytes = 2 * TILE * TILE * 4;
    isa_operand a = load(k, ISA_I32, ISA_PARAM, none, 0), b = load(k, ISA_I32, ISA_PARAM, none, 4),
                c = load(k, ISA_I32, ISA_PARAM, none, 8), n = load(k, ISA_I32, ISA_PARAM, none, 12);
    isa_operand tx = special(k, ISA_SPECIAL_local_id_x), ty = special(k, ISA_SPECIAL_local_id_y);
    isa_operand bx = special(k, ISA_SPECIAL_group_id_x), by = special(k, ISA_SPECIAL_group_id_y);
    isa_operand la = isa_reg_new(k, ISA_I32), lb = isa_reg_new(k, ISA_I32);
    isa_emit(k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &la, 0, NULL)->imm = 0;
    isa_emit(k, ISA_localaddr, ISA_I32, ISA_NONE_T, 1, &lb, 0, NULL)->imm = TILE * TILE * 4;
    isa_operand row = e(k, ISA_add, e(k, ISA_mul, by, c32(k, TILE)), ty);
    isa_operand col = e(k, ISA_add, e(k, ISA_mul, bx, c32(k, TILE)), tx);
    isa_operand sum = isa_reg_new(k, ISA_F32), t = isa_reg_new(k, ISA_I32),
                i = isa_reg_new(k, ISA_I32);
    set(k, ISA_F32, sum, isa_const_new(k, ISA_F32, 0));
    set(k, ISA_I32, t, c32(k, 0));
    control(k, ISA_loop, none, 0);
    control(k, ISA_breakif, compare(k, ISA_le_s, n, t), 0);
    isa_operand mine = e(k, ISA_shl, e(k, ISA_add, e(k, ISA_mul, ty, c32(k, TILE)), tx), c32(k, 2));
    isa_operand at = e(k, ISA_add, e(k, ISA_add, e(k, ISA_mul, row, n), t), tx);
    store(k, ISA_F32, ISA_LOCAL, e(k, ISA_add, la, mine),
          load(k, ISA_F32, ISA_GLOBAL, e(k, ISA_add, a, e(k, ISA_shl, at, c32(k, 2))), 0));
    at = e(k, ISA_add, e(k, ISA_mul, e(k, ISA_add, t, ty), n), col);
    store(k, ISA_F32, ISA_LOCAL, e(k, ISA_add, lb, mine),
          load(k, ISA_F32, ISA_GLOBAL, e(k, ISA_add, b, e(k, ISA_shl, at, c32(k, 2))), 0));
    control(k, ISA_bar, none, ISA_FENCE_LOCAL);
    set(k, ISA_I32, i, c32(k, 0));
    control(k, ISA_loop, none, 0);
    control(k, ISA_breakif, compare(k, ISA_le_s, c32(k, TILE), i), 0);
    isa_operand x =
        load(k, ISA_F32, ISA_LOCAL,
             e(k, ISA_add, la,
               e(k, ISA_shl, e(k, ISA_add, e(k, ISA_mul, ty, c32(k, TILE)), i), c32(k, 2))),
             0);
    isa_operand y =
        load(k, ISA_F32, ISA_LOCAL,
             e(k, ISA_add, lb,
               e(k, ISA_shl, e(k, ISA_add, e(k, ISA_mul, i, c32(k, TILE)), tx), c32(k, 2))),
             0);
    isa_operand s[3] = {x, y, sum};
    isa_emit(k, ISA_mad, ISA_F32, ISA_NONE_T, 1, &sum, 3, s);
    set(k, ISA_I32, i, e(k, ISA_add, i, c32(k, 1)));
    control(k, ISA_endloop, none, 0);
    control(k, ISA_bar, none, ISA_FENCE_LOCAL);
    set(k, ISA_I32, t, e(k, ISA_add, t, c32(k, TILE)));
    control(k, ISA_endloop, none, 0);
    store(k, ISA_F32, ISA_GLOBAL,
          e(k, ISA_add, c, e(k, ISA_shl, e(k, ISA_add, e(k, ISA_mul, row, n), col), c32(k, 2))),
          sum);

    /* One thread does `n` iterations of 64 additions, varying or uniform. */
    for (int uniform = 0; uniform < 2; uniform++) {
        k = kernel(m, uniform ? "uniform" : "varying", 2);
        n = load(k, ISA_I32, ISA_PARAM, none, 0);
        isa_operand v = isa_reg_new(k, ISA_I32);
        set(k, ISA_I32, v, uniform ? n : special(k, ISA_SPECIAL_thread_id));
        i = isa_reg_new(k, ISA_I32);
        control(k, ISA_loop, none, 0);
        control(k, ISA_breakif, compare(k, ISA_le_s, n, i), 0);
        for (int j = 0; j < 64; j++) {
            isa_operand two[2] = {v, i};
            isa_emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, &v, 2, two);
        }
        set(k, ISA_I32, i, e(k, ISA_add, i, c32(k, 1)));
        control(k, ISA_endloop, none, 0);
        store(k, ISA_I32, ISA_GLOBAL,
              e(k, ISA_add, load(k, ISA_I32, ISA_PARAM, none, 4),
                e(k, ISA_shl, special(k, ISA_SPECIAL_thread_id), c32(k, 2))),
              v);
    }

    /* c[i] = a[i] + b[i]: what a group costs when its work-items have next to nothing to do. */
    k = kernel(m, "sum", 3);
    isa_operand id = e(k, ISA_shl, special(k, ISA_SPECIAL_global_id_x), c32(k, 2));
    a = e(k, ISA_add, load(k, ISA_I32, ISA_PARAM, none, 0), id);
    b = e(k, ISA_add, load(k, ISA_I32, ISA_PARAM, none, 4), id);
    c = e(k, ISA_add, load(k, ISA_I32, ISA_PARAM, none, 8), id);
    x = load(k, ISA_F32, ISA_GLOBAL, a, 0);
    y = load(k, ISA_F32, ISA_GLOBAL, b, 0);
    store(k, ISA_F32, ISA_GLOBAL, c,
          isa_emit1(k, ISA_fadd, ISA_F32, ISA_NONE_T, x, y, ISA_NO_OPERAND));
    run_verify(m);
    return m;
}

int main(int argc, char **argv) {
    int repeat = argc > 1 ? atoi(argv[1]) : 5;
    struct isa_module *m = matrices();
    struct memory *memory = memory_new(1u << 30);
    uint32_t a = memory_alloc(memory, N * N * 4, 128), b = memory_alloc(memory, N * N * 4, 128),
             c = memory_alloc(memory, N * N * 4, 128);
    float *pa = memory_at(memory_base(memory), a), *pb = memory_at(memory_base(memory), b),
          *pc = memory_at(memory_base(memory), c);
    for (int i = 0; i < N * N; i++) {
        pa[i] = (float)(i % 13 - 6);
        pb[i] = (float)(i % 7 - 3);
    }
    uint32_t params[4] = {a, b, c, N};
    double best = 1e9;
    for (int r = 0; r < repeat; r++) {
        double t = now();
        struct fault f = run_kernel(memory, m, m->kernels[0], (struct size3){{N, N, 1}},
                                    (struct size3){{TILE, TILE, 1}}, params);
        t = now() - t;
        CHECK(f.kind == FAULT_NONE, "fault %d", f.kind);
        if (t < best) best = t;
    }
    for (int i = 0; i < N; i += 37)
        for (int j = 0; j < N; j += 41) {
            float sum = 0;
            for (int x = 0; x < N; x++) sum += pa[i * N + x] * pb[x * N + j];
            CHECK(pc[i * N + j] == sum, "c[%d][%d] = %g, not %g", i, j, (double)pc[i * N + j],
                  (double)sum);
        }
    printf("tiled %d: %.2f ms, %.2f GFLOPS a thread\n", N, best * 1e3,
           2.0 * N * N * N / best * 1e-9);
    for (int u = 1; u < 3; u++) {
        uint32_t iterations[2] = {100000, c};
        double t = now();
        run_kernel(memory, m, m->kernels[u], (struct size3){{32, 1, 1}}, (struct size3){{32, 1, 1}},
                   iterations);
        t = now() - t;
        printf("%s: %.2f ns an operation\n", m->kernels[u]->name, t / (100000 * 67.0) * 1e9);
    }
    for (uint32_t local = 32; local <= 512; local *= 4) {
        double t = now();
        for (int r = 0; r < 20; r++)
            run_kernel(memory, m, m->kernels[3], (struct size3){{N * N, 1, 1}},
                       (struct size3){{local, 1, 1}}, params);
        t = now() - t;
        printf("sum, groups of %u: %.2f ns an item\n", local, t / (20.0 * N * N) * 1e9);
    }
    memory_free(memory);
    isa_module_free(m);
    return 0;
}
