/* Builds programs and says what came of it. */
#ifndef SIMTCL_TESTS_LANGUAGE_BUILDER_H
#define SIMTCL_TESTS_LANGUAGE_BUILDER_H

#include <stdbool.h>

struct language_build {
    bool good;
    double seconds;
    const char *log; /* until the next build */
};

void language_open(void);
struct language_build language_build(const char *source, const char *options);
void language_close(void);

#endif
