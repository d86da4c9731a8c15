/* What buffers hold before a kernel test's launch, and are to hold behind it. */
#ifndef SIMTCL_TESTS_EXPECTED_H
#define SIMTCL_TESTS_EXPECTED_H

#include "testfile.h"

/* Makes the argument's `before`; false: its expression is bad, which was said. */
bool expected_fill(const struct test_file *f, struct kernel_test *t, struct test_argument *a);
/* Does a buffer hold what was expected? Says what it does not. */
bool expected_check(const struct test_file *f, struct kernel_test *t, const struct expectation *e);
/* The arguments as they were before, for expressions: user is a struct expected_scope. */
struct expected_scope {
    const struct kernel_test *test;
    size_t i;
};
bool expected_lookup(void *user, const char *name, size_t length,
                     const struct expression_number *index, struct expression_number *value);

#endif
