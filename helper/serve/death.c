#include "death.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "helper/spawn.h"
#include "helper/wire.h"

enum { STACK_BYTES = 1 << 16, PROBE_BYTES = 16 << 20, PATIENCE_MS = 1000 };

/* May be called by signal handlers. */
void death_tell(const char *why) {
    wire_send(SPAWN_SOCKET, WIRE_DIED, why, strlen(why), -1, wire_now() + PATIENCE_MS);
    _exit(1);
}

void death_of_memory(void) { death_tell("memory"); }

/* Much of LLVM calls abort, or goes on with NULL, where there is no memory. */
static int memory_is_out(void) {
    void *probe =
        mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return probe == MAP_FAILED;
}

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGFPE, "arithmetic fault"},
               {SIGILL, "illegal instruction"}, {SIGTRAP, "trap"},     {SIGABRT, "abort"},
               {SIGSYS, "system call refused"}};

static void crash(int number) {
    if (memory_is_out()) death_of_memory();
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (crashes[i].number == number) death_tell(crashes[i].name);
    death_tell("signal");
}

void death_ready(void) {
    stack_t stack = {.ss_size = STACK_BYTES};
    stack.ss_sp =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, NULL);
}

void death_watch(void) {
    struct sigaction action = {.sa_handler = crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    death_ready();
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i].number, &action, NULL);
    /* libclang would catch its own crashes and go on with what they left. */
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    void (*(*set_new_handler)(void (*)(void)))(void);
    *(void **)&set_new_handler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
    if (set_new_handler) set_new_handler(death_of_memory);
}
