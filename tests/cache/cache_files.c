/* The cache's files: found again, whole or not at all, by any number of processes, within bounds.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#include "tests/device/test.h"
#include "runtime/cache.h"
#include "runtime/env.h"
#include "folder.h"

static char big[1 << 20];

/* A variable is set, or not at all, and read. */
static void set(const char *variable, const char *value) {
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
    env_read();
}

static const char *use(const char *megabytes) {
    const char *folder = folder_use(megabytes);
    env_read();
    return folder;
}

static bool get_is(const char *kind, const char *key, const char *wanted) {
    size_t bytes = 12345;
    char *value = cache_get(kind, key, strlen(key), &bytes);
    bool same =
        wanted ? value && bytes == strlen(wanted) && !memcmp(value, wanted, bytes + 1) : !value;
    free(value);
    return same;
}

static void put(const char *kind, const char *key, const char *value) {
    cache_put(kind, key, strlen(key), value, strlen(value));
}

static void test_hit_and_miss(void) {
    use("8");
    CHECK(get_is("a", "key", NULL));
    put("a", "key", "value");
    CHECK(get_is("a", "key", "value"));
    CHECK(get_is("b", "key", NULL) && get_is("a", "kez", NULL) && get_is("a", "key2", NULL) &&
          get_is("a", "ke", NULL) && get_is("a", "", NULL));
    put("a", "key", "another");
    CHECK(get_is("a", "key", "another"));
    put("a", "empty", "");
    CHECK(get_is("a", "empty", ""));
    put("a", "", "of the empty key");
    CHECK(get_is("a", "", "of the empty key"));
    CHECK(folder_count("a-") == 3 && folder_count("new-") == 0);
    struct stat st;
    CHECK(!stat(folder_file("a-", 0), &st) && (st.st_mode & 0777) == 0600);
}

static void test_off(void) {
    static const char *const words[] = {"off", "0", "no", "-1", "", "12x"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        use(words[i]);
        put("a", "key", "value");
        CHECK(!folder_file("", 0) && get_is("a", "key", NULL));
    }
    use("8");
    put("a", "key", "value");
    set("SIMTCL_CACHE", "off");
    CHECK(get_is("a", "key", NULL));
}

/* Whatever has happened to a file: a miss, and the next result is kept in its place. */
static void test_damage(void) {
    static char whole[1 << 20], bytes[1 << 20];
    use("8");
    put("a", "a key of some length", "and a value of some length");
    char path[512];
    strcpy(path, folder_file("a-", 0));
    size_t size = folder_read(path, whole);
    for (size_t i = 0; i < size; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(bytes, whole, size);
            bytes[i] ^= (char)(1u << bit);
            folder_write(path, bytes, size);
            CHECK(get_is("a", "a key of some length", NULL));
        }
    for (size_t n = 0; n < size; n++) {
        folder_write(path, whole, n);
        CHECK(get_is("a", "a key of some length", NULL));
    }
    memcpy(bytes, whole, size);
    memset(bytes + size, 0, 64);
    folder_write(path, bytes, size + 64);
    CHECK(get_is("a", "a key of some length", NULL));
    put("a", "a key of some length", "and a value of some length");
    CHECK(get_is("a", "a key of some length", "and a value of some length"));
    CHECK(folder_read(path, bytes) == size && !memcmp(bytes, whole, size));
    /* Another key's file under this one's name. */
    put("a", "b key of some length", "value");
    const char *other = folder_file("a-", 0);
    if (!strcmp(other, path)) other = folder_file("a-", 1);
    CHECK(!rename(other, path));
    CHECK(get_is("a", "a key of some length", NULL) && get_is("a", "b key of some length", NULL));
}

/* What others can write to is not used. */
static void test_rights(void) {
    char path[512], elsewhere[512];
    const char *folder = use("8");
    put("a", "key", "value");
    strcpy(path, folder_file("a-", 0));
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
    CHECK(!chmod(path, 0666) && get_is("a", "key", NULL));
    CHECK(!chmod(path, 0620) && get_is("a", "key", NULL));
    CHECK(!chmod(path, 0600) && get_is("a", "key", "value"));
    CHECK(!chmod(folder, 0777) && get_is("a", "key", NULL));
    put("a", "key", "other");
    CHECK(!chmod(folder, 0770) && get_is("a", "key", NULL));
    CHECK(!chmod(folder, 0700) && get_is("a", "key", "value"));
    CHECK(!rename(path, elsewhere) && !symlink(elsewhere, path) && get_is("a", "key", NULL));
    CHECK(!unlink(path) && !mkfifo(path, 0600) && get_is("a", "key", NULL));
    CHECK(!unlink(path) && !mkdir(path, 0700) && get_is("a", "key", NULL));
    put("a", "key", "value");
    CHECK(get_is("a", "key", NULL) && folder_count("new-") == 0);
    if (geteuid() == 0) { /* another user's */
        CHECK(!rmdir(path) && !rename(elsewhere, path) && get_is("a", "key", "value"));
        CHECK(!chown(path, 12345, (gid_t)-1) && get_is("a", "key", NULL));
        CHECK(!chown(path, 0, (gid_t)-1) && get_is("a", "key", "value"));
        CHECK(!chown(folder, 12345, (gid_t)-1) && get_is("a", "key", NULL));
        CHECK(!chown(folder, 0, (gid_t)-1));
    }
}

/* No folder, none that can be made, no room: nothing happens. */
static void test_nowhere(void) {
    char path[600];
    const char *folder = use("8");
    snprintf(path, sizeof path, "%s/file", folder);
    folder_write(path, "x", 1);
    strcat(path, "/below");
    set("SIMTCL_CACHE_DIR", path);
    put("a", "key", "value");
    CHECK(get_is("a", "key", NULL));
    set("SIMTCL_CACHE_DIR", "/proc/self/nowhere");
    put("a", "key", "value");
    CHECK(get_is("a", "key", NULL));
    if (geteuid() != 0) { /* the superuser may write anywhere */
        set("SIMTCL_CACHE_DIR", folder);
        CHECK(!chmod(folder, 0500));
        put("a", "key", "value");
        CHECK(get_is("a", "key", NULL) && !chmod(folder, 0700));
    }
    /* Files may not grow: the signal that says so would end the process. */
    use("8");
    struct rlimit limit;
    CHECK(!getrlimit(RLIMIT_FSIZE, &limit));
    limit.rlim_cur = 100;
    CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
    cache_put("a", "key", 3, big, 1000);
    CHECK(get_is("a", "key", NULL) && folder_count("") == 0);
}

/* The three places, and those that are made. */
static void test_places(void) {
    char path[600];
    const char *folder = use("8");
    set("SIMTCL_CACHE_DIR", NULL);
    set("HOME", folder);
    set("XDG_CACHE_HOME", NULL);
    put("a", "home", "value");
    snprintf(path, sizeof path, "%s/.cache/simtcl", folder);
    CHECK(!access(path, F_OK) && get_is("a", "home", "value"));
    snprintf(path, sizeof path, "%s/xdg", folder);
    set("XDG_CACHE_HOME", path);
    CHECK(get_is("a", "home", NULL));
    put("a", "xdg", "value");
    snprintf(path, sizeof path, "%s/xdg/simtcl", folder);
    struct stat st;
    CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0700 && get_is("a", "xdg", "value"));
    set("XDG_CACHE_HOME", "not/absolute"); /* as the XDG specification has it */
    CHECK(get_is("a", "home", "value"));
    set("XDG_CACHE_HOME", "");
    CHECK(get_is("a", "home", "value"));
    set("HOME", NULL);
    CHECK(get_is("a", "home", NULL));
    char command[700];
    snprintf(command, sizeof command, "rm -r '%s/xdg' '%s/.cache'", folder, folder);
    CHECK(!system(command));
}

/* Many processes at once: who finds anything finds one of the values, whole. */
static void test_race(void) {
    enum { PROCESSES = 4, ROUNDS = 300, BYTES = 40000 };
    use("8");
    for (int p = 0; p < PROCESSES; p++) {
        if (fork()) continue;
        char *value = malloc(BYTES);
        unsigned found = 0;
        for (int i = 0; i < ROUNDS; i++) {
            size_t bytes;
            memset(value, 'a' + p, BYTES);
            cache_put("a", "key", 3, value, BYTES - (size_t)p);
            char *got = cache_get("a", "key", 3, &bytes);
            if (!got) continue;
            found++;
            int whose = *got - 'a';
            if (whose < 0 || whose >= PROCESSES || bytes != BYTES - (size_t)whose) _exit(1);
            for (size_t n = 0; n < bytes; n++)
                if (got[n] != *got) _exit(1);
            free(got);
        }
        _exit(found == ROUNDS ? 0 : 2);
    }
    for (int p = 0, status; p < PROCESSES; p++) CHECK(wait(&status) > 0 && status == 0);
    CHECK(folder_count("a-") == 1 && folder_count("new-") == 0);
}

static void age(const char *path, long seconds) {
    struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}};
    times[1] = times[0];
    CHECK(!utimensat(AT_FDCWD, path, times, 0));
}

static void test_eviction(void) {
    enum { ENTRIES = 60, BYTES = 50000 };
    char key[16];
    use("1");
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(key, sizeof key, "key %d", i);
        cache_put("a", key, strlen(key), big, BYTES);
        CHECK(folder_bytes() <= 1 << 20);
        /* The first is in use: it stays. The others get older the longer they are there. */
        const char *path;
        for (unsigned n = 0; (path = folder_file("a-", n)); n++) {
            struct stat st;
            CHECK(!stat(path, &st));
            age(path, time(NULL) - st.st_mtime + 100);
        }
        size_t bytes;
        char *first = cache_get("a", "key 0", 5, &bytes);
        CHECK(first);
        free(first);
    }
    size_t bytes;
    char *last = cache_get("a", key, strlen(key), &bytes);
    CHECK(last && bytes == BYTES);
    free(last);
    CHECK(get_is("a", "key 1", NULL) && get_is("a", "key 20", NULL));
    CHECK(folder_bytes() > 1 << 19); /* and no more than was needed */
    cache_put("a", "large", 5, big, sizeof big);
    CHECK(get_is("a", "large", NULL)); /* one that would push out all others is not kept */
}

/* What is not the cache's is left alone; what a process left half written is not. */
static void test_strangers(void) {
    char path[600];
    const char *folder = use("1");
    static const char *const names[] = {"README", "a-x", "a-0123456789abcdeg",
                                        "new-0123456789abcdef", "new-fedcba9876543210"};
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        folder_write(path, big, i < 3 ? sizeof big : 10);
        if (i < 4) age(path, 100000);
    }
    for (int i = 0; i < 40; i++) {
        char key[16];
        snprintf(key, sizeof key, "key %d", i);
        cache_put("a", key, strlen(key), big, 50000);
    }
    CHECK(folder_count("README") == 1 && folder_count("a-x") == 1 &&
          folder_count("a-0123456789abcdeg") == 1);
    CHECK(folder_count("new-0123456789abcdef") == 0 && folder_count("new-fedcba9876543210") == 1);
    CHECK(folder_count("a-") > 12); /* and does not count as the cache's size */
}

TEST_MAIN(TEST(test_hit_and_miss), TEST(test_off), TEST(test_damage), TEST(test_rights),
          TEST(test_nowhere), TEST(test_places), TEST(test_race), TEST(test_eviction),
          TEST(test_strangers))
