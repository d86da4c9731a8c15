/* SIMTCL_BREAK: the debugger's side of the runtime (device/debug/debug.h). */
#ifndef SIMTCL_DEBUGGING_H
#define SIMTCL_DEBUGGING_H

#include "device/device.h"
#include "texts.h"

/* Reads the environment. Once, before the first build and the first launch. */
void debugging_configure(void);
/* The options with which a program is built for the debugger: malloc'ed, the caller frees; NULL:
 * those that the host gave, which may be NULL. */
char *debugging_options(const char *options);
/* Hands it the source; texts: of the kernel's build, which outlives the launch. */
void debugging_launch(struct launch *l, const struct texts *texts);

#endif
