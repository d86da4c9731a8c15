/* The rules of SPEC.md: what passes here may be run, whatever wrote it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"
#include "probes.h"

/* One kernel being verified. `error` keeps the first reason. */
struct verifier {
    const struct isa_module *m;
    struct isa_kernel *k;
    struct isa_error *error;
    uint32_t at;                     /* instruction, ~0u: none */
    uint32_t open[ISA_MAX_NESTING];  /* the instructions that began the regions open here */
    uint32_t parts[ISA_MAX_NESTING]; /* of an if: where `match` is still to be set */
    uint32_t depth;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct verifier *v, const char *format,
                                                         ...) {
    char reason[160];
    va_list list;
    va_start(list, format);
    vsnprintf(reason, sizeof reason, format, list);
    va_end(list);
    v->error->line = 0;
    if (v->at == ~0u)
        snprintf(v->error->text, sizeof v->error->text, "kernel '%.40s': %s", v->k->name, reason);
    else
        snprintf(v->error->text, sizeof v->error->text, "kernel '%.40s', instruction %u: %s",
                 v->k->name, (unsigned)v->at, reason);
    return false;
}

static bool refuse_module(struct isa_error *error, const char *reason) {
    error->line = 0;
    snprintf(error->text, sizeof error->text, "%s", reason);
    return false;
}

static bool is_power_of_two(uint32_t n) { return n && !(n & (n - 1)); }

/* ---- operands ---- */

static bool check_operand(struct verifier *v, isa_operand o, enum isa_type want, const char *what) {
    const struct isa_kernel *k = v->k;
    bool in_range = isa_is_reg(o)     ? o < k->nregs
                    : isa_is_const(o) ? isa_const_index(o) < k->nconsts
                                      : false;
    if (!in_range) return refuse(v, "%s is no operand of this kernel", what);
    enum isa_type have = isa_operand_type(k, o);
    if (want == ISA_NONE_T || have == want) return true;
    return refuse(v, "%s has type %s, not %s", what, isa_type_name[have], isa_type_name[want]);
}

static bool check_dst(struct verifier *v, const struct isa_inst *i, unsigned n,
                      enum isa_type want) {
    const isa_operand *dst = isa_dsts(v->k, i);
    if (n >= i->ndst) return refuse(v, "destinations are missing");
    if (!isa_is_reg(dst[n])) return refuse(v, "a destination is no register");
    for (unsigned e = 0; e < n; e++)
        if (dst[e] == dst[n]) return refuse(v, "a register is written twice");
    return check_operand(v, dst[n], want, "destination");
}

static bool check_src(struct verifier *v, const struct isa_inst *i, unsigned n,
                      enum isa_type want) {
    if (n >= i->nsrc) return refuse(v, "sources are missing");
    return check_operand(v, isa_srcs(v->k, i)[n], want, "source");
}

static enum isa_type type_of_kind(const struct isa_inst *i, char kind) {
    switch (kind) {
    case 'u': return (enum isa_type)i->type2;
    case 'p': return ISA_PRED;
    case 'i': return ISA_I32;
    default: return (enum isa_type)i->type;
    }
}

/* Coordinates have type2; what img_write stores has the instruction's type; printf takes anything.
 */
static bool check_list(struct verifier *v, const struct isa_inst *i, unsigned from) {
    unsigned coordinates = 0, components = 0;
    if (i->op == ISA_img_read || i->op == ISA_img_write)
        coordinates = isa_image_coordinates[i->mod];
    if (i->op == ISA_img_write) components = 4;
    if (coordinates && i->nsrc != from + coordinates + components)
        return refuse(v, "an image access takes %u operands more", coordinates + components);
    for (unsigned n = from; n < i->nsrc; n++) {
        enum isa_type want = !coordinates             ? ISA_NONE_T
                             : n - from < coordinates ? (enum isa_type)i->type2
                                                      : (enum isa_type)i->type;
        if (!check_src(v, i, n, want)) return false;
    }
    return true;
}

static bool check_operands(struct verifier *v, const struct isa_inst *i) {
    const char *kinds = isa_op_info[i->op].operands;
    unsigned n = 0;
    for (; *kinds != ':'; kinds++)
        for (unsigned c = *kinds == 'T' ? i->count : 1u; c; c--)
            if (!check_dst(v, i, n++, type_of_kind(i, *kinds))) return false;
    if (n != i->ndst) return refuse(v, "too many destinations");
    n = 0;
    for (kinds++; *kinds; kinds++) switch (*kinds) {
        case 'n': break;
        case 'm': {
            if (n >= i->nsrc) return refuse(v, "the address is missing");
            isa_operand base = isa_srcs(v->k, i)[n];
            if (base != ISA_NO_OPERAND) {
                if (!isa_is_reg(base)) return refuse(v, "an address has a register as its base");
                if (!check_operand(v, base, ISA_I32, "address")) return false;
            }
            n++;
            break;
        }
        case 'T':
            for (unsigned c = i->count; c; c--)
                if (!check_src(v, i, n++, (enum isa_type)i->type)) return false;
            break;
        case 'V':
            if (!check_list(v, i, n)) return false;
            n = i->nsrc;
            break;
        default:
            if (!check_src(v, i, n++, type_of_kind(i, *kinds))) return false;
        }
    if (n != i->nsrc) return refuse(v, "too many sources");
    return true;
}

/* ---- types, modifiers, immediates ---- */

static bool allowed(uint16_t set, uint8_t type) {
    return set ? type < ISA_TYPE_COUNT && (set >> type & 1) : type == ISA_NONE_T;
}

static bool check_types(struct verifier *v, const struct isa_inst *i) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    if (!allowed(info->types, i->type)) return refuse(v, "%s does not have that type", info->name);
    if (!allowed(info->types2, i->type2))
        return refuse(v, "%s does not have that second type", info->name);
    unsigned to = isa_type_size[i->type], from = isa_type_size[i->type2];
    switch (i->op) {
    case ISA_bits: return to == from || refuse(v, "bits keeps the width");
    case ISA_trunc: return to < from || refuse(v, "trunc goes to a narrower type");
    case ISA_sext:
    case ISA_zext: return to > from || refuse(v, "%s goes to a wider type", info->name);
    case ISA_f2f: return to != from || refuse(v, "f2f goes to another type");
    default: return true;
    }
}

static bool check_modifiers(struct verifier *v, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    unsigned mods = flags & ISA_OP_ROUNDS      ? ISA_ROUNDING_COUNT
                    : flags & ISA_OP_IMAGE     ? ISA_DIM_COUNT
                    : i->op == ISA_probe_count ? ISA_COUNT_MODS
                                               : 1;
    if (i->mod >= mods) return refuse(v, "unknown rounding or image dimension");
    bool is_signed_access = (i->op == ISA_img_read || i->op == ISA_img_write) && i->type == ISA_I32;
    unsigned may = (flags & ISA_OP_MEMORY ? ISA_VOLATILE : 0) |
                   (is_signed_access ? ISA_UNSIGNED : 0) | (i->op == ISA_if ? ISA_PREDICATED : 0);
    if (i->flags & ~may) return refuse(v, "a flag that the operation does not have");
    if (i->op == ISA_ld || i->op == ISA_st) {
        unsigned c = i->count;
        if (!(c == 1 || c == 2 || c == 3 || c == 4 || c == 8 || c == 16))
            return refuse(v, "%u components", c);
    } else if (i->count != 1) {
        return refuse(v, "a count that the operation does not have");
    }
    if (i->file && i->file >= v->m->nfiles) return refuse(v, "file %u is not listed", i->file);
    return true;
}

static bool check_memory(struct verifier *v, const struct isa_inst *i) {
    uint32_t flags = isa_op_info[i->op].flags;
    if (!(flags & ISA_OP_MEMORY))
        return i->space == ISA_NO_SPACE || refuse(v, "a space without a memory operation");
    if (i->space == ISA_NO_SPACE || i->space >= ISA_SPACE_COUNT) return refuse(v, "no space");
    bool constant = i->space == ISA_CONSTANT || i->space == ISA_PARAM;
    if (flags & ISA_OP_WRITES && constant) return refuse(v, "a store to constant memory");
    if (flags & ISA_OP_ATOMIC && i->space != ISA_GLOBAL && i->space != ISA_LOCAL)
        return refuse(v, "an atomic operation on memory that is not shared");
    if (i->imm <= -ISA_MAX_DISPLACEMENT || i->imm >= ISA_MAX_DISPLACEMENT)
        return refuse(v, "a displacement of 1 MiB or more");
    if (i->space != ISA_PARAM) return true;
    if (isa_srcs(v->k, i)[0] != ISA_NO_OPERAND)
        return refuse(v, "a parameter's address has no base");
    int64_t end = (int64_t)i->imm + isa_bytes(i);
    if (i->imm < 0 || end > v->k->param_bytes) return refuse(v, "a load behind the parameters");
    return true;
}

/* What the immediate may be, where it is no displacement. */
static bool check_immediate(struct verifier *v, const struct isa_inst *i) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    uint32_t imm = (uint32_t)i->imm, limit;
    switch (i->op) {
    case ISA_special: limit = ISA_SPECIAL_COUNT; break;
    case ISA_localaddr: limit = v->k->local_bytes + 1; break;
    case ISA_constaddr: limit = v->m->data_bytes + 1; break;
    case ISA_fence:
    case ISA_bar: limit = 1u << ISA_FENCE_BITS; break;
    case ISA_img_info: limit = ISA_IMAGE_INFO_COUNT; break;
    case ISA_printf: limit = v->m->nformats; break;
    case ISA_break:
    case ISA_breakif:
    case ISA_continue: limit = v->depth; break;
    default: limit = info->flags & (ISA_OP_MEMORY | ISA_OP_PROBE | ISA_OP_NOTE) ? UINT32_MAX : 1;
    }
    if (limit == UINT32_MAX || imm < limit) return true;
    return refuse(v, "%s cannot take %d", info->name, (int)i->imm);
}

/* ---- regions ---- */

static bool check_jump(struct verifier *v, const struct isa_inst *i) {
    if (i->op == ISA_ret) return true;
    uint16_t target = v->k->insts[v->open[v->depth - 1 - (uint32_t)i->imm]].op;
    if (target == ISA_loop || (target == ISA_block && i->op != ISA_continue)) return true;
    return refuse(v, "%s out of %s", isa_op_info[i->op].name, isa_op_info[target].name);
}

static bool check_region(struct verifier *v, struct isa_inst *i) {
    struct isa_inst *insts = v->k->insts;
    uint32_t flags = isa_op_info[i->op].flags;
    i->match = 0;
    if (flags & ISA_OP_REGION_BEGIN) {
        if (v->depth == ISA_MAX_NESTING) return refuse(v, "regions nest too deeply");
        v->parts[v->depth] = v->open[v->depth] = v->at;
        v->depth++;
    } else if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END)) {
        static const uint16_t begins[] = {ISA_else,    ISA_if,   ISA_endif,    ISA_if,
                                          ISA_endloop, ISA_loop, ISA_endblock, ISA_block};
        uint16_t want = ISA_OP_COUNT;
        for (unsigned n = 0; n < sizeof begins / sizeof *begins; n += 2)
            if (begins[n] == i->op) want = begins[n + 1];
        uint32_t begin = v->depth ? v->open[v->depth - 1] : 0;
        if (!v->depth || insts[begin].op != want)
            return refuse(v, "%s does not end the innermost region", isa_op_info[i->op].name);
        uint32_t *part = &v->parts[v->depth - 1];
        if (i->op == ISA_else && *part != begin) return refuse(v, "a second else");
        insts[*part].match = v->at;
        *part = v->at;
        if (i->op != ISA_else) {
            i->match = begin;
            v->depth--;
        }
    } else if (flags & ISA_OP_JUMP) {
        return check_jump(v, i);
    }
    return true;
}

static bool check_read(const struct verifier *v, const struct isa_inst *i) {
    enum { COORDINATES = 2 /* behind image and sampler */ };
    if (i->imm < 0 || i->nsrc <= COORDINATES || i->nsrc > COORDINATES + ISA_READ_COORDINATES)
        return false;
    for (unsigned n = 0; n < i->nsrc; n++) {
        enum isa_type type = isa_operand_type(v->k, isa_srcs(v->k, i)[n]);
        if (type != ISA_I32 && (n < COORDINATES || type != ISA_F32)) return false;
    }
    return true;
}

/* A granule or a number of bins is a constant, and not 0. */
static bool check_bins(struct verifier *v, const struct isa_inst *i) {
    const isa_operand *src = isa_srcs(v->k, i);
    if (i->op == ISA_probe_note &&
        (i->nsrc != 1 || i->imm < 0 || isa_operand_type(v->k, src[0]) != ISA_I32))
        return refuse(v, "probe_note takes an address");
    if (i->op == ISA_probe_guard &&
        (i->nsrc != 2 || i->imm < 0 || isa_operand_type(v->k, src[0]) != ISA_I32 ||
         isa_operand_type(v->k, src[1]) != ISA_I32 || !isa_is_const(src[1])))
        return refuse(v, "probe_guard takes an address and a constant");
    if (i->op == ISA_probe_read && !check_read(v, i))
        return refuse(v, "probe_read takes an image, a sampler and coordinates");
    if (i->op != ISA_probe_bins) return true;
    if (i->nsrc != ISA_BINS_SOURCES || i->imm < 0)
        return refuse(v, "probe_bins takes %d operands", (int)ISA_BINS_SOURCES);
    for (unsigned n = 0; n < ISA_BINS_SOURCES; n++)
        if (isa_operand_type(v->k, src[n]) != ISA_I32 || (n && !isa_is_const(src[n])))
            return refuse(v, "probe_bins takes an address and constants");
    uint64_t granule = v->k->consts[isa_const_index(src[ISA_BINS_GRANULE])].bits;
    if (!granule || granule & (granule - 1) ||
        !v->k->consts[isa_const_index(src[ISA_BINS_COUNT])].bits)
        return refuse(v, "probe_bins has no bins");
    uint64_t lanes = v->k->consts[isa_const_index(src[ISA_BINS_LANES])].bits;
    if (lanes > 1 && ((lanes != ISA_WARP / 4 && lanes != ISA_WARP / 2) ||
                      v->k->consts[isa_const_index(src[ISA_BINS_COUNT])].bits != 1))
        return refuse(v, "probe_bins knows no such lanes");
    return true;
}

static bool check_inst(struct verifier *v, struct isa_inst *i) {
    if (i->op >= ISA_OP_COUNT) return refuse(v, "unknown operation %u", i->op);
    if (isa_op_info[i->op].flags & ISA_OP_PROBE && !v->k->probed)
        return refuse(v, "%s is for the host alone", isa_op_info[i->op].name);
    if ((uint64_t)i->operands + i->ndst + i->nsrc > v->k->noperands)
        return refuse(v, "operands that are not there");
    return check_types(v, i) && check_modifiers(v, i) && check_operands(v, i) &&
           check_memory(v, i) && check_immediate(v, i) && check_bins(v, i) && check_region(v, i);
}

/* ---- kernels ---- */

static bool check_params(struct verifier *v) {
    const struct isa_kernel *k = v->k;
    uint8_t *taken = calloc(k->param_bytes + 1u, 1);
    if (!taken) return refuse(v, "out of memory");
    bool good = true;
    for (uint32_t n = 0; good && n < k->nparams; n++) {
        const struct isa_param *p = &k->params[n];
        bool words = p->kind < ISA_PARAM_KIND_COUNT && p->access < ISA_ACCESS_COUNT &&
                     p->qualifiers < 1u << ISA_QUAL_BITS && p->dim < ISA_DIM_COUNT &&
                     (p->kind == ISA_PARAM_IMAGE || !p->dim) && p->name && p->type_name;
        bool aligned = is_power_of_two(p->align) && p->align <= ISA_MAX_ALIGN &&
                       p->offset % p->align == 0 &&
                       (!p->pointee_align || is_power_of_two(p->pointee_align));
        bool sized = p->kind == ISA_PARAM_VALUE || (p->size == 4 && p->align == 4);
        if (!words || !aligned || !sized)
            good = refuse(v, "parameter %u is badly described", (unsigned)n);
        else if (p->size > k->param_bytes || p->offset > k->param_bytes - p->size)
            good = refuse(v, "parameter %u lies outside the argument block", (unsigned)n);
        else if (p->size && memchr(taken + p->offset, 1, p->size))
            good = refuse(v, "parameter %u overlaps another", (unsigned)n);
        else
            memset(taken + p->offset, 1, p->size);
    }
    free(taken);
    return good;
}

static bool check_limits(struct verifier *v) {
    const struct isa_kernel *k = v->k;
    const uint32_t *r = k->required_size, *h = k->size_hint;
    if (k->failed) return refuse(v, "out of memory");
    if (!k->name[0]) return refuse(v, "it has no name");
    if (k->param_bytes > ISA_MAX_PARAM_BYTES) return refuse(v, "too large an argument block");
    if (k->local_bytes > ISA_MAX_LOCAL_BYTES) return refuse(v, "too much local memory");
    if (k->private_bytes > ISA_MAX_PRIVATE_BYTES) return refuse(v, "too much private memory");
    if (k->spill_bytes > k->private_bytes) return refuse(v, "more spilled than private memory");
    if (!r[0] != !r[1] || !r[0] != !r[2] || !h[0] != !h[1] || !h[0] != !h[2])
        return refuse(v, "a work-group size with a 0 in it");
    if (k->ninsts > ISA_MAX_INSTRUCTIONS) return refuse(v, "too many instructions");
    if (k->nregs >= ISA_CONST_BIT || k->nconsts >= ISA_CONST_BIT - 1)
        return refuse(v, "too many registers or constants");
    for (uint32_t n = 0; n < k->nregs; n++)
        if (k->reg_types[n] == ISA_NONE_T || k->reg_types[n] >= ISA_TYPE_COUNT)
            return refuse(v, "register %u has no type", (unsigned)n);
    for (uint32_t n = 0; n < k->nconsts; n++) {
        const struct isa_const *c = &k->consts[n];
        if (c->type == ISA_NONE_T || c->type >= ISA_TYPE_COUNT)
            return refuse(v, "constant %u has no type", (unsigned)n);
        unsigned width = c->type == ISA_PRED ? 1 : 8u * isa_type_size[c->type];
        if (width < 64 && c->bits >> width)
            return refuse(v, "constant %u is too large for its type", (unsigned)n);
    }
    return true;
}

bool isa_verify_kernel(const struct isa_module *m, struct isa_kernel *k, struct isa_error *error,
                       uint32_t *inst) {
    struct verifier v = {.m = m, .k = k, .error = error, .at = ~0u};
    bool good = check_limits(&v) && check_params(&v);
    for (uint32_t n = 0; good && n < k->ninsts; n++) {
        v.at = n;
        good = check_inst(&v, &k->insts[n]);
    }
    if (good && v.depth) {
        v.at = v.open[v.depth - 1];
        good = refuse(&v, "the region is not closed");
    }
    const char *reason;
    if (good && !isa_sites_check(m, k, &v.at, &reason)) good = refuse(&v, "%s", reason);
    if (good && !isa_vars_check(m, k, &v.at, &reason)) good = refuse(&v, "%s", reason);
    *inst = v.at;
    return good;
}

/* ---- modules ---- */

bool isa_verify_data(const struct isa_module *m, struct isa_error *error) {
    if (!is_power_of_two(m->data_align) || m->data_align > ISA_MAX_ALIGN)
        return refuse_module(error, "the constant data's alignment is no power of two");
    if (m->data_bytes > ISA_MAX_DATA_BYTES) return refuse_module(error, "too much constant data");
    for (uint32_t n = 0; n < m->nrelocs; n++)
        if (m->data_bytes < 4 || m->relocs[n] > m->data_bytes - 4)
            return refuse_module(error, "a relocation outside the constant data");
    if (m->nfiles > UINT16_MAX) return refuse_module(error, "too many files");
    return true;
}

static int by_name(const void *a, const void *b) {
    const struct isa_kernel *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

bool isa_verify_names(const struct isa_module *m, struct isa_error *error) {
    if (m->nkernels < 2) return true;
    struct isa_kernel **sorted = malloc(m->nkernels * sizeof *sorted);
    if (!sorted) return refuse_module(error, "out of memory");
    memcpy(sorted, m->kernels, m->nkernels * sizeof *sorted);
    qsort(sorted, m->nkernels, sizeof *sorted, by_name);
    bool good = true;
    for (uint32_t n = 1; good && n < m->nkernels; n++)
        if (!by_name(&sorted[n - 1], &sorted[n])) {
            error->line = 0;
            snprintf(error->text, sizeof error->text, "two kernels are named '%.40s'",
                     sorted[n]->name);
            good = false;
        }
    free(sorted);
    return good;
}

bool isa_verify_one(const struct isa_module *m, struct isa_kernel *k, struct isa_error *error) {
    uint32_t inst;
    return isa_verify_kernel(m, k, error, &inst);
}

bool isa_verify(struct isa_module *m, struct isa_error *error) {
    uint32_t inst;
    if (!isa_verify_data(m, error)) return false;
    for (uint32_t n = 0; n < m->nkernels; n++)
        if (!isa_verify_kernel(m, m->kernels[n], error, &inst)) return false;
    return isa_verify_names(m, error);
}
