/* SIMTCL_FAULT=modeswitch@N: what a program sees when the display's mode is switched while it runs.
 * "A mode switch results in any call to the OpenCL runtime to fail and return an invalid context
 * error" (guide 2.4): from the end of the Nth launch's call on, calls fail with CL_INVALID_CONTEXT
 * that are given an object of a context made before. Releases work, so that a program can give all
 * of it back; so do platforms and devices, and contexts made afterwards are good. */
#ifndef SIMTCL_MODESWITCH_H
#define SIMTCL_MODESWITCH_H

#include "holds.h"

/* What the variable says; called once, before any object is made. An unknown text is told to the
 * log. */
void modeswitch_configure(const char *text);
/* A launch has been enqueued. */
void modeswitch_launched(void);
/* CL_INVALID_CONTEXT where a call that is no release holds an object that was lost. name: the entry
 * function's. */
struct error modeswitch_check(const struct holds *h, const char *name);

#endif
