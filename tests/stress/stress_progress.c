/* What takes more than two seconds says so on a terminal, or where SIMTCL_LOG asks, and nowhere
 * else: runs itself with a kernel that SIMTCL_TIMEOUT ends after more than two. */
#include "tests/api/api.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] =
    "kernel void spins(global volatile int *a) { while (a[0] >= 0) a[1] = 1; }";

static void spin(void) {
    struct api a = api_open();
    size_t items = 256, group = 64;
    cl_int err;
    const char *text = source;
    cl_program p = clCreateProgramWithSource(a.context, 1, &text, NULL, &err);
    EXPECT(CL_SUCCESS, clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    cl_kernel k = kernels_get(p, "spins");
    cl_mem m = clCreateBuffer(a.context, 0, 64, NULL, &err);
    EXPECT(CL_SUCCESS, clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(a.queue, k, 1, NULL, &items, &group, 0, NULL, NULL));
    EXPECT(CL_OUT_OF_RESOURCES, clFinish(a.queue));
    EXPECT(CL_SUCCESS, clReleaseMemObject(m));
    EXPECT(CL_SUCCESS, clReleaseKernel(k));
    EXPECT(CL_SUCCESS, clReleaseProgram(p));
    api_close(&a);
}

static const struct {
    const char *log; /* SIMTCL_LOG; NULL: not set */
    bool terminal, said;
} cases[] = {{NULL, true, true},
             {NULL, false, false},
             {"fault,progress", false, true},
             {"none", true, false}};
enum { CASES = sizeof cases / sizeof *cases };

/* Where the child's stderr goes to, and what can be read of it. */
static void open_ends(bool terminal, int *mine, int *theirs) {
    if (!terminal) {
        int both[2];
        CHECK(pipe(both) == 0);
        *mine = both[0], *theirs = both[1];
        return;
    }
    *mine = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(*mine >= 0 && grantpt(*mine) == 0 && unlockpt(*mine) == 0);
    *theirs = open(ptsname(*mine), O_RDWR | O_NOCTTY);
    CHECK(*theirs >= 0);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        spin();
        return api_result();
    }
    int ends[CASES];
    pid_t pids[CASES];
    for (int i = 0; i < CASES; i++) {
        int theirs;
        open_ends(cases[i].terminal, &ends[i], &theirs);
        pids[i] = fork();
        if (!pids[i]) {
            dup2(theirs, STDERR_FILENO);
            close(theirs);
            for (int j = 0; j <= i; j++) close(ends[j]);
            if (cases[i].log)
                setenv("SIMTCL_LOG", cases[i].log, 1);
            else
                unsetenv("SIMTCL_LOG");
            execl("/proc/self/exe", argv[0], "spin", (char *)NULL);
            _exit(127);
        }
        close(theirs);
    }
    for (int i = 0; i < CASES; i++) {
        char text[8192];
        size_t used = 0;
        ssize_t n;
        int status = -1;
        /* The end of a terminal is an error. */
        while (used < sizeof text - 1 &&
               (n = read(ends[i], text + used, sizeof text - 1 - used)) > 0)
            used += (size_t)n;
        text[used] = '\0';
        CHECK(waitpid(pids[i], &status, 0) == pids[i]);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        bool said = strstr(text, "simtcl: kernel \"spins\" stopped after ") != NULL;
        if (!CHECK(said == cases[i].said)) fprintf(stderr, "case %d says: %s\n", i, text);
        close(ends[i]);
    }
    return api_result();
}
