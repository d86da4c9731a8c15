/* What lists of observers have in common: names of files, and fields of CSV. */
#ifndef SIMTCL_LISTING_H
#define SIMTCL_LISTING_H

#include <stdio.h>

#include "observer.h"

/* The name of a source file of the kernel's module, borrowed. */
const char *listing_file(const struct observe_result *r, uint16_t file);
/* The text in quotes, as CSV has it. */
void listing_quoted(FILE *to, const char *text);

#endif
