#include "sampler.h"

#include "context.h"
#include "info.h"
#include "platform.h"

void sampler_free(void *object) { object_release(((cl_sampler)object)->context); }

struct error sampler_create(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                            cl_filter_mode filter, cl_sampler *result) {
    TRY(context_check(context));
    cl_addressing_mode last =
        platform_version() >= 110 ? CL_ADDRESS_MIRRORED_REPEAT : CL_ADDRESS_REPEAT;
    if (normalized != CL_TRUE && normalized != CL_FALSE)
        return fail(CL_INVALID_VALUE, "normalized_coords is neither CL_TRUE nor CL_FALSE");
    if (addressing < CL_ADDRESS_NONE || addressing > last)
        return fail(CL_INVALID_VALUE, "addressing mode 0x%x", addressing);
    if (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR)
        return fail(CL_INVALID_VALUE, "filter mode 0x%x", filter);
    cl_sampler s = object_new(OBJECT_sampler);
    if (!s) return fail_memory();
    s->context = object_retain(context);
    s->normalized = normalized;
    s->addressing = addressing;
    s->filter = filter;
    /* The addressing modes come in the order of ISA_ADDRESS_*. */
    s->value = (normalized ? ISA_SAMPLER_NORMALIZED : 0) |
               (addressing - CL_ADDRESS_NONE) << ISA_SAMPLER_ADDRESS_SHIFT |
               (filter == CL_FILTER_LINEAR ? ISA_SAMPLER_LINEAR : ISA_SAMPLER_NEAREST);
    *result = s;
    return OK;
}

/* Of 2.0; of its properties those that 1.2 has, with 2.0's defaults. */
struct error sampler_create_with(cl_context context, const cl_sampler_properties *properties,
                                 cl_sampler *result) {
    TRY(context_check(context));
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    unsigned seen = 0;
    for (size_t i = 0; properties && properties[i]; i += 2) {
        unsigned bit;
        switch (properties[i]) {
        case CL_SAMPLER_NORMALIZED_COORDS:
            normalized = (cl_bool)properties[i + 1];
            bit = 1;
            break;
        case CL_SAMPLER_ADDRESSING_MODE:
            addressing = (cl_addressing_mode)properties[i + 1];
            bit = 2;
            break;
        case CL_SAMPLER_FILTER_MODE:
            filter = (cl_filter_mode)properties[i + 1];
            bit = 4;
            break;
        default:
            return fail(CL_INVALID_VALUE, "sampler property 0x%llx",
                        (unsigned long long)properties[i]);
        }
        if (seen & bit)
            return fail(CL_INVALID_VALUE, "sampler property 0x%llx is given twice",
                        (unsigned long long)properties[i]);
        seen |= bit;
    }
    return sampler_create(context, normalized, addressing, filter, result);
}

struct error sampler_retain(cl_sampler s) {
    return object_user_retain(s, OBJECT_sampler);
}
struct error sampler_release(cl_sampler s) {
    return object_user_release(s, OBJECT_sampler);
}

struct error sampler_info(cl_sampler s, cl_sampler_info name, size_t size, void *value,
                          size_t *size_ret) {
    TRY(object_check(s, OBJECT_sampler, "sampler"));
    struct info out = {size, value, size_ret, name};
    switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT: return info_of(out, cl_uint, object_users(s));
    case CL_SAMPLER_CONTEXT: return info_of(out, cl_context, s->context);
    case CL_SAMPLER_NORMALIZED_COORDS: return info_of(out, cl_bool, s->normalized);
    case CL_SAMPLER_ADDRESSING_MODE: return info_of(out, cl_addressing_mode, s->addressing);
    case CL_SAMPLER_FILTER_MODE: return info_of(out, cl_filter_mode, s->filter);
    }
    return info_unknown("sampler", name);
}
