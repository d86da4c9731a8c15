/* Commands: what is common to all kinds of them, and where their memory is from. */
#ifndef SIMTCL_COMMAND_H
#define SIMTCL_COMMAND_H

#include "event.h"
#include "queue.h"
#include "device/device.h"

struct command;

/* What a kind of command does. */
struct command_kind {
    /* Does the work, or has it done by the pool; scheduler_end must be called in the end, by
     * whomever. */
    void (*start)(struct command *c);
    /* Lets go of what the command holds; status is how it ended, negative also when it never began.
     * Does not free the command itself. */
    void (*release)(struct command *c, cl_int status);
    bool times; /* it says when the work ran (scheduler_set_times) */
};

/* What a copy moves; bytes 0: nothing that the profiler would show. */
struct command_moves {
    size_t bytes;
    const void *to, *from; /* NULL where there is no such side */
    bool locked;           /* the host's side is memory that the driver has given out for it */
};

/* First member of every command's structure, which is one block of memory. */
struct command {
    const struct command_kind *kind;
    cl_event event;           /* the scheduler's while the command lives */
    struct job *_Atomic help; /* what a waiting thread may help with */
    _Atomic uint32_t refs;
    uint32_t brief_ns; /* as far as is known it takes so long, which is less than waking a thread
                          does; 0: it takes longer, or that is not known */
    bool blocking;
    /* for the profiler's log, the timeline and the device's clock: */
    struct command_moves moves;
    struct profiler_slot *slot; /* NULL: it is written when it is known */
    uint64_t begun, enqueued;   /* when it was made, and hung into the graph */
    uint32_t record;            /* the timeline's; 0: none */
    uint64_t took;              /* nanoseconds on the emulated device, for clock.h */
    /* The block's, over the commands that it serves: */
    struct command_block {
        struct command *next; /* of the queue's spares */
        cl_event event;       /* a parked one, or NULL */
        uint32_t bytes;       /* 0: it is given back to the system */
    } block;
};

/* A zeroed command of `bytes` bytes, or NULL. One of a queue may have the block of an earlier one,
 * and with it that one's event, if no caller has seen that. */
void *command_new(const struct command_kind *kind, size_t bytes);
void *command_new_of(cl_command_queue queue, const struct command_kind *kind, size_t bytes);
/* Lets go of a command that was never enqueued. */
void command_free(struct command *c);
/* Says that waiting threads may help with the job, which is about to be submitted: behind that the
 * command may have ended. */
void command_offer(struct command *c, struct job *job);

/* For the scheduler, under the lock of the context's graph: */
void command_retain(struct command *c);
/* The last to let go leaves the block to the queue. */
void command_release(struct command *c, cl_command_queue queue);
/* Has a block ready for the queue's next command. */
void command_ready(cl_command_queue queue);
/* The event of a command of the queue that ends goes with the command's block: nobody else has a
 * reference, nor has it anything to be freed. False: so it is not. */
bool command_park(struct command *c, cl_event event);
/* Without the lock: an event for the command, which no caller is to see, as the driver's own; NULL:
 * no memory. */
cl_event command_event(struct command *c);
/* The queue goes, and its spares. */
void command_queue_free(cl_command_queue queue);

#endif
