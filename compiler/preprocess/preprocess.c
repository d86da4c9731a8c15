/* The preprocessor's driver: predefined macros, options, the program, the result. */
#include "preprocess.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/target.h"
#include "preprocess_private.h"

#define BUILT_IN      "<built-in>"
#define BUILD_OPTIONS "<build options>"

void pp_report(struct pp *pp, enum diag_severity s, const struct pp_token *where,
               const char *format, ...) {
    pp->errors += s == DIAG_ERROR;
    if (pp->quiet) return;
    if (!where || where->line == 0 || !(where->flags & PP_PLACED || where == &pp->site)) {
        static const struct pp_token nowhere;
        struct pp_token here = pp->site.line ? pp->site : nowhere;
        if (!here.line && pp->buffer) here.line = pp->buffer->line;
        pp->here = here;
        where = &pp->here;
    }
    char text[1400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_report(pp->diag, s, pp->buffer ? pp->buffer->presumed_name : NULL, where->line,
                where->column, "%s", text);
}

void pp_stop(struct pp *pp, const char *why) {
    if (!pp->stopped) pp_report(pp, DIAG_ERROR, &pp->site, "%s", why);
    pp->stopped = true;
}

/* ---- predefined macros ---- */

enum feature { ALWAYS, IMAGES, DOUBLES, FAST_FMA, HALVES, RELAXED };

static const struct {
    const char *name, *value;
    uint8_t feature;
} predefined[] = {
#define PREDEFINED(name, value, feature) {name, value, feature},
#include "predefined.def"
#undef PREDEFINED
};

static bool has_feature(const struct options *o, const struct compiler_target *t,
                        enum feature feature) {
    switch (feature) {
    case ALWAYS: return true;
    case IMAGES: return t->images;
    case DOUBLES: return t->doubles || t->demotes;
    case FAST_FMA: return t->doubles;
    case HALVES: return target_extends(t, "cl_khr_fp16");
    case RELAXED: return o->fast_relaxed_math;
    }
    return false;
}

struct preprocess_text {
    struct arena *arena;
    char *s;
    size_t length, capacity;
};

static void add(struct preprocess_text *t, const char *a, const char *b, const char *c,
                const char *d) {
    const char *parts[] = {a, b, c, d};
    size_t n = strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1;
    if (t->capacity - t->length < n) {
        size_t capacity = (t->capacity + n) * 2;
        char *grown = arena_alloc(t->arena, capacity);
        if (t->length) memcpy(grown, t->s, t->length);
        t->s = grown;
        t->capacity = capacity;
    }
    for (int i = 0; i < 4; i++) t->length = (size_t)(stpcpy(t->s + t->length, parts[i]) - t->s);
}

static void add_number(struct preprocess_text *t, const char *name, unsigned value) {
    char digits[16];
    snprintf(digits, sizeof digits, "%u", value);
    add(t, "#define ", name, " ", digits);
    add(t, "\n", "", "", "");
}

static void add_extensions(struct preprocess_text *t, const char *list) {
    for (const char *p = list; p && *p;) {
        size_t n = strcspn(p, " ");
        if (n) add(t, "#define ", arena_strndup(t->arena, p, n), " 1\n", "");
        p += n + (p[n] == ' ');
    }
}

static struct preprocess_text built_in(struct arena *arena, const struct options *o,
                                       const struct compiler_target *target) {
    struct preprocess_text t = {.arena = arena};
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++) {
        if (!has_feature(o, target, predefined[i].feature)) continue;
        add(&t, "#define ", predefined[i].name, " ", predefined[i].value);
        add(&t, "\n", "", "", "");
    }
    /* 6.10 of 1.2: the device's version, the language's, and names for those there are. */
    unsigned newest = target->cl_version > o->cl_std ? target->cl_version : o->cl_std;
    add_number(&t, "__OPENCL_VERSION__", target->cl_version);
    add_number(&t, "__OPENCL_C_VERSION__", o->cl_std);
    add_number(&t, "CL_VERSION_1_0", 100);
    if (newest >= 110) add_number(&t, "CL_VERSION_1_1", 110);
    if (newest >= 120) {
        add_number(&t, "CL_VERSION_1_2", 120);
        /* Programs of today compare the version with these, and an unknown name would be 0. */
        add_number(&t, "CL_VERSION_2_0", 200);
        add_number(&t, "CL_VERSION_3_0", 300);
    }
    add_extensions(&t, target->extensions);
    return t;
}

/* -D and -U as directives. A value ends with its line. */
static struct preprocess_text from_options(struct arena *arena, const struct options *o) {
    struct preprocess_text t = {.arena = arena};
    for (unsigned i = 0; i < o->ndefines; i++) {
        const char *d = o->defines[i], *equals = strchr(d, '=');
        const char *name = equals ? arena_strndup(arena, d, (size_t)(equals - d)) : d;
        char *value = arena_strdup(arena, equals ? equals + 1 : "1");
        for (char *p = value; *p; p++)
            if (*p == '\n' || *p == '\r') *p = ' ';
        if (d[0] == '!')
            add(&t, "#undef ", d + 1, "\n", "");
        else
            add(&t, "#define ", name, " ", value);
        add(&t, "\n", "", "", "");
    }
    return t;
}

const char *preprocess_predefined(struct arena *arena, const struct options *options,
                                  const struct compiler_target *target) {
    struct preprocess_text t = built_in(arena, options, target), d = from_options(arena, options);
    add(&t, d.s ? d.s : "", "", "", "");
    return t.s;
}

/* ---- running ---- */

static void init(struct pp *pp) {
    pp->n_va_args = pp_intern(pp, "__VA_ARGS__", 11);
    pp->n_va_opt = pp_intern(pp, "__VA_OPT__", 10);
    pp->n_defined = pp_intern(pp, "defined", 7);
    pp->n_pragma_operator = pp_intern(pp, "_Pragma", 7);
    pp->n_true = pp_intern(pp, "true", 4);
    pp_directives_init(pp);
    pp_builtins_init(pp);
}

static void run_definitions(struct pp *pp, const char *name, const struct preprocess_text *t) {
    struct pp_token token;
    pp_file_enter(pp, pp_file_make(pp, name, t->s ? t->s : "", t->length));
    for (pp_next(pp, &token); token.kind != PP_EOF; pp_next(pp, &token)) {
    }
    pp->buffer = NULL;
}

static void mark_predefined(struct pp *pp) {
    for (uint32_t i = 0; i < pp->name_capacity; i++)
        if (pp->names[i] && pp->names[i]->macro) pp->names[i]->macro->predefined = true;
}

static void run_program(struct pp *pp) {
    struct pp_token t;
    for (;;) {
        pp_next(pp, &t);
        if (t.kind == PP_EOF) break;
        if (t.kind == PP_IDENT && t.name == pp->n_pragma_operator)
            pp_pragma_operator(pp, &t);
        else
            pp_emit(pp, &t);
    }
    if (!pp->stopped) pp_groups_close(pp);
}

struct preprocessed preprocess(struct arena *arena, struct diag *diag,
                               const struct options *options, const struct compiler_target *target,
                               const char *source, size_t length,
                               const struct compiler_source *headers, size_t nheaders) {
    struct pp *pp = ARENA_NEW(arena, struct pp);
    pp->arena = arena;
    pp->diag = diag;
    pp->options = options;
    pp->target = target;
    pp->headers = headers;
    pp->nheaders = headers ? nheaders : 0;
    pp->max_work = PP_MAX_WORK + 4 * (uint64_t)length;
    init(pp);
    struct preprocess_text text = built_in(arena, options, target);
    run_definitions(pp, BUILT_IN, &text);
    mark_predefined(pp);
    text = from_options(arena, options);
    run_definitions(pp, BUILD_OPTIONS, &text);
    pp->expanded_anything = false;
    pp->counter = 0;

    struct pp_file *program = pp_file_make(pp, DIAG_MAIN_FILE, source, length);
    pp_file_remember(pp, program);
    pp_file_enter(pp, program);
    pp->out_name = program->name;
    pp->out_line = pp->out_column = 1;
    run_program(pp);
    pp_finish_output(pp);
    return (struct preprocessed){.text = pp->out,
                                 .length = pp->out_length,
                                 .places = pp->places,
                                 .nplaces = pp->nplaces,
                                 .columns_known = true,
                                 .is_source = !pp->renumbered,
                                 .expanded_anything = pp->expanded_anything,
                                 .files = pp->file_names,
                                 .nfiles = pp->nfiles,
                                 .inputs = pp_file_inputs(pp),
                                 .errors = pp->errors};
}

bool preprocess_evaluate(const char *text, size_t length, int64_t *value) {
    struct arena_try t;
    if (ARENA_FAILS(&t)) return false;
    struct pp *pp = ARENA_NEW(t.arena, struct pp);
    pp->arena = t.arena;
    pp->quiet = true;
    pp->max_work = PP_MAX_WORK;
    init(pp);
    for (uint32_t i = 0; i < pp->name_capacity; i++)
        if (pp->names[i]) pp->names[i]->macro = NULL;
    struct pp_list line = {0};
    pp_lex_all(pp, arena_strndup(t.arena, text, length), length, &line);
    bool good = line.count && pp_condition(pp, &line, &line.tokens[0], value, false) && !pp->errors;
    arena_free(t.arena);
    return good;
}
