/* The report in a few lines of text. Private to device/report. */
#ifndef SIMTCL_SUMMARY_H
#define SIMTCL_SUMMARY_H

#include "data.h"

void summary_write(const struct report_data *d, FILE *to);

#endif
