/* SIMTCL_CHECK=uninit and arith: what programs are built with, and what the host's commands set and
 * read of memory objects. Each does nothing when that is not checked. */
#ifndef SIMTCL_CHECKING_VALUES_H
#define SIMTCL_CHECKING_VALUES_H

#include "mem.h"

/* Build options with those that checks of values need: malloc'ed; NULL: they are as they were, or
 * there is no memory. */
char *checking_options(const char *options);
/* The object has been made, and nothing is in it. */
void checking_empty(cl_mem mem);
/* A copy to or from the object begins; fills: with a pattern. */
void checking_moves(cl_mem mem, const struct copy *copy, bool fills);
/* A mapping of so many bytes of the object, which are its own, has been handed out. */
void checking_mapped(cl_mem mem, char *pointer, size_t bytes, bool writes);
/* The host's code may do what it likes with the object. */
void checking_given(cl_mem mem);

#endif
