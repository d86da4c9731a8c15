/* Settings: how a file is read, and where a variable's value is from. */
#include "tests/device/test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/config.h"
#include "runtime/env.h"

static char folder[64] = "/tmp/simtcl_config_XXXXXX", path[128];

/* ---- the reader ---- */

static char told[512];

static void note(void *user, const struct config_setting *s) {
    (void)user;
    size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%u%s %s=%s;", s->line, s->mine ? "!" : "", s->name,
             s->value ? s->value : "(none)");
}

static void reads(const char *text, const char *expected) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    told[0] = '\0';
    config_read(copy, "me", note, NULL);
    if (strcmp(told, expected) != 0)
        fprintf(stderr, "%s\nis read as %s\nnot as   %s\n", text, told, expected);
    CHECK(!strcmp(told, expected));
}

static void files_are_read(void) {
    reads("", "");
    reads("a = 1", "1 a=1;");
    reads("# c\n\n  a=1 \r\n\tb\t=  x y = z  \n", "3 a=1;4 b=x y = z;");
    reads("a = 1\n[me]\na = 2\n[you]\na = 3\n[ me ]\nb =\n", "1 a=1;3! a=2;7! b=;");
    reads("nothing\n[me\n[]\nx = 1\n= 2\n", "1 nothing=(none);2 [me=(none);");
    reads("[you]\nnothing", "");
    reads("= 2", "1 =2;");
}

/* ---- where values are from ---- */

static void write_file(const char *text) {
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && !fclose(f));
    env_read();
}

static void has(enum env variable, const char *value, const char *origin) {
    char from[256];
    env_origin(variable, from, sizeof from);
    size_t n = strlen(from), m = strlen(origin);
    bool right = !strcmp(env_get(variable), value) && n >= m && !strcmp(from + n - m, origin);
    if (!right)
        fprintf(stderr, "%s is \"%s\" from %s\n", env_name(variable), env_get(variable), from);
    CHECK(right);
}

static void values_have_origins(void) {
    char text[256];
    unsetenv("SIMTCL_MODEL");
    unsetenv("SIMTCL_THREADS");
    setenv("SIMTCL_CONFIG", path, 1);
    write_file("");
    has(ENV_SIMTCL_MODEL, "", "default");
    has(ENV_SIMTCL_CL_VERSION, "1.2", "default");
    CHECK(!*env_wrong());
    snprintf(text, sizeof text, "model = host\nSimtcl_Threads = 3\n[%s]\nmodel = gtx280\n",
             program_invocation_short_name);
    write_file(text);
    has(ENV_SIMTCL_MODEL, "gtx280", "simtcl.conf:4");
    has(ENV_SIMTCL_THREADS, "3", "simtcl.conf:2");
    snprintf(text, sizeof text, "[%s]\nmodel = gtx280\n[else]\nmodel = ion\n",
             program_invocation_short_name);
    write_file(text);
    has(ENV_SIMTCL_MODEL, "gtx280", "simtcl.conf:2");
    has(ENV_SIMTCL_THREADS, "", "default");
    setenv("SIMTCL_MODEL", "c1060", 1);
    env_read();
    has(ENV_SIMTCL_MODEL, "c1060", "environment");
    setenv("SIMTCL_MODEL", "", 1); /* set, to nothing: outdoes the file too */
    env_read();
    has(ENV_SIMTCL_MODEL, "", "environment");
    unsetenv("SIMTCL_MODEL");
    setenv("SIMTCL_CONFIG", "none", 1);
    env_read();
    has(ENV_SIMTCL_MODEL, "", "default");
}

static void user_files_have_places(void) {
    unsetenv("SIMTCL_CONFIG");
    setenv("XDG_CONFIG_HOME", folder, 1);
    write_file("model = ion\n");
    has(ENV_SIMTCL_MODEL, "ion", "simtcl.conf:1");
    char place[160];
    snprintf(place, sizeof place, "%s/.config", folder);
    CHECK(!mkdir(place, 0700));
    snprintf(path, sizeof path, "%s/.config/simtcl.conf", folder);
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", folder, 1);
    write_file("model = c870\n");
    has(ENV_SIMTCL_MODEL, "c870", ".config/simtcl.conf:1");
    CHECK(!unlink(path) && !rmdir(place));
    snprintf(path, sizeof path, "%s/simtcl.conf", folder);
    setenv("SIMTCL_CONFIG", path, 1);
}

/* What is wrong is told, and costs no more than itself. */
static void wrong_lines_are_told(void) {
    write_file("modle = host\nthreads = 2\nhost\n");
    CHECK(strstr(env_wrong(), "simtcl.conf line 1: \"modle\" is no variable's name\n"));
    CHECK(strstr(env_wrong(), "simtcl.conf line 3: \"host\" is no setting"));
    has(ENV_SIMTCL_THREADS, "2", "simtcl.conf:2");
    char *large = malloc(1 << 16);
    CHECK(large);
    memset(large, '#', (1 << 16) - 1);
    large[(1 << 16) - 1] = '\0';
    write_file(large);
    free(large);
    CHECK(strstr(env_wrong(), "is longer than"));
    setenv("SIMTCL_CONFIG", folder, 1);
    env_read();
    CHECK(strstr(env_wrong(), strerror(EISDIR)));
    setenv("SIMTCL_CONFIG", path, 1);
    unlink(path);
    env_read();
    CHECK(!*env_wrong());
}

static void settings(void) {
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/simtcl.conf", folder);
    values_have_origins();
    user_files_have_places();
    wrong_lines_are_told();
    CHECK(!rmdir(folder));
}

TEST_MAIN(TEST(files_are_read), TEST(settings))
