#include "use_native.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/run/tier.h"

static unsigned here;
unsigned *use_native_compiled = &here;

static enum native_status compile(const struct native_request *r, struct native_object *made,
                                  const char **why) {
    struct native_request checked = *r;
    checked.check = true;
    enum native_status status = native_api.compile(&checked, made, why);
    *use_native_compiled += status == NATIVE_OK;
    if (status == NATIVE_FAILED) { /* what LLVM's verifier refuses, too */
        fprintf(stderr, "kernel %s: LLVM does not compile it\n", r->kernel->name);
        abort();
    }
    return status;
}

const struct native_api *use_native_load(void) {
    static struct native_api api;
    api = native_api;
    api.compile = compile;
    return &api;
}

__attribute__((constructor)) static void use_native(void) {
    tier_configure(TIER_NATIVE, NATIVE_AVX512);
    tier_source(&(struct tier_source){.compiler = use_native_load()});
}
