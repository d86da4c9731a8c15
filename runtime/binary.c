#include "binary.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "device/device.h"

static const struct {
    const char *line;
    cl_program_binary_type type;
} headers[] = {
    {"; simtcl compiled object\n", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT},
    {"; simtcl library\n", CL_PROGRAM_BINARY_TYPE_LIBRARY},
};

static struct error read_object(const char *text, size_t length, cl_program_binary_type type,
                                struct build *b) {
    if (!unit_check(text, length))
        return fail(CL_INVALID_BINARY, "the compiled object in the binary is damaged");
    b->object = malloc(length + 1);
    if (!b->object) return fail_memory();
    memcpy(b->object, text, length);
    b->object[length] = 0;
    b->object_bytes = length;
    b->type = type;
    return OK;
}

static struct error read_into(const struct model *device, const char *bytes, size_t length,
                              struct build *b) {
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        size_t n = strlen(headers[i].line);
        if (length >= n && !memcmp(bytes, headers[i].line, n))
            return read_object(bytes + n, length - n, headers[i].type, b);
    }
    struct isa_error why;
    b->module = isa_parse(bytes, length, &why);
    /* What the parser says when there is nothing wrong with the text. */
    if (!b->module && strstr(why.text, "out of memory")) return fail_memory();
    if (!b->module)
        return fail(CL_INVALID_BINARY, "line %u of the binary: %.200s", why.line, why.text);
    char what[256];
    if (!gpu_can_run(device, b->module, what, sizeof what))
        return fail(CL_INVALID_BINARY, "the binary was made for another device: %s%s", what,
                    device->unlimited ? "" : "; " MODEL_BEYOND);
    b->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    return OK;
}

struct error binary_read(const struct model *device, const char *bytes, size_t length,
                         struct build **result) {
    struct build *b = build_new();
    if (!b) return fail_memory();
    struct error error = read_into(device, bytes, length, b);
    if (error.code) {
        build_release(b);
        return error;
    }
    *result = b;
    return OK;
}

struct error binary_of(struct build *b) {
    if (!b || b->binary) return OK;
    if (b->module) {
        b->binary = isa_print(b->module, &b->binary_bytes);
        return b->binary ? OK : fail_memory();
    }
    for (size_t i = 0; b->object && i < sizeof headers / sizeof *headers; i++) {
        if (headers[i].type != b->type) continue;
        size_t n = strlen(headers[i].line);
        b->binary = malloc(n + b->object_bytes);
        if (!b->binary) return fail_memory();
        memcpy(b->binary, headers[i].line, n);
        memcpy(b->binary + n, b->object, b->object_bytes);
        b->binary_bytes = n + b->object_bytes;
    }
    return OK;
}
