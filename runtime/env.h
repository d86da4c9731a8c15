/* The environment variables the driver listens to: env.def. */
#ifndef SIMTCL_ENV_H
#define SIMTCL_ENV_H

enum env {
#define ENV(name, fallback, meaning) ENV_##name,
#include "env.def"
#undef ENV
    ENV_COUNT
};

/* The variable's value, or its default when it is not set. Borrowed from the environment. */
const char *env_get(enum env variable);

#endif
