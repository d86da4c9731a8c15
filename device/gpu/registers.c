#include "registers.h"

#include "liveness.h"

enum { FRAME_UNUSED = 16 }; /* bytes of a frame that hold no object (SPEC.md) */

/* The slow path of sine, cosine and tangent keeps its product in private memory (guide B.1). */
enum { SLOW_PATH_BYTES = 28, SLOW_PATH_BYTES_64 = 44 };

static uint32_t slow_path_bytes(const struct isa_kernel *k) {
    uint32_t bytes = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (i->op != ISA_sin && i->op != ISA_cos && i->op != ISA_tan && i->op != ISA_sincos)
            continue;
        uint32_t own = i->type == ISA_F64 ? SLOW_PATH_BYTES_64 : SLOW_PATH_BYTES;
        if (own > bytes) bytes = own;
    }
    return bytes;
}

/* Values and pointers lie one behind the other; images and samplers are bound to texture units. */
static uint32_t argument_bytes(const struct isa_kernel *k) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < k->nparams; i++) {
        const struct isa_param *p = &k->params[i];
        if (p->kind == ISA_PARAM_IMAGE || p->kind == ISA_PARAM_SAMPLER) continue;
        end = (end + p->align - 1) / p->align * p->align + p->size;
    }
    return end;
}

/* Has the instruction a form with a 32-bit immediate? Others read constants from bank c[1]. */
static bool takes_immediate(const struct isa_inst *i) {
    switch (i->op) {
    case ISA_mov:
    case ISA_add:
    case ISA_sub:
    case ISA_mul24_s:
    case ISA_mul24_u:
    case ISA_shl:
    case ISA_shr_s:
    case ISA_shr_u:
    case ISA_fadd:
    case ISA_fsub:
    case ISA_fmul:
    case ISA_st: return true;
    default: return isa_type_size[i->type] > 4;
    }
}

static uint32_t constant_bytes(const struct isa_kernel *k, struct arena *arena) {
    uint8_t *seen = ARENA_ARRAY(arena, uint8_t, k->nconsts + 1);
    uint32_t bytes = 0;
    for (uint32_t n = 0; n < k->ninsts; n++) {
        const struct isa_inst *i = &k->insts[n];
        if (takes_immediate(i) || isa_op_info[i->op].flags & ISA_OP_IMAGE) continue;
        for (unsigned o = 0; o < i->nsrc; o++) {
            isa_operand c = isa_srcs(k, i)[o];
            if (!isa_is_const(c) || seen[isa_const_index(c)]++) continue;
            if (k->consts[isa_const_index(c)].type != ISA_PRED) bytes += 4;
        }
    }
    return bytes;
}

bool gpu_resources_find(const struct isa_kernel *k, struct gpu_resources *r) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return false;
    struct machine_code m;
    machine_select(&m, k, t.arena);
    uint32_t registers = liveness_find(&m, t.arena, k->ninsts, NULL);
    uint32_t constants = constant_bytes(k, t.arena);
    arena_free(t.arena);
    if (registers < GPU_MIN_REGISTERS) registers = GPU_MIN_REGISTERS;
    uint32_t arguments = GPU_SHARED_SYSTEM_BYTES + argument_bytes(k);
    uint32_t frame = k->private_bytes > FRAME_UNUSED ? k->private_bytes - FRAME_UNUSED : 0;
    *r = (struct gpu_resources){
        .registers = registers,
        .argument_bytes = arguments,
        .shared_bytes = arguments + k->local_bytes,
        .local_bytes = frame + slow_path_bytes(k),
        .spill_bytes = k->spill_bytes,
        .constant_bytes = constants,
    };
    return true;
}
