#include "uninit_whole.h"

#include <stdlib.h>

#include "device/observe/facts.h"
#include "device/observe/pointers.h"
#include "device/texture/texture.h"
#include "finding.h"
#include "race_steady.h"
#include "uninit.h"
#include "uninit_flow.h"
#include "uninit_image.h"

/* What is known of a kernel. */
enum whole_kind {
    WHOLE_OPEN,  /* what is not set may come from a variable, or memory of which nothing is known */
    WHOLE_OWN,   /* from local or private memory, */
    WHOLE_APART, /* which groups do not use alike */
    WHOLE_IMAGES, /* it reads or writes images */
    WHOLE_PARAMS  /* and from here on of each parameter, whether memory is accessed by it */
};

/* By which parameter memory is accessed, + 1; 0: it is not known. */
static uint32_t param_of(const struct isa_kernel *k, const uint32_t *params,
                         const struct isa_inst *i) {
    isa_operand base = isa_srcs(k, i)[0];
    uint32_t param = isa_is_reg(base) ? params[base] : POINTERS_NOWHERE;
    if (param == POINTERS_NOWHERE || param == POINTERS_ANYWHERE || param > k->nparams + 1) return 0;
    bool local = param <= k->nparams && k->params[param - 1].kind == ISA_PARAM_LOCAL;
    return local ? 0 : param;
}

static void look(const struct isa_kernel *k, const uint32_t *params, const struct isa_inst *i,
                 bool *known) {
    uint32_t flags = isa_op_info[i->op].flags;
    known[WHOLE_OPEN] |= uninit_gives(i);
    known[WHOLE_IMAGES] |= i->op == ISA_img_read || i->op == ISA_img_write;
    if (!(flags & ISA_OP_MEMORY) || i->space == ISA_PARAM) return;
    if (i->space == ISA_GLOBAL || i->space == ISA_CONSTANT) {
        uint32_t param = param_of(k, params, i);
        if (!param) known[WHOLE_OPEN] = true;
        if (param && param <= k->nparams) known[WHOLE_PARAMS + param - 1] = true;
    } else if (i->op != ISA_st) {
        known[WHOLE_OWN] = true;
    }
}

/* False also without memory. */
static bool are_alike(const struct isa_kernel *k) {
    bool *sites = calloc(k->nsites + (size_t)1, sizeof *sites), all = sites;
    for (uint32_t n = 0; all && n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        bool memory = isa_op_info[i->op].flags & ISA_OP_MEMORY;
        if (!memory || (i->space != ISA_LOCAL && i->space != ISA_PRIVATE)) continue;
        if (i->site)
            sites[i->site - 1] = true;
        else
            all = false;
    }
    bool alike = all && race_steady(k, sites);
    free(sites);
    return alike;
}

/* The caller frees; NULL: no memory. */
static bool *find_known(const struct isa_kernel *k, struct facts *facts) {
    size_t count = WHOLE_PARAMS + (size_t)k->nparams;
    static const char own; /* its address is a name */
    bool *known = facts_get(facts, &own, NULL, 0);
    if (known || !(known = calloc(count, sizeof *known))) return known;
    uint32_t *params = pointers_find(k);
    if (!params) known[WHOLE_OPEN] = true;
    for (uint32_t n = 0; params && n < k->ninsts; n++) look(k, params, &k->insts[n], known);
    known[WHOLE_APART] = known[WHOLE_OWN] && !are_alike(k);
    if (params) facts_keep(facts, &own, NULL, 0, known, count * sizeof *known);
    free(params);
    return known;
}

/* Objects without bytes are null pointers: there is nothing to read. */
static bool are_set(const struct isa_kernel *k, const struct observe_grid *grid,
                    const bool *known) {
    const struct check_launch *l = grid->check;
    bool set = true;
    for (uint32_t n = 0; set && n < k->nparams; n++) {
        const struct check_object *o = &l->params[n];
        if (known[WHOLE_PARAMS + n] && o->bytes)
            set = uninit_is_set(l->memory, o->address, o->bytes);
    }
    for (uint32_t n = 0; set && known[WHOLE_IMAGES] && n < grid->ntextures; n++)
        set = uninit_image_is_set(l->memory, &grid->textures[n]);
    return set;
}

static bool is_whole(const struct isa_kernel *k, const struct observe_grid *grid, bool own) {
    if (!grid->check) return false;
    bool *known = find_known(k, grid->facts);
    bool whole = known && !known[WHOLE_OPEN] && known[WHOLE_OWN] == own && !known[WHOLE_APART] &&
                 are_set(k, grid, known);
    free(known);
    return whole;
}

bool uninit_whole(const struct isa_kernel *k, const struct observe_grid *grid) {
    return is_whole(k, grid, false);
}

bool uninit_alike(const struct isa_kernel *k, const struct observe_grid *grid) {
    return is_whole(k, grid, true);
}
