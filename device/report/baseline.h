/* An earlier run to compare with: the JSON of a report, or a page that has it. Private to
 * device/report. */
#ifndef SIMTCL_BASELINE_H
#define SIMTCL_BASELINE_H

#include <cjson/cJSON.h>

#include "folded.h"

struct baseline;

/* NULL: why says in one line why not, as it is to be told. */
struct baseline *baseline_read(const char *path, char why[256]);
void baseline_free(struct baseline *b); /* NULL is fine */
/* The record of that kernel: of the same size if there is one, else the first one. NULL: it had
 * none. */
const cJSON *baseline_find(const struct baseline *b, const struct folded_launch *l);
/* All records, an array. */
const cJSON *baseline_launches(const struct baseline *b);
const char *baseline_device(const struct baseline *b);
/* A record's member; v may be NULL, or of any kind. */
const cJSON *baseline_member(const cJSON *v, const char *key);
/* Its value where it is a number, a text; else what is given here. */
double baseline_number(const cJSON *v, const char *key, double otherwise);
const char *baseline_text(const cJSON *v, const char *key, const char *otherwise);

#endif
