/* The scalars that kernel tests have in buffers and values. */
#ifndef SIMTCL_TESTS_ELEMENT_H
#define SIMTCL_TESTS_ELEMENT_H

#include "expression.h"

enum element { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, HALF, FLOAT, DOUBLE, ELEMENTS };
extern const size_t element_size[ELEMENTS];

struct expression_number element_get(enum element e, const void *data, size_t i);
void element_set(enum element e, void *data, size_t i, struct expression_number n);
/* "float4", "float4[8]": FLOAT, 4. */
bool element_parse(const char *text, enum element *e, size_t *width);
/* Units in the last place of a float (or double) between a result and the exact value. */
double element_ulps(enum element e, double got, double want);

#endif
