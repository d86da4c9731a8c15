#include "race_log.h"

#include <stdlib.h>
#include <string.h>

#include "race_lines.h"

bool race_log_new(struct race_log *l, uint32_t warps, const struct race_lines *lines) {
    *l = (struct race_log){
        .lines = lines, .warps = calloc(warps ? warps : 1, sizeof *l->warps), .nwarps = warps};
    return l->warps;
}

void race_log_free(struct race_log *l) {
    for (uint32_t w = 0; l->warps && w < l->nwarps; w++) free(l->warps[w].records);
    free(l->warps);
}

void race_log_clear(struct race_log *l) {
    for (uint32_t w = 0; w < l->nwarps; w++) {
        struct race_warp *v = &l->warps[w];
        v->step = v->local = v->global = v->count = v->next = 0;
    }
    l->count = 0;
}

/* What the components of a lane hash to. */
static uint16_t hash_value(const struct observe_event *e, unsigned lane) {
    enum { BITS = 13 };
    bool one = e->values[0].at && !e->values[1].at && e->bytes == 4;
    uint32_t size = isa_type_size[e->inst->type];
    uint64_t h = 0;
    if (one) { /* as the vectors have it */
        uint32_t value[ISA_WARP] = {0};
        memcpy(value, e->values[0].at, sizeof *value);
        return (uint16_t)(value[0] * 0x9e3779b1u >> (32 - BITS));
    }
    for (unsigned c = 0; c < OBSERVE_VALUES_MOST && e->values[c].at; c++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)e->values[c].at + (e->values[c].uniform ? 0 : lane * size),
               size);
        h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (uint16_t)(h & ((1u << BITS) - 1));
}

bool race_log_add(struct race_log *l, const struct observe_event *e) {
    struct race_warp *v = &l->warps[e->warp];
    const struct isa_site *site = &e->kernel->sites[e->site];
    if (v->count == v->room) {
        uint32_t room = v->room ? 2 * v->room : 16;
        struct race_record *more = realloc(v->records, room * sizeof *more);
        if (!more) return false;
        v->records = more;
        v->room = room;
    }
    struct race_record *r = &v->records[v->count++];
    bool local = site->space == ISA_LOCAL;
    r->site = e->site;
    r->mask = e->mask;
    r->step = v->step;
    r->interval = local ? v->local : v->global;
    r->bytes = (uint16_t)e->bytes;
    r->kind = site->kind;
    r->local = local;
    r->strided = e->strided;
    r->stride = e->stride;
    memcpy(r->at, e->sandbox, sizeof r->at);
    bool one = e->values[0].at && !e->values[0].uniform && !e->values[1].at && e->bytes == 4;
    if (r->kind == ISA_SITE_store && one) l->lines->hash(r->values, e->values[0].at);
    for (unsigned n = 0; r->kind == ISA_SITE_store && !one && n < ISA_WARP; n++)
        r->values[n] = hash_value(e, n);
    l->count++;
    return true;
}

bool race_log_barrier(struct race_log *l, const struct observe_event *e) {
    struct race_warp *v = &l->warps[e->warp];
    v->step++;
    v->local += (e->inst->imm & ISA_FENCE_LOCAL) != 0;
    v->global += (e->inst->imm & ISA_FENCE_GLOBAL) != 0;
    for (uint32_t w = 0; w < l->nwarps; w++)
        if (l->warps[w].step != v->step) return false;
    return true;
}

void race_log_flush(struct race_log *l,
                    void (*look)(void *user, uint32_t warp, const struct race_record *r),
                    void *user) {
    bool more = true;
    while (more) {
        uint32_t step = UINT32_MAX;
        more = false;
        for (uint32_t w = 0; w < l->nwarps; w++) {
            const struct race_warp *v = &l->warps[w];
            if (v->next < v->count && v->records[v->next].step < step)
                step = v->records[v->next].step, more = true;
        }
        for (uint32_t w = 0; more && w < l->nwarps; w++) {
            struct race_warp *v = &l->warps[w];
            for (; v->next < v->count && v->records[v->next].step == step; v->next++)
                look(user, w, &v->records[v->next]);
        }
    }
    for (uint32_t w = 0; w < l->nwarps; w++) l->warps[w].count = l->warps[w].next = 0;
    l->count = 0;
}
