/* SIMTCL_CHECK=api: what programs do wrong with objects and calls. */
#include "checking_api.h"

#include <string.h>

#include "checking.h"
#include "context.h"

static _Thread_local unsigned callbacks; /* that the thread is in */

static void tell(enum check_rule rule, const char *subject, const char *object) {
    struct check_finding f = {.rule = rule, .severity = check_rules[rule].severity};
    snprintf(f.party.subject, sizeof f.party.subject, "%s", subject);
    snprintf(f.object, sizeof f.object, "%s", object);
    check_tell(&f);
}

void checking_callback_begin(void) { callbacks++; }
void checking_callback_end(void) { callbacks--; }

void checking_waits(const char *function) {
    if (callbacks && checking_kind(CHECK_IS_api)) tell(CHECK_blocks, function, "");
}

/* Whether the host has the object, or the buffer that it is a part of, mapped for writing. */
static bool is_mapped(cl_mem m) {
    bool found = false;
    pthread_mutex_t *lock = &m->context->mem_lock;
    pthread_mutex_lock(lock);
    for (; m && !found; m = m->parent)
        for (const struct mapping *p = m->mappings; p; p = p->next) found |= p->write;
    pthread_mutex_unlock(lock);
    return found;
}

void checking_args(cl_kernel k, const struct isa_kernel *code, const struct check_launch *l) {
    for (uint32_t n = 0; checking_kind(CHECK_IS_api) && n < code->nparams; n++) {
        const struct kernel_arg *a = &k->args[n];
        if (!a->object || a->kind == ISA_PARAM_SAMPLER || !is_mapped(a->object)) continue;
        struct check_finding f = {.rule = CHECK_mapped,
                                  .severity = check_rules[CHECK_mapped].severity,
                                  .launch = l,
                                  .kernel = code};
        snprintf(f.party.subject, sizeof f.party.subject, "a launch");
        snprintf(f.object, sizeof f.object, "%s, argument `%s`", l->params[n].name,
                 code->params[n].name);
        check_tell(&f);
    }
}

/* ---- the process's end ---- */

void checking_left_others(void) {
    static const enum object_kind kinds[] = {OBJECT_context, OBJECT_queue,  OBJECT_sampler,
                                             OBJECT_program, OBJECT_kernel, OBJECT_event};
    for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        uint64_t count = object_count(kinds[n]);
        struct check_finding f = {.rule = CHECK_never_released,
                                  .severity = check_rules[CHECK_never_released].severity,
                                  .count = count};
        snprintf(f.party.subject, sizeof f.party.subject, "%s", object_kind_name(kinds[n]));
        if (count) check_tell(&f);
    }
}

void checking_left(cl_mem m) {
    char text[96];
    if (!object_users(m)) return; /* commands have it, or parts */
    checking_describe(m, text, sizeof text);
    tell(CHECK_never_released, "memory object", text);
}
