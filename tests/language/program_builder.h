/* Builds programs and says what came of it. */
#ifndef SIMTCL_TESTS_PROGRAM_BUILDER_H
#define SIMTCL_TESTS_PROGRAM_BUILDER_H

#include <stdbool.h>

struct builder_build {
    bool good;
    double seconds;
    const char *log; /* until the next build */
};

void builder_open(void);
struct builder_build builder_build(const char *source, const char *options);
void builder_close(void);

#endif
