/* A host that cannot start more threads: programs are built, and kernels run on the calling thread.
 * pthread_create is replaced for the whole process. */
#include "tests/api/api.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int room = 1 << 30; /* for how many more threads at a time */

struct started {
    void *(*run)(void *);
    void *arg;
};

static void *run_and_leave(void *arg) {
    struct started s = *(struct started *)arg;
    free(arg);
    void *result = s.run(s.arg);
    atomic_fetch_add(&room, 1);
    return result;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attr,
                                                          void *(*run)(void *), void *arg) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    struct started *s = malloc(sizeof *s);
    *s = (struct started){run, arg};
    int error = atomic_fetch_sub(&room, 1) > 0 ? real(thread, attr, run_and_leave, s) : EAGAIN;
    if (error) {
        atomic_fetch_add(&room, 1);
        free(s);
    }
    return error;
}

static struct api a;

static cl_program source(void) {
    static const char text[] = "kernel void k(global int *out) { out[get_global_id(0)] = 3; }";
    const char *strings = text;
    cl_int err;
    cl_program p = NULL;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &strings, NULL, &err));
    return p;
}

int main(void) {
    room = 0;
    a = api_open();
    cl_program p = source();
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(kernels_run(&a, p) == 3); /* on the calling thread */
    room = 1 << 30;
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    p = source();
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    CHECK(kernels_run(&a, p) == 3);
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
    return api_result();
}
