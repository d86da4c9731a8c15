/* Texels: which image formats there are, and the host's way to write one texel
 * (specification 5.3.1.1). The texture unit's own conversions are in lanes/texels.h. */
#ifndef SIMTCL_TEXEL_H
#define SIMTCL_TEXEL_H

#include <stdbool.h>

#include "texture.h"

enum { TEXEL_MAX_BYTES = 16 };
enum { TEXEL_ZERO = 4, TEXEL_ONE = 5 }; /* components that are not stored */

enum {
#define TEXEL_TYPE(name, value, bytes, class)          TEXEL_##name = value,
#define TEXEL_ORDER(name, value, channels, r, g, b, a) TEXEL_##name = value,
#include "texel.def"
#undef TEXEL_TYPE
#undef TEXEL_ORDER
    TEXEL_FIRST_ORDER = TEXEL_R,
    TEXEL_FIRST_TYPE = TEXEL_SNORM_INT8
};

/* A quotient by 2^n - 1, which is 1 / 2^n + 1 / 2^2n + ... : the products with the first terms
 * (near) and with the rest (far) add up to the correctly rounded quotient for every value of a
 * channel of n bits. */
#define TEXEL_NEAR(n) ((n) < 15 ? 1.0f / (1 << (n)) + 1.0f / (1u << 2 * (n)) : 1.0f / (1 << (n)))
#define TEXEL_FAR(n)  ((float)(1.0 / ((1 << (n)) - 1) - (double)TEXEL_NEAR(n)))

/* What a channel order means: how many channels are stored, where red, green, blue and alpha come
 * from (a stored channel, TEXEL_ZERO or TEXEL_ONE). */
struct texel_order {
    uint8_t channels, from[4];
};

/* NULL for a number that is no order. */
const struct texel_order *texel_order(uint16_t order);

/* Bytes of one texel, 0 for a format that does not exist. */
unsigned texel_bytes(uint16_t order, uint16_t type);

/* Makes one texel of the format of `t` (texel_bytes of it): what write_image gives for `color`,
 * four floats, or integers where the channel's type has those. */
void texel_pack(const struct texture *t, const void *color, void *texel);

#endif
