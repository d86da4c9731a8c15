/* What the environment asks to see of passes, and to leave out: SIMTCL_DUMP, SIMTCL_OFF, and the
 * class `passes` of SIMTCL_LOG. */
#ifndef SIMTCL_TRACING_H
#define SIMTCL_TRACING_H

#include "device/isa/trace.h"

/* Read at the first call, which says on stderr which of the names are none; lives for ever. */
const struct trace *tracing_get(void);

#endif
