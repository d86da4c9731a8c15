/* Messages between the driver and its helper process, over a stream socket: a head, then a payload.
 * Neither side trusts what the other says of lengths. */
#ifndef SIMTCL_WIRE_H
#define SIMTCL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a message is. The helper greets once; each ASK brings TAKEN, any number of TEXT, and DONE.
 */
enum wire_kind {
    WIRE_HELLO = 1, /* helper: build id, path of libclang, path of LLVM */
    WIRE_COMPILE,   /* driver: message_put_compile; comes with the descriptor of a folder */
    WIRE_NATIVE,    /* driver: message_put_native */
    WIRE_TAKEN,     /* helper: the ask has been read; no payload */
    WIRE_TEXT,      /* helper: what trace.write is given */
    WIRE_DONE,      /* helper: the result */
    WIRE_DIED       /* helper: why it ends, in words; nothing follows */
};

enum wire_status {
    WIRE_OK,
    WIRE_CLOSED,   /* the other side has ended */
    WIRE_LATE,     /* the deadline has passed */
    WIRE_DAMAGED,  /* what came is no message */
    WIRE_NO_MEMORY /* for the payload */
};

struct wire_message {
    enum wire_kind kind;
    char *bytes; /* malloc'ed, with a NUL behind them; NULL when there are none */
    size_t length;
    int descriptor; /* that came with it, or -1 */
};

/* Payloads may not be larger. */
#define WIRE_MOST_BYTES ((size_t)1 << 30)
#define WIRE_NEVER      INT64_MAX /* a deadline that does not pass */

int64_t wire_now(void); /* milliseconds of a clock that only goes forward, as deadlines are in */

/* Sends one message; descriptor: one to pass along, or -1. Waits until `deadline` at most. Never
 * raises SIGPIPE, is not disturbed by signals. */
enum wire_status wire_send(int socket, enum wire_kind kind, const void *bytes, size_t length,
                           int descriptor, int64_t deadline);
/* Receives one; with WIRE_OK the caller frees m->bytes. descriptors: may one come along? The caller
 * closes it then; otherwise any that comes is dropped. */
enum wire_status wire_receive(int socket, struct wire_message *m, bool descriptors,
                              int64_t deadline);
/* Has the other side ended? Does not wait. */
bool wire_closed(int socket);

/* ---- payloads ---- */

/* A payload being written. All zero to begin with; `failed` once memory has run out. */
struct wire_out {
    char *bytes; /* malloc'ed; the caller frees */
    size_t length, room;
    bool failed;
};
void wire_put_number(struct wire_out *o, uint64_t n);
void wire_put_bytes(struct wire_out *o, const void *bytes, size_t length);
void wire_put_string(struct wire_out *o, const char *s); /* NULL stays NULL */

/* A payload being read. `bad` once it did not hold what was asked for; all that is taken then is 0
 * or NULL. */
struct wire_in {
    const char *at, *end;
    bool bad;
};
uint64_t wire_take_number(struct wire_in *i);
/* Lies in the payload, with a NUL behind it. */
const char *wire_take_bytes(struct wire_in *i, size_t *length);
const char *wire_take_string(struct wire_in *i); /* one without NUL bytes in it, or NULL */

#endif
