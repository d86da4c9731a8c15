/* Stays of threads in the driver: stretches in which the calling thread runs nothing of the host's,
 * so that what the system has said of the thread still holds. Private to device/ and the runtime.
 */
#ifndef SIMTCL_STAY_H
#define SIMTCL_STAY_H

#include <stdbool.h>

/* What is found out once in a stay. */
enum stay_fact {
    STAY_STACK = 1, /* the stack that handlers of signals run on suffices */
    STAY_FAULTS = 2 /* the signals of faults are not blocked */
};

/* A stay begins, if the thread is in none; stay_end takes what this gives. */
unsigned stay_begin(void);
void stay_end(unsigned before);
/* Round each call of a function of the host's: nothing is known behind it, nor within. */
unsigned stay_leave(void);
void stay_return(unsigned before);
/* Outside of stays nothing is known. */
bool stay_knows(enum stay_fact fact);
void stay_learn(enum stay_fact fact);

#endif
