#include "hostile.h"

#include <sys/mman.h>

enum { PAGE = 4096, REGIONS = 24, REGION = 4 * PAGE, BLOCKS = 200, MARGIN = 4 * PAGE };

static struct {
    unsigned char *at;
    size_t size;
} watched[REGIONS + BLOCKS];
static unsigned nwatched;

static unsigned char *host; /* with a margin before and behind */
static size_t host_size, host_room;

/* Depends on the place, so that a copy of one canary over another is seen. */
static unsigned char pattern(const unsigned char *at) {
    uint64_t z = (uint64_t)(uintptr_t)at * 0x9e3779b97f4a7c15u;
    return (unsigned char)(z >> 56 | 1);
}

static void fill(unsigned char *at, size_t size) {
    for (size_t i = 0; i < size; i++) at[i] = pattern(at + i);
}

static bool whole(const char *what, const unsigned char *at, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (at[i] != pattern(at + i)) {
            fprintf(stderr, "%s of %zu bytes at %p: byte %zu is %02x, was %02x\n", what, size,
                    (const void *)at, i, at[i], pattern(at + i));
            return false;
        }
    return true;
}

static void watch(unsigned char *at, size_t size) {
    watched[nwatched].at = at;
    watched[nwatched++].size = size;
    fill(at, size);
}

void canaries_place(void) {
    for (unsigned i = 0; i < REGIONS; i++) {
        /* Below 2 GB too, where an address without the sandbox's base would lead. */
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | (i % 2 ? MAP_32BIT : 0);
        void *hint = i % 2 ? NULL : (void *)((uintptr_t)i << 28);
        void *at = mmap(hint, REGION, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (at == MAP_FAILED) exit(2);
        watch(at, REGION);
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        size_t size = 16 + i * 13;
        unsigned char *at = malloc(size);
        if (!at) exit(2);
        watch(at, size);
    }
}

void *canaries_host(size_t size) {
    if (!host) {
        host_room = (size + PAGE - 1) / PAGE * PAGE + 2 * MARGIN;
        host = mmap(NULL, host_room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (host == MAP_FAILED) exit(2);
    }
    if (size + 2 * MARGIN > host_room) exit(2);
    host_size = size;
    fill(host, host_room);
    return memset(host + MARGIN, 0, size);
}

bool canaries_live(void) {
    bool good = true;
    for (unsigned i = 0; i < nwatched; i++)
        good &= whole(i < REGIONS ? "pages" : "a block", watched[i].at, watched[i].size);
    if (!host) return good;
    good &= whole("before the host pointer", host, MARGIN);
    return good & whole("behind the host pointer", host + MARGIN + host_size,
                        host_room - MARGIN - host_size);
}
