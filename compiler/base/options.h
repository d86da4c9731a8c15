/* Build options (specification 5.4.3 of 1.0; 5.6.4, 5.6.5 of 1.2), parsed once. */
#ifndef SIMTCL_OPTIONS_H
#define SIMTCL_OPTIONS_H

#include "device/isa/arena.h"
#include "compiler/compiler.h"
#include "diag.h"

struct options {
    const char *
        *defines; /* "NAME" or "NAME=VALUE", quotes removed, in order; "-U" entries as "!NAME" */
    unsigned ndefines;
    const char **includes; /* folders */
    unsigned nincludes;
    unsigned
        cl_std; /* 100, 110, 120: the language version that holds (the device's without -cl-std) */
    bool cl_std_given;
    bool no_warnings, warnings_are_errors;
    bool single_precision_constant, denorms_are_zero, opt_disable, mad_enable, no_signed_zeros,
        unsafe_math, finite_math, fast_relaxed_math, strict_aliasing, correctly_rounded_divide_sqrt,
        kernel_arg_info;
    bool debug;        /* -g: variables and statements are kept for a debugger */
    bool check_values; /* -fcheck-values: what checks of values ask for: variables that nothing has
                          set are so (special undefined), and nothing is computed that the source
                          does not */
    bool check_copies; /* -fcheck-copies: events of async copies tell them apart, and notes tell of
                          copies and waits */
    bool nv_verbose;   /* -cl-nv-verbose: register and shared memory use goes to the log */
    unsigned nv_maxrregcount, nv_opt_level;
    bool create_library, enable_link_options; /* clLinkProgram */
};

enum options_use { OPTIONS_BUILD, OPTIONS_COMPILE, OPTIONS_LINK };
/* Splits and checks the text as the specification and drivers do (blanks, quotes, -D NAME and
 * -DNAME). False: the reason is in the log (COMPILER_BAD_OPTIONS). */
bool options_parse(struct options *o, struct arena *arena, struct diag *diag, const char *text,
                   enum options_use use, const struct compiler_target *target);

/* Those that still matter once the source is expanded, as text that options_parse takes (objects).
 */
const char *options_text(struct arena *arena, const struct options *o);
/* What holds for a module made of several units: `into` takes over from `unit`. A licence to be
 * inexact holds only when every unit has it, a demand when one has it. */
void options_merge(struct options *into, const struct options *unit);

#endif
