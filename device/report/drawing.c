#include "drawing.h"

#include "device/gpu/banks.h"
#include "device/gpu/coalesce.h"
#include "device/gpu/partition.h"
#include "device/gpu/request.h"
#include "device/gpu/setcache.h"

enum { HALF = WORST_LANES };

struct drawing {
    struct json_writer *j;
    const struct model *model;
    const struct isa_site *site;
    uint32_t mask;
    const uint32_t *at; /* of the word that is drawn: a warp's, whose second half is off */
    struct request_word word;
};

static void begin_step(const struct drawing *d, uint32_t lanes) {
    json_object(d->j, NULL);
    json_integer(d->j, "offset", d->word.offset);
    json_integer(d->j, "size", d->word.bytes);
    json_integer(d->j, "lanes", lanes);
}

/* ---- global memory: transactions ---- */

/* Of the lanes that are left, those that a transaction serves: where a half-warp is not coalesced
 * by the rule of 1.0 each lane has its own, in order. */
static uint32_t served(const struct drawing *d, const struct coalesce_result *r, unsigned n,
                       bool alone, uint32_t left) {
    uint32_t lanes = 0, size = 32u << r->size[n];
    for (unsigned l = 0; l < HALF; l++) {
        uint32_t at = d->at[l] & ~(d->word.bytes - 1u);
        if (left >> l & 1 && at - r->address[n] < size) lanes |= 1u << l;
    }
    return alone ? lanes & -lanes : lanes;
}

static void draw_segments(const struct drawing *d) {
    struct coalesce_result r;
    enum coalesce_rule rule = coalesce_rule_of(d->model->cc_minor);
    uint32_t left = d->mask;
    coalesce_warp(rule, d->mask, d->at, d->word.bytes, &r);
    bool alone = rule == COALESCE_IN_ORDER && !r.coalesced;
    for (unsigned n = 0; n < r.count; n++) {
        uint32_t lanes = served(d, &r, n, alone, left);
        left &= ~lanes;
        begin_step(d, lanes);
        json_integer(d->j, "address", r.address[n]);
        json_integer(d->j, "bytes", 32u << r.size[n]);
        json_integer(d->j, "partition", partition_linear(r.address[n], d->model->partitions));
        json_end_object(d->j);
    }
}

/* ---- shared memory: passes over the banks ---- */

static void draw_banks(const struct drawing *d) {
    enum { WORD = 4 };
    for (unsigned piece = 0; piece < d->word.bytes; piece += WORD) {
        uint32_t places[HALF];
        struct banks_step steps[BANKS];
        for (unsigned l = 0; l < HALF; l++) places[l] = (d->at[l] & ~(d->word.bytes - 1u)) + piece;
        unsigned n = banks_steps(d->mask, places, d->site->kind == ISA_SITE_store, steps);
        for (unsigned i = 0; i < n; i++) {
            struct drawing part = *d;
            part.word.offset = (uint8_t)(d->word.offset + piece);
            part.word.bytes = d->word.bytes < WORD ? d->word.bytes : WORD;
            begin_step(&part, steps[i].lanes);
            if (steps[i].broadcast) json_integer(d->j, "broadcast", steps[i].broadcast);
            json_end_object(d->j);
        }
    }
}

/* ---- constants and atomics: one address at a time ---- */

static uint32_t lanes_with(const uint32_t *at, uint32_t lanes, uint32_t address) {
    uint32_t same = 0;
    for (unsigned l = 0; l < HALF; l++)
        if (lanes >> l & 1 && at[l] == address) same |= 1u << l;
    return same;
}

/* all: one step serves all lanes of an address; otherwise one lane of each address. */
static void draw_addresses(const struct drawing *d, bool all) {
    const uint32_t *at = d->at;
    for (uint32_t left = d->mask, lanes; left; left &= ~lanes) {
        lanes = 0;
        for (uint32_t rest = left; rest && !(all && lanes);) {
            uint32_t same = lanes_with(at, left, at[__builtin_ctz(rest)]);
            lanes |= all ? same : same & -same;
            rest &= ~same;
        }
        begin_step(d, lanes);
        if (all) json_integer(d->j, "address", at[__builtin_ctz(lanes)]);
        json_end_object(d->j);
    }
}

static void draw(const struct drawing *d) {
    if (d->site->kind == ISA_SITE_atomic)
        draw_addresses(d, false);
    else if (d->site->space == ISA_GLOBAL)
        draw_segments(d);
    else if (d->site->space == ISA_LOCAL)
        draw_banks(d);
    else
        draw_addresses(d, true);
}

static const char *what_of(const struct isa_site *s) {
    if (s->kind == ISA_SITE_atomic) return "atomics";
    return s->space == ISA_GLOBAL ? "segments" : s->space == ISA_LOCAL ? "banks" : "constants";
}

static void write_place(struct json_writer *j, const struct worst_access *a) {
    json_integer(j, "cost", a->cost);
    json_truth(j, "even", a->even);
    json_integer(j, "mask", a->mask);
    json_array(j, "addresses");
    for (unsigned l = 0; l < HALF; l++) {
        if (a->mask >> l & 1)
            json_integer(j, NULL, a->addresses[l]);
        else
            json_null(j, NULL);
    }
    json_end_array(j);
}

void drawing_write(struct json_writer *j, const struct model *m, const struct isa_site *s,
                   const struct worst_access *a) {
    struct request_word words[REQUEST_MOST] = {{0, s->width}};
    uint32_t at[ISA_WARP] = {0};
    struct drawing d = {.j = j, .model = m, .site = s, .mask = a->mask, .at = at};
    if (!a->cost) {
        json_null(j, "worst");
        return;
    }
    json_object(j, "worst");
    json_text(j, "what", what_of(s));
    write_place(j, a);
    json_array(j, "steps");
    unsigned n = s->kind == ISA_SITE_atomic ? 1 : worst_words(s, words);
    for (unsigned w = 0; w < n; w++) {
        d.word = words[w];
        for (unsigned l = 0; l < HALF; l++) at[l] = a->addresses[l] + words[w].offset;
        draw(&d);
    }
    json_end_array(j);
    json_end_object(j);
}

/* ---- images: lines of the texture cache ---- */

static void write_texels(struct json_writer *j, const struct worst_read *r) {
    uint32_t texels[WORST_TEXELS][3];
    json_array(j, "texels");
    for (unsigned l = 0; l < HALF; l++) {
        unsigned n = worst_read_texels(r, l, texels);
        json_array(j, NULL);
        for (unsigned t = 0; t < n; t++) json_triple(j, NULL, texels[t]);
        json_end_array(j);
    }
    json_end_array(j);
}

static void write_line(struct json_writer *j, const struct worst_line *line, uint32_t bytes) {
    const uint32_t at[3] = {line->x, line->y, line->z}, size[3] = {line->wide, line->high, 1};
    json_object(j, NULL);
    json_integer(j, "lanes", line->lanes);
    json_integer(j, "address", line->address);
    json_integer(j, "bytes", bytes);
    json_triple(j, "texel", at);
    json_triple(j, "span", size);
    json_end_object(j);
}

void drawing_write_read(struct json_writer *j, const struct model *m, const struct worst_read *r) {
    struct worst_line lines[WORST_LINES];
    unsigned count = r->mask ? worst_read_lines(r, m, lines) : 0;
    if (!count) {
        json_null(j, "worst");
        return;
    }
    json_object(j, "worst");
    json_text(j, "what", "texels");
    json_integer(j, "cost", count);
    json_truth(j, "even", false);
    json_integer(j, "mask", r->mask);
    write_texels(j, r);
    json_array(j, "steps");
    for (unsigned n = 0; n < count; n++)
        write_line(j, &lines[n], setcache_geometry[setcache_texture(m->cc_minor)].line);
    json_end_array(j);
    json_end_object(j);
}
