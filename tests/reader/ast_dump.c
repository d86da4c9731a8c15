/* ast_dump FILE [-cl-std=CL1.x] [-q] [-n COUNT] [-e EXTENSIONS] [-DNAME[=VALUE]] [-IFOLDER]:
 * preprocesses and reads a program, prints the log and the AST. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ast_print.h"
#include "compiler/reader/reader.h"

static const char *extensions =
    "cl_khr_fp64 cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics "
    "cl_khr_int64_extended_atomics cl_khr_3d_image_writes";

static char *slurp(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    for (size_t n = 1; n > 0; *length += n) {
        if (room - *length < 65536) text = realloc(text, room = room * 2 + 131072);
        if (!text) abort();
        n = fread(text + *length, 1, 65536, f);
    }
    fclose(f);
    return text;
}

static bool dump(const char *text, size_t length, struct options *options,
                 const struct compiler_target *target, bool quiet) {
    jmp_buf out_of_memory;
    struct arena *volatile arena = NULL;
    struct diag *volatile diag = diag_new();
    volatile bool good = false;
    if (diag && setjmp(out_of_memory) == 0 && (arena = arena_new(&out_of_memory))) {
        diag_options(diag, options->no_warnings, options->warnings_are_errors);
        diag_source(diag, DIAG_MAIN_FILE, text, length);
        struct preprocessed p = preprocess(arena, diag, options, target, text, length, NULL, 0);
        struct ast_unit *u = NULL;
        if (p.errors == 0) u = reader_read(arena, diag, options, target, &p, text, length, NULL, 0);
        if (u && !quiet) ast_print_unit(stdout, u);
        good = u != NULL;
    }
    char *log = diag ? diag_take(diag) : NULL;
    if (log) fputs(log, stdout);
    free(log);
    diag_free(diag);
    arena_free(arena);
    return good;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int main(int argc, char **argv) {
    struct options options = {.cl_std = 120};
    struct compiler_target target = {.cl_version = 120,
                                     .doubles = true,
                                     .images = true,
                                     .max_constant_bytes = 65536,
                                     .max_local_bytes = 16384,
                                     .max_private_bytes = 65536};
    const char *path = NULL, *defines[64], *includes[16];
    bool quiet = false;
    int count = 1;
    options.defines = defines;
    options.includes = includes;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strncmp(a, "-cl-std=CL1.", 12) == 0)
            options.cl_std = 100 + 10 * (unsigned)(a[12] - '0');
        else if (strcmp(a, "-q") == 0)
            quiet = true;
        else if (strcmp(a, "-w") == 0)
            options.no_warnings = true;
        else if (strcmp(a, "-Werror") == 0)
            options.warnings_are_errors = true;
        else if (strcmp(a, "-n") == 0 && i + 1 < argc)
            count = atoi(argv[++i]);
        else if (strcmp(a, "-e") == 0 && i + 1 < argc)
            extensions = argv[++i];
        else if (strncmp(a, "-D", 2) == 0 && options.ndefines < 64)
            defines[options.ndefines++] = a + 2;
        else if (strncmp(a, "-I", 2) == 0 && options.nincludes < 16)
            includes[options.nincludes++] = a + 2;
        else
            path = a;
    }
    target.extensions = extensions;
    size_t length;
    char *text = path ? slurp(path, &length) : NULL;
    if (!text) {
        fprintf(stderr, "usage: ast_dump FILE [-cl-std=CL1.x] [-q] [-w] [-Werror] [-n COUNT] [-e "
                        "EXTENSIONS] [-DNAME=VALUE]\n");
        return 2;
    }
    bool good = dump(text, length, &options, &target, quiet);
    for (int i = 1; i < count; i++) {
        double before = now();
        dump(text, length, &options, &target, true);
        fprintf(stderr, "%.2f ms of CPU time\n", now() - before);
    }
    free(text);
    return good ? 0 : 1;
}
