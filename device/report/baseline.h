/* An earlier run to compare with: the JSON of a report, or a page that has it. Private to
 * device/report. */
#ifndef SIMTCL_BASELINE_H
#define SIMTCL_BASELINE_H

#include "folded.h"
#include "json_reader.h"

struct baseline;

/* NULL: why says in one line why not, as it is to be told. */
struct baseline *baseline_read(const char *path, char why[256]);
void baseline_free(struct baseline *b); /* NULL is fine */
/* The record of that kernel: of the same size if there is one, else the first one. NULL: it had
 * none. */
const struct json_value *baseline_find(const struct baseline *b, const struct folded_launch *l);
/* All records, an array. */
const struct json_value *baseline_launches(const struct baseline *b);
const char *baseline_device(const struct baseline *b);

#endif
