/* Image instructions. Where all lanes mean one image, as they nearly always do, a C function reads
 * or writes the warp's texels, and queries are loads; the rest is assisted. */
#include <stddef.h>

#include "device/native/instructions.h"
#include "device/native/mem/accesses.h"
#include "device/native/value.h"
#include "device/texture/texture.h"

static LLVMValueRef row(struct emitter *e, unsigned n) {
    if (!e->c->texels) {
        LLVMTypeRef type = LLVMArrayType2(e->c->vector[ISA_I32], NATIVE_TEXEL_ROWS);
        e->c->texels = emit_alloca(e, type, "texels");
        LLVMSetAlignment(e->c->texels, 128);
    }
    return emit_element(e, e->c->vector[ISA_I32], e->c->texels, emit_word(e, n));
}

static bool uniform(struct emitter *e, isa_operand o) {
    return plan_operand_kind(e->plan, o) == KIND_UNIFORM;
}

static LLVMValueRef scalar(struct emitter *e, isa_operand o, unsigned w) {
    return value_read(e, o, w).v[0];
}

static void put(struct emitter *e, unsigned n, isa_operand o, unsigned w) {
    LLVMBuildStore(e->b, value_read_vector(e, o, w), row(e, n));
}

/* Coordinates go into the first rows, components into those from NATIVE_COMPONENTS on. */
static void access(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    const isa_operand *src = isa_srcs(e->k, i);
    bool read = i->op == ISA_img_read;
    unsigned at = isa_first_coordinate(i), n = isa_image_coordinates[i->mod];
    LLVMValueRef image = scalar(e, src[0], w), v[4] = {NULL};
    LLVMValueRef sampler = read ? scalar(e, src[1], w) : emit_word(e, 0);
    struct ways y = {0}, sampled = {0};
    if (texelrows_fits(e)) texelrows_emit(e, &y, w, image, v);
    for (unsigned d = 0; d < n; d++) put(e, d, src[at + d], w);
    for (unsigned c = 0; !read && c < 4; c++) put(e, NATIVE_COMPONENTS + c, src[at + n + c], w);
    if (texelrows_samples(e)) texelrows_sample(e, &sampled, w, image, sampler, row(e, 0));
    LLVMValueRef args[] = {e->c->run, emit_number(e), e->c->warp[w], emit_mask_bits(e, w),
                           image,     sampler,        row(e, 0)};
    emit_call(e, emit_of_run(e, image, e->c->pointer), args, 7);
    ways_end(e, &sampled, NULL, 0);
    for (unsigned c = 0; read && c < 4; c++) {
        LLVMTypeRef t = e->c->vector[e->k->reg_types[isa_dsts(e->k, i)[c]]];
        v[c] = LLVMBuildLoad2(e->b, t, row(e, NATIVE_COMPONENTS + c), "");
    }
    ways_end(e, &y, v, read ? 4 : 0);
    for (unsigned c = 0; read && c < 4; c++) value_result(e, c, w, v[c]);
}

LLVMValueRef images_texture(struct emitter *e, LLVMValueRef image) {
    LLVMTypeRef texture = LLVMArrayType2(e->c->scalar[ISA_I8], sizeof(struct texture));
    image = LLVMBuildZExt(e->b, image, e->c->wide, "");
    return emit_element(e, texture, emit_of_run(e, textures, e->c->pointer), image);
}

/* A field of the texture. An index beyond the table goes to assist, which faults. */
static void info(struct emitter *e, unsigned w) {
    static const struct {
        size_t at;
        bool small;
    } fields[ISA_IMAGE_INFO_COUNT] = {
        [ISA_IMAGE_WIDTH] = {offsetof(struct texture, width), false},
        [ISA_IMAGE_HEIGHT] = {offsetof(struct texture, height), false},
        [ISA_IMAGE_DEPTH] = {offsetof(struct texture, depth), false},
        [ISA_IMAGE_ARRAY_SIZE] = {offsetof(struct texture, array_size), false},
        [ISA_IMAGE_CHANNEL_TYPE] = {offsetof(struct texture, type), true},
        [ISA_IMAGE_CHANNEL_ORDER] = {offsetof(struct texture, order), true},
    };
    const struct isa_inst *i = e->inst;
    LLVMValueRef image = scalar(e, isa_srcs(e->k, i)[0], w);
    LLVMValueRef count = emit_of_run(e, ntextures, e->c->word);
    struct ways y = {0};
    assisted_if(e, &y, w, LLVMBuildICmp(e->b, LLVMIntUGE, image, count, ""));
    ways_end(e, &y, NULL, 0);
    LLVMTypeRef type = e->c->scalar[fields[i->imm].small ? ISA_I16 : ISA_I32];
    LLVMValueRef at = emit_inside(e, images_texture(e, image), (int64_t)fields[i->imm].at);
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, at, "");
    value_result(e, 0, w, LLVMBuildZExt(e->b, v, e->c->word, ""));
}

void images_emit(struct emitter *e, unsigned w) {
    const struct isa_inst *i = e->inst;
    const isa_operand *src = isa_srcs(e->k, i);
    bool one = uniform(e, src[0]) && (i->op != ISA_img_read || uniform(e, src[1]));
    if (!one)
        assisted_emit(e, w);
    else if (i->op == ISA_img_info)
        info(e, w);
    else
        access(e, w);
}
