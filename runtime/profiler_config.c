#include "profiler_config.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"
#include "log.h"

const struct profiler_field_info profiler_field_info[PROFILER_FIELDS] = {
#define FIELD(name, of, columns, what) {#name, columns, PROFILER_##of},
#include "profiler_fields.def"
#undef FIELD
};

/* Other spellings that configurations have. */
static const struct {
    const char *name;
    enum profiler_field field;
} spellings[] = {
    {"stasmemperworkgroup", PROFILER_stapmemperworkgroup},
    {"stasmemperblock", PROFILER_stapmemperworkgroup},
    {"dynsmemperblock", PROFILER_dynsmemperworkgroup},
    {"regperthread", PROFILER_regperworkitem},
    {"gridsize", PROFILER_ndrangesize},
    {"threadblocksize", PROFILER_workgroupsize},
    {"localblocksize", PROFILER_localworkgroupsize},
};

static struct profiler_config config;
static bool asked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The newer name wins where it is set. */
static const char *either(enum env compute, enum env opencl) {
    const char *value = env_get(compute);
    return *value ? value : env_get(opencl);
}

static enum profiler_field field_find(const char *name) {
    for (unsigned n = 0; n < PROFILER_FIELDS; n++)
        if (!strcmp(name, profiler_field_info[n].name)) return (enum profiler_field)n;
    for (size_t n = 0; n < sizeof spellings / sizeof *spellings; n++)
        if (!strcmp(name, spellings[n].name)) return spellings[n].field;
    return PROFILER_FIELDS;
}

/* False: no field or counter has that name. */
static bool ask(const char *name) {
    enum profiler_field field = field_find(name);
    if (field < PROFILER_FIELDS) {
        config.fields[field] = true;
        return true;
    }
    enum gpu_counter counter = gpu_counter_find(name);
    if (counter == GPU_COUNTERS) return false;
    for (unsigned n = 0; n < config.ncounters; n++)
        if (config.counters[n] == counter) return true;
    config.counters[config.ncounters++] = counter;
    return true;
}

static void read_file(const char *path) {
    FILE *f = fopen(path, "re");
    char line[256];
    if (!f) {
        log_line(LOG_FAULT, "COMPUTE_PROFILE_CONFIG: %s cannot be read: %s", path, strerror(errno));
        return;
    }
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "#\r\n")] = '\0';
        char *save = NULL;
        for (char *name = strtok_r(line, " \t,", &save); name; name = strtok_r(NULL, " \t,", &save))
            if (!ask(name))
                log_line(LOG_FAULT,
                         "COMPUTE_PROFILE_CONFIG: %s line %u: there is no option or counter \"%s\"",
                         path, number, name);
    }
    if (ferror(f))
        log_line(LOG_FAULT, "COMPUTE_PROFILE_CONFIG: %s cannot be read: %s", path, strerror(errno));
    fclose(f);
}

static bool is_on(const char *variable, const char *value) {
    if (!strcmp(value, "1")) return true;
    if (*value && strcmp(value, "0") != 0)
        log_line(LOG_FAULT, "%s is \"%s\", known are 0 and 1: it is left out", variable, value);
    return false;
}

static void read_environment(void) {
    asked = is_on("COMPUTE_PROFILE", either(ENV_COMPUTE_PROFILE, ENV_OPENCL_PROFILE));
    if (!asked) return;
    config.csv =
        is_on("COMPUTE_PROFILE_CSV", either(ENV_COMPUTE_PROFILE_CSV, ENV_OPENCL_PROFILE_CSV));
    config.path = either(ENV_COMPUTE_PROFILE_LOG, ENV_OPENCL_PROFILE_LOG);
    if (!*config.path) config.path = "opencl_profile_%d.log";
    for (unsigned n = 0; n < PROFILER_FIELDS; n++)
        config.fields[n] = profiler_field_info[n].of == PROFILER_EVERY;
    const char *path = either(ENV_COMPUTE_PROFILE_CONFIG, ENV_OPENCL_PROFILE_CONFIG);
    if (*path) read_file(path);
}

const struct profiler_config *profiler_config_get(void) {
    pthread_once(&once, read_environment);
    return asked ? &config : NULL;
}
