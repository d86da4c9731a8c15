/* The warp IR: what the compiler emits and the device runs.
 *
 * A module holds constant data, format strings and kernels. A kernel is one list of instructions
 * over typed virtual registers that may be assigned again; every instruction works on the 32 lanes
 * of a warp under its active mask. Control flow is structured: regions (if, loop, block) nest, and
 * jumps name the region they leave, so masks and reconvergence follow from the text alone.
 * isa.def is the table of operations, SPEC.md says what they mean. This folder depends on nothing.
 */
#ifndef SIMTCL_ISA_H
#define SIMTCL_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ISA_WARP = 32 };                  /* lanes in a warp */
enum { ISA_MAX_INSTRUCTIONS = 2000000 }; /* guide A.1.1: kernel size */
enum { ISA_MAX_NESTING = 256 };          /* regions within regions */
enum { ISA_MAX_DISPLACEMENT = 1 << 20 }; /* of a memory operation: smaller in magnitude */
enum { ISA_MAX_PARAM_BYTES = 1 << 16 };
enum { ISA_MAX_LOCAL_BYTES = 1 << 24 };
enum { ISA_MAX_PRIVATE_BYTES = 1 << 20 };
enum { ISA_MAX_DATA_BYTES = 1 << 28 };
enum { ISA_MAX_ALIGN = 4096 };
enum { ISA_MAX_SITE_TEXT = 80 }; /* bytes of a site's text */

enum isa_type {
    ISA_NONE_T,
    ISA_PRED,
    ISA_I8,
    ISA_I16,
    ISA_I32,
    ISA_I64,
    ISA_F32,
    ISA_F64,
    ISA_TYPE_COUNT
};

enum isa_space {
    ISA_NO_SPACE,
    ISA_GLOBAL,
    ISA_LOCAL,
    ISA_CONSTANT,
    ISA_PRIVATE,
    ISA_PARAM,
    ISA_SPACE_COUNT
};
/* global, local, constant: 32-bit addresses in the sandbox. private: byte offset in the work-item's
 * own frame (the device interleaves lanes). param: byte offset in the launch's argument block, read
 * only, always uniform, no base register. */

enum isa_rounding {
    ISA_RTE,
    ISA_RTZ,
    ISA_RTP,
    ISA_RTN,
    ISA_ROUNDING_COUNT
}; /* nearest even, zero, +inf, -inf */

enum isa_image_dim {
    ISA_DIM_1D,
    ISA_DIM_1D_ARRAY,
    ISA_DIM_1D_BUFFER,
    ISA_DIM_2D,
    ISA_DIM_2D_ARRAY,
    ISA_DIM_3D,
    ISA_DIM_COUNT
};
enum isa_image_info {
    ISA_IMAGE_WIDTH,
    ISA_IMAGE_HEIGHT,
    ISA_IMAGE_DEPTH,
    ISA_IMAGE_ARRAY_SIZE,
    ISA_IMAGE_CHANNEL_TYPE,
    ISA_IMAGE_CHANNEL_ORDER,
    ISA_IMAGE_INFO_COUNT
};

/* A sampler is a 32-bit value, in the encoding clang gives CLK_*: bit 0 normalised, bits 1-3
 * addressing (0 none, 1 clamp to edge, 2 clamp, 3 repeat, 4 mirrored repeat), bits 4-5 filter
 * (1 nearest, 2 linear). */
enum {
    ISA_SAMPLER_NORMALIZED = 1,
    ISA_SAMPLER_ADDRESS_SHIFT = 1,
    ISA_SAMPLER_ADDRESS_MASK = 7,
    ISA_ADDRESS_NONE = 0,
    ISA_ADDRESS_CLAMP_TO_EDGE = 1,
    ISA_ADDRESS_CLAMP = 2,
    ISA_ADDRESS_REPEAT = 3,
    ISA_ADDRESS_MIRRORED_REPEAT = 4,
    ISA_SAMPLER_NEAREST = 0x10,
    ISA_SAMPLER_LINEAR = 0x20
};

enum { ISA_FENCE_LOCAL = 1, ISA_FENCE_GLOBAL = 2, ISA_FENCE_READ = 4, ISA_FENCE_WRITE = 8 };

enum isa_index_kind {                   /* imm of index: what it is that may be wrong */
                      ISA_INDEX_MEMBER, /* of a member's elements: which, and how many */
                      ISA_INDEX_ROW,    /* of a row's, likewise */
                      ISA_INDEX_SUM,    /* two signed integers for an address, that are added, */
                      ISA_INDEX_DIFFERENCE, /* subtracted, */
                      ISA_INDEX_PRODUCT,    /* multiplied */
                      ISA_INDEX_KINDS
};
enum isa_copies { /* imm of copies: copies that the work-items of a group make together */
                  ISA_COPIES_WRITTEN, /* the destination: where, elements, bytes of one, bytes from
                                         one to the next, the event */
                  ISA_COPIES_READ,    /* the source, likewise */
                  ISA_COPIES_AWAITED, /* the work-item waits for those of that event */
                  ISA_COPIES_COUNT
};

enum isa_op {
#define ISA_OP(name, operands, types, types2, unit, clocks, flags) ISA_##name,
#include "isa.def"
#undef ISA_OP
    ISA_OP_COUNT
};

enum isa_special {
#define ISA_SPECIAL(name, uniform, what) ISA_SPECIAL_##name,
#include "special.def"
#undef ISA_SPECIAL
    ISA_SPECIAL_COUNT,
    ISA_SPECIAL_OBJECTS =
        (ISA_SPECIAL_COUNT - ISA_SPECIAL_object_0) / 2 /* parameters that have one */
};

enum isa_site_kind {
#define ISA_SITE_KIND(name, first, last, also, what) ISA_SITE_##name,
#include "sites.def"
    ISA_SITE_KIND_COUNT
};

enum isa_site_fate { ISA_SITE_PRESENT, ISA_SITE_MERGED, ISA_SITE_REMOVED, ISA_SITE_FATE_COUNT };

enum isa_site_reason { /* why a site was removed */
#define ISA_SITE_REASON(name, what) ISA_REMOVED_##name,
#include "sites.def"
                       ISA_SITE_REASON_COUNT
};

enum isa_unit { ISA_UNIT_NONE, ISA_UNIT_SP, ISA_UNIT_SFU, ISA_UNIT_MEM, ISA_UNIT_TEX };

enum { /* properties of an operation */
       ISA_OP_PURE =
           1 << 0, /* result depends on the operands alone; may be dropped, moved, merged */
       ISA_OP_COMMUTES = 1 << 1,
       ISA_OP_ROUNDS = 1 << 2, /* `mod` is an enum isa_rounding */
       ISA_OP_MATH = 1 << 3,   /* computed by device/math */
       ISA_OP_READS = 1 << 4,
       ISA_OP_WRITES = 1 << 5,
       ISA_OP_ATOMIC = 1 << 6,
       ISA_OP_MEMORY = 1 << 7, /* has space, address, displacement */
       ISA_OP_IMAGE = 1 << 8,
       ISA_OP_EFFECT = 1 << 9,
       ISA_OP_BARRIER = 1 << 10,
       ISA_OP_REGION_BEGIN = 1 << 11,
       ISA_OP_REGION_ELSE = 1 << 12,
       ISA_OP_REGION_END = 1 << 13,
       ISA_OP_REGION = ISA_OP_REGION_BEGIN | ISA_OP_REGION_ELSE | ISA_OP_REGION_END,
       ISA_OP_JUMP = 1 << 14,
       ISA_OP_CONTROL = ISA_OP_REGION | ISA_OP_JUMP,
       ISA_OP_PROBE = 1 << 15, /* in the host's copy of a kernel only, see isa_kernel.probed */
       ISA_OP_NOTE = 1 << 16,  /* for a debugger: does nothing */
       ISA_OP_HOST = 1 << 17   /* made by host passes for the native engine only */
};

enum {                        /* isa_inst.flags */
       ISA_VOLATILE = 1 << 0, /* a memory operation that happens exactly as written */
       ISA_UNSIGNED = 1 << 1, /* img_read, img_write: components are unsigned */
       ISA_PREDICATED =
           1 << 2 /* if: no branch of the device, what it holds is issued to all lanes */
};

/* One row of isa.def. `types`, `types2`: bit 1 << isa_type for each type allowed; 0: there is none,
 * and the instruction's field is ISA_NONE_T. */
struct isa_op_info {
    const char *name, *operands;
    uint16_t types, types2;
    uint8_t unit;
    uint16_t clocks;
    uint32_t flags;
};
extern const struct isa_op_info isa_op_info[ISA_OP_COUNT];
extern const char *const isa_type_name[ISA_TYPE_COUNT];
extern const uint8_t isa_type_size[ISA_TYPE_COUNT]; /* bytes; 0 for none and pred */
extern const char isa_reg_letter[ISA_TYPE_COUNT];   /* before a register's number, in the text */
extern const char *const isa_space_name[ISA_SPACE_COUNT]; /* NULL for none */
extern const char *const isa_special_name[ISA_SPECIAL_COUNT];
extern const bool isa_special_uniform[ISA_SPECIAL_COUNT]; /* the same for every lane of a group */
extern const uint8_t
    isa_image_coordinates[ISA_DIM_COUNT]; /* how many a dimension takes, the layer included */

/* An operand: a register of the kernel, or an entry of its constant table, or (a memory base only)
 * nothing. */
typedef uint32_t isa_operand;
#define ISA_CONST_BIT  0x80000000u
#define ISA_NO_OPERAND 0xffffffffu
static inline bool isa_is_const(isa_operand o) {
    return o != ISA_NO_OPERAND && (o & ISA_CONST_BIT);
}
static inline bool isa_is_reg(isa_operand o) { return !(o & ISA_CONST_BIT); }
static inline uint32_t isa_const_index(isa_operand o) { return o & ~ISA_CONST_BIT; }

struct isa_const {
    uint8_t type;
    uint64_t bits;
}; /* bits: zero extended; a pred is 0 or 1 */

struct isa_inst {
    uint16_t op; /* enum isa_op */
    uint8_t type, type2;
    uint8_t space; /* enum isa_space, memory operations */
    uint8_t mod;   /* enum isa_rounding, or enum isa_image_dim */
    uint8_t flags;
    uint8_t count; /* components of ld and st; 1 otherwise */
    uint8_t ndst, nsrc;
    uint16_t file;     /* index in the module's files */
    uint32_t line;     /* 0: unknown */
    uint32_t operands; /* index in the kernel's operand list: ndst registers, then nsrc operands */
    int32_t imm;       /* displacement, label, special, byte offset ... by operation */
    uint32_t match;    /* regions: if -> its else or endif, else -> endif, loop -> endloop, block ->
                          endblock, an end -> its beginning; set by isa_verify */
    uint32_t site;     /* index + 1 in the kernel's sites; 0: none */
};

/* A call that was expanded in the kernel: where it stands in the source. */
struct isa_call {
    char *name; /* of the function that is called */
    uint16_t file;
    uint32_t line, column; /* 0: unknown */
    uint32_t around;       /* the call that this one was expanded in: index + 1, smaller than its
                              own; 0: the kernel itself */
};

/* A place of the source that accesses memory, branches or waits. Numbered when the kernel is
 * lowered; passes copy the number with the instruction, so several may carry one site, and say what
 * happened when none does any more. */
struct isa_site {
    uint8_t kind;   /* enum isa_site_kind */
    uint8_t space;  /* enum isa_space: loads, stores, atomics */
    uint8_t width;  /* bytes of a component, 0: it moves no data */
    uint8_t count;  /* components that one lane moves */
    uint8_t fate;   /* enum isa_site_fate; set by isa_sites_finish */
    uint8_t reason; /* enum isa_site_reason */
    bool inverted;  /* branches: the instruction's predicate is the opposite of the text's */
    bool packed;    /* accesses: the type asks for no alignment, as members of packed structures */
    bool reason_known; /* a pass gave the reason: isa_site_remove; not part of the text */
    uint16_t file;
    uint32_t line, column; /* of the expression; 0: unknown */
    uint32_t call;         /* the innermost expanded call around it: index + 1; 0: none */
    uint32_t into;         /* MERGED: the present site that stands for it, index + 1 */
    uint32_t variable;     /* the one that its addresses start from: index + 1; 0: not known */
    char *text;            /* the expression as written, one line; NULL: not at hand */
};

/* A variable in local or private memory, or in the module's constant data. */
struct isa_variable {
    char *name;
    uint8_t space;          /* ISA_LOCAL, ISA_PRIVATE, ISA_CONSTANT */
    uint32_t offset, bytes; /* in the kernel's memory of that space, or the data */
};

enum isa_param_kind {
    ISA_PARAM_VALUE,
    ISA_PARAM_GLOBAL,
    ISA_PARAM_CONSTANT,
    ISA_PARAM_LOCAL,
    ISA_PARAM_IMAGE,
    ISA_PARAM_SAMPLER,
    ISA_PARAM_KIND_COUNT
};
enum { ISA_ACCESS_NONE, ISA_ACCESS_READ_ONLY, ISA_ACCESS_WRITE_ONLY, ISA_ACCESS_READ_WRITE };
enum { ISA_QUAL_CONST = 1, ISA_QUAL_RESTRICT = 2, ISA_QUAL_VOLATILE = 4 };

/* A kernel parameter. The argument block holds at `offset`: a value's bytes; for pointers the
 * 32-bit sandbox address; for an image its index in the launch's image table (i32); for a sampler
 * its value (i32). */
struct isa_param {
    char *name, *type_name;     /* as written, for clGetKernelArgInfo */
    uint8_t kind;               /* enum isa_param_kind */
    uint8_t access, qualifiers; /* ISA_ACCESS_*, ISA_QUAL_* */
    uint8_t dim;                /* images: enum isa_image_dim */
    uint32_t size, align;       /* in the argument block; of a local pointer: 4; what clSetKernelArg
                                   demands for values */
    uint32_t offset;
    uint32_t pointee_align; /* pointers: alignment of what they point to */
};

enum { ISA_LOW_IDS = 1 << 27 };

struct isa_kernel {
    char *name;
    char *attributes; /* text for CL_KERNEL_ATTRIBUTES; NULL: none; see isa_kernel_set_attributes */
    struct isa_param *params;
    uint32_t nparams;
    uint32_t param_bytes;   /* size of the argument block */
    uint32_t local_bytes;   /* __local variables; dynamic local arguments lie behind, aligned */
    uint32_t private_bytes; /* frame of a work-item; its first 16 bytes are never used, so no object
                               has address 0 */
    uint32_t spill_bytes;   /* at the frame's end: registers that found no place */
    uint32_t required_size[3]; /* reqd_work_group_size, 0: none */
    uint32_t size_hint[3];
    bool arg_info; /* parameters may be asked about: built with -cl-kernel-arg-info */
    bool low_ids;  /* host passes: it is made for ND-ranges without an offset, of not more than
                      ISA_LOW_IDS work-items in any dimension, those of tiles included */
    uint8_t whole; /* and these dimensions of them, as bits, are whole groups of the known size */
    uint8_t *reg_types; /* enum isa_type of each register */
    uint32_t nregs;
    struct isa_const *consts;
    uint32_t nconsts;
    isa_operand *operands;
    uint32_t noperands;
    struct isa_inst *insts;
    uint32_t ninsts;
    struct isa_call *calls;
    uint32_t ncalls;
    struct isa_site *sites;
    uint32_t nsites;
    struct isa_variable *variables; /* those that sites name */
    uint32_t nvariables, cap_variables;
    struct isa_vtype *types; /* of the variables */
    struct isa_var *vars;
    uint32_t ntypes, nvars, cap_types, cap_vars;
    uint32_t cap_calls, cap_sites;
    uint32_t cap_regs, cap_consts, cap_operands, cap_insts, cap_params; /* the builder's */
    uint32_t *const_index, cap_const_index, const_index_used;
    bool failed;
    bool probed;       /* a host's copy, which may hold probes; never so of a module from outside */
    uint16_t cur_file; /* place given to the instructions emitted next */
    uint32_t cur_line;
    struct isa_inst lost; /* what isa_emit returns when there is no memory */
};

/* Constant data: `data` with, at each relocation's offset, a 32-bit address to which the load
 * address of the constant data is added. */
struct isa_module {
    uint8_t *data;
    uint32_t data_bytes, data_align;
    uint32_t *relocs;
    uint32_t nrelocs;
    char **formats; /* printf format strings, unescaped; may not hold a NUL */
    uint32_t nformats;
    char **files; /* names of source files; 0 is the program's source */
    uint32_t nfiles;
    struct isa_kernel **kernels;
    uint32_t nkernels;
    /* by name: indices + 1, open addressing; the builder's */
    struct isa_index {
        uint32_t *slots;
        uint32_t nslots, used; /* used: so many of the list's are in it */
    } kernel_index, format_index, file_index;
};

/* Why a text was refused. line: of the text, 0 when it does not apply. */
struct isa_error {
    uint32_t line;
    char text[240];
};

/* ---- module.c, build.c: making modules. Allocation failure shows as NULL, ~0u or ISA_NO_OPERAND;
 * a kernel that has failed so stays failed (`isa_kernel_failed`), and isa_verify refuses it. ----
 */
struct isa_module *isa_module_new(void);
void isa_module_free(struct isa_module *m); /* frees its kernels too; NULL is fine */
struct isa_kernel *isa_kernel_new(struct isa_module *m, const char *name); /* owned by the module */
/* A copy of all of it, of no module: isa_kernel_free's. NULL: no memory. */
struct isa_kernel *isa_kernel_copy(const struct isa_kernel *k);
void isa_kernel_free(struct isa_kernel *k); /* a copy; NULL is fine */
/* A module with the data, formats and files of `m`, and a copy of that kernel alone. */
struct isa_module *isa_module_alone(const struct isa_module *m, const struct isa_kernel *k);
struct isa_kernel *isa_module_find(const struct isa_module *m, const char *name);
uint32_t isa_module_add_data(struct isa_module *m, const void *bytes, uint32_t size,
                             uint32_t align); /* offset; ~0u on failure */
bool isa_module_add_reloc(struct isa_module *m, uint32_t offset);
uint32_t isa_module_add_format(struct isa_module *m,
                               const char *format); /* index, shared when equal; ~0u on failure */
uint32_t isa_module_add_file(struct isa_module *m, const char *name); /* index, shared when equal */
struct isa_param *isa_kernel_add_param(struct isa_kernel *k, const char *name,
                                       const char *type_name);
bool isa_kernel_set_attributes(struct isa_kernel *k,
                               const char *text); /* replaces; false: no memory */
bool isa_kernel_failed(const struct isa_kernel *k);

isa_operand isa_reg_new(struct isa_kernel *k, enum isa_type type);
isa_operand isa_const_new(struct isa_kernel *k, enum isa_type type,
                          uint64_t bits); /* shared when equal; bits beyond the type are cut */
enum isa_type isa_operand_type(const struct isa_kernel *k, isa_operand o);

/* The parameter that begins at that byte of the argument block; NULL: none does. */
static inline const struct isa_param *isa_param_at(const struct isa_kernel *k, uint32_t offset) {
    for (uint32_t p = 0; p < k->nparams; p++)
        if (k->params[p].offset == offset && k->params[p].size) return &k->params[p];
    return NULL;
}

/* Is it a pointer? */
static inline bool isa_param_points(const struct isa_param *p) {
    return p->kind == ISA_PARAM_GLOBAL || p->kind == ISA_PARAM_CONSTANT ||
           p->kind == ISA_PARAM_LOCAL;
}

/* Appends an instruction at the current place. The returned pointer is valid until the next emit;
 * use it to set space, mod, flags, imm (`count` follows from the operands). Never NULL: without
 * memory the kernel has failed and the instruction is a dummy. Operand kinds and types are checked
 * by isa_verify. A memory operation's base is always given, ISA_NO_OPERAND when there is none. */
struct isa_inst *isa_emit(struct isa_kernel *k, enum isa_op op, enum isa_type type,
                          enum isa_type type2, uint32_t ndst, const isa_operand *dst, uint32_t nsrc,
                          const isa_operand *src);
/* The same for the commonest shape: one new register as result, up to three sources
 * (ISA_NO_OPERAND: absent). */
isa_operand isa_emit1(struct isa_kernel *k, enum isa_op op, enum isa_type type, enum isa_type type2,
                      isa_operand a, isa_operand b, isa_operand c);
/* Destinations, which the sources follow. NULL when there is none of either. */
static inline isa_operand *isa_dsts(const struct isa_kernel *k, const struct isa_inst *i) {
    return i->ndst + i->nsrc ? k->operands + i->operands : NULL;
}
static inline isa_operand *isa_srcs(const struct isa_kernel *k, const struct isa_inst *i) {
    return i->nsrc ? k->operands + i->operands + i->ndst : NULL;
}
static inline bool isa_writes(const struct isa_kernel *k, const struct isa_inst *i,
                              isa_operand reg) {
    for (unsigned d = 0; d < i->ndst; d++)
        if (isa_dsts(k, i)[d] == reg) return true;
    return false;
}
static inline bool isa_reads(const struct isa_kernel *k, const struct isa_inst *i,
                             isa_operand reg) {
    for (unsigned s = 0; s < i->nsrc; s++)
        if (isa_srcs(k, i)[s] == reg) return true;
    return false;
}
/* Does one of the instructions [from, to)? */
static inline bool isa_writes_between(const struct isa_kernel *k, isa_operand reg, uint32_t from,
                                      uint32_t to) {
    while (from < to && !isa_writes(k, &k->insts[from], reg)) from++;
    return from < to;
}
static inline bool isa_reads_between(const struct isa_kernel *k, isa_operand reg, uint32_t from,
                                     uint32_t to) {
    while (from < to && !isa_reads(k, &k->insts[from], reg)) from++;
    return from < to;
}
/* Do they read another value when they are done again: is it written behind where it is read? */
static inline bool isa_changes_between(const struct isa_kernel *k, isa_operand reg, uint32_t from,
                                       uint32_t to) {
    while (to > from && !isa_writes(k, &k->insts[to - 1], reg)) to--;
    return isa_reads_between(k, reg, from, to);
}
/* Is what the instruction writes made a word anywhere, by zext or sext? */
static inline bool isa_is_widened(const struct isa_kernel *k, const struct isa_inst *i) {
    for (const struct isa_inst *w = k->insts; w < k->insts + k->ninsts; w++)
        if ((w->op == ISA_zext || w->op == ISA_sext) && w->type == ISA_I32 &&
            isa_writes(k, i, isa_srcs(k, w)[0]))
            return true;
    return false;
}
/* Is there a barrier among them? */
static inline bool isa_waits_between(const struct isa_kernel *k, uint32_t from, uint32_t to) {
    while (from < to && k->insts[from].op != ISA_bar) from++;
    return from < to;
}
/* By how much deeper in regions is what follows; modulo 2^32, as it may be less deep. */
static inline uint32_t isa_deeper(const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    return (flags & ISA_OP_REGION_BEGIN ? 1u : 0u) - (flags & ISA_OP_REGION_END ? 1u : 0u);
}
/* Bytes that a lane moves by an access to memory. */
static inline uint32_t isa_bytes(const struct isa_inst *i) {
    return (uint32_t)isa_type_size[i->type] * i->count;
}
/* Does it access memory, as volatile, that others than its group may access meanwhile? To local
 * memory only the order of the accesses of a warp tells, for who runs a group by one thread. */
static inline bool isa_is_watched(const struct isa_inst *i) {
    return i->flags & ISA_VOLATILE && i->space != ISA_LOCAL;
}
/* Does it give the same whenever it is done, of the same operands? */
static inline bool isa_is_timeless(const struct isa_inst *i) {
    return isa_op_info[i->op].flags & ISA_OP_PURE || (i->op == ISA_ld && i->space == ISA_PARAM);
}
/* Of a read of an image, or a write: which source the first coordinate is. */
static inline unsigned isa_first_coordinate(const struct isa_inst *i) {
    return i->op == ISA_img_read ? 2 : 1;
}
/* May an image be read and written by one kernel? */
static inline bool isa_has_read_write(const struct isa_kernel *k) {
    bool any = false;
    for (uint32_t p = 0; p < k->nparams; p++) any |= k->params[p].access == ISA_ACCESS_READ_WRITE;
    return any;
}
/* Bytes of a work-item's private memory, as engines lay it out. */
static inline uint32_t isa_frame_bytes(const struct isa_kernel *k) {
    return (k->private_bytes + 15) & ~15u;
}
/* Is it a constant of f32 or f64 that is finite, not zero and no denormal? */
static inline bool isa_is_normal(const struct isa_kernel *k, isa_operand o) {
    if (!isa_is_const(o)) return false;
    const struct isa_const *c = &k->consts[isa_const_index(o)];
    uint64_t most = c->type == ISA_F64 ? 0x7ff : 0xff;
    uint64_t exponent = c->bits >> (c->type == ISA_F64 ? 52 : 23) & most;
    return c->type >= ISA_F32 && exponent && exponent != most;
}
/* Is it a constant of type i32? */
static inline bool isa_constant(const struct isa_kernel *k, isa_operand o, uint32_t *value) {
    if (!isa_is_const(o) || k->consts[isa_const_index(o)].type != ISA_I32) return false;
    *value = (uint32_t)k->consts[isa_const_index(o)].bits;
    return true;
}

/* ---- site.c: the sites of a kernel. Sites and calls are named by index + 1; 0 is none. ---- */
extern const char *const isa_site_kind_name[ISA_SITE_KIND_COUNT];
extern const char *const isa_site_reason_name[ISA_SITE_REASON_COUNT];
/* May an instruction with this operation carry a site of the kind? */
bool isa_site_takes(enum isa_site_kind kind, enum isa_op op);
/* Should the instruction carry a site: an access (but of the param space), a branch, a barrier? */
bool isa_site_wanted(const struct isa_inst *i);
/* Is it of an operation that only computes? Such an instruction need not have one. */
bool isa_site_computes(enum isa_site_kind kind);
/* Sets the site's space and width to those of the instruction. */
void isa_site_describe(struct isa_site *s, const struct isa_inst *i);
/* Append a copy; text and name are copied too (a text that is too long is cut). 0: no memory, and
 * the kernel has failed. */
uint32_t isa_call_new(struct isa_kernel *k, const struct isa_call *call);
uint32_t isa_site_new(struct isa_kernel *k, const struct isa_site *site);
/* The same of variables, in variable.c. */
uint32_t isa_variable_new(struct isa_kernel *k, const struct isa_variable *variable);
/* Drops those that no present site names. False: no memory, and the kernel has failed. */
bool isa_variables_finish(struct isa_kernel *k);
/* An instruction with site `from` went away because one with site `into` does its work. Either may
 * be 0 or the same: nothing is noted. */
void isa_site_merge(struct isa_kernel *k, uint32_t into, uint32_t from);
/* An instruction with this site went away. site 0: nothing is noted. */
void isa_site_remove(struct isa_kernel *k, uint32_t site, enum isa_site_reason reason);
/* Sets the fate of every site from the instructions that are left and from what was noted: a site
 * that an instruction carries is present, one that was merged into a present site is merged, all
 * others are removed. To be called when code was taken out, before isa_verify. Linear in time.
 * False: no memory, and the kernel has failed. */
bool isa_sites_finish(struct isa_kernel *k);
/* Makes the calls and sites of `to`, which has none, those of `from`. */
bool isa_sites_copy(struct isa_kernel *to, const struct isa_kernel *from);

/* ---- fold.c: what an operation makes of constants ---- */
/* The bits of `op` applied to constants. False: not known with certainty here (division of floats
 * that may be denormal, math functions, ...). exact: the caller wants what the language says of
 * constants (an initialiser at program scope), whatever the device would do. The host's
 * floating-point environment must be the default. */
bool isa_fold(enum isa_op op, enum isa_type type, enum isa_type type2, unsigned mod,
              const struct isa_const *src, unsigned nsrc, bool exact, uint64_t *bits);

/* Does the operation give the quotient of two integers; that, or what is left of one? */
static inline bool isa_is_quotient(unsigned op) { return op == ISA_div_s || op == ISA_div_u; }
static inline bool isa_divides(unsigned op) {
    return isa_is_quotient(op) || op == ISA_rem_s || op == ISA_rem_u;
}

static inline bool isa_is_integer(unsigned type) { return type >= ISA_I8 && type <= ISA_I64; }
_Static_assert(ISA_I64 - ISA_I8 == 3, "integers are in a row");
static inline uint64_t isa_cut(enum isa_type t, uint64_t bits) {
    unsigned width = t == ISA_PRED ? 1 : isa_type_size[t] * 8u;
    return width >= 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}
static inline int64_t isa_signed(enum isa_type t, uint64_t bits) {
    unsigned shift = 64 - isa_type_size[t] * 8u;
    return shift >= 64 ? 0 : (int64_t)(bits << shift) >> shift;
}

/* ---- verify.c: the rules of SPEC.md; also fills `match`. ---- */
bool isa_verify(struct isa_module *m, struct isa_error *error);
/* The same for one kernel, which need not be the module's own. */
bool isa_verify_one(const struct isa_module *m, struct isa_kernel *k, struct isa_error *error);

/* ---- print.c, parse.c: the text form. print returns a malloc'ed, NUL-terminated text (the caller
 * frees) and its length; parse takes any bytes, gives a verified module or NULL and the reason.
 * print(parse(print(m))) == print(m). ---- */
char *isa_print(const struct isa_module *m, size_t *length);
/* The same of the module with one of its kernels only. */
char *isa_print_alone(const struct isa_module *m, const struct isa_kernel *k, size_t *length);
/* One kernel, for a person to read: in the text form, but not a module that can be parsed. It may
 * be one that the verifier refuses. The caller frees; NULL: no memory. */
char *isa_print_kernel(const struct isa_kernel *k);
struct isa_module *isa_parse(const char *text, size_t length, struct isa_error *error);
/* The same of a host's own copies of kernels, which may name `alone`, and hold probes: not for a
 * text from outside. */
struct isa_module *isa_parse_copy(const char *text, size_t length, bool probed,
                                  struct isa_error *error);

/* The text form's checksum (SPEC.md), for other texts too. */
uint64_t isa_checksum(const char *text, size_t length);

#endif
