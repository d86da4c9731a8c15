/* Memory objects: what buffers and images have in common. Their bytes lie in the context's sandbox
 * from the moment they are created.
 *
 * With CL_MEM_USE_HOST_PTR the sandbox holds the bytes kernels work on, and the host's memory is
 * brought up to date where the specification promises it (5.2.1, 5.2.3): when the object is
 * created, when a mapping is handed out and when one that was written is given back. That is what a
 * discrete GPU does. Without the flag a mapping is the sandbox's own memory and nothing is copied,
 * unless SIMTCL_CHECK=api looks on (mapview.h).
 */
#ifndef SIMTCL_MEM_H
#define SIMTCL_MEM_H

#include "copy.h"
#include "device/device.h"
#include "event.h"
#include "object.h"

struct mapview;

/* A region handed out by map. Unmap takes the last one made of a pointer. */
struct mapping {
    struct mapping *next;
    cl_mem mem; /* whose it is */
    char *pointer;
    size_t bytes; /* that a GPU would have to copy each way */
    bool write;
    struct copy back; /* to the sandbox; `from` is the same when the pointer is the sandbox's */
    /* mapview.h: where its bytes lie, the others that do, its number among them, and the call that
     * unmaps it. NULL: not there */
    struct mapview *view;
    struct mapping *beside;
    uint32_t part, unmap;
};

struct destructor {
    struct destructor *next;
    void(CL_CALLBACK *notify)(cl_mem mem, void *user);
    void *user_data;
};

struct _cl_mem {
    struct object object;
    cl_context context; /* held */
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    char *host_ptr;               /* as given */
    uint32_t address;             /* in the sandbox */
    uint32_t number, made;        /* checking.h: of all memory objects, of the calls that make such
                                     ones; from 1 */
    uint32_t device_address;      /* where the device would have it; of a part: its root's */
    _Atomic uint32_t device_uses; /* of a root: how many of it and its parts the caller has */
    atomic_bool left;             /* the caller has it no more */
    cl_mem parent; /* held: a sub-buffer's buffer, an image buffer's buffer; it owns the bytes */
    size_t offset; /* in parent */
    /* under the context's mem_lock: */
    struct mapping *mappings;
    cl_uint map_count;
    struct mapview *view; /* of a root: mapview.h, under its lock */
    struct destructor *destructors;
    /* images: */
    cl_image_format format;
    struct texture texture;
    size_t host_row, host_slice; /* pitches at host_ptr; 0: no host memory given */
};

void mem_free(void *object);
struct error mem_check(cl_mem mem);
static inline bool mem_is_image(cl_mem mem) { return mem->type != CL_MEM_OBJECT_BUFFER; }
char *mem_bytes(cl_mem mem); /* in the sandbox */
cl_mem mem_root(cl_mem mem); /* whose bytes they are: itself, or the buffer it is a part of */
/* A new object becomes a part of a buffer, which it holds. */
void mem_attach(cl_mem part, cl_mem buffer);
/* Rules all clCreate* have for flags and host_ptr (5.2.1, 5.3.1). */
struct error mem_check_flags(cl_mem_flags flags);
struct error mem_check_host_ptr(cl_mem_flags flags, const void *host_ptr);
/* The flags of a part of a buffer (table 5.3): what is left out comes from the buffer, what is
 * given may only narrow it. */
struct error mem_inherit_flags(cl_mem_flags parent, cl_mem_flags *flags);
/* A new object with `size` bytes of the sandbox, flags completed with the default access. */
struct error mem_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size,
                     void *host_ptr, cl_mem *result);
/* May the host read or write it so (CL_MEM_HOST_*)? CL_INVALID_OPERATION. */
struct error mem_host_may(cl_mem mem, bool read, bool write);
/* The queue, the object and that they share a context: the first checks of every transfer. */
struct error mem_check_enqueue(cl_command_queue queue, cl_mem mem);

/* Enqueues a map. out: from where in the sandbox it has to be copied to the host's memory; to the
 * same place when that is what the host gets. *result: where it has its bytes. */
struct error mem_map(cl_command_queue queue, cl_mem mem, cl_command_type type, cl_bool blocking,
                     cl_map_flags flags, const struct copy *out, struct waits waits,
                     cl_event *event, void **result);
struct error mem_check_map_flags(cl_mem mem, cl_map_flags flags);

/* Entry points (specification 5.4). */
struct error mem_retain(cl_mem mem);
struct error mem_release(cl_mem mem);
struct error mem_info(cl_mem mem, cl_mem_info name, size_t size, void *value, size_t *size_ret);
struct error mem_set_destructor(cl_mem mem, void(CL_CALLBACK *notify)(cl_mem mem, void *user),
                                void *user_data);
struct error mem_unmap(cl_command_queue queue, cl_mem mem, void *mapped_ptr, cl_uint nwaits,
                       const cl_event *waits, cl_event *event);
struct error mem_migrate(cl_command_queue queue, cl_uint n, const cl_mem *mems,
                         cl_mem_migration_flags flags, cl_uint nwaits, const cl_event *waits,
                         cl_event *event);

#endif
