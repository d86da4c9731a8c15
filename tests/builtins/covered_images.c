/* Functions of images: 8 x 4, two layers or slices; component c of texel (x, y, z) is
 * x + 10y + 100z + 1000c. */
#include "coverage.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 8, HEIGHT = 4, LAYERS = 2 };
static cl_mem image, image_storage;

static bool image_suits(const struct coverage_test *t) { return coverage_has(t, "M"); }
static void place(enum isa_image_dim dim, unsigned i, unsigned at[3]) {
    at[0] = i % WIDTH;
    at[1] = i / WIDTH % HEIGHT;
    at[2] = i / (WIDTH * HEIGHT) % LAYERS;
    if (dim == ISA_DIM_1D || dim == ISA_DIM_1D_BUFFER) at[1] = at[2] = 0;
    if (dim == ISA_DIM_1D_ARRAY) {
        at[2] = 0;
        at[1] = i / WIDTH % LAYERS;
    }
    if (dim == ISA_DIM_2D) at[2] = 0;
}
static void image_body(const struct coverage_test *t, char *text, size_t size) {
    enum isa_image_dim dim = t->c.bind.dim;
    if (!strncmp(t->c.name, "get_", 4)) {
        coverage_add(text, size, COVERAGE_OUT "%s(image);\n", t->result.name, t->c.name);
        return;
    }
    coverage_add(text, size, "int x = i %% %d, y = i / %d %% %d, z = i / %d %% %d;\n", WIDTH, WIDTH,
                 HEIGHT, WIDTH * HEIGHT, LAYERS);
    bool write = t->c.name[0] == 'w', real = t->c.nargs == 3 && !write && coverage_has(t, "K");
    char coordinate[100];
    snprintf(coordinate, sizeof coordinate, "%s",
             dim == ISA_DIM_1D || dim == ISA_DIM_1D_BUFFER ? (real ? "x + 0.5f" : "x")
             : dim == ISA_DIM_1D_ARRAY ? (real ? "(float2)(x + 0.5f, y % 2)" : "(int2)(x, y % 2)")
             : dim == ISA_DIM_2D       ? (real ? "(float2)(x + 0.5f, y + 0.5f)" : "(int2)(x, y)")
             : dim == ISA_DIM_2D_ARRAY
                 ? (real ? "(float4)(x + 0.5f, y + 0.5f, z, 0)" : "(int4)(x, y, z, 0)")
                 : (real ? "(float4)(x + 0.5f, y + 0.5f, z + 0.5f, 0)" : "(int4)(x, y, z, 0)"));
    if (write) {
        if (dim == ISA_DIM_1D || dim == ISA_DIM_1D_BUFFER) coverage_add(text, size, "y = z = 0;\n");
        if (dim == ISA_DIM_1D_ARRAY) coverage_add(text, size, "y %%= 2; z = 0;\n");
        if (dim == ISA_DIM_2D) coverage_add(text, size, "z = 0;\n");
        coverage_add(
            text, size,
            "%s v = (%s)(x + 10 * y + 100 * z, x + 10 * y + 100 * z + 1000, "
            "x + 10 * y + 100 * z + 2000, x + 10 * y + 100 * z + 3000);\n%s(image, %s, v);\n",
            t->args[2].name, t->args[2].name, t->c.name, coordinate);
        return;
    }
    if (t->c.nargs == 3)
        coverage_add(
            text, size,
            "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
            "CLK_FILTER_NEAREST;\n");
    coverage_add(text, size, COVERAGE_OUT "%s(image, %s%s);\n", t->result.name, t->c.name,
                 t->c.nargs == 3 ? "s, " : "", coordinate);
}
static bool is_read(const struct coverage_test *t) { return t->c.name[0] == 'r'; }

static uint32_t texel(char letter, const unsigned at[3], unsigned c) {
    unsigned v = at[0] + 10 * at[1] + 100 * at[2] + 1000 * c;
    uint64_t bits = letter == 'f' ? coverage_real_bits(AST_FLOAT, v) : v;
    return (uint32_t)bits;
}

cl_mem covered_images_new(const struct coverage_test *t) {
    static uint32_t texels[LAYERS * HEIGHT * WIDTH][4];
    enum isa_image_dim dim = t->c.bind.dim;
    const char *name = strstr(t->c.name, "image");
    char letter = !strncmp(t->c.name, "get_", 4) ? 'f' : name[5] == 'f' ? 'f' : name[5];
    cl_image_format format = {CL_RGBA, letter == 'f'   ? CL_FLOAT
                                       : letter == 'i' ? CL_SIGNED_INT32
                                                       : CL_UNSIGNED_INT32};
    cl_image_desc desc = {.image_width = WIDTH};
    size_t region[3] = {WIDTH, 1, 1}, origin[3] = {0};
    switch (dim) {
    case ISA_DIM_1D: desc.image_type = CL_MEM_OBJECT_IMAGE1D; break;
    case ISA_DIM_1D_BUFFER: desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; break;
    case ISA_DIM_1D_ARRAY:
        desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
        desc.image_array_size = region[1] = LAYERS;
        break;
    case ISA_DIM_2D:
        desc.image_type = CL_MEM_OBJECT_IMAGE2D;
        desc.image_height = region[1] = HEIGHT;
        break;
    case ISA_DIM_2D_ARRAY:
        desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
        desc.image_height = region[1] = HEIGHT;
        desc.image_array_size = region[2] = LAYERS;
        break;
    default:
        desc.image_type = CL_MEM_OBJECT_IMAGE3D;
        desc.image_height = region[1] = HEIGHT;
        desc.image_depth = region[2] = LAYERS;
    }
    cl_int code = CL_SUCCESS;
    if (dim == ISA_DIM_1D_BUFFER) {
        desc.buffer = image_storage =
            clCreateBuffer(coverage_context, CL_MEM_READ_WRITE, WIDTH * 16, NULL, &code);
    }
    image = clCreateImage(coverage_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    if (code) coverage_fatal("clCreateImage", code);
    for (unsigned z = 0; z < region[2]; z++)
        for (unsigned y = 0; y < region[1]; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                for (unsigned c = 0; c < 4; c++)
                    texels[(z * region[1] + y) * WIDTH + x][c] =
                        is_read(t) ? texel(letter, (unsigned[]){x, y, z}, c) : 0;
    code = clEnqueueWriteImage(coverage_queue, image, CL_TRUE, origin, region, 0, 0, texels, 0,
                               NULL, NULL);
    if (code) coverage_fatal("clEnqueueWriteImage", code);
    return image;
}

void covered_images_release(void) {
    clReleaseMemObject(image);
    if (image_storage) clReleaseMemObject(image_storage);
    image = image_storage = NULL;
}

static bool image_check(const struct coverage_test *t) {
    enum isa_image_dim dim = t->c.bind.dim;
    const char *name = strstr(t->c.name, "image");
    struct coverage_type four = {.kind = name[5] == 'f' ? AST_FLOAT : AST_INT, .count = 4};
    if (!strncmp(t->c.name, "get_", 4)) {
        const char *n = t->c.name + 10;
        unsigned v = !strcmp(n, "width")               ? WIDTH
                     : !strcmp(n, "height")            ? HEIGHT
                     : !strcmp(n, "depth")             ? LAYERS
                     : !strcmp(n, "array_size")        ? LAYERS
                     : !strcmp(n, "channel_data_type") ? CL_FLOAT
                     : !strcmp(n, "channel_order")     ? CL_RGBA
                                                       : 0;
        const unsigned sizes[4] = {WIDTH, HEIGHT, LAYERS, 0};
        for (unsigned c = 0; c < t->result.count; c++)
            if (!coverage_same(t, 0, c, t->result.count > 1 ? sizes[c] : v,
                               coverage_component(RESULT, &t->result, c)))
                return false;
        return true;
    }
    bool write = !is_read(t);
    if (write) {
        size_t region[3] = {WIDTH, 1, 1}, origin[3] = {0};
        if (dim == ISA_DIM_2D || dim == ISA_DIM_2D_ARRAY || dim == ISA_DIM_3D) region[1] = HEIGHT;
        if (dim == ISA_DIM_1D_ARRAY) region[1] = LAYERS;
        if (dim == ISA_DIM_2D_ARRAY || dim == ISA_DIM_3D) region[2] = LAYERS;
        cl_int code = clEnqueueReadImage(coverage_queue, image, CL_TRUE, origin, region, 0, 0,
                                         coverage_memory[RESULT], 0, NULL, NULL);
        if (code) coverage_fatal("clEnqueueReadImage", code);
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned at[3];
        place(dim, i, at);
        size_t from = i;
        if (write) {
            unsigned rows = dim == ISA_DIM_1D_ARRAY ? LAYERS : HEIGHT;
            from = (at[2] * rows + at[1]) * WIDTH + at[0];
        }
        for (unsigned c = 0; c < 4; c++)
            if (!coverage_same(t, i, c, texel(name[5], at, c),
                               coverage_component(RESULT, &four, from * 4 + c)))
                return false;
    }
    return true;
}

const struct coverage_family covered_images[] = {
    {image_suits, image_body, image_check, true},
    {0},
};
