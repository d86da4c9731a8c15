/* The bytes of memory objects that a command loads, stores and accesses by atomic operations. A
 * launch's are marked while it runs (touch_check.h); what was marked becomes stretches. */
#ifndef SIMTCL_TOUCHED_H
#define SIMTCL_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum touch { TOUCH_LOAD, TOUCH_STORE, TOUCH_ATOMIC, TOUCHES };

struct touch_stretch {
    uint32_t begin, end; /* of the object's bytes */
};

struct touch_list {
    struct touch_stretch *list; /* malloc'ed; when finished: in order, and they do not meet */
    size_t count, room;
};

/* False: no memory. */
bool touched_put(struct touch_list *l, uint32_t begin, uint32_t end);
void touched_sort(struct touch_list *l);
/* Where two finished lists meet first; false: nowhere. */
bool touched_meet(const struct touch_list *a, const struct touch_list *b, struct touch_stretch *at);

/* An object while it is marked. */
struct touched_object {
    uint32_t address; /* in the sandbox */
    uint64_t bytes;
    _Atomic uint64_t *bits[TOUCHES]; /* of each byte */
};

struct touched {
    uint32_t count;
    struct touched_object objects[];
};

/* Room for so many objects, which touched_add adds; NULL: no memory. */
struct touched *touched_new(uint32_t most);
void touched_free(struct touched *t); /* NULL is fine */
/* Which of them it is. An object that is there is not added again. */
uint32_t touched_add(struct touched *t, uint32_t address, uint64_t bytes);
/* An access of so many bytes; what lies in no object is not marked. Any thread's. */
void touched_mark(struct touched *t, uint32_t address, uint32_t bytes, enum touch how);
/* What has been marked of an object so; false: no memory, or more than `most` stretches. */
bool touched_list(const struct touched_object *o, enum touch how, size_t most,
                  struct touch_list *to);

#endif
