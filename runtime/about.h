/* What the driver says of itself, for people who wonder why it does what it does. */
#ifndef SIMTCL_ABOUT_H
#define SIMTCL_ABOUT_H

#include <stddef.h>

enum { ABOUT_BYTES = 1 << 15 };

/* Lines `name: value` (include/simtcl/self.h), cut where `size` is too small. */
void about_write(char *text, size_t size);

#endif
