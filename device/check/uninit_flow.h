/* What may hold values that nothing has set, and where such a value may come from: over the whole
 * kernel, in whichever order it runs. Private to device/check. */
#ifndef SIMTCL_UNINIT_FLOW_H
#define SIMTCL_UNINIT_FLOW_H

#include "device/isa/arena.h"
#include "device/isa/rewrite.h"
#include "device/observe/tells.h"
#include "uninit_code.h"

/* Does it give what is not set: a variable's value before its first assignment? */
static inline bool uninit_gives(const struct isa_inst *i) {
    return i->op == ISA_special && i->imm == ISA_SPECIAL_undefined;
}

/* Of each register: 1 where it may not be set; frames: private memory is looked at. */
const uint8_t *uninit_flow(const struct rewrite_code *code, bool frames, struct arena *arena);

/* Fills the calls and sources of `into`. loads: of each instruction, the call that tells of what it
 * loads, + 1. False: no memory. */
bool uninit_sources(const struct rewrite_code *code, const struct tells *tells,
                    const uint32_t *loads, struct uninit_code *into);

#endif
