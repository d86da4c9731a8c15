#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "profiler.h"
#include "scheduler.h"

enum {
    MOST_SPARES = 1024, /* blocks that a queue keeps */
    MOST_BYTES = 4096,  /* of one */
    STEP = 256          /* so that one serves commands that are about alike */
};

static void begin(struct command *c, const struct command_kind *kind) {
    c->kind = kind;
    if (profiler_writes()) c->begun = scheduler_now();
    atomic_store_explicit(&c->refs, 1, memory_order_relaxed);
}

void *command_new(const struct command_kind *kind, size_t bytes) {
    struct command *c = calloc(1, bytes);
    if (c) begin(c, kind);
    return c;
}

static void block_free(struct command *c) {
    if (c->block.event) object_discard(c->block.event);
    free(c);
}

/* A block of the size, with what is parked in another one. */
static struct command *block_new(size_t bytes, struct command *other) {
    size_t room = (bytes + STEP - 1) / STEP * STEP;
    struct command *c = malloc(room);
    if (!c) return NULL;
    c->block = (struct command_block){.bytes = room <= MOST_BYTES ? (uint32_t)room : 0};
    if (!other) return c;
    c->block.event = other->block.event;
    other->block.event = NULL;
    return c;
}

/* The one spare block that lies ready is fetched without the lock; whoever enqueues puts the next
 * one there when he has the lock anyway. */
void *command_new_of(cl_command_queue queue, const struct command_kind *kind, size_t bytes) {
    struct command *spare = atomic_exchange_explicit(&queue->spare, NULL, memory_order_acquire);
    struct command *c = spare && spare->block.bytes >= bytes ? spare : block_new(bytes, spare);
    if (spare && spare != c) block_free(spare);
    if (!c) return NULL;
    struct command_block block = c->block;
    memset(c, 0, bytes);
    c->block = block;
    begin(c, kind);
    return c;
}

void command_ready(cl_command_queue queue) {
    struct command *c = queue->spares;
    if (!c || atomic_load_explicit(&queue->spare, memory_order_relaxed)) return;
    queue->spares = c->block.next;
    queue->nspares--;
    atomic_store_explicit(&queue->spare, c, memory_order_release);
}

void command_retain(struct command *c) {
    atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
}

static bool is_last(struct command *c) {
    return atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1;
}

void command_release(struct command *c, cl_command_queue queue) {
    if (!is_last(c)) return;
    if (!c->block.bytes || queue->nspares == MOST_SPARES) {
        block_free(c);
        return;
    }
    c->block.next = queue->spares;
    queue->spares = c;
    queue->nspares++;
}

void command_free(struct command *c) {
    c->kind->release(c, CL_OUT_OF_HOST_MEMORY);
    if (is_last(c)) block_free(c);
}

bool command_park(struct command *c, cl_event e) {
    bool bare = !e->held && !e->callbacks && !e->edges && !e->clock && !e->ordered && !e->counted &&
                (!e->culprit || e->culprit == e->queue);
    if (!bare || !c->block.bytes || c->block.event || !object_park(e)) return false;
    c->block.event = e;
    return true;
}

cl_event command_event(struct command *c) {
    cl_event e = c->block.event;
    c->block.event = NULL;
    if (e)
        object_renew(e);
    else if ((e = object_new(OBJECT_event)))
        object_conceal(e);
    return e;
}

void command_queue_free(cl_command_queue queue) {
    struct command *c = atomic_load(&queue->spare);
    if (c) block_free(c);
    for (c = queue->spares; c;) {
        struct command *next = c->block.next;
        block_free(c);
        c = next;
    }
}

void command_offer(struct command *c, struct job *job) {
    atomic_store_explicit(&c->help, job, memory_order_release);
}

/* ---- commands that do nothing ---- */

struct empty_command {
    struct command command;
    cl_uint nheld;
    cl_mem held[];
};

static void empty_start(struct command *c) { scheduler_end(c, CL_COMPLETE); }

static void empty_release(struct command *c, cl_int status) {
    (void)status;
    struct empty_command *empty = (struct empty_command *)c;
    for (cl_uint i = 0; i < empty->nheld; i++) object_release(empty->held[i]);
}

static const struct command_kind empty_kind = {empty_start, empty_release};

struct command *command_new_empty(cl_uint nheld, const cl_mem *held) {
    struct empty_command *c = command_new(&empty_kind, sizeof *c + nheld * sizeof *held);
    if (!c) return NULL;
    c->command.brief_ns = 1;
    c->nheld = nheld;
    for (cl_uint i = 0; i < nheld; i++) c->held[i] = object_retain(held[i]);
    return &c->command;
}
