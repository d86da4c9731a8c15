#include "rowstores.h"

#include <stdlib.h>

#include "kind.h"
#include "overwritten.h"
#include "paths.h"
#include "provenance.h"
#include "tiletraits.h"

/* A row that no other one goes on with costs more where its line is fetched first, which nothing
 * foresees: a launch that writes such counts as one that writes more. */
enum { ACROSS = 2, LEAST_SIZE = 4 /* bytes of an element */ };

static bool in_rows(const struct rowstores_finder *f, uint32_t n) {
    const struct isa_inst *i = &f->k->insts[n];
    uint32_t size = isa_type_size[i->type];
    isa_operand at = isa_srcs(f->k, i)[0];
    if (i->flags & ISA_VOLATILE || !isa_is_reg(at) || size < LEAST_SIZE) return false;
    return f->columns[n] || kind_is_row(f->shape, f->k, i);
}

uint32_t rowstores_test(const struct isa_kernel *k, const struct evenloops *loops,
                        const struct warpregions *regions, uint32_t begin) {
    uint32_t test = loops->test[begin];
    return test || regions->divergent[begin] ? test : warpregions_exit(k, begin);
}

bool rowstores_find(const struct rowstores_finder *f, uint8_t *of, const char **about,
                    uint32_t *bytes) {
    const struct isa_kernel *k = f->k;
    uint64_t read = provenance_read(k, f->provenance);
    uint32_t depth = 0, begins[ISA_MAX_NESTING + 1] = {0}; /* of loops */
    struct paths_sum sum = {0};
    uint8_t *across = tiletraits_columns(k, true);
    for (uint32_t n = 0; across && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op == ISA_loop) begins[++depth] = n;
        if (i->op == ISA_endloop) depth--;
        paths_add(&sum, i, 0);
        if (i->op != ISA_st || i->space != ISA_GLOBAL) continue;
        const char *why = !in_rows(f, n) ? "what a warp stores is no row"
                          : depth && !rowstores_test(k, f->loops, f->regions, begins[depth])
                              ? "lanes may leave its loop one by one"
                          : provenance_of(k, f->provenance, i) & read
                              ? "the kernel may read that memory"
                          : overwritten_again(k, n) ? "it is stored to again"
                                                    : NULL;
        about[n] = why         ? why
                   : depth     ? "a row in each iteration"
                   : across[n] ? "a row, across those of other groups"
                               : "a row";
        if (why) continue;
        of[n] = depth ? ROWSTORE_LOOP : ROWSTORE_ONCE;
        if (!depth) sum.sum[sum.depth] += isa_bytes(i) * (across[n] ? ACROSS : 1);
    }
    bool good = across;
    *bytes = (uint32_t)sum.sum[0];
    free(across);
    return good;
}
