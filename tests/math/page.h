/* The page of largest errors, tests/math/ACCURACY.md: one row for each function and precision. */
#ifndef SIMTCL_TESTS_PAGE_H
#define SIMTCL_TESTS_PAGE_H

#include <stdbool.h>

struct page_row {
    char key[64];   /* "| name | precision |" */
    char text[256]; /* the whole line */
    bool all;       /* measured on all inputs there are */
};

/* Notes one row. `all`: measured on every input. */
void page_note(const char *name, const char *precision, bool all, const char *cells, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes the rows noted into the page, which is sorted and keeps its other rows, and those that
 * were measured on all inputs where the new ones were not. false: it cannot be written. */
bool page_write(const char *path);

#endif
