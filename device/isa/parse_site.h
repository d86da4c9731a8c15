/* What stands behind .call, .variable and .site in a kernel: appended to its lists. False: the
 * error is set.
 */
#ifndef SIMTCL_ISA_PARSE_SITE_H
#define SIMTCL_ISA_PARSE_SITE_H

#include "scan.h"

bool parse_site_call(struct scan *s, struct isa_kernel *k);
bool parse_site_variable(struct scan *s, struct isa_kernel *k);
bool parse_site(struct scan *s, struct isa_kernel *k);

#endif
