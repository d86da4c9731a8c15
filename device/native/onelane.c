/* Loops that lanes leave one by one and that do little but read memory at places far apart: a host
 * takes the elements of a gather one after the other anyhow, and spends most of it on lanes that
 * have left. Where many turns are to come they are done by scalar code, lane after lane; of loads
 * of which none waits for another the host keeps as many in flight as a gather has, and places that
 * a lane goes through in order are fetched before they are asked for. */
#include <stdlib.h>
#include <string.h>

#include "emit.h"

enum {
    TURNS = 8,          /* before it is worth the branch that each lane will guess wrong */
    MOST_INSTS = 64,    /* of a loop */
    MOST_VALUES = 32,   /* that a lane brings */
    INSTS_A_GATHER = 5, /* at most: what a vector of lanes is good at weighs no more */
    UNROLLED = 48,      /* instructions of turns, one behind the other */
    MOST_STEP = 1 << 16 /* bytes between a load's places in two turns */
};

/* ---- which loops ---- */

/* Computed alike for one lane and for all, without help from C. */
static bool plain(const struct emitter *e, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (!(flags & ISA_OP_PURE) || (flags & ISA_OP_MATH)) return false;
    switch (i->op) {
    case ISA_special: return isa_special_uniform[i->imm];
    case ISA_s2f:
    case ISA_u2f: return i->mod == ISA_RTE;
    case ISA_f2f:
    case ISA_h2f:
    case ISA_f2h: return false;
    case ISA_fma:
    case ISA_mad: return i->type == ISA_F32 || e->request->level != NATIVE_BASELINE;
    default: return true;
    }
}

static bool is_load(const struct isa_inst *i) {
    return i->op == ISA_ld && i->space != ISA_PRIVATE && !(i->flags & ISA_VOLATILE);
}

static bool allowed(const struct emitter *e, const struct isa_inst *i) {
    if (i->op == ISA_breakif) return i->imm == 0;
    return is_load(i) || plain(e, i);
}

/* Neither one place nor elements close together. */
static bool is_gather(const struct emitter *e, const struct isa_inst *i) {
    if (!is_load(i) || i->space == ISA_PARAM) return false;
    isa_operand at = isa_srcs(e->k, i)[0];
    int32_t near = 4 * i->count * (int32_t)isa_type_size[i->type];
    return isa_is_reg(at) &&
           (e->kinds[at] == KIND_VARYING || abs(e->shape->regs[at].stride) > near);
}

/* Marks in `set` the registers that instructions of the loop make of those in it. */
static void follow(const struct emitter *e, uint32_t begin, uint32_t end, uint8_t *set) {
    const struct isa_kernel *k = e->k;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = begin + 1; n < end; n++) {
            const struct isa_inst *i = &k->insts[n];
            bool from = false;
            for (unsigned s = 0; s < i->nsrc; s++)
                from |= isa_is_reg(isa_srcs(k, i)[s]) && set[isa_srcs(k, i)[s]];
            for (unsigned d = 0; from && d < i->ndst; d++) {
                changed |= !set[isa_dsts(k, i)[d]];
                set[isa_dsts(k, i)[d]] = 1;
            }
        }
    }
}

/* Whether where a load reads depends on what one of an earlier turn has read: those would wait for
 * one another. `set`: of registers, all 0. */
static bool chases(const struct emitter *e, uint32_t begin, uint32_t end, uint8_t *set) {
    const struct isa_kernel *k = e->k;
    for (uint32_t n = begin + 1; n < end; n++)
        if (is_load(&k->insts[n]))
            for (unsigned d = 0; d < k->insts[n].ndst; d++) set[isa_dsts(k, &k->insts[n])[d]] = 1;
    follow(e, begin, end, set);
    /* Those stay that a turn reads before it writes them. */
    for (uint32_t n = end; n-- > begin + 1;) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned d = 0; d < i->ndst; d++) set[isa_dsts(k, i)[d]] &= 1;
        for (unsigned s = 0; s < i->nsrc; s++) {
            isa_operand o = isa_srcs(k, i)[s];
            if (isa_is_reg(o) && set[o]) set[o] = 3;
        }
    }
    for (uint32_t r = 0; r < k->nregs; r++) set[r] >>= 1;
    follow(e, begin, end, set);
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (is_load(i) && i->nsrc && isa_is_reg(isa_srcs(k, i)[0]) && set[isa_srcs(k, i)[0]])
            return true;
    }
    return false;
}

/* A register that the turns of a loop write and what follows reads. */
static bool is_result(const struct emitter *e, isa_operand reg, uint32_t end) {
    return e->last[reg] > end;
}

struct moved { /* a register of the loop */
    isa_operand reg;
    bool result;
    struct value v; /* as it comes; VARYING: it lies in memory */
    LLVMValueRef lanes;
};

/* What the loop reads of the code before it, or writes for the code after it. Returns how many,
 * or more than MOST_VALUES. */
static unsigned find_moved(const struct emitter *e, uint32_t begin, struct moved *m) {
    const struct isa_kernel *k = e->k;
    unsigned count = 0;
    for (uint32_t n = begin + 1; n < k->insts[begin].match; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
            isa_operand reg = k->operands[i->operands + o];
            if (!isa_is_reg(reg)) continue;
            bool result = o < i->ndst && is_result(e, reg, k->insts[begin].match);
            unsigned at = 0;
            while (at < count && m[at].reg != reg) at++;
            if (at == count && !result && e->first[reg] > begin) continue;
            if (at == MOST_VALUES) return MOST_VALUES + 1;
            if (at == count) m[count++] = (struct moved){.reg = reg};
            m[at].result |= result;
        }
    }
    return count;
}

static bool fits(const struct emitter *e, uint32_t begin, uint8_t *set) {
    const struct isa_kernel *k = e->k;
    uint32_t end = k->insts[begin].match, gathers = 0, count = end - begin - 1;
    struct moved m[MOST_VALUES];
    bool left = false;
    if (count > MOST_INSTS) return false;
    for (uint32_t n = begin + 1; n < end; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (!allowed(e, i)) return false;
        if (is_gather(e, i)) gathers += i->count;
        left |= isa_op_info[i->op].flags & ISA_OP_JUMP;
        for (unsigned d = 0; d < i->ndst; d++) {
            isa_operand dst = isa_dsts(k, i)[d];
            if (is_result(e, dst, end) && e->kinds[dst] != KIND_VARYING) return false;
        }
    }
    return left && gathers && count <= INSTS_A_GATHER * gathers &&
           find_moved(e, begin, m) <= MOST_VALUES && !chases(e, begin, end, set);
}

/* Room for the registers as one lane has them: scalars. */
static bool make_room(struct emitter *e) {
    size_t regs = e->k->nregs + 1ull;
    e->lane.kinds = malloc(regs);
    e->lane.shared = malloc(regs);
    e->lane.slots = calloc(regs * e->bundle * 2, sizeof *e->lane.slots);
    if (!e->lane.kinds || !e->lane.shared || !e->lane.slots) return false;
    memset(e->lane.kinds, KIND_UNIFORM, regs);
    memset(e->lane.shared, 1, regs);
    return true;
}

bool onelane_plan(struct emitter *e) {
    uint8_t *set = malloc(e->k->nregs + 1ull);
    bool any = false;
    if (!set) return false;
    for (uint32_t n = 0; n < e->k->ninsts; n++) {
        if (e->k->insts[n].op != ISA_loop || !e->waits[n]) continue;
        memset(set, 0, e->k->nregs + 1ull);
        any |= e->onelane[n] = fits(e, n, set);
    }
    free(set);
    return !any || make_room(e);
}

void onelane_free(struct emitter *e) {
    free(e->lane.kinds);
    free(e->lane.shared);
    free(e->lane.slots);
}

/* ---- the code ---- */

/* Predicates lie in memory as bytes. */
static LLVMTypeRef stored(struct emitter *e, enum isa_type type, bool vector) {
    if (type == ISA_PRED) type = ISA_I8;
    return vector ? e->vector[type] : e->scalar[type];
}

static LLVMValueRef lane_at(struct emitter *e, const struct moved *m, LLVMValueRef lane) {
    return LLVMBuildGEP2(e->b, stored(e, m->v.type, false), m->lanes, &lane, 1, "");
}

static LLVMValueRef lane_value(struct emitter *e, const struct moved *m, LLVMValueRef lane) {
    LLVMTypeRef type = e->scalar[m->v.type];
    if (m->v.kind == KIND_VARYING) {
        LLVMValueRef v = LLVMBuildLoad2(e->b, stored(e, m->v.type, false), lane_at(e, m, lane), "");
        return m->v.type == ISA_PRED ? LLVMBuildTrunc(e->b, v, type, "") : v;
    }
    if (m->v.kind == KIND_UNIFORM) return m->v.v[0];
    LLVMValueRef v = m->v.v[0];
    if (m->v.kind == KIND_HALVES) {
        LLVMValueRef half = LLVMConstInt(e->wide, ISA_WARP / 2, false);
        LLVMValueRef low = LLVMBuildICmp(e->b, LLVMIntULT, lane, half, "");
        v = LLVMBuildSelect(e->b, low, v, m->v.v[1], "");
        lane = LLVMBuildAnd(e->b, lane, LLVMConstInt(e->wide, ISA_WARP / 2 - 1, false), "");
    }
    if (!m->v.stride) return v;
    LLVMValueRef by = LLVMConstInt(type, (uint64_t)(int64_t)m->v.stride, true);
    by = LLVMBuildMul(e->b, LLVMBuildTrunc(e->b, lane, type, ""), by, "");
    return LLVMBuildAdd(e->b, v, by, "");
}

static void put_lanes(struct emitter *e, struct moved *m, unsigned count) {
    for (unsigned n = 0; n < count; n++) {
        m[n].v = value_read(e, m[n].reg, e->from);
        if (m[n].v.kind != KIND_VARYING) continue;
        m[n].lanes = assisted_buffer(e, n);
        LLVMValueRef v = m[n].v.v[0];
        if (m[n].v.type == ISA_PRED) v = LLVMBuildZExt(e->b, v, e->vector[ISA_I8], "");
        LLVMBuildStore(e->b, v, m[n].lanes);
    }
}

static void take_lanes(struct emitter *e, const struct moved *m, unsigned count) {
    for (unsigned n = 0; n < count; n++) {
        if (!m[n].result) continue;
        LLVMTypeRef type = stored(e, m[n].v.type, true);
        LLVMValueRef v = LLVMBuildLoad2(e->b, type, m[n].lanes, "");
        if (m[n].v.type == ISA_PRED) v = LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(type), "");
        LLVMBuildStore(e->b, v, value_slot(e, m[n].reg, e->from)[0]);
    }
}

/* A loop while its lanes are run. */
struct lane_run {
    uint32_t begin, test, end; /* instructions: its first, the first that leaves it, its last */
    struct moved m[MOST_VALUES];
    unsigned count;
    LLVMValueRef at[MOST_INSTS]; /* variables: host addresses of loads that go in steps, */
    int32_t step[MOST_INSTS];    /* and these; 0: it does not */
};

static struct lane_run run_of(const struct emitter *e) {
    struct lane_run p = {.begin = e->i, .test = e->i, .end = e->k->insts[e->i].match};
    while (e->k->insts[p.test].op != ISA_breakif) p.test++;
    return p;
}

static LLVMValueRef *scalar_slot(const struct emitter *e, isa_operand reg) {
    return &e->lane.slots[(size_t)reg * e->bundle * 2];
}

static void make_scalars(struct emitter *e, const struct lane_run *p) {
    const struct isa_kernel *k = e->k;
    for (uint32_t n = p->begin + 1; n < p->end; n++) {
        const struct isa_inst *i = &k->insts[n];
        for (unsigned o = 0; o < i->ndst + (unsigned)i->nsrc; o++) {
            isa_operand reg = k->operands[i->operands + o];
            if (isa_is_reg(reg) && !*scalar_slot(e, reg))
                *scalar_slot(e, reg) = emit_alloca(e, e->scalar[k->reg_types[reg]], "");
        }
    }
}

/* From here on registers mean those of one lane; or again the warp's. */
static void change_over(struct emitter *e, const struct lane_run *p) {
    struct emitter_registers other = {e->kinds, e->shared, e->slots};
    e->kinds = e->lane.kinds;
    e->shared = e->lane.shared;
    e->slots = e->lane.slots;
    e->lane = other;
    e->one_lane = !e->one_lane;
    e->i = p->begin;
    e->inst = &e->k->insts[p->begin];
}

/* ---- where loads read ---- */

/* By how much an operand grows from turn to turn, modulo 2^32, as instructions before `until` see
 * it. A counter is stepped behind them all. */
static bool grows(const struct emitter *e, const struct lane_run *p, isa_operand o, uint32_t until,
                  uint32_t *by) {
    *by = 0;
    if (!isa_is_reg(o)) return true;
    uint32_t n = turns_writer(e, p->begin, o), x, y;
    const struct isa_inst *i = &e->k->insts[n];
    const isa_operand *s = isa_srcs(e->k, i);
    if (n == p->begin) return true;
    if (n == p->end || i->type != ISA_I32) return false;
    bool constant = i->nsrc == 2 && isa_is_const(s[1]);
    uint32_t c = constant ? (uint32_t)e->k->consts[isa_const_index(s[1])].bits : 0;
    if (i->op == ISA_add && s[0] == o && constant) {
        *by = c;
        return n >= until;
    }
    if (n >= until) return false;
    switch (i->op) {
    case ISA_mov: return grows(e, p, s[0], n, by);
    case ISA_add:
    case ISA_sub:
        if (!grows(e, p, s[0], n, &x) || !grows(e, p, s[1], n, &y)) return false;
        *by = i->op == ISA_add ? x + y : x - y;
        return true;
    case ISA_shl:
    case ISA_mul:
        if (!constant || !grows(e, p, s[0], n, &x)) return false;
        *by = i->op == ISA_mul ? x * c : x << (c & 31);
        return true;
    default: return false;
    }
}

static void find_steps(struct emitter *e, struct lane_run *p) {
    for (uint32_t n = p->begin + 1; n < p->end; n++) {
        const struct isa_inst *i = &e->k->insts[n];
        uint32_t by = 0;
        if (!is_load(i) || i->space == ISA_PARAM || !isa_is_reg(isa_srcs(e->k, i)[0])) continue;
        if (!grows(e, p, isa_srcs(e->k, i)[0], n, &by) || by + MOST_STEP > 2 * MOST_STEP) continue;
        p->step[n - p->begin] = (int32_t)by;
        if (by) p->at[n - p->begin] = emit_alloca(e, e->pointer, "at");
    }
}

/* Where the lane's loads begin that go in steps. What they need is computed ahead of the turns. */
static void find_places(struct emitter *e, const struct lane_run *p) {
    for (uint32_t n = p->begin + 1; n < p->end; n++) {
        const struct isa_inst *i = &e->k->insts[n];
        uint32_t by;
        if (p->step[n - p->begin]) {
            struct value at = value_read(e, isa_srcs(e->k, i)[0], e->from);
            LLVMBuildStore(e->b, access_host(e, at.v[0], 0), p->at[n - p->begin]);
        } else if (plain(e, i) && i->ndst == 1 && isa_dsts(e->k, i)[0] != isa_srcs(e->k, i)[0] &&
                   grows(e, p, isa_dsts(e->k, i)[0], p->end, &by)) {
            emit_range(e, n, n + 1);
        }
    }
}

/* The host address of a load that is not on its way. A sum of which one part is the same at every
 * turn is counted from the sandbox's lowest address on: so it is extended by zeros, which hosts do
 * for nothing. */
static LLVMValueRef place(struct emitter *e, const struct lane_run *p, uint32_t n) {
    isa_operand at = isa_srcs(e->k, &e->k->insts[n])[0];
    const struct isa_inst *sum =
        isa_is_reg(at) ? &e->k->insts[turns_writer(e, p->begin, at)] : NULL;
    uint32_t w = sum ? (uint32_t)(sum - e->k->insts) : 0;
    for (unsigned s = 0; sum && sum->op == ISA_add && w < n && s < 2; s++) {
        isa_operand part = isa_srcs(e->k, sum)[s], rest = isa_srcs(e->k, sum)[!s];
        if (!turns_invariant(e, p->begin, part) || !isa_is_reg(rest) ||
            turns_writer(e, p->begin, rest) >= w)
            continue;
        LLVMValueRef x = value_read(e, part, e->from).v[0], y = value_read(e, rest, e->from).v[0];
        x = LLVMBuildXor(e->b, x, emit_word(e, 1u << 31), "");
        x = LLVMBuildZExt(e->b, LLVMBuildAdd(e->b, x, y, ""), e->wide, "");
        LLVMValueRef low = LLVMConstInt(e->wide, (uint64_t)INT32_MIN, true);
        low = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->context), e->base, &low, 1, "");
        return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->context), low, &x, 1, "");
    }
    return access_host(e, value_read(e, at, e->from).v[0], 0);
}

/* A load. What goes in steps reads all that it comes to, so that it cannot pass the end of the
 * sandbox without a fault. */
static void load(struct emitter *e, const struct lane_run *p, uint32_t n) {
    const struct isa_inst *i = e->inst = &e->k->insts[e->i = n];
    LLVMTypeRef byte = LLVMInt8TypeInContext(e->context);
    LLVMValueRef slot = p->at[n - p->begin], v[16], by, at;
    at = slot ? LLVMBuildLoad2(e->b, e->pointer, slot, "") : place(e, p, n);
    for (unsigned c = 0; c < i->count; c++) {
        by = LLVMConstInt(e->wide, (uint64_t)((int64_t)i->imm + c * isa_type_size[i->type]), true);
        v[c] = access_plain(e, e->scalar[i->type], LLVMBuildGEP2(e->b, byte, at, &by, 1, ""));
    }
    for (unsigned c = 0; c < i->count; c++)
        value_write(e, isa_dsts(e->k, i)[c], e->from,
                    value_of(KIND_UNIFORM, (enum isa_type)i->type, v[c]));
    if (!slot) return;
    by = LLVMConstInt(e->wide, (uint64_t)(int64_t)p->step[n - p->begin], true);
    LLVMBuildStore(e->b, LLVMBuildGEP2(e->b, byte, at, &by, 1, ""), slot);
}

/* ---- lanes ---- */

static void take(struct emitter *e, const struct lane_run *p, LLVMValueRef lane) {
    for (unsigned n = 0; n < p->count; n++) {
        LLVMValueRef v = lane_value(e, &p->m[n], lane);
        LLVMBuildStore(e->b, v, *scalar_slot(e, p->m[n].reg));
    }
}

static void put(struct emitter *e, const struct lane_run *p, LLVMValueRef lane) {
    for (unsigned n = 0; n < p->count; n++) {
        const struct moved *m = &p->m[n];
        if (!m->result) continue;
        LLVMValueRef v = *scalar_slot(e, m->reg);
        v = LLVMBuildLoad2(e->b, e->scalar[m->v.type], v, "");
        if (m->v.type == ISA_PRED) v = LLVMBuildZExt(e->b, v, e->scalar[ISA_I8], "");
        LLVMBuildStore(e->b, v, lane_at(e, m, lane));
    }
}

/* Instructions from `from` on up to `to` for the lane. */
static void emit_part(struct emitter *e, const struct lane_run *p, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++)
        if (is_load(&e->k->insts[n]) && e->k->insts[n].space != ISA_PARAM)
            load(e, p, n);
        else
            emit_range(e, n, n + 1);
}

/* The loop for one lane: where most turns are left is at its end. */
static void run_lane(struct emitter *e, const struct lane_run *p, LLVMValueRef lane) {
    struct open_region around = e->open[e->depth];
    LLVMBasicBlockRef turn = emit_block(e, "turn"), exit = emit_block(e, "");
    take(e, p, lane);
    change_over(e, p);
    e->open[e->depth] = (struct open_region){.loop = true, .exit = exit};
    find_places(e, p);
    emit_part(e, p, p->begin + 1, p->test + 1);
    LLVMBuildBr(e->b, turn);
    LLVMPositionBuilderAtEnd(e->b, turn);
    for (uint32_t u = 0; u == 0 || u * (p->end - p->begin) < UNROLLED; u++) {
        emit_part(e, p, p->test + 1, p->end);
        emit_part(e, p, p->begin + 1, p->test + 1);
    }
    LLVMBuildBr(e->b, turn);
    LLVMPositionBuilderAtEnd(e->b, exit);
    change_over(e, p);
    e->open[e->depth] = around;
    put(e, p, lane);
}

/* ---- when ---- */

/* The turns that each lane has before it, about, where the loop ends when a counter has come to a
 * limit; or NULL. */
static LLVMValueRef turns_ahead(struct emitter *e, const struct lane_run *p) {
    const struct isa_kernel *k = e->k;
    uint32_t by[2];
    isa_operand condition = isa_srcs(k, &k->insts[p->test])[0];
    if (!isa_is_reg(condition)) return NULL;
    uint32_t test = turns_writer(e, p->begin, condition);
    const struct isa_inst *i = &k->insts[test];
    if (i->op < ISA_lt_s || i->op > ISA_le_u || i->type2 != ISA_I32) return NULL;
    LLVMValueRef v[2];
    for (unsigned s = 0; s < 2; s++) {
        isa_operand o = isa_srcs(k, i)[s];
        if (!grows(e, p, o, test, &by[s])) return NULL;
        if (isa_is_reg(o) && turns_writer(e, p->begin, o) > p->begin &&
            turns_writer(e, p->begin, o) < test)
            return NULL;
        struct value x = value_read(e, o, e->from);
        v[s] = value_vector(e, &x);
    }
    int32_t step = (int32_t)(by[0] - by[1]);
    if (!step) return NULL;
    LLVMTypeRef type = e->vector[ISA_I32];
    LLVMValueRef way =
        step > 0 ? LLVMBuildSub(e->b, v[1], v[0], "") : LLVMBuildSub(e->b, v[0], v[1], "");
    if (step < 0) step = -step;
    LLVMValueRef args[] = {way, emit_splat(e, emit_word(e, 0))};
    way = emit_intrinsic(e, "llvm.smax", &type, 1, args, 2);
    return LLVMBuildUDiv(e->b, way, emit_splat(e, emit_word(e, (uint32_t)step)), "");
}

/* Before the loop begins: at which turn the count of turns begins. Where it is known that enough
 * are to come there is nothing to wait for. */
LLVMValueRef onelane_begin(struct emitter *e) {
    struct lane_run p = run_of(e);
    LLVMValueRef turns = emit_alloca(e, e->word, "turns"), ahead = turns_ahead(e, &p);
    LLVMValueRef first = emit_word(e, 0);
    if (ahead) {
        LLVMTypeRef type = LLVMTypeOf(ahead);
        LLVMValueRef most[] = {ahead, emit_splat(e, emit_word(e, 1 << 16))};
        ahead = emit_intrinsic(e, "llvm.umin", &type, 1, most, 2);
        LLVMValueRef none = LLVMConstNull(type);
        if (!emit_full(e)) ahead = LLVMBuildSelect(e->b, emit_mask(e, e->from), ahead, none, "");
        LLVMValueRef sum = emit_intrinsic(e, "llvm.vector.reduce.add", &type, 1, &ahead, 1);
        LLVMValueRef many =
            LLVMBuildICmp(e->b, LLVMIntUGE, sum, emit_word(e, TURNS * ISA_WARP), "");
        first = LLVMBuildSelect(e->b, many, emit_word(e, TURNS), first, "");
    }
    LLVMBuildStore(e->b, first, turns);
    return turns;
}

/* At the beginning of a turn, counted in `turns`: after some of them does all that is left of the
 * loop. The builder is then left where that has been done; returns the place where it has not. */
LLVMBasicBlockRef onelane_emit(struct emitter *e, LLVMValueRef turns) {
    struct lane_run p = run_of(e);
    p.count = find_moved(e, p.begin, p.m);
    LLVMBasicBlockRef lanes = emit_block(e, "lanes"), next = emit_block(e, "");
    LLVMValueRef at = LLVMBuildLoad2(e->b, e->word, turns, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, at, emit_word(e, 1), ""), turns);
    LLVMValueRef enough = LLVMBuildICmp(e->b, LLVMIntEQ, at, emit_word(e, TURNS), "");
    LLVMBuildCondBr(e->b, enough, lanes, next);
    LLVMPositionBuilderAtEnd(e->b, lanes);
    put_lanes(e, p.m, p.count);
    make_scalars(e, &p);
    find_steps(e, &p);
    struct lane_loop t;
    LLVMValueRef on = LLVMBuildLoad2(e->b, e->vector[ISA_PRED], e->mask[e->from], "");
    scattered_begin(e, &t, emit_bits(e, on));
    run_lane(e, &p, t.lane);
    scattered_end(e, &t);
    take_lanes(e, p.m, p.count);
    return next;
}
