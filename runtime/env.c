#include "env.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *fallback;
} variables[] = {
#define ENV(name, fallback, meaning) {#name, fallback},
#include "env.def"
#undef ENV
    [ENV_HOME] = {"HOME", ""},
    [ENV_XDG_CACHE_HOME] = {"XDG_CACHE_HOME", ""},
};

/* The values as they were read, in memory that cannot run out. */
static char kept[1 << 16];
static const char *values[ENV_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;

void env_read(void) {
    size_t used = 0;
    for (size_t i = 0; i < ENV_COUNT; i++) {
        const char *value = secure_getenv(variables[i].name);
        size_t size = value ? strlen(value) + 1 : 0;
        values[i] = variables[i].fallback;
        if (!value || size > sizeof kept - used) continue;
        values[i] = memcpy(kept + used, value, size);
        used += size;
    }
}

const char *env_get(enum env variable) {
    pthread_once(&once, env_read);
    return values[variable];
}
