#include "info.h"

struct error info_bytes(struct info out, const void *bytes, size_t size) {
    if (out.value) {
        if (out.room < size)
            return fail(CL_INVALID_VALUE, "param_value_size is %zu, the value has %zu bytes",
                        out.room, size);
        if (size) memcpy(out.value, bytes, size);
    }
    if (out.size_ret) *out.size_ret = size;
    return OK;
}

struct error info_text(struct info out, const char *text) {
    if (!text) text = "";
    return info_bytes(out, text, strlen(text) + 1);
}

struct error info_unknown(const char *what, cl_uint name) {
    return fail(CL_INVALID_VALUE, "a %s has no information 0x%04X in the OpenCL version reported",
                what, name);
}
