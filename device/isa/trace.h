/* What a person asked to see of passes and rewrites, and which of them to leave out. The driver
 * reads it from the environment and hands it down as a value to whoever runs passes: the compiler,
 * the host passes, the native engine. Each of them has a table (.def) of the names.
 *
 * NULL stands for a person who asked for nothing, everywhere. */
#ifndef SIMTCL_TRACE_H
#define SIMTCL_TRACE_H

#include "isa.h"

struct trace {
    const char *dump; /* SIMTCL_DUMP: names, "name:kernel" for one kernel only, "all" is any name */
    const char *off;  /* SIMTCL_OFF: names, "all" is any name */
    bool log;         /* SIMTCL_LOG=passes: what each pass did, where, or why not */
    /* Takes whole lines; NULL: they go to stderr. May be called on any thread. */
    void (*write)(void *context, const char *text, size_t length);
    void *context;
};
/* Both lists are separated by commas, semicolons or spaces; either may be NULL or empty. Names are
 * lower case letters, digits and '-'. */

/* Has the pass or rewrite been switched off? Those that have to run do not ask. */
bool trace_off(const struct trace *t, const char *name);
/* Is the kernel to be dumped after the pass or stage? */
bool trace_dumps(const struct trace *t, const char *name, const char *kernel);
/* Does anything asked for need the passes to run although their result is known, or change it? Then
 * no cache is asked, and none keeps what is made. */
bool trace_active(const struct trace *t);

/* Dumps the kernel if that was asked for: a header line that names kernel and pass, then the
 * kernel in the text form. It need not be one that the verifier accepts. */
void trace_dump(const struct trace *t, const char *name, const struct isa_kernel *k);
/* The same for what is not warp IR (LLVM IR, machine code); asked or not, the caller knows. */
void trace_dump_text(const struct trace *t, const char *name, const char *kernel, const char *text);

/* The pass that is at work, for the log. */
struct trace_pass {
    const struct trace *trace;
    const struct isa_module *module; /* for the names of files */
    const char *kernel, *name;
};
/* Tells under the log class `passes`, in one line, what the pass did at the instruction's place in
 * the source, or why it did nothing there. `where` may be NULL: the kernel as a whole. */
void trace_tell(const struct trace_pass *p, const struct isa_inst *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether trace_tell would write, for who has to work for the text. */
bool trace_tells(const struct trace_pass *p);

/* For each name of the lists (dump, off) that is not among the `n` names: unknown(context,
 * variable's name, the name). */
void trace_check(const struct trace *t, const char *const *names, size_t n,
                 void (*unknown)(void *context, const char *variable, const char *name),
                 void *context);

#endif
