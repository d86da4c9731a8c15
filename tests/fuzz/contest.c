#include "contest.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native/llvm.h"

enum { SECONDS = 300 };

void contest_noise(char *table, uint32_t bytes, uint64_t seed) {
    for (uint32_t i = 0; i < bytes; i++) table[i] = (char)((i * 2654435761u ^ seed) >> 13);
}

static void run_all(const struct isa_module *module, uint64_t seed,
                    const struct contest_rules *rules, char *out) {
    static const uint32_t sizes[][2] = {{256, 128}, {128, 16},  {192, 96},
                                        {90, 45},   {256, 256}, {7, 7}};
    struct memory *memory = memory_new(1 << 26);
    CHECK(memory, "memory");
    uint32_t table = memory_alloc(memory, rules->table_bytes, 128),
             results = memory_alloc(memory, rules->result_bytes, 128);
    rules->fill(memory_at(memory_base(memory), table), rules->table_bytes, seed);
    for (uint32_t n = 0; n < module->nkernels; n++, out += rules->result_bytes) {
        const uint32_t *size = sizes[(seed + n) % (sizeof sizes / sizeof *sizes)];
        char *place = memory_at(memory_base(memory), results);
        memset(place, 0, rules->result_bytes);
        uint32_t params[] = {table, results, results + rules->counters};
        struct fault f =
            run_kernel(memory, module, module->kernels[n], (struct size3){{size[0], 1, 1}},
                       (struct size3){{size[1], 1, 1}}, params);
        char text[300];
        fault_describe(&f, text, sizeof text);
        CHECK(f.kind == FAULT_NONE, "%s (seed %llu)", text, (unsigned long long)seed);
        memcpy(out, place, rules->result_bytes);
    }
    memory_free(memory);
}

static bool run_child(const struct contestant *c, uint64_t seed, const struct contest_rules *rules,
                      char *out) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMTCL_ENGINE", c->engine, 1);
        setenv("SIMTCL_SIMD", c->level, 1);
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
                       size_t bytes) {
    int n = 0;
    for (uint32_t k = 0; k < c->module->nkernels; k++, a += bytes, b += bytes) {
        size_t i = 0;
        while (i < bytes && a[i] == b[i]) i++;
        if (i == bytes) continue;
        fprintf(stderr, "seed %llu: kernel k%u differs on %s, byte %zu of its results\n",
                (unsigned long long)seed, k, c->name, i);
        n++;
    }
    return n;
}

int contest(const struct contestant *list, unsigned n, uint64_t seed,
            const struct contest_rules *rules) {
    size_t bytes = (size_t)list->module->nkernels * rules->result_bytes;
    char *out = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(out != MAP_FAILED, "mmap");
    int failures = 0;
    for (unsigned i = 0; i < n; i++) {
        char *mine = i ? out + bytes : out;
        if (!run_child(&list[i], seed, rules, mine))
            failures++;
        else if (i)
            failures += differences(out, mine, &list[i], seed, rules->result_bytes);
    }
    munmap(out, 2 * bytes);
    return failures;
}

unsigned contest_levels(struct contestant *list, unsigned n, const struct isa_module *module,
                        uint64_t seed, unsigned levels) {
    static const char *const names[] = {"avx512", "avx2", "baseline"};
    for (unsigned i = 0; i < levels; i++) {
        const char *level = names[(seed + i) % 3];
        list[n++] = (struct contestant){module, "native", level, level};
    }
    return n;
}

int contest_main(int argc, char **argv, unsigned batch,
                 int (*compare)(uint64_t seed, bool print, unsigned levels)) {
    static const char *const words[] = {"contest", "-enable-misched=false"};
    uint64_t seed = 1;
    int failures = 0;
    unsigned count = 64, levels = 3;
    bool print = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--print")) print = true;
        if (i + 1 < argc && !strcmp(argv[i], "--count")) count = (unsigned)atoi(argv[++i]);
        if (i + 1 < argc && !strcmp(argv[i], "--levels")) levels = (unsigned)atoi(argv[++i]);
        if (i + 1 < argc && !strcmp(argv[i], "--seed")) seed = strtoull(argv[++i], NULL, 0);
    }
    if (levels > 3) return 2;
    LLVMParseCommandLineOptions(2, words, "");
    for (unsigned n = 0; n < count; n += batch) failures += compare(seed++, print, levels);
    printf("%u kernels, %d failures\n", count, failures);
    return failures != 0;
}
