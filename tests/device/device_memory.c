#include "device/sandbox/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

static sigjmp_buf escape;

static void leave(int sig) {
    (void)sig;
    siglongjmp(escape, 1);
}

/* Whether a byte may be read, and written. */
static bool readable(const char *at) {
    signal(SIGSEGV, leave);
    if (sigsetjmp(escape, 1)) return false;
    return *(volatile const char *)at || true;
}

static bool writable(char *at) {
    signal(SIGSEGV, leave);
    if (sigsetjmp(escape, 1)) return false;
    *(volatile char *)at = *(volatile char *)at;
    return true;
}

static void edges(void) {
    struct memory *m = memory_new(1 << 20);
    CHECK(m);
    char *base = memory_base(m);
    static const uint32_t nowhere[] = {0, 4095, 0x1000, 0x7fffffff, 0x80000000, 0xffffffff};
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        CHECK(memory_contains(m, memory_at(base, nowhere[i])));
        CHECK(!readable(memory_at(base, nowhere[i])));
    }
    /* The guards. */
    CHECK(!readable(base + INT32_MAX + (int64_t)MEMORY_GUARD));
    CHECK(!readable(base + INT32_MIN - (int64_t)MEMORY_GUARD));
    CHECK(memory_contains(m, base + INT32_MIN - (int64_t)MEMORY_GUARD));
    CHECK(!memory_contains(m, &m));
    memory_free(m);
    memory_free(NULL);
}

static void one(void) {
    struct memory *m = memory_new(1 << 20);
    uint32_t a = memory_alloc(m, 5000, 4), b = memory_alloc(m, 1, 1);
    CHECK(a && b && a % 128 == 0 && b % 128 == 0);
    char *at = memory_at(memory_base(m), a);
    for (int i = 0; i < 5000; i++) CHECK(at[i] == 0);
    memset(at, 1, 5000);
    CHECK(memory_in_use(m) == 5001);
    CHECK(!writable(at + 5120)); /* the guard between them */
    memory_release(m, a);
    CHECK(!readable(at));
    memory_release(m, a);     /* twice: ignored */
    memory_release(m, a + 4); /* nothing there */
    memory_release(m, 0);
    CHECK(memory_in_use(m) == 1);
    uint32_t c = memory_alloc(m, 5000, 4);
    CHECK(c && c != a); /* not used again at once */
    memory_free(m);
}

/* An end meets the guard as nearly as the alignment lets it, whatever the size. */
static void overruns(void) {
    static const uint32_t sizes[] = {1,    255,  256,   257,     4095,
                                     4096, 4097, 70000, 1 << 20, (1 << 20) + 1};
    struct memory *m = memory_new(1 << 24);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t align = 128; align <= 8192; align *= 2) {
            uint32_t a = memory_alloc(m, sizes[i], align), least = align < 4096 ? align : 4096;
            char *at = memory_at(memory_base(m), a);
            uint64_t bytes;
            CHECK(a && a % align == 0 && readable(at) && readable(at + sizes[i] - 1));
            CHECK(!readable(at + (sizes[i] + least - 1) / least * least));
            CHECK(memory_object(m, a + sizes[i] - 1, &bytes) == a && bytes == sizes[i]);
            memory_release(m, a);
            CHECK(!readable(at) && memory_in_use(m) == 0);
        }
    memory_free(m);
}

static void limits(void) {
    struct memory *m = memory_new(1 << 20);
    CHECK(!memory_alloc(m, 0, 1));
    CHECK(!memory_alloc(m, (1 << 20) + 1, 1));
    CHECK(!memory_alloc(m, UINT64_MAX, 1) && !memory_alloc(m, UINT64_C(1) << 32, 1));
    uint32_t a = memory_alloc(m, 1 << 20, 1);
    CHECK(a && !memory_alloc(m, 1, 1));
    uint32_t r = memory_reserve(m, 100, 16384); /* not counted */
    CHECK(r && r % 16384 == 0 && memory_in_use(m) == 1 << 20);
    memory_release(m, a);
    CHECK((a = memory_alloc(m, 1 << 20, 1 << 20)) && a % (1 << 20) == 0);
    memory_free(m);
}

/* What asks for huge pages begins with one, until little room is left. */
static void huge(void) {
    enum { PAGE = 2 << 20, BYTES = 4 << 20 };
    struct memory *m = memory_new(UINT64_C(1) << 30);
    for (int n = 0; n < 8; n++) {
        uint32_t at = memory_alloc(m, BYTES, 128);
        CHECK(at && at % PAGE == 0);
    }
    while (memory_in_use(m) <= (UINT64_C(1) << 30) - BYTES) CHECK(memory_alloc(m, BYTES, 128));
    memory_free(m);
}

/* Almost 4 GiB can be had, and again after it was given back. */
static void everything(void) {
    struct memory *m = memory_new(UINT64_C(0xfffd0000));
    for (int iteration = 0; iteration < 600; iteration++) {
        uint32_t part[4];
        for (int i = 0; i < 4; i++) CHECK((part[i] = memory_alloc(m, 0x3ff74000, 128)));
        *(char *)memory_at(memory_base(m), part[iteration % 4]) = 1;
        for (int i = 0; i < 4; i++) memory_release(m, part[i]);
    }
    uint32_t small = memory_alloc(m, 1, 1);
    CHECK(memory_alloc(m, 0x7fee0000, 1) && memory_alloc(m, 0x7fee0000 - 1, 1) && small);
    memory_free(m);
}

/* The ends of the sandbox lie further from everything than a displacement reaches, however it is
 * added: nothing is found on the other side. */
static void ends(void) {
    enum { REACH = 1 << 20 };
    struct memory *m = memory_new(UINT64_C(1) << 32);
    uint32_t last = 0, first = UINT32_MAX;
    for (uint64_t size = 1 << 28; size >= 4096; size /= 2)
        for (uint32_t a; (a = memory_alloc(m, size, 1));) {
            if (a < 0x80000000 && a + size > last) last = (uint32_t)(a + size);
            if (a >= 0x80000000 && a < first) first = a;
        }
    CHECK(last <= 0x80000000 - REACH && last > 0x80000000 - 2 * REACH);
    CHECK(first >= 0x80000000 + REACH && first < 0x80000000 + 2 * REACH);
    memory_free(m);
}

static unsigned mappings(void) {
    unsigned n = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    for (int c; f && (c = getc(f)) != EOF;) n += c == '\n';
    fclose(f);
    return n;
}

static void many_small(void) {
    enum { MANY = 100000 };
    struct memory *m = memory_new(UINT64_C(1) << 32);
    uint32_t *all = calloc(MANY, sizeof *all);
    for (int iteration = 0; iteration < 2; iteration++) {
        for (uint32_t i = 0; i < MANY; i++) {
            CHECK((all[i] = memory_alloc(m, 1 + i % 700, 1 << i % 13)));
            char *at = memory_at(memory_base(m), all[i]);
            CHECK(((uintptr_t)at & ((1u << i % 13) - 1)) == 0);
            for (uint32_t b = 0; b < 1 + i % 700; b++) CHECK(at[b] == 0);
            memset(at, (int)i, 1 + i % 700);
        }
        CHECK(mappings() < 60000); /* of the 65530 that Linux grants */
        for (uint32_t i = 0; i < MANY; i++) {
            uint32_t k = (i * 7919u) % MANY; /* all of them, in another order */
            const unsigned char *at = memory_at(memory_base(m), all[k]);
            for (uint32_t b = 0; b < 1 + k % 700; b++) CHECK(at[b] == (unsigned char)k);
            memory_release(m, all[k]);
        }
        CHECK(memory_in_use(m) == 0);
    }
    CHECK(memory_alloc(m, 1 << 30, 1));
    memory_free(m);
    CHECK(mappings() < 200);
    free(all);
}

static void read_only(void) {
    struct memory *m = memory_new(1 << 20);
    uint32_t a = memory_reserve(m, 100, 128);
    char *at = memory_at(memory_base(m), a);
    at[99] = 7;
    CHECK(memory_protect(m, a) && readable(at + 99) && !writable(at + 99) && at[99] == 7);
    CHECK(!memory_protect(m, 0));
    memory_release(m, a);
    CHECK(!readable(at));
    memory_free(m);
}

/* What lies before a region may be read, but no more than a page of it. */
static void lead(void) {
    enum { LEAD = 1 << 14 };
    struct memory *m = memory_new(1 << 20);
    uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE), a = memory_reserve(m, LEAD + 100, LEAD);
    CHECK(a && memory_lead(m, a, LEAD));
    char *at = memory_at(memory_base(m), a + LEAD);
    unsigned char there = 0;
    CHECK(mincore(at - page, page, &there) == 0);
    CHECK(readable(at - 1) && at[-1] == 0 && !writable(at - 1) && readable(at - page));
    CHECK(page == LEAD || !readable(at - page - 1));
    CHECK(!readable(at - LEAD) || page == LEAD);
    CHECK(writable(at) && writable(at + 99));
    for (int i = 0; i < 3; i++) { /* such regions, given back, are like others */
        memory_release(m, a);
        CHECK(!readable(at - 1) && !readable(at));
        CHECK((a = memory_reserve(m, i * 50000 + 100, 128)));
        at = memory_at(memory_base(m), a);
        for (int b = 0; b < i * 50000 + 100; b++) CHECK(at[b] == 0);
        memset(at, 3, 100);
    }
    memory_free(m);
}

/* Bytes of the sandbox that the host has pages for. */
static size_t resident(char *base) {
    size_t half = (size_t)2 << 30, page = (size_t)sysconf(_SC_PAGESIZE), count = 0;
    unsigned char *there = malloc(2 * half / page);
    CHECK(there && mincore(base - half, 2 * half, there) == 0);
    for (size_t n = 0; n < 2 * half / page; n++) count += there[n] & 1;
    free(there);
    return count * page;
}

/* What is released may keep its pages for the next allocation: that reads as zeros, of whichever
 * size it is, and nobody finds anything at the old addresses, or behind the new one's end. */
static void kept(void) {
    static const size_t sizes[] = {100,     70000, 1000001,       800000, (4 << 20) + 5, 6 << 20,
                                   5 << 20, 65536, (9 << 20) - 1, 4097,   600000};
    enum { N = sizeof sizes / sizeof *sizes, MIB = 1 << 20 };
    struct memory *m = memory_new(UINT64_C(1) << 30);
    char *base = memory_base(m), *old = NULL;
    for (unsigned i = 0; i < 40 * N; i++) {
        size_t size = sizes[(i * 7 + i / N) % N];
        uint32_t a = i % 5 ? memory_alloc(m, size, 128) : memory_reserve(m, size, 128);
        char *at = memory_at(base, a);
        CHECK(a && !readable(at + size + 4096));
        if (old) CHECK(old == at || !readable(old));
        for (size_t b = 0; b < size; b++)
            if (at[b]) CHECK(!"it has old data");
        memset(at, 0xaa, size);
        if (i % 10 == 0) CHECK(memory_protect(m, a));
        memory_release(m, a);
        CHECK(!readable(at) && !readable(at + size - 1));
        old = at;
    }
    size_t before = resident(base);
    for (unsigned i = 0; i < 12; i++) { /* which are many bytes, and not all kept */
        uint32_t a[3];
        for (int k = 0; k < 3; k++) {
            CHECK((a[k] = memory_alloc(m, (size_t)(9 + 5 * i) * MIB, 128)));
            memset(memory_at(base, a[k]), 1, (size_t)(9 + 5 * i) * MIB);
        }
        for (int k = 0; k < 3; k++) memory_release(m, a[k]);
    }
    CHECK(resident(base) < before + 160 * (size_t)MIB);
    memory_free(m);
}

static struct memory *shared;

static void *churn(void *seed) {
    uint32_t mine[64] = {0};
    unsigned random = (unsigned)(uintptr_t)seed;
    for (int i = 0; i < 5000; i++) {
        random = random * 1664525u + 1013904223u;
        uint32_t *a = &mine[random >> 26];
        if (*a) {
            CHECK(*(uint32_t *)memory_at(memory_base(shared), *a) == *a);
            memory_release(shared, *a);
            *a = 0;
        } else {
            CHECK((*a = memory_alloc(shared, random >> 16 & 0x3fff ? random >> 16 & 0x3fff : 4,
                                     128)));
            *(uint32_t *)memory_at(memory_base(shared), *a) = *a;
        }
    }
    for (int i = 0; i < 64; i++) memory_release(shared, mine[i]);
    return NULL;
}

static void threads(void) {
    pthread_t thread[4];
    shared = memory_new(UINT64_C(1) << 30);
    for (uintptr_t i = 0; i < 4; i++) pthread_create(&thread[i], NULL, churn, (void *)(i + 1));
    for (int i = 0; i < 3; i++) { /* a child can go on, whatever the others were doing */
        pid_t child = fork();
        if (!child) _exit(memory_alloc(shared, 100, 1) == 0);
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    CHECK(memory_in_use(shared) == 0);
    memory_free(shared);
}

TEST_MAIN(TEST(edges), TEST(one), TEST(overruns), TEST(limits), TEST(huge), TEST(everything),
          TEST(ends), TEST(many_small), TEST(read_only), TEST(lead), TEST(kept), TEST(threads))
