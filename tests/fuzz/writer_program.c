/* What all generators of programs have in common; see writer.h. */
#include <stdlib.h>

#include "writer_private.h"

const char *writer_any_of(struct writer *w, const char *const *list, size_t n) {
    return list[writer_pick(w, (unsigned)n)];
}

void writer_head(struct writer *w, unsigned number, const char *more) {
    writer_put(
        w,
        "kernel void k%u(global const char *table, global char *rows, global int *sums%s) {\n"
        "uint lid = get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
        "get_local_size(1) * get_local_id(2));\n"
        "uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
        "uint id = %s * items + lid;\n"
        "global char *row = rows + id * %d;\n",
        number, more,
        writer_kind.spread ? "(get_group_id(1) * get_num_groups(0) + get_group_id(0))"
                           : "get_group_id(0)",
        WRITER_ROW);
}

char *writer_program(uint64_t seed) {
    struct writer w = {.random = seed * 0x9e3779b97f4a7c15u + 1};
    writer_put(&w, "%s%s", seed & 1 ? "#pragma OPENCL FP_CONTRACT OFF\n" : "", writer_prelude);
    for (unsigned n = 0; n < WRITER_KERNELS; n++) writer_kernel(&w, n);
    if (!w.failed) return w.text;
    free(w.text);
    return NULL;
}
