/* A host with its own handler for SIGSEGV, installed before the driver's or after: a kernel that
 * goes astray ends with an error, and the host's own faults reach its handler. */
#include "tests/api/api.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct api a;
static cl_program program;
static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void handler(int sig) {
    (void)sig;
    caught = caught + 1;
    siglongjmp(back, 1);
}

static void install(void) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
}

static void host_faults(void) {
    int before = caught;
    volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!sigsetjmp(back, 1)) *page = 1;
    CHECK(caught == before + 1);
    munmap((void *)page, 4096);
}

static void kernel_faults(void) {
    cl_int err, address = 12, status = 0;
    int before = caught;
    cl_kernel wild = kernels_get(program, "wild");
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    cl_event e;
    size_t items = 1;
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 1, sizeof address, &address));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, wild, 1, NULL, &items, NULL, 0, NULL, &e));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &e));
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status < 0 && caught == before);
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(wild));
}

/* A launch that goes astray behind `ahead` others, which waits for an event of the host's where
 * `gated`. What `before` does comes when the others have been enqueued, before the last, or before
 * the event. */
static void wild_behind(int ahead, bool gated, void (*before)(cl_event last)) {
    cl_int err, address = 12, value = 3, status = 0;
    int seen = caught;
    size_t items = 64;
    cl_kernel fill = kernels_get(program, "fill"), wild = kernels_get(program, "wild");
    cl_mem m = clCreateBuffer(a.context, 0, items * sizeof value, NULL, &err);
    cl_event last, e, gate = gated ? clCreateUserEvent(a.context, &err) : NULL;
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(wild, 1, sizeof address, &address));
    for (int i = 0; i <= ahead; i++)
        EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, fill, 1, NULL, &items, NULL, 0, NULL,
                                                  i < ahead ? NULL : &last));
    if (!gated) before(last);
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, wild, 1, NULL, &items, NULL, gated,
                                              gated ? &gate : NULL, &e));
    if (gated) {
        EXPECT(CL_SUCCESS, clWaitForEvents(1, &last));
        before(last);
        EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
        EXPECT(CL_SUCCESS, clReleaseEvent(gate));
    }
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &e));
    EXPECT(CL_SUCCESS,
           clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(status < 0 && caught == seen);
    EXPECT(CL_SUCCESS, clReleaseEvent(last));
    EXPECT(CL_SUCCESS, clReleaseEvent(e));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseKernel(wild));
}

static void install_between(cl_event last) {
    (void)last;
    install();
}

static void CL_CALLBACK block(cl_event e, cl_int status, void *unused) {
    (void)e, (void)status, (void)unused;
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    CHECK(pthread_sigmask(SIG_BLOCK, &faults, NULL) == 0);
}

static void block_between(cl_event last) {
    EXPECT(CL_SUCCESS, clSetEventCallback(last, CL_COMPLETE, block, NULL));
}

/* A handler that comes between launches, and a callback that blocks the signal on the thread that
 * runs the next one. */
static void changes_between(void) {
    for (int i = 0; i < 200; i++) {
        wild_behind(i % 50, false, install_between);
        wild_behind(i % 3, true, install_between);
        wild_behind(i % 50, false, block_between);
        wild_behind(i % 3, true, block_between);
    }
    sigset_t none;
    sigemptyset(&none);
    CHECK(pthread_sigmask(SIG_SETMASK, &none, NULL) == 0); /* the callback may have been ours */
}

/* Without a handler the host's fault must end it, as it always would. */
static void host_without_handler(void) {
    pid_t pid = fork();
    if (!pid) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigaction(SIGSEGV, &action, NULL);
        a = api_open();
        program = kernels_program(&a);
        kernel_faults();
        *(volatile char *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

int main(void) {
    host_without_handler();
    install();
    a = api_open();
    program = kernels_program(&a);
    kernel_faults();
    host_faults();
    install(); /* after the driver's, over it */
    host_faults();
    kernel_faults();
    host_faults();
    for (int i = 0; i < 100; i++) {
        kernel_faults();
        if (i % 10 == 0) install();
    }
    changes_between();
    host_faults();
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
    api_close(&a);
    return api_result();
}
