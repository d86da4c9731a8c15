#include "texel.h"

#include <string.h>

#include "texture_unit.h"

static const struct texel_order orders[] = {
#define TEXEL_ORDER(name, value, channels, r, g, b, a)                                             \
    [value - TEXEL_FIRST_ORDER] = {channels, {r, g, b, a}},
#define ZERO TEXEL_ZERO
#define ONE  TEXEL_ONE
#include "texel.def"
#undef ZERO
#undef ONE
#undef TEXEL_ORDER
};
enum { ORDERS = sizeof(orders) / sizeof(*orders) };

static const uint8_t bytes_of[] = {
#define TEXEL_TYPE(name, value, bytes, class) [value - TEXEL_FIRST_TYPE] = bytes,
#include "texel.def"
#undef TEXEL_TYPE
};
enum { TYPES = sizeof(bytes_of) };

/* Which types an order goes with (tables 5.6 and 5.7). */
static bool goes_with(uint16_t order, uint16_t type) {
    bool packed = type == TEXEL_UNORM_SHORT_565 || type == TEXEL_UNORM_SHORT_555 ||
                  type == TEXEL_UNORM_INT_101010;
    switch (order) {
    case TEXEL_RGB:
    case TEXEL_RGBx: return packed;
    case TEXEL_BGRA:
    case TEXEL_ARGB:
        return type == TEXEL_UNORM_INT8 || type == TEXEL_SNORM_INT8 || type == TEXEL_SIGNED_INT8 ||
               type == TEXEL_UNSIGNED_INT8;
    case TEXEL_INTENSITY:
    case TEXEL_LUMINANCE: return !packed && (type <= TEXEL_UNORM_INT16 || type >= TEXEL_HALF_FLOAT);
    default: return !packed;
    }
}

const struct texel_order *texel_order(uint16_t order) {
    unsigned o = (unsigned)order - TEXEL_FIRST_ORDER;
    return o < ORDERS ? &orders[o] : NULL;
}

unsigned texel_bytes(uint16_t order, uint16_t type) {
    const struct texel_order *o = texel_order(order);
    unsigned y = (unsigned)type - TEXEL_FIRST_TYPE;
    if (!o || y >= TYPES) return 0;
    if (!goes_with(order, type)) return 0;
    bool whole = order == TEXEL_RGB || order == TEXEL_RGBx;
    return (whole ? 1 : o->channels) * bytes_of[y];
}

void texel_pack(const struct texture *t, const void *color, void *texel) {
    _Alignas(128) uint32_t lanes[4][ISA_WARP] = {{0}};
    static const _Alignas(128) int32_t zero[ISA_WARP];
    const void *in[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};
    struct texture one = {.width = 1,
                          .height = 1,
                          .depth = 1,
                          .order = t->order,
                          .type = t->type,
                          .dim = ISA_DIM_1D,
                          .texel_bytes = t->texel_bytes};
    for (int c = 0; c < 4; c++) memcpy(&lanes[c][0], (const char *)color + c * 4, 4);
    sampler_write_baseline(texel, &one, &(struct sampler_coords){.at = {zero}}, 1, in);
}
