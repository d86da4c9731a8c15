#include "promote.h"

void opt_beyond(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p) {
    promote_run(k, arena, p, true);
}
