/* Breakpoints: their texts, their conditions, and whether a warp has come to one. */
#include <stdlib.h>
#include <string.h>

#include "cexpression.h"
#include "session.h"

static bool read_item(const char *text, uint32_t item[3]) {
    char *end = (char *)(uintptr_t)text;
    for (int n = 0; n < 3; n++) {
        if (n && *end != '.') {
            item[n] = 0;
            continue;
        }
        const char *at = end + (n > 0);
        item[n] = (uint32_t)strtoul(at, &end, 10);
        if (end == at) return false;
    }
    return !*end;
}

static bool read_place(struct breakpoint *b, const char *text, const char *here) {
    const char *colon = strchr(text, ':');
    size_t first = strcspn(text, ":");
    char *end;
    b->line = (uint32_t)strtoul(text, &end, 10);
    bool number = end != text && (*end == ':' || !*end);
    if (number) { /* LINE[:ITEM] */
        snprintf(b->kernel, sizeof b->kernel, "%s", here);
    } else {
        if (!first || first >= sizeof b->kernel) return false;
        memcpy(b->kernel, text, first);
        b->line = 0;
        if (!colon) return true;
        text = colon + 1;
        b->line = (uint32_t)strtoul(text, &end, 10);
        if (end == text || (*end && *end != ':')) return false;
    }
    if (!b->line) return false;
    b->item_known = *end == ':';
    return !b->item_known || read_item(end + 1, b->item);
}

struct breakpoint *breakpoint_new(const char *text, const char *condition, const char *here,
                                  char why[200]) {
    struct breakpoint *b = calloc(1, sizeof *b), **last = &session.breakpoints;
    if (!b || !read_place(b, text, here)) {
        snprintf(why, 200, "'%.100s' is no [kernel:]line[:work-item]", text);
        free(b);
        return NULL;
    }
    snprintf(b->condition, sizeof b->condition, "%s", condition);
    b->number = ++session.last_number;
    while (*last) last = &(*last)->next;
    return *last = b;
}

bool breakpoint_delete(uint32_t number) {
    bool any = false;
    for (struct breakpoint **at = &session.breakpoints, *b; (b = *at);) {
        if (number && b->number != number) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        free(b);
        any = true;
    }
    return any;
}

struct breakpoint *breakpoint_find(uint32_t number) {
    struct breakpoint *b = session.breakpoints;
    while (b && b->number != number) b = b->next;
    return b;
}

void breakpoint_write(const struct breakpoint *b, char *text, size_t size) {
    char item[48] = "", line[24] = "";
    if (b->line) snprintf(line, sizeof line, ":%u", (unsigned)b->line);
    if (b->item_known)
        snprintf(item, sizeof item, ":%u.%u.%u", (unsigned)b->item[0], (unsigned)b->item[1],
                 (unsigned)b->item[2]);
    snprintf(text, size, "%s%s%s%s%s", *b->kernel ? b->kernel : "any kernel", line, item,
             *b->condition ? " if " : "", b->condition);
}

/* The line that it stops at in this kernel: the first with a statement, from its own on. */
static uint32_t line_of(const struct debug_launch *d, const struct breakpoint *b) {
    uint32_t best = 0;
    for (uint32_t n = 0; n < d->k->ninsts; n++) {
        const struct isa_inst *i = &d->k->insts[n];
        if (i->file || !i->line || (d->noted && i->op != ISA_stmt)) continue;
        if (!b->line) return i->line; /* where it begins */
        if (i->line >= b->line && (!best || i->line < best)) best = i->line;
    }
    return best;
}

/* The lanes for which its condition holds. One that cannot be evaluated holds: it is told of. */
static uint32_t lanes_of(const struct debug_launch *d, uint32_t warp, const struct breakpoint *b) {
    const struct scene_warp *w = &d->warps[warp];
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < ISA_WARP; lane++) {
        if (!(w->mask >> lane & 1)) continue;
        struct scene_item item = scene_item(d, warp, lane);
        if (b->item_known && memcmp(item.global, b->item, sizeof item.global) != 0) continue;
        struct lanevalue_view view = {d,           warp,       lane, scene_call(d, w->at),
                                      w->at->file, w->at->line};
        struct lanevalue v;
        char why[160];
        bool known = *b->condition && cexpression_value(&view, b->condition, &v, why) &&
                     lanevalue_load(&view, &v, why);
        if (!*b->condition || !known || lanevalue_true(&v)) lanes |= 1u << lane;
        if (*b->condition && !known) {
            dialog_say("breakpoint %u: %s: %s\n", (unsigned)b->number, b->condition, why);
            return lanes;
        }
    }
    return lanes;
}

struct breakpoint *breakpoint_hit(const struct debug_launch *d, uint32_t warp, uint32_t *lanes) {
    const struct isa_inst *i = d->warps[warp].at;
    struct breakpoint *hit = NULL;
    for (struct breakpoint *b = session.breakpoints; b; b = b->next) {
        if (*b->kernel && strcmp(b->kernel, d->k->name) != 0) continue;
        if (i->file || !i->line || line_of(d, b) != i->line) continue;
        uint32_t which = lanes_of(d, warp, b);
        if (!which) continue;
        b->hits++;
        if (!hit) *lanes = which;
        if (!hit) hit = b;
    }
    return hit;
}
