#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "env.h"

enum {
    SUFFIX_DIGITS = 16,     /* of a file's name, behind its kind */
    STALE_S = 3600,         /* what a process left that ended while it wrote */
    TOUCH_S = 60,           /* a hit makes an entry young again, but not each time */
    LOOK_PART = 16,         /* the folder is looked through when so much of its size is new */
    MOST_ENTRIES = 1 << 16, /* that a look takes in */
    MOST_MB = 1 << 20
};

/* What a file begins with; key and value follow. */
struct head {
    char magic[8];
    uint64_t key_bytes, value_bytes;
    uint64_t checksum; /* of all else */
};
static const char magic[8] = "simtcl\0\1", temporary[] = "new-";

/* ---- hashes ---- */

/* Two inputs that differ in one word only have different hashes: each step can be undone. */
static uint64_t hash_more(uint64_t h, const void *bytes, size_t size) {
    const char *p = bytes;
    for (size_t left = size; left; p += 8) {
        uint64_t word = 0;
        size_t n = left < 8 ? left : 8;
        memcpy(&word, p, n);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
        left -= n;
    }
    return h;
}

static uint64_t checksum(const struct head *head, const void *key, const void *value) {
    uint64_t h = hash_more(1, &head->key_bytes, sizeof head->key_bytes);
    h = hash_more(h, &head->value_bytes, sizeof head->value_bytes);
    h = hash_more(h, key, head->key_bytes);
    return hash_more(h, value, head->value_bytes);
}

static void entry_name(char *name, size_t size, const char *kind, const void *key, size_t bytes) {
    snprintf(name, size, "%s-%016llx", kind,
             (unsigned long long)hash_more(0x243f6a8885a308d3u ^ bytes, key, bytes));
}

/* ---- the folder ---- */

/* How many bytes the folder may hold; 0: there is to be no cache. */
static uint64_t most_bytes(void) {
    char *end;
    const char *text = env_get(ENV_SIMTCL_CACHE);
    unsigned long long mb = strtoull(text, &end, 10);
    if (end == text || *end || *text == '-') return 0;
    return (uint64_t)(mb < MOST_MB ? mb : MOST_MB) << 20;
}

/* Is it the user's, so that what is made in it is his too? */
static bool is_own(const char *path) {
    struct stat st;
    return !stat(path, &st) && st.st_uid == geteuid();
}

static bool folder_path(char *path, size_t size) {
    const char *asked = env_get(ENV_SIMTCL_CACHE_DIR);
    const char *caches = env_get(ENV_XDG_CACHE_HOME), *home = env_get(ENV_HOME);
    int n = -1;
    if (*asked)
        n = snprintf(path, size, "%s", asked);
    else if (*caches == '/' && (is_own(caches) || errno == ENOENT))
        n = snprintf(path, size, "%s/simtcl", caches);
    else if (*home == '/' && is_own(home))
        n = snprintf(path, size, "%s/.cache/simtcl", home);
    return n >= 0 && (size_t)n < size;
}

static void make_folders(char *path) {
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
    mkdir(path, 0700);
}

static bool trusted(const struct stat *st) {
    return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* The open folder, or -1. All else goes through this descriptor: what has been checked is what is
 * used. */
static int open_folder(bool make) {
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
    enum { PATH_BYTES = 4096 };
    struct stat st;
    char *path = most_bytes() ? malloc(PATH_BYTES) : NULL; /* a thread's stack may be small */
    int fd = -1;
    if (path && folder_path(path, PATH_BYTES)) {
        fd = open(path, FLAGS);
        if (fd < 0 && make && errno == ENOENT) {
            make_folders(path);
            fd = open(path, FLAGS);
        }
    }
    free(path);
    if (fd < 0) return -1;
    if (!fstat(fd, &st) && trusted(&st)) return fd;
    close(fd);
    return -1;
}

/* ---- getting ---- */

static bool read_all(int fd, char *to, size_t size) {
    while (size) {
        ssize_t n = read(fd, to, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

/* An entry's bytes, malloc'ed, with a NUL behind them. */
static char *read_entry(int fd, size_t *size) {
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !trusted(&st) ||
        st.st_size < (off_t)sizeof(struct head) || (uint64_t)st.st_size > most_bytes())
        return NULL;
    *size = (size_t)st.st_size;
    char *bytes = malloc(*size + 1);
    if (!bytes || !read_all(fd, bytes, *size)) {
        free(bytes);
        return NULL;
    }
    bytes[*size] = 0;
    if (time(NULL) - st.st_mtime > TOUCH_S) futimens(fd, NULL);
    return bytes;
}

/* Is it whole, and that key's? */
static bool fits(const char *bytes, size_t size, const void *key, size_t key_bytes) {
    struct head head;
    memcpy(&head, bytes, sizeof head);
    size_t rest = size - sizeof head;
    const char *its_key = bytes + sizeof head;
    return !memcmp(head.magic, magic, sizeof magic) && head.key_bytes == key_bytes &&
           key_bytes <= rest && head.value_bytes == rest - key_bytes &&
           !memcmp(its_key, key, key_bytes) &&
           head.checksum == checksum(&head, its_key, its_key + key_bytes);
}

void *cache_get(const char *kind, const void *key, size_t key_bytes, size_t *bytes) {
    char name[64];
    size_t size = 0;
    int folder = open_folder(false);
    if (folder < 0) return NULL;
    entry_name(name, sizeof name, kind, key, key_bytes);
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(folder);
    if (fd < 0) return NULL;
    char *entry = read_entry(fd, &size);
    close(fd);
    if (!entry || !fits(entry, size, key, key_bytes)) {
        free(entry);
        return NULL;
    }
    *bytes = size - sizeof(struct head) - key_bytes;
    memmove(entry, entry + (size - *bytes), *bytes + 1);
    return entry;
}

/* ---- keeping it small ---- */

struct cache_entry {
    char name[64];
    struct timespec time;
    uint64_t bytes;
};

static int by_age(const void *a, const void *b) {
    const struct cache_entry *x = a, *y = b;
    if (x->time.tv_sec != y->time.tv_sec) return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
    return x->time.tv_nsec < y->time.tv_nsec ? -1 : x->time.tv_nsec > y->time.tv_nsec;
}

/* A word, a dash and the digits: nothing else in the folder is touched. */
static bool is_entry(const char *name) {
    const char *dash = strrchr(name, '-');
    return dash && dash > name && strlen(name) < sizeof((struct cache_entry *)0)->name &&
           strlen(dash + 1) == SUFFIX_DIGITS &&
           strspn(dash + 1, "0123456789abcdef") == SUFFIX_DIGITS;
}

/* False: it is no entry, or one that is gone. */
static bool look_at(int folder, const char *name, struct cache_entry *e) {
    struct stat st;
    if (!is_entry(name) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
        return false;
    if (!strncmp(name, temporary, strlen(temporary))) {
        if (time(NULL) - st.st_mtime > STALE_S) unlinkat(folder, name, 0);
        return false;
    }
    strcpy(e->name, name);
    e->time = st.st_mtim;
    e->bytes = (uint64_t)st.st_size;
    return true;
}

static size_t look_through(int folder, struct cache_entry *entries, uint64_t *total) {
    size_t n = 0;
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0) close(fd);
    *total = 0;
    for (struct dirent *d; dir && n < MOST_ENTRIES && (d = readdir(dir));)
        if (look_at(folder, d->d_name, &entries[n])) *total += entries[n++].bytes;
    if (dir) closedir(dir);
    return n;
}

/* Removes the oldest until a part of the room is free, so that this is not done for each entry. */
static void make_room(int folder) {
    uint64_t total, most = most_bytes();
    struct cache_entry *entries = malloc(MOST_ENTRIES * sizeof *entries);
    if (!entries) return;
    size_t n = look_through(folder, entries, &total);
    if (total > most || n == MOST_ENTRIES) {
        qsort(entries, n, sizeof *entries, by_age);
        size_t most_entries = MOST_ENTRIES - MOST_ENTRIES / LOOK_PART;
        for (size_t i = 0; i < n && (total > most - most / LOOK_PART || n - i > most_entries); i++)
            if (!unlinkat(folder, entries[i].name, 0)) total -= entries[i].bytes;
    }
    free(entries);
}

/* The process's first entry, and then now and then. */
static bool time_to_look(size_t bytes) {
    static _Atomic uint64_t since;
    static atomic_bool looked;
    uint64_t now = atomic_fetch_add(&since, bytes) + bytes;
    if (atomic_exchange(&looked, true) && now < most_bytes() / LOOK_PART) return false;
    atomic_store(&since, 0);
    return true;
}

/* ---- putting ---- */

static bool write_all(int fd, struct iovec *parts, int n) {
    while (n) {
        ssize_t done = writev(fd, parts, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        for (size_t left = (size_t)done; n;) {
            size_t here = left < parts->iov_len ? left : parts->iov_len;
            parts->iov_base = (char *)parts->iov_base + here;
            parts->iov_len -= here;
            left -= here;
            if (parts->iov_len) break;
            parts++, n--;
        }
    }
    return true;
}

/* A limit on the size of files would end the process with a signal. */
static bool may_write(size_t bytes) {
    struct rlimit limit;
    return !getrlimit(RLIMIT_FSIZE, &limit) &&
           (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

static bool write_entry(int folder, const char *name, struct iovec *parts, int n) {
    static atomic_uint count;
    struct timespec now;
    char unfinished[64], what[64];
    clock_gettime(CLOCK_REALTIME, &now);
    int length = snprintf(what, sizeof what, "%ld %u %ld", (long)getpid(),
                          atomic_fetch_add(&count, 1), now.tv_nsec);
    entry_name(unfinished, sizeof unfinished, "new", what, (size_t)length);
    int fd = openat(folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    bool good = write_all(fd, parts, n);
    good &= !close(fd);
    good = good && !renameat(folder, unfinished, folder, name);
    if (!good) unlinkat(folder, unfinished, 0);
    return good;
}

void cache_put(const char *kind, const void *key, size_t key_bytes, const void *value,
               size_t bytes) {
    char name[64];
    struct head head = {.key_bytes = key_bytes, .value_bytes = bytes};
    size_t size = sizeof head + key_bytes + bytes;
    if (size > most_bytes() / LOOK_PART || !may_write(size)) return;
    int folder = open_folder(true);
    if (folder < 0) return;
    memcpy(head.magic, magic, sizeof magic);
    head.checksum = checksum(&head, key, value);
    entry_name(name, sizeof name, kind, key, key_bytes);
    struct iovec parts[] = {{&head, sizeof head},
                            {(void *)(uintptr_t)key, key_bytes},
                            {(void *)(uintptr_t)value, bytes}};
    if (write_entry(folder, name, parts, 3) && time_to_look(size)) make_room(folder);
    close(folder);
}

bool cache_use(struct cache_use *use, char *path, size_t size) {
    *use = (struct cache_use){.most = most_bytes()};
    int folder = open_folder(false);
    if (folder < 0 || !folder_path(path, size)) {
        if (folder >= 0) close(folder);
        return false;
    }
    struct cache_entry *entries = malloc(MOST_ENTRIES * sizeof *entries);
    if (entries) use->entries = look_through(folder, entries, &use->bytes);
    free(entries);
    close(folder);
    return true;
}
