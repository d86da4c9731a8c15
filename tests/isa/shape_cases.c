/* What shape analysis must find out about typical kernels, so that precision is not lost unnoticed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/analysis/shape.h"
#include "cases.h"

/* expect: `r=span` or `r=span+stride` for register number r, `@n=span` for the branch at
 * instruction n,
 * `!n` when instruction n is masked and `.n` when it is not. Spans: v, 4, 8, h(alf-warp),
 * w(arp), g(roup). */
static const struct {
    const char *name, *size, *body, *expect;
} cases[] = {
    {"an id does not wrap around, what is made of it may", "64 1 1",
     "special %i0, global_id_x\n zext.i64.i32 %l1, %i0\n add.i64 %l2, %l1, -5\n"
     "trunc.i32.i64 %i3, %l2\n zext.i64.i32 %l4, %i3\n sext.i64.i32 %l5, %i0\n"
     "st.global.i32 [%i0], %i3",
     "0=g+1 1=g+1 2=g+1 3=g+1 4=v 5=v"},
    {"a loop from an id to as far from it, several steps in an iteration, none wraps around",
     "64 1 1",
     "special %i0, local_id_x\n and.i32 %i1, %i0, 31\n special %i2, group_id_x\n"
     "and.i32 %i6, %i2, 1023\n add.i32 %i7, %i6, %i1\n mov.i32 %i3, %i7\n add.i32 %i4, %i7, 9\n "
     "loop\n"
     "lt_s.i32 %p5, %i4, %i3\n breakif %p5, 0\n add.i32 %i3, %i3, 1\n lt_s.i32 %p5, %i4, %i3\n"
     "breakif %p5, 0\n add.i32 %i3, %i3, 2\n endloop\n st.global.i32 [%i0], %i3",
     "0=g+1 1=w+1 2=g 3=w+1 4=w+1 5=w @9=w @12=w"},
    {"the same where it may", "64 1 1",
     "special %i0, local_id_x\n and.i32 %i1, %i0, 31\n special %i2, group_id_x\n"
     "add.i32 %i7, %i2, %i1\n mov.i32 %i3, %i7\n add.i32 %i4, %i7, 9\n loop\n lt_s.i32 %p5, %i4, "
     "%i3\n"
     "breakif %p5, 0\n add.i32 %i3, %i3, 1\n endloop\n st.global.i32 [%i0], %i3",
     "1=w+1 3=v 4=w+1 5=v @8=v"},
    {"uniform loop", "",
     "ld.param.i32 %i0, [0]\n mov.i32 %i1, 0\n loop\n le_s.i32 %p2, %i0, %i1\n breakif %p2, 0\n"
     "add.i32 %i1, %i1, 1\n endloop",
     "0=g 1=g 2=g @4=g @6=g .5"},
    {"counter with a divergent break, dead behind it", "",
     "special %i0, thread_id\n mov.i32 %i1, 0\n loop\n ld.global.i32 %i2, [%i1]\n"
     "eq.i32 %p3, %i2, %i0\n breakif %p3, 0\n add.i32 %i1, %i1, 4\n lt_s.i32 %p4, %i1, 400\n"
     "not.pred %p4, %p4\n breakif %p4, 0\n endloop\n st.global.i32 [%i0], 1",
     "0=g+1 1=g 2=w 3=v 4=g @5=v @9=g .6"},
    {"the same counter, read behind the loop", "",
     "special %i0, thread_id\n mov.i32 %i1, 0\n loop\n eq.i32 %p3, %i1, %i0\n breakif %p3, 0\n"
     "add.i32 %i1, %i1, 1\n endloop\n st.global.i32 [%i0], %i1",
     "1=v !5 .1"},
    {"early return", "",
     "special %i0, global_id_x\n lt_s.i32 %p1, %i0, 100\n if %p1\n ret\n endif\n mov.i32 %i2, 7\n"
     "loop\n add.i32 %i2, %i2, 1\n lt_s.i32 %p3, 50, %i2\n breakif %p3, 0\n endloop",
     "0=v 1=v 2=g 3=g @2=v @9=g .5 .7"},
    {"both parts of a divergent if", "",
     "special %i0, thread_id\n eq.i32 %p1, %i0, 3\n if %p1\n mov.i32 %i2, 1\n else\n"
     "mov.i32 %i2, 2\n endif\n st.global.i32 [%i0], %i2",
     "2=v .3 !5"},
    {"temporaries of a divergent part", "",
     "special %i0, thread_id\n eq.i32 %p1, %i0, 3\n if %p1\n mov.i32 %i2, 1\n add.i32 %i3, %i2, 5\n"
     "st.global.i32 [%i0], %i3\n endif",
     "2=g 3=g .3 .4"},
    {"accumulator of a divergent loop", "",
     "special %i0, thread_id\n mov.i32 %i1, 0\n mov.i32 %i2, 0\n loop\n add.i32 %i2, %i2, %i0\n"
     "add.i32 %i1, %i1, 1\n le_s.i32 %p3, %i0, %i1\n breakif %p3, 0\n endloop\n"
     "st.global.i32 [%i0], %i2",
     "1=g 2=v !4 .5"},
    {"continue", "",
     "special %i0, thread_id\n mov.i32 %i1, 0\n loop\n add.i32 %i1, %i1, 1\n lt_s.i32 %p2, 9, %i1\n"
     "breakif %p2, 0\n and.i32 %i3, %i0, %i1\n eq.i32 %p4, %i3, 0\n if %p4\n continue 1\n endif\n"
     "mov.i32 %i5, %i1\n st.global.i32 [%i0], %i5\n endloop",
     "1=g 5=g @5=g @9=v .3 .11"},
    {"written behind a divergent continue, read in the next iteration", "",
     "special %i0, thread_id\n loop\n st.global.i32 [%i0], %i5\n eq.i32 %p4, %i0, 0\n if %p4\n"
     "continue 1\n endif\n add.i32 %i5, %i5, 1\n endloop",
     "5=v !7"},
    {"conditional move in a loop", "",
     "special %i0, thread_id\n loop\n eq.i32 %p1, %i0, 5\n if %p1\n add.i32 %i2, %i2, 1\n"
     "st.global.i32 [%i0], %i2\n endif\n endloop",
     "2=v !4"},
    {"reduction", "",
     "special %i0, thread_id\n special %i1, local_size_x\n shr_u.i32 %i2, %i1, 1\n loop\n"
     "eq.i32 %p3, %i2, 0\n breakif %p3, 0\n lt_u.i32 %p4, %i0, %i2\n if %p4\n shl.i32 %i5, %i0, 2\n"
     "ld.local.i32 %i6, [%i5]\n endif\n bar local\n shr_u.i32 %i2, %i2, 1\n endloop\n"
     "lt_u.i32 %p7, %i0, 32\n if %p7\n st.local.i32 [%i8], 1\n endif",
     "2=g 3=g 4=v 5=g+4 6=v 7=w @5=g @7=v @15=w"},
    {"bounds between warps", "",
     "special %i0, thread_id\n lt_u.i32 %p1, %i0, 64\n le_u.i32 %p2, %i0, 63\n"
     "lt_u.i32 %p3, 32, %i0\n lt_s.i32 %p4, 31, %i0\n le_s.i32 %p5, 32, %i0\n"
     "lt_u.i32 %p6, %i0, 16\n lt_u.i32 %p7, %i0, 17\n le_u.i32 %p8, %i0, 64",
     "1=w 2=w 3=v 4=w 5=w 6=h 7=v 8=v"},
    {"warp and lane numbers", "",
     "special %i0, thread_id\n shr_u.i32 %i1, %i0, 5\n and.i32 %i2, %i0, 31\n div_u.i32 %i3, %i0, "
     "16\n"
     "and.i32 %i4, %i0, -32\n rem_u.i32 %i5, %i0, 16\n div_u.i32 %i6, %i0, 12",
     "1=w 2=w+1 3=h 4=w 5=h+1 6=4"},
    {"rows of a 16x16 group", "16 16 1",
     "special %i0, local_id_x\n special %i1, local_id_y\n special %i2, group_id_x\n"
     "mul.i32 %i3, %i1, 17\n add.i32 %i4, %i3, %i0\n shl.i32 %i5, %i4, 2\n special %i6, "
     "global_id_x",
     "0=h+1 1=h 2=g 3=h 4=h+1 5=h+4 6=h+1"},
    {"rows of a 32x8 group", "32 8 1",
     "special %i0, local_id_x\n special %i1, local_id_y\n special %i2, local_id_z\n"
     "ld.param.i32 %i3, [4]\n mul.i32 %i4, %i1, %i3\n add.i32 %i5, %i4, %i0\n shl.i32 %i6, %i5, 3",
     "0=w+1 1=w 2=g 4=w 5=w+1 6=w+8"},
    {"rows of an 8x8 group", "8 8 1",
     "special %i0, local_id_x\n special %i1, local_id_y\n special %i2, global_id_x\n"
     "ld.param.i32 %i3, [4]\n mul.i32 %i4, %i1, %i3\n add.i32 %i5, %i4, %i2\n shl.i32 %i6, %i5, 2",
     "0=8+1 1=8 2=8+1 4=8 5=8+1 6=8+4"},
    {"rows of a 20x4 group", "20 4 1",
     "special %i0, local_id_x\n special %i1, global_id_y\n and.i32 %i2, %i0, 4\n"
     "mul.i32 %i3, %i1, 20\n add.i32 %i4, %i3, %i0",
     "0=4+1 1=4 2=4 3=4 4=4+1"},
    {"rows of a 10x10 group", "10 10 1", "special %i0, local_id_x\n special %i1, local_id_y",
     "0=v 1=v"},
    {"memory", "",
     "ld.param.i32 %i0, [0]\n ld.global.i32 %i1, [%i0]\n ld.global.volatile.i32 %i2, [%i0]\n"
     "ld.private.i32 %i3, [16]\n ld.constant.f32.v2 {%f4, %f5}, [%i0]\n"
     "atom_add.global.i32 %i6, [%i0], 1",
     "1=w 2=v 3=v 4=w 5=w 6=v"},
    {"differences", "",
     "special %i0, thread_id\n add.i32 %i1, %i0, 100\n sub.i32 %i2, %i1, %i0\n"
     "eq.i32 %p3, %i1, %i0\n select.i32 %i4, %p3, %i1, %i0\n sub.i32 %i5, 10, %i0",
     "2=g 3=g 4=g+1 5=g+-1"},
    {"uniform inner loop in a divergent if", "",
     "special %i0, thread_id\n lt_u.i32 %p1, %i0, 7\n if %p1\n mov.i32 %i2, 0\n loop\n"
     "add.i32 %i2, %i2, 1\n lt_s.i32 %p3, 9, %i2\n breakif %p3, 0\n endloop\n endif",
     "2=g 3=g @7=g @8=g .3 .5"},
};

static int digit_of(char span) {
    const char *at = strchr("v48hwg", span);
    return at ? (int)(at - "v48hwg") : -1;
}

static bool check_one(const struct shape *s, const char *what) {
    bool branch = *what == '@', masked = *what == '!', blind = *what == '.';
    char span = 0;
    long n, stride = 0;
    if (masked || blind) {
        n = strtol(what + 1, NULL, 10);
        return !(s->inst_flags[n] & SHAPE_MASKED) == blind;
    }
    if (sscanf(what + branch, "%ld=%c+%ld", &n, &span, &stride) < 2) return false;
    if (branch) return shape_branch(s, (uint32_t)n) == (enum shape_span)digit_of(span);
    return s->regs[n].span == digit_of(span) && s->regs[n].stride == stride;
}

static bool check_case(unsigned c) {
    char text[2000];
    snprintf(text, sizeof text, "simtcl-ir 1\n.kernel \"k\"\n.param_bytes 16\n%s%s\n{\n%s\n}\n",
             *cases[c].size ? ".required_size " : "", cases[c].size, cases[c].body);
    struct isa_module *m = cases_parse(cases[c].name, text);
    if (!m) return false;
    struct shape *s = shape_new(m->kernels[0], NULL);
    bool good = s;
    char words[400];
    snprintf(words, sizeof words, "%s", cases[c].expect);
    for (char *w = strtok(words, " "); s && w; w = strtok(NULL, " "))
        if (!check_one(s, w)) {
            int n = atoi(w + (*w < '0' || *w > '9'));
            fprintf(stderr, "%s: not %s; register is span %d stride %d, instruction flags %02x\n",
                    cases[c].name, w, s->regs[n].span, (int)s->regs[n].stride, s->inst_flags[n]);
            good = false;
        }
    shape_free(s);
    isa_module_free(m);
    return good;
}

/* ---- cost: large kernels of the kinds that could be slow ---- */

static void emit(struct isa_kernel *k, enum isa_op op, enum isa_type type, enum isa_type type2,
                 unsigned ndst, isa_operand dst, unsigned nsrc, isa_operand a, isa_operand b) {
    isa_operand src[2] = {a, b};
    isa_emit(k, op, type, type2, ndst, &dst, nsrc, src);
}

static double seconds_for(struct isa_module *m) {
    struct isa_error error;
    struct timespec a, b;
    if (!isa_verify(m, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    struct shape *s = shape_new(m->kernels[0], NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    shape_free(s);
    isa_module_free(m);
    return s ? (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec) : 1e9;
}

/* 100,000 registers that all live through 100,000 divergent ifs. */
static struct isa_module *wide(uint32_t n) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "wide");
    isa_operand p = isa_reg_new(k, ISA_PRED);
    emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, isa_reg_new(k, ISA_I32), 0, 0, 0);
    emit(k, ISA_eq, ISA_PRED, ISA_I32, 1, p, 2, 1, 1);
    for (uint32_t i = 0; i < n; i++) isa_reg_new(k, ISA_I32);
    emit(k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, 0, 0, 0, 0);
    for (uint32_t i = 0; i < n; i++) {
        emit(k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, 0, 1, p, 0);
        emit(k, ISA_add, ISA_I32, ISA_NONE_T, 1, i + 2, 2, i + 2, i + 1);
        emit(k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, 0, 0, 0, 0);
    }
    emit(k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, 0, 0, 0, 0);
    return m;
}

/* Each branch's predicate is uniform only if the next one's is. */
static struct isa_module *chain(uint32_t n) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "chain");
    for (uint32_t i = 0; i <= n; i++) isa_reg_new(k, ISA_PRED);
    isa_operand tid = isa_reg_new(k, ISA_I32);
    emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, tid, 0, 0, 0);
    emit(k, ISA_loop, ISA_NONE_T, ISA_NONE_T, 0, 0, 0, 0, 0);
    for (uint32_t i = 0; i < n; i++) {
        emit(k, ISA_if, ISA_NONE_T, ISA_NONE_T, 0, 0, 1, i + 1, 0);
        emit(k, ISA_not, ISA_PRED, ISA_NONE_T, 1, i, 1, i, 0);
        emit(k, ISA_endif, ISA_NONE_T, ISA_NONE_T, 0, 0, 0, 0, 0);
    }
    emit(k, ISA_eq, ISA_PRED, ISA_I32, 1, n, 2, tid, isa_const_new(k, ISA_I32, 3));
    emit(k, ISA_endloop, ISA_NONE_T, ISA_NONE_T, 0, 0, 0, 0, 0);
    return m;
}

/* Straight code. */
static struct isa_module *straight(uint32_t n) {
    struct isa_module *m = isa_module_new();
    struct isa_kernel *k = isa_kernel_new(m, "straight");
    emit(k, ISA_special, ISA_I32, ISA_NONE_T, 1, isa_reg_new(k, ISA_I32), 0, 0, 0);
    for (uint32_t i = 0; i < n; i++)
        isa_emit1(k, ISA_add, ISA_I32, ISA_NONE_T, i, i / 2, ISA_NO_OPERAND);
    return m;
}

int main(int argc, char **argv) {
    bool good = true;
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) good &= check_case(c);
    uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) : 20000;
    printf("seconds: wide %.3f", seconds_for(wide(size)));
    printf(", chain %.3f", seconds_for(chain(size)));
    printf(", straight %.3f\n", seconds_for(straight(10 * size)));
    return !good;
}
