/* What all OpenCL objects have in common: the loader's dispatch pointer, reference counts, and a
 * way to tell a live handle from anything else without touching memory that may not be there.
 *
 * Objects live in slots of one reserved range of addresses, each 64 KiB chunk of it given to one
 * kind for good. So whether a handle is live is arithmetic and one look at its slot, whatever the
 * caller passed; memory of a released object stays readable, and is used again only after many
 * others. */
#ifndef SIMTCL_OBJECT_H
#define SIMTCL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fail.h"

enum object_kind {
    OBJECT_NONE,
#define KIND(name, structure, code) OBJECT_##name,
#include "kinds.def"
#undef KIND
    OBJECT_KIND_COUNT
};

struct object {
    const void *dispatch; /* first: cl_khr_icd */
    _Atomic uint32_t
        refs; /* what keeps it alive: the caller's references count as one; 0: slot is free */
    _Atomic uint32_t users; /* the caller's references, what CL_*_REFERENCE_COUNT answers */
    uint32_t generation;    /* of the process that made it, 0: good in forked children too */
    uint64_t serial;        /* never the same for two objects */
};

/* Called once by the entry points before anything else: the table every object begins with. */
void object_set_dispatch(const void *table);
const void *object_dispatch(void);

/* A zeroed object with one reference, the caller's, or NULL: out of memory. */
void *object_new(enum object_kind kind);
void object_make_eternal(void *object); /* keeps the handle good in forked children: root devices */
/* Holds a live object of that kind, made by this process; NULL for anything else. Any pointer may
 * be given, also while another thread releases the last reference. */
void *object_retain_live(const void *handle, enum object_kind kind);
/* The kind's invalid code, for a handle that is not live. `what` names the argument in the reason.
 */
struct error object_dead(const void *handle, enum object_kind kind, const char *what);
/* The kind's invalid code for NULL. Every other handle that a function of the runtime is given is
 * live and held for the call (holds.h). */
struct error object_check(const void *handle, enum object_kind kind, const char *what);

/* The driver's own references: they keep an object and its handle, but the caller does not see
 * them. */
void *object_retain(void *object);
void object_release(void *object); /* NULL is fine; destroys the object with the last one */
/* Gives back a reference that is not the last one; false: it is, and is kept. */
bool object_release_shared(void *object);

/* clRetain*, clRelease*, of a handle that is held. Release takes only what clCreate* and clRetain*
 * gave. */
struct error object_user_retain(void *handle, enum object_kind kind);
struct error object_user_release(void *handle, enum object_kind kind);
/* A new object that is the driver's alone so far: object_new's reference becomes the driver's. */
void object_conceal(void *object);
/* An object that no caller has ever seen, with nothing to be freed in it, lies by to be used once
 * more, zeroed, as the driver's own and with the serial it has; or goes. Its slot needs no
 * quarantine. False: somebody else has a reference. */
bool object_park(void *object);
void object_renew(void *object);
void object_discard(void *object);
/* A concealed object is handed to the caller. */
void object_publish(void *object);
cl_uint object_users(const void *object);

/* What kind of object a live one is; the serial of the newest object of all. */
enum object_kind object_kind_of(const void *object);
uint64_t object_serial(void);

/* How many objects of the kind the caller has references to, in this process; eternal ones aside.
 * For a moment when no others come and go. */
uint64_t object_count(enum object_kind kind);
const char *object_kind_name(enum object_kind kind);

/* Counts forks: changes in a child. */
uint32_t object_generation(void);

#endif
