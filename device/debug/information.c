/* What the session tells of where it is: places, lanes, variables, objects, the code. */
#include <stdlib.h>
#include <string.h>

#include "cexpression.h"
#include "session.h"

enum { TEXT = 2048, AROUND = 4, MOST_LINES = 4000000 };

/* ---- where ---- */

static const struct scene_warp *warp_here(void) { return &session.d->warps[session.warp]; }

static const char *function_of(uint32_t call) {
    const struct isa_kernel *k = session.d->k;
    return call ? k->calls[call - 1].name : k->name;
}

void information_frame(uint32_t n) {
    struct lanevalue_view view;
    if (!session_view(&view)) return;
    session_frame(n, &view);
    dialog_say("#%u %s at %s:%u%s\n", (unsigned)n, function_of(view.call),
               scene_file(session.d, view.file), (unsigned)view.line,
               n == session.frame && n ? " (chosen)" : "");
}

/* ---- the source ---- */

/* The text of a file of the module; a file other than the program is read anew. *owned: to free. */
static const char *text_of(uint16_t file, char **owned) {
    *owned = NULL;
    if (!file) return session.d->l->source;
    FILE *from = fopen(scene_file(session.d, file), "re");
    if (!from) return NULL;
    enum { MOST = 4 << 20 };
    char *text = malloc(MOST + 1);
    size_t length = text ? fread(text, 1, MOST, from) : 0;
    fclose(from);
    if (text) text[length] = '\0';
    return *owned = text;
}

/* The line's text and how long it is; NULL: there is none. */
static const char *line_of(const char *text, uint32_t line, int *length) {
    for (; text && line > 1; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text || !*text || !line) return NULL;
    *length = (int)strcspn(text, "\r\n");
    return text;
}

void information_list(uint16_t file, uint32_t line, uint32_t around) {
    char *owned;
    const char *text = text_of(file, &owned), *at;
    const struct isa_inst *i = warp_here()->at;
    uint32_t first = line > around ? line - around : 1, shown = 0;
    int length;
    for (uint32_t n = first; n <= line + around && (at = line_of(text, n, &length)); n++, shown++) {
        bool here = i && i->line == n && i->file == file;
        dialog_say("%s%5u  %.*s\n", here ? "=>" : "  ", (unsigned)n, length, at);
    }
    if (!shown) dialog_say("no source is at hand for line %u\n", (unsigned)line);
    free(owned);
    session.listed = line + around;
}

/* ---- stops ---- */

static void say_group(void) {
    const struct group *g = session.d->g;
    dialog_say("group (%u,%u,%u) warp %u", (unsigned)g->group_id[0], (unsigned)g->group_id[1],
               (unsigned)g->group_id[2], (unsigned)session.warp);
}

void information_where(const char *why, uint32_t lanes) {
    const struct debug_launch *d = session.d;
    const struct scene_warp *w = warp_here();
    char text[200];
    if (!w->at) {
        say_group();
        dialog_say(" has not begun\n");
        return;
    }
    uint32_t call = scene_call(d, w->at);
    scene_lanes(lanes, text, sizeof text);
    if (why) dialog_say("%s\n", why);
    dialog_say("%s at %s:%u, ", function_of(call), scene_file(d, w->at->file),
               (unsigned)w->at->line);
    say_group();
    dialog_say(", %s\n", text);
    if (!d->noted) dialog_say("(built without -g: no variables)\n");
    information_list(w->at->file, w->at->line, 0);
    session.listed = 0;
}

/* ---- the code ---- */

static const char *next_line(const char *at) {
    at = strchr(at, '\n');
    return at ? at + 1 : NULL;
}

void information_disassembly(bool all) {
    const struct debug_launch *d = session.d;
    const struct isa_inst *i = warp_here()->at;
    char *text = isa_print_kernel(d->k);
    const char *at = text ? strstr(text, "\n{\n") : NULL;
    uint32_t here = i ? scene_index(d, i) : 0, n = 0;
    for (at = at ? at + 3 : NULL; at && *at && *at != '}'; at = next_line(at)) {
        int length = (int)strcspn(at, "\n");
        if (strncmp(at + strspn(at, " "), ".loc", 4) == 0) continue;
        if (all || (n + AROUND >= here && n <= here + AROUND))
            dialog_say("%s%5u%.*s\n", n == here && i ? "=>" : "  ", (unsigned)n, length, at);
        n++;
    }
    free(text);
}

/* ---- info ---- */

static void info_locals(void) {
    const struct debug_launch *d = session.d;
    struct lanevalue_view view;
    bool any = false;
    if (!session_view(&view)) return;
    for (uint32_t n = 0; n < d->k->nvars; n++) {
        const struct isa_var *v = &d->k->vars[n];
        size_t length = strlen(v->name);
        if (scene_find(d, v->name, length, view.call, view.file, view.line) != n + 1) continue;
        struct lanevalue value;
        char text[TEXT], why[160];
        if (lanevalue_of(&view, n + 1, &value, why))
            lanevalue_write(&view, &value, text, sizeof text);
        else
            snprintf(text, sizeof text, "<%s>", why);
        dialog_say("%s %s = %s\n", d->k->types[v->type - 1].name, v->name, text);
        any = true;
    }
    if (!any) dialog_say("no variables are known here\n");
}

/* The words of the branch that a region begins with. */
static void say_region(const struct isa_inst *i, const char *lanes) {
    const struct isa_kernel *k = session.d->k;
    const struct isa_site *s = i->site ? &k->sites[i->site - 1] : NULL;
    const char *what = i->op == ISA_if     ? "by the branch"
                       : i->op == ISA_loop ? "by the loop"
                                           : "by a jump";
    dialog_say("%s off %s in line %u%s%s\n", lanes, what, (unsigned)(s ? s->line : i->line),
               s && s->text ? ": " : "", s && s->text ? s->text : "");
}

static void info_mask(void) {
    const struct debug_launch *d = session.d;
    const struct isa_kernel *k = d->k;
    const struct scene_warp *w = warp_here();
    uint32_t open[ISA_MAX_NESTING], depth = 0;
    char lanes[200];
    if (!w->at) return;
    for (uint32_t n = 0; n < scene_index(d, w->at); n++) {
        uint32_t flags = isa_op_info[k->insts[n].op].flags;
        if (flags & ISA_OP_REGION_BEGIN && depth < ISA_MAX_NESTING) open[depth++] = n;
        if (flags & ISA_OP_REGION_END && depth) depth--;
    }
    scene_lanes(w->mask, lanes, sizeof lanes);
    dialog_say("%s active\n", lanes);
    uint32_t left = w->start;
    for (uint32_t n = 0; n <= depth; n++) {
        uint32_t on = n < depth ? w->masks[open[n]] : w->mask, off = left & ~on & w->live;
        scene_lanes(off, lanes, sizeof lanes);
        if (off && n) say_region(&k->insts[open[n - 1]], lanes);
        left &= on;
    }
    scene_lanes(w->start & ~w->live, lanes, sizeof lanes);
    if (w->start & ~w->live) dialog_say("%s returned\n", lanes);
    scene_lanes(~w->start, lanes, sizeof lanes);
    if (~w->start) dialog_say("%s beyond the group's end\n", lanes);
}

static void info_breakpoints(void) {
    char text[512];
    if (!session.breakpoints) dialog_say("no breakpoints\n");
    for (const struct breakpoint *b = session.breakpoints; b; b = b->next) {
        breakpoint_write(b, text, sizeof text);
        dialog_say("%u  %s, hit %llu time%s\n", (unsigned)b->number, text,
                   (unsigned long long)b->hits, b->hits == 1 ? "" : "s");
    }
}

static void info_warps(void) {
    const struct debug_launch *d = session.d;
    for (uint32_t n = 0; n < d->nwarps; n++) {
        const struct scene_warp *w = &d->warps[n];
        char lanes[200], where[80] = "has not begun";
        scene_lanes(w->mask, lanes, sizeof lanes);
        if (w->at)
            snprintf(where, sizeof where, "%.50s:%u, ", scene_file(d, w->at->file),
                     (unsigned)w->at->line);
        dialog_say("%s%u  %s%s\n", n == session.warp ? "=>" : "  ", (unsigned)n, where,
                   w->at ? lanes : "");
    }
}

static void info_objects(void) {
    const struct debug_launch *d = session.d;
    for (uint32_t n = 0; n < d->k->nparams; n++) {
        const struct isa_param *p = &d->k->params[n];
        enum isa_space space = p->kind == ISA_PARAM_LOCAL ? ISA_LOCAL : ISA_GLOBAL;
        if (p->kind < ISA_PARAM_GLOBAL || p->kind > ISA_PARAM_LOCAL) continue;
        uint32_t at;
        memcpy(&at, d->g->params + p->offset, sizeof at);
        uint64_t left = at ? scene_left(d, session.warp, 0, space, at) : 0;
        dialog_say("%s %s: %llu bytes%s\n", p->type_name, p->name, (unsigned long long)left,
                   at ? "" : ", null");
    }
}

static void info_launch(void) {
    const struct debug_launch *d = session.d;
    const struct launch *l = d->l;
    dialog_say("%s: %ux%ux%u work-items in groups of %ux%ux%u, %u warp%s each\n", d->k->name,
               (unsigned)l->global_size[0], (unsigned)l->global_size[1],
               (unsigned)l->global_size[2], (unsigned)l->local_size[0], (unsigned)l->local_size[1],
               (unsigned)l->local_size[2], (unsigned)d->nwarps, d->nwarps == 1 ? "" : "s");
}

void information_run(const char *what) {
    static const struct {
        const char *name, *what;
        void (*run)(void);
    } table[] = {
#define INFO(name, what) {#name, what, info_##name},
#include "commands.def"
    };
    size_t length = strlen(what);
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (length && strncmp(table[n].name, what, length) == 0) {
            table[n].run();
            return;
        }
    if (length) dialog_say("there is no info '%.40s'\n", what);
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        dialog_say("info %-12s %s\n", table[n].name, table[n].what);
}
