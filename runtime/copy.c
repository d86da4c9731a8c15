#include "copy.h"

#include <string.h>

#include "checking_values.h"
#include "object.h"
#include "ordering.h"
#include "scheduler.h"

enum {
    INLINE_BYTES = 128 << 10, /* up to here a copy is cheaper than handing it over */
    BYTES_A_NS = 10,          /* a guess at how fast that is, */
    LEAST_NS = 50,            /* behind a start */
    PIECE_BYTES = 256 << 10   /* what a thread takes at a time of a larger one */
};

struct copy_command {
    struct command command;
    struct job job;
    struct copy copy;
    struct copy meant; /* copy_set_meaning; no bytes: none */
    cl_mem held[2];
    size_t pattern_bytes; /* 0: a copy */
    unsigned char pattern[COPY_MAX_PATTERN];
    void (*after)(void *user, cl_int status);
    void *user;
};

size_t copy_extent(size_t bytes, size_t rows, size_t slices, size_t row_pitch, size_t slice_pitch) {
    if (!bytes || !rows || !slices) return 0;
    return (slices - 1) * slice_pitch + (rows - 1) * row_pitch + bytes;
}

struct copy copy_linear(char *to, const char *from, size_t bytes) {
    return (struct copy){to, from, bytes, 1, 1, bytes, bytes, bytes, bytes};
}

/* Rows that follow each other without a gap on both sides are one row; so are slices. */
static struct copy merged(struct copy c) {
    if (c.rows > 1 && c.to_row == c.bytes && c.from_row == c.bytes) {
        c.bytes *= c.rows;
        c.rows = 1;
    }
    if (c.rows == 1) { /* slices are the rows */
        c.rows = c.slices;
        c.to_row = c.to_slice;
        c.from_row = c.from_slice;
        c.slices = 1;
        if (c.rows > 1 && c.to_row == c.bytes && c.from_row == c.bytes) {
            c.bytes *= c.rows;
            c.rows = 1;
        }
    }
    return c;
}

/* Both sides may lie in one buffer, in rows that do not overlap; one row's ends may still touch. */
void copy_now(const struct copy *given) {
    if (!given->bytes) return;
    struct copy c = merged(*given);
    for (size_t row = 0; row < c.rows * c.slices; row++)
        memmove(copy_row_to(&c, row), copy_row_from(&c, row), c.bytes);
}

/* bytes is a multiple of the pattern's size: doubles what is there until the row is full. */
static void fill_row(char *to, size_t bytes, const unsigned char *pattern, size_t size) {
    memcpy(to, pattern, size);
    for (size_t done = size; done < bytes; done += size) {
        size = done < bytes - done ? done : bytes - done;
        memcpy(to + done, to, size);
    }
}

static void run_rows(struct copy_command *c, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++)
        if (c->pattern_bytes)
            fill_row(copy_row_to(&c->copy, row), c->copy.bytes, c->pattern, c->pattern_bytes);
        else
            memmove(copy_row_to(&c->copy, row), copy_row_from(&c->copy, row), c->copy.bytes);
}

static struct copy_command *of_job(struct job *job) {
    return (struct copy_command *)((char *)job - offsetof(struct copy_command, job));
}

static void job_rows(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    (void)slot;
    run_rows(of_job(job), begin, end);
}

/* One long row, in pieces; a piece is a multiple of every pattern's size. */
static void job_pieces(struct job *job, uint64_t begin, uint64_t end, unsigned slot) {
    (void)slot;
    struct copy_command *c = of_job(job);
    size_t from = begin * PIECE_BYTES, to = end * PIECE_BYTES;
    if (to > c->copy.bytes) to = c->copy.bytes;
    if (c->pattern_bytes)
        fill_row(c->copy.to + from, to - from, c->pattern, c->pattern_bytes);
    else
        memcpy(c->copy.to + from, c->copy.from + from, to - from);
}

static void job_done(struct job *job) { scheduler_end(&of_job(job)->command, CL_COMPLETE); }

static void show_accesses(const struct copy_command *c) {
    const struct copy *rows = c->meant.bytes ? &c->meant : &c->copy;
    for (unsigned n = 0; n < 2 && c->held[n]; n++) {
        ordering_accesses(c->command.event, c->held[n], rows->to, rows, true, TOUCH_STORE);
        if (!c->pattern_bytes)
            ordering_accesses(c->command.event, c->held[n], rows->from, rows, false, TOUCH_LOAD);
    }
}

static void copy_start(struct command *command) {
    struct copy_command *c = (struct copy_command *)command;
    size_t rows = c->copy.rows * c->copy.slices;
    if (c->held[0]) checking_moves(c->held[0], &c->copy, c->pattern_bytes);
    if (command->event->ordered) show_accesses(c);
    if (c->copy.bytes * rows <= INLINE_BYTES) {
        if (c->copy.bytes) run_rows(c, 0, rows);
        scheduler_end(command, CL_COMPLETE);
        return;
    }
    c->job.done = job_done;
    if (rows == 1) {
        c->job.run = job_pieces;
        c->job.count = (c->copy.bytes + PIECE_BYTES - 1) / PIECE_BYTES;
        c->job.chunk = 1;
    } else {
        c->job.run = job_rows;
        c->job.count = rows;
        c->job.chunk = c->copy.bytes < PIECE_BYTES ? PIECE_BYTES / c->copy.bytes : 1;
    }
    command_offer(command, &c->job);
    pool_submit(&c->job);
}

static void copy_release(struct command *command, cl_int status) {
    struct copy_command *c = (struct copy_command *)command;
    if (c->after) c->after(c->user, status);
    object_release(c->held[0]);
    object_release(c->held[1]);
}

static const struct command_kind copy_kind = {copy_start, copy_release};

struct command *copy_command(const struct copy *copy, cl_mem a, cl_mem b) {
    struct copy_command *c = command_new(&copy_kind, sizeof *c);
    if (!c) return NULL;
    c->copy = merged(*copy);
    size_t bytes = c->copy.bytes * c->copy.rows * c->copy.slices;
    c->command.moves = (struct command_moves){bytes, c->copy.to, c->copy.from, false};
    if (bytes <= INLINE_BYTES) c->command.brief_ns = LEAST_NS + (uint32_t)bytes / BYTES_A_NS;
    if (a) c->held[0] = object_retain(a);
    if (b) c->held[1] = object_retain(b);
    return &c->command;
}

struct command *copy_fill_command(const struct copy *copy, const void *pattern, size_t size,
                                  cl_mem a) {
    struct copy fill = *copy;
    fill.from_row = fill.to_row;
    fill.from_slice = fill.to_slice;
    struct copy_command *c = (struct copy_command *)copy_command(&fill, a, NULL);
    if (!c) return NULL;
    memcpy(c->pattern, pattern, size);
    c->pattern_bytes = size;
    return &c->command;
}

void copy_set_meaning(struct command *command, const struct copy *meant) {
    ((struct copy_command *)command)->meant = *meant;
}

void copy_set_after(struct command *command, void (*after)(void *user, cl_int status), void *user) {
    struct copy_command *c = (struct copy_command *)command;
    c->after = after;
    c->user = user;
}
