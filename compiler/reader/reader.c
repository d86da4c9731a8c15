/* Runs libclang over a program, passes on what it says, and has the cursors read.
 *
 * The expanded text is parsed first. A program without a word from clang is done with that one
 * parse; for any other the original is parsed too, because its diagnostics show macros as the
 * programmer wrote them. */
#include "reader.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prelude.h"
#include "readerstate.h"

/* ---- reporting ---- */

static void report(struct reader *r, enum diag_severity s, struct ast_loc loc, const char *format,
                   va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    const char *file = loc.file < r->unit->nfiles ? r->unit->files[loc.file] : NULL;
    diag_report(r->diag, s, file, loc.line, loc.column, "%s", text);
}

void reader_error(struct reader *r, struct ast_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(r, DIAG_ERROR, loc, format, args);
    va_end(args);
}

void reader_warning(struct reader *r, struct ast_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(r, DIAG_WARNING, loc, format, args);
    va_end(args);
}

_Noreturn void reader_fail(struct reader *r, struct ast_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(r, DIAG_ERROR, loc.line ? loc : r->here, format, args);
    va_end(args);
    longjmp(*r->failed, 1);
}

/* ---- what all the files use ---- */

void reader_enter(struct reader *r, CXCursor c) {
    if (++r->depth > READER_DEPTH)
        reader_fail(r, reader_text_place(r, c), "expression or statement nested too deeply");
}

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct reader_kids *kids = data;
    if (kids->n < kids->room) kids->at[kids->n] = c;
    kids->n++;
    return CXChildVisit_Continue;
}

/* Counted first where there are many: nothing may be allocated, and so fail, under libclang's feet.
 */
void reader_children(struct reader *r, CXCursor c, struct reader_kids *kids) {
    kids->n = 0;
    kids->at = kids->few;
    kids->room = sizeof kids->few / sizeof *kids->few;
    clang_visitChildren(c, collect, kids);
    if (kids->n <= kids->room) return;
    kids->room = kids->n;
    kids->at = ARENA_ARRAY(r->arena, CXCursor, kids->room);
    kids->n = 0;
    clang_visitChildren(c, collect, kids);
    if (kids->n > kids->room) kids->n = kids->room;
}

static struct reader_slot *slot_of(const struct reader_map *m, const void *key) {
    uint32_t i = (uint32_t)(((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u >> 32) & (m->nslots - 1);
    while (m->slots[i].key && m->slots[i].key != key) i = (i + 1) & (m->nslots - 1);
    return &m->slots[i];
}

void *reader_map_find(const struct reader_map *m, const void *key) {
    return m->nslots ? slot_of(m, key)->value : NULL;
}

void reader_map_add(struct reader *r, struct reader_map *m, const void *key, void *value) {
    if (m->used * 2 >= m->nslots) {
        struct reader_map old = *m;
        m->nslots = old.nslots ? old.nslots * 2 : 64;
        m->slots = ARENA_ARRAY(r->arena, struct reader_slot, m->nslots);
        for (uint32_t i = 0; i < old.nslots; i++)
            if (old.slots[i].key) *slot_of(m, old.slots[i].key) = old.slots[i];
    }
    struct reader_slot *s = slot_of(m, key);
    m->used += !s->key;
    *s = (struct reader_slot){key, value};
}

/* Without what made the name another than clang's. */
static char *given(const struct reader *r, char *s) {
    const size_t n = sizeof READER_OWN - 1;
    for (char *p = s; r->own && (p = strstr(p, READER_OWN));) memmove(p, p + n, strlen(p + n) + 1);
    return s;
}

char *reader_string(struct reader *r, CXString s) {
    const char *text = clang_getCString(s);
    size_t n = text ? strlen(text) : 0;
    char small[256], *copy;
    if (n < sizeof small) { /* disposed of before an allocation that may not return */
        memcpy(small, text ? text : "", n + 1);
        clang_disposeString(s);
        return given(r, arena_strndup(r->arena, small, n));
    }
    copy = arena_strndup(r->arena, text, n);
    clang_disposeString(s);
    return given(r, copy);
}

/* ---- libclang ---- */

/* libclang parses on the thread that asks, whose stack is large enough. On one of its own, which it
 * would make each time, it ends the process where none can be started. */
__attribute__((constructor)) static void reader_constructor(void) {
    setenv("LIBCLANG_NOTHREADS", "1", 1);
}

/* A parse of nothing: the first one writes to the index, which threads then share. */
static void use_once(CXIndex index) {
    CXTranslationUnit none = NULL;
    clang_parseTranslationUnit2(index, NULL, NULL, 0, NULL, 0, 0, &none);
    if (none) clang_disposeTranslationUnit(none);
}

/* One for the process, kept: making one costs more than a parse. No lock, so that a fork at any
 * time leaves the child with a usable one. */
static CXIndex the_index(void) {
    static _Atomic(CXIndex) shared;
    CXIndex index = atomic_load(&shared), mine;
    if (index) return index;
    mine = clang_createIndex(0, 0);
    clang_toggleCrashRecovery(0); /* gives back the signal handlers that createIndex took */
    if (mine) use_once(mine);
    if (!mine || atomic_compare_exchange_strong(&shared, &index, mine)) return mine;
    clang_disposeIndex(mine);
    return index;
}

struct arguments {
    const char **at;
    int n;
};

static void add(struct arguments *a, const char *argument) { a->at[a->n++] = argument; }

/* clang's idea of the extensions: none but the device's, and static functions as 1.2 has them. */
static const char *extensions(struct arena *arena, const char *list) {
    char *text = arena_alloc(arena, strlen(list) * 2 + 64), *end = text;
    end = stpcpy(end, "-cl-ext=-all,+cl_clang_storage_class_specifiers");
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " ");
        if (n) end += sprintf(end, ",+%.*s", (int)n, p);
        p += n + (p[n] == ' ');
    }
    return text;
}

/* Always 1.2 to clang, whatever the program asked for: the drivers of the 1.0 days took static
 * functions, printf, vectors of 3 and && of floats, and what 1.2 forbids 1.0 forbids as well. */
static struct arguments arguments(struct reader *r, const char *const *includes,
                                  unsigned nincludes) {
    static const char *const fixed[] = {"-x",
                                        "cl",
                                        "-cl-std=CL1.2",
                                        "-target",
                                        "spir",
                                        "-undef",
                                        "-nostdinc",
                                        "-cl-no-stdinc",
                                        "-fbracket-depth=512",
                                        "-Wno-macro-redefined",
                                        "-Wno-builtin-macro-redefined",
                                        "-Wno-#warnings",
                                        "-ferror-limit=0",
                                        "-Wno-spir-compat",
                                        "-Xclang",
                                        "-fdeclare-opencl-builtins",
                                        "-Xclang"};
    struct arguments a = {
        .at = ARENA_ARRAY(r->arena, const char *, sizeof fixed / sizeof *fixed + nincludes + 4)};
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++) add(&a, fixed[i]);
    add(&a, extensions(r->arena, reader_extensions(r)));
    if (r->single_literals) add(&a, "-cl-single-precision-constant");
    for (unsigned i = 0; i < nincludes; i++) add(&a, arena_printf(r->arena, "-I%s", includes[i]));
    return a;
}

static CXTranslationUnit parse(struct arguments a, struct CXUnsavedFile *files, unsigned nfiles) {
    CXIndex index = the_index();
    CXTranslationUnit tu = NULL;
    if (!index) return NULL;
    enum CXErrorCode e = clang_parseTranslationUnit2(index, DIAG_MAIN_FILE, a.at, a.n, files,
                                                     nfiles, CXTranslationUnit_None, &tu);
    return e == CXError_Success ? tu : NULL;
}

static CXTranslationUnit parse_expanded(struct reader *r) {
    struct CXUnsavedFile file = {
        .Filename = DIAG_MAIN_FILE, .Contents = r->text.text, .Length = r->text.length};
    return parse(arguments(r, NULL, 0), &file, 1);
}

/* The program as it was given, with the macros our own preprocessor would define. */
static CXTranslationUnit parse_original(struct reader *r, const struct compiler_source *headers,
                                        size_t nheaders) {
    static const char folder[] = "/<headers>";
    size_t length;
    const char *macros = preprocess_predefined(r->arena, r->options, r->target);
    const char *prelude = prelude_text(r->arena, reader_doubles(r), true, r->own, macros, &length);
    char *text = arena_alloc(r->arena, length + r->source_length + 1);
    memcpy(text, prelude, length);
    memcpy(text + length, r->source, r->source_length);
    struct CXUnsavedFile *files = ARENA_ARRAY(r->arena, struct CXUnsavedFile, nheaders + 1);
    files[0] = (struct CXUnsavedFile){
        .Filename = DIAG_MAIN_FILE, .Contents = text, .Length = length + r->source_length};
    for (size_t i = 0; i < nheaders; i++)
        files[i + 1] = (struct CXUnsavedFile){
            .Filename = arena_printf(r->arena, "%s/%s", folder, headers[i].name),
            .Contents = headers[i].text,
            .Length = headers[i].length};
    const char **includes = ARENA_ARRAY(r->arena, const char *, r->options->nincludes + 1u);
    includes[0] = folder;
    for (unsigned i = 0; i < r->options->nincludes; i++) includes[i + 1] = r->options->includes[i];
    return parse(arguments(r, includes, r->options->nincludes + 1), files, (unsigned)nheaders + 1);
}

/* ---- diagnostics ---- */

static enum diag_severity severity_of(CXDiagnostic d) {
    switch (clang_getDiagnosticSeverity(d)) {
    case CXDiagnostic_Error:
    case CXDiagnostic_Fatal: return DIAG_ERROR;
    case CXDiagnostic_Warning: return DIAG_WARNING;
    default: return DIAG_NOTE;
    }
}

static bool has_errors(CXTranslationUnit tu) {
    bool errors = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu) && !errors; i++) {
        CXDiagnostic d = clang_getDiagnostic(tu, i);
        errors = severity_of(d) == DIAG_ERROR;
        clang_disposeDiagnostic(d);
    }
    return errors;
}

static uint32_t offset_of(CXDiagnostic d) {
    unsigned offset = 0;
    clang_getSpellingLocation(clang_getDiagnosticLocation(d), NULL, NULL, NULL, &offset);
    return offset;
}

/* Is an error of the expanded text where the guard put something in? The original might kill clang
 * there. Programs with many errors are not looked through. */
static bool guarded(struct reader *r) {
    enum { MOST = 200 };
    unsigned errors = 0;
    bool found = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(r->tu) && !found; i++) {
        CXDiagnostic d = clang_getDiagnostic(r->tu, i);
        if (severity_of(d) == DIAG_ERROR)
            found = ++errors > MOST || reader_guard_near(r, offset_of(d));
        clang_disposeDiagnostic(d);
    }
    return found;
}

static void pass_on(struct reader *r, CXDiagnostic d) {
    unsigned line = 0, column = 0;
    CXString file, text = clang_getDiagnosticSpelling(d),
                   option = clang_getDiagnosticOption(d, NULL);
    clang_getPresumedLocation(clang_getDiagnosticLocation(d), &file, &line, &column);
    const char *name = clang_getCString(file), *flag = clang_getCString(option);
    bool unnamed = !name || !*name; /* clang's own declarations */
    bool ours = !unnamed && *name == '<' &&
                strcmp(name, DIAG_MAIN_FILE) != 0; /* the prelude; pasted tokens */
    bool placed = !unnamed && !ours;
    enum diag_severity severity = severity_of(d);
    bool flagged = flag && *flag;
    if (severity != DIAG_NOTE || !ours)
        diag_report(r->diag, severity, placed ? name : NULL, placed ? line : 0, placed ? column : 0,
                    "%s%s%s%s", clang_getCString(text), flagged ? " [" : "", flagged ? flag : "",
                    flagged ? "]" : "");
    clang_disposeString(file);
    clang_disposeString(text);
    clang_disposeString(option);
    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        pass_on(r, note);
        clang_disposeDiagnostic(note);
    }
}

static void pass_on_all(struct reader *r, CXTranslationUnit tu) {
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic d = clang_getDiagnostic(tu, i);
        CXString text = clang_getDiagnosticSpelling(d);
        bool explained = tu == r->tu && severity_of(d) == DIAG_ERROR &&
                         reader_guard_explain(r, offset_of(d), clang_getCString(text));
        clang_disposeString(text);
        if (!explained) pass_on(r, d);
        clang_disposeDiagnostic(d);
    }
}

/* ---- the whole ---- */

struct units {
    CXTranslationUnit expanded, original;
};

/* Does the program speak of doubles? Otherwise literals without a suffix are floats on a device
 * that has no doubles, as those of 1.0 to 1.2 are where cl_khr_fp64 is not enabled. */
static bool names_double(const struct reader *r) {
    static const char word[] = "double";
    const char *in = r->expanded->text, *end = in + r->expanded->length;
    return memmem(in, (size_t)(end - in), word, sizeof word - 1) != NULL;
}

/* False: there are errors, all in the log. */
static bool read_program(struct reader *r, struct units *u, const struct compiler_source *headers,
                         size_t nheaders) {
    reader_text_make(r);
    /* Before 1.2 doubles are an extension that a program must ask for (9.3 of 1.0). */
    bool asked = r->options->cl_std >= 120 || r->text.doubles_enabled;
    r->warn_of_literals = r->target->doubles && !asked && !r->options->single_precision_constant;
    bool doubles = r->target->demotes ? names_double(r) : r->target->doubles && asked;
    r->single_literals = !doubles || r->options->single_precision_constant;
    u->expanded = r->tu = parse_expanded(r);
    if (!r->tu)
        reader_fail(r, (struct ast_loc){0}, "the program could not be parsed: libclang failed");
    bool errors = has_errors(r->tu);
    if (clang_getNumDiagnostics(r->tu) > 0 && (errors || !r->options->no_warnings)) {
        bool restricted = r->target->include && *r->target->include; /* clang would read any file */
        if (!restricted && (!errors || !guarded(r)))
            u->original = parse_original(r, headers, nheaders);
        /* Where the two disagree, what will be compiled is right. */
        bool agree = u->original && clang_getNumDiagnostics(u->original) > 0 &&
                     has_errors(u->original) == errors;
        pass_on_all(r, agree ? u->original : u->expanded);
    }
    if (errors) return false;
    reader_decl_unit(r);
    return true;
}

struct ast_unit *reader_read(struct arena *arena, struct diag *diag, const struct options *options,
                             const struct compiler_target *target,
                             const struct preprocessed *expanded, const char *source, size_t length,
                             const struct compiler_source *headers, size_t nheaders) {
    jmp_buf failed, out_of_memory;
    struct reader *r = ARENA_NEW(arena, struct reader);
    struct units *tus = ARENA_NEW(arena, struct units);
    struct ast_unit *unit = ARENA_NEW(arena, struct ast_unit);
    unsigned before = diag_errors(diag);
    *r = (struct reader){.arena = arena,
                         .diag = diag,
                         .options = options,
                         .target = target,
                         .expanded = expanded,
                         .source = source,
                         .source_length = length,
                         .unit = unit,
                         .failed = &failed};
    unit->arena = arena;
    unit->files = expanded->files;
    unit->nfiles = expanded->nfiles;
    unit->text = expanded->text;
    unit->source = source;
    jmp_buf *caller = arena_catch(arena, &out_of_memory);
    volatile bool exhausted = false;
    if (setjmp(out_of_memory) != 0) exhausted = true;
    if (!exhausted && setjmp(failed) == 0) read_program(r, tus, headers, nheaders);
    arena_catch(arena, caller);
    if (tus->expanded) clang_disposeTranslationUnit(tus->expanded);
    if (tus->original) clang_disposeTranslationUnit(tus->original);
    if (exhausted) longjmp(*caller, 1);
    return diag_errors(diag) == before ? unit : NULL;
}

void reader_start(void) { the_index(); }

void reader_warm(void) {
    static const char program[] =
        "kernel void k(global float4 *p) { p[get_global_id(0)] = sqrt(p[0]); }\n";
    static const struct options options = {.cl_std = 120};
    static const struct compiler_target target = {.cl_version = 120, .extensions = ""};
    jmp_buf out_of_memory;
    struct arena *volatile arena = NULL;
    struct diag *volatile diag = diag_new();
    if (diag && setjmp(out_of_memory) == 0 && (arena = arena_new(&out_of_memory))) {
        static const char *files[] = {DIAG_MAIN_FILE};
        struct preprocessed text = {.text = program,
                                    .length = sizeof program - 1,
                                    .files = files,
                                    .nfiles = 1,
                                    .columns_known = true};
        reader_read(arena, diag, &options, &target, &text, program, sizeof program - 1, NULL, 0);
    }
    arena_free(arena);
    diag_free(diag);
}

const char *reader_library(void) {
    Dl_info info;
    return dladdr((void *)(uintptr_t)clang_createIndex, &info) ? info.dli_fname : NULL;
}
