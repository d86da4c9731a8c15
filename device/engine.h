/* What launch.c and an engine (interpreter, native) say to each other. Private to device/. */
#ifndef SIMTCL_ENGINE_H
#define SIMTCL_ENGINE_H

#include <setjmp.h>

#include "launch.h"

struct facts;
struct observe_plan;
struct observe_thread;
struct group;
struct debug_launch;
struct tiles;
struct tiles_traits;

/* A source of a note: 32 lanes, or one scalar. */
struct group_operand {
    const void *at;
    uint8_t type; /* enum isa_type */
    bool uniform;
};

/* Who follows a group that interpreter_debug runs: called for each instruction of a warp, before it
 * is executed, and for each note of a variable. Neither may fault. */
struct group_hooks {
    void (*before)(struct group *g, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                   uint32_t live);
    void (*noted)(struct group *g, const struct isa_inst *i, uint32_t warp, uint32_t mask,
                  const struct group_operand *operands);
};

/* One work-group being run by one thread. Filled in by launch.c. */
struct group {
    const struct launch *launch;
    const struct isa_kernel *kernel; /* as it is run: executable_run_kernel */
    const void *code;                /* what engine.prepare gave */
    char *base;                      /* middle of the sandbox */
    const char *params; /* argument block with the local arguments' addresses filled in (a copy for
                           each thread) */
    uint32_t group_id[3];
    uint64_t group_index;       /* x + y*nx + z*nx*ny; in tiles: tiles_group's number */
    uint32_t begun;             /* groups, or blocks, behind the first one */
    const struct tiles *tiling; /* NULL: the groups are run as they are */
    uint32_t items, warps;      /* work-items in the group; warps, the last may be partial */
    uint32_t constant_base;     /* sandbox address of the module's constant data */
    uint32_t local_base;        /* sandbox address of this thread's local memory window */
    uint32_t
        private_base; /* sandbox address of the private frames: warp w has frame_bytes * 32 bytes at
                         w * frame_bytes * 32, byte o of lane l at (o / 4) * 128 + l * 4 + o % 4 */
    uint32_t frame_bytes; /* kernel->private_bytes rounded up to a multiple of 16 */
    uint32_t places; /* groups that may be under way at once on the thread, each with local memory
                        and private frames of its own: group_place */
    uint32_t first_local, first_private; /* of the first place */
    void *own_params;                    /* room for the block */
    void **scratch; /* memory of this thread, kept between groups: the engine's own, grown with
                       group_scratch */
    size_t *scratch_bytes;
    struct print_buffer *print; /* where printf records go (print.h) */
    struct observe_thread
        *observe; /* what this thread collects for observers; NULL: there is none */
    const struct group_hooks *hooks; /* of a debugger; NULL: there is none */
    struct debug_launch *debug;      /* the debugger's */
    /* kept up to date by the engine while it runs, so that a fault can be placed */
    const struct isa_inst *inst;   /* memory operation being executed, NULL: unknown */
    uint32_t warp;                 /* warp being executed */
    uint32_t mask;                 /* lanes that take part */
    uint32_t *volatile iterations; /* of the warp that is interpreted, to be cut short by a signal;
                                      NULL: none is */
    const char *volatile native;   /* the code that runs, and its size; NULL: it is not native */
    volatile size_t native_bytes;
    uint64_t rerun_until; /* it runs again to find a fault's place, so long at least after its
                             launch is overdue; 0: it does not */
    /* fault.c's: what ended the group early, and the way out */
    enum fault_kind fault_kind;
    int fault_lane; /* -1: not known */
    uint32_t fault_address;
    bool fault_write;
    sigjmp_buf escape;
};

/* At least `bytes` of scratch memory (64-byte aligned, content undefined), or NULL. */
void *group_scratch(struct group *g, size_t bytes);

/* Makes g the next group of the same thread; false: none is left before `end`, or the launch has
 * been stopped. */
bool group_next(struct group *g, uint64_t end);

/* The same, past `passed` groups: they have been run together with g. */
bool group_pass(struct group *g, uint64_t passed, uint64_t end);

/* In its parts, for an engine that has several groups under way. group_goes_on: may another one
 * begin? group_place: g's memory is that of a place, less than g->places. group_seek: g is the
 * group with that index; false: in tiles, there is none. group_begin, group_end: observers are told
 * of the group that g is. */
bool group_goes_on(struct group *g);
void group_place(struct group *g, uint32_t place);
bool group_seek(struct group *g, uint64_t index);
void group_begin(struct group *g);
void group_end(struct group *g);

/* Has the launch run for longer than it may? */
bool launch_overdue(const struct launch *l);
/* Must the group stop for that? */
bool group_overdue(const struct group *g);

/* Ends the group, and with it the launch, with a fault found in software. lane < 0: not known. Does
 * not return. */
_Noreturn void group_fault(struct group *g, enum fault_kind kind, int lane, uint32_t address);

struct engine {
    const char *name;
    /* Makes a kernel ready to run; NULL: out of memory. Thread safe. `module` and `kernel` outlive
     * the code. */
    void *(*prepare)(const struct isa_module *module, const struct isa_kernel *kernel);
    void (*discard)(void *code);
    void (*run)(struct group *g); /* runs the group to its end; leaves through group_fault or a
                                     signal otherwise */
    /* After a hardware fault at sandbox address `address`: which lane of g->warp did it, or -1. May
     * set g->inst. */
    int (*blame)(struct group *g, uint32_t address);
    /* In place of run: runs it and all that group_next gives. NULL: another engine may take over
     * after each group. */
    void (*run_until)(struct group *g, uint64_t end);
};

/* How work-groups of a kernel that start now are to be run. Immutable; a better engine publishes a
 * new one. */
struct code {
    const struct engine *engine;
    void *data; /* what engine->prepare gave */
};

/* A kernel of an executable, ready to run with those observers looking on (NULL: nobody).
 * debug: as it was built, with its notes, by interpreter_debug alone. low_ids: for launches of
 * which isa_kernel.low_ids holds, unless somebody looks on. executable_kernel: NULL when out of
 * memory; lives as long as the executable; the first call with such a set prepares it, from
 * whatever thread. executable_code is asked for each work-group: the one place where a kernel
 * changes engines. t: how the launch is tiled, and the group is the first of a block; NULL: it is
 * not. executable_plain: the interpreter's. */
struct executable_kernel;
struct executable_kernel *executable_kernel(struct executable *x, const struct isa_kernel *kernel,
                                            const struct observe_set *observers, bool debug,
                                            bool low_ids);
/* The kernel for work-items that do an iteration each; NULL: no memory. What it is: its kernel,
 * which executable_kernel takes, too, may be NULL. Which of its parameters, as bits, must share
 * their memory with no other, and whether no work-item accesses what another one stores then in
 * such a launch, with arguments l->params. */
struct unfold;
struct unfolded_kernel;
struct affine_launch;
struct unfolded_kernel *executable_unfolded(struct executable *x, const struct isa_kernel *kernel);
const struct unfold *executable_unfold(const struct unfolded_kernel *u);
uint32_t executable_unfold_alone(const struct unfolded_kernel *u);
bool executable_unfold_apart(struct unfolded_kernel *u, const struct affine_launch *l);
/* The same for another ND-range (device/opt/regrid.h) in launches of that size: the others tell of
 * it, too. NULL: no memory, or none is made. */
struct regrid;
struct unfolded_kernel *executable_regridded(struct executable *x, const struct launch *l);
const struct regrid *executable_regrid(const struct unfolded_kernel *u);
/* May some launch of the kernel have it written otherwise (opt/digits.h)? The one for such a
 * launch, which executable_kernel takes, too; NULL: it is what it was, or so many launches were in
 * a row that this one is not looked at. */
bool executable_has_digits(struct executable *x, const struct isa_kernel *kernel);
const struct isa_kernel *executable_digital(struct executable *x, const struct isa_kernel *kernel,
                                            const struct affine_launch *l);
const struct code *executable_code(const struct executable_kernel *k, const struct launch *l,
                                   const struct tiles *t);
const struct code *executable_plain(const struct executable_kernel *k);
/* The kernel for launches in a random order (interp/shuffle.h), prepared when it is first asked
 * for; NULL: out of memory. */
const struct code *executable_shuffled(struct executable_kernel *k);
/* A launch of the kernel is about to start: a better engine may be made ready. */
void executable_launch(struct executable_kernel *k, const struct launch *l, const struct tiles *t);
/* What tiles_choose has to know of the kernel. */
const struct tiles_traits *executable_tiling(const struct executable_kernel *k);
/* How many of its launches in a row were not known to be apart (isolation_holds). */
_Atomic uint32_t *executable_refusals(struct executable_kernel *k);
/* Those that were looked at (run/lastlaunches.h). */
struct last_launches *executable_last(struct executable_kernel *k);
/* A launch of so many work-items (0: they are not to be counted) took so long; what one of them
 * took in the last one, at most, on one thread, in nanoseconds. 0: there was none. */
void executable_spent(struct executable_kernel *k, uint64_t ns, double items);
double executable_pace(const struct executable_kernel *k);
/* What a work-item of the kernel took in its last launch, whatever its size; 0: there was none. */
void executable_took(struct executable *x, const struct isa_kernel *kernel, double item_ns);
double executable_item_ns(struct executable *x, const struct isa_kernel *kernel);
/* Keeps a state (launchlike.h), or none, of the launches of the kernel, and gives the one that was
 * kept. Freed with the executable. */
struct launch_state;
struct launch_state *executable_keep(struct executable *x, const struct isa_kernel *kernel,
                                     struct launch_state *s);
/* executable_launch has nothing more to do, and executable_code always gives the same, for launches
 * of that size that are not tiled. */
bool executable_settled(const struct executable_kernel *k, const struct launch *l);
uint64_t executable_serial(const struct executable *x); /* never the same for two, and not 0 */
struct memory *executable_memory(const struct executable *x);
/* What observers keep of it; NULL: nothing is kept. */
struct facts *executable_facts(struct executable *x, const struct isa_kernel *kernel);
enum { KERNEL_USES_F64 = 1, KERNEL_LOOPS = 2, KERNEL_PRINTS = 4 };
/* The kernel as the engines run it, after host passes: instruction numbers, registers and places in
 * the source that they speak of are its. */
const struct isa_kernel *executable_run_kernel(const struct executable_kernel *k);
struct observe_plan *executable_plan(
    const struct executable_kernel *k); /* what its probes tell; NULL: there are none */
unsigned executable_traits(const struct executable_kernel *k); /* KERNEL_* */

extern const struct engine
    interpreter; /* interpreter.c: picks AVX-512, AVX2 or baseline code at run time */
extern const struct engine interpreter_debug; /* the same, calling group_hooks */

#endif
