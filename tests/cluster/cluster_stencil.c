/* A stencil over several processes: each point becomes the mean of its four neighbours, again and
 * again; the edge stays. Slabs of rows lie on the processes in order; of the slabs beside a slab
 * only the row next to it is sent.
 *
 *   cluster_stencil KERNELS [WIDTH [HEIGHT [SLAB [STEPS]]]]: slabs of SLAB rows
 *
 * Compared bit by bit with the same on the host, which adds in the same order. */
#include "cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cluster cluster;
static int width = 256, height = 256, slab = 32, steps = 20;

/* What a task has: the slab, its first and last row as they become, and as it was with the rows
 * beside it. */
enum { BODY_NEW, TOP_NEW, BOTTOM_NEW, BODY_OLD, ABOVE_OLD, BELOW_OLD, BUFFERS };

struct slab_step {
    void **buffers;
    int first; /* row of the slab */
};

static void step_set(cl_kernel kernel, void *arg) {
    struct slab_step *s = arg;
    cl_uint at = 0;
    for (; at < BUFFERS; at++) {
        cl_mem memory = (cl_mem)STARPU_VECTOR_GET_DEV_HANDLE(s->buffers[at]);
        clSetKernelArg(kernel, at, sizeof memory, &memory);
    }
    int numbers[] = {width, slab, s->first == 0, s->first + slab == height};
    for (int i = 0; i < 4; i++) clSetKernelArg(kernel, at++, sizeof(int), &numbers[i]);
}

static void step_run(void *buffers[], void *arg) {
    struct slab_step s = {.buffers = buffers};
    starpu_codelet_unpack_args(arg, &s.first);
    size_t global[2] = {((size_t)width + 31) / 32 * 32, (size_t)slab}, local[2] = {32, 1};
    cluster_launch(&cluster, "stencil", step_set, &s, global, local);
}

static struct starpu_codelet step = {
    .opencl_funcs = {step_run},
    .nbuffers = BUFFERS,
    .modes = {STARPU_W, STARPU_W, STARPU_W, STARPU_R, STARPU_R, STARPU_R},
};

static float start_at(int row, int column) {
    return (float)((row * 31 + column * 17) % 101) + (row == 0 ? 100.f : 0.f);
}

/* Points of `got`, a slab, that differ from the same on the host. */
static int wrong_points(const float *got, const float *want) {
    int wrong = 0;
    for (int k = 0; k < width * slab; k++) wrong += memcmp(&got[k], &want[k], sizeof *got) != 0;
    return wrong;
}

/* All points after all steps, by the host. */
static float *wanted_new(void) {
    size_t bytes = (size_t)width * (size_t)height * sizeof(float);
    float *now = malloc(bytes), *next = malloc(bytes);
    for (int k = 0; k < width * height; k++) now[k] = start_at(k / width, k % width);
    memcpy(next, now, bytes);
    for (int s = 0; s < steps; s++) {
        for (int row = 1; row < height - 1; row++)
            for (int k = row * width + 1; k < row * width + width - 1; k++)
                next[k] = ((now[k - 1] + now[k + 1]) + (now[k - width] + now[k + width])) * 0.25f;
        float *old = now;
        now = next, next = old;
    }
    free(next);
    return now;
}

int main(int argc, char **argv) {
    if (argc < 2 || !cluster_begin(&cluster, &argc, &argv, argv[1])) return 1;
    int *numbers[] = {&width, &height, &slab, &steps};
    for (int i = 0; i < 4 && i + 2 < argc; i++) *numbers[i] = atoi(argv[i + 2]);
    if (width < 3 || slab < 1 || height % slab || steps < 1) {
        if (!cluster.rank) fprintf(stderr, "slabs of a number of rows that divides %d\n", height);
        return 1;
    }
    int slabs = height / slab;
    size_t row = (size_t)width, body = row * (size_t)slab;
    /* Of each slab twice, as it is and as it becomes: all of it, its first row, its last row. */
    starpu_data_handle_t data[slabs][2][3];
    float *home[slabs][2][3];
    for (int i = 0; i < slabs; i++)
        for (int k = 0; k < 2; k++)
            for (int part = 0; part < 3; part++) {
                size_t floats = part ? row : body;
                int owner = i * cluster.size / slabs, first = i * slab + (part == 2 ? slab - 1 : 0);
                float *at = owner == cluster.rank ? malloc(floats * sizeof *at) : NULL;
                for (size_t p = 0; at && p < floats; p++)
                    at[p] = start_at(first + (int)(p / row), (int)(p % row));
                home[i][k][part] = at;
                data[i][k][part] = cluster_data(&cluster, owner, at, floats);
            }
    double begin = cluster_clock();
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < slabs; i++) {
            starpu_data_handle_t *now = data[i][s % 2], *next = data[i][1 - s % 2];
            /* The edge has no row beside it: its own stands there, and is not looked at. */
            starpu_data_handle_t above = i ? data[i - 1][s % 2][2] : now[1],
                                 below = i < slabs - 1 ? data[i + 1][s % 2][1] : now[2];
            int first = i * slab;
            starpu_mpi_task_insert(MPI_COMM_WORLD, &step, STARPU_VALUE, &first, sizeof first,
                                   STARPU_W, next[0], STARPU_W, next[1], STARPU_W, next[2],
                                   STARPU_R, now[0], STARPU_R, above, STARPU_R, below, 0);
        }
    starpu_mpi_wait_for_all(MPI_COMM_WORLD);
    double took = cluster_clock() - begin;
    int mine = 0, wrong;
    float *want = wanted_new();
    for (int i = 0; i < slabs; i++)
        for (int k = 0; k < 2; k++)
            for (int part = 0; part < 3; part++) starpu_data_unregister(data[i][k][part]);
    for (int i = 0; i < slabs; i++) {
        if (home[i][steps % 2][0])
            mine += wrong_points(home[i][steps % 2][0], want + (size_t)i * body);
        for (int k = 0; k < 6; k++) free(home[i][k / 3][k % 3]);
    }
    free(want);
    MPI_Allreduce(&mine, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    cluster_tell_launches(&cluster);
    if (!cluster.rank)
        printf(
            "stencil %d x %d, %d steps, slabs of %d rows, %d processes: %d points wrong, %.3f s\n",
            width, height, steps, slab, cluster.size, wrong, took);
    cluster_end(&cluster);
    return wrong != 0;
}
