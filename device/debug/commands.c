/* The commands of commands.def. */
#include <stdlib.h>
#include <string.h>

#include "cexpression.h"
#include "session.h"

enum { TEXT = 2048, ELEMENTS = 16, AROUND = 4 };

static struct scene_warp *warp_here(void) { return &session.d->warps[session.warp]; }

static bool read_number(const char *text, uint32_t *n) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *n = (uint32_t)value;
    return end != text && !end[strspn(end, " \t")] && value <= UINT32_MAX && *text != '-';
}

/* ---- lanes, values ---- */

/* "all", "active", "3", "0-7", and of these several with commas. */
static bool read_lanes(const char *text, uint32_t *lanes) {
    const struct scene_warp *w = warp_here();
    *lanes = 0;
    while (*text) {
        size_t length = strcspn(text, ", \t");
        char *end;
        if (length == 3 && strncmp(text, "all", 3) == 0) {
            *lanes |= w->start;
        } else if (length == 6 && strncmp(text, "active", 6) == 0) {
            *lanes |= w->mask;
        } else {
            unsigned long first = strtoul(text, &end, 10), last = first;
            if (end == text) return false;
            if (*end == '-') {
                const char *second = end + 1;
                last = strtoul(second, &end, 10);
                if (end == second) return false;
            }
            if (end != text + length || first > last || last >= ISA_WARP) return false;
            for (; first <= last; first++) *lanes |= 1u << first & w->start;
        }
        text += length;
        text += strspn(text, ", \t");
    }
    return *lanes != 0;
}

static void evaluate(const struct lanevalue_view *view, const char *expression, char *text,
                     size_t size) {
    struct lanevalue v;
    char why[160];
    if (cexpression_value(view, expression, &v, why))
        lanevalue_write(view, &v, text, size);
    else
        snprintf(text, size, "<%s>", why);
}

/* Lanes that have the same are shown once. */
static void print_lanes(struct lanevalue_view *view, const char *expression, uint32_t lanes) {
    static char texts[ISA_WARP][TEXT];
    for (uint32_t lane = 0; lane < ISA_WARP; lane++) {
        view->lane = lane;
        if (lanes >> lane & 1) evaluate(view, expression, texts[lane], TEXT);
    }
    while (lanes) {
        uint32_t first = (uint32_t)__builtin_ctz(lanes), same = 0;
        for (uint32_t lane = first; lane < ISA_WARP; lane++)
            if (lanes >> lane & 1 && strcmp(texts[first], texts[lane]) == 0) same |= 1u << lane;
        char which[200];
        scene_lanes(same, which, sizeof which);
        dialog_say("%s: %s\n", which, texts[first]);
        lanes &= ~same;
    }
}

static bool command_print(char *arguments) {
    struct lanevalue_view view;
    char *at = strrchr(arguments, '@'), text[TEXT];
    uint32_t lanes = session.lanes;
    if (!session_view(&view)) return false;
    if (at) *at++ = '\0';
    if (at && !read_lanes(at + strspn(at, " \t"), &lanes)) {
        dialog_say("'%.40s' names no lanes of the warp\n", at);
    } else if (!arguments[strspn(arguments, " \t")]) {
        dialog_say("print what?\n");
    } else if (at || session.lanes_chosen) {
        print_lanes(&view, arguments, lanes);
    } else {
        evaluate(&view, arguments, text, sizeof text);
        dialog_say("%s\n", text);
    }
    return false;
}

static bool command_lane(char *arguments) {
    uint32_t lanes;
    char text[200];
    if (!read_lanes(arguments, &lanes)) {
        dialog_say("'%.40s' names no lanes of the warp\n", arguments);
        return false;
    }
    session.lanes = lanes;
    session.lanes_chosen = true;
    scene_lanes(lanes, text, sizeof text);
    dialog_say("%s\n", text);
    return false;
}

/* ---- memory ---- */

/* The elements from `from` on, so many to a line as fit. */
static void show_elements(const struct lanevalue_view *view, const struct lanevalue *first,
                          uint32_t size, uint64_t left, uint32_t from, uint32_t count) {
    size_t column = 0;
    for (uint32_t n = from; n < from + count; n++) {
        char text[TEXT];
        if ((uint64_t)(n + 1) * size > left) {
            if (n == from) dialog_say("there are %llu", (unsigned long long)(left / size));
            break;
        }
        struct lanevalue v = lanevalue_part(first, first->type, n * size);
        lanevalue_write(view, &v, text, sizeof text);
        if (column && column + strlen(text) > 60) {
            dialog_say("\n");
            column = 0;
        }
        if (!column) dialog_say("[%u] ", (unsigned)n);
        dialog_say("%s%s", column ? " " : "", text);
        column += strlen(text) + 1;
    }
    dialog_say("\n");
}

static void show_words(const struct lanevalue_view *view, enum isa_space space, uint32_t from,
                       uint32_t count) {
    const struct debug_launch *d = session.d;
    uint32_t bytes = space == ISA_LOCAL ? d->l->local_bytes : d->g->frame_bytes;
    uint32_t base = space == ISA_LOCAL ? d->g->local_base : 0, word;
    if (from >= bytes / 4) dialog_say("there are %u words\n", (unsigned)(bytes / 4));
    for (uint32_t n = from; n < from + count && n < bytes / 4; n++) {
        bool known = scene_read(d, view->warp, view->lane, space, base + 4 * n, &word, 4);
        if ((n - from) % 4 == 0) dialog_say("%s%5u:", n > from ? "\n" : "", (unsigned)(4 * n));
        dialog_say(known ? " %08x" : " ????????", (unsigned)(known ? word : 0));
    }
    if (from < bytes / 4) dialog_say("\n");
}

static bool command_x(char *arguments) {
    struct lanevalue_view view;
    struct lanevalue v, first;
    char *save = NULL, *what = strtok_r(arguments, " \t", &save), why[160];
    char *from_word = strtok_r(NULL, " \t", &save), *count_word = strtok_r(NULL, " \t", &save);
    uint32_t from = 0, count = ELEMENTS;
    if (!session_view(&view)) return false;
    if (!what || (from_word && !read_number(from_word, &from)) ||
        (count_word && !read_number(count_word, &count)) || count > 4096) {
        dialog_say("x POINTER|ARRAY|local|private [FROM [COUNT]]\n");
        return false;
    }
    if (strcmp(what, "local") == 0 || strcmp(what, "private") == 0) {
        show_words(&view, *what == 'l' ? ISA_LOCAL : ISA_PRIVATE, from, count);
        return false;
    }
    if (!cexpression_value(&view, what, &v, why)) {
        dialog_say("%s\n", why);
        return false;
    }
    const struct isa_vtype *t = v.type ? &session.d->k->types[v.type - 1] : NULL;
    uint64_t left = 0;
    if (t && t->form == ISA_FORM_array && !v.bytes) {
        first = lanevalue_part(&v, t->of, 0);
        left = t->size;
    } else if (lanevalue_load(&view, &v, why) && lanevalue_pointee(&view, &v, 0, &first, why)) {
        left =
            scene_left(session.d, view.warp, view.lane, (enum isa_space)first.space, first.address);
    } else {
        dialog_say("%s\n", why);
        return false;
    }
    show_elements(&view, &first, session.d->k->types[first.type - 1].size, left, from, count);
    return false;
}

/* ---- going on ---- */

static bool go(enum session_way way, const char *arguments) {
    const struct debug_launch *d = session.d;
    const struct scene_warp *w = warp_here();
    uint32_t times = 1;
    if (session.over) {
        dialog_say("the launch has ended here: only continue and quit are left\n");
        return false;
    }
    if (*arguments && (!read_number(arguments, &times) || !times)) {
        dialog_say("'%.40s' is no number of times\n", arguments);
        return false;
    }
    session.way = way;
    session.times = times - 1;
    session.origin = (struct session_origin){.anywhere = !w->at, .warp = session.warp};
    if (!w->at) return true;
    session.origin.line = w->at->line;
    session.origin.file = w->at->file;
    session.origin.call = scene_call(d, w->at);
    session.origin.depth = scene_depth(d, session.origin.call);
    session.origin.index = scene_index(d, w->at);
    return true;
}

static bool command_step(char *arguments) { return go(WAY_STEP, arguments); }
static bool command_next(char *arguments) { return go(WAY_NEXT, arguments); }
static bool command_stepi(char *arguments) { return go(WAY_STEPI, arguments); }

static bool command_finish(char *arguments) {
    (void)arguments;
    return go(WAY_FINISH, "");
}

static bool command_continue(char *arguments) {
    (void)arguments;
    session.way = WAY_ON;
    return true;
}

static bool command_quit(char *arguments) {
    (void)arguments;
    session.on = false;
    session.way = WAY_ON;
    dialog_say("the launch goes on without the debugger\n");
    return true;
}

static bool command_group(char *arguments) {
    const struct debug_launch *d = session.d;
    uint32_t id[3] = {0};
    char *end = arguments;
    bool good = *arguments != '\0', later = false;
    for (int n = 0; good && n < 3 && (!n || *end == '.'); n++) {
        char *at = end + (n > 0);
        id[n] = (uint32_t)strtoul(at, &end, 10);
        good = end != at && id[n] < d->l->global_size[n] / d->l->local_size[n];
    }
    for (int n = 0; n < 3; n++) /* the last that differs decides */
        if (id[n] != d->g->group_id[n]) later = id[n] > d->g->group_id[n];
    if (!good || *end) {
        dialog_say("there is no group '%.40s'\n", arguments);
    } else if (!later || session.over) {
        dialog_say("that group does not come any more\n");
    } else {
        memcpy(session.group, id, sizeof id);
        session.way = WAY_GROUP;
        return true;
    }
    return false;
}

/* ---- breakpoints ---- */

static void say_breakpoint(const struct breakpoint *b) {
    char text[512];
    breakpoint_write(b, text, sizeof text);
    dialog_say("breakpoint %u: %s\n", (unsigned)b->number, text);
}

static bool command_break(char *arguments) {
    char why[200], *condition = strstr(arguments, " if "), *end;
    struct breakpoint *b;
    if (condition) {
        *condition = '\0';
        condition += 4;
    }
    for (end = arguments + strlen(arguments); end > arguments && end[-1] == ' ';) *--end = '\0';
    if (!*arguments)
        dialog_say("break [KERNEL:]LINE[:ITEM] [if EXPRESSION]\n");
    else if ((b = breakpoint_new(arguments, condition ? condition : "", session.d->k->name, why)))
        say_breakpoint(b);
    else
        dialog_say("%s\n", why);
    return false;
}

static bool command_delete(char *arguments) {
    uint32_t number = 0;
    if (*arguments && (!read_number(arguments, &number) || !number))
        dialog_say("'%.40s' is no number of a breakpoint\n", arguments);
    else if (!breakpoint_delete(number))
        dialog_say(number ? "there is no breakpoint %u\n" : "no breakpoints\n", (unsigned)number);
    return false;
}

static bool command_condition(char *arguments) {
    char *end;
    struct breakpoint *b = breakpoint_find((uint32_t)strtoul(arguments, &end, 10));
    if (end == arguments || !b) {
        dialog_say("there is no breakpoint '%.*s'\n", (int)strcspn(arguments, " "), arguments);
        return false;
    }
    snprintf(b->condition, sizeof b->condition, "%s", end + strspn(end, " \t"));
    say_breakpoint(b);
    return false;
}

/* ---- looking round ---- */

static bool command_backtrace(char *arguments) {
    (void)arguments;
    uint32_t call, count = warp_here()->at ? session_frames(&call) : 0;
    for (uint32_t n = 0; n < count; n++) information_frame(n);
    return false;
}

static bool command_frame(char *arguments) {
    uint32_t call, n, count = warp_here()->at ? session_frames(&call) : 0;
    if (!read_number(arguments, &n) || n >= count) {
        dialog_say("there are frames 0 to %d\n", (int)count - 1);
        return false;
    }
    session.frame = n;
    information_frame(n);
    return false;
}

static bool command_list(char *arguments) {
    struct lanevalue_view view;
    uint32_t line = 0;
    if (!session_view(&view)) return false;
    if (*arguments && (!read_number(arguments, &line) || !line)) {
        dialog_say("'%.40s' is no line\n", arguments);
        return false;
    }
    if (!line) line = session.listed ? session.listed + AROUND + 1 : view.line;
    information_list(view.file, line, AROUND);
    return false;
}

static bool command_disassemble(char *arguments) {
    information_disassembly(strcmp(arguments, "all") == 0);
    return false;
}

static bool command_warp(char *arguments) {
    uint32_t n;
    if (!read_number(arguments, &n) || n >= session.d->nwarps) {
        dialog_say("there are warps 0 to %u\n", (unsigned)(session.d->nwarps - 1));
        return false;
    }
    session.warp = n;
    session.lanes = 0;
    session.lanes_chosen = false;
    session.frame = 0;
    information_where(NULL, warp_here()->mask);
    return false;
}

static bool command_info(char *arguments) {
    information_run(arguments);
    return false;
}

/* ---- the table ---- */

static bool command_help(char *arguments);

static const struct debug_command {
    const char *name, *least, *arguments, *what;
    bool (*run)(char *arguments);
} commands[] = {
#define COMMAND(name, short, arguments, what) {#name, short, arguments, what, command_##name},
#include "commands.def"
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct debug_command *find(const char *word, size_t length) {
    for (size_t n = 0; n < COMMANDS; n++) {
        size_t least = strlen(commands[n].least);
        if (length == least && strncmp(commands[n].least, word, length) == 0) return &commands[n];
        if (length >= least && length <= strlen(commands[n].name) &&
            strncmp(commands[n].name, word, length) == 0)
            return &commands[n];
    }
    return NULL;
}

static bool command_help(char *arguments) {
    const struct debug_command *one = *arguments ? find(arguments, strlen(arguments)) : NULL;
    if (*arguments && !one) dialog_say("there is no command '%.40s'\n", arguments);
    for (size_t n = 0; n < COMMANDS; n++) {
        const struct debug_command *c = &commands[n];
        if (*arguments && c != one) continue;
        dialog_say("%s%s%s (%s): %s\n", c->name, *c->arguments ? " " : "", c->arguments, c->least,
                   c->what);
    }
    return false;
}

bool commands_run(const char *line) {
    static char last[1024];
    char text[1024];
    line += strspn(line, " \t");
    if (*line) snprintf(last, sizeof last, "%s", line);
    if (!*line && !dialog_repeats()) return false;
    snprintf(text, sizeof text, "%s", *line ? line : last);
    size_t length = strcspn(text, " \t");
    const struct debug_command *c = length ? find(text, length) : NULL;
    if (!c) {
        if (length)
            dialog_say("there is no command '%.*s': try help\n", (int)(length < 40 ? length : 40),
                       text);
        return false;
    }
    char *arguments = text + length;
    arguments += strspn(arguments, " \t");
    for (char *end = arguments + strlen(arguments);
         end > arguments && (end[-1] == ' ' || end[-1] == '\t');)
        *--end = '\0';
    return c->run(arguments);
}
