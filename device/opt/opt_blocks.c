/* Blocks that are left early, as functions that return early and iterations that are left behind
 * become: what follows where lanes leave is the other part of an if. Passes see then what they see
 * of kernels that are written so. */
#include <string.h>

#include "device/isa/kernelcopy.h"
#include "device/isa/rewrite.h"
#include "opt_pass.h"
#include "regions.h"

enum { MOST_IFS = 8 /* of a block; unrolled loops that are left have more */ };

/* What becomes of an instruction. */
enum becoming {
    AS_IT_IS,
    GONE,  /* of a block: where it begins, and unconditional jumps out of it; */
    ENDS,  /* where it ends: ends the ifs in it; */
    IF,    /* a jump by a condition: an if, the other part of which begins; */
    OTHER, /* the end of an if behind which lanes have left: the other part begins */
};

struct blocks {
    const struct isa_kernel *k;
    uint8_t *what; /* of each instruction */
    uint32_t most; /* ifs one in the other that there may be more */
};

static bool is_block(const struct isa_kernel *k, uint32_t n) {
    return n < k->ninsts && k->insts[n].op == ISA_block;
}

/* The end of an if without another part, from which the jump at n, its last instruction, leads out;
 * or 0. */
static uint32_t end_behind(const struct isa_kernel *k, uint32_t n) {
    const struct isa_inst *i = &k->insts[n + 1];
    return i->op == ISA_endif && k->insts[i->match].match == n + 1 ? n + 1 : 0;
}

/* The block that begins there can be ifs: all jumps out of it are by a condition in it, or at the
 * end of an if in it. Not of a switch: blocks in blocks. Returns how many ifs it makes. */
static uint32_t look_at(const struct blocks *x, uint32_t begin, uint8_t *what) {
    const struct isa_kernel *k = x->k;
    uint32_t end = k->insts[begin].match, depth = 0, count = 0;
    if (is_block(k, begin + 1) || (begin && is_block(k, begin - 1))) return 0;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        uint32_t flags = isa_op_info[i->op].flags, behind;
        if (flags & ISA_OP_REGION_BEGIN) depth++;
        if (flags & ISA_OP_REGION_END) depth--;
        if (!regions_left(i) || (uint32_t)i->imm != depth) continue;
        if (i->op == ISA_breakif && depth == 0) {
            what[n] = IF;
        } else if (i->op == ISA_break && depth == 1 && (behind = end_behind(k, n))) {
            what[n] = GONE;
            what[behind] = OTHER;
        } else {
            return 0;
        }
        count++;
    }
    what[begin] = GONE;
    what[end] = ENDS;
    return count;
}

static bool find(struct blocks *x, struct arena *arena, const struct trace_pass *p) {
    uint8_t *what = ARENA_ARRAY(arena, uint8_t, x->k->ninsts + 1u);
    bool any = false;
    for (uint32_t n = 0; n < x->k->ninsts; n++) {
        if (!is_block(x->k, n)) continue;
        uint32_t size = x->k->insts[n].match - n + 1;
        memcpy(what + n, x->what + n, size);
        uint32_t count = look_at(x, n, what);
        if (!count || count > MOST_IFS || count > x->most) continue;
        memcpy(x->what + n, what + n, size);
        trace_tell(p, &x->k->insts[n], "%u ifs in place of jumps out of a block", count);
        x->most -= count;
        any = true;
    }
    return any;
}

struct block_writer {
    struct kernelcopy c;
    struct regions r;
    uint32_t ifs[ISA_MAX_NESTING + 1]; /* that are open at each depth in place of a block */
};

static void put_other(struct block_writer *w) {
    kernelcopy_control(&w->c, ISA_else, ISA_NO_OPERAND);
    w->ifs[w->r.depth]++;
}

/* What is not the end of a region. */
static void put(struct block_writer *w, uint32_t n, enum becoming what) {
    const struct isa_inst *i = &w->c.k->insts[n];
    if (what == IF) {
        kernelcopy_add(&w->c, ISA_if, ISA_NONE_T, ISA_NO_OPERAND, isa_srcs(w->c.k, i)[0],
                       ISA_NO_OPERAND)
            ->site = i->site;
        w->r.now++;
        put_other(w);
    } else if (what == AS_IT_IS) {
        regions_put(&w->r, &w->c, n);
    }
    if (!(isa_op_info[i->op].flags & ISA_OP_REGION_BEGIN)) return;
    regions_begin(&w->r, what == AS_IT_IS);
    w->ifs[w->r.depth] = 0;
}

static void put_end(struct block_writer *w, uint32_t n, enum becoming what) {
    uint32_t ifs = w->ifs[w->r.depth];
    if (what == AS_IT_IS) kernelcopy_put(&w->c, n);
    regions_end(&w->r, what == AS_IT_IS);
    if (what == OTHER) put_other(w);
    if (what != ENDS) return;
    w->r.now -= ifs;
    while (ifs--) kernelcopy_control(&w->c, ISA_endif, ISA_NO_OPERAND);
}

void opt_blocks(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    struct blocks x = {.k = k, .what = ARENA_ARRAY(arena, uint8_t, k->ninsts + 1u)};
    struct block_writer w = {.r = {.depth = 0}};
    x.most = ISA_MAX_NESTING - rewrite_nesting(k);
    if (!find(&x, arena, p)) return;
    kernelcopy_take(&w.c, k, arena);
    for (uint32_t n = 0; n < w.c.k->ninsts && !isa_kernel_failed(k); n++) {
        bool ends = isa_op_info[w.c.k->insts[w.c.at = n].op].flags & ISA_OP_REGION_END;
        (ends ? put_end : put)(&w, n, (enum becoming)x.what[n]);
    }
}
