/* Where no process may be started, building says so and why; binaries run. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch.h"

static struct api a;

/* Refuses a system call with EPERM, if its first argument has none of the bits `unless`. */
static void refuse(int number, unsigned unless) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, unless, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

static void expect_refusal(void) {
    static const char text[] = "kernel void k(global int *out) { *out = 1; }";
    const char *strings = text;
    cl_int err, value = 9, got = 0;
    a = api_open();
    EXPECT_INFO(clGetDeviceInfo, a.device, CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_TRUE);
    cl_program p;
    EXPECT_NEW(CL_SUCCESS, p = clCreateProgramWithSource(a.context, 1, &strings, NULL, &err));
    EXPECT(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    p = kernels_program(&a);
    cl_kernel fill = kernels_get(p, "fill");
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clSetKernelArg(fill, 1, sizeof value, &value));
    EXPECT(CL_SUCCESS, clEnqueueTask(a.queue, fill, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(a.queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    CHECK(got == 9);
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(fill));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    CHECK(watch_until(0) && !watch_zombies());
    api_close(&a);
}

static void no_clone(void) {
    refuse(SYS_clone, CLONE_THREAD);
    expect_refusal();
}

static void no_exec(void) {
    refuse(SYS_execve, 0);
    expect_refusal();
}

/* Only where this can become another user; root is not limited. In a child, as the other user could
 * not remove what the case leaves. */
static void no_room(void) {
    struct rlimit none = {0, 0};
    int status = -1;
    if (getuid()) return;
    pid_t pid = fork();
    if (!pid) {
        if (setgid(65534) || setuid(65534)) _exit(0);
        CHECK(!setrlimit(RLIMIT_NPROC, &none));
        expect_refusal();
        _exit(api_result());
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void no_program(void) { expect_refusal(); }

int main(int argc, char **argv) {
    static const struct watch_case cases[] = {
        {"no_clone", no_clone, {"SIMTCL_ENGINE=native"}},
        {"no_exec", no_exec, {"SIMTCL_ENGINE=native"}},
        {"no_room", no_room, {"SIMTCL_ENGINE=native"}},
        {"not_executable", no_program, {"WATCH_TARGET=/etc/passwd"}},
        {"no_helper", no_program, {"WATCH_TARGET=/bin/true"}},
        {"folder", no_program, {"WATCH_TARGET=/tmp"}},
    };
    return watch_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
