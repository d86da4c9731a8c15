/* A context's device memory: 4 GiB of reserved address space, guard pages round it, 32-bit
 * addresses.
 *
 * Address a lives at host address `base + (int32_t)a`: base points at the middle, so a
 * sign-extended 32-bit address reaches all of the reservation and nothing else. Page 0 and whatever
 * is free stay unmapped; an access there faults and ends the launch (fault.h). */
#ifndef SIMTCL_MEMORY_H
#define SIMTCL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MEMORY_GUARD = 4 << 20
}; /* bytes kept unmapped before and behind the 4 GiB: a displacement up to this faults too */

struct memory;

/* Where a byte's shadow lies, in sandboxes that have one: what checks know of the byte. Zeros when
 * it is allocated. */
#define MEMORY_SHADOW UINT32_C(0x80000000)
/* Sandboxes that are made from now on have a shadow, and room for half as much. Before the first.
 */
void memory_shadow(void);

struct memory *memory_new(
    uint64_t bytes); /* bytes: how much may be allocated at once; NULL: no address space left */
void memory_free(struct memory *m);
/* Commits `size` bytes (zeroed) aligned to `align` (a power of two; at least 128 is used), their
 * end as near to an unmapped page as that allows, and returns their address; 0 when the sandbox or
 * the host has no room. Thread safe, as all calls here. */
uint32_t memory_alloc(struct memory *m, uint64_t size, uint32_t align);
void memory_release(struct memory *m, uint32_t address); /* gives a memory_alloc back; 0 is fine */
char *memory_base(const struct memory *m);               /* the middle */
static inline void *memory_at(char *base, uint32_t address) { return base + (int32_t)address; }
static inline void *memory_shadow_at(char *base, uint32_t address) {
    return memory_at(base, address ^ MEMORY_SHADOW);
}
bool memory_shadowed(const struct memory *m);
uint64_t memory_in_use(const struct memory *m); /* bytes allocated now */
bool memory_contains(const struct memory *m,
                     const void *host); /* inside the reservation, guards too */

/* ---- for the device itself ---- */

/* Like memory_alloc, but not counted against `bytes`, and always on pages of its own with a guard
 * behind. */
uint32_t memory_reserve(struct memory *m, uint64_t size, uint32_t align);
/* The address of the allocation that holds `address`, and its size as it was asked for; 0: none
 * does. */
uint32_t memory_object(struct memory *m, uint32_t address, uint64_t *bytes);
bool memory_protect(struct memory *m, uint32_t address); /* makes a memory_reserve read-only */
/* Of the first `bytes` of a memory_reserve, whole pages, only the last page may be read, and none
 * be written. That page is there: what is read under a mask that leaves it out would bring none. */
bool memory_lead(struct memory *m, uint32_t address, uint32_t bytes);

/* What a slot of the pool keeps in a sandbox from launch to launch: touched only by the thread that
 * holds the slot. */
struct memory_window {
    uint32_t local_base, local_bytes;
    uint32_t private_base, private_bytes;
    uint32_t private_used; /* of them, since they were last cleared */
    uint64_t program;      /* whose kernels used it last (executable_serial) */
};
struct memory_window *memory_window(struct memory *m, unsigned slot);

#endif
