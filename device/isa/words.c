/* The words of the text form that are not in isa.def or special.def, and its checksum. */
#include "isa_private.h"

const char isa_reg_letter[ISA_TYPE_COUNT] = {'?', 'p', 'b', 'h', 'i', 'l', 'f', 'd'};

const char *const isa_space_name[ISA_SPACE_COUNT] = {
    [ISA_GLOBAL] = "global",   [ISA_LOCAL] = "local", [ISA_CONSTANT] = "constant",
    [ISA_PRIVATE] = "private", [ISA_PARAM] = "param",
};

const char *const isa_rounding_name[ISA_ROUNDING_COUNT] = {
    [ISA_RTE] = "rte", [ISA_RTZ] = "rtz", [ISA_RTP] = "rtp", [ISA_RTN] = "rtn"};

const char *const isa_dim_name[ISA_DIM_COUNT] = {
    [ISA_DIM_1D] = "1d", [ISA_DIM_1D_ARRAY] = "1d_array", [ISA_DIM_1D_BUFFER] = "1d_buffer",
    [ISA_DIM_2D] = "2d", [ISA_DIM_2D_ARRAY] = "2d_array", [ISA_DIM_3D] = "3d",
};

const char *const isa_image_info_name[ISA_IMAGE_INFO_COUNT] = {
    [ISA_IMAGE_WIDTH] = "width",
    [ISA_IMAGE_HEIGHT] = "height",
    [ISA_IMAGE_DEPTH] = "depth",
    [ISA_IMAGE_ARRAY_SIZE] = "array_size",
    [ISA_IMAGE_CHANNEL_TYPE] = "channel_type",
    [ISA_IMAGE_CHANNEL_ORDER] = "channel_order",
};

const char *const isa_param_kind_name[ISA_PARAM_KIND_COUNT] = {
    [ISA_PARAM_VALUE] = "value", [ISA_PARAM_GLOBAL] = "global", [ISA_PARAM_CONSTANT] = "constant",
    [ISA_PARAM_LOCAL] = "local", [ISA_PARAM_IMAGE] = "image",   [ISA_PARAM_SAMPLER] = "sampler",
};

const char *const isa_fence_name[ISA_FENCE_BITS] = {"local", "global", "read", "write"};
const char *const isa_count_name[ISA_COUNT_BITS] = {"warps", "lanes", "splits"};
const char *const isa_qual_name[ISA_QUAL_BITS] = {"const", "restrict", "volatile"};
const char *const isa_access_name[ISA_ACCESS_COUNT] = {
    [ISA_ACCESS_READ_ONLY] = "read_only",
    [ISA_ACCESS_WRITE_ONLY] = "write_only",
    [ISA_ACCESS_READ_WRITE] = "read_write",
};

/* FNV-1a, 64 bits: it finds damage, not malice; the verifier stands against that. */
uint64_t isa_checksum(const char *text, size_t length) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t n = 0; n < length; n++) h = (h ^ (unsigned char)text[n]) * 0x100000001b3u;
    return h;
}
