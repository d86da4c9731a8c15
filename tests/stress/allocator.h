/* An allocator that fails when asked to: the functions of malloc, replaced for the whole process,
 * the driver included. */
#ifndef TESTS_STRESS_ALLOCATOR_H
#define TESTS_STRESS_ALLOCATOR_H

#include <stdbool.h>

/* The n-th allocation from now on fails, once; 0: none does. Forgets earlier failures. */
void allocator_fail(long n);
bool allocator_failed(void); /* has one? */
/* The driver gets no room for more objects of any kind, until it is switched off. */
void allocator_starve(bool on);
long allocator_made(void); /* allocations so far */
long allocator_live(void); /* not freed yet */
/* From now on only what the driver allocates itself counts. Returns how many of its libraries are
 * loaded. */
int allocator_count_driver(void);

#endif
