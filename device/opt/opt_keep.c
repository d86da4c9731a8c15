/* Sums kept in memory. Where a loop loads, again and again, what its work-item has stored at an
 * address that does not change, the value is in a register meanwhile. It is stored as before, and
 * once more behind the loop, so that an engine may leave the stores in it out where it knows that
 * nobody else reads them. */
#include "device/isa/rewrite.h"
#include "opt_pass.h"

enum { MOST_LENGTH = 256 }; /* instructions from the first store to the end of the last loop */

/* A place in memory, from a store to behind the last region that stores to it. */
struct kept_sum {
    uint32_t from, to; /* instructions; to: behind which it is stored once more */
    isa_operand reg;   /* that has its value */
};

/* Is it an access of what the store s, whose address is `at`, stores? src: of the instruction i. */
static bool accesses(const struct isa_inst *i, const isa_operand *src, const struct isa_inst *s,
                     isa_operand at) {
    return (i->op == ISA_ld || i->op == ISA_st) && i->space == s->space && i->type == s->type &&
           i->count == 1 && i->imm == s->imm && !(i->flags & ISA_VOLATILE) && src[0] == at;
}

static bool at_place(const struct isa_kernel *k, const struct isa_inst *i,
                     const struct isa_inst *s) {
    return accesses(i, isa_srcs(k, i), s, isa_srcs(k, s)[0]);
}

/* The value in memory may be another one afterwards, or others may look at it. */
static bool ends(const struct isa_kernel *k, const struct isa_inst *i, const struct isa_inst *s) {
    uint32_t flags = isa_op_info[i->op].flags;
    for (unsigned d = 0; d < i->ndst; d++)
        if (isa_dsts(k, i)[d] == isa_srcs(k, s)[0]) return true;
    if (i->op == ISA_ret ||
        flags & (ISA_OP_BARRIER | ISA_OP_ATOMIC | ISA_OP_IMAGE | ISA_OP_PROBE | ISA_OP_EFFECT))
        return i->op != ISA_st || !at_place(k, i, s);
    return i->op == ISA_st && i->space == s->space && !at_place(k, i, s);
}

/* How far the store's value can be kept: the end of the last region with another store that is in
 * no region but those round the first; 0: there is none, or nothing loads it. */
static uint32_t end_of(const struct isa_kernel *k, uint32_t from) {
    const struct isa_inst *s = &k->insts[from];
    uint32_t depth = 0, to = 0, loops = 0;
    bool stored = false, loaded = false, worth = false;
    for (uint32_t n = from + 1; n < k->ninsts && n - from < MOST_LENGTH; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags;
        if (ends(k, i, s)) break;
        if (flags & ISA_OP_JUMP && (uint32_t)i->imm >= depth) break;
        if (!depth && flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) break;
        depth += (flags & ISA_OP_REGION_BEGIN) != 0;
        loops += i->op == ISA_loop;
        stored |= loops && i->op == ISA_st && at_place(k, i, s);
        loaded |= loops && i->op == ISA_ld && at_place(k, i, s);
        loops -= i->op == ISA_endloop;
        depth -= (flags & ISA_OP_REGION_END) != 0;
        if (depth) continue;
        worth |= stored && loaded;
        if (worth && flags & ISA_OP_REGION_END) to = n;
    }
    return to;
}

/* The first such place from instruction n on. */
static bool find(const struct isa_kernel *k, uint32_t n, struct kept_sum *found) {
    for (; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op != ISA_st || i->count != 1 || i->flags & ISA_VOLATILE) continue;
        if (i->space != ISA_GLOBAL || !isa_is_reg(isa_srcs(k, i)[0])) continue;
        *found = (struct kept_sum){.from = n, .to = end_of(k, n)};
        if (found->to) return true;
    }
    return false;
}

static void move(struct isa_kernel *k, enum isa_type type, isa_operand to, isa_operand from) {
    isa_emit(k, ISA_mov, type, ISA_NONE_T, 1, &to, 1, &from);
}

static void rewrite(struct isa_kernel *k, struct arena *arena, const struct kept_sum *places,
                    uint32_t count) {
    struct rewrite_code old = rewrite_take(k, arena);
    const struct isa_inst *store = NULL;
    isa_operand at = ISA_NO_OPERAND;
    uint32_t p = 0;
    for (uint32_t n = 0; n < old.ninsts && !isa_kernel_failed(k); n++) {
        const struct isa_inst *i = &old.insts[n];
        const isa_operand *dst = old.operands + i->operands, *src = dst + i->ndst;
        k->cur_file = i->file;
        k->cur_line = i->line;
        if (p < count && n == places[p].from) {
            store = i;
            at = src[0];
        }
        bool same = store && accesses(i, src, store, at);
        if (same && i->op == ISA_ld) {
            isa_site_remove(k, i->site, ISA_REMOVED_forwarded);
            move(k, (enum isa_type)i->type, dst[0], places[p].reg);
            continue;
        }
        rewrite_put(k, i, dst, src);
        if (same) move(k, (enum isa_type)i->type, places[p].reg, src[1]);
        if (!store || n != places[p].to) continue;
        k->cur_file = store->file;
        k->cur_line = store->line;
        rewrite_put(k, store, NULL, (isa_operand[]){at, places[p++].reg});
        store = NULL;
    }
}

void opt_keep(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct kept_sum *places = ARENA_ARRAY(arena, struct kept_sum, k->ninsts + 1u);
    uint32_t count = 0, n = 0;
    while (find(k, n, &places[count])) {
        const struct isa_inst *s = &k->insts[places[count].from];
        trace_tell(p, s, "what is stored here is in a register, too, while loops add to it");
        places[count].reg = isa_reg_new(k, (enum isa_type)s->type);
        n = places[count++].to + 1;
    }
    if (count && !isa_kernel_failed(k)) rewrite(k, arena, places, count);
}
