/* Systems of linear equations in integers between bounds. Private to affine*.c. */
#ifndef SIMTCL_AFFINE_SYSTEM_H
#define SIMTCL_AFFINE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

enum { SYSTEM_VARIABLES = 128, SYSTEM_ROWS = 128, SYSTEM_ENTRIES = 768, SYSTEM_ROW = 48 };

/* Their sum lies between two numbers. */
struct system_row {
    uint16_t first, count;
    int64_t low, high;
};

struct system_entry {
    uint16_t variable;
    int64_t by;
};

struct system {
    int64_t low[SYSTEM_VARIABLES], high[SYSTEM_VARIABLES];
    bool counts[SYSTEM_VARIABLES]; /* a solution is one only where some of these are not 0 */
    uint64_t in[SYSTEM_VARIABLES][SYSTEM_ROWS / 64]; /* rows */
    struct system_row rows[SYSTEM_ROWS];
    struct system_entry entries[SYSTEM_ENTRIES];
    unsigned variables, nrows, nentries, looks;
    unsigned lead; /* the row whose variables are tried first */
    bool failed;   /* there was too much of something */
};

/* One without variables and rows. */
void system_begin(struct system *s);
unsigned system_variable(struct system *s, int64_t low, int64_t high);
/* low <= sum of entries <= high. */
void system_row(struct system *s, const struct system_entry *entries, unsigned count, int64_t low,
                int64_t high);
/* True: it has no solution. False: it may have one. */
bool system_never(struct system *s);

#endif
