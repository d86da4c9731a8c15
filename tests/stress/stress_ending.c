/* A process that ends while the driver loads its compiler, or compiles: main returns, other threads
 * go on building. */
#include "tests/api/api.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 24, STEP_NS = 1500000 };

static struct api a;

static void *build_on(void *unused) {
    (void)unused;
    const char *source = "kernel void k(global float *p) {"
                         "    for (int i = 0; i < 9; i++) p[i] = sin(p[i]) + native_exp(p[i]);"
                         "}";
    for (;;) {
        cl_program p = clCreateProgramWithSource(a.context, 1, &source, NULL, NULL);
        clBuildProgram(p, 1, &a.device, "", NULL, NULL); /* fails when the process has ended */
        clReleaseProgram(p);
    }
    return NULL;
}

static void child(int number) {
    alarm(900);
    a = api_open();
    pthread_t thread;
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread, NULL, build_on, NULL) == 0);
    nanosleep(&(struct timespec){.tv_nsec = number * STEP_NS}, NULL);
    exit(api_result());
}

int main(void) {
    for (int i = 0; i < CHILDREN; i++) {
        pid_t pid = fork();
        if (!pid) child(i);
        int status = -1;
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return api_result();
}
