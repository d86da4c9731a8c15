#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct wire_head {
    uint32_t magic, kind;
    uint64_t length;
};
enum { MAGIC = 0x6c637473 };

int64_t wire_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until the socket is ready for `events`, or what comes of it is an error. */
static enum wire_status await(int socket, short events, int64_t deadline) {
    for (;;) {
        struct pollfd p = {.fd = socket, .events = events};
        int64_t left = deadline == WIRE_NEVER ? -1 : deadline - wire_now();
        if (deadline != WIRE_NEVER && left <= 0) return WIRE_LATE;
        int n = poll(&p, 1, left > 1 << 30 ? 1 << 30 : (int)left);
        if (n > 0) return WIRE_OK;
        if (n < 0 && errno != EINTR && errno != EAGAIN) return WIRE_CLOSED;
    }
}

bool wire_closed(int socket) {
    struct pollfd p = {.fd = socket, .events = POLLRDHUP};
    return poll(&p, 1, 0) > 0;
}

/* ---- sending ---- */

static ssize_t send_some(int socket, struct iovec *parts, size_t n, int descriptor) {
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr m = {.msg_iov = parts, .msg_iovlen = n};
    if (descriptor >= 0) {
        m.msg_control = &control;
        m.msg_controllen = sizeof control;
        control.head = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.head), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

enum wire_status wire_send(int socket, enum wire_kind kind, const void *bytes, size_t length,
                           int descriptor, int64_t deadline) {
    struct wire_head head = {MAGIC, (uint32_t)kind, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)bytes, length}};
    size_t at = 0;
    while (at < 2) {
        ssize_t n = send_some(socket, parts + at, 2 - at, descriptor);
        if (n < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN) return WIRE_CLOSED;
            enum wire_status status = await(socket, POLLOUT, deadline);
            if (status != WIRE_OK) return status;
            continue;
        }
        descriptor = -1;
        for (size_t left = (size_t)n; at < 2;) {
            size_t here = left < parts[at].iov_len ? left : parts[at].iov_len;
            if (here) parts[at].iov_base = (char *)parts[at].iov_base + here;
            parts[at].iov_len -= here;
            left -= here;
            if (parts[at].iov_len) break;
            at++;
        }
    }
    return WIRE_OK;
}

/* ---- receiving ---- */

/* descriptor: where one that comes goes; NULL: it is dropped. */
static ssize_t receive_some(int socket, void *to, size_t size, int *descriptor) {
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {to, size};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor) {
        m.msg_control = &control;
        m.msg_controllen = sizeof control;
    }
    ssize_t n = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    struct cmsghdr *c = n >= 0 && descriptor ? CMSG_FIRSTHDR(&m) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len == CMSG_LEN(sizeof(int))) {
        if (*descriptor >= 0) close(*descriptor);
        memcpy(descriptor, CMSG_DATA(c), sizeof *descriptor);
    }
    return n;
}

static enum wire_status receive_all(int socket, void *to, size_t size, int *descriptor,
                                    int64_t deadline) {
    char *at = to;
    while (size) {
        ssize_t n = receive_some(socket, at, size, descriptor);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {
            enum wire_status status = await(socket, POLLIN, deadline);
            if (status != WIRE_OK) return status;
            continue;
        }
        if (n <= 0) return WIRE_CLOSED;
        at += n;
        size -= (size_t)n;
    }
    return WIRE_OK;
}

static enum wire_status receive_payload(int socket, struct wire_message *m, int *descriptor,
                                        int64_t deadline) {
    if (!m->length) return WIRE_OK;
    m->bytes = malloc(m->length + 1);
    if (!m->bytes) return WIRE_NO_MEMORY;
    m->bytes[m->length] = 0;
    return receive_all(socket, m->bytes, m->length, descriptor, deadline);
}

enum wire_status wire_receive(int socket, struct wire_message *m, bool descriptors,
                              int64_t deadline) {
    struct wire_head head;
    *m = (struct wire_message){.descriptor = -1};
    int *descriptor = descriptors ? &m->descriptor : NULL;
    enum wire_status status = receive_all(socket, &head, sizeof head, descriptor, deadline);
    if (status == WIRE_OK && (head.magic != MAGIC || !head.kind || head.kind > WIRE_DIED ||
                              head.length > WIRE_MOST_BYTES))
        status = WIRE_DAMAGED;
    if (status == WIRE_OK) {
        m->kind = (enum wire_kind)head.kind;
        m->length = (size_t)head.length;
        status = receive_payload(socket, m, descriptor, deadline);
    }
    if (status == WIRE_OK) return WIRE_OK;
    free(m->bytes);
    if (m->descriptor >= 0) close(m->descriptor);
    *m = (struct wire_message){.descriptor = -1};
    return status;
}

/* ---- payloads: numbers of 8 bytes; a length, bytes and a NUL ---- */

static void put(struct wire_out *o, const void *bytes, size_t length) {
    if (o->failed) return;
    if (length > o->room - o->length) {
        size_t room = o->room + o->room / 2 + length + 256;
        char *larger = realloc(o->bytes, room);
        if (!larger) {
            o->failed = true;
            return;
        }
        o->bytes = larger;
        o->room = room;
    }
    if (length) memcpy(o->bytes + o->length, bytes, length);
    o->length += length;
}

void wire_put_number(struct wire_out *o, uint64_t n) { put(o, &n, sizeof n); }

void wire_put_bytes(struct wire_out *o, const void *bytes, size_t length) {
    wire_put_number(o, (uint64_t)length + 1);
    put(o, bytes, length);
    put(o, "", 1);
}

void wire_put_string(struct wire_out *o, const char *s) {
    if (s)
        wire_put_bytes(o, s, strlen(s));
    else
        wire_put_number(o, 0);
}

uint64_t wire_take_number(struct wire_in *i) {
    uint64_t n = 0;
    if (i->bad || (size_t)(i->end - i->at) < sizeof n) {
        i->bad = true;
        return 0;
    }
    memcpy(&n, i->at, sizeof n);
    i->at += sizeof n;
    return n;
}

const char *wire_take_bytes(struct wire_in *i, size_t *length) {
    uint64_t n = wire_take_number(i);
    *length = 0;
    if (i->bad || !n) return NULL;
    if (n > (uint64_t)(i->end - i->at) || i->at[n - 1]) {
        i->bad = true;
        return NULL;
    }
    const char *bytes = i->at;
    *length = (size_t)n - 1;
    i->at += n;
    return bytes;
}

const char *wire_take_string(struct wire_in *i) {
    size_t length;
    const char *s = wire_take_bytes(i, &length);
    if (!s || !memchr(s, 0, length)) return s;
    i->bad = true;
    return NULL;
}
