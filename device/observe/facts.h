/* What observers have found out of a kernel, or of launches of it with certain sizes and arguments,
 * and would find out anew at each launch. Any thread's, without a lock. */
#ifndef SIMTCL_FACTS_H
#define SIMTCL_FACTS_H

#include <stddef.h>
#include <stdint.h>

struct observe_grid;
struct isa_kernel;

enum { FACTS_MOST = 64 }; /* of a kernel: what comes later is not kept */

struct facts; /* of one kernel */

struct facts *facts_new(void); /* NULL: no memory */
void facts_free(struct facts *f);

/* A copy of what was kept for `who` and these bytes: malloc'ed. NULL: nothing was, or there is no
 * memory, or no facts. */
void *facts_get(struct facts *f, const void *who, const void *key, size_t key_bytes);
/* Keeps a copy, if there is room. */
void facts_keep(struct facts *f, const void *who, const void *key, size_t key_bytes,
                const void *value, size_t bytes);

/* The sizes, offsets and arguments of a launch, as a key: malloc'ed. NULL: no memory. */
void *facts_key(const struct isa_kernel *k, const struct observe_grid *grid,
                const uint32_t offset[3], size_t *bytes);

#endif
