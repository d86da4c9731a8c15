#include "allocator.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_long until; /* allocations until one fails; 0: none does */
static atomic_long made, live;
static atomic_bool failed, no_chunks;
static atomic_uintptr_t begin[2], end[2]; /* of the driver's libraries; 0: every caller counts */

static bool ours(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    if (!atomic_load_explicit(&begin[0], memory_order_relaxed)) return true;
    for (int i = 0; i < 2; i++)
        if (at >= begin[i] && at < end[i]) return true;
    return false;
}

static bool refuse(const void *caller) {
    if (!ours(caller)) return false;
    atomic_fetch_add(&made, 1);
    long n = atomic_load(&until);
    while (n > 0)
        if (atomic_compare_exchange_weak(&until, &n, n - 1)) {
            if (n == 1) atomic_store(&failed, true);
            return n == 1;
        }
    return false;
}

static void *counted(void *p) {
    if (p) atomic_fetch_add(&live, 1);
    return p;
}

/* ---- in place of the C library's ---- */

#pragma GCC visibility push(default)

void *malloc(size_t n) {
    if (refuse(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size) {
    if (refuse(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return counted(__libc_calloc(n, size));
}

void *realloc(void *old, size_t n) {
    if (refuse(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return old ? __libc_realloc(old, n) : counted(__libc_malloc(n));
}

void *aligned_alloc(size_t align, size_t n) {
    if (refuse(__builtin_return_address(0))) return errno = ENOMEM, NULL;
    return counted(__libc_memalign(align, n));
}

int posix_memalign(void **p, size_t align, size_t n) {
    if (refuse(__builtin_return_address(0))) return ENOMEM;
    *p = counted(__libc_memalign(align, n));
    return *p ? 0 : ENOMEM;
}

void free(void *p) {
    if (p) atomic_fetch_sub(&live, 1);
    __libc_free(p);
}

/* runtime/object.c makes room for objects in chunks of this size. */
int mprotect(void *p, size_t n, int access) {
    enum { CHUNK = 1 << 16 };
    if (n == CHUNK && access != PROT_NONE && atomic_load(&no_chunks)) return errno = ENOMEM, -1;
    return (int)syscall(SYS_mprotect, p, n, access);
}

#pragma GCC visibility pop

/* ---- what the tests see ---- */

long allocator_made(void) { return made; }
long allocator_live(void) { return live; }
bool allocator_failed(void) { return failed; }

void allocator_fail(long n) {
    failed = false;
    until = n;
}

void allocator_starve(bool on) {
    failed = on;
    no_chunks = on;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    int *n = found;
    if (!strstr(info->dlpi_name, "simtcl") || *n == 2) return 0;
    uintptr_t last = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t to = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && to > last) last = to;
    }
    end[*n] = info->dlpi_addr + last;
    begin[(*n)++] = info->dlpi_addr;
    return 0;
}

int allocator_count_driver(void) {
    int n = 0;
    dl_iterate_phdr(find_library, &n);
    return n;
}
