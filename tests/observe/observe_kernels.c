/* Kernels as data, observed.
 *
 *   observe_kernels KERNELTEST FILE.cl ...      expected counts
 *   observe_kernels --equal COMMAND [ARG ...]   equal counts and counters
 *
 * The first runs each file by KERNELTEST, in both engines, on all levels, with 1 to 4 threads, and
 * compares the counts with lines of the file that begin with `//=`:
 *
 *   //= KERNEL SITE KIND EXECUTIONS LANES TAKEN DIVERGED
 *   //= KERNEL SITE KIND FATE ...
 *
 * one for each site, the latter for those that no instruction carries any more. The second runs the
 * command in the interpreter and in native code, with 1 thread and with 8, on the level that the
 * environment says and on another, and compares all counts and what the GPU would have counted. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_LINE = 8192 };

static char folder[] = "/tmp/simtcl-observe-XXXXXX";
static char path[64], counters_path[64];

/* ---- running ---- */

static bool run(char *const argv[], const char *engine, const char *level, const char *threads) {
    char profile[192];
    snprintf(profile, sizeof profile, "sites=%s,counters=%s", path, counters_path);
    unlink(path);
    unlink(counters_path);
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        setenv("SIMTCL_ENGINE", engine, 1);
        if (level) setenv("SIMTCL_SIMD", level, 1);
        if (threads) setenv("SIMTCL_THREADS", threads, 1);
        setenv("SIMTCL_PROFILE", profile, 1);
        if (!freopen("/dev/null", "w", stdout)) _exit(3);
        execvp(argv[0], argv);
        _exit(2);
    }
    int status = -1;
    if (pid > 0 && waitpid(pid, &status, 0) == pid && !status) return true;
    fprintf(stderr, "%s, %s: it ended with %#x\n", argv[0], engine, (unsigned)status);
    return false;
}

/* The whole file; freed by the caller. */
static char *contents(const char *name) {
    FILE *f = fopen(name, "r");
    char *text = NULL;
    size_t length = 0, room = 0;
    if (!f) return strdup("");
    for (size_t got = 1; got;) {
        if (length + MOST_LINE + 1 > room) text = realloc(text, room = room * 2 + MOST_LINE * 2);
        if (!text) abort();
        got = fread(text + length, 1, MOST_LINE, f);
        length += got;
    }
    text[length] = 0;
    fclose(f);
    return text;
}

/* ---- expected counts ---- */

/* The text of a row's source may hold commas: fields are counted from both ends. */
static void put_row(char *row, FILE *to) {
    char *end[7], *kernel = row, *at = strrchr(row, ',');
    for (int n = 0; n < 6 && at; n++) { /* fate, launches, diverged, taken, lanes, executions */
        end[n] = at + 1;
        *at = 0;
        at = strrchr(row, ',');
    }
    if (!at) return;
    char *site = strchr(kernel, ','), *kind = site ? strchr(site + 1, ',') : NULL;
    if (!kind) return;
    *site++ = *kind++ = 0;
    *strchr(kind, ',') = 0;
    kernel[strlen(kernel) - 1] = 0; /* quotes */
    fprintf(to, "%s %s %s ", kernel + 1, site, kind);
    if (strcmp(end[0], "present") != 0)
        fprintf(to, "%s\n", end[0]);
    else
        fprintf(to, "%s %s %s %s\n", end[5], end[4], end[3], end[2]);
}

static char *counted(void) {
    char *text = contents(path), *out = NULL, *save = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    bool head = true;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (!head) put_row(line, to);
        head = false;
    }
    fclose(to);
    free(text);
    return out;
}

static char *expected(const char *name) {
    char *text = contents(name), *out = NULL, *save = NULL;
    size_t length;
    FILE *to = open_memstream(&out, &length);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (!strncmp(line, "//= ", 4)) fprintf(to, "%s\n", line + 4);
    fclose(to);
    free(text);
    return out;
}

static int check(char *kerneltest, char *name) {
    static const struct {
        const char *engine, *level, *threads;
    } ways[] = {{"interpreter", "avx512", "1"},   {"interpreter", "avx2", "3"},
                {"interpreter", "baseline", "2"}, {"native", "avx512", "1"},
                {"native", "avx512", "4"},        {"native", "avx2", "2"},
                {"native", "baseline", "3"},      {"auto", "avx512", "2"}};
    char *argv[] = {kerneltest, name, NULL}, *want = expected(name);
    int failures = 0;
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        bool good = run(argv, ways[n].engine, ways[n].level, ways[n].threads);
        char *got = counted();
        if (good && strcmp(got, want) != 0) {
            fprintf(stderr, "%s, %s on %s with %s threads:\n%s", name, ways[n].engine,
                    ways[n].level, ways[n].threads, got);
            good = false;
        }
        failures += !good;
        free(got);
    }
    free(want);
    return failures;
}

/* ---- equal counts ---- */

struct told {
    char *text[2]; /* counts, counters */
};

static struct told told_by(char *argv[], const char *engine, const char *level, const char *threads,
                           bool *good) {
    *good = run(argv, engine, level, threads) && *good;
    return (struct told){{contents(path), contents(counters_path)}};
}

static void told_free(struct told *t) {
    free(t->text[0]);
    free(t->text[1]);
}

/* Every line that differs, from the first way's and from another's. */
static bool same(const char *a, const char *b, const char *other) {
    bool good = true;
    while (*a || *b) {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        if (n != m || memcmp(a, b, n) != 0) {
            fprintf(stderr, "interpreter: %.*s\n%s: %.*s\n", (int)n, a, other, (int)m, b);
            good = false;
        }
        a += n + (a[n] != 0);
        b += m + (b[m] != 0);
    }
    return good;
}

static int compare(char *argv[]) {
    static const struct {
        const char *engine, *level, *threads;
    } ways[] = {{"native", NULL, "1"}, {"native", "avx2", "8"}, {"interpreter", "avx2", "8"}};
    bool good = true;
    struct told first = told_by(argv, "interpreter", NULL, "1", &good);
    for (int n = 0; n < 2; n++)
        if (!*first.text[n]) {
            fprintf(stderr, "nothing was counted\n");
            good = false;
        }
    for (size_t w = 0; good && w < sizeof ways / sizeof *ways; w++) {
        struct told t = told_by(argv, ways[w].engine, ways[w].level, ways[w].threads, &good);
        for (int n = 0; n < 2; n++) good = same(first.text[n], t.text[n], ways[w].engine) && good;
        told_free(&t);
    }
    told_free(&first);
    return !good;
}

int main(int argc, char **argv) {
    int failures = 0;
    if (argc < 3 || !mkdtemp(folder)) return 2;
    snprintf(path, sizeof path, "%s/sites.csv", folder);
    snprintf(counters_path, sizeof counters_path, "%s/counters.csv", folder);
    if (!strcmp(argv[1], "--equal"))
        failures = compare(argv + 2);
    else
        for (int n = 2; n < argc; n++) failures += check(argv[1], argv[n]);
    unlink(path);
    unlink(counters_path);
    rmdir(folder);
    printf("%d failures\n", failures);
    return failures != 0;
}
