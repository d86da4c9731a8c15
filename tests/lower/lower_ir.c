/* What the IR of small programs must look like. Each case of lower_ir.txt is
 *
 *   === NAME
 *   options TEXT          build options
 *   source                what follows, up to a line ---, is OpenCL C
 *   ---
 *   has TEXT              a line of the IR, those of sites excepted, holds these words
 *   lacks TEXT            none does
 *   count N TEXT          so many lines do
 *   error TEXT            the build fails, and the log holds these words
 *   host                  the lines that follow look at what the host passes make of it
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "device/opt/opt.h"

#define EXTENSIONS "cl_khr_fp64 cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics"

static const struct compiler_target target = {
    .cl_version = 120,
    .extensions = EXTENSIONS,
    .doubles = true,
    .images = true,
    .max_constant_bytes = 65536,
    .max_local_bytes = 16384,
    .max_private_bytes = 16384,
};

static unsigned failures, checks;

static unsigned lines_with(const char *text, const char *words) {
    unsigned n = 0;
    for (const char *line = text; line && *line;) {
        const char *end = strchr(line, '\n'), *hit = strstr(line, words);
        bool listed = !strncmp(line, ".site ", 6) || !strncmp(line, ".call ", 6);
        if (hit && (!end || hit < end) && !listed) n++;
        line = end ? end + 1 : NULL;
    }
    return n;
}

struct ir_test {
    char name[64], options[256];
    char source[16384];
    struct compiler_result result;
    char *ir;
    bool built;
};

static void build(struct ir_test *t) {
    if (t->built) return;
    t->built = true;
    t->result = compiler_build(&target, t->source, strlen(t->source), t->options);
    size_t length;
    if (t->result.module) t->ir = isa_print(t->result.module, &length);
}

static bool run_host_passes(struct ir_test *t) {
    size_t length;
    build(t);
    struct isa_module *m = t->result.module;
    if (!m) return false;
    for (uint32_t n = 0; n < m->nkernels; n++)
        if (!opt_run(m, m->kernels[n], NULL)) return false;
    free(t->ir);
    t->ir = isa_print(m, &length);
    return t->ir != NULL;
}

static void finish(struct ir_test *t) {
    isa_module_free(t->result.module);
    free(t->result.log);
    free(t->ir);
    memset(t, 0, sizeof *t);
}

static void check(struct ir_test *t, bool good, const char *what) {
    checks++;
    if (good) return;
    failures++;
    printf("FAILED %s: %s\n%s%s\n", t->name, what, t->ir ? t->ir : "",
           t->result.log ? t->result.log : "");
}

static void directive(struct ir_test *t, const char *line) {
    if (!strcmp(line, "host")) {
        check(t, run_host_passes(t), line);
        return;
    }
    const char *words = strchr(line, ' ');
    if (!words) return;
    words++;
    build(t);
    const char *ir = t->ir ? t->ir : "";
    if (!strncmp(line, "has ", 4))
        check(t, lines_with(ir, words) > 0, line);
    else if (!strncmp(line, "lacks ", 6))
        check(t, t->ir && !lines_with(ir, words), line);
    else if (!strncmp(line, "count ", 6)) {
        char *rest;
        unsigned long n = strtoul(words, &rest, 10);
        check(t, t->ir && lines_with(ir, rest + 1) == n, line);
    } else if (!strncmp(line, "error ", 6)) {
        check(t, !t->ir && t->result.log && strstr(t->result.log, words), line);
    } else {
        check(t, false, line);
    }
}

int main(void) {
    FILE *f = fopen("lower_ir.txt", "r");
    if (!f) return 2;
    static struct ir_test t;
    char line[1024];
    bool source = false;
    while (fgets(line, sizeof line, f)) {
        if (source) {
            if (!strcmp(line, "---\n"))
                source = false;
            else
                strncat(t.source, line, sizeof t.source - strlen(t.source) - 1);
            continue;
        }
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "=== ", 4)) {
            finish(&t);
            snprintf(t.name, sizeof t.name, "%.60s", line + 4);
        } else if (!strncmp(line, "options ", 8)) {
            snprintf(t.options, sizeof t.options, "%.250s", line + 8);
        } else if (!strcmp(line, "source")) {
            source = true;
        } else if (*line && *line != '#') {
            directive(&t, line);
        }
    }
    finish(&t);
    fclose(f);
    printf("%u checks, %u failed\n", checks, failures);
    return failures != 0;
}
