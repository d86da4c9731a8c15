#include "image.h"

#include "buffer.h"
#include "context.h"
#include "devices.h"
#include "info.h"
#include "platform.h"

/* What an image type has: dimensions and layers, and the version that brought it. */
static const struct shape {
    cl_mem_object_type type;
    uint8_t dim; /* enum isa_image_dim */
    bool height, depth, layers;
    unsigned since;
} shapes[] = {
    {CL_MEM_OBJECT_IMAGE2D, ISA_DIM_2D, true, false, false, 100},
    {CL_MEM_OBJECT_IMAGE3D, ISA_DIM_3D, true, true, false, 100},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, ISA_DIM_2D_ARRAY, true, false, true, 120},
    {CL_MEM_OBJECT_IMAGE1D, ISA_DIM_1D, false, false, false, 120},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, ISA_DIM_1D_ARRAY, false, false, true, 120},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, ISA_DIM_1D_BUFFER, false, false, false, 120},
};

static const struct shape *shape_of(cl_mem_object_type type) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].type == type && shapes[i].since <= platform_version()) return &shapes[i];
    return NULL;
}

struct error image_check(cl_mem m) {
    TRY(mem_check(m));
    if (!mem_is_image(m)) return fail(CL_INVALID_MEM_OBJECT, "the memory object is no image");
    return OK;
}

void image_extent(cl_mem m, size_t extent[3]) {
    const struct texture *t = &m->texture;
    size_t layers = t->array_size ? t->array_size : 1;
    extent[0] = t->width;
    extent[1] = t->dim == ISA_DIM_1D_ARRAY ? layers : t->height;
    extent[2] = t->dim == ISA_DIM_2D_ARRAY ? layers : t->depth;
}

void image_pitches(const struct texture *t, size_t *second, size_t *third) {
    *second = t->dim == ISA_DIM_1D_ARRAY ? t->slice_pitch : t->row_pitch;
    *third = t->slice_pitch;
}

/* ---- formats ---- */

/* 1.1 brought the orders with an x. */
static bool format_known(cl_image_format f) {
    if (f.image_channel_order > UINT16_MAX || f.image_channel_data_type > UINT16_MAX) return false;
    if (f.image_channel_order >= CL_Rx && platform_version() < 110) return false;
    return texel_bytes((uint16_t)f.image_channel_order, (uint16_t)f.image_channel_data_type);
}

static bool order_known(cl_channel_order order) {
    return order >= CL_R && order <= (platform_version() < 110 ? CL_LUMINANCE : CL_RGBx);
}

struct error image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                           cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats) {
    TRY(context_check(context));
    TRY(mem_check_flags(flags));
    if (!shape_of(type)) return fail(CL_INVALID_VALUE, "image type 0x%x", type);
    if (!num_entries && formats)
        return fail(CL_INVALID_VALUE, "num_entries is 0 but image_formats is not NULL");
    cl_uint n = 0;
    for (cl_channel_order order = CL_R; order <= CL_RGBx; order++)
        for (cl_channel_type channel = CL_SNORM_INT8; channel <= CL_FLOAT; channel++) {
            cl_image_format f = {order, channel};
            if (!format_known(f)) continue;
            if (formats && n < num_entries) formats[n] = f;
            n++;
        }
    if (num_formats) *num_formats = n;
    return OK;
}

static struct error check_format(const cl_image_format *f) {
    if (!f) return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
    if (format_known(*f)) return OK;
    if (!order_known(f->image_channel_order) || f->image_channel_data_type < CL_SNORM_INT8 ||
        f->image_channel_data_type > CL_FLOAT)
        return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "channel order 0x%x with type 0x%x",
                    f->image_channel_order, f->image_channel_data_type);
    /* Both exist, but table 5.6 does not let them go together. */
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "channel order 0x%x cannot have type 0x%x",
                f->image_channel_order, f->image_channel_data_type);
}

/* ---- making images ---- */

/* The rules for sizes (5.3.1.2 of 1.2); `bad`: the code of those who create in the old way. */
static struct error check_sizes(const struct shape *s, const cl_image_desc *d, cl_int bad) {
    size_t most = s->type == CL_MEM_OBJECT_IMAGE3D          ? DEVICE_IMAGE_3D
                  : s->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? DEVICE_IMAGE_BUFFER
                                                            : DEVICE_IMAGE_2D;
    if (!d->image_width || (s->height && !d->image_height) || (s->depth && !d->image_depth) ||
        (s->layers && !d->image_array_size))
        return fail(bad, "a dimension of the image is 0");
    if (d->image_width > most || (s->height && d->image_height > most) ||
        (s->depth && d->image_depth > most) ||
        (s->layers && d->image_array_size > DEVICE_IMAGE_LAYERS))
        return fail(CL_INVALID_IMAGE_SIZE,
                    "%zu x %zu x %zu, %zu layers, is more than the device takes", d->image_width,
                    s->height ? d->image_height : 1, s->depth ? d->image_depth : 1,
                    s->layers ? d->image_array_size : 1);
    return OK;
}

/* The pitches of the host's memory, or of the buffer below, completed; 0, 0 when there is none. */
static struct error host_pitches(const struct shape *s, const cl_image_desc *d, size_t texel,
                                 bool memory, cl_int bad, size_t *row, size_t *slice) {
    size_t least = d->image_width * texel;
    *row = d->image_row_pitch;
    *slice = d->image_slice_pitch;
    bool sliced = s->depth || s->layers;
    if (!memory) {
        if (*row || *slice) return fail(bad, "a pitch is given without host_ptr");
        return OK;
    }
    if (*row && (*row < least || *row % texel))
        return fail(bad, "row pitch %zu is less than %zu or no multiple of the texel's %zu", *row,
                    least, texel);
    if (!*row) *row = least;
    size_t rows = s->height ? d->image_height : 1;
    size_t least_slice;
    if (__builtin_mul_overflow(*row, rows, &least_slice))
        return fail(bad, "the pitch is too large");
    if (!sliced) {
        *slice = 0;
        return OK;
    }
    if (*slice && (*slice < least_slice || *slice % *row))
        return fail(bad, "slice pitch %zu is less than %zu or no multiple of the row pitch", *slice,
                    least_slice);
    if (!*slice) *slice = least_slice;
    return OK;
}

static struct texture texture_of(const struct shape *s, const cl_image_format *f,
                                 const cl_image_desc *d, size_t texel) {
    struct texture t = {.width = (uint32_t)d->image_width, .height = 1, .depth = 1, .dim = s->dim};
    if (s->height) t.height = (uint32_t)d->image_height;
    if (s->depth) t.depth = (uint32_t)d->image_depth;
    if (s->layers) t.array_size = (uint32_t)d->image_array_size;
    t.order = (uint16_t)f->image_channel_order;
    t.type = (uint16_t)f->image_channel_data_type;
    t.texel_bytes = (uint8_t)texel;
    t.fixed_weights = platform_exact();
    uint64_t row = (uint64_t)t.width * texel, slice = row * t.height;
    t.row_pitch = (uint32_t)row;
    t.slice_pitch =
        slice > UINT32_MAX ? 0 : (uint32_t)slice; /* such an image does not get memory */
    return t;
}

/* An image over a buffer's bytes (CL_MEM_OBJECT_IMAGE1D_BUFFER). */
static struct error image_over(cl_context context, cl_mem buffer, cl_mem_flags flags, size_t bytes,
                               cl_mem *result) {
    if (mem_is_image(buffer))
        return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc->buffer is an image");
    if (buffer->context != context)
        return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc->buffer is of another context");
    if (bytes > buffer->size)
        return fail(CL_INVALID_IMAGE_SIZE, "the image takes %zu bytes, its buffer has %zu", bytes,
                    buffer->size);
    TRY(mem_inherit_flags(buffer->flags, &flags));
    cl_mem m = object_new(OBJECT_mem);
    if (!m) return fail_memory();
    m->context = object_retain(buffer->context);
    m->type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    m->flags = flags;
    m->size = bytes;
    m->host_ptr = buffer->host_ptr;
    m->address = buffer->address;
    mem_attach(m, buffer);
    *result = m;
    return OK;
}

/* The host's bytes become the image's. */
static void fetch(cl_mem m, const char *host) {
    size_t extent[3], row, slice;
    image_extent(m, extent);
    image_pitches(&m->texture, &row, &slice);
    bool layers_1d = m->texture.dim == ISA_DIM_1D_ARRAY;
    struct copy copy = {.to = mem_bytes(m),
                        .from = host,
                        .bytes = extent[0] * m->texture.texel_bytes,
                        .rows = extent[1],
                        .slices = extent[2],
                        .to_row = row,
                        .to_slice = slice,
                        .from_row = layers_1d ? m->host_slice : m->host_row,
                        .from_slice = m->host_slice};
    copy_now(&copy);
}

static struct error create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                           const cl_image_desc *d, void *host_ptr, cl_int bad, cl_mem *result) {
    TRY(context_check(context));
    TRY(mem_check_flags(flags));
    TRY(check_format(format));
    if (!d) return fail(bad, "image_desc is NULL");
    const struct shape *s = shape_of(d->image_type);
    if (!s) return fail(bad, "image type 0x%x", d->image_type);
    if (d->num_mip_levels || d->num_samples)
        return fail(bad, "num_mip_levels and num_samples must be 0");
    bool over = s->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (!over && d->buffer) return fail(bad, "an image of this type has no buffer");
    TRY(check_sizes(s, d, bad));
    size_t texel = texel_bytes((uint16_t)format->image_channel_order,
                               (uint16_t)format->image_channel_data_type);
    size_t host_row, host_slice;
    TRY(host_pitches(s, d, texel, host_ptr || over, bad, &host_row, &host_slice));
    if (!over || host_ptr) TRY(mem_check_host_ptr(flags, host_ptr));
    struct texture t = texture_of(s, format, d, texel);
    uint64_t bytes = (uint64_t)t.row_pitch * t.height * t.depth * (t.array_size ? t.array_size : 1);
    cl_mem m;
    if (over) {
        cl_mem buffer = object_retain_live(d->buffer, OBJECT_mem);
        if (!buffer) return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc->buffer is no buffer");
        struct error error = image_over(context, buffer, flags, bytes, &m);
        object_release(buffer);
        TRY(error);
    } else {
        if (bytes > device_alloc_bytes(context->devices[0]->model))
            return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        "%llu bytes are more than CL_DEVICE_MAX_MEM_ALLOC_SIZE",
                        (unsigned long long)bytes);
        TRY(mem_new(context, s->type, flags, bytes, host_ptr, &m));
    }
    m->format = *format;
    m->texture = t;
    m->texture.address = m->address;
    m->host_row = host_row;
    m->host_slice = host_slice;
    if (host_ptr && !over) fetch(m, host_ptr);
    *result = m;
    return OK;
}

struct error image_create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                          const cl_image_desc *desc, void *host_ptr, cl_mem *result) {
    return create(context, flags, format, desc, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR, result);
}

struct error image_create_2d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                             size_t width, size_t height, size_t row_pitch, void *host_ptr,
                             cl_mem *result) {
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = width,
                          .image_height = height,
                          .image_row_pitch = row_pitch};
    return create(context, flags, format, &desc, host_ptr, CL_INVALID_IMAGE_SIZE, result);
}

struct error image_create_3d(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                             size_t width, size_t height, size_t depth, size_t row_pitch,
                             size_t slice_pitch, void *host_ptr, cl_mem *result) {
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                          .image_width = width,
                          .image_height = height,
                          .image_depth = depth,
                          .image_row_pitch = row_pitch,
                          .image_slice_pitch = slice_pitch};
    /* 1.0, 5.2.4: a 3D image of one slice is refused; clCreateImage takes it. */
    if (depth == 1 && context_check(context).code == CL_SUCCESS)
        return fail(CL_INVALID_IMAGE_SIZE, "the depth of a 3D image is 1");
    return create(context, flags, format, &desc, host_ptr, CL_INVALID_IMAGE_SIZE, result);
}

/* Of 3.0, which defines no property for an image that we know. */
struct error image_create_with(cl_context context, const cl_mem_properties *properties,
                               cl_mem_flags flags, const cl_image_format *format,
                               const cl_image_desc *desc, void *host_ptr, cl_mem *result) {
    TRY(context_check(context));
    if (properties && properties[0])
        return fail(CL_INVALID_PROPERTY, "image property 0x%llx",
                    (unsigned long long)properties[0]);
    return image_create(context, flags, format, desc, host_ptr, result);
}

/* ---- queries ---- */

struct error image_info(cl_mem m, cl_image_info name, size_t size, void *value, size_t *size_ret) {
    TRY(image_check(m));
    struct info out = {size, value, size_ret, name};
    const struct texture *t = &m->texture;
    bool two = t->dim == ISA_DIM_2D || t->dim == ISA_DIM_2D_ARRAY || t->dim == ISA_DIM_3D;
    bool sliced = t->dim == ISA_DIM_3D || t->array_size;
    /* The pitches are the host's where it gave some: what the caller asked for. */
    size_t row = m->host_row ? m->host_row : t->row_pitch;
    size_t slice = m->host_row ? m->host_slice : t->slice_pitch;
    bool at_12 = platform_version() >= 120;
    switch (name) {
    case CL_IMAGE_FORMAT: return info_bytes(out, &m->format, sizeof m->format);
    case CL_IMAGE_ELEMENT_SIZE: return info_of(out, size_t, t->texel_bytes);
    case CL_IMAGE_ROW_PITCH: return info_of(out, size_t, row);
    case CL_IMAGE_SLICE_PITCH: return info_of(out, size_t, sliced ? slice : 0);
    case CL_IMAGE_WIDTH: return info_of(out, size_t, t->width);
    case CL_IMAGE_HEIGHT: return info_of(out, size_t, two ? t->height : 0);
    case CL_IMAGE_DEPTH: return info_of(out, size_t, t->dim == ISA_DIM_3D ? t->depth : 0);
    case CL_IMAGE_ARRAY_SIZE:
        if (!at_12) break;
        return info_of(out, size_t, t->array_size);
    case CL_IMAGE_BUFFER:
        if (!at_12) break;
        return info_of(out, cl_mem, m->parent);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        if (!at_12) break;
        return info_of(out, cl_uint, 0);
    }
    return info_unknown("image", name);
}
