/* The page: one HTML file, which shows the data that stands in it and needs nothing else. Private
 * to device/report. */
#ifndef SIMTCL_WEBPAGE_H
#define SIMTCL_WEBPAGE_H

#include "data.h"

void webpage_write(const struct report_data *d, FILE *to);

#endif
