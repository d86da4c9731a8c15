/* The level's table, from the parts that the other files offer. */
#include "handler.h"

void LANES_NAME(lanes_fill)(struct lanes_table *t) {
#define FILL(part) LANES_NAME(lanes_##part)(t)
    FILL(moves);
    FILL(integers);
    FILL(divisions);
    FILL(floats);
    FILL(comparisons);
    FILL(conversions);
    FILL(memory);
    FILL(own);
    FILL(atomics);
    FILL(calls);
    FILL(control);
#undef FILL
}
