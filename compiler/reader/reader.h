/* libclang's side of the compiler: parses text, reports diagnostics, hands out the AST. The only
 * file that includes clang-c headers is reader*.c's clang.h. */
#ifndef SIMTCL_READER_H
#define SIMTCL_READER_H

#include "compiler/base/ast.h"
#include "compiler/base/diag.h"
#include "compiler/base/options.h"
#include "compiler/preprocess/preprocess.h"

/* Parses the expanded text and builds the unit in `arena`. When clang has anything to say, the
 * original source is parsed as well (macros intact, headers given as unsaved files) and what it
 * says goes to `diag`. NULL when there are errors; they are in diag. */
struct ast_unit *reader_read(struct arena *arena, struct diag *diag, const struct options *options,
                             const struct compiler_target *target,
                             const struct preprocessed *expanded, const char *source, size_t length,
                             const struct compiler_source *headers, size_t nheaders);
void reader_start(void);
void reader_warm(void);
/* Path of the libclang that does it, or NULL. */
const char *reader_library(void);

#endif
