/* Cursors of literals to AST expressions. */
#include <stdlib.h>
#include <string.h>

#include "readerstate.h"

static _Noreturn void unsupported(struct reader *r, CXCursor c, const char *what) {
    reader_fail(r, reader_text_place(r, c), "this %s is not supported", what);
}

struct ast_expr *reader_literal_int(struct reader *r, CXCursor c) {
    const struct ast_type *type = reader_type_of(r, c);
    CXEvalResult result = clang_Cursor_Evaluate(c);
    bool integer = result && clang_EvalResult_getKind(result) == CXEval_Int;
    uint64_t value = 0;
    if (integer)
        value = clang_EvalResult_isUnsignedInt(result)
                    ? clang_EvalResult_getAsUnsigned(result)
                    : (uint64_t)clang_EvalResult_getAsLongLong(result);
    if (result) clang_EvalResult_dispose(result);
    if (!integer) unsupported(r, c, "constant expression");
    return reader_convert_int(r, type, value, reader_text_place(r, c));
}

struct ast_expr *reader_literal_real(struct reader *r, CXCursor c) {
    struct ast_expr *e =
        reader_convert_new(r, AST_FLOAT_LIT, reader_type_of(r, c), reader_text_place(r, c));
    CXEvalResult result = clang_Cursor_Evaluate(c);
    bool real = result && clang_EvalResult_getKind(result) == CXEval_Float;
    if (real) e->real = clang_EvalResult_getAsDouble(result);
    if (result) clang_EvalResult_dispose(result);
    if (!real) unsupported(r, c, "literal");
    if (!r->single_literals || e->type->kind != AST_DOUBLE) return e;
    /* clang's cast to float vanishes where one back to double follows, so it is made here */
    e->type = ast_scalar(r->unit, AST_FLOAT);
    e->real = (double)(float)e->real;
    if (r->warn_of_literals)
        reader_warning(
            r, e->loc,
            "double precision constant requires cl_khr_fp64, casting to single precision");
    return e;
}

/* The spelling of a string literal: all its parts joined, quoted, with \ escapes. */
static size_t unescape(char *s) {
    char *out = s;
    size_t n = strlen(s);
    const char *p = s + (n > 0), *end = s + (n > 1 ? n - 1 : n);
    while (p < end) {
        if (*p != '\\' || p + 1 == end) {
            *out++ = *p++;
            continue;
        }
        static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
        const char *letter = strchr(letters, *++p);
        if (*p >= '0' && *p <= '7') {
            unsigned value = 0;
            for (unsigned i = 0; i < 3 && p < end && *p >= '0' && *p <= '7'; i++)
                value = value * 8 + (unsigned)(*p++ - '0');
            *out++ = (char)value;
        } else if (*p == 'x') {
            char *stop;
            *out++ = (char)strtoul(p + 1, &stop, 16);
            p = stop;
        } else {
            *out++ = letter ? meanings[letter - letters] : *p;
            p++;
        }
    }
    *out = 0;
    return (size_t)(out - s);
}

struct ast_expr *reader_literal_string(struct reader *r, CXCursor c) {
    char *text = reader_string(r, clang_getCursorSpelling(c));
    if (*text != '"') unsupported(r, c, "string literal");
    struct ast_expr *e =
        reader_convert_new(r, AST_STRING_LIT, reader_type_of(r, c), reader_text_place(r, c));
    e->length = unescape(text);
    e->string = text;
    e->lvalue = true;
    e->space = AST_CONSTANT;
    e->quals = AST_CONST;
    return e;
}
