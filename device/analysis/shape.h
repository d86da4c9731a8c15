/* Shape: what is known of a kernel's values and branches before it runs.
 *
 * Lanes that follow one another in thread_id form spans: four, eight, the half-warp (16), the warp
 * (32) and the whole work-group. A value of stride k on a span is `base + k * lane` in each such
 * piece, for all lanes that read it (modulo the type's width); k = 0 is a uniform value, and then
 * only k = 0 is possible for types other than i32 and i64. SHAPE_VARYING promises nothing.
 *
 * What an engine may rely on, for one warp that runs the instructions in the order of the text (the
 * part before `else` first), with `uniform` meaning shape_is_uniform, that is stride 0 on the warp:
 *
 * - A uniform register can be one scalar for the warp: wherever an instruction reads it, every
 *   active lane's value is the one written last by the warp, under whatever mask (0 before the
 * first write). So its writes ignore the mask, divergent code included.
 * - An instruction whose source registers are all uniform and whose destinations are uniform is
 *   executed once, as a scalar; a load is then one access, and must be, because
 *   memory may change between two. Where a destination is uniform and a source is not (the
 *   difference of two thread ids, thread_id >> 5), the value of any one active lane is the result.
 * - A varying destination is written under the mask when the instruction has SHAPE_MASKED;
 *   otherwise no lane that is off reads the old value and all 32 lanes may be written blindly.
 *   Memory is accessed for active lanes only, in either case.
 * - `if`: with shape_branch() >= SHAPE_WARP the active lanes agree: a real branch, the mask stays.
 *   break, breakif, continue: with shape_branch() >= SHAPE_WARP either no active lane jumps, or all
 *   lanes do that are left in the region jumped from (for continue: in this iteration): a real
 * branch, the mask after it is what it was at the region's (the iteration's) beginning, less lanes
 * that have left it for good before. ret: the same with the kernel as the region.
 * - `endloop`: with shape_branch() >= SHAPE_WARP all lanes that began the iteration are here: back
 * without a test. (Otherwise: back with those that are left, behind the loop when there is none.)
 * - These facts hold when nothing is executed with an empty mask. After an instruction with
 *   SHAPE_MAY_EMPTY no lane may be active, and the engine must test and skip to the next place
 * where lanes wait; elsewhere a mask that was not empty before is not empty after. Code behind a
 * break, continue or ret in the same part of a region is not reached and has no such mark.
 *
 * Facts on SHAPE_GROUP compare lanes of different warps at the same point of the same iteration.
 * They are a help to plan and to explain; nothing of them holds for memory that warps read at
 * different times, so loads other than from the parameters are not uniform beyond the warp, but
 * where shape_new_lockstep says so.
 */
#ifndef SIMTCL_SHAPE_H
#define SIMTCL_SHAPE_H

#include "device/isa/isa.h"

enum shape_span {
    SHAPE_VARYING,
    SHAPE_FOUR,
    SHAPE_EIGHT,
    SHAPE_HALF_WARP,
    SHAPE_WARP,
    SHAPE_GROUP
};
/* Lanes of a span that is within a warp, and how many bits number them. */
static inline unsigned shape_span_bits(unsigned span) {
    return span >= SHAPE_WARP ? 5 : span == SHAPE_VARYING ? 0 : span + 1;
}
static inline unsigned shape_span_lanes(unsigned span) { return 1u << shape_span_bits(span); }

struct shape_value {
    uint8_t span; /* enum shape_span */
    uint8_t
        align; /* base (the value of a piece's first lane) is a multiple of 2^align; 32: it is 0 */
    bool rising;    /* without a sign, no piece's values wrap around */
    int32_t stride; /* 0 when span is SHAPE_VARYING */
};

enum {                        /* struct shape's inst_flags */
       SHAPE_BRANCH = 7,      /* mask: enum shape_span of a branch, see shape_branch */
       SHAPE_MASKED = 1 << 3, /* some destination must keep the old value in lanes that are off */
       SHAPE_MAY_EMPTY = 1 << 4, /* the mask may be empty behind this instruction */
       SHAPE_FULL_SHIFT =
           5, /* three bits: enum shape_span on which no lane is off at this instruction */
       SHAPE_FULL = 7 << 5
};

struct shape {
    struct shape_value *regs; /* of each register */
    uint8_t *inst_flags;      /* of each instruction */
};

/* Analyses a kernel that isa_verify has passed. local_size: the work-group's size when it is known,
 * or NULL or zeros; then kernel->required_size is used where given. NULL: out of memory. Time is
 * near linear in the kernel's size; when a kernel is pathological precision is given up, not time.
 */
struct shape *shape_new(const struct isa_kernel *k, const uint32_t local_size[3]);
/* The same for an engine whose warps do each instruction together between barriers, where there are
 * any: they read memory at one time then, so that a load can be uniform over the group, and
 * barriers stand where memory says whether all come to them. Of more warps than go together the
 * facts on SHAPE_GROUP hold for those that do. */
struct shape *shape_new_lockstep(const struct isa_kernel *k, const uint32_t local_size[3]);
void shape_free(struct shape *s); /* NULL is fine */

/* The shape of a source: register, constant or ISA_NO_OPERAND (which counts as 0). */
struct shape_value shape_operand(const struct shape *s, const struct isa_kernel *k, isa_operand o);

static inline bool shape_is_uniform(const struct shape *s, isa_operand reg) {
    return s->regs[reg].span >= SHAPE_WARP && s->regs[reg].stride == 0;
}
static inline enum shape_span shape_branch(const struct shape *s, uint32_t i) {
    return (enum shape_span)(s->inst_flags[i] & SHAPE_BRANCH);
}
/* At least SHAPE_WARP: all lanes of the warp that the launch has are active here; SHAPE_GROUP: all
 * of the group. */
static inline enum shape_span shape_full(const struct shape *s, uint32_t i) {
    return (enum shape_span)((s->inst_flags[i] & SHAPE_FULL) >> SHAPE_FULL_SHIFT);
}

#endif
