/* simtcl-compile: the process in which libclang and LLVM are. Started by the driver (helper.h) with
 * a socket at descriptor SPAWN_SOCKET; it does what it is asked, one thing after the other, and
 * ends when the socket closes, whatever it is doing. */
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "death.h"
#include "helper/message.h"
#include "helper/spawn.h"

enum {
    STACK_BYTES = 64 << 20, /* LLVM walks what it is given recursively */
    NICE = 1,               /* to the host's: it yields to kernels, a little: they wait for it */
    WORN = 4                /* a process that keeps more than 1 / WORN of its memory is renewed */
};

static size_t most_bytes; /* 0: no limit */

/* ---- beginning ---- */

/* What a host may have left: signals that are ignored or blocked. */
static void reset_signals(void) {
    sigset_t none;
    for (int n = 1; n < NSIG; n++)
        if (n != SIGKILL && n != SIGSTOP) signal(n, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The sanitizers reserve more memory than any limit would allow. */
static void limit_memory(const char *megabytes) {
    struct rlimit none = {0, 0}, data;
    unsigned long most = strtoul(megabytes, NULL, 10);
    setrlimit(RLIMIT_CORE, &none);
#ifndef SIMTCL_SANITIZED
    if (!most || getrlimit(RLIMIT_DATA, &data)) return;
    most_bytes = (size_t)most << 20;
    if (data.rlim_max < most_bytes) most_bytes = data.rlim_max;
    data.rlim_cur = data.rlim_max = most_bytes;
    setrlimit(RLIMIT_DATA, &data);
#else
    (void)data, (void)most;
#endif
}

/* The driver sends nothing while it waits for an answer: what its end has to say then is that it is
 * gone. */
static void *watch(void *unused) {
    struct pollfd p = {.fd = SPAWN_SOCKET, .events = POLLRDHUP};
    while (poll(&p, 1, -1) <= 0) continue;
    _exit(0);
    return unused;
}

static bool start_thread(void *(*run)(void *), void *argument, size_t stack, pthread_t *thread) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    bool good = !pthread_create(thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return good;
}

static void send_message(enum wire_kind kind, const void *bytes, size_t length) {
    if (wire_send(SPAWN_SOCKET, kind, bytes, length, -1, WIRE_NEVER) != WIRE_OK) _exit(0);
}

static void send_payload(enum wire_kind kind, struct wire_out *o) {
    if (o->failed) death_of_memory();
    send_message(kind, o->bytes, o->length);
    free(o->bytes);
}

static void greet(void) {
    struct wire_out o = {0};
    wire_put_string(&o, message_build);
    wire_put_string(&o, compiler_library());
    wire_put_string(&o, native_api.library());
    send_payload(WIRE_HELLO, &o);
}

/* ---- jobs ---- */

/* What passes tell goes to the driver. */
static void write_text(void *unused, const char *text, size_t length) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)unused;
    pthread_mutex_lock(&lock);
    send_message(WIRE_TEXT, text, length);
    pthread_mutex_unlock(&lock);
}

/* Relative paths of a program mean the host's folder, at the call. A folder that the host cannot
 * use holds nothing for it, and neither does the one that is taken in its place. */
static void enter_folder(int folder) {
    if (folder >= 0 && !fchdir(folder)) return;
    if (chdir("/proc/self/fdinfo")) death_tell("no folder can be entered");
}

static void leave_folder(void) {
    if (chdir("/")) death_tell("no folder can be entered");
}

/* Works of a process that has run out of memory are not waited for. */
static bool is_worn(void) {
    struct mallinfo2 used = mallinfo2();
    return most_bytes && used.uordblks + used.hblkhd > most_bytes / WORN;
}

static void compile(struct wire_message *m) {
    struct message_compile c;
    struct wire_out o = {0};
    enter_folder(m->descriptor);
    if (m->descriptor >= 0) close(m->descriptor);
    if (!message_take_compile(m, &c)) death_of_memory();
    c.trace.write = write_text;
    struct compiler_result r = compiler_run(&c.request);
    if (r.status == COMPILER_NO_MEMORY) death_of_memory();
    message_put_compiled(&o, &r);
    send_payload(WIRE_DONE, &o);
    isa_module_free(r.module);
    free(r.object.text);
    free(r.log);
    free(r.inputs);
    message_free_compile(&c);
    leave_folder();
}

struct native_job {
    struct message_native ask;
    struct native_object object;
    enum native_status status;
};

static void *run_native(void *job) {
    struct native_job *j = job;
    struct trace *t = &j->ask.trace;
    death_ready();
    t->write = write_text;
    const char *why;
    j->status = native_api.compile(&j->ask.request, &j->object, &why);
    return NULL;
}

static void compile_native(struct wire_message *m) {
    struct native_job j = {.status = NATIVE_FAILED};
    struct wire_out o = {0};
    pthread_t thread;
    if (!message_take_native(m, &j.ask)) death_tell("the kernel is not accepted");
    if (!start_thread(run_native, &j, STACK_BYTES, &thread)) death_of_memory();
    pthread_join(thread, NULL);
    if (j.status == NATIVE_NO_MEMORY) death_of_memory();
    message_put_object(&o, j.status, &j.object);
    send_payload(WIRE_DONE, &o);
    if (j.status == NATIVE_FAILED) _exit(0); /* LLVM may be in no state to go on */
    free(j.object.bytes);
    message_free_native(&j.ask);
}

static void serve(struct wire_message *m) {
    send_message(WIRE_TAKEN, NULL, 0);
    if (m->kind == WIRE_COMPILE)
        compile(m);
    else if (m->kind == WIRE_NATIVE)
        compile_native(m);
    else
        death_tell("it was asked what it does not know");
    free(m->bytes);
    if (is_worn()) _exit(0);
}

static bool is_asked(void) {
    struct pollfd p = {.fd = SPAWN_SOCKET, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

int main(int argc, char **argv) {
    struct wire_message m;
    pthread_t watcher;
    int type;
    socklen_t size = sizeof type;
    if (argc != 2 || getsockopt(SPAWN_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size)) {
        fprintf(stderr, "simtcl-compile is started by simtcl, the OpenCL driver, to compile\n");
        return 2;
    }
    reset_signals();
    limit_memory(argv[1]);
    death_watch();
    (void)!nice(NICE);
    if (!start_thread(watch, NULL, 1 << 16, &watcher)) death_of_memory();
    greet();
    if (!is_asked()) compiler_warm();
    while (wire_receive(SPAWN_SOCKET, &m, true, WIRE_NEVER) == WIRE_OK) serve(&m);
    _exit(0);
}
