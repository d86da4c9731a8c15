/* Linked to a test, makes it run on the native engine. */
#include <stdlib.h>

#include "native/native.h"
#include "tier.h"

static const struct native_api *load(void) { return &native_api; }

__attribute__((constructor)) static void use_native(void) {
    setenv("SIMTCL_ENGINE", "native", 0);
    tier_source(&(struct tier_source){.load = load});
}
