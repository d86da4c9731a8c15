/* What the files of the reader (reader*.c) share. Private to them: the only header with clang types
 * in it. */
#ifndef SIMTCL_READERSTATE_H
#define SIMTCL_READERSTATE_H

#include <setjmp.h>

#include "device/isa/arena.h"
#include "compiler/base/ast.h"
#include "clang.h"
#include "compiler/base/diag.h"
#include "compiler/base/options.h"
#include "compiler/preprocess/preprocess.h"

/* ---- tokens of the expanded text: what libclang hides is read off them ---- */
enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATOR, TOKEN_PRAGMA };
struct token {
    uint32_t start, end; /* in the text libclang parses */
    uint32_t written;    /* where it stands in the expanded program */
    uint32_t line;
    uint16_t file, column; /* file: in unit->files; column 0: unknown */
    uint8_t kind;
};

struct reader_text {
    char *text; /* prelude, then the program with as_type() written as __builtin_astype() */
    size_t length;
    uint32_t begin; /* where the program begins */
    struct token *tokens;
    uint32_t ntokens;
    const uint32_t
        *lines; /* where each line of the source begins, from 1 on; NULL: not asked yet */
    uint32_t nlines;
    bool has_astype;
    bool contract_off, doubles_enabled; /* pragmas that were seen */
};

/* From clang's pointers to ours; open addressing. */
struct reader_map {
    struct reader_slot {
        const void *key;
        void *value;
    } * slots;
    uint32_t nslots, used;
};

struct reader {
    struct arena *arena;
    struct diag *diag;
    const struct options *options;
    const struct compiler_target *target;
    const struct preprocessed *expanded;
    const char *source;
    size_t source_length;
    struct ast_unit *unit;
    struct reader_text text;
    CXTranslationUnit tu;
    struct reader_map types, vars, funcs, calls;
    struct ast_func *function; /* whose body is being read; NULL: program scope */
    unsigned depth;            /* of cursors being read */
    struct ast_func *checked;  /* whose calls are being collected */
    struct ast_loc here;       /* of the declaration or statement being read */
    uint32_t next_id;
    uint32_t own;               /* reader_names.c's */
    bool single_literals;       /* a double literal is a float, */
    bool warn_of_literals;      /* which clang does not tell */
    struct ast_func **declared; /* in order of first sight */
    uint32_t ndeclared, declared_room;
    jmp_buf *failed; /* where reader_fail goes */
};

/* The children of a cursor, collected first: libclang's visitor never recurses. */
struct reader_kids {
    CXCursor *at, few[4];
    unsigned n, room;
};

enum { READER_DEPTH = 16000 }; /* levels of a tree: what 64 MiB of stack hold with room to spare */

/* reader.c */
void reader_error(struct reader *r, struct ast_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_warning(struct reader *r, struct ast_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports and gives up on the program. */
_Noreturn void reader_fail(struct reader *r, struct ast_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_enter(struct reader *r, CXCursor c); /* one level deeper, or fails */
static inline void reader_leave(struct reader *r) { r->depth--; }
void reader_children(struct reader *r, CXCursor c, struct reader_kids *kids);
void *reader_map_find(const struct reader_map *m, const void *key);
void reader_map_add(struct reader *r, struct reader_map *m, const void *key, void *value);
char *reader_string(struct reader *r, CXString s); /* copied to the arena; s is disposed of */

/* reader_text.c */
void reader_text_make(struct reader *r);
/* May programs use doubles, be it that they become floats? */
bool reader_doubles(const struct reader *r);
/* What clang is told that the device has, separated by blanks. */
const char *reader_extensions(const struct reader *r);
uint32_t reader_text_start(CXCursor c); /* offset */
uint32_t reader_text_end(CXCursor c);
uint32_t reader_text_find(const struct reader *r,
                          uint32_t offset); /* the token there, or the next; ntokens: none */
bool reader_text_is(const struct reader *r, uint32_t token, const char *word);
char *reader_text_token(struct reader *r, uint32_t token);
uint32_t reader_text_close(const struct reader *r,
                           uint32_t token); /* the bracket that closes the one at token */
struct ast_loc reader_text_loc(const struct reader *r, uint32_t offset);
/* The text from the beginning of one cursor to the end of another; of no length where it cannot be
 * told. */
struct ast_extent reader_text_extent(struct reader *r, CXCursor from, CXCursor to);
struct ast_loc reader_text_place(const struct reader *r, CXCursor c);

/* reader_nest.c: refuses what would nest too deeply for clang, before clang sees it */
struct reader_nest;
struct reader_nest *reader_nest_new(struct reader *r);
/* Takes the next token. mark: kept with the bracket that this token opens. Returns the mark of the
 * bracket that it closes, or NULL. */
const char *reader_nest_token(struct reader *r, struct reader_nest *n, enum token_kind kind,
                              const char *text, size_t length, const char *mark,
                              struct ast_loc loc);

/* reader_guard.c: puts in what makes clang refuse the sources that it would not survive */
struct reader_guard;
struct reader_guard *reader_guard_new(struct reader *r);
/* Take the next token, before it is written and after; both may write to *out. */
void reader_guard_before(struct reader *r, struct reader_guard *g, enum token_kind kind,
                         const char *s, size_t n, char **out, struct ast_loc loc);
void reader_guard_after(struct reader_guard *g, const char *s, size_t n, char **out);
void reader_guard_reinterpret(struct reader_guard *g);     /* the bracket that comes is as_type's */
size_t reader_guard_room(const char *text, size_t length); /* how much may be written at most */
bool reader_guard_put(const struct reader *r, uint32_t offset);  /* was it put in there? */
bool reader_guard_near(const struct reader *r, uint32_t offset); /* or in the same statement? */
CXCursor reader_guard_operand(struct reader *r, CXCursor c);     /* as_type's, as it was written */
/* Reports what clang says of something that was put in, in words that fit the program; false: it
 * is of something else. */
bool reader_guard_explain(struct reader *r, uint32_t offset, const char *message);

/* reader_names.c: names of later versions that a program has for its own, as a mask */
uint32_t reader_names_own(const char *text, size_t length, unsigned cl_std);
bool reader_names_is_own(uint32_t own, const char *s, size_t n);
bool reader_names_renamed(uint32_t own, const char *s, size_t n); /* clang must not know it */
#define READER_OWN "__own_"

/* reader_type.c */
const struct ast_type *reader_type(struct reader *r, CXType t);
const struct ast_type *reader_type_of(struct reader *r, CXCursor c);
/* Of a parameter or an rvalue: libclang shows the array type that an array parameter was written
 * with, and in whatever is computed from it; what is meant is the pointer. */
const struct ast_type *reader_type_value(struct reader *r, CXType t);
enum ast_space reader_type_space(CXType t);
unsigned reader_type_quals(CXType t);
const char *reader_type_written(struct reader *r, CXType t); /* for clGetKernelArgInfo */

/* reader_attribute.c */
void reader_attribute_function(struct reader *r, CXCursor decl, struct ast_func *f);
uint32_t reader_attribute_align(struct reader *r, CXCursor decl, uint32_t align);
uint32_t reader_attribute_unroll(const struct reader *r, CXCursor loop);

/* reader_decl.c */
void reader_decl_unit(struct reader *r);
struct ast_func *reader_decl_func(struct reader *r, CXCursor decl);
struct ast_var *reader_decl_var(struct reader *r, CXCursor decl);
struct ast_var *reader_decl_find(struct reader *r, CXCursor decl); /* what a name refers to */
struct ast_var *reader_decl_temporary(struct reader *r, const struct ast_type *type,
                                      struct ast_expr *init, struct ast_loc loc);

/* reader_literal.c: of a scalar expression that is constant (libclang crashes on initialiser
 * lists); of literals. */
struct ast_expr *reader_literal_int(struct reader *r, CXCursor c);
struct ast_expr *reader_literal_real(struct reader *r, CXCursor c);
struct ast_expr *reader_literal_string(struct reader *r, CXCursor c);

/* reader_expr.c, reader_convert.c */
struct ast_expr *reader_expr(struct reader *r, CXCursor c); /* as written: an lvalue may come out */
struct ast_expr *reader_rvalue(struct reader *r, CXCursor c);
struct ast_expr *reader_condition(struct reader *r, CXCursor c); /* the same, with its extent */
struct ast_expr *reader_convert_new(struct reader *r, enum ast_expr_kind kind,
                                    const struct ast_type *type, struct ast_loc loc);
struct ast_expr *reader_convert_rvalue(struct reader *r, struct ast_expr *e);
struct ast_expr *reader_convert(struct reader *r, struct ast_expr *e, const struct ast_type *to);
struct ast_expr *reader_convert_int(struct reader *r, const struct ast_type *type, uint64_t value,
                                    struct ast_loc loc);
struct ast_expr *reader_convert_object(struct reader *r,
                                       struct ast_expr *e); /* an lvalue that holds the rvalue e */
bool reader_convert_fold(const struct ast_expr *e,
                         int64_t *value); /* integer constant expressions */

/* reader_init.c: the value of an object of this type */
struct ast_expr *reader_init(struct reader *r, CXCursor c, const struct ast_type *type);

/* reader_stmt.c */
struct ast_stmt *reader_stmt(struct reader *r, CXCursor c);

/* reader_check.c: recursion, address_taken */
void reader_check_func(struct reader *r, struct ast_func *f);
void reader_check_recursion(struct reader *r);

#endif
