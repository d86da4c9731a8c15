/* Loads and stores: how the addresses of a warp lie decides how its lanes are moved. */
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

LLVMValueRef access_host(struct emitter *e, LLVMValueRef address, int64_t displacement) {
    LLVMTypeRef wide = emit_is_vector(address) ? e->c->vector[ISA_I64] : e->c->wide;
    LLVMValueRef offset = LLVMBuildSExt(e->b, address, wide, "");
    LLVMValueRef at = displacement ? emit_inside(e, e->base, displacement) : e->base;
    return emit_beyond(e, at, offset);
}

LLVMValueRef access_on_page(struct emitter *e, LLVMValueRef address, unsigned bytes) {
    LLVMValueRef in_page = LLVMBuildAnd(e->b, address, emit_word(e, ACCESS_PAGE - 1), "");
    return emit_compare(e, LLVMIntULE, in_page, ACCESS_PAGE - bytes);
}

void access_mark(struct emitter *e, LLVMValueRef access) {
    LLVMSetAlignment(access, 1);
    if (isa_is_watched(e->inst)) LLVMSetVolatile(access, true);
}

/* Memory that nothing changes while the kernel runs. */
void access_invariant(struct emitter *e, LLVMValueRef load) {
    emit_metadata(e, load, "invariant.load", NULL, 0);
}

static LLVMValueRef load(struct emitter *e, LLVMTypeRef type, LLVMValueRef at) {
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, at, "");
    access_mark(e, v);
    if (e->inst->space == ISA_CONSTANT && !isa_is_watched(e->inst)) access_invariant(e, v);
    return v;
}

/* A vector of many registers, half by half: LLVM would load them from the last to the first one,
 * and a CPU fetches ahead for ascending addresses: copies are half as fast. */
static LLVMValueRef load_in_order(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, bool part) {
    enum { MOST = 128 /* bytes */ };
    unsigned count = LLVMGetVectorSize(type);
    uint64_t bytes = count * (uint64_t)isa_type_size[e->inst->type];
    if (bytes <= MOST || count % 2) {
        LLVMValueRef v = load(e, type, at);
        if (part) LLVMSetVolatile(v, true); /* those keep their order */
        return v;
    }
    LLVMTypeRef half = LLVMVectorType(LLVMGetElementType(type), count / 2);
    LLVMValueRef low = load_in_order(e, half, at, true),
                 high = load_in_order(e, half, emit_inside(e, at, (int64_t)(bytes / 2)), true);
    return value_picked(e->b, low, high, 0, 1, count);
}

LLVMValueRef access_plain(struct emitter *e, LLVMTypeRef type, LLVMValueRef at) {
    bool wide = LLVMGetTypeKind(type) == LLVMVectorTypeKind && !isa_is_watched(e->inst);
    return wide ? load_in_order(e, type, at, false) : load(e, type, at);
}

/* A masked access: args without the alignment, the pointer being number `at`. LLVM before 22 takes
 * the alignment as an operand behind the pointer, later ones as the pointer's attribute. */
static LLVMValueRef masked(struct emitter *e, const char *name, LLVMTypeRef *types,
                           const LLVMValueRef args[3], unsigned at, unsigned align) {
#if LLVM_VERSION_MAJOR < 22
    LLVMValueRef all[4];
    for (unsigned i = 0; i < 3; i++) all[i + (i > at)] = args[i];
    all[at + 1] = emit_word(e, align);
    return emit_typed(e, name, types, 2, all, 4);
#else
    LLVMValueRef all[] = {args[0], args[1], args[2]};
    LLVMValueRef call = emit_typed(e, name, types, 2, all, 3);
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, at + 1, LLVMCreateEnumAttribute(e->c->context, kind, align));
    return call;
#endif
}

/* Of rows that are read once those of the next groups. */
static void ask_for_next(struct emitter *e, LLVMTypeRef type, LLVMValueRef at) {
    enum { LINE = 64, BEHIND = 4096 };
    int64_t bytes = (int64_t)LLVMGetVectorSize(type) * isa_type_size[e->inst->type];
    if (!plan_get(e->plan, rowloads)->of[e->i] || plan_off(e->plan, PLAN_ahead)) return;
    for (int64_t n = 0; n < bytes; n += LINE)
        access_prefetch(e, emit_inside(e, at, BEHIND + n), false);
    emit_tell(e, PLAN_ahead, "the rows that the next groups load");
}

LLVMValueRef access_row(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask) {
    LLVMTypeRef types[] = {type, e->c->pointer};
    ask_for_next(e, type, at);
    if (!mask) return access_plain(e, type, at);
    return masked(e, "llvm.masked.load", types, (LLVMValueRef[]){at, mask, LLVMConstNull(type)}, 0,
                  1);
}

/* Rows of a group that lie apart, or columns, where nothing foresees which lines a group writes. */
static bool is_across(const struct emitter *e) {
    const uint32_t *size = e->plan->request->local_size;
    return (size[0] <= ISA_WARP && size[1] * size[2] > 1) ||
           plan_get(e->plan, transposed)->of[e->i];
}

void access_prefetch(struct emitter *e, LLVMValueRef at, bool write) {
    enum { EACH_LEVEL = 3, DATA = 1 };
    emit_intrinsic(e, "llvm.prefetch", at, emit_word(e, write), emit_word(e, EACH_LEVEL),
                   emit_word(e, DATA));
}

void access_ahead(struct emitter *e, LLVMTypeRef type, LLVMValueRef at) {
    int64_t bytes = (int64_t)LLVMGetVectorSize(type) * isa_type_size[e->inst->type];
    if (e->inst->space != ISA_GLOBAL || !is_across(e) || plan_off(e->plan, PLAN_ahead)) return;
    for (unsigned n = 0; n < 2; n++)
        access_prefetch(e, n ? emit_inside(e, at, bytes - 1) : at, true);
    emit_tell(e, PLAN_ahead, "the lines of a row that is stored");
}

void access_put_row(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask) {
    LLVMTypeRef types[] = {LLVMTypeOf(v), e->c->pointer};
    struct ways y = {0};
    stream_put(e, &y, v, at, mask);
    if (!mask) access_ahead(e, LLVMTypeOf(v), at);
    if (mask)
        masked(e, "llvm.masked.store", types, (LLVMValueRef[]){v, at, mask}, 1, 1);
    else
        access_mark(e, LLVMBuildStore(e->b, v, at));
    /* One under a mask LLVM does not know to be volatile. */
    if (mask && isa_is_watched(e->inst))
        LLVMBuildFence(e->b, LLVMAtomicOrderingAcquireRelease, true, "");
    ways_end(e, &y, NULL, 0);
}

LLVMValueRef access_gather(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, unsigned align,
                           LLVMValueRef mask) {
    LLVMTypeRef types[] = {type, LLVMTypeOf(at)};
    LLVMValueRef args[] = {at, mask, LLVMConstNull(type)};
    return masked(e, "llvm.masked.gather", types, args, 0, align);
}

void access_scatter(struct emitter *e, LLVMValueRef v, LLVMValueRef at, unsigned align,
                    LLVMValueRef mask) {
    LLVMTypeRef types[] = {LLVMTypeOf(v), LLVMTypeOf(at)};
    LLVMValueRef args[] = {v, at, mask};
    masked(e, "llvm.masked.scatter", types, args, 1, align);
}

LLVMValueRef access_in_order(struct emitter *e, LLVMValueRef at, unsigned lanes, unsigned bytes) {
    enum { MOST_STEP = 1 << 26 /* 32 of them do not wrap around */ };
    uint32_t next[ISA_WARP], own[ISA_WARP];
    for (unsigned i = 0; i < ISA_WARP; i++) {
        bool last = i + 1 >= lanes;
        own[i] = last ? 0 : i;
        next[i] = last ? 1 : i + 1;
    }
    LLVMValueRef step = LLVMBuildSub(e->b, value_shuffled(e->b, at, NULL, next, ISA_WARP),
                                     value_shuffled(e->b, at, NULL, own, ISA_WARP), "");
    step = LLVMBuildSub(e->b, step, emit_words(e, bytes), "");
    step = LLVMBuildICmp(e->b, LLVMIntUGT, step, emit_words(e, MOST_STEP), "");
    return masks_none(e, step);
}

/* ---- the plan of an access ---- */

struct access_plan access_plan_of(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    isa_operand o = isa_srcs(e->k, i)[0];
    struct access_plan p = {.at = value_read(e, o, w),
                            .size = isa_type_size[i->type],
                            .class = ACCESS_SCATTERED,
                            .full = emit_full(e)};
    struct shape_value known = shape_operand(plan_shape(e->plan), e->k, o);
    bool load = i->op == ISA_ld, varying = p.at.kind == KIND_VARYING;
    p.stride = p.at.stride;
    if (isa_is_reg(o)) p.split = splitaddress_of(e->k, plan_shape(e->plan), e->i);
    if (p.at.kind == KIND_LINEAR || p.at.kind == KIND_HALVES) {
        p.lanes = p.at.kind == KIND_LINEAR ? ISA_WARP : ISA_WARP / 2;
    } else if (varying && known.span != SHAPE_VARYING) {
        p.lanes = shape_span_lanes(known.span);
        p.stride = known.stride;
    }
    /* A piece's first lane is on, or its address is known all the same. */
    bool begins = p.lanes && (p.full || !varying);
    if (p.at.kind == KIND_UNIFORM)
        p.class = ACCESS_UNIFORM;
    else if (load && !p.full && !pieces_masked(e) && p.lanes && dense_fits(e, &p))
        p.class = ACCESS_DENSE;
    else if (pieces_strided_fits(e, &p))
        p.class = ACCESS_STRIDED;
    else if (begins && (p.stride == (int32_t)p.size || p.stride == -(int32_t)p.size))
        p.class = ACCESS_ROWS;
    else if (begins && !p.stride && load)
        p.class = ACCESS_POINTS;
    else if (smalltables_fits(e, &p))
        p.class = ACCESS_TABLE;
    else if (dense_fits(e, &p))
        p.class = ACCESS_DENSE;
    return p;
}

LLVMValueRef access_piece(struct emitter *e, const struct access_plan *p, unsigned piece) {
    if (p->at.kind != KIND_VARYING) return p->at.v[piece];
    return LLVMBuildExtractElement(e->b, p->at.v[0], emit_word(e, piece * p->lanes), "");
}

/* Of several warps one may have no lane on: where its addresses lie hosts take long to see that
 * they need not be there. */
void access_move(struct emitter *e, const struct access_plan *p, unsigned w, LLVMValueRef *v) {
    unsigned loaded = e->inst->op == ISA_ld ? e->inst->count : 0;
    bool anywhere = p->class == ACCESS_SCATTERED || p->class == ACCESS_DENSE;
    struct ways y = {0};
    if (anywhere && !emit_full(e) && plan_bundle(e->plan) > 1)
        ways_if(e, &y, masks_any(e, emit_mask(e, w)), "some");
    switch (p->class) {
    case ACCESS_UNIFORM:
    case ACCESS_SCATTERED: scattered_move(e, value_vector(e, &p->at), w, v); break;
    case ACCESS_POINTS:
    case ACCESS_ROWS: pieces_move(e, p, w, v); break;
    case ACCESS_STRIDED: pieces_strided(e, p, w, v); break;
    case ACCESS_TABLE: smalltables_move(e, p, w, v); break;
    case ACCESS_DENSE: dense_move(e, p, w, v); break;
    }
    if (!y.other) return;
    ways_else(e, &y, v, loaded);
    for (unsigned c = 0; c < loaded; c++) v[c] = LLVMConstNull(LLVMTypeOf(v[c]));
    ways_end(e, &y, v, loaded);
}

/* ---- one address for all lanes ---- */

static int64_t displacement(const struct emitter *e, unsigned c) {
    return (int64_t)e->inst->imm + c * isa_type_size[e->inst->type];
}

static void load_param(struct emitter *e, unsigned w, unsigned c) {
    enum isa_type type = (enum isa_type)e->inst->type;
    LLVMValueRef at = emit_inside(e, e->c->params, displacement(e, c));
    LLVMValueRef v = value_get(e, e->c->scalar[type], at, 1);
    const struct isa_param *p = isa_param_at(e->k, (uint32_t)displacement(e, c));
    if (p && isa_param_points(p) && type == ISA_I32) emit_within_half(e, v);
    access_invariant(e, v);
    value_result(e, c, w, v);
}

/* Of a warp that runs a region in lockstep with others and has no lane there, an address that can
 * be read; what is one for the bundle some warp's lanes read. */
static struct warp_value load_one(struct emitter *e, const struct access_plan *p, unsigned w,
                                  unsigned c) {
    LLVMValueRef at = access_host(e, p->at.v[0], displacement(e, c));
    if (!p->full && emit_many(e) && !e->regs.shared[isa_dsts(e->k, e->inst)[c]]) {
        LLVMValueRef on = emit_compare(e, LLVMIntNE, emit_mask_bits(e, w), 0);
        at = LLVMBuildSelect(e->b, on, at, e->c->run, "");
    }
    return value_of(KIND_UNIFORM, (enum isa_type)e->inst->type,
                    access_plain(e, e->c->scalar[e->inst->type], at));
}

/* One scalar for each half-warp; of a half that is off nothing is read. */
static struct warp_value load_halves(struct emitter *e, const struct access_plan *p, unsigned w,
                                     unsigned c) {
    LLVMTypeRef type = e->c->scalar[e->inst->type];
    struct warp_value v = {.kind = KIND_HALVES, .type = (enum isa_type)e->inst->type};
    for (unsigned h = 0; h < 2; h++) {
        struct ways y = {0};
        if (!p->full) ways_if(e, &y, masks_half(e, w, h), "half");
        v.v[h] = access_plain(e, type, access_host(e, p->at.v[h], displacement(e, c)));
        if (p->full) continue;
        ways_else(e, &y, &v.v[h], 1);
        v.v[h] = LLVMConstNull(type);
        ways_end(e, &y, &v.v[h], 1);
    }
    return v;
}

/* The highest lane's value stays. */
static void store_one(struct emitter *e, const struct access_plan *p, unsigned w, unsigned c) {
    struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1 + c], w);
    LLVMValueRef value = scattered_highest(e, &v, w);
    access_mark(e, LLVMBuildStore(e->b, value, access_host(e, p->at.v[0], displacement(e, c))));
}

/* ---- instructions ---- */

void access_read_sources(struct emitter *e, unsigned w, LLVMValueRef *lanes) {
    for (unsigned c = 0; c < e->inst->count; c++) {
        struct warp_value v = value_stored(e, isa_srcs(e->k, e->inst)[1 + c], w);
        lanes[c] = e->lane ? v.v[0] : value_vector(e, &v);
    }
}

void access_write_results(struct emitter *e, unsigned w, const LLVMValueRef *lanes) {
    for (unsigned c = 0; c < e->inst->count; c++) value_result(e, c, w, lanes[c]);
}

static void emit_by_address(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    bool load = i->op == ISA_ld;
    struct access_plan p = access_plan_of(e, w);
    struct warp_value v[16];
    LLVMValueRef lanes[16];
    bool halves = p.class == ACCESS_POINTS && p.at.kind == KIND_HALVES;
    if (p.class == ACCESS_UNIFORM && !load) {
        for (unsigned c = 0; c < i->count; c++) store_one(e, &p, w, c);
    } else if (p.class == ACCESS_UNIFORM || halves) {
        for (unsigned c = 0; c < i->count; c++)
            v[c] = halves ? load_halves(e, &p, w, c) : load_one(e, &p, w, c);
        for (unsigned c = 0; c < i->count; c++) value_write(e, isa_dsts(e->k, i)[c], w, v[c]);
    } else {
        if (!load) access_read_sources(e, w, lanes);
        access_move(e, &p, w, lanes);
        if (load) access_write_results(e, w, lanes);
    }
}

void access_emit(struct emitter *e, unsigned w) {
    if (e->inst->space == ISA_PARAM)
        for (unsigned c = 0; c < e->inst->count; c++) load_param(e, w, c);
    else if (e->inst->space == ISA_PRIVATE)
        private_emit(e, w);
    else if (e->strip && plan_operand_kind(e->plan, isa_srcs(e->k, e->inst)[0]) != KIND_UNIFORM)
        pieces_strip(e, w);
    else if (localrows_known(e))
        localrows_emit(e, w);
    else if (!lanerows_emit(e, w))
        emit_by_address(e, w);
}

void access_overwritten(struct emitter *e, struct ways *y) {
    uint32_t param = plan_get(e->plan, overwritten)->of[e->i];
    if (!param) return;
    LLVMValueRef alone = emit_of_run(e, alone, e->c->word);
    alone = LLVMBuildAnd(e->b, alone, emit_word(e, 1u << (param - 1)), "");
    ways_if(e, y, emit_compare(e, LLVMIntNE, alone, 0), "alone");
    ways_else(e, y, NULL, 0);
}
