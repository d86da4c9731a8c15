/* Addresses in local memory: which byte each work-item of a group accesses, where ids and constants
 * alone tell (device/analysis/itemvalues.h). Where local memory that is an argument lies, and how
 * much it is, is seen at run time: localrows_fit. */
#include <stdlib.h>

#include "device/analysis/itemvalues.h"
#include "device/native/opcosts.h"
#include "device/native/mem/accesses.h"

enum { WORD = 4, ROW = ISA_WARP * WORD, MOST_ROWS = 16, FEW = 4, MOST_BYTES = 1 << 20 };

struct address_finder {
    struct plan *plan;
    struct itemvalues values;
    uint32_t found, other; /* accesses to local memory that are known; that are not */
    bool mixed;            /* the lanes of one are shuffled */
    bool failed;
};

/* ---- accesses ---- */

/* How a warp's lanes lie: none is on; in a row; in order, but in two rows; in any order. */
enum manner { OFF, ROWS, ACROSS, MIXED, OTHER };

/* at: of 32 lanes, -1: off. */
static enum manner manner_of(const int32_t *at, bool store) {
    uint8_t taken[ISA_WARP * MOST_ROWS] = {0};
    int32_t rows[MOST_ROWS];
    unsigned nrows = 0;
    bool any = false, in_order = true, in_place = true;
    for (int lane = 0, last = -1; lane < ISA_WARP; lane++) {
        if (at[lane] < 0) continue;
        unsigned r = 0;
        while (r < nrows && rows[r] != at[lane] / ROW) r++;
        if (r == MOST_ROWS) return OTHER;
        if (r == nrows) rows[nrows++] = at[lane] / ROW;
        uint8_t *word = &taken[r * ISA_WARP + (uint32_t)(at[lane] % ROW) / WORD];
        if (*word && store) return OTHER; /* which one stays is the other way's to say */
        *word = 1;
        in_place &= at[lane] % ROW == lane * WORD;
        if (last >= 0) in_order &= at[lane] - at[last] == (lane - last) * WORD;
        last = lane;
        any = true;
    }
    if (!any) return OFF;
    if (nrows == 1 && in_place) return ROWS;
    return nrows > 1 && in_order ? ACROSS : MIXED;
}

/* The addresses of an access; NULL: they are not known, or not such that rows serve it. */
static int32_t *addresses_of(struct address_finder *f, const struct isa_inst *i) {
    const struct plan *plan = f->plan;
    const struct isa_kernel *k = plan->k;
    const struct itemvalues *v = &f->values;
    bool load = i->op == ISA_ld;
    if (i->space != ISA_LOCAL || (!load && i->op != ISA_st)) return NULL;
    if (isa_type_size[i->type] != WORD || i->flags & ISA_VOLATILE) return NULL;
    isa_operand base = isa_srcs(k, i)[0];
    if (!isa_is_reg(base) || !v->known[base] || v->base[base] == ITEMVALUES_NUMBER) return NULL;
    for (unsigned d = 0; d < i->ndst; d++)
        if (plan_kind(plan, isa_dsts(k, i)[d]) != KIND_VARYING) return NULL;
    bool own = v->base[base] == ITEMVALUES_LOCAL;
    int32_t *at = malloc(v->lanes * sizeof *at);
    int64_t rows = own ? k->local_bytes / ROW * ROW : MOST_BYTES;
    f->failed |= !at;
    bool good = at;
    for (uint32_t item = 0; good && item < v->lanes; item++) {
        int64_t first = itemvalues_signed(v, base, item) + i->imm;
        at[item] = v->on[item] ? (int32_t)first : -1;
        good = !v->on[item] ||
               (first >= 0 && first % WORD == 0 && first + (int64_t)i->count * WORD <= rows);
    }
    bool across = false, shuffled = false;
    for (uint32_t w = 0; good && w < plan->warps; w++)
        for (unsigned c = 0; good && c < i->count; c++) {
            int32_t part[ISA_WARP];
            for (unsigned lane = 0; lane < ISA_WARP; lane++) {
                int32_t first = at[w * ISA_WARP + lane];
                part[lane] = first < 0 ? first : first + (int32_t)(c * WORD);
            }
            enum manner m = manner_of(part, !load);
            good = m != OTHER;
            across |= m == ACROSS;
            shuffled |= m == MIXED;
        }
    /* A vector from anywhere does as well, if that is so for all warps. */
    if (good && (shuffled || !across)) {
        f->mixed |= shuffled;
        return at;
    }
    free(at);
    return NULL;
}

/* Those of all accesses. */
static void find(struct address_finder *f) {
    const struct isa_kernel *k = f->plan->k;
    struct plan_addresses *a = &f->plan->addresses;
    for (uint32_t n = 0; n < k->ninsts && !f->failed; n++) {
        const struct isa_inst *i = &k->insts[n];
        a->of[n] = addresses_of(f, i);
        uint32_t base = a->of[n] ? f->values.base[isa_srcs(k, i)[0]] : ITEMVALUES_NUMBER;
        if (base >= ITEMVALUES_PARAM) a->param[n] = base - ITEMVALUES_PARAM + 1;
        f->found += a->of[n] != NULL;
        f->other += i->space == ISA_LOCAL && !a->of[n];
        itemvalues_pass(&f->values, n);
    }
}

/* Where the rows of an access to an argument end. */
static void find_end(struct plan *plan, uint32_t n) {
    struct plan_addresses *a = &plan->addresses;
    for (uint32_t item = 0; a->param[n] && item < plan->warps * ISA_WARP; item++) {
        int32_t last = a->of[n][item] + (plan->k->insts[n].count - 1) * WORD;
        uint32_t *end = &a->ends[a->param[n] - 1];
        if (a->of[n][item] < 0 || (uint32_t)last < *end) continue;
        *end = ((uint32_t)last / ROW + 1) * ROW;
        a->arguments = true;
    }
}

static bool has_local(const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->ninsts; n++)
        if (k->insts[n].space == ISA_LOCAL) return true;
    return false;
}

bool addresses_plan(struct plan *plan) {
    const struct isa_kernel *k = plan->k;
    struct plan_addresses *a = &plan->addresses;
    int32_t **of = a->of = plan_of_instructions(plan, sizeof *of);
    a->param = plan_of_instructions(plan, sizeof *a->param);
    a->ends = calloc(k->nparams + 1ull, sizeof *a->ends);
    if (!of || !a->param || !a->ends) return false;
    if (plan->request->level == NATIVE_BASELINE || plan->tail || plan_bundle(plan) != plan->warps ||
        !has_local(k) || plan_off(plan, PLAN_addresses))
        return true;
    struct address_finder f = {.plan = plan};
    f.failed = !itemvalues_begin(&f.values, k, plan->request->local_size, false);
    /* the code is there twice */
    f.values.arguments = 2 * plan_get(plan, effort)->time <= LIMIT_ENLARGED;
    find(&f);
    itemvalues_end(&f.values);
    const char *why = NULL;
    if (!f.mixed) why = "the lanes of no access are shuffled";
    if (f.other > f.found / FEW) why = "too few addresses are known";
    if (why)
        plan_tell(plan, PLAN_addresses, UINT32_MAX, "no: %s", why);
    else
        plan_tell(plan, PLAN_addresses, UINT32_MAX, "%u accesses", f.found);
    /* Plain rows are as good the other way; and what is written in rows is read slowly otherwise.
     */
    for (uint32_t n = 0; n < k->ninsts; n++) {
        if (!why && of[n]) find_end(plan, n);
        if (!why) continue;
        free(of[n]);
        of[n] = NULL;
    }
    return !f.failed;
}

void addresses_free(struct plan *plan) {
    for (uint32_t n = 0; plan->addresses.of && n < plan->k->ninsts; n++)
        free(plan->addresses.of[n]);
    free(plan->addresses.of);
    free(plan->addresses.param);
    free(plan->addresses.ends);
    plan->addresses = (struct plan_addresses){0};
}
