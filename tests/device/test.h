/* A test program is a table of functions, each run in a process of its own. */
#ifndef SIMTCL_TEST_H
#define SIMTCL_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#ifdef SIMTCL_SANITIZED
__attribute__((weak)) const char *__tsan_default_options(void);
__attribute__((weak)) const char *__tsan_default_options(void) {
    return "die_after_fork=0";
} /* children start threads */
#endif

struct test {
    const char *name;
    void (*run)(void);
};
#define TEST(function)                                                                             \
    { #function, function }

static inline int test_main(const struct test *tests, unsigned count) {
    int failed = 0;
    for (unsigned i = 0; i < count; i++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            tests[i].run();
            exit(0);
        }
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status) {
            fprintf(stderr, "%s: failed (status %#x)\n", tests[i].name, (unsigned)status);
            failed++;
        }
    }
    printf("%u tests, %d failed\n", count, failed);
    return failed != 0;
}

#define TEST_MAIN(...)                                                                             \
    int main(void) {                                                                               \
        static const struct test tests[] = {__VA_ARGS__};                                          \
        return test_main(tests, sizeof tests / sizeof *tests);                                     \
    }

#endif
