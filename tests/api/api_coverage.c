/* Has every error that the specification names for a function been seen by a test? Reads what the
 * other tests noted (api_saw) in the files given, compares it with api_errors.def, and that with
 * the entry points.
 *
 *   coverage FILE...        the files of SIMTCL_TEST_SEEN */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct entry {
    const char *name;
    unsigned since;
} entries[] = {
#define CALL(name, since, function, parameters, arguments)       {#name, since},
#define MAKE(type, name, since, function, parameters, arguments) {#name, since},
#define FIND(type, name, parameters, arguments)
#define NO_CALL(name, answer, parameters)
#define NO_MAKE(type, name, answer, parameters)
#define NO_SLOT_CALL(name, answer, parameters)
#define NO_SLOT_MAKE(type, name, answer, parameters)
#include "icd/entries.def"
};

/* A row of api_errors.def; code NULL: the function begins. */
struct coverage_row {
    const char *function, *code, *why;
    bool allocates, seen;
};
static struct coverage_row rows[] = {
#define FUNCTION(name, allocates)  {#name, NULL, NULL, allocates, false},
#define PAIR(function, code)       {#function, #code, NULL, false, false},
#define NEVER(function, code, why) {#function, #code, why, false, false},
#include "api_errors.def"
};
enum { ROWS = sizeof rows / sizeof *rows, ENTRIES = sizeof entries / sizeof *entries };

static int failures;

static void note(const char *function, const char *code) {
    for (size_t i = 0; i < ROWS; i++) {
        struct coverage_row *r = &rows[i];
        if (strcmp(r->function, function)) continue;
        const char *wanted = r->code ? r->code : "CL_OUT_OF_HOST_MEMORY";
        if (strcmp(wanted, code)) continue;
        r->seen = true;
        if (r->why) {
            printf("%s gave %s, though \"%s\"\n", function, code, r->why);
            failures++;
        }
        if (!r->code && !r->allocates) {
            printf("%s gave %s, though it takes no memory\n", function, code);
            failures++;
        }
    }
}

static void read_seen(const char *path) {
    char function[64], code[64];
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("%s: no such file: run the tests first\n", path);
        failures++;
        return;
    }
    while (fscanf(f, "%63s %63s", function, code) == 2) note(function, code);
    fclose(f);
}

static void check_entries(void) {
    for (size_t e = 0; e < ENTRIES; e++) {
        bool listed = false;
        for (size_t i = 0; i < ROWS; i++)
            listed |= !rows[i].code && !strcmp(rows[i].function, entries[e].name);
        if (listed) continue;
        printf("%s is no FUNCTION of api_errors.def\n", entries[e].name);
        failures++;
    }
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) read_seen(argv[i]);
    check_entries();
    int covered = 0, pairs = 0, never = 0, functions = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const struct coverage_row *r = &rows[i];
        functions += !r->code;
        if (r->why || (!r->code && !r->allocates)) {
            never++;
            continue;
        }
        pairs++;
        covered += r->seen;
        if (r->seen) continue;
        printf("not seen: %s %s\n", r->function, r->code ? r->code : "CL_OUT_OF_HOST_MEMORY");
        failures++;
    }
    printf("covered %d of %d function x error pairs of %d functions; %d more cannot happen\n",
           covered, pairs, functions, never);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
