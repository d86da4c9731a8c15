/* libsimtcl-clock.so: the host's clocks, for programs that take their times from them. Until the
 * driver's clock is on (SIMTCL_TIME=model), and to the driver itself, they tell what they always
 * do. Clocks of CPU time do so for ever. */
#include "preload.h"

#include <link.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

enum { SECOND = 1000000000 };

/* Set once, `model_pass` last. */
static uint64_t (*_Atomic model_pass)(uint64_t nanoseconds);
static uint64_t model_begin, begin[CLOCK_MONOTONIC + 1]; /* by each clock, when it was set */
static uintptr_t driver_begin, driver_end;

static int real(clockid_t clock, struct timespec *t) {
    return (int)syscall(SYS_clock_gettime, clock, t);
}

static uint64_t real_ns(clockid_t clock) {
    struct timespec t;
    real(clock, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Takes the addresses of the library that has `code`. */
static int find_driver(struct dl_phdr_info *info, size_t size, void *code) {
    uintptr_t first = UINTPTR_MAX, end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD) continue;
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (at < first) first = at;
        if (at + p->p_memsz > end) end = at + p->p_memsz;
    }
    if ((uintptr_t)code < first || (uintptr_t)code >= end) return 0;
    driver_begin = first;
    driver_end = end;
    return 1;
}

SHOWN void preload_take_clock(uint64_t (*pass)(uint64_t nanoseconds)) {
    dl_iterate_phdr(find_driver, (void *)pass);
    begin[CLOCK_REALTIME] = real_ns(CLOCK_REALTIME);
    begin[CLOCK_MONOTONIC] = real_ns(CLOCK_MONOTONIC);
    model_begin = pass(0);
    atomic_store(&model_pass, pass);
}

/* The clock whose place this one takes; negative: it goes on as ever. */
static clockid_t known(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return CLOCK_REALTIME;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME: return CLOCK_MONOTONIC;
    default: return -1;
    }
}

static bool is_for(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    return atomic_load(&model_pass) && (at < driver_begin || at >= driver_end);
}

/* False: the caller, or the clock, is to have the real one. */
static bool modelled(clockid_t clock, const void *caller, uint64_t *ns) {
    clockid_t like = known(clock);
    if (like < 0 || !is_for(caller)) return false;
    *ns = begin[like] + (atomic_load(&model_pass)(0) - model_begin);
    return true;
}

SHOWN int clock_gettime(clockid_t clock, struct timespec *t) {
    uint64_t ns;
    if (!modelled(clock, __builtin_return_address(0), &ns)) return real(clock, t);
    *t = (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
    return 0;
}

SHOWN int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    uint64_t ns;
    (void)zone; /* obsolete: Linux knows none */
    if (!modelled(CLOCK_REALTIME, __builtin_return_address(0), &ns)) ns = real_ns(CLOCK_REALTIME);
    *t = (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
    return 0;
}

SHOWN time_t time(time_t *t) {
    uint64_t ns;
    if (!modelled(CLOCK_REALTIME, __builtin_return_address(0), &ns)) ns = real_ns(CLOCK_REALTIME);
    time_t seconds = (time_t)(ns / SECOND);
    if (t) *t = seconds;
    return seconds;
}

SHOWN int timespec_get(struct timespec *t, int base) {
    uint64_t ns;
    if (base != TIME_UTC) return 0;
    if (!modelled(CLOCK_REALTIME, __builtin_return_address(0), &ns)) ns = real_ns(CLOCK_REALTIME);
    *t = (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
    return base;
}

/* ---- sleeping, which takes as long as ever ---- */

static uint64_t ns_of(const struct timespec *t) {
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

/* Sleeps, and lets what was slept pass; as nanosleep. */
static int sleep_for(const struct timespec *t, struct timespec *left, const void *caller) {
    struct timespec rest = {0};
    int result = (int)syscall(SYS_nanosleep, t, &rest), error = errno;
    bool woken = result && error == EINTR;
    if ((!result || woken) && is_for(caller))
        atomic_load (&model_pass)(ns_of(t) - (woken ? ns_of(&rest) : 0));
    if (woken && left) *left = rest;
    errno = error;
    return result;
}

SHOWN int nanosleep(const struct timespec *t, struct timespec *left) {
    return sleep_for(t, left, __builtin_return_address(0));
}

SHOWN int usleep(useconds_t us) {
    struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    return sleep_for(&t, NULL, __builtin_return_address(0));
}

SHOWN unsigned sleep(unsigned seconds) {
    struct timespec t = {(time_t)seconds, 0}, left = {0};
    if (!sleep_for(&t, &left, __builtin_return_address(0))) return 0;
    return (unsigned)left.tv_sec + (left.tv_nsec >= SECOND / 2);
}

/* Until a time by a clock that is not the host's any more: for as long as it is until then. */
SHOWN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                          struct timespec *left) {
    const void *caller = __builtin_return_address(0);
    struct timespec span = *t;
    uint64_t now;
    if (known(clock) < 0 || !is_for(caller))
        return syscall(SYS_clock_nanosleep, clock, flags, t, left) ? errno : 0;
    if (flags & TIMER_ABSTIME) {
        modelled(clock, caller, &now);
        uint64_t until = ns_of(t), wait = until > now ? until - now : 0;
        span = (struct timespec){(time_t)(wait / SECOND), (long)(wait % SECOND)};
        left = NULL;
    }
    return sleep_for(&span, left, caller) ? errno : 0;
}
