/* From the AST of all units to one module. */
#include "lowering.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "lowerstate.h"

struct lowering_run {
    struct lower lower;
    struct lower_state state;
    jmp_buf no_memory, stop;
    struct isa_module *scratch;
    struct symbols strings, definitions, constants;
    uint32_t kernel_ids;
};

static void begin(struct lowering_run *r, struct ast_unit **units, unsigned nunits) {
    struct lower *l = &r->lower;
    struct lower_state *s = &r->state;
    l->state = s;
    l->module = isa_module_new();
    r->scratch = isa_module_new();
    if (!l->module || !r->scratch) lower_no_memory(l);
    s->scratch = isa_kernel_new(r->scratch, "initialisers");
    if (!s->scratch) lower_no_memory(l);
    s->units = units;
    s->nunits = nunits;
    s->strings = &r->strings;
    s->definitions = &r->definitions;
    s->constants = &r->constants;
    s->kernel_ids = &r->kernel_ids;
    s->fast = l->options->fast_relaxed_math || l->options->unsafe_math;
    s->maps = ARENA_ARRAY(l->arena, uint16_t *, nunits);
    for (unsigned u = 0; u < nunits; u++) {
        s->maps[u] = ARENA_ARRAY(l->arena, uint16_t, units[u]->nfiles + 1u);
        for (uint32_t i = 0; i < units[u]->nfuncs; i++) {
            struct function *info = ARENA_NEW(l->arena, struct function);
            info->unit = units[u];
            units[u]->funcs[i]->lowered = info;
        }
    }
    for (unsigned u = 0; u < nunits; u++) {
        for (uint32_t i = 0; i < units[u]->nfuncs; i++)
            if (units[u]->funcs[i]->body) lower_define(l, units[u]->funcs[i], units[u]);
        for (uint32_t i = 0; i < units[u]->nconstants; i++)
            lower_define_constant(l, units[u]->constants[i], units[u]);
    }
    if (nunits && units[0]->nfiles) isa_module_add_file(l->module, units[0]->files[0]);
}

static void kernels(struct lowering_run *r) {
    struct lower *l = &r->lower;
    if (l->options->check_values) lower_find_reach(l);
    for (unsigned u = 0; u < r->state.nunits; u++) {
        struct ast_unit *unit = r->state.units[u];
        for (uint32_t i = 0; i < unit->nfuncs; i++) {
            struct ast_func *f = unit->funcs[i];
            if (!f->is_kernel || !f->body) continue;
            lower_unit(l, unit);
            lower_kernel(l, f);
        }
    }
}

struct isa_module *lowering_run(struct arena *arena, struct diag *diag,
                                const struct options *options, const struct compiler_target *target,
                                struct ast_unit **units, unsigned nunits,
                                const struct trace *trace) {
    struct lowering_run *r = calloc(1, sizeof *r);
    if (!r) arena_exhaust(arena);
    fenv_t environment;
    fegetenv(&environment); /* constants are folded in the default one, whatever the host set */
    fesetenv(FE_DFL_ENV);
    r->lower = (struct lower){.diag = diag, .options = options, .target = target, .trace = trace};
    r->state.no_memory = &r->no_memory;
    r->state.stop = &r->stop;
    r->lower.arena = arena_new(&r->no_memory);
    struct isa_error error;
    bool good = false, exhausted = !r->lower.arena;
    if (exhausted || setjmp(r->no_memory)) {
        exhausted = true;
    } else {
        if (!setjmp(r->stop)) {
            begin(r, units, nunits);
            kernels(r);
        }
        good = !r->lower.errors;
        if (good && !isa_verify(r->lower.module, &error)) {
            exhausted = strstr(error.text, "out of memory") != NULL;
            diag_report(diag, DIAG_ERROR, NULL, 0, 0, "internal error of the compiler: %s",
                        error.text);
            good = false;
        }
    }
    struct isa_module *module = r->lower.module;
    isa_module_free(r->scratch);
    arena_free(r->lower.arena);
    free(r);
    fesetenv(&environment);
    if (good) return module;
    isa_module_free(module);
    if (exhausted) arena_exhaust(arena);
    return NULL;
}
