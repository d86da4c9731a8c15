/* The timeline as the page draws it: where there is too much of it, commands of one name that
 * follow each other in a lane become one span. Private to device/report. */
#ifndef SIMTCL_SPANS_H
#define SIMTCL_SPANS_H

#include "json_writer.h"
#include "report.h"

enum { SPANS_MOST = 2000 };

/* Writes the member `timeline`: null where the runtime has none. */
void spans_write(struct json_writer *j, const struct report_wish *wish);

#endif
