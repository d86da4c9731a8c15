/* The variables of a kernel that lie in memory, which sites name. */
#include <stdlib.h>
#include <string.h>

#include "isa_private.h"

uint32_t isa_variable_new(struct isa_kernel *k, const struct isa_variable *variable) {
    struct isa_variable v = *variable;
    v.name = strdup(variable->name ? variable->name : "");
    if (!v.name || !isa_grow((void **)&k->variables, &k->cap_variables, k->nvariables + 1ull,
                             sizeof *k->variables)) {
        free(v.name);
        k->failed = true;
        return 0;
    }
    k->variables[k->nvariables++] = v;
    return k->nvariables;
}

bool isa_variables_copy(struct isa_kernel *to, const struct isa_kernel *from) {
    for (uint32_t n = 0; n < from->nvariables; n++)
        if (!isa_variable_new(to, &from->variables[n])) return false;
    return true;
}

void isa_variables_free(struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nvariables; n++) free(k->variables[n].name);
    free(k->variables);
}

bool isa_variables_finish(struct isa_kernel *k) {
    uint32_t *now = calloc(k->nvariables + (size_t)1, sizeof *now), kept = 0;
    if (!now) {
        k->failed = true;
        return false;
    }
    for (uint32_t n = 0; n < k->nsites; n++) {
        if (k->sites[n].fate != ISA_SITE_PRESENT) k->sites[n].variable = 0;
        now[k->sites[n].variable] = 1;
    }
    for (uint32_t n = 0; n < k->nvariables; n++) {
        if (!now[n + 1]) {
            free(k->variables[n].name);
            continue;
        }
        k->variables[kept++] = k->variables[n];
        now[n + 1] = kept;
    }
    now[0] = 0;
    k->nvariables = kept;
    for (uint32_t n = 0; n < k->nsites; n++) k->sites[n].variable = now[k->sites[n].variable];
    free(now);
    return true;
}

static uint64_t room_of(const struct isa_module *m, const struct isa_kernel *k, unsigned space) {
    switch (space) {
    case ISA_LOCAL: return k->local_bytes;
    case ISA_PRIVATE: return k->private_bytes;
    case ISA_CONSTANT: return m->data_bytes;
    default: return 0;
    }
}

const char *isa_variables_check(const struct isa_module *m, const struct isa_kernel *k) {
    for (uint32_t n = 0; n < k->nvariables; n++) {
        const struct isa_variable *v = &k->variables[n];
        if ((uint64_t)v->offset + v->bytes > room_of(m, k, v->space))
            return "a variable does not lie in its space";
    }
    for (uint32_t n = 0; n < k->nsites; n++) {
        const struct isa_site *s = &k->sites[n];
        if (!s->variable) continue;
        if (s->variable > k->nvariables || k->variables[s->variable - 1].space != s->space)
            return "a site's variable is none of its space";
    }
    return NULL;
}
