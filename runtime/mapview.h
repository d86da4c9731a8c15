/* What mappings point to while SIMTCL_CHECK=api looks on: not the sandbox's own memory, but pages
 * that the host can be kept from. Of each object that is mapped there is one such view, in which
 * every byte has its place, so that mappings of it meet as they do in the object; a mapping's bytes
 * are copied there, and back when one that was written is unmapped. Then nobody but other mappings
 * may use its pages: who does is found by the fault, told of when the process ends, and goes on
 * with what lay there. Views that nothing is mapped in are kept for a while, and addresses are not
 * used again.
 *
 * Objects with CL_MEM_USE_HOST_PTR have none: their mappings are the host's memory. */
#ifndef SIMTCL_MAPVIEW_H
#define SIMTCL_MAPVIEW_H

#include "mem.h"

/* Where the mapping's bytes lie for the host. back: as in the mapping, but with `from` the same as
 * `to`, which becomes the place in the view; it is listed there from now on. False, and nothing has
 * changed: nothing is checked, or there is no room. */
bool mapview_open(cl_mem mem, struct mapping *mapping);
/* The mapping's bytes are copied from the object, but for those that the host may be writing in
 * others. Nothing happens when it has been closed meanwhile. */
void mapview_fetch(struct mapview *view, const struct mapping *mapping);
/* A mapping that was opened has been given back, or its object goes: it is copied to the object
 * where it was for writing, unless that is `lost`. */
void mapview_close(struct mapping *mapping, bool lost);
/* A command will fetch from it: it lives as long, whatever is unmapped. NULL is fine. */
void mapview_retain(struct mapview *view);
void mapview_release(struct mapview *view);
/* Is that an address in a view? Any thread's, without a lock. */
bool mapview_holds(const void *host);
/* The process ends: what was found is told. */
void mapview_tell(void);
/* A call of clEnqueueUnmapMemObject: its number, from 1. */
uint32_t mapview_unmapping(void);

/* For fork. */
void mapview_lock(void);
void mapview_unlock(void);
void mapview_forget(void); /* what was found is the parent's */

#endif
