#include "lanevalue.h"

#include <string.h>

#include "device/half.h"

enum { MOST_ELEMENTS = 16 };

static const struct isa_vtype *type_of(const struct lanevalue_view *at, const struct lanevalue *v) {
    return v->type ? &at->d->k->types[v->type - 1] : NULL;
}

static bool say(char why[160], const char *text) {
    snprintf(why, 160, "%s", text);
    return false;
}

bool lanevalue_of(const struct lanevalue_view *at, uint32_t variable, struct lanevalue *v,
                  char why[160]) {
    const struct debug_launch *d = at->d;
    const struct isa_var *var = &d->k->vars[variable - 1];
    const struct scene_image *image = &d->warps[at->warp].images[variable - 1];
    size_t size = d->k->types[var->type - 1].size;
    *v = (struct lanevalue){.type = var->type};
    if (var->space) {
        v->space = var->space;
        v->address =
            var->offset + (var->space == ISA_LOCAL ? d->g->local_base : d->g->constant_base);
        return true;
    }
    if (!d->followed[variable - 1]) return say(why, "optimised out");
    if (image->placed >> at->lane & 1) {
        v->space = ISA_PRIVATE;
        v->address = image->place[at->lane];
        return true;
    }
    if (!image->bytes) return say(why, "not assigned yet");
    v->bytes = image->bytes + at->lane * size;
    v->known = image->known + at->lane * size;
    return memchr(v->known, 1, size) ? true : say(why, "not assigned yet");
}

struct lanevalue lanevalue_part(const struct lanevalue *v, uint32_t type, uint32_t offset) {
    struct lanevalue part = *v;
    part.type = type;
    part.loaded = false;
    if (part.bytes) {
        part.bytes += offset;
        part.known += offset;
    } else {
        part.address += offset;
    }
    return part;
}

static void number(struct lanevalue *v, const struct isa_vtype *t, uint64_t bits) {
    unsigned shift = 64 - 8 * t->size;
    float f;
    uint32_t word = (uint32_t)bits;
    v->loaded = true;
    v->form = t->form == ISA_FORM_sint || t->form == ISA_FORM_real ? t->form : ISA_FORM_uint;
    v->size = t->size == 8 ? 8 : 4;
    v->i = t->form == ISA_FORM_sint ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
    if ((t->form == ISA_FORM_sint || t->form == ISA_FORM_uint) && t->size < 4)
        v->form = ISA_FORM_sint; /* C's promotion */
    memcpy(&f, &word, sizeof f);
    v->r = f;
    if (t->size == 2) v->r = half_to_float((uint16_t)bits);
    if (t->size == 8) memcpy(&v->r, &bits, sizeof v->r);
}

bool lanevalue_load(const struct lanevalue_view *at, struct lanevalue *v, char why[160]) {
    const struct isa_vtype *t = type_of(at, v);
    uint64_t bits = 0;
    if (v->loaded) return true;
    if (t->form > ISA_FORM_real && t->form != ISA_FORM_pointer && t->form != ISA_FORM_opaque)
        return say(why, "not a number");
    if (v->bytes) {
        if (!*v->known) return say(why, "not assigned yet");
        memcpy(&bits, v->bytes, t->size);
    } else if (!scene_read(at->d, at->warp, at->lane, (enum isa_space)v->space, v->address, &bits,
                           t->size)) {
        char where[120];
        scene_describe(at->d, at->warp, at->lane, (enum isa_space)v->space, v->address, where,
                       sizeof where);
        snprintf(why, 160, "cannot be read: %s", where);
        return false;
    }
    number(v, t, bits);
    return true;
}

bool lanevalue_pointee(const struct lanevalue_view *at, const struct lanevalue *v, int64_t index,
                       struct lanevalue *to, char why[160]) {
    const struct isa_vtype *t = type_of(at, v);
    if (!t || t->form != ISA_FORM_pointer || !v->loaded) return say(why, "not a pointer");
    if (!t->of) return say(why, "a pointer to what is not known");
    *to = (struct lanevalue){.type = t->of, .space = t->space};
    to->address = (uint32_t)(v->i + index * at->d->k->types[t->of - 1].size);
    return true;
}

bool lanevalue_true(const struct lanevalue *v) {
    return v->form == ISA_FORM_real ? v->r != 0 : v->i != 0;
}

/* ---- as text ---- */

struct value_writer {
    char *text;
    size_t size, at;
};

static void put(struct value_writer *w, const char *text) {
    size_t room = w->size - 1 - w->at, n = strlen(text);
    if (n > room) n = room;
    memcpy(w->text + w->at, text, n);
    w->at += n;
    w->text[w->at] = '\0';
}

static void write_value(const struct lanevalue_view *at, const struct lanevalue *v,
                        struct value_writer *w, unsigned depth);

static void write_scalar(const struct lanevalue_view *at, struct lanevalue v,
                         struct value_writer *w) {
    char text[160];
    const struct isa_vtype *t = type_of(at, &v);
    if (!lanevalue_load(at, &v, text)) {
        put(w, "<");
        put(w, text);
        put(w, ">");
        return;
    }
    if (v.is_place || (t && t->form == ISA_FORM_pointer))
        scene_describe(at->d, at->warp, at->lane, (enum isa_space)(v.is_place ? v.space : t->space),
                       (uint32_t)v.i, text, sizeof text);
    else if (v.form == ISA_FORM_real)
        snprintf(text, sizeof text, "%.*g",
                 t ? (t->size == 8   ? 17
                      : t->size == 2 ? 5
                                     : 9)
                   : 17,
                 v.r);
    else if (v.form == ISA_FORM_uint)
        snprintf(text, sizeof text, "%llu", (unsigned long long)v.i);
    else
        snprintf(text, sizeof text, "%lld", (long long)v.i);
    put(w, text);
}

static void write_elements(const struct lanevalue_view *at, const struct lanevalue *v,
                           const struct isa_vtype *t, struct value_writer *w, unsigned depth) {
    uint32_t size = at->d->k->types[t->of - 1].size;
    put(w, t->form == ISA_FORM_vector ? "(" : "{");
    for (uint32_t n = 0; n < t->count; n++) {
        if (n) put(w, ", ");
        if (n == MOST_ELEMENTS) {
            char text[40];
            snprintf(text, sizeof text, "... %u more", (unsigned)(t->count - n));
            put(w, text);
            break;
        }
        struct lanevalue part = lanevalue_part(v, t->of, n * size);
        write_value(at, &part, w, depth);
    }
    put(w, t->form == ISA_FORM_vector ? ")" : "}");
}

static void write_fields(const struct lanevalue_view *at, const struct lanevalue *v,
                         const struct isa_vtype *t, struct value_writer *w, unsigned depth) {
    put(w, "{");
    for (uint32_t n = 0; n < t->nfields; n++) {
        put(w, n ? ", " : "");
        put(w, t->fields[n].name);
        put(w, " = ");
        struct lanevalue part = lanevalue_part(v, t->fields[n].type, t->fields[n].offset);
        write_value(at, &part, w, depth);
    }
    put(w, "}");
}

static void write_value(const struct lanevalue_view *at, const struct lanevalue *v,
                        struct value_writer *w, unsigned depth) {
    const struct isa_vtype *t = type_of(at, v);
    if (w->at + 1 >= w->size || depth > 16) return;
    if (t && (t->form == ISA_FORM_vector || t->form == ISA_FORM_array))
        write_elements(at, v, t, w, depth + 1);
    else if (t && (t->form == ISA_FORM_struct || t->form == ISA_FORM_union))
        write_fields(at, v, t, w, depth + 1);
    else
        write_scalar(at, *v, w);
}

void lanevalue_write(const struct lanevalue_view *at, const struct lanevalue *v, char *text,
                     size_t size) {
    struct value_writer w = {text, size, 0};
    if (size) *text = '\0';
    write_value(at, v, &w, 0);
}
