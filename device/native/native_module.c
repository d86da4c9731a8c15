/* The native engine's module has one entry point: everything else in it is hidden. */
#include "native.h"

__attribute__((visibility("default"))) const struct native_api *simtcl_native_module(void) {
    return &native_api;
}
