/* Text to module. The text may be any bytes: memory stays within a small multiple of its length. */
#include <stdlib.h>
#include <string.h>

#include "parse_site.h"
#include "parse_var.h"

enum { OP_TABLE = 1024 }; /* at least twice the operations */
_Static_assert(ISA_OP_COUNT * 2 <= OP_TABLE, "the table of names is too full");

struct parser {
    struct scan s;
    struct isa_module *m;
    struct isa_kernel *k;
    uint64_t regs_left; /* registers the text may still declare: it is long enough to name them */
    unsigned version;   /* of the form that the text is in */
    bool copies;        /* the kernels are a host's copies, which may name what engines make; */
    bool probed;        /* they may hold probes, too */
    uint32_t *lines;    /* of the text, for each instruction of the kernel */
    uint32_t cap_lines;
    uint16_t ops[OP_TABLE]; /* open hashing: isa_op + 1 */
};

static bool no_memory(struct parser *p) { return scan_fail(&p->s, "out of memory"); }

/* ---- names of operations ---- */

static uint32_t hash(struct scan_word w) {
    uint32_t h = 2166136261u;
    for (size_t n = 0; n < w.length; n++) h = (h ^ (unsigned char)w.text[n]) * 16777619u;
    return h ^ h >> 15;
}

static uint16_t *op_slot(struct parser *p, struct scan_word w) {
    uint32_t slot = hash(w) % OP_TABLE;
    while (p->ops[slot] && !scan_is(w, isa_op_info[p->ops[slot] - 1].name))
        slot = (slot + 1) % OP_TABLE;
    return &p->ops[slot];
}

static void list_ops(struct parser *p) {
    for (uint16_t op = 0; op < ISA_OP_COUNT; op++) {
        const char *name = isa_op_info[op].name;
        if (isa_op_info[op].flags & ISA_OP_HOST) continue; /* no text has them */
        *op_slot(p, (struct scan_word){.text = name, .length = strlen(name)}) = op + 1;
    }
}

/* ---- operands ---- */

static bool declare_regs(struct parser *p, uint64_t count) {
    struct isa_kernel *k = p->k;
    if (count <= k->nregs) return true;
    uint64_t more = count - k->nregs;
    if (more > p->regs_left) return scan_fail(&p->s, "more registers than the text can name");
    if (!isa_grow((void **)&k->reg_types, &k->cap_regs, count, sizeof *k->reg_types))
        return no_memory(p);
    memset(k->reg_types + k->nregs, ISA_NONE_T, more);
    p->regs_left -= more;
    k->nregs = (uint32_t)count;
    return true;
}

static bool parse_reg(struct parser *p, isa_operand *reg) {
    if (!scan_expect(&p->s, '%')) return false;
    const char *letter = p->s.at < p->s.end && *p->s.at && *p->s.at != '?'
                             ? memchr(isa_reg_letter, *p->s.at, ISA_TYPE_COUNT)
                             : NULL;
    if (!letter) return scan_fail(&p->s, "a register's letter is one of p b h i l f d");
    p->s.at++;
    uint8_t type = (uint8_t)(letter - isa_reg_letter);
    uint64_t n;
    if (!scan_uint(&p->s, ISA_CONST_BIT - 1, &n) || !declare_regs(p, n + 1)) return false;
    uint8_t *have = &p->k->reg_types[n];
    if (*have != ISA_NONE_T && *have != type)
        return scan_fail(&p->s, "register %u was %%%c%u before", (unsigned)n, isa_reg_letter[*have],
                         (unsigned)n);
    *have = type;
    *reg = (isa_operand)n;
    return true;
}

static bool parse_float(struct parser *p, enum isa_type *type, uint64_t *bits) {
    *type = p->s.at[1] == 'f' ? ISA_F32 : ISA_F64;
    p->s.at += 2;
    return scan_hex(&p->s, 2u * isa_type_size[*type], bits);
}

static bool parse_bits(struct parser *p, enum isa_type type, uint64_t *bits) {
    if (type == ISA_PRED) return scan_uint(&p->s, 1, bits);
    if (type == ISA_F32 || type == ISA_F64)
        return scan_fail(&p->s, "a float is written 0f or 0d and its bits in hexadecimal");
    unsigned width = 8u * isa_type_size[type];
    uint64_t half = 1ull << (width - 1);
    return scan_int(&p->s, (int64_t)(0 - half), 2 * half - 1, bits);
}

/* want: the type, or ISA_NONE_T when the text must tell. */
static bool parse_const(struct parser *p, enum isa_type want, isa_operand *o) {
    struct scan *s = &p->s;
    enum isa_type type = want;
    if (s->at < s->end && *s->at >= 'a' && *s->at <= 'z') {
        type = (enum isa_type)scan_find(scan_word(s), isa_type_name, ISA_TYPE_COUNT);
        if (type == ISA_NONE_T || type == ISA_TYPE_COUNT) return scan_fail(s, "unknown type");
        if (!scan_expect(s, ':')) return false;
        scan_blank(s);
    }
    uint64_t bits;
    if (s->end - s->at >= 2 && s->at[0] == '0' && (s->at[1] == 'f' || s->at[1] == 'd')) {
        if (!parse_float(p, &type, &bits)) return false;
    } else {
        if (type == ISA_NONE_T) return scan_fail(s, "an immediate needs its type here, as i32:5");
        if (!parse_bits(p, type, &bits)) return false;
    }
    if (want != ISA_NONE_T && type != want)
        return scan_fail(s, "the immediate has type %s, not %s", isa_type_name[type],
                         isa_type_name[want]);
    *o = isa_const_new(p->k, type, bits);
    return *o != ISA_NO_OPERAND || no_memory(p);
}

static bool parse_operand(struct parser *p, enum isa_type want, isa_operand *o) {
    scan_blank(&p->s);
    if (p->s.at < p->s.end && *p->s.at == '%') return parse_reg(p, o);
    return parse_const(p, want, o);
}

/* ---- instructions ---- */

struct draft { /* an instruction being read */
    struct isa_inst inst;
    isa_operand dst[16], src[UINT8_MAX];
    unsigned ndst, nsrc;
};

static bool parse_address(struct parser *p, struct draft *d) {
    struct scan *s = &p->s;
    isa_operand *base = &d->src[d->nsrc++];
    *base = ISA_NO_OPERAND;
    if (!scan_expect(s, '[')) return false;
    scan_blank(s);
    bool has_base = s->at < s->end && *s->at == '%';
    if (has_base && !parse_reg(p, base)) return false;
    if (!has_base || !scan_take(s, ']')) {
        if (has_base && !scan_take(s, '+')) {
            scan_blank(s);
            if (s->at == s->end || *s->at != '-') return scan_fail(s, "']' is missing");
        }
        uint64_t bits;
        if (!scan_int(s, -ISA_MAX_DISPLACEMENT, ISA_MAX_DISPLACEMENT, &bits)) return false;
        d->inst.imm = (int32_t)(int64_t)bits;
        return scan_expect(s, ']');
    }
    return true;
}

static bool parse_fence(struct parser *p, struct draft *d) {
    while (!scan_at_end_line(&p->s) && *p->s.at != '@') {
        unsigned bit = scan_find(scan_word(&p->s), isa_fence_name, ISA_FENCE_BITS);
        if (bit == ISA_FENCE_BITS) return scan_fail(&p->s, "a fence is local, global, read, write");
        d->inst.imm |= 1 << bit;
    }
    return true;
}

static bool parse_named(struct parser *p, struct draft *d, const char *const *names,
                        unsigned count) {
    scan_blank(&p->s);
    unsigned n = scan_find(scan_word(&p->s), names, count);
    if (n == count) return scan_fail(&p->s, "unknown name for %s", isa_op_info[d->inst.op].name);
    d->inst.imm = (int32_t)n;
    return true;
}

static bool parse_immediate(struct parser *p, struct draft *d) {
    switch (d->inst.op) {
    case ISA_special:
        return parse_named(p, d, isa_special_name,
                           p->copies ? ISA_SPECIAL_COUNT : ISA_SPECIAL_alone);
    case ISA_img_info: return parse_named(p, d, isa_image_info_name, ISA_IMAGE_INFO_COUNT);
    case ISA_bar:
    case ISA_fence: return parse_fence(p, d);
    }
    uint64_t n, component = 0;
    bool of_var = d->inst.op == ISA_var || d->inst.op == ISA_var_at;
    if (!scan_uint(&p->s, of_var ? ISA_MAX_VARS : INT32_MAX, &n)) return false;
    if (of_var && scan_take(&p->s, '+') && !scan_uint(&p->s, UINT16_MAX, &component)) return false;
    d->inst.imm = of_var ? isa_var_imm((uint32_t)n, (uint32_t)component) : (int32_t)n;
    return true;
}

/* An immediate in a list has the type that the place gives it; printf's and probes' have to name
 * it. */
static enum isa_type type_in_list(const struct draft *d, unsigned place) {
    if (d->inst.op == ISA_printf || isa_op_info[d->inst.op].flags & (ISA_OP_PROBE | ISA_OP_NOTE))
        return ISA_NONE_T;
    bool coordinate = place < isa_image_coordinates[d->inst.mod];
    return (enum isa_type)(coordinate ? d->inst.type2 : d->inst.type);
}

static bool parse_list(struct parser *p, struct draft *d) {
    if (!scan_expect(&p->s, '{')) return false;
    if (scan_take(&p->s, '}')) return true;
    for (unsigned place = 0;; place++) {
        if (d->nsrc == UINT8_MAX) return scan_fail(&p->s, "too many operands");
        if (!parse_operand(p, type_in_list(d, place), &d->src[d->nsrc++])) return false;
        if (scan_take(&p->s, '}')) return true;
        if (!scan_expect(&p->s, ',')) return false;
    }
}

/* One operand, or as many in braces. */
static bool parse_components(struct parser *p, struct draft *d, bool dst, unsigned count) {
    enum isa_type type = (enum isa_type)d->inst.type;
    if (count > 1 && !scan_expect(&p->s, '{')) return false;
    for (unsigned n = 0; n < count; n++) {
        if (n && !scan_expect(&p->s, ',')) return false;
        if (dst ? !parse_reg(p, &d->dst[d->ndst++]) : !parse_operand(p, type, &d->src[d->nsrc++]))
            return false;
    }
    return count < 2 || scan_expect(&p->s, '}');
}

static bool parse_kind(struct parser *p, struct draft *d, char kind, bool dst) {
    enum isa_type type = (enum isa_type)(kind == 'u'   ? d->inst.type2
                                         : kind == 'p' ? ISA_PRED
                                         : kind == 'i' ? ISA_I32
                                                       : d->inst.type);
    switch (kind) {
    case 'n': return parse_immediate(p, d);
    case 'm': return parse_address(p, d);
    case 'V': return parse_list(p, d);
    case 'T': return parse_components(p, d, dst, d->inst.count);
    default:
        return dst ? parse_reg(p, &d->dst[d->ndst++]) : parse_operand(p, type, &d->src[d->nsrc++]);
    }
}

static bool parse_operands(struct parser *p, struct draft *d) {
    bool dst = true, first = true;
    for (const char *kind = isa_op_info[d->inst.op].operands; *kind; kind++) {
        if (*kind == ':') {
            dst = false;
            continue;
        }
        if (!first && !scan_expect(&p->s, ',')) return false;
        first = false;
        if (!parse_kind(p, d, *kind, dst)) return false;
    }
    if (p->version > 1 && scan_take(&p->s, '@') && !scan_u32(&p->s, &d->inst.site)) return false;
    return scan_end_line(&p->s);
}

/* A word behind a dot, which must be there. */
static bool parse_mod(struct parser *p, const char *const *names, unsigned count, uint8_t *out) {
    unsigned n = count;
    if (p->s.at < p->s.end && *p->s.at == '.') {
        p->s.at++;
        n = scan_find(scan_word(&p->s), names, count);
    }
    if (n == count) return scan_fail(&p->s, "the operation's modifiers are wrong");
    *out = (uint8_t)n;
    return true;
}

static bool take_mod(struct parser *p, const char *word) {
    struct scan s = p->s;
    if (s.at == s.end || *s.at++ != '.' || !scan_is(scan_word(&s), word)) return false;
    p->s.at = s.at;
    return true;
}

static bool parse_type(struct parser *p, uint16_t set, uint8_t *type) {
    *type = ISA_NONE_T;
    if (set & (set - 1)) return parse_mod(p, isa_type_name, ISA_TYPE_COUNT, type);
    while (set >>= 1) ++*type;
    return true;
}

static bool parse_mods(struct parser *p, struct isa_inst *i) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    static const char *const counts[] = {"v2", "v3", "v4", "v8", "v16"};
    static const uint8_t count_of[] = {2, 3, 4, 8, 16};
    if (info->flags & ISA_OP_MEMORY && !parse_mod(p, isa_space_name, ISA_SPACE_COUNT, &i->space))
        return false;
    if (info->flags & ISA_OP_ROUNDS &&
        !parse_mod(p, isa_rounding_name, ISA_ROUNDING_COUNT, &i->mod))
        return false;
    if (info->flags & ISA_OP_IMAGE && !parse_mod(p, isa_dim_name, ISA_DIM_COUNT, &i->mod))
        return false;
    for (unsigned n = 0; i->op == ISA_probe_count && n < ISA_COUNT_BITS; n++)
        if (take_mod(p, isa_count_name[n])) i->mod |= (uint8_t)(1u << n);
    if (take_mod(p, "volatile")) i->flags |= ISA_VOLATILE;
    if (take_mod(p, "unsigned")) i->flags |= ISA_UNSIGNED;
    if (take_mod(p, "predicated")) i->flags |= ISA_PREDICATED;
    if (!parse_type(p, info->types, &i->type) || !parse_type(p, info->types2, &i->type2))
        return false;
    i->count = 1;
    if (p->s.at < p->s.end && *p->s.at == '.') {
        uint8_t n = 0;
        if (i->op != ISA_ld && i->op != ISA_st) return scan_fail(&p->s, "a modifier too many");
        if (!parse_mod(p, counts, sizeof count_of, &n)) return false;
        i->count = count_of[n];
    }
    return true;
}

static bool parse_inst(struct parser *p) {
    struct isa_kernel *k = p->k;
    struct draft d = {.ndst = 0};
    struct scan_word name = scan_word(&p->s);
    uint16_t op = *op_slot(p, name);
    if (!op)
        return scan_fail(&p->s, "unknown operation '%.*s'",
                         (int)(name.length < 40 ? name.length : 40), name.text);
    d.inst.op = op - 1;
    if (k->ninsts == ISA_MAX_INSTRUCTIONS) return scan_fail(&p->s, "too many instructions");
    if (!parse_mods(p, &d.inst) || !parse_operands(p, &d)) return false;
    if (!isa_grow((void **)&p->lines, &p->cap_lines, k->ninsts + 1ull, sizeof *p->lines))
        return no_memory(p);
    p->lines[k->ninsts] = p->s.line;
    struct isa_inst *i = isa_emit(k, (enum isa_op)d.inst.op, (enum isa_type)d.inst.type,
                                  (enum isa_type)d.inst.type2, d.ndst, d.dst, d.nsrc, d.src);
    if (isa_kernel_failed(k)) return no_memory(p);
    i->space = d.inst.space;
    i->mod = d.inst.mod;
    i->flags = d.inst.flags;
    i->count = d.inst.count;
    i->imm = d.inst.imm;
    i->site = d.inst.site;
    return true;
}

/* ---- kernels ---- */

static bool parse_loc(struct parser *p) {
    uint64_t file;
    if (!scan_uint(&p->s, UINT16_MAX, &file) || !scan_u32(&p->s, &p->k->cur_line)) return false;
    p->k->cur_file = (uint16_t)file;
    return scan_end_line(&p->s);
}

static bool parse_body(struct parser *p) {
    for (;;) {
        if (!scan_to_line(&p->s)) return scan_fail(&p->s, "the kernel does not end");
        if (scan_take(&p->s, '}')) return scan_end_line(&p->s);
        if (!scan_take(&p->s, '.')) {
            if (!parse_inst(p)) return false;
        } else if (!scan_is(scan_word(&p->s), "loc")) {
            return scan_fail(&p->s, "unknown directive in a kernel's body");
        } else if (!parse_loc(p)) {
            return false;
        }
    }
}

static bool parse_param_word(struct parser *p, struct isa_param *a, struct scan_word w) {
    static const char *const numbers[] = {"offset", "size", "align", "pointee"};
    uint32_t *const fields[] = {&a->offset, &a->size, &a->align, &a->pointee_align};
    unsigned n;
    if ((n = scan_find(w, numbers, 4)) < 4) return scan_u32(&p->s, fields[n]);
    if ((n = scan_find(w, isa_qual_name, ISA_QUAL_BITS)) < ISA_QUAL_BITS)
        a->qualifiers |= (uint8_t)(1 << n);
    else if ((n = scan_find(w, isa_access_name, ISA_ACCESS_COUNT)) < ISA_ACCESS_COUNT)
        a->access = (uint8_t)n;
    else if ((n = scan_find(w, isa_dim_name, ISA_DIM_COUNT)) < ISA_DIM_COUNT)
        a->dim = (uint8_t)n;
    else
        return scan_fail(&p->s, "unknown word for a parameter");
    return true;
}

static bool parse_param(struct parser *p) {
    char *name = scan_string(&p->s), *type = name ? scan_string(&p->s) : NULL;
    struct isa_param *a = type ? isa_kernel_add_param(p->k, name, type) : NULL;
    bool named = type;
    free(name);
    free(type);
    if (!named) return false;
    if (!a) return no_memory(p);
    a->align = 1;
    scan_blank(&p->s);
    unsigned kind = scan_find(scan_word(&p->s), isa_param_kind_name, ISA_PARAM_KIND_COUNT);
    if (kind == ISA_PARAM_KIND_COUNT) return scan_fail(&p->s, "unknown kind of parameter");
    a->kind = (uint8_t)kind;
    while (!scan_at_end_line(&p->s))
        if (!parse_param_word(p, a, scan_word(&p->s))) return false;
    return true;
}

static bool parse_attributes(struct parser *p) {
    char *text = scan_string(&p->s);
    if (!text) return false;
    free(p->k->attributes);
    p->k->attributes = text;
    return true;
}

static bool parse_unused(struct parser *p) {
    isa_operand reg;
    while (!scan_at_end_line(&p->s))
        if (!parse_reg(p, &reg)) return false;
    return true;
}

static bool parse_size(struct parser *p, uint32_t size[3]) {
    return scan_u32(&p->s, &size[0]) && scan_u32(&p->s, &size[1]) && scan_u32(&p->s, &size[2]);
}

static bool parse_kernel_directive(struct parser *p) {
    struct isa_kernel *k = p->k;
    struct scan_word w = scan_word(&p->s);
    uint64_t regs;
    bool good;
    if (scan_is(w, "param"))
        good = parse_param(p);
    else if (scan_is(w, "attributes"))
        good = parse_attributes(p);
    else if (scan_is(w, "param_bytes"))
        good = scan_u32(&p->s, &k->param_bytes);
    else if (scan_is(w, "local_bytes"))
        good = scan_u32(&p->s, &k->local_bytes);
    else if (scan_is(w, "private_bytes"))
        good = scan_u32(&p->s, &k->private_bytes);
    else if (scan_is(w, "spill_bytes"))
        good = scan_u32(&p->s, &k->spill_bytes);
    else if (scan_is(w, "required_size"))
        good = parse_size(p, k->required_size);
    else if (scan_is(w, "size_hint"))
        good = parse_size(p, k->size_hint);
    else if (scan_is(w, "arg_info"))
        good = k->arg_info = true;
    else if (scan_is(w, "regs"))
        good = scan_uint(&p->s, ISA_CONST_BIT, &regs) && declare_regs(p, regs);
    else if (scan_is(w, "unused"))
        good = parse_unused(p);
    else if (p->version > 1 && scan_is(w, "call"))
        good = parse_site_call(&p->s, k);
    else if (p->version > 1 && scan_is(w, "variable"))
        good = parse_site_variable(&p->s, k);
    else if (p->version > 1 && scan_is(w, "site"))
        good = parse_site(&p->s, k);
    else if (p->version > 1 && scan_is(w, "type"))
        good = parse_var_type(&p->s, k);
    else if (p->version > 1 && scan_is(w, "var"))
        good = parse_var(&p->s, k);
    else
        good = scan_fail(&p->s, "unknown directive of a kernel");
    return good && scan_end_line(&p->s);
}

static bool verify_kernel(struct parser *p, uint32_t line) {
    uint32_t inst;
    if (isa_verify_kernel(p->m, p->k, p->s.error, &inst)) return true;
    p->s.error->line = inst < p->k->ninsts ? p->lines[inst] : line;
    return false;
}

static bool parse_kernel(struct parser *p) {
    uint32_t line = p->s.line;
    char *name = scan_string(&p->s);
    if (!name) return false;
    p->k = isa_kernel_new(p->m, name);
    free(name);
    if (!p->k) return no_memory(p);
    p->k->probed = p->probed;
    if (!scan_end_line(&p->s)) return false;
    for (;;) {
        if (!scan_to_line(&p->s)) return scan_fail(&p->s, "the kernel has no body");
        if (scan_take(&p->s, '{')) break;
        if (!scan_expect(&p->s, '.') || !parse_kernel_directive(p)) return false;
    }
    if (!scan_end_line(&p->s) || !parse_body(p)) return false;
    for (uint32_t r = 0; r < p->k->nregs; r++)
        if (p->k->reg_types[r] == ISA_NONE_T) p->k->reg_types[r] = ISA_I32;
    return verify_kernel(p, line);
}

/* ---- modules ---- */

static bool parse_data(struct parser *p) {
    struct scan *s = &p->s;
    uint32_t bytes, align;
    if (p->m->data) return scan_fail(s, "constant data for a second time");
    if (!scan_u32(s, &bytes)) return false;
    scan_blank(s);
    if (!scan_is(scan_word(s), "align")) return scan_fail(s, "'align' is missing");
    if (!scan_u32(s, &align)) return false;
    if (bytes > (size_t)(s->end - s->at) / 2) return scan_fail(s, "constant data is missing");
    uint8_t *data = malloc(bytes + 1u);
    if (!data) return no_memory(p);
    bool good = true;
    for (uint32_t n = 0; good && n < bytes; n++) {
        uint64_t byte = 0;
        good = scan_to_line(s) ? scan_hex(s, 2, &byte) : scan_fail(s, "constant data is missing");
        data[n] = (uint8_t)byte;
    }
    if (good && isa_module_add_data(p->m, data, bytes, align) == ~0u)
        good = scan_fail(s, "the constant data is too large or cannot be aligned");
    free(data);
    return good;
}

static bool parse_strings(struct parser *p, char ***list, uint32_t *count) {
    char *string = scan_string(&p->s);
    if (!string) return false;
    bool good = isa_push_string(list, count, string, strlen(string)) || no_memory(p);
    free(string);
    return good;
}

static bool parse_checksum(struct parser *p, const char *text, size_t covered) {
    uint64_t sum;
    scan_blank(&p->s);
    if (!scan_hex(&p->s, 16, &sum)) return false;
    if (sum != isa_checksum(text, covered))
        return scan_fail(&p->s, "the text is damaged: its checksum does not match");
    if (!scan_end_line(&p->s)) return false;
    return !scan_to_line(&p->s) || scan_fail(&p->s, "text behind the checksum");
}

static bool parse_module_directive(struct parser *p, const char *text) {
    struct isa_module *m = p->m;
    size_t covered = (size_t)(p->s.at - text);
    if (!scan_expect(&p->s, '.')) return false;
    struct scan_word w = scan_word(&p->s);
    bool good;
    uint32_t offset;
    if (scan_is(w, "kernel")) return parse_kernel(p);
    if (scan_is(w, "checksum")) return parse_checksum(p, text, covered);
    if (m->nkernels) return scan_fail(&p->s, "kernels come last");
    if (scan_is(w, "file"))
        good = parse_strings(p, &m->files, &m->nfiles);
    else if (scan_is(w, "format"))
        good = parse_strings(p, &m->formats, &m->nformats);
    else if (scan_is(w, "data"))
        good = parse_data(p);
    else if (scan_is(w, "reloc"))
        good = scan_u32(&p->s, &offset) && (isa_module_add_reloc(m, offset) || no_memory(p));
    else
        good = scan_fail(&p->s, "unknown directive");
    return good && scan_end_line(&p->s);
}

static bool parse_module(struct parser *p, const char *text) {
    uint64_t version;
    static const char header[] = ISA_TEXT_HEADER;
    size_t size = sizeof header - 1;
    if ((size_t)(p->s.end - p->s.at) < size || memcmp(p->s.at, header, size))
        return scan_fail(&p->s, "this is no text of the warp IR");
    p->s.at += size;
    if (!scan_uint(&p->s, UINT32_MAX, &version)) return false;
    if (!version || version > ISA_TEXT_VERSION)
        return scan_fail(&p->s, "version %u is not known", (unsigned)version);
    p->version = (unsigned)version;
    if (!scan_end_line(&p->s)) return false;
    while (scan_to_line(&p->s))
        if (!parse_module_directive(p, text)) return false;
    p->s.error->line = 0;
    return isa_verify_data(p->m, p->s.error) && isa_verify_names(p->m, p->s.error);
}

static struct isa_module *parse(const char *text, size_t length, bool copies, bool probed,
                                struct isa_error *error) {
    struct parser p = {
        .s = {.at = text, .end = text + length, .line = 1, .error = error},
        .m = isa_module_new(),
        .regs_left = length,
        .copies = copies,
        .probed = probed,
    };
    list_ops(&p);
    bool good = p.m ? parse_module(&p, text) : no_memory(&p);
    free(p.lines);
    if (good) return p.m;
    isa_module_free(p.m);
    return NULL;
}

struct isa_module *isa_parse(const char *text, size_t length, struct isa_error *error) {
    return parse(text, length, false, false, error);
}

struct isa_module *isa_parse_copy(const char *text, size_t length, bool probed,
                                  struct isa_error *error) {
    return parse(text, length, true, probed, error);
}
