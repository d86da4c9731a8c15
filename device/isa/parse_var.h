/* Reading the lines of the text form that list the types and variables of a kernel. */
#ifndef SIMTCL_PARSE_VAR_H
#define SIMTCL_PARSE_VAR_H

#include "scan.h"

/* What stands behind ".type" and ".var"; the end of the line is left. */
bool parse_var_type(struct scan *s, struct isa_kernel *k);
bool parse_var(struct scan *s, struct isa_kernel *k);

#endif
