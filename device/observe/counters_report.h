/* What SIMTCL_PROFILE=counters prints when the process ends: a table of the kernels, one of the
 * lines that cost most, and every counter; or all of it as comma separated values. */
#ifndef SIMTCL_COUNTERS_REPORT_H
#define SIMTCL_COUNTERS_REPORT_H

#include "observer.h"

/* As an observer's report. */
void counters_report(const struct observe_result *kernels, size_t count, FILE *to, bool csv);

#endif
