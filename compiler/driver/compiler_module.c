/* The compiler module exports one symbol: everything else in it is hidden. */
#include "atwork.h"
#include "compiler/compiler.h"
#include "unit.h"
#include "compiler/reader/reader.h"

/* A build keeps nothing behind but what libclang has loaded, which cannot be taken back. */
static void unload(void) {}

static void warm(void) {
    if (!atwork_begin()) return;
    reader_warm();
    atwork_end();
}

static const struct compiler_api api = {.version = COMPILER_API_VERSION,
                                        .run = compiler_run,
                                        .is_object = unit_check,
                                        .start = reader_start,
                                        .warm = warm,
                                        .unload = unload,
                                        .stop = atwork_stop,
                                        .library = reader_library};

__attribute__((visibility("default"))) const struct compiler_api *simtcl_compiler_module(void) {
    return &api;
}
