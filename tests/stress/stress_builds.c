/* The first builds of a process, by several threads at once: what the compiler has one of is made
 * while nobody else is inside of it. A new process each time, as only the first builds count. */
#include "tests/api/api.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 8, THREADS = 4 };

static struct api own;
static pthread_barrier_t all_here;

static void *build(void *arg) {
    cl_int err;
    char text[128];
    const char *source = text;
    snprintf(text, sizeof text, "kernel void k(global int *out) { *out = %zu; }\n", (size_t)arg);
    pthread_barrier_wait(&all_here);
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(own.context, 1, &source, NULL, &err));
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    return NULL;
}

static int process(void) {
    pthread_t threads[THREADS];
    own = api_open();
    if (pthread_barrier_init(&all_here, NULL, THREADS) != 0) return EXIT_FAILURE;
    for (size_t i = 0; i < THREADS; i++)
        if (!CHECK(pthread_create(&threads[i], NULL, build, (void *)i) == 0)) return EXIT_FAILURE;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    api_close(&own);
    return api_result();
}

int main(void) {
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        pid_t child = fork();
        if (!child) exit(process());
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    return api_result();
}
