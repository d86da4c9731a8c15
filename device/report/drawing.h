/* The worst access of a site, step by step, for the page to draw: which lanes each transaction,
 * pass, address or line serves, by the rules of device/gpu. Private to device/report. */
#ifndef SIMTCL_DRAWING_H
#define SIMTCL_DRAWING_H

#include "device/gpu/model.h"
#include "device/observe/worst_observer.h"
#include "json_writer.h"

/* Writes it as the member `worst`: null where the site accesses nothing that is drawn. */
void drawing_write(struct json_writer *j, const struct model *m, const struct isa_site *s,
                   const struct worst_access *a);
/* The same of a site that reads an image. */
void drawing_write_read(struct json_writer *j, const struct model *m, const struct worst_read *r);

#endif
