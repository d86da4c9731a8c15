/* AST to warp IR: every kernel of the units, each with all it calls expanded into it. */
#ifndef SIMTCL_LOWERING_H
#define SIMTCL_LOWERING_H

#include "device/isa/arena.h"
#include "compiler/base/ast.h"
#include "compiler/base/diag.h"
#include "compiler/base/options.h"
#include "device/isa/trace.h"

/* Several units (clLinkProgram) share one name space of functions and constants. Returns a
 * verified, optimised module, or NULL with the reasons in diag. trace: of the passes; may be NULL.
 */
struct isa_module *lowering_run(struct arena *arena, struct diag *diag,
                                const struct options *options, const struct compiler_target *target,
                                struct ast_unit **units, unsigned nunits,
                                const struct trace *trace);

#endif
