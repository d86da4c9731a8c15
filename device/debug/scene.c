#include "scene.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/sandbox/memory.h"

enum { PAGE = 4096 };

/* ---- making ---- */

static bool room_for(struct debug_launch *d, struct scene_warp *w) {
    const struct isa_kernel *k = d->k;
    w->masks = calloc(k->ninsts + 1u, sizeof *w->masks);
    w->images = calloc(k->nvars + 1u, sizeof *w->images);
    bool good = w->masks && w->images;
    for (uint32_t v = 0; good && v < k->nvars; v++) {
        size_t bytes = (size_t)k->types[k->vars[v].type - 1].size * ISA_WARP;
        if (k->vars[v].space || !isa_vtype_components(k, k->vars[v].type)) continue;
        w->images[v].bytes = calloc(bytes, 2);
        w->images[v].known = w->images[v].bytes + bytes;
        good = w->images[v].bytes != NULL;
    }
    return good;
}

/* Notes come before what they speak of, so what lies between two statements is the first one's. */
static void look_at_notes(struct debug_launch *d) {
    uint32_t call = 0;
    for (uint32_t n = 0; n < d->k->ninsts; n++) {
        const struct isa_inst *i = &d->k->insts[n];
        if (i->op == ISA_stmt) {
            call = (uint32_t)i->imm;
            d->noted = true;
        }
        if (i->op == ISA_var || i->op == ISA_var_at) d->followed[isa_var_number(i->imm) - 1] = true;
        d->calls[n] = call;
    }
}

struct debug_launch *scene_new(const struct launch *l, const struct isa_kernel *k,
                               struct memory *memory) {
    struct debug_launch *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->l = l;
    d->k = k;
    d->m = executable_module(l->executable);
    d->memory = memory;
    uint64_t items = (uint64_t)l->local_size[0] * l->local_size[1] * l->local_size[2];
    d->nwarps = (uint32_t)((items + ISA_WARP - 1) / ISA_WARP);
    d->warps = calloc(d->nwarps, sizeof *d->warps);
    d->followed = calloc(k->nvars + 1u, sizeof *d->followed);
    d->calls = calloc(k->ninsts + 1u, sizeof *d->calls);
    bool good = d->warps && d->followed && d->calls;
    for (uint32_t w = 0; good && w < d->nwarps; w++) good = room_for(d, &d->warps[w]);
    if (good) {
        look_at_notes(d);
        return d;
    }
    scene_free(d);
    return NULL;
}

void scene_free(struct debug_launch *d) {
    if (!d) return;
    for (uint32_t w = 0; d->warps && w < d->nwarps; w++) {
        for (uint32_t v = 0; d->warps[w].images && v < d->k->nvars; v++)
            free(d->warps[w].images[v].bytes);
        free(d->warps[w].images);
        free(d->warps[w].masks);
    }
    free(d->warps);
    free(d->followed);
    free(d->calls);
    free(d);
}

/* ---- following ---- */

void scene_begin(struct debug_launch *d, struct group *g) {
    const struct isa_kernel *k = d->k;
    d->g = g;
    for (uint32_t n = 0; n < d->nwarps; n++) {
        struct scene_warp *w = &d->warps[n];
        uint32_t left = g->items - n * ISA_WARP;
        w->at = w->statement = w->before = NULL;
        w->start = w->mask = w->live = left < ISA_WARP ? (1u << left) - 1 : ~0u;
        for (uint32_t v = 0; v < k->nvars; v++) {
            size_t bytes = (size_t)k->types[k->vars[v].type - 1].size * ISA_WARP;
            if (w->images[v].bytes) memset(w->images[v].known, 0, bytes);
            w->images[v].placed = 0;
        }
    }
}

void scene_before(struct debug_launch *d, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                  uint32_t live) {
    struct scene_warp *w = &d->warps[warp];
    const struct isa_inst *last = w->at;
    w->at = i;
    w->mask = mask;
    w->live = live;
    if (isa_op_info[i->op].flags & ISA_OP_REGION_BEGIN) w->masks[scene_index(d, i)] = mask;
    bool statement =
        d->noted ? i->op == ISA_stmt : i->line && (!last || last->line != i->line || last > i);
    if (!statement) return;
    w->before = w->statement;
    w->statement = i;
}

static void take(struct scene_image *image, uint32_t size, uint32_t at, uint32_t bytes,
                 uint32_t mask, const struct group_operand *o) {
    for (uint32_t lane = 0; lane < ISA_WARP; lane++) {
        if (!(mask >> lane & 1)) continue;
        uint64_t value = 0;
        size_t from = isa_type_size[o->type];
        if (o->type == ISA_PRED)
            value = *(const uint32_t *)o->at >> lane & 1;
        else
            memcpy(&value, (const char *)o->at + (o->uniform ? 0 : lane * from), from);
        memcpy(image->bytes + (size_t)lane * size + at, &value, bytes);
        memset(image->known + (size_t)lane * size + at, 1, bytes);
    }
}

void scene_noted(struct debug_launch *d, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                 const struct group_operand *operands) {
    const struct isa_kernel *k = d->k;
    uint32_t number = isa_var_number(i->imm), type = k->vars[number - 1].type;
    struct scene_image *image = &d->warps[warp].images[number - 1];
    if (i->op == ISA_var_at) {
        const uint32_t *at = operands[0].at;
        image->placed |= mask;
        for (uint32_t lane = 0; lane < ISA_WARP; lane++)
            if (mask >> lane & 1) image->place[lane] = at[operands[0].uniform ? 0 : lane];
        return;
    }
    for (uint32_t n = 0; image->bytes && n < i->nsrc; n++) {
        uint32_t at = 0;
        uint32_t part = isa_vtype_component(k, type, isa_var_component(i->imm) + n, &at);
        if (part)
            take(image, k->types[type - 1].size, at, k->types[part - 1].size, mask, &operands[n]);
    }
}

/* ---- places ---- */

uint32_t scene_index(const struct debug_launch *d, const struct isa_inst *i) {
    return (uint32_t)(i - d->k->insts);
}

uint32_t scene_call(const struct debug_launch *d, const struct isa_inst *i) {
    return d->calls[scene_index(d, i)];
}

uint32_t scene_depth(const struct debug_launch *d, uint32_t call) {
    uint32_t depth = 0;
    for (; call; call = d->k->calls[call - 1].around) depth++;
    return depth;
}

bool scene_statement(const struct debug_launch *d, const struct scene_warp *w, bool *fresh) {
    const struct isa_inst *i = w->at, *last = w->before;
    if (i != w->statement) return false;
    *fresh = !last || last >= i || last->line != i->line || last->file != i->file ||
             scene_call(d, last) != scene_call(d, i);
    return true;
}

struct scene_item scene_item(const struct debug_launch *d, uint32_t warp, uint32_t lane) {
    const struct launch *l = d->l;
    struct scene_item item;
    uint32_t index = warp * ISA_WARP + lane;
    item.local[0] = index % l->local_size[0];
    item.local[1] = index / l->local_size[0] % l->local_size[1];
    item.local[2] = index / l->local_size[0] / l->local_size[1];
    for (int n = 0; n < 3; n++)
        item.global[n] =
            l->offset[n] + (d->g ? d->g->group_id[n] : 0) * l->local_size[n] + item.local[n];
    return item;
}

const char *scene_file(const struct debug_launch *d, uint16_t file) {
    return file < d->m->nfiles ? d->m->files[file] : "<program source>";
}

/* ---- memory ---- */

/* What is not mapped faults in the kernel of the host, which says so. */
static bool read_host(const char *from, void *to, size_t n) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    bool good = true;
    for (size_t at = 0; good && at < n;) {
        size_t part = n - at < PAGE ? n - at : PAGE;
        ssize_t put = write(ends[1], from + at, part);
        good = put > 0 && read(ends[0], (char *)to + at, (size_t)put) == put;
        at += good ? (size_t)put : 0;
    }
    close(ends[0]);
    close(ends[1]);
    return good;
}

bool scene_read(const struct debug_launch *d, uint32_t warp, uint32_t lane, enum isa_space space,
                uint32_t address, void *to, size_t n) {
    const struct group *g = d->g;
    if (!g) return false;
    if (space != ISA_PRIVATE) {
        if (!scene_left(d, warp, lane, space, address)) return false;
        return read_host(memory_at(g->base, address), to, n);
    }
    if ((uint64_t)address + n > g->frame_bytes) return false;
    const char *own = (const char *)memory_at(g->base, g->private_base) +
                      (size_t)warp * g->frame_bytes * ISA_WARP;
    for (size_t at = 0; at < n; at++) {
        uint32_t o = address + (uint32_t)at;
        ((char *)to)[at] = own[(size_t)o / 4 * 128 + lane * 4 + o % 4];
    }
    return true;
}

/* The value of a pointer parameter in the group's argument block. */
static bool pointer_of(const struct debug_launch *d, uint32_t n, enum isa_space space,
                       uint32_t *address) {
    const struct isa_param *p = &d->k->params[n];
    enum isa_space its = p->kind == ISA_PARAM_GLOBAL     ? ISA_GLOBAL
                         : p->kind == ISA_PARAM_CONSTANT ? ISA_CONSTANT
                         : p->kind == ISA_PARAM_LOCAL    ? ISA_LOCAL
                                                         : ISA_NO_SPACE;
    if (its != space) return false;
    memcpy(address, d->g->params + p->offset, sizeof *address);
    return *address != 0;
}

/* The variable of that space that holds the byte; 0: none. */
static uint32_t holder(const struct debug_launch *d, uint32_t warp, uint32_t lane,
                       enum isa_space space, uint32_t byte, uint32_t *start) {
    for (uint32_t v = d->k->nvars; v-- > 0;) {
        const struct isa_var *var = &d->k->vars[v];
        const struct scene_image *image = &d->warps[warp].images[v];
        bool placed = image->placed >> lane & 1;
        if (space == ISA_PRIVATE ? !placed : var->space != space) continue;
        *start = space == ISA_PRIVATE ? image->place[lane] : var->offset;
        if (byte - *start < d->k->types[var->type - 1].size) return v + 1;
    }
    return 0;
}

/* The object that holds an address: its name, where it begins, how large it is. */
static bool object_of(const struct debug_launch *d, uint32_t warp, uint32_t lane,
                      enum isa_space space, uint32_t address, const char **name, uint32_t *start,
                      uint64_t *bytes) {
    const struct group *g = d->g;
    uint32_t first = space == ISA_LOCAL ? g->local_base : 0, end = 0;
    bool data = space == ISA_CONSTANT && address - g->constant_base < d->m->data_bytes;
    if (data) first = g->constant_base;
    if (space == ISA_PRIVATE || space == ISA_LOCAL || data) {
        uint32_t v = holder(d, warp, lane, space, address - first, start);
        if (v) {
            *name = d->k->vars[v - 1].name;
            *bytes = d->k->types[d->k->vars[v - 1].type - 1].size;
            *start += first;
            return true;
        }
        *name = space == ISA_PRIVATE ? "private" : space == ISA_LOCAL ? "local" : "constant";
        *start = first;
        *bytes = space == ISA_PRIVATE ? g->frame_bytes
                 : space == ISA_LOCAL ? d->l->local_bytes
                                      : d->m->data_bytes;
        for (uint32_t n = 0, at; space == ISA_LOCAL && n < d->k->nparams; n++)
            if (pointer_of(d, n, space, &at) && at <= address && at >= *start) {
                *name = d->k->params[n].name;
                *bytes -= at - *start;
                *start = at;
            }
        return address - *start < *bytes;
    }
    uint32_t object = memory_object(d->memory, address, bytes);
    if (!object) return false;
    *name = "an object of no argument";
    *start = object;
    end = object + (uint32_t)*bytes;
    for (uint32_t n = 0, at; n < d->k->nparams; n++)
        if (pointer_of(d, n, space, &at) && at - object < *bytes && at <= address) {
            *name = d->k->params[n].name;
            *start = at;
            *bytes = end - at;
            break;
        }
    return address - *start < *bytes;
}

void scene_describe(const struct debug_launch *d, uint32_t warp, uint32_t lane,
                    enum isa_space space, uint32_t address, char *text, size_t size) {
    const char *name;
    uint32_t start;
    uint64_t bytes;
    if (!address && space != ISA_PRIVATE)
        snprintf(text, size, "null");
    else if (!object_of(d, warp, lane, space, address, &name, &start, &bytes))
        snprintf(text, size, "0x%x in no object", (unsigned)address);
    else if (address == start)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s + %u", name, (unsigned)(address - start));
}

uint64_t scene_left(const struct debug_launch *d, uint32_t warp, uint32_t lane,
                    enum isa_space space, uint32_t address) {
    const char *name;
    uint32_t start;
    uint64_t bytes;
    if (!d->g || !object_of(d, warp, lane, space, address, &name, &start, &bytes)) return 0;
    return bytes - (address - start);
}

/* ---- names ---- */

bool scene_sees(const struct debug_launch *d, const struct isa_var *v, uint32_t call, uint16_t file,
                uint32_t line) {
    (void)d;
    if (v->space == ISA_CONSTANT && v->call != call) return true; /* it may be the program's own */
    if (v->call != call) return false;
    if (v->file != file || !v->line || !line) return true;
    return v->line <= line && (!v->last || line <= v->last);
}

uint32_t scene_find(const struct debug_launch *d, const char *name, size_t length, uint32_t call,
                    uint16_t file, uint32_t line) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < d->k->nvars; n++) {
        const struct isa_var *v = &d->k->vars[n], *best = found ? &d->k->vars[found - 1] : NULL;
        if (strlen(v->name) != length || memcmp(v->name, name, length) != 0) continue;
        if (!scene_sees(d, v, call, file, line)) continue;
        if (!best || (best->call != call && v->call == call) || best->line < v->line ||
            (best->line == v->line && best->column < v->column))
            found = n + 1;
    }
    return found;
}

void scene_lanes(uint32_t mask, char *text, size_t size) {
    if (!mask) {
        snprintf(text, size, "no lanes");
        return;
    }
    size_t at = (size_t)snprintf(text, size, mask & (mask - 1) ? "lanes " : "lane ");
    const size_t first = at;
    for (int lane = 0; lane < ISA_WARP && at < size; lane++) {
        if (!(mask >> lane & 1)) continue;
        int last = lane;
        while (last + 1 < ISA_WARP && mask >> (last + 1) & 1) last++;
        at += (size_t)snprintf(text + at, size - at, last > lane ? "%s%d-%d" : "%s%d",
                               at > first ? ", " : "", lane, last);
        lane = last;
    }
}
