/* The tiled multiplication of NVIDIA's guide over several processes: C = A B, where each task makes
 * a tile of C of a strip of rows of A and a strip of columns of B with the guide's own kernel, and
 * the tiles lie on a grid of processes.
 *
 *   cluster_matmul KERNELS [N [TILE [REPEAT]]]: N by N numbers, tiles of TILE by TILE
 *
 * Numbers are small and whole, so that float holds every sum: C x = A (B x) is checked to the last
 * bit. Told is the least of REPEAT times. */
#include "cluster.h"

#include <stdio.h>
#include <stdlib.h>

static struct cluster cluster;
static int n = 512, tile = 128;

struct tile_product {
    void **buffers; /* C, A, B */
};

static void product_set(cl_kernel kernel, void *arg) {
    struct tile_product *p = arg;
    /* Width, height and stride of C, A and B: whole strips, so strides are widths. */
    int sizes[3][3] = {{tile, tile, tile}, {n, tile, n}, {tile, n, tile}};
    cl_uint at = 0;
    for (int i = 0; i < 3; i++) {
        cl_mem memory = (cl_mem)STARPU_VECTOR_GET_DEV_HANDLE(p->buffers[i]);
        for (int k = 0; k < 3; k++) clSetKernelArg(kernel, at++, sizeof(int), &sizes[i][k]);
        clSetKernelArg(kernel, at++, sizeof memory, &memory);
    }
    for (int i = 0; i < 2; i++) clSetKernelArg(kernel, at++, 16 * 16 * sizeof(float), NULL);
}

static void product_run(void *buffers[], void *arg) {
    (void)arg;
    size_t global[2] = {(size_t)tile, (size_t)tile}, local[2] = {16, 16};
    cluster_launch(&cluster, "matrixMulKernel", product_set, &(struct tile_product){buffers},
                   global, local);
}

static struct starpu_codelet product = {
    .opencl_funcs = {product_run},
    .nbuffers = 3,
    .modes = {STARPU_W, STARPU_R, STARPU_R},
};

/* The matrices, and what they are multiplied with for the check: numbers from -3 to 3. */
static int a_at(int row, int column) { return (row * 5 + column * 3 + row * column % 11) % 7 - 3; }
static int b_at(int row, int column) { return (row * 2 + column * 5 + row * column % 13) % 7 - 3; }
static int x_at(int column) { return column * 97 % 31 - 15; }

/* Which process has tile (i, j) of C: a grid as square as the number of processes allows. */
static int owner_of(int i, int j) {
    int across = 1;
    for (int k = 1; k * k <= cluster.size; k++)
        if (cluster.size % k == 0) across = k;
    return i % across * (cluster.size / across) + j % (cluster.size / across);
}

/* Rows of C x that differ from A (B x), over the tiles of all processes. */
static int wrong_rows(float *const *c, int tiles) {
    long long *bx = calloc((size_t)n, sizeof *bx), *mine = calloc((size_t)n, sizeof *mine),
              *all = calloc((size_t)n, sizeof *all);
    int wrong = 0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) bx[row] += b_at(row, column) * x_at(column);
    for (int t = 0; t < tiles * tiles; t++)
        for (int k = 0; c[t] && k < tile * tile; k++)
            mine[t / tiles * tile + k / tile] +=
                (long long)c[t][k] * x_at(t % tiles * tile + k % tile);
    MPI_Allreduce(mine, all, n, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) all[row] -= a_at(row, column) * bx[column];
        wrong += all[row] != 0;
    }
    free(bx), free(mine), free(all);
    return wrong;
}

/* A strip: rows from `first` on of A (by_rows), or columns of B. */
static float *strip_new(bool by_rows, int first) {
    float *s = malloc((size_t)n * (size_t)tile * sizeof *s);
    for (int k = 0; k < n * tile; k++)
        s[k] = (float)(by_rows ? a_at(first + k / n, k % n) : b_at(k / tile, first + k % tile));
    return s;
}

int main(int argc, char **argv) {
    if (argc < 2 || !cluster_begin(&cluster, &argc, &argv, argv[1])) return 1;
    int repeat = 1;
    if (argc > 2) n = atoi(argv[2]);
    if (argc > 3) tile = atoi(argv[3]);
    if (argc > 4) repeat = atoi(argv[4]);
    if (n < 1 || tile < 16 || tile % 16 || n % tile) {
        if (!cluster.rank) fprintf(stderr, "tiles of a multiple of 16 that divides %d\n", n);
        return 1;
    }
    int tiles = n / tile;
    starpu_data_handle_t a[tiles], b[tiles], c[tiles * tiles];
    float *a_at_home[tiles], *b_at_home[tiles], *c_at_home[tiles * tiles];
    for (int i = 0; i < tiles; i++) {
        int a_owner = owner_of(i, 0), b_owner = owner_of(0, i);
        a_at_home[i] = a_owner == cluster.rank ? strip_new(true, i * tile) : NULL;
        b_at_home[i] = b_owner == cluster.rank ? strip_new(false, i * tile) : NULL;
        a[i] = cluster_data(&cluster, a_owner, a_at_home[i], (size_t)n * (size_t)tile);
        b[i] = cluster_data(&cluster, b_owner, b_at_home[i], (size_t)n * (size_t)tile);
    }
    for (int t = 0; t < tiles * tiles; t++) {
        int owner = owner_of(t / tiles, t % tiles);
        size_t floats = (size_t)tile * (size_t)tile;
        c_at_home[t] = owner == cluster.rank ? calloc(floats, sizeof(float)) : NULL;
        c[t] = cluster_data(&cluster, owner, c_at_home[t], floats);
    }
    double least = 0;
    for (int r = 0; r < repeat; r++) {
        double begin = cluster_clock();
        for (int t = 0; t < tiles * tiles; t++)
            starpu_mpi_task_insert(MPI_COMM_WORLD, &product, STARPU_W, c[t], STARPU_R, a[t / tiles],
                                   STARPU_R, b[t % tiles], 0);
        starpu_mpi_wait_for_all(MPI_COMM_WORLD);
        double took = cluster_clock() - begin;
        if (!r || took < least) least = took;
        starpu_mpi_cache_flush_all_data(MPI_COMM_WORLD); /* the next run sends again */
    }
    for (int i = 0; i < tiles; i++) starpu_data_unregister(a[i]), starpu_data_unregister(b[i]);
    for (int t = 0; t < tiles * tiles; t++) starpu_data_unregister(c[t]);
    int wrong = wrong_rows(c_at_home, tiles);
    cluster_tell_launches(&cluster);
    if (!cluster.rank)
        printf("matmul %d x %d, tiles of %d, %d processes: %d rows wrong, %.3f s, %.2f GFLOPS\n", n,
               n, tile, cluster.size, wrong, least, 2e-9 * n * n * n / least);
    for (int i = 0; i < tiles; i++) free(a_at_home[i]), free(b_at_home[i]);
    for (int t = 0; t < tiles * tiles; t++) free(c_at_home[t]);
    cluster_end(&cluster);
    return wrong != 0;
}
