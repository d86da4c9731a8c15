#include "contest.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/native/use_native.h"
#include "tests/observe/check_observer.h"
#include "device/gpu/address.h"
#include "device/gpu/model.h"
#include "device/native/llvm.h"

enum { SECONDS = 1200, TEXTURES = 16 };

/* ---- observers ---- */

static bool observed; /* --observe */
enum { OBSERVED_BYTES = sizeof check_digest };

/* Bytes that a kernel leaves: what was counted is a part of them. */
static size_t bytes_of(const struct contest_rules *rules) {
    return rules->result_bytes + (observed ? (size_t)OBSERVED_BYTES : 0);
}

/* Of 1 to 8 partitions, and of each compute capability. */
static const char *const boards[] = {"Tesla C1060",     "GeForce 8800 GTS", "Tesla C870",
                                     "GeForce GTX 260", "GeForce GT 130",   "GeForce 8400 GS",
                                     "GeForce GT 240",  "GeForce 9800M GTX"};

/* Where the device would have the memory of run_all: the objects are not where they are in the
 * sandbox, modulo any number of partitions. */
static void place(struct gpu_addresses *a, struct gpu_address_range room[2],
                  const struct gpu_address_range of[2], uint64_t seed) {
    *a = (struct gpu_addresses){.global.ranges = room, .local_first = 32};
    for (unsigned n = 0; n < 2; n++)
        gpu_address_add(&a->global, of[n].start, of[n].bytes,
                        (uint32_t)((seed + 1) * (n + 3) % 4096 * 256));
    run_addresses = observed ? a : NULL;
}

/* Counts; every other time what the GPU would have counted, or calls that are compared with the
 * counts, which slow a kernel down and keep more of it as it is. In a process of its own, so the
 * module may get sites. */
static void observe(const struct isa_module *module, uint64_t seed) {
    static struct observe_set sets[] = {{{&check_counts}, 1}, {{NULL}, 1}, {{&check_observer}, 1}};
    static const uint8_t of[] = {2, 1, 0, 1};
    if (!observed) return;
    sets[1].model = model_find(boards[seed / 2 % (sizeof boards / sizeof *boards)]);
    sets[1].list[0] = check_counters();
    check_number_sites((struct isa_module *)module);
    run_verify((struct isa_module *)module);
    run_observers = &sets[of[seed % 4]];
}

/* ---- one module ---- */

void contest_noise(char *table, uint32_t bytes, uint64_t seed) {
    for (uint32_t i = 0; i < bytes; i++) table[i] = (char)((i * 2654435761u ^ seed) >> 13);
}

/* Work-groups of a launch. Code is made for their size: most are one warp, as larger ones take
 * LLVM longer for the same instructions; a few are several in lockstep, whole or not. Those from
 * SHAPES on are for rules that want large ones. */
struct groups {
    uint32_t count, size[3];
};
static const struct groups shapes[] = {
    {2, {32, 1, 1}},  {1, {16, 2, 1}},  {2, {7, 1, 1}},   {3, {24, 1, 1}},  {1, {8, 4, 1}},
    {2, {4, 4, 2}},   {8, {16, 1, 1}},  {1, {5, 3, 2}},   {5, {1, 1, 1}},   {1, {2, 1, 16}},
    {2, {64, 1, 1}},  {1, {16, 4, 1}},  {2, {45, 1, 1}},  {1, {11, 5, 1}},  {1, {32, 3, 1}},
    {2, {128, 1, 1}}, {1, {16, 16, 1}}, {1, {64, 2, 2}},  {1, {8, 8, 1}},   {1, {20, 3, 1}},
    {2, {4, 8, 1}},   {1, {512, 1, 1}}, {1, {16, 32, 1}}, {1, {300, 1, 1}}, {1, {20, 20, 1}},
    {1, {64, 6, 1}}};
enum { ONE_WARP = 10, SHAPES = 21, LARGE_SHAPES = sizeof shapes / sizeof *shapes, SPREAD = 256 };

static const struct groups *any_groups(uint64_t seed, uint32_t kernel, bool large) {
    uint64_t r = (seed * SPREAD + kernel + 1) * 0x9e3779b97f4a7c15u;
    if (large)
        return &shapes[(r >> 60) < 4 ? (r >> 32) % ONE_WARP
                                     : ONE_WARP + (r >> 32) % (LARGE_SHAPES - ONE_WARP)];
    return &shapes[(r >> 60) < 12 ? (r >> 32) % ONE_WARP : (r >> 32) % SHAPES];
}

/* A range of about 4 * CONTEST_ITEMS of such groups; a line: of one dimension. */
static void spread(struct size3 *all, struct size3 *local, bool line) {
    uint32_t items = local->n[0] * local->n[1] * local->n[2];
    if (line) *local = (struct size3){{items, 1, 1}};
    *all = *local;
    if (!line) all->n[1] *= 2;
    all->n[0] *= 4 * CONTEST_ITEMS / items / (line ? 1 : 2);
}

static void run_all(const struct isa_module *module, uint64_t seed,
                    const struct contest_rules *rules, char *out) {
    struct texture textures[TEXTURES];
    struct memory *memory = memory_new(1 << 26);
    CHECK(memory, "memory");
    uint32_t table = memory_alloc(memory, rules->table_bytes, 128),
             results = memory_alloc(memory, rules->result_bytes, 128),
             counters = rules->unused ? memory_alloc(memory, 128, 128) : results + rules->counters;
    rules->fill(memory_at(memory_base(memory), table), rules->table_bytes, seed);
    struct gpu_addresses addresses;
    struct gpu_address_range room[2];
    place(&addresses, room,
          (struct gpu_address_range[]){{.start = table, .bytes = rules->table_bytes},
                                       {.start = results, .bytes = rules->result_bytes}},
          seed);
    if (rules->images) {
        run_ntextures = rules->images(textures, table, results);
        run_textures = textures;
        CHECK(run_ntextures <= TEXTURES, "%u images", run_ntextures);
    }
    observe(module, seed);
    for (uint32_t n = 0; n < module->nkernels; n++, out += bytes_of(rules)) {
        const struct groups *g = any_groups(seed, n, rules->large);
        struct size3 local = {{g->size[0], g->size[1], g->size[2]}}, all = local;
        if (rules->spread)
            spread(&all, &local, strstr(module->kernels[n]->name, "line"));
        else
            all.n[0] *= g->count;
        char *place = memory_at(memory_base(memory), results);
        memset(place, 0, rules->result_bytes);
        uint32_t params[7] = {table, results, counters, 0, 1, 2, 3};
        if (!rules->images) memcpy(params + 3, rules->arguments, sizeof rules->arguments);
        struct fault f = run_kernel(memory, module, module->kernels[n], all, local, params);
        char text[300];
        fault_describe(&f, text, sizeof text);
        CHECK(f.kind == FAULT_NONE, "%s (seed %llu)", text, (unsigned long long)seed);
        memcpy(out, place, rules->result_bytes);
        CHECK(!check_failures, "k%u (seed %llu)", n, (unsigned long long)seed);
        if (observed) memcpy(out + rules->result_bytes, &check_digest, sizeof check_digest);
    }
    memory_free(memory);
}

static const struct trace *no_passes(void) {
    static const struct trace all = {.off = "all"};
    return &all;
}

static bool run_child(const struct contestant *c, bool plain, uint64_t seed,
                      const struct contest_rules *rules, char *out) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        tier_configure(c->engine, c->level);
        if (plain)
            tier_source(&(struct tier_source){.compiler = use_native_load(), .trace = no_passes});
        alarm(SECONDS);
        run_all(c->module, seed, rules, out);
        _exit(0);
    }
    int status = -1;
    if (child > 0 && waitpid(child, &status, 0) == child && !status) return true;
    fprintf(stderr, "seed %llu, %s: failed (status %#x)\n", (unsigned long long)seed, c->name,
            (unsigned)status);
    return false;
}

static int differences(const char *a, const char *b, const struct contestant *c, uint64_t seed,
                       const struct contest_rules *rules) {
    int n = 0;
    for (uint32_t k = 0; k < c->module->nkernels; k++, a += bytes_of(rules), b += bytes_of(rules)) {
        size_t i = 0;
        while (i < rules->result_bytes && a[i] == b[i]) i++;
        if (i == rules->result_bytes) continue;
        fprintf(stderr, "seed %llu: kernel k%u differs on %s, byte %zu of its results\n",
                (unsigned long long)seed, k, c->name, i);
        n++;
    }
    return n;
}

/* The same of what was counted: of contestants that run the same module. */
static int other_counts(const char *a, const char *b, const struct contestant *c, uint64_t seed,
                        const struct contest_rules *rules) {
    int n = 0;
    for (uint32_t k = 0; observed && k < c->module->nkernels; k++) {
        size_t at = k * bytes_of(rules) + rules->result_bytes;
        if (!memcmp(a + at, b + at, OBSERVED_BYTES)) continue;
        fprintf(stderr, "seed %llu: kernel k%u has other counts on %s\n", (unsigned long long)seed,
                k, c->name);
        n++;
    }
    return n;
}

int contest(const struct contestant *list, unsigned n, uint64_t seed,
            const struct contest_rules *rules) {
    const struct contestant plain = {list->module, TIER_INTERPRETER, NATIVE_AVX512,
                                     "the interpreter, without passes"};
    size_t bytes = list->module->nkernels * bytes_of(rules), all = (n + 1) * bytes;
    char *out = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(out != MAP_FAILED, "mmap");
    int failures = !run_child(&plain, true, seed, rules, out);
    for (unsigned i = 0; i < n; i++) {
        char *made = out + (i + 1) * bytes;
        unsigned same = 0; /* of the first with this module; the one without passes has list's */
        while (same < i && list[same].module != list[i].module) same++;
        if (!run_child(&list[i], false, seed, rules, made)) {
            failures++;
            continue;
        }
        failures += differences(out, made, &list[i], seed, rules);
        failures += other_counts(out + (same ? same + 1 : 0) * bytes, made, &list[i], seed, rules);
    }
    munmap(out, all);
    return failures;
}

unsigned contest_levels(struct contestant *list, unsigned n, const struct isa_module *module,
                        uint64_t seed, unsigned levels) {
    static const char *const names[] = {"avx512", "avx2", "baseline"};
    static const enum native_level order[] = {NATIVE_AVX512, NATIVE_AVX2, NATIVE_BASELINE};
    static const uint8_t first[] = {0, 1, 0, 2};
    for (unsigned i = 0; i < levels; i++) {
        unsigned level = (first[seed % 4] + i) % 3;
        list[n++] = (struct contestant){module, TIER_NATIVE, order[level], names[level]};
    }
    return n;
}

void contest_print(const struct isa_module *m) {
    size_t length;
    char *text = isa_print(m, &length);
    puts(text ? text : "");
    free(text);
}

/* ---- many ---- */

/* What a long run has come to. */
struct progress {
    uint64_t seed; /* the next one */
    unsigned kernels, native, failures;
};

static void resume(const char *path, struct progress *p) {
    FILE *f = fopen(path, "r");
    unsigned long long seed;
    if (!f) return;
    if (fscanf(f, "next seed %llu, %u kernels, compiled %u times, %u failures", &seed, &p->kernels,
               &p->native, &p->failures) == 4)
        p->seed = seed;
    fclose(f);
}

/* At once or not at all. */
static void keep(const char *path, const struct progress *p) {
    char other[4096];
    snprintf(other, sizeof other, "%s.new", path);
    FILE *f = fopen(other, "w");
    CHECK(f, "%s", other);
    fprintf(f, "next seed %llu, %u kernels, compiled %u times, %u failures\n",
            (unsigned long long)p->seed, p->kernels, p->native, p->failures);
    CHECK(!fclose(f) && !rename(other, path), "%s", path);
}

int contest_main(int argc, char **argv, unsigned batch,
                 int (*compare)(uint64_t seed, bool print, unsigned levels)) {
    static const char *const words[] = {"contest", "-enable-misched=false"};
    struct progress p = {.seed = 1};
    unsigned count = 64, levels = 3;
    const char *state = NULL;
    bool print = false, scheduled = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--print")) print = true;
        if (!strcmp(argv[i], "--scheduled")) scheduled = true;
        if (!strcmp(argv[i], "--observe")) observed = true;
        if (i + 1 < argc && !strcmp(argv[i], "--count")) count = (unsigned)atoi(argv[++i]);
        if (i + 1 < argc && !strcmp(argv[i], "--levels")) levels = (unsigned)atoi(argv[++i]);
        if (i + 1 < argc && !strcmp(argv[i], "--seed")) p.seed = strtoull(argv[++i], NULL, 0);
        if (i + 1 < argc && !strcmp(argv[i], "--state")) state = argv[++i];
    }
    if (levels > 3) return 2;
    if (!scheduled) LLVMParseCommandLineOptions(2, words, "");
    if (state) resume(state, &p);
    use_native_compiled = /* shared with the children */
        mmap(NULL, sizeof *use_native_compiled, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
             -1, 0);
    CHECK(use_native_compiled != MAP_FAILED, "mmap");
    while (p.kernels < count) {
        *use_native_compiled = 0;
        p.failures += (unsigned)compare(p.seed++, print, levels);
        p.kernels += batch;
        p.native += *use_native_compiled;
        if (state) keep(state, &p);
    }
    printf("%u kernels, compiled %u times, %u failures\n", p.kernels, p.native, p.failures);
    return p.failures != 0;
}
