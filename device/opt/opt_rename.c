/* Registers that straight code writes several times, and that are read there alone, are one for
 * each time: what is known of a register is then known of each value. */
#include "opt_pass.h"

#include "device/isa/rewrite.h"

void opt_rename(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    uint32_t found = rewrite_rename(k, arena);
    if (found) trace_tell(p, NULL, "%u values have a register of their own", found);
}
