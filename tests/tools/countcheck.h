/* What a kernel test expects the GPU to count: conditions over counters of device/gpu/counters.def,
 * read through simtcl/profile.h. */
#ifndef SIMTCL_TESTS_COUNTCHECK_H
#define SIMTCL_TESTS_COUNTCHECK_H

#include <simtcl/profile.h>
#include "testfile.h"

/* Is the text of an `expect` a condition, rather than what a buffer is to hold? */
bool countcheck_is(const char *text);
/* Does it hold for the launch? Says why not. */
bool countcheck_holds(const struct test_file *f, const struct kernel_test *t, const char *text,
                      const struct simtcl_profile *p, cl_kernel kernel, cl_event event);

#endif
