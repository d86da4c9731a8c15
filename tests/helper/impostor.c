/* A helper that answers wrongly; how, the end of its file's name says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helper/message.h"
#include "helper/spawn.h"

static char how[600];

static bool is(const char *name) {
    const char *dash = strrchr(how, '-');
    return dash && !strcmp(dash + 1, name);
}

static void say(enum wire_kind kind, const void *bytes, size_t length) {
    wire_send(SPAWN_SOCKET, kind, bytes, length, -1, WIRE_NEVER);
}

static void greet(void) {
    struct wire_out o = {0};
    wire_put_string(&o, is("build") ? "another" : message_build);
    wire_put_string(&o, "/nowhere/libclang.so");
    wire_put_string(&o, "/nowhere/libLLVM.so");
    say(WIRE_HELLO, o.bytes, o.length);
    free(o.bytes);
}

static void answer_build(void) {
    struct wire_out o = {0};
    static const char module[] = "simtcl-ir 2\n.kernel \"k\" {\nst.global.i32 [0], 1\n";
    wire_put_number(&o, is("status") ? 77 : 0);
    wire_put_bytes(&o, is("strings") ? "a\0b" : "", is("strings") ? 3 : 0);
    wire_put_string(&o, NULL);
    wire_put_bytes(&o, module, is("module") ? sizeof module - 1 : 0);
    wire_put_bytes(&o, "simtcl-object 1 9", is("object") ? 17 : 0);
    say(WIRE_DONE, o.bytes, o.length);
    free(o.bytes);
}

static void answer_native(void) {
    struct wire_out o = {0};
    static char code[4096] = "\177ELF\2\1\1";
    wire_put_number(&o, 0);
    wire_put_bytes(&o, code, sizeof code);
    wire_put_number(&o, is("fields") ? 0 : 1);
    wire_put_number(&o, is("fields") ? UINT32_MAX : 0);
    wire_put_number(&o, 0);
    wire_put_number(&o, is("fields") ? 1000 : 0);
    say(WIRE_DONE, o.bytes, o.length);
    free(o.bytes);
}

int main(int argc, char **argv) {
    struct wire_message m;
    (void)argc;
    /* The link that was started leads to one of the case's name, which leads here. */
    char link[600] = "";
    if (readlink(argv[0], link, sizeof link - 1) > 0) strcpy(how, link);
    greet();
    if (is("early")) say(WIRE_DONE, "", 0);
    if (wire_receive(SPAWN_SOCKET, &m, true, WIRE_NEVER) != WIRE_OK) return 0;
    say(WIRE_TAKEN, NULL, 0);
    if (is("garbage")) {
        for (int i = 0; i < 1000; i++)
            if (write(SPAWN_SOCKET, "what is this?", 13) < 0) return 0;
    } else if (is("huge")) {
        uint64_t head[] = {0x6c637473 | (uint64_t)WIRE_DONE << 32, UINT64_MAX};
        if (write(SPAWN_SOCKET, head, sizeof head) < 0) return 0;
    } else if (is("cut")) {
        uint64_t head[] = {0x6c637473 | (uint64_t)WIRE_DONE << 32, 1 << 20};
        return write(SPAWN_SOCKET, head, sizeof head) < 0;
    } else if (is("hang")) {
        wire_receive(SPAWN_SOCKET, &m, true, WIRE_NEVER);
    } else if (m.kind == WIRE_NATIVE) {
        answer_native();
    } else {
        answer_build();
    }
    wire_receive(SPAWN_SOCKET, &m, true, WIRE_NEVER); /* until the driver is done with it */
    return 0;
}
