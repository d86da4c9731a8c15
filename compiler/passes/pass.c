/* The order of the passes: passes.def. */
#include "pass.h"

enum pass_number {
#define PASS(name, must, what) PASS_##name,
#include "passes.def"
    PASS_COUNT
};

static const struct {
    const char *name;
    bool must;
    bool (*run)(const struct pass *p);
} passes[PASS_COUNT] = {
#define PASS(name, must, what) {#name, must, pass_##name},
#include "passes.def"
};

enum when { ALWAYS, OBJECTS, DOUBLES, EXACT, CHANGED };
static const struct {
    uint8_t pass, when;
} steps[] = {
#define STEP(name, when) {PASS_##name, when},
#include "passes.def"
};

void pass_run(const struct isa_module *m, struct isa_kernel *k, struct arena *arena,
              const struct pass_options *options) {
    struct arena_mark before = arena_mark(arena); /* each pass gives back what it took */
    const bool wanted[] = {[ALWAYS] = true,
                           [OBJECTS] = options->frame.nobjects != 0,
                           [DOUBLES] = options->demotes,
                           [EXACT] = options->exact,
                           [CHANGED] = true};
    bool changed = false;
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        enum pass_number which = (enum pass_number)steps[n].pass;
        const char *name = passes[which].name;
        bool off = options->off || trace_off(options->trace, name);
        if (!wanted[steps[n].when] || (steps[n].when == CHANGED && !changed)) continue;
        if (off && !passes[which].must) continue;
        const struct pass p = {m, k, arena, options, off, {options->trace, m, k->name, name}};
        changed = passes[which].run(&p) || (changed && which != PASS_value);
        arena_release(arena, before);
        if (!isa_kernel_failed(k)) trace_dump(options->trace, name, k);
    }
}
