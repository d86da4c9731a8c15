/* preprocess_test FOLDER [--update]: every .cl of FOLDER is preprocessed; the text, and behind a
 * line
 * "==== log" what the log says, must equal the .expected beside it. A first line "// options: ..."
 * holds the build options. --update writes the .expected instead. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/preprocess/preprocess.h"

static const struct compiler_source headers[] = {
    {"given.h", "given __FILE__\n#include \"sub/other.h\"\n", 37},
    {"sub/other.h", "other\n#include \"near.h\"\n", 23},
    {"sub/near.h", "near", 4},
};

static char *read_file(const char *name, size_t *length) {
    FILE *f = fopen(name, "rb");
    if (!f) return NULL;
    char *text = calloc(1 << 20, 1);
    *length = text ? fread(text, 1, (1 << 20) - 1, f) : 0;
    fclose(f);
    return text;
}

static char *options_of(const char *source) {
    static const char mark[] = "// options: ";
    if (strncmp(source, mark, sizeof mark - 1) != 0) return strdup("");
    source += sizeof mark - 1;
    return strndup(source, strcspn(source, "\n"));
}

static char *result_of(const char *name) {
    static const struct compiler_target target = {.cl_version = 120,
                                                  .extensions =
                                                      "cl_khr_byte_addressable_store cl_khr_fp64",
                                                  .doubles = true,
                                                  .images = true};
    size_t length, size = 0;
    jmp_buf out_of_memory;
    if (setjmp(out_of_memory) != 0) exit(1);
    char *source = read_file(name, &length), *options_text = source ? options_of(source) : NULL;
    char *result = NULL;
    struct options options;
    FILE *f = open_memstream(&result, &size);
    struct diag *diag = diag_new();
    struct arena *arena = arena_new(&out_of_memory);
    if (!source || !f || !diag || !arena) exit(1);
    options_parse(&options, arena, diag, options_text, OPTIONS_BUILD, &target);
    struct preprocessed p = preprocess(arena, diag, &options, &target, source, length, headers, 3);
    fwrite(p.text, 1, p.length, f);
    char *log = diag_take(diag);
    fprintf(f, "==== log\n%s", log);
    fclose(f);
    free(log);
    arena_free(arena);
    diag_free(diag);
    free(source);
    free(options_text);
    return result;
}

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(name, "wb");
    if (!f || fputs(text, f) == EOF || fclose(f) != 0) exit(1);
}

/* Where two texts part: the line's number. */
static unsigned first_difference(const char *a, const char *b) {
    unsigned line = 1;
    for (; *a && *a == *b; a++, b++) line += *a == '\n';
    return line;
}

int main(int argc, char **argv) {
    bool update = argc > 2 && strcmp(argv[2], "--update") == 0;
    unsigned failed = 0, count = 0;
    if (argc < 2 || chdir(argv[1]) != 0) return 2;
    DIR *folder = opendir(".");
    if (!folder) return 2;
    for (struct dirent *e; (e = readdir(folder));) {
        char *dot = strrchr(e->d_name, '.'), expected_name[300];
        if (!dot || strcmp(dot, ".cl") != 0) continue;
        snprintf(expected_name, sizeof expected_name, "%.*s.expected", (int)(dot - e->d_name),
                 e->d_name);
        char *result = result_of(e->d_name);
        size_t length;
        char *expected = update ? NULL : read_file(expected_name, &length);
        count++;
        if (update) {
            write_file(expected_name, result);
        } else if (!expected || strcmp(expected, result) != 0) {
            failed++;
            fprintf(stderr, "%s: differs from %s at line %u; what came out:\n%s", e->d_name,
                    expected_name, expected ? first_difference(expected, result) : 0, result);
        }
        free(expected);
        free(result);
    }
    closedir(folder);
    printf("%u of %u differ\n", failed, count);
    return failed || !count;
}
