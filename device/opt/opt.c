/* The order of the host passes is that of opt.def. */
#include "opt.h"

#include <assert.h>

#include "device/isa/rewrite.h"
#include "opt_pass.h"

static const struct {
    const char *name;
    void (*run)(struct isa_kernel *k, struct arena *arena, const struct trace_pass *p);
} passes[] = {
#define PASS(name, function, what) {name, function},
#include "opt.def"
#undef PASS
};

static void run(const struct isa_module *m, struct isa_kernel *k, struct arena *arena,
                const struct trace *trace) {
    struct arena_mark before = arena_mark(arena);
    for (size_t n = 0; n < sizeof passes / sizeof *passes; n++) {
        const struct trace_pass p = {trace, m, k->name, passes[n].name};
        if (trace_off(trace, p.name)) continue;
        passes[n].run(k, arena, &p);
        arena_release(arena, before);
        if (isa_kernel_failed(k)) return;
        rewrite_match(k);
        trace_dump(trace, p.name, k);
    }
}

bool opt_run(const struct isa_module *m, struct isa_kernel *k, const struct trace *trace) {
    struct arena_try t;
    struct isa_error error;
    if (ARENA_FAILS(&t)) return false;
    run(m, k, t.arena, trace);
    arena_free(t.arena);
    bool good = !isa_kernel_failed(k) && isa_sites_finish(k) && isa_verify_one(m, k, &error);
    assert(good || isa_kernel_failed(k));
    return good;
}
