/* Which findings are not to be told. Private to device/check; under the findings' lock. */
#ifndef SIMTCL_SUPPRESSION_H
#define SIMTCL_SUPPRESSION_H

#include "finding_kept.h"

/* By the file of suppressions, or by a comment in the finding's line or the one above it. */
bool suppression_holds(const struct kept_finding *f, const char *above);

#endif
