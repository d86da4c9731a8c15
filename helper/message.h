/* What the driver asks of its helper process and what that answers, as payloads of messages. A
 * module travels in the text form of binaries, and is parsed and verified as one. */
#ifndef SIMTCL_MESSAGE_H
#define SIMTCL_MESSAGE_H

#include "compiler/compiler.h"
#include "device/native/native.h"
#include "wire.h"

/* Names what both sides have to agree about: the protocol, the warp IR, the contract of native
 * code. */
extern const char message_build[];

/* ---- asks: written by the driver, read by the helper ---- */

void message_put_compile(struct wire_out *o, const struct compiler_request *q);
void message_put_native(struct wire_out *o, const struct native_request *q);

/* A request as it was read; what it points to lies in the payload, and here. */
struct message_compile {
    struct compiler_request request;
    struct compiler_target target;
    struct trace trace; /* without `write`; request.trace when anything was asked for */
    struct compiler_source *headers;
    struct compiler_object *objects;
};
struct message_native {
    struct native_request request;
    struct trace trace;
    struct isa_module *module;
};
/* False: the payload is none, or no memory; nothing has to be freed then. */
bool message_take_compile(const struct wire_message *m, struct message_compile *c);
void message_free_compile(struct message_compile *c);
bool message_take_native(const struct wire_message *m, struct message_native *n);
void message_free_native(struct message_native *n);

/* ---- answers: written by the helper, read by the driver, which trusts nothing in them ---- */

void message_put_compiled(struct wire_out *o, const struct compiler_result *r);
void message_put_object(struct wire_out *o, enum native_status status,
                        const struct native_object *object);
/* The result as compiler_run gives it. False: the payload is none. */
bool message_take_compiled(const struct wire_message *m, struct compiler_result *r);
bool message_take_object(const struct wire_message *m, const struct isa_kernel *kernel,
                         enum native_status *status, struct native_object *object);

#endif
