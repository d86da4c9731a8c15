/* The sites of kernels.
 *
 *   lower_sites cases            the cases of lower_sites.txt
 *   lower_sites print            the cases as they are, for lower_sites.txt
 *   lower_sites all LEAST FOLDER...  of every .cl file there, of which LEAST can be built: each
 *                                access, branch and barrier has a site with a place, none went away
 *                                without a reason, and tables survive text, copies and host passes
 *
 * A case of lower_sites.txt is
 *
 *   === NAME
 *   options TEXT          build options
 *   source                what follows, up to a line ---, is OpenCL C
 *   ---
 *   the lines of the IR that list its calls and sites, `xN` behind those that N > 1 instructions
 *   carry
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "device/opt/opt.h"

#define EXTENSIONS                                                                                 \
    "cl_khr_fp64 cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "                  \
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "                        \
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics "                               \
    "cl_khr_int64_extended_atomics cl_khr_3d_image_writes cl_nv_pragma_unroll"

static const struct compiler_target target = {
    .cl_version = 120,
    .extensions = EXTENSIONS,
    .doubles = true,
    .images = true,
    .max_constant_bytes = 65536,
    .max_local_bytes = 16384,
    .max_private_bytes = 16384,
};

static char *read_file(const char *name, size_t *length) {
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    if (!f) {
        perror(name);
        exit(2);
    }
    while (!feof(f)) {
        capacity += 65536;
        text = realloc(text, capacity + 1);
        *length += fread(text + *length, 1, capacity - *length, f);
    }
    fclose(f);
    text[*length] = 0;
    return text;
}

static unsigned carriers(const struct isa_kernel *k, uint32_t site) {
    unsigned n = 0;
    for (uint32_t i = 0; i < k->ninsts; i++) n += k->insts[i].site == site;
    return n;
}

/* ---- cases ---- */

/* The lines of the IR that begin with .call or .site, malloc'ed. */
static char *listing(const struct isa_module *m) {
    size_t length, used = 0;
    char *ir = isa_print(m, &length), *out = calloc(1, 2 * length + 1);
    uint32_t kernel = 0;
    for (char *line = ir, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (!strncmp(line, ".kernel ", 8) && m->nkernels > 1)
            used += (size_t)sprintf(out + used, "%s\n", line);
        if (!strncmp(line, ".kernel ", 8)) kernel++;
        if (strncmp(line, ".site ", 6) && strncmp(line, ".call ", 6)) continue;
        used += (size_t)sprintf(out + used, "%s", line);
        unsigned n = line[1] == 's'
                         ? carriers(m->kernels[kernel - 1], (uint32_t)strtoul(line + 6, NULL, 10))
                         : 1;
        used += (size_t)(n > 1 ? sprintf(out + used, " x%u\n", n) : sprintf(out + used, "\n"));
    }
    free(ir);
    return out;
}

/* `text` is the case behind its title; false: the listing is another. */
static bool run_case(const char *title, char *text, bool print) {
    char *source = strstr(text, "source\n"), *expected = strstr(text, "\n---\n");
    if (!source || !expected) {
        fprintf(stderr, "%s: badly written\n", title);
        return false;
    }
    char options[256] = "";
    if (!strncmp(text, "options ", 8))
        snprintf(options, sizeof options, "%.*s", (int)strcspn(text + 8, "\n"), text + 8);
    source += 7;
    *expected = '\n';
    size_t length = (size_t)(expected + 1 - source);
    expected += 5;
    struct compiler_result r = compiler_build(&target, source, length, options);
    bool good = r.module;
    if (!good) fprintf(stderr, "%s: %s\n", title, r.log ? r.log : "it does not build");
    char *have = good ? listing(r.module) : NULL;
    if (print && good)
        printf("=== %s\n%.*s---\n%s\n", title, (int)(source + length - text), text, have);
    size_t n = have ? strlen(have) : 0;
    if (good && !print &&
        (strncmp(have, expected, n) || strspn(expected + n, "\n") != strlen(expected + n))) {
        fprintf(stderr, "%s: the sites are\n%s", title, have);
        good = false;
    }
    free(have);
    isa_module_free(r.module);
    free(r.log);
    return good;
}

static int run_cases(bool print) {
    size_t length;
    unsigned count = 0, failed = 0;
    char *file = read_file("lower_sites.txt", &length), *at = strstr(file, "\n=== ");
    if (print && at) printf("%.*s\n", (int)(at - file), file);
    for (char *next; at; at = next, count++) {
        char *title = at + 5, *text = strchr(title, '\n');
        *text++ = 0;
        next = strstr(text, "\n=== ");
        if (next) *next = '\n';
        char *copy = next ? strndup(text, (size_t)(next - text) + 1) : strdup(text);
        failed += !run_case(title, copy, print);
        free(copy);
    }
    if (!print) printf("%u cases, %u failed\n", count, failed);
    free(file);
    return failed || !count;
}

/* ---- all kernels ---- */

static unsigned failures;

static void complain(const char *file, const struct isa_kernel *k, const char *what, uint32_t n) {
    if (failures++ < 40) fprintf(stderr, "%s: %s: %s %u\n", file, k->name, what, (unsigned)n);
}

/* host: its passes have run, whose own branches are no one's. */
static void check_kernel(const char *file, const struct isa_kernel *k, bool host) {
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (host && i->op == ISA_if) continue;
        if (isa_site_wanted(i) && !i->site) complain(file, k, "no site at instruction", n);
    }
    for (uint32_t n = 0; n < k->nsites; n++) {
        const struct isa_site *s = &k->sites[n];
        if (!s->line || !s->column) complain(file, k, "no place of site", n + 1);
        if (s->fate == ISA_SITE_REMOVED && s->reason == ISA_REMOVED_eliminated)
            complain(file, k, "no reason for the end of site", n + 1);
    }
}

/* Fates do not change when they are found out again, nor on the way through a copy. */
static void check_copy(const char *file, const struct isa_module *m, const struct isa_kernel *k) {
    struct isa_kernel *copy = isa_kernel_copy(k);
    struct isa_error error;
    bool good = copy && isa_sites_finish(copy) && copy->nsites == k->nsites;
    for (uint32_t n = 0; good && n < k->nsites; n++) {
        const struct isa_site *a = &k->sites[n], *b = &copy->sites[n];
        good = a->fate == b->fate && a->into == b->into && a->reason == b->reason;
    }
    if (!good) complain(file, k, "other fates in a copy", 0);
    if (good && (!opt_run(m, copy, NULL) || !isa_verify_one(m, copy, &error)))
        complain(file, k, "host passes spoil the sites", 0);
    if (good) check_kernel(file, copy, true);
    isa_kernel_free(copy);
}

static void check_module(const char *file, const struct isa_module *m) {
    struct isa_error error = {0};
    size_t length, length2 = 0;
    char *text = isa_print(m, &length), *text2 = NULL;
    struct isa_module *again = isa_parse(text, length, &error);
    if (again) text2 = isa_print(again, &length2);
    if (!text2 || length != length2 || memcmp(text, text2, length)) {
        fprintf(stderr, "%s: not the same when read again: %s\n", file, error.text);
        failures++;
    }
    for (uint32_t n = 0; n < m->nkernels; n++) {
        check_kernel(file, m->kernels[n], false);
        check_copy(file, m, m->kernels[n]);
    }
    free(text);
    free(text2);
    isa_module_free(again);
}

static bool check_file(const char *file, const char *options) {
    size_t length;
    char *source = read_file(file, &length);
    struct compiler_result r = compiler_build(&target, source, length, options);
    bool built = r.module;
    if (built) check_module(file, r.module);
    isa_module_free(r.module);
    free(r.log);
    free(source);
    return built;
}

static int run_all(unsigned least, char **folders) {
    unsigned built = 0;
    for (; *folders; folders++) {
        DIR *d = opendir(*folders);
        for (struct dirent *e; d && (e = readdir(d));) {
            size_t n = strlen(e->d_name);
            char path[1024];
            if (n < 4 || strcmp(e->d_name + n - 3, ".cl")) continue;
            snprintf(path, sizeof path, "%s/%s", *folders, e->d_name);
            built += check_file(path, "");
            check_file(path, "-cl-opt-disable");
        }
        if (d) closedir(d);
    }
    printf("%u programs, %u failures\n", built, failures);
    if (built < least) fprintf(stderr, "%u were to be built\n", least);
    return failures || built < least;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "cases") || !strcmp(what, "print")) return run_cases(*what == 'p');
    if (strcmp(what, "all") || argc < 4) return 2;
    return run_all((unsigned)atoi(argv[2]), argv + 3);
}
