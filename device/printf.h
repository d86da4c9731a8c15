/* printf: the records an engine leaves while kernels run, and the text they become when the launch
 * ends. */
#ifndef SIMTCL_PRINT_H
#define SIMTCL_PRINT_H

#include <stddef.h>

#include "device/engine.h"

/* Notes that work-item `lane` of warp g->warp executed the printf instruction `inst`. values:
 * inst->nsrc of them, the lane's operand bits zero extended (a pred is 0 or 1; a vector argument is
 * its components, one after the other; a %s argument is the 32-bit address of its characters).
 * Engines call it for the active lanes in ascending order. Never fails: what does not fit is
 * dropped and said so at the end. */
void print_record(struct group *g, const struct isa_inst *inst, uint32_t lane,
                  const uint64_t *values);

/* ---- launch.c's ---- */

struct print_buffer; /* the records of one slot in one launch */
struct print_log;    /* all of a launch's records */

struct print_log *print_log_new(void);
/* The slot's buffer, made when first asked for; NULL: out of memory (records are then dropped).
 * Slots do not share one, so threads need no lock. */
struct print_buffer *print_log_buffer(struct print_log *log, unsigned slot);
/* Gives the text of all records to `write` in order of work-items, whole lines (the last piece as
 * it is), and frees the log. */
void print_log_deliver(struct print_log *log, const struct isa_module *module,
                       const struct isa_kernel *kernel, uint32_t constant_base,
                       void (*write)(void *user, const char *text, size_t length), void *user);

/* Formats one record (OpenCL 1.2, 6.12.13) into `text`, at most `size` bytes with the closing NUL;
 * returns the length of the whole text. types: enum isa_type of each value. Arguments missing count
 * as 0. */
size_t print_format(char *text, size_t size, const char *format, const uint8_t *types,
                    const uint64_t *values, uint32_t nvalues, const struct isa_module *module,
                    uint32_t constant_base);

#endif
