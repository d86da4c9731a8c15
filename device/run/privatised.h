/* A thread's own sums of what a kernel adds to a small object that it does nothing else with: in
 * place of an atomic operation for each. Private to device/. */
#ifndef SIMTCL_PRIVATISED_H
#define SIMTCL_PRIVATISED_H

#include "device/engine.h"
#include "device/native/native.h"

enum { PRIVATISED_MOST = 4096 }; /* words of an object */

struct privatised {
    uint32_t first, words; /* sandbox address, or no words */
    uint32_t tables; /* a small object has several, so that one sum need not wait for another */
    uint32_t table[PRIVATISED_MOST];
};

/* Before a thread runs groups up to `end` of a kernel that only adds to the memory of parameter
 * `param`: makes the table where it is worth it and no other argument is in the same object, and
 * tells the code of it. Otherwise, and with another one, the code uses atomic operations. */
void privatised_begin(struct privatised *s, struct native_run *r, const struct group *g,
                      uint32_t param, uint64_t end);
/* Which of the parameters `asked` (as bits) are alone in the objects that they point to, in a
 * launch with these arguments; the same as code is told of it, with the objects. */
uint32_t privatised_alone(const struct launch *l, const char *params, uint32_t asked);
void privatised_tell(struct native_run *r, const struct group *g, uint32_t asked);
void privatised_end(const struct privatised *s,
                    char *base); /* adds to memory what the groups have added */

#endif
