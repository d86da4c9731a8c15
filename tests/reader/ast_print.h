/* The AST as text, for the reader's tests. */
#ifndef SIMTCL_AST_PRINT_H
#define SIMTCL_AST_PRINT_H

#include <stdio.h>

#include "compiler/base/ast.h"

void ast_print_unit(FILE *out, const struct ast_unit *u);

#endif
