/* What follows from how often each instruction ran: instructions by class, requests, bytes that
 * lanes ask for, branches. Private to device/observe. */
#ifndef SIMTCL_COUNTERS_STEPS_H
#define SIMTCL_COUNTERS_STEPS_H

#include "device/gpu/counters.h"
#include "observer.h"

/* Which of a kernel's instructions are meant. */
struct counters_choice {
    uint32_t site; /* those that carry it, + 1; 0: all */
    uint16_t file; /* those of this line; line 0: all */
    uint32_t line;
};

/* Adds what the instructions came to. */
void counters_steps_add(const struct isa_kernel *k, const struct observe_step *steps,
                        const struct counters_choice *which, struct gpu_counters *into);

#endif
