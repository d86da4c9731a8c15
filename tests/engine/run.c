#include "run.h"

#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/interp/level.h"

static void finished(struct launch *l) { sem_post(l->user); }

const struct observe_set *run_observers;
const struct gpu_addresses *run_addresses;
const struct texture *run_textures;
uint32_t run_ntextures;
char run_output[1 << 16];

static void print(struct launch *l, const char *text, size_t length) {
    size_t used = strlen(run_output);
    (void)l;
    if (length < sizeof run_output - used) memcpy(run_output + used, text, length);
}

struct fault run_kernel(struct memory *memory, const struct isa_module *m,
                        const struct isa_kernel *k, struct size3 global, struct size3 local,
                        const void *params) {
    struct executable *x = executable_new(memory, m);
    CHECK(x, "no room for constant data");
    sem_t done;
    sem_init(&done, 0, 0);
    struct launch l = {.executable = x,
                       .kernel = k,
                       .work_dim = 3,
                       .params = params,
                       .finished = finished,
                       .print = print,
                       .observers = run_observers,
                       .addresses = run_addresses,
                       .user = &done,
                       .local_bytes = k->local_bytes,
                       .textures = run_textures,
                       .ntextures = run_ntextures};
    memcpy(l.global_size, global.n, sizeof l.global_size);
    memcpy(l.local_size, local.n, sizeof l.local_size);
    CHECK(launch_run(&l), "launch of %s", k->name);
    while (sem_wait(&done)) {
    }
    sem_destroy(&done);
    executable_release(x);
    return l.fault;
}

struct isa_module *run_parse(const char *text) {
    struct isa_error error;
    struct isa_module *m = isa_parse(text, strlen(text), &error);
    CHECK(m, "line %u: %s\n%s", error.line, error.text, text);
    return m;
}

void run_verify(struct isa_module *m) {
    struct isa_error error;
    if (isa_verify(m, &error)) return;
    size_t length;
    char *text = isa_print(m, &length);
    CHECK(false, "%s\n%s", error.text, text ? text : "");
}

int run_levels(const char *name, void (*test)(void *results), size_t bytes) {
    static const char *const levels[] = {
        [NATIVE_BASELINE] = "baseline", [NATIVE_AVX2] = "avx2", [NATIVE_AVX512] = "avx512"};
    char *results[3];
    int failures = 0;
    for (int n = 0; n < 3; n++) {
        results[n] =
            mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        CHECK(results[n] != MAP_FAILED, "mmap");
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            level_limit((enum native_level)n);
            test(results[n]);
            exit(0);
        }
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status) {
            fprintf(stderr, "%s on %s: failed (status %#x)\n", name, levels[n], (unsigned)status);
            failures++;
        }
        for (size_t b = 0; n && b < bytes; b++) {
            if (results[n][b] == results[0][b]) continue;
            fprintf(stderr, "%s: %s differs from %s at byte %zu\n", name, levels[n], levels[0], b);
            failures++;
            break;
        }
    }
    for (int n = 0; n < 3; n++) munmap(results[n], bytes + 1);
    return failures;
}
