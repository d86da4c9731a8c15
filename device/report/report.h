/* The report: what a GPU would have done with all launches of the process, and what would be
 * better, as a page, as JSON and as a few lines of text (docs/report.md). This folder knows no
 * cl_* types and reads no environment: the runtime says what is wanted, what ran, and when to
 * write.
 */
#ifndef SIMTCL_REPORT_H
#define SIMTCL_REPORT_H

#include <stdio.h>

#include "device/gpu/model.h"
#include "device/isa/isa.h"
#include "device/observe/observe.h"

/* Text of a source file. */
struct report_text {
    char *bytes; /* NULL: not known */
    size_t length;
};

/* A launch, as the runtime knows it. */
struct report_launch {
    const struct isa_module *module; /* the kernel's */
    uint32_t global[3], local[3];
    /* The text of the module's file of that number, 0 the program's source, to be freed by the
     * report; asked for once for a kernel. */
    struct report_text (*text)(void *user, uint32_t file);
    void *user;
};

/* Who has to look on at each launch for there to be a report. */
enum { REPORT_OBSERVERS = 3 };
extern const struct observer *const report_observers[REPORT_OBSERVERS];

/* Reads an earlier report to compare with, once; its file may be overwritten from then on. False:
 * why says in one line why not. */
bool report_compare(const char *path, char why[256]);

/* Adds what one of these observers says of a launch. Thread safe. */
void report_add(const struct report_launch *l, const struct observer *who,
                const struct observe_result *result);

/* A stretch of the timeline, in seconds since the first one. */
struct report_span {
    const char *lane; /* "queue 1", "kernels", ... */
    const char *name, *kind;
    double begin, end;
    uint64_t bytes; /* of copies */
};

/* What the runtime knows besides launches. */
struct report_wish {
    const struct model *model, *board; /* the device's; one more to compare with, or NULL */
    const char *program;               /* its name */
    const char *baseline;              /* the path that report_compare was given; NULL: none */
    bool model_clock;                  /* spans are of the GPU's clock, not the host's */
    /* Calls `each` with each span of the timeline, in order; returns how many commands it left out.
     * NULL: there is none. */
    uint64_t (*timeline)(void (*each)(void *to, const struct report_span *span), void *to);
};

bool report_any(void); /* a launch has been added */

/* Writes the page, or all of it as JSON, or a few lines of text. Nothing is written when nothing
 * ran. Thread safe; for the process's end: kernels may still be running. */
void report_write_page(const struct report_wish *wish, FILE *to);
void report_write_data(const struct report_wish *wish, FILE *to);
void report_write_text(const struct report_wish *wish, FILE *to);

/* What has been collected is a parent's: all begins anew. For the child of a fork; before it
 * report_lock, behind it report_unlock in both. */
void report_forget(void);
void report_lock(void);
void report_unlock(void);

#endif
