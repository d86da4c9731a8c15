/* What the driver listens to (env.def), read in this one place: the environment, and files for what
 * is to hold for good: /etc/simtcl.conf, and ~/.config/simtcl.conf or what SIMTCL_CONFIG names. The
 * environment outdoes the user's file, that the system's; within a file a section with the
 * program's name outdoes what is for all. The compiler and the device get what they need as values.
 */
#ifndef SIMTCL_ENV_H
#define SIMTCL_ENV_H

#include <stddef.h>

enum env {
#define ENV(name, fallback, meaning) ENV_##name,
#include "env.def"
#undef ENV
    ENV_VARIABLES,
    ENV_HOME = ENV_VARIABLES, /* where the user's files lie */
    ENV_XDG_CACHE_HOME,
    ENV_XDG_CONFIG_HOME,
    ENV_COUNT
};

/* The variable's value when the first of them was asked for, or its default when it was not set. A
 * program that runs with another user's rights gets the defaults and the system's file: what it
 * loads and writes is not for its caller to say. Thread safe. */
const char *env_get(enum env variable);
const char *env_name(enum env variable);
/* Where the value is from: "environment", "default", or a file and its line. */
void env_origin(enum env variable, char *text, size_t size);
/* What in the files is no setting: lines, each with its end; "": nothing. */
const char *env_wrong(void);

/* Reads all of them anew: for tests, which change them. Not while another thread asks. */
void env_read(void);

#endif
