/* The process is given away: a first process is made that shares this one's memory, which makes the
 * second and ends. The first has no exit signal, so no handler runs and no wait() of the host sees
 * it; the second belongs to init then. (It could not stay a child: exec gives it the signal that
 * children have.) A host that has asked for its descendants' orphans gets none for that moment; one
 * that is itself the first process of a container cannot give anything away, and waits for the
 * helper's end itself.
 *
 * Between clone and exec only system calls are made, by number: the C library's state is the
 * host's, and another library may have put itself before its functions. */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum {
    STACK_BYTES = 1 << 15,     /* of each of the two processes, until exec */
    AFFINITY_BYTES = 1 << 10,  /* 8192 processors */
    LAST_DESCRIPTOR = 1 << 16, /* closed one by one where there is no close_range */
    OUT_OF_THE_WAY = 16        /* descriptors above this are no standard ones, nor SPAWN_SOCKET */
};
#define STACK_LIMIT ((rlim_t)8 << 20)

/* What the new processes share with the thread that makes them, which sleeps meanwhile. */
struct spawn_plan {
    const char *path;
    char *const *arguments, *const *environment;
    bool keep_errors;
    int socket; /* the new process's end */
    long affinity_bytes;
    unsigned long affinity[AFFINITY_BYTES / sizeof(unsigned long)];
    char *stack; /* of the second process */
    long pid;    /* the second process */
    const char *failed;
    long error;
};

#define CALL(number, ...) syscall(number, __VA_ARGS__)
#define UNCHECKED         __attribute__((no_sanitize("address", "thread", "undefined")))

/* clone(2) with memory shared and this thread asleep until the new process runs another program or
 * ends, and no exit signal. The new process runs run(plan) on the stack. */
UNCHECKED static long clone_to(void (*run)(struct spawn_plan *), struct spawn_plan *plan,
                               char *stack) {
    char *top = stack + STACK_BYTES;
    long result;
    __asm__ volatile("mov %[run], %%r12\n\t"
                     "mov %[plan], %%r13\n\t"
                     "xor %%edx, %%edx\n\t"
                     "xor %%r10d, %%r10d\n\t"
                     "xor %%r8d, %%r8d\n\t"
                     "syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "mov %%r13, %%rdi\n\t"
                     "call *%%r12\n\t"
                     "ud2\n"
                     "1:"
                     : "=a"(result)
                     : "0"((long)SYS_clone), "D"((long)(CLONE_VM | CLONE_VFORK)),
                       "S"(top), [run] "r"(run), [plan] "r"(plan)
                     : "rcx", "rdx", "r8", "r10", "r11", "r12", "r13", "memory");
    return result;
}

/* ---- in the new process ---- */

UNCHECKED static void give_up(struct spawn_plan *p, const char *what, long error) {
    p->failed = what;
    p->error = error;
    CALL(SYS_exit_group, 127);
}

UNCHECKED static void close_others(void) {
    if (!CALL(SYS_close_range, SPAWN_SOCKET + 1, ~0u, 0)) return;
    for (int fd = SPAWN_SOCKET + 1; fd < LAST_DESCRIPTOR; fd++) CALL(SYS_close, fd);
}

UNCHECKED static void set_descriptors(struct spawn_plan *p) {
    long socket = CALL(SYS_fcntl, p->socket, F_DUPFD, OUT_OF_THE_WAY);
    if (socket < 0 || CALL(SYS_dup2, socket, SPAWN_SOCKET) < 0) give_up(p, "dup2", errno);
    long null = CALL(SYS_open, "/dev/null", O_RDWR);
    for (int fd = 0; fd < (p->keep_errors ? 2 : 3); fd++) {
        if (null >= 0 && null != fd) CALL(SYS_dup2, null, fd);
        if (null < 0) CALL(SYS_close, fd); /* there is none: a chroot */
    }
    close_others();
}

/* The host may keep its own stacks small. */
UNCHECKED static void set_stack_limit(void) {
    struct rlimit limit;
    if (CALL(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) || limit.rlim_cur >= STACK_LIMIT) return;
    limit.rlim_cur = limit.rlim_max < STACK_LIMIT ? limit.rlim_max : STACK_LIMIT;
    CALL(SYS_prlimit64, 0, RLIMIT_STACK, &limit, NULL);
}

UNCHECKED static void become(struct spawn_plan *p) {
    set_descriptors(p);
    CALL(SYS_chdir, "/");
    CALL(SYS_setpgid, 0, 0);
    if (p->affinity_bytes > 0)
        CALL(SYS_sched_setaffinity, 0, (size_t)p->affinity_bytes, p->affinity);
    set_stack_limit();
    CALL(SYS_execve, p->path, p->arguments, p->environment);
    give_up(p, "execve", errno);
}

UNCHECKED static void begin(struct spawn_plan *p) {
    p->pid = clone_to(become, p, p->stack);
    if (p->pid < 0) give_up(p, "clone", -p->pid);
    CALL(SYS_exit_group, 0);
}

/* ---- in this process ---- */

static bool gets_orphans(void) {
    int reaper = 0;
    return !prctl(PR_GET_CHILD_SUBREAPER, &reaper, 0, 0, 0) && reaper;
}

static void reap(pid_t pid) {
    int status;
    while (syscall(SYS_wait4, pid, &status, __WALL, NULL) < 0 && errno == EINTR) continue;
}

/* With all signals blocked: no handler of the host may run in a process that shares its memory. */
static bool run_plan(struct spawn_plan *p, struct spawn_process *made) {
    sigset_t all, before;
    char *stacks = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED) {
        p->failed = "mmap";
        p->error = errno;
        return false;
    }
    p->stack = stacks + STACK_BYTES;
    bool reaper = gets_orphans();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (reaper) prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    long first = clone_to(begin, p, stacks);
    if (first < 0) {
        p->failed = "clone";
        p->error = -first;
    }
    if (first > 0) reap((pid_t)first); /* the second is an orphan when this returns */
    if (reaper) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    bool alive = first > 0 && !p->failed;
    made->reap = getpid() == 1 && p->pid > 0 ? (pid_t)p->pid : 0;
    if (!alive && made->reap) reap(made->reap);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stacks, 2 * STACK_BYTES);
    return alive;
}

bool spawn_process(const char *path, char *const arguments[], char *const environment[],
                   bool keep_errors, struct spawn_process *made, const char **why) {
    int ends[2];
    *made = (struct spawn_process){-1, -1, 0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        *why = "socketpair";
        return false;
    }
    struct spawn_plan p = {.path = path,
                           .arguments = arguments,
                           .environment = environment,
                           .keep_errors = keep_errors,
                           .socket = ends[1]};
    p.affinity_bytes = syscall(SYS_sched_getaffinity, getpid(), sizeof p.affinity, p.affinity);
    bool good = run_plan(&p, made);
    close(ends[1]);
    if (!good) {
        close(ends[0]);
        *why = p.failed;
        errno = (int)p.error;
        return false;
    }
    made->socket = ends[0];
    made->pidfd = (int)syscall(SYS_pidfd_open, (pid_t)p.pid, 0);
    return true;
}

void spawn_end(struct spawn_process *process) {
    if (process->socket >= 0) close(process->socket);
    if (process->pidfd >= 0) {
        syscall(SYS_pidfd_send_signal, process->pidfd, SIGKILL, NULL, 0);
        close(process->pidfd);
    }
    if (process->reap) reap(process->reap);
    *process = (struct spawn_process){-1, -1, 0};
}
