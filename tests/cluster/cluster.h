/* What the programs of this folder share: StarPU with MPI, each process with one OpenCL device as
 * its only worker. */
#ifndef CLUSTER_H
#define CLUSTER_H
#define CL_TARGET_OPENCL_VERSION 120
#include <starpu_mpi.h>
#include <starpu_opencl.h>
#include <stdbool.h>

struct cluster {
    int rank, size; /* this process among how many */
    struct starpu_opencl_program program;
    cl_command_queue queue; /* with profiling, which StarPU's have not */
    int launches;
    double busy; /* nanoseconds of the device's clock */
};

/* Starts MPI, StarPU with one OpenCL device, and builds `kernels`, a file, for it; each process
 * tells where it is and with which device. False, told on stderr, when a process has no device. */
bool cluster_begin(struct cluster *cluster, int *argc, char ***argv, const char *kernels);
/* Ends what cluster_begin began. */
void cluster_end(struct cluster *cluster);

/* `floats` floats, which the process `owner` has at `at`; others name NULL. Each process calls it
 * for each piece of data in the same order. Owned by the caller: starpu_data_unregister. */
starpu_data_handle_t cluster_data(const struct cluster *cluster, int owner, float *at,
                                  size_t floats);

/* Runs kernel `name` of the program on the device of the worker that calls it, from a codelet's
 * function, until it has ended. The arguments are set by `set`. */
void cluster_launch(struct cluster *cluster, const char *name,
                    void (*set)(cl_kernel kernel, void *arg), void *arg, const size_t global[2],
                    const size_t local[2]);

/* Seconds on a clock that only goes forward, behind a barrier of all processes. */
double cluster_clock(void);
/* Writes how much each process launched, and how long its device was busy with it by the device's
 * clock. On rank 0. */
void cluster_tell_launches(const struct cluster *cluster);

#endif
