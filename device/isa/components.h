/* What lies in memory by components: of each byte the type of the one that begins there, or that it
 * is inside one, or 0. Private to passes that put such memory into registers. */
#ifndef SIMTCL_COMPONENTS_H
#define SIMTCL_COMPONENTS_H

#include <string.h>

#include "isa.h"

enum { COMPONENTS_INSIDE = 0xff };

/* Notes one; false when it overlaps another one. */
static inline bool components_note(uint8_t *type, uint32_t at, enum isa_type t) {
    uint32_t size = isa_type_size[t];
    if (type[at]) return type[at] != COMPONENTS_INSIDE && isa_type_size[type[at]] == size;
    for (uint32_t n = 0; n < size; n++)
        if (type[at + n]) return false;
    memset(type + at, COMPONENTS_INSIDE, size);
    type[at] = (uint8_t)t;
    return true;
}

/* to = from, of the other type: as it is, or its bits. */
static inline void components_move(struct isa_kernel *k, isa_operand to, isa_operand from,
                                   enum isa_type want, enum isa_type have) {
    bool same = want == have;
    isa_emit(k, same ? ISA_mov : ISA_bits, want, same ? ISA_NONE_T : have, 1, &to, 1, &from);
}

#endif
