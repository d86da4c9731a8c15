#include "printf.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELD_MOST = 4095, /* of width and precision: C99 7.19.6.1 asks for no more */
    PIECE = 3 * 4096,  /* holds any one conversion: 309 digits, a point, FIELD_MOST digits */
    OUT_BYTES = 64 << 10
};

/* ---- text on its way out ---- */

struct print_out {
    char *text;
    size_t size, length;
    void (*write)(void *user, const char *text,
                  size_t length); /* NULL: text beyond `size` is only counted */
    void *user;
};

/* Hands over all whole lines, or everything when there is none or `all` is asked. */
static void flush(struct print_out *o, bool all) {
    size_t n = o->length;
    if (!all)
        while (n && o->text[n - 1] != '\n') n--;
    if (!n) n = o->length;
    if (n) o->write(o->user, o->text, n);
    memmove(o->text, o->text + n, o->length - n);
    o->length -= n;
}

static void put(struct print_out *o, const char *text, size_t n) {
    while (o->write && n > o->size - o->length) {
        size_t part = o->size - o->length;
        memcpy(o->text + o->length, text, part);
        o->length += part;
        text += part;
        n -= part;
        flush(o, false);
    }
    if (o->length < o->size)
        memcpy(o->text + o->length, text, n < o->size - o->length ? n : o->size - o->length);
    o->length += n;
}

static void pad(struct print_out *o, size_t n) {
    while (n--) put(o, " ", 1);
}

/* ---- one conversion specification (6.12.13.1 and 6.12.13.2) ---- */

enum length { LENGTH_NONE, LENGTH_HH, LENGTH_H, LENGTH_HL, LENGTH_L };

struct spec {
    char flags[6]; /* those given, once each */
    bool left;
    int width, precision; /* -1: none */
    unsigned components;  /* of the argument; 1 without a vector specifier */
    enum length length;
    char conversion;
};

static int number(const char **at) {
    int n = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (n <= FIELD_MOST) n = n * 10 + (**at - '0');
    return n < FIELD_MOST ? n : FIELD_MOST;
}

static void parse_flags(struct spec *s, const char **at) {
    unsigned n = 0;
    for (; **at && strchr("-+ #0", **at); ++*at)
        if (!strchr(s->flags, **at)) s->flags[n++] = **at;
    s->left = strchr(s->flags, '-');
}

static bool parse_vector(struct spec *s, const char **at) {
    s->components = 1;
    if (**at != 'v') return true;
    ++*at;
    s->components = (unsigned)number(at);
    return s->components == 2 || s->components == 3 || s->components == 4 || s->components == 8 ||
           s->components == 16;
}

static void parse_length(struct spec *s, const char **at) {
    static const struct {
        char text[3];
        enum length length;
    } lengths[] = {
        {"hh", LENGTH_HH}, {"hl", LENGTH_HL}, {"h", LENGTH_H}, {"ll", LENGTH_L}, {"l", LENGTH_L}};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = strlen(lengths[i].text);
        if (strncmp(*at, lengths[i].text, n) != 0) continue;
        s->length = lengths[i].length;
        *at += n;
        return;
    }
}

/* Reads the specification behind a '%'. False: not one that OpenCL C knows. */
static bool parse_spec(struct spec *s, const char **at) {
    *s = (struct spec){.width = -1, .precision = -1};
    parse_flags(s, at);
    if (**at >= '0' && **at <= '9') s->width = number(at);
    if (**at == '.') {
        ++*at;
        s->precision = number(at);
    }
    if (!parse_vector(s, at)) return false;
    parse_length(s, at);
    s->conversion = **at;
    if (!s->conversion || !strchr("diouxXfFeEgGaAcsp%", s->conversion)) return false;
    ++*at;
    return s->components == 1 || !strchr("csp%", s->conversion);
}

/* ---- values ---- */

static float half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)mantissa, -24)
                                  : ldexpf((float)(mantissa + 1024), exponent - 25);
    return bits >> 15 ? -value : value;
}

static float float_value(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double double_value(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t sign_extend(uint64_t bits, unsigned width) {
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

/* An argument that does not match its conversion is converted, where C leaves it undefined. */
static int64_t as_integer(uint8_t type, uint64_t bits) {
    if (type == ISA_F32 || type == ISA_F64) {
        double value = type == ISA_F32 ? float_value(bits) : double_value(bits);
        if (!(value > -0x1p63)) return isnan(value) ? 0 : INT64_MIN;
        return value < 0x1p63 ? (int64_t)value : INT64_MAX;
    }
    unsigned size = isa_type_size[type];
    return size ? sign_extend(bits, size * 8) : (int64_t)bits;
}

static double as_double(uint8_t type, uint64_t bits) {
    switch (type) {
    case ISA_F32: return float_value(bits);
    case ISA_F64: return double_value(bits);
    case ISA_I16: return half_value((uint16_t)bits);
    default: return (double)as_integer(type, bits);
    }
}

/* ---- conversions ---- */

/* The specification as the C library takes it; `length`: its length modifier. */
static void c_spec(char *text, size_t size, const struct spec *s, const char *length) {
    int n = snprintf(text, size, "%%%s", s->flags);
    if (s->width >= 0) n += snprintf(text + n, size - (size_t)n, "%d", s->width);
    if (s->precision >= 0) n += snprintf(text + n, size - (size_t)n, ".%d", s->precision);
    snprintf(text + n, size - (size_t)n, "%s%c", length, s->conversion);
}

static void put_piece(struct print_out *o, const char *piece, int n) {
    if (n > 0) put(o, piece, (size_t)n < PIECE ? (size_t)n : PIECE - 1);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_integer(struct print_out *o, const struct spec *s, uint8_t type, uint64_t bits) {
    static const unsigned widths[] = {
        [LENGTH_NONE] = 32, [LENGTH_HH] = 8, [LENGTH_H] = 16, [LENGTH_HL] = 32, [LENGTH_L] = 64};
    char piece[PIECE], format[32];
    unsigned width = widths[s->length];
    int64_t value = as_integer(type, bits);
    c_spec(format, sizeof format, s, "ll");
    if (s->conversion == 'd' || s->conversion == 'i')
        value = sign_extend((uint64_t)value, width);
    else if (width < 64)
        value &= (INT64_C(1) << width) - 1;
    put_piece(o, piece, snprintf(piece, sizeof piece, format, (long long)value));
}

/* The C library writes the point as the thread's locale has it; OpenCL C knows no locale. */
static void put_double(struct print_out *o, const struct spec *s, uint8_t type, uint64_t bits) {
    char piece[PIECE], format[32];
    c_spec(format, sizeof format, s, "");
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int n = snprintf(piece, sizeof piece, format, as_double(type, bits));
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    put_piece(o, piece, n);
}

#pragma GCC diagnostic pop

/* Characters in their field; flags other than '-' mean nothing here. */
static void put_field(struct print_out *o, const struct spec *s, const char *text, size_t n) {
    size_t fill = s->width > 0 && (size_t)s->width > n ? (size_t)s->width - n : 0;
    if (!s->left) pad(o, fill);
    put(o, text, n);
    if (s->left) pad(o, fill);
}

static void put_string(struct print_out *o, const struct spec *s, const struct isa_module *m,
                       uint32_t offset, bool null) {
    const char *text = null ? "(null)" : "(not a literal)";
    size_t most = strlen(text);
    if (!null && m && offset < m->data_bytes) {
        text = (const char *)m->data + offset;
        most = m->data_bytes - offset;
    }
    if (s->precision >= 0 && (size_t)s->precision < most) most = (size_t)s->precision;
    put_field(o, s, text, strnlen(text, most));
}

static void put_pointer(struct print_out *o, const struct spec *s, uint64_t bits) {
    char piece[32];
    int n = snprintf(piece, sizeof piece, "0x%08" PRIx64, bits);
    put_field(o, s, piece, (size_t)n);
}

static void put_value(struct print_out *o, const struct spec *s, uint8_t type, uint64_t bits,
                      const struct isa_module *m, uint32_t constant_base) {
    char character = (char)as_integer(type, bits);
    switch (s->conversion) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': put_integer(o, s, type, bits); break;
    case 'c': put_field(o, s, &character, 1); break;
    case 's': put_string(o, s, m, (uint32_t)bits - constant_base, !bits); break;
    case 'p': put_pointer(o, s, bits); break;
    default: put_double(o, s, type, bits); break;
    }
}

static void put_formatted(struct print_out *o, const char *format, const uint8_t *types,
                          const uint64_t *values, uint32_t nvalues, const struct isa_module *m,
                          uint32_t constant_base) {
    uint32_t used = 0;
    while (*format) {
        size_t plain = strcspn(format, "%");
        put(o, format, plain);
        format += plain;
        if (!*format) break;
        const char *at = format + 1;
        struct spec spec;
        bool known = parse_spec(&spec, &at);
        if (!known) put(o, format, (size_t)(at - format));
        if (known && spec.conversion == '%') put(o, "%", 1);
        for (unsigned i = 0; known && spec.conversion != '%' && i < spec.components; i++) {
            if (i) put(o, ",", 1);
            bool given = used < nvalues;
            put_value(o, &spec, given ? types[used] : ISA_I64, given ? values[used] : 0, m,
                      constant_base);
            used += given;
        }
        format = at;
    }
}

size_t print_format(char *text, size_t size, const char *format, const uint8_t *types,
                    const uint64_t *values, uint32_t nvalues, const struct isa_module *module,
                    uint32_t constant_base) {
    struct print_out o = {.text = text, .size = size ? size - 1 : 0};
    put_formatted(&o, format, types, values, nvalues, module, constant_base);
    if (size) text[o.length < o.size ? o.length : o.size] = 0;
    return o.length;
}

/* ---- records ---- */

struct record {
    uint64_t group;
    const struct isa_inst *inst;
    uint32_t thread;
    uint32_t nvalues;
    uint64_t values[];
};

struct print_buffer {
    struct print_log *log;
    char *records; /* one after the other */
    size_t used, size;
};

struct print_log {
    atomic_size_t bytes; /* of all records, the dropped ones too */
    atomic_bool dropped;
    struct print_buffer *buffers[POOL_MAX_WORKERS];
};

struct print_log *print_log_new(void) {
    return calloc(1, sizeof(struct print_log));
}

struct print_buffer *print_log_buffer(struct print_log *log, unsigned slot) {
    if (log->buffers[slot]) return log->buffers[slot];
    struct print_buffer *b = calloc(1, sizeof *b);
    if (b)
        b->log = log;
    else
        atomic_store(&log->dropped, true);
    return log->buffers[slot] = b;
}

static bool buffer_grow(struct print_buffer *b, size_t need) {
    size_t size = b->size ? b->size * 2 : 4096;
    while (size < need) size *= 2;
    char *records = realloc(b->records, size);
    if (!records) return false;
    b->records = records;
    b->size = size;
    return true;
}

void print_record(struct group *g, const struct isa_inst *inst, uint32_t lane,
                  const uint64_t *values) {
    struct print_buffer *b = g->print;
    if (!b) return;
    size_t bytes = sizeof(struct record) + inst->nsrc * sizeof *values;
    if (atomic_fetch_add_explicit(&b->log->bytes, bytes, memory_order_relaxed) >
            LAUNCH_PRINT_BYTES - bytes ||
        (b->size - b->used < bytes && !buffer_grow(b, b->used + bytes))) {
        atomic_store(&b->log->dropped, true);
        return;
    }
    struct record *r = (struct record *)(b->records + b->used);
    *r = (struct record){g->group_index, inst, g->warp * ISA_WARP + lane, inst->nsrc};
    memcpy(r->values, values, inst->nsrc * sizeof *values);
    b->used += bytes;
}

static size_t record_bytes(const struct record *r) {
    return sizeof *r + r->nvalues * sizeof *r->values;
}

/* By group, work-item, and order of execution, which is that of the addresses: one buffer holds all
 * records of a group. */
static int compare(const void *left, const void *right) {
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* All records in order; NULL: none, or no memory for the list, which counts as dropped. */
static const struct record **sorted(struct print_log *log, size_t *count) {
    size_t n = 0;
    const struct record **list = NULL;
    for (int pass = 0; pass < 2; pass++) {
        size_t at = 0;
        for (unsigned i = 0; i < POOL_MAX_WORKERS; i++) {
            const struct print_buffer *b = log->buffers[i];
            for (size_t used = 0; b && used < b->used; at++) {
                const struct record *r = (const struct record *)(b->records + used);
                if (list) list[at] = r;
                used += record_bytes(r);
            }
        }
        n = at;
        if (pass == 0 && !(n && (list = malloc(n * sizeof *list)))) break;
    }
    if (n && !list) atomic_store(&log->dropped, true);
    *count = list ? n : 0;
    if (list) qsort(list, n, sizeof *list, compare);
    return list;
}

static void put_record(struct print_out *o, const struct record *r, const struct isa_module *module,
                       const struct isa_kernel *kernel, uint32_t constant_base) {
    uint8_t types[UINT8_MAX]; /* isa_inst.nsrc has no more */
    const isa_operand *operands = isa_srcs(kernel, r->inst);
    if (r->inst->imm < 0 || (uint32_t)r->inst->imm >= module->nformats) return;
    for (uint32_t i = 0; i < r->nvalues; i++)
        types[i] = (uint8_t)isa_operand_type(kernel, operands[i]);
    put_formatted(o, module->formats[r->inst->imm], types, r->values, r->nvalues, module,
                  constant_base);
}

void print_log_deliver(struct print_log *log, const struct isa_module *module,
                       const struct isa_kernel *kernel, uint32_t constant_base,
                       void (*write)(void *user, const char *text, size_t length), void *user) {
    static const char dropped[] = "printf: some output was dropped (a launch may print 16 MiB)\n";
    struct print_out o = {
        .text = malloc(OUT_BYTES), .size = OUT_BYTES, .write = write, .user = user};
    size_t count = 0;
    const struct record **list = o.text ? sorted(log, &count) : NULL;
    for (size_t i = 0; i < count; i++) put_record(&o, list[i], module, kernel, constant_base);
    bool unfinished = o.text && o.length && o.text[o.length - 1] != '\n';
    if (unfinished && atomic_load(&log->dropped)) put(&o, "\n", 1);
    if (o.text && o.length) flush(&o, true);
    if (atomic_load(&log->dropped)) write(user, dropped, sizeof dropped - 1);
    free(list);
    free(o.text);
    for (unsigned i = 0; i < POOL_MAX_WORKERS; i++) {
        if (log->buffers[i]) free(log->buffers[i]->records);
        free(log->buffers[i]);
    }
    free(log);
}
