#include "times_host.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLOAT = 4, GROUP = 256 };

static size_t groups(size_t n, size_t each) { return (n + each - 1) / each; }

/* ---- sums ---- */

/* size: which step, elements. */
double times_reduce(struct times_host *h, const long size[3]) {
    enum { ITEMS = 128, MOST_GROUPS = 64 };
    char kernel[16];
    size_t n = (size_t)size[1];
    cl_mem a = times_buffer(h, n * FLOAT, NULL), b = times_buffer(h, n * FLOAT, NULL);
    snprintf(kernel, sizeof kernel, "reduce%ld", size[0]);
    times_build(h, "reductions.cl", "-DSIZE=128");
    while (n > 1) {
        size_t left = groups(n, size[0] > 3 ? 2 * ITEMS : ITEMS);
        if (size[0] == 7 && left > MOST_GROUPS) left = MOST_GROUPS;
        TIMES_RUN(h, kernel, left * ITEMS, ITEMS, "mmil", a, b, (int)n, ITEMS * FLOAT);
        cl_mem swap = a;
        a = b;
        b = swap;
        n = left;
    }
    return 1;
}

/* size: elements. */
double times_sum_parts(struct times_host *h, const long size[3]) {
    cl_mem from = times_buffer(h, (size_t)size[0] * FLOAT, NULL);
    cl_mem to = times_buffer(h, 64 * FLOAT, NULL);
    times_build(h, "scans.cl", "");
    TIMES_RUN(h, "sum_parts", (size_t)64 * GROUP, GROUP, "mmil", from, to, (int)size[0],
              GROUP * FLOAT);
    return (double)size[0] * FLOAT;
}

/* ---- copies ---- */

/* size: elements, offset. */
double times_offset_copy(struct times_host *h, const long size[3]) {
    size_t bytes = (size_t)(size[0] + 64) * FLOAT;
    cl_mem to = times_buffer(h, bytes, NULL), from = times_buffer(h, bytes, NULL);
    times_build(h, "copies.cl", "");
    TIMES_RUN(h, "offset_copy", (size_t)size[0], GROUP, "mmi", to, from, (int)size[1]);
    return (double)size[0] * FLOAT * 2;
}

/* size: elements, stride. */
double times_stride_copy(struct times_host *h, const long size[3]) {
    size_t bytes = (size_t)(size[0] * size[1]) * FLOAT;
    cl_mem to = times_buffer(h, bytes, NULL), from = times_buffer(h, bytes, NULL);
    times_build(h, "copies.cl", "");
    TIMES_RUN(h, "stride_copy", (size_t)size[0], GROUP, "mmi", to, from, (int)size[1]);
    return (double)size[0] * FLOAT * 2;
}

double times_saxpy(struct times_host *h, const long size[3]) {
    size_t bytes = (size_t)(size[0] * size[1]) * FLOAT;
    cl_mem y = times_buffer(h, bytes, NULL), x = times_buffer(h, bytes, NULL);
    times_build(h, "copies.cl", "");
    TIMES_RUN(h, "saxpy", (size_t)size[0], GROUP, "mmfi", y, x, 2.0, (int)size[1]);
    return (double)size[0] * FLOAT * 3;
}

/* size: elements, which (0 in order, 1 permuted, 2 ints), launches. */
double times_increment(struct times_host *h, const long size[3]) {
    static const char *const kernels[] = {"increment", "increment_permuted", "increment_int"};
    cl_mem x = times_buffer(h, (size_t)size[0] * FLOAT, NULL);
    times_build(h, "copies.cl", "");
    for (long n = 0; n < size[2]; n++)
        TIMES_RUN(h, kernels[size[1]], (size_t)size[0], GROUP, size[1] == 2 ? "mi" : "m", x, 1);
    return 1;
}

/* size: which (0 read, 1 write, 2 read unit, 3 shared memory), work-items, turns. */
double times_stream(struct times_host *h, const long size[3]) {
    enum { WORDS = 1 << 24, HALF = 128, MOST = 512 };
    static const char *const kernels[] = {"read_coalesced", "write_coalesced", "read_unit",
                                          "read_local"};
    size_t items = (size_t)size[1];
    cl_mem from = times_buffer(h, (size_t)WORDS * FLOAT, NULL);
    cl_mem to = times_buffer(h, (size_t)WORDS * FLOAT, NULL);
    times_build(h, "copies.cl", "");
    int turns = (int)size[2];
    if (size[0] == 1)
        TIMES_RUN(h, kernels[1], items, HALF, "mii", to, WORDS, turns);
    else if (size[0] == 3)
        TIMES_RUN(h, kernels[3], items, MOST, "mmi", from, to, turns);
    else
        TIMES_RUN(h, kernels[size[0]], items, HALF, "mmii", from, to, WORDS, turns);
    return (double)items * turns * 16 * FLOAT;
}

/* size: width and height of the image, turns. */
double times_texels(struct times_host *h, const long size[3]) {
    size_t global[] = {(size_t)size[0], (size_t)size[1]}, local[] = {16, 8};
    cl_mem from = times_image(h, 4, global[0], global[1]);
    cl_mem to = times_buffer(h, global[0] * global[1] * FLOAT, NULL);
    times_build(h, "copies.cl", "");
    times_run(h, "read_texels", 2, global, local, "mmiii", from, to, (int)size[0], (int)size[1],
              (int)size[2]);
    return (double)global[0] * (double)global[1] * (double)size[2] * 16;
}

/* ---- matrices ---- */

/* size: which, rows and columns of C. */
double times_product(struct times_host *h, const long size[3]) {
    static const char *const kernels[] = {"narrow", "narrow_a", "narrow_ab"};
    size_t n = (size_t)size[1], global[] = {n, n}, local[] = {16, 16};
    cl_mem a = times_buffer(h, n * 16 * FLOAT, NULL), b = times_buffer(h, n * 16 * FLOAT, NULL);
    cl_mem c = times_buffer(h, n * n * FLOAT, NULL);
    times_build(h, "products.cl", "");
    times_run(h, kernels[size[0]], 2, global, local, "mmmi", a, b, c, (int)n);
    return (double)n * (double)n * FLOAT * 2; /* one read, one written for each of C */
}

/* size: rows and columns, doubles. */
double times_gemm(struct times_host *h, const long size[3]) {
    size_t n = (size_t)size[0], bytes = n * n * FLOAT * (size[1] ? 2 : 1);
    size_t global[] = {n / 64 * 16, n / 16 * 4}, local[] = {16, 4};
    cl_mem a = times_buffer(h, bytes, NULL), b = times_buffer(h, bytes, NULL);
    cl_mem c = times_buffer(h, bytes, NULL);
    times_build(h, "products.cl", size[1] ? "-DREAL=double -DDOUBLES" : "-DREAL=float");
    const char *types = size[1] ? "mimimiidd" : "mimimiiff";
    times_run(h, "gemm", 2, global, local, types, a, (int)n, b, (int)n, c, (int)n, (int)n, 1.0,
              -1.0);
    return 2.0 * (double)n * (double)n * (double)n;
}

static double transpose(struct times_host *h, const char *kernel, size_t n, size_t tile,
                        size_t rows) {
    size_t global[] = {n, n / tile * rows}, local[] = {tile, rows};
    cl_mem to = times_buffer(h, n * n * FLOAT, NULL), from = times_buffer(h, n * n * FLOAT, NULL);
    times_build(h, "turned.cl", "");
    times_run(h, kernel, 2, global, local, "mmii", to, from, (int)n, (int)n);
    return (double)n * (double)n * FLOAT * 2;
}

/* size: which, rows and columns. */
double times_transpose(struct times_host *h, const long size[3]) {
    static const char *const kernels[] = {"copy_plain", "copy_shared", "transpose_naive",
                                          "transpose_coalesced"};
    return transpose(h, kernels[size[0]], (size_t)size[1], 32, 8);
}

double times_square(struct times_host *h, const long size[3]) {
    transpose(h, size[0] ? "square_padded" : "square_naive", (size_t)size[1], 16, 16);
    return 1;
}

/* ---- sparse matrices ---- */

enum { DIA, ELL, CSR_SCALAR, CSR_VECTOR, DIA_IMAGE, ELL_IMAGE, VECTOR_IMAGE };

struct sparse {
    int rows, diagonals, offsets[27];
    int *first, *columns, entries;
    float *data;
};

/* Laplacian of a grid with 3, 5 or 27 points. */
static struct sparse laplacian(long points) {
    struct sparse s = {.diagonals = (int)points};
    int n = 0;
    if (points == 3) {
        s.rows = 1000000;
        for (int x = -1; x <= 1; x++) s.offsets[n++] = x;
    } else if (points == 5) {
        const int five[] = {-1000, -1, 0, 1, 1000};
        s.rows = 1000000;
        for (; n < 5; n++) s.offsets[n] = five[n];
    } else { /* 100 x 100 x 26 in place of 100 x 100 x 100 */
        s.rows = 260000;
        for (int z = -1; z <= 1; z++)
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) s.offsets[n++] = x + 100 * y + 10000 * z;
    }
    return s;
}

static bool is_inside(const struct sparse *s, int column) {
    return column >= 0 && column < s->rows;
}

static void fill_rows(struct sparse *s) {
    s->first = malloc(((size_t)s->rows + 1) * sizeof *s->first);
    s->columns = malloc((size_t)s->rows * (size_t)s->diagonals * sizeof *s->columns);
    s->data = malloc((size_t)s->rows * (size_t)s->diagonals * sizeof *s->data);
    if (!s->first || !s->columns || !s->data) exit(1);
    for (int r = 0; r < s->rows; r++) {
        s->first[r] = s->entries;
        for (int d = 0; d < s->diagonals; d++)
            if (is_inside(s, r + s->offsets[d])) s->columns[s->entries++] = r + s->offsets[d];
    }
    s->first[s->rows] = s->entries;
    for (int n = 0; n < s->entries; n++) s->data[n] = 1;
}

static bool has_image(long format) {
    return format == DIA_IMAGE || format == ELL_IMAGE || format == VECTOR_IMAGE;
}

static cl_mem vector_of(struct times_host *h, const struct sparse *s, long format) {
    return has_image(format) ? times_image(h, 1, 4096, groups((size_t)s->rows, 4096))
                             : times_buffer(h, (size_t)s->rows * FLOAT, NULL);
}

static void run_rows(struct times_host *h, const struct sparse *s, long format, cl_mem x,
                     cl_mem y) {
    cl_mem first = times_buffer(h, ((size_t)s->rows + 1) * FLOAT, s->first);
    cl_mem columns = times_buffer(h, (size_t)s->entries * FLOAT, s->columns);
    cl_mem data = times_buffer(h, (size_t)s->entries * FLOAT, s->data);
    size_t lanes = format == CSR_SCALAR ? 1 : 32;
    if (format == VECTOR_IMAGE)
        TIMES_RUN(h, "csr_image", (size_t)s->rows * lanes, GROUP / 2, "iimmmmm", s->rows,
                  (int)lanes, first, columns, data, x, y);
    else
        TIMES_RUN(h, format == CSR_SCALAR ? "csr_scalar" : "csr_vector",
                  groups((size_t)s->rows * lanes, GROUP) * GROUP, GROUP, "immmmm", s->rows, first,
                  columns, data, x, y);
}

static void run_padded(struct times_host *h, struct sparse *s, long format, cl_mem x, cl_mem y) {
    bool dia = format == DIA || format == DIA_IMAGE;
    static const char *const kernels[] = {"dia", "ell", NULL, NULL, "dia_image", "ell_image"};
    size_t stride = groups((size_t)s->rows, 16) * 16, all = stride * (size_t)s->diagonals;
    float *data = calloc(all, sizeof *data);
    int *columns = calloc(all, sizeof *columns);
    if (!data || !columns) exit(1);
    for (int r = 0; r < s->rows; r++)
        for (int d = 0, n = 0; d < s->diagonals; d++) {
            int column = r + s->offsets[d];
            if (!is_inside(s, column)) continue;
            data[stride * (size_t)(dia ? d : n) + (size_t)r] = 1;
            columns[stride * (size_t)n++ + (size_t)r] = column;
            s->entries++;
        }
    cl_mem values = times_buffer(h, all * FLOAT, data);
    cl_mem places = dia ? times_buffer(h, sizeof s->offsets, s->offsets)
                        : times_buffer(h, all * FLOAT, columns);
    free(data);
    free(columns);
    TIMES_RUN(h, kernels[format], groups((size_t)s->rows, GROUP) * GROUP, GROUP, "iiimmmm", s->rows,
              s->diagonals, (int)stride, places, values, x, y);
}

/* size: format, points. */
double times_sparse(struct times_host *h, const long size[3]) {
    struct sparse s = laplacian(size[1]);
    cl_mem x = vector_of(h, &s, size[0]);
    cl_mem y = times_buffer(h, (size_t)s.rows * FLOAT, NULL);
    times_build(h, "rows.cl", "");
    if (size[0] == CSR_SCALAR || size[0] == CSR_VECTOR) {
        fill_rows(&s);
        run_rows(h, &s, size[0], x, y);
    } else {
        run_padded(h, &s, size[0], x, y);
    }
    return 2.0 * s.entries;
}

/* size: rows, entries of each, in random columns that rise; the vector is an image. */
double times_random_rows(struct times_host *h, const long size[3]) {
    struct sparse s = {.rows = (int)size[0], .diagonals = 27};
    unsigned seed = 12345;
    s.entries = (int)(size[0] * size[1]);
    s.first = malloc(((size_t)s.rows + 1) * sizeof *s.first);
    s.columns = malloc((size_t)s.entries * sizeof *s.columns);
    s.data = calloc((size_t)s.entries, sizeof *s.data);
    if (!s.first || !s.columns || !s.data) exit(1);
    for (int r = 0; r <= s.rows; r++) s.first[r] = r * (int)size[1];
    for (int n = 0; n < s.entries; n++) {
        seed = seed * 1664525u + 1013904223u;
        s.columns[n] = (int)((n % size[1] * s.rows + (int)(seed >> 8) % s.rows) / size[1]);
    }
    cl_mem x = vector_of(h, &s, VECTOR_IMAGE);
    cl_mem y = times_buffer(h, (size_t)s.rows * FLOAT, NULL);
    times_build(h, "rows.cl", "");
    run_rows(h, &s, VECTOR_IMAGE, x, y);
    return 2.0 * s.entries;
}

/* ---- prefix sums ---- */

static void scan_tree(struct times_host *h, cl_mem to, cl_mem from, size_t n) {
    enum { SIZE = 512 };
    size_t count = groups(n, SIZE);
    cl_mem sums = times_buffer(h, count * FLOAT, NULL);
    TIMES_RUN(h, "scan_tree", count * GROUP, GROUP, "mmmil", to, from, sums, (int)n,
              (SIZE + SIZE / 16) * FLOAT);
    if (count == 1) return;
    scan_tree(h, sums, sums, count);
    TIMES_RUN(h, "add_sums", count * GROUP, GROUP, "mmi", to, sums, (int)n);
}

static void scan_warps(struct times_host *h, cl_mem to, cl_mem from, size_t n) {
    enum { SIZE = 2048 };
    size_t count = groups(n, SIZE);
    cl_mem sums = times_buffer(h, groups(count, 4) * 4 * FLOAT, NULL);
    TIMES_RUN(h, "scan_warps", count * GROUP, GROUP, "mmmi", to, from, sums, (int)groups(n, 4));
    if (count == 1) return;
    scan_warps(h, sums, sums, count);
    TIMES_RUN(h, "add_warps", count * GROUP, GROUP, "mmi", to, sums, (int)groups(n, 4));
}

/* size: elements, how many times as many the row has. */
double times_scan_tree(struct times_host *h, const long size[3]) {
    size_t n = (size_t)size[0];
    times_build(h, "scans.cl", "");
    cl_mem from = times_buffer(h, n * FLOAT, NULL), to = times_buffer(h, n * FLOAT, NULL);
    scan_tree(h, to, from, n);
    return (double)size[1];
}

double times_scan_warps(struct times_host *h, const long size[3]) {
    size_t n = (size_t)size[0];
    times_build(h, "scans.cl", "");
    cl_mem from = times_buffer(h, n * FLOAT, NULL), to = times_buffer(h, n * FLOAT, NULL);
    scan_warps(h, to, from, n);
    return (double)size[1];
}

/* size: elements. Sums of 64 parts, and a scan of each part. */
double times_scan_parts(struct times_host *h, const long size[3]) {
    size_t n = (size_t)size[0];
    cl_mem from = times_buffer(h, n * FLOAT, NULL), to = times_buffer(h, n * FLOAT, NULL);
    cl_mem sums = times_buffer(h, 64 * FLOAT, NULL);
    times_build(h, "scans.cl", "");
    TIMES_RUN(h, "sum_parts", (size_t)64 * GROUP, GROUP, "mmil", from, sums, (int)n, GROUP * FLOAT);
    TIMES_RUN(h, "scan_top", GROUP, GROUP, "mi", sums, 64);
    TIMES_RUN(h, "scan_parts", (size_t)64 * GROUP, GROUP, "mmmi", from, sums, to, (int)n);
    return (double)n * FLOAT;
}

/* ---- computation ---- */

/* size: bodies, work-items of a group, how many turns of the loop are one. */
double times_nbody(struct times_host *h, const long size[3]) {
    char options[64];
    size_t n = (size_t)size[0];
    cl_mem bodies = times_buffer(h, n * 16, NULL), to = times_buffer(h, n * 16, NULL);
    snprintf(options, sizeof options, "-DUNROLL=%ld -cl-fast-relaxed-math", size[2]);
    times_build(h, "compute.cl", options);
    TIMES_RUN(h, "nbody", n, (size_t)size[1], "mmil", bodies, to, (int)n, (int)size[1] * 16);
    return 20.0 * (double)n * (double)n;
}

/* size: bytes, how many times as many the row has. */
double times_histogram(struct times_host *h, const long size[3]) {
    size_t n = (size_t)size[0];
    unsigned char *bytes = malloc(n);
    unsigned seed = 1;
    if (!bytes) exit(1);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(seed >> 24);
    }
    cl_mem from = times_buffer(h, n, bytes), counts = times_buffer(h, 256 * FLOAT, NULL);
    free(bytes);
    times_build(h, "compute.cl", "-DUNROLL=1 -DATOMICS");
    TIMES_RUN(h, "histogram", (size_t)60 * GROUP, GROUP, "mmi", from, counts, (int)n);
    return (double)size[1];
}

/* size: work-items, turns. */
double times_rotate(struct times_host *h, const long size[3]) {
    cl_mem to = times_buffer(h, (size_t)size[0] * FLOAT, NULL);
    times_build(h, "compute.cl", "-DUNROLL=1");
    TIMES_RUN(h, "rotate", (size_t)size[0], GROUP, "mffi", to, 0.8, 0.6, (int)size[1]);
    return 6.0 * (double)size[0] * (double)size[1];
}

/* size: work-items, turns, multiplications beside. */
double times_flops(struct times_host *h, const long size[3]) {
    cl_mem to = times_buffer(h, (size_t)size[0] * FLOAT, NULL);
    times_build(h, "compute.cl", "-DUNROLL=1");
    TIMES_RUN(h, size[2] ? "multiply_beside" : "multiply_add", (size_t)size[0], GROUP, "mi", to,
              (int)size[1]);
    return (size[2] ? 3.0 : 2.0) * 4 * 32 * (double)size[0] * (double)size[1];
}

double times_flops_double(struct times_host *h, const long size[3]) {
    cl_mem to = times_buffer(h, (size_t)size[0] * 8, NULL);
    times_build(h, "compute.cl", "-DUNROLL=1 -DDOUBLES");
    TIMES_RUN(h, "multiply_add_double", (size_t)size[0], GROUP, "mi", to, (int)size[1]);
    return 2.0 * 4 * 32 * (double)size[0] * (double)size[1];
}
