/* What the files of the preprocessor share. `pp_` is their common prefix.
 *
 * preprocess_tokens.c      bytes to tokens
 * preprocess_lists.c       growing storage: names, token lists, contexts
 * preprocess_macros.c      #define, #undef and expansion
 * preprocess_builtins.c    __LINE__, __has_include and the others whose value is computed
 * preprocess_condition.c   #if expressions
 * preprocess_directives.c  what begins with #
 * preprocess_files.c       text that is read: the program, headers, include folders
 * preprocess_output.c      tokens to text, each on its line and where possible in its column
 * preprocess.c             ties them together; predefined.def holds the predefined macros
 *
 * Expansion works on a stack of contexts. A context is a list of tokens being read, mostly the
 * replacement of a macro; that macro is disabled until its context has been read to the end, and
 * its name, met meanwhile, is painted: never expanded again (C99 6.10.3.4). That yields what hide
 * sets yield without copying a set to each token, so a macro's body is read where it lies and an
 * endless expansion needs no memory. Everything lives in the arena: running out of it may longjmp
 * out of any place here, and there is nothing to release. */
#ifndef SIMTCL_PREPROCESS_PRIVATE_H
#define SIMTCL_PREPROCESS_PRIVATE_H

#include "preprocess.h"

enum { /* all bounds on untrusted input; reaching one is an error with a place */
       PP_MAX_INCLUDE_DEPTH = 200,
       PP_MAX_INCLUDES = 20000,
       PP_MAX_CALL_DEPTH = 1000, /* macro calls within arguments of macro calls */
       PP_MAX_PARAMS = 4096,
       PP_MAX_LIVE_TOKENS = 4 << 20, /* in argument and replacement lists, at a time */
       PP_MAX_WORK = 24 << 20,  /* tokens read from contexts; plus some for each byte of source */
       PP_MAX_FILE = 64 << 20,  /* bytes of one file */
       PP_MAX_TEXT = 256 << 20, /* bytes of all files read */
       PP_MAX_OUTPUT = 64 << 20 /* bytes */
};

enum pp_kind {
    PP_EOF, /* end of the file, of the directive's line or of an argument */
    PP_IDENT,
    PP_NUMBER,
    PP_CHAR,
    PP_STRING,
    PP_PUNCT,
    PP_OTHER,       /* a stray character, an unterminated literal */
    PP_PLACEMARKER, /* C99 6.10.3.3: an empty operand of ## */
    PP_PASTE,       /* ## in a macro's body */
    PP_VA_OPT /* in a body: line is the number of tokens behind it that its parentheses held */
};

enum {               /* pp_token.flags */
       PP_SPACE = 1, /* white space before it */
       PP_LINE_START = 2,
       PP_PLACED = 4,     /* line and column are those of the token itself in its file */
       PP_PAINTED = 8,    /* names a macro, but must not be expanded */
       PP_INHERITED = 16, /* its place is that of the macro's name that it came from */
       PP_STRINGIZE = 32  /* in a body: # stands before this parameter */
};

struct pp_token {
    uint8_t kind, flags;
    uint16_t param;                /* in a body: 1 + index of the parameter it names, or 0 */
    uint32_t length, line, column; /* line: as #line has it; column in bytes, from 1 */
    const char *text;
    struct pp_name *name; /* of identifiers */
};

/* An identifier; equal spellings are one object. */
struct pp_name {
    const char *text;
    uint32_t length, hash;
    struct pp_macro *macro; /* NULL: not defined */
    struct pp_saved *saved; /* #pragma push_macro */
    uint16_t param;         /* while its macro is being defined: 1 + index */
    uint8_t directive;      /* enum pp_directive */
};

struct pp_saved {
    struct pp_saved *next;
    struct pp_macro *macro;
};

struct pp_list {
    struct pp_token *tokens;
    uint32_t count, capacity;
};

struct pp_macro {
    struct pp_name *name;
    struct pp_list body;
    struct pp_name **params; /* a variadic's last one is __VA_ARGS__ or its own name */
    uint16_t nparams;
    bool function_like, variadic, disabled, predefined;
    bool pastes;      /* ## or __VA_OPT__ in the body: it cannot be read where it lies */
    uint8_t builtin;  /* enum pp_builtin */
    const char *file; /* where it was defined */
    uint32_t line, column;
};

struct pp_context {
    const struct pp_token *tokens;
    uint32_t count, next;
    struct pp_macro *macro; /* enabled again when the context ends */
    struct pp_list owned;   /* storage given back when it ends */
    struct pp_token head;   /* the macro's name: the first token takes its place */
    bool barrier;           /* does not end by itself: an argument or a directive's line */
    bool space_at_end;      /* an empty argument left white space behind */
};

struct pp_arg {
    struct pp_list raw, expanded;
    bool is_expanded;
};

/* A condition being in force: #if ... #endif. */
struct pp_group {
    struct pp_group *outer;
    uint32_t line, column;
    bool taken, seen_else;
};

/* A file's text, spliced and made ready; made once however often it is included. */
struct pp_file {
    const char *name, *folder; /* folder: where its own quoted includes are looked for, with '/' at
                                  its end, or "" */
    const char *text;          /* ends in '\n' and NUL */
    size_t length;
    const uint32_t
        *splices; /* offsets at which a new physical line begins without '\n'; ends in UINT32_MAX */
    bool once, entered; /* #pragma once, #import; it has been read before */
    bool on_disk;
    unsigned
        place; /* where it was found: 0 by name or beside another, 1 the first -I folder, ... */
    uint64_t device, inode;
    struct pp_file *next;
};

enum { PP_MAX_INPUTS = 1024 };
/* A path that was looked at on disk: what must be found there again for the same result. */
struct pp_input {
    const char *path;
    const struct pp_file *file; /* NULL: there was none */
    uint64_t size, checksum;    /* of the file when this is its first path */
    struct pp_input *next;
};

/* A file being read. */
struct pp_buffer {
    struct pp_file *file;
    const char *presumed_name; /* as #line has it */
    const char *p, *line_start;
    const uint32_t *splice;
    uint32_t line;      /* as #line has it */
    bool line_is_fresh; /* nothing but white space so far on this line */
    struct pp_group *groups;
    struct pp_buffer *includer;
};

struct pp {
    struct arena *arena;
    struct diag *diag;
    const struct options *options;
    const struct compiler_target *target;
    const char *denied; /* a file that the target does not allow to be read; the last */
    const struct compiler_source *headers;
    size_t nheaders;
    bool quiet; /* preprocess_evaluate: nothing is reported */

    struct pp_name **names; /* hash table */
    uint32_t nnames, name_capacity;
    struct pp_name *n_va_args, *n_va_opt, *n_defined, *n_pragma_operator, *n_true;

    struct pp_buffer *buffer;
    struct pp_file *files; /* newest first */
    const char **file_names;
    unsigned nfiles, include_depth, includes;
    uint64_t text_read;
    struct pp_input *inputs, **last_input;
    unsigned ninputs;
    bool untold;       /* the result depends on more than the inputs */
    bool in_directive; /* a line's end is PP_EOF */
    bool collecting;   /* arguments of a macro call: no #include */

    struct pp_context *contexts;
    uint32_t ncontexts, context_capacity;
    struct pp_arg *args; /* a stack, as calls nest */
    uint32_t nargs, arg_capacity;
    struct pp_list spare[32]; /* given back lists, chained, by size class */
    uint64_t live, work, max_work;
    unsigned call_depth;
    bool carry_space;       /* an empty expansion left white space for the next token */
    struct pp_token site;   /* the macro call in a file that is being expanded */
    uint32_t site_end_line; /* of its closing parenthesis */
    uint64_t counter;

    char *out;
    size_t out_length, out_capacity;
    const char *out_name; /* place at the end of the output */
    uint32_t out_line, out_column;
    struct pp_token out_last;
    struct preprocess_place *places;
    uint32_t nplaces, place_capacity;
    bool renumbered; /* #line was met */

    bool expanded_anything, stopped;
    unsigned errors;
    struct pp_token here; /* pp_report's */
};

/* preprocess_lists.c */
struct pp_name *pp_intern(struct pp *pp, const char *text, size_t length);
void pp_list_add(struct pp *pp, struct pp_list *l, const struct pp_token *t);
void pp_list_add_all(struct pp *pp, struct pp_list *l, const struct pp_token *t, uint32_t n);
void pp_list_release(struct pp *pp, struct pp_list *l);
struct pp_context *pp_context_push(struct pp *pp, const struct pp_token *tokens, uint32_t count);
void pp_context_pop(struct pp *pp);
uint32_t pp_args_push(struct pp *pp, uint32_t n); /* index of the first */
void pp_args_pop(struct pp *pp, uint32_t n);

/* preprocess_tokens.c */
void pp_lex(struct pp *pp, struct pp_token *t); /* from the current buffer, directives unseen */
void pp_lex_header_name(
    struct pp *pp, struct pp_token *t); /* <...> or "..." after #include; else an ordinary token */
void pp_skip_line(struct pp *pp);       /* to the end of the directive */
bool pp_skip_to_directive(
    struct pp *pp); /* in a group that is not taken: to behind the next #; false: end of file */
bool pp_next_is_paren(struct pp *pp); /* is '(' the next token of the buffer, on any line? */
bool pp_lex_text(struct pp *pp, const char *text, size_t length,
                 struct pp_token *t); /* exactly one token? */
void pp_lex_all(struct pp *pp, const char *text, size_t length, struct pp_list *l);
static inline bool pp_is(const struct pp_token *t, const char *punct) {
    size_t n = __builtin_strlen(punct);
    return t->kind == PP_PUNCT && t->length == n && __builtin_memcmp(t->text, punct, n) == 0;
}
static inline bool pp_is_hash(const struct pp_token *t) { return pp_is(t, "#") || pp_is(t, "%:"); }

/* preprocess_macros.c */
void pp_raw(struct pp *pp,
            struct pp_token *t); /* the next token of context or file; carries out directives */
void pp_next(struct pp *pp, struct pp_token *t); /* the same, macros expanded */
void pp_define(struct pp *pp, bool predefined);  /* behind #define */
void pp_undef(struct pp *pp);
void pp_expand_list(struct pp *pp, const struct pp_list *in, struct pp_list *out);
const char *pp_string_of(struct pp *pp, const struct pp_token *t, uint32_t n, bool quote); /* # */

/* preprocess_builtins.c */
void pp_builtins_init(struct pp *pp);
bool pp_builtin_expand(struct pp *pp, struct pp_macro *m, const struct pp_token *name,
                       struct pp_token *result); /* false: not a call */

/* preprocess_condition.c */
bool pp_condition(struct pp *pp, const struct pp_list *line, const struct pp_token *where,
                  int64_t *value, bool identifiers);

/* preprocess_directives.c */
enum pp_directive {
    PP_NO_DIRECTIVE,
    PP_IF,
    PP_IFDEF,
    PP_IFNDEF,
    PP_ELIF,
    PP_ELIFDEF,
    PP_ELIFNDEF,
    PP_ELSE,
    PP_ENDIF,
    PP_INCLUDE,
    PP_INCLUDE_NEXT,
    PP_IMPORT,
    PP_DEFINE,
    PP_UNDEF,
    PP_LINE,
    PP_ERROR,
    PP_WARNING,
    PP_PRAGMA,
    PP_IDENT_STRING
};
void pp_directives_init(struct pp *pp);
void pp_directive(struct pp *pp, const struct pp_token *hash);
void pp_pragma(struct pp *pp, struct pp_list *line, const struct pp_token *where);
void pp_pragma_operator(struct pp *pp, const struct pp_token *name);
/* What the tokens behind #include name, or NULL. */
const char *pp_header_name(struct pp *pp, const struct pp_list *line, bool *quoted);
const char *pp_unquote(struct pp *pp, const struct pp_token *string); /* 6.10.9 */
void pp_groups_close(struct pp *pp); /* at the end of a buffer: complains of what is open */

/* preprocess_files.c */
struct pp_file *pp_file_make(struct pp *pp, const char *name, const char *text, size_t length);
void pp_file_remember(struct pp *pp, struct pp_file *f);
/* next: only in folders behind the one the current file came from (#include_next). */
/* The paths looked at, as compiler_result.inputs has them. */
const char *pp_file_inputs(struct pp *pp);
struct pp_file *pp_file_find(struct pp *pp, const char *name, bool quoted,
                             bool next); /* NULL: none, or its error was reported */
void pp_file_enter(struct pp *pp, struct pp_file *f);
void pp_file_leave(struct pp *pp);

/* preprocess_output.c */
void pp_emit(struct pp *pp, const struct pp_token *t);
void pp_emit_pragma(struct pp *pp, const struct pp_list *line, const struct pp_token *where);
void pp_finish_output(struct pp *pp); /* the last line's end, and a NUL */

/* preprocess.c */
void pp_report(struct pp *pp, enum diag_severity s, const struct pp_token *where,
               const char *format, ...) __attribute__((format(printf, 4, 5)));
void pp_stop(struct pp *pp, const char *why); /* an error after which there is nothing but PP_EOF */

#endif
