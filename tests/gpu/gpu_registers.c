/* Registers and shared memory of kernels against what NVIDIA's compiler gave them: registers.csv,
 * the kernels in resources/. Prints the table; holds the prediction to its bounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "device/device.h"

enum { MOST_ROWS = 256 };

struct reported_row {
    char file[32], kernel[48], set[16], source[96];
    unsigned registers, shared, pointer_bytes;
    bool shared_known;
};

struct reported_file {
    char name[32];
    struct isa_module *module;
};

static char *read_file(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    *length = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(*length + 1);
    if (text) text[ *length = fread(text, 1, *length, f)] = 0;
    fclose(f);
    return text;
}

static struct isa_module *build(const char *folder, const char *name) {
    static const struct compiler_target target = {.cl_version = 120,
                                                  .extensions = "cl_khr_fp64",
                                                  .doubles = true,
                                                  .images = true,
                                                  .max_constant_bytes = 65536,
                                                  .max_local_bytes = 16384,
                                                  .max_private_bytes = 16384,
                                                  .capability = 13,
                                                  .max_registers = GPU_MAX_REGISTERS,
                                                  .registers = 16384};
    char path[512];
    size_t length;
    snprintf(path, sizeof path, "%s/resources/%s.cl", folder, name);
    char *source = read_file(path, &length);
    if (!source) return NULL;
    struct compiler_result r = compiler_build(&target, source, length, "");
    if (!r.module) fprintf(stderr, "%s: %s\n", path, r.log);
    free(r.log);
    free(r.inputs);
    free(source);
    return r.module;
}

static const struct isa_kernel *find(const char *folder, const struct reported_row *row) {
    static struct reported_file files[16];
    unsigned n = 0;
    while (n < 15 && files[n].module && strcmp(files[n].name, row->file)) n++;
    if (!files[n].module) {
        snprintf(files[n].name, sizeof files[n].name, "%s", row->file);
        files[n].module = build(folder, row->file);
    }
    return files[n].module ? isa_module_find(files[n].module, row->kernel) : NULL;
}

/* What the arguments take with pointers of that size: CUDA for 64-bit hosts had them of 8. */
static unsigned shared_with(const struct isa_kernel *k, const struct gpu_resources *r,
                            unsigned pointer_bytes) {
    unsigned end = 0;
    for (uint32_t i = 0; i < k->nparams; i++) {
        const struct isa_param *p = &k->params[i];
        if (p->kind == ISA_PARAM_IMAGE || p->kind == ISA_PARAM_SAMPLER) continue;
        unsigned size = p->kind == ISA_PARAM_VALUE ? p->size : pointer_bytes;
        unsigned align = p->kind == ISA_PARAM_VALUE ? p->align : pointer_bytes;
        end = (end + align - 1) / align * align + size;
    }
    return GPU_SHARED_SYSTEM_BYTES + end + (r->shared_bytes - r->argument_bytes);
}

static bool parse(char *line, struct reported_row *row) {
    char *field[7], *at = line;
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < 7; i++) {
        field[i] = at;
        at = i < 6 ? strchr(at, ',') : NULL;
        if (i < 6 && !at) return false;
        if (at) *at++ = 0;
    }
    snprintf(row->file, sizeof row->file, "%s", field[0]);
    snprintf(row->kernel, sizeof row->kernel, "%s", field[1]);
    row->registers = (unsigned)strtoul(field[2], NULL, 10);
    row->shared_known = *field[3];
    row->shared = (unsigned)strtoul(field[3], NULL, 10);
    row->pointer_bytes = (unsigned)strtoul(field[4], NULL, 10);
    snprintf(row->set, sizeof row->set, "%s", field[5]);
    snprintf(row->source, sizeof row->source, "%s", field[6]);
    return row->registers && row->pointer_bytes;
}

struct tally {
    unsigned rows, exact, near, far;
};

static void count(struct tally *t, unsigned predicted, unsigned real) {
    unsigned off = predicted > real ? predicted - real : real - predicted;
    t->rows++;
    t->exact += off == 0;
    t->near += off <= 2;
    t->far += 3 * off > real;
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : ".";
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/registers.csv", folder);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, sizeof line, f)) return fprintf(stderr, "%s: no table\n", path), 1;
    struct tally model = {0}, check = {0};
    unsigned failed = 0;
    printf("%-40s %9s %9s %s\n", "kernel", "predicted", "reported", "source");
    for (struct reported_row row; fgets(line, sizeof line, f);) {
        struct gpu_resources r;
        const struct isa_kernel *k = parse(line, &row) ? find(folder, &row) : NULL;
        if (!k || !gpu_resources_find(k, &r)) {
            fprintf(stderr, "%s: no such kernel\n", line);
            failed++;
            continue;
        }
        unsigned off =
            r.registers > row.registers ? r.registers - row.registers : row.registers - r.registers;
        printf("%-40s %9u %9u %s, %s%s\n", row.kernel, r.registers, row.registers, row.source,
               row.set,
               3 * off > row.registers ? " FAR"
               : off                   ? " *"
                                       : "");
        count(!strcmp(row.set, "model") ? &model : &check, r.registers, row.registers);
        unsigned shared = shared_with(k, &r, row.pointer_bytes);
        if (shared_with(k, &r, 4) != r.shared_bytes || (row.shared_known && shared != row.shared)) {
            fprintf(stderr, "%s: %u bytes of shared memory, reported are %u\n", row.kernel, shared,
                    row.shared);
            failed++;
        }
    }
    fclose(f);
    for (int i = 0; i < 2; i++) {
        const struct tally *t = i ? &check : &model;
        printf("%s: %u kernels, %u exact, %u within 2, %u off by more than a third\n",
               i ? "check" : "model", t->rows, t->exact, t->near, t->far);
        if (t->near * 10 < t->rows * 9 || t->far) failed++;
    }
    return failed != 0;
}
