#include "device/sandbox/fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/run/executable.h"
#include "fake.h"
#include "test.h"

static struct memory *memory;
static struct executable *executable;
static atomic_int groups_run;
static volatile uintptr_t low = 64;

static struct launch *launch_new(uint32_t global, uint32_t local) {
    if (!memory) {
        memory = memory_new(1 << 20);
        executable = executable_new(memory, fake_module(true, NULL));
        CHECK(executable);
    }
    return fake_launch(executable, global, local);
}

static int blame_lane_5(struct group *g, uint32_t address) {
    CHECK(g->warp == 1 && address == 0x1234);
    return 5;
}

static void wild_load(struct group *g) {
    g->inst = &g->kernel->insts[0];
    g->warp = 1;
    (void)*(volatile int *)memory_at(g->base, 0x1234);
    CHECK(!"reached");
}

static void access_fault(void) {
    struct launch *l = launch_new(640, 64);
    memcpy(l->local_size, (uint32_t[]){8, 4, 2}, sizeof l->local_size);
    memcpy(l->global_size, (uint32_t[]){8, 4, 2}, sizeof l->global_size);
    memcpy(l->offset, (uint32_t[]){100, 0, 0}, sizeof l->offset);
    fake_run = wild_load;
    fake_blame = blame_lane_5;
    for (int i = 0; i < 100; i++) {
        fake_go(l);
        char text[200];
        int n = fault_describe(&l->fault, text, sizeof text);
        CHECK(n == (int)strlen(text));
        CHECK(!strcmp(text, "kernel \"k\" stopped: load of 4 bytes outside every buffer at address "
                            "0x00001234, k.cl line 7, work-item global (105,0,1) local (5,0,1) of "
                            "group (0,0,0)"));
        CHECK(fault_describe(&l->fault, text, 10) == n && strlen(text) == 9);
    }
    fake_free(l);
}

static void sometimes_wild(struct group *g) {
    atomic_fetch_add(&groups_run, 1);
    if (g->group_index % 64 == 63) wild_load(g);
}

static void *launch_some(void *unused) {
    for (int i = 0; i < 200; i++) {
        struct launch *l = launch_new(640, 1);
        fake_go(l);
        CHECK(l->fault.kind == FAULT_ACCESS && l->fault.group_id[0] % 64 == 63);
        fake_free(l);
    }
    return unused;
}

static void many_at_once(void) {
    pool_limit(4);
    fake_free(launch_new(1, 1));
    fake_run = sometimes_wild;
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, launch_some, NULL);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

static void half_of_them(struct group *g) {
    atomic_fetch_add(&groups_run, 1);
    if (g->group_index >= 50) group_fault(g, FAULT_BARRIER, -1, 0);
}

static void others_stop(void) {
    struct launch *l = launch_new(1000000, 1);
    fake_run = half_of_them;
    fake_go(l);
    CHECK(l->fault.kind == FAULT_BARRIER && !l->fault.item_known && groups_run < 500000);
    char text[200];
    fault_describe(&l->fault, text, sizeof text);
    CHECK(strstr(text, "barrier that not every work-item of the group reaches, group ("));
    fake_free(l);
}

/* ---- the host's own handlers ---- */

static volatile sig_atomic_t host_calls;
static sigjmp_buf host_escape;
static struct sigaction host_before;
static char *host_page;

static void host_handler(int sig, siginfo_t *info, void *context) {
    (void)context;
    CHECK(sig == SIGSEGV && info->si_addr == host_page);
    host_calls++;
    siglongjmp(host_escape, 1);
}

static void install(void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    CHECK(sigaction(SIGSEGV, &a, &host_before) == 0);
}

static void fault_in_launch(void) {
    struct launch *l = launch_new(64, 64);
    fake_run = wild_load;
    fake_blame = NULL;
    CHECK(launch_run(l));
    fake_wait(l);
    CHECK(l->fault.kind == FAULT_ACCESS);
    fake_free(l);
}

static void fault_in_host(void) {
    if (!host_page) host_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (sigsetjmp(host_escape, 1) == 0) *host_page = 1;
}

static void host_first(void) {
    install(host_handler, 0);
    for (int i = 1; i < 5; i++) {
        fault_in_launch();
        fault_in_host();
        CHECK(host_calls == i);
    }
}

static void host_later(void) {
    fault_in_launch();
    for (int i = 1; i < 5; i++) {
        install(host_handler, i % 2 ? SA_NODEFER : SA_ONSTACK);
        fault_in_host();
        fault_in_launch();
        fault_in_host();
        CHECK(host_calls == 2 * i);
    }
}

/* Does not know the address: gives the fault on to whoever was there before it. */
static void chaining_handler(int sig, siginfo_t *info, void *context) {
    host_calls += 100;
    CHECK(host_calls < 10000);
    host_before.sa_sigaction(sig, info, context);
}

static void host_chains(void) {
    install(host_handler, 0);
    fault_in_launch();            /* ours over the host's first */
    install(chaining_handler, 0); /* knows ours */
    for (int i = 0; i < 3; i++) fault_in_host();
    CHECK(host_calls == 303);
    fault_in_launch(); /* ours over the one that gives it back to us */
    for (int i = 0; i < 3; i++) fault_in_host();
    CHECK(host_calls == 606);
}

static void dies(void (*die)(void), int by) {
    pid_t child = fork();
    if (!child) {
        fault_in_launch();
        die();
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
#ifdef SIMTCL_SANITIZED
    if (by && WIFEXITED(status) && WEXITSTATUS(status))
        return; /* the sanitizer's own handler told of it */
#endif
    CHECK(by ? WIFSIGNALED(status) && WTERMSIG(status) == by : WIFEXITED(status));
}

static void touch(void) { *(volatile char *)low = 1; }
static void touch_sandbox(void) { *(volatile char *)memory_at(memory_base(memory), 0) = 1; }
static void send(void) { raise(SIGSEGV); }
static void send_bus(void) {
    kill(getpid(), SIGBUS);
    pause();
}

static void defaults(void) {
    dies(touch, SIGSEGV);
    dies(touch_sandbox, SIGSEGV); /* no group is running: not ours */
    dies(send, SIGSEGV);
    dies(send_bus, SIGBUS);
    signal(SIGSEGV, SIG_IGN);
    dies(send, 0);
    dies(touch, SIGSEGV);
}

static void host_fault_in_group(struct group *g) {
    (void)g;
    fault_in_host(); /* not in the sandbox: the host's, even here */
    CHECK(host_calls == 1);
}

static void not_in_sandbox(void) {
    install(host_handler, 0);
    struct launch *l = launch_new(1, 1);
    fake_run = host_fault_in_group;
    fake_go(l);
    CHECK(l->fault.kind == FAULT_NONE);
    fake_free(l);
}

static void signal_mask(void) {
    sigset_t mask;
    fault_in_launch();
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    CHECK(!sigismember(&mask, SIGSEGV));
    sigfillset(&mask); /* many a program's threads block everything */
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    for (int i = 0; i < 3; i++) fault_in_launch();
    sigemptyset(&mask);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    CHECK(sigismember(&mask, SIGSEGV) && sigismember(&mask, SIGBUS) && sigismember(&mask, SIGINT));
}

static void private_fault(struct group *g) {
    g->inst = &g->kernel->insts[0];
    group_fault(g, FAULT_PRIVATE, 3, 77);
}

static void others(void) {
    struct launch *l = launch_new(32, 32);
    char text[300];
    fake_run = private_fault;
    fake_go(l);
    fault_describe(&l->fault, text, sizeof text);
    CHECK(strstr(text,
                 "load of 4 bytes outside the work-item's private memory at offset 0x0000004d"));
    CHECK(l->fault.item_known && l->fault.local_id[0] == 3);
    fake_free(l);
    struct fault f = {.kind = FAULT_RESOURCES, .kernel = "k"};
    fault_describe(&f, text, sizeof text);
    CHECK(!strcmp(text, "kernel \"k\" stopped: the host ran out of memory for the launch"));
}

/* A signal may come at any instruction, also of a sanitizer's that counts every call and access. */
static atomic_int interrupted;
static volatile uint32_t turned;

__attribute__((noinline)) static void turn(void) { turned = turned * 3 + 1; }

static void turns(struct group *g) {
    (void)g;
    atomic_store(&interrupted, (int)syscall(SYS_gettid));
    for (int i = 0; i < 1000 || atomic_load(&interrupted); i++) turn();
}

static void *interrupts(void *unused) {
    int thread;
    while (!(thread = atomic_load(&interrupted))) continue;
    for (int n = 0; n < 300000; n++) fault_interrupt(thread);
    atomic_store(&interrupted, 0);
    return unused;
}

static void not_overdue(void) {
    struct launch *l = launch_new(1, 1);
    pthread_t thread;
    fake_run = turns;
    CHECK(!pthread_create(&thread, NULL, interrupts, NULL));
    fake_go(l);
    pthread_join(thread, NULL);
    CHECK(l->fault.kind == FAULT_NONE);
    fake_free(l);
}

TEST_MAIN(TEST(access_fault), TEST(others_stop), TEST(many_at_once), TEST(host_first),
          TEST(host_later), TEST(host_chains), TEST(defaults), TEST(not_in_sandbox),
          TEST(signal_mask), TEST(others), TEST(not_overdue))
