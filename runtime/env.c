#include "env.h"

#include <stdlib.h>

static const struct {
    const char *name, *fallback;
} variables[] = {
#define ENV(name, fallback, meaning) {#name, fallback},
#include "env.def"
#undef ENV
};

const char *env_get(enum env variable) {
    const char *value = getenv(variables[variable].name);
    return value ? value : variables[variable].fallback;
}
