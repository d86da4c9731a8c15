/* Build options. A wrong guess about an option would silently change a program, so only what the
 * table knows is accepted; the log names what is not. */
#include "options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum match { EXACT, PREFIX, VALUE, GLUED };
enum { BUILD = 1, LINK = 2, ANY = BUILD | LINK };
enum action { SET, TAKE, SKIP, NOTE, REFUSE };

struct options_parser {
    struct options *o;
    struct arena *arena;
    struct diag *diag;
    const struct compiler_target *target;
    char **args;
    unsigned nargs, next;
    bool failed;
};

static void refuse(struct options_parser *p, const char *option, const char *why) {
    diag_report(p->diag, DIAG_ERROR, NULL, 0, 0, "build option '%s': %s", option, why);
    p->failed = true;
}

/* ---- options with a value ---- */

static bool is_identifier(const char *s, const char *end) {
    if (s == end || isdigit((unsigned char)*s)) return false;
    for (; s < end; s++)
        if (!isalnum((unsigned char)*s) && *s != '_' && *s != '$' && !((unsigned char)*s & 0x80))
            return false;
    return true;
}

static void take_macro(struct options_parser *p, const char *option, const char *value) {
    const char *end = value + strcspn(value, "=("); /* NAME, NAME=..., NAME(x)=... */
    if (!is_identifier(value, end))
        refuse(p, option, "a macro's name is an identifier");
    else
        p->o->defines[p->o->ndefines++] = value;
}

static void take_undefine(struct options_parser *p, const char *option, const char *value) {
    if (!is_identifier(value, value + strlen(value)))
        refuse(p, option, "a macro's name is an identifier");
    else
        p->o->defines[p->o->ndefines++] = arena_printf(p->arena, "!%s", value);
}

static void take_folder(struct options_parser *p, const char *option, const char *value) {
    (void)option;
    p->o->includes[p->o->nincludes++] = value;
}

static void take_standard(struct options_parser *p, const char *option, const char *value) {
    static const struct {
        const char *name;
        unsigned version;
    } standards[] = {{"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120}, {"CL", 100}};
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        if (strcasecmp(value, standards[i].name) != 0) continue;
        if (standards[i].version > p->target->cl_version) break;
        p->o->cl_std = standards[i].version;
        p->o->cl_std_given = true;
        return;
    }
    const char *why = arena_printf(
        p->arena, "the device's OpenCL C is %u.%u; it and what came before it can be chosen",
        p->target->cl_version / 100, p->target->cl_version / 10 % 10);
    refuse(p, option, why);
}

static void take_c_standard(struct options_parser *p, const char *option, const char *value) {
    if (strncasecmp(value, "CL", 2) == 0)
        take_standard(p, option, value);
    else if (strcmp(value, "c99") != 0 && strcmp(value, "gnu99") != 0)
        refuse(p, option, "OpenCL C is C99");
}

static unsigned take_number(struct options_parser *p, const char *option, const char *value,
                            unsigned limit) {
    char *end;
    unsigned long n = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
    if (!isdigit((unsigned char)*value) || *end || n > limit) {
        refuse(p, option,
               arena_printf(p->arena, "a number from 0 to %u is wanted, not '%s'", limit, value));
        return 0;
    }
    return (unsigned)n;
}

static void take_registers(struct options_parser *p, const char *option, const char *value) {
    p->o->nv_maxrregcount = take_number(p, option, value, 1024);
}

static void take_level(struct options_parser *p, const char *option, const char *value) {
    p->o->nv_opt_level = take_number(p, option, value, 3);
    if (!p->failed && p->o->nv_opt_level == 0) p->o->opt_disable = true;
}

static void take_language(struct options_parser *p, const char *option, const char *value) {
    if (strcmp(value, "spir") == 0)
        refuse(p, "-x spir", "SPIR programs are not supported");
    else if (strcmp(value, "clc") != 0 && strcmp(value, "cl") != 0)
        refuse(p, arena_printf(p->arena, "%s %s", option, value),
               "the only language is clc, OpenCL C");
}

/* ---- the table ---- */

#define MACRO          take_macro
#define UNDEFINE       take_undefine
#define FOLDER         take_folder
#define STANDARD       take_standard
#define C_STANDARD     take_c_standard
#define REGISTERS      take_registers
#define LEVEL          take_level
#define LANGUAGE       take_language
#define TAKE_what(f)   .take = f
#define SKIP_what(w)   .why = w
#define NOTE_what(w)   .why = w
#define REFUSE_what(w) .why = w

static const struct option {
    const char *text;
    uint8_t match, uses, action;
    unsigned since; /* version of OpenCL; 0: any */
    size_t field;   /* SET: of a bool in struct options */
    const char *why;
    void (*take)(struct options_parser *p, const char *option, const char *value);
} table[] = {
#define FLAG(t, u, f)                                                                              \
    {.text = t, .match = EXACT, .uses = u, .action = SET, .field = offsetof(struct options, f)},
#define LATER(t, u, v, f)                                                                          \
    {.text = t,                                                                                    \
     .match = EXACT,                                                                               \
     .uses = u,                                                                                    \
     .action = SET,                                                                                \
     .since = v,                                                                                   \
     .field = offsetof(struct options, f)},
#define OPTION(t, m, u, a, what) {.text = t, .match = m, .uses = u, .action = a, a##_what(what)},
#include "options.def"
#undef FLAG
#undef LATER
#undef OPTION
};

static bool matches(const struct option *row, const char *arg) {
    size_t n = strlen(row->text);
    if (strncmp(arg, row->text, n) != 0) return false;
    return row->match == PREFIX || row->match == GLUED || !arg[n] ||
           (row->match == VALUE && arg[n] == '=');
}

/* The value of an option that has one: behind it, or the next argument. NULL: missing, reported. */
static const char *value_of(struct options_parser *p, const struct option *row, const char *arg) {
    const char *rest = arg + strlen(row->text);
    if (*rest) return row->match == VALUE ? rest + 1 : rest;
    if (p->next < p->nargs) return p->args[p->next++];
    refuse(p, arg, "its value is missing");
    return NULL;
}

static void apply(struct options_parser *p, const struct option *row, const char *arg,
                  enum options_use use) {
    bool link = use == OPTIONS_LINK;
    const char *value;
    if (row->action != REFUSE && !(row->uses & (link ? LINK : BUILD))) {
        refuse(p, arg, link ? "not an option for linking" : "an option for linking only");
        return;
    }
    if (row->since > p->target->cl_version) {
        refuse(p, arg, "an option of a later OpenCL than the device's");
        return;
    }
    switch ((enum action)row->action) {
    case SET: *(bool *)((char *)p->o + row->field) = true; break;
    case TAKE:
        if ((value = value_of(p, row, arg))) row->take(p, arg, value);
        break;
    case SKIP: break;
    case NOTE:
        diag_report(p->diag, DIAG_NOTE, NULL, 0, 0, "build option '%s': %s", arg, row->why);
        break;
    case REFUSE: refuse(p, arg, row->why); break;
    }
}

/* ---- splitting ---- */

/* The next argument, in place. Quotes group and vanish; a backslash makes a blank, quote or
 * backslash behind it ordinary, and is an ordinary character (of a Windows path) before anything
 * else. */
static char *next_argument(char **text, bool *unterminated) {
    char *s = *text;
    while (isspace((unsigned char)*s)) s++;
    if (!*s) return NULL;
    char *begin = s, *to = s, quote = 0;
    for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
        bool escape =
            *s == '\\' && quote != '\'' && s[1] &&
            (strchr("\"\\", s[1]) || (!quote && (s[1] == '\'' || isspace((unsigned char)s[1]))));
        if (escape)
            *to++ = *++s;
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
        else
            *to++ = *s;
    }
    *unterminated = quote;
    *text = *s ? s + 1 : s;
    *to = 0;
    return begin;
}

/* 5.6.4.3: what one option says about others. */
static void imply(struct options *o) {
    if (o->fast_relaxed_math) o->finite_math = o->unsafe_math = true;
    if (o->unsafe_math) o->no_signed_zeros = o->mad_enable = true;
}

bool options_parse(struct options *o, struct arena *arena, struct diag *diag, const char *text,
                   enum options_use use, const struct compiler_target *target) {
    *o = (struct options){.cl_std = target->cl_version, .nv_opt_level = 3};
    char *copy = arena_strdup(arena, text ? text : "");
    size_t most = strlen(copy) / 2 + 1;
    struct options_parser p = {.o = o, .arena = arena, .diag = diag, .target = target};
    p.args = ARENA_ARRAY(arena, char *, most);
    o->defines = ARENA_ARRAY(arena, const char *, most);
    o->includes = ARENA_ARRAY(arena, const char *, most);
    bool unterminated = false;
    for (char *arg; (arg = next_argument(&copy, &unterminated));) {
        p.args[p.nargs++] = arg;
        if (unterminated) refuse(&p, arg, "a quotation mark has no partner");
    }
    while (!unterminated && p.next < p.nargs) {
        const char *arg = p.args[p.next++];
        const struct option *row = table, *end = table + sizeof table / sizeof *table;
        while (row < end && !matches(row, arg)) row++;
        if (row < end)
            apply(&p, row, arg, use);
        else
            refuse(&p, arg, "no such option is known");
    }
    imply(o);
    diag_options(diag, o->no_warnings, o->warnings_are_errors);
    return !p.failed;
}

/* ---- objects and linking ---- */

static bool matters(const struct option *row) {
    static const char *const do_not[] = {"-cl-no-signed-zeroes", "-cl-nv-verbose"};
    if (row->action == SET && strcmp(row->text, "-g") == 0) return true;
    if (row->action == SET && strncmp(row->text, "-fcheck-", 8) == 0) return true;
    if (row->action != SET || strncmp(row->text, "-cl-", 4) != 0) return false;
    for (size_t i = 0; i < sizeof do_not / sizeof *do_not; i++)
        if (strcmp(row->text, do_not[i]) == 0) return false;
    return true;
}

const char *options_text(struct arena *arena, const struct options *o) {
    const char *text =
        arena_printf(arena, "-w -cl-std=CL%u.%u", o->cl_std / 100, o->cl_std / 10 % 10);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (matters(&table[i]) && *(const bool *)((const char *)o + table[i].field))
            text = arena_printf(arena, "%s %s", text, table[i].text);
    return text;
}

void options_merge(struct options *into, const struct options *unit) {
    if (into->cl_std < unit->cl_std) into->cl_std = unit->cl_std;
    into->denorms_are_zero &= unit->denorms_are_zero;
    into->mad_enable &= unit->mad_enable;
    into->no_signed_zeros &= unit->no_signed_zeros;
    into->unsafe_math &= unit->unsafe_math;
    into->finite_math &= unit->finite_math;
    into->fast_relaxed_math &= unit->fast_relaxed_math;
    into->strict_aliasing &= unit->strict_aliasing;
    into->opt_disable |= unit->opt_disable;
    into->correctly_rounded_divide_sqrt |= unit->correctly_rounded_divide_sqrt;
    into->kernel_arg_info |= unit->kernel_arg_info;
    into->debug |= unit->debug;
    into->check_copies |= unit->check_copies;
    into->check_values |= unit->check_values;
}
