#include "stay.h"

#include "local.h"

enum { WITHIN = 4 }; /* beside the facts */

static THREAD_LOCAL unsigned stay;

unsigned stay_begin(void) {
    unsigned before = stay;
    stay |= WITHIN;
    return before;
}

void stay_end(unsigned before) {
    if (!before) stay = 0;
}

unsigned stay_leave(void) {
    unsigned before = stay;
    stay = 0;
    return before;
}

void stay_return(unsigned before) { stay = before & WITHIN; }

bool stay_knows(enum stay_fact fact) { return stay & fact; }

void stay_learn(enum stay_fact fact) {
    if (stay) stay |= fact;
}
