/* The environment, read in this one place: what the driver listens to (env.def), and where the
 * user's files lie. The compiler and the device get what they need of it as values. */
#ifndef SIMTCL_ENV_H
#define SIMTCL_ENV_H

enum env {
#define ENV(name, fallback, meaning) ENV_##name,
#include "env.def"
#undef ENV
    ENV_HOME,
    ENV_XDG_CACHE_HOME,
    ENV_COUNT
};

/* The variable's value when the first of them was asked for, or its default when it was not set. A
 * program that runs with another user's rights gets the defaults: what it loads and writes is not
 * for its caller to say. Thread safe. */
const char *env_get(enum env variable);

/* Reads all of them anew: for tests, which change them. Not while another thread asks. */
void env_read(void);

#endif
