/* oclc FILE.cl [OPTION...]: prints the warp IR of an OpenCL C file, and the build log on stderr.
 *
 * Options are joined and given to the compiler as a program would give them; those beginning with
 * -- are oclc's own:
 *   --expand      print the preprocessed text instead
 *   --compile     print the compiled object instead
 *   --cl=1.0      the device's version (1.2)
 *   --no-doubles, --no-images
 *   --exact       floats as the GPU computes them (SIMTCL_EXACT=gpu)
 *   --time        say on stderr how long it took
 *   --host        the IR as the engines run it: after the host passes
 *   --dump=LIST, --off=LIST, --log    SIMTCL_DUMP, SIMTCL_OFF, SIMTCL_LOG=passes
 * FILE - is standard input. Exit status: 0 built, 1 the build failed, 2 bad options or usage, 3 no
 * memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/isa/arena.h"
#include "compiler/compiler.h"
#include "compiler/base/diag.h"
#include "compiler/base/options.h"
#include "compiler/preprocess/preprocess.h"
#include "device/opt/opt.h"

#define EXTENSIONS                                                                                 \
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "                       \
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "                         \
    "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "                                     \
    "cl_khr_byte_addressable_store cl_khr_fp64 cl_khr_3d_image_writes "                            \
    "cl_nv_compiler_options cl_nv_pragma_unroll"

enum mode { IR, HOST, EXPAND, OBJECT };

static char *read_all(FILE *f, size_t *length) {
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    for (size_t got = 1; got;) {
        if (capacity - *length < 65536) {
            capacity = capacity * 2 + 65536;
            char *grown = realloc(text, capacity);
            if (!grown) break;
            text = grown;
        }
        got = fread(text + *length, 1, capacity - *length, f);
        *length += got;
    }
    return text;
}

static int expand(const struct compiler_target *target, const char *source, size_t length,
                  const char *text) {
    jmp_buf out_of_memory;
    struct diag *diag = diag_new();
    struct arena *arena = arena_new(&out_of_memory);
    if (!diag || !arena || setjmp(out_of_memory) != 0) return 3;
    struct options options;
    int status = 2;
    if (options_parse(&options, arena, diag, text, OPTIONS_BUILD, target)) {
        struct preprocessed p = preprocess(arena, diag, &options, target, source, length, NULL, 0);
        fwrite(p.text, 1, p.length, stdout);
        status = p.errors > 0;
    }
    char *log = diag_take(diag);
    fputs(log ? log : "", stderr);
    free(log);
    arena_free(arena);
    diag_free(diag);
    return status;
}

static int compile(const struct compiler_target *target, const char *source, size_t length,
                   const char *options, enum mode mode, const struct trace *trace) {
    struct compiler_result r = compiler_run(
        &(struct compiler_request){.work = mode == OBJECT ? COMPILER_COMPILE : COMPILER_BUILD,
                                   .target = target,
                                   .options = options,
                                   .source = source,
                                   .length = length,
                                   .trace = trace});
    if (r.log) fputs(r.log, stderr);
    if (r.module) {
        size_t n;
        for (uint32_t i = 0; mode == HOST && i < r.module->nkernels; i++)
            if (!opt_run(r.module, r.module->kernels[i], trace)) return 3;
        char *ir = isa_print(r.module, &n);
        if (ir) fwrite(ir, 1, n, stdout);
        free(ir);
    }
    if (r.object.text) fwrite(r.object.text, 1, r.object.length, stdout);
    static const int status[] = {[COMPILER_OK] = 0,
                                 [COMPILER_FAILED] = 1,
                                 [COMPILER_BAD_OPTIONS] = 2,
                                 [COMPILER_NO_MEMORY] = 3};
    isa_module_free(r.module);
    free(r.object.text);
    free(r.log);
    free(r.inputs);
    return status[r.status];
}

int main(int argc, char **argv) {
    struct compiler_target target = {.cl_version = 120,
                                     .extensions = EXTENSIONS,
                                     .doubles = true,
                                     .images = true,
                                     .max_constant_bytes = 65536,
                                     .max_local_bytes = 16384,
                                     .max_private_bytes = 16384,
                                     .capability = 13,
                                     .max_registers = 124,
                                     .registers = 16384};
    struct trace trace = {0};
    enum mode mode = IR;
    bool timed = false;
    size_t room = 1;
    for (int i = 1; i < argc; i++) room += strlen(argv[i]) + 3;
    char *options = calloc(room, 1), *end = options;
    const char *file = NULL;
    if (!options) return 3;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "--expand"))
            mode = EXPAND;
        else if (!strcmp(a, "--compile"))
            mode = OBJECT;
        else if (!strcmp(a, "--host"))
            mode = HOST;
        else if (!strncmp(a, "--dump=", 7))
            trace.dump = a + 7;
        else if (!strncmp(a, "--off=", 6))
            trace.off = a + 6;
        else if (!strcmp(a, "--log"))
            trace.log = true;
        else if (!strcmp(a, "--exact"))
            target.exact = true;
        else if (!strcmp(a, "--no-doubles"))
            target.doubles = false;
        else if (!strcmp(a, "--no-images"))
            target.images = false;
        else if (!strcmp(a, "--time"))
            timed = true;
        else if (!strcmp(a, "--cl=1.0"))
            target.cl_version = 100;
        else if (!strcmp(a, "--cl=1.1"))
            target.cl_version = 110;
        else if (!strcmp(a, "--cl=1.2"))
            target.cl_version = 120;
        else if (!file)
            file = a;
        else /* an argument with blanks was quoted for the shell, too */
            end += sprintf(end, strpbrk(a, " \t") && !strpbrk(a, "\"'") ? "\"%s\" " : "%s ", a);
    }
    if (!target.doubles) target.extensions = "cl_khr_byte_addressable_store";
    FILE *f = !file ? NULL : strcmp(file, "-") ? fopen(file, "rb") : stdin;
    if (!f) {
        fprintf(stderr, file ? "oclc: cannot open %s\n" : "usage: oclc FILE.cl [OPTION...]\n",
                file);
        free(options);
        return 2;
    }
    size_t length;
    char *source = read_all(f, &length);
    if (f != stdin) fclose(f);
    struct timespec begin, finish;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int status = !source          ? 3
                 : mode == EXPAND ? expand(&target, source, length, options)
                                  : compile(&target, source, length, options, mode, &trace);
    clock_gettime(CLOCK_MONOTONIC, &finish);
    if (timed)
        fprintf(stderr, "%.1f ms\n",
                (double)(finish.tv_sec - begin.tv_sec) * 1e3 +
                    (double)(finish.tv_nsec - begin.tv_nsec) / 1e6);
    free(source);
    free(options);
    return status;
}
