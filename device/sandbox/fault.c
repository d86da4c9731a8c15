#include "fault.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "device/host/anywhere.h"
#include "device/host/forks.h"
#include "device/host/local.h"
#include "device/host/stay.h"
#include "memory.h"

static THREAD_LOCAL struct group *current; /* read in the handler */

/* ---- who had the signals before ---- */

static const int signals[] = {SIGSEGV, SIGBUS};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* An action that ours replaced. Never freed or changed, as a handler may be reading it; there are
 * as many as the host has different handlers. */
struct earlier {
    struct sigaction action;
    struct earlier *older; /* what was there before it, NULL: the default */
    struct earlier *made;  /* the one made before it */
    atomic_bool spent;     /* SA_RESETHAND, and it has been called */
};

static struct earlier *_Atomic newest[SIGNALS];
static struct earlier *all[SIGNALS];
static pthread_mutex_t arming = PTHREAD_MUTEX_INITIALIZER;

/* A host handler put over ours calls ours as its predecessor; put back over it, ours would call it
 * again, for ever. Such a call comes with the context of the call it is made in, from deeper in the
 * stack: it goes one handler further back. */
struct chain {
    const void *context;
    uintptr_t frame;
    unsigned depth;
};
static THREAD_LOCAL struct chain chain;

static void default_action(int sig, const siginfo_t *info) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(sig, &action, NULL);
    /* The faulting instruction runs again and finishes the process; a signal that was sent does
     * not. */
    if (info->si_code <= 0) raise(sig);
}

/* Gives the signal to the handler `chain.depth` places back. */
static void pass_on(int sig, siginfo_t *info, void *context) {
    unsigned which = sig == signals[1];
    struct earlier *e = atomic_load(&newest[which]);
    for (unsigned i = 0; e && i < chain.depth; i++) e = e->older;
    const struct sigaction *a = e ? &e->action : NULL;
    if (!a || a->sa_handler == SIG_DFL || atomic_load(&e->spent)) {
        default_action(sig, info);
        return;
    }
    if (a->sa_handler == SIG_IGN) {
        /* Linux ignores a signal that was sent, and kills for a fault all the same. */
        if (info->si_code > 0) default_action(sig, info);
        return;
    }
    if (a->sa_flags & SA_RESETHAND) atomic_store(&e->spent, true);
    /* The mask the kernel would have set; when our handler returns it puts back the thread's own.
     */
    pthread_sigmask(SIG_BLOCK, &a->sa_mask, NULL);
    if (a->sa_flags & SA_NODEFER) {
        sigset_t itself;
        sigemptyset(&itself);
        sigaddset(&itself, sig);
        pthread_sigmask(SIG_UNBLOCK, &itself, NULL);
    }
    if (a->sa_flags & SA_SIGINFO)
        a->sa_sigaction(sig, info, context);
    else
        a->sa_handler(sig);
}

/* The host's handler may return or jump away, so what was noted in an earlier call may be stale:
 * only a deeper frame with the same context lies within it. */
static void not_ours(int sig, siginfo_t *info, void *context) {
    struct chain outer = chain;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    bool nested = context == outer.context && frame < outer.frame;
    chain = (struct chain){context, frame, nested ? outer.depth + 1 : 0};
    pass_on(sig, info, context);
    chain = outer;
}

static bool was_write(const void *context) {
#if defined __x86_64__
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    (void)context;
    return false;
#endif
}

/* Leaves the group, with the mask that the thread had. */
static _Noreturn void escape(struct group *g, const ucontext_t *context) {
    pthread_sigmask(SIG_SETMASK, &context->uc_sigmask, NULL);
    siglongjmp(g->escape, 1);
}

/* ---- launches that are overdue ---- */

/* Its address is what a signal of ours carries. */
static char interruption;

void fault_interrupt(pid_t thread) {
    siginfo_t info = {.si_signo = SIGSEGV, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = &interruption;
    syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGSEGV, &info);
}

ANYWHERE static bool is_interruption(const siginfo_t *info) {
    return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &interruption &&
           info->si_pid == getpid();
}

ANYWHERE static bool in_native_code(const struct group *g, const ucontext_t *context) {
#if defined __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - (uintptr_t)g->native < g->native_bytes;
#else
    (void)g, (void)context;
    return false;
#endif
}

/* Native code is left at any instruction, as with a fault; what it calls, and the interpreter, may
 * hold locks. */
ANYWHERE static void interrupt(struct group *g, const ucontext_t *context) {
    if (!g || !launch_overdue(g->launch)) return;
    if (g->iterations) *g->iterations = 1;
    if (!in_native_code(g, context)) return;
    g->fault_kind = FAULT_TIMEOUT;
    g->fault_lane = -1;
    g->fault_address = 0;
    g->fault_write = false;
    escape(g, context);
}

/* ---- faults of the host ---- */

static fault_watcher *_Atomic watcher;

bool fault_watch(fault_watcher *w) {
    atomic_store(&watcher, w);
    return fault_arm();
}

static bool is_watched(const siginfo_t *info, const ucontext_t *context) {
    fault_watcher *w = atomic_load(&watcher);
    void *at[2] = {NULL, NULL};
    if (!w || info->si_code <= 0) return false;
#if defined __x86_64__
    at[0] = (void *)context->uc_mcontext.gregs[REG_RIP];
    memcpy(&at[1], (const void *)context->uc_mcontext.gregs[REG_RSP], sizeof at[1]);
#endif
    return w(info->si_addr, was_write(context), at);
}

ANYWHERE static void handle(int sig, siginfo_t *info, void *context) {
    struct group *g = current;
    if (is_interruption(info)) {
        interrupt(g, context);
        return;
    }
    if (is_watched(info, context)) return;
    if (!g || info->si_code <= 0 ||
        !memory_contains(executable_memory(g->launch->executable), info->si_addr)) {
        not_ours(sig, info, context);
        return;
    }
    g->fault_kind = FAULT_ACCESS;
    g->fault_lane = -1;
    g->fault_address = (uint32_t)((char *)info->si_addr - g->base);
    g->fault_write = was_write(context);
    escape(g, context);
}

/* The C library leaves the part of a mask that the kernel does not know as it happens to be. */
static bool same_mask(const sigset_t *a, const sigset_t *b) {
    for (int sig = 1; sig <= SIGRTMAX; sig++)
        if (sigismember(a, sig) != sigismember(b, sig)) return false;
    return true;
}

static bool same_action(const struct sigaction *a, const struct sigaction *b) {
    return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags &&
           same_mask(&a->sa_mask, &b->sa_mask);
}

static struct earlier *earlier_find(unsigned which, const struct sigaction *action) {
    for (struct earlier *e = all[which]; e; e = e->made)
        if (same_action(&e->action, action)) return e;
    struct earlier *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->action = *action;
    e->older = atomic_load(&newest[which]);
    e->made = all[which];
    return all[which] = e;
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

/* Notes whom ours replaces, before ours is in place and may need it. */
static bool note(unsigned which, const struct sigaction *replaced) {
    struct earlier *e = earlier_find(which, replaced);
    if (!e) return false;
    atomic_store(&e->spent, false);
    atomic_store(&newest[which], e);
    return true;
}

static void lock_arming(void) { pthread_mutex_lock(&arming); }
static void unlock_arming(void) { pthread_mutex_unlock(&arming); }
static void watch_fork(void) {
    static struct forks_watch watch = {lock_arming, unlock_arming, unlock_arming};
    forks_watch(&watch);
}

/* False: no action can be set, or remembered. */
static bool arm(unsigned which) {
    struct sigaction there, replaced;
    struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&ours.sa_mask);
    lock_arming();
    bool done = sigaction(signals[which], NULL, &there) == 0;
    if (done && !is_ours(&there)) {
        done = note(which, &there) && sigaction(signals[which], &ours, &replaced) == 0;
        if (done && !same_action(&there, &replaced) && !is_ours(&replaced))
            note(which, &replaced); /* the host changed it in between */
    }
    unlock_arming();
    return done;
}

/* SIGBUS, which memory without a file does not raise unless it is broken, is looked after less
 * often. */
bool fault_arm(void) {
    enum { SELDOM = 16 };
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local unsigned calls;
    pthread_once(&once, watch_fork);
    bool done = true;
    for (unsigned i = 0; i < (calls % SELDOM ? 1 : SIGNALS); i++) {
        struct sigaction there;
        if (sigaction(signals[i], NULL, &there) != 0 || !is_ours(&there)) done &= arm(i);
    }
    calls++;
    return done;
}

static _Atomic uint64_t asked, released;
static THREAD_LOCAL struct {
    uint64_t asked, ns;
} looked; /* how far the host's calls were, and when, as the thread looked after the handler last */

uint64_t fault_asked(void) { return atomic_fetch_add(&asked, 1) + 1; }

void fault_released(void) { atomic_store(&released, fault_asked()); }

bool fault_arm_for(uint64_t call, uint64_t now_ns) {
    enum { FRESH_NS = 100000 };
    uint64_t last = atomic_load(&released);
    bool seen = looked.asked >= call && looked.asked >= last;
    if (call && seen && now_ns - looked.ns < FRESH_NS) return true;
    uint64_t so_far = atomic_load(&asked);
    if (!fault_arm()) return false;
    looked.asked = so_far;
    looked.ns = now_ns;
    return true;
}

/* Lets the signals in; whether one was blocked before. */
static bool let_in(sigset_t *before) {
    sigset_t faults;
    bool blocked = false;
    sigemptyset(&faults);
    for (unsigned i = 0; i < SIGNALS; i++) sigaddset(&faults, signals[i]);
    pthread_sigmask(SIG_UNBLOCK, &faults, before);
    for (unsigned i = 0; i < SIGNALS; i++) blocked |= sigismember(before, signals[i]) == 1;
    return blocked;
}

/* A fault whose signal is blocked finishes the process: those that were blocked are let in. */
void fault_enter(struct fault_scope *scope, struct group *g) {
    scope->blocked = !stay_knows(STAY_FAULTS) && let_in(&scope->mask);
    if (!scope->blocked) stay_learn(STAY_FAULTS);
    scope->outer = current;
    current = g;
}

void fault_leave(const struct fault_scope *scope) {
    current = scope->outer;
    if (scope->blocked) pthread_sigmask(SIG_SETMASK, &scope->mask, NULL);
}

/* ---- faults found in software ---- */

_Noreturn void group_fault(struct group *g, enum fault_kind kind, int lane, uint32_t address) {
    g->fault_kind = kind;
    g->fault_lane = lane;
    g->fault_address = address;
    g->fault_write = false;
    siglongjmp(g->escape, 1);
}

/* ---- what is said about a fault ---- */

static void fill_access(struct fault *f, const struct group *g) {
    f->address = g->fault_address;
    f->write = g->fault_write;
    if (!g->inst) return;
    uint32_t flags = isa_op_info[g->inst->op].flags;
    if (flags & (ISA_OP_READS | ISA_OP_WRITES | ISA_OP_ATOMIC))
        f->write = flags & (ISA_OP_WRITES | ISA_OP_ATOMIC);
    if (flags & ISA_OP_MEMORY) f->size = isa_bytes(g->inst);
}

static void fill_item(struct fault *f, const struct group *g, int lane) {
    const uint32_t *size = g->launch->local_size;
    uint32_t thread = g->warp * ISA_WARP + (uint32_t)lane;
    f->item_known = lane >= 0 && lane < ISA_WARP && thread < g->items;
    if (!f->item_known) return;
    f->local_id[0] = thread % size[0];
    f->local_id[1] = thread / size[0] % size[1];
    f->local_id[2] = thread / size[0] / size[1];
    for (int d = 0; d < 3; d++)
        f->global_id[d] = g->launch->offset[d] + f->group_id[d] * size[d] + f->local_id[d];
}

void fault_fill(struct fault *f, struct group *g, const struct engine *engine) {
    const struct isa_module *module = executable_module(g->launch->executable);
    int lane = g->fault_lane;
    *f = (struct fault){.kind = g->fault_kind, .kernel = g->launch->kernel->name};
    /* Should this fault as well, the launch still has ended for a reason. Of a tile only the engine
     * knows which group it was in. */
    if ((lane < 0 && (f->kind == FAULT_ACCESS || f->kind == FAULT_TIMEOUT)) ||
        (g->tiling && g->native))
        lane = engine->blame(g, g->fault_address);
    memcpy(f->group_id, g->group_id, sizeof f->group_id);
    if (f->kind == FAULT_ACCESS || f->kind == FAULT_PRIVATE || f->kind == FAULT_MISALIGNED)
        fill_access(f, g);
    if (g->inst && g->inst->line) {
        f->line = g->inst->line;
        f->file = g->inst->file < module->nfiles ? module->files[g->inst->file] : NULL;
    }
    fill_item(f, g, lane);
}

/* Text of at most `size` bytes that goes on counting beyond. */
struct line {
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *format, ...) {
    va_list list;
    va_start(list, format);
    size_t room = l->length < l->size ? l->size - l->length : 0;
    int n = vsnprintf(room ? l->text + l->length : NULL, room, format, list);
    va_end(list);
    if (n > 0) l->length += (size_t)n;
}

static void add_access(struct line *l, const struct fault *f, const char *where) {
    add(l, f->write ? "store" : "load");
    if (f->size) add(l, " of %u byte%s", f->size, f->size == 1 ? "" : "s");
    add(l, " %s 0x%08" PRIx32, where, f->address);
}

static void add_ids(struct line *l, const char *what, const uint32_t *id) {
    add(l, "%s (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", what, id[0], id[1], id[2]);
}

int fault_describe(const struct fault *f, char *text, size_t size) {
    struct line l = {text, size, 0};
    if (size) *text = 0;
    add(&l, "kernel \"%s\" stopped: ", f->kernel ? f->kernel : "");
    switch (f->kind) {
    case FAULT_NONE: add(&l, "no fault"); break;
    case FAULT_ACCESS: add_access(&l, f, "outside every buffer at address"); break;
    case FAULT_PRIVATE:
        add_access(&l, f, "outside the work-item's private memory at offset");
        break;
    case FAULT_BARRIER: add(&l, "barrier that not every work-item of the group reaches"); break;
    case FAULT_IMAGE: add(&l, "image argument that does not fit the access"); break;
    case FAULT_MISALIGNED: add_access(&l, f, "not aligned at address"); break;
    case FAULT_TIMEOUT: add(&l, "it ran for longer than SIMTCL_TIMEOUT allows"); break;
    case FAULT_UNGUARDED:
        add(&l, "the handler that catches its faults could not be put in place");
        break;
    case FAULT_RESOURCES: add(&l, "the host ran out of memory for the launch"); break;
    }
    if (f->line && f->file && *f->file)
        add(&l, ", %s line %" PRIu32, f->file, f->line);
    else if (f->line)
        add(&l, ", line %" PRIu32, f->line);
    if (f->item_known) {
        add_ids(&l, ", work-item global", f->global_id);
        add_ids(&l, " local", f->local_id);
        add_ids(&l, " of group", f->group_id);
    } else if (f->kind != FAULT_NONE && f->kind < FAULT_UNGUARDED) {
        add_ids(&l, ", group", f->group_id);
    }
    return (int)l.length;
}
