/* Predicted times beside measured ones: gpu_times FOLDER [ROW ...] runs the rows of times.def, all
 * of them when none is named, and prints a table; gpu_times FOLDER --page FILE ACCURACY runs all,
 * and fails where FILE, docs/time.md, has another table, or ACCURACY, device/gpu/time_accuracy.def,
 * other rows; --write makes both. FOLDER has the kernels. Each row is run by a process of its own
 * on the row's board, with SIMTCL_PROFILE=time. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/gpu/time.h"
#include "times_host.h"

enum times_unit { GBS, GFLOPS, MS, US };
static const char *const unit_name[] = {"GB/s", "GFLOPS", "ms", "us"};

/* How it was measured, and how well it has to be met. */
enum { LOOSE = 1, HOSTED = 2 };

/* What the host's calls take of its own time, nanoseconds. */
enum {
#define COST(name, nanoseconds, what, source) HOST_##name = nanoseconds,
#include "runtime/clock.def"
#undef COST
};

struct times_row {
    const char *name, *family, *board;
    double figure;
    enum times_unit unit;
    unsigned how;
    times_job *job; /* NULL: seconds are known */
    long size[3];
    const char *source, *smaller;
    uint64_t bytes; /* of a transfer; 0: a launch */
    bool to_device, pinned;
};

static const struct times_row rows[] = {
#define ROW(name, family, board, figure, unit, how, job, a, b, c, source, smaller)                 \
    {name, #family, board, figure, unit, how, times_##job, {a, b, c}, source, smaller, 0, 0, 0},
#define TRANSFER(name, board, figure, bytes, up, pinned, source)                                   \
    {name, "transfer", board, figure, GBS, 0, NULL, {0}, source, "", bytes, up, pinned},
#define LAUNCH(name, board, figure, source)                                                        \
    {name, "launch", board, figure, MS, LOOSE, NULL, {0}, source, "", 0, 0, 0},
#include "times.def"
#undef ROW
#undef TRANSFER
#undef LAUNCH
};
enum { ROWS = sizeof rows / sizeof *rows };

struct times_found {
    double value, error;
    char bound[32];
    bool asked;
};

static const char *folder;

/* ---- one row ---- */

/* In the child: the work on `to`. */
static void run_job(const struct times_row *r, int to) {
    struct times_host h;
    setenv("SIMTCL_MODEL", r->board, 1);
    times_open(&h, folder);
    double work = r->job(&h, r->size);
    times_close(&h);
    if (write(to, &work, sizeof work) != sizeof work) _exit(1);
    exit(0);
}

/* Seconds of all kernels of a report; bound: of the longest one. */
static double read_report(const char *path, char bound[32]) {
    FILE *f = fopen(path, "re");
    char line[4096], found[32];
    double all = 0, most = 0, us;
    if (!f) return 0;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%*[^,],%*u,%lf,%*f,%*f,%31[^,]", &us, found) == 2) {
            all += us;
            if (us > most) memcpy(bound, found, sizeof found);
            most = fmax(most, us);
        }
    fclose(f);
    return all * 1e-6;
}

static double value_of(const struct times_row *r, double work, double seconds) {
    switch (r->unit) {
    case MS: return work * seconds * 1e3;
    case US: return work * seconds * 1e6;
    default: return seconds > 0 ? work / seconds * 1e-9 : 0;
    }
}

static double known(const struct times_row *r) {
    const struct model *m = model_find(r->board);
    if (!r->bytes) return value_of(r, 1, gpu_time_parameter(m, GPU_TIMING_launch_us) * 1e-6);
    return value_of(r, (double)r->bytes, gpu_time_transfer(m, r->bytes, r->to_device, r->pinned));
}

static bool predict(const struct times_row *r, struct times_found *found) {
    char path[] = "/tmp/gpu_times_XXXXXX";
    int file = mkstemp(path), ends[2], status = 1;
    double work = 0;
    snprintf(found->bound, sizeof found->bound, "%s", "");
    if (file < 0 || pipe(ends)) return false;
    char wish[64];
    snprintf(wish, sizeof wish, "time=%s", path);
    fflush(stdout);
    setenv("SIMTCL_PROFILE", wish, 1);
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        run_job(r, ends[1]);
    }
    close(ends[1]);
    bool good = read(ends[0], &work, sizeof work) == sizeof work;
    close(ends[0]);
    waitpid(child, &status, 0);
    double seconds = read_report(path, found->bound);
    if (r->how & HOSTED) seconds += (HOST_enqueue + HOST_wake) * 1e-9;
    found->value = value_of(r, work, seconds);
    close(file);
    unlink(path);
    return good && !status && found->value > 0;
}

/* How far off: 0.1 is a tenth more than measured, or as much too fast. */
static double error_of(const struct times_row *r, double value) { return value / r->figure - 1; }

static bool find(const struct times_row *r, struct times_found *found) {
    bool good = true;
    if (r->job)
        good = predict(r, found);
    else {
        found->value = known(r);
        snprintf(found->bound, sizeof found->bound, "%s", r->bytes ? "bus" : "launch");
    }
    found->error = error_of(r, found->value);
    found->asked = good;
    if (!good) printf("%s did not run, or not on simtcl\n", r->name);
    return good;
}

/* ---- the table ---- */

/* All that is printed, for the page. */
static struct {
    char *text;
    size_t length;
    FILE *to;
} table;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    fputs(line, table.to);
    fputs(line, stdout);
    fflush(stdout);
}

static void say_row(const struct times_row *r, const struct times_found *f) {
    say("| %s | %s | %.4g | %.4g | %s | %+.0f %% | %s | %s | %s |\n", r->name, r->board, r->figure,
        f->value, unit_name[r->unit], f->error * 100, f->bound, r->source, r->smaller);
}

static double mean_error(const struct times_found *found) {
    double sum = 0;
    unsigned count = 0;
    for (unsigned n = 0; n < ROWS; n++)
        if (found[n].asked) sum += fabs(log(found[n].value / rows[n].figure)), count++;
    return count ? exp(sum / count) - 1 : 0;
}

/* Rows of one family and unit that measurements tell apart (by a twentieth) in the same order. */
static unsigned count_orders(const struct times_found *found, unsigned *wrong) {
    const double apart = 0.05;
    unsigned pairs = 0;
    *wrong = 0;
    say("\n");
    for (unsigned a = 0; a < ROWS; a++)
        for (unsigned b = a + 1; b < ROWS; b++) {
            const struct times_row *x = &rows[a], *y = &rows[b];
            if (!found[a].asked || !found[b].asked || strcmp(x->family, y->family) != 0 ||
                x->unit != y->unit || fabs(log(x->figure / y->figure)) < apart)
                continue;
            pairs++;
            if ((x->figure < y->figure) == (found[a].value < found[b].value)) continue;
            say("Not in the order that was measured: %s and %s.\n\n", x->name, y->name);
            ++*wrong;
        }
    return pairs;
}

static bool is_named(const struct times_row *r, int argc, char **argv) {
    for (int n = 2; n < argc; n++)
        if (!strncmp(r->name, argv[n], strlen(argv[n]))) return true;
    return argc == 2;
}

/* ---- the page ---- */

static const char begins[] = "<!-- times:begin -->\n", ends[] = "<!-- times:end -->";

/* NULL: it cannot be read. */
static char *read_text(const char *path) {
    FILE *f = fopen(path, "re");
    char *text = f ? calloc(1, 1 << 20) : NULL;
    if (text) text[fread(text, 1, (1 << 20) - 1, f)] = 0;
    if (f) fclose(f);
    if (!text) fprintf(stderr, "gpu_times: %s cannot be read\n", path);
    return text;
}

static bool find_table(char *text, const char *path, char **first, char **last) {
    *first = text ? strstr(text, begins) : NULL;
    *last = *first ? strstr(*first, ends) : NULL;
    if (*last)
        *first += strlen(begins);
    else if (text)
        fprintf(stderr, "gpu_times: %s has no %s", path, begins);
    return *last;
}

/* Holds what a file has between first and last against the text, or writes that there. */
static bool hold(const char *path, const char *all, const char *first, const char *last,
                 const char *text, bool write) {
    size_t length = strlen(text);
    bool same = (size_t)(last - first) == length && !memcmp(first, text, length);
    FILE *f = write && !same ? fopen(path, "we") : NULL;
    if (f) {
        fprintf(f, "%.*s%s%s", (int)(first - all), all, text, last);
        same = !fclose(f);
    }
    if (!same) printf("%s has another table: gpu_times FOLDER --write makes it\n", path);
    return same;
}

static bool hold_page(const char *path, bool write) {
    char *first, *last, *text = read_text(path);
    if (!find_table(text, path, &first, &last)) return free(text), false;
    bool same = hold(path, text, first, last, table.text, write);
    free(text);
    return same;
}

/* Rows by what binds them. */
static void say_accuracy(const struct times_found *found, FILE *to) {
    for (unsigned u = 0; u < GPU_UNITS; u++) {
        double sum = 0, worst = 0;
        unsigned count = 0;
        for (unsigned n = 0; n < ROWS; n++) {
            if (strcmp(found[n].bound, gpu_unit_info[u].name) != 0) continue;
            double factor = fabs(log(found[n].value / rows[n].figure));
            sum += factor;
            worst = fmax(worst, factor);
            count++;
        }
        if (count)
            fprintf(to, "ACCURACY(%s, %u, %.2f, %.2f)\n", gpu_unit_info[u].name, count,
                    exp(sum / count) - 1, exp(worst) - 1);
    }
}

/* Behind the comment that it begins with. */
static bool hold_accuracy(const char *path, const struct times_found *found, bool write) {
    char *lines = NULL, *text = read_text(path), *end = text ? strstr(text, "*/\n") : NULL;
    size_t length;
    FILE *to = end ? open_memstream(&lines, &length) : NULL;
    bool same = false;
    if (to) {
        say_accuracy(found, to);
        fclose(to);
        end += strlen("*/\n");
        same = hold(path, text, end, end + strlen(end), lines, write);
    }
    free(lines);
    free(text);
    return same;
}

int main(int argc, char **argv) {
    static struct times_found found[ROWS];
    bool good = true, pages = argc == 5 && !strncmp(argv[2], "--", 2);
    unsigned wrong, pairs, far = 0;
    if (argc < 2 || !(table.to = open_memstream(&table.text, &table.length))) return 2;
    folder = argv[1];
    say("| row | board | measured | predicted | | error | bound by | source | run in its place |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    for (unsigned n = 0; n < ROWS; n++) {
        if (!pages && !is_named(&rows[n], argc, argv)) continue;
        if (!find(&rows[n], &found[n])) {
            good = false;
            continue;
        }
        say_row(&rows[n], &found[n]);
        if (fabs(found[n].error) > (rows[n].how & LOOSE ? 0.5 : 0.4)) far++;
    }
    pairs = count_orders(found, &wrong);
    say("Geometric mean of the error: %.1f %%. Off by more than 40 %%, or half where that is "
        "promised: %u "
        "rows. Orders within a family: %u of %u are those that were measured.\n",
        mean_error(found) * 100, far, pairs - wrong, pairs);
    fclose(table.to);
    bool write = pages && !strcmp(argv[2], "--write");
    if (pages && !hold_page(argv[3], write)) good = false;
    if (pages && !hold_accuracy(argv[4], found, write)) good = false;
    free(table.text);
    return !good;
}
