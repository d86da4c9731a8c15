/* How many processors this process may use. Private to device/. */
#ifndef SIMTCL_CPUS_H
#define SIMTCL_CPUS_H

/* The least of what the calling thread's affinity and the CPU quotas of the process's control
 * groups (v1 and v2, rounded up) allow; at least 1. */
unsigned cpus_allowed(void);
/* Bytes of the last cache that the host says a processor has; 0: it does not say. */
unsigned long cpus_cache(void);

#endif
