/* How much a kernel's speed hangs on how it is written: kernels in variants that do the same work.
 *
 *   variants [--platform NAME] [--only KERNEL,...] [--habits HABIT,...] [--runs N]
 *            [--rounds N] [--cpu] [--list] [--csv] [--tiny]
 *
 * Prints of each kernel its slowest variant and all of them (geometric mean) over the fastest, then
 * what each habit costs: the rate with it over that of the plain kernel, geometric mean over
 * kernels. --csv prints kernel,habit,outcome,rate (million elements a second) instead. --cpu takes
 * the time of the process on all CPUs. --rounds takes all ways so many times one after the other,
 * the best of which counts: what a machine does to one of them for a second it does to another one
 * in the next round. --tiny runs each variant once on few elements: only results matter then. Exit
 * status: 0 all right, 1 a variant is wrong, 2 anything else. */
#include "chosen.h"
#include "variants_host.h"
#include "variants_kernels.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANE = 1, VECTOR = 2, GROUPS = 4 };
enum { LOOPS = 1, SUMS = 2, CLAMPS = 4, WALKS = 8, FIELDS = 16 };
enum variant_way { WHOLE, UNEVEN, NONE, FLAT, SOLID, STRIDE, RUN };
enum { RUN_LENGTH = 4, STRIDES = 4 }; /* -DRUN; elements of a work-item in each dimension */
enum { SOLID_X = 32, SOLID_Y = 16, SOLID_GROUP = 4 /* of 8 x 8 x this */ };
enum { MOST_TEXT = 1 << 14 };

static const struct kernel {
    const char *name, *text, *type;
    unsigned kind, traits;
    int size[2][3]; /* full, tiny */
} kernels[] = {
#define KERNEL(name, type, kind, traits, w, h, d, tw, th, td)                                      \
    {#name, name##_cl, #type, kind, traits, {{w, h, d}, {tw, th, td}}},
#include "variants.def"
};

static const struct habit {
    const char *name;
    unsigned kinds, traits;
    enum variant_way way;
    size_t group[2];
    const char *options, *about;
} habits[] = {
#define HABIT(name, kinds, traits, way, x, y, options, about)                                      \
    {#name, kinds, traits, way, {x, y}, options, about},
#include "variants.def"
};
enum {
    KERNELS = sizeof(kernels) / sizeof(kernels[0]),
    HABITS = sizeof(habits) / sizeof(habits[0])
};

/* The variant that is measured. */
static const struct kernel *kernel;
static const struct habit *habit;

/* ---- a variant ---- */

static bool applies(const struct kernel *k, const struct habit *h) {
    return (h->kinds & k->kind) && (h->traits & k->traits) == h->traits;
}

static struct job_range range_of(const int size[3]) {
    bool plane = kernel->kind == PLANE && habit->way != FLAT;
    size_t group[2] = {plane ? 16 : 256, plane ? 16 : 1};
    size_t items[2] = {(size_t)size[0], plane ? (size_t)size[1] : 1};
    if (habit->way == FLAT) items[0] *= (size_t)size[1];
    if (habit->way == SOLID) {
        size_t groups = (items[0] / (SOLID_X * SOLID_Y) + SOLID_GROUP - 1) / SOLID_GROUP;
        return BOX(SOLID_X, SOLID_Y, groups * SOLID_GROUP, 8, 8, SOLID_GROUP);
    }
    if (habit->way == RUN) items[0] /= RUN_LENGTH;
    for (int d = 0; d < 2; d++) {
        if (habit->group[0]) group[d] = habit->group[d];
        if (habit->way == STRIDE) items[d] = (items[d] + STRIDES - 1) / STRIDES;
        items[d] = (items[d] + group[d] - 1) / group[d] * group[d];
    }
    struct job_range range = GRID(items[0], items[1], group[0], group[1]);
    range.dims = plane ? 2 : 1;
    if (habit->way == NONE) memset(range.local, 0, sizeof(range.local));
    return range;
}

static void *random_elements(struct bench_job *job, size_t count, uint32_t seed) {
    uint32_t *bits = job_host(job, count * 4);
    float *small = (float *)bits;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(kernel->type, "float"))
            small[i] = (float)(job_random(&seed) >> 28);
        else
            bits[i] = job_random(&seed);
    return bits;
}

static void run(struct bench_job *job) {
    int size[3];
    memcpy(size, kernel->size[job_session(job)->tiny], sizeof(size));
    size_t count = (size_t)size[0] * (size_t)(size[1] > size[2] ? size[1] : size[2]);
    if (habit->way == UNEVEN) size[0] -= 24;
    if (habit->way == UNEVEN && size[1] > 1) size[1] -= 7;
    size_t items = (size_t)size[0] * (size_t)size[1], bytes = 4 * items;
    void *a = random_elements(job, count, 1), *b = random_elements(job, count, 2);
    void *want = job_host(job, bytes);
    variants_host_run((int)(kernel - kernels), a, b, want, size[0], size[1], size[2]);
    cl_kernel k = job_kernel(job, kernel->name);
    cl_mem out = job_buffer(job, bytes, NULL);
    struct job_argument all[7] = {MEM(job_buffer(job, 4 * count, a)),
                                  MEM(job_buffer(job, 4 * count, b)), MEM(out)};
    size_t n = 3;
    if (!strstr(habit->options, "DEFINE"))
        for (int d = 0; d < 3; d++) all[n++] = (struct job_argument){sizeof(int), &size[d]};
    if (strstr(habit->options, "ARGUMENT")) all[n++] = (struct job_argument)LOCAL(512 * 4);
    job_launch_with(job, k, range_of(size), all, n);
    job_run(job, (double)items);
    job_same(job, job_read(job, out, bytes), want, items);
}

static struct result measure(const struct session *session) {
    char text[MOST_TEXT], options[256];
    const int *size = kernel->size[session->tiny];
    snprintf(text, sizeof(text), "%s%s", habits_h, kernel->text);
    snprintf(options, sizeof(options), "%s -DW=%d -DH=%d -DD=%d", habit->options, size[0], size[1],
             size[2]);
    struct row row = {kernel->name, text, run, "Melement/s", 1e6, habit->about, options};
    return job_do(session, &row);
}

/* Takes what the way came to where that is more than *rate, million elements a second; below 0 for
 * good: it was wrong. */
static bool take(const struct session *session, bool cpu, double *rate) {
    struct result r = measure(session);
    double seconds = cpu ? r.cpu : r.seconds;
    if (r.outcome != RIGHT) {
        fprintf(stderr, "%s.%s: %s\n", kernel->name, habit->name, r.why);
        *rate = -1;
    }
    if (seconds > 0 && *rate >= 0) *rate = fmax(*rate, r.work / seconds / 1e6);
    return r.outcome == RIGHT;
}

/* ---- all ---- */

/* Million elements a second; 0: not measured. */
static double rates[KERNELS][HABITS];

struct mean {
    double sum;
    unsigned n;
};

static void add(struct mean *m, double value) {
    if (value <= 0) return;
    m->sum += log(value);
    m->n++;
}

static double geometric(const struct mean *m) { return m->n ? exp(m->sum / m->n) : 0; }

static void report(void) {
    struct mean slowest = {0}, all = {0};
    printf("\n%-14s %12s  %-14s %12s  %-14s %8s %8s\n", "kernel", "Melement/s", "fastest",
           "Melement/s", "slowest", "slowest", "all");
    for (int k = 0; k < KERNELS; k++) {
        struct mean each = {0};
        int best = 0, worst = 0;
        for (int h = 0; h < HABITS; h++) {
            double rate = rates[k][h];
            if (rate > rates[k][best]) best = h;
            if (rate > 0 && (rate < rates[k][worst] || rates[k][worst] <= 0)) worst = h;
            add(&each, rate);
        }
        if (!each.n) continue;
        double part = rates[k][worst] / rates[k][best],
               part_all = geometric(&each) / rates[k][best];
        printf("%-14s %12.4g  %-14s %12.4g  %-14s %8.2f %8.2f\n", kernels[k].name, rates[k][best],
               habits[best].name, rates[k][worst], habits[worst].name, part, part_all);
        add(&slowest, part);
        add(&all, part_all);
    }
    printf("\n%-14s %6s  rate against plain\n", "habit", "");
    for (int h = 1; h < HABITS; h++) {
        struct mean cost = {0};
        for (int k = 0; k < KERNELS; k++)
            if (rates[k][0] > 0) add(&cost, rates[k][h] / rates[k][0]);
        if (cost.n) printf("%-14s %6.2f  %s\n", habits[h].name, geometric(&cost), habits[h].about);
    }
    printf("\ngeometric means over kernels: slowest variant %.2f of the fastest, all %.2f\n",
           geometric(&slowest), geometric(&all));
}

/* Whether the list holds names of kernels only, or of habits. */
static void check_list(const char *list, bool of_kernels) {
    char name[64];
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        int i = 0, n = of_kernels ? KERNELS : HABITS;
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        while (i < n && strcmp(name, of_kernels ? kernels[i].name : habits[i].name)) i++;
        if (i == n) chosen_fail(of_kernels ? "no kernel is named" : "no habit is named", name);
    }
}

static void print_list(void) {
    for (int k = 0; k < KERNELS; k++) {
        int n = 0;
        for (int h = 0; h < HABITS; h++) n += applies(&kernels[k], &habits[h]);
        printf("%-14s %d variants\n", kernels[k].name, n);
    }
    for (int h = 0; h < HABITS; h++) printf("%-14s %s\n", habits[h].name, habits[h].about);
}

int main(int argc, char **argv) {
    struct session session = {.runs = 3};
    int rounds = 1;
    const char *platform = "simtcl", *only = NULL, *chosen = NULL;
    bool csv = false, cpu = false, wrong = false;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(option, "--list")) {
            print_list();
            return 0;
        } else if (!strcmp(option, "--csv")) {
            csv = true;
        } else if (!strcmp(option, "--cpu")) {
            cpu = true;
        } else if (!strcmp(option, "--tiny")) {
            session.tiny = true;
        } else if (!value) {
            chosen_fail("what is", option);
        } else if (!strcmp(option, "--platform")) {
            platform = argv[++i];
        } else if (!strcmp(option, "--only")) {
            only = argv[++i];
        } else if (!strcmp(option, "--habits")) {
            chosen = argv[++i];
        } else if (!strcmp(option, "--rounds") && atoi(value) > 0) {
            rounds = atoi(argv[++i]);
        } else if (!strcmp(option, "--runs") && atoi(value) > 0) {
            session.runs = atoi(argv[++i]);
        } else {
            chosen_fail("what is", option);
        }
    }
    check_list(only, true);
    check_list(chosen, false);
    chosen_open(&session, platform);
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < KERNELS; k++)
            for (int h = 0; h < HABITS; h++) {
                kernel = &kernels[k];
                habit = &habits[h];
                if (!chosen_listed(only, kernel->name) || !applies(kernel, habit)) continue;
                if (h > 0 && !chosen_listed(chosen, habit->name)) continue;
                wrong |= !take(&session, cpu, &rates[k][h]);
                if (csv && round + 1 == rounds)
                    printf("%s,%s,%s,%.6g\n", kernel->name, habit->name,
                           rates[k][h] < 0 ? "WRONG" : "right", rates[k][h]);
                fflush(stdout);
            }
    if (!csv && !session.tiny) report();
    clReleaseCommandQueue(session.queue);
    clReleaseContext(session.context);
    return wrong;
}
