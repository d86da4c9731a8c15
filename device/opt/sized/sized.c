/* The order of the passes is that of sized.def. */
#include "sized.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sized_pass.h"

static const struct {
    const char *label;
    bool (*make)(const struct sized *s, const struct trace_pass *p, struct sized_kernel *made);
} passes[] = {
#define PASS(name, label, function, what) {label, function},
#include "sized.def"
#undef PASS
};

void sized_kernel_drop(struct sized_kernel *made) {
    isa_kernel_free(made->kernel);
    free(made->origins);
    free(made->versions);
    *made = (struct sized_kernel){0};
}

void sized_kernel_take(struct sized_kernel *made, struct kernelcopy *c) {
    for (uint32_t n = 0; made->kernel && n < c->out->ninsts; n++)
        c->origins[n] = made->origins[c->origins[n]];
    sized_kernel_drop(made);
    *made = (struct sized_kernel){c->out, c->origins, NULL};
    free(c->names);
    *c = (struct kernelcopy){0};
}

/* The newest of the passes before this one; NULL: none has made any. */
static const struct sized_kernel *newest(const struct sized *s, unsigned before) {
    while (before--)
        if (s->made[before].kernel) return &s->made[before];
    return NULL;
}

/* What a pass has made is the newest kernel, if the verifier takes it. */
static bool take(struct sized *s, unsigned n) {
    struct sized_kernel *made = &s->made[n];
    const struct sized_kernel *from = newest(s, n);
    struct isa_error error;
    for (uint32_t i = 0; from && i < made->kernel->ninsts; i++)
        made->origins[i] = from->origins[made->origins[i]];
    if (!isa_verify_one(s->module, made->kernel, &error)) {
        fprintf(stderr, "simtcl: kernel %s, %s: %s\n", s->first->name, passes[n].label, error.text);
        assert(false);
        s->unsound = true;
        return false;
    }
    trace_dump(s->trace, passes[n].label, made->kernel);
    s->k = made->kernel;
    return true;
}

bool sized_make(struct sized *s, const struct isa_module *m, const struct isa_kernel *k,
                const struct sized_groups *groups, const struct trace *trace) {
    *s = (struct sized){.module = m, .groups = *groups, .trace = trace, .k = k, .first = k};
    s->items = groups->size[0] * groups->size[1] * groups->size[2];
    s->warps = (s->items + ISA_WARP - 1) / ISA_WARP;
    for (unsigned n = 0; n < SIZED_PASSES; n++) {
        const struct trace_pass p = {trace, m, k->name, passes[n].label};
        if (n != SIZED_REGROUP && trace_off(trace, passes[n].label)) continue; /* tiles must be */
        if (!passes[n].make(s, &p, &s->made[n])) return false;
        if (s->made[n].kernel && !take(s, n)) return false;
    }
    return true;
}

void sized_free(struct sized *s) {
    for (unsigned n = 0; n < SIZED_PASSES; n++) sized_kernel_drop(&s->made[n]);
}

bool sized_grown(const struct sized *s) {
    const struct sized_kernel *last = newest(s, SIZED_PASSES);
    return last && last != &s->made[SIZED_REGROUP];
}

bool sized_take_back(struct sized *s) {
    unsigned n = SIZED_PASSES - 1;
    while (n > SIZED_REGROUP && !s->made[n].kernel) n--;
    if (n == SIZED_REGROUP) return false;
    const struct trace_pass p = {s->trace, s->module, s->first->name, passes[n].label};
    trace_tell(&p, NULL, "taken back: the kernel would be too large");
    sized_kernel_drop(&s->made[n]);
    const struct sized_kernel *last = newest(s, n);
    s->k = last ? last->kernel : s->first;
    return true;
}

const uint32_t *sized_origins(const struct sized *s) {
    const struct sized_kernel *last = newest(s, SIZED_PASSES);
    return last ? last->origins : NULL;
}

const uint8_t *sized_versions(const struct sized *s) {
    const struct sized_kernel *last = newest(s, SIZED_PASSES);
    return last ? last->versions : NULL;
}
