/* Signs. Ids of work-items and groups are no negative numbers where the launch says so
 * (isa_kernel.low_ids), nor is much that is made of them: as quotients and remainders without a
 * sign, shifts and masks where they are by powers of two, they tell what they are to whoever asks
 * for rows. */
#include "device/analysis/numbers.h"
#include "device/isa/constant.h"
#include "sized_pass.h"

#include <stdlib.h>

static bool has_sign(const struct isa_inst *i) {
    return i->op == ISA_div_s || i->op == ISA_rem_s || i->op == ISA_shr_s || i->op == ISA_sext;
}

static bool is_negative(const struct numbers *x, const struct isa_kernel *k, isa_operand o) {
    return numbers_signed(x, k, o).least < 0;
}

/* The same without a sign; false: something may have one. */
static bool drop(struct isa_kernel *k, struct isa_inst *i, const struct numbers *x) {
    isa_operand *src = isa_srcs(k, i);
    if (is_negative(x, k, src[0])) return false;
    if (i->op == ISA_shr_s || i->op == ISA_sext) {
        i->op = i->op == ISA_sext ? ISA_zext : ISA_shr_u;
        return true;
    }
    if (is_negative(x, k, src[1])) return false;
    enum isa_type type = (enum isa_type)i->type;
    uint64_t by;
    bool rest = i->op == ISA_rem_s, power = constant_bits(k, src[1], &by) && by && !(by & (by - 1));
    i->op = power ? rest ? ISA_and : ISA_shr_u : rest ? ISA_rem_u : ISA_div_u;
    if (power) src[1] = isa_const_new(k, type, rest ? by - 1 : (uint64_t)__builtin_ctzll(by));
    return true;
}

static uint32_t drop_all(struct isa_kernel *k, const uint32_t size[3], struct arena *arena) {
    struct numbers x;
    uint32_t dropped = 0;
    numbers_find(&x, k, size, arena);
    for (uint32_t n = 0; n < k->ninsts; n++)
        dropped += has_sign(&k->insts[n]) && drop(k, &k->insts[n], &x);
    return dropped;
}

static bool make(struct sized_kernel *made, const struct sized *s, const struct trace_pass *p,
                 struct arena *arena) {
    struct isa_kernel *k = made->kernel;
    uint32_t dropped = drop_all(k, s->groups.size, arena);
    if (!dropped) {
        sized_kernel_drop(made);
        return true;
    }
    made->origins = malloc((k->ninsts + 1ull) * sizeof *made->origins);
    for (uint32_t n = 0; made->origins && n < k->ninsts; n++) made->origins[n] = n;
    trace_tell(p, NULL, "%u operations on what is not negative", dropped);
    return made->origins && !isa_kernel_failed(k);
}

bool signs_make(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made) {
    struct arena_try t;
    bool any = false;
    for (uint32_t n = 0; n < s->k->ninsts && !any; n++) any = has_sign(&s->k->insts[n]);
    if (!any || !s->k->low_ids) return true;
    made->kernel = isa_kernel_copy(s->k);
    if (!made->kernel || ARENA_FAILS(&t)) return false;
    bool good = make(made, s, p, t.arena);
    arena_free(t.arena);
    return good;
}
