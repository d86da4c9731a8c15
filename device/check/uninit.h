/* SIMTCL_CHECK=uninit, on the host's side: what commands set of device memory, and what they read
 * of it. Sandboxes without a shadow are left alone. Any thread's. */
#ifndef SIMTCL_UNINIT_H
#define SIMTCL_UNINIT_H

#include <stdbool.h>
#include <stdint.h>

struct memory;

/* The bytes are set now; nothing is set of them. */
void uninit_set(struct memory *m, uint32_t address, uint64_t bytes);
void uninit_unset(struct memory *m, uint32_t address, uint64_t bytes);
/* As much is set of them as of those at `from`. */
void uninit_copy(struct memory *m, uint32_t to, uint32_t from, uint64_t bytes);
/* The host reads them. Stores of kernels that brought what is not set are told; gives how many
 * bytes nothing has written, and in *first where they begin. */
uint64_t uninit_read(struct memory *m, uint32_t address, uint64_t bytes, uint32_t *first);

/* Are all of them set? What is found out is remembered until something may change it. */
bool uninit_is_set(struct memory *m, uint32_t address, uint64_t bytes);
/* A kernel may have stored what is not set. */
void uninit_changes(void);

/* A kernel has stored a component there of which nothing is set: the finding (check_hold) that is
 * told when the host reads it. */
void uninit_stored(struct memory *m, uint32_t address, uint32_t bytes, uint64_t held);

/* For fork: before it uninit_lock, behind it uninit_unlock in both. */
void uninit_lock(void);
void uninit_unlock(void);

#endif
