/* Module to text. The form is SPEC.md's "Text"; parse.c reads it back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"

struct printer {
    char *text;
    size_t length, capacity;
    bool failed;
    bool alone; /* a kernel for a person to read */
    const struct isa_kernel *k;
    unsigned depth;
    uint16_t file; /* place of the last .loc */
    uint32_t line;
};

/* ---- pieces ---- */

static char *room(struct printer *o, size_t n) {
    if (o->capacity - o->length < n) {
        size_t capacity = 2 * o->capacity + n + 1024;
        char *p = o->failed ? NULL : realloc(o->text, capacity);
        if (!p) {
            o->failed = true;
            return NULL;
        }
        o->text = p;
        o->capacity = capacity;
    }
    o->length += n;
    return o->text + o->length - n;
}

static void put_bytes(struct printer *o, const char *s, size_t n) {
    char *p = room(o, n);
    if (p) memcpy(p, s, n);
}

static void put(struct printer *o, const char *s) { put_bytes(o, s, strlen(s)); }

static void put_char(struct printer *o, char c) { put_bytes(o, &c, 1); }

static void put_uint(struct printer *o, uint64_t n) {
    char digits[20];
    unsigned at = sizeof digits;
    do digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    put_bytes(o, digits + at, sizeof digits - at);
}

static void put_int(struct printer *o, int64_t n) {
    if (n < 0) put_char(o, '-');
    put_uint(o, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static void put_hex(struct printer *o, uint64_t n, unsigned digits) {
    char *p = room(o, digits);
    for (unsigned d = digits; p && d; n >>= 4) p[--d] = "0123456789abcdef"[n & 15];
}

static void put_number(struct printer *o, const char *what, uint64_t n) {
    put(o, what);
    put_uint(o, n);
}

static void put_string(struct printer *o, const char *s) {
    put_char(o, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') {
            put_char(o, '\\');
            put_char(o, *s);
        } else if (c == '\n') {
            put(o, "\\n");
        } else if (c == '\t') {
            put(o, "\\t");
        } else if (c < ' ' || c == 0x7f) {
            put(o, "\\x");
            put_hex(o, c, 2);
        } else {
            put_char(o, *s);
        }
    }
    put_char(o, '"');
}

/* ---- operands ---- */

static int64_t sign_extended(uint64_t bits, unsigned bytes) {
    unsigned unused = 64 - 8 * bytes;
    return (int64_t)(bits << unused) >> unused;
}

static void put_const(struct printer *o, const struct isa_const *c, bool typed) {
    switch (c->type) {
    case ISA_F32:
        put(o, "0f");
        put_hex(o, c->bits, 8);
        return;
    case ISA_F64:
        put(o, "0d");
        put_hex(o, c->bits, 16);
        return;
    }
    if (typed) {
        put(o, isa_type_name[c->type]);
        put_char(o, ':');
    }
    if (c->type == ISA_PRED)
        put_uint(o, c->bits);
    else
        put_int(o, sign_extended(c->bits, isa_type_size[c->type]));
}

/* typed: the place does not tell the type of an immediate. */
static void put_operand(struct printer *o, isa_operand x, bool typed) {
    const struct isa_kernel *k = o->k;
    if (isa_is_reg(x) && x < k->nregs && k->reg_types[x] < ISA_TYPE_COUNT) {
        char name[2] = {'%', isa_reg_letter[k->reg_types[x]]};
        put_bytes(o, name, 2);
        put_uint(o, x);
    } else if (isa_is_const(x) && isa_const_index(x) < k->nconsts &&
               k->consts[isa_const_index(x)].type - 1u < ISA_TYPE_COUNT - 1u) {
        put_const(o, &k->consts[isa_const_index(x)], typed);
    } else {
        put(o, "?");
    }
}

static void put_operands(struct printer *o, const isa_operand *x, unsigned n, bool typed) {
    for (unsigned c = 0; c < n; c++) {
        if (c) put(o, ", ");
        put_operand(o, x[c], typed);
    }
}

static void put_group(struct printer *o, const isa_operand *x, unsigned n, bool typed) {
    put_char(o, '{');
    put_operands(o, x, n, typed);
    put_char(o, '}');
}

static void put_address(struct printer *o, const struct isa_inst *i, isa_operand base) {
    put_char(o, '[');
    if (base == ISA_NO_OPERAND) {
        put_int(o, i->imm);
    } else {
        put_operand(o, base, false);
        if (i->imm > 0) put_char(o, '+');
        if (i->imm) put_int(o, i->imm);
    }
    put_char(o, ']');
}

static void put_immediate(struct printer *o, const struct isa_inst *i) {
    uint32_t imm = (uint32_t)i->imm;
    if (i->op == ISA_special && imm < ISA_SPECIAL_COUNT) {
        put(o, isa_special_name[imm]);
    } else if (i->op == ISA_img_info && imm < ISA_IMAGE_INFO_COUNT) {
        put(o, isa_image_info_name[imm]);
    } else if (i->op == ISA_fence || i->op == ISA_bar) {
        const char *separator = "";
        for (unsigned bit = 0; bit < ISA_FENCE_BITS; bit++)
            if (imm >> bit & 1) {
                put(o, separator);
                put(o, isa_fence_name[bit]);
                separator = " ";
            }
    } else if (i->op == ISA_var || i->op == ISA_var_at) {
        put_uint(o, isa_var_number(i->imm));
        if (isa_var_component(i->imm)) put_char(o, '+');
        if (isa_var_component(i->imm)) put_uint(o, isa_var_component(i->imm));
    } else {
        put_int(o, i->imm);
    }
}

/* What float constants are worth, for the reader. The decimal point is the host program's affair.
 */
static void put_remark(struct printer *o, const struct isa_inst *i) {
    const struct isa_kernel *k = o->k;
    const isa_operand *x = isa_srcs(k, i);
    const char *separator = " // ";
    for (unsigned n = 0; n < i->nsrc; n++) {
        if (!isa_is_const(x[n]) || isa_const_index(x[n]) >= k->nconsts) continue;
        const struct isa_const *c = &k->consts[isa_const_index(x[n])];
        float f;
        double d;
        uint32_t word = (uint32_t)c->bits;
        memcpy(&f, &word, sizeof f);
        memcpy(&d, &c->bits, sizeof d);
        if (c->type != ISA_F32 && c->type != ISA_F64) continue;
        char text[40];
        snprintf(text, sizeof text, c->type == ISA_F32 ? "%.9g" : "%.17g",
                 c->type == ISA_F32 ? (double)f : d);
        put(o, separator);
        bool point = false;
        for (char *s = text; *s; s++) {
            bool other = !strchr("0123456789+-einfa", *s);
            if (!other || !point) put_char(o, other ? '.' : *s);
            point = other;
        }
        separator = ", ";
    }
}

/* ---- instructions ---- */

static void put_word(struct printer *o, const char *word) {
    put_char(o, '.');
    put(o, word ? word : "?");
}

static void put_type(struct printer *o, uint16_t set, uint8_t type) {
    if (set & (set - 1)) put_word(o, type < ISA_TYPE_COUNT ? isa_type_name[type] : NULL);
}

static void put_mnemonic(struct printer *o, const struct isa_inst *i) {
    const struct isa_op_info *info = &isa_op_info[i->op];
    put(o, info->name);
    if (info->flags & ISA_OP_MEMORY)
        put_word(o, i->space < ISA_SPACE_COUNT ? isa_space_name[i->space] : NULL);
    if (info->flags & ISA_OP_ROUNDS)
        put_word(o, i->mod < ISA_ROUNDING_COUNT ? isa_rounding_name[i->mod] : NULL);
    if (info->flags & ISA_OP_IMAGE)
        put_word(o, i->mod < ISA_DIM_COUNT ? isa_dim_name[i->mod] : NULL);
    for (unsigned n = 0; i->op == ISA_probe_count && n < ISA_COUNT_BITS; n++)
        if (i->mod >> n & 1) put_word(o, isa_count_name[n]);
    if (i->flags & ISA_VOLATILE) put(o, ".volatile");
    if (i->flags & ISA_UNSIGNED) put(o, ".unsigned");
    if (i->flags & ISA_PREDICATED) put(o, ".predicated");
    put_type(o, info->types, i->type);
    put_type(o, info->types2, i->type2);
    if (i->count > 1) put_number(o, ".v", i->count);
}

/* One operand, or the group that a kind letter stands for; returns how many operands it took. */
static unsigned put_kind(struct printer *o, const struct isa_inst *i, char kind,
                         const isa_operand *x, unsigned left) {
    unsigned take = kind == 'n' ? 0 : kind == 'V' ? left : kind == 'T' ? i->count : 1;
    if (take > left) take = left;
    if (kind == 'n')
        put_immediate(o, i);
    else if (kind == 'm')
        put_address(o, i, take ? *x : ISA_NO_OPERAND);
    else if (kind == 'V' || i->count > 1)
        put_group(o, x, take,
                  i->op == ISA_printf || isa_op_info[i->op].flags & (ISA_OP_PROBE | ISA_OP_NOTE));
    else
        put_operands(o, x, take, false);
    return take;
}

static void put_inst(struct printer *o, const struct isa_inst *i) {
    if (i->op >= ISA_OP_COUNT || (uint64_t)i->operands + i->ndst + i->nsrc > o->k->noperands) {
        put(o, "?");
        return;
    }
    put_mnemonic(o, i);
    const isa_operand *x = isa_dsts(o->k, i);
    const char *separator = " ";
    unsigned left = i->ndst;
    for (const char *kinds = isa_op_info[i->op].operands; *kinds; kinds++) {
        if (*kinds == ':') {
            x = isa_srcs(o->k, i);
            left = i->nsrc;
            continue;
        }
        if (*kinds == 'n' && (i->op == ISA_bar || i->op == ISA_fence) && !i->imm) continue;
        put(o, separator);
        unsigned taken = put_kind(o, i, *kinds, x, left);
        if (taken) x += taken; /* x is NULL where there are none */
        left -= taken;
        separator = ", ";
    }
    if (i->site) put_number(o, " @", i->site);
    put_remark(o, i);
}

static void put_indent(struct printer *o) {
    char *p = room(o, 4 * (o->depth < 16 ? o->depth : 16) + 4);
    if (p) memset(p, ' ', (size_t)(o->text + o->length - p));
}

static void put_body(struct printer *o) {
    const struct isa_kernel *k = o->k;
    o->file = 0;
    o->line = 0;
    o->depth = 0;
    for (uint32_t at = 0; at < k->ninsts; at++) {
        const struct isa_inst *i = &k->insts[at];
        uint32_t flags = i->op < ISA_OP_COUNT ? isa_op_info[i->op].flags : 0;
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_END) && o->depth) o->depth--;
        if (i->file != o->file || i->line != o->line) {
            put_indent(o);
            put_number(o, ".loc ", i->file);
            put_number(o, " ", i->line);
            put_char(o, '\n');
            o->file = i->file;
            o->line = i->line;
        }
        put_indent(o);
        put_inst(o, i);
        put_char(o, '\n');
        if (flags & (ISA_OP_REGION_ELSE | ISA_OP_REGION_BEGIN)) o->depth++;
    }
}

/* ---- kernels ---- */

static void put_param(struct printer *o, const struct isa_param *p) {
    put(o, ".param ");
    put_string(o, p->name ? p->name : "");
    put_char(o, ' ');
    put_string(o, p->type_name ? p->type_name : "");
    put_char(o, ' ');
    put(o, p->kind < ISA_PARAM_KIND_COUNT ? isa_param_kind_name[p->kind] : "?");
    if (p->kind == ISA_PARAM_IMAGE && p->dim < ISA_DIM_COUNT) {
        put_char(o, ' ');
        put(o, isa_dim_name[p->dim]);
    }
    if (p->access && p->access < ISA_ACCESS_COUNT) {
        put_char(o, ' ');
        put(o, isa_access_name[p->access]);
    }
    for (unsigned bit = 0; bit < ISA_QUAL_BITS; bit++)
        if (p->qualifiers >> bit & 1) {
            put_char(o, ' ');
            put(o, isa_qual_name[bit]);
        }
    put_number(o, " offset ", p->offset);
    put_number(o, " size ", p->size);
    put_number(o, " align ", p->align);
    if (p->pointee_align) put_number(o, " pointee ", p->pointee_align);
    put_char(o, '\n');
}

static void put_size(struct printer *o, const char *what, const uint32_t size[3]) {
    if (!size[0]) return;
    put_number(o, what, size[0]);
    put_number(o, " ", size[1]);
    put_number(o, " ", size[2]);
    put_char(o, '\n');
}

static void put_bytes_of(struct printer *o, const char *what, uint32_t bytes) {
    if (!bytes) return;
    put_number(o, what, bytes);
    put_char(o, '\n');
}

/* Registers that no instruction names: their types would be lost. */
static void put_unused(struct printer *o) {
    const struct isa_kernel *k = o->k;
    if (!k->nregs) return;
    uint8_t *used = calloc(k->nregs, 1);
    if (!used) {
        o->failed = true;
        return;
    }
    for (uint32_t at = 0; at < k->ninsts; at++) {
        const struct isa_inst *i = &k->insts[at];
        if ((uint64_t)i->operands + i->ndst + i->nsrc > k->noperands) continue;
        const isa_operand *x = isa_dsts(k, i);
        for (unsigned n = 0; n < i->ndst + (unsigned)i->nsrc; n++)
            if (isa_is_reg(x[n]) && x[n] < k->nregs) used[x[n]] = 1;
    }
    unsigned on_line = 0;
    for (uint32_t r = 0; r < k->nregs; r++) {
        if (used[r]) continue;
        put(o, on_line ? " " : ".unused ");
        put_operand(o, r, false);
        on_line = (on_line + 1) % 16;
        if (!on_line) put_char(o, '\n');
    }
    if (on_line) put_char(o, '\n');
    free(used);
}

static void put_place(struct printer *o, uint16_t file, uint32_t line, uint32_t column) {
    put_number(o, " ", file);
    put_number(o, " ", line);
    put_number(o, " ", column);
}

static void put_call(struct printer *o, const struct isa_call *c, uint32_t number) {
    put_number(o, ".call ", number);
    put_char(o, ' ');
    put_string(o, c->name ? c->name : "");
    put_place(o, c->file, c->line, c->column);
    if (c->around) put_number(o, " in ", c->around);
    put_char(o, '\n');
}

static void put_site(struct printer *o, const struct isa_site *s, uint32_t number) {
    put_number(o, ".site ", number);
    put_char(o, ' ');
    put(o, s->kind < ISA_SITE_KIND_COUNT ? isa_site_kind_name[s->kind] : "?");
    if (s->space) {
        put_char(o, ' ');
        put(o, s->space < ISA_SPACE_COUNT ? isa_space_name[s->space] : "?");
    }
    if (s->width) {
        put_number(o, " ", s->width);
        put_number(o, "x", s->count);
    }
    put_place(o, s->file, s->line, s->column);
    if (s->call) put_number(o, " in ", s->call);
    if (s->text) {
        put_char(o, ' ');
        put_string(o, s->text);
    }
    if (s->inverted) put(o, " inverted");
    if (s->variable) put_number(o, " of ", s->variable);
    if (s->packed) put(o, " packed");
    if (s->fate == ISA_SITE_MERGED) put_number(o, " merged ", s->into);
    if (s->fate == ISA_SITE_REMOVED) {
        put(o, " removed ");
        put(o, s->reason < ISA_SITE_REASON_COUNT ? isa_site_reason_name[s->reason] : "?");
    }
    put_char(o, '\n');
}

static void put_variable(struct printer *o, const struct isa_variable *v, uint32_t number) {
    put_number(o, ".variable ", number);
    put_char(o, ' ');
    put(o, v->space < ISA_SPACE_COUNT ? isa_space_name[v->space] : "?");
    put_char(o, ' ');
    put_string(o, v->name);
    put_number(o, " offset ", v->offset);
    put_number(o, " bytes ", v->bytes);
    put_char(o, '\n');
}

static void put_vtype(struct printer *o, const struct isa_vtype *t, uint32_t number) {
    put_number(o, ".type ", number);
    put_char(o, ' ');
    put(o, t->form < ISA_FORM_COUNT ? isa_form_name[t->form] : "?");
    put_char(o, ' ');
    put_string(o, t->name ? t->name : "");
    put_number(o, " ", t->size);
    if (t->of) put_number(o, " of ", t->of);
    if (t->count) put_number(o, " count ", t->count);
    if (t->space && t->space < ISA_SPACE_COUNT) {
        put(o, " in ");
        put(o, isa_space_name[t->space]);
    }
    for (uint32_t n = 0; n < t->nfields; n++) {
        put_char(o, ' ');
        put_string(o, t->fields[n].name ? t->fields[n].name : "");
        put_number(o, " ", t->fields[n].type);
        put_number(o, " ", t->fields[n].offset);
    }
    put_char(o, '\n');
}

static void put_var(struct printer *o, const struct isa_var *v, uint32_t number) {
    put_number(o, ".var ", number);
    put_char(o, ' ');
    put_string(o, v->name ? v->name : "");
    put_number(o, " ", v->type);
    put_place(o, v->file, v->line, v->column);
    put_number(o, " to ", v->last);
    if (v->call) put_number(o, " in ", v->call);
    if (v->space && v->space < ISA_SPACE_COUNT) {
        put_char(o, ' ');
        put(o, isa_space_name[v->space]);
        put_number(o, " ", v->offset);
    }
    put_char(o, '\n');
}

static void put_kernel(struct printer *o, const struct isa_kernel *k) {
    o->k = k;
    put(o, "\n.kernel ");
    put_string(o, k->name);
    put_char(o, '\n');
    if (k->attributes && *k->attributes) {
        put(o, ".attributes ");
        put_string(o, k->attributes);
        put_char(o, '\n');
    }
    for (uint32_t n = 0; n < k->nparams; n++) put_param(o, &k->params[n]);
    put_bytes_of(o, ".param_bytes ", k->param_bytes);
    put_bytes_of(o, ".local_bytes ", k->local_bytes);
    put_bytes_of(o, ".private_bytes ", k->private_bytes);
    put_bytes_of(o, ".spill_bytes ", k->spill_bytes);
    put_size(o, ".required_size ", k->required_size);
    put_size(o, ".size_hint ", k->size_hint);
    if (k->arg_info) put(o, ".arg_info\n");
    put_bytes_of(o, ".regs ", k->nregs);
    if (!o->alone) put_unused(o);
    for (uint32_t n = 0; n < k->ncalls; n++) put_call(o, &k->calls[n], n + 1);
    for (uint32_t n = 0; n < k->nvariables; n++) put_variable(o, &k->variables[n], n + 1);
    for (uint32_t n = 0; n < k->nsites; n++) put_site(o, &k->sites[n], n + 1);
    for (uint32_t n = 0; n < k->ntypes; n++) put_vtype(o, &k->types[n], n + 1);
    for (uint32_t n = 0; n < k->nvars; n++) put_var(o, &k->vars[n], n + 1);
    put(o, "{\n");
    put_body(o);
    put(o, "}\n");
}

/* ---- modules ---- */

static void put_data(struct printer *o, const struct isa_module *m) {
    if (!m->data_bytes && m->data_align == 1) return;
    put_number(o, ".data ", m->data_bytes);
    put_number(o, " align ", m->data_align);
    for (uint32_t n = 0; n < m->data_bytes; n++) {
        put(o, n % 32 ? "" : "\n    ");
        put_hex(o, m->data[n], 2);
    }
    put_char(o, '\n');
    for (uint32_t n = 0; n < m->nrelocs; n++) {
        put_number(o, ".reloc ", m->relocs[n]);
        put_char(o, '\n');
    }
}

static void put_strings(struct printer *o, const char *what, char *const *list, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        put(o, what);
        put_string(o, list[n]);
        put_char(o, '\n');
    }
}

char *isa_print_kernel(const struct isa_kernel *k) {
    struct printer o = {.alone = true};
    put_kernel(&o, k);
    put_bytes(&o, "", 1);
    if (!o.failed) return o.text;
    free(o.text);
    return NULL;
}

char *isa_print(const struct isa_module *m, size_t *length) {
    struct printer o = {0};
    put_number(&o, ISA_TEXT_HEADER " ", ISA_TEXT_VERSION);
    put_char(&o, '\n');
    put_strings(&o, ".file ", m->files, m->nfiles);
    put_data(&o, m);
    put_strings(&o, ".format ", m->formats, m->nformats);
    for (uint32_t n = 0; n < m->nkernels; n++) put_kernel(&o, m->kernels[n]);
    uint64_t sum = o.failed ? 0 : isa_checksum(o.text, o.length);
    put(&o, ".checksum ");
    put_hex(&o, sum, 16);
    put_bytes(&o, "\n", 2);
    if (o.failed) {
        free(o.text);
        return NULL;
    }
    *length = o.length - 1;
    return o.text;
}

char *isa_print_alone(const struct isa_module *m, const struct isa_kernel *k, size_t *length) {
    struct isa_module alone = *m;
    struct isa_kernel *kernels[] = {(struct isa_kernel *)(uintptr_t)k};
    alone.kernels = kernels;
    alone.nkernels = 1;
    return isa_print(&alone, length);
}
