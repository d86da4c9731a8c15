#include "env.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "config.h"

static const struct {
    const char *name, *fallback;
} variables[] = {
#define ENV(name, fallback, meaning) {#name, fallback},
#include "env.def"
#undef ENV
    [ENV_HOME] = {"HOME", ""},
    [ENV_XDG_CACHE_HOME] = {"XDG_CACHE_HOME", ""},
    [ENV_XDG_CONFIG_HOME] = {"XDG_CONFIG_HOME", ""},
};

/* Where a value may come from; a later one outdoes those before. */
enum source { FALLBACK, SYSTEM, SYSTEM_PROGRAM, USER, USER_PROGRAM, ENVIRONMENT };

enum { FILES = 2, FILE_BYTES = 1 << 14 };

/* The values as they were read, in memory that cannot run out. */
static struct {
    char kept[1 << 16];
    struct {
        const char *text;
        enum source source;
        unsigned line; /* of the file */
    } values[ENV_COUNT];
    struct config_file {
        char path[1024], text[FILE_BYTES];
    } files[FILES];
    char wrong[1024]; /* what is no setting: lines */
} env;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the files ---- */

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...) {
    size_t used = strlen(env.wrong);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(env.wrong + used, sizeof env.wrong - used, format, arguments);
    va_end(arguments);
}

/* "model" and "simtcl_model" are SIMTCL_MODEL; ENV_COUNT: none has that name. */
static size_t find_variable(const char *name) {
    static const char prefix[] = "SIMTCL_";
    for (size_t i = 0; i < ENV_VARIABLES; i++) {
        const char *variable = variables[i].name;
        if (!strcasecmp(variable, name)) return i;
        if (!strncmp(variable, prefix, sizeof prefix - 1) &&
            !strcasecmp(variable + sizeof prefix - 1, name))
            return i;
    }
    return ENV_COUNT;
}

static void set(void *user, const struct config_setting *s) {
    const struct config_file *file = user;
    enum source source = (file == &env.files[1] ? USER : SYSTEM) + s->mine;
    size_t i = s->value ? find_variable(s->name) : ENV_COUNT;
    if (i == ENV_COUNT) {
        complain("%s line %u: \"%.80s\" is no %s\n", file->path, s->line, s->name,
                 s->value ? "variable's name" : "setting: name = value");
        return;
    }
    if (env.values[i].source > source) return;
    env.values[i].text = s->value;
    env.values[i].source = source;
    env.values[i].line = s->line;
}

/* No file is none; one that cannot be read, or is too long, is told of. */
static void read_file(struct config_file *file) {
    size_t used = 0;
    ssize_t n = 1;
    int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        if (errno != ENOENT && errno != ENOTDIR) complain("%s: %s\n", file->path, strerror(errno));
        return;
    }
    while (n > 0 && used < FILE_BYTES) {
        n = read(fd, file->text + used, FILE_BYTES - used);
        if (n > 0) used += (size_t)n;
    }
    if (n < 0) complain("%s: %s\n", file->path, strerror(errno));
    if (used == FILE_BYTES) complain("%s is longer than %d bytes\n", file->path, FILE_BYTES - 1);
    close(fd);
    if (n < 0 || used == FILE_BYTES) return;
    file->text[used] = '\0';
    config_read(file->text, program_invocation_short_name, set, file);
}

/* The user's own file; false: there is to be none. */
static bool user_file(char *path, size_t size) {
    const char *asked = env.values[ENV_SIMTCL_CONFIG].text, *home = env.values[ENV_HOME].text;
    const char *folder = env.values[ENV_XDG_CONFIG_HOME].text;
    int n = -1;
    if (*asked)
        n = snprintf(path, size, "%s", asked);
    else if (*folder == '/')
        n = snprintf(path, size, "%s/simtcl.conf", folder);
    else if (*home == '/')
        n = snprintf(path, size, "%s/.config/simtcl.conf", home);
    return n >= 0 && (size_t)n < size;
}

static void read_files(void) {
    int error = errno;
    if (strcmp(env.values[ENV_SIMTCL_CONFIG].text, "none") != 0) {
        snprintf(env.files[0].path, sizeof env.files[0].path, "/etc/simtcl.conf");
        read_file(&env.files[0]);
        if (user_file(env.files[1].path, sizeof env.files[1].path)) read_file(&env.files[1]);
    }
    errno = error;
}

/* ---- all of it ---- */

void env_read(void) {
    size_t used = 0;
    memset(env.files, 0, sizeof env.files);
    env.wrong[0] = '\0';
    for (size_t i = 0; i < ENV_COUNT; i++) {
        const char *value = secure_getenv(variables[i].name);
        size_t size = value ? strlen(value) + 1 : 0;
        env.values[i].text = variables[i].fallback;
        env.values[i].source = FALLBACK;
        if (!value || size > sizeof env.kept - used) continue;
        env.values[i].text = memcpy(env.kept + used, value, size);
        env.values[i].source = ENVIRONMENT;
        used += size;
    }
    read_files();
}

const char *env_get(enum env variable) {
    pthread_once(&once, env_read);
    return env.values[variable].text;
}

const char *env_name(enum env variable) { return variables[variable].name; }

void env_origin(enum env variable, char *text, size_t size) {
    pthread_once(&once, env_read);
    switch (env.values[variable].source) {
    case FALLBACK: snprintf(text, size, "default"); break;
    case ENVIRONMENT: snprintf(text, size, "environment"); break;
    case SYSTEM:
    case SYSTEM_PROGRAM:
        snprintf(text, size, "%s:%u", env.files[0].path, env.values[variable].line);
        break;
    case USER:
    case USER_PROGRAM: snprintf(text, size, "%s:%u", env.files[1].path, env.values[variable].line);
    }
}

const char *env_wrong(void) {
    pthread_once(&once, env_read);
    return env.wrong;
}
