#include "info.h"

#include <stdio.h>

/* NULL for what is in no version up to 1.2. */
static const char *query_name(cl_uint query) {
    switch (query) {
#define QUERY(name)                                                                                \
    case name:                                                                                     \
        return #name;
#include "queries.def"
#undef QUERY
    }
    return NULL;
}

static struct error too_small(struct info out, size_t size) {
    char number[16];
    const char *name = query_name(out.query);
    snprintf(number, sizeof number, "0x%04X", out.query);
    return fail(CL_INVALID_VALUE, "%s: param_value_size is %zu, the value has %zu bytes",
                name ? name : number, out.room, size);
}

struct error info_bytes(struct info out, const void *bytes, size_t size) {
    if (out.value) {
        if (out.room < size) return too_small(out, size);
        if (size) memcpy(out.value, bytes, size);
    }
    if (out.size_ret) *out.size_ret = size;
    return OK;
}

struct error info_text(struct info out, const char *text) {
    if (!text) text = "";
    return info_bytes(out, text, strlen(text) + 1);
}

struct error info_unknown(const char *what, cl_uint query) {
    const char *name = query_name(query);
    if (!name) return (struct error){CL_INVALID_VALUE, NULL};
    return fail(CL_INVALID_VALUE, "%s: a %s has none in the OpenCL version reported", name, what);
}
