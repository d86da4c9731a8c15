/* Loads and stores: how a warp's addresses lie decides which access is made. */
#include "device/native/assisted.h"
#include "device/native/masks.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"

LLVMValueRef access_host(struct emitter *e, LLVMValueRef address, int64_t displacement) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(e->c->context);
    bool many = LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMVectorTypeKind;
    LLVMTypeRef wide = many ? e->c->vector[ISA_I64] : e->c->wide;
    LLVMValueRef offset = LLVMBuildSExt(e->b, address, wide, "");
    LLVMValueRef at = e->base;
    if (displacement) {
        LLVMValueRef by = LLVMConstInt(e->c->wide, (uint64_t)displacement, true);
        at = LLVMBuildGEP2(e->b, byte, at, &by, 1, "");
    }
    return LLVMBuildGEP2(e->b, byte, at, &offset, 1, "");
}

void access_mark(struct emitter *e, LLVMValueRef access) {
    LLVMSetAlignment(access, 1);
    if (e->inst->flags & ISA_VOLATILE) LLVMSetVolatile(access, true);
}

/* Memory that nothing changes while the kernel runs. */
void access_invariant(struct emitter *e, LLVMValueRef load) {
    static const char name[] = "invariant.load";
    unsigned kind = LLVMGetMDKindIDInContext(e->c->context, name, sizeof name - 1);
    LLVMSetMetadata(
        load, kind,
        LLVMMetadataAsValue(e->c->context, LLVMMDNodeInContext2(e->c->context, NULL, 0)));
}

LLVMValueRef access_plain(struct emitter *e, LLVMTypeRef type, LLVMValueRef at) {
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, at, "");
    access_mark(e, v);
    if (e->inst->space == ISA_CONSTANT && !(e->inst->flags & ISA_VOLATILE)) access_invariant(e, v);
    return v;
}

/* A masked access: args without the alignment, the pointer being number `at`. LLVM before 22 takes
 * the alignment as an operand behind the pointer, later ones as the pointer's attribute. */
static LLVMValueRef masked(struct emitter *e, const char *name, LLVMTypeRef *types,
                           const LLVMValueRef args[3], unsigned at, unsigned align) {
#if LLVM_VERSION_MAJOR < 22
    LLVMValueRef all[4];
    for (unsigned i = 0; i < 3; i++) all[i + (i > at)] = args[i];
    all[at + 1] = emit_word(e, align);
    return emit_intrinsic(e, name, types, 2, all, 4);
#else
    LLVMValueRef all[] = {args[0], args[1], args[2]};
    LLVMValueRef call = emit_intrinsic(e, name, types, 2, all, 3);
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, at + 1, LLVMCreateEnumAttribute(e->c->context, kind, align));
    return call;
#endif
}

static LLVMValueRef load_masked(struct emitter *e, LLVMTypeRef type, LLVMValueRef at,
                                LLVMValueRef mask) {
    LLVMTypeRef types[] = {type, e->c->pointer};
    LLVMValueRef args[] = {at, mask, LLVMConstNull(type)};
    return masked(e, "llvm.masked.load", types, args, 0, 1);
}

static void store_masked(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask) {
    LLVMTypeRef types[] = {LLVMTypeOf(v), e->c->pointer};
    LLVMValueRef args[] = {v, at, mask};
    masked(e, "llvm.masked.store", types, args, 1, 1);
}

LLVMValueRef access_row(struct emitter *e, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask) {
    return mask ? load_masked(e, type, at, mask) : access_plain(e, type, at);
}

void access_put_row(struct emitter *e, LLVMValueRef v, LLVMValueRef at, LLVMValueRef mask) {
    LLVMBasicBlockRef after = stream_put(e, v, at, mask);
    if (mask)
        store_masked(e, v, at, mask);
    else
        access_mark(e, LLVMBuildStore(e->b, v, at));
    if (!after) return;
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
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

struct warp_address access_address(struct emitter *e, unsigned w) {
    isa_operand o = isa_srcs(e->k, e->inst)[0];
    struct warp_address p = {
        .at = value_read(e, o, w), .size = isa_type_size[e->inst->type], .full = emit_full(e)};
    struct shape_value known = shape_operand(plan_shape(e->plan), e->k, o);
    p.stride = p.at.stride;
    if (p.at.kind == KIND_LINEAR || p.at.kind == KIND_HALVES) {
        p.lanes = p.at.kind == KIND_LINEAR ? ISA_WARP : ISA_WARP / 2;
    } else if (p.at.kind == KIND_VARYING && known.span != SHAPE_VARYING) {
        p.lanes = shape_span_lanes(known.span);
        p.stride = known.stride;
    }
    return p;
}

LLVMValueRef access_piece(struct emitter *e, const struct warp_address *p, unsigned piece) {
    if (p->at.kind != KIND_VARYING) return p->at.v[piece];
    return LLVMBuildExtractElement(e->b, p->at.v[0], emit_word(e, piece * p->lanes), "");
}

/* One scalar for each half-warp; of a half that is off nothing is read. */
static struct warp_value load_halves(struct emitter *e, const struct warp_address *p, unsigned w,
                                     int64_t displacement) {
    LLVMTypeRef type = e->c->scalar[e->inst->type];
    struct warp_value v = {.kind = KIND_HALVES, .type = (enum isa_type)e->inst->type};
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef at = access_host(e, p->at.v[h], displacement);
        if (p->full) {
            v.v[h] = access_plain(e, type, at);
            continue;
        }
        LLVMValueRef on =
            LLVMBuildAnd(e->b, emit_mask_bits(e, w), emit_word(e, h ? 0xffff0000u : 0xffff), "");
        LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), load = emit_block(e, "half"),
                          after = emit_block(e, "");
        LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, on, emit_word(e, 0), ""), load, after);
        LLVMPositionBuilderAtEnd(e->b, load);
        LLVMValueRef loaded = access_plain(e, type, at), none = LLVMConstNull(type);
        LLVMBuildBr(e->b, after);
        LLVMPositionBuilderAtEnd(e->b, after);
        v.v[h] = LLVMBuildPhi(e->b, type, "");
        LLVMAddIncoming(v.v[h], (LLVMValueRef[]){loaded, none}, (LLVMBasicBlockRef[]){load, before},
                        2);
    }
    return v;
}

/* A piece's first lane is on, or its address is known all the same. */
static bool pieces_known(const struct warp_address *p) {
    return p->lanes && (p->full || p->at.kind != KIND_VARYING);
}

/* Each piece is a row. */
static bool in_rows(const struct warp_address *p) {
    return pieces_known(p) && p->stride == (int32_t)p->size;
}

/* Each piece is at one address, and all lanes are on; as half-warps they would be HALVES. */
static bool at_points(const struct warp_address *p) {
    return p->at.kind == KIND_VARYING && pieces_known(p) && p->stride == 0;
}

/* One load for each piece. */
static LLVMValueRef load_points(struct emitter *e, const struct warp_address *p,
                                int64_t displacement) {
    LLVMTypeRef type = e->c->scalar[e->inst->type], many = e->c->vector[e->inst->type];
    LLVMValueRef all = LLVMGetPoison(many), pick[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP / p->lanes; n++) {
        LLVMValueRef at = access_host(e, access_piece(e, p, n), displacement);
        all = LLVMBuildInsertElement(e->b, all, access_plain(e, type, at), emit_word(e, n), "");
    }
    for (unsigned i = 0; i < ISA_WARP; i++) pick[i] = emit_word(e, i / p->lanes);
    return LLVMBuildShuffleVector(e->b, all, LLVMGetPoison(many), LLVMConstVector(pick, ISA_WARP),
                                  "");
}

static LLVMValueRef load_lanes(struct emitter *e, const struct warp_address *p, unsigned w,
                               int64_t displacement) {
    if (at_points(p)) return load_points(e, p, displacement);
    if (!in_rows(p)) return dense_load(e, p, displacement, w);
    LLVMTypeRef type = LLVMVectorType(e->c->scalar[e->inst->type], p->lanes);
    LLVMValueRef parts[ISA_WARP];
    for (unsigned n = 0; n < ISA_WARP / p->lanes; n++) {
        LLVMValueRef at = access_host(e, access_piece(e, p, n), displacement);
        LLVMValueRef on = p->full ? NULL : value_part(e, emit_mask(e, w), p->lanes, n);
        parts[n] = access_row(e, type, at, on);
    }
    return value_whole(e, parts, p->lanes);
}

static void load_params(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    for (unsigned c = 0; c < i->count; c++) {
        LLVMValueRef offset = LLVMConstInt(
            e->c->wide, (uint64_t)((int64_t)i->imm + c * isa_type_size[i->type]), true);
        LLVMValueRef at =
            LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c->context), e->c->params, &offset, 1, "");
        LLVMValueRef v = LLVMBuildLoad2(e->b, e->c->scalar[i->type], at, "");
        LLVMSetAlignment(v, 1);
        access_invariant(e, v);
        value_write(e, isa_dsts(e->k, i)[c], w, value_of(KIND_UNIFORM, (enum isa_type)i->type, v));
    }
}

/* More than one component, and each lane's are elsewhere. */
static bool components_apart(const struct emitter *e, const struct warp_address *p) {
    if (e->inst->count == 1 || p->at.kind == KIND_UNIFORM) return false;
    return !pieces_known(p) || (p->stride && p->stride != (int32_t)p->size);
}

static void write_lanes(struct emitter *e, unsigned w, const LLVMValueRef *lanes) {
    const struct isa_inst *i = e->inst;
    for (unsigned c = 0; c < i->count; c++)
        value_write(e, isa_dsts(e->k, i)[c], w,
                    value_of(KIND_VARYING, (enum isa_type)i->type, lanes[c]));
}

static void read_lanes(struct emitter *e, unsigned w, LLVMValueRef *lanes) {
    const struct isa_inst *i = e->inst;
    for (unsigned c = 0; c < i->count; c++) {
        struct warp_value v = value_stored(e, isa_srcs(e->k, i)[1 + c], w);
        lanes[c] = value_vector(e, &v);
    }
}

/* Where one address is read for all lanes: of a warp that runs a region in lockstep with others and
 * has no lane there, an address that can be read. */
static LLVMValueRef uniform_address(struct emitter *e, const struct warp_address *p, unsigned w,
                                    int64_t displacement) {
    LLVMValueRef at = access_host(e, p->at.v[0], displacement);
    if (p->full || e->to - e->from == 1) return at;
    LLVMValueRef on = LLVMBuildICmp(e->b, LLVMIntNE, emit_mask_bits(e, w), emit_word(e, 0), "");
    return LLVMBuildSelect(e->b, on, at, e->c->run, "");
}

void access_load_lanes(struct emitter *e, const struct warp_address *p, unsigned w,
                       LLVMValueRef *lanes) {
    const struct isa_inst *i = e->inst;
    if (strided_fits(e, p, false))
        strided_load(e, p, w, lanes);
    else if (components_apart(e, p))
        scattered_load_all(e, value_vector(e, &p->at), w, lanes);
    else
        for (unsigned c = 0; c < i->count; c++)
            lanes[c] = load_lanes(e, p, w, (int64_t)i->imm + c * p->size);
}

void access_load(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    if (i->space == ISA_PARAM) {
        load_params(e, w);
        return;
    }
    if (i->space == ISA_PRIVATE) {
        private_emit(e, w);
        return;
    }
    if (localrows_known(e)) {
        localrows_load(e, w);
        return;
    }
    if (lanerows_access(e, w)) return;
    struct warp_address p = access_address(e, w);
    struct warp_value v[16];
    if (strided_fits(e, &p, false) || components_apart(e, &p)) {
        LLVMValueRef lanes[16];
        access_load_lanes(e, &p, w, lanes);
        write_lanes(e, w, lanes);
        return;
    }
    for (unsigned c = 0; c < i->count; c++) {
        int64_t displacement = (int64_t)i->imm + c * p.size;
        if (p.at.kind == KIND_UNIFORM)
            v[c] = value_of(
                KIND_UNIFORM, (enum isa_type)i->type,
                access_plain(e, e->c->scalar[i->type], uniform_address(e, &p, w, displacement)));
        else if (p.at.kind == KIND_HALVES && p.stride == 0)
            v[c] = load_halves(e, &p, w, displacement);
        else
            v[c] =
                value_of(KIND_VARYING, (enum isa_type)i->type, load_lanes(e, &p, w, displacement));
    }
    for (unsigned c = 0; c < i->count; c++) value_write(e, isa_dsts(e->k, i)[c], w, v[c]);
}

/* ---- stores ---- */

/* All lanes at one address: the highest one's value stays. */
static void store_one(struct emitter *e, const struct warp_address *p, unsigned w,
                      const struct warp_value *v, int64_t displacement) {
    LLVMValueRef value = v->v[0];
    if (v->kind != KIND_UNIFORM) {
        LLVMValueRef lane = emit_word(e, 31);
        if (!p->full) {
            LLVMValueRef no = LLVMConstInt(e->c->scalar[ISA_PRED], 0, false);
            lane = emit_intrinsic(e, "llvm.ctlz", &e->c->word, 1,
                                  (LLVMValueRef[]){emit_mask_bits(e, w), no}, 2);
            lane = LLVMBuildAnd(e->b, LLVMBuildSub(e->b, emit_word(e, 31), lane, ""),
                                emit_word(e, 31), "");
        }
        value = LLVMBuildExtractElement(e->b, value_vector(e, v), lane, "");
    }
    access_mark(e, LLVMBuildStore(e->b, value, access_host(e, p->at.v[0], displacement)));
}

static void store_lanes(struct emitter *e, const struct warp_address *p, unsigned w,
                        LLVMValueRef value, int64_t displacement) {
    if (!in_rows(p)) {
        dense_store(e, value, p, displacement, w);
        return;
    }
    for (unsigned n = 0; n < ISA_WARP / p->lanes; n++) {
        LLVMValueRef at = access_host(e, access_piece(e, p, n), displacement);
        LLVMValueRef on = p->full ? NULL : value_part(e, emit_mask(e, w), p->lanes, n);
        access_put_row(e, value_part(e, value, p->lanes, n), at, on);
    }
}

void access_store_lanes(struct emitter *e, const struct warp_address *p, unsigned w,
                        const LLVMValueRef *lanes) {
    const struct isa_inst *i = e->inst;
    if (strided_fits(e, p, true))
        strided_store(e, p, w, lanes);
    else if (components_apart(e, p))
        scattered_store_all(e, lanes, value_vector(e, &p->at), w);
    else
        for (unsigned c = 0; c < i->count; c++)
            store_lanes(e, p, w, lanes[c], (int64_t)i->imm + c * p->size);
}

void access_store(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    if (i->space == ISA_PRIVATE) {
        private_emit(e, w);
        return;
    }
    if (localrows_known(e)) {
        localrows_store(e, w);
        return;
    }
    if (lanerows_access(e, w)) return;
    struct warp_address p = access_address(e, w);
    if (strided_fits(e, &p, true) || components_apart(e, &p)) {
        LLVMValueRef lanes[16];
        read_lanes(e, w, lanes);
        access_store_lanes(e, &p, w, lanes);
        return;
    }
    for (unsigned c = 0; c < i->count; c++) {
        struct warp_value v = value_stored(e, isa_srcs(e->k, i)[1 + c], w);
        int64_t displacement = (int64_t)i->imm + c * p.size;
        if (p.at.kind == KIND_UNIFORM)
            store_one(e, &p, w, &v, displacement);
        else
            store_lanes(e, &p, w, value_vector(e, &v), displacement);
    }
}
