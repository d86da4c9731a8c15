/* CLBlast's level-3 routines, all of them, in all four types, both layouts and every transposition,
 * triangle, side and diagonal, with sizes that are no tiles: against the definition. */
#include <clblast_c.h>
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 37, N = 29, K = 41, LD = 48, CELLS = LD * LD };
typedef double complex number;

static cl_context context;
static cl_command_queue queue;
static int ran, wrong;
static const char *routine;

static const CLBlastLayout layouts[] = {CLBlastLayoutRowMajor, CLBlastLayoutColMajor};
static const CLBlastTranspose turns[] = {CLBlastTransposeNo, CLBlastTransposeYes,
                                         CLBlastTransposeConjugate};
static const CLBlastTriangle triangles[] = {CLBlastTriangleUpper, CLBlastTriangleLower};
static const CLBlastSide sides[] = {CLBlastSideLeft, CLBlastSideRight};
static const CLBlastDiagonal diagonals[] = {CLBlastDiagonalNonUnit, CLBlastDiagonalUnit};

/* ---- matrices: of LD x LD numbers, whatever part is used ---- */

struct matrix {
    number at[CELLS];
    CLBlastLayout layout;
};

static size_t cell(const struct matrix *m, int row, int column) {
    return m->layout == CLBlastLayoutRowMajor ? (size_t)row * LD + column
                                              : (size_t)column * LD + row;
}

static number get(const struct matrix *m, int row, int column) {
    return m->at[cell(m, row, column)];
}

static number turned(const struct matrix *m, CLBlastTranspose t, int row, int column) {
    if (t == CLBlastTransposeNo) return get(m, row, column);
    return t == CLBlastTransposeYes ? get(m, column, row) : conj(get(m, column, row));
}

static bool inside(CLBlastTriangle t, int row, int column) {
    return t == CLBlastTriangleUpper ? column >= row : column <= row;
}

/* The whole of a matrix of which one triangle is given. */
static number mirrored(const struct matrix *m, CLBlastTriangle t, bool hermitian, int row,
                       int column) {
    if (hermitian && row == column) return creal(get(m, row, column));
    if (inside(t, row, column)) return get(m, row, column);
    return hermitian ? conj(get(m, column, row)) : get(m, column, row);
}

static number triangular(const struct matrix *m, CLBlastTriangle t, CLBlastDiagonal d, int row,
                         int column) {
    if (row == column && d == CLBlastDiagonalUnit) return 1;
    return inside(t, row, column) ? get(m, row, column) : 0;
}

static void fill(struct matrix *m, CLBlastLayout layout, bool with_imaginary, unsigned seed) {
    m->layout = layout;
    for (size_t i = 0; i < CELLS; i++) {
        seed = seed * 1664525 + 1013904223;
        double re = (double)(seed >> 8 & 0xff) / 256 - 0.5;
        double im = with_imaginary ? (double)(seed >> 16 & 0xff) / 256 - 0.5 : 0;
        m->at[i] = re + im * I;
    }
    /* So that systems of equations with it are well posed. */
    for (int i = 0; i < LD; i++) m->at[cell(m, i, i)] += 8;
}

/* ---- types ---- */

struct type {
    char name;
    size_t bytes;
    double tolerance;
    bool imaginary;
};
static const struct type types[] = {
    {'S', 4, 1e-4, false}, {'D', 8, 1e-11, false}, {'C', 8, 1e-4, true}, {'Z', 16, 1e-11, true}};

static void pack(const struct type *t, const struct matrix *m, void *to) {
    for (size_t i = 0; i < CELLS; i++) {
        double re = creal(m->at[i]), im = cimag(m->at[i]);
        switch (t->name) {
        case 'S': ((float *)to)[i] = (float)re; break;
        case 'D': ((double *)to)[i] = re; break;
        case 'C': ((float *)to)[2 * i] = (float)re, ((float *)to)[2 * i + 1] = (float)im; break;
        default: ((double *)to)[2 * i] = re, ((double *)to)[2 * i + 1] = im;
        }
    }
}

static void unpack(const struct type *t, const void *from, struct matrix *m) {
    for (size_t i = 0; i < CELLS; i++) switch (t->name) {
        case 'S': m->at[i] = ((const float *)from)[i]; break;
        case 'D': m->at[i] = ((const double *)from)[i]; break;
        case 'C':
            m->at[i] = ((const float *)from)[2 * i] + ((const float *)from)[2 * i + 1] * I;
            break;
        default: m->at[i] = ((const double *)from)[2 * i] + ((const double *)from)[2 * i + 1] * I;
        }
}

static cl_mem upload(const struct type *t, const struct matrix *m) {
    static char bytes[CELLS * 16];
    pack(t, m, bytes);
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, CELLS * t->bytes,
                          bytes, NULL);
}

/* Compares all of the buffer, what no routine may touch included. */
static void compare(const struct type *t, cl_mem buffer, const struct matrix *want,
                    CLBlastStatusCode status, const char *how) {
    static char bytes[CELLS * 16];
    static struct matrix got;
    double most = 0;
    clFinish(queue);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, CELLS * t->bytes, bytes, 0, NULL, NULL);
    unpack(t, bytes, &got);
    for (size_t i = 0; i < CELLS; i++) {
        double off = cabs(got.at[i] - want->at[i]) / (1 + cabs(want->at[i]));
        if (!(off <= most)) most = off;
    }
    ran++;
    if (status == CLBlastSuccess && most <= t->tolerance) return;
    wrong++;
    printf("%c%s (%s): status %d, off by %g\n", t->name, routine, how, (int)status, most);
}

/* ---- the routines ---- */

#define F2(x)     ((cl_float2){{(float)creal(x), (float)cimag(x)}})
#define D2(x)     ((cl_double2){{creal(x), cimag(x)}})
#define BUFFER(b) b, 0, LD

static struct matrix a, b, c, want;
static const number alpha_c = 1.25 + 0.5 * I, beta_c = 0.75 - 0.25 * I;

static number alpha_of(const struct type *t) { return t->imaginary ? alpha_c : creal(alpha_c); }
static number beta_of(const struct type *t) { return t->imaginary ? beta_c : creal(beta_c); }

static void prepare(const struct type *t, CLBlastLayout layout) {
    fill(&a, layout, t->imaginary, 1);
    fill(&b, layout, t->imaginary, 2);
    fill(&c, layout, t->imaginary, 3);
    want = c;
}

#define FOUR(result, type, S_call, D_call, C_call, Z_call)                                         \
    switch ((type)->name) {                                                                        \
    case 'S': result = S_call; break;                                                              \
    case 'D': result = D_call; break;                                                              \
    case 'C': result = C_call; break;                                                              \
    default: result = Z_call;                                                                      \
    }

static void gemm(const struct type *t, CLBlastLayout layout, CLBlastTranspose ta,
                 CLBlastTranspose tb) {
    CLBlastStatusCode s;
    number alpha = alpha_of(t), beta = beta_of(t);
    prepare(t, layout);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            number sum = 0;
            for (int k = 0; k < K; k++) sum += turned(&a, ta, i, k) * turned(&b, tb, k, j);
            want.at[cell(&want, i, j)] = alpha * sum + beta * get(&c, i, j);
        }
    cl_mem ma = upload(t, &a), mb = upload(t, &b), mc = upload(t, &c);
#define ARGS(al, be)                                                                               \
    layout, ta, tb, M, N, K, al, BUFFER(ma), BUFFER(mb), be, BUFFER(mc), &queue, NULL
    FOUR(s, t, CLBlastSgemm(ARGS((float)alpha, (float)beta)),
         CLBlastDgemm(ARGS((double)alpha, (double)beta)), CLBlastCgemm(ARGS(F2(alpha), F2(beta))),
         CLBlastZgemm(ARGS(D2(alpha), D2(beta))))
#undef ARGS
    compare(t, mc, &want, s, "");
    clReleaseMemObject(ma), clReleaseMemObject(mb), clReleaseMemObject(mc);
}

static void symm(const struct type *t, CLBlastLayout layout, CLBlastSide side, CLBlastTriangle tri,
                 bool hermitian) {
    CLBlastStatusCode s;
    number alpha = alpha_of(t), beta = beta_of(t);
    prepare(t, layout);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            number sum = 0;
            if (side == CLBlastSideLeft)
                for (int k = 0; k < M; k++)
                    sum += mirrored(&a, tri, hermitian, i, k) * get(&b, k, j);
            else
                for (int k = 0; k < N; k++)
                    sum += get(&b, i, k) * mirrored(&a, tri, hermitian, k, j);
            want.at[cell(&want, i, j)] = alpha * sum + beta * get(&c, i, j);
        }
    cl_mem ma = upload(t, &a), mb = upload(t, &b), mc = upload(t, &c);
#define ARGS(al, be)                                                                               \
    layout, side, tri, M, N, al, BUFFER(ma), BUFFER(mb), be, BUFFER(mc), &queue, NULL
    if (hermitian)
        s = t->name == 'C' ? CLBlastChemm(ARGS(F2(alpha), F2(beta)))
                           : CLBlastZhemm(ARGS(D2(alpha), D2(beta)));
    else
        FOUR(s, t, CLBlastSsymm(ARGS((float)alpha, (float)beta)),
             CLBlastDsymm(ARGS((double)alpha, (double)beta)),
             CLBlastCsymm(ARGS(F2(alpha), F2(beta))), CLBlastZsymm(ARGS(D2(alpha), D2(beta))))
#undef ARGS
    compare(t, mc, &want, s, "");
    clReleaseMemObject(ma), clReleaseMemObject(mb), clReleaseMemObject(mc);
}

/* Rank k and 2k updates of one triangle. */
static void syrk(const struct type *t, CLBlastLayout layout, CLBlastTriangle tri,
                 CLBlastTranspose turn, bool two, bool hermitian) {
    CLBlastStatusCode s;
    number alpha = alpha_of(t), beta = hermitian ? creal(beta_of(t)) : beta_of(t);
    CLBlastTranspose other = turn != CLBlastTransposeNo ? CLBlastTransposeNo
                             : hermitian                ? CLBlastTransposeConjugate
                                                        : CLBlastTransposeYes;
    if (hermitian && !two) alpha = creal(alpha);
    prepare(t, layout);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (!inside(tri, i, j)) continue;
            number sum = 0;
            for (int k = 0; k < K; k++) {
                if (!two) sum += alpha * turned(&a, turn, i, k) * turned(&a, other, k, j);
                if (two)
                    sum += alpha * turned(&a, turn, i, k) * turned(&b, other, k, j) +
                           (hermitian ? conj(alpha) : alpha) * turned(&b, turn, i, k) *
                               turned(&a, other, k, j);
            }
            number old = hermitian && i == j ? creal(get(&c, i, j)) : get(&c, i, j);
            want.at[cell(&want, i, j)] = sum + beta * old;
        }
    cl_mem ma = upload(t, &a), mb = upload(t, &b), mc = upload(t, &c);
#define ARGS1(al, be) layout, tri, turn, N, K, al, BUFFER(ma), be, BUFFER(mc), &queue, NULL
#define ARGS2(al, be)                                                                              \
    layout, tri, turn, N, K, al, BUFFER(ma), BUFFER(mb), be, BUFFER(mc), &queue, NULL
    if (hermitian && two)
        s = t->name == 'C' ? CLBlastCher2k(ARGS2(F2(alpha), (float)creal(beta)))
                           : CLBlastZher2k(ARGS2(D2(alpha), creal(beta)));
    else if (hermitian)
        s = t->name == 'C' ? CLBlastCherk(ARGS1((float)creal(alpha), (float)creal(beta)))
                           : CLBlastZherk(ARGS1(creal(alpha), creal(beta)));
    else if (two)
        FOUR(s, t, CLBlastSsyr2k(ARGS2((float)alpha, (float)beta)),
             CLBlastDsyr2k(ARGS2((double)alpha, (double)beta)),
             CLBlastCsyr2k(ARGS2(F2(alpha), F2(beta))), CLBlastZsyr2k(ARGS2(D2(alpha), D2(beta))))
    else
        FOUR(s, t, CLBlastSsyrk(ARGS1((float)alpha, (float)beta)),
             CLBlastDsyrk(ARGS1((double)alpha, (double)beta)),
             CLBlastCsyrk(ARGS1(F2(alpha), F2(beta))), CLBlastZsyrk(ARGS1(D2(alpha), D2(beta))))
#undef ARGS1
#undef ARGS2
    compare(t, mc, &want, s, turn == CLBlastTransposeNo ? "plain" : "turned");
    clReleaseMemObject(ma), clReleaseMemObject(mb), clReleaseMemObject(mc);
}

/* Products with a triangular matrix; solve: B is what they were made from. */
static void trmm(const struct type *t, CLBlastLayout layout, CLBlastSide side, CLBlastTriangle tri,
                 CLBlastTranspose turn, CLBlastDiagonal d, bool solve) {
    static struct matrix whole;
    CLBlastStatusCode s;
    number alpha = alpha_of(t);
    int size = side == CLBlastSideLeft ? M : N;
    prepare(t, layout);
    if (solve && d == CLBlastDiagonalUnit) /* with a diagonal of 1 the rest has to be small */
        for (size_t i = 0; i < CELLS; i++) a.at[i] /= 32;
    whole.layout = layout;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) whole.at[cell(&whole, i, j)] = triangular(&a, tri, d, i, j);
    want = b;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            number sum = 0;
            for (int k = 0; k < size; k++)
                sum += side == CLBlastSideLeft ? turned(&whole, turn, i, k) * get(&b, k, j)
                                               : get(&b, i, k) * turned(&whole, turn, k, j);
            want.at[cell(&want, i, j)] = solve ? sum / alpha : alpha * sum;
        }
    cl_mem ma = upload(t, &a), mb = upload(t, solve ? &want : &b);
#define ARGS(al) layout, side, tri, turn, d, M, N, al, BUFFER(ma), BUFFER(mb), &queue, NULL
    if (solve)
        FOUR(s, t, CLBlastStrsm(ARGS((float)alpha)), CLBlastDtrsm(ARGS((double)alpha)),
             CLBlastCtrsm(ARGS(F2(alpha))), CLBlastZtrsm(ARGS(D2(alpha))))
    else
        FOUR(s, t, CLBlastStrmm(ARGS((float)alpha)), CLBlastDtrmm(ARGS((double)alpha)),
             CLBlastCtrmm(ARGS(F2(alpha))), CLBlastZtrmm(ARGS(D2(alpha))))
#undef ARGS
    compare(t, mb, solve ? &b : &want, s, d == CLBlastDiagonalUnit ? "unit" : "");
    clReleaseMemObject(ma), clReleaseMemObject(mb);
}

static void all_of(const struct type *t, CLBlastLayout layout) {
    size_t nturns = t->imaginary ? 3 : 2;
    routine = "gemm";
    for (size_t i = 0; i < nturns; i++)
        for (size_t j = 0; j < nturns; j++) gemm(t, layout, turns[i], turns[j]);
    for (int h = 0; h <= t->imaginary; h++)
        for (int tri = 0; tri < 2; tri++)
            for (int side = 0; side < 2; side++) {
                routine = h ? "hemm" : "symm";
                symm(t, layout, sides[side], triangles[tri], h);
            }
    for (int h = 0; h <= t->imaginary; h++)
        for (int tri = 0; tri < 2; tri++)
            for (int turn = 0; turn < 2; turn++)
                for (int two = 0; two < 2; two++) {
                    routine = h ? two ? "her2k" : "herk" : two ? "syr2k" : "syrk";
                    syrk(t, layout, triangles[tri], turns[turn && h ? 2 : turn], two, h);
                }
    for (int side = 0; side < 2; side++)
        for (int tri = 0; tri < 2; tri++)
            for (size_t turn = 0; turn < nturns; turn++)
                for (int d = 0; d < 2; d++)
                    for (int solve = 0; solve < 2; solve++) {
                        routine = solve ? "trsm" : "trmm";
                        trmm(t, layout, sides[side], triangles[tri], turns[turn], diagonals[d],
                             solve);
                    }
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        puts("no device");
        return 1;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    for (size_t t = 0; t < 4; t++)
        for (size_t l = 0; l < 2; l++) all_of(&types[t], layouts[l]);
    printf("%d calls, %d wrong\n", ran, wrong);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong != 0;
}
