#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "cluster.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Rank 0 prints the lines of all, in order. */
static void tell_in_order(const struct cluster *cluster, const char *line) {
    char lines[128] = "";
    snprintf(lines, sizeof lines, "%s", line);
    if (cluster->rank) {
        MPI_Send(lines, sizeof lines, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        return;
    }
    puts(lines);
    for (int i = 1; i < cluster->size; i++) {
        MPI_Recv(lines, sizeof lines, MPI_CHAR, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts(lines);
    }
    fflush(stdout);
}

bool cluster_begin(struct cluster *cluster, int *argc, char ***argv, const char *kernels) {
    *cluster = (struct cluster){0};
    int threads;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &cluster->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &cluster->size);
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = conf.ncuda = 0;
    conf.nopencl = 1;
    int began = starpu_mpi_init_conf(argc, argv, 0, MPI_COMM_WORLD, &conf), all;
    if (!began && starpu_worker_get_count_by_type(STARPU_OPENCL_WORKER) != 1) began = -1;
    if (!began)
        began = starpu_opencl_load_opencl_from_file(kernels, &cluster->program, NULL) != CL_SUCCESS;
    if (began)
        fprintf(stderr, "process %d has no OpenCL device that StarPU takes\n", cluster->rank);
    MPI_Allreduce(&began, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (all) return false;
    char host[32] = "", device[64], line[128];
    gethostname(host, sizeof host - 1);
    starpu_worker_get_name(starpu_worker_get_by_type(STARPU_OPENCL_WORKER, 0), device,
                           sizeof device);
    snprintf(line, sizeof line, "process %d on %s: %s", cluster->rank, host, device);
    tell_in_order(cluster, line);
    return true;
}

void cluster_end(struct cluster *cluster) {
    if (cluster->queue) clReleaseCommandQueue(cluster->queue);
    starpu_opencl_unload_opencl(&cluster->program);
    starpu_mpi_shutdown();
    MPI_Finalize();
}

starpu_data_handle_t cluster_data(const struct cluster *cluster, int owner, float *at,
                                  size_t floats) {
    static starpu_mpi_tag_t tag;
    starpu_data_handle_t handle;
    bool mine = owner == cluster->rank;
    starpu_vector_data_register(&handle, mine ? STARPU_MAIN_RAM : -1, mine ? (uintptr_t)at : 0,
                                (uint32_t)floats, sizeof(float));
    starpu_mpi_data_register(handle, tag++, owner);
    return handle;
}

void cluster_launch(struct cluster *cluster, const char *name,
                    void (*set)(cl_kernel kernel, void *arg), void *arg, const size_t global[2],
                    const size_t local[2]) {
    cl_kernel kernel;
    cl_command_queue theirs;
    cl_event ended;
    cl_ulong times[2] = {0};
    int worker = starpu_worker_get_devid(starpu_worker_get_id());
    int error = starpu_opencl_load_kernel(&kernel, &theirs, &cluster->program, name, worker);
    if (error) STARPU_OPENCL_REPORT_ERROR(error);
    if (!cluster->queue) {
        cl_context context;
        cl_device_id device;
        starpu_opencl_get_context(worker, &context);
        starpu_opencl_get_device(worker, &device);
        cluster->queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
        if (error) STARPU_OPENCL_REPORT_ERROR(error);
    }
    set(kernel, arg);
    error = clEnqueueNDRangeKernel(cluster->queue, kernel, 2, NULL, global, local, 0, NULL, &ended);
    if (!error) error = clWaitForEvents(1, &ended);
    if (error) STARPU_OPENCL_REPORT_ERROR(error);
    clGetEventProfilingInfo(ended, CL_PROFILING_COMMAND_START, sizeof times[0], &times[0], NULL);
    clGetEventProfilingInfo(ended, CL_PROFILING_COMMAND_END, sizeof times[1], &times[1], NULL);
    cluster->busy += (double)(times[1] - times[0]);
    cluster->launches++;
    clReleaseEvent(ended);
    starpu_opencl_release_kernel(kernel);
}

double cluster_clock(void) {
    struct timespec now;
    MPI_Barrier(MPI_COMM_WORLD);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cluster_tell_launches(const struct cluster *cluster) {
    double mine[2] = {cluster->launches, cluster->busy};
    double *all = calloc((size_t)cluster->size, sizeof mine);
    MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (!cluster->rank) {
        printf("launches of each process:");
        for (int i = 0; i < cluster->size; i++) printf(" %.0f", all[2 * i]);
        printf("; its device was busy for");
        for (int i = 0; i < cluster->size; i++) printf(" %.3f", 1e-6 * all[2 * i + 1]);
        puts(" ms");
    }
    free(all);
}
